/* Many files, many threads: delivered in order, each once, also after an invalid one. */
#include "opshift.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "tests/tap/tap.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static char directory[] = "/tmp/opshift-many.XXXXXX";

static void file_write(const char *name, const char *bytes, size_t size)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (file == NULL || fwrite(bytes, 1, size, file) != size)
        diag("%s cannot be written", path);
    if (file)
        fclose(file);
}

static void model_write(const char *name, const char *text)
{
    char *bytes = NULL;
    size_t size = 0;
    struct opshift_error error = {0};
    if (opshift_text_to_model(text, strlen(text), name, &bytes, &size, &error) != OPSHIFT_OK)
        diag("%s", error.text);
    else
        file_write(name, bytes, size);
    opshift_text_free(bytes);
}

#define GOOD "<ir_version: 8, opset_import: [\"\" : 13]> g (float[2] x) => (float[2] y) { y = Neg (x) }"
#define BAD  "<ir_version: 8, opset_import: [\"\" : 13]> g (float[2] x) => (float[2] y) { y = Neg (x) y = Abs (x) }"

static const char *const names[] = {"good.onnx", "bad.onnx", "cut.onnx", "gone.onnx"};

/* A line per file: its name and its status. */
static enum opshift_status note(void *data, const struct opshift_findings *findings, struct opshift_error *error)
{
    const char *name = strrchr(opshift_findings_name(findings), '/');
    buffer_print(data, "%s %d %s\n", name, (int)opshift_findings_status(findings),
                 opshift_findings_failure(findings) ? "unreadable" : "read");
    return OPSHIFT_OK;
}

static enum opshift_status stop(void *data, const struct opshift_findings *findings, struct opshift_error *error)
{
    size_t *left = data;
    return --*left == 0 ? OPSHIFT_CANCELLED : OPSHIFT_OK;
}

/* The lines of a run over 500 files; freed by the caller. */
static char *noted(const struct opshift_lint *lint, const char *const *paths, size_t count, unsigned jobs)
{
    struct buffer notes = {0};
    struct opshift_error error = {0};
    is_int(OPSHIFT_OK, opshift_lint_files(lint, paths, count, jobs, note, &notes, &error), "%u threads", jobs);
    return buffer_take(&notes);
}

static void test_order(const struct opshift_lint *lint, const char *const *paths, size_t count)
{
    char *one = noted(lint, paths, count, 1);
    is_int(
        0,
        strncmp(one, "/good.onnx 0 read\n/bad.onnx 1 read\n/cut.onnx 3 unreadable\n/gone.onnx 5 unreadable\n/good", 81),
        "each file has its own status");
    for (unsigned jobs = 2; jobs <= 1000; jobs *= 5) {
        char *many = noted(lint, paths, count, jobs);
        is_string(one, many, "%u threads hand over the same in the same order", jobs);
        free(many);
    }
    char *none = noted(lint, paths, 0, 4);
    is_string("", none, "no files, nothing to hand over");
    free(none);
    free(one);
}

static void test_stop(const struct opshift_lint *lint, const char *const *paths, size_t count)
{
    for (unsigned jobs = 1; jobs <= 8; jobs += 7) {
        size_t left = 3;
        is_int(OPSHIFT_CANCELLED, opshift_lint_files(lint, paths, count, jobs, stop, &left, NULL),
               "with %u threads, whoever is handed a file may end the work", jobs);
        is_int(0, (int64_t)left, "and is handed no other");
    }
}

int main(void)
{
    char paths[COUNT_OF(names)][256];
    const char *list[500];
    struct opshift_lint *lint = NULL;
    if (mkdtemp(directory) == NULL)
        skip_all("no directory for temporary files");
    for (size_t i = 0; i < COUNT_OF(names); i++)
        snprintf(paths[i], sizeof(paths[i]), "%s/%s", directory, names[i]);
    for (size_t i = 0; i < COUNT_OF(list); i++)
        list[i] = paths[i % COUNT_OF(names)];
    model_write(names[0], GOOD);
    model_write(names[1], BAD);
    file_write(names[2], "\x08", 1);
    is_int(OPSHIFT_OK, opshift_lint_new(NULL, &lint, NULL), "a lint for all threads");
    test_order(lint, list, COUNT_OF(list));
    test_stop(lint, list, COUNT_OF(list));
    opshift_lint_free(lint);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        unlink(paths[i]);
    rmdir(directory);
    return done();
}
