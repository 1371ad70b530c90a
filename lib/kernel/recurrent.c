/* Recurrent layers: RNN, GRU and LSTM (1, 3, 7, 14, 22). */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "kernel/elementwise.h"
#include "kernel/reals.h"

#define GATES_MAX     4
#define FUNCTIONS_MAX 3 /* activations per direction */

/* One of two functions; p: alpha and beta. */
struct activation {
    double (*plain)(double x);
    double (*curve)(double x, const float *p);
    float p[CURVE_PARAMETERS];
};

struct recurrent {
    uint32_t gates, functions;
    uint64_t length, batch, input, hidden, directions;
    bool reverse, batch_first, linear_before_reset, input_forget;
    double clip; /* 0: none */
    struct activation activations[2][FUNCTIONS_MAX];
    double *x, *w, *r, *bias, *peepholes; /* bias, peepholes: may be NULL */
    double *h, *c;                        /* states, by direction and sample; c: LSTM only */
    double *sums, *reset;                 /* per sample: gates, and hidden elements for GRU */
    const struct tensor *lengths;         /* NULL: all sequences have full length */
    void (*step)(const struct recurrent *layer, uint32_t direction, double *h, double *c);
};

/* ---- activations ---- */

static double affine(double x, const float *p)
{
    return (double)p[0] * x + (double)p[1];
}

static double relu(double x)
{
    return x < 0 ? 0 : x;
}

static double scaled_tanh(double x, const float *p)
{
    return (double)p[0] * tanh((double)p[1] * x);
}

static const struct {
    const char *name;
    bool has_alpha, has_beta;
    struct activation activation;
} activations[] = {
    {"Affine", true, true, {NULL, affine, {1, 0}}},
    {"Elu", true, false, {NULL, curve_elu, {1}}},
    {"HardSigmoid", true, true, {NULL, curve_hard_sigmoid, {0.2F, 0.5F}}},
    {"LeakyRelu", true, false, {NULL, curve_leaky_relu, {0.01F}}},
    {"Relu", false, false, {relu, NULL, {0}}},
    {"ScaledTanh", true, true, {NULL, scaled_tanh, {1, 1}}},
    {"Sigmoid", false, false, {curve_sigmoid, NULL, {0}}},
    {"Softplus", false, false, {curve_softplus, NULL, {0}}},
    {"Softsign", false, false, {curve_softsign, NULL, {0}}},
    {"Tanh", false, false, {tanh, NULL, {0}}},
    {"ThresholdedRelu", true, false, {NULL, curve_thresholded_relu, {1}}},
};

/* Numbers of an attribute, consumed by the activations that take a parameter. */
struct numbers {
    struct float_list list;
    size_t next;
};

static float take_number(struct numbers *numbers, float otherwise)
{
    return numbers->next < numbers->list.count ? numbers->list.values[numbers->next++] : otherwise;
}

static bool find_activation(struct bytes name, struct numbers *alphas, struct numbers *betas,
                            struct activation *activation)
{
    for (size_t i = 0; i < COUNT(activations); i++) {
        if (name.size != strlen(activations[i].name) ||
            strncasecmp(activations[i].name, (const char *)name.data, name.size) != 0)
            continue;
        *activation = activations[i].activation;
        if (activations[i].has_alpha)
            activation->p[0] = take_number(alphas, activation->p[0]);
        if (activations[i].has_beta)
            activation->p[1] = take_number(betas, activation->p[1]);
        return true;
    }
    return false;
}

/* usual: the default activations of one direction. */
static enum opshift_status load_activations(struct kernel_call *call, struct recurrent *layer, const char *const *usual,
                                            struct opshift_error *error)
{
    const Onnx__AttributeProto *names = kernel_message(call, ATTRIBUTE_ACTIVATIONS);
    struct numbers alphas = {.list = kernel_floats(call, ATTRIBUTE_ACTIVATION_ALPHA)};
    struct numbers betas = {.list = kernel_floats(call, ATTRIBUTE_ACTIVATION_BETA)};
    size_t wanted = layer->directions * layer->functions;
    bool given = names != NULL && names->n_strings > 0;
    if (given && names->n_strings != wanted)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'activations' has %zu entries, must have %zu",
                            names->n_strings, wanted);
    for (size_t i = 0; i < wanted; i++) {
        const char *otherwise = usual[i % layer->functions];
        struct bytes name = {(const uint8_t *)otherwise, strlen(otherwise)};
        if (given)
            name = (struct bytes){names->strings[i].data, names->strings[i].len};
        if (!find_activation(name, &alphas, &betas, &layer->activations[i / layer->functions][i % layer->functions]))
            return opshift_fail(error, OPSHIFT_MALFORMED, "'%.*s' is no activation",
                                (int)(name.size < 40 ? name.size : 40), (const char *)name.data);
    }
    return OPSHIFT_OK;
}

static double activation_apply(const struct activation *activation, double x)
{
    return activation->plain ? activation->plain(x) : activation->curve(x, activation->p);
}

static double activate(const struct recurrent *layer, uint32_t direction, uint32_t function, double x)
{
    const struct activation *activation = &layer->activations[direction][function];
    if (layer->clip > 0)
        x = x > layer->clip ? layer->clip : x < -layer->clip ? -layer->clip : x;
    return activation_apply(activation, x);
}

/* ---- one step of one sample: sums holds the input's part and all biases except those that GRU adds itself ---- */

/* Row `row` of a direction's recurrence weights times the state. */
static double recur(const struct recurrent *layer, uint32_t direction, uint64_t row, const double *h)
{
    const double *r = layer->r + (direction * layer->gates * layer->hidden + row) * layer->hidden;
    double sum = 0;
    for (uint64_t i = 0; i < layer->hidden; i++)
        sum += r[i] * h[i];
    return sum;
}

static double recurrent_bias(const struct recurrent *layer, uint32_t direction, uint64_t row)
{
    uint64_t rows = layer->gates * layer->hidden;
    return layer->bias == NULL ? 0 : layer->bias[direction * 2 * rows + rows + row];
}

/* NOLINTNEXTLINE(readability-non-const-parameter): of one type with step_lstm. */
static void step_rnn(const struct recurrent *layer, uint32_t direction, double *h, double *c)
{
    (void)c;
    for (uint64_t i = 0; i < layer->hidden; i++)
        layer->sums[i] += recur(layer, direction, i, h) + recurrent_bias(layer, direction, i);
    for (uint64_t i = 0; i < layer->hidden; i++)
        h[i] = activate(layer, direction, 0, layer->sums[i]);
}

/* Gates: update, reset, hidden. */
/* NOLINTNEXTLINE(readability-non-const-parameter): of one type with step_lstm. */
static void step_gru(const struct recurrent *layer, uint32_t direction, double *h, double *c)
{
    uint64_t n = layer->hidden;
    double *update = layer->sums, *reset = layer->sums + n, *hidden = layer->sums + 2 * n;
    (void)c;
    for (uint64_t i = 0; i < 2 * n; i++)
        layer->sums[i] = activate(layer, direction, 0,
                                  layer->sums[i] + recur(layer, direction, i, h) + recurrent_bias(layer, direction, i));
    for (uint64_t i = 0; i < n; i++)
        layer->reset[i] = reset[i] * h[i];
    for (uint64_t i = 0; i < n; i++) {
        double bias = recurrent_bias(layer, direction, 2 * n + i);
        if (layer->linear_before_reset)
            hidden[i] += reset[i] * (recur(layer, direction, 2 * n + i, h) + bias);
        else
            hidden[i] += recur(layer, direction, 2 * n + i, layer->reset) + bias;
        hidden[i] = activate(layer, direction, 1, hidden[i]);
    }
    for (uint64_t i = 0; i < n; i++)
        h[i] = (1 - update[i]) * hidden[i] + update[i] * h[i];
}

/* Gates: input, output, forget, cell; peepholes: input, output, forget. */
static void step_lstm(const struct recurrent *layer, uint32_t direction, double *h, double *c)
{
    uint64_t n = layer->hidden;
    const double *sums = layer->sums;
    const double *peep = layer->peepholes == NULL ? NULL : layer->peepholes + direction * 3 * n;
    for (uint64_t i = 0; i < 4 * n; i++)
        layer->sums[i] += recur(layer, direction, i, h) + recurrent_bias(layer, direction, i);
    for (uint64_t i = 0; i < n; i++) {
        double input = activate(layer, direction, 0, sums[i] + (peep == NULL ? 0 : peep[i] * c[i]));
        double forget = activate(layer, direction, 0, sums[2 * n + i] + (peep == NULL ? 0 : peep[2 * n + i] * c[i]));
        double cell = activate(layer, direction, 1, sums[3 * n + i]);
        c[i] = (layer->input_forget ? 1 - input : forget) * c[i] + input * cell;
        double output = activate(layer, direction, 0, sums[n + i] + (peep == NULL ? 0 : peep[n + i] * c[i]));
        /* ONNX Runtime does not clip the state itself. */
        h[i] = output * activation_apply(&layer->activations[direction][2], c[i]);
    }
}

/* ---- the whole layer ---- */

static enum opshift_status load_settings(struct kernel_call *call, struct recurrent *layer, const char *const *usual,
                                         struct opshift_error *error)
{
    int64_t layout = kernel_int(call, ATTRIBUTE_LAYOUT), linear = kernel_int(call, ATTRIBUTE_LINEAR_BEFORE_RESET),
            forget = kernel_int(call, ATTRIBUTE_INPUT_FORGET);
    float clip = kernel_float(call, ATTRIBUTE_CLIP);
    unsigned direction = kernel_choice(call, ATTRIBUTE_DIRECTION);
    layer->directions = direction == 2 ? 2 : 1;
    layer->reverse = direction == 1;
    layer->batch_first = layout != 0;
    layer->linear_before_reset = linear != 0;
    layer->input_forget = forget != 0;
    layer->clip = (double)clip;
    return load_activations(call, layer, usual, error);
}

static enum opshift_status check_shapes(struct kernel_call *call, struct recurrent *layer, struct opshift_error *error)
{
    const struct tensor *x = call->inputs[0], *r = call->inputs[2];
    enum opshift_status status = kernel_rank(call, 0, 3, 3, error);
    if (status == OPSHIFT_OK)
        status = kernel_rank(call, 2, 3, 3, error);
    if (status)
        return status;
    int64_t hidden = kernel_gives(call, ATTRIBUTE_HIDDEN_SIZE) ? kernel_int(call, ATTRIBUTE_HIDDEN_SIZE) : r->dims[2];
    if (hidden < 1 || hidden > INT32_MAX)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'hidden_size' is %lld, must be 1 to %d",
                            (long long)hidden, INT32_MAX);
    layer->length = (uint64_t)x->dims[layer->batch_first ? 1 : 0];
    layer->batch = (uint64_t)x->dims[layer->batch_first ? 0 : 1];
    layer->input = (uint64_t)x->dims[2];
    layer->hidden = (uint64_t)hidden;
    int64_t directions = (int64_t)layer->directions, rows = layer->gates * hidden, batch = (int64_t)layer->batch;
    const int64_t w[] = {directions, rows, x->dims[2]}, full_r[] = {directions, rows, hidden};
    const int64_t b[] = {directions, 2 * rows}, peepholes[] = {directions, 3 * hidden};
    const int64_t state[] = {layer->batch_first ? batch : directions, layer->batch_first ? directions : batch, hidden};
    status = kernel_shape(call, 1, 3, w, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 2, 3, full_r, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 3, 2, b, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 4, 1, &batch, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 5, 3, state, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 6, 3, state, error);
    return status == OPSHIFT_OK ? kernel_shape(call, 7, 2, peepholes, error) : status;
}

static enum opshift_status check_lengths(struct kernel_call *call, struct recurrent *layer, struct opshift_error *error)
{
    layer->lengths = kernel_input(call, 4);
    if (layer->lengths == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = OPSHIFT_OK;
    for (uint64_t i = 0; i < layer->batch && status == OPSHIFT_OK; i++)
        if (kernel_index(layer->lengths, i) < 0 || kernel_index(layer->lengths, i) > (int64_t)layer->length)
            return opshift_fail(error, OPSHIFT_MALFORMED, "length %lld is outside the sequence of %llu entries",
                                (long long)kernel_index(layer->lengths, i), (unsigned long long)layer->length);
    return status;
}

/* Position of the state of a direction and sample, in tensors and in h and c. */
static uint64_t state_place(const struct recurrent *layer, uint64_t direction, uint64_t sample)
{
    return (layer->batch_first ? sample * layer->directions + direction : direction * layer->batch + sample) *
           layer->hidden;
}

static enum opshift_status load_layer(struct kernel_call *call, struct recurrent *layer, struct opshift_error *error)
{
    double **const loaded[] = {&layer->x, &layer->w, &layer->r, &layer->bias,
                               NULL,      &layer->h, &layer->c, &layer->peepholes};
    enum opshift_status status = check_shapes(call, layer, error);
    if (status == OPSHIFT_OK)
        status = check_lengths(call, layer, error);
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, loaded, COUNT(loaded), error);
    for (uint32_t i = 5; i < 7 && status == OPSHIFT_OK; i++) /* the states begin at zero where they are not given */
        if (*loaded[i] == NULL)
            status = reals_new(call, layer->directions * layer->batch * layer->hidden, loaded[i], error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, layer->gates * layer->hidden, &layer->sums, error);
    return status == OPSHIFT_OK ? reals_new(call, layer->hidden, &layer->reset, error) : status;
}

static enum opshift_status charge(const struct kernel_call *call, const struct recurrent *layer,
                                  struct opshift_error *error)
{
    uint64_t rows = kernel_times(layer->length, layer->batch * layer->directions);
    uint64_t steps = kernel_times(rows, layer->gates * layer->hidden);
    enum opshift_status status = kernel_work(call, steps, layer->input + layer->hidden, error);
    return status == OPSHIFT_OK ? kernel_work(call, steps, STEPS_CURVE, error) : status;
}

/* The input's contribution at a time step, and the biases. */
static void start_sums(const struct recurrent *layer, uint32_t direction, uint64_t time, uint64_t sample)
{
    uint64_t rows = layer->gates * layer->hidden;
    const double *x =
        layer->x + (layer->batch_first ? sample * layer->length + time : time * layer->batch + sample) * layer->input;
    for (uint64_t row = 0; row < rows; row++) {
        const double *w = layer->w + (direction * rows + row) * layer->input;
        double sum = layer->bias == NULL ? 0 : layer->bias[direction * 2 * rows + row];
        for (uint64_t i = 0; i < layer->input; i++)
            sum += w[i] * x[i];
        layer->sums[row] = sum;
    }
}

/* Outputs after the end of a sequence stay zero. */
static void run_sequence(struct kernel_call *call, const struct recurrent *layer, uint32_t direction, uint64_t sample)
{
    uint64_t length = layer->lengths == NULL ? layer->length : (uint64_t)kernel_index(layer->lengths, sample);
    double *h = layer->h + state_place(layer, direction, sample);
    double *c = layer->c + state_place(layer, direction, sample);
    bool backward = layer->reverse || direction == 1;
    for (uint64_t i = 0; i < length; i++) {
        uint64_t time = backward ? length - 1 - i : i;
        uint64_t place = layer->batch_first ? (sample * layer->length + time) * layer->directions + direction
                                            : (time * layer->directions + direction) * layer->batch + sample;
        start_sums(layer, direction, time, sample);
        layer->step(layer, direction, h, c);
        if (kernel_wants(call, 0))
            reals_store(call->outputs[0], place * layer->hidden, h, layer->hidden);
    }
}

static enum opshift_status make_outputs(struct kernel_call *call, const struct recurrent *layer,
                                        struct opshift_error *error)
{
    const int64_t *x = call->inputs[0]->dims;
    int64_t directions = (int64_t)layer->directions, batch = (int64_t)layer->batch, hidden = (int64_t)layer->hidden;
    const int64_t by_time[] = {x[0], directions, batch, hidden}, by_sample[] = {x[0], x[1], directions, hidden};
    const int64_t state[] = {layer->batch_first ? batch : directions, layer->batch_first ? directions : batch, hidden};
    enum opshift_status status = OPSHIFT_OK;
    if (kernel_wants(call, 0))
        status = kernel_output(call, 0, call->inputs[0]->type, 4, layer->batch_first ? by_sample : by_time, error);
    for (uint32_t i = 1; i < call->output_count && status == OPSHIFT_OK; i++)
        status = kernel_output(call, i, call->inputs[0]->type, 3, state, error);
    return status;
}

static enum opshift_status run_layer(struct kernel_call *call, struct recurrent *layer, const char *const *usual,
                                     struct opshift_error *error)
{
    enum opshift_status status = load_settings(call, layer, usual, error);
    if (status == OPSHIFT_OK)
        status = load_layer(call, layer, error);
    if (status == OPSHIFT_OK)
        status = charge(call, layer, error);
    if (status == OPSHIFT_OK)
        status = make_outputs(call, layer, error);
    if (status)
        return status;
    for (uint32_t direction = 0; direction < layer->directions; direction++)
        for (uint64_t sample = 0; sample < layer->batch; sample++)
            run_sequence(call, layer, direction, sample);
    uint64_t count = layer->directions * layer->batch * layer->hidden;
    for (uint32_t i = 1; i < call->output_count; i++)
        reals_store(call->outputs[i], 0, i == 1 ? layer->h : layer->c, count);
    return OPSHIFT_OK;
}

static enum opshift_status run_gru(struct kernel_call *call, struct opshift_error *error)
{
    static const char *const usual[] = {"Sigmoid", "Tanh"};
    struct recurrent layer = {.gates = 3, .functions = COUNT(usual), .step = step_gru};
    return run_layer(call, &layer, usual, error);
}

static enum opshift_status run_lstm(struct kernel_call *call, struct opshift_error *error)
{
    static const char *const usual[] = {"Sigmoid", "Tanh", "Tanh"};
    struct recurrent layer = {.gates = 4, .functions = COUNT(usual), .step = step_lstm};
    return run_layer(call, &layer, usual, error);
}

static enum opshift_status run_rnn(struct kernel_call *call, struct opshift_error *error)
{
    static const char *const usual[] = {"Tanh"};
    struct recurrent layer = {.gates = 1, .functions = COUNT(usual), .step = step_rnn};
    return run_layer(call, &layer, usual, error);
}

const struct kernel kernels_recurrent[] = {
    {OPERATOR_GRU, 1, KERNEL_ANY, run_gru, {0}},
    {OPERATOR_LSTM, 1, KERNEL_ANY, run_lstm, {0}},
    {OPERATOR_RNN, 1, KERNEL_ANY, run_rnn, {0}},
    {0},
};
