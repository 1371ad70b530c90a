/* The verbs for conditions, default values and renamed values. */
#ifndef RULE_ACTION_REQUIRE_H
#define RULE_ACTION_REQUIRE_H

#include "kernel/facts.h"
#include "rule/rule.h"

typedef enum opshift_status verb_function(const struct step *step, struct draft *draft, struct opshift_error *error);

/* The type of the draft's input; unknown if absent. Records that the draft relies on it. */
enum opshift_status draft_input_type(const struct draft *draft, uint32_t position, enum draft_reliance on,
                                     struct value_type *type, struct opshift_error *error);

/* The attribute is absent or has this value. */
verb_function require_default;
/* The attribute does not have this value. */
verb_function refuse_value;
/* The attribute is present. */
verb_function require_present;
/* An input or output is present, or absent, at this position. */
verb_function require_input, require_no_input, require_output, require_no_output;
/* Removes an unused output of an operator that computes the same without it. */
verb_function drop_unread_output;
/* All integers of the attribute or constant input are >= 0 (or `least`); true for an absent or unsigned one. */
verb_function require_nonnegative;
/* The input is known to have this element type; checked only if `attribute`, when named, is present. */
verb_function require_type;
verb_function refuse_type;
/* Two inputs are not known to have different element types. */
verb_function require_same_type;
/* If both inputs are present, they are constants, and the first is not greater than the second. */
verb_function require_ordered;
/* The last dim of the mask, if present, is known to equal the number of keys, past ones included. */
verb_function require_full_mask;
/* All windows of the pooling are known to begin before the padding at the end. */
verb_function require_inside_windows;
/* The input is known to have this rank. */
verb_function require_rank;
/* All inputs are known to have the same shape. */
verb_function require_same_shapes;
/* No output is known to have different shapes in the subgraphs of the node. */
verb_function require_same_branches;

/* Removes an attribute that contains only ones, its default. */
verb_function drop_ones;
/* Removes a constant input that contains only `value`. */
verb_function drop_input;
/* Removes a constant input without elements if the input `given` is present. */
verb_function drop_empty_input;
/* Replaces a value in the list `old` by the one at the same index of `new`. */
verb_function translate_value;
/* The axis must be the last dimension; an omitted one is written. */
verb_function last_axis;
/* Two inputs have the same shape, or the second's equals the last dims of the first's: sets the attribute to 1. */
verb_function limited_broadcast;
/* A Constant's number, string or list becomes its attribute `value`. */
verb_function constant_to_tensor;
/* A Constant of a type that is not allowed at the lower opset reads its value from an initializer. */
verb_function constant_to_initializer;

#endif
