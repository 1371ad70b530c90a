/* A rule's example: a little model, converted and compared with what the rule's author wrote. */
#ifndef CONVERT_EXAMPLE_H
#define CONVERT_EXAMPLE_H

#include "base/buffer.h"
#include "rule/rule.h"

/* NO: it does not come out as written, and words say how. USAGE: its nodes do not read, "file:line:column: ...". */
enum opshift_status example_run(const struct opshift_rules *rules, const struct rule *rule,
                                const struct example *example, struct buffer *words, struct opshift_error *error);

#endif
