/* The structs of DirectML's Split operator, for C source that `opshift export --to directml -f c` writes. On Windows
 * they come from the vendor's header; elsewhere they are declared here, with the same names, members and numbers, so
 * that the source can be compiled and read without it. OPSHIFT_DIRECTML_HEADER names another header that declares them.
 */
#ifndef OPSHIFT_DIRECTML_STRUCTS_H
#define OPSHIFT_DIRECTML_STRUCTS_H

#include <stddef.h>
#include <stdint.h>

#if defined(OPSHIFT_DIRECTML_HEADER)
#include OPSHIFT_DIRECTML_HEADER
#elif defined(_WIN32)
#include <DirectML.h>
#else

typedef uint32_t UINT;
typedef uint64_t UINT64;

/* The types that Split takes. */
typedef enum DML_TENSOR_DATA_TYPE {
    DML_TENSOR_DATA_TYPE_UNKNOWN = 0,
    DML_TENSOR_DATA_TYPE_FLOAT32 = 1,
    DML_TENSOR_DATA_TYPE_FLOAT16 = 2,
    DML_TENSOR_DATA_TYPE_UINT32 = 3,
    DML_TENSOR_DATA_TYPE_UINT16 = 4,
    DML_TENSOR_DATA_TYPE_UINT8 = 5,
    DML_TENSOR_DATA_TYPE_INT32 = 6,
    DML_TENSOR_DATA_TYPE_INT16 = 7,
    DML_TENSOR_DATA_TYPE_INT8 = 8,
    DML_TENSOR_DATA_TYPE_FLOAT64 = 9,
    DML_TENSOR_DATA_TYPE_UINT64 = 10,
    DML_TENSOR_DATA_TYPE_INT64 = 11
} DML_TENSOR_DATA_TYPE;

typedef enum DML_TENSOR_TYPE { DML_TENSOR_TYPE_INVALID = 0, DML_TENSOR_TYPE_BUFFER = 1 } DML_TENSOR_TYPE;
typedef enum DML_TENSOR_FLAGS { DML_TENSOR_FLAG_NONE = 0, DML_TENSOR_FLAG_OWNED_BY_DML = 1 } DML_TENSOR_FLAGS;
typedef enum DML_OPERATOR_TYPE { DML_OPERATOR_INVALID = 0, DML_OPERATOR_SPLIT = 62 } DML_OPERATOR_TYPE;

/* A tensor in a buffer. Strides NULL: packed. TotalTensorSizeInBytes is a multiple of 4. */
typedef struct DML_BUFFER_TENSOR_DESC {
    DML_TENSOR_DATA_TYPE DataType;
    DML_TENSOR_FLAGS Flags;
    UINT DimensionCount;
    const UINT *Sizes;
    const UINT *Strides;
    UINT64 TotalTensorSizeInBytes;
    UINT GuaranteedBaseOffsetAlignment;
} DML_BUFFER_TENSOR_DESC;

typedef struct DML_TENSOR_DESC {
    DML_TENSOR_TYPE Type;
    const void *Desc;
} DML_TENSOR_DESC;

typedef struct DML_OPERATOR_DESC {
    DML_OPERATOR_TYPE Type;
    const void *Desc;
} DML_OPERATOR_DESC;

typedef struct DML_SPLIT_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    UINT OutputCount;
    const DML_TENSOR_DESC *OutputTensors;
    UINT Axis;
} DML_SPLIT_OPERATOR_DESC;

#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An output of the node. */
struct opshift_directml_output {
    const char *name; /* of the tensor, UTF-8; "": nothing reads it */
    UINT slot;        /* index in the node's outputs */
};

/* One lowered Split. */
struct opshift_directml_split {
    const char *node;                              /* where the node is in the model */
    const DML_OPERATOR_DESC *desc;                 /* DML_OPERATOR_SPLIT; NULL: no operator, all outputs are empty */
    const char *input;                             /* name of the tensor that is split */
    const struct opshift_directml_output *outputs; /* as desc's OutputTensors */
    UINT output_count;
    const struct opshift_directml_output *empty_outputs; /* to be allocated without elements */
    UINT empty_output_count;
};

/* What the generated source defines. */
extern const struct opshift_directml_split opshift_directml_splits[];
extern const size_t opshift_directml_split_count;

#ifdef __cplusplus
}
#endif

#endif
