/* Layers with a recurrent state: LinearAttention and CausalConvWithState (27). */
#include <math.h>
#include <string.h>

#include "kernel/reals.h"

/* ---- CausalConvWithState (27): depthwise convolution over past and current entries ---- */

struct causal {
    uint64_t batch, channels, length, kernel;
    bool swish;
    double *x, *w, *bias, *past; /* bias, past: may be NULL */
};

static enum opshift_status load_causal(struct kernel_call *call, struct causal *causal, struct opshift_error *error)
{
    unsigned activation = kernel_choice(call, ATTRIBUTE_ACTIVATION);
    enum opshift_status status = kernel_rank(call, 0, 3, 3, error);
    if (status == OPSHIFT_OK)
        status = kernel_rank(call, 1, 3, 3, error);
    if (status)
        return status;
    const int64_t *dims = call->inputs[0]->dims, kernel = call->inputs[1]->dims[2];
    const int64_t weights[] = {dims[1], 1, kernel}, past[] = {dims[0], dims[1], kernel - 1};
    causal->swish = activation != 0;
    causal->batch = (uint64_t)dims[0];
    causal->channels = (uint64_t)dims[1];
    causal->length = (uint64_t)dims[2];
    causal->kernel = (uint64_t)kernel;
    if (kernel < 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the kernel has no places");
    status = kernel_shape(call, 1, 3, weights, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 2, 1, &dims[1], error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 3, 3, past, error);
    double **const loaded[] = {&causal->x, &causal->w, &causal->bias, &causal->past};
    return status == OPSHIFT_OK ? reals_inputs(call, loaded, COUNT(loaded), error) : status;
}

/* Entry `at` of a channel, numbered from the first past entry. */
static double causal_entry(const struct causal *causal, uint64_t channel, uint64_t at)
{
    uint64_t before = causal->kernel - 1;
    if (at >= before)
        return causal->x[channel * causal->length + at - before];
    return causal->past == NULL ? 0 : causal->past[channel * before + at];
}

static void convolve_channel(struct kernel_call *call, const struct causal *causal, uint64_t channel)
{
    uint64_t before = causal->kernel - 1, c = channel % causal->channels;
    for (uint64_t i = 0; i < causal->length; i++) {
        double sum = causal->bias == NULL ? 0 : causal->bias[c];
        for (uint64_t k = 0; k < causal->kernel; k++)
            sum += causal->w[c * causal->kernel + k] * causal_entry(causal, channel, i + k);
        sum = causal->swish ? sum / (1 + exp(-sum)) : sum;
        reals_store(call->outputs[0], channel * causal->length + i, &sum, 1);
    }
    for (uint64_t i = 0; i < before && kernel_wants(call, 1); i++) {
        double kept = causal_entry(causal, channel, causal->length + i);
        reals_store(call->outputs[1], channel * before + i, &kept, 1);
    }
}

static enum opshift_status run_causal(struct kernel_call *call, struct opshift_error *error)
{
    struct causal causal = {0};
    enum opshift_status status = load_causal(call, &causal, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    const int64_t past[] = {input->dims[0], input->dims[1], (int64_t)causal.kernel - 1};
    status = kernel_output(call, 0, input->type, 3, input->dims, error);
    if (status == OPSHIFT_OK && kernel_wants(call, 1))
        status = kernel_output(call, 1, input->type, 3, past, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count, STEPS_CURVE + causal.kernel * 4, error);
    if (status == OPSHIFT_OK && kernel_wants(call, 1))
        status = kernel_work(call, call->outputs[1]->count, STEPS_MOVE, error);
    bool empty = status == OPSHIFT_OK && input->count == 0 && (!kernel_wants(call, 1) || call->outputs[1]->count == 0);
    for (uint64_t i = 0; status == OPSHIFT_OK && !empty && i < causal.batch * causal.channels; i++)
        convolve_channel(call, &causal, i);
    return status;
}

/* ---- LinearAttention (27): a state matrix updated with keys and values, read with queries ---- */

struct linear_attention {
    uint64_t batch, length, query_heads, heads, key_size, value_size; /* heads: of keys and values */
    bool decays, corrects; /* decays: the state decays; corrects: a key's stored value is replaced */
    uint64_t decay_size, beta_heads;
    double scale;
    double *query, *key, *value, *state, *decay, *beta;
};

static enum opshift_status linear_settings(struct kernel_call *call, struct linear_attention *all,
                                           struct opshift_error *error)
{
    unsigned rule = kernel_choice(call, ATTRIBUTE_UPDATE_RULE);
    struct bytes name = kernel_text(call, ATTRIBUTE_UPDATE_RULE);
    const int64_t heads[] = {kernel_int(call, ATTRIBUTE_Q_NUM_HEADS), kernel_int(call, ATTRIBUTE_KV_NUM_HEADS)};
    float scale = kernel_float(call, ATTRIBUTE_SCALE);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < 3 && status == OPSHIFT_OK; i++)
        status = kernel_rank(call, i, 3, 3, error);
    if (status)
        return status;
    all->decays = rule == 1 || rule == 3;
    all->corrects = rule >= 2;
    all->scale = (double)scale;
    if (heads[1] < 1 || heads[0] < 1 || heads[0] % heads[1] != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%lld heads of queries do not fit %lld of keys and values",
                            (long long)heads[0], (long long)heads[1]);
    all->query_heads = (uint64_t)heads[0];
    all->heads = (uint64_t)heads[1];
    if ((kernel_input(call, 4) != NULL) != all->decays || (kernel_input(call, 5) != NULL) != all->corrects)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the rule '%.*s' %s decay and %s beta", (int)name.size,
                            (const char *)name.data, all->decays ? "needs" : "has no",
                            all->corrects ? "needs" : "has no");
    return OPSHIFT_OK;
}

static enum opshift_status linear_shapes(struct kernel_call *call, struct linear_attention *all,
                                         struct opshift_error *error)
{
    const int64_t *query = call->inputs[0]->dims, *key = call->inputs[1]->dims, *value = call->inputs[2]->dims;
    const struct tensor *decay = kernel_input(call, 4), *beta = kernel_input(call, 5);
    bool fits = key[0] == query[0] && key[1] == query[1] && value[0] == query[0] && value[1] == query[1] &&
                (uint64_t)query[2] % all->query_heads == 0 && (uint64_t)key[2] % all->heads == 0 &&
                (uint64_t)value[2] % all->heads == 0 &&
                (uint64_t)query[2] / all->query_heads == (uint64_t)key[2] / all->heads;
    if (!fits)
        return opshift_fail(error, OPSHIFT_MALFORMED, "queries of shape %s do not fit keys of %s and values of %s",
                            kernel_dims_text(call->arena, 3, query), kernel_dims_text(call->arena, 3, key),
                            kernel_dims_text(call->arena, 3, value));
    all->batch = (uint64_t)query[0];
    all->length = (uint64_t)query[1];
    all->key_size = (uint64_t)key[2] / all->heads;
    all->value_size = (uint64_t)value[2] / all->heads;
    all->scale = all->scale == 0 ? 1 / sqrt((double)all->key_size) : all->scale;
    all->decay_size = decay != NULL && decay->rank == 3 && decay->dims[2] == (int64_t)all->heads ? 1 : all->key_size;
    all->beta_heads = beta != NULL && beta->rank == 3 && beta->dims[2] == 1 ? 1 : all->heads;
    const int64_t state[] = {query[0], (int64_t)all->heads, (int64_t)all->key_size, (int64_t)all->value_size};
    const int64_t decays[] = {query[0], query[1], (int64_t)(all->heads * all->decay_size)};
    const int64_t betas[] = {query[0], query[1], (int64_t)all->beta_heads};
    enum opshift_status status = kernel_shape(call, 3, 4, state, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 4, 3, decays, error);
    return status == OPSHIFT_OK ? kernel_shape(call, 5, 3, betas, error) : status;
}

static enum opshift_status linear_load(struct kernel_call *call, struct linear_attention *all,
                                       struct opshift_error *error)
{
    double **const loaded[] = {&all->query, &all->key, &all->value, &all->state, &all->decay, &all->beta};
    enum opshift_status status = linear_settings(call, all, error);
    if (status == OPSHIFT_OK)
        status = linear_shapes(call, all, error);
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, loaded, COUNT(loaded), error);
    if (status == OPSHIFT_OK && all->state == NULL)
        status = reals_new(call, all->batch * all->heads * all->key_size * all->value_size, &all->state, error);
    return status;
}

/* Updates the state for one token and head: decay, correction, then the key's value. work: room for a value. */
static void linear_update(const struct linear_attention *all, uint64_t token, uint64_t head, double *state,
                          double *work)
{
    const double *key = all->key + (token * all->heads + head) * all->key_size;
    const double *value = all->value + (token * all->heads + head) * all->value_size;
    const double *decay = all->decays ? all->decay + (token * all->heads + head) * all->decay_size : NULL;
    double beta = all->corrects ? all->beta[token * all->beta_heads + head % all->beta_heads] : 1;
    for (uint64_t i = 0; i < all->key_size && decay != NULL; i++)
        for (uint64_t k = 0; k < all->value_size; k++)
            state[i * all->value_size + k] *= exp(decay[all->decay_size == 1 ? 0 : i]);
    for (uint64_t k = 0; k < all->value_size; k++) {
        double held = 0;
        for (uint64_t i = 0; i < all->key_size && all->corrects; i++)
            held += state[i * all->value_size + k] * key[i];
        work[k] = beta * (value[k] - held);
    }
    for (uint64_t i = 0; i < all->key_size; i++)
        for (uint64_t k = 0; k < all->value_size; k++)
            state[i * all->value_size + k] += key[i] * work[k];
}

static void linear_token(struct kernel_call *call, const struct linear_attention *all, uint64_t token, uint64_t head,
                         double *work)
{
    uint64_t shared = all->query_heads / all->heads;
    double *state = all->state + (token / all->length * all->heads + head) * all->key_size * all->value_size;
    linear_update(all, token, head, state, work);
    for (uint64_t h = head * shared; h < (head + 1) * shared; h++) {
        const double *query = all->query + (token * all->query_heads + h) * all->key_size;
        memset(work, 0, all->value_size * sizeof(*work));
        for (uint64_t i = 0; i < all->key_size; i++)
            for (uint64_t k = 0; k < all->value_size; k++)
                work[k] += all->scale * query[i] * state[i * all->value_size + k];
        reals_store(call->outputs[0], (token * all->query_heads + h) * all->value_size, work, all->value_size);
    }
}

static enum opshift_status linear_outputs(struct kernel_call *call, const struct linear_attention *all,
                                          struct opshift_error *error)
{
    const struct tensor *query = call->inputs[0], *past = kernel_input(call, 3);
    const int64_t dims[] = {query->dims[0], query->dims[1], (int64_t)(all->query_heads * all->value_size)};
    const int64_t state[] = {query->dims[0], (int64_t)all->heads, (int64_t)all->key_size, (int64_t)all->value_size};
    uint64_t tokens = all->batch * all->length * (all->query_heads + all->heads),
             each = all->key_size * all->value_size;
    enum opshift_status status = kernel_output(call, 0, query->type, 3, dims, error);
    if (status == OPSHIFT_OK && kernel_wants(call, 1))
        status = kernel_output(call, 1, past == NULL ? query->type : past->type, 4, state, error);
    return status == OPSHIFT_OK ? kernel_work(call, tokens, each < UINT64_MAX / 32 ? each * STEPS_CURVE : each, error)
                                : status;
}

static enum opshift_status run_linear(struct kernel_call *call, struct opshift_error *error)
{
    struct linear_attention all = {0};
    double *work = NULL;
    enum opshift_status status = linear_load(call, &all, error);
    if (status == OPSHIFT_OK)
        status = linear_outputs(call, &all, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, all.value_size, &work, error);
    if (status)
        return status;
    for (uint64_t token = 0; token < all.batch * all.length && call->inputs[0]->count > 0; token++)
        for (uint64_t head = 0; head < all.heads; head++)
            linear_token(call, &all, token, head, work);
    if (kernel_wants(call, 1))
        reals_store(call->outputs[1], 0, all.state, call->outputs[1]->count);
    return OPSHIFT_OK;
}

const struct kernel kernels_state_space[] = {
    {OPERATOR_CAUSAL_CONV_WITH_STATE, 27, KERNEL_ANY, run_causal, {0}},
    {OPERATOR_LINEAR_ATTENTION, 27, KERNEL_ANY, run_linear, {0}},
    {0},
};
