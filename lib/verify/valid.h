/* Is each of the two a valid model at all? What an invalid one does is not defined, so that nothing equals it. */
#ifndef VERIFY_VALID_H
#define VERIFY_VALID_H

#include "verify/verify.h"

/* Adds to comparison->invalid the errors that the checks of lint find in the model of one side, with their ids. What a
 * model says to suppress counts all the same, and files of external data are not looked at. */
enum opshift_status valid_check(struct comparison *comparison, struct side *side, const char *which,
                                struct opshift_error *error);

#endif
