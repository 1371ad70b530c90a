/* SHA-256 (FIPS 180-4): the fingerprint of a file in a certificate. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "base/file.h"

#define SHA256_TEXT_SIZE 65

struct sha256 {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t size; /* bytes so far */
    void (*compress)(uint32_t *state, const uint8_t *block);
};

void sha256_start(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size);
/* As 64 hexadecimal digits and a NUL. */
void sha256_end(struct sha256 *hash, char text[SHA256_TEXT_SIZE]);

/* All of a source, piece by piece. */
enum opshift_status sha256_add_source(struct sha256 *hash, struct source *source, struct opshift_error *error);
/* Of a whole source, read piece by piece. */
enum opshift_status sha256_source(struct source *source, char text[SHA256_TEXT_SIZE], struct opshift_error *error);

#endif
