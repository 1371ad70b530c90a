/* Buffers grow by doubling; a failed append is recorded in the buffer, not reported. */
#include "base/buffer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64u

void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){0};
}

static bool buffer_grow(struct buffer *buffer, size_t size)
{
    assert(buffer->size <= buffer->room);
    size_t room = buffer->room ? buffer->room : ROOM_FIRST;
    while (room - buffer->size <= size && room <= SIZE_MAX / 2)
        room *= 2;
    uint8_t *data = room - buffer->size > size ? realloc(buffer->data, room) : NULL;
    if (data == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->room = room;
    return true;
}

bool buffer_reserve(struct buffer *buffer, size_t size)
{
    return !buffer->failed && (size < buffer->room - buffer->size || buffer_grow(buffer, size));
}

void buffer_add(struct buffer *buffer, const void *data, size_t size)
{
    if (size == 0 || !buffer_reserve(buffer, size))
        return;
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
}

void buffer_add_byte(struct buffer *buffer, uint8_t byte)
{
    buffer_add(buffer, &byte, 1);
}

void buffer_add_text(struct buffer *buffer, const char *text)
{
    buffer_add(buffer, text, strlen(text));
}

void buffer_add_decimal(struct buffer *buffer, int64_t number)
{
    char digits[20]; /* of -2^63 with its sign */
    size_t first = sizeof(digits);
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do {
        digits[--first] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        digits[--first] = '-';
    buffer_add(buffer, digits + first, sizeof(digits) - first);
}

void buffer_print(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;
    size_t room = buffer->failed ? 0 : buffer->room - buffer->size; /* most fits at once */
    va_start(arguments, format);
    int size = vsnprintf(room ? (char *)buffer->data + buffer->size : NULL, room, format, arguments);
    va_end(arguments);
    if (size >= 0 && (size_t)size < room) {
        buffer->size += (size_t)size;
        return;
    }
    if (size < 0 || !buffer_reserve(buffer, (size_t)size)) {
        buffer->failed = true;
        return;
    }
    va_start(arguments, format);
    vsnprintf((char *)buffer->data + buffer->size, (size_t)size + 1, format, arguments);
    va_end(arguments);
    buffer->size += (size_t)size;
}

static bool is_inside_character(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

void buffer_shorten(struct buffer *buffer, size_t start, size_t most)
{
    if (buffer->failed || buffer->size - start <= most)
        return;
    assert(start <= buffer->size);
    size_t head = start + most / 3, tail = buffer->size - most / 3 * 2;
    for (int i = 0; i < 3 && is_inside_character(buffer->data[head]); i++)
        head--;
    for (int i = 0; i < 3 && is_inside_character(buffer->data[tail]); i++)
        tail++;
    memcpy(buffer->data + head, "...", 3);
    memmove(buffer->data + head + 3, buffer->data + tail, buffer->size - tail);
    buffer->size -= tail - head - 3;
}

char *buffer_take(struct buffer *buffer)
{
    char *text = NULL;
    if (buffer_reserve(buffer, 0)) {
        buffer->data[buffer->size] = '\0';
        text = (char *)buffer->data;
        buffer->data = NULL;
    }
    buffer_free(buffer);
    return text;
}

void opshift_text_free(char *text)
{
    free(text);
}

enum opshift_status buffer_finish(struct buffer *buffer, enum opshift_status status, char **text,
                                  struct opshift_error *error)
{
    *text = status ? NULL : buffer_take(buffer);
    if (status)
        buffer_free(buffer);
    return status || *text ? status : opshift_no_memory(error);
}
