/* Reads what a model declares about its inputs and outputs, and checks values against it. */
#include "run/inputs.h"

#include "base/list.h"
#include "base/nearest.h"

#define NAMES_SHOWN 12u

/* ---- declarations ---- */

/* Type of a tensor, or of each tensor in a sequence. */
static void read_tensor_type(struct opshift_model *model, const Onnx__TypeProto__Tensor *tensor,
                             struct declared_type *declared)
{
    if (declared->kind == VALUE_ABSENT)
        declared->kind = VALUE_TENSOR;
    if (tensor->elem_type > 0 && tensor->elem_type < OPSHIFT_TYPE_COUNT)
        declared->type = (enum opshift_type)tensor->elem_type;
    if (tensor->shape == NULL || tensor->shape->n_dim > TENSOR_RANK_MAX)
        return;
    declared->rank = (int32_t)tensor->shape->n_dim;
    for (size_t i = 0; i < tensor->shape->n_dim; i++) {
        const Onnx__TensorShapeProto__Dimension *dim = tensor->shape->dim[i];
        declared->dims[i] = -1;
        declared->params[i] = NAME_NONE;
        if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE && dim->dim_value >= 0)
            declared->dims[i] = dim->dim_value;
        else if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM && dim->dim_param.len > 0)
            declared->params[i] = names_add(model->names, dim->dim_param.data, dim->dim_param.len);
    }
}

static void read_type(struct opshift_model *model, const Onnx__TypeProto *type, struct declared_type *declared)
{
    /* The deepest supported type is optional(seq(tensor)). */
    for (unsigned depth = 0; type != NULL && depth < 3; depth++) {
        switch (type->value_case) {
        case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE:
            read_tensor_type(model, type->tensor_type, declared);
            return;
        case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
            declared->kind = VALUE_SEQUENCE;
            type = type->sequence_type->elem_type;
            break;
        case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
            declared->optional = true;
            type = type->optional_type->elem_type;
            break;
        default:
            return;
        }
    }
}

enum opshift_status declared_read(struct opshift_model *model, const struct value_info *info,
                                  struct declared_type *declared, struct opshift_error *error)
{
    Onnx__ValueInfoProto *message = NULL;
    struct arena *arena = arena_new(0);
    *declared = (struct declared_type){.rank = -1};
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status =
        range_decode(model, info->range, &onnx__value_info_proto__descriptor, arena, &message, error);
    if (status == OPSHIFT_OK)
        read_type(model, message->type, declared);
    arena_free(arena);
    return status;
}

bool *inputs_defaults(const struct opshift_model *model, struct arena *arena)
{
    bool *defaults = arena_alloc(arena, names_count(model->names), sizeof(*defaults));
    for (uint32_t i = 0; defaults != NULL && i < model->main->initializer_count; i++)
        defaults[model->main->initializers[i].name] = true;
    return defaults;
}

/* ---- symbolic dims ---- */

const struct dim_size *sizes_find(const struct sizes *bindings, name_id name)
{
    uint64_t hash = table_hash(&bindings->table, &name, sizeof(name));
    for (uint32_t at = 0, item; (item = table_next(&bindings->table, hash, &at)) != TABLE_NONE;)
        if (bindings->items[item].name == name)
            return &bindings->items[item];
    return NULL;
}

bool sizes_add(struct sizes *bindings, name_id name, int64_t size, const char *by)
{
    bindings->table.arena = bindings->arena;
    if (!table_reserve(&bindings->table, 1))
        return false;
    if (!arena_list_grow(bindings->arena, &bindings->items, bindings->count, &bindings->room, sizeof(*bindings->items)))
        return false;
    table_put(&bindings->table, table_hash(&bindings->table, &name, sizeof(name)), (uint32_t)bindings->count);
    bindings->items[bindings->count++] = (struct dim_size){.name = name, .size = size, .by = by};
    return true;
}

static const char *shape_text(struct arena *arena, uint32_t rank, const int64_t *dims)
{
    const char *text = "";
    for (uint32_t i = 0; i < rank && text != NULL; i++)
        text = arena_print(arena, "%s%s%lld", text, i > 0 ? "," : "", (long long)dims[i]);
    return text == NULL ? "?" : text;
}

static enum opshift_status check_dims(struct opshift_model *model, const char *name,
                                      const struct declared_type *declared, const struct tensor *tensor,
                                      struct sizes *bindings, struct opshift_error *error)
{
    const char *shape = shape_text(bindings->arena, tensor->rank, tensor->dims);
    if (declared->rank >= 0 && (uint32_t)declared->rank != tensor->rank)
        return opshift_fail(error, OPSHIFT_USAGE, "input '%s' has the shape [%s], but the model declares %d dims", name,
                            shape, (int)declared->rank);
    for (int32_t i = 0; i < declared->rank; i++) {
        const struct dim_size *bound = sizes_find(bindings, declared->params[i]);
        if (declared->dims[i] >= 0 && declared->dims[i] != tensor->dims[i])
            return opshift_fail(error, OPSHIFT_USAGE,
                                "input '%s' has the shape [%s], but the model declares %lld for dim %d", name, shape,
                                (long long)declared->dims[i], (int)i);
        if (declared->params[i] == NAME_NONE)
            continue;
        if (bound == NULL && !sizes_add(bindings, declared->params[i], tensor->dims[i], name))
            return opshift_no_memory(error);
        if (bound != NULL && bound->size != tensor->dims[i])
            return opshift_fail(error, OPSHIFT_USAGE,
                                "input '%s' has the shape [%s], but dim %d is '%s', which is %lld by %s%s%s", name,
                                shape, (int)i, names_text(model->names, declared->params[i]), (long long)bound->size,
                                bound->by == NULL ? "--shape" : "input '", bound->by == NULL ? "" : bound->by,
                                bound->by == NULL ? "" : "'");
    }
    return OPSHIFT_OK;
}

enum opshift_status inputs_check(struct opshift_model *model, const char *name, const struct declared_type *declared,
                                 const struct value *value, struct sizes *bindings, struct opshift_error *error)
{
    if (declared->kind == VALUE_ABSENT)
        return OPSHIFT_OK;
    if (value->kind == VALUE_NONE && declared->optional)
        return OPSHIFT_OK;
    if (value->kind != declared->kind)
        return opshift_fail(error, OPSHIFT_USAGE, "input '%s' is %s, but the model declares %s", name,
                            value_kind_name(value->kind), value_kind_name(declared->kind));
    enum opshift_type type = value->kind == VALUE_TENSOR ? value->tensor->type : value->sequence->type;
    if (declared->type != OPSHIFT_TYPE_UNDEFINED && type != OPSHIFT_TYPE_UNDEFINED && type != declared->type)
        return opshift_fail(error, OPSHIFT_USAGE, "input '%s' is %s, but the model declares %s", name, type_name(type),
                            type_name(declared->type));
    return value->kind == VALUE_TENSOR && !bindings->ignored
               ? check_dims(model, name, declared, value->tensor, bindings, error)
               : OPSHIFT_OK;
}

/* ---- names ---- */

const char *inputs_hint(struct opshift_model *model, struct arena *arena, const char *name)
{
    const struct graph *graph = model->main;
    const char *list = "";
    struct nearest nearest;
    nearest_begin(&nearest, name);
    for (uint32_t i = 0; i < graph->input_count; i++) {
        const char *other = names_text(model->names, graph->inputs[i].name);
        nearest_offer(&nearest, other);
        if (i < NAMES_SHOWN && list != NULL)
            list = arena_print(arena, "%s%s'%s'", list, i > 0 ? ", " : "", other);
    }
    const char *hint = nearest.best != NULL      ? arena_print(arena, "; did you mean '%s'?", nearest.best)
                       : graph->input_count == 0 ? "; it has none"
                       : list == NULL
                           ? ""
                           : arena_print(arena, "; it has %s%s", list, graph->input_count > NAMES_SHOWN ? ", ..." : "");
    return hint == NULL ? "" : hint;
}
