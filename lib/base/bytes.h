/* Byte strings that are owned elsewhere, and whether two of them are the same. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

/* May contain NULs, need not be NUL-terminated. An empty one may have the address NULL. */
struct bytes {
    const uint8_t *data;
    size_t size;
};

/* The text as a field of a message that is going to be packed, not changed: const is cast away. */
static inline ProtobufCBinaryData binary_of(const char *text)
{
    return (ProtobufCBinaryData){strlen(text), (uint8_t *)(uintptr_t)text};
}

/* A field of an unpacked message; the bytes are the message's. */
static inline struct bytes bytes_of(ProtobufCBinaryData field)
{
    return (struct bytes){field.data, field.len};
}

static inline bool bytes_same(struct bytes one, struct bytes other)
{
    return one.size == other.size && (one.size == 0 || memcmp(one.data, other.data, one.size) == 0);
}

static inline bool bytes_are(struct bytes bytes, const char *text)
{
    return bytes_same(bytes, (struct bytes){(const uint8_t *)text, strlen(text)});
}

#endif
