/* Schedules a graph for execution: an order of its nodes, and the location of each node's inputs. */
#include "kernel/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* A graph being scheduled, nested in a node of another. */
struct schedule_level {
    struct schedule_level *parent;
    struct schedule *schedule;
    struct schedule_step *owner; /* the step whose body is being scheduled */
    uint32_t *seen;              /* per slot: number of the step that last captured it, from 1 */
};

static enum opshift_status schedule_at(const struct scheduler *scheduler, struct schedule_level *level,
                                       struct graph *graph, struct opshift_error *error);

/* ---- resolution of names ---- */

static uint32_t definition_slot(const struct schedule *schedule, const struct definition *definition)
{
    const struct graph *graph = schedule->graph;
    switch (definition->kind) {
    case DEFINED_INPUT:
        return definition->index;
    case DEFINED_INITIALIZER:
        return graph->input_count + definition->index;
    default:
        return schedule->steps[definition->index].first_output + definition->output;
    }
}

/* A body reads a value of an enclosing graph: counts as a use by the node that owns the body. */
static enum opshift_status note_capture(const struct scheduler *scheduler, struct schedule_level *level, uint32_t slot,
                                        struct opshift_error *error)
{
    struct schedule_step *owner = level->owner;
    uint32_t number = (uint32_t)(owner - level->schedule->steps) + 1;
    if (level->seen[slot] == number)
        return OPSHIFT_OK;
    level->seen[slot] = number;
    if (!arena_list_grow(scheduler->arena, &owner->captures, owner->capture_count, &owner->capture_room,
                         sizeof(*owner->captures)))
        return opshift_no_memory(error);
    owner->captures[owner->capture_count++] = slot;
    level->schedule->uses[slot]++;
    return OPSHIFT_OK;
}

static enum opshift_status find_place(const struct scheduler *scheduler, struct schedule_level *level, name_id name,
                                      struct slot_place *place, struct opshift_error *error)
{
    struct graph *graph = level->schedule->graph;
    *place = (struct slot_place){.kind = PLACE_ABSENT};
    if (name == NAME_NONE)
        return OPSHIFT_OK;
    struct definition definition = scope_find(scheduler->scopes, graph, name);
    struct schedule_level *at = level;
    for (; at != NULL && definition.kind != DEFINED_NOWHERE; at = at->parent, place->up++) {
        if (at->schedule->graph != definition.graph)
            continue;
        place->kind = PLACE_SLOT;
        place->slot = definition_slot(at->schedule, &definition);
        if (at != level)
            return note_capture(scheduler, at, place->slot, error);
        at->schedule->uses[place->slot]++;
        return OPSHIFT_OK;
    }
    return opshift_fail(error, OPSHIFT_MALFORMED, "'%s' is computed by no node and is no input",
                        names_text(scheduler->model->names, name));
}

/* ---- one node ---- */

static enum opshift_status schedule_bodies(const struct scheduler *scheduler, struct schedule_level *level,
                                           struct schedule_step *step, struct opshift_error *error)
{
    const struct node *node = step->node;
    enum opshift_status status = OPSHIFT_OK;
    step->bodies = arena_alloc(scheduler->arena, node_subgraph_count(node) + UINT64_C(1), sizeof(struct schedule *));
    if (step->bodies == NULL)
        return opshift_no_memory(error);
    level->owner = step;
    for (uint32_t i = 0; i < node_subgraph_count(node) && status == OPSHIFT_OK; i++) {
        struct schedule_level inner = {.parent = level};
        status = schedule_at(scheduler, &inner, node_subgraphs(node)[i], error);
        step->bodies[i] = inner.schedule;
    }
    return status;
}

void schedule_node(const struct scheduler *scheduler, struct graph *graph, const struct node *node,
                   struct schedule_step *step)
{
    step->node = node;
    step->op_type = names_text(scheduler->model->names, node->op_type);
    step->opset = graph_opset(scheduler->model, graph, node_domain(node));
    step->callee = scope_callee(scheduler->scopes, node);
    if (step->callee != NULL)
        return;
    const char *domain = names_text(scheduler->model->names, node_domain(node));
    step->schema = schema_find(domain, step->op_type, step->opset);
    step->kernel = kernel_find(step->schema, step->opset);
}

static enum opshift_status schedule_step(const struct scheduler *scheduler, struct schedule_level *level,
                                         struct schedule_step *step, struct opshift_error *error)
{
    const struct node *node = step->node;
    enum opshift_status status = OPSHIFT_OK;
    step->inputs = arena_alloc(scheduler->arena, node->input_count + UINT64_C(1), sizeof(*step->inputs));
    if (step->inputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node->input_count && status == OPSHIFT_OK; i++)
        status = find_place(scheduler, level, node_inputs(node)[i], &step->inputs[i], error);
    if (status == OPSHIFT_OK)
        status = schedule_bodies(scheduler, level, step, error);
    if (status == OPSHIFT_OK || status == OPSHIFT_MEMORY)
        return status;
    /* Only nested errors already start with their place. */
    return strncmp(error == NULL ? "" : error->text, "node ", 5) == 0
               ? status
               : opshift_within(error, status, "%s", node_place(scheduler->model, level->schedule->graph, node));
}

/* ---- order of execution ---- */

/* For each slot the step that produces it, or PLACE_NOWHERE. */
static uint32_t *slot_makers(const struct schedule *schedule)
{
    uint32_t *makers = malloc((schedule->slot_count + UINT64_C(1)) * sizeof(*makers));
    if (makers == NULL)
        return NULL;
    for (uint32_t i = 0; i < schedule->slot_count; i++)
        makers[i] = PLACE_NOWHERE;
    for (uint32_t i = 0; i < schedule->step_count; i++)
        for (uint32_t k = 0; k < schedule->steps[i].node->output_count; k++)
            makers[schedule->steps[i].first_output + k] = i;
    return makers;
}

/* The n-th value that a step reads from its own graph; PLACE_NOWHERE: from another. */
static uint32_t needed_slot(const struct schedule_step *step, uint32_t n)
{
    if (n >= step->node->input_count)
        return step->captures[n - step->node->input_count];
    const struct slot_place *place = &step->inputs[n];
    return place->kind == PLACE_SLOT && place->up == 0 ? place->slot : PLACE_NOWHERE;
}

static uint32_t need_count(const struct schedule_step *step)
{
    return step->node->input_count + step->capture_count;
}

/* Depth-first traversal of dependencies with an explicit stack. */
static bool order_from(struct schedule *schedule, const uint32_t *makers, uint32_t first, uint32_t *next,
                       uint32_t *stack, uint32_t *done)
{
    uint32_t depth = 0;
    stack[depth++] = first;
    next[first] = 1;
    while (depth > 0) {
        uint32_t number = stack[depth - 1];
        struct schedule_step *step = &schedule->steps[number];
        if (next[number] > need_count(step)) {
            schedule->order[(*done)++] = number;
            next[number] = UINT32_MAX;
            depth--;
            continue;
        }
        uint32_t slot = needed_slot(step, next[number]++ - 1);
        uint32_t maker = slot == PLACE_NOWHERE ? PLACE_NOWHERE : makers[slot];
        if (maker == PLACE_NOWHERE || next[maker] == UINT32_MAX)
            continue;
        if (next[maker] != 0)
            return false; /* a cycle */
        next[maker] = 1;
        stack[depth++] = maker;
    }
    return true;
}

static enum opshift_status order_steps(const struct scheduler *scheduler, struct schedule *schedule,
                                       struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    uint32_t done = 0, count = schedule->step_count;
    uint32_t *makers = slot_makers(schedule), *next = calloc(count + UINT64_C(1), sizeof(*next)),
             *stack = malloc((count + UINT64_C(1)) * sizeof(*stack));
    schedule->order = arena_alloc(scheduler->arena, count + UINT64_C(1), sizeof(*schedule->order));
    if (makers == NULL || next == NULL || stack == NULL || schedule->order == NULL)
        status = opshift_no_memory(error);
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        if (next[i] == 0 && !order_from(schedule, makers, i, next, stack, &done))
            status = opshift_fail(error, OPSHIFT_MALFORMED, "%s: needs its own output, through the nodes before it",
                                  node_place(scheduler->model, schedule->graph, schedule->steps[i].node));
    free(makers);
    free(next);
    free(stack);
    return status;
}

/* ---- graphs ---- */

static enum opshift_status schedule_new(const struct scheduler *scheduler, struct graph *graph, struct schedule **made,
                                        struct opshift_error *error)
{
    struct schedule *schedule = arena_alloc(scheduler->arena, 1, sizeof(*schedule));
    uint64_t slots = (uint64_t)graph->input_count + graph->initializer_count;
    *made = schedule;
    if (schedule == NULL)
        return opshift_no_memory(error);
    schedule->graph = graph;
    schedule->step_count = graph->node_count;
    schedule->steps = arena_alloc(scheduler->arena, graph->node_count + UINT64_C(1), sizeof(*schedule->steps));
    if (schedule->steps == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        schedule_node(scheduler, graph, &graph->nodes[i], &schedule->steps[i]);
        schedule->steps[i].first_output = (uint32_t)slots;
        slots += graph->nodes[i].output_count;
    }
    if (slots >= UINT32_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a graph of more than 2^32 values");
    schedule->slot_count = (uint32_t)slots;
    schedule->uses = arena_alloc(scheduler->arena, slots + 1, sizeof(*schedule->uses));
    schedule->input_slots =
        arena_alloc(scheduler->arena, graph->input_count + UINT64_C(1), sizeof(*schedule->input_slots));
    schedule->outputs = arena_alloc(scheduler->arena, graph->output_count + UINT64_C(1), sizeof(*schedule->outputs));
    if (schedule->uses == NULL || schedule->input_slots == NULL || schedule->outputs == NULL)
        return opshift_no_memory(error);
    if (graph->kind == GRAPH_MAIN)
        return OPSHIFT_OK;
    schedule->initial =
        arena_alloc(scheduler->arena, graph->initializer_count + UINT64_C(1), sizeof(*schedule->initial));
    return schedule->initial == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status schedule_outputs(const struct scheduler *scheduler, struct schedule_level *level,
                                            struct opshift_error *error)
{
    struct schedule *schedule = level->schedule;
    const struct graph *graph = schedule->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->input_count; i++) {
        struct definition definition = scope_find(scheduler->scopes, schedule->graph, graph->inputs[i].name);
        bool shares = definition.kind == DEFINED_INITIALIZER && definition.graph == graph;
        schedule->input_slots[i] = shares ? definition_slot(schedule, &definition) : i;
    }
    for (uint32_t i = 0; i < graph->output_count && status == OPSHIFT_OK; i++) {
        status = find_place(scheduler, level, graph->outputs[i].name, &schedule->outputs[i], error);
        if (status)
            return opshift_within(error, status, "output %u", i);
    }
    return status;
}

static enum opshift_status schedule_at(const struct scheduler *scheduler, struct schedule_level *level,
                                       struct graph *graph, struct opshift_error *error)
{
    enum opshift_status status = schedule_new(scheduler, graph, &level->schedule, error);
    if (status)
        return status;
    struct schedule *schedule = level->schedule;
    level->seen = calloc(schedule->slot_count + UINT64_C(1), sizeof(*level->seen));
    if (level->seen == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < schedule->step_count && status == OPSHIFT_OK; i++)
        status = schedule_step(scheduler, level, &schedule->steps[i], error);
    if (status == OPSHIFT_OK)
        status = schedule_outputs(scheduler, level, error);
    if (status == OPSHIFT_OK)
        status = order_steps(scheduler, schedule, error);
    free(level->seen);
    level->seen = NULL;
    return status;
}

enum opshift_status schedule_graph(const struct scheduler *scheduler, struct graph *graph, struct schedule **schedule,
                                   struct opshift_error *error)
{
    struct schedule_level level = {0};
    enum opshift_status status = schedule_at(scheduler, &level, graph, error);
    *schedule = level.schedule;
    return status;
}
