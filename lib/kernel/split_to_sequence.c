/* SplitToSequence: splits a tensor along an axis into a sequence: parts of length 1, chunks, or listed lengths. */
#include "kernel/support.h"
#include "schema/split_cut.h"

/* count chunks of `chunk`, the last one shorter, or listed lengths. */
struct axis_split {
    uint32_t axis;
    int64_t dim, chunk;
    uint64_t count;
    const int64_t *lengths; /* NULL: chunks */
    bool drop_axis;
};

static enum opshift_status cut_by_list(const struct int_list *list, struct axis_split *cut, struct opshift_error *error)
{
    int64_t sum = 0;
    if (list->count == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the list of lengths is empty");
    for (size_t i = 0; i < list->count; i++) {
        if (list->values[i] < 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "length %zu is %lld, below 0", i, (long long)list->values[i]);
        if (list->values[i] > INT64_MAX - sum)
            return opshift_fail(error, OPSHIFT_MALFORMED, "the sum of the lengths overflows at length %zu", i);
        sum += list->values[i];
    }
    if (sum != cut->dim)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the lengths sum to %lld, axis %u has %lld", (long long)sum,
                            cut->axis, (long long)cut->dim);
    cut->lengths = list->values;
    cut->count = list->count;
    return OPSHIFT_OK;
}

/* keepdims applies only without lengths; each part then has length 1. */
static enum opshift_status find_cut(const struct kernel_call *call, struct axis_split *cut, struct opshift_error *error)
{
    const struct tensor *split = kernel_input(call, 1);
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS), keep = kernel_int(call, ATTRIBUTE_KEEPDIMS);
    struct int_list list;
    enum opshift_status status = kernel_axis(axis, call->inputs[0]->rank, &cut->axis, error);
    if (status == OPSHIFT_OK)
        status = kernel_vector(call, split, "the list of lengths", &list, error);
    if (status)
        return status;
    cut->dim = call->inputs[0]->dims[cut->axis];
    cut->chunk = 1;
    cut->drop_axis = split == NULL && keep == 0;
    if (split != NULL && split->rank == 1)
        return cut_by_list(&list, cut, error);
    if (split != NULL)
        cut->chunk = list.values[0];
    if (cut->chunk <= 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the length of the parts is %lld, must be above 0",
                            (long long)cut->chunk);
    cut->count = (uint64_t)split_chunk(cut->dim, cut->chunk);
    return OPSHIFT_OK;
}

/* Copies `length` elements along the axis from `start` on, so that the part outlives the input. */
static enum opshift_status copy_part(struct kernel_call *call, const struct axis_split *cut, int64_t start,
                                     int64_t length, struct tensor **part, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    uint64_t outer = 1, inner = 1;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank = 0;
    for (uint32_t i = 0; i < input->rank; i++) {
        if (i != cut->axis || !cut->drop_axis)
            dims[rank++] = i == cut->axis ? length : input->dims[i];
        if (i != cut->axis)
            *(i < cut->axis ? &outer : &inner) *= (uint64_t)input->dims[i];
    }
    enum opshift_status status = kernel_tensor(call, input->type, rank, dims, part, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, (*part)->count == 0 ? 0 : outer, STEPS_MOVE, error);
    uint64_t block = (uint64_t)length * inner;
    for (uint64_t at = 0; status == OPSHIFT_OK && at < outer && block > 0; at++)
        kernel_copy(*part, at * block, input, at * (uint64_t)cut->dim * inner + (uint64_t)start * inner, block);
    return status ? status : kernel_texts_copy(call->arena, *part, error);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct axis_split cut = {0};
    enum opshift_status status = kernel_attributes_known(call, error);
    if (status == OPSHIFT_OK && call->operation.opset < 24 && call->inputs[0]->type == OPSHIFT_TYPE_BFLOAT16)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the input is bfloat16, which is not allowed at opset %lld",
                            (long long)call->operation.opset);
    if (status == OPSHIFT_OK)
        status = find_cut(call, &cut, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, cut.count, STEPS_ITEM, error);
    if (status)
        return status;
    struct value *items = arena_alloc(call->arena, cut.count + 1, sizeof(*items));
    if (items == NULL)
        return opshift_no_memory(error);
    int64_t start = 0;
    for (uint64_t i = 0; i < cut.count && status == OPSHIFT_OK; i++) {
        int64_t rest = cut.dim - start, length = cut.lengths != NULL ? cut.lengths[i]
                                                 : cut.chunk < rest  ? cut.chunk
                                                                     : rest;
        struct tensor *part = NULL;
        status = copy_part(call, &cut, start, length, &part, error);
        items[i] = value_of(part);
        start += length;
    }
    if (status)
        return status;
    return kernel_sequence_result(call, 0, call->inputs[0]->type, items, cut.count, error);
}

const struct kernel kernels_split_to_sequence[] = {{OPERATOR_SPLIT_TO_SEQUENCE, 11, KERNEL_ANY, run, {0}}, {0}};
