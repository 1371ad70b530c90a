/* The layers of one node. */
#include <inttypes.h>
#include <string.h>

#include "dialect/openvino.h"
#include "dialect/openvino_operator.h"
#include "model/number.h"

#define SETTINGS_MAX 6

/* A node while its layer is put together. */
struct node_layer {
    struct openvino *openvino;
    struct draft *draft;
    const struct openvino_operator *row;
    const char *stem;           /* of the names of its layers */
    const char *type, *version; /* as the operator's, unless the form chooses another */
    struct ir_link *links;
    uint32_t input_count;
    struct ir_setting settings[SETTINGS_MAX];
    uint32_t setting_count;
    struct arena *arena;
};

static void setting_add(struct node_layer *made, const char *name, const char *value)
{
    if (made->setting_count < SETTINGS_MAX)
        made->settings[made->setting_count++] = (struct ir_setting){name, value};
}

static enum opshift_status setting_add_number(struct node_layer *made, const char *name, int64_t value,
                                              struct opshift_error *error)
{
    const char *text = arena_print(made->arena, "%" PRId64, value);
    setting_add(made, name, text ? text : "");
    return text ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- attributes and constants of the node ---- */

static enum opshift_status int_or(const struct node_layer *made, const char *name, int64_t otherwise, int64_t *value,
                                  struct opshift_error *error)
{
    struct draft_int given;
    enum opshift_status status = draft_int_read(made->draft, name, &given, error);
    *value = given.given ? given.value : otherwise;
    return status;
}

static enum opshift_status input_type(const struct node_layer *made, uint32_t input, struct value_type *type,
                                      struct opshift_error *error)
{
    return draft_type(made->draft, made->draft->inputs[input].name, type, error);
}

/* The integers of an attribute, or of a constant input; NULL: neither is there. NO: the input is not constant. */
static enum opshift_status list_find(const struct node_layer *made, const char *attribute, uint32_t input,
                                     const int64_t **values, size_t *count, struct opshift_error *error)
{
    static const int64_t none;
    const struct draft *draft = made->draft;
    const struct draft_attribute *found = draft_attribute_find(draft, attribute);
    *values = NULL;
    if (found && found->message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS) {
        *values = found->message->n_ints ? found->message->ints : &none;
        *count = found->message->n_ints;
        return OPSHIFT_OK;
    }
    if (!draft_input_present(draft, input))
        return OPSHIFT_OK;
    const struct tensor *tensor;
    const char *why = "";
    enum opshift_status status = draft_constant(draft, draft->inputs[input].name, &tensor, &why, error);
    if (status)
        return status;
    if (tensor == NULL || tensor->type != OPSHIFT_TYPE_INT64)
        return opshift_fail(error, OPSHIFT_NO, "%s is computed, and opshift writes only constant ones into an IR",
                            attribute);
    *values = tensor->count ? tensor->data : &none;
    *count = tensor->count;
    return OPSHIFT_OK;
}

/* Puts a constant list in the place of input 1. */
static enum opshift_status list_link(struct node_layer *made, const char *what, const int64_t *values, size_t count,
                                     struct opshift_error *error)
{
    const char *stem = arena_print(made->arena, "%s/%s", ir_stem(made->stem, "layer"), what);
    made->input_count = 2;
    return stem ? openvino_ints(made->openvino, stem, values, count, &made->links[1], error) : opshift_no_memory(error);
}

/* ---- forms ---- */

static enum opshift_status make_plain(struct node_layer *made, struct opshift_error *error)
{
    struct value_type first, other;
    if (made->row->setting.name)
        setting_add(made, made->row->setting.name, made->row->setting.value);
    if (strcmp(made->row->onnx, "Pow") != 0)
        return OPSHIFT_OK;
    enum opshift_status status = input_type(made, 0, &first, error);
    if (status == OPSHIFT_OK)
        status = input_type(made, 1, &other, error);
    if (status == OPSHIFT_OK && first.type != other.type)
        return opshift_fail(error, OPSHIFT_NO,
                            "its inputs have different types, which OpenVINO's Power does not take; "
                            "cast the exponent");
    return status;
}

static enum opshift_status make_concat(struct node_layer *made, struct opshift_error *error)
{
    int64_t axis;
    enum opshift_status status = int_or(made, "axis", 1, &axis, error);
    return status ? status : setting_add_number(made, "axis", axis, error);
}

static enum opshift_status make_axes(struct node_layer *made, struct opshift_error *error)
{
    const int64_t *axes;
    size_t count;
    enum opshift_status status = list_find(made, "axes", 1, &axes, &count, error);
    made->input_count = 1;
    return status || axes == NULL ? status : list_link(made, "axes", axes, count, error);
}

/* Without axes it reduces all of them, or none with noop_with_empty_axes. */
static enum opshift_status all_axes(struct node_layer *made, const int64_t **axes, size_t *count,
                                    struct opshift_error *error)
{
    struct value_type type;
    int64_t noop;
    enum opshift_status status = int_or(made, "noop_with_empty_axes", 0, &noop, error);
    if (status == OPSHIFT_OK)
        status = input_type(made, 0, &type, error);
    if (status)
        return status;
    *count = 0;
    if (noop)
        return OPSHIFT_OK;
    if (type.rank < 0)
        return opshift_fail(error, OPSHIFT_NO,
                            "it reduces all axes of a tensor of unknown rank; give the shape with "
                            "--shape");
    int64_t *all = arena_alloc(made->arena, (size_t)type.rank + 1, sizeof(*all));
    if (all == NULL)
        return opshift_no_memory(error);
    for (int32_t i = 0; i < type.rank; i++)
        all[i] = i;
    *axes = all;
    *count = (size_t)type.rank;
    return OPSHIFT_OK;
}

static enum opshift_status make_reduce(struct node_layer *made, struct opshift_error *error)
{
    const int64_t *axes;
    size_t count = 0;
    int64_t keep;
    enum opshift_status status = list_find(made, "axes", 1, &axes, &count, error);
    if (status == OPSHIFT_OK && count == 0)
        status = all_axes(made, &axes, &count, error);
    if (status == OPSHIFT_OK)
        status = int_or(made, "keepdims", 1, &keep, error);
    if (status)
        return status;
    setting_add(made, "keep_dims", keep ? "true" : "false");
    return list_link(made, "axes", axes, count, error);
}

static enum opshift_status make_reshape(struct node_layer *made, struct opshift_error *error)
{
    const struct draft_attribute *shape = draft_attribute_find(made->draft, "shape");
    int64_t allow;
    enum opshift_status status = int_or(made, "allowzero", 0, &allow, error);
    setting_add(made, "special_zero", allow ? "false" : "true");
    if (status || shape == NULL)
        return status;
    return list_link(made, "shape", shape->message->ints, shape->message->n_ints, error);
}

/* An empty order reverses the axes, as ONNX does without perm. */
static enum opshift_status make_transpose(struct node_layer *made, struct opshift_error *error)
{
    static const int64_t none;
    const struct draft_attribute *perm = draft_attribute_find(made->draft, "perm");
    return list_link(made, "order", perm && perm->message->n_ints ? perm->message->ints : &none,
                     perm ? perm->message->n_ints : 0, error);
}

static enum opshift_status make_convert(struct node_layer *made, struct opshift_error *error)
{
    int64_t to;
    struct value_type type;
    enum opshift_status status = int_or(made, "to", 0, &to, error);
    if (status == OPSHIFT_OK)
        status = input_type(made, 0, &type, error);
    if (status)
        return status;
    if (to == OPSHIFT_TYPE_STRING || type.type == OPSHIFT_TYPE_STRING)
        return opshift_fail(error, OPSHIFT_NO, "OpenVINO's Convert takes no strings; cast outside of the model");
    if (to < 0 || to >= OPSHIFT_TYPE_COUNT || ir_element((enum opshift_type)to) == NULL)
        return opshift_fail(error, OPSHIFT_NO, "OpenVINO has no element type %s; cast to another",
                            to < 0 || to >= OPSHIFT_TYPE_COUNT ? "of that number" : type_name((enum opshift_type)to));
    setting_add(made, "destination_type", ir_element((enum opshift_type)to));
    return OPSHIFT_OK;
}

/* Below opset 13 all axes from axis on are one. */
static enum opshift_status make_softmax(struct node_layer *made, struct opshift_error *error)
{
    int64_t axis;
    struct value_type type;
    enum opshift_status status = int_or(made, "axis", made->draft->opset < 13 ? 1 : -1, &axis, error);
    if (status == OPSHIFT_OK)
        status = input_type(made, 0, &type, error);
    if (status)
        return status;
    if (made->draft->opset < 13 && axis != -1 && (type.rank < 0 || axis != type.rank - 1))
        return opshift_fail(error, OPSHIFT_NO,
                            "below opset 13 it joins the axes from %" PRId64 " on; convert the model "
                            "to opset 13 first",
                            axis);
    return setting_add_number(made, "axis", axis, error);
}

static enum opshift_status make_gather(struct node_layer *made, struct opshift_error *error)
{
    int64_t axis;
    enum opshift_status status = int_or(made, "axis", 0, &axis, error);
    const char *stem = arena_print(made->arena, "%s/axis", ir_stem(made->stem, "layer"));
    setting_add(made, "batch_dims", "0");
    made->input_count = 3;
    if (stem == NULL)
        return opshift_no_memory(error);
    return status ? status : openvino_ints(made->openvino, stem, &axis, SIZE_MAX, &made->links[2], error);
}

static enum opshift_status make_shape(struct node_layer *made, struct opshift_error *error)
{
    if (draft_attribute_find(made->draft, "start") || draft_attribute_find(made->draft, "end"))
        return opshift_fail(error, OPSHIFT_NO,
                            "it takes a part of the shape, which OpenVINO's ShapeOf does not; convert "
                            "the model to opset 13 first");
    setting_add(made, "output_type", "i64");
    return OPSHIFT_OK;
}

/* OpenVINO rounds quotients of integers down, unless it is told to truncate them. */
static enum opshift_status make_divide(struct node_layer *made, struct opshift_error *error)
{
    struct value_type type;
    enum opshift_status status = input_type(made, 0, &type, error);
    if (status)
        return status;
    const struct number_type *number = number_type(type.type);
    setting_add(made, "auto_broadcast", "numpy");
    setting_add(made, "m_pythondiv", number && number->kind == NUMBER_REAL ? "true" : "false");
    return OPSHIFT_OK;
}

static enum opshift_status make_mod(struct node_layer *made, struct opshift_error *error)
{
    int64_t fmod;
    enum opshift_status status = int_or(made, "fmod", 0, &fmod, error);
    setting_add(made, "auto_broadcast", "numpy");
    made->type = fmod ? "Mod" : "FloorMod";
    return status;
}

static enum opshift_status make_matmul(struct node_layer *made, struct opshift_error *error)
{
    setting_add(made, "transpose_a", "false");
    setting_add(made, "transpose_b", "false");
    return OPSHIFT_OK;
}

static enum opshift_status (*const forms[FORM_COUNT])(struct node_layer *made, struct opshift_error *error) = {
    [FORM_PLAIN] = make_plain,     [FORM_CONCAT] = make_concat,   [FORM_AXES] = make_axes,
    [FORM_REDUCE] = make_reduce,   [FORM_RESHAPE] = make_reshape, [FORM_TRANSPOSE] = make_transpose,
    [FORM_CONVERT] = make_convert, [FORM_SOFTMAX] = make_softmax, [FORM_GATHER] = make_gather,
    [FORM_SHAPE] = make_shape,     [FORM_DIVIDE] = make_divide,   [FORM_MOD] = make_mod,
    [FORM_MATMUL] = make_matmul,
};

/* ---- nodes ---- */

/* Where the name of a value, and so of its port, is that of an output of the node. */
static enum opshift_status output_name(struct openvino *openvino, name_id name, struct ir_link link,
                                       struct opshift_error *error)
{
    openvino->values[name] = link;
    if (openvino_name(openvino, name) == NULL)
        return OPSHIFT_OK;
    return openvino_port_name(openvino, name, &openvino->net.layers[link.layer].outputs[link.port], error);
}

/* Does the form write its second input anew, as a constant list? */
static bool input_is_list(const struct node_layer *made)
{
    return made->row && (made->row->form == FORM_AXES || made->row->form == FORM_REDUCE);
}

static enum opshift_status links_find(struct node_layer *made, struct opshift_error *error)
{
    const struct draft *draft = made->draft;
    enum opshift_status status = OPSHIFT_OK;
    made->links = arena_alloc(made->arena, draft->input_count + 3u, sizeof(*made->links));
    if (made->links == NULL)
        return opshift_no_memory(error);
    made->input_count = draft->input_count;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->input_count; i++)
        if (draft->inputs[i].name != NAME_NONE && (i == 0 || !input_is_list(made)))
            status = openvino_value(made->openvino, draft->inputs[i].name, &made->links[i], error);
    return status;
}

static enum opshift_status layer_finish(struct node_layer *made, struct opshift_error *error)
{
    struct openvino *openvino = made->openvino;
    name_id output = made->draft->outputs[0];
    struct ir_port port = {0};
    struct ir_layer *layer;
    enum opshift_status status = openvino_port_type(openvino, made->draft->graph, output, &port, error);
    if (status == OPSHIFT_OK)
        status = openvino_layer(openvino, made->stem, made->type, made->version, made->links, made->input_count, 1,
                                &layer, error);
    if (status)
        return status;
    layer->outputs[0] = port;
    status = openvino_settings(openvino, layer, made->settings, made->setting_count, error);
    return status ? status : output_name(openvino, output, (struct ir_link){openvino->net.count - 1, 0}, error);
}

/* The inputs and outputs that the operator has in this form. */
static enum opshift_status count_check(const struct node_layer *made, struct opshift_error *error)
{
    const struct draft *draft = made->draft;
    uint32_t wanted = made->row->inputs;
    if (draft->opset < made->row->since)
        return opshift_fail(error, OPSHIFT_NO,
                            "%s has another form below opset %" PRId64 "; convert the model to opset 13 first",
                            made->row->onnx, made->row->since);
    bool reduce = made->row->form == FORM_REDUCE;
    if (draft->output_count != 1 || (wanted && draft->input_count != wanted && !(reduce && draft->input_count == 2)))
        return opshift_fail(error, OPSHIFT_NO,
                            "%s with %u inputs and %u outputs; opshift writes it into an IR with %u and 1",
                            made->row->onnx, draft->input_count, draft->output_count, wanted ? wanted : 1);
    return OPSHIFT_OK;
}

/* A Constant's value as the model's own reading gives it. */
static enum opshift_status constant_export(struct node_layer *made, struct opshift_error *error)
{
    const struct draft *draft = made->draft;
    const struct tensor *tensor;
    const char *why = "";
    struct ir_link link;
    enum opshift_status status = draft_constant(draft, draft->outputs[0], &tensor, &why, error);
    if (status == OPSHIFT_OK && tensor == NULL)
        status = opshift_fail(error, OPSHIFT_NO, "its value cannot be read: it is %s", why ? why : "unknown");
    if (status == OPSHIFT_OK)
        status = openvino_tensor(made->openvino, made->stem, tensor, &link, error);
    return status ? status : output_name(made->openvino, draft->outputs[0], link, error);
}

static enum opshift_status identity_export(struct node_layer *made, struct opshift_error *error)
{
    enum opshift_status status = links_find(made, error);
    return status ? status : output_name(made->openvino, made->draft->outputs[0], made->links[0], error);
}

static enum opshift_status split_export(struct openvino *openvino, struct node *node, const char *stem,
                                        struct arena *arena, struct opshift_error *error)
{
    struct graph *graph = openvino->exporting->model->main;
    struct node_cut cut;
    struct ir_link data, lengths = {0, 0};
    uint32_t layer;
    enum opshift_status status = node_cut_read(&openvino->exporting->around, graph, node, arena, &cut, error);
    if (status)
        return status;
    status = openvino_value(openvino, cut.data, &data, error);
    if (status == OPSHIFT_OK && cut.kind == NODE_CUT_COMPUTED)
        status = openvino_value(openvino, cut.computed, &lengths, error);
    if (status == OPSHIFT_OK)
        status = openvino_split(openvino, graph, &cut, stem, data, lengths, &layer, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < cut.split.output_count; i++)
        if (cut.outputs[i] != NAME_NONE)
            openvino->values[cut.outputs[i]] = (struct ir_link){layer, i};
    return status ? opshift_within(error, status, "%s", cut.place) : OPSHIFT_OK;
}

/* The name of the node, or of its first output. */
static const char *stem_of(struct openvino *openvino, const struct node *node)
{
    name_id name = node_name(openvino->exporting->model, node);
    const char *stem = name == NAME_NONE || name == NAME_NO_MEMORY ? NULL : openvino_name(openvino, name);
    for (uint32_t i = 0; stem == NULL && i < node->output_count; i++)
        if (node_outputs(node)[i] != NAME_NONE)
            stem = openvino_name(openvino, node_outputs(node)[i]);
    return stem ? stem : "";
}

static enum opshift_status operator_export(struct node_layer *made, struct opshift_error *error)
{
    const char *op_type = made->draft->op_type;
    if (strcmp(op_type, "Identity") == 0 && made->draft->input_count == 1 && made->draft->output_count == 1)
        return identity_export(made, error);
    made->row = openvino_operator_of_onnx(op_type);
    if (made->row == NULL)
        return opshift_fail(
            error, OPSHIFT_NO,
            "opshift has no counterpart of %s in OpenVINO's IR; OpenVINO itself can read the ONNX model", op_type);
    enum opshift_status status = count_check(made, error);
    if (status == OPSHIFT_OK && made->row->form == FORM_CONST)
        return constant_export(made, error);
    if (status == OPSHIFT_OK)
        status = links_find(made, error);
    made->type = made->row->type;
    made->version = made->row->version;
    if (status == OPSHIFT_OK)
        status = forms[made->row->form](made, error);
    return status ? status : layer_finish(made, error);
}

static enum opshift_status node_export(struct openvino *openvino, struct node *node, const char *stem,
                                       struct arena *arena, struct opshift_error *error)
{
    struct exporting *exporting = openvino->exporting;
    struct graph *graph = exporting->model->main;
    struct node_layer made = {.openvino = openvino, .stem = stem, .arena = arena};
    if (scope_callee(exporting->around.scopes, node))
        return opshift_fail(error, OPSHIFT_NO, "it calls a function of the model; inline the function first");
    if (node_domain(node) != NAME_NONE)
        return opshift_fail(error, OPSHIFT_NO,
                            "its domain '%s' is not ONNX's own, and OpenVINO's IR has no such "
                            "operator",
                            names_text(exporting->model->names, node_domain(node)));
    enum opshift_status status =
        draft_new(exporting->model, graph, node, arena, &exporting->around, &made.draft, error);
    if (status)
        return status;
    made.draft->opset = made.draft->target = graph_opset(exporting->model, graph, NAME_NONE);
    return operator_export(&made, error);
}

enum opshift_status openvino_node(struct openvino *openvino, struct node *node, struct arena *arena,
                                  struct opshift_error *error)
{
    struct opshift_model *model = openvino->exporting->model;
    const char *stem = stem_of(openvino, node);
    if (node_is(model, node, "Split"))
        return split_export(openvino, node, stem, arena, error);
    enum opshift_status status = node_export(openvino, node, stem, arena, error);
    return status ? opshift_within(error, status, "%s", node_place(model, model->main, node)) : OPSHIFT_OK;
}
