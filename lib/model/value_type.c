/* What a value info declares: a tensor's element type and dims, or which kind of thing else it is. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "model/model.h"
#include "model/seen.h"
#include "wire/wire.h"

/* Schemas have no deeper types; what lies deeper is left unsaid. */
#define OTHER_DEPTH_MAX 8

static void other_write(struct buffer *text, const Onnx__TypeProto *type)
{
    for (unsigned depth = 0; type != NULL && depth < OTHER_DEPTH_MAX; depth++) {
        const char *element;
        switch (type->value_case) {
        case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
            buffer_add_text(text, "seq(");
            type = type->sequence_type->elem_type;
            continue;
        case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
            buffer_add_text(text, "optional(");
            type = type->optional_type->elem_type;
            continue;
        case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE:
            buffer_add_text(text, "tensor(");
            element = type_name((enum opshift_type)type->tensor_type->elem_type);
            if (element != NULL)
                buffer_add_text(text, element);
            for (unsigned close = 0; element != NULL && close <= depth; close++)
                buffer_add_text(text, ")");
            return;
        case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
            buffer_add_text(text, "map(");
            return;
        case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE:
            buffer_add_text(text, "sparse_tensor(");
            return;
        case ONNX__TYPE_PROTO__VALUE_OPAQUE_TYPE:
            buffer_add_text(text, "opaque(");
            return;
        default:
            return;
        }
    }
}

static enum opshift_status other_read(const Onnx__TypeProto *declared, struct arena *arena, struct value_type *type,
                                      struct opshift_error *error)
{
    struct buffer text = {0};
    other_write(&text, declared);
    char *written = buffer_take(&text);
    if (written == NULL)
        return opshift_no_memory(error);
    if (*written != '\0')
        type->other = arena_print(arena, "%s", written);
    bool lost = *written != '\0' && type->other == NULL;
    free(written);
    return lost ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status shape_read(struct opshift_model *model, const Onnx__TensorShapeProto *shape,
                                      struct arena *arena, struct value_type *type, struct opshift_error *error)
{
    if (shape == NULL)
        return OPSHIFT_OK;
    type->rank = (int32_t)shape->n_dim;
    type->dims = arena_alloc(arena, shape->n_dim, sizeof *type->dims);
    type->params = arena_alloc(arena, shape->n_dim, sizeof *type->params);
    if (type->dims == NULL || type->params == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < shape->n_dim; i++) {
        const Onnx__TensorShapeProto__Dimension *dim = shape->dim[i];
        bool known = dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE && dim->dim_value >= 0;
        type->dims[i] = known ? dim->dim_value : -1;
        type->params[i] = NAME_NONE;
        if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
            type->params[i] = names_add(model->names, dim->dim_param.data, dim->dim_param.len);
        if (type->params[i] == NAME_NO_MEMORY)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

static enum opshift_status type_read(struct opshift_model *model, const Onnx__TypeProto *declared, struct arena *arena,
                                     struct value_type *type, struct opshift_error *error)
{
    if (declared == NULL)
        return OPSHIFT_OK;
    if (declared->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
        return other_read(declared, arena, type, error);
    const Onnx__TypeProto__Tensor *tensor = declared->tensor_type;
    type->is_tensor = true;
    if (tensor->elem_type > 0 && tensor->elem_type < OPSHIFT_TYPE_COUNT)
        type->type = (enum opshift_type)tensor->elem_type;
    return shape_read(model, tensor->shape, arena, type, error);
}

static enum opshift_status declared_read(struct opshift_model *model, const struct value_info *value,
                                         struct arena *arena, struct value_type *type, struct opshift_error *error)
{
    Onnx__ValueInfoProto *message;
    if (model->scratch == NULL)
        model->scratch = arena_new(0);
    if (model->scratch == NULL)
        return opshift_no_memory(error);
    arena_clear(model->scratch);
    enum opshift_status status =
        range_decode(model, value->range, &onnx__value_info_proto__descriptor, model->scratch, &message, error);
    return status ? status : type_read(model, message->type, arena, type, error);
}

/* ---- types that were read before: in a model many values have the same --------------------------------------------
 */

#define SEEN_RANK 8

struct seen_type {
    enum opshift_type type;
    int32_t rank;
    int64_t dims[SEEN_RANK];
    name_id params[SEEN_RANK];
};

/* Where the type stands in a ValueInfoProto that says nothing else but its name. Size 0: it is not as plain as that. */
static struct range type_find_plain(struct opshift_model *model, struct range value)
{
    struct wire_cursor cursor = {model->source, range_offset(value), range_end(value)};
    struct range type = {0};
    struct wire_field field;
    for (bool found;;) {
        if (wire_next(&cursor, &field, &found, NULL))
            return (struct range){0};
        if (!found)
            return type;
        if (field.number == 2 && field.type == WIRE_BYTES && type.size == 0)
            type = range_make(field.record, field.offset, field.size);
        else if (field.number != 1)
            return (struct range){0};
    }
}

/* False: it is no such type. */
static bool seen_fill(struct seen_type *seen, const struct value_type *type)
{
    if (!type->is_tensor || type->rank > SEEN_RANK)
        return false;
    seen->type = type->type;
    seen->rank = type->rank;
    for (int32_t i = 0; i < type->rank; i++) {
        seen->dims[i] = type->dims[i];
        seen->params[i] = type->params[i];
    }
    return true;
}

static enum opshift_status seen_give(const struct seen_type *seen, struct arena *arena, struct value_type *type,
                                     struct opshift_error *error)
{
    type->type = seen->type;
    type->rank = seen->rank;
    type->is_tensor = true;
    if (seen->rank < 0)
        return OPSHIFT_OK;
    type->dims = arena_copy(arena, seen->dims, (size_t)seen->rank * sizeof *seen->dims);
    type->params = arena_copy(arena, seen->params, (size_t)seen->rank * sizeof *seen->params);
    return type->dims && type->params ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status value_info_type(struct opshift_model *model, const struct value_info *value, struct arena *arena,
                                    struct value_type *type, struct opshift_error *error)
{
    *type = (struct value_type){.type = OPSHIFT_TYPE_UNDEFINED, .rank = -1};
    if (value->range.size == 0)
        return OPSHIFT_OK;
    struct range range = type_find_plain(model, value->range);
    struct seen_type *seen = NULL;
    bool known = false;
    const uint8_t *bytes = range.size > 0 && range.size <= SEEN_SIZE
                               ? source_window(model->source, range_offset(range), (size_t)range.size, NULL)
                               : NULL;
    if (bytes != NULL)
        seen = seen_value(&model->seen_types, model->arena, sizeof *seen, bytes, range.size, &known);
    if (known)
        return seen_give(seen, arena, type, error);
    enum opshift_status status = declared_read(model, value, arena, type, error);
    if (seen != NULL && (status || !seen_fill(seen, type)))
        seen_forget(seen);
    return status ? opshift_within(error, status, "value '%.80s'", names_text(model->names, value->name)) : OPSHIFT_OK;
}
