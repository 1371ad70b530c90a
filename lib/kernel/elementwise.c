/* Operators that combine the elements of two tensors one by one, stretched to a common shape. */
#include "kernel/elementwise.h"

#include "kernel/walk.h"

/* Output 0 becomes a and b combined. */
static enum opshift_status combine_pair(struct kernel_call *call, elementwise_combine *combine, const struct tensor *a,
                                        const struct tensor *b, struct opshift_error *error)
{
    const struct number_type *type = number_type(a->type);
    const struct tensor *pair[] = {a, b};
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank;
    struct walk walk;
    enum opshift_status status = walk_common_shape(call, pair, 2, &rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, a->type, rank, dims, error);
    if (status != OPSHIFT_OK)
        return status;
    walk_start(&walk, rank, dims);
    walk_broadcast(&walk, 0, a);
    walk_broadcast(&walk, 1, b);
    for (uint64_t i = 0; i < call->outputs[0]->count; i++, walk_next(&walk)) {
        union number result;
        const char *wrong = combine(type->kind, type->load((char *)a->data + walk.at[0] * type->size),
                                    type->load((char *)b->data + walk.at[1] * type->size), &result);
        if (wrong != NULL)
            return opshift_fail(error, OPSHIFT_MALFORMED, "%s at element %llu", wrong, (unsigned long long)i);
        type->store((char *)call->outputs[0]->data + i * type->size, result);
    }
    return OPSHIFT_OK;
}

/* The inputs are numbers of one type. */
static enum opshift_status check_types(const struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_type first = call->inputs[0]->type;
    if (number_type(first) == NULL || first == OPSHIFT_TYPE_BOOL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "elements of type %s are not computed with", type_name(first));
    for (uint32_t i = 1; i < call->input_count; i++) {
        if (call->inputs[i] == NULL)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is required and absent", i);
        if (call->inputs[i]->type != first)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, must be %s as input 0", i,
                                type_name(call->inputs[i]->type), type_name(first));
    }
    return OPSHIFT_OK;
}

enum opshift_status elementwise_two(struct kernel_call *call, elementwise_combine *combine, struct opshift_error *error)
{
    enum opshift_status status = kernel_arity(call, 2, 2, error);
    return status == OPSHIFT_OK ? elementwise_all(call, combine, error) : status;
}

enum opshift_status elementwise_all(struct kernel_call *call, elementwise_combine *combine, struct opshift_error *error)
{
    enum opshift_status status = kernel_arity(call, 1, UINT32_MAX, error);
    if (status == OPSHIFT_OK)
        status = check_types(call, error);
    if (status == OPSHIFT_OK && call->input_count == 1)
        return kernel_view(call, call->inputs[0], call->inputs[0]->rank, call->inputs[0]->dims, error);
    for (uint32_t i = 1; i < call->input_count && status == OPSHIFT_OK; i++)
        status = combine_pair(call, combine, i == 1 ? call->inputs[0] : call->outputs[0], call->inputs[i], error);
    return status;
}
