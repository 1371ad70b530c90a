/* A conversion: its plan, the report, and the edits that apply the plan. */
#ifndef CONVERT_CONVERT_H
#define CONVERT_CONVERT_H

#include "convert/plan_store.h"

/* opshift_convert, with the model's name in the error. */
enum opshift_status model_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                  struct opshift_report **report, struct opshift_error *error);

/* apply.c: stores the plan's edits in the model, which must have none. Takes ownership of the plan's bytes; only
 * plan_free may follow. The plan must have no blockers. IO, MEMORY. */
enum opshift_status plan_apply(struct conversion_plan *plan, struct opshift_error *error);
/* header.c: the edits of opset imports and IR version. */
enum opshift_status header_apply(const struct conversion_plan *plan, struct opshift_error *error);

/* plan_report.c: the report of rewritten nodes or of blockers. brief: rewritten nodes are counted, not listed. */
enum opshift_status plan_report(const struct conversion_plan *plan, bool brief, struct opshift_report **report,
                                struct opshift_error *error);

/* initializer_inputs.c: where new inputs of the graph are added. */
uint64_t inputs_place(const struct graph *graph);

#endif
