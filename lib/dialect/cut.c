/* Describes what a Split node does: axis, parts, lengths. */
#include "dialect/cut.h"

#include "check/split_view.h"

int64_t node_cut_length(const struct node_cut *cut, uint32_t output)
{
    return cut->lengths && output < cut->parts ? cut->lengths[output] : -1;
}

/* The dims of the data, where the lengths tell the one that is split. */
static enum opshift_status read_dims(struct node_cut *cut, const struct value_type *type, struct arena *arena,
                                     struct opshift_error *error)
{
    cut->params = type->params;
    if (type->rank <= 0)
        return OPSHIFT_OK;
    int64_t *dims = arena_copy(arena, type->dims, (size_t)type->rank * sizeof(*dims));
    if (dims == NULL)
        return opshift_no_memory(error);
    if (dims[cut->split.front] < 0)
        dims[cut->split.front] = cut->split.dim;
    cut->dims = dims;
    return OPSHIFT_OK;
}

static enum opshift_status refuse_parameter(const char *what, const char *how, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_NO, "its %s an attribute of the function, which %s; inline the function", what,
                        how);
}

/* check_split has ruled out faults. */
static enum opshift_status read_parts(const struct draft *draft, struct node_cut *cut, struct opshift_error *error)
{
    struct split_cut *split = &cut->split;
    cut->parts = split_is_listed(split) ? split->output_count : split->parts;
    if (!split->axis_known)
        return refuse_parameter("axis is", "calls give differently", error);
    if (!split->parts_known)
        return refuse_parameter("num_outputs is", "each call gives", error);
    if (split->form == SPLIT_ATTRIBUTE && split->lengths == NULL)
        return refuse_parameter("lengths are", "each call gives", error);
    if (cut->parts > SPLIT_PARTS_MAX)
        return split_parts_refuse(cut->parts, error);
    if (split_is_listed(split)) {
        cut->kind = split->lengths ? NODE_CUT_LENGTHS : NODE_CUT_COMPUTED;
        cut->computed = split->form == SPLIT_INPUT ? draft->inputs[1].name : NAME_NONE;
        split->dim = split->lengths ? split_sum(split->lengths, split->length_count) : split->dim;
    } else {
        bool even = split->form == SPLIT_EQUAL || (split->dim >= 0 && split->dim % cut->parts == 0);
        cut->kind = even ? NODE_CUT_EQUAL : split->dim < 0 ? NODE_CUT_CHUNKS : NODE_CUT_LENGTHS;
    }
    return split_lengths(split, draft->arena, &cut->lengths, error);
}

static enum opshift_status cut_read(const struct draft *draft, struct node_cut *cut, struct opshift_error *error)
{
    struct value_type type;
    enum opshift_status status = check_split(draft, schema_find("", "Split", draft->opset), error);
    if (status == OPSHIFT_OK)
        status = split_read(draft, &cut->split, error);
    if (status == OPSHIFT_OK)
        status = draft_type(draft, draft->inputs[0].name, &type, error);
    if (status)
        return status;
    cut->data = draft->inputs[0].name;
    status = read_parts(draft, cut, error);
    return status ? status : read_dims(cut, &type, draft->arena, error);
}

enum opshift_status node_cut_read(struct surroundings *around, struct graph *graph, struct node *node,
                                  struct arena *arena, struct node_cut *cut, struct opshift_error *error)
{
    struct draft *draft;
    *cut = (struct node_cut){
        .node = node, .place = node_place_find(around->model, graph, node), .outputs = node_outputs(node)};
    if (cut->place == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = draft_new(around->model, graph, node, arena, around, &draft, error);
    if (status == OPSHIFT_OK) {
        draft->opset = draft->target = graph_opset(around->model, graph, NAME_NONE);
        status = cut_read(draft, cut, error);
    }
    return status ? opshift_within(error, status, "%s", cut->place) : OPSHIFT_OK;
}
