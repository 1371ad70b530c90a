/* Split: parts of the input along an axis; lengths from an attribute, an input, or the number of outputs. */
#include "model/number.h"
#include "kernel/support.h"
#include "base/real.h"

#include <math.h>

/* Lengths along the axis, one per output, including omitted trailing outputs. */
struct parts {
    int64_t *lengths;
    uint32_t axis;
    int64_t dim;
};

/* Types differ by version: 1 has three float types, 2 and 11 all types of that time, 13 and 18 bfloat16 too. */
static enum opshift_status check_type(const struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_type type = call->inputs[0]->type;
    bool allowed = type > OPSHIFT_TYPE_UNDEFINED && type <= OPSHIFT_TYPE_COMPLEX128;
    if (call->opset < 2)
        allowed = type == OPSHIFT_TYPE_FLOAT16 || type == OPSHIFT_TYPE_FLOAT || type == OPSHIFT_TYPE_DOUBLE;
    if (call->opset >= 13)
        allowed = allowed || type == OPSHIFT_TYPE_BFLOAT16;
    if (allowed)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "the input is %s, which is not allowed at opset %lld",
                        type_name(type), (long long)call->opset);
}

static enum opshift_status check_attributes(const struct kernel_call *call, struct opshift_error *error)
{
    static const char *const until_12[] = {"axis", "split", NULL}, *const until_17[] = {"axis", NULL},
                             *const since_18[] = {"axis", "num_outputs", NULL};
    return kernel_attributes_known(call, call->opset < 13 ? until_12 : call->opset < 18 ? until_17 : since_18, error);
}

/* Split-1 may take its lengths as numbers of the input's real type. */
static enum opshift_status real_lengths(const struct kernel_call *call, const struct tensor *split,
                                        struct int_list *list, struct opshift_error *error)
{
    const struct number_type *type = number_type(split->type);
    if (split->type != call->inputs[0]->type)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the lengths are %s, must be %s as the input at opset 1",
                            type_name(split->type), type_name(call->inputs[0]->type));
    int64_t *values = arena_alloc(call->arena, split->count + 1, sizeof(*values));
    if (values == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < split->count; i++) {
        double value = type->load((const char *)split->data + i * type->size).d;
        if (!(fabs(value) < ldexp(1, 63)) || value != trunc(value))
            return opshift_fail(error, OPSHIFT_MALFORMED, "length %llu is %s, which is no whole number",
                                (unsigned long long)i, REAL_SHOWN(value));
        values[i] = (int64_t)value;
    }
    *list = (struct int_list){.values = values, .count = split->count, .present = true};
    return OPSHIFT_OK;
}

static enum opshift_status input_lengths(const struct kernel_call *call, const struct tensor *split,
                                         struct int_list *list, struct opshift_error *error)
{
    if (split->rank != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the lengths have rank %u, must have rank 1", split->rank);
    if (call->opset < 2)
        return real_lengths(call, split, list, error);
    if (split->type != OPSHIFT_TYPE_INT64)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the lengths are %s, must be int64", type_name(split->type));
    *list = (struct int_list){.values = split->data, .count = split->count, .present = true};
    return OPSHIFT_OK;
}

/* The lengths that the model gives, if any. */
static enum opshift_status find_lengths(const struct kernel_call *call, struct int_list *list,
                                        struct opshift_error *error)
{
    const struct tensor *split = kernel_input(call, 1);
    enum opshift_status status = OPSHIFT_OK;
    *list = (struct int_list){0};
    if (call->opset < 13)
        status = kernel_ints(call, "split", list, error);
    if (status == OPSHIFT_OK && list->present && split != NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "lengths are given both as attribute 'split' and as input");
    if (status == OPSHIFT_OK && split != NULL)
        status = input_lengths(call, split, list, error);
    if (status == OPSHIFT_OK && list->present && list->count == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the list of lengths is empty");
    return status;
}

static enum opshift_status take_lengths(const struct kernel_call *call, const struct int_list *list,
                                        struct parts *parts, struct opshift_error *error)
{
    int64_t sum = 0;
    if (list->count != call->output_count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%zu lengths for %u outputs", list->count, call->output_count);
    for (uint32_t i = 0; i < call->output_count; i++) {
        int64_t length = list->values[i];
        if (length < 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "length %u is %lld, below 0", i, (long long)length);
        if (length > INT64_MAX - sum)
            return opshift_fail(error, OPSHIFT_MALFORMED, "the sum of the lengths overflows at length %u", i);
        sum += length;
        parts->lengths[i] = length;
    }
    if (sum != parts->dim)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the lengths sum to %lld, axis %u has %lld", (long long)sum,
                            parts->axis, (long long)parts->dim);
    return OPSHIFT_OK;
}

static enum opshift_status cut_equally(const struct kernel_call *call, struct parts *parts, struct opshift_error *error)
{
    if (parts->dim % call->output_count != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "axis %u has %lld elements, which %u outputs do not divide",
                            parts->axis, (long long)parts->dim, call->output_count);
    for (uint32_t i = 0; i < call->output_count; i++)
        parts->lengths[i] = parts->dim / call->output_count;
    return OPSHIFT_OK;
}

/* num_outputs chunks of ceil(dim / num_outputs), the last one shorter; trailing outputs may be omitted. */
static enum opshift_status cut_chunks(const struct kernel_call *call, int64_t number, struct parts *parts,
                                      struct opshift_error *error)
{
    if (number < 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "num_outputs is %lld, must be at least 1", (long long)number);
    if (number < call->output_count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "num_outputs is %lld, the node has %u outputs", (long long)number,
                            call->output_count);
    int64_t chunk = parts->dim / number + (parts->dim % number != 0), before;
    /* (number - 1) * chunk can exceed INT64_MAX only where the last chunk is negative. */
    if (__builtin_mul_overflow(number - 1, chunk, &before) || before > parts->dim)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "%lld chunks of %lld leave a negative last one of the %lld elements of axis %u",
                            (long long)number, (long long)chunk, (long long)parts->dim, parts->axis);
    for (uint32_t i = 0; i < call->output_count; i++)
        parts->lengths[i] = (int64_t)i == number - 1 ? parts->dim - before : chunk;
    return OPSHIFT_OK;
}

static enum opshift_status find_parts(const struct kernel_call *call, struct parts *parts, struct opshift_error *error)
{
    struct int_list list;
    int64_t number = INT64_MIN;
    bool has_number = false;
    enum opshift_status status = find_lengths(call, &list, error);
    if (status == OPSHIFT_OK && call->opset >= 18) {
        const Onnx__AttributeProto *attribute;
        status = kernel_attribute(call, "num_outputs", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT, &attribute, error);
        has_number = status == OPSHIFT_OK && attribute != NULL;
        number = has_number ? attribute->i : number;
    }
    if (status != OPSHIFT_OK)
        return status;
    if (list.present && has_number)
        return opshift_fail(error, OPSHIFT_MALFORMED, "has both lengths and num_outputs; give one of them");
    if (call->opset >= 18 && !list.present && !has_number)
        return opshift_fail(error, OPSHIFT_MALFORMED, "has neither lengths nor num_outputs; give one of them");
    if (list.present)
        return take_lengths(call, &list, parts, error);
    return has_number ? cut_chunks(call, number, parts, error) : cut_equally(call, parts, error);
}

/* Allocates the named outputs and copies their parts. */
static enum opshift_status copy_parts(struct kernel_call *call, const struct parts *parts, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    uint64_t outer = 1, inner = 1;
    int64_t dims[TENSOR_RANK_MAX], *left = &parts->lengths[call->output_count];
    void **outputs = arena_alloc(call->arena, (size_t)call->output_count + 1, sizeof(*outputs));
    if (outputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < input->rank; i++) {
        dims[i] = input->dims[i];
        if (i != parts->axis)
            *(i < parts->axis ? &outer : &inner) *= (uint64_t)input->dims[i];
    }
    enum opshift_status status = kernel_work(call, call->output_count, STEPS_ITEM, error);
    if (status == OPSHIFT_OK && input->count > 0)
        status = kernel_work(call, outer, (uint64_t)call->output_count * 2, error);
    if (status != OPSHIFT_OK)
        return status;
    *left = parts->dim;
    for (uint32_t i = 0; i < call->output_count; i++) {
        dims[parts->axis] = parts->lengths[i];
        *left -= parts->lengths[i];
        if (call->wanted != NULL && !call->wanted[i])
            continue;
        status = kernel_output(call, i, input->type, input->rank, dims, error);
        if (status != OPSHIFT_OK)
            return status;
        outputs[i] = call->outputs[i]->data;
    }
    return opshift_split(input->data, kernel_element(input->type), outer, (uint64_t)parts->dim, inner, parts->lengths,
                         (size_t)call->output_count + 1, outputs, NULL, error);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct parts parts = {0};
    int64_t axis = 0;
    enum opshift_status status = check_attributes(call, error);
    if (status == OPSHIFT_OK)
        status = check_type(call, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank, &parts.axis, error);
    if (status != OPSHIFT_OK)
        return status;
    parts.dim = call->inputs[0]->dims[parts.axis];
    parts.lengths = arena_alloc(call->arena, (size_t)call->output_count + 1, sizeof(*parts.lengths));
    if (parts.lengths == NULL)
        return opshift_no_memory(error);
    status = find_parts(call, &parts, error);
    return status == OPSHIFT_OK ? copy_parts(call, &parts, error) : status;
}

const struct kernel kernels_split[] = {{"Split", 1, KERNEL_ANY, run, {0}}, {0}};
