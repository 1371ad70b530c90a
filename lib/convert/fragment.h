/* The nodes that a rule puts in one node's place, as a small model of their own. */
#ifndef CONVERT_FRAGMENT_H
#define CONVERT_FRAGMENT_H

#include "convert/planner.h"
#include "rule/replace.h"

/* Which parts of types it is told that rest on a declaration alone. */
enum fragment_unsure { UNSURE_NONE, UNSURE_ELEMENTS, UNSURE_ALL };

/* The model as bytes, in the draft's arena. Its inputs are the node's, under the rule's names, with what is known of
 * their types; small constants are initializers. Its outputs are those of the node's outputs that somebody reads. The
 * planner hears on what the draft relies then. NO: an input of the draft has no name yet. */
enum opshift_status fragment_pack(struct planner *planner, struct draft *draft, enum fragment_unsure unsure,
                                  struct bytes *bytes, struct opshift_error *error);
/* The same with constants in the place of nodes that compute them, and without nodes that nobody reads; in the arena.
 */
enum opshift_status fragment_fold(struct bytes bytes, const char *name, struct arena *arena, struct bytes *folded,
                                  struct opshift_error *error);
/* Has a value so few bytes that the nodes may go by them where it is constant? */
bool fragment_is_small(const struct value_type *type);
/* Takes the names of outputs that nobody reads, unless that is so of all. */
enum opshift_status fragment_drop_unread(struct draft *draft, struct opshift_error *error);
/* Opens such a model; the bytes outlive it. */
enum opshift_status fragment_open(struct bytes bytes, const char *name, struct opshift_model **model,
                                  struct opshift_error *error);

#endif
