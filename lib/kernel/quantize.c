/* Quantized operators: elements as small integers or floats with a scale and a zero point. */
#include <inttypes.h>
#include <math.h>

#include "kernel/element.h"
#include "kernel/reals.h"

/* ---- QuantizeLinear, DequantizeLinear (10, 13, 19, 21, 23, 24, 25) ---- */

/* Granularity of scales: one for all, one per entry of an axis, or one per block of entries. */
struct scale_layout {
    uint64_t length, inner, block, blocks; /* block 0: one scale for all */
};

static uint64_t scale_index(const struct scale_layout *layout, uint64_t at)
{
    if (layout->block == 0)
        return 0;
    uint64_t entry = at / layout->inner % layout->length / layout->block;
    if (layout->blocks == 0)
        return entry;
    return (at / layout->inner / layout->length * layout->blocks + entry) * layout->inner + at % layout->inner;
}

static enum opshift_status block_layout(struct kernel_call *call, uint32_t axis, int64_t block,
                                        struct scale_layout *layout, struct opshift_error *error)
{
    const struct tensor *x = call->inputs[0];
    int64_t dims[TENSOR_RANK_MAX];
    for (uint32_t i = 0; i < x->rank; i++)
        dims[i] = x->dims[i];
    dims[axis] = x->dims[axis] / block + (x->dims[axis] % block != 0);
    layout->block = (uint64_t)block;
    layout->blocks = (uint64_t)dims[axis];
    return kernel_shape(call, 1, x->rank, dims, error);
}

/* A scalar, or a list of one element. */
static bool is_one_number(const struct tensor *tensor)
{
    return tensor != NULL && tensor->count == 1 && tensor->rank <= 1;
}

static enum opshift_status find_layout(struct kernel_call *call, struct scale_layout *layout,
                                       struct opshift_error *error)
{
    const struct tensor *x = call->inputs[0], *scale = call->inputs[1];
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS), block = kernel_int(call, ATTRIBUTE_BLOCK_SIZE);
    uint32_t place = 0;
    enum opshift_status status = OPSHIFT_OK;
    *layout = (struct scale_layout){.inner = 1};
    bool one = block == 0 && is_one_number(scale);
    if (!(one && is_one_number(kernel_input(call, 2))))
        status = kernel_shape(call, 2, scale->rank, scale->dims, error);
    if (status || one)
        return status;
    if (call->operation.opset < 13)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the scale has shape %s, must be one number before opset 13",
                            kernel_dims_text(call->arena, scale->rank, scale->dims));
    status = kernel_axis(axis, x->rank, &place, error);
    if (status)
        return status;
    layout->length = (uint64_t)x->dims[place];
    for (uint32_t i = place + 1; i < x->rank; i++)
        layout->inner *= (uint64_t)x->dims[i];
    if (block > 0)
        return block_layout(call, place, block, layout, error);
    layout->block = 1;
    return kernel_shape(call, 1, 1, &x->dims[place], error);
}

/* Rounds as after an operation in this type. */
static double rounded_to(enum opshift_type type, double value)
{
    const struct number_type *known = number_type(type);
    char bytes[8];
    if (known == NULL || known->kind != NUMBER_REAL)
        return (double)(float)value;
    known->store(bytes, (union number){.d = value});
    return known->load(bytes).d;
}

/* The type that an attribute specifies; unchanged if the attribute is absent or 0. */
static enum opshift_status named_type(const struct kernel_call *call, enum attribute_id id, enum opshift_type *type,
                                      struct opshift_error *error)
{
    int64_t named = kernel_int(call, id);
    if (named == 0)
        return OPSHIFT_OK;
    if (named < 0 || named >= OPSHIFT_TYPE_COUNT || !element_is_number((enum opshift_type)named))
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' is %lld, which is not a type of numbers",
                            schema_attribute(call->operation.schema, id)->name, (long long)named);
    *type = (enum opshift_type)named;
    return OPSHIFT_OK;
}

struct quantization {
    struct scale_layout layout;
    enum opshift_type type, precision; /* type of the output; precision of the division */
    bool saturate;
    double *x, *scales, *zeros; /* zeros: NULL, or one per scale */
};

static enum opshift_status load_quantization(struct kernel_call *call, struct quantization *how,
                                             struct opshift_error *error)
{
    double **const loaded[] = {&how->x, &how->scales, &how->zeros};
    enum opshift_status status = find_layout(call, &how->layout, error);
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, loaded, COUNT(loaded), error);
    return status == OPSHIFT_OK ? kernel_work(call, call->inputs[0]->count, STEPS_CURVE, error) : status;
}

static enum opshift_status quantize_types(struct kernel_call *call, struct quantization *how,
                                          struct opshift_error *error)
{
    const struct tensor *zero = kernel_input(call, 2);
    enum opshift_status status = OPSHIFT_OK;
    how->type = zero != NULL ? zero->type : OPSHIFT_TYPE_UINT8;
    how->precision = call->inputs[1]->type == OPSHIFT_TYPE_DOUBLE ? OPSHIFT_TYPE_DOUBLE : OPSHIFT_TYPE_FLOAT;
    if (zero == NULL)
        status = named_type(call, ATTRIBUTE_OUTPUT_DTYPE, &how->type, error);
    if (status == OPSHIFT_OK)
        status = named_type(call, ATTRIBUTE_PRECISION, &how->precision, error);
    if (status == OPSHIFT_OK && !element_is_number(how->type))
        status = kernel_no_number(how->type, error);
    how->saturate = !kernel_has(call, ATTRIBUTE_SATURATE) || kernel_int(call, ATTRIBUTE_SATURATE) != 0;
    return status;
}

static enum opshift_status run_quantize(struct kernel_call *call, struct opshift_error *error)
{
    struct quantization how = {0};
    enum opshift_status status = quantize_types(call, &how, error);
    if (status == OPSHIFT_OK)
        status = load_quantization(call, &how, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct element_rounding rounding = {.saturate = how.saturate};
    bool whole = element_kind(how.type) != NUMBER_REAL;
    status = kernel_output(call, 0, how.type, input->rank, input->dims, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++) {
        uint64_t at = scale_index(&how.layout, i);
        double value = rounded_to(how.precision, how.x[i] / how.scales[at]);
        if (whole && call->defined && isnan(value))
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "NaN at element %llu becomes no integer that is defined",
                                (unsigned long long)i);
        value = (whole ? nearbyint(value) : value) + (how.zeros == NULL ? 0 : how.zeros[at]);
        if (whole)
            reals_store(call->outputs[0], i, &value, 1);
        else if (element_store(call->outputs[0], i, (union number){.d = value}, &rounding) != NULL)
            return opshift_fail(error, OPSHIFT_MALFORMED, "NaN at element %llu is no %s", (unsigned long long)i,
                                type_name(how.type));
    }
    return status;
}

static enum opshift_status zero_points_check(const struct quantization *how, enum opshift_type type,
                                             const struct tensor *zero, struct opshift_error *error)
{
    for (uint64_t i = 0; type == OPSHIFT_TYPE_INT32 && zero != NULL && i < zero->count; i++)
        if (how->zeros[i] != 0)
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "element %" PRIu64 " of input 2 is %.0f, and a zero point of int32 must be 0", i,
                                how->zeros[i]);
    return OPSHIFT_OK;
}

static enum opshift_status run_dequantize(struct kernel_call *call, struct opshift_error *error)
{
    struct quantization how = {0};
    const struct tensor *input = call->inputs[0], *zero = kernel_input(call, 2);
    how.type = call->inputs[1]->type;
    if (number_type(how.type) == NULL)
        return kernel_no_number(how.type, error);
    enum opshift_status status = named_type(call, ATTRIBUTE_OUTPUT_DTYPE, &how.type, error);
    if (status == OPSHIFT_OK)
        status = load_quantization(call, &how, error);
    if (status == OPSHIFT_OK)
        status = zero_points_check(&how, input->type, zero, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, how.type, input->rank, input->dims, error);
    if (status)
        return status;
    for (uint64_t i = 0; i < input->count; i++) {
        uint64_t at = scale_index(&how.layout, i);
        double value = how.x[i] - (how.zeros == NULL ? 0 : how.zeros[at]);
        how.x[i] = (double)(float)value * how.scales[at];
    }
    reals_store(call->outputs[0], 0, how.x, input->count);
    return OPSHIFT_OK;
}

/* ---- DynamicQuantizeLinear (11): the scale from the range of the elements, extended to include 0 ---- */

static enum opshift_status run_dynamic(struct kernel_call *call, struct opshift_error *error)
{
    double *x = NULL, least = 0, greatest = 0;
    enum opshift_status status = reals_load(call, call->inputs[0], &x, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[0]->count, STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_UINT8, call->inputs[0]->rank, call->inputs[0]->dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 1, OPSHIFT_TYPE_FLOAT, 0, NULL, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 2, OPSHIFT_TYPE_UINT8, 0, NULL, error);
    if (status)
        return status;
    for (uint64_t i = 0; i < call->inputs[0]->count; i++) {
        least = fmin(least, x[i]);
        greatest = fmax(greatest, x[i]);
    }
    float range = (float)greatest - (float)least, scale = range == 0 ? 1 : range / 255;
    float zero = nearbyintf(fmaxf(0, fminf(255, 0 - (float)least / scale)));
    double numbers[] = {(double)scale, (double)zero};
    for (uint64_t i = 0; i < call->inputs[0]->count; i++)
        x[i] = (double)(nearbyintf((float)x[i] / scale) + zero);
    reals_store(call->outputs[0], 0, x, call->inputs[0]->count);
    reals_store(call->outputs[1], 0, &numbers[0], 1);
    reals_store(call->outputs[2], 0, &numbers[1], 1);
    return OPSHIFT_OK;
}

/* ---- MatMulInteger (10), QLinearMatMul (10, 21) ---- */

/* One for the whole matrix, one per row of the first, or one per column of the second. */
struct matrix_scale {
    double *numbers;
    uint64_t count;
    bool by_column;
};

/* Rows and columns in the last two axes; a vector is one row or one column. */
static void matrix_size(const struct tensor *matrix, bool second, uint64_t *rows, uint64_t *columns)
{
    uint64_t last = matrix->rank == 0 ? 1 : (uint64_t)matrix->dims[matrix->rank - 1];
    *rows = matrix->rank > 1 ? (uint64_t)matrix->dims[matrix->rank - 2] : second ? last : 1;
    *columns = matrix->rank > 1 || !second ? last : 1;
}

static double matrix_number(const struct matrix_scale *scale, uint64_t at, uint64_t rows, uint64_t columns)
{
    uint64_t row = at / columns, column = at % columns + row / rows * columns;
    return scale->numbers == NULL ? 0 : scale->numbers[(scale->by_column ? column : row) % scale->count];
}

/* Loads a scale or zero point, which must fit the matrix of input `position`. */
static enum opshift_status load_matrix_scale(struct kernel_call *call, uint32_t position, uint32_t matrix, bool second,
                                             struct matrix_scale *scale, struct opshift_error *error)
{
    const struct tensor *input = kernel_input(call, position), *of = call->inputs[matrix];
    uint64_t rows, columns;
    *scale = (struct matrix_scale){.by_column = second, .count = input == NULL ? 1 : input->count};
    matrix_size(of, second, &rows, &columns);
    uint64_t wanted = second ? columns : rows;
    bool fits = input == NULL || (input->rank <= 1 && (input->count == 1 || input->count == wanted));
    if (input != NULL && input->rank > 1 && input->rank == of->rank) {
        fits = input->dims[input->rank - (second ? 2 : 1)] == 1 &&
               input->dims[input->rank - (second ? 1 : 2)] == (int64_t)wanted;
        for (uint32_t i = 0; i + 2 < input->rank && fits; i++)
            fits = input->dims[i] == of->dims[i];
    }
    if (!fits)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u of shape %s does not fit input %u of shape %s",
                            position, kernel_dims_text(call->arena, input->rank, input->dims), matrix,
                            kernel_dims_text(call->arena, of->rank, of->dims));
    return reals_load(call, input, &scale->numbers, error);
}

/* An int32 copy of an integer matrix, minus its zero points. */
static enum opshift_status shift_matrix(struct kernel_call *call, uint32_t position, const struct matrix_scale *zero,
                                        struct tensor **shifted, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    uint64_t rows, columns;
    if (element_kind(input->type) == NUMBER_REAL)
        return kernel_no_number(input->type, error);
    double *numbers = NULL;
    enum opshift_status status = reals_load(call, input, &numbers, error);
    if (status == OPSHIFT_OK)
        status = kernel_tensor(call, OPSHIFT_TYPE_INT32, input->rank, input->dims, shifted, error);
    if (status)
        return status;
    matrix_size(input, zero->by_column, &rows, &columns);
    for (uint64_t i = 0; i < input->count; i++)
        numbers[i] -= matrix_number(zero, i, rows, columns);
    reals_store(*shifted, 0, numbers, input->count);
    return OPSHIFT_OK;
}

/* The product of two int32 matrices, with the shape rules of MatMul. */
static enum opshift_status multiply(struct kernel_call *call, const struct tensor *a, const struct tensor *b,
                                    struct tensor **product, struct opshift_error *error)
{
    const struct tensor *const pair[] = {a, b};
    struct kernel_call inner = *call;
    inner.op_type = "MatMul";
    inner.operation.attributes.count = 0;
    inner.inputs = pair;
    inner.input_count = 2;
    inner.outputs = product;
    inner.output_count = 1;
    inner.values = NULL;
    return kernel_run(&inner, error);
}

static enum opshift_status multiply_shifted(struct kernel_call *call, uint32_t second, const struct matrix_scale *zeros,
                                            struct tensor **product, struct opshift_error *error)
{
    struct tensor *a = NULL, *b = NULL;
    enum opshift_status status = shift_matrix(call, 0, &zeros[0], &a, error);
    if (status == OPSHIFT_OK)
        status = shift_matrix(call, second, &zeros[1], &b, error);
    return status == OPSHIFT_OK ? multiply(call, a, b, product, error) : status;
}

static enum opshift_status run_mat_mul_integer(struct kernel_call *call, struct opshift_error *error)
{
    struct matrix_scale zeros[2] = {0};
    enum opshift_status status = load_matrix_scale(call, 2, 0, false, &zeros[0], error);
    if (status == OPSHIFT_OK)
        status = load_matrix_scale(call, 3, 1, true, &zeros[1], error);
    return status == OPSHIFT_OK ? multiply_shifted(call, 1, zeros, &call->outputs[0], error) : status;
}

static enum opshift_status run_q_linear_mat_mul(struct kernel_call *call, struct opshift_error *error)
{
    struct matrix_scale zeros[2] = {0}, scales[2] = {0};
    struct tensor *product = NULL;
    double scale = 1, zero = 0;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < 2 && status == OPSHIFT_OK; i++) {
        status = load_matrix_scale(call, 3 * i + 1, 3 * i, i == 1, &scales[i], error);
        if (status == OPSHIFT_OK)
            status = load_matrix_scale(call, 3 * i + 2, 3 * i, i == 1, &zeros[i], error);
    }
    if (status == OPSHIFT_OK)
        status = kernel_number(call, 6, &scale, error);
    if (status == OPSHIFT_OK)
        status = kernel_number(call, 7, &zero, error);
    if (status == OPSHIFT_OK)
        status = multiply_shifted(call, 3, zeros, &product, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, product->count, STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, call->inputs[7]->type, product->rank, product->dims, error);
    if (status == OPSHIFT_OK && call->defined && !(fabs(scale) > 0))
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "the scale of the output is 0, which is not defined");
    if (status)
        return status;
    uint64_t rows, columns, other;
    matrix_size(call->inputs[0], false, &rows, &other);
    matrix_size(call->inputs[3], true, &other, &columns);
    for (uint64_t i = 0; i < product->count; i++) {
        float left = (float)matrix_number(&scales[0], i, rows, columns);
        float factor = left * (float)matrix_number(&scales[1], i, rows, columns) / (float)scale;
        float sum = (float)((const int32_t *)product->data)[i];
        double value = (double)nearbyintf(sum * factor) + zero;
        reals_store(call->outputs[0], i, &value, 1);
    }
    return OPSHIFT_OK;
}

const struct kernel kernels_quantize[] = {
    {OPERATOR_DEQUANTIZE_LINEAR, 10, KERNEL_ANY, run_dequantize, {0}},
    {OPERATOR_DYNAMIC_QUANTIZE_LINEAR, 11, KERNEL_ANY, run_dynamic, {0}},
    {OPERATOR_MAT_MUL_INTEGER, 10, KERNEL_ANY, run_mat_mul_integer, {0}},
    {OPERATOR_QLINEAR_MAT_MUL, 10, KERNEL_ANY, run_q_linear_mat_mul, {0}},
    {OPERATOR_QUANTIZE_LINEAR, 10, KERNEL_ANY, run_quantize, {0}},
    {0},
};
