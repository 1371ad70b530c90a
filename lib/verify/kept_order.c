/* Checks the order of nodes: nodes that are not rewritten keep their order, and no value is read before it is
 * produced. */
#include "verify/rest.h"
#include "verify/sequence_readers.h"

/* The first input that a node, or a node of its subgraphs, reads before it is produced; NAME_NONE: none. */
static name_id reads_ahead(const struct side *side, struct graph *graph, uint32_t index)
{
    const struct node *node = &graph->nodes[index];
    for (uint32_t i = 0; i < node->input_count; i++) {
        name_id name = node_inputs(node)[i];
        struct definition definition = scope_find(side->scopes, graph, name);
        uint32_t at = index;
        if (name == NAME_NONE || definition.kind != DEFINED_NODE)
            continue;
        for (struct graph *inner = graph; inner != NULL && inner != definition.graph; inner = inner->parent)
            at = inner->owner;
        if (definition.index >= at)
            return name;
    }
    return NAME_NONE;
}

/* The first node that reads a value too early; the number of nodes: none. */
static uint32_t first_ahead(const struct side *side, struct graph *graph, name_id *name)
{
    uint32_t i = 0;
    while (i < graph->node_count && (*name = reads_ahead(side, graph, i)) == NAME_NONE)
        i++;
    return i;
}

void rest_compare_order(struct rest *rest)
{
    struct comparison *comparison = rest->comparison;
    struct graph *before = rest->pair.before, *after = rest->pair.after;
    const struct node *last = after->nodes;
    name_id name = NAME_NONE;
    for (uint32_t i = 0; i < before->node_count; i++) {
        /* A tensor of a removed sequence is produced in place of the sequence. */
        if (sequence_has_reader(comparison, before, &before->nodes[i]))
            continue;
        struct node *partner = match_partner(&comparison->before, &before->nodes[i], &comparison->after, after);
        if (partner != NULL && partner < last) {
            rest_difference(comparison, node_place_find(comparison->before.model, before, &before->nodes[i]),
                            "stands elsewhere");
            return;
        }
        last = partner != NULL ? partner : last;
    }
    uint32_t ahead = first_ahead(&comparison->after, after, &name);
    name_id unmade = name;
    if (ahead < after->node_count && first_ahead(&comparison->before, before, &name) == before->node_count)
        rest_difference(comparison, node_place_find(comparison->after.model, after, &after->nodes[ahead]),
                        "reads '%s', which is made behind it", names_text(comparison->after.model->names, unmade));
}
