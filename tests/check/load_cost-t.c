/* LOD: small models that are expensive to load, and models within the limits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "tests/check/append.h"
#include "tests/tap/tap.h"

#define NEG MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Neg (x) }")
#define REPORTED                                                                                                       \
    ", independent of the inputs, and more than 1073741824 are reported; check the shape, or raise the "               \
    "limit 'value'"
#define TRIPS(n)                                                                                                       \
    "it runs its body " n " times, independent of the inputs, and more than 100000000 are reported; check the "        \
    "count, or raise the limit 'trips'"

static const struct appended appended[] = {
    {"a sparse tensor of 2^30", NEG, "\7",
     APPEND("\x7a\x1e\x0a\x0d\x42\x01s\x10\x01\x08\x01\x22\x04\0\0\x80\x3f\x12\x07\x10\x07\x08\x01\x3a\x01\x01\x18"
            "\x80\x80\x80\x80\x04"),
     "LOD004 graph: a sparse tensor that takes 4294967296 bytes in dense form, and more than 1073741824 are "
     "reported; "
     "check its dims, or raise the limit 'value'"},
    {"a sparse tensor of 2^28 bytes and more", NEG, "\7",
     APPEND("\x7a\x1e\x0a\x0d\x42\x01s\x10\x01\x08\x01\x22\x04\0\0\x80\x3f\x12\x07\x10\x07\x08\x01\x3a\x01\x01\x18"
            "\x80\x80\x80\x80\x01"),
     ""},
};

static const struct lint_case cases[] = {
    {"ConstantOfShape", MODEL(13, 8, "g () => (float[N] y) <int64[1] s = {268435457}> { y = ConstantOfShape (s) }"),
     "LOD003 graph/node[0]: output 'y' takes 1073741828 bytes" REPORTED},
    {"ConstantOfShape of 1 GiB",
     MODEL(13, 8, "g () => (float[N] y) <int64[1] s = {268435456}> { y = ConstantOfShape (s) }"), ""},
    {"ConstantOfShape of more than can be counted",
     MODEL(13, 8, "g () => (float[N, M] y) <int64[2] s = {4294967296, 4294967296}> { y = ConstantOfShape (s) }"),
     "LOD003 graph/node[0]: output 'y' takes more than 18446744073709551615 bytes" REPORTED},
    {"ConstantOfShape of nothing",
     MODEL(13, 8, "g () => (float[N, M] y) <int64[2] s = {4294967296, 0}> { y = ConstantOfShape (s) }"), ""},
    {"Expand, and what reads it is not reported too",
     MODEL(13, 8, "g (float[1] x) => (float[N, M] y) <int64[2] s = {4000000, 1000}> { e = Expand (x, s) y = Neg (e) }"),
     "LOD003 graph/node[0]: output 'e' takes 16000000000 bytes" REPORTED},
    {"Tile", MODEL(13, 8, "g (float[10] x) => (float[N] y) <int64[1] s = {400000000}> { y = Tile (x, s) }"),
     "LOD003 graph/node[0]: output 'y' takes 16000000000 bytes" REPORTED},
    {"Range",
     MODEL(13, 8,
           "g () => (int64[N] y) <int64 a = {0}, int64 b = {4000000000}, int64 d = {1}> { y = Range (a, b, d) }"),
     "LOD003 graph/node[0]: output 'y' takes 32000000000 bytes" REPORTED},
    {"OneHot",
     MODEL(13, 8,
           "g (int64[100] x) => (float[N, M] y) <int64 d = {40000000}, float[2] v = {0, 1}> { y = OneHot (x, d, v) }"),
     "LOD003 graph/node[0]: output 'y' takes 16000000000 bytes" REPORTED},
    {"RandomNormal", MODEL(13, 8, "g () => (float[N, M] y) { y = RandomNormal <shape = [100000, 100000]> () }"),
     "LOD003 graph/node[0]: output 'y' takes 40000000000 bytes" REPORTED},
    {"an outer product",
     MODEL(13, 8, "g (float[100000, 1] a, float[1, 100000] b) => (float[N, M] y) { y = MatMul (a, b) }"),
     "LOD003 graph/node[0]: output 'y' takes 40000000000 bytes" REPORTED},
    {"weights at an address",
     MODEL(13, 8,
           "g (float[2] x) => (float[2] y) < float[2] w = [\"location\": \"*/_ORT_MEM_ADDR_/*\", \"offset\": \"4096\", "
           "\"length\": \"8\"] > { y = Add (x, w) }"),
     "LOD005 graph: tensor 'w': external data '*/_ORT_MEM_ADDR_/*': some runtimes use its offset as an address in "
     "their own memory; put the data into a file"},
    {"a body's input that is an initializer",
     MODEL(13, 8,
           "g (int64 n, bool k, float[2] x) => (float[2] y) { y = Loop (n, k, x) <body = b (int64 i, bool c, float[2] "
           "s) => (bool d, float[2] t) <float[2] s = {1, 2}> { d = Identity (c) t = Add (s, s) }> }"),
     "LOD006 graph/node[0]/body: input 's' is also an initializer of the same graph, and the node's value and the "
     "initializer's conflict; rename the initializer, or remove it"},
    {"an input of the main graph that is one",
     MODEL(13, 3, "g (float[2] x, float[2] s) => (float[2] y) <float[2] s = {1, 2}> { y = Add (x, s) }"), ""},
    {"a Loop that nothing ends",
     MODEL(13, 8,
           "g (float[2] x) => (float[2] y) <int64 n = {4611686018427387904}, bool k = {1}> { y = Loop (n, k, x) <body "
           "= b "
           "(int64 i, bool c, float[2] s) => (bool d, float[2] t) { d = Identity (c) t = Add (s, s) }> }"),
     "LOD008 graph/node[0]: " TRIPS("4611686018427387904")},
    {"a Loop that its condition may end",
     MODEL(
         13, 8,
         "g (float x) => (float y) <int64 n = {9223372036854775807}, bool k = {1}, float l = {100}> { y = Loop (n, k, "
         "x) <body = b (int64 i, bool c, float s) => (bool d, float t) { t = Add (s, s) d = Less (t, l) }> }"),
     ""},
    {"a Loop that may not begin",
     MODEL(
         13, 8,
         "g (bool k, float x) => (float y) <int64 n = {9223372036854775807}> { y = Loop (n, k, x) <body = b (int64 i, "
         "bool c, float s) => (bool d, float t) { t = Add (s, s) d = Identity (c) }> }"),
     ""},
    {"a Loop of a hundred million rounds",
     MODEL(
         13, 8,
         "g (float x) => (float y) <int64 n = {100000000}, bool k = {1}> { y = Loop (n, k, x) <body = b (int64 i, bool "
         "c, float s) => (bool d, float t) { t = Add (s, s) d = Identity (c) }> }"),
     ""},
    {"a Scan over what has no element",
     MODEL(13, 8,
           "g (float x) => (float y, float[N, 0] z) <int64[2] s = {1099511627776, 0}> { e = ConstantOfShape (s) y, z = "
           "Scan <num_scan_inputs = 1, body = b (float t, float[0] v) => (float u, float[0] w) { u = Add (t, t) w = "
           "Identity (v) }> (x, e) }"),
     "LOD008 graph/node[1]: " TRIPS("1099511627776")},
    {"a declared shape that overflows",
     MODEL(13, 8, "g (float[4294967296, 4294967296] x) => (float y) { y = ReduceSum <keepdims = 0> (x) }"),
     "LOD009 graph: value 'x': its declared dims multiply to more than 2^59 elements; correct them"},
    {"one that does not",
     MODEL(13, 8, "g (float[268435456, 2147483648] x) => (float y) { y = ReduceSum <keepdims = 0> (x) }"), ""},
    {"beside a dim of any size",
     MODEL(13, 8, "g (float[N, 4294967296, 4294967296] x) => (float y) { y = ReduceSum <keepdims = 0> (x) }"),
     "LOD009 graph: value 'x': its declared dims multiply to more than 2^59 elements; correct them"},
    {"one of just one element more",
     MODEL(13, 8, "g (float[576460752303423489] x) => (float y) { y = ReduceSum <keepdims = 0> (x) }"),
     "LOD009 graph: value 'x': its declared dims multiply to more than 2^59 elements; correct them"},
    {"one that has no element",
     MODEL(13, 8, "g (float[4294967296, 4294967296, 0] x) => (float y) { y = ReduceSum <keepdims = 0> (x) }"), ""},
};

/* F0 has one node; each Fi calls the previous one, once or twice. */
static void test_calls(const char *what, int levels, bool twice, const char *found)
{
    struct buffer text = {0};
    buffer_print(&text,
                 "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
                 "g (float[2] x) => (float[2] y) { y = my.F%d (x) }\n",
                 levels);
    buffer_print(&text, "<domain: \"my\", opset_import: [\"\" : 13]> F0 (a) => (b) { b = Neg (a) }\n");
    for (int i = 1; i <= levels; i++) {
        char next[32];
        snprintf(next, sizeof(next), "my.F%d", i - 1);
        buffer_print(&text,
                     "<domain: \"my\", opset_import: [\"\" : 13, \"my\" : 1]> "
                     "F%d (a) => (b) { c = my.F%d (a) b = %s (c) }\n",
                     i, i - 1, twice ? next : "Neg");
    }
    char *model = buffer_take(&text);
    struct lint_case row = {what, model, found};
    lint_finds(&row, "LOD", NULL);
    free(model);
}

/* Nested Ifs: their branches are nested graphs. */
static void test_nested(int levels, const char *found)
{
    struct buffer text = {0};
    buffer_print(&text, "<ir_version: 8, opset_import: [\"\" : 13]>\ng (bool c, float[2] x) => (float[2] y0) {");
    for (int i = 0; i < levels; i++)
        buffer_print(&text,
                     "y%d = If (c) <else_branch = e%d () => (float[2] z%d) { z%d = Neg (x) }, then_branch = t%d () => "
                     "(float[2] y%d) { ",
                     i, i, i, i, i, i + 1);
    buffer_print(&text, "y%d = Neg (x)", levels);
    for (int i = 0; i < levels; i++)
        buffer_print(&text, " }>");
    buffer_print(&text, " }");
    char *model = buffer_take(&text);
    lint_finds(&(struct lint_case){"graphs inside each other", model, found}, "LOD", NULL);
    free(model);
}

#define DOWN4 "/node[0]/then_branch/node[0]/then_branch/node[0]/then_branch/node[0]/then_branch"
#define DEEP                                                                                                           \
    "a graph inside 17 others; runtimes that recurse into them may overflow their stack; flatten the graphs, or "      \
    "raise the limit 'subgraphs'"

/* A lower limit is reached earlier. */
static void test_limits(void)
{
    struct opshift_limits limits = {.value = 8, .calls = 1, .inlined = 1};
    struct opshift_open_options open = {.limits = &limits};
    struct opshift_lint_options options = {.open = &open};
    lint_finds(&(struct lint_case){"a lower limit of bytes",
                                   MODEL(13, 8, "g (float[1] x) => (float[3] y) { y = Concat <axis = 0> (x, x, x) }"),
                                   "LOD003 graph/node[0]: output 'y' takes 12 bytes, independent of the inputs, and "
                                   "more than 8 are reported; check the shape, or raise the limit 'value'"},
               "LOD", &options);
    lint_finds(
        &(struct lint_case){
            "lower limits of calls and nodes",
            "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
            "g (float x) => (float y) { y = my.F (x) }\n"
            "<domain: \"my\", opset_import: [\"\" : 13]> E (a) => (b) { b = Neg (a) }\n"
            "<domain: \"my\", opset_import: [\"\" : 13, \"my\" : 1]> F (a) => (c) { b = my.E (a) c = Neg (b) }",
            "LOD001 function[1]:F: it calls more than 1 nested functions; nest fewer calls, or raise the limit "
            "'calls'\n"
            "LOD002 function[1]:F: with its calls inlined it has more than 1 nodes; use fewer calls, or raise the "
            "limit 'inlined'"},
        "LOD", &options);
}

int main(void)
{
    for (size_t i = 0; i < sizeof(appended) / sizeof(appended[0]); i++)
        lint_appended(&appended[i], "LOD");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        lint_finds(&cases[i], "LOD", NULL);
    test_calls("calls that explode", 30, true,
               "LOD002 function[24]:F24: with its calls inlined it has more than 10000000 nodes; use fewer calls, or "
               "raise the limit 'inlined'");
    test_calls("calls that are many", 23, true, "");
    test_calls("a hundred functions in a row", 99, false, "");
    test_calls("three thousand", 2999, false,
               "LOD001 function[100]:F100: it calls more than 100 nested functions; nest fewer calls, or raise the "
               "limit 'calls'");
    test_calls("sixty-four levels that double, which no number counts", 90, true,
               "LOD002 function[24]:F24: with its calls inlined it has more than 10000000 nodes; use fewer calls, or "
               "raise the limit 'inlined'");
    test_nested(16, "");
    test_nested(17, "LOD007 graph" DOWN4 DOWN4 DOWN4 DOWN4 "/node[0]/else_branch: " DEEP
                    "\nLOD007 graph" DOWN4 DOWN4 DOWN4 DOWN4 "/node[0]/then_branch: " DEEP);
    test_limits();
    lint_examples("LOD");
    return done();
}
