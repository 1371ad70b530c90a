/* Kernel calls as text: a node and its inputs, and the outputs. */
#ifndef TESTS_KERNEL_CALL_H
#define TESTS_KERNEL_CALL_H

#include "kernel/kernel.h"

#define CALL_INPUTS_MAX 10

/* One row of a table of cases. A node is written as ONNX writes it (y = Add(a, b)); inputs are tensors in order, as
 * "int64[2,3]{1,2,3,4,5,6}" ("int64{}" is a scalar; elements that are left out are 0, 1, 2, ...), NULL: absent. wanted
 * is every output in the same form, separated by spaces, or the message of the failure. */
struct call_case {
    const char *what;
    int64_t opset;
    const char *node;
    const char *inputs[CALL_INPUTS_MAX];
    const char *wanted;
};

void call_check(const struct call_case *one);
void call_check_all(const struct call_case *cases, size_t count);

/* NULL: invalid text. */
struct tensor *call_tensor(struct arena *arena, const char *text);
const char *call_text(struct arena *arena, const struct tensor *tensor);

#endif
