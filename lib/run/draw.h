/* State of drawing random inputs: their shapes, and what consuming nodes require of their elements. */
#ifndef RUN_DRAW_H
#define RUN_DRAW_H

#include "kernel/facts.h"
#include "model/number.h"
#include "run/inputs.h"

/* One input of the main graph. */
struct drawn {
    const struct value_info *info;
    enum value_kind kind; /* as declared: a tensor, a sequence, or absent */
    enum opshift_type type;
    bool wanted;     /* to be drawn */
    bool open;       /* its rank is not declared but chosen */
    uint32_t rank;   /* of the tensor, or of each tensor of a sequence */
    int64_t *dims;   /* -1: not yet known */
    name_id *params; /* names of its dims as declared, or NULL for a chosen rank */
};

/* The consumers of each name: sorted by name, in file order. */
struct value_use {
    struct graph *graph;
    uint32_t node, position;
};
struct readers {
    uint32_t *starts; /* by name, plus an end */
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
    struct sizes numbers; /* symbolic dims without any other size, numbered in order of appearance */
    struct arena *arena, *scratch;
    struct budget budget; /* of the drawn bytes and of the analysis of nodes */
    uint64_t seed;
    enum opshift_status status; /* the first failure while nodes were analysed */
    struct opshift_error *error;
};

/* splitmix64: the same numbers on every machine. */
uint64_t draw_next(uint64_t *seed);

/* ---- draw_edge.c: numbers at the edges of a type ---- */

/* 0, 1, -1, the type's width and limits, ties, infinities, NaN; with constants, every second time one of these or a
 * number beside it. The number has the type's kind; random: all 64 bits. */
union number draw_edge(const struct number_type *type, const double *constants, size_t count, uint64_t random);
/* The edge of a number below draw_edge_count: all of them, one after the other. */
union number draw_edge_at(const struct number_type *type, const double *constants, size_t count, uint64_t at);
size_t draw_edge_count(const struct number_type *type, size_t count);

/* ---- draw_readers.c: the consumers of a value ---- */

enum opshift_status readers_new(struct opshift_model *model, struct arena *arena, struct readers *readers,
                                struct opshift_error *error);

/* A node that consumes an input, or a value with the input's elements. */
struct asking {
    struct drawing *drawing;
    const struct drawn *input;
    struct graph *graph;
    const struct node *node;
    const char *op_type; /* of ai.onnx */
    uint32_t position;
    bool in_order;  /* the value has the input's elements contiguously, from offset on */
    int64_t offset; /* of the first element */
};
typedef void asking_answer(const struct asking *asking, void *data);
/* Calls `answer` for each node that consumes the input: directly, in a body, in a called function, or through nodes
 * that pass its elements on. same_shape: only through nodes that keep the shape. */
void readers_ask(struct drawing *drawing, const struct drawn *input, bool same_shape, asking_answer *answer,
                 void *data);

/* Takes steps for a query; false: the limit is reached, and the rest is drawn without analysis. */
bool asking_may(struct drawing *drawing, uint64_t count);
/* Shape of a node's input (or output, numbered after the inputs). False: its rank is unknown. */
bool asking_shape(const struct asking *asking, uint32_t position, struct value_type *type);
/* The size of an input on an axis, which may count from the end; -1: unknown. */
int64_t asking_dim(const struct asking *asking, uint32_t position, int64_t axis);
bool asking_output(const struct asking *asking, uint32_t output, struct value_type *type);
/* The product of the dims; -1: a dim is unknown. */
int64_t asking_count(const struct value_type *type);
int64_t asking_int(const struct asking *asking, const char *attribute, int64_t fallback);
/* The integers of a constant input; NULL: it is not constant. */
const int64_t *asking_constant(const struct asking *asking, uint32_t position, size_t *count);

/* ---- draw_dims.c: sizes for dims that have none ---- */

/* Chosen ranks are below this. */
#define RANK_OPEN_MAX 8u

/* options->attempt selects among the choices. */
void dims_complete(struct drawing *drawing);

/* ---- draw_bounds.c: requirements on elements ---- */

struct element_bounds {
    bool ranged;
    double least, most; /* both inclusive */
    const double *list; /* NULL, or the elements themselves, one for each of the tensor */
    bool numerals;      /* strings that are decimal integers */
};

void element_bounds_find(struct drawing *drawing, const struct drawn *input, struct element_bounds *bounds);

#endif
