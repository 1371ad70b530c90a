/* Which nodes of the first model became which of the second: those that give one value, and those of one region. */
#include "equal/term.h"

#include <stdlib.h>

/* All nodes of both models that are shown, as sets. */
struct node_pairing {
    struct equal_work *work;
    struct map_node {
        const struct node_use *use;
        uint32_t set;              /* another node of its set; itself: it stands for the set */
        struct equal_group *group; /* of the set */
        uint8_t side;
        bool is_constant, has_partner;
    } * nodes;
    uint32_t count;
    uint32_t *by_term; /* the first node that gives it; UINT32_MAX: none */
};

static uint32_t set_of(struct node_pairing *mapping, uint32_t node)
{
    struct map_node *nodes = mapping->nodes;
    while (nodes[node].set != node)
        node = nodes[node].set = nodes[nodes[node].set].set;
    return node;
}

static void sets_join(struct node_pairing *mapping, uint32_t one, uint32_t other)
{
    one = set_of(mapping, one);
    other = set_of(mapping, other);
    uint32_t first = one < other ? one : other, second = one < other ? other : one;
    mapping->nodes[second].set = first;
    mapping->nodes[first].has_partner = mapping->nodes[first].has_partner || mapping->nodes[second].has_partner ||
                                        mapping->nodes[first].side != mapping->nodes[second].side;
}

static void node_add(struct node_pairing *mapping, struct node_use *use, uint8_t side)
{
    const struct equal_work *work = mapping->work;
    uint32_t at = mapping->count++;
    struct map_node *node = &mapping->nodes[at];
    *node = (struct map_node){.use = use, .set = at, .side = side, .is_constant = use->node->output_count > 0};
    use->run = at;
    if (use->call != NULL && at > 0 && mapping->nodes[at - 1].use->call == use->call)
        sets_join(mapping, at - 1, at); /* of one definition */
    for (uint32_t i = 0; i < use->node->output_count; i++) {
        term_id term = use->outputs[i];
        node->is_constant = node->is_constant && (term == TERM_NONE || work->terms[term].kind == TERM_CONSTANT);
    }
    for (uint32_t i = 0; i < use->node->output_count; i++) {
        term_id term = use->outputs[i];
        if (term == TERM_NONE || work->terms[term].kind == TERM_INPUT)
            continue;
        if (mapping->by_term[term] == UINT32_MAX)
            mapping->by_term[term] = at;
        else
            sets_join(mapping, at, mapping->by_term[term]);
    }
}

/* The nodes of a region: all of the second side, and of the first, are one set. */
static void region_join(struct node_pairing *mapping, const struct equal_region *region)
{
    uint32_t first = UINT32_MAX;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < region->use_count[side]; i++) {
            uint64_t at = region->uses[side][i]->run;
            if (at >= mapping->count || mapping->nodes[at].use != region->uses[side][i])
                continue;
            if (first == UINT32_MAX)
                first = (uint32_t)at;
            else
                sets_join(mapping, first, (uint32_t)at);
        }
}

/* Behind a difference, nodes correspond by where they stand. */
static void aligned_join(struct node_pairing *mapping, uint32_t at)
{
    const struct equal_work *work = mapping->work;
    const struct node_use *use = mapping->nodes[at].use;
    if (mapping->nodes[set_of(mapping, at)].has_partner || use->graph != work->main[1]->graph)
        return;
    for (uint32_t i = 0; i < use->node->output_count; i++) {
        term_id term = work->aligned[use->outputs + i - work->main[1]->outputs];
        uint32_t other = term == TERM_NONE ? UINT32_MAX : mapping->by_term[term];
        if (other != UINT32_MAX && !mapping->nodes[set_of(mapping, other)].has_partner)
            sets_join(mapping, at, other);
    }
}

/* What only another node of the first model reads went into what that one became. */
static void reader_join(struct node_pairing *mapping, uint32_t at)
{
    const struct node_use *use = mapping->nodes[at].use;
    for (uint32_t i = 0; i < use->node->input_count; i++) {
        uint32_t maker = use->inputs[i] == TERM_NONE ? UINT32_MAX : mapping->by_term[use->inputs[i]];
        if (maker != UINT32_MAX && mapping->nodes[maker].side == mapping->nodes[at].side &&
            !mapping->nodes[maker].is_constant && !mapping->nodes[set_of(mapping, maker)].has_partner)
            sets_join(mapping, maker, at);
    }
}

static enum opshift_status groups_make(struct node_pairing *mapping, struct opshift_error *error)
{
    struct arena *arena = mapping->work->arena;
    struct equal_group **end = &mapping->work->answer->map;
    for (int pass = 0; pass < 2; pass++) /* first counts */
        for (uint32_t i = 0; i < mapping->count; i++) {
            struct map_node *node = &mapping->nodes[i], *first = &mapping->nodes[set_of(mapping, i)];
            struct equal_group *group = first->group;
            if (group == NULL) {
                group = first->group = *end = arena_alloc(arena, 1, sizeof(*group));
                if (group == NULL)
                    return opshift_no_memory(error);
                group->is_constant = true;
                end = &group->next;
            }
            if (pass == 1 && group->uses[node->side] == NULL) {
                group->uses[node->side] = arena_alloc(arena, group->use_count[node->side], sizeof(*group->uses[0]));
                group->use_count[node->side] = 0;
                if (group->uses[node->side] == NULL)
                    return opshift_no_memory(error);
            }
            if (pass == 1)
                group->uses[node->side][group->use_count[node->side]] = node->use;
            group->use_count[node->side]++;
            group->is_constant = group->is_constant && node->is_constant;
        }
    return OPSHIFT_OK;
}

enum opshift_status map_make(struct equal_work *work, struct opshift_error *error)
{
    struct node_pairing mapping = {.work = work};
    uint32_t all = 0;
    for (int side = 0; side < 2; side++)
        for (const struct node_use *use = work->first[side]; use != NULL; use = use->next)
            all++;
    mapping.nodes = arena_alloc(work->arena, all + UINT64_C(1), sizeof(*mapping.nodes));
    mapping.by_term = arena_alloc(work->arena, work->count + UINT64_C(1), sizeof(*mapping.by_term));
    if (mapping.nodes == NULL || mapping.by_term == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < work->count; i++)
        mapping.by_term[i] = UINT32_MAX;
    for (int side = 0; side < 2; side++)
        for (struct node_use *use = work->first[side]; use != NULL; use = use->next)
            node_add(&mapping, use, (uint8_t)side);
    for (const struct equal_region *region = work->answer->regions; region != NULL; region = region->next)
        region_join(&mapping, region);
    for (uint32_t i = 0; i < mapping.count; i++)
        if (mapping.nodes[i].side == 1)
            aligned_join(&mapping, i);
    for (uint32_t i = mapping.count; i > 0; i--)
        reader_join(&mapping, i - 1);
    return groups_make(&mapping, error);
}
