/* Reads the values of tensors on demand: of initializers and of decoded messages. */
#include <inttypes.h>

#include "model/external.h"
#include "model/fields.h"
#include "model/weights_file.h"
#include "wire/wire.h"

#define LARGE_SIZE (1u << 20) /* larger values are read from the file without decoding the message */

/* Checks the number of elements; invalid dims are reported elsewhere. */
static enum opshift_status elements_check(const struct opshift_model *model, uint64_t rank, const int64_t *dims,
                                          struct opshift_error *error)
{
    uint64_t count = 1, most = model->limits.elements;
    for (uint64_t i = 0; i < rank; i++) {
        if (dims[i] <= 0)
            return OPSHIFT_OK;
        count = count > UINT64_MAX / (uint64_t)dims[i] ? UINT64_MAX : count * (uint64_t)dims[i];
    }
    if (count <= most)
        return OPSHIFT_OK;
    return opshift_fail(
        error, OPSHIFT_UNSUPPORTED,
        "a tensor of more than %" PRIu64 " elements; if the file is to be trusted, raise the limit 'elements'", most);
}

static enum opshift_status tensor_read_external(struct opshift_model *model, const Onnx__TensorProto *message,
                                                struct arena *arena, struct tensor **tensor,
                                                struct opshift_error *error)
{
    char location[EXTERNAL_LOCATION_SIZE];
    struct weight_part part;
    enum opshift_status status = OPSHIFT_OK;
    if (model->saved_with == NULL || model->saved_with->weights == NULL)
        return external_read(model->directory, model->external, message, arena, tensor, error);
    status = external_place(message, location, &part.offset, &part.size, error);
    if (status == OPSHIFT_OK && !weights_find(model, location, part.offset, part.size, &part))
        return external_read(model->directory, model->external, message, arena, tensor, error);
    if (status == OPSHIFT_OK)
        status = tensor_new(arena, (enum opshift_type)message->data_type, (uint32_t)message->n_dims, message->dims,
                            tensor, error);
    if (status == OPSHIFT_OK)
        status = weight_part_read(&part, 0, (*tensor)->data, (size_t)part.size, error);
    if (status == OPSHIFT_OK)
        tensor_from_little_endian(*tensor);
    return status;
}

enum opshift_status model_tensor(struct opshift_model *model, const Onnx__TensorProto *message, struct arena *arena,
                                 struct tensor **tensor, struct opshift_error *error)
{
    enum opshift_status status = elements_check(model, message->n_dims, message->dims, error);
    if (status)
        return status;
    if (message->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return tensor_read_external(model, message, arena, tensor, error);
    return tensor_decode(arena, message, tensor, error);
}

/* The size of the value by its dims; for strings the size of the record. */
static uint64_t value_size(const struct initializer *initializer)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < initializer->rank; i++) {
        if (initializer->dims[i] <= 0)
            return 0; /* empty, or a fault that decoding reports */
        if (count > UINT64_MAX / (uint64_t)initializer->dims[i])
            return UINT64_MAX;
        count *= (uint64_t)initializer->dims[i];
    }
    return initializer->type == OPSHIFT_TYPE_STRING ? range_size(initializer->range)
                                                    : type_size(initializer->type, count);
}

/* Finds raw_data; *present: there is some. *plain: it occurs once, with no fields besides dims, type and name. */
static enum opshift_status find_raw_data(struct opshift_model *model, struct range range, struct range *raw,
                                         bool *present, bool *plain, struct opshift_error *error)
{
    struct wire_cursor cursor = {model->source, range_offset(range), range_end(range)};
    *present = false;
    *plain = true;
    for (;;) {
        struct wire_field field;
        bool found;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        bool is_raw = field.number == TENSOR_RAW && field.type == WIRE_BYTES;
        *plain &= is_raw ? !*present
                         : field.number == TENSOR_DIMS || field.number == TENSOR_TYPE || field.number == TENSOR_NAME;
        if (is_raw) {
            *raw = range_make(field.record, field.offset, field.size);
            *present = true;
        }
    }
}

/* Reads raw_data directly into the tensor. */
static enum opshift_status read_raw(struct opshift_model *model, const struct initializer *initializer,
                                    struct range raw, struct arena *arena, struct tensor **tensor,
                                    struct opshift_error *error)
{
    uint64_t wanted = value_size(initializer);
    if (range_size(raw) != wanted)
        return opshift_fail(error, OPSHIFT_MALFORMED, "raw_data has %" PRIu64 " bytes, but the dims need %" PRIu64,
                            (uint64_t)range_size(raw), wanted);
    enum opshift_status status =
        tensor_new(arena, initializer->type, initializer->rank, initializer->dims, tensor, error);
    if (status == OPSHIFT_OK)
        status = source_read(model->source, range_offset(raw), (*tensor)->data, (size_t)range_size(raw), error);
    if (status == OPSHIFT_OK)
        tensor_from_little_endian(*tensor);
    return status;
}

static enum opshift_status dense_tensor(struct opshift_model *model, const struct initializer *initializer,
                                        struct arena *arena, struct tensor **tensor, struct opshift_error *error)
{
    Onnx__TensorProto *message;
    struct range raw = {0};
    bool present = false, plain = false, is_large = range_size(initializer->range) > LARGE_SIZE;
    enum opshift_status status = OPSHIFT_OK;
    bool whole = !initializer->external && initializer->type != OPSHIFT_TYPE_STRING && type_name(initializer->type);
    *tensor = NULL;
    if (whole)
        status = find_raw_data(model, initializer->range, &raw, &present, &plain, error);
    if (status)
        return status;
    /* Faults of small tensors are left to decoding, which has better messages. */
    if (present && (is_large || (plain && range_size(raw) > 0 && range_size(raw) == value_size(initializer))))
        return read_raw(model, initializer, raw, arena, tensor, error);
    status = range_decode(model, initializer->range, &onnx__tensor_proto__descriptor, arena, &message, error);
    return status ? status : model_tensor(model, message, arena, tensor, error);
}

static enum opshift_status sparse_tensor(struct opshift_model *model, const struct initializer *initializer,
                                         struct arena *arena, struct tensor **tensor, struct opshift_error *error)
{
    Onnx__SparseTensorProto *message;
    enum opshift_status status =
        range_decode(model, initializer->range, &onnx__sparse_tensor_proto__descriptor, arena, &message, error);
    return status ? status : tensor_decode_sparse(arena, message, tensor, error);
}

enum opshift_status initializer_tensor(struct opshift_model *model, const struct initializer *initializer,
                                       uint64_t limit, struct arena *arena, struct tensor **tensor,
                                       struct opshift_error *error)
{
    enum opshift_status status = elements_check(model, initializer->rank, initializer->dims, error);
    uint64_t size = value_size(initializer);
    if (status == OPSHIFT_OK && limit > 0 && size > limit)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "has %" PRIu64 " bytes; at most %" PRIu64 " are read here",
                              size, limit);
    else if (status == OPSHIFT_OK && initializer->sparse)
        status = sparse_tensor(model, initializer, arena, tensor, error);
    else if (status == OPSHIFT_OK)
        status = dense_tensor(model, initializer, arena, tensor, error);
    return status ? opshift_within(error, status, "initializer '%.80s'", names_text(model->names, initializer->name))
                  : OPSHIFT_OK;
}
