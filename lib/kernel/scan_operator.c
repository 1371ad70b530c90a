/* Scan: runs a body over slices of its inputs along an axis, with state variables. */
#include "kernel/gatherings.h"

#include <stdlib.h>

/* One iteration sequence; Scan-8 runs one per batch element. */
struct scan_loop {
    uint32_t states, scanned, stacked; /* number of state variables, scan inputs and scan outputs */
    const struct value *inputs;        /* states, then scan inputs */
    uint32_t *axes;                    /* of the scan inputs */
    struct int_list input_directions, output_directions, output_axes;
    int64_t length;
    int64_t rounds;        /* the axis length, or less by Scan-8's sequence_lens */
    struct value *current; /* body inputs of this iteration */
    struct value *given;   /* the body's outputs */
    struct gathering *gatherings;
};

static int64_t listed(const struct int_list *list, uint32_t at)
{
    return at < list->count ? list->values[at] : 0;
}

static enum opshift_status check_count(const struct int_list *list, const char *name, uint32_t count,
                                       struct opshift_error *error)
{
    if (!list->present || list->count == count)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' has %zu entries, must have %u", name, list->count,
                        count);
}

/* Counts state variables, scan inputs and scan outputs; first: inputs before the states. */
static enum opshift_status scan_count(struct kernel_call *call, struct scan_loop *scan, uint32_t first,
                                      struct opshift_error *error)
{
    int64_t scanned = kernel_int(call, ATTRIBUTE_NUM_SCAN_INPUTS);
    uint32_t input_count = 0, output_count = 0;
    enum opshift_status status = body_measure(call, "body", &input_count, &output_count, error);
    if (status)
        return status;
    uint32_t count = call->input_count < first ? 0 : call->input_count - first;
    if (scanned < 1 || scanned > count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "num_scan_inputs is %lld, must be between 1 and %u",
                            (long long)scanned, count);
    scan->scanned = (uint32_t)scanned;
    scan->states = count - scan->scanned;
    if (input_count != count || output_count != call->output_count || output_count < scan->states)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "has %u inputs and %u outputs, but its body has %u inputs and %u outputs", count,
                            call->output_count, input_count, output_count);
    scan->stacked = output_count - scan->states;
    return OPSHIFT_OK;
}

static enum opshift_status scan_lists(struct kernel_call *call, struct scan_loop *scan, struct int_list *axes,
                                      struct opshift_error *error)
{
    bool old = call->operation.opset < 9;
    const struct {
        enum attribute_id id;
        struct int_list *list;
        uint32_t count;
    } lists[] = {
        {old ? ATTRIBUTE_DIRECTIONS : ATTRIBUTE_SCAN_INPUT_DIRECTIONS, &scan->input_directions, scan->scanned},
        {ATTRIBUTE_SCAN_OUTPUT_DIRECTIONS, &scan->output_directions, scan->stacked},
        {ATTRIBUTE_SCAN_INPUT_AXES, axes, scan->scanned},
        {ATTRIBUTE_SCAN_OUTPUT_AXES, &scan->output_axes, scan->stacked},
    };
    for (size_t i = 0; i < (old ? 1 : COUNT(lists)); i++) {
        *lists[i].list = kernel_ints(call, lists[i].id);
        enum opshift_status status = check_count(
            lists[i].list, schema_attribute(call->operation.schema, lists[i].id)->name, lists[i].count, error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

/* The scan axes, all of one length. */
static enum opshift_status scan_axes(struct scan_loop *scan, const struct int_list *axes, struct opshift_error *error)
{
    for (uint32_t i = 0; i < scan->scanned; i++) {
        const struct value *value = &scan->inputs[scan->states + i];
        if (value->kind != VALUE_TENSOR)
            return opshift_fail(error, OPSHIFT_MALFORMED, "scanned input %u is %s, must be a tensor", i,
                                value_kind_name(value->kind));
        enum opshift_status status = kernel_axis(listed(axes, i), value->tensor->rank, &scan->axes[i], error);
        if (status)
            return status;
        int64_t length = value->tensor->dims[scan->axes[i]];
        if (i > 0 && length != scan->length)
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "scanned input %u has %lld elements along its axis, must have %lld", i,
                                (long long)length, (long long)scan->length);
        scan->length = scan->rounds = length;
    }
    return OPSHIFT_OK;
}

/* A slice of a tensor at a position of an axis, without that axis. */
static enum opshift_status cut_out(struct kernel_call *call, struct arena *arena, const struct tensor *from,
                                   uint32_t axis, int64_t place, struct tensor **part, struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX];
    uint64_t outer = 1, inner = 1;
    uint32_t rank = 0;
    for (uint32_t i = 0; i < from->rank; i++) {
        if (i == axis)
            continue;
        dims[rank++] = from->dims[i];
        *(i < axis ? &outer : &inner) *= (uint64_t)from->dims[i];
    }
    enum opshift_status status = kernel_room(call, from->type, rank, dims, error);
    if (status == OPSHIFT_OK)
        status = tensor_new(arena, from->type, rank, dims, part, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, (*part)->count == 0 ? 0 : outer, STEPS_MOVE, error);
    for (uint64_t at = 0; status == OPSHIFT_OK && (*part)->count > 0 && at < outer; at++)
        kernel_copy(*part, at * inner, from, (at * (uint64_t)from->dims[axis] + (uint64_t)place) * inner, inner);
    return status;
}

/* The slices of this iteration, with an owner of their own. */
static enum opshift_status cut_round(struct kernel_call *call, struct scan_loop *scan, int64_t round,
                                     struct opshift_error *error)
{
    struct holder *holder = holder_new(call->budget);
    enum opshift_status status = holder == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    for (uint32_t i = 0; i < scan->scanned && status == OPSHIFT_OK; i++) {
        const struct value *from = &scan->inputs[scan->states + i];
        struct tensor *part = NULL;
        int64_t place = listed(&scan->input_directions, i) != 0 ? scan->rounds - 1 - round : round;
        status = cut_out(call, holder_arena(holder), from->tensor, scan->axes[i], place, &part, error);
        struct value *to = &scan->current[scan->states + i];
        value_drop(to);
        if (status == OPSHIFT_OK)
            *to = value_keep((struct value){.kind = VALUE_TENSOR, .tensor = part, .holder = holder});
        /* Strings are shared with the input. */
        if (status == OPSHIFT_OK && part->type == OPSHIFT_TYPE_STRING && !holder_hold(holder, from->holder))
            status = opshift_no_memory(error);
    }
    if (status == OPSHIFT_OK && !holder_finish(holder))
        status = budget_no_bytes(call->budget, error);
    holder_drop(holder);
    return status;
}

static enum opshift_status run_round(struct kernel_call *call, struct scan_loop *scan, int64_t round,
                                     struct opshift_error *error)
{
    enum opshift_status status = cut_round(call, scan, round, error);
    if (status == OPSHIFT_OK)
        status = body_run(call->running, "body", scan->current, scan->states + scan->scanned, scan->given,
                          scan->states + scan->stacked, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < scan->states; i++) {
        value_drop(&scan->current[i]);
        scan->current[i] = scan->given[i];
    }
    return gatherings_add(scan->gatherings, scan->stacked, call->budget, &scan->given[scan->states], OPSHIFT_OK, error);
}

static enum opshift_status scan_start(struct scan_loop *scan, struct opshift_error *error)
{
    scan->current = calloc(scan->states + UINT64_C(1) + scan->scanned, sizeof(*scan->current));
    scan->given = calloc(scan->states + UINT64_C(1) + scan->stacked, sizeof(*scan->given));
    scan->gatherings = calloc(scan->stacked + UINT64_C(1), sizeof(*scan->gatherings));
    if (scan->current == NULL || scan->given == NULL || scan->gatherings == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < scan->states; i++)
        scan->current[i] = value_keep(scan->inputs[i]);
    return OPSHIFT_OK;
}

static void scan_end(const struct kernel_call *call, struct scan_loop *scan)
{
    if (scan->current != NULL)
        values_drop(scan->current, (size_t)scan->states + scan->scanned);
    free(scan->current);
    free(scan->given);
    gatherings_free(scan->gatherings, call->budget, scan->stacked);
    scan->current = scan->given = NULL;
    scan->gatherings = NULL;
}

static enum opshift_status run_rounds(struct kernel_call *call, struct scan_loop *scan, struct opshift_error *error)
{
    enum opshift_status status = scan_start(scan, error);
    for (int64_t round = 0; status == OPSHIFT_OK && round < scan->rounds; round++)
        status = run_round(call, scan, round, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < scan->stacked; i++)
        status = gathering_stack(call, scan->states + i, &scan->gatherings[i], scan->states + i,
                                 listed(&scan->output_axes, i), listed(&scan->output_directions, i) != 0, error);
    return status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct scan_loop scan = {0};
    struct int_list axes = {0};
    enum opshift_status status = scan_count(call, &scan, 0, error);
    if (status == OPSHIFT_OK)
        status = scan_lists(call, &scan, &axes, error);
    scan.inputs = call->values;
    scan.axes = arena_alloc(call->arena, scan.scanned + UINT64_C(1), sizeof(*scan.axes));
    if (status == OPSHIFT_OK && scan.axes == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = scan_axes(&scan, &axes, error);
    if (status == OPSHIFT_OK)
        status = run_rounds(call, &scan, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < scan.states; i++)
        status = kernel_result(call, i, value_keep(scan.current[i]), error);
    scan_end(call, &scan);
    return status;
}

/* ---- Scan-8: repeats for each batch element ---- */

/* The batch size, and the inputs of one batch element. */
static enum opshift_status cut_batch(struct kernel_call *call, struct scan_loop *scan, int64_t element, int64_t *batch,
                                     struct value *inputs, struct opshift_error *error)
{
    for (uint32_t i = 0; i < scan->states + scan->scanned; i++) {
        const struct tensor *from = kernel_input(call, 1 + i);
        struct tensor *part = NULL;
        if (from == NULL || from->rank < 1u + (i >= scan->states))
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has no batch axis", 1 + i);
        if (i > 0 && from->dims[0] != *batch)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has a batch of %lld, must have %lld", 1 + i,
                                (long long)from->dims[0], (long long)*batch);
        *batch = from->dims[0];
        enum opshift_status status =
            element < *batch ? cut_out(call, call->arena, from, 0, element, &part, error) : OPSHIFT_OK;
        if (status)
            return status;
        inputs[i] = value_of(part);
    }
    return OPSHIFT_OK;
}

/* Iterations of a batch element: from sequence_lens, else the axis length. */
static enum opshift_status limit_rounds(const struct kernel_call *call, struct scan_loop *scan, int64_t element,
                                        int64_t batch, struct opshift_error *error)
{
    const struct tensor *lengths = kernel_input(call, 0);
    if (lengths == NULL)
        return OPSHIFT_OK;
    if (lengths->type != OPSHIFT_TYPE_INT64 || lengths->rank != 1 || lengths->dims[0] != batch)
        return opshift_fail(error, OPSHIFT_MALFORMED, "sequence_lens is %s%s, must be int64[%lld]",
                            type_name(lengths->type), kernel_dims_text(call->arena, lengths->rank, lengths->dims),
                            (long long)batch);
    int64_t rounds = ((const int64_t *)lengths->data)[element];
    if (rounds < 0 || rounds > scan->length)
        return opshift_fail(error, OPSHIFT_MALFORMED, "sequence_lens says %lld for element %lld, which has %lld",
                            (long long)rounds, (long long)element, (long long)scan->length);
    if (rounds == 0 && call->defined)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "without a round, the outputs of the body are not defined");
    scan->rounds = rounds;
    return OPSHIFT_OK;
}

/* Pads the outputs of a short sequence with zeros; without iterations, uses the body's declared output. */
static enum opshift_status fill_up(struct kernel_call *call, const struct scan_loop *scan, uint32_t position,
                                   struct opshift_error *error)
{
    struct tensor *made = call->outputs[position], *full = NULL;
    int64_t dims[TENSOR_RANK_MAX];
    if (made == NULL || scan->rounds == scan->length)
        return OPSHIFT_OK;
    for (uint32_t i = 0; i < made->rank; i++)
        dims[i] = i == 0 ? scan->length : made->dims[i];
    enum opshift_status status = kernel_tensor(call, made->type, made->rank, dims, &full, error);
    if (status == OPSHIFT_OK)
        kernel_copy(full, 0, made, 0, made->count);
    call->outputs[position] = full;
    return status;
}

static enum opshift_status run_element(struct kernel_call *call, struct scan_loop *scan, int64_t element, int64_t batch,
                                       struct gathering *outputs, struct opshift_error *error)
{
    const struct int_list axes = {0};
    enum opshift_status status = scan_axes(scan, &axes, error);
    if (status == OPSHIFT_OK)
        status = limit_rounds(call, scan, element, batch, error);
    if (status == OPSHIFT_OK)
        status = run_rounds(call, scan, error);
    for (uint32_t i = scan->states; status == OPSHIFT_OK && i < scan->states + scan->stacked; i++)
        status = fill_up(call, scan, i, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < scan->states; i++)
        status = gathering_add(&outputs[i], call->budget, value_keep(scan->current[i]), error);
    for (uint32_t i = scan->states; status == OPSHIFT_OK && i < scan->states + scan->stacked; i++)
        status = gathering_add(&outputs[i], call->budget, value_of(call->outputs[i]), error);
    scan_end(call, scan);
    return status;
}

static enum opshift_status run_8(struct kernel_call *call, struct opshift_error *error)
{
    struct scan_loop scan = {0};
    struct int_list axes = {0};
    int64_t batch = 0;
    enum opshift_status status = scan_count(call, &scan, 1, error);
    if (status == OPSHIFT_OK)
        status = scan_lists(call, &scan, &axes, error);
    uint32_t output_count = scan.states + scan.stacked;
    struct value *inputs = arena_alloc(call->arena, scan.states + UINT64_C(1) + scan.scanned, sizeof(*inputs));
    struct gathering *outputs = calloc(output_count + UINT64_C(1), sizeof(*outputs));
    scan.axes = arena_alloc(call->arena, scan.scanned + UINT64_C(1), sizeof(*scan.axes));
    scan.inputs = inputs;
    if (status == OPSHIFT_OK && (inputs == NULL || outputs == NULL || scan.axes == NULL))
        status = opshift_no_memory(error);
    for (int64_t element = 0; status == OPSHIFT_OK && (element == 0 || element < batch); element++) {
        status = kernel_work(call, 1, STEPS_NODE, error);
        if (status == OPSHIFT_OK)
            status = cut_batch(call, &scan, element, &batch, inputs, error);
        if (status == OPSHIFT_OK && element < batch)
            status = run_element(call, &scan, element, batch, outputs, error);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < output_count; i++)
        status = gathering_stack(call, i, &outputs[i], i, 0, false, error);
    gatherings_free(outputs, call->budget, output_count);
    return status;
}

const struct kernel kernels_scan_operator[] = {
    {OPERATOR_SCAN, 8, 8, run_8, {0}}, {OPERATOR_SCAN, 9, KERNEL_ANY, run, {0}}, {0}};
