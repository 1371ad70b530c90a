/* SequenceConstruct: its inputs as a sequence. */
#include "kernel/sequence.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = sequence_arity(call, 1, UINT32_MAX, error);
    struct value *items = arena_alloc(call->arena, call->input_count + UINT64_C(1), sizeof(*items));
    if (status == OPSHIFT_OK && items == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < call->input_count && status == OPSHIFT_OK; i++) {
        items[i] = kernel_value(call, i);
        status = sequence_joins(call, i, i == 0 ? OPSHIFT_TYPE_UNDEFINED : items[0].tensor->type, error);
    }
    if (status != OPSHIFT_OK)
        return status;
    return kernel_sequence_result(call, 0, items[0].tensor->type, items, call->input_count, error);
}

const struct kernel kernel_sequence_construct[] = {{"SequenceConstruct", 11, KERNEL_ANY, run}, {0}};
