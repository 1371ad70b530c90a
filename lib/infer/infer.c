/* Helpers for inference rules: safe access to attributes, creation and comparison of shapes. */
#include "infer/frame.h"
#include "infer/result.h"

#include <string.h>

const struct value_type type_unknown = {.rank = -1};

struct opshift_error *inference_error(const struct inference *inference)
{
    return inference->status == OPSHIFT_OK ? inference->error : NULL;
}

bool inference_goes_on(struct inference *inference, enum opshift_status status)
{
    if (status == OPSHIFT_OK)
        return true;
    if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED)
        error_forget(inference_error(inference));
    else if (inference->status == OPSHIFT_OK)
        inference->status = status;
    return false;
}

void *inference_alloc(struct inference *inference, size_t count, size_t size)
{
    void *memory = arena_alloc(inference->arena, count > 0 ? count : 1, size);
    if (memory == NULL && inference->status == OPSHIFT_OK)
        inference->status = opshift_no_memory(inference->error);
    return memory;
}

bool inference_has_input(const struct inference *inference, uint32_t position)
{
    return position < inference->node->input_count && node_inputs(inference->node)[position] != NAME_NONE;
}

/* ---- attributes ---- */

const struct attribute_range *inference_attributes(struct inference *inference, size_t *count)
{
    struct attribute_list *list = &inference->operation.attributes;
    if (!list->read && list->node) {
        if (!inference_goes_on(inference, attribute_list_read(list, inference_error(inference))))
            list->count = 0;
        list->read = true;
        frame_resolve(inference, list->ranges, &list->count);
    }
    *count = list->count;
    return list->ranges;
}

enum setting_state attribute_ints(const struct inference *inference, enum attribute_id id, const int64_t **values,
                                  size_t *count)
{
    struct int_list list;
    enum setting_state state = operation_ints(&inference->operation, id, &list);
    if (state >= SETTING_DEFAULT) {
        *values = list.values;
        *count = list.count;
    }
    return state;
}

enum setting_state attribute_type(struct inference *inference, enum attribute_id id, struct value_type *type)
{
    const Onnx__AttributeProto *message;
    enum setting_state state = operation_message(&inference->operation, id, &message);
    if (state == SETTING_GIVEN &&
        !inference_goes_on(inference, type_message_read(inference->model, message->tp, inference->arena, type,
                                                        inference_error(inference))))
        return SETTING_UNKNOWN;
    return state;
}

enum setting_state setting_ints(struct inference *inference, enum attribute_id id, uint32_t position,
                                const int64_t **values, size_t *count)
{
    enum setting_state state = attribute_ints(inference, id, values, count);
    if (state == SETTING_ABSENT && schema_input(inference->operation.schema, position) != NULL)
        return input_ints(inference, position, values, count);
    return state;
}

/* ---- shapes ---- */

const struct value_type *input_ranked(struct inference *inference, uint32_t position)
{
    if (!inference_has_input(inference, position))
        return NULL;
    const struct value_type *type = &inference->inputs[position];
    return type->rank < 0 || type->rank > TENSOR_RANK_MAX ? NULL : input_any(inference, position);
}

const struct value_type *input_any(struct inference *inference, uint32_t position)
{
    if (!inference_has_input(inference, position))
        return NULL;
    const struct value_type *type = &inference->inputs[position];
    const struct value_basis *basis = result_basis(inference->types, inference->numbers[position]);
    inference->basis.rank = inference->basis.rank ? inference->basis.rank : basis->rank;
    inference->basis.shape = inference->basis.shape ? inference->basis.shape : basis->shape;
    return type;
}

bool shape_new(struct inference *inference, struct value_type *type, size_t rank)
{
    if (rank > TENSOR_RANK_MAX)
        return false;
    int64_t *dims = inference_alloc(inference, rank, sizeof(*dims) + sizeof(name_id));
    if (dims == NULL)
        return false;
    for (size_t i = 0; i < rank; i++)
        dims[i] = -1;
    type->rank = (int32_t)rank;
    type->dims = dims;
    type->params = (name_id *)(dims + rank);
    type->is_tensor = true;
    return true;
}

void shape_like(struct value_type *type, const struct value_type *from)
{
    type->rank = from->rank;
    type->dims = from->dims;
    type->params = from->params;
    type->is_tensor = type->is_tensor || from->rank >= 0;
}

void dim_copy(struct value_type *to, size_t at, const struct value_type *from, size_t index)
{
    to->dims[at] = from->dims[index];
    to->params[at] = from->params[index];
}

bool axis_resolve(int64_t axis, size_t rank, size_t *index)
{
    if (axis >= (int64_t)rank || axis < -(int64_t)rank)
        return false;
    *index = (size_t)(axis < 0 ? axis + (int64_t)rank : axis);
    return true;
}

bool shapes_differ(const struct value_type *a, const struct value_type *b)
{
    if (a->rank < 0 || b->rank < 0)
        return false;
    if (a->rank != b->rank)
        return true;
    for (int32_t i = 0; i < a->rank; i++)
        if (a->dims[i] >= 0 && b->dims[i] >= 0 && a->dims[i] != b->dims[i])
            return true;
    return false;
}

int64_t dims_product(const struct value_type *type)
{
    int64_t product = 1;
    for (int32_t i = 0; i < type->rank; i++)
        if (type->dims[i] < 0 || __builtin_mul_overflow(product, type->dims[i], &product))
            return -1;
    return product;
}

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

const char *other_join(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    return begins(a, b) ? a : begins(b, a) ? b : NULL;
}

/* The common part of two types that are no tensors. NULL: nothing. */
static const char *other_agree(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return NULL;
    return begins(a, b) ? b : begins(b, a) ? a : NULL;
}

bool type_agree(struct arena *arena, const struct value_type *a, const struct value_type *b, struct value_type *both)
{
    *both = type_unknown;
    if (a->type == b->type)
        both->type = a->type;
    both->is_tensor = a->is_tensor && b->is_tensor;
    both->other = other_agree(a->other, b->other);
    if (a->element && b->element) {
        struct value_type *element = arena_alloc(arena, 1, sizeof(*element));
        if (element == NULL || !type_agree(arena, a->element, b->element, element))
            return false;
        both->element = element;
    }
    if (a->rank == RANK_EMPTY || b->rank == RANK_EMPTY)
        shape_like(both, a->rank == RANK_EMPTY ? b : a);
    if (a->rank < 0 || a->rank != b->rank || a->rank > TENSOR_RANK_MAX)
        return true;
    both->rank = a->rank;
    both->dims = arena_alloc(arena, (size_t)a->rank + 1, sizeof(*both->dims));
    both->params = arena_alloc(arena, (size_t)a->rank + 1, sizeof(*both->params));
    for (int32_t i = 0; both->dims && both->params && i < a->rank; i++) {
        both->dims[i] = a->dims[i] == b->dims[i] ? a->dims[i] : -1;
        both->params[i] = a->params[i] == b->params[i] ? a->params[i] : NAME_NONE;
    }
    return both->dims && both->params;
}
