/* The cost of inference: models made to cause repeated or cyclic work. */
#include "tests/infer/subject.h"

#include <stdio.h>
#include <time.h>

#define SECONDS_MAX 20

/* Infers a value of the main graph, within the time limit. */
static void is_quick(struct buffer *text, const char *name, const char *wanted, const char *what)
{
    char *model = buffer_take(text);
    struct infer_subject subject;
    clock_t start = clock();
    if (subject_open(&subject, model))
        type_is(&subject, NULL, name, wanted, what);
    subject_close(&subject);
    ok((clock() - start) / CLOCKS_PER_SEC < SECONDS_MAX, "%s: in time", what);
    free(model);
}

static void head(struct buffer *text, const char *graph)
{
    buffer_print(text, "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n%s", graph);
}

/* The body of each loop is inferred again for each round of the outer one, up to a limit. */
static void loops_in_loops(void)
{
    enum { DEPTH = 16 };
    struct buffer text = {0};
    head(&text, "g (int64 m, bool c, float[2, 3] v0) => (float out) {\n");
    for (int i = 0; i < DEPTH; i++)
        buffer_print(&text,
                     "v%d = Loop (m, c, v0) <body = b%d (int64 i%d, bool k%d, float[2, 3] s%d) => (k%d, o%d) {\n",
                     i + 1, i, i, i, i, i, i);
    for (int i = DEPTH; i-- > 0;)
        buffer_print(&text, "o%d = Concat <axis = 0> (s%d, s%d) }>\n", i, i, i);
    buffer_add_text(&text, "}");
    is_quick(&text, "v1", "float[]", "loops in loops");
}

/* Each value loses a dim one round after the previous one. */
static void many_carried_values(void)
{
    enum { COUNT = 2000 };
    struct buffer text = {0};
    head(&text, "g (int64 m, bool c, float[2, 3] x, float[3, 3] y) => (float out) {\nv0");
    for (int i = 1; i < COUNT; i++)
        buffer_print(&text, ", v%d", i);
    buffer_add_text(&text, " = Loop (m, c");
    for (int i = 0; i < COUNT; i++)
        buffer_add_text(&text, ", x");
    buffer_add_text(&text, ") <body = b (int64 i, bool k");
    for (int i = 0; i < COUNT; i++)
        buffer_print(&text, ", s%d", i);
    buffer_add_text(&text, ") => (k");
    for (int i = 0; i < COUNT; i++)
        buffer_print(&text, ", o%d", i);
    buffer_add_text(&text, ") { o0 = Relu (y)\n");
    for (int i = 1; i < COUNT; i++)
        buffer_print(&text, "o%d = Relu (s%d)\n", i, i - 1);
    buffer_add_text(&text, "}> }");
    is_quick(&text, "v1999", "float[]", "many values that wait for one another");
}

/* Each level has twice as many calls, with different arguments. */
static void calls_of_calls(void)
{
    enum { DEPTH = 40 };
    struct buffer text = {0};
    head(&text, "g (float[2, 3] x) => (float out) { y = f.F0 (x) }\n");
    for (int i = 0; i < DEPTH; i++)
        buffer_print(&text,
                     "<domain: \"f\", opset_import: [\"\" : 13, \"f\" : 1]> F%d (a%d) => (r%d) {\n"
                     "b%d = Concat <axis = 0> (a%d, a%d) o%d = Constant <value = float[1, 3] {1, 1, 1}> ()\n"
                     "c%d = Concat <axis = 0> (a%d, o%d) p%d = f.F%d (c%d) q%d = f.F%d (b%d) r%d = Add (p%d, q%d) }\n",
                     i, i, i, i, i, i, i, i, i, i, i, i + 1, i, i, i + 1, i, i, i, i);
    buffer_print(&text, "<domain: \"f\", opset_import: [\"\" : 13]> F%d (z) => (w) { w = Relu (z) }\n", DEPTH);
    is_quick(&text, "y", "float[]", "calls with more arguments than are followed");
}

/* Calls with other types each are inferred until as many nodes were inferred as may be: 20,000, and 8 for each node. */
static void calls_up_to_the_limit(int body, int before, const char *wanted, const char *what)
{
    enum { CALLS = 31 };
    struct buffer text = {0};
    head(&text, "g (float[1] x0) => (float out) {\n");
    for (int i = 0; i < before; i++)
        buffer_print(&text, "p%d = Relu (x0)\n", i);
    for (int i = 0; i < CALLS; i++)
        buffer_print(&text, "x%d = Concat <axis = 0> (x%d, x0) y%d = f.F (x%d)\n", i + 1, i, i, i + 1);
    buffer_print(&text, "z = Relu (y%d) }\n<domain: \"f\", opset_import: [\"\" : 13]> F (a0) => (a%d) {\n", CALLS - 1,
                 body);
    for (int i = 0; i < body; i++)
        buffer_print(&text, "a%d = Relu (a%d)\n", i + 1, i);
    buffer_add_text(&text, "}");
    is_quick(&text, "y30", wanted, what);
}

static void functions_in_a_circle(void)
{
    struct buffer text = {0};
    head(&text, "g (float[2, 3] x) => (float out) { y = f.A (x) z = Relu (y) }\n"
                "<domain: \"f\", opset_import: [\"\" : 13, \"f\" : 1]> A (a) => (b) { b = f.B (a) }\n"
                "<domain: \"f\", opset_import: [\"\" : 13, \"f\" : 1]> B (c) => (d) { d = f.A (c) }");
    is_quick(&text, "z", "?", "functions that call each other");
}

static void long_lists_for_many(void)
{
    enum { COUNT = 20000, LENGTH = 1000 };
    struct buffer text = {0};
    head(&text, "g (float[2, 3] x) => (float out) <int64[1000] w = {0");
    for (int i = 1; i < LENGTH; i++)
        buffer_add_text(&text, ", 0");
    buffer_add_text(&text, "}> {\n");
    for (int i = 0; i < COUNT; i++)
        buffer_print(&text, "v%d = Add (w, w)\n", i);
    buffer_add_text(&text, "}");
    is_quick(&text, "v19999", "int64[1000]", "a long constant that many nodes compute with");
}

/* Reverse order: each node depends on the next one, also in a subgraph. */
static void nodes_out_of_order(void)
{
    enum { COUNT = 20000 };
    struct buffer text = {0};
    head(&text, "g (float[2, 3] v0, bool c) => (float out) {\n");
    buffer_print(&text,
                 "w = If (c) <then_branch = t () => (a) { a = Relu (v%d) }, else_branch = e () => (b) "
                 "{ b = Relu (v0) }>\n",
                 COUNT);
    for (int i = COUNT; i > 0; i--)
        buffer_print(&text, "v%d = Relu (v%d)\n", i, i - 1);
    buffer_add_text(&text, "}");
    is_quick(&text, "w", "float[2,3]", "nodes in the opposite order");
}

static void circles(void)
{
    enum { COUNT = 20000 };
    struct buffer text = {0};
    head(&text, "g (float[2, 3] x) => (float out) {\n");
    for (int i = 0; i < COUNT; i++)
        buffer_print(&text, "v%d = Relu (v%d)\n", i, (i + 1) % COUNT);
    buffer_add_text(&text, "z = Relu (x) }");
    is_quick(&text, "z", "float[2,3]", "nodes in a circle");
}

int main(void)
{
    loops_in_loops();
    many_carried_values();
    calls_of_calls();
    calls_up_to_the_limit(1002, 229, "float[32]", "a call for which one node is left of all that may be inferred");
    calls_up_to_the_limit(1003, 232, "?", "a call for which none is left");
    functions_in_a_circle();
    long_lists_for_many();
    nodes_out_of_order();
    circles();
    return done();
}
