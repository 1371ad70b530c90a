/* Findings, files and counts as JSON and as a line: the same keys and words in every format. */
#include "lint/written.h"

#include <inttypes.h>
#include <string.h>

#include "base/report.h"
#include "base/shown.h"
#include "base/strings.h"

const char *severity_name(enum opshift_severity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

bool finding_counts(const struct opshift_finding *finding)
{
    return !finding->known && finding->suppressed == NULL;
}

bool failure_is_untold(const struct opshift_findings *findings)
{
    if (findings->failure == NULL)
        return false;
    for (size_t i = 0; i < findings->count; i++)
        if (finding_counts(&findings->list[i]) && text_ends_with(findings->failure, findings->list[i].message))
            return false;
    return true;
}

const char *written_path(const char *name)
{
    while (name[0] == '.' && name[1] == '/')
        name += 2 + strspn(name + 2, "/");
    return name;
}

json_t *written_text(const char *text)
{
    return text ? report_string(text, strlen(text)) : json_null();
}

/* Writes what written_text returns, without a JSON value: a model may have very many findings. */
static void written_string(struct buffer *out, const char *text)
{
    struct shown shown = {.data = (const uint8_t *)text, .size = strlen(text)};
    const char *piece;
    size_t size;
    buffer_add_byte(out, '"');
    while ((piece = shown_next(&shown, &size)) != NULL)
        for (size_t at = 0, plain; at < size; at += plain) {
            plain = 0;
            while (at + plain < size && piece[at + plain] != '"' && piece[at + plain] != '\\')
                plain++;
            buffer_add(out, piece + at, plain);
            if (at + plain == size)
                break;
            buffer_add_byte(out, '\\');
            buffer_add_byte(out, (uint8_t)piece[at + plain++]);
        }
    buffer_add_byte(out, '"');
}

void written_member(struct buffer *out, const char *key, const char *text)
{
    buffer_add_text(out, key);
    if (text)
        written_string(out, text);
    else
        buffer_add_text(out, "null");
}

void written_finding_add(struct buffer *out, const struct opshift_finding *finding)
{
    written_member(out, "{\"id\":", finding->check->id);
    written_member(out, ",\"slug\":", finding->check->slug);
    written_member(out, ",\"severity\":", severity_name(finding->severity));
    written_member(out, ",\"place\":", finding->place);
    written_member(out, ",\"location\":", finding->location);
    written_member(out, ",\"message\":", finding->message);
    written_member(out, ",\"fingerprint\":", finding->fingerprint);
    buffer_print(out, ",\"offset\":%" PRIu64 ",\"size\":%" PRIu64 ",\"fixable\":%s,\"known\":%s", finding->offset,
                 finding->size, finding->check->fixable ? "true" : "false", finding->known ? "true" : "false");
    written_member(out, ",\"suppressed\":", finding->suppressed);
    buffer_add_byte(out, '}');
}

/* The outcome of a file, as a word. */
static const char *outcome(const struct opshift_findings *findings)
{
    if (findings->failure)
        return findings->status == OPSHIFT_MALFORMED     ? "malformed"
               : findings->status == OPSHIFT_UNSUPPORTED ? "unsupported"
                                                         : "unreadable";
    return findings->status == OPSHIFT_OK ? "passed" : "failed";
}

/* 0: unknown. */
static json_t *known_number(int64_t number)
{
    return number ? json_integer(number) : json_null();
}

json_t *written_file(const struct opshift_findings *findings)
{
    uint64_t counts[3] = {0};
    for (size_t i = 0; i < findings->count; i++)
        counts[findings->list[i].severity] += finding_counts(&findings->list[i]);
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I}", "file", written_text(findings->name), "outcome",
                     outcome(findings), "failure", written_text(findings->failure), "size",
                     known_number((int64_t)findings->size), "opset", known_number(findings->opset), "ir_version",
                     known_number(findings->ir_version), "errors", (json_int_t)counts[OPSHIFT_SEVERITY_ERROR],
                     "warnings", (json_int_t)counts[OPSHIFT_SEVERITY_WARNING], "notes",
                     (json_int_t)counts[OPSHIFT_SEVERITY_NOTE]);
}

json_t *written_counts(const struct lint_counts *counts)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "files", (json_int_t)counts->files, "unreadable",
                     (json_int_t)counts->unreadable, "errors", (json_int_t)counts->findings[OPSHIFT_SEVERITY_ERROR],
                     "warnings", (json_int_t)counts->findings[OPSHIFT_SEVERITY_WARNING], "notes",
                     (json_int_t)counts->findings[OPSHIFT_SEVERITY_NOTE], "known", (json_int_t)counts->known,
                     "suppressed", (json_int_t)counts->suppressed);
}

static int add_bytes(const char *data, size_t size, void *out)
{
    shown_add_json(out, data, size);
    return ((struct buffer *)out)->failed ? -1 : 0;
}

void written_add(struct buffer *out, json_t *value)
{
    if (value == NULL || json_dump_callback(value, add_bytes, out, JSON_COMPACT | JSON_ENCODE_ANY) != 0)
        out->failed = true;
    json_decref(value);
}

static void add_count(struct buffer *out, const char *before, uint64_t count, const char *what)
{
    buffer_print(out, "%s%" PRIu64 " %s%s", before, count, what, count == 1 ? "" : "s");
}

void written_summary(struct buffer *out, const struct lint_counts *counts)
{
    add_count(out, "", counts->files, "file");
    buffer_add_text(out, " checked");
    if (counts->unreadable)
        buffer_print(out, ", %" PRIu64 " of them could not be read", counts->unreadable);
    add_count(out, ": ", counts->findings[OPSHIFT_SEVERITY_ERROR], "error");
    add_count(out, ", ", counts->findings[OPSHIFT_SEVERITY_WARNING], "warning");
    add_count(out, ", ", counts->findings[OPSHIFT_SEVERITY_NOTE], "note");
    if (counts->known || counts->suppressed)
        buffer_print(out, "; not counted: %" PRIu64 " known, %" PRIu64 " suppressed", counts->known,
                     counts->suppressed);
    if (counts->fixed)
        buffer_print(out, "; %" PRIu64 " fixed", counts->fixed);
}
