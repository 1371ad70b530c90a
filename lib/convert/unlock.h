/* Options with which a conversion that is blocked would be possible. */
#ifndef CONVERT_UNLOCK_H
#define CONVERT_UNLOCK_H

#include "base/report.h"
#include "convert/plan_store.h"

/* State kept for several opsets of one model. */
struct unlock;

/* The goal for another plan: its progress stays at the end of the plan before. `goal` must outlive it. */
struct opshift_goal goal_held(const struct opshift_goal *goal);

/* NULL: no memory. The caller frees it. */
struct unlock *unlock_new(struct opshift_model *model);
void unlock_free(struct unlock *unlock);
/* Plans the goal again, with shapes of inputs, --allow-approximate and --freeze-initializers where they are not given,
 * and appends those with which there are no blockers to a list of texts: "--shape x=?x3x224x224",
 * "--allow-approximate"; all options at once only where none helps alone. plan: of the goal, with blockers; where no
 * option can remove one of them, nothing is planned. CANCELLED, IO, MEMORY. */
enum opshift_status unlock_find(struct unlock *unlock, const struct opshift_goal *goal,
                                const struct conversion_plan *plan, json_t *list, struct opshift_error *error);
/* "reachable with --allow-approximate"; of a shape, that its sizes are an example. */
void unlock_print(const char *options, struct buffer *out);

#endif
