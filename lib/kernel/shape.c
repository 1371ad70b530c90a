/* Shape: the dims of the input; from opset 15 on those between start and end. */
#include "kernel/support.h"

#include <string.h>

/* A negative place counts from the end; beyond either end is the end. */
static int64_t clamp(int64_t place, int64_t rank)
{
    if (place < 0)
        place = place < -rank ? 0 : place + rank;
    return place > rank ? rank : place;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t start = 0, end = INT64_MAX;
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK && call->opset >= 15)
        status = kernel_int(call, "start", &start, error);
    if (status == OPSHIFT_OK && call->opset >= 15)
        status = kernel_int(call, "end", &end, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    start = clamp(start, input->rank);
    end = clamp(end, input->rank);
    int64_t count = end > start ? end - start : 0;
    status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, 1, &count, error);
    if (status == OPSHIFT_OK && count > 0)
        memcpy(call->outputs[0]->data, input->dims + start, (size_t)count * sizeof(*input->dims));
    return status;
}

const struct kernel kernel_shape[] = {{"Shape", 1, KERNEL_ANY, run}, {0}};
