/* SHA-256 (FIPS 180-4): the fingerprint of a file in a certificate. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <nettle/sha2.h>

#include "base/file.h"

#define SHA256_TEXT_SIZE 65

struct sha256 {
    struct sha256_ctx state;
};

void sha256_start(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size);
/* As 64 hexadecimal digits and a NUL. */
void sha256_end(struct sha256 *hash, char text[SHA256_TEXT_SIZE]);
/* Hashes a whole source, read piece by piece. */
enum opshift_status sha256_source(struct source *source, char text[SHA256_TEXT_SIZE], struct opshift_error *error);

/* Reads a source piece by piece and passes each piece to a function that adds it to a hash. */
typedef void (*hash_add)(void *hash, size_t size, const uint8_t *data);
enum opshift_status hash_add_source(void *hash, hash_add add, struct source *source, struct opshift_error *error);
/* A digest as hexadecimal digits and a NUL: 2 * size + 1 bytes of text. */
void hash_text(const uint8_t *digest, size_t size, char *text);

#endif
