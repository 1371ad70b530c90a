/* Sliding windows over an input: sizes, strides, dilations, pads. */
#ifndef KERNEL_WINDOW_H
#define KERNEL_WINDOW_H

#include "kernel/support.h"

#define WINDOW_AXES_MAX 8

enum window_padding { WINDOW_PADS, WINDOW_SAME_UPPER, WINDOW_SAME_LOWER, WINDOW_VALID };

struct window {
    uint32_t axes;
    unsigned padding;
    bool ceiling; /* count a last, incomplete window too */
    int64_t in[WINDOW_AXES_MAX], out[WINDOW_AXES_MAX];
    int64_t kernel[WINDOW_AXES_MAX], stride[WINDOW_AXES_MAX], dilation[WINDOW_AXES_MAX];
    int64_t begin[WINDOW_AXES_MAX], end[WINDOW_AXES_MAX]; /* pads */
    uint64_t in_count, out_count, kernel_count;           /* products over the axes */
};

/* Reads the spatial dims of input 0 and the attributes kernel_shape, strides, dilations, pads and auto_pad. kernel:
 * the sizes that kernel_shape must have if given; NULL: kernel_shape is required. */
enum opshift_status window_load(const struct kernel_call *call, const int64_t *kernel, struct window *window,
                                struct opshift_error *error);
/* Computes the output sizes and the pads of auto_pad. MALFORMED: the kernel does not fit. */
enum opshift_status window_fit(const struct kernel_call *call, struct window *window, struct opshift_error *error);
/* Positions that a dilated kernel spans along an axis. */
static inline int64_t window_span(const struct window *window, uint32_t axis)
{
    return (window->kernel[axis] - 1) * window->dilation[axis] + 1;
}
/* The input positions, in row-major order, that the kernel covers for this output position; `places` has room for
 * kernel_count. *padded: how many kernel positions are on the input or its pads. */
uint64_t window_places(const struct window *window, uint64_t out, uint64_t *places, uint64_t *padded);
/* Allocates the array for window_places. */
enum opshift_status window_room(const struct kernel_call *call, const struct window *window, uint64_t **places,
                                struct opshift_error *error);
/* The input position for this output and kernel position. False: outside the input. */
bool window_at(const struct window *window, const int64_t *out, const int64_t *kernel, uint64_t *place);

#endif
