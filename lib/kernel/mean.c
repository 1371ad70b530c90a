/* Mean: the sum of all inputs divided by their number, element by element. */
#include "kernel/elementwise.h"

static const char *add(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind != NUMBER_REAL)
        return "only real numbers have a mean";
    result->d = a.d + b.d;
    return NULL;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = elementwise_all(call, add, error);
    if (status != OPSHIFT_OK || call->input_count == 1)
        return status;
    struct tensor *sum = call->outputs[0];
    const struct number_type *type = number_type(sum->type);
    status = kernel_work(call, sum->count, STEPS_COMPUTE, error);
    if (status != OPSHIFT_OK)
        return status;
    for (uint64_t at = 0; at < sum->count * type->size; at += type->size) {
        union number value = type->load((char *)sum->data + at);
        value.d /= call->input_count;
        type->store((char *)sum->data + at, value);
    }
    return OPSHIFT_OK;
}

const struct kernel kernel_mean[] = {{"Mean", 1, KERNEL_ANY, run}, {0}};
