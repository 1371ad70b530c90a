/* Pairs of values of both models that may be the same: inputs, outputs, names, and what lies before outputs. */
#ifndef EQUAL_ALIGN_H
#define EQUAL_ALIGN_H

#include "equal/term.h"

/* Are the inputs and outputs of both models the same? Sets work->refused if not. */
enum opshift_status align_interface(struct equal_work *work, struct opshift_error *error);
/* The number of the first model's input that an input of the second is. */
uint32_t align_input(const struct equal_work *work, uint32_t input);
/* The second model's output for one of the first. */
uint32_t align_output(const struct equal_work *work, uint32_t output);
/* The term of the first model's value that has this name; TERM_NONE: there is none. */
enum opshift_status align_named(struct equal_work *work, const char *name, term_id *term, struct opshift_error *error);
/* Finds, from the outputs back, which values of the second model may be which terms. */
enum opshift_status align_outputs(struct equal_work *work, struct opshift_error *error);
/* Looks whether the new values of a node of the second model are the same as terms of the first that they may be. */
enum opshift_status align_node(struct equal_work *work, const struct node_use *use, struct opshift_error *error);

#endif
