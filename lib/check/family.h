/* The tables that families.c lists. */
#ifndef CHECK_FAMILY_H
#define CHECK_FAMILY_H

#include "check/check.h"

extern const struct check graph_checks[];
extern const size_t graph_check_count;
extern const struct check limit_checks[], protobuf_checks[];
extern const size_t limit_check_count, protobuf_check_count;
extern const struct check split_checks[]; /* the errors; `judge` is set */
extern const size_t split_check_count;
extern const struct check split_advice[]; /* warnings and notes */
extern const size_t split_advice_count;

#endif
