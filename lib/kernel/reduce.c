/* Reductions along axes, which are an attribute in older versions and an input in newer ones. */
#include "kernel/elementwise.h"
#include "kernel/walk.h"

#include <math.h>
#include <string.h>

/* Largest integers exact in a double; beyond it, roots and logarithms of integers differ between runtimes. */
#define WHOLE_EXACT (UINT64_C(1) << 53)

/* A reduction. Integers wrap around; reals are accumulated as doubles and rounded to their type at the end. */
struct reduction {
    /* The result for no elements, if not 0. */
    union number (*start)(const struct number_type *type);
    /* Adds an element; false: the sum has wrapped around. */
    bool (*add)(enum number_kind kind, union number *sum, union number element);
    /* The result for count elements; NULL: the sum itself. False: runtimes may differ. */
    bool (*finish)(const struct number_type *type, union number *sum, uint64_t count);
    bool takes_bool;
    bool keeps_one; /* the result for one element is that element, -0 too */
};

/* The reduced axes as flags, and the output shape. */
struct reduced_shape {
    bool chosen[TENSOR_RANK_MAX];
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank;
    bool empty; /* noop_with_empty_axes, and there are none */
};

static enum opshift_status find_shape(const struct kernel_call *call, struct reduced_shape *shape,
                                      struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    struct int_list axes;
    int64_t noop = kernel_int(call, ATTRIBUTE_NOOP_WITH_EMPTY_AXES), keep = kernel_int(call, ATTRIBUTE_KEEPDIMS);
    *shape = (struct reduced_shape){.rank = 0};
    enum opshift_status status = kernel_setting(call, ATTRIBUTE_AXES, 1, "the list of axes", &axes, error);
    if (status == OPSHIFT_OK)
        status = kernel_axes(&axes, input->rank, shape->chosen, error);
    shape->empty = status == OPSHIFT_OK && axes.count == 0 && noop != 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < input->rank; i++) {
        shape->chosen[i] = shape->chosen[i] || (axes.count == 0 && noop == 0);
        if (!shape->chosen[i] || keep != 0)
            shape->dims[shape->rank++] = shape->chosen[i] ? 1 : input->dims[i];
    }
    return status;
}

/* The output's strides by input axis, 0 along reduced axes. */
static void find_strides(const struct tensor *input, const struct reduced_shape *shape, int64_t *strides)
{
    int64_t stride = 1;
    for (uint32_t i = input->rank; i-- > 0;) {
        strides[i] = shape->chosen[i] ? 0 : stride;
        stride *= shape->chosen[i] ? 1 : input->dims[i];
    }
}

/* Creates output 0. steps: per input element. */
static enum opshift_status start(struct kernel_call *call, bool takes_bool, uint64_t steps, struct reduced_shape *shape,
                                 struct opshift_error *error)
{
    enum opshift_status status = find_shape(call, shape, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    if (number_type(input->type) == NULL || (input->type == OPSHIFT_TYPE_BOOL && !takes_bool))
        return kernel_no_number(input->type, error);
    status = kernel_work(call, input->count, steps, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, shape->rank, shape->dims, error);
    return status == OPSHIFT_OK ? kernel_work(call, call->outputs[0]->count, STEPS_CURVE, error) : status;
}

static bool add_elements(const struct tensor *input, const struct number_type *type, const struct reduction *reduction,
                         const struct reduced_shape *shape, union number *sums)
{
    struct walk walk;
    bool fits = true;
    if (input->count == 0)
        return true;
    walk_start(&walk, input->rank, input->dims);
    find_strides(input, shape, walk.strides[0]);
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk)) {
        union number *sum = &sums[walk.at[0]];
        bool whole = reduction->add(type->kind, sum, type->load((const char *)input->data + i * type->size));
        fits = fits && whole && whole_fits(type, *sum);
    }
    return fits;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    const struct reduction *reduction = call->how.reduction;
    struct reduced_shape shape;
    enum opshift_status status = start(call, reduction->takes_bool, STEPS_COMPUTE, &shape, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    struct tensor *output = call->outputs[0];
    const struct number_type *type = number_type(input->type);
    if (shape.empty && reduction->keeps_one) {
        memcpy(output->data, input->data, (size_t)type_size(input->type, input->count));
        return OPSHIFT_OK;
    }
    uint64_t each = output->count == 0 ? 0 : input->count / output->count;
    union number *sums = arena_alloc(call->arena, output->count + 1, sizeof(*sums));
    if (sums == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; reduction->start != NULL && i < output->count; i++)
        sums[i] = reduction->start(type);
    bool fits = add_elements(input, type, reduction, &shape, sums);
    for (uint64_t i = 0; i < output->count; i++) {
        if (reduction->finish != NULL)
            fits = reduction->finish(type, &sums[i], each) && fits;
        type->store((char *)output->data + i * type->size, sums[i]);
    }
    return fits || type->kind == NUMBER_REAL ? OPSHIFT_OK : elementwise_overflowed(call, type, error);
}

/* ---- sums ---- */

static bool add(enum number_kind kind, union number *sum, union number element)
{
    if (kind != NUMBER_REAL)
        return whole_add(kind, *sum, element, sum);
    sum->d += element.d;
    return true;
}

static bool add_size(enum number_kind kind, union number *sum, union number element)
{
    if (kind == NUMBER_REAL) {
        sum->d += fabs(element.d);
        return true;
    }
    bool least = kind == NUMBER_SIGNED && element.i == INT64_MIN;
    element.u = kind == NUMBER_SIGNED && element.i < 0 ? 0 - element.u : element.u;
    return whole_add(kind, *sum, element, sum) && !least;
}

static bool add_square(enum number_kind kind, union number *sum, union number element)
{
    union number square;
    if (kind == NUMBER_REAL) {
        sum->d += element.d * element.d;
        return true;
    }
    bool fits = whole_multiply(kind, element, element, &square);
    return whole_add(kind, *sum, square, sum) && fits;
}

static bool take_root(const struct number_type *type, union number *sum, uint64_t count)
{
    bool exact = sum->u < WHOLE_EXACT;
    (void)count;
    if (type->kind == NUMBER_REAL)
        sum->d = sqrt(sum->d);
    else if (type->kind == NUMBER_SIGNED)
        sum->i = (int64_t)sqrt((double)sum->i);
    else
        sum->u = (uint64_t)sqrt((double)sum->u);
    return exact;
}

/* The logarithm of integer 0 is the smallest value, like a cast of -infinity. */
static bool take_log(const struct number_type *type, union number *sum, uint64_t count)
{
    bool exact = sum->u > 0 && sum->u < WHOLE_EXACT;
    (void)count;
    if (type->kind == NUMBER_REAL)
        sum->d = log(sum->d);
    else
        sum->i = number_cut(type, log(number_real(type->kind, *sum)));
    return exact;
}

/* Integer means are truncated; the mean of no elements is undefined. */
static bool divide(const struct number_type *type, union number *sum, uint64_t count)
{
    if (type->kind == NUMBER_REAL)
        sum->d /= (double)count;
    else if (type->kind == NUMBER_SIGNED)
        sum->i = count == 0 ? 0 : sum->i / (int64_t)count;
    else
        sum->u = count == 0 ? 0 : sum->u / count;
    return count > 0;
}

/* ---- products ---- */

static union number one(const struct number_type *type)
{
    return number_one(type->kind);
}

static bool multiply(enum number_kind kind, union number *product, union number element)
{
    if (kind != NUMBER_REAL)
        return whole_multiply(kind, *product, element, product);
    product->d *= element.d;
    return true;
}

/* ---- maximum and minimum: NaN propagates ---- */

/* The maximum of no elements: the smallest value of the type. */
static union number lowest(const struct number_type *type)
{
    if (type->kind == NUMBER_REAL)
        return (union number){.d = -(double)INFINITY};
    if (type->kind == NUMBER_UNSIGNED)
        return (union number){.u = 0};
    return (union number){.i = INT64_MIN >> (64 - type->size * 8)};
}

static union number highest(const struct number_type *type)
{
    if (type->kind == NUMBER_REAL)
        return (union number){.d = (double)INFINITY};
    if (type->type == OPSHIFT_TYPE_BOOL)
        return (union number){.u = 1};
    return (union number){.u = UINT64_MAX >> (64 - type->size * 8 + (type->kind == NUMBER_SIGNED))};
}

static bool keep_greatest(enum number_kind kind, union number *best, union number element)
{
    if ((kind == NUMBER_REAL && isnan(element.d)) || number_order(kind, element, *best) > 0)
        *best = element;
    return true;
}

static bool keep_least(enum number_kind kind, union number *best, union number element)
{
    if ((kind == NUMBER_REAL && isnan(element.d)) || number_order(kind, element, *best) < 0)
        *best = element;
    return true;
}

/* ---- log of sums of exponentials, without overflow ---- */

static double as_real(const struct number_type *type, const struct tensor *tensor, uint64_t at)
{
    return number_real(type->kind, type->load((const char *)tensor->data + at * type->size));
}

/* Subtracts the maximum first, so that no exponential exceeds 1. */
static void sum_powers(const struct tensor *input, const struct number_type *type, const struct reduced_shape *shape,
                       double *greatest, double *sums)
{
    struct walk walk;
    walk_start(&walk, input->rank, input->dims);
    find_strides(input, shape, walk.strides[0]);
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk))
        greatest[walk.at[0]] = fmax(greatest[walk.at[0]], as_real(type, input, i));
    walk_start(&walk, input->rank, input->dims);
    find_strides(input, shape, walk.strides[0]);
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk)) {
        double base = isinf(greatest[walk.at[0]]) ? 0 : greatest[walk.at[0]];
        double power = exp(as_real(type, input, i) - base);
        /* Integers are truncated at each step. */
        sums[walk.at[0]] += type->kind == NUMBER_REAL ? power : trunc(power);
    }
}

static enum opshift_status run_log_sum_exp(struct kernel_call *call, struct opshift_error *error)
{
    struct reduced_shape shape;
    enum opshift_status status = start(call, false, 2 * (uint64_t)STEPS_CURVE, &shape, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    struct tensor *output = call->outputs[0];
    const struct number_type *type = number_type(input->type);
    double *greatest = arena_alloc(call->arena, output->count + 1, sizeof(*greatest));
    double *sums = arena_alloc(call->arena, output->count + 1, sizeof(*sums));
    if (greatest == NULL || sums == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < output->count; i++)
        greatest[i] = -(double)INFINITY;
    if (input->count > 0)
        sum_powers(input, type, &shape, greatest, sums);
    for (uint64_t i = 0; i < output->count; i++) {
        double logarithm = log(sums[i]), base = isinf(greatest[i]) ? 0 : greatest[i];
        union number stored = {.d = logarithm + base};
        if (type->kind != NUMBER_REAL)
            stored.i = number_cut(type, trunc(logarithm) + base);
        type->store((char *)output->data + i * type->size, stored);
    }
    /* Runtimes differ in where they truncate integers, so the result is not exact. */
    return type->kind == NUMBER_REAL ? OPSHIFT_OK : elementwise_overflowed(call, type, error);
}

static const struct reduction size_sums = {.add = add_size};
static const struct reduction roots = {.add = add_square, .finish = take_root};
static const struct reduction logarithms = {.add = add, .finish = take_log};
static const struct reduction maxima = {.start = lowest, .add = keep_greatest, .takes_bool = true, .keeps_one = true};
static const struct reduction means = {.add = add, .finish = divide, .keeps_one = true};
static const struct reduction minima = {.start = highest, .add = keep_least, .takes_bool = true, .keeps_one = true};
static const struct reduction products = {.start = one, .add = multiply, .keeps_one = true};
static const struct reduction sums = {.add = add, .keeps_one = true};
static const struct reduction square_sums = {.add = add_square};

const struct kernel kernels_reduce[] = {
    {OPERATOR_REDUCE_L1, 1, KERNEL_ANY, run, {.reduction = &size_sums}},
    {OPERATOR_REDUCE_L2, 1, KERNEL_ANY, run, {.reduction = &roots}},
    {OPERATOR_REDUCE_LOG_SUM, 1, KERNEL_ANY, run, {.reduction = &logarithms}},
    {OPERATOR_REDUCE_LOG_SUM_EXP, 1, KERNEL_ANY, run_log_sum_exp, {0}},
    {OPERATOR_REDUCE_MAX, 1, KERNEL_ANY, run, {.reduction = &maxima}},
    {OPERATOR_REDUCE_MEAN, 1, KERNEL_ANY, run, {.reduction = &means}},
    {OPERATOR_REDUCE_MIN, 1, KERNEL_ANY, run, {.reduction = &minima}},
    {OPERATOR_REDUCE_PROD, 1, KERNEL_ANY, run, {.reduction = &products}},
    {OPERATOR_REDUCE_SUM, 1, KERNEL_ANY, run, {.reduction = &sums}},
    {OPERATOR_REDUCE_SUM_SQUARE, 1, KERNEL_ANY, run, {.reduction = &square_sums}},
    {0},
};
