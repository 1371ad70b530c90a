/* Gelu: each element times the share of a normal distribution that lies below it; or an approximation by tanh. */
#include "kernel/elementwise.h"

#include <math.h>
#include <string.h>

#define SQRT_2         1.41421356237309504880
#define SQRT_2_OVER_PI 0.79788456080286535588

static double exact(double x)
{
    return 0.5 * x * (1 + erf(x / SQRT_2));
}

static double approximate(double x)
{
    return 0.5 * x * (1 + tanh(SQRT_2_OVER_PI * (x + 0.044715 * x * x * x)));
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct bytes way = {(const uint8_t *)"none", 4};
    enum opshift_status status = kernel_text(call, "approximate", &way, error);
    if (status != OPSHIFT_OK)
        return status;
    bool by_tanh = way.size == 4 && memcmp(way.data, "tanh", 4) == 0;
    if (!by_tanh && (way.size != 4 || memcmp(way.data, "none", 4) != 0))
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'approximate' is neither 'none' nor 'tanh'");
    return elementwise_real(call, by_tanh ? approximate : exact, error);
}

const struct kernel kernel_gelu[] = {{"Gelu", 20, KERNEL_ANY, run}, {0}};
