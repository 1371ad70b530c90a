/* What would block a conversion, for the checks (CNV). */
#ifndef LINT_CONVERSION_H
#define LINT_CONVERSION_H

#include "check/check.h"

/* Adds the findings of the plan of a conversion to options->to; none if that is 0. Called after check_model. */
enum opshift_status conversion_check(struct checking *checking, struct opshift_error *error);

#endif
