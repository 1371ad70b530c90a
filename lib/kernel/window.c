/* Sliding windows over an input: sizes, strides, dilations, pads. */
#include "kernel/window.h"

#include "kernel/walk.h"

/* Products and sums of sizes up to this do not overflow. */
#define WINDOW_SIZE_MAX INT32_MAX

/* An attribute with an entry per axis; keeps the caller's defaults if absent. */
static enum opshift_status load_list(const struct kernel_call *call, enum attribute_id id, uint32_t count,
                                     int64_t *values, struct opshift_error *error)
{
    struct int_list list = kernel_ints(call, id);
    const char *name = list.present ? schema_attribute(call->operation.schema, id)->name : "";
    if (list.present && list.count != count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' has %zu entries, must have %u", name, list.count,
                            count);
    for (size_t i = 0; i < list.count; i++) {
        if (list.values[i] > WINDOW_SIZE_MAX)
            return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' has the entry %lld, must be at most %d", name,
                                (long long)list.values[i], WINDOW_SIZE_MAX);
        values[i] = list.values[i];
    }
    return OPSHIFT_OK;
}

static enum opshift_status load_kernel(const struct kernel_call *call, const int64_t *kernel, struct window *window,
                                       struct opshift_error *error)
{
    for (uint32_t i = 0; i < window->axes; i++)
        window->kernel[i] = kernel == NULL ? 1 : kernel[i];
    enum opshift_status status = load_list(call, ATTRIBUTE_KERNEL_SHAPE, window->axes, window->kernel, error);
    for (uint32_t i = 0; i < window->axes && status == OPSHIFT_OK && kernel != NULL; i++)
        if (window->kernel[i] != kernel[i])
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "attribute 'kernel_shape' has the entry %lld, the kernel has %lld",
                                (long long)window->kernel[i], (long long)kernel[i]);
    window->kernel_count = 1;
    for (uint32_t i = 0; i < window->axes && status == OPSHIFT_OK; i++) {
        if (window->kernel[i] < 1 || window->kernel[i] > WINDOW_SIZE_MAX)
            return opshift_fail(error, OPSHIFT_MALFORMED, "a kernel has %lld places along an axis, must have 1 to %d",
                                (long long)window->kernel[i], WINDOW_SIZE_MAX);
        if (!kernel_multiply(window->kernel_count, (uint64_t)window->kernel[i], &window->kernel_count))
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the kernel has too many places");
    }
    return status;
}

enum opshift_status window_load(const struct kernel_call *call, const int64_t *kernel, struct window *window,
                                struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    int64_t pads[2 * WINDOW_AXES_MAX] = {0};
    enum opshift_status status = kernel_rank(call, 0, 3, WINDOW_AXES_MAX + 2, error);
    if (status)
        return status;
    window->axes = input->rank - 2;
    window->in_count = 1;
    for (uint32_t i = 0; i < window->axes; i++) {
        window->in[i] = input->dims[2 + i];
        window->in_count *= (uint64_t)window->in[i];
        window->stride[i] = window->dilation[i] = 1;
        if (window->in[i] > WINDOW_SIZE_MAX)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "an axis of %lld elements is too long",
                                (long long)window->in[i]);
    }
    status = load_kernel(call, kernel, window, error);
    if (status == OPSHIFT_OK)
        status = load_list(call, ATTRIBUTE_STRIDES, window->axes, window->stride, error);
    if (status == OPSHIFT_OK)
        status = load_list(call, ATTRIBUTE_DILATIONS, window->axes, window->dilation, error);
    if (status == OPSHIFT_OK)
        status = load_list(call, ATTRIBUTE_PADS, 2 * window->axes, pads, error);
    window->padding = kernel_choice(call, ATTRIBUTE_AUTO_PAD);
    for (uint32_t i = 0; i < window->axes && window->padding == WINDOW_PADS; i++) {
        window->begin[i] = pads[i];
        window->end[i] = pads[window->axes + i];
    }
    return status;
}

/* auto_pad SAME: ceil(size / stride) windows; the missing positions are padded. */
static void fit_same(struct window *window, uint32_t i)
{
    window->out[i] = window->in[i] / window->stride[i] + (window->in[i] % window->stride[i] != 0);
    int64_t total = (window->out[i] - 1) * window->stride[i] + window_span(window, i) - window->in[i];
    total = total < 0 ? 0 : total;
    window->begin[i] = window->padding == WINDOW_SAME_UPPER ? total / 2 : total - total / 2;
    window->end[i] = total - window->begin[i];
}

static enum opshift_status fit_axis(struct window *window, uint32_t i, struct opshift_error *error)
{
    int64_t padded = window->in[i] + window->begin[i] + window->end[i], left = padded - window_span(window, i);
    if (left < (window->ceiling ? 0 : -window->stride[i]))
        return opshift_fail(error, OPSHIFT_MALFORMED, "a kernel that spans %lld places does not fit %lld padded ones",
                            (long long)window_span(window, i), (long long)padded);
    /* The standard's formula rounds down: no window where less than a stride is missing. */
    window->out[i] = left < 0 ? 0 : left / window->stride[i] + 1;
    /* A window that starts after the input and its begin pad would cover only padding. */
    if (window->ceiling && left % window->stride[i] != 0 &&
        window->out[i] * window->stride[i] < window->in[i] + window->begin[i])
        window->out[i]++;
    return OPSHIFT_OK;
}

enum opshift_status window_fit(const struct kernel_call *call, struct window *window, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    (void)call;
    window->out_count = 1;
    for (uint32_t i = 0; i < window->axes && status == OPSHIFT_OK; i++) {
        if (window->padding == WINDOW_SAME_UPPER || window->padding == WINDOW_SAME_LOWER)
            fit_same(window, i);
        else
            status = fit_axis(window, i, error);
        if (status == OPSHIFT_OK && !kernel_multiply(window->out_count, (uint64_t)window->out[i], &window->out_count))
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the output has too many places");
    }
    return status;
}

enum opshift_status window_room(const struct kernel_call *call, const struct window *window, uint64_t **places,
                                struct opshift_error *error)
{
    const int64_t dims[] = {(int64_t)window->kernel_count};
    enum opshift_status status = kernel_room(call, OPSHIFT_TYPE_UINT64, 1, dims, error);
    *places = status == OPSHIFT_OK ? arena_alloc(call->arena, window->kernel_count, sizeof(**places)) : NULL;
    return status == OPSHIFT_OK && *places == NULL ? opshift_no_memory(error) : status;
}

bool window_at(const struct window *window, const int64_t *out, const int64_t *kernel, uint64_t *place)
{
    *place = 0;
    for (uint32_t i = 0; i < window->axes; i++) {
        int64_t at = out[i] * window->stride[i] - window->begin[i] + kernel[i] * window->dilation[i];
        if (at < 0 || at >= window->in[i])
            return false;
        *place = *place * (uint64_t)window->in[i] + (uint64_t)at;
    }
    return true;
}

static bool is_on_pads(const struct window *window, const int64_t *out, const int64_t *kernel)
{
    for (uint32_t i = 0; i < window->axes; i++) {
        int64_t at = out[i] * window->stride[i] - window->begin[i] + kernel[i] * window->dilation[i];
        if (at >= window->in[i] + window->end[i])
            return false;
    }
    return true;
}

uint64_t window_places(const struct window *window, uint64_t out, uint64_t *places, uint64_t *padded)
{
    int64_t index[WINDOW_AXES_MAX] = {0};
    struct walk walk;
    uint64_t count = 0;
    *padded = 0;
    for (uint32_t i = window->axes; i-- > 0; out /= (uint64_t)window->out[i])
        index[i] = (int64_t)(out % (uint64_t)window->out[i]);
    walk_start(&walk, window->axes, window->kernel);
    for (uint64_t k = 0; k < window->kernel_count; k++, walk_next(&walk)) {
        *padded += is_on_pads(window, index, walk.index);
        count += window_at(window, index, walk.index, &places[count]);
    }
    return count;
}
