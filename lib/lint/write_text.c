/* text: a line for each finding; the last line has the number of files. */
#include <string.h>

#include "base/shown.h"
#include "lint/written.h"

#define PLAIN "\033[0m"
#define BOLD  "\033[1m"
#define FAINT "\033[2m"

static const char *const severity_colors[] = {"\033[1;36m", "\033[1;33m", "\033[1;31m"};

static void text_begin(struct opshift_lint_writer *writer)
{
}

/* Prints the text in colour if wanted; control characters in it are escaped. */
static void add_colored(struct opshift_lint_writer *writer, const char *color, const char *text)
{
    if (writer->options.color)
        buffer_add_text(&writer->out, color);
    shown_add(&writer->out, text, strlen(text));
    if (writer->options.color)
        buffer_add_text(&writer->out, PLAIN);
}

static void text_finding(struct opshift_lint_writer *writer, const char *name, const struct opshift_finding *finding)
{
    struct buffer *out = &writer->out;
    add_colored(writer, BOLD, name);
    buffer_add_text(out, ": ");
    if (*finding->place) {
        shown_add(out, finding->place, strlen(finding->place));
        buffer_add_text(out, ": ");
    }
    add_colored(writer, severity_colors[finding->severity], severity_name(finding->severity));
    buffer_add_text(out, ": ");
    shown_add(out, finding->message, strlen(finding->message));
    buffer_print(out, " %s[%s %s]%s\n", writer->options.color ? FAINT : "", finding->check->id, finding->check->slug,
                 writer->options.color ? PLAIN : "");
}

static void text_file(struct opshift_lint_writer *writer, const struct opshift_findings *findings)
{
    if (failure_is_untold(findings)) {
        add_colored(writer, severity_colors[OPSHIFT_SEVERITY_ERROR], "unreadable");
        buffer_add_text(&writer->out, ": ");
        shown_add(&writer->out, findings->failure, strlen(findings->failure));
        buffer_add_byte(&writer->out, '\n');
    }
    for (size_t i = 0; i < findings->count; i++)
        if (finding_counts(&findings->list[i]))
            text_finding(writer, findings->name, &findings->list[i]);
}

static void text_end(struct opshift_lint_writer *writer)
{
    written_summary(&writer->out, &writer->counts);
    buffer_add_byte(&writer->out, '\n');
}

const struct lint_format lint_format_text = {"text", text_begin, text_file, text_end};
