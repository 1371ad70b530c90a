/* One run of a rewritten node: both sides on the same values, with all outputs compared. */
#include <inttypes.h>
#include <string.h>

#include "kernel/support.h"
#include "model/number.h"
#include "verify/sequence_readers.h"
#include "base/real.h"
#include "run/draw.h"

#define PIECE_SHAPES_SHOWN 8

/* ---- comparing ---- */

static const char *element_text(struct arena *arena, const struct tensor *tensor, uint64_t place)
{
    const struct number_type *type = number_type(tensor->type);
    const char *text = "a value";
    if (tensor->type == OPSHIFT_TYPE_STRING)
        text = arena_print(arena, "\"%.*s\"", (int)tensor->strings[place].size, (char *)tensor->strings[place].data);
    if (type == NULL)
        return text;
    union number value = type->load((const char *)tensor->data + place * type->size);
    if (type->kind == NUMBER_REAL)
        return arena_print(arena, "%s", real_print(&(struct real_text){{0}}, 17, value.d));
    return type->kind == NUMBER_SIGNED ? arena_print(arena, "%" PRId64, value.i)
                                       : arena_print(arena, "%" PRIu64, value.u);
}

static bool same_element(const struct tensor *a, const struct tensor *b, uint64_t place)
{
    if (a->type == OPSHIFT_TYPE_STRING)
        return bytes_same(a->strings[place], b->strings[place]);
    size_t size = type_bits(a->type) / 8;
    return memcmp((const char *)a->data + place * size, (const char *)b->data + place * size, size) == 0;
}

/* Describes how two values differ. */
static const char *difference_text(struct piece *piece, const char *name, const struct tensor *a,
                                   const struct tensor *b)
{
    struct arena *arena = piece->arena;
    if (a->type != b->type)
        return arena_print(arena, "output '%s' was %s and is %s", name, type_name(a->type), type_name(b->type));
    if (!piece_same_shape(a, b))
        return arena_print(arena, "output '%s' was of shape %s and is of shape %s", name,
                           kernel_dims_text(arena, a->rank, a->dims), kernel_dims_text(arena, b->rank, b->dims));
    uint64_t place = 0;
    while (place < a->count && same_element(a, b, place))
        place++;
    return arena_print(arena, "output '%s' differs first at element %" PRIu64 " of shape %s: %s was %s", name, place,
                       kernel_dims_text(arena, a->rank, a->dims), element_text(arena, b, place),
                       element_text(arena, a, place));
}

void piece_differs(struct piece *piece, const char *why)
{
    piece->verdict = VERDICT_DIFFERS;
    piece->why = why == NULL ? "the outputs differ" : why;
}

/* A name that the other side lacks is no loss if only rewritten nodes read it. */
static bool is_dropped(const struct run *run, name_id name)
{
    const struct side *before = run->before.side, *after = run->after.side;
    return (before->other[name] == NAME_NO_MEMORY ||
            scope_find(after->scopes, run->after.graph, before->other[name]).kind == DEFINED_NOWHERE) &&
           before->changed_uses[name] == scope_uses(before->scopes, name);
}

static bool same_values(struct piece *piece, const struct tensor *a, const struct tensor *b)
{
    bool replaced = piece->is_expected && piece->expected->planned.is_replaced;
    return replaced ? replaced_near(piece, a, b) : tensor_equal(a, b);
}

/* Where other operators give an output, kernels round and overflow in other places: a difference that may come from
 * that is noted, and is none. */
static bool may_be_rounding(struct piece *piece, const struct run *run, const char *name, const struct tensor *a,
                            const struct tensor *b)
{
    const struct number_type *type = number_type(a->type);
    if (piece->is_expected || run->style == NULL || a->type != b->type || !piece_same_shape(a, b) || type == NULL ||
        type->kind != NUMBER_REAL || !(piece->other_operator || piece->expected->planned.is_replaced))
        return false;
    bool extreme = sample_is_extreme(run->style->attempt);
    bool near = rounding_near(piece, a, b);
    if (!near && !extreme)
        return false;
    if (piece->near == NULL || (piece->is_rounding && !near))
        piece->near = arena_print(piece->arena, "%s: %s",
                                  near ? "runs differ by no more than rounding"
                                       : "runs differ on extreme numbers, where it matters in which order is rounded",
                                  difference_text(piece, name, a, b));
    piece->is_rounding = near;
    return true;
}

static enum opshift_status compare_output(struct piece *piece, struct run *run, name_id name, enum outcome *outcome,
                                          struct opshift_error *error)
{
    const struct side *before = &piece->comparison->before;
    const struct tensor *values[2] = {NULL, NULL};
    const char *text = names_text(before->model->names, name);
    enum opshift_status status = run_output(run, &run->before, name, &values[0], outcome, error);
    if (status || *outcome != OUTCOME_VALUE || is_dropped(run, name))
        return status;
    if (before->other[name] == NAME_NO_MEMORY) {
        piece_differs(piece, arena_print(piece->arena, "output '%s' is lost", text));
        return OPSHIFT_OK;
    }
    status = run_output(run, &run->after, before->other[name], &values[1], outcome, error);
    if (status)
        return status;
    if (*outcome == OUTCOME_REFUSED)
        piece_differs(piece, arena_print(piece->arena, "output '%s' cannot be computed any more: %s", text, run->why));
    else if (*outcome == OUTCOME_CANNOT && run->undefined)
        piece->undefined =
            arena_print(piece->arena, "output '%s' is not known to be computed any more: %s", text, run->why);
    else if (*outcome == OUTCOME_VALUE && !same_values(piece, values[0], values[1]) &&
             !may_be_rounding(piece, run, text, values[0], values[1]))
        piece_differs(piece, difference_text(piece, text, values[0], values[1]));
    return OPSHIFT_OK;
}

/* ---- one run ---- */

/* Compares the values read from a sequence, in the graph of the run. */
static enum opshift_status compare_uses(struct piece *piece, struct run *run, const struct sequence_use *use,
                                        enum outcome *outcome, struct opshift_error *error)
{
    struct graph *graph = use->pair.before;
    enum opshift_status status = OPSHIFT_OK;
    for (; status == OPSHIFT_OK && use != NULL && use->pair.before == graph && *outcome == OUTCOME_VALUE &&
           piece->verdict != VERDICT_DIFFERS;
         use = use->next)
        status = compare_output(piece, run, node_outputs(use->node)[0], outcome, error);
    return status;
}

static enum opshift_status compare_outputs(struct piece *piece, struct run *run, const struct sequence_use *use,
                                           enum outcome *outcome, struct opshift_error *error)
{
    *outcome = OUTCOME_VALUE;
    if (use != NULL)
        return compare_uses(piece, run, use, outcome, error);
    for (uint32_t i = 0; i < piece->node->output_count; i++) {
        name_id name = node_outputs(piece->node)[i];
        if (name == NAME_NONE)
            continue;
        enum opshift_status status = compare_output(piece, run, name, outcome, error);
        if (status || piece->verdict == VERDICT_DIFFERS || *outcome != OUTCOME_VALUE)
            return status;
    }
    return OPSHIFT_OK;
}

static void start_run(struct piece *piece, struct run *run, const struct graph_pair *pair,
                      const struct draw_style *style, struct arena *arena)
{
    struct comparison *comparison = piece->comparison;
    memset(run, 0, sizeof(*run));
    run->arena = arena;
    run->binding = piece->binding;
    run->style = style;
    run->strict = piece->strict;
    run->sequence = piece->uses == NULL ? NULL : piece->node;
    run->node = piece->node;
    run->seed = run->first_seed = draw_next(&piece->seed);
    run->before = (struct run_side){.side = &comparison->before,
                                    .other = &comparison->after,
                                    .graph = pair->before,
                                    .other_graph = pair->after,
                                    .attributes = &piece->attributes[0]};
    run->after = (struct run_side){.side = &comparison->after,
                                   .other = &comparison->before,
                                   .graph = pair->after,
                                   .other_graph = pair->before,
                                   .attributes = &piece->attributes[1]};
}

/* An unknown parameter gets a value for this run: a number or a list. False: no memory. */
static bool add_parameter(struct run *run, struct binding *drawn, struct bytes name, int64_t number, int64_t *list,
                          size_t list_count)
{
    Onnx__AttributeProto *value = arena_alloc(run->arena, 1, sizeof(*value));
    if (value == NULL || name.size == 0)
        return value != NULL;
    onnx__attribute_proto__init(value);
    value->name = (ProtobufCBinaryData){name.size, (uint8_t *)(uintptr_t)name.data};
    value->has_type = true;
    value->type =
        list == NULL ? ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
    value->has_i = list == NULL;
    value->i = number;
    value->ints = list;
    value->n_ints = list_count;
    drawn->values[drawn->count++] = value;
    return true;
}

/* Adds the parameters that the split depends on, for a function that is never called. False: no memory. */
static bool add_parameters(const struct piece *piece, struct run *run, const struct sample *sample, int64_t *lengths)
{
    const struct cut *cut = &piece->before;
    uint32_t known = piece->binding == NULL ? 0 : piece->binding->count;
    struct binding *drawn = arena_alloc(run->arena, 1, sizeof(*drawn));
    if (cut->axis_parameter.size == 0 && cut->kind != CUT_PARAMETER && cut->kind != CUT_UNKNOWN)
        return drawn != NULL;
    if (drawn != NULL)
        *drawn = (struct binding){arena_alloc(run->arena, known + UINT64_C(2), sizeof(*drawn->values)), 0, true};
    if (drawn == NULL || drawn->values == NULL)
        return false;
    for (uint32_t i = 0; i < known; i++)
        drawn->values[drawn->count++] = piece->binding->values[i];
    run->binding = drawn;
    return add_parameter(run, drawn, cut->axis_parameter, sample->axis, NULL, 0) &&
           (cut->kind != CUT_PARAMETER ||
            add_parameter(run, drawn, cut->parameter, 0, lengths, cut->split.output_count)) &&
           (cut->kind != CUT_UNKNOWN || add_parameter(run, drawn, cut->parameter, cut->split.output_count, NULL, 0));
}

/* Lengths of the declared type: SplitToSequence also accepts int32. */
static enum opshift_status give_lengths(struct piece *piece, struct run *run, const int64_t *values,
                                        struct opshift_error *error)
{
    struct value_type type = {.rank = -1};
    name_id name = piece->before.value;
    struct tensor *lengths = tensor_from_int64(run->arena, values, piece->before.split.output_count), *narrow = lengths;
    if (lengths == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = types_find(piece->comparison->before.types, piece->pair->before, name, &type, error);
    if (status == OPSHIFT_OK && type.type == OPSHIFT_TYPE_INT32)
        status = tensor_new(run->arena, OPSHIFT_TYPE_INT32, 1, lengths->dims, &narrow, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && narrow != lengths && i < lengths->count; i++)
        ((int32_t *)narrow->data)[i] = (int32_t)values[i];
    return status == OPSHIFT_OK && !run_give(run, name, narrow) ? opshift_no_memory(error) : status;
}

/* Data of the sample's shape, and matching lengths if they are known only at run time. */
static enum opshift_status give_sample(struct piece *piece, struct run *run, const struct sample *sample,
                                       struct opshift_error *error)
{
    const struct cut *cut = &piece->before;
    struct tensor *data = NULL;
    enum opshift_status status =
        sample_tensor(run->arena, sample->type, sample->rank, sample->dims, &run->seed, &data, error);
    if (status)
        return status;
    int64_t dim = sample->rank > 0 ? sample->dims[sample->axis] : 0;
    int64_t *values = sample_lengths(run->arena, cut->split.output_count, dim, &run->seed);
    if (values == NULL || !run_give(run, cut->data, data))
        return opshift_no_memory(error);
    if (cut->kind == CUT_VALUE)
        status = give_lengths(piece, run, values, error);
    if (status)
        return status;
    return add_parameters(piece, run, sample, values) ? OPSHIFT_OK : opshift_no_memory(error);
}

static void add_once(struct run_list *list, const char *text)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->texts[i], text) == 0)
            return;
    if (list->count < COUNT(list->texts))
        list->texts[list->count++] = text;
}

/* One run in a pair of graphs: that of the piece, or that in which `use` and other nodes read a sequence. */
static enum opshift_status run_in(struct piece *piece, const struct sample *sample, const struct draw_style *style,
                                  const struct sequence_use *use, bool *accepted, struct opshift_error *error)
{
    struct run run;
    enum outcome outcome = OUTCOME_CANNOT;
    struct arena *arena = piece->comparison->run_arena;
    *accepted = false;
    piece->undefined = NULL;
    arena_clear(arena);
    start_run(piece, &run, use == NULL ? piece->pair : &use->pair, style, arena);
    enum opshift_status status = sample == NULL ? OPSHIFT_OK : give_sample(piece, &run, sample, error);
    if (status == OPSHIFT_OK)
        status = run_start(&run, piece->budget, error);
    if (status == OPSHIFT_OK)
        status = compare_outputs(piece, &run, use, &outcome, error);
    if (status == OPSHIFT_MEMORY && arena_was_full(arena)) {
        status = error_forget(error);
        outcome = OUTCOME_CANNOT;
        run.why = "the values of a run take more than is taken for one";
    }
    if (status == OPSHIFT_OK && piece->verdict == VERDICT_DIFFERS && sample != NULL)
        piece->why = arena_print(piece->arena, "%s %s: %s", type_name(sample->type),
                                 kernel_dims_text(piece->arena, sample->rank, sample->dims), piece->why);
    if (status == OPSHIFT_OK && outcome != OUTCOME_VALUE && piece->verdict != VERDICT_DIFFERS)
        piece->refused = arena_print(piece->arena, "%s", run.why);
    *accepted = status == OPSHIFT_OK && outcome == OUTCOME_VALUE && piece->verdict != VERDICT_DIFFERS;
    piece->drawn += run.drawn;
    piece->drawn_last = run.inputs;
    run_end(&run);
    return status;
}

enum opshift_status piece_run(struct piece *piece, const struct sample *sample, const struct draw_style *style,
                              bool *accepted, struct opshift_error *error)
{
    const struct sequence_use *use = piece->uses;
    enum opshift_status status = run_in(piece, sample, style, use, accepted, error);
    for (; status == OPSHIFT_OK && *accepted && use != NULL; use = use->next)
        if (use->next != NULL && use->next->pair.before != use->pair.before)
            status = run_in(piece, sample, style, use->next, accepted, error);
    piece->runs += *accepted;
    if (*accepted && sample != NULL) {
        add_once(&piece->types, type_name(sample->type));
        if (piece->shapes.count < PIECE_SHAPES_SHOWN)
            add_once(&piece->shapes, kernel_dims_text(piece->arena, sample->rank, sample->dims));
    }
    return status;
}
