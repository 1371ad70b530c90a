/* Finds the kernel of an operator at an opset, and runs it. */
#include "kernel/learned.h"

#include <string.h>

/* The tables of all families, and the list of them; both follow lib/kernel/Makefile.inc. */
#define KERNELS(family) extern const struct kernel kernels_##family[];
#include "kernel/kernel_list.h"
#undef KERNELS

#define KERNELS(family) kernels_##family,
static const struct kernel *const families[] = {
#include "kernel/kernel_list.h"
};
#undef KERNELS

const struct kernel *kernel_find(const char *op_type, int64_t opset)
{
    for (size_t i = 0; i < COUNT(families) && opset <= OPSHIFT_OPSET_NEWEST; i++)
        for (const struct kernel *row = families[i]; row->op_type != NULL; row++)
            if (row->op_type[0] == op_type[0] && row->op_type[1] == op_type[1] && row->since <= opset &&
                opset <= row->until && strcmp(row->op_type, op_type) == 0)
                return row;
    return NULL;
}

const struct kernel *kernel_find_in(const char *domain, const char *op_type, int64_t opset)
{
    static const struct kernel *const learned[] = {kernels_learned, kernels_tree};
    if (*domain == '\0')
        return kernel_find(op_type, opset);
    for (size_t i = 0; i < COUNT(learned) && strcmp(domain, "ai.onnx.ml") == 0; i++)
        for (const struct kernel *row = learned[i]; row->op_type != NULL; row++)
            if (row->since <= opset && opset <= row->until && strcmp(row->op_type, op_type) == 0)
                return row;
    return NULL;
}

enum opshift_status kernel_call(const struct kernel *kernel, struct kernel_call *call, struct opshift_error *error)
{
    struct arena *scratch = NULL;
    call->how = kernel->how;
    call->scratch = &scratch;
    enum opshift_status status = kernel->run(call, error);
    call->scratch = NULL;
    arena_free(scratch);
    return status;
}

enum opshift_status kernel_run(struct kernel_call *call, struct opshift_error *error)
{
    const struct kernel *kernel = kernel_find(call->op_type, call->opset);
    if (kernel == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "there is no built-in kernel for %s at opset %lld",
                            call->op_type, (long long)call->opset);
    enum opshift_status status = kernel_call(kernel, call, error);
    return status == OPSHIFT_OK ? OPSHIFT_OK : opshift_within(error, status, "%s", call->op_type);
}
