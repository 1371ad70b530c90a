/* github: workflow commands, which GitHub shows as annotations: "::error file=...,title=...::message". */
#include <string.h>

#include "base/shown.h"
#include "lint/written.h"

/* In a message % and line ends are encoded; in a property ':' and ',', too. Control characters are shown as \xNN. */
static void add_escaped(struct buffer *out, const char *text, bool property)
{
    struct buffer shown = {0};
    shown_add(&shown, text, strlen(text));
    for (size_t i = 0; i < shown.size; i++) {
        char letter = (char)shown.data[i];
        if (letter == '%' || (property && (letter == ':' || letter == ',')))
            buffer_print(out, "%%%02X", (unsigned)letter);
        else
            buffer_add_byte(out, (uint8_t)letter);
    }
    out->failed = out->failed || shown.failed;
    buffer_free(&shown);
}

static void add_command(struct buffer *out, enum opshift_severity severity, const char *name, const char *title)
{
    static const char *const commands[] = {"notice", "warning", "error"};
    buffer_print(out, "::%s file=", commands[severity]);
    add_escaped(out, written_path(name), true);
    buffer_print(out, ",title=%s::", title);
}

static void github_begin(struct opshift_lint_writer *writer)
{
}

static void github_finding(struct buffer *out, const char *name, const struct opshift_finding *finding)
{
    char title[128];
    snprintf(title, sizeof(title), "%s %s", finding->check->id, finding->check->slug);
    add_command(out, finding->severity, name, title);
    if (*finding->place) {
        add_escaped(out, finding->place, false);
        buffer_add_text(out, ": ");
    }
    add_escaped(out, finding->message, false);
    buffer_add_byte(out, '\n');
}

static void github_file(struct opshift_lint_writer *writer, const struct opshift_findings *findings)
{
    struct buffer *out = &writer->out;
    if (failure_is_untold(findings)) {
        add_command(out, OPSHIFT_SEVERITY_ERROR, findings->name, "unreadable");
        add_escaped(out, findings->failure, false);
        buffer_add_byte(out, '\n');
    }
    for (size_t i = 0; i < findings->count; i++)
        if (finding_counts(&findings->list[i]))
            github_finding(out, findings->name, &findings->list[i]);
}

static void github_end(struct opshift_lint_writer *writer)
{
    written_summary(&writer->out, &writer->counts);
    buffer_add_byte(&writer->out, '\n');
}

const struct lint_format lint_format_github = {"github", github_begin, github_file, github_end};
