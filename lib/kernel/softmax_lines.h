/* Softmax and its kin: what they share is which elements belong together. */
#ifndef KERNEL_SOFTMAX_LINES_H
#define KERNEL_SOFTMAX_LINES_H

#include "kernel/support.h"

/* Makes of a line of numbers another: count of them, at least one. */
typedef void softmax_line(const double *from, double *to, uint64_t count);

/* Before opset 13 all elements from the axis (1) on are one line; since then those along it (the last). */
enum opshift_status softmax_lines(struct kernel_call *call, softmax_line *line, struct opshift_error *error);
/* The sum of e to the power of each number less the greatest; *greatest is that one. */
double softmax_sum(const double *from, uint64_t count, double *greatest);

#endif
