/* The explanation of a check, for terminals, docs/checks.md and SARIF viewers. */
#ifndef LINT_EXPLAIN_H
#define LINT_EXPLAIN_H

#include "base/buffer.h"
#include "opshift.h"

/* Without a heading. */
void explain_text(const struct opshift_check *check, struct buffer *out);
void explain_markdown(const struct opshift_check *check, struct buffer *out);

#endif
