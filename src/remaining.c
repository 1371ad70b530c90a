/* Runs lint's checks of a target on a converted model. */
#include "remaining.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "print.h"

enum opshift_status remaining_find(struct remaining *remaining, const struct opshift_goal *goal,
                                   struct opshift_model *model, struct opshift_error *error)
{
    static const char *const checks[] = {"TGT"};
    const struct opshift_lint_options options = {.select = checks,
                                                 .select_count = 1,
                                                 .targets = &goal->target,
                                                 .target_count = 1,
                                                 .target_directories = goal->target_directories,
                                                 .target_directory_count = goal->target_directory_count};
    enum opshift_status status = opshift_lint_new(&options, &remaining->lint, error);
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
