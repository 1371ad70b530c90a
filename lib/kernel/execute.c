/* Runs graphs with the built-in kernels: the main graph, a body, a function, or a single node. */
#include "kernel/execute.h"

#include <stdlib.h>
#include <string.h>

#include "schema/schema.h"

/* Attributes of a node up to this size are decoded once and kept. */
#define KEPT_BYTES_MAX (UINT64_C(1) << 16)

struct execution {
    struct opshift_model *model;
    struct execution_options options;
    struct scheduler scheduler;
    struct budget own, *budget;
    struct schedule **schedules; /* by graph->number; NULL: not yet run */
    bool placed;                 /* the error already names its place */
    bool guessed;                /* as of execution_guessed */
};

/* The attributes that a call gives its function. */
struct call_attributes {
    Onnx__AttributeProto **attributes;
    size_t count;
    bool open; /* the list may be incomplete */
};

/* The state of a running graph. */
struct frame {
    struct schedule *schedule;
    struct frame *parent; /* frame of the enclosing graph; NULL: none */
    const struct call_attributes *parameters;
    struct value *values;
    uint32_t *remaining; /* per slot: remaining reads */
    uint64_t size;       /* bytes of both arrays, counted in the budget */
    uint32_t depth;
};

/* The state of a running node, used by its kernel to run bodies. */
struct running_node {
    struct execution *execution;
    struct frame *frame;
    struct schedule_step *step;
};

enum opshift_status execution_new(struct opshift_model *model, struct scopes *scopes,
                                  const struct execution_options *options, struct execution **made,
                                  struct opshift_error *error)
{
    struct execution *execution = malloc(sizeof(*execution));
    *made = execution;
    if (execution == NULL)
        return opshift_no_memory(error);
    *execution = (struct execution){.model = model, .scheduler = {.model = model, .scopes = scopes}};
    if (options != NULL)
        execution->options = *options;
    options = &execution->options;
    execution->options.depth = options->depth == 0 ? EXECUTE_DEPTH : options->depth;
    execution->own = (struct budget){.bytes_max = options->memory == 0 ? BUDGET_MEMORY_DEFAULT : options->memory,
                                     .steps_max = options->steps == 0 ? BUDGET_STEPS_DEFAULT : options->steps,
                                     .progress = options->progress,
                                     .progress_data = options->progress_data};
    execution->budget = options->budget == NULL ? &execution->own : options->budget;
    return OPSHIFT_OK;
}

/* Running a single node without bodies needs no schedule. False: no memory. */
static bool scheduler_start(struct scheduler *scheduler)
{
    if (scheduler->arena == NULL)
        scheduler->arena = arena_new(0);
    return scheduler->arena != NULL;
}

static void schedule_end(struct schedule *schedule)
{
    if (schedule == NULL)
        return;
    for (uint32_t i = 0; schedule->initial != NULL && i < schedule->graph->initializer_count; i++)
        value_drop(&schedule->initial[i]);
    for (uint32_t i = 0; i < schedule->step_count; i++)
        for (uint32_t k = 0; schedule->steps[i].bodies != NULL && k < node_subgraph_count(schedule->steps[i].node); k++)
            schedule_end(schedule->steps[i].bodies[k]);
}

void execution_free(struct execution *execution)
{
    if (execution == NULL)
        return;
    for (uint32_t i = 0; execution->schedules != NULL && i < execution->model->graph_count; i++)
        schedule_end(execution->schedules[i]);
    free(execution->schedules);
    arena_free(execution->scheduler.arena);
    free(execution);
}

bool execution_guessed(const struct execution *execution)
{
    return execution->guessed;
}

struct budget *execution_budget(struct execution *execution)
{
    return execution->budget;
}

/* A full arena fails like an allocation; this distinguishes the budget's limit from a lack of memory. */
static enum opshift_status judge_memory(struct execution *execution, struct holder *holder, enum opshift_status status,
                                        struct opshift_error *error)
{
    bool fits = holder_finish(holder);
    if (status == OPSHIFT_OK)
        return fits ? OPSHIFT_OK : budget_no_bytes(execution->budget, error);
    if (status == OPSHIFT_MEMORY && arena_was_full(holder_arena(holder)))
        return budget_no_bytes(execution->budget, error);
    return status;
}

/* ---- values ---- */

static enum opshift_status read_initializer(struct execution *execution, const struct initializer *initializer,
                                            struct value *value, struct opshift_error *error)
{
    struct tensor *tensor = NULL;
    struct holder *holder = holder_new(execution->budget);
    if (holder == NULL)
        return opshift_no_memory(error);
    enum opshift_status status =
        initializer_tensor(execution->model, initializer, 0, holder_arena(holder), &tensor, error);
    status = judge_memory(execution, holder, status, error);
    if (status) {
        holder_drop(holder);
        return status;
    }
    *value = (struct value){.kind = VALUE_TENSOR, .tensor = tensor, .holder = holder};
    return OPSHIFT_OK;
}

/* The value of a slot; an initializer is loaded at its first use. */
static enum opshift_status slot_value(struct execution *execution, struct frame *frame, uint32_t slot,
                                      struct value *value, struct opshift_error *error)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): slots never refer to a frame above the outermost. */
    struct schedule *schedule = frame->schedule;
    struct value *here = &frame->values[slot];
    enum opshift_status status = OPSHIFT_OK;
    if (here->kind == VALUE_ABSENT && schedule_is_initializer(schedule, slot)) {
        uint32_t index = slot - schedule->graph->input_count;
        struct value *kept = schedule->initial == NULL ? here : &schedule->initial[index];
        if (kept->kind == VALUE_ABSENT)
            status = read_initializer(execution, &schedule->graph->initializers[index], kept, error);
        if (status == OPSHIFT_OK && kept != here)
            *here = value_keep(*kept);
    }
    *value = *here;
    return status;
}

/* The frame keeps ownership; the value may be absent. */
static enum opshift_status place_value(struct execution *execution, struct frame *frame, const struct slot_place *place,
                                       struct value *value, struct opshift_error *error)
{
    *value = (struct value){0};
    if (place->kind == PLACE_ABSENT)
        return OPSHIFT_OK;
    for (uint32_t up = place->up; up > 0; up--)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the same. */
        frame = frame->parent;
    return slot_value(execution, frame, place->slot, value, error);
}

/* Counts a read; drops the value after the last one. */
static void slot_used(struct frame *frame, uint32_t slot)
{
    if (--frame->remaining[slot] == 0)
        value_drop(&frame->values[slot]);
}

static void step_used(struct frame *frame, const struct schedule_step *step)
{
    for (uint32_t i = 0; i < step->node->input_count; i++)
        if (step->inputs[i].kind == PLACE_SLOT && step->inputs[i].up == 0)
            slot_used(frame, step->inputs[i].slot);
    for (uint32_t i = 0; i < step->capture_count; i++)
        slot_used(frame, step->captures[i]);
}

/* ---- attributes ---- */

static enum opshift_status read_attributes(struct execution *execution, struct schedule_step *step, struct arena *arena,
                                           struct call_attributes *read, struct opshift_error *error)
{
    struct attribute_list own = {.model = execution->model, .node = step->node, .arena = arena};
    struct attribute_list *shared = execution->options.attributes, *list = &own;
    if (shared != NULL && shared->node == step->node && range_size(step->node->range) <= KEPT_BYTES_MAX)
        list = shared;
    enum opshift_status status = attribute_list_read(list, error);
    if (status)
        return status;
    Onnx__AttributeProto **attributes = arena_alloc(arena, list->count + 1, sizeof(Onnx__AttributeProto *));
    if (attributes == NULL)
        return opshift_no_memory(error);
    *read = (struct call_attributes){.attributes = attributes};
    for (size_t i = 0; i < list->count && status == OPSHIFT_OK; i++)
        if (!attribute_is_graph(list->ranges[i].type))
            status = attribute_list_decode(list, i, &attributes[read->count++], error);
    return status;
}

static Onnx__AttributeProto *find_parameter(const struct call_attributes *parameters, ProtobufCBinaryData name)
{
    for (size_t i = 0; parameters != NULL && i < parameters->count; i++)
        if (bytes_same(bytes_of(parameters->attributes[i]->name), bytes_of(name)))
            return parameters->attributes[i];
    return NULL;
}

/* Replaces a reference to a parameter by the call's value; without a value, the attribute is absent. */
static enum opshift_status resolve(const struct call_attributes *read, const struct call_attributes *given,
                                   struct arena *arena, struct call_attributes *resolved, struct opshift_error *error)
{
    Onnx__AttributeProto **attributes = arena_alloc(arena, read->count + 1, sizeof(Onnx__AttributeProto *));
    if (attributes == NULL)
        return opshift_no_memory(error);
    *resolved = (struct call_attributes){.attributes = attributes};
    for (size_t i = 0; i < read->count; i++) {
        Onnx__AttributeProto *attribute = read->attributes[i];
        if (attribute->ref_attr_name.len > 0) {
            const Onnx__AttributeProto *value = find_parameter(given, attribute->ref_attr_name);
            Onnx__AttributeProto *copy = value == NULL ? NULL : arena_copy(arena, value, sizeof(*value));
            if (value == NULL && given != NULL && given->open)
                return opshift_fail(error, OPSHIFT_UNSUPPORTED, "it depends on a parameter of its function");
            if (value == NULL)
                continue;
            if (copy == NULL)
                return opshift_no_memory(error);
            copy->name = attribute->name;
            attribute = copy;
        }
        attributes[resolved->count++] = attribute;
    }
    return OPSHIFT_OK;
}

static enum opshift_status step_attributes(struct execution *execution, struct frame *frame, struct schedule_step *step,
                                           struct arena *arena, struct call_attributes *attributes,
                                           struct opshift_error *error)
{
    struct call_attributes read = {.attributes = step->attributes, .count = step->attribute_count};
    enum opshift_status status = OPSHIFT_OK;
    if (step->attributes == NULL) {
        bool keep = !step->once && range_size(step->node->range) <= KEPT_BYTES_MAX;
        status = budget_steps(execution->budget, range_size(step->node->range), 2, error);
        if (status)
            return status;
        status = read_attributes(execution, step, keep ? execution->scheduler.arena : arena, &read, error);
        if (status == OPSHIFT_OK && keep) {
            step->attributes = (Onnx__AttributeProto **)read.attributes;
            step->attribute_count = read.count;
        }
    }
    *attributes = read;
    bool refers = status == OPSHIFT_OK && !step->once && frame->parameters != NULL;
    for (size_t i = 0; status == OPSHIFT_OK && refers && i < read.count; i++)
        status = budget_steps(execution->budget, 1 + read.attributes[i]->ref_attr_name.len / 8,
                              frame->parameters->count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < read.count; i++)
        if (read.attributes[i]->ref_attr_name.len > 0)
            return resolve(&read, frame->parameters, arena, attributes, error);
    return status;
}

/* ---- graphs ---- */

static enum opshift_status run_step(struct execution *execution, struct frame *frame, struct schedule_step *step,
                                    const struct value *inputs, struct value *outputs, struct opshift_error *error);

static enum opshift_status run_in_frame(struct execution *execution, struct frame *frame, struct schedule_step *step,
                                        struct opshift_error *error)
{
    const struct node *node = step->node;
    struct value few[8] = {{0}}, *inputs = few, *outputs = &frame->values[step->first_output];
    enum opshift_status status = OPSHIFT_OK;
    if (node->input_count > COUNT(few))
        inputs = calloc(node->input_count, sizeof(*inputs));
    if (inputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node->input_count && status == OPSHIFT_OK; i++)
        status = place_value(execution, frame, &step->inputs[i], &inputs[i], error);
    if (status == OPSHIFT_OK)
        status = run_step(execution, frame, step, inputs, outputs, error);
    if (inputs != few)
        free(inputs);
    if (status) {
        if (!execution->placed && status != OPSHIFT_MEMORY)
            opshift_within(error, status, "%s", node_place(execution->model, frame->schedule->graph, node));
        execution->placed = true;
        return status;
    }
    step_used(frame, step);
    for (uint32_t i = 0; i < node->output_count; i++)
        if (frame->remaining[step->first_output + i] == 0)
            value_drop(&outputs[i]);
    return OPSHIFT_OK;
}

static enum opshift_status frame_outputs(struct execution *execution, struct frame *frame, struct value *outputs,
                                         struct opshift_error *error)
{
    const struct graph *graph = frame->schedule->graph;
    for (uint32_t i = 0; i < graph->output_count; i++) {
        struct value value;
        enum opshift_status status = place_value(execution, frame, &frame->schedule->outputs[i], &value, error);
        if (status == OPSHIFT_OK && value.kind == VALUE_ABSENT)
            status = opshift_fail(error, OPSHIFT_MALFORMED, "output '%s' has no value",
                                  names_text(execution->model->names, graph->outputs[i].name));
        if (status) {
            values_drop(outputs, i);
            return status;
        }
        outputs[i] = value_keep(value);
    }
    return OPSHIFT_OK;
}

static void frame_end(struct execution *execution, struct frame *frame)
{
    budget_return(execution->budget, frame->size);
    if (frame->values != NULL)
        values_drop(frame->values, frame->schedule->slot_count);
    free(frame->values);
    free(frame->remaining);
}

static enum opshift_status frame_start(struct execution *execution, struct frame *frame, const struct value *inputs,
                                       struct opshift_error *error)
{
    struct schedule *schedule = frame->schedule;
    if (frame->depth > execution->options.depth)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "graphs and functions run more than %u deep inside each other",
                            execution->options.depth);
    uint64_t slots = schedule->slot_count + UINT64_C(1), entries = slots + schedule->graph->output_count;
    enum opshift_status status = budget_steps(execution->budget, entries, STEPS_ENTRY, error);
    if (status == OPSHIFT_OK)
        status = budget_steps(execution->budget, 1, STEPS_NODE, error);
    if (status == OPSHIFT_OK)
        status = budget_bytes(execution->budget, slots * (sizeof(*frame->values) + sizeof(*frame->remaining)), error);
    if (status)
        return status;
    frame->size = slots * (sizeof(*frame->values) + sizeof(*frame->remaining));
    frame->values = calloc(slots, sizeof(*frame->values));
    frame->remaining = malloc(slots * sizeof(*frame->remaining));
    if (frame->values == NULL || frame->remaining == NULL)
        return opshift_no_memory(error);
    memcpy(frame->remaining, schedule->uses, schedule->slot_count * sizeof(*frame->remaining));
    for (uint32_t i = 0; i < schedule->graph->input_count; i++)
        if (frame->remaining[schedule->input_slots[i]] > 0)
            frame->values[schedule->input_slots[i]] = value_keep(inputs[i]);
    return OPSHIFT_OK;
}

/* Runs a scheduled graph in a new frame. */
static enum opshift_status run_frame(struct execution *execution, struct frame *frame, const struct value *inputs,
                                     struct value *outputs, struct opshift_error *error)
{
    struct schedule *schedule = frame->schedule;
    enum opshift_status status = frame_start(execution, frame, inputs, error);
    for (uint32_t i = 0; i < schedule->step_count && status == OPSHIFT_OK; i++)
        status = run_in_frame(execution, frame, &schedule->steps[schedule->order[i]], error);
    if (status == OPSHIFT_OK)
        status = frame_outputs(execution, frame, outputs, error);
    frame_end(execution, frame);
    return status;
}

/* ---- bodies ---- */

static enum opshift_status find_body(const struct running_node *running, const char *attribute,
                                     struct schedule **schedule, struct opshift_error *error)
{
    const struct schedule_step *step = running->step;
    *schedule = NULL;
    for (uint32_t i = 0; i < node_subgraph_count(step->node); i++) {
        name_id name = node_subgraphs(step->node)[i]->owner_attribute;
        if (strcmp(names_text(running->execution->model->names, name), attribute) == 0)
            *schedule = step->bodies[i];
    }
    if (*schedule == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' is required and absent", attribute);
    return OPSHIFT_OK;
}

enum opshift_status body_measure(const struct kernel_call *call, const char *attribute, uint32_t *input_count,
                                 uint32_t *output_count, struct opshift_error *error)
{
    struct schedule *schedule = NULL;
    if (call->running == NULL || call->values == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "its body cannot be run here");
    enum opshift_status status = find_body(call->running, attribute, &schedule, error);
    if (status == OPSHIFT_OK) {
        *input_count = schedule->graph->input_count;
        *output_count = schedule->graph->output_count;
    }
    return status;
}

enum opshift_status body_declared(const struct running_node *running, const char *attribute, uint32_t output,
                                  struct arena *arena, struct value_type *type, struct opshift_error *error)
{
    struct schedule *schedule = NULL;
    enum opshift_status status = find_body(running, attribute, &schedule, error);
    *type = (struct value_type){.rank = -1};
    if (status || output >= schedule->graph->output_count)
        return status;
    status = budget_steps(running->execution->budget, range_size(schedule->graph->outputs[output].range), 2, error);
    if (status == OPSHIFT_OK)
        status = value_info_type(running->execution->model, &schedule->graph->outputs[output], arena, type, error);
    bool whole = type->type != OPSHIFT_TYPE_UNDEFINED && type->rank >= 0;
    for (int32_t i = 0; whole && i < type->rank; i++)
        whole = type->dims[i] >= 0;
    running->execution->guessed |= !whole;
    return status;
}

enum opshift_status body_run(const struct running_node *running, const char *attribute, const struct value *inputs,
                             uint32_t input_count, struct value *outputs, uint32_t output_count,
                             struct opshift_error *error)
{
    struct frame frame = {
        .parent = running->frame, .parameters = running->frame->parameters, .depth = running->frame->depth + 1};
    enum opshift_status status = find_body(running, attribute, &frame.schedule, error);
    if (status)
        return status;
    if (input_count != frame.schedule->graph->input_count || output_count != frame.schedule->graph->output_count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s has %u inputs and %u outputs, must have %u and %u", attribute,
                            frame.schedule->graph->input_count, frame.schedule->graph->output_count, input_count,
                            output_count);
    return run_frame(running->execution, &frame, inputs, outputs, error);
}

/* ---- functions ---- */

static enum opshift_status graph_schedule(struct execution *execution, struct graph *graph, struct schedule **schedule,
                                          struct opshift_error *error)
{
    if (execution->schedules == NULL)
        execution->schedules = calloc(execution->model->graph_count, sizeof(struct schedule *));
    if (execution->schedules == NULL || !scheduler_start(&execution->scheduler))
        return opshift_no_memory(error);
    *schedule = execution->schedules[graph->number];
    if (*schedule != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = schedule_graph(&execution->scheduler, graph, schedule, error);
    if (status == OPSHIFT_OK)
        execution->schedules[graph->number] = *schedule;
    else
        execution->placed = true;
    return status;
}

/* The call's attributes, and the function's defaults for the others. */
static enum opshift_status call_parameters(struct execution *execution, const struct function *function,
                                           const struct call_attributes *given, struct arena *arena,
                                           struct call_attributes *parameters, struct opshift_error *error)
{
    enum opshift_status status = budget_steps(execution->budget, function->default_count,
                                              (uint64_t)given->count * STEPS_ENTRY + STEPS_ITEM, error);
    if (status)
        return status;
    Onnx__AttributeProto **all =
        arena_alloc(arena, given->count + function->default_count + UINT64_C(1), sizeof(Onnx__AttributeProto *));
    if (all == NULL)
        return opshift_no_memory(error);
    if (given->attributes != NULL)
        memcpy(all, given->attributes, given->count * sizeof(Onnx__AttributeProto *));
    *parameters = (struct call_attributes){.attributes = all, .count = given->count};
    for (uint32_t i = 0; i < function->default_count; i++) {
        Onnx__AttributeProto *value = NULL;
        status = budget_steps(execution->budget, range_size(function->defaults[i]), 2, error);
        if (status == OPSHIFT_OK)
            status = range_decode(execution->model, function->defaults[i], &onnx__attribute_proto__descriptor, arena,
                                  &value, error);
        if (status)
            return status;
        if (find_parameter(given, value->name) == NULL)
            all[parameters->count++] = value;
    }
    return OPSHIFT_OK;
}

static enum opshift_status run_call(struct execution *execution, struct frame *around, struct schedule_step *step,
                                    const struct value *inputs, struct value *outputs, struct opshift_error *error)
{
    const struct graph *body = step->callee->body;
    struct arena *arena = arena_new(execution->budget->bytes_max);
    uint64_t count = (uint64_t)body->input_count + body->output_count + 1;
    struct value *all = calloc(count, sizeof(*all));
    struct call_attributes given, parameters;
    struct frame frame = {.parameters = &parameters, .depth = around->depth + 1};
    enum opshift_status status = arena == NULL || all == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = budget_steps(execution->budget, count, STEPS_ENTRY, error);
    if (status == OPSHIFT_OK &&
        (step->node->input_count > body->input_count || step->node->output_count > body->output_count))
        status =
            opshift_fail(error, OPSHIFT_MALFORMED, "gives %u inputs and takes %u outputs; its function has %u and %u",
                         step->node->input_count, step->node->output_count, body->input_count, body->output_count);
    if (status == OPSHIFT_OK)
        status = step_attributes(execution, around, step, arena, &given, error);
    if (status == OPSHIFT_OK)
        status = call_parameters(execution, step->callee, &given, arena, &parameters, error);
    if (status == OPSHIFT_OK)
        status = graph_schedule(execution, step->callee->body, &frame.schedule, error);
    if (status == OPSHIFT_OK) {
        struct value *made = all + body->input_count;
        if (step->node->input_count > 0)
            memcpy(all, inputs, step->node->input_count * sizeof(*inputs));
        status = run_frame(execution, &frame, all, made, error);
        for (uint32_t i = 0; status == OPSHIFT_OK && i < body->output_count; i++) {
            if (i < step->node->output_count && node_outputs(step->node)[i] != NAME_NONE)
                outputs[i] = made[i];
            else
                value_drop(&made[i]);
        }
    }
    if (status == OPSHIFT_MEMORY && arena != NULL && arena_was_full(arena))
        status = budget_no_bytes(execution->budget, error);
    free(all);
    arena_free(arena);
    return status;
}

/* ---- nodes ---- */

/* A tensor may share elements with an input, and strings with any string input: holds these inputs. */
static bool hold_sources(struct holder *holder, const struct tensor *output, const struct value *inputs, uint32_t count,
                         bool *is_view)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct tensor *input = inputs[i].tensor;
        if (inputs[i].kind == VALUE_SEQUENCE && output->type == OPSHIFT_TYPE_STRING &&
            !holder_hold(holder, inputs[i].holder))
            return false;
        if (inputs[i].kind != VALUE_TENSOR)
            continue;
        bool shares = input->data == output->data;
        if ((shares || (input->type == OPSHIFT_TYPE_STRING && output->type == OPSHIFT_TYPE_STRING)) &&
            !holder_share(holder, inputs[i].holder))
            return false;
        *is_view = *is_view || shares;
    }
    return true;
}

/* The cost of comparing each output with each input (hold_sources). */
static enum opshift_status charge_outputs(struct execution *execution, const struct node *node,
                                          struct opshift_error *error)
{
    return budget_steps(execution->budget, (uint64_t)node->input_count * node->output_count, STEPS_ENTRY / 2, error);
}

/* Converts the kernel's tensors to values, owned by the holder unless they have another owner. */
static enum opshift_status take_outputs(struct holder *holder, const struct kernel_call *call, struct value *outputs,
                                        struct opshift_error *error)
{
    bool all_views = true;
    for (uint32_t i = 0; i < call->output_count; i++) {
        struct value *value = &outputs[i];
        bool is_view = false;
        if (value->kind == VALUE_ABSENT && call->wanted[i])
            *value = value_of(call->outputs[i]);
        if (value->kind == VALUE_ABSENT || value->holder != NULL)
            continue;
        value->holder = holder;
        *value = value_keep(*value);
        if (value->kind == VALUE_TENSOR &&
            !hold_sources(holder, value->tensor, call->values, call->input_count, &is_view))
            return opshift_no_memory(error);
        if (value->kind == VALUE_SEQUENCE && !holder_hold_items(holder, value->sequence->items, value->sequence->count))
            return opshift_no_memory(error);
        all_views = all_views && is_view;
    }
    if (all_views)
        holder_set_view(holder);
    return OPSHIFT_OK;
}

static enum opshift_status call_kernel(struct execution *execution, struct frame *frame, struct schedule_step *step,
                                       struct holder *holder, const struct value *values, struct value *outputs,
                                       struct opshift_error *error)
{
    const struct node *node = step->node;
    struct arena *arena = holder_arena(holder);
    struct running_node running = {execution, frame, step};
    struct call_attributes attributes;
    enum opshift_status status = step_attributes(execution, frame, step, arena, &attributes, error);
    const struct tensor **inputs = arena_alloc(arena, node->input_count + UINT64_C(1), sizeof(*inputs));
    bool *wanted = arena_alloc(arena, node->output_count + UINT64_C(1), sizeof(*wanted));
    struct tensor **made = arena_alloc(arena, node->output_count + UINT64_C(1), sizeof(*made));
    if (status == OPSHIFT_OK && (inputs == NULL || wanted == NULL || made == NULL))
        status = opshift_no_memory(error);
    if (status)
        return status;
    for (uint32_t i = 0; i < node->input_count; i++)
        inputs[i] = values[i].kind == VALUE_TENSOR ? values[i].tensor : NULL;
    for (uint32_t i = 0; i < node->output_count; i++)
        wanted[i] = node_outputs(node)[i] != NAME_NONE;
    struct kernel_call call = {
        .operation = {.schema = step->schema,
                      .opset = step->opset,
                      .attributes = {.messages = attributes.attributes, .count = attributes.count}},
        .op_type = step->op_type,
        .inputs = inputs,
        .input_count = node->input_count,
        .outputs = made,
        .wanted = wanted,
        .output_count = node->output_count,
        .arena = arena,
        .budget = execution->budget,
        .defined = execution->options.defined,
        .strict = execution->options.checks_types,
        .values = values,
        .results = outputs,
        .running = &running,
    };
    status = charge_outputs(execution, node, error);
    if (status == OPSHIFT_OK)
        status = kernel_call(step->kernel, &call, error);
    return status == OPSHIFT_OK ? take_outputs(holder, &call, outputs, error) : status;
}

static enum opshift_status run_kernel(struct execution *execution, struct frame *frame, struct schedule_step *step,
                                      const struct value *inputs, struct value *outputs, struct opshift_error *error)
{
    struct holder *holder = holder_new(execution->budget);
    if (holder == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = call_kernel(execution, frame, step, holder, inputs, outputs, error);
    if (!execution->placed)
        status = judge_memory(execution, holder, status, error);
    if (status)
        values_drop(outputs, step->node->output_count);
    holder_drop(holder);
    return status;
}

/* Counts overhead per node: lists of inputs or attributes may be long. */
static enum opshift_status charge_step(struct execution *execution, const struct schedule_step *step,
                                       struct opshift_error *error)
{
    const struct node *node = step->node;
    uint64_t entries = (uint64_t)node->input_count + node->output_count + step->capture_count + step->attribute_count +
                       node_subgraph_count(node);
    enum opshift_status status = budget_steps(execution->budget, 1, STEPS_NODE, error);
    return status == OPSHIFT_OK ? budget_steps(execution->budget, entries, STEPS_ENTRY, error) : status;
}

static enum opshift_status run_step(struct execution *execution, struct frame *frame, struct schedule_step *step,
                                    const struct value *inputs, struct value *outputs, struct opshift_error *error)
{
    enum opshift_status status = charge_step(execution, step, error);
    if (status)
        return status;
    if (step->callee != NULL)
        return run_call(execution, frame, step, inputs, outputs, error);
    if (step->kernel != NULL)
        return run_kernel(execution, frame, step, inputs, outputs, error);
    if (node_domain(step->node) != NAME_NONE)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "there is no built-in kernel for %s.%s",
                            names_text(execution->model->names, node_domain(step->node)), step->op_type);
    return opshift_fail(error, OPSHIFT_UNSUPPORTED, "there is no built-in kernel for %s at opset %lld", step->op_type,
                        (long long)step->opset);
}

enum opshift_status execution_run(struct execution *execution, struct graph *graph, const struct value *inputs,
                                  struct value *outputs, struct opshift_error *error)
{
    struct frame frame = {0};
    execution->placed = false;
    enum opshift_status status = graph_schedule(execution, graph, &frame.schedule, error);
    return status == OPSHIFT_OK ? run_frame(execution, &frame, inputs, outputs, error) : status;
}

/* The bodies of a node that is run alone: they may read nothing of the graph around them. */
static enum opshift_status schedule_alone(struct execution *execution, struct schedule_step *step,
                                          struct opshift_error *error)
{
    const struct node *node = step->node;
    if (node_subgraph_count(node) == 0)
        return OPSHIFT_OK;
    struct opshift_error wrong = {0};
    enum opshift_status status = OPSHIFT_OK;
    if (scheduler_start(&execution->scheduler))
        step->bodies = arena_alloc(execution->scheduler.arena, node_subgraph_count(node), sizeof(struct schedule *));
    if (step->bodies == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node_subgraph_count(node) && status == OPSHIFT_OK; i++)
        status = graph_schedule(execution, node_subgraphs(node)[i], &step->bodies[i], &wrong);
    execution->placed = false;
    if (status == OPSHIFT_MALFORMED)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a body of %s cannot be run alone: %s", step->op_type,
                            wrong.text);
    return error_give(error, status, &wrong);
}

enum opshift_status execution_node(struct execution *execution, struct graph *graph, const struct node *node,
                                   const struct value *inputs, struct value *outputs, struct opshift_error *error)
{
    const struct execution_options *options = &execution->options;
    const struct call_attributes parameters = {options->parameters, options->parameter_count, options->parameters_open};
    struct schedule around = {.graph = graph};
    struct frame frame = {.schedule = &around, .parameters = &parameters};
    struct schedule_step step = {.once = true};
    execution->placed = false;
    schedule_node(&execution->scheduler, graph, node, &step);
    enum opshift_status status = schedule_alone(execution, &step, error);
    if (status)
        return status;
    status = run_step(execution, &frame, &step, inputs, outputs, error);
    return status == OPSHIFT_OK || step.kernel == NULL ? status : opshift_within(error, status, "%s", step.op_type);
}
