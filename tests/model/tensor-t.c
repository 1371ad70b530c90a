/* Tensors: the elements of each encoding, and the message of each error. */
#include <stdlib.h>
#include <string.h>

#include "model/tensor.h"
#include "tests/tap/tap.h"

static struct arena *arena;

static Onnx__TensorProto message_of(enum opshift_type type, int64_t *dims, size_t rank)
{
    Onnx__TensorProto message = ONNX__TENSOR_PROTO__INIT;
    message.has_data_type = true;
    message.data_type = (int32_t)type;
    message.dims = dims;
    message.n_dims = rank;
    return message;
}

static void test_typed_fields(void)
{
    int64_t dims[] = {2};
    struct tensor *tensor;
    static const struct {
        enum opshift_type type;
        int32_t values[2];
        size_t count;
        uint8_t wanted[8];
        size_t size;
    } cases[] = {
        {OPSHIFT_TYPE_INT8, {-1, 127}, 2, {0xff, 0x7f}, 2},
        {OPSHIFT_TYPE_UINT8, {0, 255}, 2, {0x00, 0xff}, 2},
        {OPSHIFT_TYPE_INT16, {-2, 258}, 2, {0xfe, 0xff, 2, 1}, 4},
        {OPSHIFT_TYPE_UINT16, {65535, 1}, 2, {0xff, 0xff, 1, 0}, 4},
        {OPSHIFT_TYPE_INT32, {-1, 1}, 2, {0xff, 0xff, 0xff, 0xff, 1}, 8},
        {OPSHIFT_TYPE_BOOL, {0, 7}, 2, {0, 1}, 2},
        {OPSHIFT_TYPE_FLOAT16, {0x3c00, 0xbc00}, 2, {0, 0x3c, 0, 0xbc}, 4},
        {OPSHIFT_TYPE_BFLOAT16, {0x3f80, 0}, 2, {0x80, 0x3f}, 4},
        {OPSHIFT_TYPE_FLOAT8E4M3FN, {0x38, 0xb8}, 2, {0x38, 0xb8}, 2},
        {OPSHIFT_TYPE_INT4, {0xf1}, 1, {0xf1}, 1},
        {OPSHIFT_TYPE_UINT2, {0x0e}, 1, {0x0e}, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opshift_error error = {0};
        Onnx__TensorProto message = message_of(cases[i].type, dims, 1);
        message.int32_data = (int32_t *)cases[i].values;
        message.n_int32_data = cases[i].count;
        if (ok(tensor_decode(arena, &message, &tensor, &error) == OPSHIFT_OK, "%s in int32_data",
               type_name(cases[i].type)))
            is_bytes(cases[i].wanted, cases[i].size, tensor->data, type_size(tensor->type, 2), "%s: its bytes",
                     type_name(cases[i].type));
        else
            diag("%s", error.text);
    }
}

static void test_other_fields(void)
{
    int64_t dims[] = {2}, longs[] = {-1, INT64_MAX};
    float floats[] = {1, 2, 3, 4};
    double doubles[] = {1, 2, 3, 4};
    uint64_t unsigneds[] = {7, UINT32_MAX};
    struct tensor *tensor;
    Onnx__TensorProto message = message_of(OPSHIFT_TYPE_INT64, dims, 1);
    message.int64_data = longs;
    message.n_int64_data = 2;
    ok(!tensor_decode(arena, &message, &tensor, NULL) && !memcmp(tensor->data, longs, 16), "int64 in int64_data");
    message = message_of(OPSHIFT_TYPE_COMPLEX64, dims, 1);
    message.float_data = floats;
    message.n_float_data = 4;
    ok(!tensor_decode(arena, &message, &tensor, NULL) && !memcmp(tensor->data, floats, 16), "complex64 in float_data");
    message = message_of(OPSHIFT_TYPE_COMPLEX128, dims, 1);
    message.double_data = doubles;
    message.n_double_data = 4;
    ok(!tensor_decode(arena, &message, &tensor, NULL) && !memcmp(tensor->data, doubles, 32),
       "complex128 in double_data");
    message = message_of(OPSHIFT_TYPE_UINT32, dims, 1);
    message.uint64_data = unsigneds;
    message.n_uint64_data = 2;
    ok(!tensor_decode(arena, &message, &tensor, NULL) && ((uint32_t *)tensor->data)[1] == UINT32_MAX,
       "uint32 in uint64_data");
    message = message_of(OPSHIFT_TYPE_STRING, dims, 1);
    ProtobufCBinaryData texts[] = {{1, (uint8_t *)"a"}, {0, NULL}};
    message.string_data = texts;
    message.n_string_data = 2;
    ok(!tensor_decode(arena, &message, &tensor, NULL) && tensor->strings[0].size == 1 && tensor->strings[1].size == 0,
       "strings in string_data");
}

static void is_refused(Onnx__TensorProto message, enum opshift_status status, const char *text)
{
    struct opshift_error error = {0};
    struct tensor *tensor;
    is_int(status, tensor_decode(arena, &message, &tensor, &error), "refused: %s", text);
    is_string(text, error.text, "and in these words");
}

static void test_faults(void)
{
    int64_t two[] = {2}, negative[] = {2, -1}, huge[] = {INT64_MAX, INT64_MAX}, many[65] = {0};
    uint8_t raw[7] = {0};
    int32_t values[] = {0, 300};
    Onnx__TensorProto__Segment segment = ONNX__TENSOR_PROTO__SEGMENT__INIT;
    Onnx__TensorProto message = message_of(OPSHIFT_TYPE_FLOAT, two, 1);
    is_refused(message, OPSHIFT_MALFORMED, "float_data holds 0, but 2 float elements need 2");
    message.has_raw_data = true;
    message.raw_data = (ProtobufCBinaryData){7, raw};
    is_refused(message, OPSHIFT_MALFORMED, "raw_data has 7 bytes, but 2 float elements need 8");
    message.data_type = OPSHIFT_TYPE_STRING;
    is_refused(message, OPSHIFT_MALFORMED, "strings in raw_data; they belong into string_data");
    message.data_type = 99;
    is_refused(message, OPSHIFT_UNSUPPORTED, "element type 99 is none that is known");
    message = message_of(OPSHIFT_TYPE_INT8, two, 1);
    message.int32_data = values;
    message.n_int32_data = 2;
    is_refused(message, OPSHIFT_MALFORMED, "int32_data[1] is 300, which no int8 can be");
    message.segment = &segment;
    is_refused(message, OPSHIFT_UNSUPPORTED, "a tensor in segments, which no release of ONNX can load");
    is_refused(message_of(OPSHIFT_TYPE_FLOAT, negative, 2), OPSHIFT_MALFORMED,
               "dim 1 of a tensor is -1; a dim cannot be negative");
    is_refused(message_of(OPSHIFT_TYPE_FLOAT, huge, 2), OPSHIFT_MALFORMED,
               "the dims of a tensor multiply to more than 2^59 elements");
    is_refused(message_of(OPSHIFT_TYPE_FLOAT, many, 65), OPSHIFT_UNSUPPORTED,
               "a tensor of 65 dims; at most 64 are read");
    message = message_of(OPSHIFT_TYPE_FLOAT, two, 1);
    message.has_data_location = true;
    message.data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    is_refused(message, OPSHIFT_UNSUPPORTED, "the tensor's data lies in another file, which cannot be read from here");
}

static enum opshift_status decode_sparse(int64_t *indices, int64_t *index_dims, size_t index_rank, int64_t *dims,
                                         size_t rank, struct tensor **tensor, struct opshift_error *error)
{
    static int64_t values[] = {5, 6}, two[] = {2};
    Onnx__TensorProto value = message_of(OPSHIFT_TYPE_INT64, two, 1);
    Onnx__TensorProto index = message_of(OPSHIFT_TYPE_INT64, index_dims, index_rank);
    Onnx__SparseTensorProto message = ONNX__SPARSE_TENSOR_PROTO__INIT;
    value.int64_data = values;
    value.n_int64_data = 2;
    index.int64_data = indices;
    index.n_int64_data = index_rank == 2 ? (size_t)(2 * index_dims[1]) : 2;
    message.values = &value;
    message.indices = &index;
    message.dims = dims;
    message.n_dims = rank;
    return tensor_decode_sparse(arena, &message, tensor, error);
}

static void test_sparse(void)
{
    int64_t linear[] = {1, 5}, by_axis[] = {0, 1, 1, 2}, backwards[] = {5, 1}, outside[] = {1, 6};
    int64_t one[] = {2}, two[] = {2, 2}, dims[] = {2, 3}, wide[] = {1 << 20, 1 << 20};
    int64_t wanted[] = {0, 5, 0, 0, 0, 6};
    struct opshift_error error = {0};
    struct tensor *tensor;
    if (ok(!decode_sparse(linear, one, 1, dims, 2, &tensor, &error), "linear indices"))
        is_bytes(wanted, sizeof wanted, tensor->data, 48, "each value in its place");
    if (ok(!decode_sparse(by_axis, two, 2, dims, 2, &tensor, &error), "indices by axis"))
        is_bytes(wanted, sizeof wanted, tensor->data, 48, "the same");
    is_int(OPSHIFT_MALFORMED, decode_sparse(backwards, one, 1, dims, 2, &tensor, &error), "out of order");
    is_string("index 1 of a sparse tensor does not come after the one before it", error.text, "in these words");
    is_int(OPSHIFT_MALFORMED, decode_sparse(outside, one, 1, dims, 2, &tensor, &error), "outside");
    is_string("index 1 of a sparse tensor is 6, outside its 6 elements", error.text, "in these words");
    is_int(OPSHIFT_UNSUPPORTED, decode_sparse(linear, one, 1, wide, 2, &tensor, &error),
           "small in the file, huge here");
    is_string("a sparse tensor takes 8796093022208 bytes when spread out; at most 268435456 are allowed", error.text,
              "in these words");
}

static void test_round_trip(void)
{
    int64_t dims[] = {3};
    struct tensor *tensor, *again;
    for (int type = 1; type < OPSHIFT_TYPE_COUNT; type++) {
        tensor_new(arena, (enum opshift_type)type, 1, dims, &tensor, NULL);
        if (type == OPSHIFT_TYPE_STRING)
            tensor->strings[1] = (struct bytes){(const uint8_t *)"x\0y", 3};
        else
            memset(tensor->data, 0x1b, type_size(tensor->type, 3));
        Onnx__TensorProto *message = tensor_encode(arena, tensor, (struct bytes){(const uint8_t *)"t", 1});
        ok(!tensor_decode(arena, message, &again, NULL) && tensor_equal(tensor, again), "%s written and read",
           type_name(tensor->type));
        is_int(type, type_find(type_name(tensor->type), strlen(type_name(tensor->type))), "and found by its name");
    }
    int64_t values[] = {1, 2};
    tensor = tensor_from_int64(arena, values, 2);
    ok(!tensor_equal(tensor, tensor_from_int64(arena, values, 1)), "tensors of different dims differ");
    tensor_new(arena, OPSHIFT_TYPE_UINT4, 1, dims, &tensor, NULL);
    tensor_new(arena, OPSHIFT_TYPE_UINT4, 1, dims, &again, NULL);
    ((uint8_t *)again->data)[1] = 0xf0;
    ok(tensor_equal(tensor, again), "bits behind the last element do not count");
    ((uint8_t *)again->data)[1] = 0x01;
    ok(!tensor_equal(tensor, again), "those of the last element do");
}

int main(void)
{
    arena = arena_new(0);
    test_typed_fields();
    test_other_fields();
    test_faults();
    test_sparse();
    test_round_trip();
    arena_free(arena);
    return done();
}
