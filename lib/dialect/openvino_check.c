/* Checks Split and VariadicSplit layers. The descriptions of the checks are in lib/check/openvino.c. */
#include <inttypes.h>
#include <stdarg.h>

#include "base/shown.h"
#include "dialect/openvino_net.h"
#include "model/number.h"

/* A layer while it is checked. */
struct layer_check {
    struct openvino_net *net;
    const struct ir_layer *layer;
    struct openvino_cut cut;
    openvino_found *found;
    void *data;
    struct opshift_error *error;
};

static enum opshift_status found_add(const struct layer_check *check, const char *id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static enum opshift_status found_add(const struct layer_check *check, const char *id, const char *format, ...)
{
    char words[OPSHIFT_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    shown_print(words, sizeof(words), format, arguments);
    va_end(arguments);
    return check->found(check->data, id, check->layer, words, check->error);
}

static bool type_is_integer(enum opshift_type type)
{
    const struct number_type *number = number_type(type);
    return number && number->kind != NUMBER_REAL && type != OPSHIFT_TYPE_BOOL;
}

/* ---- the axis ---- */

static enum opshift_status check_axis(const struct layer_check *check)
{
    const struct ir_value *axis = openvino_input(check->net, check->layer, 1),
                          *data = openvino_input(check->net, check->layer, 0);
    const struct openvino_cut *cut = &check->cut;
    bool one = cut->variadic && axis->rank == 1 && (axis->dims[0] == 1 || axis->dims[0] < 0);
    enum opshift_status status = OPSHIFT_OK;
    if (axis->type && !type_is_integer(axis->type))
        return found_add(check, "OVN006", "the axis is %s and must be an integer; make it i64", ir_element(axis->type));
    if (axis->rank > 0 && !one)
        return found_add(check, "OVN005", "the axis has rank %d and must be a scalar; give its Const shape=\"\"",
                         axis->rank);
    if (!ir_layer_is(openvino_source(check->net, check->layer, 1), "Const"))
        return found_add(check, "OVN007", "the axis is computed, and ONNX has it as an attribute; make it a Const");
    if (!cut->axis_known)
        return status;
    if (data->rank == 0)
        return found_add(check, "OVN004", "the input is a scalar, which has no axis to split");
    if (data->rank > 0 && cut->front < 0)
        return found_add(check, "OVN004",
                         "axis %" PRId64 " is outside [-%d, %d], the axes of a tensor of rank %d; use the intended one",
                         cut->axis, data->rank, data->rank - 1, data->rank);
    return status;
}

/* ---- Split ---- */

static enum opshift_status check_equal(const struct layer_check *check)
{
    const struct openvino_cut *cut = &check->cut;
    const char *count = ir_setting_find(check->layer, "num_splits");
    if (cut->parts < 1)
        return found_add(check, "OVN002", "num_splits is %.40s and must be a number above 0; use the number of outputs",
                         count ? count : "missing");
    if (cut->dim >= 0 && cut->dim % cut->parts != 0)
        return found_add(check, "OVN003",
                         "num_splits %" PRId64 " does not divide the dim %" PRId64 "; use VariadicSplit with lengths",
                         cut->parts, cut->dim);
    if (cut->dim == 0)
        return found_add(check, "OVN008",
                         "num_splits %" PRId64 " is more than the dim, 0; the specification has at most the dim",
                         cut->parts);
    return OPSHIFT_OK;
}

/* ---- VariadicSplit ---- */

static enum opshift_status check_rest(const struct layer_check *check)
{
    const struct openvino_cut *cut = &check->cut;
    int64_t sum = 0;
    for (int64_t i = 0; i < cut->parts; i++) {
        if (cut->lengths[i] < -1)
            return found_add(check, "OVN013",
                             "length %" PRId64 " is %" PRId64 "; lengths are 0 or more, and one may be "
                             "-1 for the rest",
                             i, cut->lengths[i]);
        if (cut->lengths[i] == -1 && (size_t)i != cut->rest)
            return found_add(check, "OVN012", "the lengths %zu and %" PRId64 " are -1, and only one may be the rest",
                             cut->rest, i);
        if (cut->lengths[i] > 0 && __builtin_add_overflow(sum, cut->lengths[i], &sum))
            return found_add(check, "OVN014", "the lengths sum to more than 2^63 - 1; no dim is that long");
    }
    if (cut->dim >= 0 && cut->rest != SIZE_MAX && sum > cut->dim)
        return found_add(check, "OVN011",
                         "the rest, -1, would be %" PRId64 " long: the dim is %" PRId64
                         " and the other lengths sum to %" PRId64,
                         cut->dim - sum, cut->dim, sum);
    if (cut->dim >= 0 && cut->rest == SIZE_MAX && sum != cut->dim)
        return found_add(check, "OVN014", "the lengths sum to %" PRId64 ", and the dim is %" PRId64, sum, cut->dim);
    return OPSHIFT_OK;
}

static enum opshift_status check_lengths(const struct layer_check *check)
{
    const struct ir_value *lengths = openvino_input(check->net, check->layer, 2);
    if (lengths->type && !type_is_integer(lengths->type))
        return found_add(check, "OVN016", "the lengths are %s and must be integers; make them i64",
                         ir_element(lengths->type));
    if (lengths->rank >= 0 && lengths->rank != 1)
        return found_add(check, "OVN015", "the lengths have rank %d and must be a list (rank 1)", lengths->rank);
    return check->cut.lengths ? check_rest(check) : OPSHIFT_OK;
}

/* ---- ports ---- */

static enum opshift_status check_port_shape(const struct layer_check *check, uint32_t output)
{
    const struct ir_value *data = openvino_input(check->net, check->layer, 0);
    const struct ir_port *port = &check->layer->outputs[output];
    const struct openvino_cut *cut = &check->cut;
    if (data->rank < 0 || cut->front < 0)
        return OPSHIFT_OK;
    if (port->rank != data->rank)
        return found_add(check, "OVN010",
                         "output port %" PRId64 " has %d dims, and the input has %d; OpenVINO ignores "
                         "what the port has",
                         port->id, port->rank, data->rank);
    for (int32_t i = 0; i < data->rank; i++) {
        int64_t dim = i == cut->front ? openvino_cut_length(cut, output) : data->dims[i];
        if (dim >= 0 && port->dims[i] >= 0 && port->dims[i] != dim)
            return found_add(check, "OVN010",
                             "output port %" PRId64 " has %" PRId64 " at axis %d, and the part is %" PRId64
                             " long; OpenVINO ignores what the port has",
                             port->id, port->dims[i], i, dim);
    }
    return OPSHIFT_OK;
}

static enum opshift_status check_ports(const struct layer_check *check)
{
    const struct openvino_cut *cut = &check->cut;
    enum opshift_status status = OPSHIFT_OK;
    if (cut->parts >= 1 && cut->parts != (int64_t)check->layer->output_count)
        return found_add(check, "OVN009",
                         "there are %u output ports and %" PRId64 " parts; OpenVINO ignores the ports "
                         "and makes the parts",
                         check->layer->output_count, cut->parts);
    for (uint32_t i = 0; status == OPSHIFT_OK && cut->parts >= 1 && i < check->layer->output_count; i++)
        status = check_port_shape(check, i);
    return status;
}

/* ---- all ---- */

static enum opshift_status check_layer(struct layer_check *check)
{
    uint32_t wanted = ir_layer_is(check->layer, "Split") ? 2 : 3;
    if (check->layer->input_count != wanted)
        return found_add(check, "OVN017", "it has %u inputs and takes %u", check->layer->input_count, wanted);
    enum opshift_status status = openvino_cut_read(check->net, check->layer, &check->cut, check->error);
    if (status == OPSHIFT_OK)
        status = check_axis(check);
    if (status == OPSHIFT_OK)
        status = check->cut.variadic ? check_lengths(check) : check_equal(check);
    return status ? status : check_ports(check);
}

enum opshift_status openvino_check(struct openvino_net *net, openvino_found *found, void *data,
                                   struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < net->net.count; i++) {
        struct layer_check check = {
            .net = net, .layer = &net->net.layers[i], .found = found, .data = data, .error = error};
        if (openvino_is_split(check.layer))
            status = check_layer(&check);
    }
    return status;
}
