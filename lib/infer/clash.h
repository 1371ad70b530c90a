/* What shape functions find wrong with a node: the sizes, axes and values that its operator does not accept. */
#ifndef INFER_CLASH_H
#define INFER_CLASH_H

#include "infer/infer.h"

#define SHAPE_TEXT_SIZE 160

/* FORM: OPS007 reports it. */
enum clash_kind { CLASH_VALUE, CLASH_AXIS, CLASH_SHAPES, CLASH_PERMUTATION, CLASH_COUNT, CLASH_FORM };

struct clash {
    enum clash_kind kind;
    struct range range; /* of the attribute; empty: of the node */
    const char *words;  /* "what is wrong; the way out" */
};

/* The fault of a refusal that a check of lint stands for, which comes before the node's clashes. It stays in lib. */
#define FAULT_OF_CHECK ((enum opshift_fault)(OPSHIFT_FAULT_IR + 1))

/* Reports that the node cannot be computed: its outputs have no shape then. Only what is certain is reported. */
void shape_clash(struct inference *inference, enum clash_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of an attribute. */
void attribute_clash(struct inference *inference, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The input at a position if its rank is known: for checks, as what the outputs rest on is not noted. */
const struct value_type *input_peek(const struct inference *inference, uint32_t position);
/* False, with a clash: the input does not broadcast to the shape. */
bool broadcasts_to(struct inference *inference, uint32_t position, const struct value_type *shape);
/* False, with a clash: the two inputs differ in rank or size. */
bool shapes_agree(struct inference *inference, uint32_t a, uint32_t b);
/* False, with a clash: the axis of the input (if it has it) is not as long as wanted (-1: unknown). */
bool dim_fits(struct inference *inference, uint32_t position, int32_t axis, int64_t wanted);
/* An attribute that the operator does not have at its opset is a clash: what it means is not known. */
void attributes_check(struct inference *inference);
/* axis_resolve, with a clash if it fails. */
bool axis_check(struct inference *inference, int64_t axis, int64_t rank, size_t *index);
/* Marks which of `rank` axes a list names (marked has TENSOR_RANK_MAX); false, with a clash: one is out of range or
 * named twice. */
bool axes_check(struct inference *inference, const int64_t *axes, size_t count, int64_t rank, bool *marked);
/* Are both sizes known and different? */
static inline bool dims_clash(int64_t a, int64_t b)
{
    return a >= 0 && b >= 0 && a != b;
}

/* Holds the node against the table of constraints (constraint.c); false, with a clash: one is broken. */
bool constraints_check(struct inference *inference);

/* "[2,?,3]"; long ones are cut. Returns buffer. */
const char *shape_text(const struct value_type *type, char buffer[SHAPE_TEXT_SIZE]);

/* Did the node clash with what is known of its inputs, in any call or iteration? After types_all. */
bool types_clashed(const struct types *types, const struct graph *graph, uint32_t index);
/* False: no memory. */
bool types_set_clashed(struct types *types, const struct graph *graph, uint32_t index);
/* The clashes of a node with what always holds of its inputs; in arena. Fails as types_find does. */
enum opshift_status types_clashes(struct types *types, struct graph *graph, uint32_t index, struct arena *arena,
                                  const struct clash **clashes, size_t *count, struct opshift_error *error);

/* ---- meant.c ---- */

/* Has the version that many inputs and outputs? */
bool schema_counts_fit(const struct schema *schema, const struct node *node);
/* *misfit: the first input whose type is known and not one of the version's; their number: none. */
enum opshift_status types_fit(struct types *types, struct graph *graph, const struct node *node,
                              const struct schema *schema, uint32_t *misfit, struct opshift_error *error);
/* Has a later version an attribute that this one does not have? */
bool schema_gains_attributes(const struct schema *schema);
/* *misfit: an attribute of the node that the version does not have, but another one; NULL: none. */
enum opshift_status attributes_fit(struct types *types, struct graph *graph, const struct node *node,
                                   const struct schema *schema, const char **misfit, struct opshift_error *error);
/* What a node is meant as that its opset does not take: the oldest later version of its operator that takes its inputs.
 * NULL: there is none. */
enum opshift_status types_meant(struct types *types, struct graph *graph, const struct node *node, int64_t opset,
                                const struct schema **meant, struct opshift_error *error);

#endif
