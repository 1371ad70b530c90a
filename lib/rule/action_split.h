/* The verbs for Split, and functions that general verbs use for it. */
#ifndef RULE_ACTION_SPLIT_H
#define RULE_ACTION_SPLIT_H

#include "rule/rule.h"

/* A step's parameter that is an input position. */
uint32_t step_position(const struct step *step, const char *name);

/* Makes a negative axis non-negative; if the rank is unknown: refused, or kept with `unknown: keep`. */
enum opshift_status nonnegative_axis(const struct step *step, struct draft *draft, struct opshift_error *error);
/* Split-1's second input, lengths of the data's type, becomes the attribute. */
enum opshift_status lengths_input(const struct step *step, struct draft *draft, struct opshift_error *error);
/* To Split-18: sets num_outputs for equal parts, or writes the lengths where runtimes would split differently. */
enum opshift_status count_outputs(const struct step *step, struct draft *draft, struct opshift_error *error);
/* From Split-18: num_outputs becomes nothing (equal parts), a list, or lengths computed in the graph. */
enum opshift_status expand_count(const struct step *step, struct draft *draft, struct opshift_error *error);

/* For an input that is not constant and would have to become an attribute: Slice nodes for a Split where the target
 * has them, else NO with the reason. */
enum opshift_status input_dynamic(struct draft *draft, uint32_t position, const char *attribute, const char *why,
                                  struct opshift_error *error);
/* NO: computed lengths cannot become an attribute. */
enum opshift_status split_chunks_refuse(struct opshift_error *error);

#endif
