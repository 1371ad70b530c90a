/* Constant: the value in its one attribute, in any of its forms. */
#include "kernel/support.h"

#include <string.h>

typedef enum opshift_status make_value(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                       struct opshift_error *error);

static enum opshift_status make_tensor(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                       struct opshift_error *error)
{
    return kernel_decode(call, attribute, &call->outputs[0], error);
}

static enum opshift_status make_sparse(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                       struct opshift_error *error)
{
    if (attribute->sparse_tensor == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'sparse_value' holds no sparse tensor");
    const Onnx__SparseTensorProto *sparse = attribute->sparse_tensor;
    int32_t type = sparse->values == NULL ? 0 : sparse->values->data_type;
    enum opshift_status status = kernel_room_for(call, type, sparse->n_dims, sparse->dims, error);
    if (status)
        return status;
    return tensor_decode_sparse(call->arena, attribute->sparse_tensor, &call->outputs[0], error);
}

/* A scalar (rank 0) or list (rank 1) of numbers with the attribute's memory layout. */
static enum opshift_status make_numbers(struct kernel_call *call, enum opshift_type type, uint32_t rank,
                                        const void *values, size_t count, struct opshift_error *error)
{
    enum opshift_status status = kernel_output(call, 0, type, rank, &(int64_t){(int64_t)count}, error);
    if (status == OPSHIFT_OK && count > 0)
        memcpy(call->outputs[0]->data, values, count * kernel_element(type));
    return status;
}

static enum opshift_status make_int(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                    struct opshift_error *error)
{
    return make_numbers(call, OPSHIFT_TYPE_INT64, 0, &attribute->i, 1, error);
}

static enum opshift_status make_ints(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                     struct opshift_error *error)
{
    return make_numbers(call, OPSHIFT_TYPE_INT64, 1, attribute->ints, attribute->n_ints, error);
}

static enum opshift_status make_float(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                      struct opshift_error *error)
{
    return make_numbers(call, OPSHIFT_TYPE_FLOAT, 0, &attribute->f, 1, error);
}

static enum opshift_status make_floats(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                       struct opshift_error *error)
{
    return make_numbers(call, OPSHIFT_TYPE_FLOAT, 1, attribute->floats, attribute->n_floats, error);
}

static enum opshift_status make_texts(struct kernel_call *call, uint32_t rank, const ProtobufCBinaryData *texts,
                                      size_t count, struct opshift_error *error)
{
    enum opshift_status status = kernel_output(call, 0, OPSHIFT_TYPE_STRING, rank, &(int64_t){(int64_t)count}, error);
    for (size_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        void *copy = arena_copy(call->arena, texts[i].data, texts[i].len);
        if (copy == NULL)
            return opshift_no_memory(error);
        call->outputs[0]->strings[i] = (struct bytes){copy, texts[i].len};
    }
    return status;
}

static enum opshift_status make_string(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                       struct opshift_error *error)
{
    return make_texts(call, 0, &attribute->s, 1, error);
}

static enum opshift_status make_strings(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                        struct opshift_error *error)
{
    return make_texts(call, 1, attribute->strings, attribute->n_strings, error);
}

static const struct {
    enum attribute_id id;
    make_value *make;
} forms[] = {
    {ATTRIBUTE_VALUE, make_tensor},        {ATTRIBUTE_SPARSE_VALUE, make_sparse},
    {ATTRIBUTE_VALUE_INT, make_int},       {ATTRIBUTE_VALUE_INTS, make_ints},
    {ATTRIBUTE_VALUE_FLOAT, make_float},   {ATTRIBUTE_VALUE_FLOATS, make_floats},
    {ATTRIBUTE_VALUE_STRING, make_string}, {ATTRIBUTE_VALUE_STRINGS, make_strings},
};

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = kernel_attributes_known(call, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(forms); i++)
        if (kernel_gives(call, forms[i].id)) /* one is, as kernel_call has checked */
            return forms[i].make(call, kernel_message(call, forms[i].id), error);
    return status;
}

const struct kernel kernels_constant[] = {{OPERATOR_CONSTANT, 1, KERNEL_ANY, run, {0}}, {0}};
