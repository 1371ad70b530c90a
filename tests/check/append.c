/* Makes broken models: bytes appended to a message inside a model written as text. */
#include "tests/check/append.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

/* Copies a message; the path selects its first record with that number, recursively, and the bytes go to the end. */
static void copy_with(struct buffer *out, struct source *source, uint64_t offset, uint64_t size,
                      const struct appended *row, const char *path)
{
    struct wire_cursor cursor = {source, offset, offset + size};
    struct wire_field field;
    bool found, done = false;
    while (wire_next(&cursor, &field, &found, NULL) == OPSHIFT_OK && found) {
        uint8_t *record = malloc((size_t)(field.offset + field.size - field.record) + 1);
        size_t whole = (size_t)(field.offset + field.size - field.record);
        source_read(source, field.record, record, whole, NULL);
        if (!done && *path && field.number == (uint8_t)*path) {
            struct buffer inner = {0};
            copy_with(&inner, source, field.offset, field.size, row, path + 1);
            wire_add_bytes(out, field.number, inner.data, inner.size);
            buffer_free(&inner);
            done = true;
        } else {
            buffer_add(out, record, whole);
        }
        free(record);
    }
    if (*path == '\0')
        buffer_add(out, row->bytes, row->size);
}

char *model_with(const struct appended *row, size_t *size)
{
    struct opshift_error error = {0};
    struct source *source = NULL;
    struct buffer out = {0};
    char *bytes = NULL;
    if (opshift_text_to_model(row->model, strlen(row->model), "model.txt", &bytes, size, &error) == OPSHIFT_OK &&
        source_open_memory(bytes, *size, &source, &error) == OPSHIFT_OK)
        copy_with(&out, source, 0, *size, row, row->path);
    else
        diag("%s: %s", row->what, error.text);
    source_free(source);
    opshift_text_free(bytes);
    *size = out.size;
    return buffer_take(&out);
}

void lint_appended(const struct appended *row, const char *prefix)
{
    size_t size;
    char *bytes = model_with(row, &size);
    lint_bytes_finds(row->what, bytes, size, row->found, prefix, NULL);
    free(bytes);
}
