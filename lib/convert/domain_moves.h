/* The moves of other domains than ai.onnx in a conversion. */
#ifndef CONVERT_DOMAIN_MOVES_H
#define CONVERT_DOMAIN_MOVES_H

#include "convert/plan_store.h"

/* Checks texts as in struct opshift_goal without a model. USAGE: a text does not parse, a domain is given twice, an
 * opset is not known. */
enum opshift_status domain_goals_check(const char *const *domains, size_t count, struct opshift_error *error);
/* Fills plan->moves from the goal; those of domains that the model does not import have source 0. USAGE: as above.
 * UNSUPPORTED: the model's opset is not known. MEMORY. */
enum opshift_status domain_moves_read(struct conversion_plan *plan, const struct opshift_goal *goal,
                                      struct opshift_error *error);
/* NULL: nodes of the domain stay as they are. */
const struct domain_move *domain_move_find(const struct conversion_plan *plan, name_id domain);

#endif
