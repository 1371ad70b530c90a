/* Lints a model written as text, and compares the findings. */
#include "tests/check/expect.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "tests/tap/tap.h"

/* The findings, one per line; freed by the caller. NULL: the lint failed. */
static char *found_in(struct opshift_model *model, const char *prefix, const struct opshift_lint_options *options,
                      struct opshift_error *error)
{
    struct opshift_lint *lint = NULL;
    struct opshift_findings *findings = NULL;
    struct buffer lines = {0};
    enum opshift_status status = opshift_lint_new(options, &lint, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_model(lint, model, &findings, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_findings_count(findings); i++) {
        const struct opshift_finding *finding = opshift_findings_at(findings, i);
        if (strncmp(finding->check->id, prefix, strlen(prefix)) == 0)
            buffer_print(&lines, "%s%s %s: %s", lines.size ? "\n" : "", finding->check->id, finding->location,
                         finding->message);
    }
    buffer_add_text(&lines, "");
    opshift_findings_free(findings);
    opshift_lint_free(lint);
    if (status == OPSHIFT_OK)
        return buffer_take(&lines);
    buffer_free(&lines);
    return NULL;
}

void lint_bytes_finds(const char *what, const void *bytes, size_t size, const char *found, const char *prefix,
                      const struct opshift_lint_options *options)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    char *lines = NULL;
    if (opshift_model_open_memory(bytes, size, options ? options->open : NULL, &model, &error) == OPSHIFT_OK)
        lines = found_in(model, prefix, options, &error);
    is_string(found, lines ? lines : error.text, "%s", what);
    free(lines);
    opshift_model_free(model);
}

/* The findings in a text; freed by the caller. */
static char *found_in_text(const char *text, const char *prefix, const struct opshift_lint_options *options,
                           struct opshift_error *error)
{
    char *bytes = NULL, *lines = NULL;
    size_t size = 0;
    struct opshift_model *model = NULL;
    if (opshift_text_to_model(text, strlen(text), "model.txt", &bytes, &size, error) == OPSHIFT_OK &&
        opshift_model_open_memory(bytes, size, options ? options->open : NULL, &model, error) == OPSHIFT_OK)
        lines = found_in(model, prefix, options, error);
    opshift_model_free(model);
    opshift_text_free(bytes);
    return lines;
}

void lint_finds(const struct lint_case *row, const char *prefix, const struct opshift_lint_options *options)
{
    struct opshift_error error = {0};
    char *lines = found_in_text(row->model, prefix, options, &error);
    is_string(row->found, lines ? lines : error.text, "%s", row->what);
    free(lines);
}

void lint_example_finds(const char *id, const char *found, const char *prefix)
{
    const struct opshift_check *check = opshift_check_find(id);
    const struct lint_case row = {id, check->before, found};
    lint_finds(&row, prefix, NULL);
}

static void check_example(const struct opshift_check *check)
{
    struct opshift_error error = {0};
    if (check->before == NULL)
        return;
    char *before = found_in_text(check->before, check->id, NULL, &error);
    ok(before && *before, "%s is found in its example", check->id);
    if (before == NULL)
        diag("%s", error.text);
    char *after = found_in_text(check->after, check->id, NULL, &error);
    is_string("", after ? after : error.text, "%s is not found in its fixed example", check->id);
    free(before);
    free(after);
}

void lint_examples(const char *prefix)
{
    for (size_t i = 0; i < opshift_check_count(); i++) {
        const struct opshift_check *check = opshift_check_at(i);
        if (strncmp(check->id, prefix, strlen(prefix)) == 0)
            check_example(check);
    }
}
