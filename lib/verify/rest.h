/* Compares everything except rewritten nodes, one pair of graphs at a time. */
#ifndef VERIFY_REST_H
#define VERIFY_REST_H

#include "verify/verify.h"

/* Where the children of one kind stand, by name; one pair of tables serves all graphs, the stamp says whose it is. */
struct child_places {
    uint32_t *stamp, *place;
    uint32_t now;
};

struct rest {
    struct comparison *comparison;
    struct graph_pair pair;
    const char *where; /* the pair of graphs, for people; "": the main ones */
    struct child_places before, after;
};

/* Is the name of one side defined as seen from a graph of the other? */
bool rest_is_defined(const struct side *side, name_id name, const struct side *other, struct graph *other_graph);

/* ---- fields.c ---- */

/* Fields below 32 that are compared in another way. */
#define REST_SKIP(number)   (UINT32_C(1) << (number))
#define REST_MODEL_TRAINING 20

/* The first field of two messages that is not the same goes to the differences. */
enum opshift_status rest_compare_fields(struct comparison *comparison, struct range before, struct range after,
                                        uint32_t skipped, const ProtobufCMessageDescriptor *descriptor,
                                        const char *place, struct opshift_error *error);
/* Are they the same but for the fields that are skipped? */
enum opshift_status rest_same_fields(const struct comparison *comparison, struct range before, struct range after,
                                     uint32_t skipped, const ProtobufCMessageDescriptor *descriptor, bool *same,
                                     struct opshift_error *error);
/* What the training infos say beside their graphs. */
enum opshift_status rest_compare_training(struct comparison *comparison, struct opshift_error *error);

/* ---- lists.c ---- */

/* The inputs, outputs, value infos and initializers of a pair of graphs: the same ones, in the same order. */
enum opshift_status rest_compare_lists(struct rest *rest, struct opshift_error *error);

/* ---- order.c ---- */

/* Nodes that have a counterpart stand in the same order, and none reads what is made behind it. */
void rest_compare_order(struct rest *rest);

#endif
