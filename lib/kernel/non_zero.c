/* NonZero: the places of all elements that are not 0, a row for each axis. */
#include "kernel/element.h"

#include "kernel/walk.h"

static bool is_zero(const struct tensor *tensor, uint64_t at)
{
    if (tensor->type == OPSHIFT_TYPE_STRING)
        return tensor->strings[at].size == 0;
    union number number = element_load(tensor, at);
    return element_kind(tensor->type) == NUMBER_REAL ? number.d == 0 : number.u == 0;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    int64_t dims[2] = {input->rank, 0}, found = 0;
    struct walk walk;
    if (!element_is_number(input->type) && input->type != OPSHIFT_TYPE_STRING)
        return kernel_no_number(input->type, error);
    status = kernel_work(call, input->count, 2 * (uint64_t)STEPS_MOVE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        dims[1] += !is_zero(input, i);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, 2, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_COMPUTE, error);
    walk_start(&walk, input->rank, input->dims);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++, walk_next(&walk)) {
        if (is_zero(input, i))
            continue;
        for (uint32_t axis = 0; axis < input->rank; axis++)
            ((int64_t *)call->outputs[0]->data)[axis * dims[1] + found] = walk.index[axis];
        found++;
    }
    return status;
}

const struct kernel kernel_non_zero[] = {{"NonZero", 9, KERNEL_ANY, run}, {0}};
