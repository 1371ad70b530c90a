/* The name that was probably meant: the one that needs the fewest letters changed. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *wanted;
    size_t size;      /* of wanted */
    size_t distance;  /* of the best so far; what is not nearer is not looked at */
    const char *best; /* NULL: nothing is near */
};

void nearest_begin(struct nearest *nearest, const char *wanted);
/* candidate must outlive nearest. */
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
