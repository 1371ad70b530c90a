/* One rewritten node: proved where the two cuts say so, then run on both sides and compared. */
#include "verify/run.h"

#include <inttypes.h>
#include <string.h>

#include "base/report.h"
#include "kernel/support.h"
#include "model/number.h"

#define PIECE_BYTES_MAX (UINT64_C(1) << 28)
/* Elements of one drawn input. */
#define PIECE_COUNT_MAX    (UINT64_C(1) << 16)
#define PIECE_DIMS_MAX     48
#define PIECE_SHAPES_SHOWN 8

struct piece {
    struct comparison *comparison;
    const struct graph_pair *pair;
    struct node *node;
    struct arena *arena;             /* of the piece */
    const struct binding_list *ways; /* how the function around it is called; NULL: there is none */
    const struct binding *binding;   /* the one of them that is looked at; NULL: it is not called */
    struct cut before, after;
    struct value_type type; /* of the data, as far as known */
    const char *proof;
    enum verdict verdict;
    const char *why;     /* NOT_RUN, DIFFERS */
    const char *refused; /* why the first side did not take a shape */
    json_t *types, *shapes;
    uint64_t runs;
    uint64_t seed;
};

/* What one run draws for the data. */
struct sample {
    enum opshift_type type;
    uint32_t rank;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t axis;
};

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
        return arena_print(arena, "%.17g", value.d);
    return type->kind == NUMBER_SIGNED ? arena_print(arena, "%" PRId64, value.i)
                                       : arena_print(arena, "%" PRIu64, value.u);
}

static bool same_element(const struct tensor *a, const struct tensor *b, uint64_t place)
{
    if (a->type == OPSHIFT_TYPE_STRING)
        return a->strings[place].size == b->strings[place].size &&
               memcmp(a->strings[place].data, b->strings[place].data, a->strings[place].size) == 0;
    size_t size = type_bits(a->type) / 8;
    return memcmp((const char *)a->data + place * size, (const char *)b->data + place * size, size) == 0;
}

/* How two values differ, in words. */
static const char *difference_text(struct piece *piece, const char *name, const struct tensor *a,
                                   const struct tensor *b)
{
    struct arena *arena = piece->arena;
    if (a->type != b->type)
        return arena_print(arena, "output '%s' was %s and is %s", name, type_name(a->type), type_name(b->type));
    bool same = a->rank == b->rank;
    for (uint32_t i = 0; i < a->rank && same; i++)
        same = a->dims[i] == b->dims[i];
    if (!same)
        return arena_print(arena, "output '%s' was of shape %s and is of shape %s", name,
                           kernel_dims_text(arena, a->rank, a->dims), kernel_dims_text(arena, b->rank, b->dims));
    uint64_t place = 0;
    while (place < a->count && same_element(a, b, place))
        place++;
    return arena_print(arena, "output '%s' differs first at element %" PRIu64 " of shape %s: %s was %s", name, place,
                       kernel_dims_text(arena, a->rank, a->dims), element_text(arena, b, place),
                       element_text(arena, a, place));
}

static void set_differs(struct piece *piece, const char *why)
{
    piece->verdict = VERDICT_DIFFERS;
    piece->why = why == NULL ? "the outputs differ" : why;
}

/* A name that the other side lacks is no loss when none but rewritten nodes read it. */
static bool is_dropped(const struct piece *piece, name_id name)
{
    const struct side *before = &piece->comparison->before, *after = &piece->comparison->after;
    return (before->other[name] == NAME_NO_MEMORY ||
            scope_find(after->scopes, piece->pair->after, before->other[name]).kind == DEFINED_NOWHERE) &&
           before->changed_uses[name] == scope_uses(before->scopes, name);
}

static enum opshift_status compare_output(struct piece *piece, struct run *run, name_id name, enum outcome *outcome,
                                          struct opshift_error *error)
{
    const struct side *before = &piece->comparison->before;
    const struct tensor *values[2] = {NULL, NULL};
    const char *text = names_text(before->model->names, name);
    enum opshift_status status = run_output(run, &run->before, name, &values[0], outcome, error);
    if (status != OPSHIFT_OK || *outcome != OUTCOME_VALUE || is_dropped(piece, name))
        return status;
    if (before->other[name] == NAME_NO_MEMORY) {
        set_differs(piece, arena_print(piece->arena, "output '%s' is lost", text));
        return OPSHIFT_OK;
    }
    status = run_output(run, &run->after, before->other[name], &values[1], outcome, error);
    if (status != OPSHIFT_OK)
        return status;
    if (*outcome == OUTCOME_REFUSED)
        set_differs(piece, arena_print(piece->arena, "output '%s' cannot be computed any more: %s", text, run->why));
    else if (*outcome == OUTCOME_VALUE && !tensor_equal(values[0], values[1]))
        set_differs(piece, difference_text(piece, text, values[0], values[1]));
    return OPSHIFT_OK;
}

/* ---- one run ---- */

static enum opshift_status compare_outputs(struct piece *piece, struct run *run, enum outcome *outcome,
                                           struct opshift_error *error)
{
    *outcome = OUTCOME_VALUE;
    for (uint32_t i = 0; i < piece->node->output_count; i++) {
        name_id name = node_outputs(piece->node)[i];
        if (name == NAME_NONE)
            continue;
        enum opshift_status status = compare_output(piece, run, name, outcome, error);
        if (status != OPSHIFT_OK || piece->verdict == VERDICT_DIFFERS || *outcome != OUTCOME_VALUE)
            return status;
    }
    return OPSHIFT_OK;
}

static void start_run(struct piece *piece, struct run *run, struct arena *arena)
{
    struct comparison *comparison = piece->comparison;
    memset(run, 0, sizeof(*run));
    run->arena = arena;
    run->binding = piece->binding;
    run->seed = sample_next(&piece->seed);
    run->before =
        (struct run_side){&comparison->before, &comparison->after, piece->pair->before, piece->pair->after, {0}, 0};
    run->after =
        (struct run_side){&comparison->after, &comparison->before, piece->pair->after, piece->pair->before, {0}, 0};
}

/* A parameter that no call decides gets a value for this run: a number, or a list. False: no memory. */
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

/* The parameters that the cut still depends on: nothing in the model calls the function. False: no memory. */
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
           (cut->kind != CUT_PARAMETER || add_parameter(run, drawn, cut->parameter, 0, lengths, cut->output_count)) &&
           (cut->kind != CUT_UNKNOWN || add_parameter(run, drawn, cut->parameter, cut->output_count, NULL, 0));
}

/* Data of the sample's shape, and lengths that fit it where they are known at run time alone. */
static enum opshift_status give_sample(struct piece *piece, struct run *run, const struct sample *sample,
                                       struct opshift_error *error)
{
    const struct cut *cut = &piece->before;
    struct tensor *data = NULL, *lengths = NULL;
    enum opshift_status status =
        sample_tensor(run->arena, sample->type, sample->rank, sample->dims, &run->seed, &data, error);
    if (status != OPSHIFT_OK)
        return status;
    int64_t dim = sample->rank > 0 ? sample->dims[sample->axis] : 0;
    int64_t *values = sample_lengths(run->arena, cut->output_count, dim, &run->seed);
    lengths = values == NULL ? NULL : tensor_from_int64(run->arena, values, cut->output_count);
    if (lengths == NULL || !run_give(run, cut->data, data))
        return opshift_no_memory(error);
    if (cut->kind == CUT_VALUE && !run_give(run, cut->value, lengths))
        return opshift_no_memory(error);
    return add_parameters(piece, run, sample, values) ? OPSHIFT_OK : opshift_no_memory(error);
}

static void add_once(struct piece *piece, json_t *list, const char *text)
{
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item) if (strcmp(json_string_value(item), text) == 0) return;
    if (json_array_size(list) < PIECE_SHAPES_SHOWN + 16 && json_array_append_new(list, json_string(text)) != 0)
        piece->comparison->out_of_memory = true;
}

/* *accepted: the first side took it, and the second was seen to give the same. */
static enum opshift_status run_sample(struct piece *piece, const struct sample *sample, bool *accepted,
                                      struct opshift_error *error)
{
    struct run run;
    enum outcome outcome = OUTCOME_CANNOT;
    struct arena *arena = arena_new(PIECE_BYTES_MAX);
    *accepted = false;
    if (arena == NULL)
        return opshift_no_memory(error);
    start_run(piece, &run, arena);
    enum opshift_status status = sample == NULL ? OPSHIFT_OK : give_sample(piece, &run, sample, error);
    if (status == OPSHIFT_OK)
        status = compare_outputs(piece, &run, &outcome, error);
    if (status == OPSHIFT_OK && piece->verdict == VERDICT_DIFFERS && sample != NULL)
        piece->why = arena_print(piece->arena, "%s %s: %s", type_name(sample->type),
                                 kernel_dims_text(piece->arena, sample->rank, sample->dims), piece->why);
    if (status == OPSHIFT_OK && outcome != OUTCOME_VALUE && piece->verdict != VERDICT_DIFFERS)
        piece->refused = arena_print(piece->arena, "%s", run.why);
    *accepted = status == OPSHIFT_OK && outcome == OUTCOME_VALUE && piece->verdict != VERDICT_DIFFERS;
    piece->runs += *accepted;
    if (*accepted && sample != NULL) {
        add_once(piece, piece->types, type_name(sample->type));
        if (json_array_size(piece->shapes) < PIECE_SHAPES_SHOWN)
            add_once(piece, piece->shapes, kernel_dims_text(piece->arena, sample->rank, sample->dims));
    }
    arena_free(arena);
    return status;
}

/* ---- all runs of a Split ---- */

/* Types that Split has at both opsets, or the one that is known. */
static bool is_tried(const struct piece *piece, enum opshift_type type)
{
    int64_t before = graph_opset(piece->comparison->before.model, piece->pair->before, NAME_NONE);
    int64_t after = graph_opset(piece->comparison->after.model, piece->pair->after, NAME_NONE);
    int64_t least = before < after ? before : after;
    if (piece->type.is_tensor && piece->type.type != OPSHIFT_TYPE_UNDEFINED)
        return piece->type.type == type;
    if (least < 2)
        return type == OPSHIFT_TYPE_FLOAT || type == OPSHIFT_TYPE_FLOAT16 || type == OPSHIFT_TYPE_DOUBLE;
    return type <= OPSHIFT_TYPE_COMPLEX128 || (type == OPSHIFT_TYPE_BFLOAT16 && least >= 13);
}

/* The sample's shape: what is known stays, what is not is small, and dims beside the axis shrink when it is too much.
 */
static bool shape_sample(const struct piece *piece, uint32_t rank, uint32_t axis, int64_t dim, struct sample *sample)
{
    uint64_t count = dim > 0 ? (uint64_t)dim : 1;
    sample->rank = rank;
    sample->axis = axis;
    if (count > (uint64_t)1 << 22)
        return false;
    for (uint32_t i = 0; i < rank; i++) {
        bool known = piece->type.rank == (int32_t)rank && piece->type.dims[i] >= 0;
        int64_t beside = known ? piece->type.dims[i] : i < axis ? 2 : 3;
        if (beside > 0 && (uint64_t)beside > PIECE_COUNT_MAX / count)
            beside = 1;
        sample->dims[i] = i == axis ? dim : beside;
        if (i != axis && beside > 0)
            count *= (uint64_t)beside;
    }
    return true;
}

/* The first type goes through all dims, the others through two of those that were taken. */
static enum opshift_status run_dims(struct piece *piece, uint32_t rank, uint32_t axis, const int64_t *dims,
                                    size_t dim_count, bool *first_type, struct opshift_error *error)
{
    for (int type = OPSHIFT_TYPE_FLOAT; type <= OPSHIFT_TYPE_BFLOAT16; type++) {
        struct sample sample = {.type = (enum opshift_type)type};
        size_t limit = *first_type ? SIZE_MAX : 2, taken = 0;
        if (!is_tried(piece, sample.type))
            continue;
        for (size_t i = 0; i < dim_count && taken < limit && piece->verdict != VERDICT_DIFFERS; i++) {
            bool accepted = false;
            enum opshift_status status = OPSHIFT_OK;
            if (shape_sample(piece, rank, axis, dims[i], &sample))
                status = run_sample(piece, &sample, &accepted, error);
            else
                piece->refused = "its axis is too long to run here";
            if (status != OPSHIFT_OK)
                return status;
            taken += accepted;
        }
        *first_type = *first_type && taken == 0;
    }
    return OPSHIFT_OK;
}

/* The axis in a rank; false: it has none such. */
static bool axis_in(const struct cut *cut, int64_t rank, uint32_t *axis)
{
    if (cut->axis < -rank || cut->axis >= rank)
        return false;
    *axis = (uint32_t)(cut->axis < 0 ? cut->axis + rank : cut->axis);
    return true;
}

static enum opshift_status run_ranks(struct piece *piece, struct opshift_error *error)
{
    int64_t dims[PIECE_DIMS_MAX];
    size_t dim_count = cut_dims(&piece->before, dims, PIECE_DIMS_MAX);
    int64_t least = piece->before.axis < 0 ? 0 - piece->before.axis : piece->before.axis + 1, most = least + 1;
    bool first_type = true;
    if (piece->type.rank >= 0)
        least = most = piece->type.rank;
    piece->refused = "the axis is outside the input's rank";
    for (int64_t rank = least; rank <= most && rank <= TENSOR_RANK_MAX && rank > 0; rank++) {
        uint32_t axis = 0;
        enum opshift_status status = OPSHIFT_OK;
        if (!axis_in(&piece->before, rank, &axis))
            continue;
        int64_t known = piece->type.rank >= 0 && piece->before.axis_parameter.size == 0 ? piece->type.dims[axis] : -1;
        if (known >= 0)
            status = run_dims(piece, (uint32_t)rank, axis, &known, 1, &first_type, error);
        else
            status = run_dims(piece, (uint32_t)rank, axis, dims, dim_count, &first_type, error);
        if (status != OPSHIFT_OK)
            return status;
    }
    return OPSHIFT_OK;
}

static bool is_split(const struct side *side, const struct node *node)
{
    return node != NULL && node->domain == NAME_NONE &&
           strcmp(names_text(side->model->names, node->op_type), "Split") == 0;
}

/* Both cuts, as they are when the function around them is called in one way; *proof: why they are one. */
static enum opshift_status read_cuts(struct piece *piece, const char **proof, struct opshift_error *error)
{
    struct comparison *comparison = piece->comparison;
    struct node *partner = match_partner(&comparison->before, piece->node, &comparison->after, piece->pair->after);
    *proof = NULL;
    enum opshift_status status = cut_read(&comparison->before, piece->pair->before, piece->node, piece->binding,
                                          piece->arena, &piece->before, error);
    if (status == OPSHIFT_OK)
        status = types_find(comparison->before.types, piece->pair->before, piece->before.data, &piece->type, error);
    if (status != OPSHIFT_OK || !is_split(&comparison->after, partner))
        return status;
    status =
        cut_read(&comparison->after, piece->pair->after, partner, piece->binding, piece->arena, &piece->after, error);
    if (status == OPSHIFT_OK)
        *proof = cut_proof(&comparison->before, &piece->before, &piece->after, &piece->type);
    return status;
}

/* Proved when it is for each way that the function is called, and no other way is left. */
static enum opshift_status verify_split(struct piece *piece, struct opshift_error *error)
{
    const struct binding_list *ways = piece->ways;
    uint32_t proved = 0;
    enum opshift_status status = read_cuts(piece, &piece->proof, error);
    if (status == OPSHIFT_OK && (ways == NULL || ways->count == 0))
        return run_ranks(piece, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < ways->count && piece->verdict != VERDICT_DIFFERS; i++) {
        const char *proof;
        piece->binding = &ways->items[i];
        status = read_cuts(piece, &proof, error);
        proved += proof != NULL;
        if (status == OPSHIFT_OK && piece->proof == NULL && proved == ways->count && ways->complete)
            piece->proof = proof;
        if (status == OPSHIFT_OK)
            status = run_ranks(piece, error);
    }
    return status;
}

/* A node that is no Split: its inputs are drawn once for each way that the function is called. */
static enum opshift_status verify_other(struct piece *piece, struct opshift_error *error)
{
    const struct binding_list *ways = piece->ways;
    uint32_t count = ways == NULL || ways->count == 0 ? 1 : ways->count;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count && piece->verdict != VERDICT_DIFFERS; i++) {
        bool accepted;
        piece->binding = ways == NULL || ways->count == 0 ? NULL : &ways->items[i];
        status = run_sample(piece, NULL, &accepted, error);
    }
    return status;
}

/* ---- the verdict ---- */

static void conclude(struct piece *piece)
{
    if (piece->verdict == VERDICT_DIFFERS)
        return;
    if (piece->proof != NULL) {
        piece->verdict = VERDICT_PROVED;
        piece->why = piece->proof;
    } else if (piece->runs > 0) {
        piece->verdict = VERDICT_TESTED;
    } else {
        piece->why = piece->refused == NULL ? "no values to run it on" : piece->refused;
    }
}

static enum opshift_status report_piece(struct piece *piece, struct opshift_error *error)
{
    struct comparison *comparison = piece->comparison;
    struct opshift_model *model = comparison->before.model;
    const char *place = node_place(model, piece->pair->before, piece->node);
    struct bytes op_type = names_bytes(model->names, piece->node->op_type);
    json_t *entry = json_object();
    if (place == NULL || entry == NULL) {
        json_decref(entry);
        return opshift_no_memory(error);
    }
    int failed = json_object_set_new(entry, "node", report_string(place, strlen(place))) |
                 json_object_set_new(entry, "operator", report_string(op_type.data, op_type.size)) |
                 json_object_set_new(entry, "verdict", json_string(verdict_name(piece->verdict)));
    if (piece->why != NULL)
        failed |= json_object_set_new(entry, "why", report_string(piece->why, strlen(piece->why)));
    failed |= json_object_set_new(entry, "runs", json_integer((json_int_t)piece->runs)) |
              json_object_set(entry, "types", piece->types) | json_object_set(entry, "shapes", piece->shapes) |
              json_array_append_new(comparison->pieces, entry);
    comparison->counts[piece->verdict]++;
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status piece_verify(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                 struct opshift_error *error)
{
    uint64_t order = json_array_size(comparison->pieces);
    struct piece piece = {
        .comparison = comparison,
        .pair = pair,
        .node = node,
        .verdict = VERDICT_NOT_RUN,
        .arena = arena_new(0),
        .types = json_array(),
        .shapes = json_array(),
        .seed = (comparison->options == NULL ? 0 : comparison->options->seed) ^ order << 32,
    };
    enum opshift_status status =
        piece.arena == NULL || piece.types == NULL || piece.shapes == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && pair->before->function != NULL)
        status = bindings_find(comparison->bindings, pair->before->function, &piece.ways, error);
    if (status == OPSHIFT_OK)
        status = is_split(&comparison->before, node) ? verify_split(&piece, error) : verify_other(&piece, error);
    if (status == OPSHIFT_OK) {
        conclude(&piece);
        status = report_piece(&piece, error);
    }
    json_decref(piece.types);
    json_decref(piece.shapes);
    arena_free(piece.arena);
    return status;
}
