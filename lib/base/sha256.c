/* SHA-256 (FIPS 180-4): the fingerprint of a file in a certificate. */
#include "base/sha256.h"

#include <string.h>

const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint32_t first_state[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t rotate(uint32_t value, unsigned bits)
{
    return value >> bits | value << (32 - bits);
}

/* The message schedule of a block. */
static void expand(const uint8_t *block, uint32_t words[64])
{
    for (unsigned i = 0; i < 16; i++, block += 4)
        words[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (unsigned i = 16; i < 64; i++) {
        uint32_t low = rotate(words[i - 15], 7) ^ rotate(words[i - 15], 18) ^ words[i - 15] >> 3;
        uint32_t high = rotate(words[i - 2], 17) ^ rotate(words[i - 2], 19) ^ words[i - 2] >> 10;
        words[i] = words[i - 16] + low + words[i - 7] + high;
    }
}

/* A round. The names a to h are the standard's: v[0] to v[7] in the first round, and one place further on in each. */
static inline void round_do(uint32_t v[8], unsigned at, uint32_t added)
{
    uint32_t a = v[-at & 7], b = v[(1 - at) & 7], c = v[(2 - at) & 7], *d = &v[(3 - at) & 7];
    uint32_t e = v[(4 - at) & 7], f = v[(5 - at) & 7], g = v[(6 - at) & 7], *h = &v[(7 - at) & 7];
    uint32_t first = *h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + added;
    *d += first;
    *h = first + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void block_compress(uint32_t *state, const uint8_t *block)
{
    uint32_t words[64], v[8];
    expand(block, words);
    memcpy(v, state, sizeof(v));
    for (unsigned i = 0; i < 64; i += 8) {
        round_do(v, 0, sha256_constants[i] + words[i]);
        round_do(v, 1, sha256_constants[i + 1] + words[i + 1]);
        round_do(v, 2, sha256_constants[i + 2] + words[i + 2]);
        round_do(v, 3, sha256_constants[i + 3] + words[i + 3]);
        round_do(v, 4, sha256_constants[i + 4] + words[i + 4]);
        round_do(v, 5, sha256_constants[i + 5] + words[i + 5]);
        round_do(v, 6, sha256_constants[i + 6] + words[i + 6]);
        round_do(v, 7, sha256_constants[i + 7] + words[i + 7]);
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += v[i];
}

void sha256_compress_plain(uint32_t *state, const uint8_t *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        block_compress(state, blocks + i * SHA256_BLOCK);
}

void sha256_start(struct sha256 *hash)
{
    memset(hash, 0, sizeof(*hash));
    memcpy(hash->state, first_state, sizeof(first_state));
    hash->compress = sha256_x86_can() ? sha256_compress_x86 : sha256_compress_plain;
}

void sha256_add(struct sha256 *hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    size_t filled = (size_t)(hash->size % SHA256_BLOCK), head = filled ? SHA256_BLOCK - filled : 0;
    if (size == 0) /* data may be NULL then */
        return;
    hash->size += size;
    if (head > size)
        head = size;
    memcpy(hash->block + filled, bytes, head);
    if (head > 0 && filled + head == SHA256_BLOCK)
        hash->compress(hash->state, hash->block, 1);
    size_t whole = (size - head) / SHA256_BLOCK, rest = (size - head) % SHA256_BLOCK;
    if (whole > 0)
        hash->compress(hash->state, bytes + head, whole);
    if (rest > 0)
        memcpy(hash->block, bytes + size - rest, rest);
}

void sha256_end(struct sha256 *hash, char text[SHA256_TEXT_SIZE])
{
    static const uint8_t padding[64] = {0x80};
    uint64_t bits = hash->size * 8;
    uint8_t length[8];
    for (unsigned i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(hash, padding, 1 + (size_t)((119 - hash->size % 64) % 64));
    sha256_add(hash, length, sizeof(length));
    for (unsigned i = 0; i < 64; i++)
        text[i] = "0123456789abcdef"[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[64] = '\0';
}

enum opshift_status sha256_add_source(struct sha256 *hash, struct source *source, struct opshift_error *error)
{
    for (uint64_t at = 0, size = source_size(source); at < size;) {
        size_t part = size - at < 65536 ? (size_t)(size - at) : 65536;
        const uint8_t *data = source_window(source, at, part, error);
        if (data == NULL)
            return error == NULL ? OPSHIFT_IO : error->status;
        sha256_add(hash, data, part);
        at += part;
    }
    return OPSHIFT_OK;
}

enum opshift_status sha256_source(struct source *source, char text[SHA256_TEXT_SIZE], struct opshift_error *error)
{
    struct sha256 hash;
    sha256_start(&hash);
    enum opshift_status status = sha256_add_source(&hash, source, error);
    sha256_end(&hash, text);
    return status;
}
