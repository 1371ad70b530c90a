/* SHA-1's own rounds; blocks, padding and lengths are SHA-256's. */
#include "base/sha1.h"

#include <string.h>

#include "base/sha256.h"

static uint32_t rotate_left(uint32_t value, unsigned bits)
{
    return value << bits | value >> (32 - bits);
}

/* The standard's f and K of a round. */
static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round < 20)
        return ((b & c) | (~b & d)) + 0x5a827999;
    if (round < 40)
        return (b ^ c ^ d) + 0x6ed9eba1;
    if (round < 60)
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    return (b ^ c ^ d) + 0xca62c1d6;
}

static void block_compress(uint32_t *state, const uint8_t *block)
{
    uint32_t words[80], v[5];
    for (unsigned i = 0; i < 16; i++, block += 4)
        words[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (unsigned i = 16; i < 80; i++)
        words[i] = rotate_left(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    memcpy(v, state, sizeof(v));
    for (unsigned i = 0; i < 80; i++) {
        uint32_t first = rotate_left(v[0], 5) + mix(i, v[1], v[2], v[3]) + v[4] + words[i];
        v[4] = v[3];
        v[3] = v[2];
        v[2] = rotate_left(v[1], 30);
        v[1] = v[0];
        v[0] = first;
    }
    for (unsigned i = 0; i < 5; i++)
        state[i] += v[i];
}

static void compress(uint32_t *state, const uint8_t *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        block_compress(state, blocks + i * SHA256_BLOCK);
}

enum opshift_status sha1_source(struct source *source, char text[SHA1_TEXT_SIZE], struct opshift_error *error)
{
    struct sha256 hash = {.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}, .compress = compress};
    char wide[SHA256_TEXT_SIZE];
    enum opshift_status status = sha256_add_source(&hash, source, error);
    sha256_end(&hash, wide);
    memcpy(text, wide, SHA1_TEXT_SIZE - 1);
    text[SHA1_TEXT_SIZE - 1] = '\0';
    return status;
}

enum opshift_status sha1_descriptor(int descriptor, char text[SHA1_TEXT_SIZE], struct opshift_error *error)
{
    struct source *source = NULL;
    enum opshift_status status = source_open_descriptor(descriptor, &source, error);
    if (status == OPSHIFT_OK)
        status = sha1_source(source, text, error);
    source_free(source);
    return status;
}

bool sha1_is_text(const char *text)
{
    return strlen(text) == SHA1_TEXT_SIZE - 1 && strspn(text, "0123456789abcdefABCDEF") == SHA1_TEXT_SIZE - 1;
}
