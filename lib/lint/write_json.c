/* json: one document, {"kind": "lint", ..., "files": [...], "summary": {...}}, a line per file. */
#include "lint/written.h"

static void json_begin(struct opshift_lint_writer *writer)
{
    buffer_print(&writer->out, "{\"kind\":\"lint\",\"version\":\"%s\",\"files\":[", opshift_version());
}

/* The findings are the last member of a file, written one by one to save memory. */
static void json_file(struct opshift_lint_writer *writer, const struct opshift_findings *findings)
{
    struct buffer *out = &writer->out;
    buffer_add_text(out, writer->continued ? ",\n" : "\n");
    written_add(out, written_file(findings));
    if (out->size > 0)
        out->size--; /* its closing brace */
    buffer_add_text(out, ",\"findings\":[");
    for (size_t i = 0; i < findings->count; i++) {
        buffer_add_text(out, i > 0 ? "," : "");
        written_finding_add(out, &findings->list[i]);
    }
    buffer_add_text(out, "]}");
    writer->continued = true;
}

static void json_end(struct opshift_lint_writer *writer)
{
    buffer_add_text(&writer->out, "\n],\"summary\":");
    written_add(&writer->out, written_counts(&writer->counts));
    buffer_add_text(&writer->out, "}\n");
}

const struct lint_format lint_format_json = {"json", json_begin, json_file, json_end};
