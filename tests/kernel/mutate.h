/* Calls of kernels as an enemy would change them: what is right about a call stays, but for a few things. */
#ifndef TESTS_KERNEL_MUTATE_H
#define TESTS_KERNEL_MUTATE_H

#include "kernel/kernel.h"

/* Runs copies of a call, each with some inputs, elements or attributes changed, under a small budget. Whatever comes
 * out is right, as long as nothing is touched out of bounds: the sanitizers look at that. */
void mutate_call(const struct kernel_call *call, unsigned copies);

#endif
