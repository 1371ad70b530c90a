/* What the operators on sequences share. */
#ifndef KERNEL_SEQUENCE_H
#define KERNEL_SEQUENCE_H

#include "kernel/support.h"

/* Between least and most inputs of any kind, none of the first `least` absent, and exactly one output. */
enum opshift_status sequence_arity(const struct kernel_call *call, uint32_t least, uint32_t most,
                                   struct opshift_error *error);
/* A scalar of int32 or int64 in [-count, count - 1]. */
enum opshift_status sequence_position(const struct kernel_call *call, uint32_t input, size_t count, size_t *place,
                                      struct opshift_error *error);
/* A copy of the items with room for one more, each with the owner that keeps it alive. */
enum opshift_status sequence_copy(const struct kernel_call *call, uint32_t input, const struct sequence *sequence,
                                  struct value **items, struct opshift_error *error);
/* The tensor at an input that joins a sequence: of the sequence's type. */
enum opshift_status sequence_joins(const struct kernel_call *call, uint32_t input, enum opshift_type type,
                                   struct opshift_error *error);

#endif
