/* Runs lint's checks of a target on a converted model. */
#include "remaining.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "print.h"

static enum opshift_status lint_new(const struct opshift_goal *goal, bool edited, struct opshift_lint **lint,
                                    struct opshift_error *error)
{
    static const char *const checks[] = {"TGT"};
    const struct opshift_lint_options options = {.select = checks,
                                                 .select_count = 1,
                                                 .targets = &goal->target,
                                                 .target_count = 1,
                                                 .target_directories = goal->target_directories,
                                                 .target_directory_count = goal->target_directory_count,
                                                 .edited = edited};
    return opshift_lint_new(&options, lint, error);
}

enum opshift_status remaining_fix(const struct opshift_goal *goal, struct opshift_model *model,
                                  struct opshift_fixes **fixes, struct opshift_error *error)
{
    struct opshift_lint *lint = NULL;
    enum opshift_status status = lint_new(goal, true, &lint, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_fix(lint, model, fixes, error);
    opshift_lint_free(lint);
    return status;
}

/* The part of a message that all findings of one kind share: as far as what each is about, or the source. */
static size_t kind_size(const char *message)
{
    const char *colon = strstr(message, ": "), *which = strstr(message, ", which '");
    const char *end = colon ? strpbrk(colon + 2, ":(") : strchr(message, '(');
    size_t size = end ? (size_t)(end - message) : strlen(message);
    if (which && (size_t)(which - message) < size)
        size = (size_t)(which - message);
    while (size > 0 && message[size - 1] == ' ')
        size--;
    return size;
}

#define KINDS_MOST 64u

void fixes_print(const struct opshift_fixes *fixes, FILE *out)
{
    struct {
        const struct opshift_fix *first;
        size_t size, count;
    } kinds[KINDS_MOST];
    size_t kind_count = 0, rest = 0, count = fixes && !option_quiet ? opshift_fixes_count(fixes) : 0;
    for (size_t i = 0; i < count; i++) {
        const struct opshift_fix *fix = opshift_fixes_at(fixes, i);
        size_t size = kind_size(fix->message), at = 0;
        while (at < kind_count &&
               (kinds[at].size != size || strncmp(kinds[at].first->message, fix->message, size) != 0))
            at++;
        if (at == KINDS_MOST) {
            rest++;
            continue;
        }
        if (at == kind_count) {
            kinds[kind_count].first = fix;
            kinds[kind_count].size = size;
            kinds[kind_count++].count = 0;
        }
        kinds[at].count++;
    }
    for (size_t i = 0; i < kind_count; i++) {
        char *kind = strndup(kinds[i].first->message, kinds[i].size);
        print_tag(out, "for the target");
        print_shown(out, kinds[i].first->place);
        if (kinds[i].count > 1)
            fprintf(out, " and %zu more", kinds[i].count - 1);
        fputs(": ", out);
        print_shown(out, kind ? kind : "");
        fprintf(out, " [%s]\n", kinds[i].first->check->id);
        free(kind);
    }
    if (rest) {
        print_tag(out, "for the target");
        fprintf(out, "%zu more\n", rest);
    }
}

enum opshift_status remaining_find(struct remaining *remaining, const struct opshift_goal *goal,
                                   struct opshift_model *model, struct opshift_error *error)
{
    enum opshift_status status = lint_new(goal, false, &remaining->lint, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_model(remaining->lint, model, &remaining->findings, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_findings_count(remaining->findings); i++) {
        const struct opshift_finding *finding = opshift_findings_at(remaining->findings, i);
        remaining->errors += finding->severity == OPSHIFT_SEVERITY_ERROR;
        remaining->unknown += finding->severity == OPSHIFT_SEVERITY_NOTE;
    }
    return status;
}

void remaining_print(const struct remaining *remaining, FILE *out)
{
    size_t count = remaining->findings && !option_quiet ? opshift_findings_count(remaining->findings) : 0;
    for (size_t i = 0; i < count; i++) {
        const struct opshift_finding *finding = opshift_findings_at(remaining->findings, i);
        bool refused = finding->severity == OPSHIFT_SEVERITY_ERROR, note = finding->severity == OPSHIFT_SEVERITY_NOTE;
        print_tag(out, note ? "not known" : refused ? "remains: error" : "remains: warning");
        print_shown(out, finding->place);
        fputs(*finding->place ? ": " : "", out);
        print_shown(out, finding->message);
        fprintf(out, " [%s %s]\n", finding->check->id, finding->check->slug);
    }
}

static bool stream_write(void *data, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, data) == size;
}

enum opshift_status remaining_json(const struct remaining *remaining, char **text, struct opshift_error *error)
{
    const struct opshift_lint_writer_options how = {.format = "json"};
    struct opshift_lint_writer *writer = NULL;
    size_t size = 0;
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (out == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    enum opshift_status status = opshift_lint_writer_new(remaining->lint, &how, stream_write, out, &writer, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_writer_add(writer, remaining->findings, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_writer_finish(writer, error);
    opshift_lint_writer_free(writer);
    if (fclose(out) != 0 && status == OPSHIFT_OK)
        status = fail(error, OPSHIFT_MEMORY, "out of memory");
    return status;
}

void remaining_free(struct remaining *remaining)
{
    opshift_findings_free(remaining->findings);
    opshift_lint_free(remaining->lint);
}
