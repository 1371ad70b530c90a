/* Clip: elements within two bounds; attributes before opset 11, scalars since. */
#include "kernel/elementwise.h"

#include <math.h>

/* A bound is absent when its flag is false. */
struct bounds {
    union number least, most;
    bool has_least, has_most;
};

static enum opshift_status attribute_bounds(const struct kernel_call *call, struct bounds *bounds,
                                            struct opshift_error *error)
{
    float least = -INFINITY, most = INFINITY;
    enum opshift_status status = kernel_float(call, "min", &least, error);
    if (status == OPSHIFT_OK)
        status = kernel_float(call, "max", &most, error);
    *bounds = (struct bounds){{.d = (double)least}, {.d = (double)most}, true, true};
    return status;
}

static enum opshift_status input_bound(const struct kernel_call *call, uint32_t position, union number *bound,
                                       bool *present, struct opshift_error *error)
{
    const struct tensor *input = kernel_input(call, position);
    *present = input != NULL;
    if (input == NULL)
        return OPSHIFT_OK;
    if (input->type != call->inputs[0]->type)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, must be %s as input 0", position,
                            type_name(input->type), type_name(call->inputs[0]->type));
    if (input->count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has %llu elements, must be a scalar", position,
                            (unsigned long long)input->count);
    *bound = number_type(input->type)->load(input->data);
    return OPSHIFT_OK;
}

static bool is_below(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL ? a.d < b.d : kind == NUMBER_SIGNED ? a.i < b.i : a.u < b.u;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct bounds bounds = {0};
    enum opshift_status status = kernel_arity(call, 1, call->opset < 11 ? 1 : 3, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    if (type == NULL || input->type == OPSHIFT_TYPE_BOOL || (call->opset < 11 && type->kind != NUMBER_REAL))
        return kernel_no_number(input->type, error);
    if (call->opset < 11)
        status = attribute_bounds(call, &bounds, error);
    else
        status = input_bound(call, 1, &bounds.least, &bounds.has_least, error);
    if (status == OPSHIFT_OK && call->opset >= 11)
        status = input_bound(call, 2, &bounds.most, &bounds.has_most, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, input->rank, input->dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count, STEPS_COMPUTE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++) {
        union number value = type->load((const char *)input->data + i * type->size);
        if (bounds.has_least && is_below(type->kind, value, bounds.least))
            value = bounds.least;
        if (bounds.has_most && is_below(type->kind, bounds.most, value))
            value = bounds.most;
        type->store((char *)call->outputs[0]->data + i * type->size, value);
    }
    return status;
}

const struct kernel kernel_clip[] = {{"Clip", 1, KERNEL_ANY, run}, {0}};
