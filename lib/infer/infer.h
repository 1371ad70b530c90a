/* Inference of one node: types of outputs from types and constants of inputs. */
#ifndef INFER_INFER_H
#define INFER_INFER_H

#include "infer/types.h"

/* Larger constants and attributes are ignored by inference. */
#define INFER_BYTES_MAX (UINT64_C(1) << 20)

/* The rank of the elements of a sequence that has none: any shape is theirs. */
#define RANK_EMPTY (-2)

/* Result of reading a setting. UNKNOWN: present, but computed, a function's parameter, or malformed. */
enum answer { ANSWER_ABSENT, ANSWER_KNOWN, ANSWER_UNKNOWN };

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
    const char *text;            /* the op_type; "" when it holds a NUL; NULL: nothing is here */
    const struct schema *schema; /* NULL: unknown operator */
    const struct body_rule *body;
    const struct type_attribute *type_attribute;
    const struct constraint *constraints; /* NULL: none */
    size_t constraint_count;
    shape_rule shape;
    known_rule known;
    bool passes;      /* its output has the type of its input */
    bool is_constant; /* it is a Constant */
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
    const struct schema *schema; /* NULL: an unknown operator, or a call */
    struct value_type *inputs;   /* as many as the node has; an absent one is unknown */
    uint32_t *numbers;           /* of the inputs' values (result.h) */
    struct value_type *outputs;  /* start as unknown */
    const struct known **known;  /* constants of the outputs; start as NULL */
    struct opshift_error *error;
    enum opshift_status status; /* the first failure: no memory, or the file cannot be read */
    bool attributes_read;       /* set by inference_attributes, since few operators' types depend on attributes */
    bool rank_follows_dims;     /* see shape.h */
    struct attribute_range *attributes;
    size_t attribute_count;
    Onnx__AttributeProto **messages; /* of the attributes, NULL where not decoded yet; NULL: none is */
    struct clash *clashes;           /* clash.h */
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
/* The node's; none where they are broken. */
const struct attribute_range *inference_attributes(struct inference *inference, size_t *count);
bool inference_has_input(const struct inference *inference, uint32_t position);
/* Decodes an attribute that is small and no reference to a function's parameter; false: it is unknown. */
bool attribute_read(struct inference *inference, const struct attribute_range *range, Onnx__AttributeProto **message);
/* The attribute of this name and type. */
enum answer attribute_get(struct inference *inference, const char *name, Onnx__AttributeProto__AttributeType type,
                          Onnx__AttributeProto **message);
enum answer attribute_int(struct inference *inference, const char *name, int64_t *value);
enum answer attribute_ints(struct inference *inference, const char *name, const int64_t **values, size_t *count);
enum answer attribute_float(struct inference *inference, const char *name, float *value);
enum answer attribute_floats(struct inference *inference, const char *name, const float **values, size_t *count);
enum answer attribute_type(struct inference *inference, const char *name, struct value_type *type);
bool attribute_is_there(struct inference *inference, const char *name);
enum answer attribute_text(struct inference *inference, const char *name, struct bytes *value);
/* value is fallback where there is no such attribute; false: it is unknown. */
bool attribute_int_or(struct inference *inference, const char *name, int64_t fallback, int64_t *value);
/* The integers behind an input that is a constant of int64 or int32, of rank 0 or 1, and not long. */
enum answer input_ints(struct inference *inference, uint32_t position, const int64_t **values, size_t *count);
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
/* NULL: no attribute of this operator names a type. */
const struct type_attribute *type_attribute_find(const char *op_type);
/* The shapes of an operator's outputs (shape.c). NULL: nothing is known of them. */
shape_rule shape_rule_find(const char *op_type);
/* The same for ai.onnx.ml (shape_ml.c). */
shape_rule shape_rule_ml_find(const char *op_type);
/* NULL: constants are not followed through this operator. */
known_rule known_rule_find(const char *op_type);
/* NULL: neither If, Loop, Scan nor SequenceMap. */
const struct body_rule *body_rule_find(const char *op_type);

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
/* Of two shapes, are ranks, or sizes of a dim, known and different? */
bool shapes_differ(const struct value_type *a, const struct value_type *b);
/* The product of the dims of a known rank; -1 when one is unknown or it overflows. */
int64_t dims_product(const struct value_type *type);
/* Types that are no tensors: what one of two alternatives gives. NULL: nothing. */
const char *other_join(const char *a, const char *b);
/* The common part of two types; differing parts are unknown. Dims are in arena. False: no memory. */
bool type_agree(struct arena *arena, const struct value_type *a, const struct value_type *b, struct value_type *both);

#endif
