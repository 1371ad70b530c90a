/* Models as text, for users of the library. */
#include "model/text.h"

#include <stdlib.h>

#include "model/model.h"

/* Memory limit of conversions between text and model: every record of a message takes memory, so that either may need
 * many times its size. */
#define TEXT_MEMORY_MAX (UINT64_C(4) << 30)

/* Decodes the whole model into the arena. */
static enum opshift_status decode_model(struct opshift_model *model, struct arena *arena, Onnx__ModelProto **message,
                                        struct opshift_error *error)
{
    uint64_t size = source_size(model->source);
    if (size > TEXT_MEMORY_MAX / 2)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "%s: %llu bytes are too many to be shown as text", model->name,
                            (unsigned long long)size);
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes)
        return opshift_no_memory(error);
    enum opshift_status status = source_read(model->source, 0, bytes, size, error);
    if (status == OPSHIFT_OK) {
        *message = onnx__model_proto__unpack(arena_allocator(arena), size, bytes);
        if (!*message && arena_was_out(arena))
            status = opshift_no_memory(error);
        else if (!*message)
            status = opshift_fail(error, OPSHIFT_UNSUPPORTED,
                                  "%s: does not decode as a model, or not within %llu bytes of memory", model->name,
                                  (unsigned long long)TEXT_MEMORY_MAX);
    }
    free(bytes);
    return status;
}

enum opshift_status opshift_model_to_text(struct opshift_model *model, char **text, size_t *size,
                                          struct opshift_error *error)
{
    Onnx__ModelProto *message = NULL;
    struct buffer out = {0};
    struct arena *arena = arena_new(TEXT_MEMORY_MAX);
    if (!arena)
        return opshift_no_memory(error);
    enum opshift_status status = decode_model(model, arena, &message, error);
    if (status == OPSHIFT_OK) {
        text_print_model(&out, message);
        *size = out.size;
        *text = buffer_take(&out);
        if (!*text)
            status = opshift_no_memory(error);
    }
    arena_free(arena);
    return status;
}

enum opshift_status opshift_text_to_model(const char *text, size_t text_size, const char *name, char **bytes,
                                          size_t *size, struct opshift_error *error)
{
    Onnx__ModelProto *message = NULL;
    struct arena *arena = arena_new(TEXT_MEMORY_MAX);
    if (!arena)
        return opshift_no_memory(error);
    enum opshift_status status = text_parse_model(text, text_size, name, arena, &message, error);
    if (status == OPSHIFT_OK) {
        *size = onnx__model_proto__get_packed_size(message);
        *bytes = malloc(*size ? *size : 1);
        if (*bytes)
            onnx__model_proto__pack(message, (uint8_t *)*bytes);
        else
            status = opshift_no_memory(error);
    }
    arena_free(arena);
    return status;
}
