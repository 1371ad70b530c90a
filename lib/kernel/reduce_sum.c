/* ReduceSum: sums along axes, which are an attribute before opset 13 and an input since. */
#include "model/number.h"
#include "kernel/walk.h"

struct reduction {
    bool chosen[TENSOR_RANK_MAX];
    bool nothing; /* no axes, and that means the input itself */
    int64_t keep;
};

static enum opshift_status find_reduction(const struct kernel_call *call, struct reduction *reduction,
                                          struct opshift_error *error)
{
    struct int_list axes;
    int64_t noop = 0;
    *reduction = (struct reduction){.keep = 1};
    enum opshift_status status = call->opset < 13
                                     ? kernel_ints(call, "axes", &axes, error)
                                     : kernel_vector(call, kernel_input(call, 1), "the list of axes", &axes, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "keepdims", &reduction->keep, error);
    if (status == OPSHIFT_OK && call->opset >= 13)
        status = kernel_int(call, "noop_with_empty_axes", &noop, error);
    if (status == OPSHIFT_OK)
        status = kernel_axes(&axes, call->inputs[0]->rank, reduction->chosen, error);
    reduction->nothing = axes.count == 0 && noop != 0;
    for (uint32_t i = 0; axes.count == 0 && i < call->inputs[0]->rank; i++)
        reduction->chosen[i] = true;
    return status;
}

/* The sum goes round by round into the output, in its own type. */
static void add_elements(struct kernel_call *call, const struct number_type *type, const struct reduction *reduction)
{
    const struct tensor *input = call->inputs[0];
    struct walk walk;
    int64_t stride = 1;
    if (input->count == 0)
        return;
    walk_start(&walk, input->rank, input->dims);
    for (uint32_t i = input->rank; i-- > 0;) {
        walk.strides[0][i] = reduction->chosen[i] ? 0 : stride;
        stride *= reduction->chosen[i] ? 1 : input->dims[i];
    }
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk)) {
        char *sum = (char *)call->outputs[0]->data + walk.at[0] * type->size;
        union number a = type->load(sum), b = type->load((const char *)input->data + i * type->size);
        if (type->kind == NUMBER_REAL)
            a.d += b.d;
        else
            a.u += b.u;
        type->store(sum, a);
    }
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct reduction reduction;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank = 0;
    enum opshift_status status = kernel_arity(call, 1, call->opset < 13 ? 1 : 2, error);
    if (status == OPSHIFT_OK)
        status = find_reduction(call, &reduction, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    if (reduction.nothing)
        return kernel_view(call, input, input->rank, input->dims, error);
    if (type == NULL || type->type == OPSHIFT_TYPE_BOOL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "elements of type %s are not computed with",
                            type_name(input->type));
    for (uint32_t i = 0; i < input->rank; i++) {
        if (!reduction.chosen[i])
            dims[rank++] = input->dims[i];
        else if (reduction.keep != 0)
            dims[rank++] = 1;
    }
    status = kernel_output(call, 0, input->type, rank, dims, error);
    if (status == OPSHIFT_OK)
        add_elements(call, type, &reduction);
    return status;
}

const struct kernel kernel_reduce_sum[] = {{"ReduceSum", 1, KERNEL_ANY, run}, {0}};
