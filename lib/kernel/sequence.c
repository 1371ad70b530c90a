/* What the operators on sequences share. */
#include "kernel/sequence.h"

enum opshift_status sequence_arity(const struct kernel_call *call, uint32_t least, uint32_t most,
                                   struct opshift_error *error)
{
    if (call->output_count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "has %u outputs, gives exactly 1", call->output_count);
    if (call->input_count > most)
        return opshift_fail(error, OPSHIFT_MALFORMED, "has %u inputs, takes at most %u at opset %lld",
                            call->input_count, most, (long long)call->opset);
    for (uint32_t i = 0; i < least; i++)
        if (kernel_value(call, i).kind == VALUE_ABSENT)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is required and absent", i);
    return OPSHIFT_OK;
}

enum opshift_status sequence_position(const struct kernel_call *call, uint32_t input, size_t count, size_t *place,
                                      struct opshift_error *error)
{
    struct int_list list;
    enum opshift_status status = kernel_vector(call, kernel_input(call, input), "the position", &list, error);
    if (status != OPSHIFT_OK)
        return status;
    if (list.count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the position has %zu elements, must be a scalar", list.count);
    int64_t value = list.values[0], length = (int64_t)count;
    if (value < -length || value >= length)
        return opshift_fail(error, OPSHIFT_MALFORMED, "position %lld is outside a sequence of %zu", (long long)value,
                            count);
    *place = (size_t)(value < 0 ? value + length : value);
    return OPSHIFT_OK;
}

enum opshift_status sequence_copy(const struct kernel_call *call, uint32_t input, const struct sequence *sequence,
                                  struct value **copy, struct opshift_error *error)
{
    struct holder *holder = kernel_value(call, input).holder;
    enum opshift_status status = kernel_work(call, sequence->count, STEPS_ENTRY * 2, error);
    struct value *items = status == OPSHIFT_OK ? arena_alloc(call->arena, sequence->count + 1, sizeof(*items)) : NULL;
    *copy = items;
    if (status == OPSHIFT_OK && items == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; items != NULL && i < sequence->count; i++) {
        items[i] = sequence->items[i];
        /* What was made with the sequence goes with it; what the caller of the whole run gave stays without this one.
         */
        if (items[i].holder == NULL && holder != NULL && arena_owns(holder_arena(holder), items[i].tensor))
            items[i].holder = holder;
    }
    return status;
}

enum opshift_status sequence_joins(const struct kernel_call *call, uint32_t input, enum opshift_type type,
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
