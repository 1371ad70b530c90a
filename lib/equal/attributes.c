/* The attributes of a node in one form: without defaults, names in order, a function's parameters filled in. */
#include "equal/term.h"

#include <stdlib.h>
#include <string.h>

static const Onnx__AttributeProto *find_parameter(const struct opening *opening, ProtobufCBinaryData name)
{
    for (size_t i = 0; opening != NULL && i < opening->count; i++)
        if (bytes_same(bytes_of(opening->attributes[i]->name), bytes_of(name)))
            return opening->attributes[i];
    return NULL;
}

/* An attribute without graphs, with the value that its function was given. *message NULL: it is absent. */
static enum opshift_status read_one(struct equal_work *work, const struct node_use *use,
                                    const struct attribute_range *range, struct arena *arena,
                                    const Onnx__AttributeProto **message, struct opshift_error *error)
{
    Onnx__AttributeProto *read = NULL;
    enum opshift_status status = attribute_decode(use->side->model, range, arena, &read, error);
    (void)work;
    *message = read;
    if (status == OPSHIFT_OK && read->ref_attr_name.len > 0) {
        const Onnx__AttributeProto *given = find_parameter(use->opening, read->ref_attr_name);
        Onnx__AttributeProto *copy = given == NULL ? NULL : arena_copy(arena, given, sizeof(*given));
        if (given != NULL && copy == NULL)
            return opshift_no_memory(error);
        if (copy != NULL)
            copy->name = read->name;
        *message = copy;
    }
    return status;
}

static enum opshift_status key_tensor_message(struct equal_work *work, const struct node_use *use,
                                              const Onnx__TensorProto *message, struct opshift_error *error)
{
    struct tensor *tensor = NULL;
    enum opshift_status status = model_tensor(use->side->model, message, work->scratch, &tensor, error);
    if (status == OPSHIFT_OK)
        key_tensor(work, tensor);
    return status;
}

static enum opshift_status key_value(struct equal_work *work, const struct node_use *use,
                                     const Onnx__AttributeProto *message, Onnx__AttributeProto__AttributeType type,
                                     struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    key_number(work, type);
    switch (type) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
        key_bytes(work, &message->f, sizeof(message->f));
        return OPSHIFT_OK;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
        key_number(work, (uint64_t)message->i);
        return OPSHIFT_OK;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING:
        key_bytes(work, message->s.data, message->s.len);
        return OPSHIFT_OK;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS:
        key_bytes(work, message->floats, message->n_floats * sizeof(*message->floats));
        return OPSHIFT_OK;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS:
        key_bytes(work, message->ints, message->n_ints * sizeof(*message->ints));
        return OPSHIFT_OK;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS:
        for (size_t i = 0; i < message->n_strings; i++)
            key_bytes(work, message->strings[i].data, message->strings[i].len);
        return OPSHIFT_OK;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR:
        return message->t == NULL ? OPSHIFT_OK : key_tensor_message(work, use, message->t, error);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSORS:
        for (size_t i = 0; i < message->n_tensors && status == OPSHIFT_OK; i++)
            status = key_tensor_message(work, use, message->tensors[i], error);
        return status;
    default:
        break;
    }
    Onnx__AttributeProto plain = *message;
    plain.doc_string = (ProtobufCBinaryData){0, NULL};
    size_t size = onnx__attribute_proto__get_packed_size(&plain);
    uint8_t *packed = arena_alloc(work->scratch, size + 1, 1);
    if (packed == NULL)
        return opshift_no_memory(error);
    key_bytes(work, packed, onnx__attribute_proto__pack(&plain, packed));
    return OPSHIFT_OK;
}

/* An axis is counted from the start, where the rank is known; but the default stays what it is. */
static enum opshift_status axis_turn(const struct equal_work *work, const struct node_use *use,
                                     const struct schema *schema, const struct schema_attribute *known,
                                     const Onnx__AttributeProto **message, struct arena *arena,
                                     struct opshift_error *error)
{
    struct value_type type = {.rank = -1};
    Onnx__AttributeProto *copy = NULL;
    if (schema == NULL || schema->id == OPERATOR_ONE_HOT || use->node->input_count == 0 ||
        attribute_is_default(known, *message))
        return OPSHIFT_OK;
    enum opshift_status status = input_type(work, use, 0, &type, error);
    if (status != OPSHIFT_OK || type.rank < 0 || (*message)->i >= type.rank)
        return status;
    copy = arena_copy(arena, *message, sizeof(**message));
    if (copy == NULL)
        return opshift_no_memory(error);
    copy->i += copy->i < 0 ? type.rank : 0;
    *message = copy;
    if (!attribute_is_default(known, copy)) {
        copy->i -= type.rank;
        copy->i += attribute_is_default(known, copy) ? 0 : type.rank;
    }
    return OPSHIFT_OK;
}

/* Whether a stride and a dilation of 1, or a pad of 0, is all that is said of each spatial axis, as where the attribute
   is absent; pads of it only where auto_pad and output_shape do not make them. */
static enum opshift_status spatial_default(struct equal_work *work, const struct node_use *use, struct bytes name,
                                           const Onnx__AttributeProto *message, bool *same, struct opshift_error *error)
{
    bool pads = bytes_are(name, "pads");
    struct value_type type = {.rank = -1};
    const Onnx__AttributeProto *automatic = NULL, *shape = NULL;
    *same = false;
    if (use->node->input_count == 0 || !(pads || bytes_are(name, "strides") || bytes_are(name, "dilations")))
        return OPSHIFT_OK;
    enum opshift_status status = input_type(work, use, 0, &type, error);
    if (status == OPSHIFT_OK && pads)
        status = use_attribute(work, use, "auto_pad", &automatic, error);
    if (status == OPSHIFT_OK && pads)
        status = use_attribute(work, use, "output_shape", &shape, error);
    if (status || type.rank < 3 || message->n_ints != (pads ? 2 : 1) * (size_t)(type.rank - 2))
        return status;
    *same = shape == NULL && (automatic == NULL || bytes_are(bytes_of(automatic->s), "NOTSET"));
    for (size_t i = 0; i < message->n_ints; i++)
        *same = *same && message->ints[i] == (pads ? 0 : 1);
    return OPSHIFT_OK;
}

struct named_range {
    struct bytes name;
    const struct attribute_range *range;
};

static int by_name(const void *one, const void *other)
{
    const struct named_range *a = one, *b = other;
    size_t size = a->name.size < b->name.size ? a->name.size : b->name.size;
    int order = size == 0 ? 0 : memcmp(a->name.data, b->name.data, size);
    return order != 0 ? order : (a->name.size > b->name.size) - (a->name.size < b->name.size);
}

enum opshift_status key_attributes(struct equal_work *work, const struct node_use *use, const struct schema *schema,
                                   struct opshift_error *error)
{
    struct opshift_model *model = use->side->model;
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    arena_clear(work->scratch);
    enum opshift_status status = node_attributes(model, use->node, work->scratch, &ranges, &count, error);
    struct named_range *sorted = arena_alloc(work->scratch, count + UINT64_C(1), sizeof(*sorted));
    if (status == OPSHIFT_OK && sorted == NULL)
        status = opshift_no_memory(error);
    if (status != OPSHIFT_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct named_range){names_bytes(model->names, ranges[i].name), &ranges[i]};
    qsort(sorted, count, sizeof(*sorted), by_name);
    for (size_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        const Onnx__AttributeProto *message = NULL;
        const struct attribute_range *range = sorted[i].range;
        const struct schema_attribute *known = schema_attribute_named(schema, sorted[i].name);
        if (attribute_is_graph(range->type))
            continue; /* bodies are terms */
        status = read_one(work, use, range, work->scratch, &message, error);
        bool is_axis = bytes_are(sorted[i].name, "axis") && range->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
        if (status == OPSHIFT_OK && message != NULL && is_axis)
            status = axis_turn(work, use, schema, known, &message, work->scratch, error);
        bool same = message != NULL && attribute_is_default(known, message);
        if (status == OPSHIFT_OK && message != NULL && known != NULL && !known->required && !same)
            status = spatial_default(work, use, sorted[i].name, message, &same, error);
        if (status != OPSHIFT_OK || message == NULL || same)
            continue;
        key_bytes(work, sorted[i].name.data, sorted[i].name.size);
        Onnx__AttributeProto__AttributeType type = range->type;
        if (range->reference != NAME_NONE)
            type = message->has_type ? message->type : known ? known->type : type;
        if (status == OPSHIFT_OK)
            status = key_value(work, use, message, type, error);
    }
    return status;
}

enum opshift_status use_attributes(struct equal_work *work, const struct node_use *use, struct arena *arena,
                                   Onnx__AttributeProto ***attributes, size_t *count, struct opshift_error *error)
{
    struct attribute_range *ranges = NULL;
    size_t all = 0;
    enum opshift_status status = node_attributes(use->side->model, use->node, arena, &ranges, &all, error);
    Onnx__AttributeProto **list = *attributes = arena_alloc(arena, all + UINT64_C(1), sizeof(*list));
    *count = 0;
    if (status == OPSHIFT_OK && list == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < all && status == OPSHIFT_OK; i++) {
        const Onnx__AttributeProto *message = NULL;
        status = read_one(work, use, &ranges[i], arena, &message, error);
        if (status == OPSHIFT_OK && message != NULL)
            list[(*count)++] = (Onnx__AttributeProto *)(uintptr_t)message;
    }
    return status;
}

enum opshift_status opening_make(struct equal_work *work, const struct node_use *call, const struct function *function,
                                 const struct opening **made, struct opshift_error *error)
{
    struct opshift_model *model = call->side->model;
    Onnx__AttributeProto **given = NULL;
    size_t count = 0;
    struct opening *opening = arena_alloc(work->arena, 1, sizeof(*opening));
    enum opshift_status status = use_attributes(work, call, work->arena, &given, &count, error);
    Onnx__AttributeProto **all = arena_alloc(work->arena, count + function->default_count + UINT64_C(1), sizeof(*all));
    if (status == OPSHIFT_OK && (opening == NULL || all == NULL))
        status = opshift_no_memory(error);
    if (status != OPSHIFT_OK)
        return status;
    memcpy(all, given, count * sizeof(*all));
    *opening = (struct opening){.attributes = all, .count = count};
    *made = opening;
    for (uint32_t i = 0; i < function->default_count && status == OPSHIFT_OK; i++) {
        Onnx__AttributeProto *value = NULL;
        status =
            range_decode(model, function->defaults[i], &onnx__attribute_proto__descriptor, work->arena, &value, error);
        if (status == OPSHIFT_OK && find_parameter(opening, value->name) == NULL)
            all[opening->count++] = value;
    }
    return status;
}

enum opshift_status use_attribute(struct equal_work *work, const struct node_use *use, const char *name,
                                  const Onnx__AttributeProto **message, struct opshift_error *error)
{
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    *message = NULL;
    enum opshift_status status = node_attributes(use->side->model, use->node, work->scratch, &ranges, &count, error);
    for (size_t i = 0; i < count && status == OPSHIFT_OK && *message == NULL; i++)
        if (bytes_are(names_bytes(use->side->model->names, ranges[i].name), name))
            status = read_one(work, use, &ranges[i], work->scratch, message, error);
    return status;
}

enum opshift_status use_int(struct equal_work *work, const struct node_use *use, const char *name, int64_t *value,
                            struct opshift_error *error)
{
    const Onnx__AttributeProto *message = NULL;
    enum opshift_status status = use_attribute(work, use, name, &message, error);
    if (message != NULL)
        *value = message->i;
    return status;
}

enum opshift_status use_ints(struct equal_work *work, const struct node_use *use, const char *name,
                             const int64_t **values, size_t *count, struct opshift_error *error)
{
    const Onnx__AttributeProto *message = NULL;
    enum opshift_status status = use_attribute(work, use, name, &message, error);
    *values = message == NULL ? NULL : message->ints;
    *count = message == NULL ? SIZE_MAX : message->n_ints;
    return status;
}
