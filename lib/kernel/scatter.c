/* Scatter: what ScatterElements was called before opset 11. */
#include "kernel/scattering.h"

const struct kernel kernel_scatter[] = {{"Scatter", 9, 10, scattering_elements}, {0}};
