/* A file that does not read is one finding, of the check that stands for the fault, at the byte where it is. */
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

/* Lints a file of these bytes: its findings, a line each; freed by the caller. */
static char *lint_bytes(const void *data, size_t size, const struct opshift_lint_options *options,
                        enum opshift_status *status, uint64_t *offset)
{
    char path[] = "/tmp/opshift-lint.XXXXXX";
    struct opshift_error error = {0};
    struct opshift_lint *lint = NULL;
    struct opshift_findings *findings = NULL;
    struct buffer lines = {0};
    int file = mkstemp(path);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        diag("%s cannot be written", path);
    close(file);
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
    unlink(path);
    return buffer_take(&lines);
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

static void test_limits(void)
{
    static const char bytes[] = "\x3a\x06\x0a\x04\x2a\x02\x32\x00";
    struct opshift_lint_options nesting = {.open = {.limits = {.nesting = 2}}};
    struct opshift_lint_options memory = {.open = {.limits = {.memory = 1}}};
    enum opshift_status status;
    uint64_t offset = 0;
    char *found = lint_bytes(BYTES(bytes), &nesting, &status, &offset);
    is_string(
        "LIM001 node 0: byte 4: messages are nested deeper than 2 levels; if the file is to be trusted, raise the "
        "limit",
        found, "nesting: the finding");
    is_int(OPSHIFT_UNSUPPORTED, status, "nesting: the status");
    free(found);
    found = lint_bytes(BYTES(bytes), &memory, &status, &offset);
    is_string("LIM002 the index takes more than 1 bytes; if the file is to be trusted, raise the limit", found,
              "memory: the finding");
    free(found);
}

int main(void)
{
    test_kinds();
    test_limits();
    return done();
}
