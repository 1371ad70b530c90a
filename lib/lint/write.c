/* Writes findings file by file, so that memory is bounded by one file. */
#include "lint/write.h"

#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"

static const struct lint_format *const formats[] = {
    &lint_format_text,  &lint_format_json,   &lint_format_ndjson,
    &lint_format_sarif, &lint_format_github, &lint_format_junit,
};

size_t opshift_lint_format_count(void)
{
    return COUNT(formats);
}

const char *opshift_lint_format_at(size_t index)
{
    return index < COUNT(formats) ? formats[index]->name : NULL;
}

static enum opshift_status format_unknown(const char *name, struct opshift_error *error)
{
    struct buffer known = {0};
    for (size_t i = 0; i < COUNT(formats); i++)
        buffer_print(&known, "%s%s", i == 0 ? "" : i + 1 < COUNT(formats) ? ", " : " or ", formats[i]->name);
    char *names = buffer_take(&known);
    enum opshift_status status =
        names ? opshift_fail(error, OPSHIFT_USAGE, "there is no format '%.64s'; give %s", name, names)
              : opshift_no_memory(error);
    free(names);
    return status;
}

enum opshift_status opshift_lint_writer_new(const struct opshift_lint *lint,
                                            const struct opshift_lint_writer_options *options, opshift_write write,
                                            void *data, struct opshift_lint_writer **result,
                                            struct opshift_error *error)
{
    const struct lint_format *found = NULL;
    struct opshift_lint_writer_options full;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status)
        return status;
    options = &full;
    for (size_t i = 0; i < COUNT(formats); i++)
        if (strcmp(formats[i]->name, options->format) == 0)
            found = formats[i];
    if (strcmp(options->format, lint_format_baseline.name) == 0)
        found = &lint_format_baseline; /* not a format for reading */
    if (found == NULL)
        return format_unknown(options->format, error);
    struct opshift_lint_writer *writer = calloc(1, sizeof(*writer));
    if (writer == NULL)
        return opshift_no_memory(error);
    *writer =
        (struct opshift_lint_writer){.format = found, .lint = lint, .options = *options, .write = write, .data = data};
    *result = writer;
    return OPSHIFT_OK;
}

static enum opshift_status flush(struct opshift_lint_writer *writer, struct opshift_error *error)
{
    if (writer->out.failed)
        return opshift_no_memory(error);
    if (writer->out.size && !writer->write(writer->data, (const char *)writer->out.data, writer->out.size))
        return opshift_fail(error, OPSHIFT_IO, "the findings cannot be written");
    writer->out.size = 0;
    return OPSHIFT_OK;
}

static void begin(struct opshift_lint_writer *writer)
{
    if (!writer->begun)
        writer->format->begin(writer);
    writer->begun = true;
}

static void count(struct lint_counts *counts, const struct opshift_findings *findings)
{
    counts->files++;
    counts->unreadable += findings->failure != NULL;
    counts->fixed += findings->fixed;
    for (size_t i = 0; i < findings->count; i++) {
        const struct opshift_finding *finding = &findings->list[i];
        if (finding->suppressed)
            counts->suppressed++;
        else if (finding->known)
            counts->known++;
        else
            counts->findings[finding->severity]++;
    }
}

enum opshift_status opshift_lint_writer_add(struct opshift_lint_writer *writer, const struct opshift_findings *findings,
                                            struct opshift_error *error)
{
    begin(writer);
    count(&writer->counts, findings);
    if (findings->status > writer->gravest)
        writer->gravest = findings->status;
    writer->format->file(writer, findings);
    return flush(writer, error);
}

enum opshift_status opshift_lint_writer_finish(struct opshift_lint_writer *writer, struct opshift_error *error)
{
    begin(writer);
    writer->format->end(writer);
    return flush(writer, error);
}

void opshift_lint_writer_free(struct opshift_lint_writer *writer)
{
    if (writer == NULL)
        return;
    buffer_free(&writer->out);
    buffer_free(&writer->later);
    free(writer->rules);
    for (size_t i = 0; i < writer->seen_count; i++)
        free(writer->seen[i]);
    free(writer->seen);
    free(writer);
}
