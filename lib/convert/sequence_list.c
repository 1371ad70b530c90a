/* Sequences that nodes put together from tensors: SequenceConstruct, SequenceEmpty, SequenceInsert and SequenceErase.
 * Their readers can read the tensors. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "check/sequence_view.h"
#include "convert/sequence_plan.h"

#define REFUSE(...) sequence_refuse(&list->why, arena_print(planner->scratch, __VA_ARGS__), error)

/* ---- positions ---- */

/* The input at `at`; *position stays where it is absent. */
static enum opshift_status position_read(struct planner *planner, struct sequence_plan *list, uint32_t at, bool insert,
                                         int64_t *position, struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    const char *what = NULL;
    const struct node *node = list->node;
    if (at >= node->input_count || node_inputs(node)[at] == NAME_NONE)
        return OPSHIFT_OK;
    enum opshift_status status =
        fold_constant(planner->around.fold, list->graph, node_inputs(node)[at], &tensor, &what, error);
    if (status)
        return status;
    if (tensor == NULL || tensor->count != 1 ||
        (tensor->type != OPSHIFT_TYPE_INT32 && tensor->type != OPSHIFT_TYPE_INT64))
        return REFUSE("its position '%.80s' is known only at run time; make it constant",
                      names_text(planner->model->names, node_inputs(node)[at]));
    *position = sequence_length_at(tensor, 0);
    if (sequence_check_position(names_text(planner->model->names, list->source->name), list->source->count, insert,
                                *position, error)) {
        check_cite(SEQ008, error);
        REFUSE("%s", error->text);
        return error_forget(error);
    }
    *position += *position < 0 ? list->source->count : 0;
    return OPSHIFT_OK;
}

/* ---- the tensors ---- */

static enum opshift_status list_open(struct planner *planner, struct sequence_plan *list, int64_t count,
                                     struct opshift_error *error)
{
    list->count = count;
    planner->sequences->written += (uint64_t)count;
    if (planner->sequences->written > SEQUENCE_NAMES_MAX)
        return REFUSE("the model's sequences have more tensors than are written out one by one");
    list->outputs = arena_alloc(planner->scratch, (size_t)count + 1, sizeof(*list->outputs));
    return list->outputs ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status list_construct(struct planner *planner, struct sequence_plan *list,
                                          struct opshift_error *error)
{
    const struct node *node = list->node;
    enum opshift_status status = list_open(planner, list, node->input_count, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && list->why == NULL && i < node->input_count; i++)
        list->outputs[i] = node_inputs(node)[i];
    return status;
}

static enum opshift_status list_empty(struct planner *planner, struct sequence_plan *list, struct opshift_error *error)
{
    return list_open(planner, list, 0, error);
}

/* Does the name mean the same in both graphs? */
static bool is_same_value(const struct planner *planner, struct graph *here, struct graph *there, name_id name)
{
    struct definition one = scope_find(planner->around.scopes, here, name);
    struct definition other = scope_find(planner->around.scopes, there, name);
    return one.kind != DEFINED_NOWHERE && one.graph == other.graph;
}

/* The source's tensors, without `skipped` of them at `position`, and with room for `added` there. */
static enum opshift_status list_copy(struct planner *planner, struct sequence_plan *list, int64_t position,
                                     int64_t skipped, int64_t added, struct opshift_error *error)
{
    const struct sequence_plan *source = list->source;
    enum opshift_status status = list_open(planner, list, source->count - skipped + added, error);
    for (int64_t i = 0; status == OPSHIFT_OK && list->why == NULL && i < source->count; i++) {
        if (i >= position && i < position + skipped)
            continue;
        if (!is_same_value(planner, list->graph, source->graph, source->outputs[i]))
            return REFUSE("'%.80s' is the name of one thing there and of another around it",
                          names_text(planner->model->names, source->outputs[i]));
        list->outputs[i < position ? i : i - skipped + added] = source->outputs[i];
    }
    return status;
}

static enum opshift_status list_insert(struct planner *planner, struct sequence_plan *list, struct opshift_error *error)
{
    int64_t position = list->source->count;
    enum opshift_status status = position_read(planner, list, 2, true, &position, error);
    if (status || list->why)
        return status;
    status = list_copy(planner, list, position, 0, 1, error);
    if (status == OPSHIFT_OK && list->why == NULL)
        list->outputs[position] = node_inputs(list->node)[1];
    return status;
}

static enum opshift_status list_erase(struct planner *planner, struct sequence_plan *list, struct opshift_error *error)
{
    int64_t position = list->source->count - 1;
    if (list->source->count == 0)
        return REFUSE("its sequence is empty, and nothing can be erased; remove the node");
    enum opshift_status status = position_read(planner, list, 1, false, &position, error);
    return status || list->why ? status : list_copy(planner, list, position, 1, 0, error);
}

/* ---- the operators ---- */

static const struct list_maker {
    const char *op_type;
    uint32_t least, most; /* inputs */
    bool takes_list;      /* as input 0 */
    enum opshift_status (*make)(struct planner *planner, struct sequence_plan *list, struct opshift_error *error);
} makers[] = {
    {"SequenceConstruct", 1, UINT32_MAX, false, list_construct},
    {"SequenceEmpty", 0, 0, false, list_empty},
    {"SequenceErase", 1, 2, true, list_erase},
    {"SequenceInsert", 2, 3, true, list_insert},
};

static const struct list_maker *maker_find(const struct planner *planner, const struct node *node)
{
    const char *op_type = names_text(planner->model->names, node->op_type);
    if (strncmp(op_type, "Sequence", strlen("Sequence")) != 0 || node_domain(node) != NAME_NONE ||
        scope_callee(planner->around.scopes, node) || node->output_count != 1 || node_outputs(node)[0] == NAME_NONE)
        return NULL;
    for (size_t i = 0; i < COUNT(makers); i++)
        if (strcmp(op_type, makers[i].op_type) == 0)
            return node->input_count >= makers[i].least && node->input_count <= makers[i].most ? &makers[i] : NULL;
    return NULL;
}

bool sequence_is_list(const struct planner *planner, const struct node *node)
{
    return maker_find(planner, node) != NULL;
}

enum opshift_status sequence_list(struct planner *planner, struct sequence_plan *list, struct sequence_plan *source,
                                  struct opshift_error *error)
{
    const struct list_maker *maker = maker_find(planner, list->node);
    const struct node *node = list->node;
    assert(maker); /* sequence_is_list */
    list->is_list = true;
    list->rank = -1;
    for (uint32_t i = maker->takes_list; i < node->input_count; i++)
        if (node_inputs(node)[i] == NAME_NONE)
            return REFUSE("input %" PRIu32 " is absent; name a value", i);
    if (!maker->takes_list)
        return maker->make(planner, list, error);
    name_id name = node_inputs(node)[0];
    if (source == NULL || !source->is_list)
        return REFUSE("it changes the sequence '%.80s', whose tensors are not known one by one",
                      names_text(planner->model->names, name));
    if (source->why)
        return REFUSE("it changes the sequence '%.80s', which stays", names_text(planner->model->names, name));
    list->source = source;
    return maker->make(planner, list, error);
}

/* ---- the plan ---- */

/* The node goes; uses of its tensors are those of their readers now. */
enum opshift_status sequence_list_remove(struct planner *planner, const struct sequence_plan *list,
                                         struct opshift_error *error)
{
    const struct node *node = list->node;
    enum opshift_status status = plan_remove_node(planner->plan, list->graph, node, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && list->source && i < node->input_count; i++) {
        bool is_tensor = i == 1 && list->count > list->source->count;
        if (!is_tensor)
            status = prune_drop(planner, list->graph, node_inputs(node)[i], error);
    }
    planner->plan->rewritten_count++;
    if (status == OPSHIFT_OK)
        status = prune_gone(planner, list->graph, list->name, error);
    return status ? status
                  : plan_describe(planner->plan, list->graph, node, "nothing: its tensors are read themselves", error);
}

enum opshift_status sequence_list_note(struct planner *planner, const struct sequence_plan *list,
                                       struct opshift_error *error)
{
    const char *why = list->why;
    for (const struct sequence_use_plan *use = list->first; use && why == NULL; use = use->next)
        if (use->why)
            why = arena_print(planner->scratch, "%s: %s", node_place(planner->model, use->graph, use->node), use->why);
    const char *text = why ? arena_print(planner->scratch, "its sequence '%.80s' stays: %s",
                                         names_text(planner->model->names, list->name), why)
                           : NULL;
    return text ? plan_note(planner->plan, list->graph, list->node, text, error) : opshift_no_memory(error);
}
