/* What view.c and part.c share. */
#ifndef EQUAL_VIEW_H
#define EQUAL_VIEW_H

#include "equal/term.h"

/* Finds or makes the term of a view as an output of a node. */
enum opshift_status view_find(struct equal_work *work, const struct node_use *use, uint32_t output,
                              const struct view *view, struct opshift_error *error);
/* The view that a term is; NULL: none of this kind. */
const struct view *view_of(const struct equal_work *work, term_id term, enum view_kind kind);

/* ---- part.c ---- */

/* The terms of nodes that pick places along axes. *found: they are set. */
enum opshift_status part_terms(struct equal_work *work, const struct node_use *use, enum operator_id id, bool *found,
                               struct opshift_error *error);
/* Those of a node that only leaves out axes of length 1 of such a value. */
enum opshift_status part_squeeze(struct equal_work *work, const struct node_use *use, const struct value_type *from,
                                 const struct value_type *to, bool *found, struct opshift_error *error);

#endif
