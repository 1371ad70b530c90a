/* Compares everything except rewritten nodes, one pair of graphs at a time. */
#ifndef VERIFY_REST_H
#define VERIFY_REST_H

#include "verify/verify.h"

/* Positions of the children of one kind, by name; one pair of tables serves all graphs, the stamp marks the valid
 * items. */
struct child_places {
    uint32_t *stamp, *place;
    uint32_t now;
};

struct rest {
    struct comparison *comparison;
    struct graph_pair pair;
    const char *where; /* the pair of graphs in messages; "": the main ones */
    struct child_places before, after;
};

/* Is the name of one side defined as seen from a graph of the other? */
bool rest_is_defined(const struct side *side, name_id name, const struct side *other, struct graph *other_graph);

/* ---- fields.c ---- */

/* Fields below 32 that are compared elsewhere. */
#define REST_SKIP(number)   (UINT32_C(1) << (number))
#define REST_MODEL_TRAINING 20

/* Adds the first different field of two messages to the differences. */
enum opshift_status rest_compare_fields(struct comparison *comparison, struct range before, struct range after,
                                        uint32_t skipped, const ProtobufCMessageDescriptor *descriptor,
                                        const char *place, struct opshift_error *error);
/* Are they equal except for the skipped fields? */
enum opshift_status rest_same_fields(const struct comparison *comparison, struct range before, struct range after,
                                     uint32_t skipped, const ProtobufCMessageDescriptor *descriptor, bool *same,
                                     struct opshift_error *error);
/* Compares the training infos without their graphs. */
enum opshift_status rest_compare_training(struct comparison *comparison, struct opshift_error *error);

/* ---- lists.c ---- */

/* Compares the inputs, outputs, value infos and initializers of a pair of graphs, in order. */
enum opshift_status rest_compare_lists(struct rest *rest, struct opshift_error *error);

/* ---- kept_order.c ---- */

/* Paired nodes must have the same order, and none may read a value before it is produced. */
void rest_compare_order(struct rest *rest);

#endif
