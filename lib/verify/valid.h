/* Checks that both models are valid. The meaning of an invalid model is undefined, so it is equal to no other. */
#ifndef VERIFY_VALID_H
#define VERIFY_VALID_H

#include "verify/verify.h"

/* Adds to comparison->invalid the errors that the checks of lint find in either model, with their ids. Suppressions in
 * the models are ignored, and files of external data are not checked. Large models are checked at the same time, in two
 * threads. */
enum opshift_status valid_check(struct comparison *comparison, struct opshift_error *error);

#endif
