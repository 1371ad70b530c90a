/* The verb `replace`: a body of the rule becomes nodes, with the values and attributes of the node that it replaces. */
#include "rule/replace.h"

#include <string.h>

#include "base/buffer.h"
#include "model/text.h"
#include "model/text_attribute.h"
#include "schema/schema.h"

/* One replacement while it is made. */
struct maker {
    const struct step *step;
    struct draft *draft;
    const struct schema *schema; /* of the node that is replaced */
    Onnx__NodeProto *defaults;   /* a node with the defaults of its attributes; NULL: not read yet */
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

static bool same_text(ProtobufCBinaryData data, const char *text)
{
    return data.len == strlen(text) && (data.len == 0 || memcmp(data.data, text, data.len) == 0);
}

/* ---- the names of the node's values ----------------------------------------------------------------------------- */

/* "X", or "inputs_0", "inputs_1", ... for those of a variadic parameter. NULL: no memory. */
static const char *value_name(struct arena *arena, const struct schema_parameter *list, uint16_t count,
                              uint32_t position)
{
    const struct schema_parameter *last = count == 0 ? NULL : &list[count - 1];
    if (last != NULL && last->option == PARAMETER_VARIADIC && position + 1 >= count)
        return arena_print(arena, "%s_%u", last->name, position + 1 - count);
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

/* A reference to a parameter of the function around the node becomes the integer that all calls give. */
static enum opshift_status resolve_reference(const struct draft *draft, Onnx__AttributeProto *attribute,
                                             struct opshift_error *error)
{
    struct draft_parameter parameter = {0};
    struct bytes name = {attribute->ref_attr_name.data, attribute->ref_attr_name.len};
    enum opshift_status status = OPSHIFT_OK;
    if (attribute->type == ATTRIBUTE(INT))
        status = draft->facts->parameter(draft->facts->data, draft, name, &parameter, error);
    if (status)
        return status;
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

/* The defaults of the schema's attributes, as those of a node. */
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
    for (size_t i = 1; i < defaults->n_attribute; i++) {
        const ProtobufCBinaryData *given = &defaults->attribute[i]->name;
        if (given->len == name.size && memcmp(given->data, name.data, name.size) == 0)
            return defaults->attribute[i];
    }
    return NULL;
}

/* The node's attribute, or its default; NULL in *value: neither. */
static enum opshift_status attribute_value(struct maker *maker, struct bytes name, const Onnx__AttributeProto **value,
                                           struct opshift_error *error)
{
    const struct draft *draft = maker->draft;
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

/* `axis = @axis` becomes the value, under the name that it has in the body; nothing where there is no value. */
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
    ProtobufCBinaryData name = attribute->name;
    *attribute = *value;
    attribute->name = name;
    ++*at;
    return OPSHIFT_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

/* An input of the operator that the node does not have stands for nothing. */
static bool is_absent_input(const struct maker *maker, ProtobufCBinaryData name)
{
    const struct schema *schema = maker->schema;
    for (uint16_t i = 0; i < schema->input_count; i++)
        if (schema->inputs[i].option != PARAMETER_VARIADIC && same_text(name, schema->inputs[i].name))
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
        if (names[i].len == name.len && memcmp(names[i].data, name.data, name.len) == 0)
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

/* In a node or its subgraphs. */
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
        if (made->outputs[i] && same_text(name, made->outputs[i]))
            return true;
    return false;
}

/* From the last node to the first, for what reads a value stands after it. */
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

static enum opshift_status make(struct maker *maker, struct opshift_error *error)
{
    struct replacement *made = maker->made;
    const char *body = step_text(maker->step, "body");
    enum opshift_status status = name_values(maker, error);
    if (status == OPSHIFT_OK)
        status = text_parse_nodes(body, strlen(body), "the rule's body", maker->step->line, maker->draft->arena,
                                  &made->nodes, &made->node_count, error);
    if (status == OPSHIFT_OK)
        status = give_nodes(maker, made->nodes, made->node_count, error);
    if (status == OPSHIFT_OK)
        drop_unread(made);
    return status;
}

enum opshift_status replace(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct replacement *made = arena_alloc(draft->arena, 1, sizeof(*made));
    struct maker maker = {
        .step = step, .draft = draft, .schema = schema_find("", draft->op_type, draft->opset), .made = made};
    if (made == NULL)
        return opshift_no_memory(error);
    if (maker.schema == NULL)
        return opshift_fail(error, OPSHIFT_NO, "the operator is not known at opset %lld", (long long)draft->opset);
    made->kind = kind_of_word(step_text(step, "kind"));
    made->opset = draft->up ? draft->opset + 1 : draft->opset;
    made->rule = draft->rule;
    enum opshift_status status = make(&maker, error);
    if (status == OPSHIFT_OK) {
        draft->replacement = made;
        draft->changed = true;
    }
    return status;
}
