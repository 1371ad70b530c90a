/* SHA-1 gives the digests of FIPS 180-4's examples. */
#include "base/sha1.h"

#include <string.h>

#include "tests/tap/tap.h"

static const struct {
    const char *what, *message, *digest;
} cases[] = {
    {"three letters", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"a message whose length needs a second block", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
};

int main(void)
{
    static char million[1000000];
    struct opshift_error error = {0};
    char text[SHA1_TEXT_SIZE] = "";
    struct source *source = NULL;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ok(source_open_memory(cases[i].message, strlen(cases[i].message), &source, &error) == OPSHIFT_OK &&
               sha1_source(source, text, &error) == OPSHIFT_OK,
           "%s: read", cases[i].what);
        is_string(cases[i].digest, text, "%s", cases[i].what);
        source_free(source);
    }
    memset(million, 'a', sizeof(million));
    ok(source_open_memory(million, sizeof(million), &source, &error) == OPSHIFT_OK &&
           sha1_source(source, text, &error) == OPSHIFT_OK,
       "a million letters are read");
    is_string("34aa973cd4c4daa4f61eeb2bdbad27316534016f", text, "a million times the letter a");
    source_free(source);
    ok(sha1_is_text(text) && !sha1_is_text("00") && !sha1_is_text("34aa973cd4c4daa4f61eeb2bdbad27316534016g"),
       "40 hexadecimal digits are one, and nothing else");
    return done();
}
