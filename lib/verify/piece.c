/* One rewritten node: the strongest verdict that can be reached, and why there is no stronger one. */
#include "verify/certificate.h"
#include "verify/sequence.h"

#include <inttypes.h>
#include <stdio.h>

#include <string.h>

#include "base/report.h"

static void conclude(struct piece *piece)
{
    const char *doubt = piece->doubt == NULL ? "it was run on drawn inputs alone" : piece->doubt;
    const char *refused = piece->refused == NULL ? "no values to run it on" : piece->refused;
    if (piece->verdict == VERDICT_DIFFERS)
        return;
    if (piece->proof != NULL) {
        piece->verdict = VERDICT_PROVED;
        piece->why = piece->proof;
    } else if (piece->runs > 0) {
        piece->verdict = VERDICT_TESTED;
        piece->why = piece->rules == NULL
                         ? arena_print(piece->arena, "not proved: %s", doubt)
                         : arena_print(piece->arena, "not proved: %s; what is made of it by %s", doubt, piece->rules);
    } else if (piece->rules != NULL) {
        piece->verdict = VERDICT_BY_RULE;
        piece->why = arena_print(piece->arena, "what is made of it by %s; not run: %s", piece->rules, refused);
    } else {
        piece->why = piece->doubt == NULL ? refused : arena_print(piece->arena, "%s; %s", refused, piece->doubt);
    }
}

static enum opshift_status report_piece(struct piece *piece, struct opshift_error *error)
{
    struct comparison *comparison = piece->comparison;
    struct opshift_model *model = comparison->before.model;
    const char *place = node_place_find(model, piece->pair->before, piece->node);
    struct bytes op_type = names_bytes(model->names, piece->node->op_type);
    json_t *entry = json_object();
    if (place == NULL || entry == NULL) {
        json_decref(entry);
        return opshift_no_memory(error);
    }
    int failed = json_object_set_new(entry, "node", report_string(place, strlen(place))) |
                 json_object_set_new(entry, "operator", report_string(op_type.data, op_type.size)) |
                 json_object_set_new(entry, "verdict", json_string(verdict_name(piece->verdict)));
    if (arena_was_out(piece->arena))
        return json_decref(entry), opshift_no_memory(error);
    if (piece->why != NULL)
        failed |= json_object_set_new(entry, "why", report_string(piece->why, strlen(piece->why)));
    char seed[24];
    snprintf(seed, sizeof(seed), "%" PRIu64, piece->seed);
    failed |= json_object_set_new(entry, "seed", json_string(seed));
    failed |= json_object_set_new(entry, "runs", json_integer((json_int_t)piece->runs)) |
              json_object_set(entry, "types", piece->types) | json_object_set(entry, "shapes", piece->shapes) |
              json_array_append_new(comparison->pieces, entry);
    comparison->counts[piece->verdict]++;
    return failed ? opshift_no_memory(error) : certificate_piece(piece, entry, error);
}

enum opshift_status piece_verify(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                 struct opshift_error *error)
{
    uint64_t order = json_array_size(comparison->pieces);
    struct piece piece = {
        .comparison = comparison,
        .pair = pair,
        .node = node,
        .verdict = VERDICT_NOT_SHOWN,
        .arena = arena_new(0),
        .types = json_array(),
        .shapes = json_array(),
        .uses = sequence_uses(comparison, pair->before, node),
        .seed = (comparison->options == NULL ? 0 : comparison->options->seed) ^ order << 32,
    };
    enum opshift_status status =
        piece.arena == NULL || piece.types == NULL || piece.shapes == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && pair->before->function != NULL)
        status = bindings_find(comparison->bindings, pair->before->function, &piece.ways, error);
    if (status == OPSHIFT_OK)
        status = piece.uses != NULL || piece_is_split(&comparison->before, node) ? piece_split(&piece, error)
                                                                                 : piece_other(&piece, error);
    if (status == OPSHIFT_OK) {
        conclude(&piece);
        status = report_piece(&piece, error);
    }
    json_decref(piece.types);
    json_decref(piece.shapes);
    arena_free(piece.arena);
    return status;
}
