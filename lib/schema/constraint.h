/* What the standard says of operators beyond the schemas that it publishes: a table, one row per fact. */
#ifndef SCHEMA_CONSTRAINT_H
#define SCHEMA_CONSTRAINT_H

#include <stddef.h>
#include <stdint.h>

#include "schema/operation.h"

enum constraint_kind {
    CONSTRAINT_WORDS,    /* the attribute, a string, is one of `words` */
    CONSTRAINT_TYPE,     /* the attribute, a number, is an element type */
    CONSTRAINT_RANGE,    /* the attribute's number, or each of its list, is in [least, most] */
    CONSTRAINT_COUNT,    /* the attribute's list has [least, most] items */
    CONSTRAINT_PER_AXIS, /* the attribute's list has `least` numbers for each axis of input 0 behind the first `most` */
    CONSTRAINT_AS_LONG,  /* the attribute's list is as long as the list `words` */
    CONSTRAINT_NEEDS,    /* the attribute needs another one, `words` */
    CONSTRAINT_ONE_OF,   /* exactly one of the attributes `words` is given */
    CONSTRAINT_RANK,     /* the input `subject` has [least, most] axes */
    CONSTRAINT_SINGLE,   /* the input `subject` is one element, of no axis or one */
    CONSTRAINT_DIM,      /* the axis `most` of the input `subject` (negative: from its end) is `least` long */
    CONSTRAINT_SAME /* the axis `least` of the input `subject` is as long as the axis `most` of the input `words` */
};

struct constraint {
    const char *op_type;
    uint16_t since; /* the first version of the operator for which it holds */
    enum constraint_kind kind;
    const char *subject; /* the name of an attribute or input; a version without it is not concerned */
    int64_t least, most;
    const char *words; /* separated by spaces */
    uint16_t until;    /* the first version for which it holds no more; 0: none */
};

/* Of one operator, sorted as in the table. */
const struct constraint *constraints_find(const char *op_type, size_t *count);
/* Does the row hold for this version of its operator? */
static inline bool constraint_holds(const struct constraint *constraint, const struct schema *schema)
{
    return constraint->since <= schema->since && (constraint->until == 0 || schema->since < constraint->until);
}
/* Is the value one of the words? */
#define CONSTRAINT_NO_WORD UINT32_MAX
bool constraint_has_word(const struct constraint *constraint, const void *value, size_t size);
/* The place of the value among the words, from 0; CONSTRAINT_NO_WORD: it is none. Kernels rely on the order. */
unsigned constraint_word(const struct constraint *constraint, struct bytes value);
/* "at least 1", "0 or 1", "from 1 to 3". Returns buffer. */
const char *constraint_range(const struct constraint *row, char *buffer, size_t size);
static inline bool constraint_allows(const struct constraint *row, int64_t number)
{
    return number >= row->least && number <= row->most;
}
/* Do the node's attributes break a constraint on attributes alone (all above RANK but PER_AXIS)? words then says how;
 * what is not known breaks none. */
#define CONSTRAINT_WORDS_SIZE 512
bool constraint_broken(const struct constraint *row, const struct operation *operation,
                       char words[CONSTRAINT_WORDS_SIZE]);
/* All rows, sorted by operator. */
const struct constraint *constraint_all(size_t *count);

#endif
