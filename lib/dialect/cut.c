/* Describes what a Split node does: axis, parts, lengths. */
#include "dialect/cut.h"

#include <inttypes.h>

#include "check/split_view.h"

/* Of a node with more, the lengths are not written out. */
#define PARTS_MAX (INT64_C(1) << 20)

bool node_is_split(const struct opshift_model *model, const struct node *node)
{
    return node_domain(node) == NAME_NONE && names_is(model->names, node->op_type, "Split", strlen("Split"));
}

int64_t node_cut_length(const struct node_cut *cut, uint32_t output)
{
    return cut->lengths && output < cut->parts ? cut->lengths[output] : -1;
}

/* Parts of ceil(dim / parts), and what is left for the last one. */
static enum opshift_status lengths_of_chunks(struct node_cut *cut, struct arena *arena, struct opshift_error *error)
{
    int64_t *lengths = arena_alloc(arena, (size_t)cut->parts, sizeof(*lengths));
    if (lengths == NULL)
        return opshift_no_memory(error);
    for (int64_t i = 0; i < cut->parts; i++)
        lengths[i] = i + 1 == cut->parts ? split_last(cut->dim, cut->parts) : split_chunk(cut->dim, cut->parts);
    cut->lengths = lengths;
    return OPSHIFT_OK;
}

/* check_split has ruled out lengths below 0, another sum than the dim, and overflow. */
static int64_t lengths_sum(const int64_t *lengths, int64_t count)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += lengths[i];
    return sum;
}

/* The dims of the data, where the lengths tell the one that is split. */
static enum opshift_status read_dims(struct node_cut *cut, const struct value_type *type, struct arena *arena,
                                     struct opshift_error *error)
{
    cut->type = type->type;
    cut->rank = type->rank;
    cut->params = type->params;
    if (type->rank <= 0)
        return OPSHIFT_OK;
    int64_t *dims = arena_copy(arena, type->dims, (size_t)type->rank * sizeof(*dims));
    if (dims == NULL)
        return opshift_no_memory(error);
    cut->front = cut->axis < 0 ? cut->axis + type->rank : cut->axis;
    if (dims[cut->front] < 0)
        dims[cut->front] = cut->dim;
    cut->dims = dims;
    return OPSHIFT_OK;
}

static enum opshift_status read_parts(const struct split_view *view, struct node_cut *cut, struct arena *arena,
                                      struct opshift_error *error)
{
    cut->parts = cut->output_count;
    switch (view->form) {
    case SPLIT_ATTRIBUTE:
    case SPLIT_INPUT:
        cut->kind = view->lengths ? NODE_CUT_LENGTHS : NODE_CUT_COMPUTED;
        cut->lengths = view->lengths;
        cut->computed = view->form == SPLIT_INPUT ? view->draft->inputs[1].name : NAME_NONE;
        if (view->lengths == NULL && view->form == SPLIT_ATTRIBUTE)
            return opshift_fail(error, OPSHIFT_NO,
                                "its lengths are an attribute of the function, which each call gives; inline the "
                                "function");
        if (view->lengths)
            cut->dim = lengths_sum(view->lengths, cut->parts);
        return OPSHIFT_OK;
    case SPLIT_COUNTED:
        if (!view->parts_known)
            return opshift_fail(error, OPSHIFT_NO,
                                "its num_outputs is an attribute of the function, which each call gives; inline the "
                                "function");
        if (view->parts > PARTS_MAX)
            return opshift_fail(error, OPSHIFT_NO,
                                "num_outputs is %" PRId64 "; more than %" PRId64 " parts are not written out",
                                view->parts, PARTS_MAX);
        cut->parts = view->parts;
        cut->kind = cut->dim < 0 ? NODE_CUT_CHUNKS : cut->dim % cut->parts ? NODE_CUT_LENGTHS : NODE_CUT_EQUAL;
        break;
    case SPLIT_EQUAL:
        cut->kind = NODE_CUT_EQUAL;
        break;
    }
    return cut->dim < 0 ? OPSHIFT_OK : lengths_of_chunks(cut, arena, error);
}

static enum opshift_status cut_read(const struct draft *draft, struct node_cut *cut, struct opshift_error *error)
{
    struct split_view *view;
    struct value_type type;
    const struct schema *schema = schema_find("", "Split", draft->opset);
    enum opshift_status status = check_split(draft, schema, error);
    if (status)
        return status;
    status = split_view_read(draft, schema, &view, error);
    if (status == OPSHIFT_OK && !view->cut.axis_known)
        status = opshift_fail(error, OPSHIFT_NO,
                              "its axis is an attribute of the function, which calls give differently; inline the "
                              "function");
    if (status == OPSHIFT_OK)
        status = draft_type(draft, draft->inputs[0].name, &type, error);
    if (status)
        return status;
    cut->opset = draft->opset;
    cut->data = draft->inputs[0].name;
    cut->axis = view->cut.axis;
    cut->dim = view->cut.dim;
    status = read_parts(view, cut, draft->arena, error);
    return status ? status : read_dims(cut, &type, draft->arena, error);
}

enum opshift_status node_cut_read(struct surroundings *around, struct graph *graph, struct node *node,
                                  struct arena *arena, struct node_cut *cut, struct opshift_error *error)
{
    struct draft *draft;
    *cut = (struct node_cut){.node = node,
                             .place = node_place_find(around->model, graph, node),
                             .rank = -1,
                             .front = -1,
                             .dim = -1,
                             .outputs = node_outputs(node),
                             .output_count = node->output_count};
    if (cut->place == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = draft_new(around->model, graph, node, arena, around, &draft, error);
    if (status == OPSHIFT_OK) {
        draft->opset = draft->target = graph_opset(around->model, graph, NAME_NONE);
        status = cut_read(draft, cut, error);
    }
    return status ? opshift_within(error, status, "%s", cut->place) : OPSHIFT_OK;
}
