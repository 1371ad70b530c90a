/* What would block a conversion, for the checks (CNV). */
#ifndef LINT_CONVERSION_H
#define LINT_CONVERSION_H

#include "check/check.h"

/* The survey of struct checking. */
enum opshift_status survey_conversion(struct checking *checking, struct opshift_error *error);

#endif
