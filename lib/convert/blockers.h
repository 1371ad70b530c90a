/* Groups the blockers of a conversion by operator and reason. */
#ifndef CONVERT_BLOCKERS_H
#define CONVERT_BLOCKERS_H

#include "convert/plan_store.h"

/* Nodes of one operator, blocked at one step for one reason; names of values are ignored. */
struct blocker_group {
    const char *domain, *op_type; /* domain "": ai.onnx */
    int64_t from, to;             /* opsets of the step; equal: no step */
    const char *why;              /* reason of the first node */
    const char *place;            /* of the first node */
    uint32_t count;
};

struct blocker_groups {
    struct blocker_group *list; /* sorted by number of nodes, largest first */
    uint32_t count, room;
    uint32_t others; /* nodes in no group, because there are too many groups or no reason was kept */
};

/* Groups and texts are in the arena. MEMORY. */
enum opshift_status blockers_group(const struct conversion_plan *plan, struct arena *arena,
                                   struct blocker_groups *groups, struct opshift_error *error);
/* The opset nearest to the target without blockers, judged by their steps; 0: unknown. */
int64_t blockers_nearest(const struct conversion_plan *plan, const struct blocker_groups *groups);
/* The first blocked node with a reason, in the order of the model. NULL: none. */
const struct plan_words *blockers_first(const struct conversion_plan *plan, const struct graph **graph,
                                        const struct node **node);

#endif
