/* json: one document, {"kind": "lint", ..., "files": [...], "summary": {...}}, a line a file. */
#include "lint/pieces.h"

static void json_begin(struct opshift_lint_writer *writer)
{
    buffer_print(&writer->out, "{\"kind\":\"lint\",\"version\":\"%s\",\"files\":[", opshift_version());
}

static void json_file(struct opshift_lint_writer *writer, const struct opshift_findings *findings)
{
    json_t *file = piece_file(findings), *list = json_array();
    for (size_t i = 0; i < findings->count; i++)
        if (json_array_append_new(list, piece_finding(&findings->list[i])) != 0)
            writer->out.failed = true;
    if (json_object_set_new(file, "findings", list) != 0)
        writer->out.failed = true;
    buffer_add_text(&writer->out, writer->continued ? ",\n" : "\n");
    piece_add(&writer->out, file);
    writer->continued = true;
}

static void json_end(struct opshift_lint_writer *writer)
{
    buffer_add_text(&writer->out, "\n],\"summary\":");
    piece_add(&writer->out, piece_counts(&writer->counts));
    buffer_add_text(&writer->out, "}\n");
}

const struct lint_format lint_format_json = {"json", json_begin, json_file, json_end};
