/* SPL: what fixes a Split where there is one right answer. */
#ifndef CHECK_SPLIT_FIX_H
#define CHECK_SPLIT_FIX_H

#include "check/check.h"

typedef enum opshift_status split_fix(struct checking *checking, const struct finding *finding,
                                      struct opshift_error *error);

split_fix split_fix_axis;        /* the axis from the front, or 0 where there is none */
split_fix split_fix_lengths;     /* num_outputs becomes the lengths that it means */
split_fix split_fix_num_outputs; /* num_outputs is added: as many as there are outputs */
split_fix split_fix_outputs;     /* each part gets an output with a name */
split_fix split_fix_empty_input; /* the empty name at the end goes */
split_fix split_fix_attribute;   /* Split-1's second input becomes the attribute */
split_fix split_fix_identity;    /* one part that is all of the input */

#endif
