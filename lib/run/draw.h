/* Random inputs while they are drawn: which shapes they have, and what those who read them need of their elements. */
#ifndef RUN_DRAW_H
#define RUN_DRAW_H

#include "kernel/facts.h"
#include "run/inputs.h"

/* One input of the main graph. */
struct drawn {
    const struct value_info *info;
    enum value_kind kind; /* as it is declared: a tensor, a sequence, or nothing */
    enum opshift_type type;
    bool wanted;     /* it is to be drawn */
    bool open;       /* its rank was made up */
    uint32_t rank;   /* of the tensor, or of each tensor of a sequence */
    int64_t *dims;   /* -1: not known yet */
    name_id *params; /* of its dims, as they are declared, or a rank of none */
};

/* Who reads a name: by name, in the order of the file. */
struct value_use {
    struct graph *graph;
    uint32_t node, position;
};
struct readers {
    uint32_t *starts; /* by name, and one more */
    struct value_use *items;
};

struct drawing {
    struct opshift_model *model;
    struct opshift_values *values;
    const struct opshift_draw_options *options;
    struct surroundings around;
    struct readers readers;
    struct drawn *inputs; /* as model->main->inputs */
    struct sizes bindings;
    struct sizes numbers; /* symbolic dims that were given a size for want of another: the how manieth each was */
    struct arena *arena, *scratch;
    struct budget budget; /* of the bytes that are drawn, and of what nodes are asked */
    uint64_t seed;
    enum opshift_status status; /* the first failure, of what is asked for on the way */
    struct opshift_error *error;
};

/* splitmix64: the same numbers everywhere. */
uint64_t draw_next(uint64_t *seed);

/* ---- draw_readers.c: who reads a value ---- */

enum opshift_status readers_new(struct opshift_model *model, struct arena *arena, struct readers *readers,
                                struct opshift_error *error);

/* A node that reads an input, or a value that has the input's elements. */
struct asking {
    struct drawing *drawing;
    const struct drawn *input;
    struct graph *graph;
    const struct node *node;
    const char *op_type; /* of ai.onnx */
    uint32_t position;
    bool in_order;  /* the value has the input's elements one after the other, from offset on */
    int64_t offset; /* of the first */
};
typedef void asking_answer(const struct asking *asking, void *data);
/* Calls answer for those who read an input: itself, in a body, in a function that is called with it, or what nodes make
 * of it that pass its elements on. same_shape: only those nodes that do not change the shape. */
void readers_ask(struct drawing *drawing, const struct drawn *input, bool same_shape, asking_answer *answer,
                 void *data);

/* Takes steps for a question; false: so much was asked that what is left is drawn without. */
bool asking_may(struct drawing *drawing, uint64_t count);
/* What a node's input (or output, counted behind the inputs) has as shape. False: its rank is not known. */
bool asking_shape(const struct asking *asking, uint32_t position, struct value_type *type);
bool asking_output(const struct asking *asking, uint32_t output, struct value_type *type);
/* The product of the dims; -1: one is not known. */
int64_t asking_count(const struct value_type *type);
int64_t asking_int(const struct asking *asking, const char *attribute, int64_t fallback);
/* The whole numbers of a constant input; NULL: it is none. */
const int64_t *asking_constant(const struct asking *asking, uint32_t position, size_t *count);

/* ---- draw_dims.c: sizes for dims that have none ---- */

/* Ranks that are made up are below this. */
#define RANK_OPEN_MAX 8u

/* options->attempt says which. */
void dims_settle(struct drawing *drawing);

/* ---- draw_wish.c: what elements must be ---- */

struct wish {
    bool ranged;
    double least, most; /* both may be drawn */
    const double *list; /* NULL, or the elements themselves, as many as the tensor has */
    bool numerals;      /* texts that are whole numbers */
};

void wish_find(struct drawing *drawing, const struct drawn *input, struct wish *wish);

#endif
