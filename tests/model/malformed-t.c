/* Files that are no models, or damaged, or above a limit: each has its message. */
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

static const char sample[] = "<ir_version: 8, opset_import: [\"\": 17, \"my\": 2], producer_name: \"p\">\n"
                             "agraph (float[N, 4] x, bool c) => (float[N, 2] y)\n"
                             "<float[2] w = {1, 2}, int64[2] sz = {2, 2}, float[N] mid>\n"
                             "{\n"
                             "  [first] a, b = Split<axis = 1>(x, sz)\n"
                             "  y = If(c) <then_branch = inner () => (float[N, 2] t) { t = my.F(a) },\n"
                             "             else_branch = other () => (float[N, 2] e) { e = Identity(b) }>\n"
                             "}\n"
                             "<domain: \"my\", opset_import: [\"\": 16]>\n"
                             "F <k> (p) => (q) { q = Add(p, p) }\n";

static enum opshift_status open_bytes(const void *data, size_t size, const struct opshift_limits *limits,
                                      struct opshift_error *error)
{
    struct opshift_open_options options = {.name = "in.onnx"};
    struct opshift_model *model;
    if (limits != NULL)
        options.limits = limits;
    *error = (struct opshift_error){0};
    enum opshift_status status = opshift_model_open_memory(data, size, &options, &model, error);
    opshift_model_free(model);
    return status;
}

/* Bytes in a block of their own, so that a sanitizer finds accesses beyond them. */
static enum opshift_status open_alone(const char *data, size_t size, struct opshift_error *error)
{
    char *copy = malloc(size + (size == 0));
    memcpy(copy, data, size);
    enum opshift_status status = open_bytes(copy, size, NULL, error);
    free(copy);
    return status;
}

/* The ends of a model's top-level records: a cut there, after the graph, leaves a valid model. */
static bool is_border(const char *data, size_t size, size_t cut)
{
    struct source *source;
    struct wire_field field;
    bool found, border = false, graph = false;
    if (source_open_memory(data, size, &source, NULL))
        return false;
    struct wire_cursor cursor = {source, 0, size};
    while (wire_next(&cursor, &field, &found, NULL) == OPSHIFT_OK && found) {
        graph = graph || field.number == 7;
        border = border || (graph && cursor.at == cut);
    }
    source_free(source);
    return border;
}

static void test_cut_at_each_byte(void)
{
    struct opshift_error error = {0};
    char *bytes;
    size_t size, wrong = 0;
    if (!ok(opshift_text_to_model(sample, strlen(sample), "sample", &bytes, &size, &error) == OPSHIFT_OK,
            "the sample is a model"))
        return;
    for (size_t cut = 0; cut < size; cut++) {
        enum opshift_status wanted = is_border(bytes, size, cut) ? OPSHIFT_OK : OPSHIFT_MALFORMED;
        if (open_alone(bytes, cut, &error) != wanted && wrong++ == 0)
            diag("cut at %zu of %zu: %s", cut, size, error.text);
    }
    is_int(0, (int64_t)wrong, "cut at each byte, the sample is malformed");
    ok(open_alone(bytes, size, &error) == OPSHIFT_OK, "whole, it opens");
    opshift_text_free(bytes);
}

static void test_each_byte_changed(void)
{
    struct opshift_error error = {0};
    char *bytes;
    size_t size, wrong = 0;
    opshift_text_to_model(sample, strlen(sample), "sample", &bytes, &size, &error);
    for (size_t at = 0; at < size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] = (char)(bytes[at] ^ 1 << bit);
            enum opshift_status status = open_alone(bytes, size, &error);
            wrong += status != OPSHIFT_OK && status != OPSHIFT_MALFORMED && status != OPSHIFT_UNSUPPORTED;
            wrong += status != OPSHIFT_OK && strncmp(error.text, "in.onnx: ", 9) != 0;
            bytes[at] = (char)(bytes[at] ^ 1 << bit);
        }
    }
    is_int(0, (int64_t)wrong, "with any bit changed it opens, or is refused in words");
    opshift_text_free(bytes);
}

#define BYTES(text) text, sizeof(text) - 1

static const struct {
    const char *what, *data;
    size_t size;
    const char *message;
} damaged[] = {
    {"an LFS pointer", BYTES("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"),
     "in.onnx: a Git LFS pointer, not the model that it stands for; fetch that with 'git lfs pull'"},
    {"a page", BYTES("\n<!DOCTYPE html>\n<html>"),
     "in.onnx: an HTML page, not a model; download the file itself, not the page that shows it"},
    {"gzip", BYTES("\x1f\x8b\x08\x00\x00\x00\x00\x00"), "in.onnx: compressed with gzip; unpack it with gunzip"},
    {"zip", BYTES("PK\x03\x04\x14\x00"),
     "in.onnx: a zip archive; unpack it, and if it is a PyTorch file, export it to ONNX"},
    {"TensorFlow Lite", BYTES("\x1c\x00\x00\x00TFL3\x14\x00"),
     "in.onnx: a TensorFlow Lite model; convert it to ONNX with tf2onnx"},
    {"safetensors", BYTES("\x08\x00\x00\x00\x00\x00\x00\x00{\"w\":{}}"),
     "in.onnx: a safetensors file: weights without a graph; export the model that they belong to to ONNX"},
    {"GGUF", BYTES("GGUF\x03\x00\x00\x00"), "in.onnx: a GGUF file, as llama.cpp reads, not an ONNX model"},
    {"a pickle", BYTES("\x80\x02}q\x00"), "in.onnx: a pickle of Python; load it there, and export the model to ONNX"},
    {"any text", BYTES("hello\n"),
     "in.onnx: text, not a model in ONNX's binary form; check the name, or fetch the file again"},
    {"text", BYTES("<ir_version: 7>\ng (float[N] x) => (float[N] y) {}"),
     "in.onnx: a model in ONNX's textual syntax; make it binary with 'opshift assemble'"},
    {"protobuf's text", BYTES("ir_version: 8\ngraph {\n}\n"),
     "in.onnx: protobuf's text format, not its binary one; convert it with the onnx package (onnx.save_model)"},
    {"no graph", BYTES("\x08\x08"), "in.onnx: no graph in it; it is no ONNX model, or cut short"},
    {"two graphs", BYTES("\x3a\x00\x3a\x00"),
     "in.onnx: byte 2: ModelProto.graph is given twice; it is not known which one counts"},
    {"a number for a graph", BYTES("\x38\x01"),
     "in.onnx: byte 0: ModelProto.graph (field 7) is written as a varint instead of a length and bytes; the file is "
     "damaged or cut short; fetch it again"},
    {"a number for an input", BYTES("\x3a\x04\x0a\x02\x08\x01"),
     "in.onnx: node 0: byte 4: NodeProto.input (field 1) is written as a varint instead of a length and bytes; the "
     "file is damaged or cut short; fetch it again"},
    {"a length too great", BYTES("\x3a\x04\x0a\x09\x12\x00"),
     "in.onnx: byte 2: field 1 is 9 bytes long, but only 2 are left of its message; the file is damaged or cut short; "
     "fetch it again"},
    {"an attribute with two graphs", BYTES("\x3a\x08\x0a\x06\x2a\x04\x32\x00\x32\x00"),
     "in.onnx: node 0: byte 8: AttributeProto.g is given twice; it is not known which one counts"},
    {"a dim that does not end", BYTES("\x3a\x05\x2a\x03\x0a\x01\x80"), "in.onnx: byte 6: a dim that does not end"},
};

static void test_messages(void)
{
    struct opshift_error error;
    for (size_t i = 0; i < COUNT(damaged); i++) {
        is_int(OPSHIFT_MALFORMED, open_bytes(damaged[i].data, damaged[i].size, NULL, &error), "%s is refused",
               damaged[i].what);
        is_string(damaged[i].message, error.text, "%s: the message", damaged[i].what);
    }
}

/* Wraps the buffer's bytes as a field. */
static void wrap(struct buffer *buffer, uint32_t number)
{
    struct buffer outer = {0};
    wire_add_bytes(&outer, number, buffer->data, buffer->size);
    buffer_free(buffer);
    *buffer = outer;
}

/* Nested graphs: each takes three levels, the main one takes the first. */
static void test_nested_graphs(void)
{
    struct opshift_error error;
    struct buffer buffer = {0};
    for (int i = 0; i < 33; i++) {
        wrap(&buffer, 6);
        wrap(&buffer, 5);
        wrap(&buffer, 1);
    }
    struct buffer inner = {0};
    buffer_add(&inner, buffer.data, buffer.size);
    wrap(&buffer, 7);
    is_int(OPSHIFT_OK, open_bytes(buffer.data, buffer.size, NULL, &error), "100 levels open");
    wrap(&inner, 6);
    wrap(&inner, 5);
    wrap(&inner, 1);
    wrap(&inner, 7);
    is_int(OPSHIFT_UNSUPPORTED, open_bytes(inner.data, inner.size, NULL, &error), "103 levels are refused");
    ok(strstr(error.text,
              "messages are nested deeper than 100 levels; if the file is to be trusted, raise the limit 'nesting'"),
       "and the message says so");
    struct opshift_limits limits = {.nesting = 103};
    is_int(OPSHIFT_OK, open_bytes(inner.data, inner.size, &limits, &error), "a higher limit lets them in");
    limits.nesting = 5000;
    is_int(OPSHIFT_USAGE, open_bytes(inner.data, inner.size, &limits, &error), "a limit has a limit");
    is_string("in.onnx: limit 'nesting' is 5000; it may be 1 to 2000", error.text, "which is named");
    buffer_free(&buffer);
    buffer_free(&inner);
}

/* TypeProto is the other recursive message: a sequence of sequences of ... */
static void test_nested_types(void)
{
    static const struct {
        const char *what;
        uint32_t outer[4];
    } places[] = {
        {"of an input", {2, 11, 7}},
        {"in an attribute", {14, 5, 1, 7}},
    };
    for (size_t place = 0; place < COUNT(places); place++) {
        for (int deep = 0; deep < 2; deep++) {
            struct buffer buffer = {0};
            struct opshift_error error;
            uint32_t above = places[place].outer[3] ? 4 : 3;
            for (uint32_t level = above; level + 2 <= (deep ? 103u : 100u); level += 2) {
                wrap(&buffer, 1);
                wrap(&buffer, 4);
            }
            for (uint32_t i = 0; i < above; i++)
                wrap(&buffer, places[place].outer[i]);
            is_int(deep ? OPSHIFT_UNSUPPORTED : OPSHIFT_OK, open_bytes(buffer.data, buffer.size, NULL, &error),
                   "the type %s, %s", places[place].what, deep ? "too deep" : "as deep as may be");
            buffer_free(&buffer);
        }
    }
}

static void test_memory_limit(void)
{
    struct opshift_limits limits = {.memory = 100000};
    struct opshift_error error;
    struct buffer buffer = {0};
    for (int i = 0; i < 10000; i++)
        wire_add_bytes(&buffer, 1, "", 0);
    wrap(&buffer, 7);
    is_int(OPSHIFT_UNSUPPORTED, open_bytes(buffer.data, buffer.size, &limits, &error), "an index has a limit");
    is_string("in.onnx: the index takes more than 100000 bytes; if the file is to be trusted, raise the limit 'memory'",
              error.text, "which is named");
    is_int(OPSHIFT_OK, open_bytes(buffer.data, buffer.size, NULL, &error), "10,000 empty nodes are within the default");
    buffer_free(&buffer);
}

int main(void)
{
    test_cut_at_each_byte();
    test_each_byte_changed();
    test_messages();
    test_nested_graphs();
    test_nested_types();
    test_memory_limit();
    return done();
}
