/* Clip: limits elements to two bounds; attributes before opset 11, scalar inputs since. */
#include "kernel/elementwise.h"

#include <float.h>

struct bounds {
    union number least, most;
};

/* The default bounds: the smallest and largest value of the type, for reals the finite ones; so infinity is clipped. */
static struct bounds widest(const struct number_type *type)
{
    unsigned bits = 8u * type->size;
    if (type->kind == NUMBER_UNSIGNED)
        return (struct bounds){{.u = 0}, {.u = UINT64_MAX >> (64 - bits)}};
    if (type->kind == NUMBER_SIGNED)
        return (struct bounds){{.i = INT64_MIN >> (64 - bits)}, {.i = INT64_MAX >> (64 - bits)}};
    double most = type->type == OPSHIFT_TYPE_DOUBLE     ? DBL_MAX
                  : type->type == OPSHIFT_TYPE_FLOAT16  ? 65504
                  : type->type == OPSHIFT_TYPE_BFLOAT16 ? 0x1.fep127
                                                        : (double)FLT_MAX;
    return (struct bounds){{.d = -most}, {.d = most}};
}

/* The attributes are floats for every element type. Since opset 6 their defaults are the smallest and largest finite
 * float if the element type is wider. */
static void attribute_bounds(const struct kernel_call *call, struct bounds *bounds)
{
    float least = kernel_gives(call, ATTRIBUTE_MIN) ? kernel_float(call, ATTRIBUTE_MIN) : -FLT_MAX;
    float most = kernel_gives(call, ATTRIBUTE_MAX) ? kernel_float(call, ATTRIBUTE_MAX) : FLT_MAX;
    bool narrows = call->operation.opset >= 6;
    if (least != -FLT_MAX || (narrows && bounds->least.d < (double)least))
        bounds->least.d = (double)least;
    if (most != FLT_MAX || (narrows && bounds->most.d > (double)most))
        bounds->most.d = (double)most;
}

static enum opshift_status input_bound(const struct kernel_call *call, uint32_t position, union number *bound,
                                       struct opshift_error *error)
{
    const struct tensor *input = kernel_input(call, position);
    if (input == NULL)
        return OPSHIFT_OK;
    if (input->count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has %llu elements, must be a scalar", position,
                            (unsigned long long)input->count);
    *bound = number_type(input->type)->load(input->data);
    return OPSHIFT_OK;
}

static union number clip(enum number_kind kind, union number value, struct bounds bounds)
{
    if (kind == NUMBER_REAL) {
        double least = value.d < bounds.least.d ? bounds.least.d : value.d;
        return (union number){.d = bounds.most.d < least ? bounds.most.d : least};
    }
    if (number_order(kind, value, bounds.least) < 0)
        value = bounds.least;
    return number_order(kind, bounds.most, value) < 0 ? bounds.most : value;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    if (call->operation.opset < 11 && type->kind != NUMBER_REAL)
        return kernel_no_number(input->type, error);
    struct bounds bounds = widest(type);
    if (call->operation.opset < 11)
        attribute_bounds(call, &bounds);
    enum opshift_status status = call->operation.opset < 11 ? OPSHIFT_OK : input_bound(call, 1, &bounds.least, error);
    if (status == OPSHIFT_OK && call->operation.opset >= 11)
        status = input_bound(call, 2, &bounds.most, error);
    if (status == OPSHIFT_OK)
        status = kernel_like(call, input->type, STEPS_COMPUTE, error);
    for (uint64_t at = 0; status == OPSHIFT_OK && at < input->count; at += ELEMENTWISE_RUN) {
        union number numbers[ELEMENTWISE_RUN];
        size_t count = elementwise_load(numbers, type, input, at);
        for (size_t i = 0; i < count; i++)
            numbers[i] = clip(type->kind, numbers[i], bounds);
        type->store_run((uint8_t *)call->outputs[0]->data + at * type->size, numbers, count);
    }
    return status;
}

const struct kernel kernels_clip[] = {{OPERATOR_CLIP, 1, KERNEL_ANY, run, {0}}, {0}};
