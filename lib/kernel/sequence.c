/* Operators on sequences and optionals. */
#include "kernel/join.h"

#include <string.h>

static enum opshift_status sequence_position(const struct kernel_call *call, uint32_t input, size_t count,
                                             size_t *place, struct opshift_error *error)
{
    int64_t value = 0, length = (int64_t)count;
    enum opshift_status status = kernel_whole(call, input, "the position", &value, error);
    if (status)
        return status;
    if (value < -length || value >= length)
        return opshift_fail(error, OPSHIFT_MALFORMED, "position %lld is outside a sequence of %zu", (long long)value,
                            count);
    *place = (size_t)(value < 0 ? value + length : value);
    return OPSHIFT_OK;
}

static enum opshift_status sequence_copy(const struct kernel_call *call, const struct sequence *sequence,
                                         struct value **copy, struct opshift_error *error)
{
    struct holder *holder = kernel_value(call, 0).holder;
    enum opshift_status status = kernel_work(call, sequence->count, STEPS_ENTRY * 2, error);
    struct value *items = status == OPSHIFT_OK ? arena_alloc(call->arena, sequence->count + 1, sizeof(*items)) : NULL;
    *copy = items;
    if (status == OPSHIFT_OK && items == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; items != NULL && i < sequence->count; i++) {
        items[i] = sequence->items[i];
        /* Items made with the sequence are freed with it; items given by the run's caller are not. */
        if (items[i].holder == NULL && holder != NULL && arena_owns(holder_arena(holder), items[i].tensor))
            items[i].holder = holder;
    }
    return status;
}

static enum opshift_status sequence_joins(const struct kernel_call *call, uint32_t input, enum opshift_type type,
                                          struct opshift_error *error)
{
    struct value value = kernel_value(call, input);
    if (value.kind != VALUE_TENSOR)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, must be a tensor", input,
                            value_kind_name(value.kind));
    if (type != OPSHIFT_TYPE_UNDEFINED && value.tensor->type != type)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, must be %s as the sequence", input,
                            type_name(value.tensor->type), type_name(type));
    return OPSHIFT_OK;
}

/* SequenceConstruct. */
static enum opshift_status run_construct(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    struct value *items = arena_alloc(call->arena, call->input_count + UINT64_C(1), sizeof(*items));
    if (status == OPSHIFT_OK && items == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < call->input_count && status == OPSHIFT_OK; i++) {
        items[i] = kernel_value(call, i);
        status = sequence_joins(call, i, i == 0 ? OPSHIFT_TYPE_UNDEFINED : items[0].tensor->type, error);
    }
    if (status)
        return status;
    return kernel_sequence_result(call, 0, items[0].tensor->type, items, call->input_count, error);
}

/* SequenceEmpty. */
static enum opshift_status run_empty(struct kernel_call *call, struct opshift_error *error)
{
    int64_t type = kernel_gives(call, ATTRIBUTE_DTYPE) ? kernel_int(call, ATTRIBUTE_DTYPE) : OPSHIFT_TYPE_FLOAT;
    return kernel_sequence_result(call, 0, (enum opshift_type)type, NULL, 0, error);
}

/* SequenceAt; a negative position counts from the end. */
static enum opshift_status run_at(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    size_t place = 0;
    enum opshift_status status = kernel_sequence(call, &sequence, error);
    if (status == OPSHIFT_OK)
        status = sequence_position(call, 1, sequence->count, &place, error);
    if (status)
        return status;
    /* An item without its own holder uses the sequence's. */
    struct value item = sequence->items[place];
    if (item.holder == NULL)
        item.holder = kernel_value(call, 0).holder;
    return kernel_result(call, 0, value_keep(item), error);
}

/* SequenceLength. */
static enum opshift_status run_length(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    enum opshift_status status = kernel_sequence(call, &sequence, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, 0, NULL, error);
    if (status == OPSHIFT_OK)
        *(int64_t *)call->outputs[0]->data = (int64_t)sequence->count;
    return status;
}

/* SequenceInsert: at the end, or before a position. */
static enum opshift_status run_insert(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    enum opshift_status status = kernel_sequence(call, &sequence, error);
    if (status == OPSHIFT_OK)
        status = sequence_joins(call, 1, sequence->count == 0 ? OPSHIFT_TYPE_UNDEFINED : sequence->type, error);
    if (status)
        return status;
    size_t count = sequence->count, place = count;
    /* The position may be one past the last item; negative ones count from the end of the old sequence. */
    if (kernel_value(call, 2).kind != VALUE_ABSENT) {
        int64_t value = 0;
        status = kernel_whole(call, 2, "the position", &value, error);
        if (status == OPSHIFT_OK && value != (int64_t)count)
            status = sequence_position(call, 2, count, &place, error);
    }
    struct value *items = NULL;
    if (status == OPSHIFT_OK)
        status = sequence_copy(call, sequence, &items, error);
    if (status)
        return status;
    memmove(items + place + 1, items + place, (count - place) * sizeof(*items));
    items[place] = kernel_value(call, 1);
    return kernel_sequence_result(call, 0, items[place].tensor->type, items, count + 1, error);
}

/* SequenceErase: the last item, or the one at a position. */
static enum opshift_status run_erase(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    enum opshift_status status = kernel_sequence(call, &sequence, error);
    if (status == OPSHIFT_OK && sequence->count == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the sequence is empty");
    size_t place = status == OPSHIFT_OK ? sequence->count - 1 : 0;
    if (status == OPSHIFT_OK && kernel_value(call, 1).kind != VALUE_ABSENT)
        status = sequence_position(call, 1, sequence->count, &place, error);
    struct value *items = NULL;
    if (status == OPSHIFT_OK)
        status = sequence_copy(call, sequence, &items, error);
    if (status)
        return status;
    memmove(items + place, items + place + 1, (sequence->count - place - 1) * sizeof(*items));
    return kernel_sequence_result(call, 0, sequence->type, items, sequence->count - 1, error);
}

/* ConcatFromSequence. */
static enum opshift_status run_concat(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS), stack = kernel_int(call, ATTRIBUTE_NEW_AXIS);
    uint32_t place = 0;
    enum opshift_status status = kernel_sequence(call, &sequence, error);
    if (status == OPSHIFT_OK && sequence->count == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the sequence is empty");
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, sequence->items[0].tensor->rank + (stack != 0), &place, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, sequence->count, STEPS_ENTRY * 2, error);
    if (status)
        return status;
    const struct tensor **tensors = arena_alloc(call->arena, sequence->count, sizeof(*tensors));
    if (tensors == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < sequence->count; i++)
        tensors[i] = sequence->items[i].tensor;
    return stack != 0 ? join_stacked(call, 0, tensors, sequence->count, place, error)
                      : join_tensors(call, tensors, sequence->count, place, error);
}

/* Optional: its input, or an empty optional. */
static enum opshift_status run_optional(struct kernel_call *call, struct opshift_error *error)
{
    struct value value = kernel_value(call, 0);
    if (value.kind == VALUE_ABSENT)
        value = (struct value){.kind = VALUE_NONE};
    return kernel_result(call, 0, value_keep(value), error);
}

/* OptionalGetElement. */
static enum opshift_status run_get_element(struct kernel_call *call, struct opshift_error *error)
{
    struct value value = kernel_value(call, 0);
    if (value.kind == VALUE_NONE)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the optional holds nothing");
    return kernel_result(call, 0, value_keep(value), error);
}

/* OptionalHasElement. */
static enum opshift_status run_has_element(struct kernel_call *call, struct opshift_error *error)
{
    struct value value = kernel_value(call, 0);
    enum opshift_status status = kernel_output(call, 0, OPSHIFT_TYPE_BOOL, 0, NULL, error);
    if (status == OPSHIFT_OK)
        *(uint8_t *)call->outputs[0]->data = value.kind != VALUE_NONE && value.kind != VALUE_ABSENT;
    return status;
}

const struct kernel kernels_sequence[] = {
    {OPERATOR_CONCAT_FROM_SEQUENCE, 11, KERNEL_ANY, run_concat, {0}},
    {OPERATOR_OPTIONAL, 15, KERNEL_ANY, run_optional, {0}},
    {OPERATOR_OPTIONAL_GET_ELEMENT, 15, KERNEL_ANY, run_get_element, {0}},
    {OPERATOR_OPTIONAL_HAS_ELEMENT, 15, KERNEL_ANY, run_has_element, {0}},
    {OPERATOR_SEQUENCE_AT, 11, KERNEL_ANY, run_at, {0}},
    {OPERATOR_SEQUENCE_CONSTRUCT, 11, KERNEL_ANY, run_construct, {0}},
    {OPERATOR_SEQUENCE_EMPTY, 11, KERNEL_ANY, run_empty, {0}},
    {OPERATOR_SEQUENCE_ERASE, 11, KERNEL_ANY, run_erase, {0}},
    {OPERATOR_SEQUENCE_INSERT, 11, KERNEL_ANY, run_insert, {0}},
    {OPERATOR_SEQUENCE_LENGTH, 11, KERNEL_ANY, run_length, {0}},
    {0},
};
