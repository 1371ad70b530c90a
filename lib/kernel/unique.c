/* Unique: the distinct elements of a tensor, or its distinct slices along an axis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/support.h"
#include "model/number.h"

/* Items are slices along an axis, or without an axis single elements. */
struct unique {
    const struct tensor *input;
    const struct number_type *type; /* NULL: strings */
    uint64_t count, outer, inner;   /* number of items; elements before and after the axis */
};

/* An item, or a group of equal items. */
struct unique_item {
    const struct unique *all;
    uint64_t index;       /* of the item; of a group's first item */
    uint64_t first, size; /* of a group: range among the sorted items */
};

/* NaN is last. */
static int compare_numbers(enum number_kind kind, union number a, union number b)
{
    if (kind == NUMBER_REAL && (isnan(a.d) || isnan(b.d)))
        return (isnan(a.d) != 0) - (isnan(b.d) != 0);
    return number_order(kind, a, b);
}

static int compare_texts(struct bytes a, struct bytes b)
{
    size_t shared = a.size < b.size ? a.size : b.size;
    int order = shared == 0 ? 0 : memcmp(a.data, b.data, shared);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_elements(const struct unique *all, uint64_t a, uint64_t b)
{
    if (all->type == NULL)
        return compare_texts(all->input->strings[a], all->input->strings[b]);
    const char *data = all->input->data;
    return compare_numbers(all->type->kind, all->type->load(data + a * all->type->size),
                           all->type->load(data + b * all->type->size));
}

static int compare_items(const struct unique_item *a, const struct unique_item *b)
{
    const struct unique *all = a->all;
    for (uint64_t o = 0; o < all->outer; o++)
        for (uint64_t i = 0; i < all->inner; i++) {
            int order = compare_elements(all, (o * all->count + a->index) * all->inner + i,
                                         (o * all->count + b->index) * all->inner + i);
            if (order != 0)
                return order;
        }
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const struct unique_item *left = a, *right = b;
    int order = compare_items(left, right);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

static int by_index(const void *a, const void *b)
{
    const struct unique_item *left = a, *right = b;
    return (left->index > right->index) - (left->index < right->index);
}

static enum opshift_status start(struct kernel_call *call, struct unique *all, uint32_t *axis, bool *has_axis,
                                 struct opshift_error *error)
{
    int64_t given = kernel_int(call, ATTRIBUTE_AXIS);
    *has_axis = kernel_gives(call, ATTRIBUTE_AXIS);
    enum opshift_status status = OPSHIFT_OK;
    if (*has_axis)
        status = kernel_axis(given, call->inputs[0]->rank, axis, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    *all = (struct unique){input, number_type(input->type), input->count, 1, 1};
    if (all->type == NULL && input->type != OPSHIFT_TYPE_STRING)
        return kernel_no_number(input->type, error);
    for (uint32_t i = 0; i < input->rank && *has_axis; i++)
        *(i < *axis ? &all->outer : i > *axis ? &all->inner : &all->count) *= i == *axis ? 1 : (uint64_t)input->dims[i];
    all->outer = input->count == 0 ? 0 : all->outer; /* empty slices are equal */
    all->count = *has_axis ? (uint64_t)input->dims[*axis] : all->count;
    return OPSHIFT_OK;
}

/* Sorts the items, and forms a group per value, in the requested order. */
static enum opshift_status find_groups(struct kernel_call *call, const struct unique *all, struct unique_item **items,
                                       struct unique_item **groups, uint64_t *count, struct opshift_error *error)
{
    const int64_t room[] = {(int64_t)all->count, 2 * sizeof(**items)};
    int64_t sorted = kernel_int(call, ATTRIBUTE_SORTED);
    uint64_t depth = 1;
    uint64_t size = 0; /* strings are compared byte by byte */
    enum opshift_status status = OPSHIFT_OK;
    for (uint64_t i = 0; all->type == NULL && i < call->inputs[0]->count; i++)
        size += call->inputs[0]->strings[i].size;
    while (all->count >> depth != 0)
        depth++;
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[0]->count + all->count, 2 * depth * STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, size / 8, 2 * depth, error);
    if (status == OPSHIFT_OK)
        status = kernel_room(call, OPSHIFT_TYPE_UINT8, 2, room, error);
    if (status)
        return status;
    *items = arena_alloc(call->arena, all->count + 1, sizeof(**items));
    *groups = arena_alloc(call->arena, all->count + 1, sizeof(**groups));
    if (*items == NULL || *groups == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < all->count; i++)
        (*items)[i] = (struct unique_item){.all = all, .index = i};
    qsort(*items, all->count, sizeof(**items), by_value);
    for (uint64_t i = 0; i < all->count; i++) {
        if (i == 0 || compare_items(&(*items)[i - 1], &(*items)[i]) != 0)
            (*groups)[(*count)++] = (struct unique_item){.all = all, .index = (*items)[i].index, .first = i};
        (*groups)[*count - 1].size++;
    }
    if (sorted == 0)
        qsort(*groups, *count, sizeof(**groups), by_index);
    return OPSHIFT_OK;
}

static enum opshift_status copy_values(struct kernel_call *call, const struct unique *all, bool has_axis, uint32_t axis,
                                       const struct unique_item *groups, uint64_t count, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    int64_t dims[TENSOR_RANK_MAX] = {(int64_t)count};
    for (uint32_t i = 0; i < input->rank && has_axis; i++)
        dims[i] = i == axis ? (int64_t)count : input->dims[i];
    enum opshift_status status = kernel_output(call, 0, input->type, has_axis ? input->rank : 1, dims, error);
    for (uint64_t o = 0; status == OPSHIFT_OK && call->outputs[0]->count > 0 && o < all->outer; o++)
        for (uint64_t i = 0; i < count; i++)
            kernel_copy(call->outputs[0], (o * count + i) * all->inner, input,
                        (o * all->count + groups[i].index) * all->inner, all->inner);
    return status;
}

/* Outputs 1 to 3: first index of each value, value of each item, count of each value. */
static enum opshift_status give_places(struct kernel_call *call, const struct unique *all,
                                       const struct unique_item *items, const struct unique_item *groups,
                                       uint64_t count, struct opshift_error *error)
{
    for (uint32_t k = 1; k < call->output_count; k++) {
        const int64_t dims[] = {(int64_t)(k == 2 ? all->count : count)};
        enum opshift_status status = kernel_output(call, k, OPSHIFT_TYPE_INT64, 1, dims, error);
        if (status)
            return status;
        int64_t *to = call->outputs[k]->data;
        for (uint64_t g = 0; g < count && k != 2; g++)
            to[g] = (int64_t)(k == 1 ? groups[g].index : groups[g].size);
        for (uint64_t g = 0; g < count && k == 2; g++)
            for (uint64_t i = 0; i < groups[g].size; i++)
                to[items[groups[g].first + i].index] = (int64_t)g;
    }
    return OPSHIFT_OK;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct unique all;
    struct unique_item *items = NULL, *groups = NULL;
    uint32_t axis = 0;
    uint64_t count = 0;
    bool has_axis = false;
    enum opshift_status status = start(call, &all, &axis, &has_axis, error);
    if (status == OPSHIFT_OK)
        status = find_groups(call, &all, &items, &groups, &count, error);
    if (status == OPSHIFT_OK)
        status = copy_values(call, &all, has_axis, axis, groups, count, error);
    return status == OPSHIFT_OK ? give_places(call, &all, items, groups, count, error) : status;
}

const struct kernel kernels_unique[] = {{OPERATOR_UNIQUE, 11, KERNEL_ANY, run, {0}}, {0}};
