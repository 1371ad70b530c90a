/* Checks that both models are valid. The meaning of an invalid model is undefined, so it is equal to no other. */
#ifndef VERIFY_VALID_H
#define VERIFY_VALID_H

#include "check/check.h"
#include "verify/verify.h"

/* The errors that the checks of lint find in one model. Suppressions in the model are ignored, and files of external
 * data are not checked. Starts with {0}. */
struct validity {
    const char *which; /* "before" or "after" */
    struct surroundings around;
    struct checking checking;
    struct opshift_error why; /* what ended the checks; status OK: nothing */
};

void validity_find(struct validity *validity, const struct side *side, const char *which);
/* Adds them to comparison->invalid, with their ids. IO, MEMORY: those that ended the checks, too. */
enum opshift_status validity_report(struct comparison *comparison, const struct validity *validity,
                                    struct opshift_error *error);
void validity_end(struct validity *validity);

#endif
