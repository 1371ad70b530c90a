/* TopK: the largest (or smallest) elements along an axis, sorted, and their indices. */
#include <stdlib.h>

#include "model/number.h"
#include "kernel/support.h"

struct ranked_element {
    union number value;
    int64_t index;
    enum number_kind kind;
    bool largest;
};

static bool is_nan(const struct ranked_element *element)
{
    return element->kind == NUMBER_REAL && element->value.d != element->value.d;
}

/* Best first; ties by lower index. NaN is last, of the largest and of the smallest, so that negating changes nothing.
 */
static int by_rank(const void *left, const void *right)
{
    const struct ranked_element *a = left, *b = right;
    int order = is_nan(a) || is_nan(b) ? 0 : number_order(a->kind, a->value, b->value);
    if (is_nan(a) != is_nan(b))
        return is_nan(a) - is_nan(b);
    if (order == 0)
        return (a->index > b->index) - (a->index < b->index);
    return a->largest ? -order : order;
}

static enum opshift_status find_count(const struct kernel_call *call, int64_t *count, struct opshift_error *error)
{
    if (kernel_has(call, ATTRIBUTE_K)) {
        *count = kernel_int(call, ATTRIBUTE_K);
        return *count >= 1 ? OPSHIFT_OK
                           : opshift_fail(error, OPSHIFT_MALFORMED, "k is %lld, must be positive below opset 10",
                                          (long long)*count);
    }
    return kernel_whole(call, 1, "the number of elements", count, error);
}

static enum opshift_status pick(struct kernel_call *call, const struct number_type *type, uint32_t axis, int64_t count,
                                bool largest, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    uint64_t length = (uint64_t)input->dims[axis], inner = 1, rounds = 1;
    if (call->outputs[0]->count == 0)
        return OPSHIFT_OK;
    while (length >> rounds > 0)
        rounds++;
    enum opshift_status status = kernel_work(call, input->count, rounds * STEPS_MOVE, error);
    if (status)
        return status;
    struct ranked_element *entries = arena_alloc(call->arena, length + 1, sizeof(*entries));
    if (entries == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = axis + 1; i < input->rank; i++)
        inner *= (uint64_t)input->dims[i];
    for (uint64_t line = 0; length > 0 && line < input->count / length; line++) {
        uint64_t from = line / inner * inner * length + line % inner;
        uint64_t to = line / inner * inner * (uint64_t)count + line % inner;
        for (uint64_t i = 0; i < length; i++)
            entries[i] =
                (struct ranked_element){type->load((const char *)input->data + (from + i * inner) * type->size),
                                        (int64_t)i, type->kind, largest};
        qsort(entries, length, sizeof(*entries), by_rank);
        for (uint64_t i = 0; i < (uint64_t)count; i++) {
            type->store((char *)call->outputs[0]->data + (to + i * inner) * type->size, entries[i].value);
            ((int64_t *)call->outputs[1]->data)[to + i * inner] = entries[i].index;
        }
    }
    return OPSHIFT_OK;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS),
            largest = !kernel_has(call, ATTRIBUTE_LARGEST) || kernel_int(call, ATTRIBUTE_LARGEST), count = 0,
            dims[TENSOR_RANK_MAX];
    uint32_t place = 0;
    if (call->defined && kernel_has(call, ATTRIBUTE_SORTED) && kernel_int(call, ATTRIBUTE_SORTED) == 0)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the order of the elements is not defined where 'sorted' is 0");
    enum opshift_status status = find_count(call, &count, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    if (count < 0 || count > input->dims[place])
        return opshift_fail(error, OPSHIFT_MALFORMED, "%lld elements are asked for, axis %u has %lld", (long long)count,
                            place, (long long)input->dims[place]);
    for (uint32_t i = 0; i < input->rank; i++)
        dims[i] = i == place ? count : input->dims[i];
    status = kernel_output(call, 0, input->type, input->rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 1, OPSHIFT_TYPE_INT64, input->rank, dims, error);
    return status == OPSHIFT_OK ? pick(call, type, place, count, largest != 0, error) : status;
}

const struct kernel kernels_top_k[] = {{OPERATOR_TOPK, 1, KERNEL_ANY, run, {0}}, {0}};
