/* SequenceLength: how many tensors a sequence has. */
#include "kernel/sequence.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    enum opshift_status status = sequence_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = kernel_sequence(call, 0, &sequence, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, 0, NULL, error);
    if (status == OPSHIFT_OK)
        *(int64_t *)call->outputs[0]->data = (int64_t)sequence->count;
    return status;
}

const struct kernel kernel_sequence_length[] = {{"SequenceLength", 11, KERNEL_ANY, run}, {0}};
