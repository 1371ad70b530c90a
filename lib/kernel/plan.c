/* A graph made ready to run: its nodes in an order that works, and where each of them finds its inputs. */
#include "kernel/plan.h"

#include <stdlib.h>
#include <string.h>

/* A graph that is being planned, inside the node of another. */
struct level {
    struct level *parent;
    struct plan *plan;
    struct step *owner; /* the step whose body is planned now */
    uint32_t *seen;     /* per slot: the number of the step that last captured it, from 1 on */
};

static enum opshift_status plan_at(const struct planner *planner, struct level *level, struct graph *graph,
                                   struct opshift_error *error);

/* ---- where a name is found ---- */

static uint32_t definition_slot(const struct plan *plan, const struct definition *definition)
{
    const struct graph *graph = plan->graph;
    switch (definition->kind) {
    case DEFINED_INPUT:
        return definition->index;
    case DEFINED_INITIALIZER:
        return graph->input_count + definition->index;
    default:
        return plan->steps[definition->index].first_output + definition->output;
    }
}

/* A body that reads a value of a graph around it: the node that owns the body uses the value. */
static enum opshift_status note_capture(const struct planner *planner, struct level *level, uint32_t slot,
                                        struct opshift_error *error)
{
    struct step *owner = level->owner;
    uint32_t number = (uint32_t)(owner - level->plan->steps) + 1;
    if (level->seen[slot] == number)
        return OPSHIFT_OK;
    level->seen[slot] = number;
    if (owner->capture_count == owner->capture_room) {
        uint32_t room = owner->capture_room == 0 ? 8 : owner->capture_room * 2;
        uint32_t *captures = arena_alloc(planner->arena, room, sizeof(*captures));
        if (captures == NULL)
            return opshift_no_memory(error);
        if (owner->capture_count > 0)
            memcpy(captures, owner->captures, owner->capture_count * sizeof(*captures));
        owner->captures = captures;
        owner->capture_room = room;
    }
    owner->captures[owner->capture_count++] = slot;
    level->plan->uses[slot]++;
    return OPSHIFT_OK;
}

static enum opshift_status find_place(const struct planner *planner, struct level *level, name_id name,
                                      struct place *place, struct opshift_error *error)
{
    struct graph *graph = level->plan->graph;
    *place = (struct place){.kind = PLACE_ABSENT};
    if (name == NAME_NONE)
        return OPSHIFT_OK;
    struct definition definition = scope_find(planner->scopes, graph, name);
    struct level *at = level;
    for (; at != NULL && definition.kind != DEFINED_NOWHERE; at = at->parent, place->up++) {
        if (at->plan->graph != definition.graph)
            continue;
        place->kind = PLACE_SLOT;
        place->slot = definition_slot(at->plan, &definition);
        if (at != level)
            return note_capture(planner, at, place->slot, error);
        at->plan->uses[place->slot]++;
        return OPSHIFT_OK;
    }
    return opshift_fail(error, OPSHIFT_MALFORMED, "'%s' is made by no node and is no input",
                        names_text(planner->model->names, name));
}

/* ---- one node ---- */

static enum opshift_status plan_bodies(const struct planner *planner, struct level *level, struct step *step,
                                       struct opshift_error *error)
{
    const struct node *node = step->node;
    enum opshift_status status = OPSHIFT_OK;
    step->bodies = arena_alloc(planner->arena, node_subgraph_count(node) + UINT64_C(1), sizeof(struct plan *));
    if (step->bodies == NULL)
        return opshift_no_memory(error);
    level->owner = step;
    for (uint32_t i = 0; i < node_subgraph_count(node) && status == OPSHIFT_OK; i++) {
        struct level inner = {.parent = level};
        status = plan_at(planner, &inner, node_subgraphs(node)[i], error);
        step->bodies[i] = inner.plan;
    }
    return status;
}

void plan_node(const struct planner *planner, struct graph *graph, const struct node *node, struct step *step)
{
    step->node = node;
    step->op_type = names_text(planner->model->names, node->op_type);
    step->opset = graph_opset(planner->model, graph, node_domain(node));
    step->callee = scope_callee(planner->scopes, node);
    if (step->callee == NULL && node_domain(node) == NAME_NONE)
        step->kernel = kernel_find(step->op_type, step->opset);
}

static enum opshift_status plan_step(const struct planner *planner, struct level *level, struct step *step,
                                     struct opshift_error *error)
{
    const struct node *node = step->node;
    enum opshift_status status = OPSHIFT_OK;
    step->inputs = arena_alloc(planner->arena, node->input_count + UINT64_C(1), sizeof(*step->inputs));
    if (step->inputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node->input_count && status == OPSHIFT_OK; i++)
        status = find_place(planner, level, node_inputs(node)[i], &step->inputs[i], error);
    if (status == OPSHIFT_OK)
        status = plan_bodies(planner, level, step, error);
    if (status == OPSHIFT_OK || status == OPSHIFT_MEMORY)
        return status;
    /* A body's failure names its own place, which holds this one. */
    return strncmp(error == NULL ? "" : error->text, "node ", 5) == 0
               ? status
               : opshift_within(error, status, "%s", node_place(planner->model, level->plan->graph, node));
}

/* ---- the order ---- */

/* What makes a slot: a step's number, or PLACE_NOWHERE. */
static uint32_t *slot_makers(const struct plan *plan)
{
    uint32_t *makers = malloc((plan->slot_count + UINT64_C(1)) * sizeof(*makers));
    if (makers == NULL)
        return NULL;
    for (uint32_t i = 0; i < plan->slot_count; i++)
        makers[i] = PLACE_NOWHERE;
    for (uint32_t i = 0; i < plan->step_count; i++)
        for (uint32_t k = 0; k < plan->steps[i].node->output_count; k++)
            makers[plan->steps[i].first_output + k] = i;
    return makers;
}

/* The n-th value that a step needs from its own graph; PLACE_NOWHERE: from elsewhere. */
static uint32_t needed_slot(const struct step *step, uint32_t n)
{
    if (n >= step->node->input_count)
        return step->captures[n - step->node->input_count];
    const struct place *place = &step->inputs[n];
    return place->kind == PLACE_SLOT && place->up == 0 ? place->slot : PLACE_NOWHERE;
}

static uint32_t need_count(const struct step *step)
{
    return step->node->input_count + step->capture_count;
}

/* Goes from each step to those that it needs, deepest first, with a list of its own instead of calls inside calls. */
static bool order_from(struct plan *plan, const uint32_t *makers, uint32_t first, uint32_t *next, uint32_t *stack,
                       uint32_t *done)
{
    uint32_t depth = 0;
    stack[depth++] = first;
    next[first] = 1;
    while (depth > 0) {
        uint32_t number = stack[depth - 1];
        struct step *step = &plan->steps[number];
        if (next[number] > need_count(step)) {
            plan->order[(*done)++] = number;
            next[number] = UINT32_MAX;
            depth--;
            continue;
        }
        uint32_t slot = needed_slot(step, next[number]++ - 1);
        uint32_t maker = slot == PLACE_NOWHERE ? PLACE_NOWHERE : makers[slot];
        if (maker == PLACE_NOWHERE || next[maker] == UINT32_MAX)
            continue;
        if (next[maker] != 0)
            return false; /* it waits for itself */
        next[maker] = 1;
        stack[depth++] = maker;
    }
    return true;
}

static enum opshift_status order_steps(const struct planner *planner, struct plan *plan, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    uint32_t done = 0, count = plan->step_count;
    uint32_t *makers = slot_makers(plan), *next = calloc(count + UINT64_C(1), sizeof(*next)),
             *stack = malloc((count + UINT64_C(1)) * sizeof(*stack));
    plan->order = arena_alloc(planner->arena, count + UINT64_C(1), sizeof(*plan->order));
    if (makers == NULL || next == NULL || stack == NULL || plan->order == NULL)
        status = opshift_no_memory(error);
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        if (next[i] == 0 && !order_from(plan, makers, i, next, stack, &done))
            status = opshift_fail(error, OPSHIFT_MALFORMED, "%s: needs its own output, through the nodes before it",
                                  node_place(planner->model, plan->graph, plan->steps[i].node));
    free(makers);
    free(next);
    free(stack);
    return status;
}

/* ---- graphs ---- */

static enum opshift_status plan_new(const struct planner *planner, struct graph *graph, struct plan **made,
                                    struct opshift_error *error)
{
    struct plan *plan = arena_alloc(planner->arena, 1, sizeof(*plan));
    uint64_t slots = (uint64_t)graph->input_count + graph->initializer_count;
    *made = plan;
    if (plan == NULL)
        return opshift_no_memory(error);
    plan->graph = graph;
    plan->step_count = graph->node_count;
    plan->steps = arena_alloc(planner->arena, graph->node_count + UINT64_C(1), sizeof(*plan->steps));
    if (plan->steps == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        plan_node(planner, graph, &graph->nodes[i], &plan->steps[i]);
        plan->steps[i].first_output = (uint32_t)slots;
        slots += graph->nodes[i].output_count;
    }
    if (slots >= UINT32_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a graph of more than 2^32 values");
    plan->slot_count = (uint32_t)slots;
    plan->uses = arena_alloc(planner->arena, slots + 1, sizeof(*plan->uses));
    plan->input_slots = arena_alloc(planner->arena, graph->input_count + UINT64_C(1), sizeof(*plan->input_slots));
    plan->outputs = arena_alloc(planner->arena, graph->output_count + UINT64_C(1), sizeof(*plan->outputs));
    if (plan->uses == NULL || plan->input_slots == NULL || plan->outputs == NULL)
        return opshift_no_memory(error);
    if (graph->kind == GRAPH_MAIN)
        return OPSHIFT_OK;
    plan->initial = arena_alloc(planner->arena, graph->initializer_count + UINT64_C(1), sizeof(*plan->initial));
    return plan->initial == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status plan_outputs(const struct planner *planner, struct level *level, struct opshift_error *error)
{
    struct plan *plan = level->plan;
    const struct graph *graph = plan->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->input_count; i++) {
        struct definition definition = scope_find(planner->scopes, plan->graph, graph->inputs[i].name);
        bool shares = definition.kind == DEFINED_INITIALIZER && definition.graph == graph;
        plan->input_slots[i] = shares ? definition_slot(plan, &definition) : i;
    }
    for (uint32_t i = 0; i < graph->output_count && status == OPSHIFT_OK; i++) {
        status = find_place(planner, level, graph->outputs[i].name, &plan->outputs[i], error);
        if (status != OPSHIFT_OK)
            return opshift_within(error, status, "output %u", i);
    }
    return status;
}

static enum opshift_status plan_at(const struct planner *planner, struct level *level, struct graph *graph,
                                   struct opshift_error *error)
{
    enum opshift_status status = plan_new(planner, graph, &level->plan, error);
    if (status != OPSHIFT_OK)
        return status;
    struct plan *plan = level->plan;
    level->seen = calloc(plan->slot_count + UINT64_C(1), sizeof(*level->seen));
    if (level->seen == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < plan->step_count && status == OPSHIFT_OK; i++)
        status = plan_step(planner, level, &plan->steps[i], error);
    if (status == OPSHIFT_OK)
        status = plan_outputs(planner, level, error);
    if (status == OPSHIFT_OK)
        status = order_steps(planner, plan, error);
    free(level->seen);
    level->seen = NULL;
    return status;
}

enum opshift_status plan_graph(const struct planner *planner, struct graph *graph, struct plan **plan,
                               struct opshift_error *error)
{
    struct level level = {0};
    enum opshift_status status = plan_at(planner, &level, graph, error);
    *plan = level.plan;
    return status;
}
