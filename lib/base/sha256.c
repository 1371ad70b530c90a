/* SHA-256 (FIPS 180-4): the fingerprint of a file in a certificate. Nettle computes it. */
#include "base/sha256.h"

#define PART 65536u /* bytes per read */

void hash_text(const uint8_t *digest, size_t size, char *text)
{
    for (size_t i = 0; i < size; i++) {
        *text++ = "0123456789abcdef"[digest[i] >> 4];
        *text++ = "0123456789abcdef"[digest[i] & 15];
    }
    *text = '\0';
}

enum opshift_status hash_add_source(void *hash, hash_add add, struct source *source, struct opshift_error *error)
{
    for (uint64_t at = 0, size = source_size(source); at < size;) {
        size_t part = size - at < PART ? (size_t)(size - at) : PART;
        const uint8_t *data;
        enum opshift_status status = source_view(source, at, part, &data, error);
        if (status)
            return status;
        add(hash, part, data);
        at += part;
    }
    return OPSHIFT_OK;
}

static void add_part(void *hash, size_t size, const uint8_t *data)
{
    sha256_update(hash, size, data);
}

void sha256_start(struct sha256 *hash)
{
    sha256_init(&hash->state);
}

void sha256_add(struct sha256 *hash, const void *data, size_t size)
{
    if (size > 0) /* data may be NULL otherwise */
        sha256_update(&hash->state, size, data);
}

void sha256_end(struct sha256 *hash, char text[SHA256_TEXT_SIZE])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&hash->state, sizeof(digest), digest);
    hash_text(digest, sizeof(digest), text);
}

enum opshift_status sha256_source(struct source *source, char text[SHA256_TEXT_SIZE], struct opshift_error *error)
{
    struct sha256 hash;
    sha256_start(&hash);
    enum opshift_status status = hash_add_source(&hash.state, add_part, source, error);
    sha256_end(&hash, text);
    return status;
}
