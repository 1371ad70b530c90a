/* Writes a file of external data, part by part. */
#include "model/weights_file.h"

#include "base/descriptor.h"
#include "model/external.h"

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
