/* ConstantOfShape: one value, as often as a shape says. */
#include "kernel/support.h"

/* The one-element tensor of attribute value; a float 0 when there is none. */
static enum opshift_status find_value(const struct kernel_call *call, struct tensor **value,
                                      struct opshift_error *error)
{
    const Onnx__AttributeProto *attribute;
    enum opshift_status status =
        kernel_attribute(call, "value", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR, &attribute, error);
    if (status != OPSHIFT_OK)
        return status;
    if (attribute == NULL || attribute->t == NULL)
        return tensor_new(call->arena, OPSHIFT_TYPE_FLOAT, 0, NULL, value, error);
    status = kernel_room_for(call, attribute->t->data_type, attribute->t->n_dims, attribute->t->dims, error);
    if (status == OPSHIFT_OK)
        status = tensor_decode(call->arena, attribute->t, value, error);
    if (status == OPSHIFT_OK && (*value)->count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'value' has %llu elements, must have 1",
                            (unsigned long long)(*value)->count);
    return status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list shape;
    struct tensor *value = NULL;
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = kernel_vector(call, call->inputs[0], "the shape", &shape, error);
    if (status == OPSHIFT_OK && shape.count > TENSOR_RANK_MAX)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "the shape has %zu dims, above the limit of %d", shape.count,
                              TENSOR_RANK_MAX);
    for (size_t i = 0; status == OPSHIFT_OK && i < shape.count; i++)
        if (shape.values[i] < 0)
            status = opshift_fail(error, OPSHIFT_MALFORMED, "dim %zu of the shape is %lld, below 0", i,
                                  (long long)shape.values[i]);
    if (status == OPSHIFT_OK)
        status = find_value(call, &value, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, value->type, (uint32_t)shape.count, shape.values, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_MOVE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < call->outputs[0]->count; i++)
        kernel_copy(call->outputs[0], i, value, 0, 1);
    return status;
}

const struct kernel kernel_constant_of_shape[] = {{"ConstantOfShape", 9, KERNEL_ANY, run}, {0}};
