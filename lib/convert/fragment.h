/* Fragments: the nodes with which a rule replaces a node, as a small model. */
#ifndef CONVERT_FRAGMENT_H
#define CONVERT_FRAGMENT_H

#include "convert/planner.h"
#include "rule/replace.h"

/* Which declared, unconfirmed parts of types the fragment gets. */
enum fragment_unsure { UNSURE_NONE, UNSURE_ELEMENTS, UNSURE_ALL };

/* The model as bytes, in the draft's arena. Its inputs are the node's, under the rule's names, with what is known of
 * their types; small constants are initializers. Its outputs are the node's used outputs. Records in the planner what
 * the draft depends on. NO: an input of the draft has no name yet. */
enum opshift_status fragment_pack(struct planner *planner, struct draft *draft, enum fragment_unsure unsure,
                                  struct bytes *bytes, struct opshift_error *error);
/* Folds constants of a fragment and removes unused nodes; the result is in the arena.
 */
enum opshift_status fragment_fold(struct bytes bytes, const char *name, struct arena *arena, struct bytes *folded,
                                  struct opshift_error *error);
/* Is a value small enough to become an initializer of the fragment if it is constant? */
bool fragment_is_small(const struct value_type *type);
/* Removes the names of unused outputs, unless all are unused. */
enum opshift_status fragment_drop_unread(struct draft *draft, struct opshift_error *error);
/* Opens such a model; the bytes must outlive it. */
enum opshift_status fragment_open(struct bytes bytes, const char *name, struct opshift_model **model,
                                  struct opshift_error *error);

#endif
