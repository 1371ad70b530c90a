/* Constants are their content, however they are written. */
#include "tests/equal/compared.h"

#include <stdio.h>

#include "base/buffer.h"
#include "tests/tap/tap.h"

static const struct equal_case cases[] = {
    {"an initializer and a Constant", "<float[1] k = {2}> { y = Mul (x, k) }",
     "{ c = Constant <value_floats = [2.0]> () y = Mul (x, c) }", "proved", NULL},
    {"two initializers of the same content",
     "<float[2] k = {2, 3}, float[2] l = {2, 3}> { a = Mul (x, k) y = Add (a, l) }",
     "<float[2] k = {2, 3}> { a = Mul (x, k) y = Add (a, k) }", "proved", NULL},
    {"another shape of the same elements", "<float[2] k = {2, 3}> { y = Mul (x, k) }",
     "<float[1, 2] k = {2, 3}> { y = Mul (x, k) }", "tested; y 1-1 tested", NULL},
    {"0 and -0", "<float k = {0}> { y = Div (x, k) }", "<float k = {-0.0}> { y = Div (x, k) }",
     "differs; y 1-1 differs", NULL},
    {"strings of the same characters", "<string[2] k = {\"1\", \"23\"}> { f = Cast <to = 1> (k) y = Add (x, f) }",
     "<string[2] k = {\"12\", \"3\"}> { f = Cast <to = 1> (k) y = Add (x, f) }", "differs; y 1-1 differs", NULL},
};

/* Long constants are compared by a hash, very long ones by that of their pieces: one element makes another. */
static void test_long(const char *what, unsigned count, unsigned other, const char *expected)
{
    struct buffer texts[2] = {{0}, {0}};
    struct compared result;
    for (unsigned side = 0; side < 2; side++) {
        buffer_print(
            &texts[side],
            "<ir_version: 8, opset_import: [\"\" : 13]> g (float[N, %u] x) => (float[N, %u] y) <float[%u] k = {", count,
            count, count);
        for (unsigned i = 0; i < count; i++)
            buffer_print(&texts[side], "%s%u", i > 0 ? "," : "", side == 1 && i == other ? 77 : i % 9);
        buffer_add_text(&texts[side], "}> { y = Mul (x, k) }");
        buffer_add_byte(&texts[side], '\0');
    }
    compare_texts((const char *)texts[0].data, (const char *)texts[1].data, NULL, &result);
    is_string(expected, result.text, "%s (%s)", what, result.why);
    buffer_free(&texts[0]);
    buffer_free(&texts[1]);
}

int main(void)
{
    check_cases("g (float[N, 2] x) => (float[A, B] y)", cases, COUNT(cases));
    test_long("a long constant", 400, 400, "proved");
    test_long("its first element is another", 400, 0, "differs; y 1-1 differs");
    test_long("its last element is another", 400, 399, "differs; y 1-1 differs");
    test_long("a very long constant", 263000, 263000, "proved");
    test_long("an element of its last piece is another", 263000, 262999, "differs; y 1-1 differs");
    return done();
}
