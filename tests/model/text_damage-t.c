/* ONNX's textual syntax: a text that is cut or changed anywhere is parsed, or refused with a position; parsed ones
 * can be printed and parsed again. Run with sanitizers. */
#include "tests/tap/tap.h"

#include <stdlib.h>
#include <string.h>

#include "model/text.h"

static const char sample[] =
    "<ir_version: 8, opset_import: [\"\" : 13], metadata_props: [\"k\" : \"v\\n\\x00\"]> # words\n"
    "g (float[N, ?, 6] x, int64[1] l = {-3}) => (seq(map(int8, optional(float[]))) y, sparse_tensor(bool) \"z 1\")\n"
    "<float16[2] h = {1.5, 9}, int4[3] i = {1, -2, 3}, double d = [\"location\": \"w\"], uint64 u = {7},\n"
    " sparse_tensor(float[9]) s = {float[1] {1e3}, int64[1] {7}}, string[1] t = {\"a\"}, opaque(a.b, c) o>\n"
    "{\n"
    "  [n] y, \"\" = \"my-d\".e.F:o <a = 1, b = 0.5, c = \"s\", d : ints = [], e = [-inf, nan], f = int8[1] m {1}> (x, "
    "\"\")\n"
    "  = If (c) <g = h () => (p) <float q> { p = J <v = @w> () }, t = [seq(float)], l = [i () => () { }]>\n"
    "}\n"
    "<domain: \"d\", overload: \"o\"> F <p, q : int = 1> (float a) => (b) <int8 b> { b = G <r : string = @p> (a) }\n";

static const char others[] = "\"\\#<>()[]{}=:,.@?-0e \n\xff\x00";

static unsigned bad, read, refused;

/* Counts failures in bad. */
static void try(const char *text, size_t size)
{
    struct opshift_error error = {0};
    struct buffer out = {0};
    Onnx__ModelProto *model = NULL, *again = NULL;
    struct arena *arena = arena_new(0);
    enum opshift_status status = text_parse_model(text, size, "in", arena, &model, &error);
    if (status == OPSHIFT_OK) {
        read++;
        text_print_model(&out, model);
        if (text_parse_model((char *)out.data, out.size, "printed", arena, &again, &error) != OPSHIFT_OK) {
            bad++;
            diag("%s: %.*s", error.text, (int)size, text);
        }
    } else {
        refused++;
        bad += status != OPSHIFT_MALFORMED || strncmp(error.text, "in:", 3) != 0;
    }
    buffer_free(&out);
    arena_free(arena);
}

/* On the heap and without a NUL after it, so that sanitizers find reads beyond it. */
static void try_copy(const char *head, size_t head_size, const char *middle, size_t middle_size, const char *tail)
{
    size_t tail_size = (size_t)(sample + strlen(sample) - tail), size = head_size + middle_size + tail_size;
    char *copy = malloc(size ? size : 1);
    if (!copy)
        return;
    memcpy(copy, head, head_size);
    if (middle_size)
        memcpy(copy + head_size, middle, middle_size);
    memcpy(copy + head_size + middle_size, tail, tail_size);
    try(copy, size);
    free(copy);
}

static void report(const char *what)
{
    is_int(0, bad, "%s: %u texts read, %u refused", what, read, refused);
    bad = read = refused = 0;
}

int main(void)
{
    size_t size = strlen(sample);
    const char *end = sample + size;

    try_copy(sample, size, NULL, 0, end);
    is_int(1, read, "the whole sample is read");
    for (size_t at = 0; at < size; at++)
        try_copy(sample, at, NULL, 0, end);
    report("cut at each byte");
    for (size_t at = 0; at < size; at++)
        try_copy(sample, at, NULL, 0, sample + at + 1);
    report("each byte left out");
    for (size_t at = 0; at < size; at++)
        for (size_t i = 0; i < sizeof(others) - 1; i++)
            try_copy(sample, at, others + i, 1, sample + at + 1);
    report("each byte changed");
    for (size_t at = 0; at < size; at++)
        try_copy(sample, at, sample + at, size - at < 40 ? size - at : 40, sample + at);
    report("a piece doubled at each byte");
    return done();
}
