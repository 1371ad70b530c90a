/* text: a line for each finding, for people; the last line says how many files were checked. */
#include <inttypes.h>

#include "lint/write.h"

static const char *const severities[] = {"note", "warning", "error"};

static void text_begin(struct opshift_lint_writer *writer)
{
}

static void text_file(struct opshift_lint_writer *writer, const struct opshift_findings *findings)
{
    if (findings->failure && findings->count == 0)
        buffer_print(&writer->out, "%s\n", findings->failure);
    for (size_t i = 0; i < findings->count; i++) {
        const struct opshift_finding *finding = &findings->list[i];
        if (finding->known || finding->suppressed)
            continue;
        buffer_print(&writer->out, "%s: ", findings->name);
        if (*finding->place)
            buffer_print(&writer->out, "%s: ", finding->place);
        buffer_print(&writer->out, "%s: %s [%s %s]\n", severities[finding->severity], finding->message,
                     finding->check->id, finding->check->slug);
    }
}

static void text_end(struct opshift_lint_writer *writer)
{
    const struct lint_counts *counts = &writer->counts;
    buffer_print(&writer->out,
                 "%" PRIu64 " file%s checked: %" PRIu64 " errors, %" PRIu64 " warnings, %" PRIu64 " notes\n",
                 counts->files, counts->files == 1 ? "" : "s", counts->findings[OPSHIFT_SEVERITY_ERROR],
                 counts->findings[OPSHIFT_SEVERITY_WARNING], counts->findings[OPSHIFT_SEVERITY_NOTE]);
}

const struct lint_format lint_format_text = {"text", text_begin, text_file, text_end};
