/* A conversion from the outside: a plan, what is told of it, and the edits that carry it out. */
#ifndef CONVERT_CONVERT_H
#define CONVERT_CONVERT_H

#include "convert/plan_store.h"

/* opshift_convert, whose error names the model too. */
enum opshift_status model_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                  struct opshift_report **report, struct opshift_error *error);

/* apply.c: lays the plan's edits on the model, which has none and takes over the plan's bytes: the plan is to be freed
 * then. Nothing is in the way of it. IO, MEMORY. */
enum opshift_status plan_apply(struct conversion_plan *plan, struct opshift_error *error);
/* header.c: of them, those of the opset imports and of the IR version. */
enum opshift_status header_apply(const struct conversion_plan *plan, struct opshift_error *error);

/* report.c: what became of each node, or what is in the way. brief: rewritten nodes are counted and not listed. */
enum opshift_status plan_report(const struct conversion_plan *plan, bool brief, struct opshift_report **report,
                                struct opshift_error *error);

#endif
