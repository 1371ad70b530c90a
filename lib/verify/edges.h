/* Runs on edges: what rules keep or make of a node, and functions for what their calls give. */
#ifndef VERIFY_EDGES_H
#define VERIFY_EDGES_H

#include "verify/piece.h"

void edges_free(struct edge_sets *sets);
/* Runs a piece that is what convert makes of the node, unless an equal one was run; the verdict may become DIFFERS. */
enum opshift_status edges_verify(struct piece *piece, struct opshift_error *error);
/* Can the node be run alone? The body of a function is run by its calls, and they are run before all nodes. */
bool edges_are_run(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node);
/* The same for a node that was kept as planned, and for a call of a function. *ran: at least one run was compared.
 * *differs: it is in the report. */
enum opshift_status edges_of_node(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                  const struct expectation *expectation, struct arena *arena, bool *ran, bool *differs,
                                  struct opshift_error *error);

/* ---- function_runs.c ---- */

/* Runs the functions of both models for what each call of the first one gives: constants, types, absent inputs and
 * attributes. Calls whose results differ are added to the report. */
enum opshift_status calls_verify(struct comparison *comparison, struct arena *arena, struct opshift_error *error);
/* Is the graph in a function all of whose calls were run? */
bool calls_cover(const struct comparison *comparison, const struct graph *graph);

#endif
