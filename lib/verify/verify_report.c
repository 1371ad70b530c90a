/* The certificate: the hashes of both files, each rewritten node with its verdict, the seed. */
#include "verify/verify.h"

#include <inttypes.h>
#include <string.h>

#include "base/report.h"
#include "verify/piece_rows.h"

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICT_COUNT] = {"proved",  "tested",    "by rule", "assumed",
                                                     "differs", "not shown", "rounding"};
    return names[verdict];
}

const char *verdict_whole_name(enum verdict verdict)
{
    return verdict == VERDICT_NOT_SHOWN ? "not run" : verdict_name(verdict);
}

/* "a, b, c" */
static void print_list(const json_t *list, struct buffer *out)
{
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item)
    {
        buffer_add_text(out, index > 0 ? ", " : "");
        buffer_add_text(out, json_string_value(item));
    }
}

bool report_detail(const char *why, const char *verdict, json_int_t runs, struct buffer *out)
{
    buffer_add_text(out, why);
    if (runs == 0 || strcmp(verdict, "differs") == 0)
        return false;
    buffer_add_text(out, why[0] != '\0' ? "; " : "");
    buffer_add_decimal(out, runs);
    buffer_add_text(out, runs == 1 ? " run" : " runs");
    return true;
}

static void print_detail(const json_t *piece, struct buffer *out)
{
    const json_t *shapes = json_object_get(piece, "shapes");
    bool runs = report_detail(report_text_of(piece, "why"), report_text_of(piece, "verdict"),
                              json_integer_value(json_object_get(piece, "runs")), out);
    if (!runs || json_array_size(shapes) == 0)
        return;
    const json_t *types = json_object_get(piece, "types");
    buffer_add_text(out, ": ");
    print_list(types, out);
    buffer_add_text(out, json_array_size(types) > 0 ? "; " : "");
    print_list(shapes, out);
}

static void print_pieces(const json_t *pieces, bool all, struct buffer *out)
{
    size_t index;
    json_t *piece;
    struct piece_rows *rows = piece_rows_new(all);
    json_array_foreach(pieces, index, piece)
    {
        struct buffer detail = {0};
        print_detail(piece, &detail);
        char *text = buffer_take(&detail);
        out->failed = out->failed || text == NULL;
        piece_rows_add(rows, report_text_of(piece, "node"), report_text_of(piece, "verdict"), text ? text : "");
        opshift_text_free(text);
    }
    piece_rows_print(rows, out);
}

#define KEPT_OPERATORS_MAX 3u /* operators that a rule keeps have so many lines at most */

static uint64_t kept_count(const json_t *entry)
{
    return json_array_size(json_object_get(entry, "nodes")) +
           (uint64_t)json_integer_value(json_object_get(entry, "more"));
}

/* "kept: Relu: by rule: ...: node 1 (Relu), ..." */
static void print_kept_entry(const json_t *entry, struct buffer *out)
{
    const json_t *nodes = json_object_get(entry, "nodes"), *assumed = json_object_get(entry, "assumed");
    size_t place;
    json_t *node;
    const char *rules = report_text_of(entry, "rules");
    buffer_print(out, "kept: %s: %s:%s%s%s", report_text_of(entry, "operator"), report_text_of(entry, "verdict"),
                 *rules ? " " : "", rules, *rules ? ":" : "");
    json_array_foreach(nodes, place, node) if (place < KEPT_SHOWN)
    {
        buffer_print(out, "%s %s", place > 0 ? "," : "", json_string_value(node));
        if (assumed != NULL)
            buffer_print(out, ": %s", json_string_value(json_array_get(assumed, place)));
    }
    if (kept_count(entry) > KEPT_SHOWN)
        buffer_print(out, ", and %" PRIu64 " more", kept_count(entry) - KEPT_SHOWN);
    buffer_add_byte(out, '\n');
}

/* Kept nodes by operator and rules; many operators that rules keep are counted. */
static void print_kept(const json_t *kept, bool all, struct buffer *out)
{
    size_t index, operators = 0;
    uint64_t count = 0;
    json_t *entry;
    json_array_foreach(kept, index, entry) if (json_object_get(entry, "assumed") == NULL)
    {
        operators++;
        count += kept_count(entry);
    }
    all = all || operators <= KEPT_OPERATORS_MAX;
    json_array_foreach(kept, index, entry) if (all || json_object_get(entry, "assumed") != NULL)
        print_kept_entry(entry, out);
    if (!all)
        buffer_print(out, "kept: %" PRIu64 " nodes by rule, of %zu operators; -v lists them\n", count, operators);
}

/* "whole model: tested by onnxruntime 1.30.0: 3 runs: x=2x6; x=3x6; ..." */
static void print_whole(const json_t *whole, struct buffer *out)
{
    const json_t *draws = json_object_get(whole, "draws");
    size_t index;
    json_t *draw;
    if (whole == NULL)
        return;
    buffer_print(out, "whole model: %s by %s %s: ", report_text_of(whole, "verdict"), report_text_of(whole, "engine"),
                 report_text_of(whole, "engine_version"));
    print_detail(whole, out);
    json_array_foreach(draws, index, draw)
    {
        buffer_add_text(out, index == 0 ? ": " : "; ");
        print_list(json_object_get(draw, "shapes"), out);
        buffer_print(out, "%sseed %s", json_array_size(json_object_get(draw, "shapes")) > 0 ? ", " : "",
                     report_text_of(draw, "seed"));
    }
    buffer_add_byte(out, '\n');
}

/* "differs: PLACE: WHAT" */
static void print_places(const char *word, const json_t *list, struct buffer *out)
{
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item)
        buffer_print(out, "%s: %s: %s\n", word, report_text_of(item, "place"), report_text_of(item, "what"));
}

/* "invalid: FILE: PLACE: WHAT ID" */
static void print_invalid(const json_t *list, struct buffer *out)
{
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item)
        buffer_print(out, "invalid: %s: %s: %s %s\n", report_text_of(item, "file"), report_text_of(item, "place"),
                     report_text_of(item, "what"), report_text_of(item, "id"));
}

/* "map: node 'conv' (Conv), node 'norm' (BatchNormalization) -> node 'both' (Conv)" */
static void print_map(const json_t *map, struct buffer *out)
{
    size_t index;
    json_t *group;
    json_array_foreach(map, index, group)
    {
        const json_t *before = json_object_get(group, "before"), *after = json_object_get(group, "after");
        const char *none = json_is_true(json_object_get(group, "constant")) ? "constants" : "nothing";
        buffer_add_text(out, "map: ");
        buffer_add_text(out, json_array_size(before) == 0 ? none : "");
        print_list(before, out);
        buffer_add_text(out, " -> ");
        buffer_add_text(out, json_array_size(after) == 0 ? none : "");
        print_list(after, out);
        buffer_add_byte(out, '\n');
    }
}

/* "reduced: DIR/before.onnx, after.onnx, inputs.npz: node 'norm' (BatchNormalization)" */
static void print_reduced(const json_t *reduced, struct buffer *out)
{
    if (json_object_get(reduced, "files") != NULL) {
        buffer_print(out, "reduced: %s/", report_text_of(reduced, "directory"));
        print_list(json_object_get(reduced, "files"), out);
        buffer_print(out, ": %s\n", report_text_of(reduced, "region"));
    } else if (reduced != NULL) {
        buffer_print(out, "reduced: nothing is written: %s\n", report_text_of(reduced, "why"));
    }
}

const char *report_answer(const json_t *root)
{
    bool differ = json_array_size(json_object_get(root, "differences")) > 0 ||
                  json_integer_value(json_object_get(json_object_get(root, "counts"), "differs")) > 0 ||
                  strcmp(report_text_of(json_object_get(root, "whole"), "verdict"), "differs") == 0;
    bool changed = json_array_size(json_object_get(root, "changes")) > 0 ||
                   json_object_get(json_object_get(root, "counts"), "rounding") != NULL;
    return json_is_true(json_object_get(root, "same")) ? changed ? "the same computation" : "no difference"
           : differ                                    ? "they differ"
                                                       : "not shown to be the same";
}

/* "net.onnx (opset 13, ai.onnx.ml 2)", with the domains whose opsets differ from those of the other side. */
static void print_side(const json_t *side, const json_t *others, struct buffer *out)
{
    const char *domain;
    json_t *version;
    buffer_print(out, "%s (opset %" JSON_INTEGER_FORMAT, report_text_of(side, "file"),
                 json_integer_value(json_object_get(side, "opset")));
    json_object_foreach(json_object_get(side, "domains"), domain, version)
    {
        const json_t *other = json_object_get(others, domain);
        if (other && json_integer_value(other) != json_integer_value(version))
            buffer_print(out, ", %s %" JSON_INTEGER_FORMAT, domain, json_integer_value(version));
    }
    buffer_add_text(out, ")");
}

static void print_report(const json_t *root, bool all, struct buffer *out)
{
    const json_t *changes = json_object_get(root, "changes");
    const json_t *before = json_object_get(root, "before"), *after = json_object_get(root, "after");
    const json_t *counts = json_object_get(root, "counts"), *differences = json_object_get(root, "differences");
    json_t *item;
    const char *key;
    print_pieces(json_object_get(root, "pieces"), all, out);
    buffer_add_text(out, report_text_of(root, "table"));
    print_kept(json_object_get(root, "kept"), all, out);
    print_whole(json_object_get(root, "whole"), out);
    print_places("differs", differences, out);
    print_places("not shown", json_object_get(root, "unknown"), out);
    print_invalid(json_object_get(root, "invalid"), out);
    print_map(json_object_get(root, "map"), out);
    print_reduced(json_object_get(root, "reduced"), out);
    print_side(before, json_object_get(after, "domains"), out);
    buffer_add_text(out, " and ");
    print_side(after, json_object_get(before, "domains"), out);
    buffer_print(out, ": %s;", report_answer(root));
    json_object_foreach((json_t *)counts, key, item)
        buffer_print(out, " %" JSON_INTEGER_FORMAT " %s,", json_integer_value(item), key);
    size_t count = json_array_size(changes == NULL ? differences : changes);
    buffer_print(out, " %zu other %s%s; seed %s\n", count, changes == NULL ? "difference" : "change",
                 count == 1 ? "" : "s", report_text_of(root, "seed"));
}

static void print(const json_t *root, struct buffer *out)
{
    print_report(root, false, out);
}

static void print_all(const json_t *root, struct buffer *out)
{
    print_places("changed", json_object_get(root, "changes"), out);
    print_report(root, true, out);
}

/* The opset of each domain but ai.onnx. NULL: no memory. */
static json_t *domains_tree(const struct opshift_model *model)
{
    json_t *tree = json_object();
    for (uint32_t i = 0; i < model->import_count; i++) {
        struct bytes name = names_bytes(model->names, model->imports[i].domain);
        json_t *key = report_string((const char *)name.data, name.size);
        if (model->imports[i].domain != NAME_NONE)
            report_set(&tree, key ? json_string_value(key) : "", key ? json_integer(model->imports[i].version) : NULL);
        json_decref(key);
    }
    return tree;
}

/* hash NULL: not computed. */
static json_t *describe(const struct side *side, const char *hash)
{
    const struct opshift_model *model = side->model;
    json_t *object = json_pack("{s:o,s:I}", "file", report_string(model->name, strlen(model->name)), "size",
                               (json_int_t)opshift_model_size(model));
    if (hash != NULL)
        report_set(&object, "sha256", json_string(hash));
    report_set(&object, "ir_version", json_integer((json_int_t)opshift_model_ir_version(model)));
    report_set(&object, "opset", json_integer((json_int_t)opshift_model_opset(model)));
    json_t *domains = domains_tree(model);
    if (domains == NULL || json_object_size(domains))
        report_set(&object, "domains", domains);
    else
        json_decref(domains);
    return object;
}

/* Replaces the lists in a brief report. */
static void add_brief(struct comparison *comparison, json_t *root)
{
    struct buffer text = {0};
    if (comparison->piece_count > 0) {
        piece_rows_print(comparison->rows, &text);
        comparison->rows = NULL;
        comparison->out_of_memory |=
            text.failed || json_object_set_new(root, "table", json_stringn((const char *)text.data, text.size)) != 0;
        buffer_free(&text);
    }
    for (struct kept *kept = comparison->kept_groups; kept != NULL; kept = kept->next) {
        json_int_t more = json_integer_value(json_object_get(kept->entry, "more")) + (json_int_t)kept->more;
        comparison->out_of_memory |= json_object_set_new(kept->entry, "more", json_integer(more)) != 0;
    }
}

struct opshift_report *verify_report(struct comparison *comparison, bool same, const char *before_hash,
                                     const char *after_hash)
{
    char seed[24];
    json_t *counts = json_object();
    snprintf(seed, sizeof(seed), "%" PRIu64, comparison->options->seed);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (verdict != VERDICT_ROUNDING || comparison->counts[verdict] > 0)
            report_set(&counts, verdict_name((enum verdict)verdict),
                       json_integer((json_int_t)comparison->counts[verdict]));
    json_t *root = json_pack("{s:s,s:s,s:b,s:o,s:o,s:s,s:o,s:O,s:O,s:O,s:O,s:O}", "kind", "verify", "version",
                             opshift_version(), "same", same, "before", describe(&comparison->before, before_hash),
                             "after", describe(&comparison->after, after_hash), "seed", seed, "counts", counts,
                             "pieces", comparison->pieces, "differences", comparison->differences, "unknown",
                             comparison->unknown, "invalid", comparison->invalid, "kept", comparison->kept);
    if (root != NULL && comparison->options->brief)
        add_brief(comparison, root);
    if (comparison->whole != NULL)
        report_set(&root, "whole", json_incref(comparison->whole));
    if (comparison->changes != NULL)
        report_set(&root, "changes", json_incref(comparison->changes));
    if (comparison->map != NULL)
        report_set(&root, "map", json_incref(comparison->map));
    if (comparison->reduced != NULL)
        report_set(&root, "reduced", json_incref(comparison->reduced));
    bool failed = root == NULL || comparison->out_of_memory;
    return failed ? (json_decref(root), NULL) : report_new(root, comparison->options->verbose ? print_all : print);
}
