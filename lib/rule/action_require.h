/* The verbs that look at what a node says and refuse, keep or reword it: conditions, defaults that become words. */
#ifndef RULE_ACTION_REQUIRE_H
#define RULE_ACTION_REQUIRE_H

#include "rule/rule.h"

typedef enum opshift_status verb_function(const struct step *step, struct draft *draft, struct opshift_error *error);

/* The attribute is absent or has this value. */
verb_function require_default;
/* The attribute has not this value. */
verb_function refuse_value;
/* The attribute is there. */
verb_function require_present;
/* There is something, or nothing, at this position. */
verb_function require_input, require_no_input, require_output, require_no_output;
/* An output that nobody reads is taken away: of operators that compute the same with it and without. */
verb_function drop_unread_output;
/* The attribute's or the constant input's integers are all 0 or more (or `least`); an absent or unsigned one is. */
verb_function require_nonnegative;
/* The input is known to have this element type; asked only when the `attribute` is there, if one is named. */
verb_function require_type;
verb_function refuse_type;
/* Two inputs are not known to have different element types. */
verb_function require_same_type;
/* Of two inputs that are both there: constants, and the first is not above the second. */
verb_function require_ordered;
/* The last dim of a mask, where there is one, is known to be as many as the keys, past ones included. */
verb_function require_full_mask;
/* A pooling whose windows are all known to begin before the padding at the end. */
verb_function require_inside_windows;
/* The input is known to have this rank. */
verb_function require_rank;
/* All inputs are known to have one shape. */
verb_function require_same_shapes;
/* No output is known to have different shapes in the subgraphs of the node. */
verb_function require_same_branches;

/* An attribute of nothing but ones, its default, is removed. */
verb_function drop_ones;
/* An input that is constant and holds nothing but `value` is removed. */
verb_function drop_input;
/* An input that is constant and holds no element is left out where the input `given` is there. */
verb_function drop_empty_input;
/* A value of the list `old` becomes the one at its place in the list `new`. */
verb_function translate_value;
/* The axis is the last dimension; where it was left out, its default is written. */
verb_function last_axis;
/* Two inputs have one shape, or the second's is the end of the first's: then the attribute is set to 1. */
verb_function limited_broadcast;
/* A Constant's number, string or list becomes its attribute `value`. */
verb_function constant_to_tensor;

#endif
