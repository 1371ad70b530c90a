/* CNV: findings from a conversion plan made by lib/lint. */
#include <stdlib.h>

#include "check/family.h"

/* Errors of a graph or of the whole model, rather than of one node, make a plan meaningless. */
static bool is_pointless(const struct checking *checking)
{
    for (size_t i = 0; i < checking->count; i++) {
        const struct check *check = checking->findings[i].check;
        if (checking->findings[i].node == NULL && check->about.severity == OPSHIFT_SEVERITY_ERROR && !check->harmless)
            return true;
    }
    return false;
}

static int by_address(const void *a, const void *b)
{
    const struct node *const *one = a, *const *other = b;
    return *one < *other ? -1 : *one > *other;
}

/* Nodes for which the Split checks already reported what the conversion would note. */
static enum opshift_status noted_find(struct checking *checking, struct opshift_error *error)
{
    size_t count = 0;
    checking->noted = arena_alloc(checking->arena, checking->count, sizeof(*checking->noted));
    if (checking->noted == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < checking->count; i++)
        if (checking->findings[i].check->id == SPL032)
            checking->noted[count++] = checking->findings[i].node;
    if (count)
        qsort(checking->noted, count, sizeof(*checking->noted), by_address);
    checking->noted_count = count;
    return OPSHIFT_OK;
}

static bool is_noted(const struct checking *checking, const struct node *node)
{
    return checking->noted_count &&
           bsearch(&node, checking->noted, checking->noted_count, sizeof(*checking->noted), by_address);
}

enum opshift_status conversion_open(struct checking *checking, bool *useful, struct opshift_error *error)
{
    *useful = !checking->malformed && !is_pointless(checking);
    checking->subject_first = checking->count;
    return *useful ? noted_find(checking, error) : OPSHIFT_OK;
}

enum opshift_status conversion_add(struct checking *checking, enum conversion_word word, struct graph *graph,
                                   const struct node *node, const char *before, const char *words,
                                   struct opshift_error *error)
{
    struct node *at = node ? &graph->nodes[node - graph->nodes] : NULL;
    const struct subject subject = {.graph = graph, .node = at};
    if (at && node_is_tainted(checking, graph, (uint32_t)(at - graph->nodes)))
        return OPSHIFT_OK;
    if (word == CONVERSION_NOTE && is_noted(checking, at))
        return OPSHIFT_OK;
    checking->check = &checks_conversion[word];
    return finding_add(checking, &subject, NULL, error, "%s%s%s", before, *before ? ": " : "", words);
}

const struct check checks_conversion[] = {
    [CONVERSION_BLOCKED] = {CHECK(CNV001), .scope = CHECK_FAILURE},
    [CONVERSION_DOUBT] = {CHECK(CNV002), .scope = CHECK_FAILURE},
    [CONVERSION_NOTE] = {CHECK(CNV003), .scope = CHECK_FAILURE},
    [CONVERSION_FAILED] = {CHECK(CNV004), .scope = CHECK_FAILURE},
    {0},
};
