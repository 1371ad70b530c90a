/* Building blocks of fixes: each stores edits in the model and records which records they change. */
#ifndef CHECK_FIX_H
#define CHECK_FIX_H

#include "base/buffer.h"
#include "check/check.h"

/* A record of a model, graph or function that a fix changes, removes, or (size 0) inserts something before. */
struct touched {
    const ProtobufCMessageDescriptor *around; /* whose record it is */
    const struct message *parent;             /* where that stands */
    uint64_t record, size;                    /* with its tag */
};

/* Where the last search for a record came by, directly in a message. Findings come in the order of the file, so that
 * the next one in that message is not before it. */
struct passed {
    const struct message *message; /* NULL: none yet */
    uint64_t at;
};
#define PASSED_DEPTHS 40

/* A field of a node that may be there several times: the next one looked for is behind it, or the same again. */
struct node_field {
    uint64_t node, end; /* where the node's record begins, where the field's ends */
    uint32_t number, position;
    bool missing; /* the node has none at the position; the end is where it belongs */
};

/* The records that one fix changes. Grown with realloc, freed by the owner. */
struct fixing {
    struct touched *list;
    uint32_t count, room;
    struct passed passed[2][PASSED_DEPTHS]; /* in graphs and in nodes, by how deep they are */
    struct node_field field;                /* the last one that was looked for by its position */
};

/* By place, what is put there before what stands there. */
int fixing_order(const void *a, const void *b);
void fixing_sort(struct fixing *fixing);

/* Every buffer is taken over, also when this fails. */

/* Removes a record of the graph, function or model that the finding is about. */
enum opshift_status fix_remove(struct checking *checking, const struct finding *finding, struct range range,
                               struct opshift_error *error);
/* Records before a place in the graph (NULL: the model), on a border of its records. */
enum opshift_status fix_insert(struct checking *checking, struct graph *graph, uint64_t offset, struct buffer *records,
                               struct opshift_error *error);
/* Removes a record inside the finding's subject. */
enum opshift_status fix_remove_inside(struct checking *checking, const struct finding *finding, struct range range,
                                      struct opshift_error *error);
/* Appends bytes to a message inside the finding's subject. */
enum opshift_status fix_append(struct checking *checking, const struct finding *finding, struct range message,
                               struct buffer *bytes, struct opshift_error *error);
/* A record of a node: replaced, or removed where records is NULL. */
enum opshift_status fix_node(struct checking *checking, const struct finding *finding, struct range range,
                             struct buffer *records, struct opshift_error *error);
/* The position-th record of a field of the finding's node: replaced, or removed where records is NULL. Where there are
 * not as many, records go behind the last one of that field, or of the fields before it. */
enum opshift_status fix_node_field(struct checking *checking, const struct finding *finding, uint32_t number,
                                   uint32_t position, struct buffer *records, struct opshift_error *error);

/* Have two records the same payload? Of more than a megabyte: no. */
enum opshift_status fix_is_same(struct checking *checking, struct range one, struct range other, bool *same,
                                struct opshift_error *error);
/* The record of the same kind before one, in the same message, with the same bytes: is there one? */
enum opshift_status fix_has_copy(struct checking *checking, const struct finding *finding, struct range range,
                                 bool *copied, struct opshift_error *error);
/* The record around one in what the finding is about; size 0: it stands there directly. */
enum opshift_status fix_around(struct checking *checking, const struct finding *finding, struct range range,
                               struct range *around, struct opshift_error *error);

/* A name that is nowhere in the model, made from the node's name or first output. NAME_NO_MEMORY: no memory. */
name_id fix_fresh(struct checking *checking, const struct node *node, const char *suffix);
/* Makes an attribute of the finding's node (size 0: none) its input at a position: integers in a new initializer of its
 * graph, or in a Constant node where an initializer may not stand, with a name from suffix. */
enum opshift_status fix_ints_to_input(struct checking *checking, const struct finding *finding, struct range attribute,
                                      const int64_t *ints, size_t count, uint32_t position, const char *suffix,
                                      struct opshift_error *error);

#endif
