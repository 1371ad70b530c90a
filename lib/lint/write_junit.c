/* junit: a test suite for each file, a test case for each check that found something, or one called "clean". */
#include <stdlib.h>

#include "base/list.h"
#include "base/shown.h"
#include "lint/written.h"

/* What one check found in a file. */
struct check_outcome {
    const struct opshift_check *check;
    size_t counting;    /* findings neither in the baseline nor suppressed */
    bool fails;         /* one of them is at or above the fail level */
    const char *reason; /* of the first suppressed one; NULL: none */
};

/* One for each check with findings, in the order of their first findings. */
struct verdicts {
    struct check_outcome *list;
    uint32_t count, room;
};

/* The outcome of a check, added if new. NULL: no memory. */
static struct check_outcome *verdict_find(struct verdicts *verdicts, const struct opshift_check *check)
{
    for (size_t i = 0; i < verdicts->count; i++)
        if (verdicts->list[i].check == check)
            return &verdicts->list[i];
    if (!list_grow(&verdicts->list, verdicts->count, &verdicts->room, sizeof(*verdicts->list)))
        return NULL;
    verdicts->list[verdicts->count] = (struct check_outcome){.check = check};
    return &verdicts->list[verdicts->count++];
}

/* False: no memory. */
static bool verdicts_collect(const struct opshift_lint_writer *writer, const struct opshift_findings *findings,
                             struct verdicts *verdicts)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct opshift_finding *finding = &findings->list[i];
        struct check_outcome *verdict = verdict_find(verdicts, finding->check);
        if (verdict == NULL)
            return false;
        if (finding->suppressed && verdict->reason == NULL)
            verdict->reason = finding->suppressed;
        if (!finding_counts(finding))
            continue;
        verdict->counting++;
        if ((int)finding->severity >= writer->lint->fail_level)
            verdict->fails = true;
    }
    return true;
}

/* The findings of one check that count, a line for each. */
static void add_lines(struct buffer *out, const struct opshift_findings *findings, const struct opshift_check *check)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct opshift_finding *finding = &findings->list[i];
        if (finding->check != check || !finding_counts(finding))
            continue;
        buffer_print(out, "%s: ", severity_name(finding->severity));
        shown_add_xml(out, finding->location);
        buffer_add_text(out, ": ");
        shown_add_xml(out, finding->message);
        buffer_add_byte(out, '\n');
    }
}

static void add_case(struct buffer *out, const struct opshift_findings *findings, const char *name)
{
    buffer_add_text(out, "    <testcase classname=\"");
    shown_add_xml(out, findings->name);
    buffer_add_text(out, "\" name=\"");
    shown_add_xml(out, name);
    buffer_add_byte(out, '"');
}

static void add_verdict(struct buffer *out, const struct opshift_findings *findings,
                        const struct check_outcome *verdict)
{
    char name[128];
    snprintf(name, sizeof(name), "%s %s", verdict->check->id, verdict->check->slug);
    add_case(out, findings, name);
    if (verdict->counting == 0) {
        buffer_add_text(out, "><skipped message=\"");
        shown_add_xml(out, verdict->reason ? verdict->reason : "known: the baseline has it");
        buffer_add_text(out, "\"/></testcase>\n");
        return;
    }
    buffer_add_text(out, verdict->fails ? "><failure message=\"" : "><system-out>");
    if (verdict->fails) {
        shown_add_xml(out, verdict->check->summary);
        buffer_print(out, "\" type=\"%s\">", verdict->check->id);
    }
    add_lines(out, findings, verdict->check);
    buffer_add_text(out, verdict->fails ? "</failure></testcase>\n" : "</system-out></testcase>\n");
}

static void add_failure(struct buffer *out, const struct opshift_findings *findings)
{
    add_case(out, findings, "readable");
    buffer_add_text(out, "><error message=\"");
    shown_add_xml(out, findings->failure);
    buffer_add_text(out, "\"/></testcase>\n");
}

static void open_suite(struct buffer *out, const struct opshift_findings *findings, const struct verdicts *verdicts)
{
    size_t failures = 0, skipped = 0;
    for (size_t i = 0; i < verdicts->count; i++) {
        failures += verdicts->list[i].fails;
        skipped += verdicts->list[i].counting == 0;
    }
    size_t errors = failure_is_untold(findings), cases = verdicts->count + errors;
    buffer_add_text(out, "  <testsuite name=\"");
    shown_add_xml(out, findings->name);
    buffer_print(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n", cases ? cases : 1,
                 failures, errors, skipped);
}

static void junit_begin(struct opshift_lint_writer *writer)
{
    buffer_add_text(&writer->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"opshift lint\">\n");
}

static void junit_file(struct opshift_lint_writer *writer, const struct opshift_findings *findings)
{
    struct verdicts verdicts = {0};
    struct buffer *out = &writer->out;
    if (!verdicts_collect(writer, findings, &verdicts))
        out->failed = true;
    open_suite(out, findings, &verdicts);
    if (failure_is_untold(findings))
        add_failure(out, findings);
    for (size_t i = 0; i < verdicts.count; i++)
        add_verdict(out, findings, &verdicts.list[i]);
    if (findings->failure == NULL && verdicts.count == 0) {
        add_case(out, findings, "clean");
        buffer_add_text(out, "/>\n");
    }
    buffer_add_text(out, "  </testsuite>\n");
    free(verdicts.list);
}

static void junit_end(struct opshift_lint_writer *writer)
{
    buffer_add_text(&writer->out, "</testsuites>\n");
}

const struct lint_format lint_format_junit = {"junit", junit_begin, junit_file, junit_end};
