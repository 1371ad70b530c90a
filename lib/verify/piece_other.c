/* A rewritten node that is no Split: run on drawn inputs, and held against what the rules make of it. */
#include <string.h>

#include "verify/piece.h"

/* A node that is no Split: its inputs are drawn once for each way that the function is called. */
static enum opshift_status run_ways(struct piece *piece, struct opshift_error *error)
{
    const struct binding_list *ways = piece->ways;
    uint32_t count = ways == NULL || ways->count == 0 ? 1 : ways->count;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count && piece->verdict != VERDICT_DIFFERS; i++) {
        bool accepted;
        piece->binding = ways == NULL || ways->count == 0 ? NULL : &ways->items[i];
        status = piece_run(piece, NULL, &accepted, error);
    }
    return status;
}

static bool is_changed(const struct piece *piece)
{
    const struct graph *graph = piece->pair->before;
    return piece->comparison->before.changed[graph->number][piece->node - graph->nodes];
}

/* No rule asks for another node: then there must be none. */
static void keep(struct piece *piece, const struct expectation *expectation)
{
    const char *op_type = names_text(piece->comparison->before.model->names, piece->node->op_type);
    if (!is_changed(piece))
        piece_differs(piece,
                      arena_print(piece->arena, "one of its types is not taken by %s at the other opset", op_type));
    else if (expectation->kind == EXPECT_SAME)
        piece_differs(piece, arena_print(piece->arena, "is another, though %s is the same at both opsets", op_type));
    else
        piece_differs(piece, arena_print(piece->arena, "is another, though it is to be kept: %s", expectation->rules));
}

static enum opshift_status hold_against_rules(struct piece *piece, struct opshift_error *error)
{
    struct comparison *comparison = piece->comparison;
    struct expectation expectation;
    struct node *partner = match_partner(&comparison->before, piece->node, &comparison->after, piece->pair->after);
    const char *what = NULL;
    enum opshift_status status = expect_read(comparison, piece->pair, piece->node, piece->arena, &expectation, error);
    if (status == OPSHIFT_OK && expectation.kind == EXPECT_REWRITTEN)
        status = expect_compare(comparison, piece->pair, &expectation, partner, piece->arena, &what, error);
    if (status != OPSHIFT_OK)
        return status;
    if (expectation.kind == EXPECT_SAME || expectation.kind == EXPECT_KEPT)
        keep(piece, &expectation);
    else if (expectation.kind == EXPECT_NOTHING)
        piece->doubt = expectation.why;
    else if (what == NULL)
        piece->rules = expectation.rules;
    else
        piece->doubt = arena_print(piece->arena, "it is not what is made of it by %s: %s", expectation.rules, what);
    if (what != NULL && piece->runs == 0)
        piece_differs(piece, arena_print(piece->arena, "%s; and it cannot be run to see whether that does the same: %s",
                                         piece->doubt, piece->refused));
    return OPSHIFT_OK;
}

enum opshift_status piece_other(struct piece *piece, struct opshift_error *error)
{
    enum opshift_status status = run_ways(piece, error);
    return status == OPSHIFT_OK && piece->verdict != VERDICT_DIFFERS ? hold_against_rules(piece, error) : status;
}
