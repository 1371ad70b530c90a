/* Compares external data of both models by its bytes, not by file names. */
#ifndef VERIFY_EXTERNAL_H
#define VERIFY_EXTERNAL_H

#include "verify/rest.h"

/* Compares the bytes of every file that tensors of both models lie in, as far as both do; streamed, and not at all
 * where both models lie in one folder. What differs or is missing on one side goes to the differences, what may not be
 * read to what is not shown. */
enum opshift_status external_compare(struct comparison *comparison, struct opshift_error *error);
/* Two initializers that differ in bytes: do they differ in nothing but where their data lies, and is it the same? */
enum opshift_status external_same(struct comparison *comparison, struct range before, struct range after, bool *same,
                                  struct opshift_error *error);

#endif
