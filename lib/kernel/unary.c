/* Elementwise operators with one input. */
#include "kernel/element.h"
#include "kernel/elementwise.h"
#include "kernel/reals.h"

#include <math.h>

#define SQRT_2         1.41421356237309504880
#define SQRT_2_OVER_PI 0.79788456080286535588

/* ---- numbers of all kinds ---- */

static const char *size(enum number_kind kind, union number a, union number *result)
{
    bool least = kind == NUMBER_SIGNED && a.i == INT64_MIN;
    if (kind == NUMBER_REAL)
        result->d = fabs(a.d);
    else
        result->u = kind == NUMBER_SIGNED && a.i < 0 ? 0 - a.u : a.u;
    return least ? elementwise_overflow : NULL;
}

static const char *negate(enum number_kind kind, union number a, union number *result)
{
    bool least = kind == NUMBER_SIGNED && a.i == INT64_MIN;
    if (kind == NUMBER_REAL)
        result->d = -a.d;
    else
        result->u = 0 - a.u;
    return least ? elementwise_overflow : NULL;
}

/* NaN stays NaN. */
static const char *relu(enum number_kind kind, union number a, union number *result)
{
    *result = a;
    if (kind == NUMBER_REAL ? a.d < 0 : kind == NUMBER_SIGNED && a.i < 0)
        *result = (union number){.u = 0};
    return NULL;
}

/* -1, 0 or 1; NaN stays NaN. */
static const char *sign(enum number_kind kind, union number a, union number *result)
{
    if (kind == NUMBER_REAL)
        result->d = isnan(a.d) ? a.d : (double)((a.d > 0) - (a.d < 0));
    else
        result->i = kind == NUMBER_SIGNED ? (a.i > 0) - (a.i < 0) : a.u > 0;
    return NULL;
}

/* ---- functions of real numbers ---- */

static double gelu(double x)
{
    return 0.5 * x * (1 + erf(x / SQRT_2));
}

static double gelu_by_tanh(double x)
{
    return 0.5 * x * (1 + tanh(SQRT_2_OVER_PI * (x + 0.044715 * x * x * x)));
}

static double hard_swish(double x)
{
    return x * fmax(0, fmin(1, x / 6 + 0.5));
}

static double invert(double x)
{
    return 1 / x;
}

double curve_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

double curve_softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

double curve_softsign(double x)
{
    return x / (1 + fabs(x));
}

static double mish(double x)
{
    return x * tanh(curve_softplus(x));
}

static enum opshift_status run_gelu(struct kernel_call *call, struct opshift_error *error)
{
    bool by_tanh = operation_text_is(&call->operation, ATTRIBUTE_APPROXIMATE, "tanh");
    call->how.function = by_tanh ? gelu_by_tanh : gelu;
    return elementwise_real(call, error);
}

/* ---- functions with parameters ---- */

/* Both comparisons with 0 are false for NaN. */
static double celu(double x, const float *p)
{
    double below = (double)p[0] * expm1(x / (double)p[0]);
    return isnan(x) ? x : fmax(0, x) + fmin(0, below);
}

double curve_elu(double x, const float *p)
{
    return x < 0 ? (double)p[0] * expm1(x) : x;
}

double curve_hard_sigmoid(double x, const float *p)
{
    double y = (double)p[0] * x + (double)p[1];
    return isnan(y) ? y : fmax(0, fmin(1, y));
}

double curve_leaky_relu(double x, const float *p)
{
    return x < 0 ? (double)p[0] * x : x;
}

static double selu(double x, const float *p)
{
    return (double)p[1] * (x <= 0 ? (double)p[0] * expm1(x) : x);
}

/* Shrink: elements in [-lambd, lambd] become 0; others move towards 0 by bias. */
static double shrink(double x, const float *p)
{
    if (x < -(double)p[0])
        return x + (double)p[1];
    return x > (double)p[0] ? x - (double)p[1] : isnan(x) ? x : 0;
}

static double swish(double x, const float *p)
{
    return x / (1 + exp(-(double)p[0] * x));
}

double curve_thresholded_relu(double x, const float *p)
{
    return x > (double)p[0] ? x : 0;
}

static const struct curve celu_curve = {celu, 1, {ATTRIBUTE_ALPHA}}, elu_curve = {curve_elu, 1, {ATTRIBUTE_ALPHA}},
                          hard_sigmoid_curve = {curve_hard_sigmoid, 2, {ATTRIBUTE_ALPHA, ATTRIBUTE_BETA}},
                          leaky_relu_curve = {curve_leaky_relu, 1, {ATTRIBUTE_ALPHA}},
                          shrink_curve = {shrink, 2, {ATTRIBUTE_LAMBD, ATTRIBUTE_BIAS}},
                          swish_curve = {swish, 1, {ATTRIBUTE_ALPHA}},
                          selu_curve = {selu, 2, {ATTRIBUTE_ALPHA, ATTRIBUTE_GAMMA}},
                          thresholded_relu_curve = {curve_thresholded_relu, 1, {ATTRIBUTE_ALPHA}};

/* Integer results are truncated. */
static enum opshift_status run_shrink(struct kernel_call *call, struct opshift_error *error)
{
    const struct curve *curve = call->how.curve;
    const struct tensor *input = call->inputs[0];
    float values[CURVE_PARAMETERS] = {0};
    double *x = NULL;
    if (element_kind(input->type) == NUMBER_REAL)
        return elementwise_curve(call, error);
    for (size_t i = 0; i < curve->count; i++)
        values[i] = kernel_float(call, curve->parameters[i]);
    enum opshift_status status = reals_load(call, input, &x, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, input->rank, input->dims, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        x[i] = shrink(x[i], values);
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, x, input->count);
    return status;
}

/* ---- bool outputs ---- */

/* One real input, a bool output; asked: the result that the attributes select, or 1. */
static enum opshift_status ask(struct kernel_call *call, const int64_t *asked, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    enum opshift_status status = kernel_like(call, OPSHIFT_TYPE_BOOL, STEPS_MOVE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        ((uint8_t *)call->outputs[0]->data)[i] = call->how.is_true(element_load(input, i).d, asked);
    return status;
}

/* Infinity with a sign that the attributes select. */
static bool is_infinite(double x, const int64_t *asked)
{
    return isinf(x) && asked[x > 0] != 0;
}

static bool is_nan(double x, const int64_t *asked)
{
    (void)asked;
    return isnan(x) != 0;
}

static enum opshift_status run_is_inf(struct kernel_call *call, struct opshift_error *error)
{
    const int64_t sides[] = {kernel_int(call, ATTRIBUTE_DETECT_NEGATIVE), kernel_int(call, ATTRIBUTE_DETECT_POSITIVE)};
    return ask(call, sides, error);
}

static enum opshift_status run_is_nan(struct kernel_call *call, struct opshift_error *error)
{
    return ask(call, NULL, error);
}

static enum opshift_status run_not(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    enum opshift_status status = kernel_like(call, OPSHIFT_TYPE_BOOL, 1, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        ((uint8_t *)call->outputs[0]->data)[i] = ((const uint8_t *)input->data)[i] == 0;
    return status;
}

const struct kernel kernels_unary[] = {
    {OPERATOR_ABS, 1, KERNEL_ANY, elementwise_one, {.map = size}},
    {OPERATOR_ACOS, 7, KERNEL_ANY, elementwise_real, {.function = acos}},
    {OPERATOR_ACOSH, 9, KERNEL_ANY, elementwise_real, {.function = acosh}},
    {OPERATOR_ASIN, 7, KERNEL_ANY, elementwise_real, {.function = asin}},
    {OPERATOR_ASINH, 9, KERNEL_ANY, elementwise_real, {.function = asinh}},
    {OPERATOR_ATAN, 7, KERNEL_ANY, elementwise_real, {.function = atan}},
    {OPERATOR_ATANH, 9, KERNEL_ANY, elementwise_real, {.function = atanh}},
    {OPERATOR_CEIL, 1, KERNEL_ANY, elementwise_real, {.function = ceil}},
    {OPERATOR_CELU, 12, KERNEL_ANY, elementwise_curve, {.curve = &celu_curve}},
    {OPERATOR_COS, 7, KERNEL_ANY, elementwise_real, {.function = cos}},
    {OPERATOR_COSH, 9, KERNEL_ANY, elementwise_real, {.function = cosh}},
    {OPERATOR_ELU, 1, KERNEL_ANY, elementwise_curve, {.curve = &elu_curve}},
    {OPERATOR_ERF, 9, KERNEL_ANY, elementwise_real, {.function = erf}},
    {OPERATOR_EXP, 1, KERNEL_ANY, elementwise_real, {.function = exp}},
    {OPERATOR_FLOOR, 1, KERNEL_ANY, elementwise_real, {.function = floor}},
    {OPERATOR_GELU, 20, KERNEL_ANY, run_gelu, {0}},
    {OPERATOR_HARD_SIGMOID, 1, KERNEL_ANY, elementwise_curve, {.curve = &hard_sigmoid_curve}},
    {OPERATOR_HARD_SWISH, 14, KERNEL_ANY, elementwise_real, {.function = hard_swish}},
    {OPERATOR_IS_INF, 10, KERNEL_ANY, run_is_inf, {.is_true = is_infinite}},
    {OPERATOR_IS_NAN, 9, KERNEL_ANY, run_is_nan, {.is_true = is_nan}},
    {OPERATOR_LEAKY_RELU, 1, KERNEL_ANY, elementwise_curve, {.curve = &leaky_relu_curve}},
    {OPERATOR_LOG, 1, KERNEL_ANY, elementwise_real, {.function = log}},
    {OPERATOR_MISH, 18, KERNEL_ANY, elementwise_real, {.function = mish}},
    {OPERATOR_NEG, 1, KERNEL_ANY, elementwise_one, {.map = negate}},
    {OPERATOR_NOT, 1, KERNEL_ANY, run_not, {0}},
    {OPERATOR_RECIPROCAL, 1, KERNEL_ANY, elementwise_real, {.function = invert}},
    {OPERATOR_RELU, 1, KERNEL_ANY, elementwise_one, {.map = relu}},
    {OPERATOR_ROUND, 11, KERNEL_ANY, elementwise_real, {.function = nearbyint}},
    {OPERATOR_SELU, 1, KERNEL_ANY, elementwise_curve, {.curve = &selu_curve}},
    {OPERATOR_SHRINK, 9, KERNEL_ANY, run_shrink, {.curve = &shrink_curve}},
    {OPERATOR_SIGMOID, 1, KERNEL_ANY, elementwise_real, {.function = curve_sigmoid}},
    {OPERATOR_SIGN, 9, KERNEL_ANY, elementwise_one, {.map = sign}},
    {OPERATOR_SIN, 7, KERNEL_ANY, elementwise_real, {.function = sin}},
    {OPERATOR_SINH, 9, KERNEL_ANY, elementwise_real, {.function = sinh}},
    {OPERATOR_SOFTPLUS, 1, KERNEL_ANY, elementwise_real, {.function = curve_softplus}},
    {OPERATOR_SOFTSIGN, 1, KERNEL_ANY, elementwise_real, {.function = curve_softsign}},
    {OPERATOR_SQRT, 1, KERNEL_ANY, elementwise_real, {.function = sqrt}},
    {OPERATOR_SWISH, 24, KERNEL_ANY, elementwise_curve, {.curve = &swish_curve}},
    {OPERATOR_TAN, 7, KERNEL_ANY, elementwise_real, {.function = tan}},
    {OPERATOR_TANH, 1, KERNEL_ANY, elementwise_real, {.function = tanh}},
    {OPERATOR_THRESHOLDED_RELU, 10, KERNEL_ANY, elementwise_curve, {.curve = &thresholded_relu_curve}},
    {0},
};
