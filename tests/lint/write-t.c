/* Each format, byte by byte, for findings of all kinds and for hostile names. OPSHIFT_GOLDEN=write
 * ./tests/lint/write-t rewrites the expected files: review the difference. */
#include "lint/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap/tap.h"

static const struct opshift_check checks[] = {
    {.id = "GRF001",
     .slug = "duplicate-output",
     .severity = OPSHIFT_SEVERITY_ERROR,
     .summary = "a name is defined twice",
     .why = "Who reads `x<y>` gets one of the two | the other.",
     .runtimes = "Some take the *first*.",
     .mend = "Rename one of the outputs.",
     .before = "g (float[2] x) => (float[2] y) { y = Neg (x) y = Abs (x) }",
     .after = "g (float[2] x) => (float[2] y) { t = Neg (x) y = Abs (x) }\n",
     .fixable = true},
    {.id = "SPL004", .slug = "split-sum", .severity = OPSHIFT_SEVERITY_WARNING, .summary = "the lengths do not add up"},
    {.id = "EXT002", .slug = "external-slack", .severity = OPSHIFT_SEVERITY_NOTE, .summary = "bytes are left over"},
};

#define FINGERPRINT "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static struct opshift_finding every_trait[] = {
    {.check = &checks[0],
     .severity = OPSHIFT_SEVERITY_ERROR,
     .place = "node 'a' (Neg)",
     .location = "graph/node[1]:a",
     .message = "output 'y' is defined already, by 100%, it seems: <&\"'>]]>; give one another name",
     .fingerprint = FINGERPRINT,
     .offset = 12,
     .size = 34},
    {.check = &checks[1],
     .severity = OPSHIFT_SEVERITY_WARNING,
     .place = "node 'if' (If): then_branch: node 3 (Split)",
     .location = "graph/node[0]:if/then_branch/node[3]:\033[31m\xff\r\n::error::\xef\xbf\xbe",
     .message = "the lengths {2, 3} of float[6](x) give 5, the dim is 6",
     .offset = UINT32_MAX,
     .size = 7},
    {.check = &checks[2],
     .severity = OPSHIFT_SEVERITY_NOTE,
     .place = "",
     .location = "model",
     .message = "7 bytes are left over in 'w\xc3\xa9.bin'"},
    {.check = &checks[1],
     .severity = OPSHIFT_SEVERITY_ERROR,
     .place = "function 'f'",
     .location = "function[0]:f",
     .message = "is known",
     .known = true},
    {.check = &checks[0],
     .severity = OPSHIFT_SEVERITY_ERROR,
     .place = "",
     .location = "graph",
     .message = "is suppressed",
     .suppressed = "an <old> reason"},
};

static struct opshift_finding uncounted[] = {
    {.check = &checks[1],
     .severity = OPSHIFT_SEVERITY_ERROR,
     .place = "",
     .location = "graph",
     .message = "is known",
     .known = true},
    {.check = &checks[0],
     .severity = OPSHIFT_SEVERITY_ERROR,
     .place = "",
     .location = "graph",
     .message = "is suppressed",
     .suppressed = "for now"},
};

/* The finding of the failure, and another one. */
static struct opshift_finding told[] = {
    {.check = &checks[0],
     .severity = OPSHIFT_SEVERITY_ERROR,
     .place = "",
     .location = "model",
     .message = "byte 9: is damaged"},
};

static const struct opshift_findings files[] = {
    {.name = "./models/a net,1:2%.onnx",
     .size = 1234,
     .opset = 13,
     .ir_version = 8,
     .status = OPSHIFT_NO,
     .list = every_trait,
     .count = COUNT(every_trait)},
    {.name = "/models/clean.onnx", .size = 99, .opset = 18, .ir_version = 9},
    {.name = "un\tcounted\n::error::\xff.onnx", .size = 98, .list = uncounted, .count = COUNT(uncounted)},
    {.name = "cut.onnx",
     .status = OPSHIFT_MALFORMED,
     .failure = "cut.onnx: byte 7: the file is cut short; fetch it again"},
    {.name = "gone.onnx", .status = OPSHIFT_IO, .failure = "gone.onnx: there is no such file; check its name"},
    {.name = "told.onnx",
     .status = OPSHIFT_MALFORMED,
     .failure = "told.onnx: byte 9: is damaged",
     .list = told,
     .count = COUNT(told)},
    {.name = "new.onnx", .status = OPSHIFT_UNSUPPORTED, .failure = "new.onnx: nested too deep"},
};

static const struct {
    const char *golden;
    struct opshift_lint_writer_options options;
} cases[] = {
    {"lint.txt", {.format = "text"}},     {"color.txt", {.format = "text", .color = true}},
    {"lint.json", {.format = "json"}},    {"lint.ndjson", {.format = "ndjson"}},
    {"lint.sarif", {.format = "sarif"}},  {"exit-zero.sarif", {.format = "sarif", .exit_zero = true}},
    {"github.txt", {.format = "github"}}, {"junit.xml", {.format = "junit"}},
};

static bool add(void *data, const char *bytes, size_t size)
{
    buffer_add(data, bytes, size);
    return true;
}

/* Removes the version number, which changes with releases. */
static char *without_version(char *text)
{
    char version[64];
    snprintf(version, sizeof(version), "\"version\":\"%s\"", opshift_version());
    struct buffer plain = {0};
    char *at = text;
    for (char *found; (found = strstr(at, version)) != NULL; at = found + strlen(version)) {
        buffer_add(&plain, at, (size_t)(found - at));
        buffer_add_text(&plain, "\"version\":\"@VERSION@\"");
    }
    buffer_add_text(&plain, at);
    free(text);
    return buffer_take(&plain);
}

/* The document; freed by the caller. */
static char *written(const struct opshift_lint_writer_options *options, const struct opshift_findings *list,
                     size_t count)
{
    struct opshift_lint lint = {.options = {.baseline = "known.json"}, .fail_level = OPSHIFT_SEVERITY_ERROR};
    struct opshift_lint_writer *writer = NULL;
    struct opshift_error error = {0};
    struct buffer out = {0};
    enum opshift_status status = opshift_lint_writer_new(&lint, options, add, &out, &writer, &error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = opshift_lint_writer_add(writer, &list[i], &error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_writer_finish(writer, &error);
    if (status)
        diag("%s", error.text);
    opshift_lint_writer_free(writer);
    char *text = buffer_take(&out);
    return text ? without_version(text) : NULL;
}

static FILE *golden_open(const char *name, const char *mode)
{
    char path[512];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof(path), "%s/tests/lint/golden/%s", source ? source : ".", name);
    FILE *file = fopen(path, mode);
    if (file == NULL)
        diag("%s: %s", path, strerror(errno));
    return file;
}

static char *golden_read(const char *name)
{
    struct buffer text = {0};
    char piece[4096];
    FILE *file = golden_open(name, "r");
    for (size_t size; file && (size = fread(piece, 1, sizeof(piece), file)) > 0;)
        buffer_add(&text, piece, size);
    if (file)
        fclose(file);
    return buffer_take(&text);
}

static void golden_compare(const char *name, const char *seen)
{
    const char *mode = getenv("OPSHIFT_GOLDEN");
    FILE *file = mode && strcmp(mode, "write") == 0 ? golden_open(name, "w") : NULL;
    if (file) {
        fputs(seen, file);
        fclose(file);
    }
    char *wanted = golden_read(name);
    is_string(wanted, seen, "%s is as expected", name);
    free(wanted);
}

static void test_no_files(void)
{
    static const char *const wanted[][2] = {
        {"text", "0 files checked: 0 errors, 0 warnings, 0 notes\n"},
        {"json",
         "{\"kind\":\"lint\",\"version\":\"@VERSION@\",\"files\":[\n],\"summary\":{\"files\":0,\"unreadable\":0,"
         "\"errors\":0,\"warnings\":0,\"notes\":0,\"known\":0,\"suppressed\":0}}\n"},
        {"junit", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"opshift lint\">\n</testsuites>\n"},
    };
    for (size_t i = 0; i < COUNT(wanted); i++) {
        char *seen = written(&(struct opshift_lint_writer_options){.format = wanted[i][0]}, NULL, 0);
        is_string(wanted[i][1], seen, "%s without files is a whole document", wanted[i][0]);
        free(seen);
    }
}

static bool refuse(void *data, const char *bytes, size_t size)
{
    return false;
}

static void test_failures(void)
{
    struct opshift_lint lint = {.fail_level = OPSHIFT_SEVERITY_ERROR};
    struct opshift_lint_writer *writer = NULL;
    struct opshift_error error = {0};
    struct opshift_lint_writer_options yaml = {.format = "yaml"}, text = {.format = "text"};
    is_int(OPSHIFT_USAGE, opshift_lint_writer_new(&lint, &yaml, add, NULL, &writer, &error), "a format that is none");
    is_string("there is no format 'yaml'; give text, json, ndjson, sarif, github or junit", error.text, "is refused");
    error = (struct opshift_error){0};
    is_int(OPSHIFT_OK, opshift_lint_writer_new(&lint, &text, refuse, NULL, &writer, &error), "a writer that refuses");
    is_int(OPSHIFT_IO, opshift_lint_writer_add(writer, &files[0], &error), "ends the work");
    is_string("the findings cannot be written", error.text, "with words");
    opshift_lint_writer_free(writer);
}

/* GitHub accepts 25,000 results of a run, and rejects a run with more. */
static void test_sarif_limit(void)
{
    enum { EACH = 5000, FILES = 6 };
    struct opshift_finding *list = calloc(EACH, sizeof(*list));
    struct opshift_findings many[FILES];
    for (size_t i = 0; i < EACH; i++)
        list[i] = every_trait[2];
    for (size_t i = 0; i < FILES; i++)
        many[i] = (struct opshift_findings){.name = "many.onnx", .list = list, .count = EACH};
    char *seen = written(&(struct opshift_lint_writer_options){.format = "sarif"}, many, FILES);
    int64_t results = 0;
    for (const char *at = seen; (at = strstr(at, "\"ruleId\"")) != NULL; at++)
        results++;
    is_int(25000, results, "a SARIF file holds no more results than GitHub takes");
    ok(strstr(seen, "{\"text\":\"5000 findings more than the 25000 that a SARIF file may hold are left out; ndjson has "
                    "all of them\"}") != NULL,
       "and says what is left out");
    free(seen);
    free(list);
}

int main(void)
{
    is_int((int64_t)6, (int64_t)opshift_lint_format_count(), "there are six formats");
    ok(opshift_lint_format_at(6) == NULL, "and no seventh");
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *seen = written(&cases[i].options, files, COUNT(files));
        golden_compare(cases[i].golden, seen);
        free(seen);
    }
    test_no_files();
    test_failures();
    test_sarif_limit();
    return done();
}
