/* ndjson: a record per line: the run, then for each file its findings and the file, last the summary. */
#include "lint/written.h"

/* Writes the record with its kind, and releases it. */
static void add_record(struct opshift_lint_writer *writer, const char *kind, json_t *record)
{
    json_t *whole = json_pack("{s:s}", "kind", kind);
    if (record == NULL || json_object_update(whole, record) != 0)
        writer->out.failed = true;
    json_decref(record);
    written_add(&writer->out, whole);
    buffer_add_byte(&writer->out, '\n');
}

/* The opening brace of the finding becomes the comma before its keys. */
static void add_finding(struct opshift_lint_writer *writer, const char *name, const struct opshift_finding *finding)
{
    struct buffer *out = &writer->out;
    buffer_add_text(out, "{\"kind\":\"finding\",\"file\":");
    written_add(out, written_text(name));
    size_t brace = out->size;
    written_finding_add(out, finding);
    if (!out->failed)
        out->data[brace] = ',';
    buffer_add_byte(out, '\n');
}

static void ndjson_begin(struct opshift_lint_writer *writer)
{
    add_record(writer, "run", json_pack("{s:s, s:s}", "tool", "opshift lint", "version", opshift_version()));
}

static void ndjson_file(struct opshift_lint_writer *writer, const struct opshift_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        add_finding(writer, findings->name, &findings->list[i]);
    add_record(writer, "file", written_file(findings));
}

static void ndjson_end(struct opshift_lint_writer *writer)
{
    add_record(writer, "summary", written_counts(&writer->counts));
}

const struct lint_format lint_format_ndjson = {"ndjson", ndjson_begin, ndjson_file, ndjson_end};
