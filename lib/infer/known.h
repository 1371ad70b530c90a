/* Small constants for shape inference: numbers, and symbolic dims. */
#ifndef INFER_KNOWN_H
#define INFER_KNOWN_H

#include "infer/result.h"

#define KNOWN_COUNT_MAX 1024u /* elements */
#define KNOWN_RANK_MAX  8u

/* Elements that are not numbers: an unnamed dim, or any value. Others are names of dims. */
#define SYMBOL_DIM     (UINT32_MAX - 1)
#define SYMBOL_UNKNOWN UINT32_MAX

struct known {
    enum opshift_type type; /* int64, int32, bool, float or double */
    uint32_t rank, count;
    int64_t *dims;
    int64_t *numbers; /* of float and double, the bits of a double */
    name_id *symbols; /* NULL: all are numbers; else NAME_NONE where one is */
};

bool known_is_same(const struct known *a, const struct known *b);
uint64_t known_size(const struct known *known);
/* NULL: no memory. */
struct known *known_copy(struct arena *arena, const struct known *known);
/* The elements of a tensor that is in memory, or of a shape whose rank is known; NULL: not followed, or no memory. */
struct known *known_from_tensor(struct arena *arena, const struct tensor *tensor);
struct known *known_from_dims(struct arena *arena, const struct value_type *type, size_t first, size_t last);
/* May count more elements be computed? The total in a model is limited. */
bool known_afford(struct inference *inference, uint32_t count);
/* Zeroed, of a type with known dims; NULL: there are too many elements, some dim is unknown, or no memory. */
struct known *known_new(struct inference *inference, const struct value_type *type);

static inline name_id known_symbol(const struct known *known, size_t at)
{
    return known->symbols ? known->symbols[at] : NAME_NONE;
}
static inline bool known_is_real(const struct known *known)
{
    return known->type == OPSHIFT_TYPE_FLOAT || known->type == OPSHIFT_TYPE_DOUBLE;
}
static inline double real_of(int64_t bits)
{
    double real;
    memcpy(&real, &bits, sizeof(real));
    return real;
}
static inline int64_t real_bits(double real)
{
    int64_t bits;
    memcpy(&bits, &real, sizeof(bits));
    return bits;
}
/* Sets an element that is not a number. False: no memory. */
bool known_set_symbol(struct inference *inference, struct known *known, size_t at, name_id symbol);

/* The constant behind an input, perhaps with elements that are no numbers; NULL: none. */
const struct known *input_known(struct inference *inference, uint32_t position);
/* The sizes that an input of int64, of rank 0 or 1, gives: numbers or symbols. NULL: unknown. */
const struct known *input_sizes(struct inference *inference, uint32_t position);
/* A dim of an output, from an element of input_sizes. */
void dim_from_known(struct value_type *to, size_t at, const struct known *sizes, size_t index);
/* constant.c: reads an initializer or what a Constant gives. False: it is too large, or cannot be read. */
bool constant_tensor(struct inference *inference, const struct definition *definition, struct tensor **tensor);
/* Is the constant of an initializer, or of what a Constant gives, to be read when it is needed? */
bool known_is_small(const struct value_type *type);

#endif
