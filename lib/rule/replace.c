/* The verb `replace`: a body of the rule becomes nodes, with the values and attributes of the replaced node. */
#include "rule/replace.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "model/names.h"
#include "model/text.h"
#include "model/text_attribute.h"
#include "rule/draft_facts.h"
#include "rule/replace_body.h"

/* State of making one replacement. */
struct maker {
    struct draft_facts facts;
    struct draft *draft;
    struct replacement *made;
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
    enum opshift_status status =
        draft_facts_attribute(&maker->facts, bytes_of(attribute->ref_attr_name), &value, error);
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
    const struct schema *schema = maker->facts.schema;
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
                        rule ? rule->file : "rule", maker->facts.step->line, what, name.len < 60 ? (int)name.len : 60,
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

/* ---- the body --------------------------------------------------------------------------------------------------- */

/* Is there anything except white space? */
static bool has_nodes(const struct buffer *text)
{
    for (size_t i = 0; i < text->size; i++)
        if (text->data[i] != ' ' && text->data[i] != '\n')
            return true;
    return false;
}

static enum opshift_status write_body(struct maker *maker, struct opshift_error *error)
{
    const struct parameter *parameter = step_parameter(maker->facts.step, "body");
    struct body body = {.text = parameter->text,
                        .place = draft_facts_place(&maker->facts, parameter),
                        .arena = maker->draft->arena,
                        .world = &maker->facts.world};
    struct replacement *made = maker->made;
    struct buffer text = {0};
    enum opshift_status status = body_expand(&body, &text, error);
    if (status == OPSHIFT_OK && has_nodes(&text))
        status = text_parse_nodes((const char *)text.data, text.size, body.place.file, body.place.line,
                                  maker->draft->arena, &made->nodes, &made->node_count, error);
    buffer_free(&text);
    return status;
}
static enum opshift_status make(struct maker *maker, struct opshift_error *error)
{
    struct draft_facts *facts = &maker->facts;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < facts->let_count; i++)
        status = expression_name_value(&facts->lets[i], &facts->world, error);
    if (status == OPSHIFT_OK)
        status = write_body(maker, error);
    if (status == OPSHIFT_OK)
        status = give_nodes(maker, maker->made->nodes, maker->made->node_count, error);
    if (status == OPSHIFT_OK)
        status = check_complete(maker, error);
    if (status == OPSHIFT_OK)
        drop_unread(maker->made);
    return status;
}

/* A condition with unknown facts does not hold, and no later body may rely on that. Of an attribute that is not known
 * nothing can be assumed, either: NO. */
static enum opshift_status find_condition(struct maker *maker, bool *holds, struct opshift_error *error)
{
    struct draft *draft = maker->draft;
    struct opshift_error why;
    enum opshift_status status = draft_facts_hold(&maker->facts, "when", holds, &why);
    if (status != OPSHIFT_NO || draft->unresolved)
        return error_give(error, status, &why);
    *holds = false;
    draft->undecided = true;
    return draft_want(draft, why.text, error);
}

static enum opshift_status try_replace(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct replacement *made = arena_alloc(draft->arena, 1, sizeof(*made));
    struct maker maker = {.draft = draft, .made = made};
    const char *assume = step_text(step, "assume"), *opset = step_text(step, "opset");
    bool holds = false;
    if (made == NULL)
        return opshift_no_memory(error);
    if (assume && draft->strict)
        return OPSHIFT_OK;
    made->kind = kind_of_word(step_text(step, "kind"));
    made->step = draft->up ? draft->opset + 1 : draft->opset;
    made->opset = opset ? strtoll(opset, NULL, 10) : made->step;
    made->domain = draft->domain;
    made->rule = draft->rule;
    enum opshift_status status = draft_facts_open(&maker.facts, step, draft, made->opset, error);
    made->inputs = maker.facts.inputs;
    made->input_count = draft->input_count;
    made->outputs = maker.facts.outputs;
    made->output_count = draft->output_count;
    if (status == OPSHIFT_OK && maker.facts.schema == NULL)
        return opshift_fail(error, OPSHIFT_NO, "the operator is not known at opset %lld", (long long)draft->opset);
    if (status == OPSHIFT_OK)
        status = find_condition(&maker, &holds, error);
    if (status || !holds || draft->undecided)
        return status;
    status = make(&maker, error);
    if (status)
        return status;
    draft->replacement = made;
    draft->changed = true;
    return assume ? draft_add_assumption(draft, assume, error) : OPSHIFT_OK;
}

enum opshift_status replace(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    return draft_facts_blocks(try_replace(step, draft, error), error);
}
