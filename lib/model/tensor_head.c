/* Reads a tensor's type and dims from the file, but not its elements. */
#include "model/tensor_head.h"

#include "model/fields.h"
#include "wire/wire.h"

static enum opshift_status too_many(struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a tensor of more than %d dims", TENSOR_RANK_MAX);
}

static enum opshift_status dim_add(struct tensor_head *head, uint64_t dim, struct opshift_error *error)
{
    if (head->rank == TENSOR_RANK_MAX)
        return too_many(error);
    head->dims[head->rank++] = (int64_t)dim;
    return OPSHIFT_OK;
}

/* Varints of a packed field. */
static enum opshift_status packed_dims(struct source *source, const struct wire_field *field, struct tensor_head *head,
                                       struct opshift_error *error)
{
    const uint8_t *bytes = NULL;
    if (field->size > TENSOR_RANK_MAX * 10)
        return too_many(error);
    enum opshift_status status = source_view(source, field->offset, field->size, &bytes, error);
    uint64_t value = 0;
    unsigned shift = 0;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < field->size; i++) {
        value |= shift < 64 ? (uint64_t)(bytes[i] & 0x7f) << shift : 0;
        shift += 7;
        if (bytes[i] & 0x80)
            continue;
        status = dim_add(head, value, error);
        value = 0;
        shift = 0;
    }
    if (status == OPSHIFT_OK && shift != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "a dim that does not end");
    return status;
}

enum opshift_status tensor_head_read(struct source *source, uint64_t offset, uint64_t size, struct tensor_head *head,
                                     struct opshift_error *error)
{
    struct wire_cursor cursor = {source, offset, offset + size};
    struct wire_field field;
    bool found = true;
    *head = (struct tensor_head){.type = OPSHIFT_TYPE_UNDEFINED};
    for (enum opshift_status status = OPSHIFT_OK;;) {
        if (status == OPSHIFT_OK)
            status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        if (field.number == TENSOR_TYPE && field.type == WIRE_VARINT)
            head->type = field.value < OPSHIFT_TYPE_COUNT ? (enum opshift_type)field.value : OPSHIFT_TYPE_UNDEFINED;
        else if (field.number == TENSOR_DIMS && field.type == WIRE_BYTES)
            status = packed_dims(source, &field, head, error);
        else if (field.number == TENSOR_DIMS && field.type == WIRE_VARINT)
            status = dim_add(head, field.value, error);
        else if (field.number == TENSOR_LOCATION && field.type == WIRE_VARINT)
            head->external = field.value == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    }
}
