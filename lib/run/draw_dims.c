/* Sizes for the dims that the model leaves open: what a consuming node needs, else one from a short list. */
#include <string.h>

#include "run/draw.h"

/* Numbers with many divisors and with few. */
static const int64_t sizes[] = {2, 3, 6, 1, 12, 4, 5, 8};
/* Ranks for inputs that declare none. */
static const uint32_t ranks[] = {2, 4, 3, 1, 5};
/* Heights and widths large enough for windows and their strides. */
static const int64_t images[] = {32, 64, 224};

static unsigned attempt_of(const struct drawing *drawing)
{
    return drawing->options->attempt - 1;
}

/* ---- what consuming nodes need ---- */

/* Sets a dim that has no size; by its name, so that it is the same in all inputs. */
static void suggest(const struct asking *asking, int64_t axis, int64_t size)
{
    struct drawn *input = &asking->drawing->inputs[asking->input - asking->drawing->inputs];
    axis += axis < 0 ? (int64_t)input->rank : 0;
    if (axis < 0 || axis >= (int64_t)input->rank || size < 0 || input->dims[axis] >= 0)
        return;
    name_id param = input->params[axis];
    const struct dim_size *bound = param == NAME_NONE ? NULL : sizes_find(&asking->drawing->bindings, param);
    input->dims[axis] = bound == NULL ? size : bound->size;
    if (param != NAME_NONE && bound == NULL &&
        !sizes_add(&asking->drawing->bindings, param, size,
                   names_text(asking->drawing->model->names, input->info->name)))
        asking->drawing->status = opshift_no_memory(asking->drawing->error);
}

/* The sum of the split lengths; else the number of outputs, for equal parts. */
static void for_split(const struct asking *asking)
{
    size_t count;
    const int64_t *lengths = asking_constant(asking, 1, &count);
    struct value_type type;
    int64_t axis = asking_int(asking, "axis", 0), sum = 0;
    bool known = lengths != NULL;
    for (size_t i = 0; i < count && known; i++)
        known = lengths[i] >= 0 && !__builtin_add_overflow(sum, lengths[i], &sum);
    for (uint32_t i = 0; i < asking->node->output_count && !known && asking->node->input_count < 2; i++) {
        int64_t dim = -1;
        if (asking_output(asking, i, &type) && (axis < 0 ? axis + type.rank : axis) < type.rank)
            dim = type.dims[axis < 0 ? axis + type.rank : axis];
        if (dim < 0 || sum > INT64_MAX - dim)
            break;
        sum += dim;
        known = i + 1 == asking->node->output_count;
    }
    if (known)
        suggest(asking, axis, sum);
    else if (asking->node->input_count < 2 && asking_int(asking, "num_outputs", 0) == 0)
        suggest(asking, axis, (int64_t)asking->node->output_count * (attempt_of(asking->drawing) % 3 + 1));
}

static void for_product(const struct asking *asking)
{
    struct value_type type;
    bool first = asking->position == 0;
    if (asking_shape(asking, first ? 1 : 0, &type) && type.rank > 0)
        suggest(asking,
                first                     ? -1
                : asking->input->rank > 1 ? -2
                                          : -1,
                type.dims[type.rank - (first && type.rank > 1 ? 2 : 1)]);
}

static void for_gemm(const struct asking *asking)
{
    bool first = asking->position == 0;
    bool turned = asking_int(asking, first ? "transA" : "transB", 0) != 0;
    bool other_turned = asking_int(asking, first ? "transB" : "transA", 0) != 0;
    if (asking->position < 2)
        suggest(asking, first == turned ? 0 : 1, asking_dim(asking, first ? 1 : 0, first == other_turned ? 1 : 0));
}

static void for_conv(const struct asking *asking)
{
    int64_t channels = asking_dim(asking, 1, 1), group = asking_int(asking, "group", 1), product;
    if (channels >= 0 && !__builtin_mul_overflow(channels, group, &product))
        suggest(asking, 1, product);
    for (uint32_t i = 2; i < asking->input->rank; i++)
        suggest(asking, i, images[attempt_of(asking->drawing) % COUNT(images)]);
}

static void for_pool(const struct asking *asking)
{
    for (uint32_t i = 2; i < asking->input->rank; i++)
        suggest(asking, i, images[attempt_of(asking->drawing) % COUNT(images)]);
}

static void for_channels(const struct asking *asking)
{
    suggest(asking, 1, asking_dim(asking, 1, 0));
}

static void for_last(const struct asking *asking)
{
    suggest(asking, -1, asking_dim(asking, 1, -1));
}

/* Broadcast with the other input, aligned at the last dim. */
static void for_pair(const struct asking *asking)
{
    struct value_type type;
    for (uint32_t other = 0; other < asking->node->input_count; other++) {
        if (other == asking->position || !asking_shape(asking, other, &type))
            continue;
        for (int32_t i = 1; i <= type.rank; i++)
            if (type.dims[type.rank - i] > 1)
                suggest(asking, -(int64_t)i, type.dims[type.rank - i]);
    }
}

/* All dims except the axis are equal. */
static void for_concat(const struct asking *asking)
{
    struct value_type type;
    int64_t axis = asking_int(asking, "axis", 1);
    for (uint32_t other = 0; other < asking->node->input_count; other++)
        if (other != asking->position && asking_shape(asking, other, &type) &&
            type.rank == (int32_t)asking->input->rank)
            for (int32_t i = 0; i < type.rank; i++)
                if (i != axis && i != axis + type.rank)
                    suggest(asking, i, type.dims[i]);
}

/* Sets the last open dim so that the element count matches the constant shape. */
static void for_reshape(const struct asking *asking)
{
    const struct drawn *input = asking->input;
    int64_t wanted = 1, known = 1, open = -1;
    size_t count;
    const int64_t *shape = asking_constant(asking, 1, &count);
    struct value_type type;
    if (asking->position == 1 && asking_output(asking, 0, &type))
        suggest(asking, 0, type.rank);
    if (asking->position != 0 || shape == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        if (shape[i] > 0 && __builtin_mul_overflow(wanted, shape[i], &wanted))
            return;
    for (uint32_t i = 0; i < input->rank; i++) {
        bool copied = i < count && shape[i] == 0;
        if (input->dims[i] < 0 && !copied)
            open = i;
        else if (input->dims[i] > 0 && !copied && __builtin_mul_overflow(known, input->dims[i], &known))
            return;
    }
    suggest(asking, open, open >= 0 && wanted % known == 0 ? wanted / known : -1);
}

static void for_recurrent(const struct asking *asking)
{
    suggest(asking, -1, asking_dim(asking, 1, 2));
}

/* The number of entries in a list of output sizes. */
static void for_shape(const struct asking *asking)
{
    struct value_type type;
    if (asking_output(asking, 0, &type) && asking->input->rank == 1)
        suggest(asking, 0, type.rank);
}

static void ask_reader(const struct asking *asking, void *data)
{
    static const struct {
        const char *op_type;
        uint32_t least, most; /* input positions, inclusive */
        void (*answer)(const struct asking *asking);
    } rows[] = {
        {"Split", 0, 0, for_split},
        {"MatMul", 0, 1, for_product},
        {"Gemm", 0, 1, for_gemm},
        {"Conv", 0, 0, for_conv},
        {"MaxPool", 0, 0, for_pool},
        {"AveragePool", 0, 0, for_pool},
        {"BatchNormalization", 0, 0, for_channels},
        {"InstanceNormalization", 0, 0, for_channels},
        {"LayerNormalization", 0, 0, for_last},
        {"Add", 0, 1, for_pair},
        {"Sub", 0, 1, for_pair},
        {"Mul", 0, 1, for_pair},
        {"Div", 0, 1, for_pair},
        {"Pow", 0, 1, for_pair},
        {"PRelu", 0, 1, for_pair},
        {"Where", 0, 2, for_pair},
        {"Sum", 0, UINT32_MAX, for_pair},
        {"Concat", 0, UINT32_MAX, for_concat},
        {"Reshape", 0, 1, for_reshape},
        {"ConstantOfShape", 0, 0, for_shape},
        {"Expand", 1, 1, for_shape},
        {"Tile", 1, 1, for_shape},
        {"LSTM", 0, 0, for_recurrent},
        {"GRU", 0, 0, for_recurrent},
        {"RNN", 0, 0, for_recurrent},
    };
    (void)data;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (asking->position >= rows[i].least && asking->position <= rows[i].most &&
            strcmp(rows[i].op_type, asking->op_type) == 0)
            rows[i].answer(asking);
}

/* ---- remaining dims ---- */

static size_t param_number(struct drawing *drawing, name_id param)
{
    const struct dim_size *found = sizes_find(&drawing->numbers, param);
    size_t number = found == NULL ? drawing->numbers.count : (size_t)found->size;
    if (found == NULL && !sizes_add(&drawing->numbers, param, (int64_t)number, NULL))
        drawing->status = opshift_no_memory(drawing->error);
    return number;
}

/* Even attempts: one size for all dims; odd attempts: a size for each. */
static int64_t pick_size(struct drawing *drawing, name_id param)
{
    unsigned attempt = attempt_of(drawing);
    size_t number = param == NAME_NONE ? 0 : param_number(drawing, param);
    size_t at = attempt % 2 == 0 ? attempt / 2 : attempt / 2 + number + 2;
    return sizes[at % COUNT(sizes)];
}

static void pick_dims(struct drawing *drawing, struct drawn *input)
{
    for (uint32_t i = 0; i < input->rank; i++) {
        const struct dim_size *bound =
            input->params[i] == NAME_NONE ? NULL : sizes_find(&drawing->bindings, input->params[i]);
        if (input->dims[i] < 0)
            input->dims[i] = bound != NULL ? bound->size : pick_size(drawing, input->params[i]);
    }
}

void dims_complete(struct drawing *drawing)
{
    uint32_t count = drawing->model->main->input_count;
    for (uint32_t i = 0; i < count; i++)
        if (drawing->inputs[i].open)
            drawing->inputs[i].rank = ranks[attempt_of(drawing) % COUNT(ranks)];
    for (uint32_t i = 0; i < count && drawing->status == OPSHIFT_OK; i++) {
        const struct drawn *input = &drawing->inputs[i];
        bool open = false;
        for (uint32_t k = 0; k < input->rank; k++)
            open = open || input->dims[k] < 0;
        if (input->wanted && open)
            readers_ask(drawing, input, true, ask_reader, NULL);
    }
    for (uint32_t i = 0; i < count; i++)
        if (drawing->inputs[i].wanted)
            pick_dims(drawing, &drawing->inputs[i]);
}
