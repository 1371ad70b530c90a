/* Checks that both models are valid. The meaning of an invalid model is undefined, so it is equal to no other. */
#ifndef VERIFY_VALID_H
#define VERIFY_VALID_H

#include "verify/verify.h"

/* The checks of both models, under way. */
struct validities;

/* Checks the first model. The second one, where it is large, is checked by a thread until valid_end; until then, only
 * its index may be read. Must be ended. */
enum opshift_status valid_begin(const struct comparison *comparison, struct validities **both,
                                struct opshift_error *error);
/* Adds to comparison->invalid the errors that the checks of lint find in either model, with their ids. Suppressions in
 * the models are ignored, and files of external data are not checked. Frees `both`. */
enum opshift_status valid_end(struct comparison *comparison, struct validities *both, struct opshift_error *error);

#endif
