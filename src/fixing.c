/* Writes fixed models, and prints fixes line by line. */
#include "fixing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "output.h"
#include "print.h"
#include "progress.h"

static enum opshift_status model_write(struct opshift_model *model, const char *path, struct opshift_error *error)
{
    struct opshift_write_options how = {.progress = progress_show, .progress_data = (void *)"writing"};
    bool stream = output_is_stream(path);
    if (!stream) {
        interrupt_watch();
        interrupt_hold();
    }
    enum opshift_status status = opshift_model_save(model, path, &how, error);
    progress_clear();
    if (!stream) {
        interrupt_release();
        interrupt_end();
    }
    return status;
}

/* Reports at once, so that the other models are still linted; the worst status counts. */
static void failure_tell(const struct opshift_error *why, enum opshift_status *gravest)
{
    tell("%s", why->text);
    *gravest = why->status > *gravest ? why->status : *gravest;
}

/* Reports the model's findings without fixes, and the reason if it was not fixed and no finding is about it. */
static enum opshift_status left_as_it_is(const struct opshift_lint *lint, const char *path, opshift_lint_done done,
                                         void *data, const struct opshift_error *why, enum opshift_status *gravest,
                                         struct opshift_error *error)
{
    struct opshift_findings *findings = NULL;
    enum opshift_status status = opshift_lint_file(lint, path, &findings, error);
    if (status == OPSHIFT_OK && opshift_findings_failure(findings) == NULL)
        failure_tell(why, gravest);
    if (status == OPSHIFT_OK)
        status = done(data, findings, error);
    opshift_findings_free(findings);
    return status;
}

static enum opshift_status model_fix(const struct opshift_lint *lint, const char *path, struct opshift_model **model,
                                     struct opshift_fixes **fixes, struct opshift_error *error)
{
    enum opshift_status status = opshift_model_open(path, opshift_lint_open_options(lint), model, error);
    return status ? status : opshift_lint_fix(lint, *model, fixes, error);
}

/* A model that could not be read completely was not fixed completely: it is not written. */
static bool was_read(const struct opshift_fixes *fixes)
{
    enum opshift_status status = opshift_findings_status(opshift_fixes_findings(fixes));
    return status == OPSHIFT_OK || status == OPSHIFT_NO;
}

enum opshift_status fixing_write(const struct opshift_lint *lint, const char *path, const char *output,
                                 opshift_lint_done done, void *data, enum opshift_status *gravest,
                                 struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    struct opshift_fixes *fixes = NULL;
    struct opshift_error why = {0};
    struct opshift_error late = {0};
    enum opshift_status status = model_fix(lint, path, &model, &fixes, &why);
    if (status == OPSHIFT_OK && was_read(fixes) && (opshift_fixes_count(fixes) || output))
        status = model_write(model, output ? output : path, &why);
    if (status == OPSHIFT_OK)
        status = done(data, opshift_fixes_findings(fixes), &late);
    else if (status != OPSHIFT_CANCELLED && status != OPSHIFT_MEMORY)
        status = left_as_it_is(lint, path, done, data, &why, gravest, &late);
    if (status)
        *error = late.status ? late : why;
    opshift_fixes_free(fixes);
    opshift_model_free(model);
    return status;
}

/* Prints each line after a sign. */
static enum opshift_status print_lines(const char *text, char sign, struct opshift_error *error)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        char *line = strndup(text, size);
        if (line == NULL)
            return fail(error, OPSHIFT_MEMORY, "out of memory");
        putchar(sign);
        print_shown(stdout, line);
        putchar('\n');
        free(line);
        text += size + (text[size] == '\n');
    }
    return OPSHIFT_OK;
}

static enum opshift_status print_fixes(const char *name, const struct opshift_fixes *fixes, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    char *shown = text_shown(name);
    if (shown == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    if (opshift_fixes_count(fixes))
        printf("--- %s\n+++ %s\n", shown, shown);
    free(shown);
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_fixes_count(fixes); i++) {
        const struct opshift_fix *fix = opshift_fixes_at(fixes, i);
        fputs("@@ ", stdout);
        print_shown(stdout, fix->place);
        printf("%s%s %s: ", *fix->place ? ": " : "", fix->check->id, fix->check->slug);
        print_shown(stdout, fix->message);
        puts(" @@");
        status = print_lines(fix->before, '-', error);
        if (status == OPSHIFT_OK)
            status = print_lines(fix->after, '+', error);
    }
    return status;
}

enum opshift_status fixing_show(const struct opshift_lint *lint, const char *path, struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    struct opshift_fixes *fixes = NULL;
    struct opshift_error why = {0};
    enum opshift_status status = model_fix(lint, path, &model, &fixes, &why);
    if (status == OPSHIFT_OK) {
        const struct opshift_findings *findings = opshift_fixes_findings(fixes);
        const char *failure = opshift_findings_failure(findings);
        status = print_fixes(opshift_findings_name(findings), fixes, error);
        if (status == OPSHIFT_OK && failure) {
            tell("%s", failure);
            status = opshift_findings_status(findings);
        } else if (status == OPSHIFT_OK && opshift_fixes_count(fixes)) {
            status = OPSHIFT_NO;
        }
    } else if (status != OPSHIFT_MEMORY && status != OPSHIFT_CANCELLED) {
        tell("%s", why.text);
    } else {
        *error = why;
    }
    opshift_fixes_free(fixes);
    opshift_model_free(model);
    return status;
}
