/* Checks that rewritten nodes are valid at the target opset. */
#ifndef CONVERT_VALIDITY_H
#define CONVERT_VALIDITY_H

#include "convert/planner.h"

/* Can a node of an operator be valid at the source and invalid at the target without a rule that changes it? */
bool result_may_differ(const struct schema *source, const struct schema *target);
/* The schemas of a node's operator at the source, and of its draft's at the target; NULL: unknown there. */
struct result_schemas {
    const struct schema *source, *target;
};
/* Of a draft after all steps. */
struct result_schemas result_schemas_find(const struct planner *planner, const struct draft *draft);
/* Removes empty inputs and outputs beyond the last ones of the target's schema, after all steps. Named outputs stay:
 * for some operators their number selects training. */
void result_trim(struct draft *draft, const struct schema *target);
/* Checks a draft against the target's schema: counts, attributes, types of added values, names of inputs. NO: the model
 * has something that the target lacks, or a rule's result is wrong, which is a bug. */
enum opshift_status result_check(const struct planner *planner, const struct draft *draft,
                                 const struct result_schemas *schemas, struct opshift_error *error);
/* Reports a wrong result of a rule: for shipped rules a bug of this program, which aborts in test builds. NO. */
enum opshift_status result_bug(const struct planner *planner, struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
