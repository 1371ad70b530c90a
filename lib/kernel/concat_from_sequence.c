/* ConcatFromSequence: the tensors of a sequence one after the other, or stacked along a new axis. */
#include "kernel/join.h"
#include "kernel/sequence.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    int64_t axis = INT64_MIN, stack = 0;
    uint32_t place = 0;
    enum opshift_status status = sequence_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = kernel_sequence(call, 0, &sequence, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "new_axis", &stack, error);
    if (status == OPSHIFT_OK && axis == INT64_MIN)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'axis' is required and absent");
    if (status == OPSHIFT_OK && sequence->count == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the sequence is empty");
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, sequence->items[0].tensor->rank + (stack != 0), &place, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, sequence->count, STEPS_ENTRY * 2, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor **tensors = arena_alloc(call->arena, sequence->count, sizeof(*tensors));
    if (tensors == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < sequence->count; i++)
        tensors[i] = sequence->items[i].tensor;
    return stack != 0 ? join_stacked(call, 0, tensors, sequence->count, place, error)
                      : join_tensors(call, 0, tensors, sequence->count, place, error);
}

const struct kernel kernel_concat_from_sequence[] = {{"ConcatFromSequence", 11, KERNEL_ANY, run}, {0}};
