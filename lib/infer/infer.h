/* Inference of one node: types of outputs from types and constants of inputs. */
#ifndef INFER_INFER_H
#define INFER_INFER_H

#include "infer/types.h"
#include "schema/operation.h"

/* Larger constants and attributes are ignored by inference. */
#define INFER_BYTES_MAX (UINT64_C(1) << 20)

/* The rank of the elements of a sequence that has none: any shape is theirs. */
#define RANK_EMPTY (-2)

struct inference;
struct known;
struct clash;
struct type_attribute;
struct body_rule;
struct constraint;
typedef void (*shape_rule)(struct inference *inference);
/* Gives the constants of the outputs, where they follow from those of the inputs (compute.c). */
typedef void (*known_rule)(struct inference *inference);

/* Properties of an operator at a version. */
struct operator_rules {
    name_id op_type, domain;
    int64_t opset;
    const struct graph *graph;   /* of the last lookup; its opset is this one */
    bool filled;                 /* false: nothing is here */
    enum operator_id id;         /* NONE: no operator that any opset knows */
    const struct schema *schema; /* NULL: unknown operator */
    const struct body_rule *body;
    const struct type_attribute *type_attribute;
    const struct constraint *constraints; /* NULL: none */
    size_t constraint_count;
    shape_rule shape;
    known_rule known;
    bool passes; /* its output has the type of its input */
};

/* The values whose unconfirmed declarations a type rests on, by number (result.h); 0: none. */
struct value_basis {
    uint32_t element, rank, shape, constant;
};

struct inference {
    struct types *types;
    struct opshift_model *model;
    struct scopes *scopes;
    struct arena *arena; /* for all that belongs to this node */
    struct graph *graph;
    const struct node *node;
    struct operator_rules rules; /* a copy: other nodes' may be found meanwhile */
    struct operation operation;  /* its schema is NULL: an unknown operator, or a call */
    struct value_type *inputs;   /* as many as the node has; an absent one is unknown */
    uint32_t *numbers;           /* of the inputs' values (result.h) */
    struct value_type *outputs;  /* start as unknown */
    const struct known **known;  /* constants of the outputs; start as NULL */
    struct opshift_error *error;
    enum opshift_status status; /* the first failure: no memory, or the file cannot be read */
    bool rank_follows_dims;     /* see shape.h */
    struct clash *clashes;      /* clash.h */
    uint32_t clash_count;
    struct value_basis basis; /* of what was read of the inputs */
};

extern const struct value_type type_unknown;

/* ---- settings: attributes, constants (infer.c, known.c) ---- */

/* True if status is OK. MALFORMED and UNSUPPORTED count as unknown; other failures end the inference. */
bool inference_goes_on(struct inference *inference, enum opshift_status status);
/* What a reading fills whose status inference_goes_on gets; NULL: an earlier failure is reported. */
struct opshift_error *inference_error(const struct inference *inference);
/* Zeroed, in the inference's arena. NULL: no memory. */
void *inference_alloc(struct inference *inference, size_t count, size_t size);
/* The node's, read on the first call, as inference_run does; none where they are broken. */
const struct attribute_range *inference_attributes(struct inference *inference, size_t *count);
bool inference_has_input(const struct inference *inference, uint32_t position);
/* operation_ints, in two parts, which stay as they are where there is no value. */
enum setting_state attribute_ints(const struct inference *inference, enum attribute_id id, const int64_t **values,
                                  size_t *count);
enum setting_state attribute_type(struct inference *inference, enum attribute_id id, struct value_type *type);
/* The integers behind an input that is a constant of int64 or int32, of rank 0 or 1, and not long. */
enum setting_state input_ints(struct inference *inference, uint32_t position, const int64_t **values, size_t *count);
/* A list that is an attribute at some versions and an input at others. */
enum setting_state setting_ints(struct inference *inference, enum attribute_id id, uint32_t position,
                                const int64_t **values, size_t *count);
/* Type and dims of a TensorProto attribute, without reading its elements. */
enum setting_state attribute_tensor_type(struct inference *inference, enum attribute_id id, struct value_type *type);

/* ---- types of outputs ---- */

/* Element types, from the schema and from attributes that name a type (element.c). */
void infer_elements(struct inference *inference);
/* Is the element type of the first output that of the first input, of one type variable? */
bool schema_passes_element(const struct schema *schema);
/* NULL: no attribute of this operator names a type. */
const struct type_attribute *type_attribute_find(enum operator_id id);
/* The shapes of an operator's outputs (shape.c). NULL: nothing is known of them. */
shape_rule shape_rule_find(enum operator_id id);
/* NULL: constants are not followed through this operator. */
known_rule known_rule_find(enum operator_id id);
/* NULL: neither If, Loop, Scan nor SequenceMap. */
const struct body_rule *body_rule_find(enum operator_id id);

/* ---- for checks (types.c, pass.c) ---- */

/* Begins an inference about a node whose inputs are completely inferred. Results are in arena. Fails as types_find
 * does. */
enum opshift_status inference_open(struct inference *inference, struct types *types, struct graph *graph,
                                   const struct node *node, struct arena *arena, struct opshift_error *error);
/* Infers the outputs of a node whose schema is known, or reports its clashes. */
void inference_run(struct inference *inference);

/* ---- shapes as such (infer.c) ---- */

/* The input at a position if its rank is known and valid; else NULL. */
const struct value_type *input_ranked(struct inference *inference, uint32_t position);
/* The input at a position, a tensor or not; NULL: it is absent. */
const struct value_type *input_any(struct inference *inference, uint32_t position);
/* Gives a value `rank` unknown dims. False: too many, or no memory. */
bool shape_new(struct inference *inference, struct value_type *type, size_t rank);
/* Gives a value the shape of another; the element type stays. */
void shape_like(struct value_type *type, const struct value_type *from);
void dim_copy(struct value_type *to, size_t at, const struct value_type *from, size_t index);
/* 0 <= *index < rank. */
bool axis_resolve(int64_t axis, size_t rank, size_t *index);
/* The elements that a slice takes of a dim, whose step is not 0, and the first of them. */
int64_t slice_cut(int64_t dim, int64_t start, int64_t end, int64_t step, int64_t *first);
/* Of two shapes, are ranks, or sizes of a dim, known and different? */
bool shapes_differ(const struct value_type *a, const struct value_type *b);
/* The product of the dims of a known rank; -1 when one is unknown or it overflows. */
int64_t dims_product(const struct value_type *type);
/* Types that are no tensors: what one of two alternatives gives. NULL: nothing. */
const char *other_join(const char *a, const char *b);
/* The common part of two types; differing parts are unknown. Dims are in arena. False: no memory. */
bool type_agree(struct arena *arena, const struct value_type *a, const struct value_type *b, struct value_type *both);

#endif
