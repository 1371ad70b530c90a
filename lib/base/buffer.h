/* A growing byte buffer. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Start with {0}. After an append that ran out of memory `failed` stays set and further appends do nothing: test it
 * once. */
struct buffer {
    uint8_t *data;
    size_t size, room;
    bool failed;
};

void buffer_free(struct buffer *buffer);
/* Makes room for size more bytes and a NUL, without touching the new memory. */
bool buffer_reserve(struct buffer *buffer, size_t size);
void buffer_add(struct buffer *buffer, const void *data, size_t size);
void buffer_add_byte(struct buffer *buffer, uint8_t byte);
void buffer_add_text(struct buffer *buffer, const char *text);
void buffer_add_decimal(struct buffer *buffer, int64_t number);
void buffer_print(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Shortens the text from start on to about `most` bytes by replacing its middle with "...", at character boundaries. */
void buffer_shorten(struct buffer *buffer, size_t start, size_t most);
/* NUL-terminates and returns the data, which the caller frees with free; NULL when failed. */
char *buffer_take(struct buffer *buffer);
/* Gives the data as buffer_take does. If `status` is a failure, frees it, gives NULL and returns `status`. MEMORY. */
enum opshift_status buffer_finish(struct buffer *buffer, enum opshift_status status, char **text,
                                  struct opshift_error *error);

#endif
