/* Tensors: element types, sizes, and conversion between TensorProto's encodings and one layout. */
#include "model/tensor.h"

#include <inttypes.h>
#include <string.h>

/* Maximum size of a sparse tensor made dense: a few bytes may declare huge dims. */
#define SPARSE_SIZE_MAX (256u << 20)

/* The typed field of a TensorProto that holds an element type when raw_data does not. */
enum storage { IN_FLOAT, IN_INT32, IN_INT64, IN_DOUBLE, IN_UINT64, IN_STRING };

/* How int32_data and uint64_data values are checked on their way into narrower elements. */
enum width_check { ANY_VALUE, SIGNED_VALUE, UNSIGNED_VALUE, BIT_PATTERN };

struct type_row {
    const char *name;
    uint8_t bits;
    uint8_t word; /* bytes swapped on a big-endian machine */
    enum storage storage;
    enum width_check check;
};

static const struct type_row types[OPSHIFT_TYPE_COUNT] = {
    [OPSHIFT_TYPE_FLOAT] = {"float", 32, 4, IN_FLOAT, ANY_VALUE},
    [OPSHIFT_TYPE_UINT8] = {"uint8", 8, 1, IN_INT32, UNSIGNED_VALUE},
    [OPSHIFT_TYPE_INT8] = {"int8", 8, 1, IN_INT32, SIGNED_VALUE},
    [OPSHIFT_TYPE_UINT16] = {"uint16", 16, 2, IN_INT32, UNSIGNED_VALUE},
    [OPSHIFT_TYPE_INT16] = {"int16", 16, 2, IN_INT32, SIGNED_VALUE},
    [OPSHIFT_TYPE_INT32] = {"int32", 32, 4, IN_INT32, ANY_VALUE},
    [OPSHIFT_TYPE_INT64] = {"int64", 64, 8, IN_INT64, ANY_VALUE},
    [OPSHIFT_TYPE_STRING] = {"string", 0, 1, IN_STRING, ANY_VALUE},
    [OPSHIFT_TYPE_BOOL] = {"bool", 8, 1, IN_INT32, ANY_VALUE},
    [OPSHIFT_TYPE_FLOAT16] = {"float16", 16, 2, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_DOUBLE] = {"double", 64, 8, IN_DOUBLE, ANY_VALUE},
    [OPSHIFT_TYPE_UINT32] = {"uint32", 32, 4, IN_UINT64, UNSIGNED_VALUE},
    [OPSHIFT_TYPE_UINT64] = {"uint64", 64, 8, IN_UINT64, ANY_VALUE},
    [OPSHIFT_TYPE_COMPLEX64] = {"complex64", 64, 4, IN_FLOAT, ANY_VALUE},
    [OPSHIFT_TYPE_COMPLEX128] = {"complex128", 128, 8, IN_DOUBLE, ANY_VALUE},
    [OPSHIFT_TYPE_BFLOAT16] = {"bfloat16", 16, 2, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_FLOAT8E4M3FN] = {"float8e4m3fn", 8, 1, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_FLOAT8E4M3FNUZ] = {"float8e4m3fnuz", 8, 1, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_FLOAT8E5M2] = {"float8e5m2", 8, 1, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_FLOAT8E5M2FNUZ] = {"float8e5m2fnuz", 8, 1, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_UINT4] = {"uint4", 4, 1, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_INT4] = {"int4", 4, 1, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_FLOAT4E2M1] = {"float4e2m1", 4, 1, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_FLOAT8E8M0] = {"float8e8m0", 8, 1, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_UINT2] = {"uint2", 2, 1, IN_INT32, BIT_PATTERN},
    [OPSHIFT_TYPE_INT2] = {"int2", 2, 1, IN_INT32, BIT_PATTERN},
};

static const struct type_row *row_of(int64_t type)
{
    return type > 0 && type < OPSHIFT_TYPE_COUNT ? &types[type] : NULL;
}

const char *type_name(enum opshift_type type)
{
    const struct type_row *row = row_of((int64_t)type);
    return row ? row->name : NULL;
}

enum opshift_type type_find(const char *name, size_t size)
{
    for (size_t i = 1; i < COUNT(types); i++)
        if (strlen(types[i].name) == size && memcmp(types[i].name, name, size) == 0)
            return (enum opshift_type)i;
    return OPSHIFT_TYPE_UNDEFINED;
}

uint32_t type_bits(enum opshift_type type)
{
    const struct type_row *row = row_of((int64_t)type);
    return row ? row->bits : 0;
}

uint64_t type_size(enum opshift_type type, uint64_t count)
{
    uint32_t bits = type_bits(type);
    if (bits >= 8)
        return count > UINT64_MAX / (bits / 8) ? UINT64_MAX : count * (bits / 8);
    uint32_t per_byte = bits ? 8 / bits : 1;
    return bits ? count / per_byte + (count % per_byte != 0) : 0;
}

/* The number of elements; fails on invalid dims. */
static enum opshift_status count_elements(uint64_t rank, const int64_t *dims, uint64_t *count,
                                          struct opshift_error *error)
{
    if (rank > TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a tensor of %" PRIu64 " dims; at most %d are read", rank,
                            TENSOR_RANK_MAX);
    *count = 1;
    for (uint64_t i = 0; i < rank; i++)
        if (dims[i] == 0)
            *count = 0;
    for (uint64_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "dim %" PRIu64 " of a tensor is %" PRId64 "; a dim cannot be negative", i, dims[i]);
        if (*count > (uint64_t)INT64_MAX / 16 / ((uint64_t)dims[i] + (dims[i] == 0)))
            return opshift_fail(error, OPSHIFT_MALFORMED, "the dims of a tensor multiply to more than 2^59 elements");
        *count *= (uint64_t)dims[i];
    }
    return OPSHIFT_OK;
}

enum opshift_status tensor_over(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                void *data, struct tensor **tensor, struct opshift_error *error)
{
    uint64_t count;
    if (row_of((int64_t)type) == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "element type %d is none that is known", (int)type);
    enum opshift_status status = count_elements(rank, dims, &count, error);
    if (status)
        return status;
    struct tensor *made = arena_alloc(arena, 1, sizeof *made + rank * sizeof *dims); /* its dims follow it */
    if (made == NULL)
        return opshift_no_memory(error);
    *made = (struct tensor){.type = type, .rank = rank, .dims = (int64_t *)(made + 1), .count = count, .data = data};
    if (rank > 0)
        memcpy(made->dims, dims, rank * sizeof *dims);
    *tensor = made;
    return OPSHIFT_OK;
}

enum opshift_status tensor_new(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                               struct tensor **tensor, struct opshift_error *error)
{
    struct tensor *made;
    enum opshift_status status = tensor_over(arena, type, rank, dims, NULL, &made, error);
    if (status)
        return status;
    uint64_t element = type == OPSHIFT_TYPE_STRING ? sizeof(struct bytes) : 1;
    uint64_t units = type == OPSHIFT_TYPE_STRING ? made->count : type_size(type, made->count);
    if (units > SIZE_MAX / element)
        return opshift_no_memory(error);
    made->data = arena_alloc(arena, (size_t)units, (size_t)element);
    if (made->data == NULL)
        return opshift_no_memory(error);
    *tensor = made;
    return OPSHIFT_OK;
}

enum opshift_status tensor_copy(struct arena *arena, const struct tensor *from, struct tensor **tensor,
                                struct opshift_error *error)
{
    enum opshift_status status = tensor_new(arena, from->type, from->rank, from->dims, tensor, error);
    if (status || from->count == 0)
        return status;
    if (from->type != OPSHIFT_TYPE_STRING) {
        memcpy((*tensor)->data, from->data, (size_t)type_size(from->type, from->count));
        return OPSHIFT_OK;
    }
    for (uint64_t i = 0; i < from->count; i++) {
        uint8_t *copy = arena_copy(arena, from->strings[i].data, from->strings[i].size);
        if (copy == NULL)
            return opshift_no_memory(error);
        (*tensor)->strings[i] = (struct bytes){copy, from->strings[i].size};
    }
    return OPSHIFT_OK;
}

struct tensor *tensor_from_int64(struct arena *arena, const int64_t *values, size_t count)
{
    struct tensor *tensor;
    if (tensor_new(arena, OPSHIFT_TYPE_INT64, 1, &(int64_t){(int64_t)count}, &tensor, NULL))
        return NULL;
    if (count > 0)
        memcpy(tensor->data, values, count * sizeof *values);
    return tensor;
}

/* raw_data is little-endian; elements in memory are the machine's. The way back is the same. */
static void copy_little_endian(void *to, const void *from, uint64_t size, uint8_t word)
{
    if (size == 0)
        return;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (uint64_t i = 0; i < size; i++)
        ((uint8_t *)to)[i / word * word + (word - 1 - i % word)] = ((const uint8_t *)from)[i];
#else
    memcpy(to, from, size);
#endif
}

void tensor_from_little_endian(struct tensor *tensor)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint8_t *data = tensor->data;
    uint64_t size = type_size(tensor->type, tensor->count);
    size_t word = types[tensor->type].word;
    for (uint64_t at = 0; at < size; at += word) {
        uint8_t old[8];
        memcpy(old, data + at, word);
        for (size_t i = 0; i < word; i++)
            data[at + i] = old[word - 1 - i];
    }
#endif
}

/* State of decoding a TensorProto. */
struct decoding {
    const Onnx__TensorProto *message;
    const struct type_row *row;
    enum opshift_type type;
    uint64_t count, size;
    struct opshift_error *error;
};

static enum opshift_status mismatch(const struct decoding *decoding, const char *field, uint64_t seen, uint64_t wanted)
{
    return opshift_fail(decoding->error, OPSHIFT_MALFORMED,
                        "%s holds %" PRIu64 ", but %" PRIu64 " %s elements need %" PRIu64, field, seen, decoding->count,
                        decoding->row->name, wanted);
}

/* Checks the number of values in the typed field against the dims. */
static enum opshift_status typed_check(const struct decoding *decoding)
{
    const Onnx__TensorProto *message = decoding->message;
    uint32_t bits = decoding->row->bits;
    uint64_t parts = decoding->type == OPSHIFT_TYPE_COMPLEX64 || decoding->type == OPSHIFT_TYPE_COMPLEX128 ? 2 : 1;
    uint64_t wanted = bits > 0 && bits < 8 ? decoding->size : decoding->count * parts;
    struct {
        const char *name;
        uint64_t count;
    } fields[] = {
        [IN_FLOAT] = {"float_data", message->n_float_data},    [IN_INT32] = {"int32_data", message->n_int32_data},
        [IN_INT64] = {"int64_data", message->n_int64_data},    [IN_DOUBLE] = {"double_data", message->n_double_data},
        [IN_UINT64] = {"uint64_data", message->n_uint64_data}, [IN_STRING] = {"string_data", message->n_string_data},
    };
    enum storage storage = decoding->row->storage;
    if (fields[storage].count != wanted)
        return mismatch(decoding, fields[storage].name, fields[storage].count, wanted);
    return OPSHIFT_OK;
}

/* Does a value fit into `bits` bits? */
static bool fits(int64_t value, uint32_t bits, enum width_check check)
{
    int64_t half = (int64_t)1 << (bits - 1);
    switch (check) {
    case SIGNED_VALUE:
        return value >= -half && value < half;
    case UNSIGNED_VALUE:
        return value >= 0 && value < 2 * half;
    case BIT_PATTERN: /* some writers sign-extend the bits */
        return value >= -half && value < 2 * half;
    case ANY_VALUE:
        break;
    }
    return true;
}

static enum opshift_status from_int32(const struct decoding *decoding, uint8_t *to)
{
    const struct type_row *row = decoding->row;
    uint32_t bits = row->bits < 8 ? 8 : row->bits;
    for (size_t i = 0; i < decoding->message->n_int32_data; i++) {
        int32_t value = decoding->message->int32_data[i];
        if (!fits(value, bits, row->check))
            return opshift_fail(decoding->error, OPSHIFT_MALFORMED,
                                "int32_data[%zu] is %" PRId32 ", which no %s can be", i, value, row->name);
        if (decoding->type == OPSHIFT_TYPE_BOOL)
            value = value != 0;
        if (bits == 8)
            to[i] = (uint8_t)value;
        else if (bits == 16)
            memcpy(to + 2 * i, &(uint16_t){(uint16_t)value}, 2);
        else
            memcpy(to + 4 * i, &value, 4);
    }
    return OPSHIFT_OK;
}

static enum opshift_status from_uint64(const struct decoding *decoding, uint8_t *to)
{
    for (size_t i = 0; i < decoding->message->n_uint64_data; i++) {
        uint64_t value = decoding->message->uint64_data[i];
        if (decoding->row->bits == 64)
            memcpy(to + 8 * i, &value, 8);
        else if (value <= UINT32_MAX)
            memcpy(to + 4 * i, &(uint32_t){(uint32_t)value}, 4);
        else
            return opshift_fail(decoding->error, OPSHIFT_MALFORMED,
                                "uint64_data[%zu] is %" PRIu64 ", which no uint32 can be", i, value);
    }
    return OPSHIFT_OK;
}

static enum opshift_status from_strings(const struct decoding *decoding, struct arena *arena, struct bytes *to)
{
    for (size_t i = 0; i < decoding->message->n_string_data; i++) {
        ProtobufCBinaryData text = decoding->message->string_data[i];
        to[i] = (struct bytes){arena_copy(arena, text.data, text.len), text.len};
        if (to[i].data == NULL)
            return opshift_no_memory(decoding->error);
    }
    return OPSHIFT_OK;
}

static enum opshift_status typed_copy(const struct decoding *decoding, struct arena *arena, struct tensor *tensor)
{
    const void *from = NULL;
    switch (decoding->row->storage) {
    case IN_INT32:
        return from_int32(decoding, tensor->data);
    case IN_UINT64:
        return from_uint64(decoding, tensor->data);
    case IN_STRING:
        return from_strings(decoding, arena, tensor->strings);
    case IN_FLOAT:
        from = decoding->message->float_data;
        break;
    case IN_INT64:
        from = decoding->message->int64_data;
        break;
    case IN_DOUBLE:
        from = decoding->message->double_data;
        break;
    }
    if (decoding->size > 0)
        memcpy(tensor->data, from, decoding->size);
    return OPSHIFT_OK;
}

/* Computes the number of elements and bytes; fails on invalid type or dims. */
static enum opshift_status measure(const Onnx__TensorProto *message, uint64_t *count, uint64_t *size,
                                   struct opshift_error *error)
{
    if (row_of(message->data_type) == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "element type %" PRId32 " is none that is known",
                            message->data_type);
    enum opshift_status status = count_elements(message->n_dims, message->dims, count, error);
    if (status == OPSHIFT_OK)
        *size = type_size((enum opshift_type)message->data_type, *count);
    return status;
}

enum opshift_status tensor_measure(const Onnx__TensorProto *message, uint64_t *size, struct opshift_error *error)
{
    uint64_t count;
    return measure(message, &count, size, error);
}

/* All checks before memory is allocated for the elements. */
static enum opshift_status decoding_check(struct decoding *decoding)
{
    const Onnx__TensorProto *message = decoding->message;
    struct opshift_error *error = decoding->error;
    if (message->segment != NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a tensor in segments, which no release of ONNX can load");
    if (message->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "the tensor's data lies in another file, which cannot be read from here");
    enum opshift_status status = measure(message, &decoding->count, &decoding->size, error);
    if (status)
        return status;
    decoding->row = row_of(message->data_type);
    decoding->type = (enum opshift_type)message->data_type;
    if (!message->has_raw_data)
        return typed_check(decoding);
    if (decoding->type == OPSHIFT_TYPE_STRING)
        return opshift_fail(error, OPSHIFT_MALFORMED, "strings in raw_data; they belong into string_data");
    if (message->raw_data.len != decoding->size)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "raw_data has %zu bytes, but %" PRIu64 " %s elements need %" PRIu64, message->raw_data.len,
                            decoding->count, decoding->row->name, decoding->size);
    return OPSHIFT_OK;
}

enum opshift_status tensor_decode(struct arena *arena, const Onnx__TensorProto *message, struct tensor **tensor,
                                  struct opshift_error *error)
{
    struct decoding decoding = {.message = message, .error = error};
    enum opshift_status status = decoding_check(&decoding);
    if (status == OPSHIFT_OK)
        status = tensor_new(arena, decoding.type, (uint32_t)message->n_dims, message->dims, tensor, error);
    if (status)
        return status;
    if (!message->has_raw_data)
        return typed_copy(&decoding, arena, *tensor);
    copy_little_endian((*tensor)->data, message->raw_data.data, decoding.size, decoding.row->word);
    return OPSHIFT_OK;
}

/* Copies element `from` of one tensor to element `to` of another of the same type. */
static void element_copy(struct tensor *into, uint64_t to, const struct tensor *values, uint64_t from)
{
    uint32_t bits = type_bits(into->type);
    if (into->type == OPSHIFT_TYPE_STRING) {
        into->strings[to] = values->strings[from];
    } else if (bits >= 8) {
        memcpy((uint8_t *)into->data + to * (bits / 8), (const uint8_t *)values->data + from * (bits / 8), bits / 8);
    } else {
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the tensor has a known type. */
        uint32_t per_byte = 8 / bits, mask = (1u << bits) - 1;
        uint32_t value = ((const uint8_t *)values->data)[from / per_byte] >> (from % per_byte * bits) & mask;
        ((uint8_t *)into->data)[to / per_byte] |= (uint8_t)(value << (to % per_byte * bits));
    }
}

/* The position of the i-th value of a sparse tensor in the dense one. */
static enum opshift_status sparse_position(const struct tensor *indices, uint64_t i, const struct tensor *dense,
                                           uint64_t *position, struct opshift_error *error)
{
    const int64_t *index = indices->data;
    if (indices->rank == 1) {
        if (index[i] < 0 || (uint64_t)index[i] >= dense->count)
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "index %" PRIu64 " of a sparse tensor is %" PRId64 ", outside its %" PRIu64 " elements",
                                i, index[i], dense->count);
        *position = (uint64_t)index[i];
        return OPSHIFT_OK;
    }
    *position = 0;
    for (uint32_t axis = 0; axis < dense->rank; axis++) {
        int64_t at = index[i * dense->rank + axis];
        if (at < 0 || at >= dense->dims[axis])
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "index %" PRIu64 " of a sparse tensor is %" PRId64 " on axis %" PRIu32
                                ", outside its dim of %" PRId64,
                                i, at, axis, dense->dims[axis]);
        *position = *position * (uint64_t)dense->dims[axis] + (uint64_t)at;
    }
    return OPSHIFT_OK;
}

static enum opshift_status sparse_fill(struct tensor *dense, const struct tensor *values, const struct tensor *indices,
                                       struct opshift_error *error)
{
    uint64_t last = 0;
    for (uint64_t i = 0; i < values->count; i++) {
        uint64_t position = 0;
        enum opshift_status status = sparse_position(indices, i, dense, &position, error);
        if (status)
            return status;
        if (i > 0 && position <= last)
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "index %" PRIu64 " of a sparse tensor does not come after the one before it", i);
        last = position;
        element_copy(dense, position, values, i);
    }
    return OPSHIFT_OK;
}

/* The shapes of values and indices: [NNZ], and [NNZ] or [NNZ, rank]. */
static enum opshift_status sparse_check(const struct tensor *values, const struct tensor *indices, uint64_t rank,
                                        struct opshift_error *error)
{
    if (values->rank != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "the values of a sparse tensor have %" PRIu32 " dims; 1 is needed", values->rank);
    if (indices->type != OPSHIFT_TYPE_INT64)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the indices of a sparse tensor are %s; int64 is needed",
                            type_name(indices->type));
    bool linear = indices->rank == 1 && indices->dims[0] == values->dims[0];
    bool by_axis = indices->rank == 2 && indices->dims[0] == values->dims[0] && (uint64_t)indices->dims[1] == rank;
    if (!linear && !by_axis)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "the indices of a sparse tensor have the wrong shape; [%" PRId64 "] or [%" PRId64
                            ", %" PRIu64 "] is needed",
                            values->dims[0], values->dims[0], rank);
    return OPSHIFT_OK;
}

/* Allocates the dense tensor, all zero. */
static enum opshift_status sparse_new(struct arena *arena, const Onnx__SparseTensorProto *message,
                                      enum opshift_type type, struct tensor **tensor, struct opshift_error *error)
{
    uint64_t count;
    enum opshift_status status = count_elements(message->n_dims, message->dims, &count, error);
    if (status)
        return status;
    uint64_t size = type == OPSHIFT_TYPE_STRING ? count * sizeof(struct bytes) : type_size(type, count);
    if (size > SPARSE_SIZE_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "a sparse tensor takes %" PRIu64 " bytes when spread out; at most %u are allowed", size,
                            SPARSE_SIZE_MAX);
    return tensor_new(arena, type, (uint32_t)message->n_dims, message->dims, tensor, error);
}

enum opshift_status tensor_decode_sparse(struct arena *arena, const Onnx__SparseTensorProto *message,
                                         struct tensor **tensor, struct opshift_error *error)
{
    struct tensor *values, *indices, *dense;
    if (message->values == NULL || message->indices == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "a sparse tensor without its %s",
                            message->values == NULL ? "values" : "indices");
    enum opshift_status status = tensor_decode(arena, message->values, &values, error);
    if (status == OPSHIFT_OK)
        status = tensor_decode(arena, message->indices, &indices, error);
    if (status == OPSHIFT_OK)
        status = sparse_check(values, indices, message->n_dims, error);
    if (status == OPSHIFT_OK)
        status = sparse_new(arena, message, values->type, &dense, error);
    if (status == OPSHIFT_OK)
        status = sparse_fill(dense, values, indices, error);
    if (status == OPSHIFT_OK)
        *tensor = dense;
    return status;
}

static bool encode_strings(struct arena *arena, const struct tensor *tensor, Onnx__TensorProto *message)
{
    message->string_data = arena_alloc(arena, tensor->count, sizeof *message->string_data);
    if (message->string_data == NULL)
        return false;
    for (uint64_t i = 0; i < tensor->count; i++) {
        message->string_data[i].data = (uint8_t *)tensor->strings[i].data;
        message->string_data[i].len = tensor->strings[i].size;
    }
    message->n_string_data = tensor->count;
    return true;
}

static bool encode_raw(struct arena *arena, const struct tensor *tensor, Onnx__TensorProto *message)
{
    uint64_t size = type_size(tensor->type, tensor->count);
    message->raw_data.data = arena_alloc(arena, size, 1);
    if (message->raw_data.data == NULL)
        return false;
    copy_little_endian(message->raw_data.data, tensor->data, size, types[tensor->type].word);
    message->raw_data.len = size;
    message->has_raw_data = true;
    return true;
}

Onnx__TensorProto *tensor_encode(struct arena *arena, const struct tensor *tensor, struct bytes name)
{
    Onnx__TensorProto *message = arena_alloc(arena, 1, sizeof *message);
    if (message == NULL)
        return NULL;
    onnx__tensor_proto__init(message);
    message->dims = arena_copy(arena, tensor->dims, tensor->rank * sizeof *tensor->dims);
    message->n_dims = tensor->rank;
    message->has_data_type = true;
    message->data_type = (int32_t)tensor->type;
    if (name.size > 0) {
        message->has_name = true;
        message->name.data = arena_copy(arena, name.data, name.size);
        message->name.len = name.size;
    }
    bool text = tensor->type == OPSHIFT_TYPE_STRING;
    if (message->dims == NULL || (name.size > 0 && message->name.data == NULL) ||
        !(text ? encode_strings(arena, tensor, message) : encode_raw(arena, tensor, message)))
        return NULL;
    return message;
}

static bool strings_equal(const struct tensor *a, const struct tensor *b)
{
    for (uint64_t i = 0; i < a->count; i++) {
        if (a->strings[i].size != b->strings[i].size)
            return false;
        if (a->strings[i].size > 0 && memcmp(a->strings[i].data, b->strings[i].data, a->strings[i].size) != 0)
            return false;
    }
    return true;
}

/* Bits behind the last packed element are ignored. */
static bool elements_equal(const struct tensor *a, const struct tensor *b)
{
    uint64_t size = type_size(a->type, a->count);
    uint32_t used = (uint32_t)(a->count % 8 * type_bits(a->type) % 8);
    const uint8_t *left = a->data, *right = b->data;
    if (used > 0 && ((left[size - 1] ^ right[size - 1]) & ((1u << used) - 1)) != 0)
        return false;
    uint64_t whole = used > 0 ? size - 1 : size;
    return whole == 0 || memcmp(left, right, whole) == 0;
}

bool tensor_equal(const struct tensor *a, const struct tensor *b)
{
    if (a == b)
        return true;
    if (a->type != b->type || a->rank != b->rank)
        return false;
    if (a->rank > 0 && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) != 0)
        return false;
    return a->type == OPSHIFT_TYPE_STRING ? strings_equal(a, b) : elements_equal(a, b);
}

uint64_t tensor_hash(const struct table *table, const struct tensor *tensor)
{
    uint64_t words[4] = {(uint64_t)tensor->type << 32 | tensor->rank,
                         table_hash(table, tensor->dims, tensor->rank * sizeof(*tensor->dims))};
    if (tensor->type == OPSHIFT_TYPE_STRING) {
        for (uint64_t i = 0; i < tensor->count; i++) {
            words[3] = table_hash(table, tensor->strings[i].data, tensor->strings[i].size);
            words[2] = table_hash(table, words, sizeof(words));
        }
    } else {
        uint64_t size = type_size(tensor->type, tensor->count);
        uint32_t used = (uint32_t)(tensor->count % 8 * type_bits(tensor->type) % 8);
        const uint8_t *data = tensor->data;
        words[2] = table_hash(table, data, (size_t)size - (used > 0));
        words[3] = used > 0 ? data[size - 1] & ((1u << used) - 1) : 0;
    }
    return table_hash(table, words, sizeof(words));
}
