/* LayerNormalization: elements less their mean, by their deviation, from an axis on; then scaled and moved. */
#include <math.h>

#include "kernel/walk.h"
#include "model/number.h"

struct normalization {
    const struct number_type *type, *scale_type, *stash;
    uint64_t count; /* elements that belong together */
    double epsilon;
    uint32_t axis;
};

/* Scale and bias stretch to the axes that are normalized. */
static enum opshift_status check_stretch(const struct kernel_call *call, uint32_t position, const struct tensor *part,
                                         struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    bool fits = input->rank <= part->rank;
    for (uint32_t i = 1; fits && i <= input->rank; i++)
        fits = input->dims[input->rank - i] == 1 || input->dims[input->rank - i] == part->dims[part->rank - i];
    if (fits)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "input %u of shape %s does not stretch to %s", position,
                        kernel_dims_text(call->arena, input->rank, input->dims),
                        kernel_dims_text(call->arena, part->rank, part->dims));
}

static void normalize(struct kernel_call *call, const struct normalization *how, uint64_t at, struct walk *walk)
{
    const struct number_type *type = how->type;
    const char *from = (const char *)call->inputs[0]->data + at * type->size;
    const struct tensor *scale = call->inputs[1], *bias = kernel_input(call, 2);
    double mean = 0, variance = 0;
    for (uint64_t i = 0; i < how->count; i++)
        mean += type->load(from + i * type->size).d;
    mean /= (double)how->count;
    for (uint64_t i = 0; i < how->count; i++) {
        double apart = type->load(from + i * type->size).d - mean;
        variance += apart * apart;
    }
    double inverse = 1 / sqrt(variance / (double)how->count + how->epsilon);
    for (uint64_t i = 0; i < how->count; i++, walk_next(walk)) {
        double value = (type->load(from + i * type->size).d - mean) * inverse;
        value *= type->load((const char *)scale->data + walk->at[0] * type->size).d;
        if (bias != NULL)
            value += type->load((const char *)bias->data + walk->at[1] * type->size).d;
        type->store((char *)call->outputs[0]->data + (at + i) * type->size, (union number){.d = value});
    }
    const double more[] = {mean, inverse};
    for (uint32_t i = 1; i < call->output_count; i++)
        how->stash->store((char *)call->outputs[i]->data + at / how->count * how->stash->size,
                          (union number){.d = more[i - 1]});
}

static enum opshift_status start(struct kernel_call *call, struct normalization *how, struct opshift_error *error)
{
    int64_t axis = -1, stash = OPSHIFT_TYPE_FLOAT;
    float epsilon = 1e-5F;
    enum opshift_status status = kernel_inputs(call, 2, 3, error);
    if (status == OPSHIFT_OK && (call->output_count == 0 || call->output_count > 3))
        return opshift_fail(error, OPSHIFT_MALFORMED, "has %u outputs, gives 1 to 3", call->output_count);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = kernel_float(call, "epsilon", &epsilon, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "stash_type", &stash, error);
    if (status == OPSHIFT_OK)
        status = kernel_same_type(call, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank, &how->axis, error);
    if (status != OPSHIFT_OK)
        return status;
    how->type = number_type(call->inputs[0]->type);
    how->stash = stash > 0 && stash < OPSHIFT_TYPE_COUNT ? number_type((enum opshift_type)stash) : NULL;
    how->epsilon = (double)epsilon;
    if (how->type == NULL || how->type->kind != NUMBER_REAL)
        return kernel_no_number(call->inputs[0]->type, error);
    if (how->stash == NULL || how->stash->kind != NUMBER_REAL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "stash_type %lld is no type of real numbers", (long long)stash);
    return OPSHIFT_OK;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct normalization how = {.count = 1};
    int64_t dims[TENSOR_RANK_MAX];
    struct walk walk;
    enum opshift_status status = start(call, &how, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct tensor part = {.rank = input->rank - how.axis, .dims = input->dims + how.axis};
    for (uint32_t i = 0; i < input->rank; i++) {
        dims[i] = i < how.axis ? input->dims[i] : 1;
        how.count *= i < how.axis ? 1 : (uint64_t)input->dims[i];
    }
    for (uint32_t i = 1; i < 3 && status == OPSHIFT_OK; i++)
        if (kernel_input(call, i) != NULL)
            status = check_stretch(call, i, &part, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, input->rank, input->dims, error);
    for (uint32_t i = 1; i < call->output_count && status == OPSHIFT_OK; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a known stash type. */
        status = kernel_output(call, i, how.stash->type, input->rank, dims, error);
    if (status != OPSHIFT_OK || input->count == 0)
        return status;
    status = kernel_work(call, input->count, 2 * (uint64_t)STEPS_MOVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count / how.count, STEPS_CURVE, error);
    if (status != OPSHIFT_OK)
        return status;
    walk_start(&walk, part.rank, part.dims);
    walk_broadcast(&walk, 0, call->inputs[1]);
    if (kernel_input(call, 2) != NULL)
        walk_broadcast(&walk, 1, call->inputs[2]);
    for (uint64_t at = 0; at < input->count; at += how.count)
        normalize(call, &how, at, &walk);
    return OPSHIFT_OK;
}

const struct kernel kernels_layer_normalization[] = {{"LayerNormalization", 17, KERNEL_ANY, run, {0}}, {0}};
