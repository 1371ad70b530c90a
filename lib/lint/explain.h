/* A check's words for people, wherever they are read: a terminal, docs/checks.md, a SARIF viewer. */
#ifndef LINT_EXPLAIN_H
#define LINT_EXPLAIN_H

#include "base/buffer.h"
#include "opshift.h"

/* Without a heading. */
void explain_text(const struct opshift_check *check, struct buffer *out);
void explain_markdown(const struct opshift_check *check, struct buffer *out);

#endif
