/* Finds the candidate with the smallest edit distance to a name. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *wanted;
    size_t size;      /* of wanted */
    size_t distance;  /* of the best so far; only a smaller one replaces it */
    const char *best; /* NULL: none is near */
};

void nearest_begin(struct nearest *nearest, const char *wanted);
/* candidate must outlive nearest. */
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
