/* What would block a conversion, for the checks (CNV). */
#ifndef LINT_CONVERSION_H
#define LINT_CONVERSION_H

#include "check/check.h"

/* Adds what the plan of a conversion to options->to holds; nothing where that is 0. After check_model. */
enum opshift_status conversion_check(struct checking *checking, struct opshift_error *error);

#endif
