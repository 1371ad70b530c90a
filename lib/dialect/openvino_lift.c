/* Layers become ONNX nodes. Constants that an attribute takes the place of are read; the others stay in the .bin, of
 * which the model's bytes are made. */
#include "dialect/openvino_lift.h"

#include <inttypes.h>
#include <string.h>

#include "base/ascii.h"
#include "dialect/openvino_operator.h"
#include "infer/declare.h"
#include "model/limits.h"
#include "model/number.h"
#include "wire/wire.h"

#define LIFT_IR 8

/* An initializer. */
struct lifted_constant {
    const char *name;
    enum opshift_type type;
    int32_t rank;
    const int64_t *dims;
    const void *bytes; /* NULL: in the .bin */
    uint64_t offset, size;
};

/* A layer while it is lifted. */
struct layer_lift {
    struct openvino_lift *lift;
    const struct ir_layer *layer;
    const struct openvino_operator *row;
    Onnx__NodeProto *node;
    const char **inputs; /* names; room for one more */
    uint32_t input_count;
};

/* ---- names ---- */

static bool port_has_name(const struct ir_port *port, const char *name, size_t size)
{
    for (uint32_t i = 0; i < port->name_count; i++)
        if (strlen(port->names[i]) == size && memcmp(port->names[i], name, size) == 0)
            return true;
    return false;
}

/* The name of the output that a Result gives: NAME of a layer NAME/result, if the tensor has that name. */
static const char *result_name(struct openvino_lift *lift, const struct ir_layer *result)
{
    static const char ending[] = "/result";
    const struct ir_layer *source = openvino_source(lift->net, result, 0);
    const struct ir_port *port = &source->outputs[result->links[0].port];
    size_t size = strlen(result->name), tail = sizeof(ending) - 1;
    if (size > tail && strcmp(result->name + size - tail, ending) == 0 &&
        port_has_name(port, result->name, size - tail))
        return arena_copy(lift->arena, result->name, size - tail);
    return port->name_count ? port->names[0] : result->name;
}

static enum opshift_status output_name(struct openvino_lift *lift, uint32_t index, uint32_t output, const char **name,
                                       struct opshift_error *error)
{
    const struct ir_layer *layer = &lift->net->net.layers[index];
    const struct ir_port *port = &layer->outputs[output];
    const char *wish = layer->name;
    *name = lift->values[index][output];
    if (*name)
        return OPSHIFT_OK;
    if (ir_layer_is(layer, "Parameter"))
        wish =
            port->name_count && !port_has_name(port, layer->name, strlen(layer->name)) ? port->names[0] : layer->name;
    else if (lift->results[index][output] != IR_NONE)
        wish = result_name(lift, &lift->net->net.layers[lift->results[index][output]]);
    else if (port->name_count)
        wish = port->names[0];
    else if (layer->output_count > 1)
        wish = arena_print(lift->arena, "%s.%" PRIu32, ir_stem(layer->name, "value"), output);
    *name = wish ? ir_name_fresh(&lift->names, lift->arena, wish, "value") : NULL;
    lift->values[index][output] = *name;
    return *name ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- constants ---- */

static enum opshift_status constant_add(struct openvino_lift *lift, const struct lifted_constant *constant,
                                        struct opshift_error *error)
{
    buffer_add(&lift->constants, constant, sizeof(*constant));
    return lift->constants.failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* A new name for a part of a layer. NULL: no memory. */
static const char *part_name(struct openvino_lift *lift, const char *layer, const char *part)
{
    const char *wish = arena_print(lift->arena, "%s/%s", ir_stem(layer, "value"), part);
    return wish ? ir_name_fresh(&lift->names, lift->arena, wish, "value") : NULL;
}

/* A new list of int64. */
static enum opshift_status list_add(struct openvino_lift *lift, const char *stem, const char *what,
                                    const int64_t *values, size_t count, const char **name, struct opshift_error *error)
{
    uint8_t *bytes = arena_alloc(lift->arena, count * 8 + 1, 1);
    int64_t *dim = arena_alloc(lift->arena, 1, sizeof(*dim));
    *name = part_name(lift, stem, what);
    if (*name == NULL || bytes == NULL || dim == NULL)
        return opshift_no_memory(error);
    *dim = (int64_t)count;
    for (size_t i = 0; i < count * 8; i++)
        bytes[i] = (uint8_t)((uint64_t)values[i / 8] >> (i % 8 * 8));
    return constant_add(
        lift, &(struct lifted_constant){*name, OPSHIFT_TYPE_INT64, 1, dim, bytes, 0, (uint64_t)count * 8}, error);
}

static enum opshift_status layer_constant(struct openvino_lift *lift, uint32_t index, struct opshift_error *error)
{
    const struct ir_layer *layer = &lift->net->net.layers[index];
    struct ir_const constant;
    bool found;
    openvino_const(lift->net, layer, &constant, &found);
    if (!found || constant.type == OPSHIFT_TYPE_UNDEFINED || constant.type == OPSHIFT_TYPE_STRING)
        return opshift_fail(error, OPSHIFT_NO, "%s has the element type '%.40s', which opshift does not read",
                            ir_place(&lift->net->net, layer), ir_setting_find(layer, "element_type"));
    const char *name;
    enum opshift_status status = output_name(lift, index, 0, &name, error);
    if (status)
        return status;
    return constant_add(lift,
                        &(struct lifted_constant){name, constant.type, constant.rank, constant.dims, NULL,
                                                  constant.offset, type_size(constant.type, constant.count)},
                        error);
}

/* The name of a value; a Const becomes an initializer at the first use. */
static enum opshift_status link_name(struct openvino_lift *lift, struct ir_link link, const char **name,
                                     struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (lift->values[link.layer][link.port] == NULL && ir_layer_is(&lift->net->net.layers[link.layer], "Const"))
        status = layer_constant(lift, link.layer, error);
    return status ? status : output_name(lift, link.layer, link.port, name, error);
}

/* ---- nodes ---- */

static enum opshift_status node_new(struct openvino_lift *lift, const char *op_type, const char *layer_name,
                                    const char *const *inputs, size_t input_count, const char *const *outputs,
                                    size_t output_count, Onnx__NodeProto **result, struct opshift_error *error)
{
    Onnx__NodeProto *node = arena_alloc(lift->arena, 1, sizeof(*node));
    if (node == NULL)
        return opshift_no_memory(error);
    onnx__node_proto__init(node);
    node->has_op_type = node->has_name = 1;
    node->op_type = binary_of(op_type);
    node->name = binary_of(layer_name);
    node->input = arena_alloc(lift->arena, input_count + 1, sizeof(*node->input));
    node->output = arena_alloc(lift->arena, output_count + 1, sizeof(*node->output));
    node->attribute = arena_alloc(lift->arena, 4, sizeof(*node->attribute));
    if (node->input == NULL || node->output == NULL || node->attribute == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < input_count; i++)
        node->input[node->n_input++] = binary_of(inputs[i]);
    for (size_t i = 0; i < output_count; i++)
        node->output[node->n_output++] = binary_of(outputs[i]);
    buffer_add(&lift->nodes, &node, sizeof(node));
    *result = node;
    return lift->nodes.failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* At most 4 of a node. */
static Onnx__AttributeProto *attribute_add(struct openvino_lift *lift, Onnx__NodeProto *node, const char *name,
                                           Onnx__AttributeProto__AttributeType type)
{
    Onnx__AttributeProto *attribute = attribute_new(lift->arena, name, type);
    if (attribute)
        node->attribute[node->n_attribute++] = attribute;
    return attribute;
}

static enum opshift_status attribute_int(struct openvino_lift *lift, Onnx__NodeProto *node, const char *name,
                                         int64_t value, struct opshift_error *error)
{
    Onnx__AttributeProto *attribute = attribute_add(lift, node, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    if (attribute == NULL)
        return opshift_no_memory(error);
    attribute->has_i = 1;
    attribute->i = value;
    return OPSHIFT_OK;
}

static enum opshift_status attribute_ints(struct openvino_lift *lift, Onnx__NodeProto *node, const char *name,
                                          const int64_t *values, size_t count, struct opshift_error *error)
{
    Onnx__AttributeProto *attribute = attribute_add(lift, node, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    int64_t *copy = attribute ? arena_copy(lift->arena, values, count * sizeof(*values)) : NULL;
    if (copy == NULL)
        return opshift_no_memory(error);
    attribute->n_ints = count;
    attribute->ints = copy;
    return OPSHIFT_OK;
}

/* ---- settings and constant inputs of a layer ---- */

static enum opshift_status setting_bool(const struct layer_lift *made, const char *name, bool otherwise, bool *value,
                                        struct opshift_error *error)
{
    const char *text = ir_setting_find(made->layer, name);
    *value = otherwise;
    if (text == NULL)
        return OPSHIFT_OK;
    *value = ascii_same(text, "true") || strcmp(text, "1") == 0;
    if (*value || ascii_same(text, "false") || strcmp(text, "0") == 0)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO, "%s is '%.40s', neither true nor false", name, text);
}

static enum opshift_status setting_int(const struct layer_lift *made, const char *name, int64_t otherwise,
                                       int64_t *value, struct opshift_error *error)
{
    const char *text = ir_setting_find(made->layer, name);
    *value = otherwise;
    if (text == NULL || ir_number(text, value))
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO, "%s is '%.40s', which is no integer", name, text);
}

static enum opshift_status input_ints(const struct layer_lift *made, uint32_t input, const char *what,
                                      const int64_t **values, size_t *count, struct opshift_error *error)
{
    struct openvino_net *net = made->lift->net;
    if (input >= made->layer->input_count)
        return opshift_fail(error, OPSHIFT_NO, "it has %u inputs, and the %s would be input %u",
                            made->layer->input_count, what, input);
    enum opshift_status status =
        openvino_const_ints(net, openvino_source(net, made->layer, input), values, count, error);
    if (status == OPSHIFT_OK && *values == NULL)
        return opshift_fail(error, OPSHIFT_NO, "the %s come from no Const of integers, and ONNX needs them constant",
                            what);
    return status;
}

/* An input that ONNX wants as int64. */
static enum opshift_status input_as_int64(struct layer_lift *made, uint32_t input, const char *what, const char **name,
                                          struct opshift_error *error)
{
    struct openvino_lift *lift = made->lift;
    const struct ir_value *value = openvino_input(lift->net, made->layer, input);
    const int64_t *values;
    size_t count;
    if (value->type == OPSHIFT_TYPE_INT64)
        return link_name(lift, made->layer->links[input], name, error);
    enum opshift_status status =
        openvino_const_ints(lift->net, openvino_source(lift->net, made->layer, input), &values, &count, error);
    if (status || values)
        return status ? status : list_add(lift, made->layer->name, what, values, count, name, error);
    const char *from;
    Onnx__NodeProto *cast;
    status = link_name(lift, made->layer->links[input], &from, error);
    *name = part_name(lift, made->layer->name, what);
    if (status == OPSHIFT_OK && *name == NULL)
        return opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = node_new(lift, "Cast", "", &from, 1, name, 1, &cast, error);
    return status ? status : attribute_int(lift, cast, "to", OPSHIFT_TYPE_INT64, error);
}

/* ---- forms ---- */

static enum opshift_status node_finish(struct layer_lift *made, const char *op_type, struct opshift_error *error)
{
    const char *output;
    uint32_t index = (uint32_t)(made->layer - made->lift->net->net.layers);
    enum opshift_status status = output_name(made->lift, index, 0, &output, error);
    return status ? status
                  : node_new(made->lift, op_type, made->layer->name, made->inputs, made->input_count, &output, 1,
                             &made->node, error);
}

static enum opshift_status lift_plain(struct layer_lift *made, struct opshift_error *error)
{
    const struct ir_setting *setting = &made->row->setting;
    const char *given = setting->name ? ir_setting_find(made->layer, setting->name) : NULL;
    if (given && !ascii_same(given, setting->value))
        return opshift_fail(error, OPSHIFT_NO, "%s is '%.40s', and ONNX has only '%s'", setting->name, given,
                            setting->value);
    return node_finish(made, made->row->onnx, error);
}

/* Concat, Softmax: the IR has defaults of its own. */
static enum opshift_status lift_axis(struct layer_lift *made, struct opshift_error *error)
{
    int64_t axis;
    enum opshift_status status = setting_int(made, "axis", made->row->form == FORM_CONCAT ? 0 : 1, &axis, error);
    if (status == OPSHIFT_OK)
        status = node_finish(made, made->row->onnx, error);
    return status ? status : attribute_int(made->lift, made->node, "axis", axis, error);
}

static enum opshift_status lift_axes(struct layer_lift *made, struct opshift_error *error)
{
    const int64_t *axes;
    size_t count;
    enum opshift_status status = OPSHIFT_OK;
    if (made->layer->input_count > 1)
        status = input_ints(made, 1, "axes", &axes, &count, error);
    if (status == OPSHIFT_OK && made->layer->input_count > 1)
        status = list_add(made->lift, made->layer->name, "axes", axes, count, &made->inputs[1], error);
    return status ? status : node_finish(made, made->row->onnx, error);
}

/* Without axes the IR reduces nothing. */
static enum opshift_status lift_reduce(struct layer_lift *made, struct opshift_error *error)
{
    const int64_t *axes;
    size_t count;
    bool keep, sum = strcmp(made->row->onnx, "ReduceSum") == 0;
    enum opshift_status status = input_ints(made, 1, "axes", &axes, &count, error);
    if (status == OPSHIFT_OK)
        status = setting_bool(made, "keep_dims", false, &keep, error);
    made->input_count = 1;
    if (status == OPSHIFT_OK && count == 0)
        return node_finish(made, "Identity", error);
    if (status == OPSHIFT_OK && sum) {
        status = list_add(made->lift, made->layer->name, "axes", axes, count, &made->inputs[1], error);
        made->input_count = 2;
    }
    if (status == OPSHIFT_OK)
        status = node_finish(made, made->row->onnx, error);
    if (status == OPSHIFT_OK && !sum)
        status = attribute_ints(made->lift, made->node, "axes", axes, count, error);
    return status ? status : attribute_int(made->lift, made->node, "keepdims", keep, error);
}

/* A 0 stands for the input's dim, unless special_zero is false: that is a size, which opset 13 cannot express. */
static enum opshift_status lift_reshape(struct layer_lift *made, struct opshift_error *error)
{
    bool special, zero = true;
    const int64_t *shape = NULL;
    size_t count = 0;
    enum opshift_status status = setting_bool(made, "special_zero", false, &special, error);
    if (status == OPSHIFT_OK)
        status = openvino_const_ints(made->lift->net, openvino_source(made->lift->net, made->layer, 1), &shape, &count,
                                     error);
    if (shape)
        zero = false;
    for (size_t i = 0; shape && i < count; i++)
        zero |= shape[i] == 0;
    if (status == OPSHIFT_OK && !special && zero)
        return opshift_fail(error, OPSHIFT_NO,
                            "special_zero is false and the shape may have a 0, which ONNX below "
                            "opset 14 takes for the input's dim");
    if (status == OPSHIFT_OK)
        status = input_as_int64(made, 1, "shape", &made->inputs[1], error);
    return status ? status : node_finish(made, "Reshape", error);
}

static enum opshift_status lift_transpose(struct layer_lift *made, struct opshift_error *error)
{
    const int64_t *order;
    size_t count;
    enum opshift_status status = input_ints(made, 1, "order", &order, &count, error);
    made->input_count = 1;
    if (status == OPSHIFT_OK)
        status = node_finish(made, "Transpose", error);
    return status || count == 0 ? status : attribute_ints(made->lift, made->node, "perm", order, count, error);
}

static enum opshift_status lift_convert(struct layer_lift *made, struct opshift_error *error)
{
    const char *text = ir_setting_find(made->layer, "destination_type");
    enum opshift_type type = text ? ir_type_find(text) : OPSHIFT_TYPE_UNDEFINED;
    if (type == OPSHIFT_TYPE_UNDEFINED)
        return opshift_fail(error, OPSHIFT_NO, "destination_type is '%.40s', which ONNX does not have",
                            text ? text : "");
    enum opshift_status status = node_finish(made, "Cast", error);
    return status ? status : attribute_int(made->lift, made->node, "to", type, error);
}

static enum opshift_status lift_gather(struct layer_lift *made, struct opshift_error *error)
{
    const int64_t *axis;
    size_t count = 0;
    int64_t batch;
    enum opshift_status status = input_ints(made, 2, "axis", &axis, &count, error);
    if (status == OPSHIFT_OK)
        status = setting_int(made, "batch_dims", 0, &batch, error);
    if (status == OPSHIFT_OK && (batch != 0 || count != 1))
        return opshift_fail(error, OPSHIFT_NO,
                            "batch_dims is %" PRId64 " and the axis has %zu numbers; ONNX's Gather has "
                            "none and one",
                            batch, count);
    made->input_count = 2;
    if (status == OPSHIFT_OK)
        status = node_finish(made, "Gather", error);
    return status ? status : attribute_int(made->lift, made->node, "axis", *axis, error);
}

static enum opshift_status lift_shape(struct layer_lift *made, struct opshift_error *error)
{
    const char *type = ir_setting_find(made->layer, "output_type");
    if (type && ir_type_find(type) != OPSHIFT_TYPE_INT64)
        return opshift_fail(error, OPSHIFT_NO, "output_type is '%.40s', and ONNX's Shape gives int64", type);
    return node_finish(made, "Shape", error);
}

static enum opshift_status lift_divide(struct layer_lift *made, struct opshift_error *error)
{
    bool floors;
    const struct number_type *type = number_type(openvino_input(made->lift->net, made->layer, 0)->type);
    enum opshift_status status = setting_bool(made, "m_pythondiv", true, &floors, error);
    if (status == OPSHIFT_OK && floors && (type == NULL || type->kind == NUMBER_SIGNED))
        return opshift_fail(error, OPSHIFT_NO, "it rounds quotients of integers down, and ONNX's Div truncates them");
    return status ? status : lift_plain(made, error);
}

static enum opshift_status lift_mod(struct layer_lift *made, struct opshift_error *error)
{
    bool floors = ir_layer_is(made->layer, "FloorMod");
    const struct number_type *type = number_type(openvino_input(made->lift->net, made->layer, 0)->type);
    if (floors && (type == NULL || type->kind == NUMBER_REAL))
        return opshift_fail(error, OPSHIFT_NO, "ONNX's Mod of real numbers is Mod, not FloorMod");
    enum opshift_status status = lift_plain(made, error);
    return status || floors ? status : attribute_int(made->lift, made->node, "fmod", 1, error);
}

/* Swaps the last two axes of an input. */
static enum opshift_status lift_transposed(struct layer_lift *made, uint32_t input, struct opshift_error *error)
{
    struct openvino_lift *lift = made->lift;
    int32_t rank = openvino_input(lift->net, made->layer, input)->rank;
    int64_t perm[TENSOR_RANK_MAX];
    Onnx__NodeProto *node;
    if (rank < 2)
        return opshift_fail(error, OPSHIFT_NO, "it transposes input %u, whose rank is %s", input,
                            rank < 0 ? "unknown" : "below 2");
    for (int32_t i = 0; i < rank; i++)
        perm[i] = i < rank - 2 ? i : i == rank - 2 ? rank - 1 : rank - 2;
    const char *name = part_name(lift, made->layer->name, input == 0 ? "transposed_0" : "transposed_1");
    if (name == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = node_new(lift, "Transpose", "", &made->inputs[input], 1, &name, 1, &node, error);
    made->inputs[input] = name;
    return status ? status : attribute_ints(lift, node, "perm", perm, (size_t)rank, error);
}

static enum opshift_status lift_matmul(struct layer_lift *made, struct opshift_error *error)
{
    bool first, second;
    enum opshift_status status = setting_bool(made, "transpose_a", false, &first, error);
    if (status == OPSHIFT_OK)
        status = setting_bool(made, "transpose_b", false, &second, error);
    if (status == OPSHIFT_OK && first)
        status = lift_transposed(made, 0, error);
    if (status == OPSHIFT_OK && second)
        status = lift_transposed(made, 1, error);
    return status ? status : node_finish(made, "MatMul", error);
}

static enum opshift_status (*const forms[FORM_COUNT])(struct layer_lift *made, struct opshift_error *error) = {
    [FORM_PLAIN] = lift_plain,     [FORM_CONCAT] = lift_axis,     [FORM_AXES] = lift_axes,
    [FORM_REDUCE] = lift_reduce,   [FORM_RESHAPE] = lift_reshape, [FORM_TRANSPOSE] = lift_transpose,
    [FORM_CONVERT] = lift_convert, [FORM_SOFTMAX] = lift_axis,    [FORM_GATHER] = lift_gather,
    [FORM_SHAPE] = lift_shape,     [FORM_DIVIDE] = lift_divide,   [FORM_MOD] = lift_mod,
    [FORM_MATMUL] = lift_matmul,
};

/* ---- Split ---- */

/* ONNX has no -1 for the rest. */
static enum opshift_status lengths_resolve(struct layer_lift *made, const struct openvino_cut *cut, const char **name,
                                           struct opshift_error *error)
{
    struct openvino_lift *lift = made->lift;
    int64_t *lengths = arena_alloc(lift->arena, (size_t)cut->parts + 1, sizeof(*lengths));
    if (lengths == NULL)
        return opshift_no_memory(error);
    for (int64_t i = 0; i < cut->parts; i++)
        lengths[i] = cut->lengths[i];
    if (cut->rest != SIZE_MAX && cut->dim >= 0)
        lengths[cut->rest] = openvino_cut_length(cut, (uint32_t)cut->rest);
    else if (cut->rest != SIZE_MAX && !lift->as_it_is)
        return opshift_fail(error, OPSHIFT_NO,
                            "length %zu is -1, the rest, and the dim is unknown; ONNX has no -1: give "
                            "the shape of the input with --shape",
                            cut->rest);
    return list_add(lift, made->layer->name, "lengths", lengths, (size_t)cut->parts, name, error);
}

static enum opshift_status lift_split(struct layer_lift *made, struct opshift_error *error)
{
    struct openvino_lift *lift = made->lift;
    const struct ir_layer *layer = made->layer;
    uint32_t index = (uint32_t)(layer - lift->net->net.layers);
    struct openvino_cut cut;
    struct lifted_split mark = {0, index};
    const char *inputs[2], **outputs = arena_alloc(lift->arena, layer->output_count + 1u, sizeof(*outputs));
    enum opshift_status status = openvino_cut_read(lift->net, layer, &cut, error);
    if (status == OPSHIFT_OK && outputs == NULL)
        return opshift_no_memory(error);
    if (status == OPSHIFT_OK && !cut.axis_known)
        return opshift_fail(error, OPSHIFT_NO, "its axis is no Const, and ONNX has it as an attribute");
    if (status == OPSHIFT_OK)
        status = link_name(lift, layer->links[0], &inputs[0], error);
    if (status == OPSHIFT_OK && cut.variadic && cut.lengths)
        status = lengths_resolve(made, &cut, &inputs[1], error);
    else if (status == OPSHIFT_OK && cut.variadic)
        status = input_as_int64(made, 2, "lengths", &inputs[1], error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < layer->output_count; i++) {
        outputs[i] = "";
        if (lift->used[index][i] || layer->outputs[i].name_count)
            status = output_name(lift, index, i, &outputs[i], error);
    }
    if (status)
        return status;
    mark.node = (uint32_t)(lift->nodes.size / sizeof(Onnx__NodeProto *));
    buffer_add(&lift->splits, &mark, sizeof(mark));
    if (lift->splits.failed)
        return opshift_no_memory(error);
    status = node_new(lift, "Split", layer->name, inputs, cut.variadic ? 2 : 1, outputs, layer->output_count,
                      &made->node, error);
    return status ? status : attribute_int(lift, made->node, "axis", cut.axis, error);
}

/* ---- layers ---- */

static enum opshift_status operator_lift(struct layer_lift *made, struct opshift_error *error)
{
    struct openvino_lift *lift = made->lift;
    const struct ir_layer *layer = made->layer;
    enum opshift_status status = OPSHIFT_OK;
    if (openvino_is_split(layer) && strcmp(layer->version, "opset1") == 0)
        return lift_split(made, error);
    made->row = openvino_operator_of_layer(layer->type, layer->version);
    if (ir_layer_is(layer, "Parameter") || ir_layer_is(layer, "Const") || ir_layer_is(layer, "Result"))
        return opshift_fail(error, OPSHIFT_NO, "it has %u inputs and %u outputs, which such a layer does not have",
                            layer->input_count, layer->output_count);
    if (made->row == NULL)
        return opshift_fail(error, OPSHIFT_NO, "opshift has no ONNX operator for %.80s of %.40s", layer->type,
                            layer->version);
    uint32_t least = made->row->inputs ? made->row->inputs : 1;
    if (layer->output_count != 1 || layer->input_count < least)
        return opshift_fail(error, OPSHIFT_NO, "it has %u inputs and %u outputs, and takes %u and 1",
                            layer->input_count, layer->output_count, least);
    made->inputs = arena_alloc(lift->arena, layer->input_count + 2u, sizeof(*made->inputs));
    if (made->inputs == NULL)
        return opshift_no_memory(error);
    made->input_count = layer->input_count;
    bool first = made->row->form != FORM_PLAIN && made->row->form != FORM_CONCAT && made->row->form != FORM_DIVIDE &&
                 made->row->form != FORM_MOD && made->row->form != FORM_MATMUL;
    uint32_t named = !first ? layer->input_count : made->row->form == FORM_GATHER ? 2 : 1;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < named; i++)
        status = link_name(lift, layer->links[i], &made->inputs[i], error);
    if (status == OPSHIFT_OK && made->row->form == FORM_RESHAPE && layer->input_count != 2)
        return opshift_fail(error, OPSHIFT_NO, "it has %u inputs, and takes 2", layer->input_count);
    return status ? status : forms[made->row->form](made, error);
}

/* A message for the type and shape of an input. */
static Onnx__ValueInfoProto *value_info(struct openvino_lift *lift, const char *name, const struct ir_value *value)
{
    const struct value_type type = {
        .type = value->type, .rank = value->rank, .dims = (int64_t *)(uintptr_t)value->dims, .is_tensor = true};
    return value_info_new(lift->arena, NULL, binary_of(name), value->type == OPSHIFT_TYPE_UNDEFINED ? NULL : &type);
}

static enum opshift_status parameter_lift(struct openvino_lift *lift, uint32_t index, struct opshift_error *error)
{
    const struct ir_value *value = &lift->net->values[index][0];
    const char *name;
    if (value->type == OPSHIFT_TYPE_UNDEFINED)
        return opshift_fail(error, OPSHIFT_NO, "its element type '%.40s' is none of ONNX's",
                            ir_setting_find(&lift->net->net.layers[index], "element_type"));
    enum opshift_status status = output_name(lift, index, 0, &name, error);
    Onnx__ValueInfoProto *info = status ? NULL : value_info(lift, name, value);
    if (status == OPSHIFT_OK)
        buffer_add(&lift->inputs, &info, sizeof(info));
    return status == OPSHIFT_OK && (info == NULL || lift->inputs.failed) ? opshift_no_memory(error) : status;
}

/* An output has the name of its value, or an Identity gives it one. */
static enum opshift_status result_lift(struct openvino_lift *lift, uint32_t index, struct names *given,
                                       struct opshift_error *error)
{
    const struct ir_layer *layer = &lift->net->net.layers[index];
    const char *value, *wish = result_name(lift, layer);
    enum opshift_status status = link_name(lift, layer->links[0], &value, error);
    if (status == OPSHIFT_OK && wish == NULL)
        return opshift_no_memory(error);
    name_id id;
    if (status == OPSHIFT_OK && (strcmp(wish, value) != 0 || names_find(given, value, strlen(value), &id))) {
        const char *fresh = ir_name_fresh(&lift->names, lift->arena, wish, "value");
        Onnx__NodeProto *node;
        status = fresh ? node_new(lift, "Identity", "", &value, 1, &fresh, 1, &node, error) : opshift_no_memory(error);
        value = fresh;
    }
    if (status)
        return status;
    struct ir_value type = *openvino_input(lift->net, layer, 0);
    type.rank = -1; /* what ports declare is not checked */
    Onnx__ValueInfoProto *info = value_info(lift, value, &type);
    buffer_add(&lift->outputs, &info, sizeof(info));
    bool failed = info == NULL || lift->outputs.failed || names_add(given, value, strlen(value)) == NAME_NO_MEMORY;
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* Layers that are no operators: they have just the ports that they must have. */
static bool is_parameter(const struct ir_layer *layer)
{
    return ir_layer_is(layer, "Parameter") && layer->input_count == 0 && layer->output_count == 1;
}

static bool is_const(const struct ir_layer *layer)
{
    return ir_layer_is(layer, "Const") && layer->input_count == 0 && layer->output_count == 1;
}

static bool is_result(const struct ir_layer *layer)
{
    return ir_layer_is(layer, "Result") && layer->input_count == 1 && layer->output_count == 0;
}

/* Parameters and Results keep the order of the file; the other layers stand behind those that they read. */
static enum opshift_status layers_lift(struct openvino_lift *lift, struct opshift_error *error)
{
    const struct ir_net *net = &lift->net->net;
    enum opshift_status status = OPSHIFT_OK;
    struct names *given = names_new();
    if (given == NULL)
        return opshift_no_memory(error);
    uint32_t at = 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < net->count; i++)
        if (is_parameter(&net->layers[at = i]))
            status = parameter_lift(lift, i, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < net->count; i++) {
        struct layer_lift made = {.lift = lift, .layer = &net->layers[at = net->order[i]]};
        if (!is_parameter(made.layer) && !is_const(made.layer) && !is_result(made.layer))
            status = operator_lift(&made, error);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < net->count; i++)
        if (is_result(&net->layers[at = i]))
            status = result_lift(lift, i, given, error);
    names_free(given);
    return status ? opshift_within(error, status, "%s", ir_place(net, &net->layers[at])) : OPSHIFT_OK;
}

/* ---- the model's bytes ---- */

/* Everything of the graph but the initializers. */
static enum opshift_status pack_graph(struct openvino_lift *lift, struct buffer *out, struct opshift_error *error)
{
    Onnx__GraphProto graph;
    const char *name = lift->net->net.name;
    onnx__graph_proto__init(&graph);
    graph.has_name = 1;
    graph.name = binary_of(*name ? name : "model");
    graph.n_node = lift->nodes.size / sizeof(*graph.node);
    graph.node = (Onnx__NodeProto **)(void *)lift->nodes.data;
    graph.n_input = lift->inputs.size / sizeof(*graph.input);
    graph.input = (Onnx__ValueInfoProto **)(void *)lift->inputs.data;
    graph.n_output = lift->outputs.size / sizeof(*graph.output);
    graph.output = (Onnx__ValueInfoProto **)(void *)lift->outputs.data;
    wire_add_packed(out, &graph.base);
    return out->failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* The head of an initializer in the graph, up to its bytes. */
static void pack_constant(struct buffer *out, const struct lifted_constant *constant)
{
    enum { GRAPH_INITIALIZER_TAG = 5 << 3 | 2, TENSOR_RAW_TAG = 9 << 3 | 2 };
    Onnx__TensorProto tensor;
    onnx__tensor_proto__init(&tensor);
    tensor.has_data_type = tensor.has_name = 1;
    tensor.data_type = (int32_t)constant->type;
    tensor.name = binary_of(constant->name);
    tensor.n_dims = (size_t)constant->rank;
    tensor.dims = (int64_t *)(uintptr_t)constant->dims;
    uint64_t size =
        protobuf_c_message_get_packed_size(&tensor.base) + 1 + wire_varint_size(constant->size) + constant->size;
    buffer_add_byte(out, GRAPH_INITIALIZER_TAG);
    wire_add_varint(out, size);
    wire_add_packed(out, &tensor.base);
    buffer_add_byte(out, TENSOR_RAW_TAG);
    wire_add_varint(out, constant->size);
}

static void stretch_add(struct stretch *stretches, size_t *count, const uint8_t *data, uint64_t offset, uint64_t size)
{
    uint64_t start = *count ? stretches[*count - 1].start + stretches[*count - 1].size : 0;
    if (size > 0)
        stretches[(*count)++] = (struct stretch){start, size, data, offset};
}

/* A copy of what the buffer holds, as one stretch; empties the buffer. */
static bool head_take(struct openvino_lift *lift, struct buffer *head, size_t *count)
{
    const uint8_t *copy = head->failed ? NULL : arena_copy(lift->arena, head->data, head->size);
    if (copy)
        stretch_add(lift->stretches, count, copy, 0, head->size);
    head->size = 0;
    return copy != NULL;
}

static enum opshift_status stretches_make(struct openvino_lift *lift, const struct buffer *graph, size_t *count,
                                          struct opshift_error *error)
{
    enum { MODEL_GRAPH_TAG = 7 << 3 | 2 };
    const struct lifted_constant *constants = (const struct lifted_constant *)(const void *)lift->constants.data;
    size_t constant_count = lift->constants.size / sizeof(*constants);
    Onnx__ModelProto model;
    Onnx__OperatorSetIdProto opset, *opsets[] = {&opset};
    struct buffer head = {0};
    uint64_t size = graph->size;
    onnx__model_proto__init(&model);
    onnx__operator_set_id_proto__init(&opset);
    model.has_ir_version = opset.has_version = opset.has_domain = 1;
    model.ir_version = LIFT_IR;
    opset.version = LIFT_OPSET;
    opset.domain = binary_of("");
    model.n_opset_import = 1;
    model.opset_import = opsets;
    lift->stretches = arena_alloc(lift->arena, 2 * constant_count + 3, sizeof(*lift->stretches));
    if (lift->stretches == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < constant_count; i++) {
        pack_constant(&head, &constants[i]);
        size += head.size + constants[i].size;
        head.size = 0;
    }
    wire_add_packed(&head, &model.base);
    buffer_add_byte(&head, MODEL_GRAPH_TAG);
    wire_add_varint(&head, size);
    buffer_add(&head, graph->data, graph->size);
    bool made = head_take(lift, &head, count);
    for (size_t i = 0; made && i < constant_count; i++) {
        pack_constant(&head, &constants[i]);
        made = head_take(lift, &head, count);
        stretch_add(lift->stretches, count, constants[i].bytes, constants[i].offset, constants[i].size);
    }
    buffer_free(&head);
    return made ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status model_open(struct openvino_lift *lift, struct opshift_model **model,
                                      struct opshift_error *error)
{
    struct opshift_open_options options = {.limits = &lift->net->limits, .name = lift->net->path};
    struct source *source;
    struct buffer graph = {0};
    size_t count = 0;
    enum opshift_status status = pack_graph(lift, &graph, error);
    if (status == OPSHIFT_OK)
        status = stretches_make(lift, &graph, &count, error);
    buffer_free(&graph);
    if (status == OPSHIFT_OK)
        status = source_open_stretches(lift->net->weights ? lift->net->weights : lift->net->xml, lift->stretches, count,
                                       &source, error);
    return status ? status : model_open_source(source, &options, model, error);
}

/* ---- the lift ---- */

static enum opshift_status tables_make(struct openvino_lift *lift, struct opshift_error *error)
{
    const struct ir_net *net = &lift->net->net;
    struct arena *arena = lift->arena;
    lift->values = arena_alloc(arena, net->count + UINT64_C(1), sizeof(*lift->values));
    lift->used = arena_alloc(arena, net->count + UINT64_C(1), sizeof(*lift->used));
    lift->results = arena_alloc(arena, net->count + UINT64_C(1), sizeof(*lift->results));
    if (!lift->values || !lift->used || !lift->results)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < net->count; i++) {
        uint32_t outputs = net->layers[i].output_count;
        lift->values[i] = arena_alloc(arena, outputs + 1u, sizeof(**lift->values));
        lift->used[i] = arena_alloc(arena, outputs + 1u, sizeof(**lift->used));
        lift->results[i] = arena_alloc(arena, outputs + 1u, sizeof(**lift->results));
        if (!lift->values[i] || !lift->used[i] || !lift->results[i])
            return opshift_no_memory(error);
        for (uint32_t at = 0; at < outputs; at++)
            lift->results[i][at] = IR_NONE;
    }
    for (uint32_t i = 0; i < net->count; i++)
        for (uint32_t at = 0; at < net->layers[i].input_count; at++) {
            struct ir_link link = net->layers[i].links[at];
            lift->used[link.layer][link.port] = true;
            if (ir_layer_is(&net->layers[i], "Result") && lift->results[link.layer][link.port] == IR_NONE)
                lift->results[link.layer][link.port] = i;
        }
    return OPSHIFT_OK;
}

enum opshift_status openvino_lift(struct openvino_net *net, bool as_it_is, struct openvino_lift *lift,
                                  struct opshift_model **model, struct opshift_error *error)
{
    *lift = (struct openvino_lift){.net = net, .as_it_is = as_it_is};
    lift->arena = arena_new(net->limits.memory);
    *model = NULL;
    if (!ir_names_open(&lift->names) || lift->arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = tables_make(lift, error);
    if (status == OPSHIFT_OK)
        status = layers_lift(lift, error);
    if (status == OPSHIFT_OK)
        status = model_open(lift, model, error);
    return limit_judge_memory(&net->limits, lift->arena, status, "the nodes made of layers", error);
}

void openvino_lift_free(struct openvino_lift *lift)
{
    ir_names_close(&lift->names);
    arena_free(lift->arena);
    buffer_free(&lift->nodes);
    buffer_free(&lift->inputs);
    buffer_free(&lift->outputs);
    buffer_free(&lift->constants);
    buffer_free(&lift->splits);
    *lift = (struct openvino_lift){0};
}
