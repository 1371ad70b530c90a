/* Rewrites a SplitToSequence as a Split, and its readers as readers of the Split's outputs. */
#include <inttypes.h>
#include <stdio.h>

#include "convert/validity.h"
#include "convert/sequence_plan.h"
#include "kernel/split_draft.h"

/* ---- the SplitToSequence ---- */

/* The opset at which the Split is first written: on the target's side of 13, where lengths became an input. */
static int64_t first_opset(const struct planner *planner)
{
    int64_t source = planner->plan->source;
    if (planner->plan->target >= 13)
        return source < 13 ? 13 : source;
    return source > 12 ? 12 : source;
}

static void start(const struct planner *planner, struct draft *draft, const char *op_type, int64_t opset)
{
    draft->op_type = op_type;
    draft->opset = opset;
    draft->target = planner->plan->target;
    draft->up = opset < planner->plan->target;
    draft->strict = planner->goal->strict;
    draft->changed = true;
}

static void remove_attribute(struct draft *draft, const char *name)
{
    struct draft_attribute *attribute = draft_attribute_find(draft, name);
    if (attribute)
        draft_attribute_remove(draft, attribute);
}

static enum opshift_status write_lengths(struct draft *draft, const struct sequence_plan *sequence,
                                         struct opshift_error *error)
{
    if (draft->opset >= 13 && sequence->stands)
        return OPSHIFT_OK;
    if (!sequence->cast)
        return split_write_lengths(draft, sequence->lengths->data, sequence->count, error);
    name_id from = draft->inputs[1].name;
    struct draft_input *input = draft_input_set(draft, 1);
    if (input == NULL)
        return opshift_no_memory(error);
    *input = (struct draft_input){.kind = VALUE_INT64, .from = from};
    return OPSHIFT_OK;
}

static enum opshift_status rewrite_sequence(struct planner *planner, const struct sequence_plan *sequence,
                                            struct draft *draft, struct opshift_error *error)
{
    start(planner, draft, "Split", first_opset(planner));
    remove_attribute(draft, "keepdims");
    draft->outputs = sequence->outputs;
    draft->output_count = (uint32_t)sequence->count;
    enum opshift_status status = write_lengths(draft, sequence, error);
    if (status == OPSHIFT_OK)
        status = route_apply_as(planner, draft, error);
    if (status == OPSHIFT_OK)
        status = split_form_apply(planner, draft, error);
    if (status == OPSHIFT_OK && sequence->ignores)
        status = draft_note(draft, error,
                            "keepdims = 0 has no effect where lengths are given, and no axis is removed; some "
                            "runtimes did so all the same");
    return status ? status : prune_gone(planner, sequence->graph, sequence->name, error);
}

/* ---- its readers ---- */

static enum opshift_status set_inputs(struct draft *draft, uint32_t count, struct opshift_error *error)
{
    draft->inputs = arena_alloc(draft->arena, count + UINT64_C(1), sizeof(*draft->inputs));
    draft->input_count = count;
    return draft->inputs ? OPSHIFT_OK : opshift_no_memory(error);
}

/* A second reader, one in a subgraph, or one whose tensor loses its axis. */
static enum opshift_status rewrite_at(struct planner *planner, const struct sequence_use_plan *use, struct draft *draft,
                                      struct opshift_error *error)
{
    const struct sequence_plan *sequence = use->sequence;
    bool axes_input = sequence->drops && planner->plan->target >= 13;
    start(planner, draft, sequence->drops ? "Squeeze" : "Identity", planner->plan->target);
    draft->attribute_count = 0;
    enum opshift_status status = set_inputs(draft, axes_input ? 2 : 1, error);
    if (status)
        return status;
    draft->inputs[0].name = sequence->outputs[use->position];
    if (!sequence->drops)
        return OPSHIFT_OK;
    int64_t *axis = arena_copy(draft->arena, &sequence->axis, sizeof(sequence->axis));
    if (axis == NULL)
        return opshift_no_memory(error);
    if (axes_input) {
        draft->inputs[1].kind = VALUE_LITERAL;
        draft->inputs[1].literal = tensor_from_int64(draft->arena, axis, 1);
        return draft->inputs[1].literal ? OPSHIFT_OK : opshift_no_memory(error);
    }
    Onnx__AttributeProto *axes = draft_attribute_set(draft, "axes", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    if (axes == NULL)
        return opshift_no_memory(error);
    axes->n_ints = 1;
    axes->ints = axis;
    return OPSHIFT_OK;
}

/* Below 9 Constant supports floating-point types only. */
static enum opshift_status rewrite_length(struct planner *planner, const struct sequence_use_plan *use,
                                          struct draft *draft, struct opshift_error *error)
{
    bool is_constant = planner->plan->target >= 9;
    struct tensor *tensor = NULL;
    start(planner, draft, is_constant ? "Constant" : "Identity", planner->plan->target);
    draft->attribute_count = 0;
    enum opshift_status status = set_inputs(draft, is_constant ? 0 : 1, error);
    if (status == OPSHIFT_OK)
        status = tensor_new(draft->arena, OPSHIFT_TYPE_INT64, 0, NULL, &tensor, error);
    if (status)
        return status;
    *(int64_t *)tensor->data = use->sequence->count;
    if (!is_constant) {
        draft->inputs[0].kind = VALUE_LITERAL;
        draft->inputs[0].literal = tensor;
        return OPSHIFT_OK;
    }
    Onnx__AttributeProto *value = draft_attribute_set(draft, "value", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR);
    if (value)
        value->t = tensor_encode(draft->arena, tensor, (struct bytes){0});
    return value && value->t ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status rewrite_concat(struct planner *planner, const struct sequence_use_plan *use,
                                          struct draft *draft, struct opshift_error *error)
{
    const struct sequence_plan *sequence = use->sequence;
    start(planner, draft, "Concat", planner->plan->source);
    remove_attribute(draft, "new_axis");
    enum opshift_status status = set_inputs(draft, (uint32_t)sequence->count, error);
    if (status)
        return status;
    for (int64_t i = 0; i < sequence->count; i++) {
        struct draft_input *input = &draft->inputs[i];
        input->kind = sequence->drops ? VALUE_SQUEEZED : use->stacks ? VALUE_UNSQUEEZED : VALUE_NAME;
        *(input->kind == VALUE_NAME ? &input->name : &input->from) = sequence->outputs[i];
        input->axis = use->stacks ? use->axis : sequence->axis;
    }
    const struct draft_attribute *written = draft_attribute_find(draft, "axis");
    if (!written->message->has_ref_attr_name && written->message->i != use->axis) {
        Onnx__AttributeProto *axis = draft_attribute_set(draft, "axis", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
        if (axis == NULL)
            return opshift_no_memory(error);
        axis->has_i = 1;
        axis->i = use->axis;
    }
    return route_apply_as(planner, draft, error);
}

static enum opshift_status rewrite_use(struct planner *planner, const struct sequence_use_plan *use,
                                       struct draft *draft, struct opshift_error *error)
{
    switch (use->reader) {
    case READER_AT:
        return rewrite_at(planner, use, draft, error);
    case READER_LENGTH:
        return rewrite_length(planner, use, draft, error);
    case READER_CONCAT:
        return rewrite_concat(planner, use, draft, error);
    case READER_LIST:
    case READER_OTHER:
        break;
    }
    return opshift_fail(error, OPSHIFT_NO, "it reads a sequence as a whole");
}

/* ---- assumptions ---- */

static enum opshift_status cut_assume(struct planner *planner, const struct sequence_plan *sequence,
                                      struct opshift_error *error)
{
    struct graph *graph = sequence->graph;
    const struct node *node = sequence->node;
    struct reliance of_input = {graph, node_inputs(node)[0], sequence->by_dim ? RELIES_ON_SHAPE : RELIES_ON_RANK};
    struct reliance of_lengths = {.graph = graph, .on = sequence->lengths ? RELIES_ON_CONSTANT : RELIES_ON_SHAPE};
    enum opshift_status status = OPSHIFT_OK;
    if (sequence->by_dim || sequence->by_rank)
        status = declared_assume(planner, graph, node, &of_input, error);
    if (status || node->input_count < 2 || node_inputs(node)[1] == NAME_NONE)
        return status;
    of_lengths.name = node_inputs(node)[1];
    return declared_assume(planner, graph, node, &of_lengths, error);
}

static enum opshift_status use_assume(struct planner *planner, const struct sequence_use_plan *use,
                                      struct opshift_error *error)
{
    const struct sequence_plan *sequence = use->sequence;
    struct reliance reliance = {sequence->graph, node_inputs(sequence->node)[0], RELIES_ON_RANK};
    if (use->reader == READER_AT)
        reliance = (struct reliance){use->graph, node_inputs(use->node)[1], RELIES_ON_CONSTANT};
    else if (!use->by_rank)
        return OPSHIFT_OK;
    return declared_assume(planner, use->graph, use->node, &reliance, error);
}

/* ---- a node ---- */

/* Removes the node: another node gives its outputs, or nothing reads them. */
static enum opshift_status take_out(struct planner *planner, struct graph *graph, const struct node *node,
                                    const char *words, struct opshift_error *error)
{
    enum opshift_status status = prune_replaced(planner, graph, node, error);
    planner->plan->rewritten_count++;
    return status ? status : plan_describe(planner->plan, graph, node, words, error);
}

static enum opshift_status take_out_counted(struct planner *planner, const struct sequence_plan *sequence,
                                            struct opshift_error *error)
{
    enum opshift_status status =
        take_out(planner, sequence->graph, sequence->node, "nothing: only how many tensors it gave was read", error);
    return status ? status : prune_gone(planner, sequence->graph, sequence->name, error);
}

static enum opshift_status take_out_use(struct planner *planner, const struct sequence_use_plan *use,
                                        struct opshift_error *error)
{
    char words[96];
    snprintf(words, sizeof(words), "output %" PRId64 " of the Split that was the SplitToSequence", use->position);
    return take_out(planner, use->graph, use->node, words, error);
}

/* A reader that keeps a SplitToSequence from becoming a Split. */
static bool is_blocker(const struct sequence_use_plan *use)
{
    return use && use->why && !use->sequence->is_list;
}

bool sequence_stays(const struct sequence_mark *mark)
{
    const struct sequence_plan *sequence = mark->made ? mark->made : mark->use->sequence;
    return sequence->is_list && !sequence->decided && !is_blocker(mark->use);
}

enum opshift_status sequence_rewrite(struct planner *planner, const struct sequence_mark *mark, struct graph *graph,
                                     struct node *node, struct opshift_error *error)
{
    const char *obstacle = mark->made && !is_blocker(mark->use) ? mark->made->why : mark->use->why;
    struct draft *draft;
    if (obstacle == NULL && mark->made && mark->made->is_list)
        return sequence_list_remove(planner, mark->made, error);
    if (obstacle)
        return opshift_fail(error, OPSHIFT_NO, "%s", obstacle);
    /* Another node of the sequence is blocked, and has the reason. */
    if (!(mark->made ? mark->made : mark->use->sequence)->decided)
        return OPSHIFT_OK;
    enum opshift_status status =
        mark->made ? cut_assume(planner, mark->made, error) : use_assume(planner, mark->use, error);
    if (status)
        return status;
    if (mark->made && mark->made->counted)
        return take_out_counted(planner, mark->made, error);
    if (mark->use && mark->use->gives)
        return take_out_use(planner, mark->use, error);
    status = draft_open(planner, graph, node, &draft, error);
    if (status == OPSHIFT_OK)
        status = mark->made ? rewrite_sequence(planner, mark->made, draft, error)
                            : rewrite_use(planner, mark->use, draft, error);
    struct result_schemas schemas = {0};
    if (status == OPSHIFT_OK)
        schemas = result_schemas_find(planner, draft);
    if (status == OPSHIFT_OK)
        status = result_check(planner, draft, &schemas, error);
    if (status == OPSHIFT_OK)
        status = draft_assume(planner, draft, error);
    return status ? status : draft_plan(planner, draft, error);
}
