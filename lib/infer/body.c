/* Types across the boundaries of bodies: If, Loop and Scan. For a loop-carried value, only the parts of the initial
 * shape that every iteration preserves are kept. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "infer/known.h"
#include "infer/shape.h"

/* Maximum inferences of a loop body before the shapes of all carried values are set to unknown. */
#define ROUNDS_MAX 6u

/* The node whose bodies are inferred. Types are stored by number, as bodies use the scratch memory. */
struct body_work {
    struct pass *pass;
    struct types *types;
    struct graph *graph;
    const struct node *node;
    uint32_t index;
};

struct body_rule {
    enum operator_id id;
    enum opshift_status (*infer)(struct body_work *work);
};

static struct graph *subgraph_find(const struct body_work *work, const char *attribute)
{
    size_t size = strlen(attribute);
    uint32_t count = node_subgraph_count(work->node);
    for (uint32_t i = 0; i < count; i++)
        if (names_is(work->types->model->names, node_subgraphs(work->node)[i]->owner_attribute, attribute, size))
            return node_subgraphs(work->node)[i];
    return NULL;
}

static uint32_t input_number(const struct body_work *work, uint32_t position)
{
    if (position >= work->node->input_count)
        return 0;
    return value_number(work->types, work->graph, node_inputs(work->node)[position]);
}

/* 0: no such output. */
static uint32_t body_output(const struct body_work *work, struct graph *body, uint32_t position)
{
    if (body == NULL || position >= body->output_count)
        return 0;
    return value_number(work->types, body, body->outputs[position].name);
}

static uint32_t body_input(const struct body_work *work, struct graph *body, uint32_t position)
{
    return value_number(work->types, body, body->inputs[position].name);
}

static enum opshift_status output_set(struct body_work *work, uint32_t output, const struct value_type *type,
                                      uint32_t constant, struct value_basis basis)
{
    basis = basis_trim(basis, type);
    return pass_set(work->pass, output_number(work->types, work->graph, work->index, output), work->graph, type,
                    constant, basis);
}

/* Joins two alternative types of a value: the element type of either, and the common part of the shapes. False: no
 * memory. */
static bool types_join(struct types *types, const struct value_type *a, const struct value_type *b,
                       struct value_type *both)
{
    if (!type_agree(types->scratch, a, b, both))
        return false;
    if (a->type == OPSHIFT_TYPE_UNDEFINED)
        both->type = b->type;
    else if (b->type == OPSHIFT_TYPE_UNDEFINED)
        both->type = a->type;
    both->is_tensor = a->is_tensor || b->is_tensor || both->type != OPSHIFT_TYPE_UNDEFINED;
    both->other = both->is_tensor ? NULL : other_join(a->other, b->other);
    if (both->is_tensor)
        both->element = NULL;
    return true;
}

static bool shape_make(struct arena *arena, struct value_type *type, size_t rank)
{
    if (rank > TENSOR_RANK_MAX)
        return true;
    type->dims = arena_alloc(arena, rank + 1, sizeof(*type->dims));
    type->params = arena_alloc(arena, rank + 1, sizeof(*type->params));
    for (size_t i = 0; type->dims && i < rank; i++)
        type->dims[i] = -1;
    type->rank = (int32_t)rank;
    type->is_tensor = true;
    return type->dims && type->params;
}

/* Adds a dim at an axis. False: no memory. */
static bool type_stacked(struct arena *arena, const struct value_type *part, int64_t axis, int64_t length,
                         struct value_type *stacked)
{
    size_t at;
    *stacked = type_unknown;
    stacked->type = part->type;
    stacked->is_tensor = part->is_tensor;
    if (part->rank < 0 || part->rank >= TENSOR_RANK_MAX || !axis_resolve(axis, (size_t)part->rank + 1, &at))
        return true;
    if (!shape_make(arena, stacked, (size_t)part->rank + 1))
        return false;
    for (size_t i = 0; i < (size_t)part->rank; i++)
        dim_copy(stacked, i < at ? i : i + 1, part, i);
    stacked->dims[at] = length;
    return true;
}

/* Removes an axis: the type of a scan input in the body. */
static bool type_sliced(struct arena *arena, const struct value_type *whole, int64_t axis, struct value_type *slice)
{
    size_t at;
    *slice = type_unknown;
    slice->type = whole->type;
    slice->is_tensor = whole->is_tensor;
    if (whole->rank < 1 || whole->rank > TENSOR_RANK_MAX || !axis_resolve(axis, (size_t)whole->rank, &at))
        return true;
    if (!shape_make(arena, slice, (size_t)whole->rank - 1))
        return false;
    for (size_t i = 0; i < (size_t)whole->rank - 1; i++)
        dim_copy(slice, i, whole, i < at ? i : i + 1);
    return true;
}

static enum opshift_status formal_set(struct body_work *work, struct graph *body, uint32_t position,
                                      const struct value_type *type, struct value_basis basis)
{
    basis.constant = 0;
    basis = basis_trim(basis, type);
    return pass_set(work->pass, body_input(work, body, position), body, type, 0, basis);
}

/* ---- other operators with bodies: the inputs of the body are unknown ---- */

static enum opshift_status infer_unknown(struct body_work *work)
{
    static const struct value_basis facts;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < node_subgraph_count(work->node); i++) {
        struct graph *body = node_subgraphs(work->node)[i];
        for (uint32_t k = 0; status == OPSHIFT_OK && k < body->input_count; k++) {
            arena_clear(work->types->scratch);
            status = formal_set(work, body, k, &type_unknown, facts);
        }
        if (status == OPSHIFT_OK)
            status = pass_graph(work->pass, body);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < work->node->output_count; i++) {
        arena_clear(work->types->scratch);
        status = output_set(work, i, &type_unknown, 0, facts);
    }
    return status;
}

/* ---- several branches to one value ---- */

/* A declared shape is ignored if a branch contradicts it, or if the branches have different ranks. */
static enum opshift_status alternatives_hold(struct body_work *work, uint32_t output, const struct value_type *a,
                                             const struct value_type *b)
{
    uint32_t number = output_number(work->types, work->graph, work->index, output);
    if (number && a->rank >= 0 && b->rank >= 0 && a->rank != b->rank)
        work->types->results[number].is_open = true;
    enum opshift_status status = pass_alternative(work->pass, number, work->graph, a);
    return status ? status : pass_alternative(work->pass, number, work->graph, b);
}

/* Have its branches different or unknown ranks? */
static bool has_ranks(const struct types *types, uint32_t number)
{
    return types->results[number].is_open && result_type(types, number)->rank < 0;
}

/* ---- If ---- */

/* If the condition is a constant that rests on no declaration, both branches become the one that runs. */
static enum opshift_status branch_choose(struct body_work *work, struct graph **yes, struct graph **no)
{
    struct inference inference;
    arena_clear(work->types->scratch);
    enum opshift_status status =
        inference_fill(&inference, work->types, work->graph, work->node, NULL, work->types->scratch, work->pass->error);
    const struct known *condition = status == OPSHIFT_OK ? input_known(&inference, 0) : NULL;
    bool is_fact = condition && condition->count == 1 && condition->symbols == NULL && inference.basis.constant == 0;
    if (is_fact && condition->type == OPSHIFT_TYPE_BOOL)
        *yes = *no = condition->numbers[0] ? *yes : *no;
    return status ? status : inference.status;
}

static enum opshift_status infer_if(struct body_work *work)
{
    struct types *types = work->types;
    struct graph *yes = subgraph_find(work, "then_branch"), *no = subgraph_find(work, "else_branch");
    enum opshift_status status = branch_choose(work, &yes, &no);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node_subgraph_count(work->node); i++)
        status = pass_graph(work->pass, node_subgraphs(work->node)[i]);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < work->node->output_count; i++) {
        uint32_t a = body_output(work, yes, i), b = body_output(work, no, i);
        struct value_type both;
        arena_clear(types->scratch);
        if (!types_join(types, result_type(types, a), result_type(types, b), &both))
            return opshift_no_memory(work->pass->error);
        uint32_t constant = types->results[a].constant;
        bool same = constant == types->results[b].constant && constant != CONSTANT_UNREAD;
        status = alternatives_hold(work, i, result_type(types, a), result_type(types, b));
        if (status == OPSHIFT_OK)
            status = output_set(work, i, &both, same ? constant : 0,
                                basis_join(*result_basis(types, a), result_basis(types, b)));
    }
    return status;
}

/* ---- loop-carried values ---- */

struct carried_value {
    uint32_t first;  /* initial value; 0: none */
    uint32_t formal; /* input of the body */
    uint32_t last;   /* output of the body */
    uint32_t base;   /* type: the part of the initial shape that every iteration preserves */
    bool sliced;     /* Scan-8: the batch axis is removed */
};

static enum opshift_status carried_start(struct body_work *work, struct carried_value *carried)
{
    struct types *types = work->types;
    struct value_type type = *result_type(types, carried->first);
    arena_clear(types->scratch);
    if (carried->sliced && !type_sliced(types->scratch, result_type(types, carried->first), 0, &type))
        return opshift_no_memory(work->pass->error);
    carried->base = type_keep(types, &type);
    types->results[carried->formal].is_unstable = types->results[carried->formal].is_open = false;
    return carried->base == NUMBER_NONE ? opshift_no_memory(work->pass->error) : OPSHIFT_OK;
}

static enum opshift_status carried_set(struct body_work *work, const struct carried_value *carried, struct graph *body)
{
    struct types *types = work->types;
    struct value_basis basis = *result_basis(types, carried->first);
    const struct value_type *type = types->all[carried->base];
    basis = basis_trim(basis, type);
    arena_clear(types->scratch);
    return pass_set(work->pass, carried->formal, body, type, 0, basis);
}

/* Reduces the base to its common part with the last iteration's result. Contradicted declarations are ignored too. */
static enum opshift_status carried_meet(struct body_work *work, struct carried_value *carried, bool *changed)
{
    struct types *types = work->types;
    struct value_result *formal = &types->results[carried->formal];
    const struct value_type *base = types->all[carried->base], *last = result_type(types, carried->last);
    struct value_type both;
    arena_clear(types->scratch);
    if (!type_agree(types->scratch, base, last, &both))
        return opshift_no_memory(work->pass->error);
    both.type = base->type;
    both.is_tensor = base->is_tensor;
    both.other = base->other;
    uint32_t kept = type_keep(types, &both);
    bool unstable = formal->is_unstable || shapes_differ(result_type(types, carried->formal), last) ||
                    has_ranks(types, carried->last);
    *changed = *changed || kept != carried->base || unstable != formal->is_unstable;
    carried->base = kept;
    formal->is_unstable = unstable;
    return kept == NUMBER_NONE ? opshift_no_memory(work->pass->error) : OPSHIFT_OK;
}

/* Sets the shape to unknown, which every iteration preserves. */
static enum opshift_status carried_open(struct body_work *work, struct carried_value *carried)
{
    struct value_type open = *work->types->all[carried->base];
    open.rank = -1;
    open.element = NULL;
    open.dims = NULL;
    open.params = NULL;
    carried->base = type_keep(work->types, &open);
    work->types->results[carried->formal].is_open = true;
    return carried->base == NUMBER_NONE ? opshift_no_memory(work->pass->error) : OPSHIFT_OK;
}

/* Infers the body until the carried types no longer change. */
static enum opshift_status carried_infer(struct body_work *work, struct graph *body, struct carried_value *carried,
                                         uint32_t count)
{
    enum opshift_status status = OPSHIFT_OK;
    bool changed = true;
    work->pass->repeats++;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = carried_start(work, &carried[i]);
    for (unsigned round = 0; status == OPSHIFT_OK && changed; round++) {
        bool last = round + 1 >= ROUNDS_MAX || work->pass->work > work->pass->work_most;
        for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
            status = last ? carried_open(work, &carried[i]) : OPSHIFT_OK;
            status = status ? status : carried_set(work, &carried[i], body);
        }
        status = status ? status : pass_graph(work->pass, body);
        changed = false;
        for (uint32_t i = 0; status == OPSHIFT_OK && !last && i < count; i++)
            status = carried_meet(work, &carried[i], &changed);
    }
    work->pass->repeats--;
    return status;
}

/* The result of a loop: the initial value (no iterations) or the last one. */
static enum opshift_status carried_output(struct body_work *work, const struct carried_value *carried, uint32_t output)
{
    struct types *types = work->types;
    struct value_type both, first = *result_type(types, carried->first), last = *result_type(types, carried->last);
    arena_clear(types->scratch);
    int64_t batch = first.rank > 0 ? first.dims[0] : -1;
    bool made = !carried->sliced || type_stacked(types->scratch, types->all[carried->base], 0, batch, &last);
    if (!made || !types_join(types, &first, &last, &both))
        return opshift_no_memory(work->pass->error);
    enum opshift_status status = alternatives_hold(work, output, &first, &last);
    return status ? status
                  : output_set(work, output, &both, 0,
                               basis_join(*result_basis(types, carried->first), result_basis(types, carried->last)));
}

/* Stacks one value per iteration; batch: NULL, or the batch size of Scan-8. */
static enum opshift_status stacked_output(struct body_work *work, uint32_t output, uint32_t last, bool has_axis,
                                          int64_t axis, int64_t length, const int64_t *batch)
{
    struct types *types = work->types;
    struct value_type type;
    arena_clear(types->scratch);
    if (!type_stacked(types->scratch, result_type(types, last), axis, length, &type))
        return opshift_no_memory(work->pass->error);
    struct value_type part = type;
    if (batch && !type_stacked(types->scratch, &part, 0, *batch, &type))
        return opshift_no_memory(work->pass->error);
    if (!has_axis)
        type.rank = -1;
    return output_set(work, output, &type, 0, *result_basis(types, last));
}

/* ---- Loop: inputs M, cond, carried...; body inputs iteration, cond, carried...; body outputs cond, carried...,
 * scanned ---- */

static enum opshift_status loop_formals(struct body_work *work, struct graph *body)
{
    static const struct value_basis facts;
    static const struct value_type iteration = {.type = OPSHIFT_TYPE_INT64, .rank = 0, .is_tensor = true};
    static const struct value_type condition = {.type = OPSHIFT_TYPE_BOOL, .rank = -1, .is_tensor = true};
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < body->input_count; i++) {
        arena_clear(work->types->scratch);
        if (i < 2)
            status = formal_set(work, body, i, i == 0 ? &iteration : &condition, facts);
        else if (i >= work->node->input_count)
            status = formal_set(work, body, i, &type_unknown, facts);
    }
    return status;
}

static enum opshift_status infer_loop(struct body_work *work)
{
    const struct node *node = work->node;
    struct graph *body = subgraph_find(work, "body");
    uint32_t count = node->input_count > 2 ? node->input_count - 2 : 0, bound = 0;
    if (body == NULL)
        return infer_unknown(work);
    struct carried_value *carried = calloc(count + 1u, sizeof(*carried));
    if (carried == NULL)
        return opshift_no_memory(work->pass->error);
    for (uint32_t i = 0; i < count && i + 2 < body->input_count; i++, bound++)
        carried[i] = (struct carried_value){.first = input_number(work, i + 2),
                                            .formal = body_input(work, body, i + 2),
                                            .last = body_output(work, body, i + 1)};
    enum opshift_status status = loop_formals(work, body);
    if (status == OPSHIFT_OK)
        status = carried_infer(work, body, carried, bound);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++)
        status = i < count ? i < bound ? carried_output(work, &carried[i], i) : OPSHIFT_OK
                           : stacked_output(work, i, body_output(work, body, i + 1), true, 0, -1, NULL);
    free(carried);
    return status;
}

/* ---- Scan: inputs (8: sequence_lens,) states..., scanned... ---- */

struct scan_form {
    uint32_t first;           /* first input that is a state */
    uint32_t states, scanned; /* numbers of each */
    bool batched;             /* Scan-8: axis 0 is the batch, axis 1 the sequence */
    /* The axes of scan inputs and outputs: from a list, default 0. */
    enum setting_state input_answer, output_answer;
    size_t input_count, output_count;
    int64_t *input_axes, *output_axes;
};

static int64_t *axes_copy(enum setting_state answer, const int64_t *axes, size_t count)
{
    int64_t *copy = calloc(count + 1, sizeof(*copy));
    if (copy == NULL)
        return NULL;
    if (answer >= SETTING_DEFAULT && count > 0)
        memcpy(copy, axes, count * sizeof(*copy));
    return copy;
}

/* *known false: its attributes are invalid. */
static enum opshift_status scan_read(struct body_work *work, struct scan_form *scan, bool *known)
{
    struct inference inference;
    const int64_t *inputs = NULL, *outputs = NULL;
    int64_t scanned = 0;
    size_t count;
    *known = false;
    arena_clear(work->types->scratch);
    enum opshift_status status =
        inference_fill(&inference, work->types, work->graph, work->node, NULL, work->types->scratch, work->pass->error);
    if (status == OPSHIFT_OK)
        inference_attributes(&inference, &count);
    if (status || inference.operation.schema == NULL ||
        operation_int(&inference.operation, ATTRIBUTE_NUM_SCAN_INPUTS, &scanned) < SETTING_DEFAULT)
        return status ? status : inference.status;
    scan->input_answer = attribute_ints(&inference, ATTRIBUTE_SCAN_INPUT_AXES, &inputs, &scan->input_count);
    scan->output_answer = attribute_ints(&inference, ATTRIBUTE_SCAN_OUTPUT_AXES, &outputs, &scan->output_count);
    scan->input_axes = axes_copy(scan->input_answer, inputs, scan->input_count);
    scan->output_axes = axes_copy(scan->output_answer, outputs, scan->output_count);
    if (inference.status || !scan->input_axes || !scan->output_axes)
        return inference.status ? inference.status : opshift_no_memory(work->pass->error);
    scan->batched = inference.operation.schema->since == 8;
    scan->first = scan->batched ? 1 : 0;
    count = work->node->input_count;
    *known = count >= scan->first && scanned >= 1 && scanned <= (int64_t)(count - scan->first);
    scan->scanned = *known ? (uint32_t)scanned : 0;
    scan->states = *known ? (uint32_t)count - scan->first - scan->scanned : 0;
    return OPSHIFT_OK;
}

static bool scan_axis(enum setting_state answer, const int64_t *axes, size_t count, uint32_t position, int64_t *axis)
{
    bool given = answer >= SETTING_DEFAULT && position < count;
    *axis = given ? axes[position] : 0;
    return answer == SETTING_ABSENT || given;
}

static enum opshift_status scan_formals(struct body_work *work, const struct scan_form *scan, struct graph *body)
{
    static const struct value_basis facts;
    struct types *types = work->types;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = scan->states; status == OPSHIFT_OK && i < body->input_count; i++) {
        uint32_t number = i < scan->states + scan->scanned ? input_number(work, scan->first + i) : 0;
        struct value_type given = *result_type(types, number), formal;
        int64_t axis;
        arena_clear(types->scratch);
        bool known = scan_axis(scan->input_answer, scan->input_axes, scan->input_count, i - scan->states, &axis);
        if (scan->batched && !type_sliced(types->scratch, result_type(types, number), 0, &given))
            return opshift_no_memory(work->pass->error);
        if (!type_sliced(types->scratch, &given, axis, &formal))
            return opshift_no_memory(work->pass->error);
        if (!known)
            formal.rank = -1;
        status = formal_set(work, body, i, &formal, number ? *result_basis(types, number) : facts);
    }
    return status;
}

/* The sequence length: the scan axis of the first scan input. */
static int64_t scan_length(const struct body_work *work, const struct scan_form *scan)
{
    const struct value_type *whole = result_type(work->types, input_number(work, scan->first + scan->states));
    size_t at;
    int64_t axis;
    if (scan->batched)
        return whole->rank > 1 ? whole->dims[1] : -1;
    if (whole->rank < 0 || !scan_axis(scan->input_answer, scan->input_axes, scan->input_count, 0, &axis) ||
        !axis_resolve(axis, (size_t)whole->rank, &at))
        return -1;
    return whole->dims[at];
}

static enum opshift_status scan_outputs(struct body_work *work, const struct scan_form *scan, struct graph *body,
                                        const struct carried_value *carried, uint32_t bound)
{
    enum opshift_status status = OPSHIFT_OK;
    const struct value_type *whole = result_type(work->types, input_number(work, scan->first + scan->states));
    int64_t length = scan_length(work, scan), axis, batch = whole->rank > 0 ? whole->dims[0] : -1;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < work->node->output_count; i++) {
        if (i < scan->states) {
            status = i < bound ? carried_output(work, &carried[i], i) : OPSHIFT_OK;
            continue;
        }
        bool known = scan_axis(scan->output_answer, scan->output_axes, scan->output_count, i - scan->states, &axis);
        status =
            stacked_output(work, i, body_output(work, body, i), known, axis, length, scan->batched ? &batch : NULL);
    }
    return status;
}

static enum opshift_status scan_infer(struct body_work *work, const struct scan_form *scan, struct graph *body)
{
    uint32_t bound = scan->states < body->input_count ? scan->states : body->input_count;
    struct carried_value *carried = calloc(bound + 1u, sizeof(*carried));
    if (carried == NULL)
        return opshift_no_memory(work->pass->error);
    for (uint32_t i = 0; i < bound; i++)
        carried[i] = (struct carried_value){.first = input_number(work, scan->first + i),
                                            .formal = body_input(work, body, i),
                                            .last = body_output(work, body, i),
                                            .sliced = scan->batched};
    enum opshift_status status = scan_formals(work, scan, body);
    if (status == OPSHIFT_OK)
        status = carried_infer(work, body, carried, bound);
    if (status == OPSHIFT_OK)
        status = scan_outputs(work, scan, body, carried, bound);
    free(carried);
    return status;
}

static enum opshift_status infer_scan(struct body_work *work)
{
    struct graph *body = subgraph_find(work, "body");
    struct scan_form scan = {0};
    bool known;
    enum opshift_status status = scan_read(work, &scan, &known);
    if (status == OPSHIFT_OK)
        status = known && body ? scan_infer(work, &scan, body) : infer_unknown(work);
    free(scan.input_axes);
    free(scan.output_axes);
    return status;
}

/* ---- SequenceMap: the body gets an element of each sequence; other inputs are passed whole ---- */

static enum opshift_status infer_sequence_map(struct body_work *work)
{
    struct types *types = work->types;
    struct graph *body = subgraph_find(work, "body");
    enum opshift_status status = OPSHIFT_OK;
    if (body == NULL)
        return infer_unknown(work);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < body->input_count; i++) {
        uint32_t number = input_number(work, i);
        const struct value_type *type = result_type(types, number);
        struct value_type formal = type->other ? type_unknown : *type;
        arena_clear(types->scratch);
        if (type->element)
            type_held(&formal, type->element);
        status = formal_set(work, body, i, &formal, *result_basis(types, number));
    }
    if (status == OPSHIFT_OK)
        status = pass_graph(work->pass, body);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < work->node->output_count; i++) {
        uint32_t number = body_output(work, body, i);
        struct value_type type = type_unknown;
        arena_clear(types->scratch);
        type_hold(types->scratch, &type, "seq", result_type(types, number));
        status = output_set(work, i, &type, 0, *result_basis(types, number));
    }
    return status;
}

/* ---- table ---- */

static const struct body_rule bodied[] = {
    {OPERATOR_IF, infer_if},
    {OPERATOR_LOOP, infer_loop},
    {OPERATOR_SCAN, infer_scan},
    {OPERATOR_SEQUENCE_MAP, infer_sequence_map},
};

const struct body_rule *body_rule_find(enum operator_id id)
{
    for (size_t i = 0; i < COUNT(bodied); i++)
        if (bodied[i].id == id)
            return &bodied[i];
    return NULL;
}

/* Reports a number of scanned inputs that is not one of the node's, and lists of another length. */
void shape_scan(struct inference *inference)
{
    static const enum attribute_id lists[] = {ATTRIBUTE_DIRECTIONS, ATTRIBUTE_SCAN_INPUT_AXES,
                                              ATTRIBUTE_SCAN_INPUT_DIRECTIONS};
    int64_t scanned, most = (int64_t)inference->node->input_count - (inference->operation.schema->since == 8);
    const int64_t *values;
    size_t count;
    if (operation_int(&inference->operation, ATTRIBUTE_NUM_SCAN_INPUTS, &scanned) < SETTING_DEFAULT)
        return;
    if (scanned > most) {
        attribute_clash(inference, "num_scan_inputs",
                        "num_scan_inputs is %" PRId64 ", and there are %" PRId64 " inputs; it must not be more",
                        scanned, most);
        return;
    }
    for (size_t i = 0; i < COUNT(lists); i++)
        if (attribute_ints(inference, lists[i], &values, &count) >= SETTING_DEFAULT && (int64_t)count != scanned) {
            const char *name = schema_attribute(inference->operation.schema, lists[i])->name;
            attribute_clash(inference, name,
                            "%s has %zu numbers, and %" PRId64 " inputs are scanned; give one for each", name, count,
                            scanned);
        }
}

/* *fits false: the node clashes by itself, so its body says nothing of its outputs. */
static enum opshift_status owner_check(struct body_work *work, bool *fits)
{
    struct inference inference;
    struct types *types = work->types;
    arena_clear(types->scratch);
    enum opshift_status status =
        inference_fill(&inference, types, work->graph, work->node, NULL, types->scratch, work->pass->error);
    *fits = true;
    if (status || inference.operation.schema == NULL)
        return status;
    inference_run(&inference);
    *fits = inference.clash_count == 0;
    if (!*fits && !types_set_clashed(types, work->graph, work->index))
        return opshift_no_memory(work->pass->error);
    return inference.status;
}

enum opshift_status pass_bodies(struct pass *pass, struct graph *graph, uint32_t index)
{
    struct body_work work = {
        .pass = pass, .types = pass->types, .graph = graph, .node = &graph->nodes[index], .index = index};
    const struct body_rule *rule = types_rules(pass->types, graph, work.node)->body;
    bool fits;
    enum opshift_status status = owner_check(&work, &fits);
    if (status)
        return status;
    return rule && fits ? rule->infer(&work) : infer_unknown(&work);
}
