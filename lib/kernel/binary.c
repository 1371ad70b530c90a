/* Elementwise operators with two or more inputs. */
#include "kernel/elementwise.h"
#include "kernel/reals.h"

#include <math.h>

/* ---- two numbers ---- */

static const char *add(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind != NUMBER_REAL)
        return whole_add(kind, a, b, result) ? NULL : elementwise_overflow;
    result->d = a.d + b.d;
    return NULL;
}

static const char *subtract(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind != NUMBER_REAL)
        return whole_subtract(kind, a, b, result) ? NULL : elementwise_overflow;
    result->d = a.d - b.d;
    return NULL;
}

static const char *multiply(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind != NUMBER_REAL)
        return whole_multiply(kind, a, b, result) ? NULL : elementwise_overflow;
    result->d = a.d * b.d;
    return NULL;
}

/* Processors trap on this quotient of int32 and int64, and so do runtimes; smaller types are divided as int32. */
static const char *const least_by_minus_one = "the least integer divided by -1";

/* Integer division truncates; division by zero is an error. */
static const char *divide(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind == NUMBER_REAL) {
        result->d = a.d / b.d;
        return NULL;
    }
    if (b.u == 0)
        return "division by zero";
    if (kind == NUMBER_SIGNED && a.i == INT64_MIN && b.i == -1)
        return least_by_minus_one;
    if (kind == NUMBER_UNSIGNED)
        result->u = a.u / b.u;
    else
        result->i = a.i / b.i;
    return NULL;
}

static const char *divide_int32(enum number_kind kind, union number a, union number b, union number *result)
{
    return a.i == INT32_MIN && b.i == -1 ? least_by_minus_one : divide(kind, a, b, result);
}

static enum opshift_status run_div(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *input = kernel_input(call, 0);
    call->how.combine = input != NULL && input->type == OPSHIFT_TYPE_INT32 ? divide_int32 : divide;
    return elementwise_two(call, error);
}

static const char *remainder_of_dividend(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind == NUMBER_REAL) {
        result->d = fmod(a.d, b.d);
        return NULL;
    }
    if (b.u == 0)
        return "division by zero";
    if (kind == NUMBER_UNSIGNED)
        result->u = a.u % b.u;
    else
        result->i = b.i == -1 ? 0 : a.i % b.i;
    return NULL;
}

static const char *remainder_of_divisor(enum number_kind kind, union number a, union number b, union number *result)
{
    const char *wrong = remainder_of_dividend(kind, a, b, result);
    if (wrong == NULL && kind == NUMBER_SIGNED && result->i != 0 && (result->i < 0) != (b.i < 0))
        result->i += b.i;
    return wrong;
}

/* The result has the divisor's sign, or with fmod = 1 the dividend's. */
static enum opshift_status run_mod(struct kernel_call *call, struct opshift_error *error)
{
    int64_t as_fmod = kernel_int(call, ATTRIBUTE_FMOD);
    const struct number_type *type = number_type(call->inputs[0]->type);
    if (as_fmod == 0 && type != NULL && type->kind == NUMBER_REAL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "elements of type %s need the attribute fmod = 1",
                            type_name(type->type));
    call->how.combine = as_fmod != 0 ? remainder_of_dividend : remainder_of_divisor;
    return elementwise_two(call, error);
}

/* PRelu: multiplies elements below 0 by their slope. */
static const char *slope_below_zero(enum number_kind kind, union number a, union number b, union number *result)
{
    *result = a;
    if (kind == NUMBER_REAL && a.d < 0)
        result->d = a.d * b.d;
    else if (kind == NUMBER_SIGNED && a.i < 0)
        return whole_multiply(kind, a, b, result) ? NULL : elementwise_overflow;
    return NULL;
}

/* Before opset 7 there is one slope per channel (axis 1); since then slopes broadcast. */
static enum opshift_status slope_channels(struct kernel_call *call, struct opshift_error *error)
{
    struct kernel_call stretched = *call;
    const struct tensor *pair[2];
    struct tensor slope;
    int64_t dims[TENSOR_RANK_MAX];
    const struct tensor *input = call->inputs[0];
    pair[0] = input;
    pair[1] = call->inputs[1];
    if (pair[1]->rank == 1 && pair[1]->count != 1 && input->rank > 1) {
        for (uint32_t i = 0; i < input->rank; i++)
            dims[i] = i == 1 ? pair[1]->dims[0] : 1;
        slope = *pair[1];
        slope.rank = input->rank;
        slope.dims = dims;
        pair[1] = &slope;
    }
    stretched.inputs = pair;
    stretched.operation.opset = 7;
    return elementwise_two(&stretched, error);
}

static enum opshift_status run_p_relu(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = call->operation.opset < 7 ? slope_channels(call, error) : elementwise_two(call, error);
    if (status || call->outputs[0]->count == call->inputs[0]->count)
        return status;
    return opshift_fail(error, OPSHIFT_MALFORMED, "slopes of shape %s do not stretch to %s",
                        kernel_dims_text(call->arena, call->inputs[1]->rank, call->inputs[1]->dims),
                        kernel_dims_text(call->arena, call->inputs[0]->rank, call->inputs[0]->dims));
}

/* SwiGLU (28): the first input times its sigmoid, times the second; alpha steepens the sigmoid. */
static enum opshift_status run_swi_glu(struct kernel_call *call, struct opshift_error *error)
{
    float alpha = kernel_float(call, ATTRIBUTE_ALPHA);
    double *gate = NULL, *value = NULL, **const loaded[] = {&gate, &value};
    enum opshift_status status = kernel_shape(call, 1, call->inputs[0]->rank, call->inputs[0]->dims, error);
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, loaded, COUNT(loaded), error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    status = kernel_like(call, input->type, STEPS_CURVE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        gate[i] = gate[i] / (1 + exp(-(double)alpha * gate[i])) * value[i];
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, gate, input->count);
    return status;
}

/* ---- all inputs: NaN propagates ---- */

static const char *greater(enum number_kind kind, union number a, union number b, union number *result)
{
    *result = (kind == NUMBER_REAL && isnan(a.d)) || number_order(kind, a, b) > 0 ? a : b;
    return NULL;
}

static const char *less(enum number_kind kind, union number a, union number b, union number *result)
{
    *result = (kind == NUMBER_REAL && isnan(a.d)) || number_order(kind, a, b) < 0 ? a : b;
    return NULL;
}

static const char *add_reals(enum number_kind kind, union number a, union number b, union number *result)
{
    return kind == NUMBER_REAL ? add(kind, a, b, result) : "only real numbers have a mean";
}

static enum opshift_status run_mean(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = elementwise_all(call, error);
    if (status || call->input_count == 1)
        return status;
    struct tensor *sum = call->outputs[0];
    const struct number_type *type = number_type(sum->type);
    status = kernel_work(call, sum->count, STEPS_COMPUTE, error);
    if (status)
        return status;
    for (uint64_t at = 0; at < sum->count * type->size; at += type->size) {
        union number value = type->load((char *)sum->data + at);
        value.d /= call->input_count;
        type->store((char *)sum->data + at, value);
    }
    return OPSHIFT_OK;
}

/* ---- bools ---- */

static bool both(bool a, bool b)
{
    return a && b;
}

static bool any(bool a, bool b)
{
    return a || b;
}

static bool differ(bool a, bool b)
{
    return a != b;
}

const struct kernel kernels_binary[] = {
    {OPERATOR_ADD, 1, KERNEL_ANY, elementwise_two, {.combine = add}},
    {OPERATOR_AND, 1, KERNEL_ANY, elementwise_bools, {.logic = both}},
    {OPERATOR_DIV, 1, KERNEL_ANY, run_div, {0}},
    {OPERATOR_MAX, 1, KERNEL_ANY, elementwise_all, {.combine = greater}},
    {OPERATOR_MEAN, 1, KERNEL_ANY, run_mean, {.combine = add_reals}},
    {OPERATOR_MIN, 1, KERNEL_ANY, elementwise_all, {.combine = less}},
    {OPERATOR_MOD, 10, KERNEL_ANY, run_mod, {0}},
    {OPERATOR_MUL, 1, KERNEL_ANY, elementwise_two, {.combine = multiply}},
    {OPERATOR_OR, 1, KERNEL_ANY, elementwise_bools, {.logic = any}},
    {OPERATOR_PRELU, 1, KERNEL_ANY, run_p_relu, {.combine = slope_below_zero}},
    {OPERATOR_SUB, 1, KERNEL_ANY, elementwise_two, {.combine = subtract}},
    {OPERATOR_SUM, 1, KERNEL_ANY, elementwise_all, {.combine = add}},
    {OPERATOR_SWI_GLU, 28, KERNEL_ANY, run_swi_glu, {0}},
    {OPERATOR_XOR, 1, KERNEL_ANY, elementwise_bools, {.logic = differ}},
    {0},
};
