/* The terms of an Einsum's equation. */
#ifndef INFER_EINSUM_H
#define INFER_EINSUM_H

#include "model/tensor.h"

#define EINSUM_LETTERS 52u

/* A term such as "ij...k". */
struct einsum_term {
    uint8_t letters[TENSOR_RANK_MAX]; /* below EINSUM_LETTERS, in alphabetical order, capitals first */
    size_t count, ellipsis;           /* ellipsis: number of letters before it */
    bool has_ellipsis;
};

/* Takes the next term, and the ',' or "->" behind it, off the text. *end: ',', '-', or 0 at the end of the text. False:
 * it has another character than letters and one ellipsis. */
bool einsum_term_next(struct bytes *text, struct einsum_term *term, uint8_t *end);

#endif
