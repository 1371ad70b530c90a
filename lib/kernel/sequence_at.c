/* SequenceAt: one tensor of a sequence; a negative position counts from the end. */
#include "kernel/sequence.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    size_t place = 0;
    enum opshift_status status = sequence_arity(call, 2, 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_sequence(call, 0, &sequence, error);
    if (status == OPSHIFT_OK)
        status = sequence_position(call, 1, sequence->count, &place, error);
    if (status != OPSHIFT_OK)
        return status;
    /* An item without an owner of its own lives as long as its sequence. */
    struct value item = sequence->items[place];
    if (item.holder == NULL)
        item.holder = kernel_value(call, 0).holder;
    return kernel_result(call, 0, value_keep(item), error);
}

const struct kernel kernel_sequence_at[] = {{"SequenceAt", 11, KERNEL_ANY, run}, {0}};
