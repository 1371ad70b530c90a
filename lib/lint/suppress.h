/* Suppressions in a model: metadata_props `opshift.ignore` = "ID: reason". */
#ifndef LINT_SUPPRESS_H
#define LINT_SUPPRESS_H

#include "lint/lint.h"

/* Marks the findings that the model suppresses, and adds findings about suppressions without a reason, with an
 * unknown check, and without effect. */
enum opshift_status suppressions_apply(const struct opshift_lint *lint, struct checking *checking, const char *relative,
                                       struct opshift_error *error);

#endif
