/* Checks an expanded body: each line once, with an example value for each $. */
#include "rule/replace_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/list.h"
#include "base/tree.h"
#include "model/text.h"
#include "model/text_attribute.h"
#include "rule/replace.h"
#include "rule/replace_body.h"
#include "rule/expression_tree.h"
#include "schema/schema.h"

/* Values that a node may read: those defined so far, in its graph and the graphs around it. */
struct given_names {
    const struct given_names *outer;
    ProtobufCBinaryData *items;
    uint32_t count, room;
};

struct body_check {
    const struct rule *rule;
    const struct step *step;
    const struct schema *schema; /* of the replaced operator */
    int64_t opset;               /* of the body */
    struct arena *arena;
    struct opshift_error *error;
    unsigned line, column; /* of the current node */
};

/* Reports a mistake at the current node. */
#define FAIL_NODE(check, ...)                                                                                          \
    tree_fail((check)->error, (check)->rule->file, (check)->line, (check)->column, __VA_ARGS__)

/* For %.*s: the part of a name that a message shows. */
#define SHOWN(name) (int)((name).len < 60 ? (name).len : 60), (const char *)(name).data

/* ---- the operator's parameters ---------------------------------------------------------------------------------- */

static bool is_digits(const uint8_t *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return size > 0;
}

/* "WORD_0", "WORD_1", ... */
static bool is_numbered(struct bytes name, const char *word)
{
    size_t size = strlen(word);
    return name.size > size + 1 && memcmp(name.data, word, size) == 0 && name.data[size] == '_' &&
           is_digits(name.data + size + 1, name.size - size - 1);
}

/* NAME, or NAME_0, NAME_1, ... of a variadic parameter. */
static bool parameter_is(const struct schema_parameter *parameter, struct bytes name)
{
    return parameter->option == PARAMETER_VARIADIC ? is_numbered(name, parameter->name)
                                                   : bytes_are(name, parameter->name);
}

static bool is_parameter(const struct schema_parameter *list, uint16_t count, struct bytes name)
{
    for (uint16_t i = 0; i < count; i++)
        if (parameter_is(&list[i], name))
            return true;
    return false;
}

static bool is_input(const struct schema *schema, ProtobufCBinaryData name)
{
    return is_parameter(schema->inputs, schema->input_count, (struct bytes){name.data, name.len});
}

/* A graph of the operator, whose outputs have numbers behind its name. */
static bool is_graph(const struct schema *schema, struct bytes name, bool list)
{
    for (uint16_t i = 0; i < schema->attribute_count; i++) {
        const struct schema_attribute *attribute = &schema->attributes[i];
        if (attribute->type == ATTRIBUTE(GRAPH) &&
            (list ? bytes_are(name, attribute->name) : is_numbered(name, attribute->name)))
            return true;
    }
    return false;
}

/* data: the operator's schema; NULL: values have positions alone. */
static bool knows_value(const void *data, struct bytes name, bool list)
{
    const struct schema *schema = data;
    if (!list && (is_numbered(name, "input") || is_numbered(name, "output")))
        return true;
    if (schema == NULL || is_graph(schema, name, list))
        return schema != NULL;
    if (!list)
        return is_parameter(schema->inputs, schema->input_count, name) ||
               is_parameter(schema->outputs, schema->output_count, name);
    const struct schema_parameter *lasts[] = {
        schema->input_count ? &schema->inputs[schema->input_count - 1] : NULL,
        schema->output_count ? &schema->outputs[schema->output_count - 1] : NULL,
    };
    for (size_t i = 0; i < COUNT(lasts); i++)
        if (lasts[i] && lasts[i]->option == PARAMETER_VARIADIC && bytes_are(name, lasts[i]->name))
            return true;
    return false;
}

static enum result_kind kind_of(enum attribute_type single)
{
    return single == ATTRIBUTE(INT)      ? RESULT_INT
           : single == ATTRIBUTE(FLOAT)  ? RESULT_FLOAT
           : single == ATTRIBUTE(STRING) ? RESULT_STRING
                                         : RESULT_ANY;
}

static bool knows_attribute(const void *data, struct bytes name, struct result_type *type)
{
    *type = (struct result_type){RESULT_ANY, RESULT_ANY};
    if (data == NULL)
        return true;
    const struct schema_attribute *attribute = schema_attribute_named(data, name);
    if (attribute == NULL)
        return false;
    *type = (struct result_type){kind_of(attribute->type), RESULT_ANY};
    if (attribute_is_list(attribute->type))
        *type = (struct result_type){RESULT_LIST, kind_of(attribute_single(attribute->type))};
    return true;
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* Does the name contain $? */
static bool is_open(ProtobufCBinaryData name)
{
    const size_t size = strlen(BODY_ANY);
    for (size_t i = 0; i + size <= name.len; i++)
        if (memcmp(name.data + i, BODY_ANY, size) == 0)
            return true;
    return false;
}

/* Can a name with $ become this one? The text before the $ is equal. */
static bool may_be(ProtobufCBinaryData open, ProtobufCBinaryData name)
{
    if (open.len >= strlen(BODY_ANY) && memcmp(open.data, BODY_ANY, strlen(BODY_ANY)) == 0)
        return true;
    for (size_t i = 0; i < open.len && i < name.len && open.data[i] == name.data[i]; i++)
        if (open.len - i > strlen(BODY_ANY) && memcmp(open.data + i + 1, BODY_ANY, strlen(BODY_ANY)) == 0)
            return true;
    return false;
}

static bool is_given(const struct given_names *names, ProtobufCBinaryData name)
{
    for (; names != NULL; names = names->outer)
        for (size_t i = 0; i < names->count; i++) {
            const ProtobufCBinaryData *item = &names->items[i];
            if (bytes_same(bytes_of(*item), bytes_of(name)) || (is_open(*item) && may_be(*item, name)))
                return true;
        }
    return false;
}

static enum opshift_status give(const struct body_check *check, struct given_names *names, ProtobufCBinaryData name)
{
    if (!arena_list_grow(check->arena, &names->items, names->count, &names->room, sizeof(*names->items)))
        return opshift_no_memory(check->error);
    names->items[names->count++] = name;
    return OPSHIFT_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

static enum opshift_status check_nodes(struct body_check *check, Onnx__NodeProto **nodes, size_t count,
                                       const struct text_place *places, struct given_names *names);

static enum opshift_status check_graph(struct body_check *check, const Onnx__GraphProto *graph,
                                       const struct given_names *outer)
{
    struct given_names names = {.outer = outer};
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_input; i++)
        status = give(check, &names, graph->input[i]->name);
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_initializer; i++)
        status = give(check, &names, graph->initializer[i]->name);
    if (status == OPSHIFT_OK)
        status = check_nodes(check, graph->node, graph->n_node, NULL, &names);
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_output; i++)
        if (!is_open(graph->output[i]->name) && !is_given(&names, graph->output[i]->name))
            status = FAIL_NODE(check, "the graph '%.*s' never gives its output '%.*s'", SHOWN(graph->name),
                               SHOWN(graph->output[i]->name));
    return status;
}

static enum opshift_status check_inputs(const struct body_check *check, const Onnx__NodeProto *node,
                                        const struct given_names *names)
{
    for (size_t i = 0; i < node->n_input; i++) {
        ProtobufCBinaryData name = node->input[i];
        if (name.len && !is_open(name) && !is_input(check->schema, name) && !is_given(names, name))
            return FAIL_NODE(check, "'%.*s' is no input of %s-%u, and no line before gives it", SHOWN(name),
                             check->schema->op_type, check->schema->since);
    }
    return OPSHIFT_OK;
}

static enum opshift_status check_reference(const struct body_check *check, const Onnx__AttributeProto *attribute,
                                           const struct schema_attribute *wanted)
{
    const ProtobufCBinaryData *name = &attribute->ref_attr_name;
    const struct schema_attribute *found = schema_attribute_named(check->schema, (struct bytes){name->data, name->len});
    if (found == NULL)
        return FAIL_NODE(check, "@%.*s: %s-%u has no such attribute", SHOWN(*name), check->schema->op_type,
                         check->schema->since);
    if (wanted && found->type != wanted->type)
        return FAIL_NODE(check, "@%.*s is %s, and '%s' has another type", SHOWN(*name), attribute_noun(found->type),
                         wanted->name);
    return OPSHIFT_OK;
}

/* A $ of an unknown kind is checked as 1. */
static bool may_be_any(const Onnx__AttributeProto *attribute)
{
    return (attribute->type == ATTRIBUTE(INT) && attribute->i == 1) ||
           (attribute->type == ATTRIBUTE(INTS) && attribute->n_ints == 1 && attribute->ints[0] == 1);
}

static enum opshift_status check_attribute(struct body_check *check, const Onnx__AttributeProto *attribute,
                                           const struct schema *schema, const struct given_names *names)
{
    const struct schema_attribute *known =
        schema ? schema_attribute_named(schema, (struct bytes){attribute->name.data, attribute->name.len}) : NULL;
    enum opshift_status status = OPSHIFT_OK;
    if (schema && known == NULL)
        return FAIL_NODE(check, "%s-%u has no attribute '%.*s'", schema->op_type, schema->since,
                         SHOWN(attribute->name));
    if (attribute->has_ref_attr_name)
        return check_reference(check, attribute, known);
    if (known && attribute->type != known->type && !may_be_any(attribute))
        return FAIL_NODE(check, "attribute '%s' of %s-%u is %s%s", known->name, schema->op_type, schema->since,
                         attribute_noun(known->type), attribute_is_list(known->type) ? " list" : "");
    if (attribute->g)
        status = check_graph(check, attribute->g, names);
    for (size_t i = 0; status == OPSHIFT_OK && i < attribute->n_graphs; i++)
        status = check_graph(check, attribute->graphs[i], names);
    return status;
}

static bool has_attribute(const Onnx__NodeProto *node, const char *name)
{
    for (size_t i = 0; i < node->n_attribute; i++)
        if (bytes_are((struct bytes){node->attribute[i]->name.data, node->attribute[i]->name.len}, name))
            return true;
    return false;
}

static enum opshift_status check_counts(const struct body_check *check, const Onnx__NodeProto *node,
                                        const struct schema *schema)
{
    bool open = false;
    for (size_t i = 0; i < node->n_input; i++)
        open |= is_open(node->input[i]);
    if (!open && (node->n_input < schema->input_min || node->n_input > schema->input_max))
        return FAIL_NODE(check, "%s-%u does not take %zu input%s", schema->op_type, schema->since, node->n_input,
                         node->n_input == 1 ? "" : "s");
    for (size_t i = 0; i < node->n_output; i++)
        open |= is_open(node->output[i]);
    if (!open && (node->n_output < schema->output_min || node->n_output > schema->output_max))
        return FAIL_NODE(check, "%s-%u does not give %zu output%s", schema->op_type, schema->since, node->n_output,
                         node->n_output == 1 ? "" : "s");
    for (uint16_t i = 0; i < schema->attribute_count; i++)
        if (schema->attributes[i].required && !has_attribute(node, schema->attributes[i].name))
            return FAIL_NODE(check, "%s-%u needs the attribute '%s'", schema->op_type, schema->since,
                             schema->attributes[i].name);
    return OPSHIFT_OK;
}

/* `graph.body (x)`: the operator must have such an attribute. */
static enum opshift_status check_call(const struct body_check *check, const Onnx__NodeProto *call)
{
    const struct schema_attribute *found =
        schema_attribute_named(check->schema, (struct bytes){call->op_type.data, call->op_type.len});
    if (found && found->type == ATTRIBUTE(GRAPH))
        return OPSHIFT_OK;
    return FAIL_NODE(check, GRAPH_CALL_DOMAIN ".%.*s: %s-%u has no graph of that name", SHOWN(call->op_type),
                     check->schema->op_type, check->schema->since);
}

/* NULL in *schema: the node has another domain, or its name contains $. */
static enum opshift_status find_operator(const struct body_check *check, const Onnx__NodeProto *node,
                                         const struct schema **schema)
{
    char *name = arena_copy(check->arena, node->op_type.data, node->op_type.len);
    *schema = NULL;
    if (name == NULL)
        return opshift_no_memory(check->error);
    const char *domain = check->rule->domain;
    if (bytes_are((struct bytes){node->domain.data, node->domain.len}, GRAPH_CALL_DOMAIN))
        return check_call(check, node);
    bool own = bytes_are((struct bytes){node->domain.data, node->domain.len}, domain);
    if (*domain && !own)
        return FAIL_NODE(check, "'%.60s' is no operator of %.60s; a body has nodes of its rule's domain only", name,
                         domain);
    if (!own || is_open(node->op_type))
        return OPSHIFT_OK;
    *schema = schema_find(domain, name, check->opset);
    if (*schema == NULL || schema_is_removed(*schema))
        return FAIL_NODE(check, "%s has no operator '%.60s' at opset %lld", *domain ? domain : "ai.onnx", name,
                         (long long)check->opset);
    return OPSHIFT_OK;
}

static enum opshift_status check_node(struct body_check *check, const Onnx__NodeProto *node, struct given_names *names)
{
    const struct schema *schema;
    enum opshift_status status = find_operator(check, node, &schema);
    if (status == OPSHIFT_OK && schema)
        status = check_counts(check, node, schema);
    if (status == OPSHIFT_OK)
        status = check_inputs(check, node, names);
    for (size_t i = 0; status == OPSHIFT_OK && i < node->n_attribute; i++)
        status = check_attribute(check, node->attribute[i], schema, names);
    for (size_t i = 0; status == OPSHIFT_OK && i < node->n_output; i++) {
        ProtobufCBinaryData name = node->output[i];
        if (name.len && is_input(check->schema, name))
            return FAIL_NODE(check, "'%.*s' is an input of %s-%u; give what comes out another name", SHOWN(name),
                             check->schema->op_type, check->schema->since);
        if (name.len)
            status = give(check, names, name);
    }
    return status;
}

static enum opshift_status check_nodes(struct body_check *check, Onnx__NodeProto **nodes, size_t count,
                                       const struct text_place *places, struct given_names *names)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        if (places) {
            check->line = places[i].line;
            check->column = places[i].column;
        }
        status = check_node(check, nodes[i], names);
    }
    return status;
}

/* Does the body define a parameter, or one value of a variadic parameter? */
static bool gives(const struct given_names *names, const struct schema_parameter *parameter)
{
    for (size_t i = 0; i < names->count; i++) {
        const ProtobufCBinaryData *item = &names->items[i];
        const ProtobufCBinaryData name = {strlen(parameter->name), (uint8_t *)(uintptr_t)parameter->name};
        if (parameter_is(parameter, (struct bytes){item->data, item->len}) || (is_open(*item) && may_be(*item, name)))
            return true;
    }
    return false;
}

static enum opshift_status check_outputs(struct body_check *check, const struct parameter *body,
                                         const struct given_names *names)
{
    const struct schema *schema = check->schema;
    check->line = body->text_line;
    check->column = body->text_column;
    for (uint16_t i = 0; i < schema->output_count; i++)
        if ((i == 0 || i < schema->output_min) && !gives(names, &schema->outputs[i]))
            return FAIL_NODE(check, "the body never gives the output '%s%s'", schema->outputs[i].name,
                             schema->outputs[i].option == PARAMETER_VARIADIC ? "_0" : "");
    return OPSHIFT_OK;
}

/* ---- a step ----------------------------------------------------------------------------------------------------- */

static enum opshift_status check_body(struct body_check *check, struct expression_check *names,
                                      const struct parameter *parameter)
{
    struct body body = {.text = parameter->text,
                        .place = {check->rule->file, parameter->text_line, parameter->text_column},
                        .arena = check->arena,
                        .check = names};
    struct given_names given = {0};
    struct buffer text = {0};
    struct text_place *places = NULL;
    Onnx__NodeProto **nodes = NULL;
    size_t count = 0;
    enum opshift_status status = body_expand(&body, &text, check->error);
    if (status == OPSHIFT_OK)
        status = text_parse_nodes_placed((const char *)text.data, text.size, body.place.file, body.place.line,
                                         check->arena, &nodes, &places, &count, check->error);
    buffer_free(&text);
    if (status == OPSHIFT_MALFORMED && check->error)
        check->error->status = OPSHIFT_USAGE;
    if (status)
        return status == OPSHIFT_MALFORMED ? OPSHIFT_USAGE : status;
    status = check_nodes(check, nodes, count, places, &given);
    return status ? status : check_outputs(check, parameter, &given);
}

static enum opshift_status check_expression(const struct body_check *check, const struct expression_check *names,
                                            const struct parameter *parameter, struct result_type *type)
{
    const struct expression_place place = {check->rule->file, parameter->text_line, parameter->text_column};
    const struct expression *expression;
    enum opshift_status status =
        expression_parse(parameter->text, strlen(parameter->text), &place, check->arena, &expression, check->error);
    return status ? status : expression_check(expression, names, type, check->error);
}

/* `when` or `that`. */
static enum opshift_status check_condition(const struct body_check *check, const struct expression_check *names,
                                           const struct parameter *condition)
{
    struct result_type type;
    enum opshift_status status = check_expression(check, names, condition, &type);
    if (status || (type.kind != RESULT_LIST && type.kind != RESULT_STRING && type.kind != RESULT_FLOAT))
        return status;
    return tree_fail(check->error, check->rule->file, condition->line, condition->column,
                     "%s: expected a bool, found %s", condition->name, result_kind_name(type.kind));
}

/* Adds a known name. */
static enum opshift_status check_let(struct body_check *check, struct expression_check *names,
                                     const struct parameter *let)
{
    struct expression_name *name = arena_alloc(check->arena, 1, sizeof(*name));
    if (name == NULL)
        return opshift_no_memory(check->error);
    name->outer = names->names;
    name->name = (struct bytes){(const uint8_t *)let->key, strlen(let->key)};
    enum opshift_status status = check_expression(check, names, let, &name->type);
    names->names = name;
    return status;
}

/* The schema and the opset of a body must be known. */
static enum opshift_status check_replace(struct body_check *check, enum direction way)
{
    const struct rule *rule = check->rule;
    const char *opset = step_text(check->step, "opset");
    if (check->schema == NULL)
        return FAIL_NODE(
            check,
            "replace: nothing is known of the operator '%.60s' at opset %lld, so its inputs and outputs have no names",
            rule->op_type, (long long)rule->opset - (way == DIRECTION_UP));
    if (opset)
        check->opset = strtoll(opset, NULL, 10);
    if (check->opset == rule->opset || (way == DIRECTION_DOWN && check->opset == rule->opset - 1))
        return OPSHIFT_OK;
    return FAIL_NODE(check, "replace: a body is written for opset %lld%s", (long long)rule->opset,
                     way == DIRECTION_UP ? "" : ", or for the one below");
}

enum opshift_status step_check(const struct rule *rule, const struct step *step, enum direction way,
                               struct arena *arena, struct opshift_error *error)
{
    struct body_check check = {.rule = rule,
                               .step = step,
                               .schema = schema_find(rule->domain, rule->op_type, rule->opset - (way == DIRECTION_UP)),
                               .opset = rule->opset,
                               .arena = arena,
                               .error = error,
                               .line = step->line,
                               .column = step->column};
    struct expression_check names = {
        .file = rule->file, .attribute = knows_attribute, .value = knows_value, .data = check.schema};
    enum opshift_status status = strcmp(step->verb, "replace") == 0 ? check_replace(&check, way) : OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < step->parameter_count; i++)
        if (strcmp(step->parameters[i].name, "let") == 0)
            status = check_let(&check, &names, &step->parameters[i]);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < step->parameter_count; i++)
        if (strcmp(step->parameters[i].name, "when") == 0 || strcmp(step->parameters[i].name, "that") == 0)
            status = check_condition(&check, &names, &step->parameters[i]);
    const struct parameter *body = step_parameter(step, "body");
    return status || body == NULL ? status : check_body(&check, &names, body);
}
