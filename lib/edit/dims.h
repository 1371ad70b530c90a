/* Nodes that hold a size that is freed. */
#ifndef EDIT_DIMS_H
#define EDIT_DIMS_H

#include "edit/edit.h"

/* Rewrites nodes that hold the size of the dims that these shapes ("x=N,?,?") free, so that they take any size and do
 * the same for the old one. Nodes that cannot be rewritten stay: given_declare names them. */
enum opshift_status sizes_rewrite(struct editing *editing, const char *const *shapes, size_t shape_count,
                                  uint64_t *count, struct opshift_error *error);

#endif
