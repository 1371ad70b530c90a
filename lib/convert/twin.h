/* Nodes that say the same, ask the same of their surroundings and hear the same become the same: what became of one is
 * kept, and the next like it is written so, without its rules and checks. */
#ifndef CONVERT_TWIN_H
#define CONVERT_TWIN_H

#include "convert/convert.h"

struct twin;

/* Makes conversion->twins where nobody asks how each node is rewritten; conversion->facts then listens. */
enum opshift_status twins_open(struct conversion *conversion, struct opshift_error *error);
void twins_close(struct twins *twins);

/* Before a node is looked at: one that it is like. NULL: none is known. */
struct twin *twin_find(struct conversion *conversion, struct graph *graph, struct node *node);

/* Writes the node that twin_find was asked about last. */
enum opshift_status twin_write(struct conversion *conversion, struct twin *twin, struct graph *graph, struct node *node,
                               struct opshift_error *error);

/* Keeps what a draft has become, of the node that twin_find was asked about last and not found; before the draft is
 * written. */
void twin_keep(struct conversion *conversion, const struct draft *draft);

#endif
