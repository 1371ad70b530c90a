/* LOD: models that are small files but expensive or dangerous to load or run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/family.h"
#include "check/protobuf.h"
#include "kernel/facts.h"

#define FOLLOWED_MAX 64 /* Identity nodes followed from a Loop's condition */

/* Saturates at UINT64_MAX. */
static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* ---- calls ---- */

/* The size of a function's body with all calls inlined, computed from callees to callers. */
struct expansion {
    uint64_t nodes;   /* so far */
    uint32_t depth;   /* depth of nested calls, this function included */
    uint32_t waiting; /* calls whose callee is not yet computed */
};

/* The index of the function that contains a node; SIZE_MAX: none. */
static size_t function_of(const struct opshift_model *model, const struct graph *graph)
{
    return graph->function ? (size_t)(graph->function - model->functions) : SIZE_MAX;
}

static void count_own(const struct checking *checking, struct expansion *expansions)
{
    const struct opshift_model *model = checking->model;
    for (uint32_t i = 0; i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        size_t function = function_of(model, graph);
        for (uint32_t j = 0; function != SIZE_MAX && j < graph->node_count; j++) {
            if (scope_callee(checking->scopes, &graph->nodes[j]))
                expansions[function].waiting++;
            else
                expansions[function].nodes = plus(expansions[function].nodes, 1);
        }
    }
}

/* Adds each function's size to its callers; a function is ready when all its callees are. Recursive functions never
 * are; another check reports them. Returns the number of functions in ready, callees before callers. */
static uint32_t work_out(const struct checking *checking, struct expansion *expansions, uint32_t *ready)
{
    const struct opshift_model *model = checking->model;
    uint32_t done = 0, count = 0;
    for (uint32_t i = 0; i < model->function_count; i++) {
        expansions[i].depth = 1;
        if (expansions[i].waiting == 0)
            ready[count++] = i;
    }
    while (done < count) {
        struct expansion *callee = &expansions[ready[done]];
        uint32_t call_count;
        const struct call *calls = scope_calls(checking->scopes, &model->functions[ready[done++]], &call_count);
        for (uint32_t i = 0; i < call_count; i++) {
            size_t function = function_of(model, calls[i].graph);
            if (function == SIZE_MAX)
                continue;
            struct expansion *caller = &expansions[function];
            caller->nodes = plus(caller->nodes, callee->nodes);
            if (caller->depth <= callee->depth)
                caller->depth = callee->depth + 1;
            if (--caller->waiting == 0)
                ready[count++] = (uint32_t)function;
        }
    }
    return count;
}

typedef enum opshift_status expansion_report(struct checking *checking, const struct subject *subject,
                                             const struct expansion *expansion, struct opshift_error *error);

static enum opshift_status chain_report(struct checking *checking, const struct subject *subject,
                                        const struct expansion *expansion, struct opshift_error *error)
{
    uint64_t limit = checking->model->limits.calls;
    if (expansion->depth <= limit)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error,
                       "it calls more than %" PRIu64 " nested functions; nest fewer calls, or raise the limit 'calls'",
                       limit);
}

static enum opshift_status inlined_report(struct checking *checking, const struct subject *subject,
                                          const struct expansion *expansion, struct opshift_error *error)
{
    uint64_t limit = checking->model->limits.inlined;
    if (expansion->nodes <= limit)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error,
                       "with its calls inlined it has more than %" PRIu64
                       " nodes; use fewer calls, or raise the limit 'inlined'",
                       limit);
}

/* The first function with a finding whose callees have none. */
static enum opshift_status expansions_ask(struct checking *checking, expansion_report *report,
                                          struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    if (model->function_count == 0)
        return OPSHIFT_OK;
    size_t before = checking->count;
    struct expansion *expansions = calloc(model->function_count, sizeof(*expansions));
    uint32_t *ready = calloc(model->function_count, sizeof(*ready));
    enum opshift_status status = expansions && ready ? OPSHIFT_OK : opshift_no_memory(error);
    uint32_t count = 0;
    if (status == OPSHIFT_OK) {
        count_own(checking, expansions);
        count = work_out(checking, expansions, ready);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count && checking->count == before; i++)
        status =
            report(checking, &(struct subject){.graph = model->functions[ready[i]].body}, &expansions[ready[i]], error);
    free(expansions);
    free(ready);
    return status;
}

static enum opshift_status function_chain(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    (void)subject;
    return expansions_ask(checking, chain_report, error);
}

static enum opshift_status functions_inlined(struct checking *checking, const struct subject *subject,
                                             struct opshift_error *error)
{
    (void)subject;
    return expansions_ask(checking, inlined_report, error);
}

/* ---- values ---- */

/* Bytes of a value; 0: unknown. A string counts as one byte. */
static uint64_t value_size(const struct value_type *type)
{
    if (!type->is_tensor || type->rank < 0)
        return 0;
    uint64_t count = 1;
    for (int32_t i = 0; i < type->rank; i++) {
        if (type->dims[i] <= 0)
            return 0;
        count = times(count, (uint64_t)type->dims[i]);
    }
    /* Types smaller than a byte are counted in groups of eight. */
    return plus(times(count / 8, type_size(type->type, 8)), type_size(type->type, count % 8));
}

/* Is an input of the node already larger? Then an earlier node has the finding, or the caller passes it. */
static bool input_is_large(const struct inference *inference, uint64_t limit)
{
    for (uint32_t i = 0; i < inference->node->input_count; i++)
        if (value_size(&inference->inputs[i]) > limit)
            return true;
    return false;
}

static enum opshift_status value_large(struct checking *checking, const struct subject *subject,
                                       struct opshift_error *error)
{
    uint64_t limit = checking->model->limits.value;
    struct inference *inference;
    const struct type_pair *outputs;
    enum opshift_status status = checking_outputs(checking, subject, &outputs, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->node->output_count; i++) {
        uint64_t size = value_size(outputs[i].found);
        if (size <= limit)
            continue;
        status = checking_infer(checking, subject, &inference, error);
        if (status || input_is_large(inference, limit))
            return status;
        return finding_add(checking, subject, NULL, error,
                           "output '%s' takes %s%" PRIu64 " bytes, independent of the inputs, and more than %" PRIu64
                           " are reported; check the shape, or raise the limit 'value'",
                           names_text(checking->model->names, node_outputs(subject->node)[i]),
                           size == UINT64_MAX ? "more than " : "", size, limit);
    }
    return status;
}

/* Bits per element of a sparse tensor's values type; 8 if unknown. */
static enum opshift_status sparse_element(struct part_context *context, const struct part *part, uint64_t *bytes,
                                          struct opshift_error *error)
{
    struct source *source = context->checking->model->source;
    const struct wire_field *values = part_last(part, 1);
    struct wire_cursor cursor = {source, values->offset, values->offset + values->size};
    enum opshift_status status = OPSHIFT_OK;
    *bytes = 1;
    for (bool found = part->fields[1].count > 0; status == OPSHIFT_OK && found;) {
        struct wire_field field;
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found && field.number == 2 && field.type == WIRE_VARINT &&
            field.value < OPSHIFT_TYPE_COUNT && type_size((enum opshift_type)field.value, 1))
            *bytes = type_size((enum opshift_type)field.value, 1);
    }
    return status == OPSHIFT_MALFORMED ? OPSHIFT_OK : status; /* the tensor checks report it */
}

static enum opshift_status sparse_large(struct part_context *context, const struct part *part,
                                        struct opshift_error *error)
{
    const int64_t *dims;
    size_t rank;
    uint64_t size, limit = context->checking->model->limits.value;
    enum opshift_status status = sparse_element(context, part, &size, error);
    if (status == OPSHIFT_OK)
        status = part_numbers(context, part, 3, TENSOR_RANK_MAX, &dims, &rank, error);
    if (status)
        return status == OPSHIFT_UNSUPPORTED ? OPSHIFT_OK : status;
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] <= 0)
            return OPSHIFT_OK;
        size = times(size, (uint64_t)dims[i]);
    }
    if (size <= limit)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error,
                       "a sparse tensor that takes %s%" PRIu64 " bytes in dense form, and more than %" PRIu64
                       " are reported; check its dims, or raise the limit 'value'",
                       size == UINT64_MAX ? "more than " : "", size, limit);
}

/* A dim of a declared shape; -1: not a number. */
static enum opshift_status dim_read(struct source *source, const struct wire_field *dim, int64_t *value,
                                    struct opshift_error *error)
{
    struct wire_cursor cursor = {source, dim->offset, dim->offset + dim->size};
    enum opshift_status status = OPSHIFT_OK;
    *value = -1;
    for (bool found = true; status == OPSHIFT_OK && found;) {
        struct wire_field field;
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found && field.number == 1 && field.type == WIRE_VARINT)
            *value = (int64_t)field.value;
    }
    return status;
}

static enum opshift_status shape_overflows(struct part_context *context, const struct part *part,
                                           struct opshift_error *error)
{
    struct source *source = context->checking->model->source;
    struct wire_cursor cursor = {source, range_offset(part->range), range_end(part->range)};
    enum opshift_status status = OPSHIFT_OK;
    uint64_t count = 1;
    bool empty = false;
    for (bool found = part->fields[1].size > 8; status == OPSHIFT_OK && found;) {
        struct wire_field field;
        int64_t dim = -1;
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found && field.number == 1 && field.type == WIRE_BYTES)
            status = dim_read(source, &field, &dim, error);
        empty = empty || dim == 0;
        if (dim > 0)
            count = times(count, (uint64_t)dim);
    }
    if (status || empty || count <= (UINT64_C(1) << 59))
        return status == OPSHIFT_MALFORMED ? OPSHIFT_OK : status;
    return context_add(context, part, NULL, error,
                       "its declared dims multiply to more than 2^59 elements; correct them");
}

/* ---- external data ---- */

/* ONNX Runtime uses this location for weights in memory; the offset is an address. */
#define MEMORY_LOCATION "*/_ORT_MEM_ADDR_/*"

static enum opshift_status memory_address(struct part_context *context, const struct part *part,
                                          struct opshift_error *error)
{
    const char *location;
    enum opshift_status status = part_location(context, part, &location, error);
    if (status || location == NULL || strcmp(location, MEMORY_LOCATION) != 0)
        return status;
    return context_add(context, part, NULL, error,
                       "external data '" MEMORY_LOCATION
                       "': some runtimes use its offset as an address in their own memory; put the data into a file");
}

/* ---- subgraphs and loops ---- */

static enum opshift_status input_has_initializer(struct checking *checking, const struct subject *subject,
                                                 struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && graph->kind == GRAPH_SUB && i < graph->initializer_count; i++) {
        const struct initializer *initializer = &graph->initializers[i];
        if (initializer->name != NAME_NONE && scope_is_input(checking->scopes, graph, initializer->name))
            status = finding_add(checking, subject, &initializer->range, error,
                                 "input '%s' is also an initializer of the same graph, and the node's value and the "
                                 "initializer's conflict; rename the initializer, or remove it",
                                 names_text(checking->model->names, initializer->name));
    }
    return status;
}

static enum opshift_status subgraphs_deep(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    uint64_t depth = 0, limit = checking->model->limits.subgraphs;
    for (const struct graph *graph = subject->graph; graph && depth <= limit + 1; graph = graph->parent)
        depth += graph->kind == GRAPH_SUB;
    if (depth != limit + 1)
        return OPSHIFT_OK; /* only the outermost graph that is too deep is reported */
    return finding_add(checking, subject, NULL, error,
                       "a graph inside %" PRIu64
                       " others; runtimes that recurse into them may overflow their stack; flatten the graphs, or "
                       "raise the limit 'subgraphs'",
                       limit + 1);
}

/* Is the value a constant true? */
static enum opshift_status is_true(struct checking *checking, struct graph *graph, name_id name, bool *yes,
                                   struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    const char *why;
    enum opshift_status status = fact_constant(checking->around, graph, name, &tensor, &why, error);
    *yes = status == OPSHIFT_OK && tensor && tensor->type == OPSHIFT_TYPE_BOOL && tensor->count == 1 &&
           *(const uint8_t *)tensor->data;
    return status;
}

/* Does a Loop's body leave its condition unchanged or set it to true? */
static enum opshift_status condition_is_kept(struct checking *checking, struct graph *body, bool *kept,
                                             struct opshift_error *error)
{
    *kept = false;
    if (body->output_count == 0)
        return OPSHIFT_OK;
    name_id name = body->outputs[0].name;
    for (int i = 0; i < FOLLOWED_MAX && name != NAME_NONE; i++) {
        struct definition from = scope_find(checking->scopes, body, name);
        *kept = from.kind == DEFINED_INPUT && from.graph == body && from.index == 1;
        if (*kept || from.kind != DEFINED_NODE)
            break;
        const struct node *node = &from.graph->nodes[from.index];
        if (!node_is(checking->model, node, "Identity") || node->input_count == 0)
            break;
        name = node_inputs(node)[0];
    }
    return *kept || name == NAME_NONE ? OPSHIFT_OK : is_true(checking, body, name, kept, error);
}

/* The number of iterations of a Loop that ends only by its trip count; 0: unknown. */
static enum opshift_status loop_trips(struct checking *checking, const struct subject *subject, uint64_t *trips,
                                      struct opshift_error *error)
{
    const struct node *node = subject->node;
    struct inference *inference;
    const int64_t *values;
    size_t count;
    bool kept = true;
    enum opshift_status status = checking_infer(checking, subject, &inference, error);
    if (status || node_subgraph_count(node) != 1 || input_ints(inference, 0, &values, &count) < SETTING_DEFAULT ||
        count != 1 || values[0] <= 0)
        return status ? status : inference->status;
    uint64_t limit = (uint64_t)values[0];
    if (inference_has_input(inference, 1)) {
        status = is_true(checking, subject->graph, node_inputs(node)[1], &kept, error);
        if (status == OPSHIFT_OK && kept)
            status = condition_is_kept(checking, node_subgraphs(node)[0], &kept, error);
    }
    *trips = kept ? limit : 0;
    return status;
}

/* The length of a Scan's first scan input; 0: unknown. */
static enum opshift_status scan_trips(struct checking *checking, const struct subject *subject, uint64_t *trips,
                                      struct opshift_error *error)
{
    struct inference *inference;
    const int64_t *axes;
    size_t axis_count, axis = 0;
    int64_t scanned;
    enum opshift_status status = checking_infer(checking, subject, &inference, error);
    if (status || subject->schema->since < 9 ||
        operation_int(&inference->operation, ATTRIBUTE_NUM_SCAN_INPUTS, &scanned) < SETTING_DEFAULT || scanned < 1 ||
        scanned > (int64_t)subject->node->input_count)
        return status ? status : inference->status;
    const struct value_type *type = input_ranked(inference, subject->node->input_count - (uint32_t)scanned);
    enum setting_state given = attribute_ints(inference, ATTRIBUTE_SCAN_INPUT_AXES, &axes, &axis_count);
    bool known = type && type->rank > 0 && given != SETTING_UNKNOWN;
    if (known && given >= SETTING_DEFAULT && axis_count)
        known = axis_resolve(axes[0], (size_t)type->rank, &axis);
    if (known && type->dims[axis] > 0)
        *trips = (uint64_t)type->dims[axis];
    return inference->status;
}

static bool is_loop(const struct subject *subject)
{
    const struct schema *schema = subject->schema;
    return schema && *schema->domain == '\0' && (schema->id == OPERATOR_LOOP || schema->id == OPERATOR_SCAN);
}

static enum opshift_status loop_long(struct checking *checking, const struct subject *subject,
                                     struct opshift_error *error)
{
    uint64_t trips = 0, limit = checking->model->limits.trips;
    enum opshift_status status = OPSHIFT_OK;
    if (subject->schema->id == OPERATOR_LOOP)
        status = loop_trips(checking, subject, &trips, error);
    else
        status = scan_trips(checking, subject, &trips, error);
    if (status || trips <= limit)
        return status;
    return finding_add(checking, subject, NULL, error,
                       "it runs its body %" PRIu64 " times, independent of the inputs, and more than %" PRIu64
                       " are reported; check the count, or raise the limit 'trips'",
                       trips, limit);
}

/* ---- the table ---- */

const struct check checks_load_cost[] = {
    {CHECK(LOD001), .scope = CHECK_MODEL, .harmless = true, .find = function_chain},
    {CHECK(LOD002), .scope = CHECK_MODEL, .harmless = true, .find = functions_inlined},
    {CHECK(LOD003), .scope = CHECK_NODE, .harmless = true, .find = value_large},
    {CHECK(LOD004), .scope = CHECK_PART, .kind = &onnx__sparse_tensor_proto__descriptor, .find_part = sparse_large},
    {CHECK(LOD005), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .has = UINT64_C(1) << TENSOR_LOCATION,
     .find_part = memory_address},
    {CHECK(LOD006), .scope = CHECK_GRAPH, .harmless = true, .find = input_has_initializer},
    {CHECK(LOD007), .scope = CHECK_GRAPH, .harmless = true, .find = subgraphs_deep},
    {CHECK(LOD008), .scope = CHECK_NODE, .harmless = true, .concerns = is_loop, .find = loop_long},
    {CHECK(LOD009), .scope = CHECK_PART, .kind = &onnx__tensor_shape_proto__descriptor, .has = UINT64_C(1) << 1,
     .find_part = shape_overflows},
    {0},
};
