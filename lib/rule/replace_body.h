/* Expands the body of a `replace`: its lines `for` and `if`, and $name and ${expression}, become nodes in textual
 * syntax. */
#ifndef RULE_REPLACE_BODY_H
#define RULE_REPLACE_BODY_H

#include "base/buffer.h"
#include "rule/expression.h"

#define BODY_SIZE_MAX   ((size_t)32 << 10)
#define BODY_RESULT_MAX ((size_t)1 << 20) /* bytes of the expanded body */

/* Replaces $ in names when a body is checked. */
#define BODY_ANY "_any_"

struct body {
    const char *text;
    struct expression_place place; /* position of its first line, and of the first character in each line */
    struct arena *arena;
    /* One of the two is set. With a check, each `if` holds, each `for` runs once, and each $ is an example of its
     * type. */
    struct expression_world *world;
    struct expression_check *check;
};

/* The result has the lines and columns of the body, as far as $ allows. USAGE, "file:line:column: ...": a mistake in
 * the body. NO and UNSUPPORTED: as for expressions. */
enum opshift_status body_expand(const struct body *body, struct buffer *out, struct opshift_error *error);

#endif
