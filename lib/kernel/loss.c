/* Loss functions of scores and class labels. */
#include <math.h>

#include "kernel/reals.h"

/* ---- NegativeLogLikelihoodLoss (12, 13, 22), SoftmaxCrossEntropyLoss (12, 13) ---- */

enum loss_reduction { LOSS_NONE, LOSS_SUM, LOSS_MEAN };

/* Scores of shape [samples, classes, d1, ...]; one label per sample and position. */
struct loss {
    uint64_t samples, classes, places;
    unsigned reduction;
    int64_t ignored;
    bool ignores;
    double *scores, *weights; /* weights: NULL, or one per class */
};

static enum opshift_status check_shapes(struct kernel_call *call, struct loss *loss, struct opshift_error *error)
{
    const struct tensor *scores = call->inputs[0];
    int64_t dims[TENSOR_RANK_MAX] = {0};
    enum opshift_status status = kernel_rank(call, 0, 2, TENSOR_RANK_MAX, error);
    if (status)
        return status;
    loss->samples = (uint64_t)scores->dims[0];
    loss->classes = (uint64_t)scores->dims[1];
    if (loss->classes == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "there are no classes");
    loss->places = 1;
    dims[0] = scores->dims[0];
    for (uint32_t i = 2; i < scores->rank; i++) {
        dims[i - 1] = scores->dims[i];
        loss->places *= (uint64_t)scores->dims[i];
    }
    status = kernel_shape(call, 1, scores->rank - 1, dims, error);
    return status == OPSHIFT_OK ? kernel_shape(call, 2, 1, &scores->dims[1], error) : status;
}

static enum opshift_status start(struct kernel_call *call, struct loss *loss, struct opshift_error *error)
{
    loss->reduction = kernel_choice(call, ATTRIBUTE_REDUCTION);
    loss->ignored = kernel_int(call, ATTRIBUTE_IGNORE_INDEX);
    loss->ignores = kernel_gives(call, ATTRIBUTE_IGNORE_INDEX);
    double **const loaded[] = {&loss->scores, NULL, &loss->weights};
    enum opshift_status status = check_shapes(call, loss, error);
    return status == OPSHIFT_OK ? reals_inputs(call, loaded, COUNT(loaded), error) : status;
}

/* losses[i]: loss of label i; *weight: the sum of the weights. */
static enum opshift_status find_losses(const struct kernel_call *call, const struct loss *loss, double *losses,
                                       double *weight, struct opshift_error *error)
{
    const struct tensor *labels = call->inputs[1];
    *weight = 0;
    for (uint64_t i = 0; i < labels->count; i++) {
        int64_t label = kernel_index(labels, i);
        if (loss->ignores && label == loss->ignored)
            continue;
        if (label < 0 || (uint64_t)label >= loss->classes)
            return opshift_fail(error, OPSHIFT_MALFORMED, "label %lld is outside the %llu classes", (long long)label,
                                (unsigned long long)loss->classes);
        uint64_t sample = i / loss->places, place = i % loss->places;
        double own = loss->weights == NULL ? 1 : loss->weights[label];
        losses[i] = -own * loss->scores[(sample * loss->classes + (uint64_t)label) * loss->places + place];
        *weight += own;
    }
    return OPSHIFT_OK;
}

/* Output 0, from log probabilities. */
static enum opshift_status reduce(struct kernel_call *call, const struct loss *loss, struct opshift_error *error)
{
    const struct tensor *labels = call->inputs[1];
    double *losses = NULL, weight = 0, sum = 0;
    bool all = loss->reduction == LOSS_NONE;
    enum opshift_status status = kernel_work(call, labels->count, STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, labels->count, &losses, error);
    if (status == OPSHIFT_OK)
        status = find_losses(call, loss, losses, &weight, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, call->inputs[0]->type, all ? labels->rank : 0, labels->dims, error);
    if (status)
        return status;
    for (uint64_t i = 0; i < labels->count; i++)
        sum += losses[i];
    sum = loss->reduction == LOSS_MEAN ? sum / weight : sum;
    reals_store(call->outputs[0], 0, all ? losses : &sum, all ? labels->count : 1);
    return OPSHIFT_OK;
}

static enum opshift_status run_likelihood(struct kernel_call *call, struct opshift_error *error)
{
    struct loss loss = {0};
    enum opshift_status status = start(call, &loss, error);
    return status == OPSHIFT_OK ? reduce(call, &loss, error) : status;
}

/* Replaces the scores by their log softmax over the classes. */
static void take_log_softmax(const struct loss *loss)
{
    for (uint64_t line = 0; line < loss->samples * loss->places; line++) {
        double *scores = loss->scores + line / loss->places * loss->classes * loss->places + line % loss->places;
        double greatest = -(double)INFINITY, sum = 0;
        for (uint64_t c = 0; c < loss->classes; c++)
            greatest = fmax(greatest, scores[c * loss->places]);
        for (uint64_t c = 0; c < loss->classes; c++)
            sum += exp(scores[c * loss->places] - greatest);
        for (uint64_t c = 0; c < loss->classes; c++)
            scores[c * loss->places] -= greatest + log(sum);
    }
}

static enum opshift_status run_cross_entropy(struct kernel_call *call, struct opshift_error *error)
{
    struct loss loss = {0};
    enum opshift_status status = start(call, &loss, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[0]->count, 2 * (uint64_t)STEPS_CURVE, error);
    if (status)
        return status;
    const struct tensor *scores = call->inputs[0];
    take_log_softmax(&loss);
    if (kernel_wants(call, 1))
        status = kernel_output(call, 1, scores->type, scores->rank, scores->dims, error);
    if (status == OPSHIFT_OK && kernel_wants(call, 1))
        reals_store(call->outputs[1], 0, loss.scores, scores->count);
    return status == OPSHIFT_OK ? reduce(call, &loss, error) : status;
}

const struct kernel kernels_loss[] = {
    {OPERATOR_NEGATIVE_LOG_LIKELIHOOD_LOSS, 12, KERNEL_ANY, run_likelihood, {0}},
    {OPERATOR_SOFTMAX_CROSS_ENTROPY_LOSS, 12, KERNEL_ANY, run_cross_entropy, {0}},
    {0},
};
