/* If: what one of two bodies gives. */
#include "kernel/support.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    uint32_t input_count = 0, output_count = 0;
    enum opshift_status status = kernel_inputs(call, 1, 1, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *condition = call->inputs[0];
    if (condition->type != OPSHIFT_TYPE_BOOL || condition->count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the condition is %s%s, must be one bool",
                            type_name(condition->type),
                            kernel_dims_text(call->arena, condition->rank, condition->dims));
    if (call->bodies == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "its bodies cannot be run here");
    const char *branch = *(const uint8_t *)condition->data != 0 ? "then_branch" : "else_branch";
    status = call->bodies->measure(call->bodies, branch, &input_count, &output_count, error);
    if (status == OPSHIFT_OK && (input_count != 0 || output_count != call->output_count))
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s has %u inputs and %u outputs, must have 0 and %u", branch,
                            input_count, output_count, call->output_count);
    return status == OPSHIFT_OK
               ? call->bodies->run(call->bodies, branch, NULL, 0, call->results, call->output_count, error)
               : status;
}

const struct kernel kernel_if[] = {{"If", 1, KERNEL_ANY, run}, {0}};
