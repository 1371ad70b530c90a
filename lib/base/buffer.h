/* Bytes that grow at the end. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start with {0}. After an append without memory, failed stays set and further appends do nothing: test it once. */
struct buffer {
    uint8_t *data;
    size_t size, room;
    bool failed;
};

void buffer_free(struct buffer *buffer);
/* Makes room for size more bytes and a NUL; what of it is not used is not touched. */
bool buffer_reserve(struct buffer *buffer, size_t size);
void buffer_add(struct buffer *buffer, const void *data, size_t size);
void buffer_add_byte(struct buffer *buffer, uint8_t byte);
void buffer_add_text(struct buffer *buffer, const char *text);
void buffer_add_decimal(struct buffer *buffer, int64_t number);
void buffer_print(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What stands from start on, cut in its middle to about most bytes, with "..." there; whole characters. */
void buffer_shorten(struct buffer *buffer, size_t start, size_t most);
/* NUL-terminates and hands over the data (the caller frees it with free); NULL when failed. */
char *buffer_take(struct buffer *buffer);

#endif
