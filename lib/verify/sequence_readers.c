/* Finds the readers of removed sequences. */
#include "verify/sequence_readers.h"

#include <string.h>

bool sequence_is_operator(const struct side *side, const struct node *node, const char *op_type)
{
    return node_is(side->model, node, op_type) && scope_callee(side->scopes, node) == NULL;
}

static bool is_changed(const struct comparison *comparison, const struct graph *graph, const struct node *node)
{
    const bool *changed = comparison->before.changed[graph->number];
    return changed != NULL && changed[node - graph->nodes];
}

bool sequence_is_replaced(const struct comparison *comparison, const struct graph *graph, const struct node *node)
{
    return sequence_uses(comparison, graph, node) != NULL;
}

const struct sequence_use *sequence_uses(const struct comparison *comparison, const struct graph *graph,
                                         const struct node *node)
{
    return comparison->sequences == NULL || comparison->sequences[graph->number] == NULL
               ? NULL
               : comparison->sequences[graph->number][node - graph->nodes];
}

bool sequence_has_reader(const struct comparison *comparison, const struct graph *graph, const struct node *node)
{
    return comparison->sequence_readers != NULL && comparison->sequence_readers[graph->number] != NULL &&
           comparison->sequence_readers[graph->number][node - graph->nodes];
}

/* Is the producer of its output now a node of another operator? */
static bool is_replaced(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node)
{
    const struct side *before = &comparison->before, *after = &comparison->after;
    const struct node *partner = match_partner(before, node, after, pair->after);
    return partner == NULL || before->other[node->op_type] != partner->op_type || node_domain(partner) != NAME_NONE;
}

static bool is_reader(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node)
{
    const struct side *before = &comparison->before;
    return is_changed(comparison, pair->before, node) && node->output_count == 1 && node->input_count > 0 &&
           node_outputs(node)[0] != NAME_NONE && is_replaced(comparison, pair, node) &&
           (sequence_is_operator(before, node, "SequenceAt") || sequence_is_operator(before, node, "SequenceLength") ||
            sequence_is_operator(before, node, "ConcatFromSequence"));
}

/* Allocates the tables by graph; NULL members: none in that graph. */
static enum opshift_status make_tables(struct comparison *comparison, struct opshift_error *error)
{
    uint32_t count = comparison->before.model->graph_count;
    comparison->sequences = arena_alloc(comparison->arena, count, sizeof(*comparison->sequences));
    comparison->sequence_readers = arena_alloc(comparison->arena, count, sizeof(*comparison->sequence_readers));
    return comparison->sequences == NULL || comparison->sequence_readers == NULL ? opshift_no_memory(error)
                                                                                 : OPSHIFT_OK;
}

/* The list of readers of the SplitToSequence that a node reads. */
static enum opshift_status uses_of(struct comparison *comparison, struct graph *graph, const struct node *node,
                                   struct sequence_use ***uses, struct opshift_error *error)
{
    struct definition found = scope_find(comparison->before.scopes, graph, node_inputs(node)[0]);
    *uses = NULL;
    if (found.kind != DEFINED_NODE ||
        !sequence_is_operator(&comparison->before, &found.graph->nodes[found.index], "SplitToSequence"))
        return OPSHIFT_OK;
    if (comparison->sequences == NULL && make_tables(comparison, error))
        return OPSHIFT_MEMORY;
    struct sequence_use ***all = &comparison->sequences[found.graph->number];
    if (*all == NULL)
        *all = arena_alloc(comparison->arena, found.graph->node_count, sizeof(**all));
    if (*all == NULL)
        return opshift_no_memory(error);
    *uses = &(*all)[found.index];
    return OPSHIFT_OK;
}

static enum opshift_status add_reader(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                      struct sequence_use **uses, struct opshift_error *error)
{
    bool **readers = &comparison->sequence_readers[pair->before->number];
    struct sequence_use *use = arena_alloc(comparison->arena, 1, sizeof(*use));
    if (*readers == NULL)
        *readers = arena_alloc(comparison->arena, pair->before->node_count, sizeof(**readers));
    if (*readers == NULL || use == NULL)
        return opshift_no_memory(error);
    (*readers)[node - pair->before->nodes] = true;
    *use = (struct sequence_use){*pair, node, *uses};
    *uses = use;
    return OPSHIFT_OK;
}

enum opshift_status sequences_match(struct comparison *comparison, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    /* From the last to the first, since each is added at the front of its list. */
    for (uint32_t i = comparison->pair_count; status == OPSHIFT_OK && i-- > 0;) {
        const struct graph_pair *pair = &comparison->pairs[i];
        for (uint32_t k = pair->before->node_count; status == OPSHIFT_OK && k-- > 0;) {
            struct node *node = &pair->before->nodes[k];
            struct sequence_use **uses = NULL;
            if (is_reader(comparison, pair, node))
                status = uses_of(comparison, pair->before, node, &uses, error);
            if (uses != NULL)
                status = add_reader(comparison, pair, node, uses, error);
        }
    }
    return status;
}
