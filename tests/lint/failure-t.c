/* A file that cannot be parsed has one finding, of the check for the fault, at its byte. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

#define BYTES(text) text, sizeof(text) - 1
#define DAMAGED     "; the file is damaged or cut short; fetch it again"

static const struct {
    const char *what, *data;
    size_t size;
    enum opshift_status status;
    uint64_t offset;
    const char *found;
} cases[] = {
    {"an empty file", BYTES(""), OPSHIFT_MALFORMED, 0, "PRT002 is empty; fetch or write it again"},
    {"an LFS pointer", BYTES("version https://git-lfs.github.com/spec/v1\n"), OPSHIFT_MALFORMED, 0,
     "PRT003 a Git LFS pointer, not the model that it stands for; fetch that with 'git lfs pull'"},
    {"gzip", BYTES("\x1f\x8b\x08\x00"), OPSHIFT_MALFORMED, 0, "PRT004 compressed with gzip; unpack it with gunzip"},
    {"protobuf's text", BYTES("ir_version: 8\n"), OPSHIFT_MALFORMED, 0,
     "PRT005 protobuf's text format, not its binary one; convert it with the onnx package (onnx.save_model)"},
    {"a page", BYTES("<html>"), OPSHIFT_MALFORMED, 0,
     "PRT006 an HTML page, not a model; download the file itself, not the page that shows it"},
    {"a tag cut", BYTES("\x08\x08\x80"), OPSHIFT_MALFORMED, 2, "PRT007 byte 2: its message ends inside a tag" DAMAGED},
    {"a length too great", BYTES("\x3a\x04\x0a\x09\x12\x00"), OPSHIFT_MALFORMED, 2,
     "PRT008 byte 2: field 1 is 9 bytes long, but only 2 are left of its message" DAMAGED},
    {"a varint too long", BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), OPSHIFT_MALFORMED, 1,
     "PRT009 byte 1: a varint of more than 10 bytes" DAMAGED},
    {"field 0", BYTES("\x08\x08\x00\x00"), OPSHIFT_MALFORMED, 2,
     "PRT010 byte 2: field number 0 does not exist" DAMAGED},
    {"a group", BYTES("\x08\x08\x0b\x0c"), OPSHIFT_MALFORMED, 2,
     "PRT011 byte 2: field 1 is a group, which ONNX does not have" DAMAGED},
    {"wire type 6", BYTES("\x08\x08\x0e"), OPSHIFT_MALFORMED, 2,
     "PRT012 byte 2: field 1 has wire type 6, which does not exist" DAMAGED},
    {"a number for a graph", BYTES("\x38\x01"), OPSHIFT_MALFORMED, 0,
     "PRT013 byte 0: ModelProto.graph (field 7) is written as a varint instead of a length and bytes" DAMAGED},
    {"no graph", BYTES("\x08\x08"), OPSHIFT_MALFORMED, 0, "PRT014 no graph in it; it is no ONNX model, or cut short"},
    {"two graphs", BYTES("\x3a\x00\x3a\x00"), OPSHIFT_MALFORMED, 2,
     "PRT015 byte 2: ModelProto.graph is given twice; it is not known which one counts"},
    {"a default that is a graph", BYTES("\x3a\x00\xca\x01\x04\x5a\x02\x32\x00"), OPSHIFT_UNSUPPORTED, 7,
     "LIM004 byte 7: a default attribute that is a graph; give it at each call instead"},
};

/* The findings in a file, one per line; freed by the caller. */
static char *lint_path(const char *path, const struct opshift_lint_options *options, enum opshift_status *status,
                       uint64_t *offset)
{
    struct opshift_error error = {0};
    struct opshift_lint *lint = NULL;
    struct opshift_findings *findings = NULL;
    struct buffer lines = {0};
    if (opshift_lint_new(options, &lint, &error) || opshift_lint_file(lint, path, &findings, &error))
        diag("%s", error.text);
    *status = findings ? opshift_findings_status(findings) : error.status;
    for (size_t i = 0; findings && i < opshift_findings_count(findings); i++) {
        const struct opshift_finding *finding = opshift_findings_at(findings, i);
        *offset = finding->offset;
        buffer_print(&lines, "%s%s %s%s%s", i ? "\n" : "", finding->check->id, finding->message,
                     finding->suppressed ? " -- " : "", finding->suppressed ? finding->suppressed : "");
    }
    buffer_add_text(&lines, "");
    opshift_findings_free(findings);
    opshift_lint_free(lint);
    return buffer_take(&lines);
}

/* The same for a file of these bytes, followed by zeros as a hole. */
static char *lint_long(const void *data, size_t size, uint64_t zeros, const struct opshift_lint_options *options,
                       enum opshift_status *status, uint64_t *offset)
{
    char path[] = "/tmp/opshift-lint.XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || write(file, data, size) != (ssize_t)size || ftruncate(file, (off_t)(size + zeros)) != 0)
        diag("%s cannot be written", path);
    close(file);
    char *found = lint_path(path, options, status, offset);
    unlink(path);
    return found;
}

static char *lint_bytes(const void *data, size_t size, const struct opshift_lint_options *options,
                        enum opshift_status *status, uint64_t *offset)
{
    return lint_long(data, size, 0, options, status, offset);
}

static void test_kinds(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum opshift_status status;
        uint64_t offset = 0;
        char *found = lint_bytes(cases[i].data, cases[i].size, NULL, &status, &offset);
        is_string(cases[i].found, found, "%s: the finding", cases[i].what);
        is_int(cases[i].status, status, "%s: the status", cases[i].what);
        is_int((int64_t)cases[i].offset, (int64_t)offset, "%s: the place", cases[i].what);
        free(found);
    }
}

/* A model in memory has the same findings as in a file. */
static void test_memory(void)
{
    struct opshift_lint *lint = NULL;
    is_int(OPSHIFT_OK, opshift_lint_new(NULL, &lint, NULL), "a lint");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opshift_findings *findings = NULL;
        char found[512] = "";
        opshift_lint_memory(lint, cases[i].data, cases[i].size, i % 2 ? "net" : NULL, &findings, NULL);
        if (findings && opshift_findings_count(findings) == 1)
            snprintf(found, sizeof(found), "%s %s", opshift_findings_at(findings, 0)->check->id,
                     opshift_findings_at(findings, 0)->message);
        is_string(cases[i].found, found, "%s in memory", cases[i].what);
        is_string(i % 2 ? "net" : "<memory>", findings ? opshift_findings_name(findings) : NULL, "its name");
        opshift_findings_free(findings);
    }
    opshift_lint_free(lint);
}

static void test_limits(void)
{
    static const char bytes[] = "\x3a\x06\x0a\x04\x2a\x02\x32\x00";
    struct opshift_lint_options nesting = {
        .open = &(struct opshift_open_options){.limits = &(struct opshift_limits){.nesting = 2}}};
    struct opshift_lint_options memory = {
        .open = &(struct opshift_open_options){.limits = &(struct opshift_limits){.memory = 1}}};
    enum opshift_status status;
    uint64_t offset = 0;
    char *found = lint_bytes(BYTES(bytes), &nesting, &status, &offset);
    is_string(
        "LIM001 node 0: byte 4: messages are nested deeper than 2 levels; if the file is to be trusted, raise the "
        "limit 'nesting'",
        found, "nesting: the finding");
    is_int(OPSHIFT_UNSUPPORTED, status, "nesting: the status");
    free(found);
    found = lint_bytes(BYTES(bytes), &memory, &status, &offset);
    is_string("LIM002 the index takes more than 1 bytes; if the file is to be trusted, raise the limit 'memory'", found,
              "memory: the finding");
    free(found);
    struct opshift_lint_options nodes = {
        .open = &(struct opshift_open_options){.limits = &(struct opshift_limits){.nodes = 1}}};
    static const char two[] = "\x3a\x04\x0a\x00\x0a\x00";
    found = lint_bytes(BYTES(two), &nodes, &status, &offset);
    is_string("LIM011 byte 4: more than 1 nodes; if the file is to be trusted, raise the limit 'nodes'", found,
              "parts: the finding");
    free(found);
}

static void test_no_file(void)
{
    enum opshift_status status;
    uint64_t offset = 0;
    char *found = lint_path("/nowhere/a.onnx", NULL, &status, &offset);
    is_string("PRT001 there is no such file; check its name", found, "no file: the finding");
    is_int(OPSHIFT_IO, status, "no file: the status");
    free(found);
}

static void test_imports(uint32_t count, const char *wanted)
{
    struct buffer bytes = {0};
    enum opshift_status status;
    uint64_t offset = 0;
    buffer_add(&bytes, "\x08\x08\x3a\x00", 4);
    for (uint32_t i = 0; i < count; i++) {
        char import[10] = "\x42\x08\x0a\x04";
        snprintf(import + 4, sizeof(import) - 4, "%04u", i % 10000);
        buffer_add(&bytes, import, 8);
        buffer_add(&bytes, "\x10\x01", 2);
    }
    const char *const select[] = {"LIM"};
    const struct opshift_lint_options options = {.select = select, .select_count = 1};
    char *found = lint_bytes(bytes.data, bytes.size, &options, &status, &offset);
    is_string(wanted, found, "%u imports", count);
    free(found);
    buffer_free(&bytes);
}

/* Tag and length of the following message. */
static uint64_t head_put(uint8_t *head, uint8_t tag, uint64_t size)
{
    uint64_t count = 0;
    head[count++] = tag;
    for (; size >= 0x80; size >>= 7)
        head[count++] = (uint8_t)(size | 0x80);
    head[count++] = (uint8_t)size;
    return count;
}

/* A model of one graph; each message begins with its own fields and ends with the next message. */
static void test_size(const char *what, const char *const *starts, const uint8_t *tags, size_t depth, uint64_t zeros,
                      const char *wanted)
{
    uint8_t bytes[128], head[16];
    uint64_t size = 0, offset = 0;
    enum opshift_status status;
    for (size_t i = depth; i-- > 0;) {
        uint64_t start = strlen(starts[i]), count = head_put(head, tags[i], zeros + size);
        memmove(bytes + start + count, bytes, size);
        memcpy(bytes, starts[i], start);
        memcpy(bytes + start, head, count);
        size += start + count;
    }
    const char *const select[] = {"LIM", "CNV", "PRT016"};
    const struct opshift_lint_options options = {.select = select, .select_count = 3, .to = 11};
    char *found = lint_long(bytes, size, zeros, &options, &status, &offset);
    is_string(wanted, found, "%s", what);
    free(found);
}

static void test_sizes(void)
{
    /* Model, graph, initializer, raw_data; model, graph, node, attribute, s. */
    static const char *const tensors[] = {"\x08\x08", "", "\x10\x03\x42\x01w\x08\x80\x80\x80\x80\x08"};
    static const char *const attributes[] = {"\x08\x08", "", "", "\x0a\x01\x61"};
    static const char *const split[] = {"\x08\x08\x42\x02\x10\x0d", "\x62\x09\x0a\x01y\x12\x04\x0a\x02\x08\x01",
                                        "\x12\x01y\x22\x05Split", "\x0a\x01\x61"};
    static const char *const names[] = {"\x08\x08", "", "", ""};
    static const uint8_t name_tags[] = {0x3a, 0x0a, 0x2a, 0x0a};
    static const uint8_t tensor_tags[] = {0x3a, 0x2a, 0x4a}, attribute_tags[] = {0x3a, 0x0a, 0x2a, 0x22};
    test_size(
        "a file of 2 GiB", tensors, tensor_tags, 3, UINT64_C(1) << 31,
        "LIM005 the file has 2147483679 bytes, and protobuf reads less than 2 GiB; put the weights into external data");
    test_size("a file of less", tensors, tensor_tags, 3, (UINT64_C(1) << 31) - 64, "");
    test_size("an attribute of more than 64 MiB", attributes, attribute_tags, 4, (1u << 26) - 7,
              "LIM008 attribute 'a': an attribute of 67108865 bytes, and at most 67108864 are decoded; make it "
              "an initializer");
    test_size("a name that is too long", names, name_tags, 4, 65537,
              "PRT016 byte 14: an attribute's name has 65537 bytes; the most is 65536");
    test_size("a name that is not", names, name_tags, 4, 65536, "");
    test_size("what of it stops a conversion", split, attribute_tags, 4, 1u << 26,
              "CNV004 node 0 (Split): byte 37: AttributeProto of 67108872 bytes; at most 67108864 are decoded; if the "
              "file is to be trusted, raise the limit 'decode'\nLIM008 "
              "attribute 'a': an attribute of 67108872 bytes, and at most 67108864 are decoded; make it an "
              "initializer");
    test_size("an attribute of 64 MiB", attributes, attribute_tags, 4, (1u << 26) - 8, "");
}

int main(void)
{
    test_kinds();
    test_memory();
    test_limits();
    test_no_file();
    test_imports(1001, "LIM003 more than 1000 opset imports");
    test_imports(1000, "");
    test_sizes();
    return done();
}
