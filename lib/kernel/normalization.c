/* Normalization operators: subtract a mean and divide by a deviation or another norm of a group of elements. */
#include <math.h>

#include "kernel/reals.h"
#include "kernel/walk.h"
#include "model/number.h"

/* ---- LayerNormalization (17): normalizes over the axes from a given one on ---- */

struct normalization {
    const struct number_type *type, *stash;
    uint64_t count; /* elements per group */
    double epsilon;
    uint32_t axis;
};

/* Requires scale or bias to broadcast to the normalized axes. */
static enum opshift_status check_stretch(const struct kernel_call *call, uint32_t position, const struct tensor *part,
                                         struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    bool fits = input->rank <= part->rank;
    for (uint32_t i = 1; fits && i <= input->rank; i++)
        fits = input->dims[input->rank - i] == 1 || input->dims[input->rank - i] == part->dims[part->rank - i];
    if (fits)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "input %u of shape %s does not stretch to %s", position,
                        kernel_dims_text(call->arena, input->rank, input->dims),
                        kernel_dims_text(call->arena, part->rank, part->dims));
}

static void normalize(struct kernel_call *call, const struct normalization *how, uint64_t at, struct walk *walk)
{
    const struct number_type *type = how->type;
    const char *from = (const char *)call->inputs[0]->data + at * type->size;
    const struct tensor *scale = call->inputs[1], *bias = kernel_input(call, 2);
    double mean = 0, variance = 0;
    for (uint64_t i = 0; i < how->count; i++)
        mean += type->load(from + i * type->size).d;
    mean /= (double)how->count;
    for (uint64_t i = 0; i < how->count; i++) {
        double apart = type->load(from + i * type->size).d - mean;
        variance += apart * apart;
    }
    double inverse = 1 / sqrt(variance / (double)how->count + how->epsilon);
    for (uint64_t i = 0; i < how->count; i++, walk_next(walk)) {
        double value = (type->load(from + i * type->size).d - mean) * inverse;
        value *= type->load((const char *)scale->data + walk->at[0] * type->size).d;
        if (bias != NULL)
            value += type->load((const char *)bias->data + walk->at[1] * type->size).d;
        type->store((char *)call->outputs[0]->data + (at + i) * type->size, (union number){.d = value});
    }
    const double more[] = {mean, inverse};
    for (uint32_t i = 1; i < call->output_count; i++)
        how->stash->store((char *)call->outputs[i]->data + at / how->count * how->stash->size,
                          (union number){.d = more[i - 1]});
}

static enum opshift_status start_layer(struct kernel_call *call, struct normalization *how, struct opshift_error *error)
{
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS), stash = kernel_int(call, ATTRIBUTE_STASH_TYPE);
    float epsilon = kernel_float(call, ATTRIBUTE_EPSILON);
    enum opshift_status status = kernel_axis(axis, call->inputs[0]->rank, &how->axis, error);
    if (status)
        return status;
    how->type = number_type(call->inputs[0]->type);
    how->stash = stash > 0 && stash < OPSHIFT_TYPE_COUNT ? number_type((enum opshift_type)stash) : NULL;
    how->epsilon = (double)epsilon;
    if (how->stash == NULL || how->stash->kind != NUMBER_REAL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "stash_type %lld is no type of real numbers", (long long)stash);
    return OPSHIFT_OK;
}

static enum opshift_status run_layer(struct kernel_call *call, struct opshift_error *error)
{
    struct normalization how = {.count = 1};
    int64_t dims[TENSOR_RANK_MAX];
    struct walk walk;
    enum opshift_status status = start_layer(call, &how, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct tensor part = {.rank = input->rank - how.axis, .dims = input->dims + how.axis};
    for (uint32_t i = 0; i < input->rank; i++) {
        dims[i] = i < how.axis ? input->dims[i] : 1;
        how.count *= i < how.axis ? 1 : (uint64_t)input->dims[i];
    }
    for (uint32_t i = 1; i < 3 && status == OPSHIFT_OK; i++)
        if (kernel_input(call, i) != NULL)
            status = check_stretch(call, i, &part, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, input->rank, input->dims, error);
    for (uint32_t i = 1; i < call->output_count && status == OPSHIFT_OK; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the stash type is known. */
        status = kernel_output(call, i, how.stash->type, input->rank, dims, error);
    if (status == OPSHIFT_OK && how.count == 0 && call->output_count > 1)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the mean of no elements is not defined");
    if (status || how.count == 0)
        return status;
    status = kernel_work(call, input->count, 2 * (uint64_t)STEPS_MOVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count / how.count, STEPS_CURVE, error);
    if (status)
        return status;
    walk_start(&walk, part.rank, part.dims);
    walk_broadcast(&walk, 0, call->inputs[1]);
    if (kernel_input(call, 2) != NULL)
        walk_broadcast(&walk, 1, call->inputs[2]);
    for (uint64_t at = 0; at < input->count; at += how.count)
        normalize(call, &how, at, &walk);
    return OPSHIFT_OK;
}

/* ---- RMSNormalization (23): divides by the root mean square over the axes from a given one on ---- */

static enum opshift_status load_rms(struct kernel_call *call, uint32_t *axis, double *epsilon,
                                    struct opshift_error *error)
{
    int64_t from = kernel_int(call, ATTRIBUTE_AXIS);
    enum opshift_status status = kernel_axis(from, call->inputs[0]->rank, axis, error);
    *epsilon = (double)kernel_float(call, ATTRIBUTE_EPSILON);
    return status;
}

static enum opshift_status run_rms(struct kernel_call *call, struct opshift_error *error)
{
    uint32_t axis = 0;
    uint64_t count = 1;
    double epsilon = 0, *x = NULL, *scale = NULL, **const loaded[] = {&x, &scale};
    struct walk walk;
    enum opshift_status status = load_rms(call, &axis, &epsilon, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct tensor part = {.rank = input->rank - axis, .dims = input->dims + axis};
    status = check_stretch(call, 1, &part, error);
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, loaded, COUNT(loaded), error);
    if (status == OPSHIFT_OK)
        status = kernel_like(call, call->inputs[1]->type, 2 * (uint64_t)STEPS_MOVE, error);
    if (status || input->count == 0)
        return status;
    for (uint32_t i = axis; i < input->rank; i++)
        count *= (uint64_t)input->dims[i];
    walk_start(&walk, part.rank, part.dims);
    walk_broadcast(&walk, 0, call->inputs[1]);
    for (uint64_t at = 0; at < input->count; at += count) {
        double squares = 0;
        for (uint64_t i = at; i < at + count; i++)
            squares += x[i] * x[i];
        double inverse = 1 / sqrt(squares / (double)count + epsilon);
        for (uint64_t i = at; i < at + count; i++, walk_next(&walk))
            x[i] *= inverse * scale[walk.at[0]];
    }
    reals_store(call->outputs[0], 0, x, input->count);
    return OPSHIFT_OK;
}

/* ---- InstanceNormalization (1, 6), GroupNormalization (18, 21): groups of channels per sample ---- */

static void mean_and_variance(const double *x, uint64_t count, double *mean, double *variance)
{
    *mean = *variance = 0;
    for (uint64_t i = 0; i < count; i++)
        *mean += x[i];
    *mean /= (double)count;
    for (uint64_t i = 0; i < count; i++)
        *variance += (x[i] - *mean) * (x[i] - *mean);
    *variance /= (double)count;
}

/* Requires samples and channels; *plane: elements per channel and sample. */
static enum opshift_status find_channels(const struct kernel_call *call, uint64_t *plane, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    enum opshift_status status = kernel_rank(call, 0, 2, TENSOR_RANK_MAX, error);
    *plane = 1;
    for (uint32_t i = 2; i < input->rank && status == OPSHIFT_OK; i++)
        *plane *= (uint64_t)input->dims[i];
    return status;
}

/* Inputs 1 and 2 hold a scale and a bias per channel or group, `parameters` of them. */
static enum opshift_status normalize_groups(struct kernel_call *call, uint64_t groups, int64_t parameters,
                                            uint64_t plane, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    float epsilon = kernel_float(call, ATTRIBUTE_EPSILON);
    double *x = NULL, *scale = NULL, *bias = NULL, **const loaded[] = {&x, &scale, &bias};
    enum opshift_status status = kernel_shape(call, 1, 1, &parameters, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 2, 1, &parameters, error);
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, loaded, COUNT(loaded), error);
    if (status == OPSHIFT_OK)
        status = kernel_like(call, input->type, 3 * (uint64_t)STEPS_COMPUTE, error);
    if (status || input->count == 0)
        return status;
    uint64_t channels = (uint64_t)input->dims[1], count = channels / groups * plane;
    uint64_t each = channels / (uint64_t)parameters * plane; /* elements with the same scale */
    for (uint64_t at = 0; at < input->count; at += count) {
        double mean, variance;
        mean_and_variance(x + at, count, &mean, &variance);
        double inverse = 1 / sqrt(variance + (double)epsilon);
        for (uint64_t i = at; i < at + count; i++) {
            uint64_t parameter = i / each % (uint64_t)parameters;
            x[i] = (x[i] - mean) * inverse * scale[parameter] + bias[parameter];
        }
    }
    reals_store(call->outputs[0], 0, x, input->count);
    return OPSHIFT_OK;
}

static enum opshift_status run_instance(struct kernel_call *call, struct opshift_error *error)
{
    uint64_t plane = 0;
    enum opshift_status status = find_channels(call, &plane, error);
    if (status)
        return status;
    int64_t channels = call->inputs[0]->dims[1];
    return normalize_groups(call, (uint64_t)channels, channels, plane, error);
}

/* Scale and bias are per group at opset 18, per channel since opset 21. */
static enum opshift_status run_group(struct kernel_call *call, struct opshift_error *error)
{
    uint64_t plane = 0;
    int64_t groups = kernel_int(call, ATTRIBUTE_NUM_GROUPS);
    enum opshift_status status = find_channels(call, &plane, error);
    if (status)
        return status;
    int64_t channels = call->inputs[0]->dims[1];
    if (groups < 1 || channels % groups != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%lld channels do not make %lld groups", (long long)channels,
                            (long long)groups);
    return normalize_groups(call, (uint64_t)groups, call->operation.opset < 21 ? groups : channels, plane, error);
}

/* ---- BatchNormalization (1, 6, 7, 9, 14, 15): uses the statistics of each channel ---- */

struct batch_norm {
    uint64_t samples, channels, plane; /* a channel of a sample has `plane` elements */
    double epsilon, momentum;
    bool trains;
    double *x, *scale, *bias, *mean, *variance;
};

/* Before opset 9, spatial = 0 gives each element of a sample its own statistics. */
static enum opshift_status batch_shape(struct kernel_call *call, struct batch_norm *norm, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    const int64_t one = 1;
    int64_t spatial = kernel_has(call, ATTRIBUTE_SPATIAL) ? kernel_int(call, ATTRIBUTE_SPATIAL) : 1;
    enum opshift_status status = kernel_rank(call, 0, 1, TENSOR_RANK_MAX, error);
    norm->samples = status == OPSHIFT_OK && input->count > 0 ? (uint64_t)input->dims[0] : 0;
    norm->channels = norm->plane = 1;
    for (uint32_t i = 1; i < input->rank && status == OPSHIFT_OK; i++)
        *(i == 1 || spatial == 0 ? &norm->channels : &norm->plane) *= (uint64_t)input->dims[i];
    for (uint32_t i = 1; i < 5 && status == OPSHIFT_OK; i++)
        status =
            kernel_shape(call, i, spatial == 0 ? input->rank - 1 : 1, input->rank > 1 ? input->dims + 1 : &one, error);
    return status;
}

static enum opshift_status batch_mode(struct kernel_call *call, struct batch_norm *norm, struct opshift_error *error)
{
    int64_t is_test = kernel_int(call, ATTRIBUTE_IS_TEST), training = kernel_int(call, ATTRIBUTE_TRAINING_MODE);
    norm->epsilon = (double)kernel_float(call, ATTRIBUTE_EPSILON);
    norm->momentum = (double)kernel_float(call, ATTRIBUTE_MOMENTUM);
    bool more = false;
    for (uint32_t i = 1; i < call->output_count; i++)
        more = more || kernel_wants(call, i);
    norm->trains = call->operation.opset >= 14  ? training != 0
                   : call->operation.opset >= 7 ? more
                                                : is_test == 0 && more;
    if (norm->trains && call->operation.opset < 14)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "training before opset 14 is not computed here: runtimes differ in its statistics");
    if (!norm->trains && more)
        return opshift_fail(error, OPSHIFT_MALFORMED, "gives statistics only in training");
    return OPSHIFT_OK;
}

/* Sum over a channel; its elements are not contiguous, but spread over the samples. */
static double channel_sum(const struct batch_norm *norm, uint64_t channel, double less, bool squared)
{
    double sum = 0;
    for (uint64_t n = 0; n < norm->samples; n++) {
        const double *x = norm->x + (n * norm->channels + channel) * norm->plane;
        for (uint64_t i = 0; i < norm->plane; i++)
            sum += squared ? (x[i] - less) * (x[i] - less) : x[i];
    }
    return sum / (double)(norm->samples * norm->plane);
}

/* Sets outputs 1 and 2 to the running statistics, then uses the batch's own. */
static enum opshift_status batch_train(struct kernel_call *call, struct batch_norm *norm, struct opshift_error *error)
{
    enum opshift_status status = kernel_work(call, call->inputs[0]->count, 2 * (uint64_t)STEPS_COMPUTE, error);
    for (uint32_t k = 1; k < call->output_count && status == OPSHIFT_OK; k++) {
        const struct tensor *old = call->inputs[2 + k];
        status = kernel_output(call, k, old->type, old->rank, old->dims, error);
    }
    for (uint64_t c = 0; status == OPSHIFT_OK && c < norm->channels; c++) {
        double mean = channel_sum(norm, c, 0, false), variance = channel_sum(norm, c, mean, true);
        double running[] = {norm->mean[c] * norm->momentum + mean * (1 - norm->momentum),
                            norm->variance[c] * norm->momentum + variance * (1 - norm->momentum)};
        for (uint32_t k = 1; k < call->output_count; k++)
            reals_store(call->outputs[k], c, &running[k - 1], 1);
        norm->mean[c] = mean;
        norm->variance[c] = variance;
    }
    return status;
}

static enum opshift_status run_batch(struct kernel_call *call, struct opshift_error *error)
{
    struct batch_norm norm = {0};
    double **const loaded[] = {&norm.x, &norm.scale, &norm.bias, &norm.mean, &norm.variance};
    enum opshift_status status = batch_mode(call, &norm, error);
    if (status == OPSHIFT_OK)
        status = batch_shape(call, &norm, error);
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, loaded, COUNT(loaded), error);
    if (status == OPSHIFT_OK && norm.trains)
        status = batch_train(call, &norm, error);
    const struct tensor *input = kernel_input(call, 0);
    if (status == OPSHIFT_OK)
        status = kernel_like(call, input->type, STEPS_COMPUTE, error);
    if (status)
        return status;
    for (uint64_t at = 0; at < input->count; at += norm.plane) {
        uint64_t c = at / norm.plane % norm.channels;
        double factor = norm.scale[c] / sqrt(norm.variance[c] + norm.epsilon);
        for (uint64_t i = at; i < at + norm.plane; i++)
            norm.x[i] = (norm.x[i] - norm.mean[c]) * factor + norm.bias[c];
    }
    reals_store(call->outputs[0], 0, norm.x, input->count);
    return OPSHIFT_OK;
}

/* ---- LRN (1, 13): normalizes by the squares of neighbouring channels ---- */

struct local_norm {
    int64_t size;
    float alpha, beta, bias;
};

static enum opshift_status run_local(struct kernel_call *call, struct opshift_error *error)
{
    struct local_norm norm = {.size = kernel_int(call, ATTRIBUTE_SIZE),
                              .alpha = kernel_float(call, ATTRIBUTE_ALPHA),
                              .beta = kernel_float(call, ATTRIBUTE_BETA),
                              .bias = kernel_float(call, ATTRIBUTE_BIAS)};
    uint64_t plane = 0;
    double *x = NULL, *y = NULL;
    enum opshift_status status = find_channels(call, &plane, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, call->inputs[0], &x, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, call->inputs[0]->count, &y, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    int64_t channels = input->dims[1], before = (norm.size - 1) / 2, after = norm.size - 1 - before;
    status =
        kernel_like(call, input->type, STEPS_CURVE + (uint64_t)(norm.size < channels ? norm.size : channels), error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++) {
        int64_t c = (int64_t)(i / plane) % channels;
        int64_t first = c > before ? c - before : 0, last = after < channels - 1 - c ? c + after : channels - 1;
        double squares = 0;
        for (int64_t k = first; k <= last; k++)
            squares += x[(int64_t)i + (k - c) * (int64_t)plane] * x[(int64_t)i + (k - c) * (int64_t)plane];
        y[i] = x[i] / pow((double)norm.bias + (double)norm.alpha / (double)norm.size * squares, (double)norm.beta);
    }
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, y, input->count);
    return status;
}

/* ---- LpNormalization (1): divides lines along an axis by their 1- or 2-norm; lines of zeros are unchanged ---- */

static void divide_by_norm(double *x, uint64_t count, uint64_t apart, int64_t p)
{
    double norm = 0;
    for (uint64_t i = 0; i < count; i++)
        norm += p == 1 ? fabs(x[i * apart]) : x[i * apart] * x[i * apart];
    norm = p == 1 ? norm : sqrt(norm);
    for (uint64_t i = 0; i < count; i++)
        x[i * apart] = norm == 0 ? 0 : x[i * apart] / norm;
}

static enum opshift_status run_lp(struct kernel_call *call, struct opshift_error *error)
{
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS), p = kernel_int(call, ATTRIBUTE_P);
    uint32_t place = 0;
    uint64_t apart = 1;
    double *x = NULL;
    enum opshift_status status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, call->inputs[0], &x, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    status = kernel_like(call, input->type, 2 * (uint64_t)STEPS_COMPUTE, error);
    if (status || input->count == 0)
        return status;
    for (uint32_t i = place + 1; i < input->rank; i++)
        apart *= (uint64_t)input->dims[i];
    uint64_t count = (uint64_t)input->dims[place];
    for (uint64_t line = 0; line < input->count / count; line++)
        divide_by_norm(x + line / apart * apart * count + line % apart, count, apart, p);
    reals_store(call->outputs[0], 0, x, input->count);
    return OPSHIFT_OK;
}

/* ---- MeanVarianceNormalization (9, 13): over the given axes, by default 0, 2, 3 ---- */

#define MEAN_VARIANCE_EPSILON 1e-9

/* sums[k]: sum over the elements whose position along the remaining axes is k. */
static void sum_over(const struct tensor *input, const double *x, const int64_t *strides, const double *less,
                     double *sums)
{
    struct walk walk;
    walk_start(&walk, input->rank, input->dims);
    for (uint32_t i = 0; i < input->rank; i++)
        walk.strides[0][i] = strides[i];
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk)) {
        double value = less == NULL ? x[i] : (x[i] - less[walk.at[0]]) * (x[i] - less[walk.at[0]]);
        sums[walk.at[0]] += value;
    }
}

static enum opshift_status mean_variance(struct kernel_call *call, const int64_t *strides, uint64_t groups,
                                         struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    double *x = NULL, *means = NULL, *squares = NULL;
    struct walk walk;
    enum opshift_status status = reals_load(call, input, &x, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, groups, &means, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, groups, &squares, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count, 3 * (uint64_t)STEPS_MOVE, error);
    if (status)
        return status;
    uint64_t size = input->count / groups;
    double count = (double)size;
    sum_over(input, x, strides, NULL, means);
    for (uint64_t i = 0; i < groups; i++)
        means[i] /= count;
    sum_over(input, x, strides, means, squares);
    walk_start(&walk, input->rank, input->dims);
    for (uint32_t i = 0; i < input->rank; i++)
        walk.strides[0][i] = strides[i];
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk))
        x[i] = (x[i] - means[walk.at[0]]) / (sqrt(squares[walk.at[0]] / count) + MEAN_VARIANCE_EPSILON);
    reals_store(call->outputs[0], 0, x, input->count);
    return OPSHIFT_OK;
}

static enum opshift_status run_mean_variance(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list axes = kernel_ints(call, ATTRIBUTE_AXES);
    bool chosen[TENSOR_RANK_MAX] = {false};
    int64_t strides[TENSOR_RANK_MAX] = {0};
    uint64_t groups = 1;
    const struct tensor *input = call->inputs[0];
    enum opshift_status status = kernel_axes(&axes, input->rank, chosen, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, input->rank, input->dims, error);
    if (status || input->count == 0)
        return status;
    for (uint32_t i = input->rank; i-- > 0;) {
        strides[i] = chosen[i] ? 0 : (int64_t)groups;
        groups *= chosen[i] ? 1 : (uint64_t)input->dims[i];
    }
    return mean_variance(call, strides, groups, error);
}

const struct kernel kernels_normalization[] = {
    {OPERATOR_BATCH_NORMALIZATION, 1, KERNEL_ANY, run_batch, {0}},
    {OPERATOR_GROUP_NORMALIZATION, 18, KERNEL_ANY, run_group, {0}},
    {OPERATOR_INSTANCE_NORMALIZATION, 1, KERNEL_ANY, run_instance, {0}},
    {OPERATOR_LRN, 1, KERNEL_ANY, run_local, {0}},
    {OPERATOR_LAYER_NORMALIZATION, 17, KERNEL_ANY, run_layer, {0}},
    {OPERATOR_LP_NORMALIZATION, 1, KERNEL_ANY, run_lp, {0}},
    {OPERATOR_MEAN_VARIANCE_NORMALIZATION, 9, KERNEL_ANY, run_mean_variance, {0}},
    {OPERATOR_RMSNORMALIZATION, 23, KERNEL_ANY, run_rms, {0}},
    {0},
};
