/* SHA-256 gives the digests of FIPS 180-4's examples, with the message in any pieces. */
#include "base/sha256.h"

#include <string.h>

#include "tests/tap/tap.h"

static const struct {
    const char *what, *message, *digest;
} cases[] = {
    {"nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"three letters", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"a message whose length needs a second block", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

static void digests(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sha256 hash;
        char text[SHA256_TEXT_SIZE];
        sha256_start(&hash);
        sha256_add(&hash, cases[i].message, strlen(cases[i].message));
        sha256_end(&hash, text);
        is_string(cases[i].digest, text, "%s", cases[i].what);
        sha256_start(&hash);
        for (const char *byte = cases[i].message; *byte != '\0'; byte++)
            sha256_add(&hash, byte, 1);
        sha256_end(&hash, text);
        is_string(cases[i].digest, text, "%s, byte by byte", cases[i].what);
    }
}

/* Every length around a block, in three pieces. */
static void pieces(void)
{
    uint8_t bytes[300];
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * 7);
    for (size_t first = 0; first <= 130; first++)
        for (size_t second = 0; first + second <= sizeof(bytes); second += 13) {
            struct sha256 hash;
            char text[SHA256_TEXT_SIZE], whole[SHA256_TEXT_SIZE];
            sha256_start(&hash);
            sha256_add(&hash, bytes, first);
            sha256_add(&hash, bytes + first, second);
            sha256_add(&hash, bytes + first + second, sizeof(bytes) - first - second);
            sha256_end(&hash, text);
            sha256_start(&hash);
            for (size_t i = 0; i < sizeof(bytes); i++)
                sha256_add(&hash, bytes + i, 1);
            sha256_end(&hash, whole);
            wrong += strcmp(text, whole) != 0;
        }
    is_int(0, (long long)wrong, "no way to hand over 300 bytes changes the digest");
}

static void a_source(void)
{
    static char million[1000000];
    struct source *source = NULL;
    struct opshift_error error = {0};
    char text[SHA256_TEXT_SIZE] = "";
    memset(million, 'a', sizeof(million));
    ok(source_open_memory(million, sizeof(million), &source, &error) == OPSHIFT_OK, "memory opens as a source");
    ok(sha256_source(source, text, &error) == OPSHIFT_OK, "a source is read");
    is_string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", text, "a million times the letter a");
    source_free(source);
}

int main(void)
{
    digests();
    pieces();
    a_source();
    return done();
}
