/* Selu: gamma times Elu. */
#include "kernel/elementwise.h"

#include <math.h>

static double curve(double x, const float *p)
{
    return p[1] * (x <= 0 ? p[0] * expm1(x) : x);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    /* Opset 1 had both with fewer digits. */
    static const struct elementwise_parameter first[] = {{"alpha", 1.6732F}, {"gamma", 1.0507F}};
    static const struct elementwise_parameter since_6[] = {{"alpha", 1.67326319217681884765625F},
                                                           {"gamma", 1.05070102214813232421875F}};
    return elementwise_shaped(call, curve, call->opset < 6 ? first : since_6, 2, error);
}

const struct kernel kernel_selu[] = {{"Selu", 1, KERNEL_ANY, run}, {0}};
