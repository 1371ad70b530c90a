/* OPS: compatibility of input shapes with the operator and with each other, as far as known. */
#include <inttypes.h>
#include <string.h>

#include "check/family.h"
#include "check/words.h"
#include "infer/shape.h"

/* The node whose shapes are compared. */
struct fit {
    struct checking *checking;
    const struct subject *subject;
    struct inference *inference;
    const char *attribute; /* from the row */
    struct opshift_error *error;
};

#define FOUND(...) finding_add(fit->checking, fit->subject, NULL, fit->error, __VA_ARGS__)

/* ---- axes ---- */

/* Checks an axis of an input, possibly negative; up to `more` axes beyond the input's rank are allowed. */
static enum opshift_status axis_in(struct fit *fit, int64_t axis, int64_t rank)
{
    if (axis >= -rank && axis < rank)
        return OPSHIFT_OK;
    if (rank == 0)
        return FOUND("axis %" PRId64 " is given, and a scalar has no axes", axis);
    return FOUND("axis %" PRId64 " is outside [%" PRId64 ", %" PRId64 "]; use an axis in this range", axis, -rank,
                 rank - 1);
}

static enum opshift_status one_axis(struct fit *fit, int64_t more)
{
    const struct value_type *data = input_ranked(fit->inference, 0);
    int64_t axis;
    if (data == NULL || attribute_int(fit->inference, fit->attribute, &axis) != ANSWER_KNOWN)
        return OPSHIFT_OK;
    return axis_in(fit, axis, data->rank + more);
}

static enum opshift_status axis_of_data(struct fit *fit)
{
    return one_axis(fit, 0);
}

/* An axis to insert; Flatten also allows the position after the last axis. */
static enum opshift_status axis_beyond(struct fit *fit)
{
    return one_axis(fit, 1);
}

/* Flatten accepts [-rank, rank]. */
static enum opshift_status axis_of_flatten(struct fit *fit)
{
    const struct value_type *data = input_ranked(fit->inference, 0);
    int64_t axis;
    if (data == NULL || attribute_int(fit->inference, "axis", &axis) != ANSWER_KNOWN ||
        (axis >= -data->rank && axis <= data->rank))
        return OPSHIFT_OK;
    return FOUND("axis %" PRId64 " is outside [%d, %d]; use a value in this range", axis, -data->rank, data->rank);
}

static enum opshift_status axes_in(struct fit *fit, const int64_t *axes, size_t count, int64_t rank)
{
    bool marked[TENSOR_RANK_MAX] = {false};
    for (size_t i = 0; i < count; i++) {
        size_t at;
        if (axes[i] < -rank || axes[i] >= rank)
            return axis_in(fit, axes[i], rank);
        if (!axis_resolve(axes[i], (size_t)rank, &at) || at >= TENSOR_RANK_MAX)
            return OPSHIFT_OK;
        if (marked[at])
            return FOUND("axis %" PRId64 " is listed twice; list it once", axes[i]);
        marked[at] = true;
    }
    return OPSHIFT_OK;
}

static enum opshift_status axes_of_data(struct fit *fit)
{
    const struct value_type *data = input_ranked(fit->inference, 0);
    const int64_t *axes;
    size_t count;
    if (data == NULL || setting_ints(fit->inference, "axes", 1, &axes, &count) != ANSWER_KNOWN)
        return OPSHIFT_OK;
    /* Runtimes accept a reduction of a scalar over axis 0 or -1. */
    return data->rank == 0 && count == 1 ? OPSHIFT_OK : axes_in(fit, axes, count, data->rank);
}

static enum opshift_status axes_of_squeeze(struct fit *fit)
{
    const struct value_type *data = input_ranked(fit->inference, 0);
    const int64_t *axes;
    size_t count, at;
    if (data == NULL || setting_ints(fit->inference, "axes", 1, &axes, &count) != ANSWER_KNOWN)
        return OPSHIFT_OK;
    for (size_t i = 0; i < count; i++)
        if (axis_resolve(axes[i], (size_t)data->rank, &at) && data->dims[at] >= 0 && data->dims[at] != 1)
            return FOUND("axis %" PRId64 " is to go, and it is %" PRId64 " long; only one of length 1 can", axes[i],
                         data->dims[at]);
    return axes_in(fit, axes, count, data->rank);
}

static enum opshift_status axes_of_unsqueeze(struct fit *fit)
{
    const struct value_type *data = input_ranked(fit->inference, 0);
    const int64_t *axes;
    size_t count;
    if (data == NULL || setting_ints(fit->inference, "axes", 1, &axes, &count) != ANSWER_KNOWN ||
        count > TENSOR_RANK_MAX)
        return OPSHIFT_OK;
    return axes_in(fit, axes, count, data->rank + (int64_t)count);
}

/* ---- shapes of several inputs ---- */

static bool dims_clash(int64_t a, int64_t b)
{
    return a >= 0 && b >= 0 && a != b;
}

static enum opshift_status shapes_of_mat_mul(struct fit *fit)
{
    const struct value_type *a = input_ranked(fit->inference, 0), *b = input_ranked(fit->inference, 1);
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if ((a && a->rank == 0) || (b && b->rank == 0))
        return FOUND("input %d is a scalar, which MatMul does not accept; use Mul", a && a->rank == 0 ? 0 : 1);
    if (a == NULL || b == NULL || !dims_clash(a->dims[a->rank - 1], b->dims[b->rank > 1 ? b->rank - 2 : 0]))
        return OPSHIFT_OK;
    return FOUND("the shapes %s and %s do not fit: %" PRId64 " columns on the left, %" PRId64
                 " rows on the right; make them equal",
                 shape_text(a, one), shape_text(b, other), a->dims[a->rank - 1],
                 b->dims[b->rank > 1 ? b->rank - 2 : 0]);
}

static enum opshift_status shapes_of_gemm(struct fit *fit)
{
    const struct value_type *a = input_ranked(fit->inference, 0), *b = input_ranked(fit->inference, 1);
    int64_t turn_a, turn_b;
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if ((a && a->rank != 2) || (b && b->rank != 2))
        return FOUND("input %d has the shape %s, but Gemm requires matrices; reshape it", a && a->rank != 2 ? 0 : 1,
                     shape_text(a && a->rank != 2 ? a : b, one));
    if (a == NULL || b == NULL || !attribute_int_or(fit->inference, "transA", 0, &turn_a) ||
        !attribute_int_or(fit->inference, "transB", 0, &turn_b) ||
        !dims_clash(a->dims[turn_a ? 0 : 1], b->dims[turn_b ? 1 : 0]))
        return OPSHIFT_OK;
    return FOUND("the shapes %s%s and %s%s do not fit: %" PRId64 " columns on the left, %" PRId64
                 " rows on the right; make them equal",
                 shape_text(a, one), turn_a ? " (transposed)" : "", shape_text(b, other), turn_b ? " (transposed)" : "",
                 a->dims[turn_a ? 0 : 1], b->dims[turn_b ? 1 : 0]);
}

static enum opshift_status shapes_of_concat(struct fit *fit)
{
    const struct value_type *first = NULL;
    uint32_t first_at = 0;
    int64_t axis;
    size_t at = 0;
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    bool known = attribute_int(fit->inference, "axis", &axis) == ANSWER_KNOWN;
    for (uint32_t i = 0; i < fit->subject->node->input_count; i++) {
        const struct value_type *input = input_ranked(fit->inference, i);
        if (input == NULL)
            continue;
        if (first == NULL) {
            first = input;
            first_at = i;
            if (known && !axis_resolve(axis, (size_t)first->rank, &at))
                return OPSHIFT_OK;
            continue;
        }
        bool clash = input->rank != first->rank;
        for (int32_t k = 0; known && !clash && k < input->rank; k++)
            clash = (size_t)k != at && dims_clash(input->dims[k], first->dims[k]);
        if (clash)
            return FOUND("inputs %u and %u have the shapes %s and %s, which may differ only at the axis of the "
                         "concatenation; make the other dims equal",
                         first_at, i, shape_text(first, one), shape_text(input, other));
    }
    return OPSHIFT_OK;
}

static enum opshift_status shapes_broadcast(struct fit *fit)
{
    const struct schema *schema = fit->subject->schema;
    int64_t dims[TENSOR_RANK_MAX];
    size_t seen = 0;
    char words[SHAPE_TEXT_SIZE];
    /* In earlier versions the second operand was broadcast at a given axis. */
    bool variadic = schema->input_max > 3;
    if (schema->since < (variadic ? 8 : 7))
        return OPSHIFT_OK;
    for (uint32_t i = 0; i < fit->subject->node->input_count; i++) {
        const struct value_type *input = input_ranked(fit->inference, i);
        for (size_t k = 0; input && k < (size_t)input->rank; k++) {
            int64_t dim = input->dims[(size_t)input->rank - 1 - k];
            if (k >= seen)
                dims[seen++] = -1;
            if (dim >= 0 && dim != 1 && dims[k] >= 0 && dims[k] != dim)
                return FOUND("input %u has the shape %s, which is incompatible with %" PRId64
                             " at its axis %d; make them equal, or one of them 1",
                             i, shape_text(input, words), dims[k], input->rank - 1 - (int32_t)k);
            if (dim >= 0 && dim != 1)
                dims[k] = dim;
        }
    }
    return OPSHIFT_OK;
}

static enum opshift_status shapes_of_conv(struct fit *fit)
{
    const struct value_type *data = input_ranked(fit->inference, 0), *weights = input_ranked(fit->inference, 1);
    const struct value_type *bias = input_ranked(fit->inference, 2);
    int64_t group, wanted;
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if (data && data->rank < 3)
        return FOUND("the input has the shape %s; it needs batch, channels and at least one more axis",
                     shape_text(data, one));
    if (data && weights && data->rank != weights->rank)
        return FOUND("the input has the shape %s and the weights %s; they must have as many axes",
                     shape_text(data, one), shape_text(weights, other));
    if (weights == NULL || !attribute_int_or(fit->inference, "group", 1, &group))
        return OPSHIFT_OK;
    if (group < 1)
        return FOUND("group is %" PRId64 "; it must be at least 1", group);
    if (weights->dims[0] >= 0 && weights->dims[0] % group)
        return FOUND("%" PRId64 " filters do not divide into %" PRId64 " groups; correct one of them", weights->dims[0],
                     group);
    if (data && weights->dims[1] >= 0 && !__builtin_mul_overflow(weights->dims[1], group, &wanted) &&
        dims_clash(data->dims[1], wanted))
        return FOUND("the input has %" PRId64 " channels, and the weights %s in %" PRId64 " group%s want %" PRId64
                     "; correct one of them",
                     data->dims[1], shape_text(weights, one), group, group == 1 ? "" : "s", wanted);
    if (bias && (bias->rank != 1 || dims_clash(bias->dims[0], weights->dims[0])))
        return FOUND("the bias has the shape %s, and there are %" PRId64 " filters; use one number for each",
                     shape_text(bias, one), weights->dims[0]);
    return OPSHIFT_OK;
}

static enum opshift_status shapes_of_batch_normalization(struct fit *fit)
{
    const struct value_type *data = input_ranked(fit->inference, 0);
    char words[SHAPE_TEXT_SIZE];
    int64_t spatial;
    /* Until opset 8, statistics may be per element. */
    if (data == NULL || data->rank < 2 || !attribute_int_or(fit->inference, "spatial", 1, &spatial) || spatial != 1)
        return OPSHIFT_OK;
    for (uint32_t i = 1; i < 5; i++) {
        const struct value_type *input = input_ranked(fit->inference, i);
        if (input && (input->rank != 1 || dims_clash(input->dims[0], data->dims[1])))
            return FOUND("input %u has the shape %s, and there are %" PRId64 " channels; use one number for each", i,
                         shape_text(input, words), data->dims[1]);
    }
    return OPSHIFT_OK;
}

static enum opshift_status shapes_of_gather_elements(struct fit *fit)
{
    const struct value_type *data = input_ranked(fit->inference, 0), *indices = input_ranked(fit->inference, 1);
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if (data == NULL || indices == NULL || data->rank == indices->rank)
        return OPSHIFT_OK;
    return FOUND("the data has the shape %s and the indices %s; they must have as many axes", shape_text(data, one),
                 shape_text(indices, other));
}

/* A list with one or two numbers per axis. */
static enum opshift_status list_fits(struct fit *fit, const char *what, uint32_t position, int64_t each)
{
    const struct value_type *data = input_ranked(fit->inference, 0);
    const int64_t *values;
    size_t count;
    if (data == NULL || setting_ints(fit->inference, what, position, &values, &count) != ANSWER_KNOWN ||
        (int64_t)count == each * data->rank)
        return OPSHIFT_OK;
    return FOUND("%s has %zu numbers, and the input has %d ax%s; give %" PRId64 " for each", what, count, data->rank,
                 data->rank == 1 ? "is" : "es", each);
}

static enum opshift_status list_of_pad(struct fit *fit)
{
    if (inference_has_input(fit->inference, 3))
        return OPSHIFT_OK;
    return list_fits(fit, fit->subject->schema->since < 2 ? "paddings" : "pads", 1, 2);
}

static enum opshift_status list_of_tile(struct fit *fit)
{
    return fit->subject->schema->since < 6 ? OPSHIFT_OK : list_fits(fit, "repeats", 1, 1);
}

static enum opshift_status order_of_transpose(struct fit *fit)
{
    const struct value_type *data = input_ranked(fit->inference, 0);
    const int64_t *order;
    size_t count;
    bool marked[TENSOR_RANK_MAX] = {false};
    if (attribute_ints(fit->inference, "perm", &order, &count) != ANSWER_KNOWN || count > TENSOR_RANK_MAX)
        return OPSHIFT_OK;
    if (data && (size_t)data->rank != count)
        return FOUND("perm lists %zu axes, and the input has %d; list each once", count, data->rank);
    for (size_t i = 0; i < count; i++) {
        if (order[i] < 0 || order[i] >= (int64_t)count || marked[order[i]])
            return FOUND("perm is not a permutation of the axes 0 to %zu: %" PRId64 " is %s; list each once", count - 1,
                         order[i], order[i] < 0 || order[i] >= (int64_t)count ? "none of them" : "there twice");
        marked[order[i]] = true;
    }
    return OPSHIFT_OK;
}

/* The element count of the target shape; -1: unknown. *free: one dim is computed. */
static int64_t reshape_count(const struct value_type *data, const int64_t *shape, size_t count, int64_t keep_zero,
                             bool *free)
{
    int64_t product = 1;
    for (size_t i = 0; i < count; i++) {
        int64_t dim = shape[i];
        if (dim == -1) {
            *free = true;
            continue;
        }
        if (dim == 0 && !keep_zero)
            dim = i < (size_t)data->rank ? data->dims[i] : -1;
        if (dim < 0 || __builtin_mul_overflow(product, dim, &product))
            return -1;
    }
    return product;
}

static enum opshift_status count_of_reshape(struct fit *fit)
{
    const struct value_type *data = input_ranked(fit->inference, 0);
    const int64_t *shape;
    size_t count, unknown = 0;
    int64_t keep_zero;
    bool free = false;
    char words[SHAPE_TEXT_SIZE];
    if (setting_ints(fit->inference, "shape", 1, &shape, &count) != ANSWER_KNOWN ||
        !attribute_int_or(fit->inference, "allowzero", 0, &keep_zero))
        return OPSHIFT_OK;
    for (size_t i = 0; i < count; i++) {
        unknown += shape[i] == -1;
        if (shape[i] < -1 || unknown > 1)
            return FOUND(shape[i] < -1 ? "dim %zu of the new shape is %" PRId64 "; a dim must be -1 or more"
                                       : "dim %zu of the new shape is another %" PRId64 "; only one dim can be -1",
                         i, shape[i]);
    }
    if (data == NULL)
        return OPSHIFT_OK;
    int64_t from = dims_product(data);
    int64_t to = reshape_count(data, shape, count, keep_zero, &free);
    if (from < 0 || to < 0 || (free ? to != 0 && from % to == 0 : from == to) || (free && from == 0))
        return OPSHIFT_OK;
    return FOUND("%" PRId64 " elements of the shape %s do not fit into the new one, which takes %s%" PRId64
                 "; correct the new shape",
                 from, shape_text(data, words), free ? "a multiple of " : "", to);
}

/* ---- tables ---- */

struct fit_row {
    const char *op_type;
    const char *attribute;
    enum opshift_status (*find)(struct fit *fit);
};

/* Sorted by operator, as by strcmp. */
static const struct fit_row axis_rows[] = {
    {"ArgMax", "axis", axis_of_data},
    {"ArgMin", "axis", axis_of_data},
    {"Compress", "axis", axis_of_data},
    {"Concat", "axis", axis_of_data},
    {"Flatten", "axis", axis_of_flatten},
    {"Gather", "axis", axis_of_data},
    {"GatherElements", "axis", axis_of_data},
    {"Hardmax", "axis", axis_of_data},
    {"LayerNormalization", "axis", axis_of_data},
    {"LogSoftmax", "axis", axis_of_data},
    {"LpNormalization", "axis", axis_of_data},
    {"OneHot", "axis", axis_beyond},
    {"RMSNormalization", "axis", axis_of_data},
    {"ReduceL1", NULL, axes_of_data},
    {"ReduceL2", NULL, axes_of_data},
    {"ReduceLogSum", NULL, axes_of_data},
    {"ReduceLogSumExp", NULL, axes_of_data},
    {"ReduceMax", NULL, axes_of_data},
    {"ReduceMean", NULL, axes_of_data},
    {"ReduceMin", NULL, axes_of_data},
    {"ReduceProd", NULL, axes_of_data},
    {"ReduceSum", NULL, axes_of_data},
    {"ReduceSumSquare", NULL, axes_of_data},
    {"Scatter", "axis", axis_of_data},
    {"ScatterElements", "axis", axis_of_data},
    {"Softmax", "axis", axis_of_data},
    {"Squeeze", NULL, axes_of_squeeze},
    {"TopK", "axis", axis_of_data},
    {"Unique", "axis", axis_of_data},
    {"Unsqueeze", NULL, axes_of_unsqueeze},
};

static const struct fit_row shape_rows[] = {
    {"Add", NULL, shapes_broadcast},
    {"And", NULL, shapes_broadcast},
    {"BatchNormalization", NULL, shapes_of_batch_normalization},
    {"BitShift", NULL, shapes_broadcast},
    {"BitwiseAnd", NULL, shapes_broadcast},
    {"BitwiseOr", NULL, shapes_broadcast},
    {"BitwiseXor", NULL, shapes_broadcast},
    {"Concat", NULL, shapes_of_concat},
    {"Conv", NULL, shapes_of_conv},
    {"Div", NULL, shapes_broadcast},
    {"Equal", NULL, shapes_broadcast},
    {"GatherElements", NULL, shapes_of_gather_elements},
    {"Gemm", NULL, shapes_of_gemm},
    {"Greater", NULL, shapes_broadcast},
    {"GreaterOrEqual", NULL, shapes_broadcast},
    {"Less", NULL, shapes_broadcast},
    {"LessOrEqual", NULL, shapes_broadcast},
    {"MatMul", NULL, shapes_of_mat_mul},
    {"Max", NULL, shapes_broadcast},
    {"Mean", NULL, shapes_broadcast},
    {"Min", NULL, shapes_broadcast},
    {"Mod", NULL, shapes_broadcast},
    {"Mul", NULL, shapes_broadcast},
    {"Or", NULL, shapes_broadcast},
    {"Pad", NULL, list_of_pad},
    {"Pow", NULL, shapes_broadcast},
    {"Sub", NULL, shapes_broadcast},
    {"Sum", NULL, shapes_broadcast},
    {"Tile", NULL, list_of_tile},
    {"Where", NULL, shapes_broadcast},
    {"Xor", NULL, shapes_broadcast},
};

/* Where an operator's row is, or would be. */
static size_t row_find(const struct fit_row *rows, size_t count, const char *op_type)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(rows[middle].op_type, op_type) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_row(const struct subject *subject, const struct fit_row *rows, size_t count)
{
    if (subject->schema == NULL || *subject->schema->domain != '\0')
        return false;
    size_t row = row_find(rows, count, subject->schema->op_type);
    return row < count && strcmp(rows[row].op_type, subject->schema->op_type) == 0;
}

static enum opshift_status fit_run(struct checking *checking, const struct subject *subject, const struct fit_row *row,
                                   struct opshift_error *error)
{
    struct fit fit = {.checking = checking, .subject = subject, .attribute = row->attribute, .error = error};
    enum opshift_status status = checking_infer(checking, subject, &fit.inference, error);
    if (status == OPSHIFT_OK)
        status = row->find(&fit);
    return status ? status : fit.inference->status;
}

static bool has_axes(const struct subject *subject)
{
    return has_row(subject, axis_rows, COUNT(axis_rows));
}

static enum opshift_status axes_fit(struct checking *checking, const struct subject *subject,
                                    struct opshift_error *error)
{
    size_t row = row_find(axis_rows, COUNT(axis_rows), subject->schema->op_type);
    return fit_run(checking, subject, &axis_rows[row], error);
}

static bool has_shapes(const struct subject *subject)
{
    return has_row(subject, shape_rows, COUNT(shape_rows));
}

static enum opshift_status shapes_fit(struct checking *checking, const struct subject *subject,
                                      struct opshift_error *error)
{
    size_t row = row_find(shape_rows, COUNT(shape_rows), subject->schema->op_type);
    return fit_run(checking, subject, &shape_rows[row], error);
}

static enum opshift_status orders_fit(struct checking *checking, const struct subject *subject,
                                      struct opshift_error *error)
{
    return fit_run(checking, subject, &(struct fit_row){.find = order_of_transpose}, error);
}

static enum opshift_status reshapes_fit(struct checking *checking, const struct subject *subject,
                                        struct opshift_error *error)
{
    return fit_run(checking, subject, &(struct fit_row){.find = count_of_reshape}, error);
}

#define HEAD13                    "<ir_version: 8, opset_import: [\"\" : 13]>\n"
#define ERROR(number, name, what) .id = "OPS" number, .slug = name, .severity = OPSHIFT_SEVERITY_ERROR, .summary = what
#define FORM                      "GRF005 OPS009 OPS010 OPS012 OPS013 OPS015"

const struct check operator_shape_checks[] = {
    {.about = {ERROR("017", "axis-range", "an axis is out of range"),
               .why = "Axes are counted from 0, or from -1 for the last one.",
               .runtimes = "ONNX Runtime refuses the model.", .mend = "Use an axis of the input.",
               .before = HEAD13 "g (float[2,3] x) => (float[2,3] y) { y = Softmax <axis = 2> (x) }",
               .after = HEAD13 "g (float[2,3] x) => (float[2,3] y) { y = Softmax <axis = 1> (x) }"},
     .scope = CHECK_NODE,
     .by_types = true,
     .relies_on = FORM,
     .concerns = has_axes,
     .find = axes_fit},
    {.about = {ERROR("018", "shapes-differ", "the shapes of the inputs are incompatible"),
               .why = "The node cannot be computed for these shapes.",
               .runtimes = "ONNX Runtime refuses the model or fails at the node.",
               .mend = "Correct the wrong shape; the message names both.",
               .before = HEAD13 "g (float[2,3] x, float[2,4] z) => (float[2,4] y) { y = MatMul (x, z) }",
               .after = HEAD13 "g (float[2,3] x, float[3,4] z) => (float[2,4] y) { y = MatMul (x, z) }"},
     .scope = CHECK_NODE,
     .by_types = true,
     .relies_on = FORM " OPS016 OPS017",
     .concerns = has_shapes,
     .find = shapes_fit},
    {.about = {ERROR("019", "permutation", "perm of a Transpose is not a permutation of the axes"),
               .why = "Each axis of the input must be listed once.", .runtimes = "Every runtime refuses the model.",
               .mend = "List each axis once.",
               .before = HEAD13 "g (float[2,3] x) => (float[3,2] y) { y = Transpose <perm = [1, 1]> (x) }",
               .after = HEAD13 "g (float[2,3] x) => (float[3,2] y) { y = Transpose <perm = [1, 0]> (x) }"},
     .scope = CHECK_NODE,
     .by_types = true,
     .relies_on = FORM,
     .operator_type = "Transpose",
     .find = orders_fit},
    {.about = {ERROR("020", "reshape-count", "a Reshape changes the number of elements"),
               .why = "The new shape must have as many elements as the old one.",
               .runtimes = "ONNX Runtime fails at the node.", .mend = "Correct the new shape.",
               .before = HEAD13 "g (float[2,3] x) => (float[4,2] y)\n<int64[2] s = {4, 2}> { y = Reshape (x, s) }",
               .after = HEAD13 "g (float[2,3] x) => (float[3,2] y)\n<int64[2] s = {3, 2}> { y = Reshape (x, s) }"},
     .scope = CHECK_NODE,
     .by_types = true,
     .relies_on = FORM,
     .operator_type = "Reshape",
     .find = reshapes_fit},
};
const size_t operator_shape_check_count = COUNT(operator_shape_checks);
