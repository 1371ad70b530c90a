/* What a model says of its own findings: metadata_props `opshift.ignore` = "ID: reason". */
#ifndef LINT_SUPPRESS_H
#define LINT_SUPPRESS_H

#include "lint/lint.h"

/* Marks the findings that the model suppresses, and adds findings about suppressions without a reason, of no check, and
 * of nothing. */
enum opshift_status suppressions_apply(const struct opshift_lint *lint, struct checking *checking, const char *relative,
                                       struct opshift_error *error);

#endif
