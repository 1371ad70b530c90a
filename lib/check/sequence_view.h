/* What is known of a sequence: how it was cut, how many tensors it has, and of which type. */
#ifndef CHECK_SEQUENCE_VIEW_H
#define CHECK_SEQUENCE_VIEW_H

#include "check/check.h"
#include "kernel/split_draft.h"

/* A SplitToSequence node, as far as it is known. */
struct sequence_cut {
    const struct draft *draft;
    bool readable; /* the node is complete enough for the other members to be valid */
    struct split_cut cut;
    bool given;                    /* there is a second input */
    int64_t lengths_rank;          /* -1: not known */
    const struct tensor *constant; /* its value; NULL: not constant, or absent */
    int64_t length_count;          /* of a list; -1: not known, or no list */
    bool drops;                    /* keepdims = 0 */
    int64_t count;                 /* of the tensors that it gives; -1: not known */
};

/* NO: the lengths' name is defined twice, where the draft's facts refuse that. */
enum opshift_status sequence_cut_read(const struct draft *draft, struct sequence_cut *cut, struct opshift_error *error);
/* NO: "ID slug: fault; way out", the first of lint's errors. */
enum opshift_status sequence_check(const struct sequence_cut *cut, struct opshift_error *error);
/* NO: why a sequence of count tensors has no such position, or (insert) none to insert at. */
enum opshift_status sequence_check_position(const char *name, int64_t count, bool insert, int64_t position,
                                            struct opshift_error *error);
/* NO: why tensors of the sequence cannot be concatenated along the axis; rank: of the result. */
enum opshift_status sequence_check_axis(const char *name, int64_t rank, int64_t axis, struct opshift_error *error);
/* An element of int32 or int64 lengths. */
int64_t sequence_length_at(const struct tensor *lengths, uint64_t index);

struct sequence_view {
    int64_t count;          /* -1: not known */
    enum opshift_type type; /* of its tensors; UNDEFINED: not known */
    int32_t rank;           /* of its tensors; -1: not known */
    struct graph *graph;    /* where its first maker stands; NULL: not known */
    struct node *maker;     /* NULL: not known */
};

/* Goes back from a name to what made the sequence, through nodes that add or take away tensors. */
enum opshift_status sequence_view_read(struct checking *checking, struct graph *graph, name_id name,
                                       struct arena *arena, struct sequence_view *view, struct opshift_error *error);

/* The constant integer behind a name; *known is false where it is none. */
enum opshift_status sequence_index(struct checking *checking, struct graph *graph, name_id name, int64_t *position,
                                   bool *known, struct opshift_error *error);

#endif
