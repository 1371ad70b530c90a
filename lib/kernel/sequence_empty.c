/* SequenceEmpty: a sequence of nothing yet. */
#include "kernel/sequence.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t type = OPSHIFT_TYPE_FLOAT;
    enum opshift_status status = sequence_arity(call, 0, 0, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "dtype", &type, error);
    if (status != OPSHIFT_OK)
        return status;
    if (type <= OPSHIFT_TYPE_UNDEFINED || type >= OPSHIFT_TYPE_COUNT)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'dtype' is %lld, which is no element type",
                            (long long)type);
    return kernel_sequence_result(call, 0, (enum opshift_type)type, NULL, 0, error);
}

const struct kernel kernel_sequence_empty[] = {{"SequenceEmpty", 11, KERNEL_ANY, run}, {0}};
