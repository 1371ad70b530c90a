/* What small messages were read as, by their bytes: in a model many values have the same type, and many nodes the same
 * attributes. A few are kept, each in a place that follows from its bytes. */
#ifndef MODEL_SEEN_H
#define MODEL_SEEN_H

#include <stdbool.h>

#include "base/arena.h"

#define SEEN_SIZE 64u /* what is longer is read each time */

struct seen;

/* The value of a message of these bytes: known, or zero and to be filled; it stays where it is, and has a number. *seen
 * is made in the arena when it is NULL; all its values are of value_size. NULL: not kept. */
void *seen_value(struct seen **seen, struct arena *arena, size_t value_size, const uint8_t *bytes, uint64_t size,
                 bool *known);
/* Numbers go from 1 to this at most. */
#define SEEN_NUMBERS 2047u
unsigned seen_number(const void *value);
void *seen_numbered(const struct seen *seen, unsigned number);
/* The same for a table of those that were met lately: the value is there until the next call, and has no number. */
void *seen_lately(struct seen **seen, struct arena *arena, size_t value_size, const uint8_t *bytes, uint64_t size,
                  bool *known);
/* The value was not filled after all. */
void seen_forget(void *value);

#endif
