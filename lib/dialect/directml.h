/* DirectML's Split: what a Split node becomes at a feature level, and the document that holds it. The struct names and
 * constraints are those of DML_SPLIT_OPERATOR_DESC and DML_BUFFER_TENSOR_DESC. */
#ifndef DIALECT_DIRECTML_H
#define DIALECT_DIRECTML_H

#include "base/arena.h"
#include "base/report.h"
#include "model/tensor.h"

/* The levels at which Split's constraints change; the others inherit from the one below. */
enum directml_level { DIRECTML_1_0, DIRECTML_2_1, DIRECTML_3_0, DIRECTML_4_1, DIRECTML_LEVEL_COUNT };

/* DML_TENSOR_DATA_TYPE: types that Split takes, with the vendor's numbers. */
enum directml_type {
    DIRECTML_FLOAT32 = 1,
    DIRECTML_FLOAT16,
    DIRECTML_UINT32,
    DIRECTML_UINT16,
    DIRECTML_UINT8,
    DIRECTML_INT32,
    DIRECTML_INT16,
    DIRECTML_INT8,
    DIRECTML_FLOAT64,
    DIRECTML_UINT64,
    DIRECTML_INT64,
    DIRECTML_TYPE_COUNT
};

/* How the operator's shape comes from the tensor's. */
enum directml_view {
    DIRECTML_VIEW_NONE,     /* the same dims */
    DIRECTML_VIEW_PAD,      /* dims of size 1 before them, up to 4 */
    DIRECTML_VIEW_COLLAPSE, /* the dims before the axis, the axis, those behind it */
    DIRECTML_VIEW_COUNT
};

#define DIRECTML_RANK_MAX 8
#define DIRECTML_SIZE_MAX UINT32_MAX

/* A Split whose parameters are known. */
struct directml_split {
    enum opshift_type type;
    uint32_t rank;
    const int64_t *dims; /* -1: unknown; of the axis: the sum of the lengths */
    int64_t axis;        /* may be negative */
    const int64_t *lengths;
    uint32_t count; /* of lengths: one for each output */
};

/* One bound output: the part of an output slot that is not empty. */
struct directml_part {
    uint32_t slot;  /* index in the node's outputs */
    uint32_t size;  /* along the operator's axis, in words */
    uint64_t total; /* TotalTensorSizeInBytes */
};

/* The lowered operator: all tensors have one DataType and sizes that differ along the axis only; they are packed. */
struct directml_desc {
    enum directml_type type; /* 0: no operator */
    enum directml_view view;
    uint32_t element_words; /* words of an element; 1 where a word has several elements */
    uint32_t word_elements; /* elements of a word; 1 where an element has several words */
    uint32_t rank;          /* DimensionCount */
    uint32_t sizes[DIRECTML_RANK_MAX];
    uint32_t axis;
    uint64_t total; /* TotalTensorSizeInBytes of the input */
    uint32_t count; /* OutputCount; 0: no operator, every output is empty */
    struct directml_part *parts;
};

/* Lowers a Split at a level; parts are in the arena. NO: error has the reason, e.g. a string, an unknown dim. */
enum opshift_status directml_lower(const struct directml_split *split, enum directml_level level, struct arena *arena,
                                   struct directml_desc *desc, struct opshift_error *error);

/* The lowest levels at which a Split runs: with the type and the dims that it has, and with any view. COUNT: none. */
struct directml_lowest {
    enum directml_level natively, by_view;
};
enum opshift_status directml_find_lowest(const struct directml_split *split, struct arena *arena,
                                         struct directml_lowest *lowest, struct opshift_error *error);
/* The lowest level whose constraints on DataType and DimensionCount the operator meets. */
enum directml_level directml_level_of(enum directml_type type, uint32_t rank);

/* "1_0" ... "6_4": the index of a level of Split's, or COUNT: no such level. */
enum directml_level directml_level_find(const char *name);
/* "1_0", "2_1", "3_0", "4_1" */
const char *directml_level_name(enum directml_level level);
/* "FLOAT32"; NULL: no such type */
const char *directml_type_name(enum directml_type type);
/* 0: no such type */
enum directml_type directml_type_find(const char *name);
uint32_t directml_type_size(enum directml_type type); /* in bytes */
/* The element type with the same name; UNDEFINED: no such type */
enum opshift_type directml_type_element(enum directml_type type);
const char *directml_view_name(enum directml_view view);
/* COUNT: no such view */
enum directml_view directml_view_find(const char *name);

/* ---- documents ---- */

/* An output slot that gets no tensor of the operator, only an empty allocation. */
struct directml_empty {
    uint32_t slot;
    const char *name;
    const int64_t *dims; /* as many as the operator's input has */
};

/* One lowered Split with its tensors. Names are as reports show them; those of other graphs than the main one have
 * their place in front. */
struct directml_operator {
    const char *node;  /* its name; "": none */
    const char *place; /* "node 'split' (Split)" */
    enum opshift_type type;
    uint32_t rank; /* of the tensor */
    const int64_t *dims;
    int64_t axis; /* as written */
    struct directml_desc desc;
    struct directml_lowest lowest;
    const char *input;
    const char *const *outputs; /* of each part; "": nothing reads it */
    const struct directml_empty *empties;
    uint32_t empty_count;
};

struct directml_document {
    struct directml_operator *operators;
    size_t count;
};

/* The JSON object of one operator. NULL: no memory. */
json_t *directml_operator_json(const struct directml_operator *op);
/* Reads a document of operators, or of one; it is in the arena. MALFORMED: error names the member, e.g.
 * "splits[0]: desc: InputTensor: Sizes[1] is 0; ...". */
enum opshift_status directml_read(const char *text, size_t size, struct arena *arena,
                                  struct directml_document *document, struct opshift_error *error);

/* C source that fills the structs. Start with {0}. */
struct directml_c {
    struct buffer structs, rows;
};
/* Adds an operator; its structs are named by its index and its node. */
void directml_operator_c(const struct directml_operator *op, size_t index, struct directml_c *source);
/* The whole source, for count operators; frees what was added. Freed with free. NULL: no memory. */
char *directml_c_take(struct directml_c *source, const char *level, size_t count);

/* ---- sizes ---- */

/* Rounds up to a multiple of 4, as TotalTensorSizeInBytes must be; UINT64_MAX: overflow. */
uint64_t directml_round(uint64_t bytes);
/* Bytes of a packed tensor; UINT64_MAX: overflow. */
uint64_t directml_bytes(enum directml_type type, uint32_t rank, const uint32_t *sizes);
/* Bytes of the ONNX tensor that is split; UINT64_MAX: overflow. */
uint64_t directml_tensor_bytes(const struct directml_operator *op);
/* Of these, those that one index of the axis has; the tensor must have elements. */
uint64_t directml_row_bytes(const struct directml_operator *op);

#endif
