/* The verb `replace`: a body of the rule becomes nodes, with the values and attributes of the replaced node. */
#include "rule/replace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "kernel/facts.h"
#include "model/names.h"
#include "model/number.h"
#include "model/tensor.h"
#include "model/text.h"
#include "model/text_attribute.h"
#include "rule/replace_body.h"
#include "schema/schema.h"

/* Steps of expressions for each entry of the node's lists, up to a number of entries. */
#define STEPS_PER_ENTRY 64u
#define ENTRIES_MOST    65536u

/* State of making one replacement. */
struct maker {
    const struct step *step;
    struct draft *draft;
    const struct schema *schema;   /* of the replaced node */
    Onnx__NodeProto *defaults;     /* a node with the default attributes; NULL: not read yet */
    struct attribute_items *lists; /* of the attributes that expressions have asked for */
    struct replacement *made;
};

/* A list attribute as expressions have it. */
struct attribute_items {
    const Onnx__AttributeProto *attribute;
    struct result list;
    struct attribute_items *next;
};

static const char *const kind_names[] = {"definition", "exact", "approximate"};

const char *replacement_kind_name(enum replacement_kind kind)
{
    return kind_names[kind];
}

static enum replacement_kind kind_of_word(const char *word)
{
    enum replacement_kind kind = REPLACED_BY_DEFINITION;
    while (kind < REPLACED_APPROXIMATELY && strcmp(kind_names[kind], word) != 0)
        kind++;
    return kind;
}

/* ---- the names of the node's values ----------------------------------------------------------------------------- */

/* "X", or "inputs_0", "inputs_1", ... for those of a variadic parameter. NULL: no memory. */
static const char *value_name(struct arena *arena, const struct schema_parameter *list, uint16_t count,
                              uint32_t position)
{
    const struct schema_parameter *last = count == 0 ? NULL : &list[count - 1];
    if (last != NULL && last->option == PARAMETER_VARIADIC && position + 1 >= count)
        return arena_print(arena, "%s_%u", last->name, position + 1 - count);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): count counts what is in the list. */
    return position < count ? list[position].name : arena_print(arena, "value_%u", position);
}

static enum opshift_status name_values(struct maker *maker, struct opshift_error *error)
{
    struct draft *draft = maker->draft;
    const struct schema *schema = maker->schema;
    const char **inputs = arena_alloc(draft->arena, (size_t)draft->input_count + 1, sizeof(*inputs));
    const char **outputs = arena_alloc(draft->arena, (size_t)draft->output_count + 1, sizeof(*outputs));
    bool done = inputs != NULL && outputs != NULL;
    for (uint32_t i = 0; done && i < draft->input_count; i++)
        if (draft_input_present(draft, i))
            done = (inputs[i] = value_name(draft->arena, schema->inputs, schema->input_count, i)) != NULL;
    for (uint32_t i = 0; done && i < draft->output_count; i++)
        if (draft->outputs[i] != NAME_NONE)
            done = (outputs[i] = value_name(draft->arena, schema->outputs, schema->output_count, i)) != NULL;
    maker->made->inputs = inputs;
    maker->made->input_count = draft->input_count;
    maker->made->outputs = outputs;
    maker->made->output_count = draft->output_count;
    return done ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- attributes ------------------------------------------------------------------------------------------------- */

/* A reference to an attribute of the enclosing function becomes the integer that all calls give. */
static enum opshift_status resolve_reference(struct draft *draft, Onnx__AttributeProto *attribute,
                                             struct opshift_error *error)
{
    struct draft_parameter parameter = {0};
    struct bytes name = {attribute->ref_attr_name.data, attribute->ref_attr_name.len};
    enum opshift_status status = OPSHIFT_OK;
    if (attribute->type == ATTRIBUTE(INT))
        status = draft_parameter(draft, name, &parameter, error);
    if (status)
        return status;
    if (parameter.missing)
        return opshift_fail(error, OPSHIFT_NO, "%s", parameter.missing);
    draft->unresolved |= !parameter.agreed;
    if (!parameter.agreed)
        return opshift_fail(error, OPSHIFT_NO,
                            "attribute '%.*s' is a parameter of the function, whose value is not known here; give it "
                            "as a number at the node",
                            (int)attribute->name.len, (const char *)attribute->name.data);
    attribute->has_ref_attr_name = 0;
    attribute->ref_attr_name = (ProtobufCBinaryData){0};
    attribute->has_i = 1;
    attribute->i = parameter.least;
    return OPSHIFT_OK;
}

/* The default attributes of the schema, as those of a node. */
static enum opshift_status read_defaults(struct maker *maker, struct opshift_error *error)
{
    const struct schema *schema = maker->schema;
    struct buffer text = {0};
    Onnx__NodeProto **nodes;
    size_t count;
    buffer_add_text(&text, "y = Defaults <none = 0");
    for (uint16_t i = 0; i < schema->attribute_count; i++) {
        const struct schema_attribute *attribute = &schema->attributes[i];
        if (attribute->default_text != NULL)
            buffer_print(&text, ", %s : %s = %s", attribute->name, attribute_word(attribute->type),
                         attribute->default_text);
    }
    buffer_add_text(&text, "> ()");
    enum opshift_status status = text.failed
                                     ? opshift_no_memory(error)
                                     : text_parse_nodes((const char *)text.data, text.size, "the table of operators", 1,
                                                        maker->draft->arena, &nodes, &count, error);
    if (status == OPSHIFT_OK)
        maker->defaults = nodes[0];
    buffer_free(&text);
    return status;
}

static Onnx__AttributeProto *default_find(const Onnx__NodeProto *defaults, struct bytes name)
{
    for (size_t i = 1; i < defaults->n_attribute; i++)
        if (bytes_same(bytes_of(defaults->attribute[i]->name), name))
            return defaults->attribute[i];
    return NULL;
}

/* The node's attribute, or its default; NULL in *value: neither. */
static enum opshift_status attribute_value(struct maker *maker, struct bytes name, const Onnx__AttributeProto **value,
                                           struct opshift_error *error)
{
    struct draft *draft = maker->draft;
    const struct draft_attribute *found = draft_attribute_named(draft, name);
    enum opshift_status status = OPSHIFT_OK;
    *value = NULL;
    if (found == NULL) {
        if (maker->defaults == NULL)
            status = read_defaults(maker, error);
        if (status == OPSHIFT_OK)
            *value = default_find(maker->defaults, name);
        return status;
    }
    if (!found->message->has_ref_attr_name) {
        *value = found->message;
        return OPSHIFT_OK;
    }
    Onnx__AttributeProto *copy = arena_copy(draft->arena, found->message, sizeof(*copy));
    *value = copy;
    return copy == NULL ? opshift_no_memory(error) : resolve_reference(draft, copy, error);
}

/* ---- graphs ----------------------------------------------------------------------------------------------------- */

/* The replaced node's graph in the attribute of this name. NO: there is none, or more than one. */
static enum opshift_status graph_find(const struct draft *draft, ProtobufCBinaryData name, const struct graph **found,
                                      struct opshift_error *error)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < node_subgraph_count(draft->node); i++) {
        const struct graph *graph = node_subgraphs(draft->node)[i];
        struct bytes attribute = names_bytes(draft->model->names, graph->owner_attribute);
        if (attribute.size != name.len || memcmp(attribute.data, name.data, name.len) != 0)
            continue;
        *found = graph;
        count++;
    }
    if (count == 1)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO, "the node has %s graph '%.*s'", count ? "more than one" : "no",
                        name.len < 60 ? (int)name.len : 60, (const char *)name.data);
}

/* A call needs as many values as the graph takes and gives. */
static enum opshift_status check_call(struct maker *maker, const Onnx__NodeProto *call, struct opshift_error *error)
{
    const struct graph *graph = NULL;
    enum opshift_status status = graph_find(maker->draft, call->op_type, &graph, error);
    if (status)
        return status;
    maker->made->calls = true;
    if (call->n_input == graph->input_count && call->n_output == graph->output_count)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO,
                        "its graph '%.*s' takes %u values and gives %u, where %zu and %zu are needed",
                        (int)call->op_type.len, (const char *)call->op_type.data, graph->input_count,
                        graph->output_count, call->n_input, call->n_output);
}

/* "body.in_0", "body.in_1", ...: no name of a body has a dot. False: no memory. */
static bool number_values(struct arena *arena, ProtobufCBinaryData graph, const char *word, uint32_t count,
                          ProtobufCBinaryData *names, Onnx__ValueInfoProto ***list)
{
    Onnx__ValueInfoProto *values = arena_alloc(arena, count, sizeof(*values));
    *list = arena_alloc(arena, count, sizeof(**list));
    bool done = values && *list;
    for (uint32_t i = 0; done && i < count; i++) {
        const char *name = arena_print(arena, "%.*s.%s_%u", (int)graph.len, (const char *)graph.data, word, i);
        done = name != NULL;
        if (!done)
            break;
        onnx__value_info_proto__init(&values[i]);
        values[i].has_name = 1;
        values[i].name = names[i] = binary_of(name);
        (*list)[i] = &values[i];
    }
    return done;
}

/* `body = @body` becomes a graph whose only node calls that of the replaced node. */
static enum opshift_status give_graph(struct maker *maker, Onnx__AttributeProto *attribute, struct opshift_error *error)
{
    struct arena *arena = maker->draft->arena;
    ProtobufCBinaryData name = attribute->ref_attr_name;
    const struct graph *graph = NULL;
    enum opshift_status status = graph_find(maker->draft, name, &graph, error);
    if (status)
        return status;
    Onnx__GraphProto *made = arena_alloc(arena, 1, sizeof(*made));
    Onnx__NodeProto *call = arena_alloc(arena, 1, sizeof(*call));
    Onnx__NodeProto **nodes = arena_alloc(arena, 1, sizeof(*nodes));
    ProtobufCBinaryData *inputs = arena_alloc(arena, graph->input_count, sizeof(*inputs));
    ProtobufCBinaryData *outputs = arena_alloc(arena, graph->output_count, sizeof(*outputs));
    if (made == NULL || call == NULL || nodes == NULL || inputs == NULL || outputs == NULL)
        return opshift_no_memory(error);
    onnx__graph_proto__init(made);
    onnx__node_proto__init(call);
    if (!number_values(arena, name, "in", graph->input_count, inputs, &made->input) ||
        !number_values(arena, name, "out", graph->output_count, outputs, &made->output))
        return opshift_no_memory(error);
    call->has_op_type = call->has_domain = 1;
    call->op_type = name;
    call->domain = binary_of(GRAPH_CALL_DOMAIN);
    call->input = inputs;
    call->output = outputs;
    made->n_input = call->n_input = graph->input_count;
    made->n_output = call->n_output = graph->output_count;
    made->has_name = made->n_node = 1;
    made->name = name;
    made->node = nodes;
    nodes[0] = call;
    attribute->has_ref_attr_name = 0;
    attribute->ref_attr_name = (ProtobufCBinaryData){0};
    attribute->has_type = 1;
    attribute->type = ATTRIBUTE(GRAPH);
    attribute->g = made;
    maker->made->calls = true;
    return OPSHIFT_OK;
}

/* `axis = @axis` becomes the value, under the name in the body; it is omitted if there is no value. */
static enum opshift_status give_attribute(struct maker *maker, Onnx__NodeProto *node, size_t *at,
                                          struct opshift_error *error)
{
    Onnx__AttributeProto *attribute = node->attribute[*at];
    const Onnx__AttributeProto *value;
    enum opshift_status status = attribute_value(
        maker, (struct bytes){attribute->ref_attr_name.data, attribute->ref_attr_name.len}, &value, error);
    if (status)
        return status;
    if (value == NULL) {
        memmove(&node->attribute[*at], &node->attribute[*at + 1],
                (--node->n_attribute - *at) * sizeof(Onnx__AttributeProto *));
        return OPSHIFT_OK;
    }
    ++*at;
    if (value->type == ATTRIBUTE(GRAPH))
        return give_graph(maker, attribute, error);
    ProtobufCBinaryData name = attribute->name;
    *attribute = *value;
    attribute->name = name;
    return OPSHIFT_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

/* An input that the operator has and the node omits stands for an empty input. */
static bool is_absent_input(const struct maker *maker, ProtobufCBinaryData name)
{
    const struct schema *schema = maker->schema;
    for (uint16_t i = 0; i < schema->input_count; i++)
        if (schema->inputs[i].option != PARAMETER_VARIADIC && bytes_are(bytes_of(name), schema->inputs[i].name))
            return i >= maker->made->input_count || maker->made->inputs[i] == NULL;
    return false;
}

static void drop_absent_inputs(const struct maker *maker, Onnx__NodeProto *node)
{
    for (size_t i = 0; i < node->n_input; i++)
        if (is_absent_input(maker, node->input[i]))
            node->input[i] = (ProtobufCBinaryData){0};
    while (node->n_input && node->input[node->n_input - 1].len == 0)
        node->n_input--;
}

static enum opshift_status give_nodes(struct maker *maker, Onnx__NodeProto **nodes, size_t count,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        drop_absent_inputs(maker, nodes[i]);
        if (bytes_are(bytes_of(nodes[i]->domain), GRAPH_CALL_DOMAIN))
            status = check_call(maker, nodes[i], error);
        for (size_t j = 0; status == OPSHIFT_OK && j < nodes[i]->n_attribute;) {
            Onnx__AttributeProto *attribute = nodes[i]->attribute[j];
            if (attribute->has_ref_attr_name) {
                status = give_attribute(maker, nodes[i], &j, error);
                continue;
            }
            if (attribute->g)
                status = give_nodes(maker, attribute->g->node, attribute->g->n_node, error);
            for (size_t k = 0; status == OPSHIFT_OK && k < attribute->n_graphs; k++)
                status = give_nodes(maker, attribute->graphs[k]->node, attribute->graphs[k]->n_node, error);
            j++;
        }
    }
    return status;
}

static bool names_have(const ProtobufCBinaryData *names, size_t count, ProtobufCBinaryData name)
{
    for (size_t i = 0; i < count; i++)
        if (bytes_same(bytes_of(names[i]), bytes_of(name)))
            return true;
    return false;
}

static bool nodes_read(Onnx__NodeProto *const *nodes, size_t count, ProtobufCBinaryData name);

static bool graph_reads(const Onnx__GraphProto *graph, ProtobufCBinaryData name)
{
    for (size_t i = 0; i < graph->n_output; i++)
        if (names_have(&graph->output[i]->name, 1, name))
            return true;
    return nodes_read(graph->node, graph->n_node, name);
}

/* Also in its subgraphs. */
static bool node_reads(const Onnx__NodeProto *node, ProtobufCBinaryData name)
{
    if (names_have(node->input, node->n_input, name))
        return true;
    for (size_t i = 0; i < node->n_attribute; i++) {
        const Onnx__AttributeProto *attribute = node->attribute[i];
        if (attribute->g && graph_reads(attribute->g, name))
            return true;
        for (size_t j = 0; j < attribute->n_graphs; j++)
            if (graph_reads(attribute->graphs[j], name))
                return true;
    }
    return false;
}

static bool nodes_read(Onnx__NodeProto *const *nodes, size_t count, ProtobufCBinaryData name)
{
    for (size_t i = 0; i < count; i++)
        if (node_reads(nodes[i], name))
            return true;
    return false;
}

static bool is_output(const struct replacement *made, ProtobufCBinaryData name)
{
    for (size_t i = 0; i < made->output_count; i++)
        if (made->outputs[i] && bytes_are(bytes_of(name), made->outputs[i]))
            return true;
    return false;
}

/* From the last node to the first, since readers of a value come after it. */
static void drop_unread(struct replacement *made)
{
    size_t first = made->node_count;
    for (size_t i = made->node_count; i-- > 0;) {
        Onnx__NodeProto *node = made->nodes[i];
        bool read = false;
        for (size_t j = 0; !read && j < node->n_output; j++)
            read = node->output[j].len && (is_output(made, node->output[j]) ||
                                           nodes_read(made->nodes + first, made->node_count - first, node->output[j]));
        if (read)
            made->nodes[--first] = node;
    }
    made->nodes += first;
    made->node_count -= first;
}

/* ---- completeness ------------------------------------------------------------------------------------------------ */

static enum opshift_status incomplete(const struct maker *maker, const char *what, ProtobufCBinaryData name,
                                      struct opshift_error *error)
{
    const struct rule *rule = maker->draft->rule;
    return opshift_fail(error, OPSHIFT_NO, "%s:%u: the body, as it is written out for this node, %s '%.*s'",
                        rule ? rule->file : "rule", maker->step->line, what, name.len < 60 ? (int)name.len : 60,
                        (const char *)name.data);
}

static enum opshift_status names_give(struct names *names, ProtobufCBinaryData name, struct opshift_error *error)
{
    return names_add(names, name.data, name.len) == NAME_NO_MEMORY ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* Checks that a node's inputs are defined before it, and that its outputs are new. */
static enum opshift_status node_fits(const struct maker *maker, const Onnx__NodeProto *node, struct names *given,
                                     struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    name_id id;
    for (size_t i = 0; i < node->n_input; i++)
        if (node->input[i].len && !names_find(given, node->input[i].data, node->input[i].len, &id))
            return incomplete(maker, "reads what nothing gives:", node->input[i], error);
    for (size_t i = 0; status == OPSHIFT_OK && i < node->n_output; i++) {
        if (node->output[i].len == 0)
            continue;
        if (names_find(given, node->output[i].data, node->output[i].len, &id))
            return incomplete(maker, "gives twice", node->output[i], error);
        status = names_give(given, node->output[i], error);
    }
    return status;
}

/* An unused output may be missing. */
static enum opshift_status output_missing(const struct maker *maker, uint32_t position, struct opshift_error *error)
{
    const struct draft *draft = maker->draft;
    bool unread = false;
    enum opshift_status status = draft_unread(draft, draft->outputs[position], &unread, error);
    if (status || unread)
        return status;
    return incomplete(maker, "does not give the node's output", binary_of(maker->made->outputs[position]), error);
}

/* Is it given by an input alone, which has the name of the output? */
static bool is_input_only(const struct replacement *made, const char *output)
{
    bool input = false;
    for (size_t i = 0; i < made->input_count && !input; i++)
        input = made->inputs[i] && strcmp(made->inputs[i], output) == 0;
    for (size_t i = 0; input && i < made->node_count; i++)
        for (size_t k = 0; k < made->nodes[i]->n_output; k++)
            if (bytes_are(bytes_of(made->nodes[i]->output[k]), output))
                return false;
    return input;
}

static enum opshift_status check_complete(const struct maker *maker, struct opshift_error *error)
{
    const struct replacement *made = maker->made;
    struct names *given = names_new();
    enum opshift_status status = given ? OPSHIFT_OK : opshift_no_memory(error);
    name_id id;
    for (size_t i = 0; status == OPSHIFT_OK && i < made->input_count; i++)
        if (made->inputs[i])
            status = names_give(given, binary_of(made->inputs[i]), error);
    for (size_t i = 0; status == OPSHIFT_OK && i < made->node_count; i++)
        status = node_fits(maker, made->nodes[i], given, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < made->output_count; i++)
        if (made->outputs[i] && (!names_find(given, made->outputs[i], strlen(made->outputs[i]), &id) ||
                                 is_input_only(made, made->outputs[i])))
            status = output_missing(maker, i, error);
    names_free(given);
    return status;
}

/* ---- attributes and facts, for expressions ---------------------------------------------------------------------- */

/* Maximum number of elements of a constant in an expression. */
#define CONSTANT_MOST 4096

static struct result whole(int64_t value)
{
    return (struct result){.kind = RESULT_INT, .i = value};
}

static struct result yes_or_no(bool value)
{
    return (struct result){.kind = RESULT_BOOL, .i = value};
}

static struct result text_result(ProtobufCBinaryData data)
{
    return (struct result){.kind = RESULT_STRING, .s = {data.data, data.len}};
}

/* A list in an attribute, which is read once for all that mention it. */
static enum opshift_status list_result(struct maker *maker, const Onnx__AttributeProto *attribute, struct result *value,
                                       struct opshift_error *error)
{
    struct arena *arena = maker->draft->arena;
    for (const struct attribute_items *known = maker->lists; known; known = known->next)
        if (known->attribute == attribute) {
            *value = known->list;
            return OPSHIFT_OK;
        }
    size_t count = attribute->type == ATTRIBUTE(INTS)     ? attribute->n_ints
                   : attribute->type == ATTRIBUTE(FLOATS) ? attribute->n_floats
                                                          : attribute->n_strings;
    struct result *items = arena_alloc(arena, count + 1, sizeof(*items));
    struct attribute_items *known = arena_alloc(arena, 1, sizeof(*known));
    if (items == NULL || known == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++)
        if (attribute->type == ATTRIBUTE(INTS))
            items[i] = whole(attribute->ints[i]);
        else if (attribute->type == ATTRIBUTE(FLOATS))
            items[i] = (struct result){.kind = RESULT_FLOAT, .f = (double)attribute->floats[i]};
        else
            items[i] = text_result(attribute->strings[i]);
    *value = (struct result){.kind = RESULT_LIST, .list = {items, count}};
    *known = (struct attribute_items){attribute, *value, maker->lists};
    maker->lists = known;
    return OPSHIFT_OK;
}

static enum opshift_status world_attribute(void *data, struct bytes name, struct result *value,
                                           struct opshift_error *error)
{
    struct maker *maker = data;
    const Onnx__AttributeProto *attribute;
    enum opshift_status status = attribute_value(maker, name, &attribute, error);
    if (status)
        return status;
    if (attribute == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the node has no attribute '%.*s', and it has no default",
                            (int)name.size, (const char *)name.data);
    switch (attribute->type) {
    case ATTRIBUTE(INT):
        *value = whole(attribute->i);
        return OPSHIFT_OK;
    case ATTRIBUTE(FLOAT):
        *value = (struct result){.kind = RESULT_FLOAT, .f = (double)attribute->f};
        return OPSHIFT_OK;
    case ATTRIBUTE(STRING):
        *value = text_result(attribute->s);
        return OPSHIFT_OK;
    case ATTRIBUTE(INTS):
    case ATTRIBUTE(FLOATS):
    case ATTRIBUTE(STRINGS):
        return list_result(maker, attribute, value, error);
    default:
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "attribute '%.*s' is no number, string or list of them",
                            (int)name.size, (const char *)name.data);
    }
}

static bool name_is(const char *given, struct bytes name)
{
    return given && bytes_are(name, given);
}

/* The number at the end of "inputs_12"; UINT32_MAX: none. */
static uint32_t number_at_end(struct bytes name)
{
    uint64_t number = 0;
    size_t at = name.size;
    while (at > 0 && name.data[at - 1] >= '0' && name.data[at - 1] <= '9')
        at--;
    if (at == name.size || name.size - at > 9 || at == 0 || name.data[at - 1] != '_')
        return UINT32_MAX;
    for (; at < name.size; at++)
        number = number * 10 + (uint64_t)(name.data[at] - '0');
    return (uint32_t)number;
}

/* The position of a name that value_name() gave: among those of the schema, or where its number says. */
static bool position_find(const char *const *names, size_t count, uint16_t named, struct bytes name, uint32_t *position)
{
    uint64_t number = number_at_end(name);
    const uint64_t places[] = {number, named + number - 1}; /* value_12, inputs_12 */
    for (uint32_t i = 0; i < count && i < named; i++)
        if (name_is(names[i], name)) {
            *position = i;
            return true;
        }
    for (size_t i = 0; number != UINT32_MAX && i < COUNT(places); i++)
        if (places[i] < count && name_is(names[places[i]], name)) {
            *position = (uint32_t)places[i];
            return true;
        }
    return false;
}

/* A value of the node by its name in the schema: an input, or (output) an output. False: no such value. */
static bool value_find(const struct maker *maker, struct bytes name, uint32_t *position, bool *output)
{
    const struct replacement *made = maker->made;
    *output = false;
    if (position_find(made->inputs, made->input_count, maker->schema->input_count, name, position))
        return true;
    *output = true;
    return position_find(made->outputs, made->output_count, maker->schema->output_count, name, position);
}

/* The value that a question is about. */
struct asked {
    struct maker *maker;
    struct bytes name;
    const struct draft_input *input; /* NULL: an output */
    name_id value;                   /* NAME_NONE: no name in the model yet */
    struct value_type type;
};

static const char *asked_name(const struct asked *asked)
{
    const struct draft *draft = asked->maker->draft;
    return draft->model == NULL || asked->value == NAME_NONE || asked->value == NAME_FRESH
               ? arena_print(draft->arena, "%.*s", (int)asked->name.size, (const char *)asked->name.data)
               : names_text(draft->model->names, asked->value);
}

/* Only the shapes of model inputs can be given. */
static enum opshift_status unknown_shape(const struct asked *asked, const char *what, struct opshift_error *error)
{
    const struct draft *draft = asked->maker->draft;
    const struct graph *main = draft->model ? draft->model->main : NULL;
    bool input = false;
    for (uint32_t i = 0; main != NULL && draft->graph == main && i < main->input_count; i++)
        input |= main->inputs[i].name == asked->value;
    const char *name = asked_name(asked);
    if (input)
        return opshift_fail(error, OPSHIFT_NO, "%s of '%s' is unknown; give it by --shape %s=...", what, name, name);
    return opshift_fail(error, OPSHIFT_NO,
                        "%s of '%s' is unknown; give the shapes of the model's inputs by --shape NAME=..., or declare "
                        "'%s' in the model",
                        what, name, name);
}

static enum opshift_status unknown_rank(const struct asked *asked, struct opshift_error *error)
{
    return unknown_shape(asked, "the rank", error);
}

static enum opshift_status unknown_dim(const struct asked *asked, int64_t at, struct opshift_error *error)
{
    char what[32];
    snprintf(what, sizeof(what), "dim %lld", (long long)at);
    return unknown_shape(asked, what, error);
}

/* Returns NO, and records what must be known. */
static enum opshift_status not_known(const struct asked *asked, struct result *value, const struct opshift_error *why,
                                     struct opshift_error *error)
{
    struct draft *draft = asked->maker->draft;
    *value = yes_or_no(false);
    if (draft->wanted == NULL)
        draft->wanted = arena_copy(draft->arena, why->text, strlen(why->text));
    return draft->wanted == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status find_type(struct asked *asked, struct opshift_error *error)
{
    const struct draft *draft = asked->maker->draft;
    asked->type = (struct value_type){.rank = -1};
    if (asked->input && asked->input->kind == VALUE_LITERAL) {
        const struct tensor *literal = asked->input->literal;
        asked->type = (struct value_type){
            .type = literal->type, .rank = (int32_t)literal->rank, .dims = literal->dims, .is_tensor = true};
        return OPSHIFT_OK;
    }
    if (asked->value == NAME_NONE || asked->value == NAME_FRESH)
        return OPSHIFT_OK;
    return draft_type(draft, asked->value, &asked->type, error);
}

static void relies(const struct asked *asked, enum draft_reliance on)
{
    if (asked->value != NAME_NONE && asked->value != NAME_FRESH)
        draft_relies(asked->maker->draft, asked->value, on);
}

/* dim(X, -1) is the last dim. */
static enum opshift_status find_dim(const struct asked *asked, int64_t at, int64_t *dim, struct opshift_error *error)
{
    if (asked->type.rank < 0)
        return unknown_rank(asked, error);
    relies(asked, RELIES_ON_SHAPE);
    int64_t place = at < 0 ? at + asked->type.rank : at;
    if (place < 0 || place >= asked->type.rank)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "dim %lld of '%s', whose rank is %d", (long long)at,
                            asked_name(asked), asked->type.rank);
    *dim = asked->type.dims[place];
    return *dim < 0 ? unknown_dim(asked, place, error) : OPSHIFT_OK;
}

static enum opshift_status find_shape(const struct asked *asked, struct result *value, struct opshift_error *error)
{
    if (asked->type.rank < 0)
        return unknown_rank(asked, error);
    size_t count = (size_t)asked->type.rank;
    struct result *items = arena_alloc(asked->maker->draft->arena, count + 1, sizeof(*items));
    enum opshift_status status = items == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    relies(asked, RELIES_ON_SHAPE);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        items[i].kind = RESULT_INT;
        status = find_dim(asked, (int64_t)i, &items[i].i, error);
    }
    *value = (struct result){.kind = RESULT_LIST, .list = {items, count}};
    return status;
}

/* Of a sequence: that of its tensors. */
static enum opshift_status find_element(const struct asked *asked, bool word, struct result *value,
                                        struct opshift_error *error)
{
    enum opshift_type type = asked->type.element ? asked->type.element->type : asked->type.type;
    const char *name = type == OPSHIFT_TYPE_UNDEFINED ? NULL : type_name(type);
    if (name == NULL)
        return opshift_fail(error, OPSHIFT_NO, "the element type of '%s' is unknown; declare it in the model",
                            asked_name(asked));
    relies(asked, RELIES_ON_ELEMENT);
    *value = whole((int64_t)type);
    if (word)
        *value = (struct result){.kind = RESULT_STRING, .s = {(const uint8_t *)name, strlen(name)}};
    return OPSHIFT_OK;
}

/* Is it of a type whose text begins so? what: in words. */
static enum opshift_status find_kind(const struct asked *asked, const char *beginning, const char *what,
                                     struct result *value, struct opshift_error *error)
{
    const char *other = asked->type.other;
    if (other == NULL && !asked->type.is_tensor && asked->type.type == OPSHIFT_TYPE_UNDEFINED)
        return opshift_fail(error, OPSHIFT_NO, "whether '%s' is %s is unknown; declare its type in the model",
                            asked_name(asked), what);
    relies(asked, RELIES_ON_ELEMENT);
    *value = yes_or_no(other && strncmp(other, beginning, strlen(beginning)) == 0);
    return OPSHIFT_OK;
}

/* A constant of at most CONSTANT_MOST numbers or bools. NO: it is not such a constant. */
static enum opshift_status find_constant(const struct asked *asked, const struct tensor **tensor,
                                         struct opshift_error *error)
{
    const struct draft *draft = asked->maker->draft;
    const char *why = "it is an output", *name = asked_name(asked);
    enum opshift_status status = OPSHIFT_OK;
    *tensor = NULL;
    if (asked->input && asked->input->kind == VALUE_LITERAL)
        *tensor = asked->input->literal;
    else if (asked->input && asked->value != NAME_NONE)
        status = draft_constant(draft, asked->value, tensor, &why, error);
    if (status)
        return status;
    if (*tensor == NULL)
        return opshift_fail(error, OPSHIFT_NO, "'%s' is no constant: it is %s", name, why);
    if ((*tensor)->count <= CONSTANT_MOST && (*tensor)->type != OPSHIFT_TYPE_STRING &&
        number_type((*tensor)->type) != NULL)
        return OPSHIFT_OK;
    *tensor = NULL;
    return opshift_fail(error, OPSHIFT_NO, "'%s' is a constant of more than %d elements, or of no numbers", name,
                        CONSTANT_MOST);
}

static enum opshift_status constant_items(const struct asked *asked, const struct tensor *tensor, struct result *value,
                                          struct opshift_error *error)
{
    const struct number_type *type = number_type(tensor->type);
    struct result *items = arena_alloc(asked->maker->draft->arena, tensor->count + 1, sizeof(*items));
    if (items == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < tensor->count; i++) {
        union number number = type->load((const uint8_t *)tensor->data + i * type->size);
        if (type->kind == NUMBER_UNSIGNED && number.u > INT64_MAX)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "'%s' holds a number above 2^63", asked_name(asked));
        items[i] = type->kind == NUMBER_REAL ? (struct result){.kind = RESULT_FLOAT, .f = number.d} : whole(number.i);
    }
    *value = (struct result){.kind = RESULT_LIST, .list = {items, tensor->count}};
    return OPSHIFT_OK;
}

static enum opshift_status answer(struct asked *asked, enum question question, int64_t at, struct result *value,
                                  struct opshift_error *error)
{
    const struct tensor *tensor;
    enum opshift_status status = OPSHIFT_OK;
    *value = yes_or_no(true);
    switch (question) {
    case QUESTION_KNOWN:
    case QUESTION_RANK:
        if (asked->type.rank < 0)
            return unknown_rank(asked, error);
        relies(asked, RELIES_ON_RANK);
        if (question == QUESTION_RANK)
            *value = whole(asked->type.rank);
        return OPSHIFT_OK;
    case QUESTION_KNOWN_DIM:
        return find_dim(asked, at, &at, error);
    case QUESTION_DIM:
        status = find_dim(asked, at, &at, error);
        *value = whole(at);
        return status;
    case QUESTION_STATIC:
        status = find_shape(asked, value, error);
        *value = yes_or_no(true);
        return status;
    case QUESTION_SHAPE:
        return find_shape(asked, value, error);
    case QUESTION_TYPE:
    case QUESTION_ELEMENT:
        return find_element(asked, question == QUESTION_TYPE, value, error);
    case QUESTION_SEQUENCE:
        return find_kind(asked, "seq(", "a sequence", value, error);
    case QUESTION_OPTIONAL:
        return find_kind(asked, "optional(", "optional", value, error);
    case QUESTION_CONSTANT:
        return find_constant(asked, &tensor, error);
    default:
        status = find_constant(asked, &tensor, error);
        return status ? status : constant_items(asked, tensor, value, error);
    }
}

static bool is_yes_or_no(enum question question)
{
    return question == QUESTION_KNOWN || question == QUESTION_KNOWN_DIM || question == QUESTION_STATIC ||
           question == QUESTION_CONSTANT;
}

/* Number of the node's values for a variadic parameter. */
static int64_t count_values(const struct maker *maker, struct bytes name)
{
    const struct replacement *made = maker->made;
    int64_t count = 0;
    for (int output = 0; output < 2; output++) {
        size_t most = output ? made->output_count : made->input_count;
        for (size_t i = 0; i < most; i++) {
            const char *given = output ? made->outputs[i] : made->inputs[i];
            count += given && strlen(given) > name.size && memcmp(given, name.data, name.size) == 0 &&
                     given[name.size] == '_';
        }
    }
    return count;
}

static enum opshift_status world_ask(void *data, enum question question, struct bytes name, int64_t at,
                                     struct result *value, struct opshift_error *error)
{
    struct maker *maker = data;
    const struct draft *draft = maker->draft;
    struct asked asked = {.maker = maker, .name = name};
    struct opshift_error why;
    uint32_t position = 0;
    bool output = false, found = value_find(maker, name, &position, &output);
    if (question == QUESTION_COUNT) {
        *value = whole(count_values(maker, name));
        return OPSHIFT_OK;
    }
    if (question == QUESTION_PRESENT) {
        *value = yes_or_no(found || draft_attribute_named(draft, name) != NULL);
        return OPSHIFT_OK;
    }
    if (!found && is_yes_or_no(question)) {
        *value = yes_or_no(false);
        return OPSHIFT_OK;
    }
    if (!found)
        return opshift_fail(error, OPSHIFT_NO, "the node has no '%.*s'", (int)name.size, (const char *)name.data);
    asked.input = output ? NULL : &draft->inputs[position];
    asked.value = output                                       ? draft->outputs[position]
                  : draft->inputs[position].kind == VALUE_NAME ? draft->inputs[position].name
                                                               : NAME_NONE;
    enum opshift_status status = find_type(&asked, &why);
    if (status == OPSHIFT_OK)
        status = answer(&asked, question, at, value, &why);
    if (status == OPSHIFT_NO && is_yes_or_no(question))
        return not_known(&asked, value, &why, error);
    return error_give(error, status, &why);
}

/* ---- when, let, the body ---------------------------------------------------------------------------------------- */

static struct expression_place place_of(const struct maker *maker, const struct parameter *parameter)
{
    const struct rule *rule = maker->draft->rule;
    return (struct expression_place){rule ? rule->file : "rule", parameter->text_line, parameter->text_column};
}

/* A condition with unknown facts does not hold, and no later body may rely on that. Of an attribute that is not known
 * nothing can be assumed, either: NO. */
static enum opshift_status condition_holds(struct maker *maker, struct expression_world *world, bool *holds,
                                           struct opshift_error *error)
{
    const struct parameter *when = step_parameter(maker->step, "when");
    struct draft *draft = maker->draft;
    const struct expression *expression;
    struct opshift_error why;
    *holds = true;
    if (when == NULL)
        return OPSHIFT_OK;
    struct expression_place place = place_of(maker, when);
    enum opshift_status status =
        expression_parse(when->text, strlen(when->text), &place, draft->arena, &expression, &why);
    if (status == OPSHIFT_OK)
        status = expression_holds(expression, world, holds, &why);
    if (status == OPSHIFT_NO && !draft->unresolved) {
        *holds = false;
        draft->undecided = true;
        if (draft->wanted == NULL)
            draft->wanted = arena_copy(draft->arena, why.text, strlen(why.text));
        return draft->wanted == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    }
    return error_give(error, status, &why);
}

/* The names of a step's `let`, in order. */
struct let_names {
    struct expression_name *items;
    uint32_t count;
};

/* Adds the names of `let`, which are computed at their first use; each expression may use the names before it. */
static enum opshift_status add_names(struct maker *maker, struct expression_world *world, struct let_names *names,
                                     struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    names->items = arena_alloc(maker->draft->arena, maker->step->parameter_count, sizeof(*names->items));
    if (names->items == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < maker->step->parameter_count; i++) {
        const struct parameter *let = &maker->step->parameters[i];
        if (strcmp(let->name, "let") != 0)
            continue;
        struct expression_name *name = &names->items[names->count++];
        struct expression_place place = place_of(maker, let);
        name->name = (struct bytes){(const uint8_t *)let->key, strlen(let->key)};
        status = expression_parse(let->text, strlen(let->text), &place, maker->draft->arena, &name->pending, error);
        name->outer = world->names;
        world->names = name;
    }
    return status;
}

static enum opshift_status compute_names(const struct let_names *names, struct expression_world *world,
                                         struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < names->count; i++)
        status = expression_name_value(&names->items[i], world, error);
    return status;
}

/* Is there anything except white space? */
static bool has_nodes(const struct buffer *text)
{
    for (size_t i = 0; i < text->size; i++)
        if (text->data[i] != ' ' && text->data[i] != '\n')
            return true;
    return false;
}

static enum opshift_status write_body(struct maker *maker, struct expression_world *world, struct opshift_error *error)
{
    const struct parameter *parameter = step_parameter(maker->step, "body");
    struct body body = {
        .text = parameter->text, .place = place_of(maker, parameter), .arena = maker->draft->arena, .world = world};
    struct replacement *made = maker->made;
    struct buffer text = {0};
    enum opshift_status status = body_expand(&body, &text, error);
    if (status == OPSHIFT_OK && has_nodes(&text))
        status = text_parse_nodes((const char *)text.data, text.size, body.place.file, body.place.line,
                                  maker->draft->arena, &made->nodes, &made->node_count, error);
    buffer_free(&text);
    return status;
}

/* The limit of steps grows with the lists that the node holds, so that rules may look at each entry. */
static uint32_t steps_for(const struct draft *draft)
{
    uint64_t entries = 0;
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        const Onnx__AttributeProto *message = draft->attributes[i].message;
        entries += message->n_ints + message->n_floats + message->n_strings;
    }
    return EXPRESSION_STEPS_MAX + (uint32_t)(entries < ENTRIES_MOST ? entries : ENTRIES_MOST) * STEPS_PER_ENTRY;
}

static enum opshift_status make(struct maker *maker, bool *made, struct opshift_error *error)
{
    struct draft *draft = maker->draft;
    struct expression_world world = {.arena = draft->arena,
                                     .file = draft->rule ? draft->rule->file : "rule",
                                     .opset = maker->made->opset,
                                     .target = draft->target,
                                     .steps = steps_for(draft),
                                     .attribute = world_attribute,
                                     .ask = world_ask,
                                     .data = maker};
    struct let_names names = {0};
    enum opshift_status status = name_values(maker, error);
    if (status == OPSHIFT_OK)
        status = add_names(maker, &world, &names, error);
    if (status == OPSHIFT_OK)
        status = condition_holds(maker, &world, made, error);
    if (status || !*made || draft->undecided)
        return status;
    status = compute_names(&names, &world, error);
    if (status == OPSHIFT_OK)
        status = write_body(maker, &world, error);
    if (status == OPSHIFT_OK)
        status = give_nodes(maker, maker->made->nodes, maker->made->node_count, error);
    if (status == OPSHIFT_OK)
        status = check_complete(maker, error);
    if (status == OPSHIFT_OK)
        drop_unread(maker->made);
    return status;
}

enum opshift_status replace(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct replacement *made = arena_alloc(draft->arena, 1, sizeof(*made));
    struct maker maker = {
        .step = step, .draft = draft, .schema = schema_find(draft->domain, draft->op_type, draft->opset), .made = made};
    const char *assume = step_text(step, "assume");
    bool holds = false;
    if (made == NULL)
        return opshift_no_memory(error);
    if (assume && draft->strict)
        return OPSHIFT_OK;
    if (maker.schema == NULL)
        return opshift_fail(error, OPSHIFT_NO, "the operator is not known at opset %lld", (long long)draft->opset);
    made->kind = kind_of_word(step_text(step, "kind"));
    made->step = draft->up ? draft->opset + 1 : draft->opset;
    made->opset = step_text(step, "opset") ? strtoll(step_text(step, "opset"), NULL, 10) : made->step;
    made->domain = draft->domain;
    made->rule = draft->rule;
    enum opshift_status status = make(&maker, &holds, error);
    if (status == OPSHIFT_OK && holds && !draft->undecided) {
        draft->replacement = made;
        draft->changed = true;
        status = assume ? draft_add_assumption(draft, assume, error) : OPSHIFT_OK;
    }
    /* A body that cannot be made blocks this node, but does not end the conversion. */
    bool fault = status == OPSHIFT_UNSUPPORTED || status == OPSHIFT_MALFORMED || status == OPSHIFT_USAGE;
    if (fault && error != NULL)
        error->status = OPSHIFT_NO;
    return fault ? OPSHIFT_NO : status;
}
