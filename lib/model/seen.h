/* What small messages were read as, by their bytes: in a model many values have the same type, and many nodes the same
 * attributes. A few are kept, each in a place that follows from its bytes. */
#ifndef MODEL_SEEN_H
#define MODEL_SEEN_H

#include <stdbool.h>

#include "base/arena.h"

#define SEEN_SIZE 64u /* what is longer is read each time */

struct seen;

/* The value of a message of these bytes: known, or zero and to be filled. It stays where it is until the next call, or
 * (stays) for good. *seen is made in the arena when it is NULL; all its values are of value_size, and all stay or none.
 * NULL: not kept. */
void *seen_value(struct seen **seen, struct arena *arena, size_t value_size, bool stays, const uint8_t *bytes,
                 uint64_t size, bool *known);
/* The first SEEN_NUMBERS values of a table whose values stay have numbers, from 1 on. 0: it has none. */
#define SEEN_NUMBERS 127u
unsigned seen_number(const void *value);
void *seen_numbered(const struct seen *seen, unsigned number);
/* The value was not filled after all. */
void seen_forget(void *value);

#endif
