/* Opens bytes as a model and lints it with every check, written in every format. */
#include "tests/fuzz/fuzz.h"

static struct opshift_lint *lint;

static bool swallow(void *data, const char *bytes, size_t size)
{
    return true;
}

static void write_all(const struct opshift_findings *findings)
{
    struct opshift_error error = {0};
    for (size_t i = 0; i < opshift_lint_format_count(); i++) {
        struct opshift_lint_writer *writer = NULL;
        struct opshift_lint_writer_options options = {.format = opshift_lint_format_at(i)};
        enum opshift_status status = opshift_lint_writer_new(lint, &options, swallow, NULL, &writer, &error);
        if (status == OPSHIFT_OK)
            status = opshift_lint_writer_add(writer, findings, &error);
        if (status == OPSHIFT_OK)
            status = opshift_lint_writer_finish(writer, &error);
        fuzz_answer(status, &error);
        opshift_lint_writer_free(writer);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_findings *findings = NULL;
    struct opshift_open_options open = fuzz_options();
    struct opshift_lint_options options = {.open = &open, .to = 13};
    if (lint == NULL)
        fuzz_answer(opshift_lint_new(&options, &lint, &error), &error);
    enum opshift_status status = opshift_lint_file(lint, fuzz_file("model.onnx", data, size), &findings, &error);
    fuzz_answer(status, &error);
    if (status == OPSHIFT_OK)
        write_all(findings);
    opshift_findings_free(findings);
    return 0;
}
