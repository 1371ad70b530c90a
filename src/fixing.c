/* Writes mended models as convert writes converted ones, and shows mends line by line. */
#include "fixing.h"

#include <stdio.h>
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
        interrupt_settle();
    }
    return status;
}

/* Told at once, for the other models' sake; the gravest one counts. */
static void tell(const struct opshift_error *why, enum opshift_status *gravest)
{
    fprintf(stderr, "opshift: %s\n", why->text);
    *gravest = why->status > *gravest ? why->status : *gravest;
}

/* The model as it lies there, as lint says it; what kept it from being mended, where that says nothing of it. */
static enum opshift_status left_as_it_is(const struct opshift_lint *lint, const char *path, opshift_lint_done done,
                                         void *data, const struct opshift_error *why, enum opshift_status *gravest,
                                         struct opshift_error *error)
{
    struct opshift_findings *findings = NULL;
    enum opshift_status status = opshift_lint_file(lint, path, &findings, error);
    if (status == OPSHIFT_OK && opshift_findings_failure(findings) == NULL)
        tell(why, gravest);
    if (status == OPSHIFT_OK)
        status = done(data, findings, error);
    opshift_findings_free(findings);
    return status;
}

static enum opshift_status model_mend(const struct opshift_lint *lint, const char *path, struct opshift_model **model,
                                      struct opshift_fixes **fixes, struct opshift_error *error)
{
    enum opshift_status status = opshift_model_open(path, opshift_lint_open_options(lint), model, error);
    return status ? status : opshift_lint_fix(lint, *model, fixes, error);
}

enum opshift_status fixing_write(const struct opshift_lint *lint, const char *path, const char *output,
                                 opshift_lint_done done, void *data, enum opshift_status *gravest,
                                 struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    struct opshift_fixes *fixes = NULL;
    struct opshift_error why = {0};
    struct opshift_error late = {0};
    enum opshift_status status = model_mend(lint, path, &model, &fixes, &why);
    if (status == OPSHIFT_OK && (opshift_fixes_count(fixes) || output))
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

/* Each line with a sign in front. */
static void print_lines(const char *text, char sign)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        printf("%c%.*s\n", sign, (int)size, text);
        text += size + (text[size] == '\n');
    }
}

static void print_fixes(const char *name, const struct opshift_fixes *fixes)
{
    if (opshift_fixes_count(fixes))
        printf("--- %s\n+++ %s\n", name, name);
    for (size_t i = 0; i < opshift_fixes_count(fixes); i++) {
        const struct opshift_fix *fix = opshift_fixes_at(fixes, i);
        printf("@@ %s%s%s %s: %s @@\n", fix->place, *fix->place ? ": " : "", fix->check->id, fix->check->slug,
               fix->message);
        print_lines(fix->before, '-');
        print_lines(fix->after, '+');
    }
}

enum opshift_status fixing_show(const struct opshift_lint *lint, const char *path, struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    struct opshift_fixes *fixes = NULL;
    struct opshift_error why = {0};
    enum opshift_status status = model_mend(lint, path, &model, &fixes, &why);
    if (status == OPSHIFT_OK) {
        const struct opshift_findings *findings = opshift_fixes_findings(fixes);
        const char *failure = opshift_findings_failure(findings);
        print_fixes(opshift_findings_name(findings), fixes);
        if (failure) {
            fprintf(stderr, "opshift: %s\n", failure);
            status = opshift_findings_status(findings);
        } else if (opshift_fixes_count(fixes)) {
            status = OPSHIFT_NO;
        }
    } else if (status != OPSHIFT_MEMORY && status != OPSHIFT_CANCELLED) {
        fprintf(stderr, "opshift: %s\n", why.text);
    } else {
        *error = why;
    }
    opshift_fixes_free(fixes);
    opshift_model_free(model);
    return status;
}
