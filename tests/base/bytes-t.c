/* Byte strings that are the same, empty ones without an address among them. */
#include "base/bytes.h"

#include "base/error.h"
#include "tests/tap/tap.h"

#define BYTES(text)                                                                                                    \
    {                                                                                                                  \
        (const uint8_t *)(text), sizeof(text) - 1                                                                      \
    }

static const struct {
    const char *what;
    struct bytes one, other;
    bool same;
} cases[] = {
    {"equal texts at two addresses", BYTES("axis"), {(const uint8_t *)"an axis" + 3, 4}, true},
    {"another byte", BYTES("axis"), BYTES("axes"), false},
    {"the start of the other", BYTES("axis"), BYTES("axis_2"), false},
    {"a NUL is a byte as others are", BYTES("a\0b"), BYTES("a\0c"), false},
    {"two empty ones without an address", {NULL, 0}, {NULL, 0}, true},
    {"an empty one without an address, and one with", {NULL, 0}, BYTES(""), true},
    {"an empty one without an address, and a full one", {NULL, 0}, BYTES("a"), false},
};

int main(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        is_int(cases[i].same, bytes_same(cases[i].one, cases[i].other), "%s", cases[i].what);
        is_int(cases[i].same, bytes_same(cases[i].other, cases[i].one), "%s, the other way round", cases[i].what);
    }
    ok(bytes_are(cases[0].one, "axis") && !bytes_are(cases[0].one, "axis_2"), "compared with a text");
    ok(bytes_are((struct bytes){NULL, 0}, ""), "an empty one without an address is the empty text");
    ok(!bytes_are(cases[3].one, "a"), "a text ends at its NUL, bytes do not");
    char text[] = "axis";
    ok(bytes_are(bytes_of((ProtobufCBinaryData){4, (uint8_t *)text}), "axis"), "a field of a message");
    return done();
}
