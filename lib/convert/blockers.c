/* Puts blocked nodes into groups. */
#include "convert/blockers.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define GROUPS_MOST 256u

/* Compares two reasons, ignoring quoted names of values and attributes. */
static bool same_reason(const char *a, const char *b)
{
    while (*a && *a == *b) {
        const char *a_end = *a == '\'' ? strchr(a + 1, '\'') : NULL;
        const char *b_end = *a == '\'' ? strchr(b + 1, '\'') : NULL;
        a = a_end && b_end ? a_end + 1 : a + 1;
        b = a_end && b_end ? b_end + 1 : b + 1;
    }
    return *a == *b;
}

static struct blocker_group *group_find(const struct blocker_groups *groups, const char *domain, const char *op_type,
                                        const struct plan_words *words)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct blocker_group *group = &groups->list[i];
        if (group->from == words->from && group->to == words->to && strcmp(group->op_type, op_type) == 0 &&
            strcmp(group->domain, domain) == 0 && same_reason(group->why, words->why))
            return group;
    }
    return NULL;
}

static enum opshift_status add_node(const struct conversion_plan *plan, const struct graph *graph,
                                    const struct node *node, const struct plan_words *words, struct arena *arena,
                                    struct blocker_groups *groups, struct opshift_error *error)
{
    const char *op_type = names_text(plan->model->names, node->op_type);
    const char *domain = names_text(plan->model->names, node_domain(node));
    struct blocker_group *group = words && words->why ? group_find(groups, domain, op_type, words) : NULL;
    if (group) {
        group->count++;
        return OPSHIFT_OK;
    }
    if (words == NULL || words->why == NULL || groups->count == GROUPS_MOST) {
        groups->others++;
        return OPSHIFT_OK;
    }
    if (!arena_list_grow(arena, &groups->list, groups->count, &groups->room, sizeof(*groups->list)))
        return opshift_no_memory(error);
    group = &groups->list[groups->count++];
    *group = (struct blocker_group){.domain = arena_copy(arena, domain, strlen(domain)),
                                    .op_type = arena_copy(arena, op_type, strlen(op_type)),
                                    .from = words->from,
                                    .to = words->to,
                                    .why = arena_copy(arena, words->why, strlen(words->why)),
                                    .count = 1};
    const char *place = node_place_find(plan->model, graph, node);
    group->place = place ? arena_copy(arena, place, strlen(place)) : NULL;
    return group->domain && group->op_type && group->why && group->place ? OPSHIFT_OK : opshift_no_memory(error);
}

static int by_count(const void *a, const void *b)
{
    const struct blocker_group *one = a, *other = b;
    if (one->count != other->count)
        return one->count > other->count ? -1 : 1;
    int order = strcmp(one->op_type, other->op_type);
    return order ? order : strcmp(one->why, other->why);
}

enum opshift_status blockers_group(const struct conversion_plan *plan, struct arena *arena,
                                   struct blocker_groups *groups, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *groups = (struct blocker_groups){NULL, 0, 0, 0};
    for (struct plan_walk walk = {0}; status == OPSHIFT_OK && plan_walk_next(plan, &walk);)
        if (walk.entry->fate == OPSHIFT_BLOCKED)
            status = add_node(plan, walk.graph, walk.node, walk.entry->words, arena, groups, error);
    if (status == OPSHIFT_OK && groups->count)
        qsort(groups->list, groups->count, sizeof(*groups->list), by_count);
    return status;
}

int64_t blockers_nearest(const struct conversion_plan *plan, const struct blocker_groups *groups)
{
    int64_t nearest = 0;
    if (groups->others || plan->source == plan->target)
        return 0;
    for (size_t i = 0; i < groups->count; i++) {
        const struct blocker_group *group = &groups->list[i];
        if (group->from == group->to || *group->domain)
            return 0;
        if (nearest == 0 || (plan->up ? group->from < nearest : group->from > nearest))
            nearest = group->from;
    }
    return nearest;
}

const struct plan_words *blockers_first(const struct conversion_plan *plan, const struct graph **graph,
                                        const struct node **node)
{
    for (struct plan_walk walk = {0}; plan_walk_next(plan, &walk);)
        if (walk.entry->fate == OPSHIFT_BLOCKED && walk.entry->words && walk.entry->words->why) {
            *graph = walk.graph;
            *node = walk.node;
            return walk.entry->words;
        }
    return NULL;
}
