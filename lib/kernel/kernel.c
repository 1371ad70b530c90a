/* Finds the kernel of an operator at an opset, and runs it. */
#include "kernel/kernel.h"

#include <string.h>

/* Each operator's rows, and the list of them all, by name; both follow lib/kernel/Makefile.inc. */
#define KERNEL(name) extern const struct kernel kernel_##name[];
#include "kernel/kernel_list.h"
#undef KERNEL

#define KERNEL(name) kernel_##name,
static const struct kernel *const operators[] = {
#include "kernel/kernel_list.h"
};
#undef KERNEL

const struct kernel *kernel_find(const char *op_type, int64_t opset)
{
    size_t first = 0, end = COUNT(operators);
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (strcmp(operators[middle]->op_type, op_type) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    if (first == COUNT(operators) || strcmp(operators[first]->op_type, op_type) != 0)
        return NULL;
    for (const struct kernel *row = operators[first]; row->op_type != NULL; row++)
        if (row->since <= opset && opset <= row->until)
            return opset <= OPSHIFT_OPSET_NEWEST ? row : NULL;
    return NULL;
}

enum opshift_status kernel_run(struct kernel_call *call, struct opshift_error *error)
{
    const struct kernel *kernel = kernel_find(call->op_type, call->opset);
    if (kernel == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "there is no built-in kernel for %s at opset %lld",
                            call->op_type, (long long)call->opset);
    enum opshift_status status = kernel->run(call, error);
    return status == OPSHIFT_OK ? OPSHIFT_OK : opshift_within(error, status, "%s", call->op_type);
}
