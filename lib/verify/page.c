/* Writes a certificate as an HTML page: a summary, a table, and a drawing of each rewritten piece before and after. */
#include <string.h>

#include "base/report.h"
#include "verify/certificate.h"

/* Pieces that are drawn; the table has all. */
#define DRAWN_MAX 2000u

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>opshift: "
    "certificate</title><style>\n"
    ":root{color-scheme:light dark;--ink:#1d2430;--paper:#fff;--soft:#f2f4f8;--line:#c9d0dc;--good:#146c2e;"
    "--fair:#7a5200;--bad:#b3261e;--node:#dfe9fb}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--ink:#e4e8f0;--paper:#14181f;--soft:#1e2530;--line:#485264;--good:#6fd68b;"
    "--fair:#f0bd5c;--bad:#ff8a80;--node:#27405f}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:72rem;margin:0 auto;"
    "padding:1.5rem}\nh1{font-size:1.6rem;margin:0 0 .5rem}h2{font-size:1.2rem;margin:2rem 0 .5rem}"
    "h3{font-size:1rem;margin:0 0 .5rem;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;"
    "border-bottom:1px solid var(--line);overflow-wrap:anywhere}th{background:var(--soft)}code{font-size:.85em;"
    "overflow-wrap:anywhere}\n"
    ".verdict{font-weight:600;white-space:nowrap}.proved,.rule{color:var(--good)}.tested,.rounding,.assumed{color:var(-"
    "-fair)}"
    ".differs,.open{color:var(--bad)}\n"
    ".kind{border:1px solid;border-radius:4px;padding:0 .35rem;font-size:.85em}.exact{color:var(--good)}"
    ".definition{color:var(--ink)}.approximate{color:var(--bad)}\n"
    "section{border:1px solid var(--line);border-radius:8px;padding:1rem;margin:1rem 0;break-inside:avoid}"
    ".pair{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;flex:1 1 20rem;min-width:0;overflow-x:auto}"
    "figcaption{font-weight:600}\n"
    "path{fill:none;stroke:var(--ink);stroke-width:1.4;opacity:.6}"
    "rect{fill:var(--soft);stroke:var(--line)}.node rect{fill:var(--node);stroke:var(--ink)}"
    "text{fill:var(--ink);font:13px ui-monospace,monospace;text-anchor:middle}.small{font-size:11px}\n"
    "@media print{body{max-width:none;padding:0}a{color:inherit}}\n"
    "</style></head><body>\n";

static json_int_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *verdict_class(const char *verdict)
{
    if (strcmp(verdict, "by rule") == 0)
        return "rule";
    bool open = strcmp(verdict, "not shown") == 0 || strcmp(verdict, "not run") == 0;
    return open ? "open" : verdict;
}

static void add_cell(struct buffer *out, const char *tag, const char *text)
{
    buffer_print(out, "<%s>", tag);
    page_text(out, text);
    buffer_print(out, "</%s>", tag);
}

static void add_verdict(struct buffer *out, const char *verdict)
{
    buffer_print(out, "<span class=\"verdict %s\">", verdict_class(verdict));
    page_text(out, verdict);
    buffer_add_text(out, "</span>");
}

static const char *const kinds[] = {"exact", "definition", "approximate"};

/* The kind of a replacement; "": the node keeps its operator. */
static void add_kind(struct buffer *out, const char *kind)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kind, kinds[i]) == 0)
            buffer_print(out, " <span class=\"kind %s\">replaced: %s</span>", kind, kind);
}

/* ---- the summary ---- */

static void add_file(struct buffer *out, const char *what, const json_t *side)
{
    size_t index;
    json_t *external;
    buffer_print(out, "<tr><th>%s</th><td>", what);
    page_text(out, report_text_of(side, "file"));
    const char *domain;
    json_t *version;
    buffer_print(out, "<br>opset %" JSON_INTEGER_FORMAT, number_of(side, "opset"));
    json_object_foreach(json_object_get(side, "domains"), domain, version)
    {
        buffer_add_text(out, ", ");
        page_text(out, domain);
        buffer_print(out, " %" JSON_INTEGER_FORMAT, json_integer_value(version));
    }
    buffer_print(out, ", %" JSON_INTEGER_FORMAT " bytes<br>", number_of(side, "size"));
    add_cell(out, "code", report_text_of(side, "sha256"));
    json_array_foreach(json_object_get(side, "external"), index, external)
    {
        buffer_add_text(out, "<br>");
        page_text(out, report_text_of(external, "location"));
        buffer_add_text(out, " ");
        add_cell(out, "code", report_text_of(external, json_object_get(external, "sha256") == NULL ? "why" : "sha256"));
    }
    buffer_add_text(out, "</td></tr>\n");
}

/* "3 runs" */
static void add_runs(struct buffer *out, const char *before, const json_t *of)
{
    json_int_t runs = number_of(of, "runs");
    buffer_print(out, "%s%" JSON_INTEGER_FORMAT " run%s", before, runs, runs == 1 ? "" : "s");
}

static void add_whole(struct buffer *out, const json_t *whole)
{
    if (whole == NULL)
        return;
    buffer_add_text(out, "<tr><th>Whole model</th><td>");
    add_verdict(out, report_text_of(whole, "verdict"));
    buffer_add_text(out, " by ");
    page_text(out, report_text_of(whole, "engine"));
    buffer_add_text(out, " ");
    page_text(out, report_text_of(whole, "engine_version"));
    add_runs(out, ", ", whole);
    buffer_add_text(out, ": ");
    page_text(out, report_text_of(whole, "why"));
    buffer_add_text(out, "</td></tr>\n");
}

/* Number of replaced nodes of each kind. */
static void add_kinds(struct buffer *out, const json_t *pieces)
{
    const json_t *piece;
    size_t index, shown = 0;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        size_t count = 0;
        json_array_foreach(pieces, index, piece)
        {
            count += strcmp(report_text_of(piece, "replaced"), kinds[i]) == 0;
        }
        if (count)
            buffer_print(out, "%s%zu <span class=\"kind %s\">%s</span>",
                         shown++ ? ", " : "<tr><th>Replaced by other operators</th><td>", count, kinds[i], kinds[i]);
    }
    if (shown)
        buffer_add_text(out, "</td></tr>\n");
}

static void add_summary(struct buffer *out, const json_t *root)
{
    bool same = json_is_true(json_object_get(root, "same"));
    const char *answer = report_answer(root);
    const char *name;
    json_t *count;
    bool first = true;
    buffer_print(out, "<h1 class=\"%s\">%s</h1>\n<table>", same ? "proved" : "differs", answer);
    add_file(out, "Before", json_object_get(root, "before"));
    add_file(out, "After", json_object_get(root, "after"));
    buffer_add_text(out, "<tr><th>Rewritten nodes</th><td>");
    json_object_foreach(json_object_get(root, "counts"), name, count)
    {
        buffer_print(out, "%s%" JSON_INTEGER_FORMAT " ", first ? "" : ", ", json_integer_value(count));
        page_text(out, name);
        first = false;
    }
    buffer_add_text(out, "</td></tr>\n");
    add_kinds(out, json_object_get(root, "pieces"));
    add_whole(out, json_object_get(root, "whole"));
    buffer_add_text(out, "<tr><th>Made by</th><td>opshift ");
    page_text(out, report_text_of(root, "version"));
    buffer_add_text(out, ", seed ");
    page_text(out, report_text_of(root, "seed"));
    buffer_add_text(out, "<br>rules ");
    add_cell(out, "code", report_text_of(root, "rules_sha256"));
    buffer_add_text(out, "</td></tr></table>\n");
}

/* ---- differences and kept nodes ---- */

/* A table with two or three members of each item. */
static void add_rows(struct buffer *out, const char *title, const char *heads, const json_t *list,
                     const char *const keys[3])
{
    size_t index;
    json_t *item;
    if (json_array_size(list) == 0)
        return;
    buffer_print(out, "<h2>%s</h2>\n<table><tr>%s</tr>\n", title, heads);
    json_array_foreach(list, index, item)
    {
        buffer_add_text(out, "<tr>");
        for (size_t i = 0; i < 3 && keys[i] != NULL; i++)
            add_cell(out, "td", report_text_of(item, keys[i]));
        buffer_add_text(out, "</tr>\n");
    }
    buffer_add_text(out, "</table>\n");
}

static void add_differences(struct buffer *out, const json_t *root)
{
    static const char *const two[3] = {"place", "what"}, *const three[3] = {"file", "place", "what"};
    add_rows(out, "Other differences", "<th>Place</th><th>What</th>", json_object_get(root, "differences"), two);
    add_rows(out, "What else changed", "<th>Place</th><th>What</th>", json_object_get(root, "changes"), two);
    add_rows(out, "Not compared", "<th>Place</th><th>Why</th>", json_object_get(root, "unknown"), two);
    add_rows(out, "Not valid", "<th>Model</th><th>Place</th><th>What</th>", json_object_get(root, "invalid"), three);
}

static void add_kept(struct buffer *out, const json_t *kept)
{
    size_t index;
    json_t *item;
    if (json_array_size(kept) == 0)
        return;
    buffer_add_text(out, "<h2>Kept under another version of their operator</h2>\n"
                         "<table><tr><th>Operator</th><th>Nodes</th><th>Rules</th></tr>\n");
    json_array_foreach(kept, index, item)
    {
        buffer_add_text(out, "<tr>");
        add_cell(out, "td", report_text_of(item, "operator"));
        buffer_print(out, "<td>%zu</td>", json_array_size(json_object_get(item, "nodes")));
        add_cell(out, "td", report_text_of(item, "rules"));
        buffer_add_text(out, "</tr>\n");
    }
    buffer_add_text(out, "</table>\n");
}

/* ---- pieces ---- */

static void add_list(struct buffer *out, const char *what, const json_t *list)
{
    size_t index;
    json_t *item;
    if (json_array_size(list) == 0)
        return;
    buffer_print(out, "; %s ", what);
    json_array_foreach(list, index, item)
    {
        buffer_add_text(out, index > 0 ? ", " : "");
        page_text(out, json_string_value(item) == NULL ? "" : json_string_value(item));
    }
}

static void add_figure(struct buffer *out, const char *caption, const json_t *nodes)
{
    buffer_print(out, "<figure><figcaption>%s</figcaption>", caption);
    if (json_array_size(nodes) == 0)
        buffer_add_text(out, "<p>No node makes its outputs.</p>");
    else
        page_graph(out, nodes, caption);
    buffer_add_text(out, "</figure>");
}

static void add_piece(struct buffer *out, const json_t *piece)
{
    const json_t *nodes = json_object_get(piece, "nodes");
    buffer_add_text(out, "<section>");
    add_cell(out, "h3", report_text_of(piece, "node"));
    buffer_add_text(out, "<p>");
    add_verdict(out, report_text_of(piece, "verdict"));
    add_kind(out, report_text_of(piece, "replaced"));
    if (report_text_of(piece, "why")[0] != '\0')
        buffer_add_text(out, ": ");
    page_text(out, report_text_of(piece, "why"));
    if (report_text_of(piece, "rules")[0] != '\0')
        buffer_add_text(out, "<br>by ");
    page_text(out, report_text_of(piece, "rules"));
    add_runs(out, "<br>", piece);
    buffer_add_text(out, ", seed ");
    page_text(out, report_text_of(piece, "seed"));
    add_list(out, "types", json_object_get(piece, "types"));
    add_list(out, "shapes", json_object_get(piece, "shapes"));
    buffer_add_text(out, "</p><div class=\"pair\">");
    add_figure(out, "Before", json_object_get(nodes, "before"));
    add_figure(out, "After", json_object_get(nodes, "after"));
    buffer_add_text(out, "</div></section>\n");
}

static void add_pieces(struct buffer *out, const json_t *pieces)
{
    size_t index;
    json_t *piece;
    if (json_array_size(pieces) == 0)
        return;
    buffer_print(out, "<h2>Rewritten nodes</h2>\n");
    json_array_foreach(pieces, index, piece) if (index < DRAWN_MAX) add_piece(out, piece);
    if (json_array_size(pieces) > DRAWN_MAX)
        buffer_print(out, "<p>And %zu more; the certificate in JSON has them all.</p>\n",
                     json_array_size(pieces) - DRAWN_MAX);
}

enum opshift_status opshift_verify_page(const struct opshift_report *report, char **text, struct opshift_error *error)
{
    struct buffer out = {0};
    *text = NULL;
    if (strcmp(report_text_of(report->root, "kind"), "verify") != 0)
        return opshift_fail(error, OPSHIFT_USAGE, "only what a verification found can be drawn as a page");
    buffer_add_text(&out, head);
    add_summary(&out, report->root);
    add_differences(&out, report->root);
    add_pieces(&out, json_object_get(report->root, "pieces"));
    add_kept(&out, json_object_get(report->root, "kept"));
    buffer_add_text(&out, "</body></html>\n");
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}
