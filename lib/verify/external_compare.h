/* Compares external data of both models by its bytes, not by file names. */
#ifndef VERIFY_EXTERNAL_COMPARE_H
#define VERIFY_EXTERNAL_COMPARE_H

#include "verify/rest.h"

/* Does external_compare read the models? */
bool external_is_compared(const struct comparison *comparison);
/* Compares every file that tensors of both models use, in the ranges that both use, in blocks; not at all if both
 * models are in one directory. Different or missing data goes to the differences, unreadable data to what is not
 * shown. */
enum opshift_status external_compare(struct comparison *comparison, struct opshift_error *error);
/* Do two initializers with different bytes differ only in the location of their data, with equal content? */
enum opshift_status external_same(struct comparison *comparison, struct range before, struct range after, bool *same,
                                  struct opshift_error *error);

#endif
