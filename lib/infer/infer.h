/* One node while the types of its outputs are worked out from the types of its inputs. */
#ifndef INFER_INFER_H
#define INFER_INFER_H

#include "infer/types.h"

/* A constant or an attribute that takes more bytes than this has no bearing on a type. */
#define INFER_BYTES_MAX (UINT64_C(1) << 20)

/* What asking for a setting gave. UNKNOWN: it is there, but computed, a function's parameter, or broken. */
enum answer { ANSWER_ABSENT, ANSWER_KNOWN, ANSWER_UNKNOWN };

struct inference;
struct body_rule;
struct type_attribute;
typedef void (*shape_rule)(struct inference *inference);

/* What follows from a node's operator and its version alone. */
struct operation {
    name_id op_type, domain;
    int64_t opset;
    const struct graph *graph;   /* that was asked about last; its opset is this one */
    const char *text;            /* the op_type; "" when it holds a NUL; NULL: nothing is here */
    const struct schema *schema; /* NULL: one that we do not know */
    const struct body_rule *body;
    const struct type_attribute *type_attribute;
    shape_rule shape;
    bool passes;         /* its output has the type of its input, and nothing else has a say in it */
    bool has_constants;  /* has asked for integers behind its inputs */
    bool has_attributes; /* some inference about such a node has looked at its attributes */
    bool gives_any;      /* its outputs may be of any type, which has to be asked of each node */
    uint64_t gives;      /* a bit for each element type that its outputs have, whatever its inputs are of */
};

/* A list of integers behind an input, which has a bearing on the types. */
struct asked_ints {
    const int64_t *values;
    size_t count;
    uint32_t position;
};
#define ASKED_MAX 4u

struct inference {
    struct types *types;
    struct opshift_model *model;
    struct scopes *scopes;
    struct arena *arena;   /* for what the results hold */
    struct arena *scratch; /* for attributes and constants: until this node is done */
    struct graph *graph;
    const struct node *node;
    struct operation operation;
    const struct schema *schema; /* NULL: an operator that we do not know, or a call */
    struct value_type *inputs;   /* as many as the node has; an absent one is unknown */
    struct value_type *outputs;  /* start as unknown */
    bool attributes_read;        /* by inference_attributes, as most operators' types do not depend on them */
    struct attribute_range *attributes;
    size_t attribute_count;
    bool is_alone; /* it has looked at more than precedent.h says */
    uint32_t asked_count;
    struct asked_ints asked[ASKED_MAX];
    enum opshift_status status; /* the first failure: no memory, or the file cannot be read */
    struct opshift_error *error;
};

extern const struct value_type type_unknown;

/* ---- settings: attributes, constants (infer.c, constant.c) ---- */

/* True when status is OK. A malformed or oversized thing is merely unknown; other failures end the inference. */
bool inference_goes_on(struct inference *inference, enum opshift_status status, const struct opshift_error *error);
void *inference_alloc(struct inference *inference, struct arena *arena, size_t count, size_t size);
/* The node's; none where they are broken. */
const struct attribute_range *inference_attributes(struct inference *inference, size_t *count);
bool inference_has_input(const struct inference *inference, uint32_t position);
/* Decodes an attribute that is small and no reference to a function's parameter; false: it is unknown. */
bool attribute_read(struct inference *inference, const struct attribute_range *range, Onnx__AttributeProto **message);
enum answer attribute_int(struct inference *inference, const char *name, int64_t *value);
enum answer attribute_ints(struct inference *inference, const char *name, const int64_t **values, size_t *count);
enum answer attribute_text(struct inference *inference, const char *name, struct bytes *value);
/* value is fallback where there is no such attribute; false: it is unknown. */
bool attribute_int_or(struct inference *inference, const char *name, int64_t fallback, int64_t *value);
/* The integers behind an input that is a small constant of int64 or int32, rank 0 or 1. */
enum answer input_ints(struct inference *inference, uint32_t position, const int64_t **values, size_t *count);
/* The same where it stands in the model as such: nobody is asked to compute it. */
enum answer constant_ints(struct inference *inference, uint32_t position, const int64_t **values, size_t *count);
/* A list that is an attribute at some versions and an input at others. */
enum answer setting_ints(struct inference *inference, const char *attribute, uint32_t position, const int64_t **values,
                         size_t *count);
/* Type and dims of a TensorProto attribute, without reading its elements. */
enum answer attribute_tensor_type(struct inference *inference, const char *name, struct value_type *type);
/* What a Constant gives: type and shape. */
void infer_constant(struct inference *inference);

/* ---- types of outputs ---- */

/* Element types, from the schema and from attributes that name a type (element.c). */
void infer_elements(struct inference *inference);
/* Is the element type of the first output that of the first input, of one type variable? */
bool schema_passes_element(const struct schema *schema);
/* possible.c: says what it gives, from the rest of what is known of it. */
void operation_survey(struct operation *operation);
/* NULL: no attribute of this operator names a type. */
const struct type_attribute *type_attribute_find(const char *op_type);
/* The shapes of operators whose shape is simple (shape.c). NULL: it is none. */
shape_rule shape_rule_find(const char *op_type);
/* Outputs of If, Loop, Scan and of calls; false: the node is none of these (body.c). */
bool infer_bodies(struct inference *inference);
/* NULL: neither If, Loop nor Scan. */
const struct body_rule *body_rule_find(const char *op_type);
/* The formal inputs of a subgraph, from its owner, for which the inference is. formals: as many as body has, unknown.
 */
void infer_formals(struct inference *inference, const struct graph *body, struct value_type *formals);

/* How much of an argument that is still being worked out is taken to be what the other calls give. */
enum trust { TRUST_NOTHING, TRUST_ELEMENTS, TRUST_SHAPES };
struct assumption;
/* What all calls of a function agree on for its formal inputs; what had to be assumed is put in front of the list. */
void infer_parameters(struct inference *inference, const struct function *function, enum trust trust,
                      struct value_type *formals, struct assumption **assumptions);
/* To be asked when nothing is pending any more. */
bool assumptions_hold(struct inference *inference, const struct assumption *assumptions);

/* ---- for who asks more than types (types.c) ---- */

/* Begins an inference about a node, all that it follows from worked out, none of its outputs: what is asked of it lives
 * in arena. */
enum opshift_status inference_open(struct inference *inference, struct types *types, struct graph *graph,
                                   const struct node *node, struct arena *arena, struct opshift_error *error);
/* The outputs as they follow from the inputs alone, whatever is declared of them. */
enum opshift_status inference_run(struct inference *inference);
/* What is declared of a name; unknown: nothing. */
enum opshift_status types_declared(struct types *types, struct graph *graph, name_id name, struct arena *arena,
                                   struct value_type *type, struct opshift_error *error);

/* ---- shapes as such (infer.c) ---- */

/* The input at a position when its rank is known and sensible; else NULL. */
const struct value_type *input_ranked(const struct inference *inference, uint32_t position);
/* Gives a value `rank` unknown dims. False: too many, or no memory. */
bool shape_new(struct inference *inference, struct value_type *type, size_t rank);
/* Gives a value the shape of another; the element type stays. */
void shape_like(struct value_type *type, const struct value_type *from);
void dim_copy(struct value_type *to, size_t at, const struct value_type *from, size_t index);
/* 0 <= *index < rank. */
bool axis_resolve(int64_t axis, size_t rank, size_t *index);
/* The product of dims[first .. last); -1 when one is unknown or it overflows. */
int64_t dims_product(const struct value_type *type, size_t first, size_t last);
/* Types that are no tensors: what either way to one value tells, and what both say. NULL: nothing. */
const char *other_join(const char *a, const char *b);
const char *other_agree(const char *a, const char *b);
/* What both say: where they differ, it is unknown. */
struct value_type type_agree(struct inference *inference, const struct value_type *a, const struct value_type *b);

/* Names of dims mean something else on the other side of a function's border. */
void type_forget_params(struct inference *inference, struct value_type *type);

/* ---- other values (entry.c) ---- */

/* What is known by now of a name seen from a graph. */
struct value_type types_known(const struct types *types, struct graph *graph, name_id name);
/* Whether it is still being worked out. */
bool types_pending(const struct types *types, struct graph *graph, name_id name);

#endif
