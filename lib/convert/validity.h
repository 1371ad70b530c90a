/* Is what a conversion makes of a node valid at the target? */
#ifndef CONVERT_VALIDITY_H
#define CONVERT_VALIDITY_H

#include "convert/planner.h"

/* May nodes of an operator be valid at the source and not at the target, though no rule changes them? */
bool result_may_differ(const struct schema *source, const struct schema *target);
/* Takes away empty inputs and outputs behind the last ones of the target. To be called when a draft has taken all its
 * steps. A named output stays: how many there are says of some operators whether they train. */
void result_trim(struct draft *draft);
/* Holds a draft against the target's schema: counts, attributes, the types of values that it adds, the names that it
 * reads. NO: the model has something that the target lacks, or a rule made it wrong, which is a bug. */
enum opshift_status result_check(const struct planner *planner, const struct draft *draft, struct opshift_error *error);
/* What a rule did wrong: with the shipped rules an error of this program, and in builds for tests an abort. NO. */
enum opshift_status result_bug(const struct planner *planner, struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
