/* The public value API: creation, access, and collections by name. */
#include "run/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

enum opshift_status value_new(struct opshift_value **value, struct opshift_error *error)
{
    struct opshift_value *made = calloc(1, sizeof(*made));
    *value = NULL;
    if (made != NULL)
        made->arena = arena_new(0);
    if (made == NULL || made->arena == NULL) {
        free(made);
        return opshift_no_memory(error);
    }
    *value = made;
    return OPSHIFT_OK;
}

void opshift_value_free(struct opshift_value *value)
{
    if (value == NULL)
        return;
    arena_free(value->arena);
    free(value);
}

void value_set_tensor(struct opshift_value *value, struct tensor *tensor)
{
    value->value = value_of(tensor);
}

enum opshift_status value_set_sequence(struct opshift_value *value, enum opshift_type type,
                                       struct tensor *const *tensors, size_t count, struct opshift_error *error)
{
    struct sequence *sequence = arena_alloc(value->arena, 1, sizeof(*sequence));
    struct value *items = arena_alloc(value->arena, count + 1, sizeof(*items));
    value->items = arena_alloc(value->arena, count + 1, sizeof(*value->items));
    if (sequence == NULL || items == NULL || value->items == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (type == OPSHIFT_TYPE_UNDEFINED)
            type = tensors[i]->type;
        if (tensors[i]->type != type)
            return opshift_fail(error, OPSHIFT_USAGE, "tensor %zu of the sequence is %s, must be %s", i,
                                type_name(tensors[i]->type), type_name(type));
        items[i] = value_of(tensors[i]);
        value->items[i].value = items[i];
    }
    *sequence = (struct sequence){.type = type, .count = count, .items = items};
    value->value = (struct value){.kind = VALUE_SEQUENCE, .sequence = sequence};
    return OPSHIFT_OK;
}

void value_set_nothing(struct opshift_value *value)
{
    value->value = (struct value){.kind = VALUE_NONE};
}

enum opshift_status value_set(struct opshift_value *value, const struct value *made, struct opshift_error *error)
{
    value->value = *made;
    if (made->kind != VALUE_SEQUENCE)
        return OPSHIFT_OK;
    struct tensor **tensors = arena_alloc(value->arena, made->sequence->count + 1, sizeof(*tensors));
    if (tensors == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < made->sequence->count; i++)
        tensors[i] = (struct tensor *)made->sequence->items[i].tensor;
    return value_set_sequence(value, made->sequence->type, tensors, made->sequence->count, error);
}

static enum opshift_status copy_sequence(struct opshift_value *value, const struct sequence *from,
                                         struct opshift_error *error)
{
    struct tensor **tensors = arena_alloc(value->arena, from->count + 1, sizeof(struct tensor *));
    enum opshift_status status = tensors == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    for (size_t i = 0; i < from->count && status == OPSHIFT_OK; i++)
        status = tensor_copy(value->arena, from->items[i].tensor, &tensors[i], error);
    return status == OPSHIFT_OK ? value_set_sequence(value, from->type, tensors, from->count, error) : status;
}

enum opshift_status value_copy(const struct value *from, struct opshift_value **value, struct opshift_error *error)
{
    struct tensor *tensor = NULL;
    enum opshift_status status = value_new(value, error);
    if (status)
        return status;
    if (from->kind == VALUE_SEQUENCE)
        status = copy_sequence(*value, from->sequence, error);
    else if (from->kind == VALUE_TENSOR)
        status = tensor_copy((*value)->arena, from->tensor, &tensor, error);
    else
        value_set_nothing(*value);
    if (status == OPSHIFT_OK && from->kind == VALUE_TENSOR)
        value_set_tensor(*value, tensor);
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    opshift_value_free(*value);
    *value = NULL;
    return status;
}

enum opshift_status value_move(struct value *from, struct opshift_value **value, struct opshift_error *error)
{
    const struct tensor *tensor = from->tensor;
    struct arena *arena = value_take(from);
    if (arena == NULL)
        return value_copy(from, value, error);
    *value = calloc(1, sizeof(**value));
    if (*value == NULL) {
        arena_free(arena);
        return opshift_no_memory(error);
    }
    **value = (struct opshift_value){.arena = arena, .value = value_of(tensor)};
    return OPSHIFT_OK;
}

/* ---- creation by a caller ---- */

/* The largest element is a complex number of two doubles. */
#define BORROW_ALIGNMENT 16

static enum opshift_status finish(struct opshift_value **value, enum opshift_status status)
{
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    opshift_value_free(*value);
    *value = NULL;
    return status;
}

static enum opshift_status rank_check(size_t rank, struct opshift_error *error)
{
    return rank <= TENSOR_RANK_MAX
               ? OPSHIFT_OK
               : opshift_fail(error, OPSHIFT_UNSUPPORTED, "a tensor of %zu dims; at most %d are possible", rank,
                              TENSOR_RANK_MAX);
}

static enum opshift_status make_tensor(struct opshift_value *value, enum opshift_type type, size_t rank,
                                       const int64_t *dims, struct tensor **tensor, struct opshift_error *error)
{
    enum opshift_status status = rank_check(rank, error);
    if (status == OPSHIFT_OK)
        status = tensor_new(value->arena, type, (uint32_t)rank, dims, tensor, error);
    if (status == OPSHIFT_OK)
        value_set_tensor(value, *tensor);
    return status;
}

/* Is this the size of the tensor's elements? Strings are no bytes. */
static enum opshift_status bytes_check(const struct tensor *tensor, size_t size, struct opshift_error *error)
{
    uint64_t wanted = type_size(tensor->type, tensor->count);
    return wanted == size ? OPSHIFT_OK
                          : opshift_fail(error, OPSHIFT_USAGE, "%zu bytes were given, but the dims need %llu", size,
                                         (unsigned long long)wanted);
}

static enum opshift_status no_strings(enum opshift_type type, struct opshift_error *error)
{
    return type != OPSHIFT_TYPE_STRING
               ? OPSHIFT_OK
               : opshift_fail(error, OPSHIFT_USAGE, "strings are made by opshift_value_strings");
}

enum opshift_status opshift_value_tensor(enum opshift_type type, size_t rank, const int64_t *dims, const void *data,
                                         size_t size, struct opshift_value **value, struct opshift_error *error)
{
    struct tensor *tensor = NULL;
    enum opshift_status status = value_new(value, error);
    if (status)
        return status;
    status = no_strings(type, error);
    if (status == OPSHIFT_OK)
        status = make_tensor(*value, type, rank, dims, &tensor, error);
    if (status == OPSHIFT_OK)
        status = bytes_check(tensor, size, error);
    if (status == OPSHIFT_OK && size > 0)
        memcpy(tensor->data, data, size);
    return finish(value, status);
}

enum opshift_status opshift_value_borrow(enum opshift_type type, size_t rank, const int64_t *dims, const void *data,
                                         size_t size, struct opshift_value **value, struct opshift_error *error)
{
    struct tensor *tensor = NULL;
    enum opshift_status status = value_new(value, error);
    if (status)
        return status;
    status = no_strings(type, error);
    if (status == OPSHIFT_OK && (uintptr_t)data % BORROW_ALIGNMENT != 0)
        status = opshift_fail(error, OPSHIFT_USAGE,
                              "borrowed elements are not aligned to %d bytes; copy them with "
                              "opshift_value_tensor",
                              BORROW_ALIGNMENT);
    if (status == OPSHIFT_OK)
        status = rank_check(rank, error);
    if (status == OPSHIFT_OK)
        status = tensor_over((*value)->arena, type, (uint32_t)rank, dims, (void *)(uintptr_t)data, &tensor, error);
    if (status == OPSHIFT_OK)
        status = bytes_check(tensor, size, error);
    if (status == OPSHIFT_OK)
        value_set_tensor(*value, tensor);
    return finish(value, status);
}

enum opshift_status opshift_value_strings(size_t rank, const int64_t *dims, const char *const *texts,
                                          const size_t *sizes, size_t count, struct opshift_value **value,
                                          struct opshift_error *error)
{
    struct tensor *tensor = NULL;
    enum opshift_status status = value_new(value, error);
    if (status)
        return status;
    status = make_tensor(*value, OPSHIFT_TYPE_STRING, rank, dims, &tensor, error);
    if (status == OPSHIFT_OK && tensor->count != count)
        status = opshift_fail(error, OPSHIFT_USAGE, "%zu strings were given, but the dims need %llu", count,
                              (unsigned long long)tensor->count);
    for (size_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        size_t size = sizes == NULL ? strlen(texts[i]) : sizes[i];
        tensor->strings[i] = (struct bytes){arena_copy((*value)->arena, texts[i], size), size};
        if (tensor->strings[i].data == NULL)
            status = opshift_no_memory(error);
    }
    return finish(value, status);
}

enum opshift_status opshift_value_sequence(enum opshift_type type, const struct opshift_value *const *items,
                                           size_t count, struct opshift_value **value, struct opshift_error *error)
{
    enum opshift_status status = value_new(value, error);
    if (status)
        return status;
    struct tensor **tensors = arena_alloc((*value)->arena, count + 1, sizeof(struct tensor *));
    if (tensors == NULL)
        status = opshift_no_memory(error);
    for (size_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        if (items[i]->value.kind != VALUE_TENSOR)
            status = opshift_fail(error, OPSHIFT_USAGE, "item %zu of the sequence is %s, must be a tensor", i,
                                  value_kind_name(items[i]->value.kind));
        else
            status = tensor_copy((*value)->arena, items[i]->value.tensor, &tensors[i], error);
    }
    if (status == OPSHIFT_OK)
        status = value_set_sequence(*value, type, tensors, count, error);
    return finish(value, status);
}

/* ---- access ---- */

static const struct tensor *tensor_of(const struct opshift_value *value)
{
    return value->value.kind == VALUE_TENSOR ? value->value.tensor : NULL;
}

enum opshift_value_kind opshift_value_kind(const struct opshift_value *value)
{
    switch (value->value.kind) {
    case VALUE_TENSOR:
        return OPSHIFT_VALUE_TENSOR;
    case VALUE_SEQUENCE:
        return OPSHIFT_VALUE_SEQUENCE;
    default:
        return OPSHIFT_VALUE_NOTHING;
    }
}

enum opshift_type opshift_value_type(const struct opshift_value *value)
{
    if (value->value.kind == VALUE_SEQUENCE)
        return value->value.sequence->type;
    return tensor_of(value) == NULL ? OPSHIFT_TYPE_UNDEFINED : tensor_of(value)->type;
}

const char *opshift_type_name(enum opshift_type type)
{
    return type_name(type);
}

size_t opshift_value_rank(const struct opshift_value *value)
{
    return tensor_of(value) == NULL ? 0 : tensor_of(value)->rank;
}

const int64_t *opshift_value_dims(const struct opshift_value *value)
{
    return tensor_of(value) == NULL ? NULL : tensor_of(value)->dims;
}

uint64_t opshift_value_count(const struct opshift_value *value)
{
    if (value->value.kind == VALUE_SEQUENCE)
        return value->value.sequence->count;
    return tensor_of(value) == NULL ? 0 : tensor_of(value)->count;
}

const void *opshift_value_data(const struct opshift_value *value, size_t *size)
{
    const struct tensor *tensor = tensor_of(value);
    bool is_there = tensor != NULL && tensor->type != OPSHIFT_TYPE_STRING;
    if (size != NULL)
        *size = is_there ? (size_t)type_size(tensor->type, tensor->count) : 0;
    return is_there ? tensor->data : NULL;
}

const char *opshift_value_string(const struct opshift_value *value, uint64_t index, size_t *size)
{
    const struct tensor *tensor = tensor_of(value);
    if (tensor == NULL || tensor->type != OPSHIFT_TYPE_STRING || index >= tensor->count)
        return NULL;
    if (size != NULL)
        *size = tensor->strings[index].size;
    return (const char *)tensor->strings[index].data;
}

const struct opshift_value *opshift_value_item(const struct opshift_value *value, uint64_t index)
{
    if (value->value.kind != VALUE_SEQUENCE || index >= value->value.sequence->count)
        return NULL;
    return &value->items[index];
}

/* ---- collections by name ---- */

enum opshift_status opshift_values_new(struct opshift_values **values, struct opshift_error *error)
{
    struct opshift_values *made = calloc(1, sizeof(*made));
    *values = NULL;
    if (made != NULL) {
        made->arena = arena_new(0);
        made->ids = names_new();
    }
    if (made == NULL || made->arena == NULL || made->ids == NULL) {
        opshift_values_free(made);
        return opshift_no_memory(error);
    }
    *values = made;
    return OPSHIFT_OK;
}

void opshift_values_free(struct opshift_values *values)
{
    if (values == NULL)
        return;
    for (size_t i = 0; i < values->count; i++)
        opshift_value_free(values->values[i]);
    free(values->names);
    free(values->values);
    free(values->places);
    names_free(values->ids);
    arena_free(values->arena);
    free(values);
}

static bool make_room(struct opshift_values *values)
{
    uint32_t room = values->room;
    if (!list_grow(&values->names, values->count, &room, sizeof(*values->names)))
        return false;
    return list_grow(&values->values, values->count, &values->room, sizeof(*values->values));
}

/* Extends the table for the id of a new name. False: no memory. */
static bool place_take(struct opshift_values *values, const char *name)
{
    name_id id = names_add(values->ids, name, strlen(name));
    if (id == NAME_NO_MEMORY)
        return false;
    if (id >= values->place_room) {
        size_t room = 2 * (size_t)id + 16;
        size_t *places = realloc(values->places, room * sizeof(*places));
        if (places == NULL)
            return false;
        memset(places + values->place_room, 0, (room - values->place_room) * sizeof(*places));
        values->places = places;
        values->place_room = room;
    }
    values->places[id] = values->count + 1;
    return true;
}

enum opshift_status opshift_values_add(struct opshift_values *values, const char *name, struct opshift_value *value,
                                       struct opshift_error *error)
{
    char *copy = arena_copy(values->arena, name, strlen(name));
    enum opshift_status status = OPSHIFT_OK;
    if (opshift_values_find(values, name) != NULL)
        status = opshift_fail(error, OPSHIFT_USAGE, "'%s' is given twice", name);
    else if (copy == NULL || !make_room(values) || !place_take(values, name))
        status = opshift_no_memory(error);
    if (status) {
        opshift_value_free(value);
        return status;
    }
    values->names[values->count] = copy;
    values->values[values->count++] = value;
    return OPSHIFT_OK;
}

enum opshift_status opshift_values_copy(const struct opshift_values *from, struct opshift_values **values,
                                        struct opshift_error *error)
{
    enum opshift_status status = opshift_values_new(values, error);
    for (size_t i = 0; i < from->count && status == OPSHIFT_OK; i++) {
        struct opshift_value *value = NULL;
        status = value_copy(&from->values[i]->value, &value, error);
        if (status == OPSHIFT_OK)
            status = opshift_values_add(*values, from->names[i], value, error);
    }
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    opshift_values_free(*values);
    *values = NULL;
    return status;
}

size_t opshift_values_count(const struct opshift_values *values)
{
    return values->count;
}

const char *opshift_values_name(const struct opshift_values *values, size_t index)
{
    return index < values->count ? values->names[index] : NULL;
}

const struct opshift_value *opshift_values_at(const struct opshift_values *values, size_t index)
{
    return index < values->count ? values->values[index] : NULL;
}

const struct opshift_value *opshift_values_find(const struct opshift_values *values, const char *name)
{
    name_id id;
    bool known = names_find(values->ids, name, strlen(name), &id) && id < values->place_room;
    return known && values->places[id] > 0 ? values->values[values->places[id] - 1] : NULL;
}
