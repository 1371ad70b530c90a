/* Sequences that become Splits: who reads them, and what each reader becomes (--split-sequences). */
#ifndef CONVERT_SEQUENCE_H
#define CONVERT_SEQUENCE_H

#include "convert/planner.h"

/* More tensors than this are not written out, one output each. */
#define SEQUENCE_COUNT_MAX 65536
/* And in all of a model. */
#define SEQUENCE_NAMES_MAX (1u << 21)

enum sequence_reader {
    READER_AT,     /* SequenceAt at a constant position */
    READER_LENGTH, /* SequenceLength */
    READER_CONCAT, /* ConcatFromSequence along an axis of the tensors */
    READER_OTHER   /* wants the sequence as such */
};

/* A node that reads a sequence, in the graph of its SplitToSequence or in one inside it. */
struct sequence_use_plan {
    struct sequence_plan *sequence;
    struct graph *graph;
    struct node *node;
    enum sequence_reader reader;
    int64_t position;               /* AT: from the front */
    int64_t axis;                   /* CONCAT: as it will be written, */
    bool by_rank;                   /* which follows from the rank */
    bool gives;                     /* AT: the Split's output takes the name of its output, and the node goes */
    const char *why;                /* it is in the way; NULL: it is not */
    struct sequence_use_plan *next; /* of the same sequence, in the order of the file */
};

/* A SplitToSequence node that is to become a Split. */
struct sequence_plan {
    struct graph *graph;
    struct node *node;
    name_id name;                 /* of its output */
    const char *why;              /* the node itself is in the way; NULL: it is not */
    bool settled;                 /* nothing is in the way: it is rewritten, and all that read it */
    int64_t count;                /* of its tensors; -1: not known */
    int64_t axis;                 /* from the front, where the rank is known */
    int32_t rank;                 /* of what it cuts; -1: not known */
    bool by_rank, by_dim;         /* the axis follows from the rank, the number of tensors from the dim that is cut */
    bool drops;                   /* its tensors have no axis where they were cut */
    bool counted;                 /* of its tensors nobody reads any, only how many there are: it goes */
    bool ignores;                 /* keepdims = 0 says nothing, since lengths are given */
    bool stands;                  /* the second input is what a Split-13 takes */
    bool cast;                    /* it would be, were it int64 */
    const struct tensor *lengths; /* int64[count]; NULL: known at run time alone */
    name_id *outputs;             /* of the Split, by position */
    struct sequence_use_plan *first, *last;
};

/* What stands at a node; at most one of the two. */
struct sequence_mark {
    struct sequence_plan *made;
    struct sequence_use_plan *use;
};

struct sequences {
    struct sequence_mark **marks; /* by graph number, by node; NULL: none stands in the graph */
    struct sequence_plan **all;
    uint32_t count;
    uint64_t written; /* names that the Splits and their readers will hold */
};

/* ---- sequence.c: the plan ---- */

/* Finds every SplitToSequence and all that reads one, and decides what becomes of them. To be asked once, before any
 * node is looked at. planner->sequences stays NULL where there is none. */
enum opshift_status sequences_plan(struct planner *planner, struct opshift_error *error);
/* NULL: the node has nothing to do with one. */
const struct sequence_mark *sequence_mark_find(const struct planner *planner, const struct graph *graph,
                                               const struct node *node);

/* ---- sequence_cut.c: how a SplitToSequence cuts ---- */

/* Fills in the cut of a sequence, or why. Texts and lengths live as long as the planner. */
enum opshift_status sequence_judge(struct planner *planner, struct sequence_plan *sequence,
                                   struct opshift_error *error);

/* ---- sequence_use.c ---- */

/* Fills in where a node reads its sequence, whose cut is known, or why it cannot read a Split. */
enum opshift_status sequence_judge_use(struct planner *planner, struct sequence_use_plan *use,
                                       struct opshift_error *error);

/* ---- sequence_to_split.c ---- */

/* Rewrites the node of a mark, unless another node of its sequence is in the way; NO: this one is, and why says so. */
enum opshift_status sequence_rewrite(struct planner *planner, const struct sequence_mark *mark, struct graph *graph,
                                     struct node *node, int64_t *step, struct opshift_error *why);

/* ---- split_to_sequence.c ---- */

/* A checked draft of Split at the source's opset becomes one of SplitToSequence and its SequenceAt nodes. NO: it
 * cannot.
 */
enum opshift_status split_to_sequence(struct planner *planner, struct draft *draft, int64_t *step,
                                      struct opshift_error *error);

#endif
