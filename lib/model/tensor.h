/* A tensor in memory, for kernels and constants. */
#ifndef MODEL_TENSOR_H
#define MODEL_TENSOR_H

#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "onnx.pb-c.h"

#define TENSOR_RANK_MAX 64

/* Owned by its arena. Elements in row-major order, native endian; 4-bit and 2-bit types packed as in
 * TensorProto.raw_data; bool one byte; complex as two floats or doubles. */
struct tensor {
    enum opshift_type type;
    uint32_t rank;
    int64_t *dims;  /* rank of them, each >= 0 */
    uint64_t count; /* product of dims */
    union {
        void *data;
        struct bytes *strings; /* OPSHIFT_TYPE_STRING */
    };
};

/* "float", "int64", ... as in the textual syntax; NULL for a number that is not an element type. */
const char *type_name(enum opshift_type type);
/* OPSHIFT_TYPE_UNDEFINED: no such type. */
enum opshift_type type_find(const char *name, size_t size);
/* Bits of an element in raw_data; 0 for string. */
uint32_t type_bits(enum opshift_type type);
uint64_t type_size(enum opshift_type type, uint64_t count); /* bytes of count packed elements; UINT64_MAX on overflow */

/* Zeroed elements. Fails on a negative dim, an overflowing product, no memory. */
enum opshift_status tensor_new(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                               struct tensor **tensor, struct opshift_error *error);
/* The same over the caller's elements, which must outlive the tensor. */
enum opshift_status tensor_over(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                void *data, struct tensor **tensor, struct opshift_error *error);
/* Copies a tensor with its elements and strings. */
enum opshift_status tensor_copy(struct arena *arena, const struct tensor *from, struct tensor **tensor,
                                struct opshift_error *error);
struct tensor *tensor_from_int64(struct arena *arena, const int64_t *values, size_t count); /* 1-D; NULL: no memory */
/* Decodes a message with raw_data or typed fields; sizes are checked against dims. Refuses external data (see
 * model_tensor). */
enum opshift_status tensor_decode(struct arena *arena, const Onnx__TensorProto *message, struct tensor **tensor,
                                  struct opshift_error *error);
enum opshift_status tensor_decode_sparse(struct arena *arena, const Onnx__SparseTensorProto *message,
                                         struct tensor **tensor, struct opshift_error *error);
/* The bytes of its elements (0 for strings); fails on invalid type or dims. */
enum opshift_status tensor_measure(const Onnx__TensorProto *message, uint64_t *size, struct opshift_error *error);
/* Converts elements in raw_data's byte order to the machine's. */
void tensor_from_little_endian(struct tensor *tensor);
/* Makes a message with raw_data (string_data for strings), owned by the arena; name may be {0}. NULL: no memory. */
Onnx__TensorProto *tensor_encode(struct arena *arena, const struct tensor *tensor, struct bytes name);
/* An element of a float, float16, bfloat16, double or integer type as a number; NaN for every other type. */
double tensor_number(const struct tensor *tensor, uint64_t index);
bool tensor_equal(const struct tensor *a, const struct tensor *b); /* type, dims and bytes */
/* Of what tensor_equal compares. */
uint64_t tensor_hash(const struct table *table, const struct tensor *tensor);

#endif
