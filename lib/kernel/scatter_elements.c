/* ScatterElements: each update goes where its index along an axis says. */
#include "kernel/scattering.h"

const struct kernel kernel_scatter_elements[] = {{"ScatterElements", 11, KERNEL_ANY, scattering_elements}, {0}};
