/* SHA-1 (FIPS 180-4) of files of external data. Nettle computes it. */
#include "base/sha1.h"

#include <nettle/sha1.h>
#include <string.h>

#include "base/sha256.h"

static void add_part(void *hash, size_t size, const uint8_t *data)
{
    sha1_update(hash, size, data);
}

enum opshift_status sha1_source(struct source *source, char text[SHA1_TEXT_SIZE], struct opshift_error *error)
{
    struct sha1_ctx hash;
    uint8_t digest[SHA1_DIGEST_SIZE];
    sha1_init(&hash);
    enum opshift_status status = hash_add_source(&hash, add_part, source, error);
    sha1_digest(&hash, sizeof(digest), digest);
    hash_text(digest, sizeof(digest), text);
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
