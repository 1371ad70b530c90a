/* SPL: fixes a Split where one correct form exists, with the same result. */
#include "check/split_fix.h"

#include "check/fix.h"
#include "check/split_view.h"
#include "model/fields.h"
#include "wire/wire.h"

/* Maximum number of unused outputs that a fix adds. */
#define OUTPUTS_MAX 1024

/* The current node. NULL: it is malformed. */
static enum opshift_status view_open(struct checking *checking, const struct finding *finding, struct split_view **view,
                                     struct opshift_error *error)
{
    struct draft *draft;
    int64_t opset = graph_opset(checking->model, finding->graph, NAME_NONE);
    const struct schema *schema = schema_find("", "Split", opset);
    enum opshift_status status =
        checking_draft(checking, finding->graph, finding->node, checking->scratch, &draft, error);
    *view = NULL;
    if (status || draft == NULL || schema == NULL)
        return status;
    schema_type_references(schema, draft);
    draft->opset = draft->target = opset;
    return split_view_read(draft, schema, view, error);
}

/* ---- attributes ---- */

/* Sets the value of an attribute and keeps its other fields, or adds a new attribute after the others. */
static enum opshift_status attribute_set_int(struct checking *checking, const struct finding *finding,
                                             const struct draft *draft, const char *name, int64_t value,
                                             struct opshift_error *error)
{
    struct draft_attribute *old = draft_attribute_find(draft, name);
    Onnx__AttributeProto *message =
        old ? old->message : attribute_new(draft->arena, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    struct buffer record = {0};
    if (message == NULL)
        return opshift_no_memory(error);
    message->has_i = 1;
    message->i = value;
    wire_add_message(&record, NODE_ATTRIBUTE, &message->base);
    if (old)
        return fix_node(checking, finding, old->range, &record, error);
    return fix_node_field(checking, finding, NODE_ATTRIBUTE, UINT32_MAX, &record, error);
}

static enum opshift_status attribute_remove(struct checking *checking, const struct finding *finding,
                                            const struct draft *draft, const char *name, struct opshift_error *error)
{
    const struct draft_attribute *old = draft_attribute_find(draft, name);
    return old ? fix_node(checking, finding, old->range, NULL, error) : OPSHIFT_OK;
}

static bool has_value(const struct draft *draft, const char *name)
{
    const struct draft_attribute *attribute = draft_attribute_find(draft, name);
    return attribute && !attribute->message->has_ref_attr_name;
}

/* ---- the fixes ---- */

enum opshift_status split_fix_axis(struct checking *checking, const struct finding *finding,
                                   struct opshift_error *error)
{
    struct split_view *view;
    enum opshift_status status = view_open(checking, finding, &view, error);
    if (status || view == NULL)
        return status;
    const struct split_cut *cut = &view->cut;
    if (draft_attribute_find(view->draft, "axis") == NULL)
        return attribute_set_int(checking, finding, view->draft, "axis", 0, error);
    /* In a function, the rank is known only for its current calls. */
    if (finding->graph->function || !has_value(view->draft, "axis") || cut->axis >= 0 || cut->front < 0)
        return OPSHIFT_OK;
    return attribute_set_int(checking, finding, view->draft, "axis", cut->front, error);
}

enum opshift_status split_fix_lengths(struct checking *checking, const struct finding *finding,
                                      struct opshift_error *error)
{
    struct split_view *view;
    const int64_t *lengths;
    enum opshift_status status = view_open(checking, finding, &view, error);
    /* In a function, the dim is known only for its current calls. */
    if (status || view == NULL || finding->graph->function || view->draft->input_count > 2 ||
        view->cut.form != SPLIT_COUNTED || view->cut.parts != (int64_t)view->draft->output_count ||
        !has_value(view->draft, "num_outputs"))
        return status;
    status = split_lengths(&view->cut, view->draft->arena, &lengths, error);
    if (status || lengths == NULL)
        return status;
    return fix_ints_to_input(checking, finding, draft_attribute_find(view->draft, "num_outputs")->range, lengths,
                             view->draft->output_count, 1, "split", error);
}

enum opshift_status split_fix_num_outputs(struct checking *checking, const struct finding *finding,
                                          struct opshift_error *error)
{
    struct split_view *view;
    enum opshift_status status = view_open(checking, finding, &view, error);
    if (status || view == NULL || view->cut.uncounted || view->cut.counted)
        return status;
    /* Below opset 18, equal parts were meant: num_outputs gives them only if the dim is divisible. */
    uint32_t count = view->draft->output_count;
    if (count == 0 || (view->cut.dim >= 0 && view->cut.dim % count != 0))
        return OPSHIFT_OK;
    return attribute_set_int(checking, finding, view->draft, "num_outputs", count, error);
}

static enum opshift_status output_name(struct checking *checking, const struct finding *finding, uint32_t position,
                                       struct opshift_error *error)
{
    name_id name = fix_fresh(checking, finding->node, "unread");
    if (name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    struct bytes text = names_bytes(checking->model->names, name);
    struct buffer output = {0};
    wire_add_bytes(&output, NODE_OUTPUT, text.data, text.size);
    return fix_node_field(checking, finding, NODE_OUTPUT, position, &output, error);
}

enum opshift_status split_fix_outputs(struct checking *checking, const struct finding *finding,
                                      struct opshift_error *error)
{
    struct split_view *view;
    enum opshift_status status = view_open(checking, finding, &view, error);
    if (status || view == NULL)
        return status;
    uint32_t there = finding->node->output_count, wanted = there;
    if (view->cut.counted && view->cut.parts_known && view->cut.parts > (int64_t)there &&
        view->cut.parts <= OUTPUTS_MAX)
        wanted = (uint32_t)view->cut.parts;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < wanted; i++)
        if (i >= there || node_outputs(finding->node)[i] == NAME_NONE)
            status = output_name(checking, finding, i, error);
    return status;
}

enum opshift_status split_fix_empty_input(struct checking *checking, const struct finding *finding,
                                          struct opshift_error *error)
{
    if (finding->node->input_count != 2 || node_inputs(finding->node)[1] != NAME_NONE)
        return OPSHIFT_OK;
    return fix_node_field(checking, finding, NODE_INPUT, 1, NULL, error);
}

enum opshift_status split_fix_attribute(struct checking *checking, const struct finding *finding,
                                        struct opshift_error *error)
{
    struct split_view *view;
    enum opshift_status status = view_open(checking, finding, &view, error);
    if (status || view == NULL || view->cut.form != SPLIT_INPUT || view->cut.lengths == NULL ||
        view->cut.length_count < 1 || view->draft->input_count != 2 || draft_attribute_find(view->draft, "split"))
        return status;
    Onnx__AttributeProto *message =
        attribute_new(view->draft->arena, "split", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    if (message == NULL)
        return opshift_no_memory(error);
    message->n_ints = (size_t)view->cut.length_count;
    message->ints = (int64_t *)(uintptr_t)view->cut.lengths;
    struct buffer record = {0};
    wire_add_message(&record, NODE_ATTRIBUTE, &message->base);
    status = fix_node_field(checking, finding, NODE_ATTRIBUTE, UINT32_MAX, &record, error);
    return status ? status : fix_node_field(checking, finding, NODE_INPUT, 1, NULL, error);
}

/* Does it always return its whole input? */
static bool is_identity(const struct split_view *view)
{
    const struct draft *draft = view->draft;
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        struct bytes name = {draft->attributes[i].message->name.data, draft->attributes[i].message->name.len};
        bool ours = bytes_are(name, "axis") || bytes_are(name, "split") || bytes_are(name, "num_outputs");
        if (!ours)
            return false;
    }
    if (draft->output_count != 1 || draft->outputs[0] == NAME_NONE || view->cut.rank == 0)
        return false;
    if (view->cut.form == SPLIT_COUNTED)
        return view->cut.parts_known && view->cut.parts == 1;
    return view->cut.form == SPLIT_EQUAL || (view->cut.lengths && view->cut.length_count == 1 && view->cut.dim >= 0 &&
                                             view->cut.lengths[0] == view->cut.dim);
}

enum opshift_status split_fix_identity(struct checking *checking, const struct finding *finding,
                                       struct opshift_error *error)
{
    static const char *const attributes[] = {"axis", "split", "num_outputs"};
    static const char identity[] = "Identity";
    struct split_view *view;
    struct buffer op_type = {0};
    enum opshift_status status = view_open(checking, finding, &view, error);
    if (status || view == NULL || !is_identity(view))
        return status;
    wire_add_bytes(&op_type, NODE_OP_TYPE, identity, sizeof(identity) - 1);
    status = fix_node_field(checking, finding, NODE_OP_TYPE, 0, &op_type, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(attributes); i++)
        status = attribute_remove(checking, finding, view->draft, attributes[i], error);
    for (uint32_t i = 1; status == OPSHIFT_OK && i < finding->node->input_count; i++)
        status = fix_node_field(checking, finding, NODE_INPUT, i, NULL, error);
    return status;
}
