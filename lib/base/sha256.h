/* SHA-256 (FIPS 180-4): the fingerprint of a file in a certificate. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "base/file.h"

#define SHA256_TEXT_SIZE 65
#define SHA256_BLOCK     64 /* bytes */

struct sha256 {
    uint32_t state[8];
    uint8_t block[SHA256_BLOCK]; /* what is not a whole one yet */
    uint64_t size;               /* bytes so far */
    void (*compress)(uint32_t *state, const uint8_t *blocks, size_t count);
};

void sha256_start(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size);
/* As 64 hexadecimal digits and a NUL. */
void sha256_end(struct sha256 *hash, char text[SHA256_TEXT_SIZE]);

/* All of a source, piece by piece. */
enum opshift_status sha256_add_source(struct sha256 *hash, struct source *source, struct opshift_error *error);
/* Of a whole source, read piece by piece. */
enum opshift_status sha256_source(struct source *source, char text[SHA256_TEXT_SIZE], struct opshift_error *error);

/* What compress is: everywhere, and with the processor's own instructions for it, where it has them. */
void sha256_compress_plain(uint32_t *state, const uint8_t *blocks, size_t count);
bool sha256_x86_can(void);
void sha256_compress_x86(uint32_t *state, const uint8_t *blocks, size_t count);
/* The standard's K. */
extern const uint32_t sha256_constants[64];

#endif
