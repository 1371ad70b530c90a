/* Dropout in inference: copies its input; the mask is all true. */
#include "model/number.h"
#include "kernel/support.h"

/* Training mode drops elements at random, so it is refused. */
static enum opshift_status check_mode(const struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *training = kernel_input(call, 2), *ratio = kernel_input(call, 1);
    bool trains = training != NULL && training->count == 1 && training->type == OPSHIFT_TYPE_BOOL &&
                  *(const uint8_t *)training->data != 0;
    if (kernel_has(call, ATTRIBUTE_IS_TEST))
        trains = kernel_int(call, ATTRIBUTE_IS_TEST) == 0;
    /* In training mode, ratio 0 drops nothing; the default ratio is 0.5. */
    if (!trains || (ratio != NULL && ratio->count == 1 && tensor_number(ratio, 0) == 0))
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_UNSUPPORTED, "drops elements at random in training, which is not run here");
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = check_mode(call, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    status = kernel_view(call, input, input->rank, input->dims, error);
    if (status || call->output_count < 2 || (call->wanted != NULL && !call->wanted[1]))
        return status;
    /* Before opset 10 the mask has the input's type. */
    enum opshift_type type = call->operation.opset < 10 ? input->type : OPSHIFT_TYPE_BOOL;
    const struct number_type *number = number_type(type);
    if (number == NULL)
        return kernel_no_number(type, error);
    status = kernel_output(call, 1, type, input->rank, input->dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count, STEPS_COMPUTE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        number->store((char *)call->outputs[1]->data + i * number->size, number_one(number->kind));
    return status;
}

const struct kernel kernels_dropout[] = {{OPERATOR_DROPOUT, 1, KERNEL_ANY, run, {0}}, {0}};
