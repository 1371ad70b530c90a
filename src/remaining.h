/* What a target refuses in a converted model. */
#ifndef SRC_REMAINING_H
#define SRC_REMAINING_H

#include <stdio.h>

#include "command.h"

/* Start with {0}. */
struct remaining {
    struct opshift_lint *lint;
    struct opshift_findings *findings; /* those about the target; NULL: it was not asked */
    size_t errors;                     /* what it refuses */
    size_t unknown;                    /* of what it is not known whether it takes it; the others are warnings */
};

/* Finds what the target of the goal refuses in a converted model, opened anew. */
enum opshift_status remaining_find(struct remaining *remaining, const struct opshift_goal *goal,
                                   struct opshift_model *model, struct opshift_error *error);
/* Writes, on top of the edits of a conversion, what the target refuses and lint can fix. */
enum opshift_status remaining_fix(const struct opshift_goal *goal, struct opshift_model *model,
                                  struct opshift_fixes **fixes, struct opshift_error *error);
/* A line for each kind of fix: how many nodes, the first of them, and why. */
void fixes_print(const struct opshift_fixes *fixes, FILE *out);
/* A line for each finding. */
void remaining_print(const struct remaining *remaining, FILE *out);
/* As 'opshift lint -f json'; *text is freed by free. */
enum opshift_status remaining_json(const struct remaining *remaining, char **text, struct opshift_error *error);
void remaining_free(struct remaining *remaining);

#endif
