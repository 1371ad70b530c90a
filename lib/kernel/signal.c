/* Signal operators: Fourier transforms, window functions, mel weights. */
#include <math.h>

#include "kernel/reals.h"

#define TWO_PI 6.28318530717958647692

/* ---- one transform ---- */

struct fourier {
    uint64_t length; /* of the transform */
    uint64_t bins;   /* of the output */
    bool inverse;    /* also divides by the length */
    double *cosines, *sines;
};

/* cos(2 pi i / length), exact at multiples of a quarter turn. */
static double cosine(uint64_t i, uint64_t length)
{
    static const double quarters[] = {1, 0, -1, 0};
    return 4 * i % length == 0 ? quarters[4 * i / length % 4] : cos(TWO_PI * (double)i / (double)length);
}

static double sine(uint64_t i, uint64_t length)
{
    static const double quarters[] = {0, 1, 0, -1};
    return 4 * i % length == 0 ? quarters[4 * i / length % 4] : sin(TWO_PI * (double)i / (double)length);
}

static enum opshift_status start_fourier(const struct kernel_call *call, struct fourier *fourier,
                                         struct opshift_error *error)
{
    enum opshift_status status = kernel_work(call, fourier->length, 2 * (uint64_t)STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, fourier->length, &fourier->cosines, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, fourier->length, &fourier->sines, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < fourier->length; i++) {
        fourier->cosines[i] = cosine(i, fourier->length);
        fourier->sines[i] = (fourier->inverse ? 1 : -1) * sine(i, fourier->length);
    }
    return status;
}

static enum opshift_status charge_fourier(const struct kernel_call *call, const struct fourier *fourier, uint64_t lines,
                                          struct opshift_error *error)
{
    return kernel_work(call, kernel_times(lines, fourier->bins), fourier->length * 3, error);
}

/* Bin `bin` of a line of `count` complex numbers, zero-padded to the transform's length. */
static void transform_bin(const struct fourier *fourier, const double *line, uint64_t count, uint64_t bin, double *to)
{
    double real = 0, imaginary = 0, divisor = fourier->inverse ? (double)fourier->length : 1;
    uint64_t turn = 0;
    for (uint64_t i = 0; i < count && i < fourier->length; i++) {
        double a = line[2 * i], b = line[2 * i + 1];
        real += a * fourier->cosines[turn] - b * fourier->sines[turn];
        imaginary += a * fourier->sines[turn] + b * fourier->cosines[turn];
        turn = turn + bin >= fourier->length ? turn + bin - fourier->length : turn + bin;
    }
    to[0] = real / divisor;
    to[1] = imaginary / divisor;
}

/* ---- DFT (17, 20) ---- */

/* The last axis of a signal has size 1 (real) or 2 (complex). */
static enum opshift_status check_signal(const struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *signal = call->inputs[0];
    enum opshift_status status = kernel_rank(call, 0, 2, TENSOR_RANK_MAX, error);
    if (status == OPSHIFT_OK && signal->dims[signal->rank - 1] != 1 && signal->dims[signal->rank - 1] != 2)
        status = opshift_fail(error, OPSHIFT_MALFORMED, "the last axis has %lld elements, must have 1 or 2",
                              (long long)signal->dims[signal->rank - 1]);
    return status;
}

static enum opshift_status load_dft(struct kernel_call *call, struct fourier *fourier, uint32_t *place,
                                    struct opshift_error *error)
{
    int64_t axis = kernel_has(call, ATTRIBUTE_AXIS) ? kernel_int(call, ATTRIBUTE_AXIS) : -2,
            inverse = kernel_int(call, ATTRIBUTE_INVERSE), onesided = kernel_int(call, ATTRIBUTE_ONESIDED), length = -1;
    enum opshift_status status = check_signal(call, error);
    if (status == OPSHIFT_OK && call->operation.opset >= 20)
        status = kernel_whole(call, 2, "the axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank, place, error);
    if (status == OPSHIFT_OK)
        length = call->inputs[0]->dims[*place];
    if (status == OPSHIFT_OK)
        status = kernel_whole(call, 1, "the length", &length, error);
    if (status)
        return status;
    if (*place == call->inputs[0]->rank - 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the last axis holds the parts of complex numbers");
    if (length < 1 || length > INT32_MAX)
        return opshift_fail(error, OPSHIFT_MALFORMED, "a transform of length %lld is not usable", (long long)length);
    if (inverse != 0 && onesided != 0)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "an inverse transform of one side is not computed here");
    fourier->length = (uint64_t)length;
    fourier->bins = onesided != 0 ? fourier->length / 2 + 1 : fourier->length;
    fourier->inverse = inverse != 0;
    return OPSHIFT_OK;
}

static enum opshift_status run_lines(struct kernel_call *call, const struct fourier *fourier, uint32_t place,
                                     struct opshift_error *error)
{
    const struct tensor *signal = call->inputs[0];
    uint64_t parts = (uint64_t)signal->dims[signal->rank - 1], count = (uint64_t)signal->dims[place], inner = 1;
    double *x = NULL, *line = NULL;
    for (uint32_t i = place + 1; i + 1 < signal->rank; i++)
        inner *= (uint64_t)signal->dims[i];
    uint64_t lines = call->outputs[0]->count / 2 / fourier->bins;
    enum opshift_status status = charge_fourier(call, fourier, lines, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, signal, &x, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, 2 * count, &line, error);
    for (uint64_t at = 0; status == OPSHIFT_OK && at < lines; at++) {
        uint64_t outer = at / inner, offset = at % inner;
        for (uint64_t i = 0; i < count; i++)
            for (uint64_t k = 0; k < parts; k++)
                line[2 * i + k] = x[((outer * count + i) * inner + offset) * parts + k];
        for (uint64_t bin = 0; bin < fourier->bins; bin++) {
            double to[2];
            transform_bin(fourier, line, count, bin, to);
            reals_store(call->outputs[0], ((outer * fourier->bins + bin) * inner + offset) * 2, to, 2);
        }
    }
    return status;
}

static enum opshift_status run_dft(struct kernel_call *call, struct opshift_error *error)
{
    struct fourier fourier = {0};
    uint32_t place = 0;
    int64_t dims[TENSOR_RANK_MAX];
    enum opshift_status status = load_dft(call, &fourier, &place, error);
    if (status == OPSHIFT_OK)
        status = start_fourier(call, &fourier, error);
    if (status)
        return status;
    const struct tensor *signal = call->inputs[0];
    for (uint32_t i = 0; i < signal->rank; i++)
        dims[i] = i == place ? (int64_t)fourier.bins : signal->dims[i];
    dims[signal->rank - 1] = 2;
    status = kernel_output(call, 0, signal->type, signal->rank, dims, error);
    return status == OPSHIFT_OK ? run_lines(call, &fourier, place, error) : status;
}

/* ---- STFT (17): transforms of windowed frames ---- */

struct frames {
    uint64_t samples, length, parts, step, count; /* length of the signal; parts: 1 (real) or 2 (complex) */
    double *x, *window;                           /* window: NULL, or one weight per frame position */
};

static enum opshift_status load_frames(struct kernel_call *call, struct frames *frames, struct fourier *fourier,
                                       struct opshift_error *error)
{
    int64_t onesided = kernel_int(call, ATTRIBUTE_ONESIDED), step = 0, length = -1;
    const struct tensor *window = kernel_input(call, 2);
    enum opshift_status status = check_signal(call, error);
    if (status == OPSHIFT_OK)
        status = kernel_rank(call, 0, 3, 3, error);
    if (status == OPSHIFT_OK)
        status = kernel_whole(call, 1, "the step", &step, error);
    if (status == OPSHIFT_OK && window != NULL)
        length = (int64_t)window->count;
    if (status == OPSHIFT_OK)
        status = kernel_whole(call, 3, "the length of a frame", &length, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 2, 1, &length, error);
    if (status)
        return status;
    const int64_t *dims = call->inputs[0]->dims;
    if (step < 1 || length < 1 || length > dims[1])
        return opshift_fail(error, OPSHIFT_MALFORMED, "frames of %lld every %lld do not fit a signal of %lld",
                            (long long)length, (long long)step, (long long)dims[1]);
    if (dims[2] == 2 && onesided != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "a complex signal has two sides; set onesided to 0");
    *frames = (struct frames){(uint64_t)dims[0], (uint64_t)dims[1], (uint64_t)dims[2], (uint64_t)step, 0, NULL, NULL};
    frames->count = (uint64_t)((dims[1] - length) / step + 1);
    fourier->length = (uint64_t)length;
    fourier->bins = onesided != 0 ? fourier->length / 2 + 1 : fourier->length;
    return reals_inputs(call, (double **const[]){&frames->x, NULL, &frames->window}, 3, error);
}

static enum opshift_status run_stft(struct kernel_call *call, struct opshift_error *error)
{
    struct frames frames = {0};
    struct fourier fourier = {0};
    double *line = NULL;
    enum opshift_status status = load_frames(call, &frames, &fourier, error);
    const int64_t dims[] = {(int64_t)frames.samples, (int64_t)frames.count, (int64_t)fourier.bins, 2};
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, call->inputs[0]->type, 4, dims, error);
    if (status == OPSHIFT_OK)
        status = start_fourier(call, &fourier, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, 2 * fourier.length, &line, error);
    if (status == OPSHIFT_OK)
        status = charge_fourier(call, &fourier, frames.samples * frames.count, error);
    for (uint64_t at = 0; status == OPSHIFT_OK && at < frames.samples * frames.count; at++) {
        uint64_t start = at / frames.count * frames.length + at % frames.count * frames.step;
        for (uint64_t i = 0; i < fourier.length; i++)
            for (uint64_t k = 0; k < frames.parts; k++)
                line[2 * i + k] =
                    frames.x[(start + i) * frames.parts + k] * (frames.window == NULL ? 1 : frames.window[i]);
        for (uint64_t bin = 0; bin < fourier.bins; bin++) {
            double to[2];
            transform_bin(&fourier, line, fourier.length, bin, to);
            reals_store(call->outputs[0], (at * fourier.bins + bin) * 2, to, 2);
        }
    }
    return status;
}

/* ---- BlackmanWindow, HammingWindow, HannWindow (17) ---- */

static enum opshift_status named_output(struct kernel_call *call, uint32_t rank, const int64_t *dims,
                                        struct opshift_error *error)
{
    int64_t type = kernel_int(call, ATTRIBUTE_OUTPUT_DATATYPE);
    if (number_type((enum opshift_type)type) == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "attribute 'output_datatype' is %lld, which is not a type of numbers", (long long)type);
    return kernel_output(call, 0, (enum opshift_type)type, rank, dims, error);
}

/* weights: of the constant, of the first and of the second cosine. */
static enum opshift_status run_window(struct kernel_call *call, const double *weights, struct opshift_error *error)
{
    int64_t size = 0, periodic = kernel_int(call, ATTRIBUTE_PERIODIC);
    enum opshift_status status = kernel_whole(call, 0, "the size", &size, error);
    if (status == OPSHIFT_OK && size < 0)
        status = opshift_fail(error, OPSHIFT_MALFORMED, "the size is %lld, must not be negative", (long long)size);
    if (status == OPSHIFT_OK)
        status = named_output(call, 1, &size, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, (uint64_t)size, 2 * (uint64_t)STEPS_CURVE, error);
    for (int64_t i = 0; status == OPSHIFT_OK && i < size; i++) {
        double angle = TWO_PI * (double)i / (double)(periodic != 0 ? size : size - 1);
        double value = weights[0] + weights[1] * cos(angle) + weights[2] * cos(2 * angle);
        reals_store(call->outputs[0], (uint64_t)i, &value, 1);
    }
    return status;
}

static enum opshift_status run_blackman(struct kernel_call *call, struct opshift_error *error)
{
    return run_window(call, (const double[]){0.42, -0.5, 0.08}, error);
}

static enum opshift_status run_hamming(struct kernel_call *call, struct opshift_error *error)
{
    return run_window(call, (const double[]){25.0 / 46, -21.0 / 46, 0}, error);
}

static enum opshift_status run_hann(struct kernel_call *call, struct opshift_error *error)
{
    return run_window(call, (const double[]){0.5, -0.5, 0}, error);
}

/* ---- MelWeightMatrix (17): triangular filters, equally spaced on the mel scale ---- */

struct mel {
    int64_t bands, length, bins;
    double rate, low, high; /* sample rate; band edges in mel */
};

static double pitch(double hertz)
{
    return 2595 * log10(1 + hertz / 700);
}

/* The bin of filter edge `i`; at most one beyond the last. */
static int64_t edge_bin(const struct mel *mel, int64_t i)
{
    double at = mel->low + (double)i * (mel->high - mel->low) / (double)(mel->bands + 2);
    double bin = floor((double)(mel->length + 1) * 700 * (pow(10, at / 2595) - 1) / mel->rate);
    return isnan(bin) ? mel->bins : (int64_t)fmax(0, fmin((double)mel->bins, bin));
}

static enum opshift_status load_mel(struct kernel_call *call, struct mel *mel, struct opshift_error *error)
{
    int64_t rate = 0;
    enum opshift_status status = kernel_whole(call, 0, "the number of bands", &mel->bands, error);
    if (status == OPSHIFT_OK)
        status = kernel_whole(call, 1, "the length", &mel->length, error);
    if (status == OPSHIFT_OK)
        status = kernel_whole(call, 2, "the sample rate", &rate, error);
    if (status == OPSHIFT_OK)
        status = kernel_number(call, 3, &mel->low, error);
    if (status == OPSHIFT_OK)
        status = kernel_number(call, 4, &mel->high, error);
    if (status)
        return status;
    if (mel->bands < 1 || mel->bands > INT32_MAX || mel->length < 0 || mel->length > INT32_MAX || rate < 1)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "%lld bands of a transform of %lld at %lld samples are not usable", (long long)mel->bands,
                            (long long)mel->length, (long long)rate);
    mel->bins = mel->length / 2 + 1;
    mel->rate = (double)rate;
    mel->low = pitch(mel->low);
    mel->high = pitch(mel->high);
    return OPSHIFT_OK;
}

static void store_weight(struct kernel_call *call, const struct mel *mel, int64_t bin, int64_t band, double weight)
{
    if (bin < mel->bins)
        reals_store(call->outputs[0], (uint64_t)(bin * mel->bands + band), &weight, 1);
}

static enum opshift_status run_mel(struct kernel_call *call, struct opshift_error *error)
{
    struct mel mel = {0};
    enum opshift_status status = load_mel(call, &mel, error);
    const int64_t dims[] = {mel.bins, mel.bands};
    if (status == OPSHIFT_OK)
        status = named_output(call, 2, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count + (uint64_t)mel.bands, STEPS_CURVE, error);
    for (int64_t band = 0; status == OPSHIFT_OK && band < mel.bands; band++) {
        int64_t low = edge_bin(&mel, band), center = edge_bin(&mel, band + 1), high = edge_bin(&mel, band + 2);
        if (low == center)
            store_weight(call, &mel, center, band, 1);
        for (int64_t bin = low; bin <= center && low < center; bin++)
            store_weight(call, &mel, bin, band, (double)(bin - low) / (double)(center - low));
        for (int64_t bin = center; bin < high; bin++)
            store_weight(call, &mel, bin, band, (double)(high - bin) / (double)(high - center));
    }
    return status;
}

const struct kernel kernels_signal[] = {
    {OPERATOR_BLACKMAN_WINDOW, 17, KERNEL_ANY, run_blackman, {0}},
    {OPERATOR_DFT, 17, KERNEL_ANY, run_dft, {0}},
    {OPERATOR_HAMMING_WINDOW, 17, KERNEL_ANY, run_hamming, {0}},
    {OPERATOR_HANN_WINDOW, 17, KERNEL_ANY, run_hann, {0}},
    {OPERATOR_MEL_WEIGHT_MATRIX, 17, KERNEL_ANY, run_mel, {0}},
    {OPERATOR_STFT, 17, KERNEL_ANY, run_stft, {0}},
    {0},
};
