/* What a Split-1 or VariadicSplit-1 layer does. */
#include "dialect/openvino_net.h"

bool openvino_is_split(const struct ir_layer *layer)
{
    return ir_layer_is(layer, "Split") || ir_layer_is(layer, "VariadicSplit");
}

static enum opshift_status read_axis(struct openvino_net *net, const struct ir_layer *layer, struct openvino_cut *cut,
                                     struct opshift_error *error)
{
    const struct ir_value *data = openvino_input(net, layer, 0);
    const int64_t *axis;
    size_t count;
    if (layer->input_count < 2)
        return OPSHIFT_OK;
    enum opshift_status status = openvino_const_ints(net, openvino_source(net, layer, 1), &axis, &count, error);
    if (status || axis == NULL || count != 1)
        return status;
    cut->axis = *axis;
    cut->axis_known = true;
    if (data->rank > 0 && cut->axis >= -data->rank && cut->axis < data->rank) {
        cut->front = cut->axis < 0 ? cut->axis + data->rank : cut->axis;
        cut->dim = data->dims[cut->front];
    }
    return OPSHIFT_OK;
}

static enum opshift_status read_lengths(struct openvino_net *net, const struct ir_layer *layer,
                                        struct openvino_cut *cut, struct opshift_error *error)
{
    size_t count;
    if (layer->input_count < 3)
        return OPSHIFT_OK;
    enum opshift_status status = openvino_const_ints(net, openvino_source(net, layer, 2), &cut->lengths, &count, error);
    const struct ir_value *value = openvino_input(net, layer, 2);
    if (status)
        return status;
    if (cut->lengths)
        cut->parts = (int64_t)count;
    else if (value->rank == 1)
        cut->parts = value->dims[0];
    for (size_t i = 0; cut->lengths && i < count; i++)
        if (cut->lengths[i] == -1)
            cut->rest = cut->rest == SIZE_MAX ? i : cut->rest;
    return OPSHIFT_OK;
}

enum opshift_status openvino_cut_read(struct openvino_net *net, const struct ir_layer *layer, struct openvino_cut *cut,
                                      struct opshift_error *error)
{
    *cut = (struct openvino_cut){
        .variadic = !ir_layer_is(layer, "Split"), .front = -1, .dim = -1, .parts = -1, .rest = SIZE_MAX};
    const char *count = cut->variadic ? NULL : ir_setting_find(layer, "num_splits");
    if (count && !ir_number(count, &cut->parts))
        cut->parts = -1;
    enum opshift_status status = read_axis(net, layer, cut, error);
    return status || !cut->variadic ? status : read_lengths(net, layer, cut, error);
}

int64_t openvino_cut_length(const struct openvino_cut *cut, uint32_t part)
{
    int64_t sum = 0;
    if (part >= cut->parts)
        return -1;
    if (!cut->variadic)
        return cut->dim >= 0 && cut->dim % cut->parts == 0 ? cut->dim / cut->parts : -1;
    if (cut->lengths == NULL || cut->lengths[part] < -1)
        return -1;
    if (cut->lengths[part] >= 0)
        return cut->lengths[part];
    for (int64_t i = 0; i < cut->parts; i++)
        if (i != (int64_t)part && (cut->lengths[i] < 0 || __builtin_add_overflow(sum, cut->lengths[i], &sum)))
            return -1;
    return cut->dim >= sum ? cut->dim - sum : -1;
}
