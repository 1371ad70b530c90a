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

/* arena NULL: the type is lost with the next one that is read. */
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
    return status ? status : type_read(model, message->type, arena ? arena : model->scratch, type, error);
}

/* ---- types that were read before: in a model many values have the same --------------------------------------------
 */

#define SEEN_RANK 8

/* The type in a ValueInfoProto that says its name, its type and nothing else, each in less than 128 bytes, as nearly
 * all do. Size 0: it is not as plain as that. */
static struct bytes type_find_plain(struct opshift_model *model, struct range value)
{
    enum { NAME = 1 << 3 | WIRE_BYTES, TYPE = 2 << 3 | WIRE_BYTES };
    const struct bytes none = {0};
    size_t size = range_size(value) <= UINT8_MAX ? (size_t)range_size(value) : 0;
    const uint8_t *data = size >= 4 ? source_window(model->source, range_offset(value), size, NULL) : NULL;
    if (data == NULL || data[0] != NAME || data[1] > size - 4)
        return none;
    const uint8_t *type = data + 2 + data[1];
    size -= 4u + data[1];
    return type[0] == TYPE && type[1] == size && size <= SEEN_SIZE ? (struct bytes){type + 2, size} : none;
}

struct seen_type {
    enum { TYPE_UNREAD, TYPE_SHARED, TYPE_ALONE } state;
    struct value_type type;
};

/* Reads a type that others will share: a tensor's, of few dims. It stays alone where it is no such type, or there is no
 * memory. */
static void seen_fill(struct opshift_model *model, const struct value_info *value, struct seen_type *seen)
{
    struct value_type *type = &seen->type, read = {.rank = -1};
    seen->state = TYPE_ALONE;
    if (declared_read(model, value, NULL, &read, NULL) || !read.is_tensor || read.rank > SEEN_RANK)
        return;
    *type = read;
    if (read.rank >= 0) {
        type->dims = arena_copy(model->arena, read.dims, (size_t)read.rank * sizeof *read.dims);
        type->params = arena_copy(model->arena, read.params, (size_t)read.rank * sizeof *read.params);
    }
    if (read.rank < 0 || (type->dims && type->params))
        seen->state = TYPE_SHARED;
}

void *model_seen_type(struct opshift_model *model, struct bytes type, bool *known)
{
    return seen_value(&model->seen_types, model->arena, sizeof(struct seen_type), type.data, type.size, known);
}

const struct value_type *value_info_shared(struct opshift_model *model, const struct value_info *value)
{
    bool known;
    struct seen_type *seen = range_type(value->range)
                                 ? seen_numbered(model->seen_types, range_type(value->range))
                                 : model_seen_type(model, type_find_plain(model, value->range), &known);
    if (seen && seen->state == TYPE_UNREAD)
        seen_fill(model, value, seen);
    return seen && seen->state == TYPE_SHARED ? &seen->type : NULL;
}

void model_types_read(struct opshift_model *model)
{
    bool read[SEEN_NUMBERS + 1] = {true}; /* of those without a number, each is read when somebody asks */
    for (uint32_t i = 0; i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        const struct value_info *lists[] = {graph->inputs, graph->outputs, graph->values};
        uint32_t counts[] = {graph->input_count, graph->output_count, graph->value_count};
        for (size_t list = 0; list < COUNT(lists); list++)
            for (uint32_t k = 0; k < counts[list]; k++) {
                unsigned number = range_type(lists[list][k].range);
                if (!read[number])
                    value_info_shared(model, &lists[list][k]);
                read[number] = true;
            }
    }
}

enum opshift_status value_info_type(struct opshift_model *model, const struct value_info *value, struct arena *arena,
                                    struct value_type *type, struct opshift_error *error)
{
    const struct value_type *shared = value_info_shared(model, value);
    *type = shared ? *shared : (struct value_type){.type = OPSHIFT_TYPE_UNDEFINED, .rank = -1};
    if (shared || range_size(value->range) == 0)
        return OPSHIFT_OK;
    enum opshift_status status = declared_read(model, value, arena, type, error);
    return status ? opshift_within(error, status, "value '%.80s'", names_text(model->names, value->name)) : OPSHIFT_OK;
}
