/* LIM: values above a limit, and values at it. */
#include "tests/check/append.h"
#include "tests/tap/tap.h"

#define NEG MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Neg (x) }")

static const struct appended appended[] = {
    {"dims that overflow", NEG, "\7",
     APPEND("\x2a\x15\x42\x01w\x10\x01\x08\x80\x80\x80\x80\x80\x80\x80\x80\x10\x08\x80\x80\x80\x80\x10"),
     "LIM006 graph: tensor 'w': its dims multiply to more than 2^59 elements; correct the dims"},
    {"dims that overflow, but for a 0", NEG, "\7",
     APPEND("\x2a\x17\x42\x01w\x10\x01\x08\x80\x80\x80\x80\x80\x80\x80\x80\x10\x08\x80\x80\x80\x80\x10\x08\x00"), ""},
    {"65 dims", NEG, "\7",
     APPEND("\x2a\x4a\x42\x01w\x10\x01\x4a\x00\x0a\x41"
            "\0\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1"
            "\1\1\1\1\1\1\1\1\1\1\1\1"),
     "LIM007 graph: tensor 'w': it has 65 dims, and at most 64 are read; reshape it"},
    {"64 dims", NEG, "\7",
     APPEND("\x2a\x49\x42\x01w\x10\x01\x4a\x00\x0a\x40"
            "\0\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1"
            "\1\1\1\1\1\1\1\1\1\1\1"),
     ""},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(appended) / sizeof(appended[0]); i++)
        lint_appended(&appended[i], "LIM");
    return done();
}
