/* Explains checks: meaning, consequences, affected runtimes, fix, example. */
#include "lint/explain.h"

#include <string.h>

#include "base/report.h"
#include "lint/written.h"

#define WIDTH 100 /* columns of plain text */

static const struct opshift_family families[] = {
    {"PRT", "the file: wire format and protobuf"},
    {"LIM", "limits of size and depth"},
    {"LOD", "what loading or running the model would cost or do"},
    {"EXT", "external data"},
    {"GRF", "graphs, names and functions"},
    {"OPS", "operators against their schemas"},
    {"SPL", "Split"},
    {"SEQ", "SplitToSequence"},
    {"OVN", "Split in OpenVINO's IR"},
    {"CNV", "what would block a conversion (--to N)"},
    {"TGT", "target runtimes (--target PROFILE)"},
    {"CFG", "what a lint is told: suppressions and the baseline"},
};

size_t opshift_family_count(void)
{
    return COUNT(families);
}

const struct opshift_family *opshift_family_at(size_t index)
{
    return index < COUNT(families) ? &families[index] : NULL;
}

static bool belongs(const struct opshift_check *check, const struct opshift_family *family)
{
    return strncmp(check->id, family->prefix, strlen(family->prefix)) == 0;
}

/* ---- plain text ---- */

/* A paragraph, wrapped, with its heading on the first line. */
static void add_wrapped(struct buffer *out, const char *head, const char *text)
{
    size_t column = strlen(head);
    buffer_add_text(out, head);
    for (const char *at = text; *at;) {
        size_t size = strcspn(at, " \n");
        if (column > 0 && column + 1 + size > WIDTH) {
            buffer_add_byte(out, '\n');
            column = 0;
        }
        if (column > 0)
            buffer_add_byte(out, ' ');
        buffer_add(out, at, size);
        column += size + (column > 0);
        at += size + strspn(at + size, " \n");
    }
    buffer_add_byte(out, '\n');
}

static void add_paragraph(struct buffer *out, const char *head, const char *text)
{
    if (text == NULL)
        return;
    buffer_add_byte(out, '\n');
    add_wrapped(out, head, text);
}

static void add_lines(struct buffer *out, const char *head, const char *lines)
{
    if (lines == NULL)
        return;
    buffer_print(out, "\n%s\n", head);
    for (const char *at = lines; *at;) {
        size_t size = strcspn(at, "\n");
        buffer_print(out, "    %.*s\n", (int)size, at);
        at += size + (at[size] == '\n');
    }
}

void explain_text(const struct opshift_check *check, struct buffer *out)
{
    add_wrapped(out, "What it means:", check->summary);
    add_paragraph(out, "Why it matters:", check->why);
    add_paragraph(out, "Runtimes:", check->runtimes);
    add_paragraph(out, "How to fix it:", check->mend);
    if (check->fixable)
        buffer_add_text(out, "\n'opshift lint --fix' fixes it.\n");
    add_lines(out, "Before:", check->before);
    add_lines(out, "After:", check->after);
}

/* ---- Markdown ---- */

/* Text in which only `code` is markup. */
static void add_marked(struct buffer *out, const char *text)
{
    bool code = false;
    for (const char *at = text; *at; at++) {
        if (*at == '`')
            code = !code;
        if (!code && strchr("<*|\\[", *at))
            buffer_add_byte(out, '\\');
        buffer_add_byte(out, (uint8_t)*at);
    }
}

static void mark_paragraph(struct buffer *out, const char *head, const char *text)
{
    if (text == NULL)
        return;
    buffer_print(out, "\n**%s** ", head);
    add_marked(out, text);
    buffer_add_byte(out, '\n');
}

static void mark_example(struct buffer *out, const char *head, const char *text)
{
    if (text == NULL)
        return;
    size_t size = strlen(text);
    buffer_print(out, "\n%s\n\n```\n%s%s```\n", head, text, size > 0 && text[size - 1] == '\n' ? "" : "\n");
}

void explain_markdown(const struct opshift_check *check, struct buffer *out)
{
    buffer_print(out, "**%s:** ", severity_name(check->severity));
    add_marked(out, check->summary);
    buffer_add_text(out, ".\n");
    mark_paragraph(out, "Why it matters.", check->why);
    mark_paragraph(out, "Runtimes.", check->runtimes);
    mark_paragraph(out, "How to fix it.", check->mend);
    if (check->fixable)
        buffer_add_text(out, "\n`opshift lint --fix` fixes it.\n");
    mark_example(out, "Before:", check->before);
    mark_example(out, "After:", check->after);
}

/* ---- for the command ---- */

static void explain(const struct opshift_check *check, bool markdown, struct buffer *out)
{
    if (markdown)
        buffer_print(out, "### %s `%s`\n\n", check->id, check->slug);
    else
        buffer_print(out, "%s %s (%s)\n\n", check->id, check->slug, severity_name(check->severity));
    if (markdown)
        explain_markdown(check, out);
    else
        explain_text(check, out);
}

enum opshift_status opshift_check_explain(const struct opshift_check *check, bool markdown, char **text,
                                          struct opshift_error *error)
{
    struct buffer out = {0};
    explain(check, markdown, &out);
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}

static void explain_family(const struct opshift_family *family, bool markdown, struct buffer *out)
{
    bool begun = false;
    for (size_t i = 0; i < opshift_check_count(); i++) {
        const struct opshift_check *check = opshift_check_at(i);
        if (!belongs(check, family))
            continue;
        if (!begun)
            buffer_print(out, "\n%s%s: %s\n", markdown ? "## " : "", family->prefix, family->title);
        buffer_add_byte(out, '\n');
        explain(check, markdown, out);
        begun = true;
    }
}

enum opshift_status opshift_checks_explain(bool markdown, char **text, struct opshift_error *error)
{
    struct buffer out = {0};
    if (markdown)
        buffer_add_text(&out,
                        "# What `opshift lint` checks\n\nMade by `opshift explain --all --markdown`; each text is "
                        "that of the check itself.\n");
    for (size_t i = 0; i < COUNT(families); i++)
        explain_family(&families[i], markdown, &out);
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}

static json_t *describe(const struct opshift_check *check)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?, s:s?, s:s?, s:s?, s:b}", "id", check->id, "slug", check->slug,
                     "severity", severity_name(check->severity), "summary", check->summary, "why", check->why,
                     "runtimes", check->runtimes, "mend", check->mend, "before", check->before, "after", check->after,
                     "fixable", check->fixable);
}

static void list_as_text(const json_t *root, struct buffer *out)
{
    struct report_table *table = report_table_new(4, NULL);
    const json_t *checks = json_object_get(root, "checks");
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *check = json_array_get(checks, i);
        const char *const cells[] = {
            json_string_value(json_object_get(check, "id")), json_string_value(json_object_get(check, "severity")),
            json_string_value(json_object_get(check, "slug")), json_string_value(json_object_get(check, "summary"))};
        report_table_row(table, cells);
    }
    report_table_print(table, out);
}

enum opshift_status opshift_checks_list(struct opshift_report **report, struct opshift_error *error)
{
    json_t *checks = json_array();
    int failed = checks == NULL;
    for (size_t i = 0; i < opshift_check_count(); i++)
        failed |= json_array_append_new(checks, describe(opshift_check_at(i)));
    json_t *root = json_pack("{s:s, s:s, s:o}", "kind", "checks", "version", opshift_version(), "checks", checks);
    *report = report_new(root, list_as_text);
    if (*report && !failed)
        return OPSHIFT_OK;
    opshift_report_free(*report);
    *report = NULL;
    return opshift_no_memory(error);
}
