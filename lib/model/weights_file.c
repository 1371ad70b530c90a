/* Where the bytes of weights are; a file of external data, written part by part. */
#include "model/weights_file.h"

#include <string.h>

#include "base/descriptor.h"
#include "model/external.h"
#include "model/fields.h"
#include "wire/wire.h"

bool weights_find(const struct opshift_model *model, const char *location, uint64_t offset, uint64_t size,
                  struct weight_part *part)
{
    const struct weights_file *file = model->saved_with ? model->saved_with->weights : NULL;
    uint32_t low = 0, high = file ? file->count : 0;
    if (high == 0 || strcmp(location, file->location) != 0)
        return false;
    while (low + 1 < high) {
        uint32_t half = (low + high) / 2;
        *(file->parts[half].at <= offset ? &low : &high) = half;
    }
    if (file->parts[low].at != offset || file->parts[low].size != size)
        return false;
    *part = file->parts[low];
    part->model = part->model ? part->model : model->saved_with;
    return true;
}

enum opshift_status weight_part_find(struct opshift_model *model, const struct initializer *initializer,
                                     struct arena *arena, struct weight_part *part, struct opshift_error *error)
{
    struct wire_cursor cursor = {model->source, range_offset(initializer->range), range_end(initializer->range)};
    Onnx__TensorProto *message = NULL;
    struct tensor *tensor;
    uint64_t count = 1, wanted;
    *part = (struct weight_part){.model = model};
    for (uint32_t i = 0; i < initializer->rank; i++)
        count = initializer->dims[i] > 0 ? count * (uint64_t)initializer->dims[i] : 0;
    wanted = type_size(initializer->type, count);
    if (initializer->sparse || initializer->type == OPSHIFT_TYPE_STRING || wanted == UINT64_MAX || count == 0)
        return OPSHIFT_OK;
    if (initializer->external) {
        char location[EXTERNAL_LOCATION_SIZE];
        enum opshift_status status =
            range_decode(model, initializer->range, &onnx__tensor_proto__descriptor, arena, &message, error);
        if (status == OPSHIFT_OK)
            status = external_place(message, location, &part->offset, &part->size, error);
        if (status == OPSHIFT_OK && weights_find(model, location, part->offset, part->size, part))
            return OPSHIFT_OK;
        part->location = status == OPSHIFT_OK ? arena_print(arena, "%s", location) : NULL;
        return status || part->location ? status : opshift_no_memory(error);
    }
    bool found = true;
    for (struct wire_field field; found;) {
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return status;
        bool plain =
            found && (field.number == TENSOR_RAW || field.number == TENSOR_FLOATS || field.number == TENSOR_DOUBLES);
        if (plain && field.type == WIRE_BYTES && field.size == wanted) {
            part->offset = field.offset;
            part->size = field.size;
            return OPSHIFT_OK;
        }
    }
    enum opshift_status status = initializer_tensor(model, initializer, 0, arena, &tensor, error);
    message = status == OPSHIFT_OK ? tensor_encode(arena, tensor, (struct bytes){0}) : NULL;
    if (message)
        *part = (struct weight_part){.bytes = message->raw_data.data, .size = message->raw_data.len, .model = model};
    return status || message ? status : opshift_no_memory(error);
}

bool weight_parts_same(const struct weight_part *a, const struct weight_part *b)
{
    return a->size == b->size && a->bytes == NULL && b->bytes == NULL && a->offset == b->offset &&
           (a->location ? b->location && strcmp(a->location, b->location) == 0 : b->location == NULL);
}

enum opshift_status weight_parts_compare(const struct weight_part *a, const struct weight_part *b, uint8_t *pieces,
                                         bool *same, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *same = a->size == b->size;
    if (*same && weight_parts_same(a, b))
        return OPSHIFT_OK;
    for (uint64_t at = 0; status == OPSHIFT_OK && *same && at < a->size; at += WEIGHT_PIECE) {
        size_t size = (size_t)(a->size - at < WEIGHT_PIECE ? a->size - at : WEIGHT_PIECE);
        status = weight_part_read(a, at, pieces, size, error);
        if (status == OPSHIFT_OK)
            status = weight_part_read(b, at, pieces + WEIGHT_PIECE, size, error);
        *same = status == OPSHIFT_OK && memcmp(pieces, pieces + WEIGHT_PIECE, size) == 0;
    }
    return status;
}

static enum opshift_status padding_add(struct destination *destination, uint64_t size, struct opshift_error *error)
{
    static const uint8_t zeros[4096];
    enum opshift_status status = OPSHIFT_OK;
    for (uint64_t left; status == OPSHIFT_OK && size > 0; size -= left) {
        left = size < sizeof(zeros) ? size : sizeof(zeros);
        status = destination_add(destination, zeros, (size_t)left, error);
    }
    return status;
}

static enum opshift_status part_add(struct opshift_model *model, const struct weight_part *part,
                                    struct destination *destination, struct opshift_error *error)
{
    struct source *source = NULL;
    int descriptor = -1;
    if (part->bytes)
        return destination_add(destination, part->bytes, (size_t)part->size, error);
    model = part->model ? part->model : model;
    if (part->location == NULL)
        return destination_add_range(destination, model->source, model->name, part->offset, part->size, error);
    enum opshift_status status =
        external_open_location(model->directory, model->external, part->location, &descriptor, error);
    if (status == OPSHIFT_OK && descriptor < 0)
        status = opshift_fail(error, OPSHIFT_IO, "external data '%.200s' is missing; put the file beside the model",
                              part->location);
    if (status == OPSHIFT_OK)
        status = source_open_descriptor(descriptor, &source, error);
    if (status == OPSHIFT_OK)
        status = destination_add_range(destination, source, part->location, part->offset, part->size, error);
    source_free(source);
    descriptor_close(descriptor);
    return status;
}

enum opshift_status weight_part_read(const struct weight_part *part, uint64_t from, void *bytes, size_t size,
                                     struct opshift_error *error)
{
    const struct opshift_model *model = part->model;
    int descriptor = -1;
    if (part->bytes) {
        memcpy(bytes, part->bytes + from, size);
        return OPSHIFT_OK;
    }
    if (part->location == NULL)
        return source_read(model->source, part->offset + from, bytes, size, error);
    enum opshift_status status =
        external_open_location(model->directory, model->external, part->location, &descriptor, error);
    if (status == OPSHIFT_OK &&
        (descriptor < 0 || descriptor_read(descriptor, bytes, size, (off_t)(part->offset + from)) != (ssize_t)size))
        status = opshift_fail(error, OPSHIFT_IO,
                              "external data '%.200s' is missing or too short; put the file beside the model",
                              part->location);
    descriptor_close(descriptor);
    return status;
}

enum opshift_status weights_write(struct opshift_model *model, const char *directory, bool sync,
                                  struct destination **destination, struct opshift_error *error)
{
    const struct weights_file *file = model->weights;
    uint64_t at = 0;
    const char *path = arena_print(model->arena, "%s/%s", directory, file->location);
    enum opshift_status status =
        path ? destination_open(path, file->size, destination, error) : opshift_no_memory(error);
    if (status == OPSHIFT_OK && sync)
        destination_sync(*destination);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < file->count; i++) {
        status = padding_add(*destination, file->parts[i].at - at, error);
        if (status == OPSHIFT_OK)
            status = part_add(model, &file->parts[i], *destination, error);
        at = file->parts[i].at + file->parts[i].size;
    }
    return status;
}
