/* Sequences that become Splits: their readers, and the replacement of each reader (--split-sequences). */
#ifndef CONVERT_SEQUENCE_PLAN_H
#define CONVERT_SEQUENCE_PLAN_H

#include "convert/planner.h"

/* More tensors than this are not written out, one output each. */
#define SEQUENCE_COUNT_MAX 65536
/* The same for all sequences of a model. */
#define SEQUENCE_NAMES_MAX (1u << 21)

enum sequence_reader {
    READER_AT,     /* SequenceAt at a constant position */
    READER_LENGTH, /* SequenceLength */
    READER_CONCAT, /* ConcatFromSequence */
    READER_LIST,   /* SequenceInsert or SequenceErase of a list */
    READER_OTHER   /* needs the sequence itself */
};

/* A node that reads a sequence, in the graph of its SplitToSequence or in a subgraph of it. */
struct sequence_use_plan {
    struct sequence_plan *sequence;
    struct graph *graph;
    struct node *node;
    enum sequence_reader reader;
    int64_t position;               /* AT: counted from the front */
    int64_t axis;                   /* CONCAT: as it will be written */
    bool stacks;                    /* CONCAT: along a new axis */
    bool by_rank;                   /* the axis was computed from the rank */
    bool gives;                     /* AT: the Split's output takes the name of its output, and the node is removed */
    const char *why;                /* reason of a blocker; NULL: none */
    struct sequence_use_plan *next; /* of the same sequence, in the order of the file */
};

/* A SplitToSequence node that is to become a Split, or one that makes a list of tensors and is to go. */
struct sequence_plan {
    struct graph *graph;
    struct node *node;
    name_id name;         /* name of its output */
    const char *why;      /* reason of a blocker at the node itself; NULL: none */
    bool decided;         /* no blocker: the node and all its readers are rewritten */
    int64_t count;        /* number of tensors; -1: unknown */
    int64_t axis;         /* counted from the front, if the rank is known */
    int32_t rank;         /* rank of the input; -1: unknown */
    bool by_rank, by_dim; /* the axis was computed from the rank, the number of tensors from the dim that is split */
    bool drops;           /* keepdims = 0: the tensors lack the split axis */
    bool counted;         /* only the number of tensors is read: the node is removed */
    bool ignores;         /* keepdims = 0 has no effect, since lengths are given */
    bool stands;          /* the second input can stay as input of Split-13 */
    bool cast;            /* the same after a Cast to int64 */
    const struct tensor *lengths; /* int64[count]; NULL: known only at run time */
    name_id *outputs;             /* of the Split, by position; a list's tensors */
    bool is_list;                 /* sequence_list.c; else a SplitToSequence */
    struct sequence_plan *source; /* the list that a list is made from; NULL: none */
    struct sequence_use_plan *first, *last;
};

/* The plan for a node: it makes a sequence, or reads one, or makes a list from another. */
struct sequence_mark {
    struct sequence_plan *made;
    struct sequence_use_plan *use;
};

struct sequences {
    struct sequence_mark **marks; /* by graph number, by node; NULL: none in the graph */
    struct sequence_plan **all;
    uint32_t count;
    uint64_t written; /* number of names in all Splits and their readers */
};

/* Sets the reason of a blocker, printed in an arena; NULL: no memory. */
static inline enum opshift_status sequence_refuse(const char **why, const char *words, struct opshift_error *error)
{
    *why = words;
    return words ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- sequence_plan.c: the plan ---- */

/* Finds every SplitToSequence and its readers, and decides their fates. Called once, before any node is planned.
 * planner->sequences stays NULL if there is none. */
enum opshift_status sequences_plan(struct planner *planner, struct opshift_error *error);
/* NULL: the node is not part of a sequence plan. */
const struct sequence_mark *sequence_mark_find(const struct planner *planner, const struct graph *graph,
                                               const struct node *node);

/* ---- sequence_cut.c: how a SplitToSequence splits ---- */

/* Fills in how a sequence is split, or the reason of a blocker. Texts and lengths live as long as the planner. */
enum opshift_status sequence_judge(struct planner *planner, struct sequence_plan *sequence,
                                   struct opshift_error *error);

/* ---- sequence_use.c ---- */

/* Fills in how a node reads its sequence, or why it cannot read a Split's outputs. */
enum opshift_status sequence_judge_use(struct planner *planner, struct sequence_use_plan *use,
                                       struct opshift_error *error);

/* ---- sequence_list.c ---- */

/* Does the node make a sequence from tensors or from another sequence? */
bool sequence_is_list(const struct planner *planner, const struct node *node);
/* Fills in the tensors of such a node's list, or why they are not known. source: of input 0; NULL: unknown. */
enum opshift_status sequence_list(struct planner *planner, struct sequence_plan *list, struct sequence_plan *source,
                                  struct opshift_error *error);
/* Removes the node of a decided list. */
enum opshift_status sequence_list_remove(struct planner *planner, const struct sequence_plan *list,
                                         struct opshift_error *error);
/* Notes why a list stays. */
enum opshift_status sequence_list_note(struct planner *planner, const struct sequence_plan *list,
                                       struct opshift_error *error);

/* ---- sequence_to_split.c ---- */

/* Does the node stay as it is, since it makes or reads a list that stays? */
bool sequence_stays(const struct sequence_mark *mark);

/* Rewrites the node of a mark, unless another node of its sequence is blocked; NO: this one is, with the reason. */
enum opshift_status sequence_rewrite(struct planner *planner, const struct sequence_mark *mark, struct graph *graph,
                                     struct node *node, struct opshift_error *why);

/* ---- split_to_sequence.c ---- */

/* A checked draft of Split at the source's opset becomes a SplitToSequence and its SequenceAt nodes. NO: it cannot. */
enum opshift_status split_to_sequence(struct planner *planner, struct draft *draft, struct opshift_error *error);

#endif
