/* Collects the outputs of a body over its iterations, to stack them into one tensor. */
#include "kernel/gatherings.h"

#include <stdlib.h>

#include "kernel/join.h"

enum opshift_status gathering_add(struct gathering *gathering, struct budget *budget, struct value value,
                                  struct opshift_error *error)
{
    if (value.kind != VALUE_TENSOR) {
        enum value_kind kind = value.kind;
        value_drop(&value);
        return opshift_fail(error, OPSHIFT_MALFORMED, "an output to be stacked is %s, must be a tensor",
                            value_kind_name(kind));
    }
    if (gathering->count == gathering->room) {
        size_t room = gathering->room == 0 ? 16 : gathering->room * 2;
        enum opshift_status status = budget_bytes(budget, (room - gathering->room) * sizeof(*gathering->items), error);
        struct value *items = status == OPSHIFT_OK ? realloc(gathering->items, room * sizeof(*items)) : NULL;
        if (items == NULL) {
            value_drop(&value);
            return status == OPSHIFT_OK ? opshift_no_memory(error) : status;
        }
        gathering->items = items;
        gathering->room = room;
    }
    gathering->items[gathering->count++] = value;
    return OPSHIFT_OK;
}

enum opshift_status gatherings_add(struct gathering *gatherings, uint32_t count, struct budget *budget,
                                   struct value *values, enum opshift_status status, struct opshift_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        if (status == OPSHIFT_OK)
            status = gathering_add(&gatherings[i], budget, values[i], error);
        else
            value_drop(&values[i]);
    }
    return status;
}

/* Rank of items of which there is none: as declared, else the least that fits the axis. */
static uint32_t item_rank(const struct value_type *type, int64_t axis)
{
    int64_t least = axis < 0 ? -(axis + 1) : axis, rank = type->rank < 0 ? least : type->rank;
    return rank < TENSOR_RANK_MAX ? (uint32_t)rank : 0;
}

static enum opshift_status stack_nothing(struct kernel_call *call, uint32_t position, uint32_t body_output,
                                         int64_t axis, struct opshift_error *error)
{
    struct value_type type;
    int64_t dims[TENSOR_RANK_MAX] = {0};
    uint32_t place = 0;
    enum opshift_status status = body_declared(call->running, "body", body_output, call->arena, &type, error);
    if (status)
        return status;
    uint32_t rank = item_rank(&type, axis);
    status = kernel_axis(axis, rank + 1, &place, error);
    if (status)
        return status;
    for (uint32_t i = 0; i <= rank; i++) {
        int64_t dim = i == place || type.rank < 0 ? 0 : type.dims[i < place ? i : i - 1];
        dims[i] = dim < 0 ? 0 : dim;
    }
    enum opshift_type element = type.type == OPSHIFT_TYPE_UNDEFINED ? OPSHIFT_TYPE_FLOAT : type.type;
    return kernel_output(call, position, element, rank + 1, dims, error);
}

enum opshift_status gathering_stack(struct kernel_call *call, uint32_t position, const struct gathering *gathering,
                                    uint32_t body_output, int64_t axis, bool reversed, struct opshift_error *error)
{
    uint32_t place = 0;
    if (call->wanted != NULL && !call->wanted[position])
        return OPSHIFT_OK;
    if (gathering->count == 0)
        return stack_nothing(call, position, body_output, axis, error);
    enum opshift_status status = kernel_axis(axis, gathering->items[0].tensor->rank + 1, &place, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, gathering->count, STEPS_ENTRY, error);
    const struct tensor **tensors = arena_alloc(call->arena, gathering->count, sizeof(*tensors));
    if (status == OPSHIFT_OK && tensors == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < gathering->count; i++)
        tensors[i] = gathering->items[reversed ? gathering->count - 1 - i : i].tensor;
    if (status == OPSHIFT_OK)
        status = join_stacked(call, position, tensors, gathering->count, place, error);
    /* Strings are shared with the items, so they are copied before the items are dropped. */
    if (status)
        return status;
    return kernel_texts_copy(call->arena, call->outputs[position], error);
}

void gatherings_free(struct gathering *gatherings, struct budget *budget, size_t count)
{
    for (size_t i = 0; gatherings != NULL && i < count; i++) {
        values_drop(gatherings[i].items, gatherings[i].count);
        budget_return(budget, gatherings[i].room * sizeof(*gatherings[i].items));
        free(gatherings[i].items);
    }
    free(gatherings);
}
