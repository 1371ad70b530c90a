/* Pairs of values of both models that may be the same: inputs, outputs, names, and what lies before outputs. */
#include "equal/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* Regions in a row that differ, after which no more are run before the outputs. */
#define FAILURES_MOST 4u
/* Nodes of one model that may stand in the place of one of the other. */
#define STEPS_OVER 3u

/* ---- inputs and outputs ---- */

/* The place of a name of one model in a list of the other; UINT32_MAX: none. */
static uint32_t place_of(const struct names *names, name_id name, const struct names *others,
                         const struct value_info *list, uint32_t count)
{
    struct bytes text = names_bytes(names, name);
    for (uint32_t i = 0; i < count; i++)
        if (bytes_same(names_bytes(others, list[i].name), text))
            return i;
    return UINT32_MAX;
}

/* Pairs by name, or all by position where the names are other ones. NULL: no memory. */
static uint32_t *lists_pair(struct equal_work *work, const struct names *names, const struct value_info *list,
                            uint32_t count, const struct names *others, const struct value_info *other_list,
                            uint32_t other_count)
{
    uint32_t found = 0, *pairs = arena_alloc(work->arena, count + UINT64_C(1), sizeof(*pairs));
    for (uint32_t i = 0; pairs != NULL && i < count; i++) {
        pairs[i] = place_of(names, list[i].name, others, other_list, other_count);
        found += pairs[i] != UINT32_MAX;
    }
    for (uint32_t i = 0; pairs != NULL && found == 0 && count == other_count && i < count; i++)
        pairs[i] = i;
    return pairs;
}

uint32_t align_input(const struct equal_work *work, uint32_t input)
{
    return work->input_of[input];
}

uint32_t align_output(const struct equal_work *work, uint32_t output)
{
    return work->output_of[output];
}

/* Must a caller give it? */
static bool input_is_required(const struct equal_side *side, uint32_t index)
{
    struct definition found = scope_find(side->scopes, side->model->main, side->model->main->inputs[index].name);
    return found.kind != DEFINED_INITIALIZER;
}

static bool is_constant_input(const struct equal_work *work, const struct equal_side *side, uint32_t index)
{
    name_id name = side->model->main->inputs[index].name;
    return !input_is_required(side, index) &&
           (work->options->freeze_initializers ||
            scope_initializer_role(side->scopes, side->model->main, name) == INITIALIZER_CONSTANT);
}

/* Does the second model take what the first declares? Names of dims are compared by where else they occur: each name of
 * the second model is one of the first. */
struct dim_names {
    name_id *first; /* by name of the second model; NAME_NONE: not met */
};

static bool type_is_taken(struct dim_names *dims, const struct value_type *first, const struct value_type *second)
{
    if (first->is_tensor != second->is_tensor || first->type != second->type)
        return false;
    if (!first->is_tensor) {
        const char *one = first->other == NULL ? "" : first->other, *other = second->other == NULL ? "" : second->other;
        return strcmp(one, other) == 0;
    }
    if (second->rank < 0)
        return true;
    if (first->rank != second->rank)
        return false;
    for (int32_t i = 0; i < second->rank; i++) {
        name_id name = second->dims[i] < 0 && second->params != NULL ? second->params[i] : NAME_NONE;
        if (second->dims[i] >= 0 && first->dims[i] != second->dims[i])
            return false;
        if (name == NAME_NONE)
            continue;
        /* A name of a dim that occurs twice is one size. */
        name_id one = first->dims[i] < 0 && first->params != NULL ? first->params[i] : NAME_NO_MEMORY;
        if (dims->first[name] != NAME_NONE && (dims->first[name] != one || one == NAME_NO_MEMORY || one == NAME_NONE))
            return false;
        dims->first[name] = one == NAME_NONE ? NAME_NO_MEMORY : one;
    }
    return true;
}

/* What a side declares of its inputs. */
static enum opshift_status inputs_read(struct equal_work *work, int side, struct value_type **types,
                                       struct opshift_error *error)
{
    struct opshift_model *model = work->sides[side].model;
    enum opshift_status status = OPSHIFT_OK;
    *types = arena_alloc(work->arena, model->main->input_count + UINT64_C(1), sizeof(**types));
    if (*types == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < model->main->input_count && status == OPSHIFT_OK; i++)
        status = value_info_type(model, &model->main->inputs[i], work->arena, &(*types)[i], error);
    return status;
}

static enum opshift_status inputs_fit(struct equal_work *work, struct opshift_error *error)
{
    const struct equal_side *first = &work->sides[0], *second = &work->sides[1];
    struct graph *graphs[] = {first->model->main, second->model->main};
    struct value_type *types[2];
    struct dim_names dims = {NULL};
    enum opshift_status status = OPSHIFT_OK;
    for (int side = 0; side < 2 && status == OPSHIFT_OK; side++)
        status = inputs_read(work, side, &types[side], error); /* this adds the names of dims */
    if (status != OPSHIFT_OK)
        return status;
    dims.first = calloc(names_count(second->model->names) + UINT64_C(1), sizeof(name_id));
    status = dims.first == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    bool *met = arena_alloc(work->arena, graphs[0]->input_count + UINT64_C(1), sizeof(*met));
    if (status == OPSHIFT_OK && met == NULL)
        status = opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graphs[1]->input_count && work->refused == NULL; i++) {
        uint32_t at = work->input_of[i];
        if (is_constant_input(work, second, i))
            continue;
        if (at == UINT32_MAX || met[at]) {
            work->refused = "the second model has an input that the first does not have";
            break;
        }
        met[at] = true;
        if (!type_is_taken(&dims, &types[0][at], &types[1][i]))
            work->refused = "an input is declared with another type or shape";
        if (input_is_required(second, i) && !input_is_required(first, at))
            work->refused = "an input has lost its default";
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graphs[0]->input_count && work->refused == NULL; i++)
        if (!met[i] && !is_constant_input(work, first, i))
            work->refused = "the second model lacks an input of the first";
    free(dims.first);
    return status;
}

enum opshift_status align_interface(struct equal_work *work, struct opshift_error *error)
{
    const struct opshift_model *first = work->sides[0].model, *second = work->sides[1].model;
    const struct graph *before = first->main, *after = second->main;
    if (work->options->ends)
        return OPSHIFT_OK;
    work->input_of = lists_pair(work, second->names, after->inputs, after->input_count, first->names, before->inputs,
                                before->input_count);
    work->output_of = lists_pair(work, first->names, before->outputs, before->output_count, second->names,
                                 after->outputs, after->output_count);
    if (work->input_of == NULL || work->output_of == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < before->output_count; i++)
        if (work->output_of[i] == UINT32_MAX)
            work->refused = "the second model lacks an output of the first";
    if (before->output_count != after->output_count && work->refused == NULL)
        work->refused = "the second model has an output that the first does not have";
    for (uint32_t i = 0; i < first->graph_count + second->graph_count; i++) {
        uint32_t at = i < first->graph_count ? i : i - first->graph_count;
        if ((i < first->graph_count ? first : second)->graphs[at]->kind == GRAPH_TRAINING)
            work->refused = "graphs for training are not compared by values";
    }
    return work->refused == NULL ? inputs_fit(work, error) : OPSHIFT_OK;
}

enum opshift_status align_named(struct equal_work *work, const char *name, term_id *term, struct opshift_error *error)
{
    const struct equal_side *first = &work->sides[0];
    name_id there;
    *term = TERM_NONE;
    if (name == NULL || !names_find(first->model->names, name, strlen(name), &there))
        return OPSHIFT_OK;
    return name_term(work, first, work->main[0], there, term, error);
}

/* ---- from the outputs back ---- */

struct pair_to_align {
    term_id term;
    name_id name; /* of the second model */
};

struct align_stack {
    struct pair_to_align *items;
    uint32_t count, room;
};

static bool push(struct align_stack *stack, term_id term, name_id name)
{
    if (term == TERM_NONE || name == NAME_NONE)
        return true;
    if (!list_grow(&stack->items, stack->count, &stack->room, sizeof(*stack->items)))
        return false;
    stack->items[stack->count++] = (struct pair_to_align){term, name};
    return true;
}

static const struct node_use *maker(const struct equal_work *work, term_id term)
{
    return term == TERM_NONE ? NULL : work->terms[term].use;
}

static const struct node *second_maker(const struct equal_work *work, name_id name, uint32_t *slot)
{
    const struct equal_side *side = &work->sides[1];
    struct definition found = scope_find(side->scopes, side->model->main, name);
    if (name == NAME_NONE || found.kind != DEFINED_NODE || found.graph != side->model->main)
        return NULL;
    *slot = work->main[1]->starts[found.index] + found.output;
    return &side->model->main->nodes[found.index];
}

static bool same_operator(const struct equal_work *work, const struct node_use *use, const struct node *node)
{
    return use != NULL && node != NULL &&
           bytes_same(names_bytes(use->side->model->names, use->node->op_type),
                      names_bytes(work->sides[1].model->names, node->op_type));
}

static bool push_inputs(struct align_stack *stack, const struct node_use *use, const struct node *node)
{
    bool done = true;
    for (uint32_t i = 0; i < use->node->input_count && i < node->input_count; i++)
        done = done && push(stack, use->inputs[i], node_inputs(node)[i]);
    return done;
}

/* One of the two may have nodes more. */
static bool align_before(struct equal_work *work, struct align_stack *stack, term_id term, const struct node *node)
{
    const struct node_use *use = maker(work, term);
    const struct node *other = node;
    uint32_t slot;
    for (unsigned i = 0; i < STEPS_OVER && use != NULL; i++) {
        if (same_operator(work, use, node))
            return push_inputs(stack, use, node);
        use = use->node->input_count == 0 ? NULL : maker(work, use->inputs[0]);
    }
    use = maker(work, term);
    for (unsigned i = 0; i < STEPS_OVER && other != NULL && use != NULL; i++) {
        if (same_operator(work, use, other))
            return push_inputs(stack, use, other);
        other = other->input_count == 0 ? NULL : second_maker(work, node_inputs(other)[0], &slot);
    }
    return true;
}

enum opshift_status align_outputs(struct equal_work *work, struct opshift_error *error)
{
    struct reading *first = work->main[0], *second = work->main[1];
    const struct graph *graph = second->graph;
    struct align_stack stack = {0};
    enum opshift_status status = OPSHIFT_OK;
    uint64_t values = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        values += graph->nodes[i].output_count;
    work->aligned = arena_alloc(work->arena, values + 1, sizeof(*work->aligned));
    if (work->aligned == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < values; i++)
        work->aligned[i] = TERM_NONE;
    for (uint32_t i = 0; i < first->graph->output_count && status == OPSHIFT_OK; i++) {
        term_id term;
        status = name_term(work, &work->sides[0], first, first->graph->outputs[i].name, &term, error);
        if (status == OPSHIFT_OK && !push(&stack, term, graph->outputs[align_output(work, i)].name))
            status = opshift_no_memory(error);
    }
    while (stack.count > 0 && status == OPSHIFT_OK) {
        struct pair_to_align pair = stack.items[--stack.count];
        uint32_t slot = 0;
        const struct node *node = second_maker(work, pair.name, &slot);
        if (node == NULL || work->aligned[slot] != TERM_NONE)
            continue;
        work->aligned[slot] = pair.term;
        if (!align_before(work, &stack, pair.term, node))
            status = opshift_no_memory(error);
    }
    free(stack.items);
    return status;
}

/* ---- candidates ---- */

/* The value of the same name in the first model. */
static enum opshift_status same_name(struct equal_work *work, name_id name, term_id *term, struct opshift_error *error)
{
    const struct equal_side *first = &work->sides[0];
    name_id there;
    *term = TERM_NONE;
    if (!names_find(first->model->names, names_bytes(work->sides[1].model->names, name).data,
                    names_bytes(work->sides[1].model->names, name).size, &there))
        return OPSHIFT_OK;
    struct definition found = scope_find(first->scopes, first->model->main, there);
    return found.kind == DEFINED_NODE ? name_term(work, first, work->main[0], there, term, error) : OPSHIFT_OK;
}

static uint32_t failures_before(const struct equal_work *work, const struct node_use *use)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < use->node->input_count; i++)
        if (use->inputs[i] != TERM_NONE && work->terms[use->inputs[i]].failures > most)
            most = work->terms[use->inputs[i]].failures;
    return most;
}

static enum opshift_status output_align(struct equal_work *work, const struct node_use *use, uint32_t output,
                                        struct opshift_error *error)
{
    term_id after = use->outputs[output],
            candidates[2] = {TERM_NONE, work->aligned[use->outputs + output - work->main[1]->outputs]};
    bool failed = false;
    uint32_t failures = failures_before(work, use);
    enum opshift_status status = same_name(work, node_outputs(use->node)[output], &candidates[0], error);
    work->terms[after].failures = failures;
    for (unsigned i = 0; i < COUNT(candidates) && status == OPSHIFT_OK && failures < FAILURES_MOST; i++) {
        term_id before = candidates[i];
        enum likeness likeness;
        if (before == TERM_NONE || (i > 0 && before == candidates[0]) || work->terms[before].kind != TERM_MADE)
            continue;
        status = region_judge(work, before, after, false, &likeness, error);
        if (likeness == LIKENESS_SAME) {
            use->outputs[output] = before;
            return status;
        }
        failed = failed || likeness == LIKENESS_NONE;
    }
    work->terms[after].failures = failures + failed;
    return status;
}

/* Was it made by the second model? */
static bool is_new(const struct equal_work *work, const struct equal_term *term)
{
    const struct node_use *use = term->use->call == NULL ? term->use : term->use->call;
    return use->side == &work->sides[1];
}

enum opshift_status align_node(struct equal_work *work, const struct node_use *use, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < use->node->output_count && status == OPSHIFT_OK; i++) {
        const struct equal_term *term = use->outputs[i] == TERM_NONE ? NULL : &work->terms[use->outputs[i]];
        if (term != NULL && term->kind == TERM_MADE && is_new(work, term))
            status = output_align(work, use, i, error);
    }
    return status;
}
