/* Split as OpenVINO's Split-1, where the parts are equal, or VariadicSplit-1. */
#include "dialect/openvino.h"

#include <inttypes.h>
#include <stdio.h>

/* Equal lengths above 0, as many as the list has. */
static bool lengths_are_equal(const struct node_cut *cut)
{
    for (int64_t i = 0; cut->lengths && i < cut->parts; i++)
        if (cut->lengths[i] != cut->lengths[0])
            return false;
    return cut->lengths && cut->lengths[0] > 0;
}

/* Does the dim follow from more than a list of lengths, which Split-1 would forget? */
static enum opshift_status dim_is_known(struct openvino *openvino, struct graph *graph, const struct node_cut *cut,
                                        bool *known, struct opshift_error *error)
{
    struct value_type type;
    enum opshift_status status = types_find(openvino->exporting->around.types, graph, cut->data, &type, error);
    *known = status == OPSHIFT_OK && cut->split.front >= 0 && type.rank > cut->split.front &&
             type.dims[cut->split.front] >= 0;
    return status;
}

/* Is it Split-1? It refuses a dim that does not divide, as Split below opset 18 does, and a dim of 0. */
static enum opshift_status judge_equal(struct openvino *openvino, struct graph *graph, const struct node_cut *cut,
                                       bool *equal, struct opshift_error *error)
{
    bool known;
    enum opshift_status status = dim_is_known(openvino, graph, cut, &known, error);
    if (status)
        return status;
    *equal = false;
    switch (cut->kind) {
    case NODE_CUT_EQUAL:
        *equal = cut->split.dim != 0;
        return OPSHIFT_OK;
    case NODE_CUT_LENGTHS:
        *equal = known && lengths_are_equal(cut);
        return OPSHIFT_OK;
    case NODE_CUT_COMPUTED:
        return OPSHIFT_OK;
    case NODE_CUT_CHUNKS:
        *equal = true;
        if (cut->parts == 1 || openvino->exporting->options->assume_even)
            return OPSHIFT_OK;
        return opshift_fail(error, OPSHIFT_NO,
                            "num_outputs = %" PRId64
                            " splits a dim of unknown size, and OpenVINO's Split takes only one "
                            "that it divides; give the size with --shape %s=... or --dim, or take --assume-even",
                            cut->parts, names_text(openvino->exporting->model->names, cut->data));
    }
    return OPSHIFT_OK;
}

/* The ports: one for each part, also where the model has no name for it. */
static enum opshift_status fill_outputs(struct openvino *openvino, const struct node_cut *cut, uint32_t index,
                                        struct opshift_error *error)
{
    struct arena *arena = openvino->net.arena;
    for (uint32_t i = 0; i < cut->parts; i++) {
        struct ir_port *port = &openvino->net.layers[index].outputs[i];
        int64_t length = node_cut_length(cut, i);
        port->type = cut->split.type;
        port->rank = cut->split.rank < 0 ? 0 : cut->split.rank;
        int64_t *dims = port->rank ? arena_copy(arena, cut->dims, (size_t)cut->split.rank * sizeof(*dims)) : NULL;
        if (port->rank && dims == NULL)
            return opshift_no_memory(error);
        if (dims)
            dims[cut->split.front] = length;
        port->dims = dims;
        if (i >= cut->split.output_count || cut->outputs[i] == NAME_NONE)
            continue;
        enum opshift_status status = openvino_name(openvino, cut->outputs[i])
                                         ? openvino_port_name(openvino, cut->outputs[i], port, error)
                                         : OPSHIFT_OK;
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

/* What became of the node, for the report. */
static enum opshift_status tell(struct openvino *openvino, const struct node_cut *cut, bool equal, struct arena *arena,
                                struct opshift_error *error)
{
    const char *became, *note = NULL;
    if (equal)
        became = arena_print(arena, "Split-1, num_splits %" PRId64 ", axis %" PRId64, cut->parts, cut->split.axis);
    else if (cut->kind == NODE_CUT_COMPUTED)
        became = arena_print(arena, "VariadicSplit-1, lengths '%s', axis %" PRId64,
                             names_text(openvino->exporting->model->names, cut->computed), cut->split.axis);
    else
        became = arena_print(arena, "VariadicSplit-1, %" PRId64 " lengths, axis %" PRId64, cut->parts, cut->split.axis);
    if (cut->kind == NODE_CUT_CHUNKS && cut->parts > 1)
        note = "assumed: num_outputs divides the dim";
    for (int64_t i = 0; !equal && cut->lengths && i < cut->parts; i++)
        if (cut->lengths[i] == 0)
            note = "some outputs are empty, which not every device takes";
    if (became == NULL)
        return opshift_no_memory(error);
    exporting_node(openvino->exporting, cut->place, became, note);
    return OPSHIFT_OK;
}

enum opshift_status openvino_split(struct openvino *openvino, struct graph *graph, const struct node_cut *cut,
                                   const char *stem, struct ir_link data, struct ir_link lengths, uint32_t *index,
                                   struct opshift_error *error)
{
    struct arena *arena = openvino->net.arena;
    struct ir_layer *layer;
    struct ir_link links[3] = {data, {0, 0}, lengths};
    const char *axis_stem = arena_print(arena, "%s/axis", ir_stem(stem, "layer")),
               *lengths_stem = arena_print(arena, "%s/lengths", ir_stem(stem, "layer"));
    bool equal;
    if (axis_stem == NULL || lengths_stem == NULL)
        return opshift_no_memory(error);
    if (cut->split.type == OPSHIFT_TYPE_UNDEFINED || ir_precision(cut->split.type) == NULL) {
        struct ir_port port = {0};
        return openvino_port_type(openvino, graph, cut->data, &port, error);
    }
    enum opshift_status status = judge_equal(openvino, graph, cut, &equal, error);
    if (status == OPSHIFT_OK && cut->kind == NODE_CUT_COMPUTED &&
        openvino->net.layers[lengths.layer].outputs[lengths.port].type != OPSHIFT_TYPE_INT64)
        return opshift_fail(error, OPSHIFT_NO,
                            "the lengths '%s' are computed and not int64, which only opset 1 has; convert the model to "
                            "opset 13 first",
                            names_text(openvino->exporting->model->names, cut->computed));
    if (status == OPSHIFT_OK)
        status = openvino_ints(openvino, axis_stem, &cut->split.axis, SIZE_MAX, &links[1], error);
    if (status == OPSHIFT_OK && !equal && cut->lengths)
        status = openvino_ints(openvino, lengths_stem, cut->lengths, (size_t)cut->parts, &links[2], error);
    if (status == OPSHIFT_OK)
        status = openvino_layer(openvino, stem, equal ? "Split" : "VariadicSplit", "opset1", links, equal ? 2 : 3,
                                (uint32_t)cut->parts, &layer, error);
    if (status)
        return status;
    *index = openvino->net.count - 1;
    if (equal) {
        char count[24];
        snprintf(count, sizeof(count), "%" PRId64, cut->parts);
        status = openvino_settings(openvino, layer, &(struct ir_setting){"num_splits", count}, 1, error);
    }
    if (status == OPSHIFT_OK)
        status = fill_outputs(openvino, cut, *index, error);
    return status ? status : tell(openvino, cut, equal, arena, error);
}
