/* Types across the borders of bodies: outputs of If, Loop, Scan and calls, and the formal inputs of subgraphs. */
#include "infer/infer.h"

#include <string.h>

static struct graph *subgraph_find(const struct inference *inference, const char *attribute)
{
    size_t size = strlen(attribute);
    uint32_t count = node_subgraph_count(inference->node);
    struct graph *const *subgraphs = count > 0 ? node_subgraphs(inference->node) : NULL;
    for (uint32_t i = 0; subgraphs != NULL && i < count; i++)
        if (names_is(inference->model->names, subgraphs[i]->owner_attribute, attribute, size))
            return subgraphs[i];
    return NULL;
}

static struct value_type body_output(const struct inference *inference, struct graph *body, uint32_t position)
{
    if (body == NULL || position >= body->output_count)
        return type_unknown;
    return types_known(inference->types, body, body->outputs[position].name);
}

/* Two ways to one value: its element type is one, so either way tells it; its shape is what both say. */
static struct value_type ways_join(struct inference *inference, const struct value_type *a, const struct value_type *b)
{
    struct value_type both = type_agree(inference, a, b);
    if (a->type == OPSHIFT_TYPE_UNDEFINED)
        both.type = b->type;
    else if (b->type == OPSHIFT_TYPE_UNDEFINED)
        both.type = a->type;
    both.is_tensor = a->is_tensor || b->is_tensor || both.type != OPSHIFT_TYPE_UNDEFINED;
    both.other = both.is_tensor ? NULL : other_join(a->other, b->other);
    return both;
}

/* One more dim at an axis, from a value whose rank may be unknown. */
static struct value_type type_stacked(struct inference *inference, const struct value_type *part, int64_t axis,
                                      int64_t length)
{
    struct value_type stacked = type_unknown;
    size_t at;
    stacked.type = part->type;
    stacked.is_tensor = part->is_tensor;
    if (part->rank < 0 || part->rank >= TENSOR_RANK_MAX || !axis_resolve(axis, (size_t)part->rank + 1, &at) ||
        !shape_new(inference, &stacked, (size_t)part->rank + 1))
        return stacked;
    for (size_t i = 0; i < (size_t)part->rank; i++)
        dim_copy(&stacked, i < at ? i : i + 1, part, i);
    stacked.dims[at] = length;
    return stacked;
}

/* The value without one of its axes: what a body sees of a value that is scanned. */
static struct value_type type_sliced(struct inference *inference, const struct value_type *whole, int64_t axis)
{
    struct value_type slice = type_unknown;
    size_t at;
    slice.type = whole->type;
    slice.is_tensor = whole->is_tensor;
    if (whole->rank < 1 || whole->rank > TENSOR_RANK_MAX || !axis_resolve(axis, (size_t)whole->rank, &at) ||
        !shape_new(inference, &slice, (size_t)whole->rank - 1))
        return slice;
    for (size_t i = 0; i < (size_t)whole->rank - 1; i++)
        dim_copy(&slice, i, whole, i < at ? i : i + 1);
    return slice;
}

/* ---- If, calls ---- */

static void infer_if(struct inference *inference)
{
    struct graph *yes = subgraph_find(inference, "then_branch"), *no = subgraph_find(inference, "else_branch");
    for (uint32_t i = 0; i < inference->node->output_count; i++) {
        struct value_type a = body_output(inference, yes, i), b = body_output(inference, no, i);
        inference->outputs[i] = ways_join(inference, &a, &b);
    }
}

static void infer_call(struct inference *inference, struct graph *body)
{
    for (uint32_t i = 0; i < inference->node->output_count; i++) {
        inference->outputs[i] = body_output(inference, body, i);
        type_forget_params(inference, &inference->outputs[i]);
    }
}

/* ---- Loop: inputs M, cond, carried...; body inputs iteration, cond, carried...; body outputs cond, carried...,
 * scanned ---- */

static void infer_loop(struct inference *inference)
{
    const struct node *node = inference->node;
    struct graph *body = subgraph_find(inference, "body");
    uint32_t carried = node->input_count > 2 ? node->input_count - 2 : 0;
    for (uint32_t i = 0; i < node->output_count; i++) {
        struct value_type last = body_output(inference, body, i + 1);
        if (i < carried)
            inference->outputs[i] = ways_join(inference, &inference->inputs[i + 2], &last);
        else
            inference->outputs[i] = type_stacked(inference, &last, 0, -1);
    }
}

static void infer_loop_formals(struct inference *inference, const struct graph *body, struct value_type *formals)
{
    for (uint32_t i = 0; i < body->input_count; i++) {
        if (i == 0 && shape_new(inference, &formals[i], 0)) {
            formals[i].type = OPSHIFT_TYPE_INT64;
        } else if (i == 1) {
            formals[i].type = OPSHIFT_TYPE_BOOL;
            formals[i].is_tensor = true;
        } else if (i >= 2 && i < inference->node->input_count) {
            /* Only the type: the shape may change from one iteration to the next. */
            formals[i].type = inference->inputs[i].type;
            formals[i].is_tensor = inference->inputs[i].is_tensor;
            formals[i].other = inference->inputs[i].other;
        }
    }
}

/* ---- Scan: inputs (8: sequence_lens,) states..., scanned...; the shape of a state never changes ---- */

struct scan {
    uint32_t first;           /* the input where the states start */
    uint32_t states, scanned; /* how many */
    bool batched;             /* Scan-8: axis 0 is the batch, axis 1 the sequence */
};

static bool scan_read(struct inference *inference, struct scan *scan)
{
    int64_t scanned;
    if (inference->schema == NULL || attribute_int(inference, "num_scan_inputs", &scanned) != ANSWER_KNOWN)
        return false;
    scan->batched = inference->schema->since == 8;
    scan->first = scan->batched ? 1 : 0;
    if (inference->node->input_count < scan->first || scanned < 1 ||
        scanned > inference->node->input_count - scan->first)
        return false;
    scan->scanned = (uint32_t)scanned;
    scan->states = inference->node->input_count - scan->first - scan->scanned;
    return true;
}

/* The axis of each scanned input or output: one of a list, 0 where there is none. False: unknown. */
static bool scan_axis(enum answer answer, const int64_t *axes, size_t count, uint32_t position, int64_t *axis)
{
    *axis = 0;
    if (answer == ANSWER_KNOWN && position < count)
        *axis = axes[position];
    return answer == ANSWER_ABSENT || (answer == ANSWER_KNOWN && position < count);
}

static void infer_scan_formals(struct inference *inference, const struct graph *body, struct value_type *formals)
{
    struct scan scan;
    if (!scan_read(inference, &scan))
        return;
    const int64_t *axes = NULL;
    size_t axis_count = 0;
    enum answer answer = attribute_ints(inference, "scan_input_axes", &axes, &axis_count);
    for (uint32_t i = 0; i < body->input_count && i < scan.states + scan.scanned; i++) {
        struct value_type given = inference->inputs[scan.first + i];
        if (scan.batched)
            given = type_sliced(inference, &given, 0);
        int64_t axis;
        if (i < scan.states) {
            formals[i] = given;
        } else if (scan_axis(answer, axes, axis_count, i - scan.states, &axis)) {
            formals[i] = type_sliced(inference, &given, axis);
        } else {
            formals[i].type = given.type;
            formals[i].is_tensor = given.is_tensor;
        }
    }
}

/* How long the sequence is: the scanned axis of the first input. */
static int64_t scan_length(struct inference *inference, const struct scan *scan)
{
    const struct value_type *whole = input_ranked(inference, scan->first + scan->states);
    const int64_t *axes = NULL;
    size_t count = 0, at;
    int64_t axis;
    enum answer answer = attribute_ints(inference, "scan_input_axes", &axes, &count);
    if (whole == NULL || !scan_axis(answer, axes, count, 0, &axis) || !axis_resolve(axis, (size_t)whole->rank, &at))
        return -1;
    return whole->dims[at];
}

static void infer_scan(struct inference *inference)
{
    struct graph *body = subgraph_find(inference, "body");
    struct scan scan;
    if (!scan_read(inference, &scan))
        return;
    const int64_t *axes = NULL;
    size_t axis_count = 0;
    enum answer answer = attribute_ints(inference, "scan_output_axes", &axes, &axis_count);
    int64_t length = scan.batched ? -1 : scan_length(inference, &scan);
    for (uint32_t i = 0; i < inference->node->output_count; i++) {
        struct value_type last = body_output(inference, body, i), *output = &inference->outputs[i];
        int64_t axis;
        if (i < scan.states) {
            *output = inference->inputs[scan.first + i];
            if (output->type == OPSHIFT_TYPE_UNDEFINED)
                output->type = last.type;
        } else if (!scan.batched && scan_axis(answer, axes, axis_count, i - scan.states, &axis)) {
            *output = type_stacked(inference, &last, axis, length);
        } else {
            output->type = last.type;
            output->is_tensor = last.is_tensor;
        }
    }
}

/* ---- which is which ---- */

static const struct body_rule {
    const char *op_type;
    void (*outputs)(struct inference *inference);
    void (*formals)(struct inference *inference, const struct graph *body, struct value_type *formals);
} bodied[] = {
    {"If", infer_if, NULL},
    {"Loop", infer_loop, infer_loop_formals},
    {"Scan", infer_scan, infer_scan_formals},
};

const struct body_rule *body_rule_find(const char *op_type)
{
    for (size_t i = 0; i < COUNT(bodied); i++)
        if (strcmp(bodied[i].op_type, op_type) == 0)
            return &bodied[i];
    return NULL;
}

bool infer_bodies(struct inference *inference)
{
    const struct function *callee = scope_callee(inference->scopes, inference->node);
    if (callee != NULL) {
        infer_call(inference, callee->body);
        return true;
    }
    const struct body_rule *rule = inference->operation.body;
    if (rule)
        rule->outputs(inference);
    return rule != NULL;
}

void infer_formals(struct inference *inference, const struct graph *body, struct value_type *formals)
{
    const struct body_rule *rule = inference->operation.body;
    if (rule && rule->formals)
        rule->formals(inference, body, formals);
}
