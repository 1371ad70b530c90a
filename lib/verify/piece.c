/* One rewritten node: the strongest verdict that can be reached, and why no stronger one was. */
#include "verify/certificate.h"
#include "verify/piece_rows.h"
#include "verify/sequence_readers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"

/* The kind of replacement and the largest difference in runs. "": the node was not replaced. NULL: no memory. */
static const char *replaced_words(const struct piece *piece)
{
    const struct planned_node *planned = &piece->expected->planned;
    if (!planned->is_replaced)
        return "";
    if (planned->replaced_as == REPLACED_APPROXIMATELY)
        return "; they give nearly the same, and what runs give is not compared";
    if (planned->replaced_as == REPLACED_EXACTLY)
        return piece->runs ? "; exact: bit for bit the same" : "; exact";
    if (piece->tolerance == 0)
        return "; by its definition";
    return arena_print(piece->arena,
                       "; by its definition: within %g of the greatest number, the largest difference is %.2g",
                       piece->tolerance, piece->largest);
}

const char *piece_rules(const struct piece *piece)
{
    return expect_rules(piece->comparison, piece->pair, piece->node, piece->expected, piece->arena);
}

/* The second model has what convert would make of the node. */
static void conclude_expected(struct piece *piece)
{
    const struct expectation *expected = piece->expected;
    bool kept = expected->planned.fate == OPSHIFT_KEPT;
    const char *rules = piece_rules(piece);
    const char *words = rules == NULL ? "the same operator, attributes and inputs" : kept ? "kept by " : "result of ";
    bool unrun = piece->runs == 0 && piece->refused != NULL;
    bool near = expected->planned.is_replaced && expected->planned.replaced_as == REPLACED_APPROXIMATELY;
    const char *replaced = replaced_words(piece);
    piece->verdict = expected->assumed == NULL && !near ? VERDICT_BY_RULE : VERDICT_ASSUMED;
    piece->why = arena_print(piece->arena, "%s%s%s%s%s%s%s", expected->assumed == NULL ? "" : expected->assumed,
                             expected->assumed == NULL ? "" : "; ", words, rules == NULL ? "" : rules,
                             replaced == NULL ? "" : replaced, unrun ? "; not run: " : "", unrun ? piece->refused : "");
}

/* The verdict of a piece that only runs can show to be equal. */
static void conclude_runs(struct piece *piece)
{
    const char *doubt = piece->doubt == NULL ? "it was run on drawn inputs alone" : piece->doubt;
    const char *refused = piece->refused == NULL ? "no values to run it on" : piece->refused;
    if (piece->other_constant != NULL) {
        piece->why = piece->other_constant;
    } else if (piece->expected->refusal != NULL) {
        piece->why = arena_print(piece->arena, "convert refuses it: %s", piece->expected->refusal);
    } else if (piece->near != NULL) {
        piece->why = arena_print(piece->arena, "%s; %s", doubt, piece->near);
    } else if (piece->kept_otherwise || piece->replaced_otherwise) {
        piece->why = piece->runs ? arena_print(piece->arena, "%s; runs on drawn inputs show no difference", doubt)
                                 : arena_print(piece->arena, "%s; it was not run: %s", doubt, refused);
    } else if (piece->beyond != NULL && !piece_is_split(&piece->comparison->before, piece->node)) {
        piece->why = arena_print(piece->arena, "%s; runs may not show its effect", doubt);
    } else if (piece->unfit != NULL) {
        piece->why = arena_print(piece->arena, "%s; %s", doubt, piece->unfit);
    } else if (piece->runs >= PIECE_RUNS_LEAST) {
        piece->verdict = VERDICT_TESTED;
        piece->why = arena_print(piece->arena, "not proved: %s", doubt);
    } else if (piece->runs > 0) {
        piece->why = arena_print(piece->arena, "%s; only %" PRIu64 " of %u runs were accepted: %s", doubt, piece->runs,
                                 PIECE_RUNS_LEAST, refused);
    } else {
        piece->why = piece->doubt == NULL ? refused : arena_print(piece->arena, "%s; %s", refused, piece->doubt);
    }
}

static void conclude(struct piece *piece)
{
    if (piece->verdict == VERDICT_DIFFERS)
        return;
    const struct opshift_given *given = piece->comparison->options->given;
    const char *assumed = given && given->shape_count + given->dim_count > 0 ? piece->expected->assumed : NULL;
    if (assumed == NULL)
        assumed = piece->basis;
    if (piece->proof != NULL) { /* for the given shapes only, if some are given */
        piece->verdict = assumed ? VERDICT_ASSUMED : VERDICT_PROVED;
        piece->why = assumed ? arena_print(piece->arena, "%s; %s", assumed, piece->proof) : piece->proof;
    } else if (piece->is_expected) {
        conclude_expected(piece);
    } else {
        conclude_runs(piece);
    }
}

static void add_texts(const struct run_list *list, struct buffer *out)
{
    for (uint32_t i = 0; i < list->count; i++) {
        buffer_add_text(out, i > 0 ? ", " : "");
        buffer_add_text(out, list->texts[i]);
    }
}

/* The line of a brief report. */
static enum opshift_status print_piece(struct piece *piece, const char *place, struct opshift_error *error)
{
    struct buffer *detail = &piece->comparison->detail;
    const char *verdict = verdict_name(piece->verdict);
    detail->size = 0;
    bool runs = report_detail(piece->why == NULL ? "" : piece->why, verdict, (json_int_t)piece->runs, detail);
    if (runs && piece->shapes.count > 0) {
        buffer_add_text(detail, ": ");
        add_texts(&piece->types, detail);
        buffer_add_text(detail, "; ");
        add_texts(&piece->shapes, detail);
    }
    buffer_add_byte(detail, '\0');
    if (detail->failed)
        return opshift_no_memory(error);
    piece_rows_add(piece->comparison->rows, place, verdict, (const char *)detail->data);
    return OPSHIFT_OK;
}

/* NULL: no memory. */
static json_t *texts_tree(const struct run_list *list)
{
    json_t *tree = json_array();
    for (uint32_t i = 0; i < list->count; i++)
        report_append(&tree, json_string(list->texts[i]));
    return tree;
}

static enum opshift_status list_piece(struct piece *piece, const char *place, struct opshift_error *error)
{
    struct bytes op_type = names_bytes(piece->comparison->before.model->names, piece->node->op_type);
    json_t *entry = json_object();
    char seed[24];
    snprintf(seed, sizeof(seed), "%" PRIu64, piece->seed);
    report_set(&entry, "node", report_string(place, strlen(place)));
    report_set(&entry, "operator", report_string(op_type.data, op_type.size));
    report_set(&entry, "verdict", json_string(verdict_name(piece->verdict)));
    if (piece->why != NULL)
        report_set(&entry, "why", report_string(piece->why, strlen(piece->why)));
    if (piece->is_undefined)
        report_set(&entry, "undefined", json_true());
    const struct planned_node *planned = &piece->expected->planned;
    if (piece->is_expected && planned->is_replaced)
        report_set(&entry, "replaced", json_string(replacement_kind_name(planned->replaced_as)));
    if (piece->tolerance > 0)
        report_set(&entry, "tolerance", json_real(piece->tolerance));
    if (piece->tolerance > 0 && isfinite(piece->largest)) /* JSON has no infinity */
        report_set(&entry, "largest_difference", json_real(piece->largest));
    report_set(&entry, "seed", json_string(seed));
    report_set(&entry, "runs", json_integer((json_int_t)piece->runs));
    report_set(&entry, "types", texts_tree(&piece->types));
    report_set(&entry, "shapes", texts_tree(&piece->shapes));
    certificate_piece(piece, &entry);
    return json_array_append_new(piece->comparison->pieces, entry) || arena_was_out(piece->arena)
               ? opshift_no_memory(error)
               : OPSHIFT_OK;
}

enum opshift_status piece_report(struct piece *piece, struct opshift_error *error)
{
    struct comparison *comparison = piece->comparison;
    const char *place = node_place_find(comparison->before.model, piece->pair->before, piece->node);
    if (place == NULL || arena_was_out(piece->arena))
        return opshift_no_memory(error);
    comparison->counts[piece->verdict]++;
    comparison->piece_count++;
    return comparison->options->brief ? print_piece(piece, place, error) : list_piece(piece, place, error);
}

/* Does the second model have what convert makes of the node? Not for sequences, which concern several nodes. */
static enum opshift_status compare_expected(struct piece *piece, struct opshift_error *error)
{
    enum opshift_fate fate = piece->expected->planned.fate;
    if (piece->uses != NULL || (fate != OPSHIFT_KEPT && fate != OPSHIFT_REWRITTEN))
        return OPSHIFT_OK;
    struct expected_difference difference = {0};
    enum opshift_status status =
        expect_compare(piece->comparison, piece->pair, piece->expected, piece->attributes, &difference, error);
    piece->unexpected = difference.what;
    piece->beyond = difference.beyond;
    piece->other_operator = difference.other_operator;
    piece->same_head = difference.same_head;
    piece->is_expected = status == OPSHIFT_OK && piece->unexpected == NULL;
    return status;
}

/* The attribute values that calls give to the node's function. */
static enum opshift_status find_bindings(struct piece *piece, struct opshift_error *error)
{
    const struct function *function = piece->pair->before->function;
    uint32_t calls;
    enum opshift_status status = bindings_find(piece->comparison->bindings, function, &piece->bindings, error);
    scope_calls(piece->comparison->before.scopes, function, &calls);
    piece->is_unreached = calls > 0 && piece->bindings->count == 0;
    return status;
}

struct piece piece_of(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                      const struct expectation *expectation, struct arena *arena)
{
    uint64_t order = comparison->piece_count;
    struct piece piece = {
        .comparison = comparison,
        .pair = pair,
        .node = node,
        .partner = match_partner(&comparison->before, node, &comparison->after, pair->after),
        .expected = expectation,
        .verdict = VERDICT_NOT_SHOWN,
        .arena = arena,
        .budget = &comparison->budget,
        .uses = sequence_uses(comparison, pair->before, node),
        .seed = comparison->options->seed ^ order << 32,
    };
    piece.attributes[0] = (struct attribute_list){.model = comparison->before.model, .node = node, .arena = arena};
    piece.attributes[1] =
        (struct attribute_list){.model = comparison->after.model, .node = piece.partner, .arena = arena};
    return piece;
}

enum opshift_status piece_verify(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                 const struct expectation *expectation, struct arena *arena,
                                 struct opshift_error *error)
{
    struct piece piece = piece_of(comparison, pair, node, expectation, arena);
    enum opshift_status status = OPSHIFT_OK;
    if (pair->before->function != NULL)
        status = find_bindings(&piece, error);
    if (status == OPSHIFT_OK)
        status = compare_expected(&piece, error);
    if (status == OPSHIFT_OK)
        status = piece.uses != NULL || piece_is_split(&comparison->before, node) ? piece_split(&piece, error)
                                                                                 : piece_other(&piece, error);
    if (status == OPSHIFT_OK) {
        conclude(&piece);
        status = piece_report(&piece, error);
    }
    return status;
}
