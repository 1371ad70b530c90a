/* Pooling: one number per window or per channel; and MaxUnpool. */
#include <math.h>

#include "kernel/reals.h"
#include "kernel/window.h"

enum pool_kind { POOL_MAX, POOL_AVERAGE, POOL_NORM };

struct pool {
    struct window window;
    uint64_t planes;
    enum pool_kind kind;
    bool count_pads, by_column; /* by_column: positions are numbered in column-major order */
    double p;
    double *x;
};

/* ---- MaxPool, AveragePool, LpPool: all versions ---- */

/* The exponent p was a float at opset 1. */
static enum opshift_status load_norm(const struct kernel_call *call, double *p, struct opshift_error *error)
{
    *p = call->operation.opset < 2 ? (double)kernel_float(call, ATTRIBUTE_P) : (double)kernel_int(call, ATTRIBUTE_P);
    if (*p > 0)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'p' is %g, must be positive", *p);
}

static enum opshift_status load_pool(struct kernel_call *call, struct pool *pool, struct opshift_error *error)
{
    int64_t ceiling = kernel_int(call, ATTRIBUTE_CEIL_MODE), count_pads = kernel_int(call, ATTRIBUTE_COUNT_INCLUDE_PAD),
            by_column = kernel_int(call, ATTRIBUTE_STORAGE_ORDER);
    enum opshift_status status = window_load(call, NULL, &pool->window, error);
    if (status == OPSHIFT_OK && pool->kind == POOL_NORM)
        status = load_norm(call, &pool->p, error);
    pool->window.ceiling = ceiling != 0;
    pool->count_pads = count_pads != 0;
    pool->by_column = by_column != 0;
    return status == OPSHIFT_OK ? window_fit(call, &pool->window, error) : status;
}

/* The index of a position within its channel. */
static uint64_t place_number(const struct pool *pool, uint64_t place)
{
    const struct window *window = &pool->window;
    uint64_t number = 0, stride = window->in_count;
    if (!pool->by_column)
        return place;
    for (uint32_t i = window->axes; i-- > 0; place /= (uint64_t)window->in[i]) {
        stride /= (uint64_t)window->in[i];
        number += place % (uint64_t)window->in[i] * stride;
    }
    return number;
}

static double pool_norm(const struct pool *pool, const double *plane, const uint64_t *places, uint64_t count)
{
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += pow(fabs(plane[places[i]]), pool->p);
    return pow(sum, 1 / pool->p);
}

static double pool_average(const double *plane, const uint64_t *places, uint64_t count, uint64_t divisor)
{
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += plane[places[i]];
    return sum / (double)divisor;
}

/* The first maximum, or the first NaN; *number: its index. */
static double pool_greatest(const double *plane, const uint64_t *places, uint64_t count, uint64_t *number)
{
    double greatest = -(double)INFINITY;
    *number = count > 0 ? places[0] : 0;
    for (uint64_t i = 0; i < count; i++)
        if (plane[places[i]] > greatest || (isnan(plane[places[i]]) && !isnan(greatest))) {
            greatest = plane[places[i]];
            *number = places[i];
        }
    return greatest;
}

/* One output position, in each channel of each sample. */
static void pool_place(struct kernel_call *call, const struct pool *pool, uint64_t out, const uint64_t *places,
                       uint64_t count, uint64_t padded)
{
    bool numbered = kernel_wants(call, 1);
    for (uint64_t plane = 0; plane < pool->planes; plane++) {
        const double *from = pool->x + plane * pool->window.in_count;
        uint64_t to = plane * pool->window.out_count + out, number = 0;
        double value = pool->kind == POOL_MAX    ? pool_greatest(from, places, count, &number)
                       : pool->kind == POOL_NORM ? pool_norm(pool, from, places, count)
                                                 : pool_average(from, places, count, pool->count_pads ? padded : count);
        reals_store(call->outputs[0], to, &value, 1);
        if (numbered)
            ((int64_t *)call->outputs[1]->data)[to] =
                (int64_t)(plane * pool->window.in_count + place_number(pool, number));
    }
}

static enum opshift_status pool_outputs(struct kernel_call *call, const struct pool *pool, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    int64_t dims[WINDOW_AXES_MAX + 2] = {input->dims[0], input->dims[1]};
    for (uint32_t i = 0; i < pool->window.axes; i++)
        dims[2 + i] = pool->window.out[i];
    enum opshift_status status = kernel_output(call, 0, input->type, input->rank, dims, error);
    if (status == OPSHIFT_OK && kernel_wants(call, 1))
        status = kernel_output(call, 1, OPSHIFT_TYPE_INT64, input->rank, dims, error);
    return status;
}

static enum opshift_status run_pool(struct kernel_call *call, struct pool *pool, struct opshift_error *error)
{
    uint64_t *places = NULL, each = pool->kind == POOL_NORM ? STEPS_CURVE : STEPS_COMPUTE;
    enum opshift_status status = load_pool(call, pool, error);
    if (status == OPSHIFT_OK)
        status = pool_outputs(call, pool, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, pool->window.kernel_count * each, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, pool->window.out_count, pool->window.kernel_count * 2 * STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = window_room(call, &pool->window, &places, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, call->inputs[0], &pool->x, error);
    if (status || call->outputs[0]->count == 0)
        return status;
    pool->planes = call->outputs[0]->count / pool->window.out_count;
    for (uint64_t out = 0; out < pool->window.out_count; out++) {
        uint64_t padded, count = window_places(&pool->window, out, places, &padded);
        pool_place(call, pool, out, places, count, padded);
    }
    return OPSHIFT_OK;
}

static enum opshift_status run_max(struct kernel_call *call, struct opshift_error *error)
{
    return run_pool(call, &(struct pool){.kind = POOL_MAX}, error);
}

static enum opshift_status run_average(struct kernel_call *call, struct opshift_error *error)
{
    return run_pool(call, &(struct pool){.kind = POOL_AVERAGE}, error);
}

static enum opshift_status run_norm(struct kernel_call *call, struct opshift_error *error)
{
    return run_pool(call, &(struct pool){.kind = POOL_NORM}, error);
}

/* ---- GlobalMaxPool, GlobalAveragePool (1, 22), GlobalLpPool (1, 2, 22): over a whole channel ---- */

static double whole_channel(enum pool_kind kind, double p, const double *x, uint64_t count)
{
    double sum = 0, greatest = -(double)INFINITY;
    for (uint64_t i = 0; i < count; i++) {
        sum += kind == POOL_NORM ? pow(fabs(x[i]), p) : x[i];
        greatest = x[i] > greatest || isnan(x[i]) ? x[i] : greatest;
    }
    if (kind == POOL_MAX)
        return greatest;
    return kind == POOL_NORM ? pow(sum, 1 / p) : sum / (double)count;
}

static enum opshift_status run_global(struct kernel_call *call, enum pool_kind kind, struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX];
    double p = 2, *x = NULL;
    enum opshift_status status = kernel_rank(call, 0, 2, TENSOR_RANK_MAX, error);
    if (status == OPSHIFT_OK && kind == POOL_NORM)
        status = load_norm(call, &p, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    for (uint32_t i = 0; i < input->rank; i++)
        dims[i] = i < 2 ? input->dims[i] : 1;
    status = kernel_output(call, 0, input->type, input->rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count, kind == POOL_NORM ? STEPS_CURVE : STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, input, &x, error);
    if (status)
        return status;
    uint64_t channels = call->outputs[0]->count, count = channels == 0 ? 0 : input->count / channels;
    for (uint64_t i = 0; i < channels; i++) {
        double value = whole_channel(kind, p, x + i * count, count);
        reals_store(call->outputs[0], i, &value, 1);
    }
    return OPSHIFT_OK;
}

static enum opshift_status run_global_max(struct kernel_call *call, struct opshift_error *error)
{
    return run_global(call, POOL_MAX, error);
}

static enum opshift_status run_global_average(struct kernel_call *call, struct opshift_error *error)
{
    return run_global(call, POOL_AVERAGE, error);
}

static enum opshift_status run_global_norm(struct kernel_call *call, struct opshift_error *error)
{
    return run_global(call, POOL_NORM, error);
}

/* ---- MaxUnpool (9, 11, 22): writes the maxima back to their positions ---- */

/* dims: of the output; window->out: of the pooled input, in which positions are numbered. */
static enum opshift_status unpool_shape(struct kernel_call *call, struct window *window, int64_t *dims,
                                        struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    struct int_list shape = {0};
    enum opshift_status status = window_load(call, NULL, window, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 1, input->rank, input->dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_vector(call, kernel_input(call, 2), "the output's shape", &shape, error);
    if (status == OPSHIFT_OK && shape.present && shape.count != input->rank)
        status = opshift_fail(error, OPSHIFT_MALFORMED, "the output's shape has %zu elements, must have %u",
                              shape.count, input->rank);
    for (uint32_t i = 0; i < input->rank && status == OPSHIFT_OK; i++) {
        dims[i] = input->dims[i];
        if (i >= 2) {
            uint32_t k = i - 2;
            dims[i] = (window->in[k] - 1) * window->stride[k] + window->kernel[k] - window->begin[k] - window->end[k];
            window->out[k] = dims[i];
        }
        bool wrong = shape.present && (i < 2 ? shape.values[i] != dims[i] : shape.values[i] < dims[i]);
        if (dims[i] < 0 || wrong)
            return opshift_fail(error, OPSHIFT_MALFORMED, "the output has %lld elements along axis %u, needs %lld",
                                (long long)(shape.present ? shape.values[i] : dims[i]), i, (long long)dims[i]);
        dims[i] = shape.present ? shape.values[i] : dims[i];
    }
    return status;
}

/* The output position of an index. False: out of range. */
static bool unpool_place(const struct window *window, const int64_t *dims, int64_t number, uint64_t *place)
{
    uint64_t stride = 1, rest = (uint64_t)number;
    *place = 0;
    if (number < 0)
        return false;
    for (uint32_t i = window->axes; i-- > 0; rest /= (uint64_t)window->out[i]) {
        if (window->out[i] == 0)
            return false;
        *place += rest % (uint64_t)window->out[i] * stride;
        stride *= (uint64_t)dims[2 + i];
    }
    *place += rest * stride;
    return rest < (uint64_t)dims[0] * (uint64_t)dims[1];
}

static enum opshift_status run_unpool(struct kernel_call *call, struct opshift_error *error)
{
    struct window window = {0};
    int64_t dims[WINDOW_AXES_MAX + 2] = {0};
    enum opshift_status status = unpool_shape(call, &window, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, call->inputs[0]->type, call->inputs[0]->rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[0]->count, STEPS_CURVE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < call->inputs[0]->count; i++) {
        uint64_t place;
        int64_t number = kernel_index(call->inputs[1], i);
        if (!unpool_place(&window, dims, number, &place))
            return opshift_fail(error, OPSHIFT_MALFORMED, "place %lld is outside the output", (long long)number);
        kernel_copy(call->outputs[0], place, call->inputs[0], i, 1);
    }
    return status;
}

const struct kernel kernels_pool[] = {
    {OPERATOR_AVERAGE_POOL, 1, KERNEL_ANY, run_average, {0}},
    {OPERATOR_GLOBAL_AVERAGE_POOL, 1, KERNEL_ANY, run_global_average, {0}},
    {OPERATOR_GLOBAL_LP_POOL, 1, KERNEL_ANY, run_global_norm, {0}},
    {OPERATOR_GLOBAL_MAX_POOL, 1, KERNEL_ANY, run_global_max, {0}},
    {OPERATOR_LP_POOL, 1, KERNEL_ANY, run_norm, {0}},
    {OPERATOR_MAX_POOL, 1, KERNEL_ANY, run_max, {0}},
    {OPERATOR_MAX_UNPOOL, 9, KERNEL_ANY, run_unpool, {0}},
    {0},
};
