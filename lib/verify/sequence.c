/* Who read the sequences that are gone. */
#include "verify/sequence.h"

#include <string.h>

bool sequence_is_operator(const struct side *side, const struct node *node, const char *op_type)
{
    return node->domain == NAME_NONE && strcmp(names_text(side->model->names, node->op_type), op_type) == 0 &&
           scope_callee(side->scopes, node) == NULL;
}

static bool is_changed(const struct comparison *comparison, const struct graph *graph, const struct node *node)
{
    const bool *changed = comparison->before.changed[graph->number];
    return changed != NULL && changed[node - graph->nodes];
}

bool sequence_is_gone(const struct comparison *comparison, const struct graph *graph, const struct node *node)
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

/* A changed SplitToSequence whose sequence nothing gives any more. */
static bool is_lost(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node)
{
    return sequence_is_operator(&comparison->before, node, "SplitToSequence") && node->output_count == 1 &&
           is_changed(comparison, pair->before, node) && !match_has_counterpart(comparison, pair, node);
}

static bool is_reader(const struct comparison *comparison, const struct graph *graph, const struct node *node)
{
    const struct side *before = &comparison->before;
    return is_changed(comparison, graph, node) && node->output_count == 1 && node->input_count > 0 &&
           node_outputs(node)[0] != NAME_NONE &&
           (sequence_is_operator(before, node, "SequenceAt") || sequence_is_operator(before, node, "SequenceLength") ||
            sequence_is_operator(before, node, "ConcatFromSequence"));
}

/* Memory for what is known by graph; NULL members: nothing is, of that graph. */
static enum opshift_status make_tables(struct comparison *comparison, struct opshift_error *error)
{
    uint32_t count = comparison->before.model->graph_count;
    comparison->sequences = arena_alloc(comparison->arena, count, sizeof(*comparison->sequences));
    comparison->sequence_readers = arena_alloc(comparison->arena, count, sizeof(*comparison->sequence_readers));
    return comparison->sequences == NULL || comparison->sequence_readers == NULL ? opshift_no_memory(error)
                                                                                 : OPSHIFT_OK;
}

/* Where the SplitToSequence behind a name keeps its readers; NULL: there is none that is lost. */
static struct sequence_use **uses_of(const struct comparison *comparison, bool *const *lost, struct graph *graph,
                                     name_id name)
{
    struct definition found = scope_find(comparison->before.scopes, graph, name);
    if (found.kind != DEFINED_NODE || lost[found.graph->number] == NULL || !lost[found.graph->number][found.index])
        return NULL;
    return &comparison->sequences[found.graph->number][found.index];
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

/* Marks those that are lost, by graph and node; *any: there are some. */
static enum opshift_status find_lost(struct comparison *comparison, bool **lost, bool *any, struct opshift_error *error)
{
    for (uint32_t i = 0; i < comparison->pair_count; i++) {
        const struct graph_pair *pair = &comparison->pairs[i];
        struct graph *graph = pair->before;
        for (uint32_t k = 0; k < graph->node_count; k++) {
            if (!is_lost(comparison, pair, &graph->nodes[k]))
                continue;
            if (comparison->sequences == NULL && make_tables(comparison, error))
                return OPSHIFT_MEMORY;
            if (lost[graph->number] == NULL) {
                lost[graph->number] = arena_alloc(comparison->arena, graph->node_count, sizeof(**lost));
                comparison->sequences[graph->number] =
                    arena_alloc(comparison->arena, graph->node_count, sizeof(**comparison->sequences));
            }
            if (lost[graph->number] == NULL || comparison->sequences[graph->number] == NULL)
                return opshift_no_memory(error);
            lost[graph->number][k] = *any = true;
        }
    }
    return OPSHIFT_OK;
}

enum opshift_status sequences_match(struct comparison *comparison, struct opshift_error *error)
{
    bool **lost = arena_alloc(comparison->arena, comparison->before.model->graph_count, sizeof(*lost)), any = false;
    enum opshift_status status = lost == NULL ? opshift_no_memory(error) : find_lost(comparison, lost, &any, error);
    /* From the last to the first: each goes to the front of its list. */
    for (uint32_t i = any ? comparison->pair_count : 0; status == OPSHIFT_OK && i-- > 0;) {
        const struct graph_pair *pair = &comparison->pairs[i];
        for (uint32_t k = pair->before->node_count; status == OPSHIFT_OK && k-- > 0;) {
            struct node *node = &pair->before->nodes[k];
            struct sequence_use **uses = is_reader(comparison, pair->before, node)
                                             ? uses_of(comparison, lost, pair->before, node_inputs(node)[0])
                                             : NULL;
            if (uses != NULL)
                status = add_reader(comparison, pair, node, uses, error);
        }
    }
    return status;
}
