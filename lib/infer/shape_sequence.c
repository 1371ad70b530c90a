/* Types of sequences and optionals, and of their elements. */
#include "infer/shape.h"

#include <string.h>

/* Maximum length of a nested type's text. */
#define HOLD_TEXT_MAX 64u

bool type_hold(struct arena *arena, struct value_type *type, const char *kind, const struct value_type *element)
{
    const char *inner = element->other;
    if (inner == NULL && element->is_tensor && element->type != OPSHIFT_TYPE_UNDEFINED)
        inner = arena_print(arena, "tensor(%s)", type_name(element->type));
    if (inner == NULL || strlen(inner) > HOLD_TEXT_MAX)
        return false;
    const char *other = arena_print(arena, "%s(%s)", kind, inner);
    struct value_type *held = arena_alloc(arena, 1, sizeof(*held));
    if (other == NULL || held == NULL)
        return false;
    *held = *element;
    *type = (struct value_type){.rank = -1, .other = other, .element = held};
    return true;
}

void type_held(struct value_type *type, const struct value_type *element)
{
    *type = *element;
    if (type->rank == RANK_EMPTY)
        type->rank = -1;
}

/* The element type of an input sequence or optional; NULL: unknown. */
static const struct value_type *input_held(struct inference *inference, uint32_t position)
{
    const struct value_type *type = input_any(inference, position);
    return type ? type->element : NULL;
}

/* The type of an input that is a tensor or a sequence; NULL: unknown. */
static const struct value_type *input_typed(struct inference *inference, uint32_t position)
{
    const struct value_type *type = input_any(inference, position);
    return type && (type->other || (type->is_tensor && type->type != OPSHIFT_TYPE_UNDEFINED)) ? type : NULL;
}

void shape_sequence_construct(struct inference *inference)
{
    struct value_type held = type_unknown;
    for (uint32_t i = 0; i < inference->node->input_count; i++) {
        const struct value_type *input = input_typed(inference, i);
        struct value_type both = held;
        if (input == NULL || (i > 0 && !type_agree(inference->arena, &held, input, &both)))
            return;
        held = i == 0 ? *input : both;
    }
    type_hold(inference->arena, &inference->outputs[0], "seq", &held);
}

void shape_sequence_empty(struct inference *inference)
{
    struct value_type held = {.rank = RANK_EMPTY, .is_tensor = true};
    int64_t type;
    enum setting_state state = operation_int(&inference->operation, ATTRIBUTE_DTYPE, &type);
    type = state == SETTING_ABSENT ? OPSHIFT_TYPE_FLOAT : type;
    if (state == SETTING_UNKNOWN || type <= 0 || type >= OPSHIFT_TYPE_COUNT)
        return;
    held.type = (enum opshift_type)type;
    type_hold(inference->arena, &inference->outputs[0], "seq", &held);
}

/* The sequence type, with the inserted tensor's type joined. */
void shape_sequence_insert(struct inference *inference)
{
    const struct value_type *held = input_held(inference, 0), *more = input_typed(inference, 1);
    struct value_type both;
    if (held && more && type_agree(inference->arena, held, more, &both))
        type_hold(inference->arena, &inference->outputs[0], "seq", &both);
}

void shape_sequence_erase(struct inference *inference)
{
    const struct value_type *held = input_held(inference, 0);
    if (held)
        type_hold(inference->arena, &inference->outputs[0], "seq", held);
}

/* SequenceAt, OptionalGetElement: the element type. Since opset 18 the latter accepts other types unchanged. */
void shape_element(struct inference *inference)
{
    const struct value_type *input = input_any(inference, 0);
    bool plain = input && inference->operation.id == OPERATOR_OPTIONAL_GET_ELEMENT &&
                 (input->is_tensor || (input->other && strncmp(input->other, "optional(", 9) != 0));
    if (input && plain)
        inference->outputs[0] = *input;
    else if (input && input->element)
        type_held(&inference->outputs[0], input->element);
}

void shape_concat_from_sequence(struct inference *inference)
{
    const struct value_type *held = input_held(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t number, fresh;
    size_t axis, from = 0;
    if (held == NULL || held->rank < 0 ||
        operation_int(&inference->operation, ATTRIBUTE_AXIS, &number) < SETTING_DEFAULT ||
        !operation_int(&inference->operation, ATTRIBUTE_NEW_AXIS, &fresh))
        return;
    size_t rank = (size_t)held->rank + (fresh != 0);
    if (!axis_resolve(number, rank, &axis) || !shape_new(inference, output, rank))
        return;
    output->type = held->type;
    for (size_t i = 0; i < rank; i++) {
        if (i != axis)
            dim_copy(output, i, held, from++);
        else
            from += fresh == 0;
    }
}

/* The length of every part; -1: unknown or unequal. */
static int64_t part_length(struct inference *inference, int64_t dim)
{
    const struct value_type *split = input_ranked(inference, 1);
    const int64_t *lengths;
    size_t count;
    if (split == NULL || input_ints(inference, 1, &lengths, &count) < SETTING_DEFAULT || count == 0)
        return -1;
    if (split->rank == 0)
        return lengths[0] > 0 && dim >= 0 && dim % lengths[0] == 0 ? lengths[0] : -1;
    for (size_t i = 1; i < count; i++)
        if (lengths[i] != lengths[0])
            return -1;
    return lengths[0];
}

void shape_split_to_sequence(struct inference *inference)
{
    const struct value_type *data = input_typed(inference, 0);
    struct value_type held = type_unknown;
    int64_t number, keep;
    size_t axis, at = 0;
    if (data == NULL || data->other)
        return;
    held.type = data->type;
    held.is_tensor = true;
    bool one = !inference_has_input(inference, 1);
    if (data->rank >= 0 && operation_int(&inference->operation, ATTRIBUTE_AXIS, &number) &&
        operation_int(&inference->operation, ATTRIBUTE_KEEPDIMS, &keep) &&
        axis_resolve(number, (size_t)data->rank, &axis) &&
        shape_new(inference, &held, (size_t)data->rank - (one && keep == 0)))
        for (size_t i = 0; i < (size_t)data->rank; i++) {
            if (i != axis)
                dim_copy(&held, at++, data, i);
            else if (!one || keep != 0)
                dim_set(&held, at++, one ? 1 : part_length(inference, data->dims[axis]));
        }
    type_hold(inference->arena, &inference->outputs[0], "seq", &held);
}

/* Without an input, the type in the attribute. */
void shape_optional(struct inference *inference)
{
    const struct value_type *input = input_typed(inference, 0);
    struct value_type declared;
    if (input == NULL && !inference_has_input(inference, 0) &&
        attribute_type(inference, ATTRIBUTE_TYPE, &declared) >= SETTING_DEFAULT)
        input = &declared;
    if (input)
        type_hold(inference->arena, &inference->outputs[0], "optional", input);
}
