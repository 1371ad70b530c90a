/* What is in the way of a conversion, by operator and reason. */
#ifndef CONVERT_BLOCKERS_H
#define CONVERT_BLOCKERS_H

#include "convert/plan_store.h"

/* Nodes of one operator that are blocked at one step for one reason, whatever their values are called. */
struct blocker_group {
    const char *op_type;
    int64_t from, to;  /* the same: at no step */
    const char *why;   /* that of the first node */
    const char *place; /* of the first node */
    uint32_t count;
};

struct blocker_groups {
    struct blocker_group *list; /* those of the most nodes first */
    size_t count, room;
    uint32_t others; /* nodes that are in no group, as there are too many groups or no words for them */
};

/* All of them and their words are in the arena. MEMORY. */
enum opshift_status blockers_group(const struct conversion_plan *plan, struct arena *arena,
                                   struct blocker_groups *groups, struct opshift_error *error);
/* The opset nearest to the target at which no node is blocked any more, as far as the steps say; 0: unknown. */
int64_t blockers_nearest(const struct conversion_plan *plan, const struct blocker_groups *groups);

#endif
