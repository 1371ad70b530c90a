/* The values of two models in one table: a term is a value, and two values that are computed in the same way from the
 * same values are one term. */
#ifndef EQUAL_TERM_H
#define EQUAL_TERM_H

#include "base/buffer.h"
#include "base/table.h"
#include "equal/equal.h"
#include "kernel/execute.h"

typedef uint32_t term_id;
#define TERM_NONE UINT32_MAX

/* Limits: nodes of both models with functions opened, and graphs inside each other. */
#define USES_MAX  1000000u
#define DEPTH_MAX 64u

enum term_kind {
    TERM_INPUT,    /* of the first model */
    TERM_INNER,    /* an input of a body */
    TERM_CONSTANT, /* its content */
    TERM_MADE      /* an output of a node */
};

/* The attributes that a call gives to its function. NULL: not in a function. */
struct opening {
    Onnx__AttributeProto **attributes;
    size_t count;
};

/* A node at one place: a function's node has one for each call. */
struct node_use {
    struct node_use *next; /* of the same side, in the order of the graph */
    const struct equal_side *side;
    struct graph *graph;
    const struct node *node;
    const struct opening *opening;
    const struct node_use *call; /* the node that this one is part of the definition of; NULL: none */
    uint32_t number;             /* in its graph */
    bool captures;               /* its bodies read values around it */
    bool in_body;                /* of a Loop, Scan, If: run with the node that holds it */
    term_id *inputs;             /* TERM_NONE: absent */
    term_id *outputs;            /* TERM_NONE: without a name */
    struct value *values;        /* of the outputs, in the run of this number */
    uint64_t run;
};

/* A value that has the elements of another one, its base, in other places. */
enum view_kind { VIEW_NONE, VIEW_SHAPE, VIEW_TURN, VIEW_PART };
struct view {
    enum view_kind kind;
    term_id base;
    uint32_t rank, base_rank;
    uint32_t size;    /* PART: of dims */
    term_id fill;     /* PART: what is filled in; TERM_NONE: zeros */
    bool has_fill;    /* PART: something is */
    bool accepts_all; /* SHAPE: whatever the base is */
    /* SHAPE: the dims, -1: at most one that is not known, below: a symbol, and those of the base; TURN: the
     * permutation; PART: by axis of the base, 1 (all of it), 2 (dropped) or 0, and runs of places. */
    int64_t *dims, *base_dims;
};

struct equal_term {
    enum term_kind kind;
    const struct view *view; /* NULL: none */
    uint32_t input;          /* TERM_INPUT: its place among those of the first model */
    struct bytes key;
    term_id same; /* a term that is found in place of this one, plus 1; 0: none */
    /* TERM_MADE: the first node that makes it. */
    const struct node_use *use;
    uint32_t output;
    /* TERM_CONSTANT: its elements, or the initializer that has them. */
    const struct tensor *tensor;
    const struct equal_side *side;
    const struct initializer *initializer;
    uint32_t failures;        /* regions before it that were run and differ */
    uint8_t needed;           /* bit by side; while a region is cut out */
    const struct tensor *now; /* its elements in a run, where no node of the region makes it */
};

/* Values of one name in a graph that is being read. */
struct reading {
    struct reading *parent; /* of the graph around a body */
    struct graph *graph;
    const struct opening *opening;
    const struct node_use *call; /* the node that this graph defines; NULL: none */
    int at;                      /* which of the two models it is part of */
    uint32_t *starts;            /* by node: its first output in `outputs` */
    term_id *inputs, *initializers, *outputs;
    uint32_t depth; /* bodies around it, and calls */
    uint32_t level; /* bodies around it */
    bool captures;
};

struct equal_work {
    const struct equal_side *sides; /* 2 */
    const struct equal_options *options;
    struct arena *arena, *scratch;
    struct equal_term *terms;
    uint32_t count, room;
    struct table table; /* term by key */
    struct buffer key;
    struct table salts; /* of random nodes: a key and its side */
    struct bytes *salt_keys;
    uint32_t *salt_counts;
    uint32_t salt_count, salt_room, salt_count_room;
    struct equal_definition *definitions;
    struct budget fold_budget;
    uint64_t kept; /* bytes of computed constants */
    struct reading *main[2];
    struct node_use *first[2], *last[2]; /* of the main graphs, functions opened */
    uint32_t use_count;
    uint32_t *input_of;    /* by input of the second model: that of the first */
    uint32_t *output_of;   /* by output of the first model: that of the second */
    term_id *aligned;      /* by output of a node of the second model: a term of the first that may be the same */
    struct failed *failed; /* regions that differ */
    uint32_t failed_count, failed_room;
    bool rises;          /* no opset of the second model is below one of the first */
    const char *refused; /* why the models are not compared; NULL: they are */
    struct equal_answer *answer;
    struct equal_region **region_end;
    uint32_t region_count;
    uint64_t steps, run; /* used by all regions; number of the last run */
    struct budget budget;
};

/* Two values that were taken for the same, and are not. */
struct failed {
    term_id before, after;
    struct equal_region *region;
};

/* ---- term.c ---- */

/* Finds or makes the term of the key in work->key. *made: it is new. */
enum opshift_status term_find(struct equal_work *work, enum term_kind kind, term_id *term, bool *made,
                              struct opshift_error *error);
void key_start(struct equal_work *work, char kind);
void key_number(struct equal_work *work, uint64_t number);
void key_bytes(struct equal_work *work, const void *data, size_t size);
/* Adds a number that tells uses of this key apart on one side: the same on both sides for the n-th use. */
enum opshift_status key_salt(struct equal_work *work, int at, struct opshift_error *error);

/* ---- content.c ---- */

enum opshift_status content_initializer(struct equal_work *work, const struct equal_side *side,
                                        const struct initializer *initializer, term_id *term,
                                        struct opshift_error *error);
enum opshift_status content_term(struct equal_work *work, const struct tensor *tensor, term_id *term,
                                 struct opshift_error *error);
/* The elements of a constant, in the arena where they are not kept. */
enum opshift_status content_load(const struct equal_term *term, struct arena *arena, const struct tensor **tensor,
                                 struct opshift_error *error);
/* The integers of a constant of at most COUNT elements. False: it is none. */
bool content_integers(const struct equal_work *work, term_id term, size_t most, int64_t *values, size_t *count);
/* Adds the content of a tensor to the key. */
void key_tensor(struct equal_work *work, const struct tensor *tensor);

/* ---- attributes.c ---- */

/* Adds the attributes, in canonical form, to the key. bodies: the outputs of each body are in the key already. */
enum opshift_status key_attributes(struct equal_work *work, const struct node_use *use, const struct schema *schema,
                                   struct opshift_error *error);
/* What a call gives to its function. */
enum opshift_status opening_make(struct equal_work *work, const struct node_use *call, const struct function *function,
                                 const struct opening **opening, struct opshift_error *error);
/* An attribute, in the scratch arena. NULL: it is not given. */
enum opshift_status use_attribute(struct equal_work *work, const struct node_use *use, const char *name,
                                  const Onnx__AttributeProto **message, struct opshift_error *error);
/* An integer attribute; or the fallback. */
enum opshift_status use_int(struct equal_work *work, const struct node_use *use, const char *name, int64_t *value,
                            struct opshift_error *error);
/* All attributes, and what a function gives to those that are absent, in an arena. */
enum opshift_status use_attributes(struct equal_work *work, const struct node_use *use, struct arena *arena,
                                   Onnx__AttributeProto ***attributes, size_t *count, struct opshift_error *error);
/* Integers; *count: SIZE_MAX if it is not given. In the scratch arena. */
enum opshift_status use_ints(struct equal_work *work, const struct node_use *use, const char *name,
                             const int64_t **values, size_t *count, struct opshift_error *error);

/* ---- graph.c ---- */

/* Reads the main graph of a side into terms. */
enum opshift_status graph_read(struct equal_work *work, int side, struct opshift_error *error);
/* The term of a name; TERM_NONE: unknown. */
enum opshift_status name_term(struct equal_work *work, const struct equal_side *side, struct reading *reading,
                              name_id name, term_id *term, struct opshift_error *error);

/* ---- view.c: nodes that keep or only rearrange elements ---- */

/* A type that no unconfirmed declaration is behind. rank -1: unknown. */
enum opshift_status known_type(const struct node_use *use, name_id name, struct value_type *type,
                               struct opshift_error *error);
/* The type of an input: also of what a function or a definition is given. */
enum opshift_status input_type(const struct equal_work *work, const struct node_use *use, uint32_t input,
                               struct value_type *type, struct opshift_error *error);
/* Finds the terms of the outputs of a node that is a view. *found: they are set. */
enum opshift_status view_terms(struct equal_work *work, struct node_use *use, enum operator_id id, bool *found,
                               struct opshift_error *error);

/* ---- map.c ---- */

/* Which nodes of the first model became which of the second. */
enum opshift_status map_make(struct equal_work *work, struct opshift_error *error);

/* ---- region.c ---- */

/* Are two terms, of the first and of the second side, the same value? Runs what lies between them and the terms that
 * both are computed from. SAME: the region is in the answer. report: also one that is not. */
enum likeness {
    LIKENESS_SAME,
    LIKENESS_OTHER_SHAPE, /* they are other values, by their types */
    LIKENESS_NONE
};
enum opshift_status region_judge(struct equal_work *work, term_id before, term_id after, bool report,
                                 enum likeness *likeness, struct opshift_error *error);

/* ---- region_run.c ---- */

/* The nodes between two terms and those that both depend on. */
struct cut_out {
    term_id before, after;
    struct node_use **uses[2]; /* by side, in an order in which they can be computed */
    uint32_t use_count[2];
    term_id *leaves; /* drawn */
    uint32_t leaf_count;
    term_id *constants;
    uint8_t *constant_sides; /* bit by side */
    uint32_t constant_count;
    bool whole;                   /* the leaves are the inputs of the model */
    const struct cut_out *source; /* computes the leaves from the inputs of the model; NULL: they are drawn */
    bool has_failed;              /* a part of it, between values of one name, was found to differ */
};
/* Sets the verdict of the region and its reason. */
enum opshift_status region_run(struct equal_work *work, const struct cut_out *cut, struct equal_region *region,
                               struct opshift_error *error);

#endif
