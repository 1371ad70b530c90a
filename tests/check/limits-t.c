/* LIM: what goes beyond a limit, and what is just within it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "tests/check/append.h"
#include "tests/tap/tap.h"

#define NEG MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Neg (x) }")

static const struct appended appended[] = {
    {"dims that overflow", NEG, "\7",
     APPEND("\x2a\x15\x42\x01w\x10\x01\x08\x80\x80\x80\x80\x80\x80\x80\x80\x10\x08\x80\x80\x80\x80\x10"),
     "LIM006 graph: tensor 'w': its dims multiply to more than 2^59 elements, which no memory holds; correct the dims"},
    {"dims that overflow, but for a 0", NEG, "\7",
     APPEND("\x2a\x17\x42\x01w\x10\x01\x08\x80\x80\x80\x80\x80\x80\x80\x80\x10\x08\x80\x80\x80\x80\x10\x08\x00"), ""},
    {"65 dims", NEG, "\7",
     APPEND("\x2a\x4a\x42\x01w\x10\x01\x4a\x00\x0a\x41"
            "\0\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1"
            "\1\1\1\1\1\1\1\1\1\1\1\1"),
     "LIM007 graph: tensor 'w': it has 65 dims, and more than 64 are not read; reshape it"},
    {"64 dims", NEG, "\7",
     APPEND("\x2a\x49\x42\x01w\x10\x01\x4a\x00\x0a\x40"
            "\0\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1"
            "\1\1\1\1\1\1\1\1\1\1\1"),
     ""},
    {"a sparse tensor of 2^30", NEG, "\7",
     APPEND("\x7a\x1e\x0a\x0d\x42\x01s\x10\x01\x08\x01\x22\x04\0\0\x80\x3f\x12\x07\x10\x07\x08\x01\x3a\x01\x01\x18"
            "\x80\x80\x80\x80\x04"),
     "LIM009 graph: a sparse tensor of more than 268435456 elements when it is spread out; runtimes spread it out"},
    {"a sparse tensor of 2^28", NEG, "\7",
     APPEND("\x7a\x1e\x0a\x0d\x42\x01s\x10\x01\x08\x01\x22\x04\0\0\x80\x3f\x12\x07\x10\x07\x08\x01\x3a\x01\x01\x18"
            "\x80\x80\x80\x80\x01"),
     ""},
};

/* F0 has one node; each Fi calls the one before it twice. */
static void test_calls(const char *what, int levels, const char *found)
{
    struct buffer text = {0};
    buffer_print(&text,
                 "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
                 "g (float[2] x) => (float[2] y) { y = my.F%d (x) }\n",
                 levels);
    buffer_print(&text, "<domain: \"my\", opset_import: [\"\" : 13]> F0 (a) => (b) { b = Neg (a) }\n");
    for (int i = 1; i <= levels; i++)
        buffer_print(&text,
                     "<domain: \"my\", opset_import: [\"\" : 13, \"my\" : 1]> "
                     "F%d (a) => (b) { c = my.F%d (a) b = my.F%d (c) }\n",
                     i, i - 1, i - 1);
    char *model = buffer_take(&text);
    struct lint_case row = {what, model, found};
    lint_finds(&row, "LIM", NULL);
    free(model);
}

int main(void)
{
    for (size_t i = 0; i < sizeof(appended) / sizeof(appended[0]); i++)
        lint_appended(&appended[i], "LIM");
    test_calls("calls that explode", 30,
               "LIM010 function[24]:F24: with its calls replaced by what they call, it has more than 10000000 nodes; "
               "runtimes that inline functions run out of memory");
    test_calls("calls that are many", 23, "");
    return done();
}
