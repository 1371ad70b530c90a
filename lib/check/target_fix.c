/* TGT: writes a node as a target takes it, where there is one way to do that. */
#include "check/target_fix.h"

#include <string.h>

#include "check/tables.h"
#include "check/target_form.h"
#include "kernel/facts.h"
#include "model/branch.h"
#include "model/fields.h"
#include "model/number.h"
#include "wire/wire.h"

/* ---- If with a constant condition ---- */

/* Is an input a constant bool? */
static enum opshift_status bool_read(const struct draft *draft, uint32_t position, bool *known, bool *value,
                                     struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    const char *why;
    enum opshift_status status = draft_constant(draft, draft->inputs[position].name, &tensor, &why, error);
    *known = status == OPSHIFT_OK && tensor && tensor->type == OPSHIFT_TYPE_BOOL && tensor->count == 1 && tensor->data;
    *value = *known && *(const uint8_t *)tensor->data != 0;
    return status;
}

static enum opshift_status branch_fix(struct checking *checking, const struct finding *finding,
                                      struct opshift_error *error)
{
    struct graph *graph = finding->graph;
    struct draft *draft;
    struct branch_records records = {{0}, {0}, {0}};
    bool made = false, known, condition;
    enum opshift_status status = checking_draft(checking, graph, finding->node, checking->scratch, &draft, error);
    if (status || draft == NULL || *draft->domain || strcmp(draft->op_type, "If") != 0 ||
        !draft_input_present(draft, 0))
        return status;
    status = bool_read(draft, 0, &known, &condition, error);
    if (status || !known)
        return status;
    const struct graph *branch = node_branch(checking->model, finding->node, condition);
    if (branch)
        status = branch_open(checking->model, checking->scopes, graph, finding->node, branch, checking->scratch,
                             &records, &made, error);
    if (status == OPSHIFT_OK && made) {
        uint64_t place = range_record(finding->node->range);
        uint64_t values = graph->value_count ? range_end(graph->values[graph->value_count - 1].range)
                                             : graph->message->offset + graph->message->size;
        status = fix_remove(checking, finding, finding->node->range, error);
        if (status == OPSHIFT_OK)
            status = fix_insert(checking, graph, place, &records.nodes, error);
        if (status == OPSHIFT_OK && records.initializers.size)
            status = fix_insert(checking, graph, initializer_place(graph), &records.initializers, error);
        if (status == OPSHIFT_OK && records.values.size)
            status = fix_insert(checking, graph, values, &records.values, error);
    }
    buffer_free(&records.nodes);
    buffer_free(&records.initializers);
    buffer_free(&records.values);
    return status;
}

/* ---- Dropout ---- */

/* Does it drop nothing, and is its mask not read? From opset 7 on it has a mode for inference only, from 12 on
 * training_mode as an input; a ratio of 0 drops nothing then, either. */
static enum opshift_status dropout_is_idle(struct checking *checking, const struct finding *finding,
                                           const struct draft *draft, bool *idle, struct opshift_error *error)
{
    bool known = true, trains = false;
    const struct tensor *ratio = NULL;
    const char *why;
    enum opshift_status status = OPSHIFT_OK;
    if (draft_input_present(draft, 2))
        status = bool_read(draft, 2, &known, &trains, error);
    if (status == OPSHIFT_OK && draft_input_present(draft, 1))
        status = draft_constant(draft, draft->inputs[1].name, &ratio, &why, error);
    if (ratio && ratio->count == 1 && ratio->data && tensor_number(ratio, 0) == 0)
        known = true, trains = false;
    *idle =
        known && !trains && graph_opset(checking->model, finding->graph, NAME_NONE) >= 7 &&
        !node_is_used_beyond_first(checking->tables, finding->graph, (uint32_t)(finding->node - finding->graph->nodes));
    return status;
}

static enum opshift_status dropout_fix(struct checking *checking, const struct finding *finding,
                                       struct opshift_error *error)
{
    struct node *node = finding->node;
    struct draft *draft;
    struct buffer name = {0};
    bool idle = false;
    enum opshift_status status = checking_draft(checking, finding->graph, node, checking->scratch, &draft, error);
    if (status == OPSHIFT_OK && draft && *draft->domain == '\0' && strcmp(draft->op_type, "Dropout") == 0 &&
        draft_input_present(draft, 0))
        status = dropout_is_idle(checking, finding, draft, &idle, error);
    if (status || !idle)
        return status;
    for (uint32_t i = 1; status == OPSHIFT_OK && i < node->input_count; i++)
        status = fix_node_field(checking, finding, NODE_INPUT, i, NULL, error);
    for (uint32_t i = 1; status == OPSHIFT_OK && i < node->output_count; i++)
        status = fix_node_field(checking, finding, NODE_OUTPUT, i, NULL, error);
    if (status == OPSHIFT_OK) {
        wire_add_bytes(&name, NODE_OP_TYPE, "Identity", 8);
        status = fix_node_field(checking, finding, NODE_OP_TYPE, 0, &name, error);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->attribute_count; i++)
        status = fix_node(checking, finding, draft->attributes[i].range, NULL, error);
    return status;
}

/* ---- constant results ---- */

#define CONSTANT_MOST (1u << 20) /* bytes */

static bool is_graph_output(const struct graph *graph, name_id name)
{
    for (uint32_t i = 0; i < graph->output_count; i++)
        if (graph->outputs[i].name == name)
            return true;
    return false;
}

/* The results of a node as initializers of their names; *known: all are constant, and small enough. */
static enum opshift_status results_write(struct checking *checking, const struct finding *finding,
                                         const struct draft *draft, struct buffer *records, bool *known,
                                         struct opshift_error *error)
{
    const struct node *node = finding->node;
    *known = node->output_count > 0;
    for (uint32_t i = 0; i < node->output_count && *known; i++) {
        name_id name = node_outputs(node)[i];
        const struct tensor *tensor = NULL;
        const char *why;
        if (name == NAME_NONE)
            continue;
        enum opshift_status status = draft_constant(draft, name, &tensor, &why, error);
        if (status)
            return status;
        *known = tensor && tensor->data && tensor->type != OPSHIFT_TYPE_STRING &&
                 type_size(tensor->type, tensor->count) <= CONSTANT_MOST && !is_graph_output(finding->graph, name);
        if (!*known)
            return OPSHIFT_OK;
        Onnx__TensorProto *message =
            tensor_encode(checking->scratch, tensor, names_bytes(checking->model->names, name));
        if (message == NULL)
            return opshift_no_memory(error);
        wire_add_message(records, GRAPH_INITIALIZER, &message->base);
    }
    return OPSHIFT_OK;
}

static enum opshift_status constant_fix(struct checking *checking, const struct finding *finding, bool *made,
                                        struct opshift_error *error)
{
    struct draft *draft;
    struct buffer records = {0};
    enum opshift_status status =
        checking_draft(checking, finding->graph, finding->node, checking->scratch, &draft, error);
    *made = false;
    if (status || draft == NULL || finding->graph->function || checking->model->ir_version < 4 ||
        strcmp(draft->op_type, "Constant") == 0)
        return status;
    status = results_write(checking, finding, draft, &records, made, error);
    if (status == OPSHIFT_OK && *made)
        status = fix_remove(checking, finding, finding->node->range, error);
    if (status == OPSHIFT_OK && *made)
        return fix_insert(checking, finding->graph, initializer_place(finding->graph), &records, error);
    buffer_free(&records);
    return status;
}

enum opshift_status target_fix_operator(struct checking *checking, const struct finding *finding,
                                        struct opshift_error *error)
{
    bool made;
    enum opshift_status status = constant_fix(checking, finding, &made, error);
    if (status == OPSHIFT_OK && !made)
        status = branch_fix(checking, finding, error);
    return status || made ? status : dropout_fix(checking, finding, error);
}

/* ---- types ---- */

/* Types that hold every value of another one, the nearest first; ends with 0. */
static const struct {
    enum opshift_type type, wider[6];
} widening[] = {
    {OPSHIFT_TYPE_FLOAT16, {OPSHIFT_TYPE_FLOAT, OPSHIFT_TYPE_DOUBLE}},
    {OPSHIFT_TYPE_BFLOAT16, {OPSHIFT_TYPE_FLOAT, OPSHIFT_TYPE_DOUBLE}},
    {OPSHIFT_TYPE_FLOAT, {OPSHIFT_TYPE_DOUBLE}},
    {OPSHIFT_TYPE_BOOL, {OPSHIFT_TYPE_UINT8, OPSHIFT_TYPE_INT32, OPSHIFT_TYPE_INT64, OPSHIFT_TYPE_FLOAT}},
    {OPSHIFT_TYPE_INT8, {OPSHIFT_TYPE_INT16, OPSHIFT_TYPE_INT32, OPSHIFT_TYPE_INT64, OPSHIFT_TYPE_FLOAT}},
    {OPSHIFT_TYPE_UINT8,
     {OPSHIFT_TYPE_UINT16, OPSHIFT_TYPE_INT32, OPSHIFT_TYPE_UINT32, OPSHIFT_TYPE_INT64, OPSHIFT_TYPE_FLOAT}},
    {OPSHIFT_TYPE_INT16, {OPSHIFT_TYPE_INT32, OPSHIFT_TYPE_INT64, OPSHIFT_TYPE_FLOAT}},
    {OPSHIFT_TYPE_UINT16, {OPSHIFT_TYPE_INT32, OPSHIFT_TYPE_UINT32, OPSHIFT_TYPE_INT64, OPSHIFT_TYPE_FLOAT}},
    {OPSHIFT_TYPE_INT32, {OPSHIFT_TYPE_INT64, OPSHIFT_TYPE_DOUBLE}},
    {OPSHIFT_TYPE_UINT32, {OPSHIFT_TYPE_INT64, OPSHIFT_TYPE_UINT64, OPSHIFT_TYPE_DOUBLE}},
};

/* Operators that move elements, or choose among them: the same in any wider type. */
static const char *const moving[] = {
    "Concat",
    "Compress",
    "DepthToSpace",
    "Expand",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "Identity",
    "Max",
    "MaxPool",
    "Min",
    "Pad",
    "ReduceMax",
    "ReduceMin",
    "Relu",
    "Reshape",
    "ScatterND",
    "ScatterElements",
    "Slice",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "Tile",
    "Transpose",
    "Trilu",
    "Unsqueeze",
    "Where",
    "Equal",
    "Greater",
    "GreaterOrEqual",
    "Less",
    "LessOrEqual",
    "ReverseSequence",
    "OneHot",
    "TopK",
    "ArgMax",
    "ArgMin",
    "Abs",
    "Neg",
    "Sign",
    "Ceil",
    "Floor",
    "Round",
    "GlobalMaxPool",
    "Clip",
    "NonZero",
};

static bool is_moving(const char *op_type)
{
    for (size_t i = 0; i < COUNT(moving); i++)
        if (strcmp(moving[i], op_type) == 0)
            return true;
    return false;
}

/* The nearest wider type among those that are taken (bits); UNDEFINED: there is none. */
static enum opshift_type type_wider(enum opshift_type type, uint64_t taken)
{
    for (size_t i = 0; i < COUNT(widening); i++)
        for (size_t k = 0; widening[i].type == type && k < COUNT(widening[i].wider); k++) {
            enum opshift_type wider = widening[i].wider[k];
            if (wider != OPSHIFT_TYPE_UNDEFINED && taken >> wider & 1)
                return wider;
        }
    return OPSHIFT_TYPE_UNDEFINED;
}

/* to = Cast <to = type> (from), as a record of the graph. */
static void cast_add(struct buffer *records, const struct graph *graph, struct bytes from, struct bytes to,
                     enum opshift_type type)
{
    Onnx__AttributeProto attribute = ONNX__ATTRIBUTE_PROTO__INIT;
    attribute.has_name = attribute.has_type = attribute.has_i = 1;
    attribute.name = (ProtobufCBinaryData){2, (uint8_t *)(uintptr_t) "to"};
    attribute.type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
    attribute.i = type;
    node_record_add(records, graph, "Cast", from, to, &attribute);
}

/* Puts a Cast before an input or behind an output of the node. */
static enum opshift_status cast_place(struct checking *checking, const struct finding *finding, uint32_t position,
                                      bool input, enum opshift_type type, struct buffer *records,
                                      struct opshift_error *error)
{
    const struct names *names = checking->model->names;
    const struct node *node = finding->node;
    name_id name = input ? node_inputs(node)[position] : node_outputs(node)[position];
    name_id fresh = fix_fresh(checking, node, input ? "wide" : "narrow");
    if (fresh == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    struct bytes own = names_bytes(names, name), other = names_bytes(names, fresh);
    struct buffer field = {0};
    cast_add(records, finding->graph, input ? own : other, input ? other : own, type);
    wire_add_bytes(&field, input ? NODE_INPUT : NODE_OUTPUT, other.data, other.size);
    return fix_node_field(checking, finding, input ? NODE_INPUT : NODE_OUTPUT, position, &field, error);
}

/* Computes the node in another type: all that the variable is the type of becomes that, and its outputs go back. */
static enum opshift_status node_cast(struct checking *checking, const struct finding *finding,
                                     const struct schema *schema, const char *variable, enum opshift_type type,
                                     enum opshift_type wider, struct opshift_error *error)
{
    const struct node *node = finding->node;
    struct buffer before = {0}, behind = {0};
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count + node->output_count; i++) {
        bool input = i < node->input_count;
        uint32_t position = input ? i : i - node->input_count;
        const struct schema_parameter *parameter =
            input ? schema_input(schema, position) : schema_output(schema, position);
        if (node->names[i] == NAME_NONE || parameter == NULL ||
            strcmp(schema_variable_name(schema, parameter), variable) != 0)
            continue;
        status = cast_place(checking, finding, position, input, input ? wider : type, input ? &before : &behind, error);
    }
    if (status == OPSHIFT_OK && before.size)
        status = fix_insert(checking, finding->graph, range_record(node->range), &before, error);
    if (status == OPSHIFT_OK && behind.size)
        status = fix_insert(checking, finding->graph, range_end(node->range), &behind, error);
    buffer_free(&before);
    buffer_free(&behind);
    return status;
}

/* The types that the target takes for a variable of a schema, as far as its gaps tell. */
static uint64_t types_taken(const struct target *target, const struct schema *schema, const char *variable)
{
    uint64_t taken = 0;
    for (uint16_t i = 0; i < schema->variable_count; i++)
        if (strcmp(schema->variables[i].name, variable) == 0)
            taken = schema->variables[i].types.tensor;
    for (uint32_t i = 0; i < target->gap_count; i++) {
        const struct kernel_gap *gap = &target->gaps[i];
        if (gap->variable && strcmp(gap->operator_type, schema->op_type) == 0 && *gap->domain == '\0' &&
            strcmp(gap->variable, variable) == 0 && schema->since >= gap->least && schema->since <= gap->most)
            taken &= ~gap->types;
    }
    for (uint32_t i = 0; i < target->lack_count; i++)
        if (target->lacks[i].operators == NULL)
            taken &= target->lacks[i].all_others ? target->lacks[i].types : ~target->lacks[i].types;
    return taken;
}

/* Casts around the node, where the wider type gives the same: for what moves or compares elements. */
static enum opshift_status type_fix(struct checking *checking, const struct finding *finding, const char *variable,
                                    uint64_t listed, struct opshift_error *error)
{
    const struct node *node = finding->node;
    const char *op_type = names_text(checking->model->names, node->op_type);
    const struct schema *schema =
        node_domain(node) == NAME_NONE
            ? schema_find("", op_type, graph_opset(checking->model, finding->graph, NAME_NONE))
            : NULL;
    if (schema == NULL || !is_moving(op_type) || finding->graph->function)
        return OPSHIFT_OK;
    for (uint32_t i = 0; i < node->input_count + node->output_count; i++) {
        const struct schema_parameter *parameter =
            i < node->input_count ? schema_input(schema, i) : schema_output(schema, i - node->input_count);
        struct value_type type;
        if (node->names[i] == NAME_NONE || parameter == NULL ||
            strcmp(schema_variable_name(schema, parameter), variable) != 0)
            continue;
        enum opshift_status status = types_find(checking->types, finding->graph, node->names[i], &type, error);
        uint64_t taken = types_taken(finding->target, schema, variable) & (listed ? listed : UINT64_MAX);
        enum opshift_type wider = status ? OPSHIFT_TYPE_UNDEFINED : type_wider(type.type, taken);
        if (status || wider == OPSHIFT_TYPE_UNDEFINED)
            return status;
        return node_cast(checking, finding, schema, variable, type.type, wider, error);
    }
    return OPSHIFT_OK;
}

enum opshift_status target_fix_type(struct checking *checking, const struct finding *finding,
                                    struct opshift_error *error)
{
    bool made;
    enum opshift_status status = constant_fix(checking, finding, &made, error);
    if (status || made || finding->gap == NULL || finding->target == NULL || finding->gap->variable == NULL)
        return status;
    return type_fix(checking, finding, finding->gap->variable, 0, error);
}

/* A constraint "type.N is WORD...": the variable of that input in one of these types. */
static enum opshift_status constraint_type_fix(struct checking *checking, const struct finding *finding,
                                               struct opshift_error *error)
{
    const struct target_constraint *constraint = finding->constraint;
    const char *op_type = names_text(checking->model->names, finding->node->op_type);
    const struct schema *schema = schema_find("", op_type, graph_opset(checking->model, finding->graph, NAME_NONE));
    for (uint32_t i = 0; schema && i < constraint->require_count; i++) {
        const struct condition *condition = &constraint->require[i];
        uint64_t listed = 0;
        if (strcmp(condition->fact->name, "type") != 0 || condition->comparison != COMPARE_IS)
            continue;
        for (const char *const *words = condition->words; *words; words++)
            listed |= UINT64_C(1) << type_find(*words, strlen(*words));
        const struct schema_parameter *parameter = schema_input(schema, condition->position);
        return parameter
                   ? type_fix(checking, finding, schema_variable_name(schema, parameter), listed & ~UINT64_C(1), error)
                   : OPSHIFT_OK;
    }
    return OPSHIFT_OK;
}

/* ---- features ---- */

/* The bodies' outputs that are outer values, as GRF007 mends them. */
static enum opshift_status outer_outputs_fix(struct checking *checking, const struct finding *finding,
                                             struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < node_subgraph_count(finding->node); i++) {
        struct graph *body = node_subgraphs(finding->node)[i];
        for (uint32_t k = 0; status == OPSHIFT_OK && k < body->output_count; k++) {
            struct finding inner = {.check = finding->check, .graph = body, .range = body->outputs[k].range};
            if (scope_is_outer(checking->scopes, body, body->outputs[k].name))
                status = check_by_id(GRF007)->fix(checking, &inner, error);
        }
    }
    return status;
}

enum opshift_status target_fix_refusal(struct checking *checking, const struct finding *finding,
                                       struct opshift_error *error)
{
    bool made;
    enum opshift_status status;
    if (finding->constraint == NULL)
        return OPSHIFT_OK;
    switch (finding->constraint->feature) {
    case FEATURE_SUBGRAPHS:
        return branch_fix(checking, finding, error);
    case FEATURE_REPEATED_NAME:
        return check_by_id(GRF004)->fix(checking, finding, error);
    case FEATURE_OUTER_OUTPUT:
        return outer_outputs_fix(checking, finding, error);
    case FEATURE_DEFAULTS:
        return form_fix_defaults(checking, finding, error);
    case FEATURE_NEGATIVE_AXES:
        return form_fix_axes(checking, finding, error);
    case FEATURE_UNDECLARED:
        return form_fix_declarations(checking, finding, error);
    case FEATURE_DEAD_NODE:
        return check_by_id(GRF014)->fix(checking, finding, error);
    case FEATURE_AUTO_PAD:
        return form_fix_padding(checking, finding, error);
    default:
        status = constant_fix(checking, finding, &made, error);
        if (status == OPSHIFT_OK && !made)
            status = branch_fix(checking, finding, error);
        return status || made ? status : constraint_type_fix(checking, finding, error);
    }
}
