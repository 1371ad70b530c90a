/* SequenceErase: a sequence without one of its tensors, the last one or that at a position. */
#include "kernel/sequence.h"

#include <string.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    enum opshift_status status = sequence_arity(call, 1, 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_sequence(call, 0, &sequence, error);
    if (status == OPSHIFT_OK && sequence->count == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the sequence is empty");
    size_t place = status == OPSHIFT_OK ? sequence->count - 1 : 0;
    if (status == OPSHIFT_OK && kernel_value(call, 1).kind != VALUE_ABSENT)
        status = sequence_position(call, 1, sequence->count, &place, error);
    struct value *items = NULL;
    if (status == OPSHIFT_OK)
        status = sequence_copy(call, 0, sequence, &items, error);
    if (status != OPSHIFT_OK)
        return status;
    memmove(items + place, items + place + 1, (sequence->count - place - 1) * sizeof(*items));
    return kernel_sequence_result(call, 0, sequence->type, items, sequence->count - 1, error);
}

const struct kernel kernel_sequence_erase[] = {{"SequenceErase", 11, KERNEL_ANY, run}, {0}};
