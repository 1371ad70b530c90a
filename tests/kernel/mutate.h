/* Mutated kernel calls: valid calls with a few hostile changes. */
#ifndef TESTS_KERNEL_MUTATE_H
#define TESTS_KERNEL_MUTATE_H

#include "kernel/kernel.h"

/* Runs copies of a call, each with some inputs, elements or attributes changed, with a small budget. Any result is
 * right; sanitizers find accesses out of bounds. */
void mutate_call(const struct kernel_call *call, unsigned copies);

#endif
