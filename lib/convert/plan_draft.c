/* Turns a draft into its part of the plan: the node's record, and the constants and nodes that it needs. */
#include <stdio.h>

#include "convert/expand.h"
#include "convert/new_nodes.h"
#include "convert/planner.h"
#include "convert/draft_record.h"
#include "wire/wire.h"

#define SMALL_SIZE 4096u /* bytes of a record up to which it is rewritten as a whole */

void draft_start(const struct planner *planner, struct draft *draft)
{
    draft->opset = planner->node.move->source;
    draft->target = planner->node.move->target;
    draft->up = planner->node.move->up;
    draft->strict = planner->goal->strict;
}

enum opshift_status draft_open(struct planner *planner, struct graph *graph, struct node *node, struct draft **draft,
                               struct opshift_error *error)
{
    arena_clear(planner->node.arena);
    planner->node.origin.count = 0;
    planner->node.relied.size = 0;
    enum opshift_status status =
        draft_new(planner->model, graph, node, planner->node.arena, &planner->around, draft, error);
    if (status == OPSHIFT_OK)
        draft_start(planner, *draft);
    return status;
}

/* The suffix of names for a value that becomes the input at this position. */
static const char *input_suffix(const struct draft *draft, uint32_t position)
{
    const struct schema *schema = schema_find(draft->domain, draft->op_type, draft->target);
    const struct schema_parameter *parameter = schema ? schema_input(schema, position) : NULL;
    return parameter ? parameter->name : "value";
}

/* Names all inputs that are values without names; the nodes that compute them are added to made->nodes. */
static enum opshift_status name_inputs(struct planner *planner, struct new_nodes *made, struct opshift_error *error)
{
    struct draft *draft = made->draft;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->input_count; i++) {
        struct draft_input *input = &draft->inputs[i];
        if (input->kind == VALUE_NAME)
            continue;
        const char *suffix = input_suffix(draft, i);
        if (input->kind == VALUE_LITERAL)
            status = shared_constant(planner, draft, input->literal, suffix, &input->name, error);
        else if (input->kind == VALUE_REFERENCE && ++planner->plan->added_count)
            status = new_nodes_reference(made, input->reference, suffix, &input->name, error);
        else if (input->kind == VALUE_CHUNKS)
            status = new_nodes_chunks(made, input->parts, &input->name, error);
        else if (input->kind == VALUE_INT64)
            status = new_nodes_int64(made, input->from, suffix, &input->name, error);
        else if (input->kind == VALUE_SQUEEZED)
            status = new_nodes_squeezed(made, "Squeeze", input->from, input->axis, &input->name, error);
        else if (input->kind == VALUE_UNSQUEEZED)
            status = new_nodes_squeezed(made, "Unsqueeze", input->from, input->axis, &input->name, error);
        input->kind = VALUE_NAME;
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->output_count; i++)
        if (draft->outputs[i] == NAME_FRESH) {
            draft->outputs[i] = new_nodes_fresh(planner->around.scopes, draft, "unread");
            if (draft->outputs[i] == NAME_NO_MEMORY)
                return opshift_no_memory(error);
        }
    return status;
}

/* Declarations of removed outputs are removed, too. */
static enum opshift_status drop_outputs(struct planner *planner, const struct draft *draft, struct opshift_error *error)
{
    const struct node *node = draft->node;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++) {
        name_id name = node_outputs(node)[i];
        if (name != NAME_NONE && (i >= draft->output_count || draft->outputs[i] == NAME_NONE))
            status = prune_gone(planner, draft->graph, name, error);
    }
    return status;
}

/* Names that the node read and no longer reads are dropped. */
static enum opshift_status drop_inputs(struct planner *planner, const struct draft *draft, struct opshift_error *error)
{
    const struct node *node = draft->node;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++) {
        name_id name = node_inputs(node)[i];
        bool kept = i < draft->input_count && (draft->inputs[i].name == name || draft->inputs[i].from == name);
        if (name != NAME_NONE && !kept)
            status = prune_drop(planner, draft->graph, name, error);
    }
    return status;
}

/* Adds the positions of a sequence's tensors as constants, then the nodes that read them. */
static enum opshift_status name_places(struct planner *planner, struct new_nodes *made, struct opshift_error *error)
{
    struct draft *draft = made->draft;
    name_id *places = arena_alloc(draft->arena, draft->output_count + UINT64_C(1), sizeof(*places));
    enum opshift_status status = places ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->output_count; i++) {
        struct tensor *tensor = NULL;
        char suffix[24];
        if (draft->outputs[i] == NAME_NONE)
            continue;
        status = tensor_new(draft->arena, OPSHIFT_TYPE_INT64, 0, NULL, &tensor, error);
        if (status)
            break;
        *(int64_t *)tensor->data = i;
        snprintf(suffix, sizeof(suffix), "at_%u", i);
        status = shared_constant(planner, draft, tensor, suffix, &places[i], error);
    }
    return status ? status : new_nodes_sequence(made, places, error);
}

/* Must the node be edited in parts? A new record would lose the edits in its subgraphs and would copy large
 * attributes. */
static bool changes_inside(const struct node *node)
{
    return range_size(node->range) > SMALL_SIZE || node_subgraph_count(node) > 0;
}

/* Adds the draft's own record, after those before it. */
static enum opshift_status plan_record(struct planner *planner, const struct draft *draft, struct opshift_error *error)
{
    struct buffer *changes = &planner->node.changes, *bytes = &planner->node.bytes, *out = &planner->node.record;
    changes->size = bytes->size = out->size = 0;
    enum opshift_status status = record_changes(draft, changes, bytes, error);
    if (status == OPSHIFT_OK)
        status =
            record_compose(planner->model, draft->node->range, (const struct plan_change *)(const void *)changes->data,
                           changes->size / sizeof(struct plan_change), bytes->data, false, out, error);
    if (status == OPSHIFT_OK)
        wire_add_bytes(&planner->plan->bytes, graph_node_field(draft->graph), out->data, out->size);
    return status;
}

/* Adds the changes inside the draft's record. */
static enum opshift_status plan_inside(struct planner *planner, const struct draft *draft, struct plan_entry *entry,
                                       struct opshift_error *error)
{
    struct conversion_plan *plan = planner->plan;
    size_t first = plan->changes.size / sizeof(struct plan_change);
    struct plan_words *words = plan_words_of(plan, entry);
    if (words == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = record_changes(draft, &plan->changes, &plan->bytes, error);
    entry->inside = true;
    words->changes = (uint32_t)first;
    words->change_count = (uint32_t)(plan->changes.size / sizeof(struct plan_change) - first);
    return status;
}

static enum opshift_status plan_records(struct planner *planner, const struct draft *draft, const struct buffer *nodes,
                                        struct opshift_error *error)
{
    struct conversion_plan *plan = planner->plan;
    struct plan_entry *entry = plan_entry_add(plan, draft->graph, draft->node);
    if (entry == NULL || nodes->failed)
        return opshift_no_memory(error);
    entry->fate = OPSHIFT_REWRITTEN;
    entry->records = plan->bytes.size;
    buffer_add(&plan->bytes, nodes->data, nodes->size);
    bool gone = draft->slices || draft->sequence || draft->replacement;
    bool inside = !gone && changes_inside(draft->node);
    enum opshift_status status = OPSHIFT_OK;
    entry->replaced = draft->replacement != NULL;
    if (entry->replaced)
        entry->replaced_as = planner->node.expanded->kind;
    if (!gone && !inside)
        status = plan_record(planner, draft, error);
    entry->size = plan->bytes.size - entry->records;
    if (status == OPSHIFT_OK && inside)
        status = plan_inside(planner, draft, entry, error);
    if (planner->node.origin.count)
        entry->origin = plan_origin_find(plan, planner->node.origin.files, planner->node.origin.count);
    plan->rewritten_count++;
    if (status == OPSHIFT_OK && (plan->bytes.failed || (planner->node.origin.count && entry->origin == 0)))
        return opshift_no_memory(error);
    return status;
}

/* Sets the description, where it cannot be derived from the last record. */
static enum opshift_status plan_words(struct planner *planner, const struct draft *draft, struct opshift_error *error)
{
    const char *words = draft->slices        ? "Slice nodes, one for each output"
                        : draft->sequence    ? "a SplitToSequence, and a SequenceAt for each output"
                        : draft->replacement ? expanded_words(planner->node.expanded, draft->arena)
                                             : NULL;
    if (words == NULL && draft->replacement)
        return opshift_no_memory(error);
    enum opshift_status status =
        words ? plan_describe(planner->plan, draft->graph, draft->node, words, error) : OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->note_count; i++)
        status = plan_note(planner->plan, draft->graph, draft->node, draft->notes[i], error);
    return status;
}

enum opshift_status draft_plan(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    struct new_nodes made = {.planner = planner, .scopes = planner->around.scopes, .draft = draft};
    if (!draft->changed)
        return plan_words(planner, draft, error);
    enum opshift_status status = draft->replacement ? expand_place(planner, draft, &made.nodes, error)
                                 : draft->slices    ? new_nodes_slices(&made, error)
                                                    : name_inputs(planner, &made, error);
    if (status == OPSHIFT_OK && draft->sequence)
        status = name_places(planner, &made, error);
    if (status == OPSHIFT_OK)
        status = plan_records(planner, draft, &made.nodes, error);
    buffer_free(&made.nodes);
    if (status == OPSHIFT_OK)
        status = plan_words(planner, draft, error);
    if (status == OPSHIFT_OK)
        status = drop_outputs(planner, draft, error);
    return status || draft->slices || draft->replacement ? status : drop_inputs(planner, draft, error);
}
