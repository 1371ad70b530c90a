/* Runs both sides of a region on drawn values and judges how far apart they are.
 *
 * Floats are judged twice: as they are, and with all constants and drawn values widened to double, where only the
 * rounding of constants that one side has folded remains. How much that may be is measured: the first side is run
 * again with each constant moved by one unit in its last place. */
#include "equal/region_trial.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/draw.h"

#define RUNS_WANTED 8u
#define RUNS_MORE   24u /* where a part of it differs */
#define RUNS_MOST   100u
/* Refusals from the first attempt on, after which no more are made. */
#define REFUSED_MAX 16u
/* Steps of all regions. */
#define STEPS_ALL (40 * BUDGET_STEPS_DEFAULT)
/* Differences are accepted up to these multiples of what one rounding of each constant makes, and of a unit in the
 * last place for each node and for the root of each sum's length. */
#define CONSTANTS_FACTOR  16.0
#define FLOATS_FACTOR     8.0
#define ATTRIBUTES_FACTOR 2.0
/* What double makes of sums in another order, relative to the greatest number. */
#define DOUBLE_NOISE 1e-13
/* Operators one after the other that give elements of their inputs. */
#define PICKS_DEEP 16u
/* Constants of at most as many elements are drawn whole. */
#define NEAR_ALL 16u
/* Sizes of dims that constants ask for; a greater integer that only one side has may matter at sizes that are not run.
 */
#define SIZE_MOST 4096
#define SIZE_ANY  ((int64_t)1 << 31)
/* Runs that are also judged with doubles where floats are the same. */
#define WIDE_RUNS 2u
/* Runs on extremes beyond those among the others, until all were met; and on NaN. */
#define EDGE_RUNS 12u
#define NAN_RUNS  2u
#define ZERO_RUNS 3u
/* Runs that are judged with doubles alone where floats are apart. */
#define APART_RUNS 4u
/* ---- values ---- */

static bool is_float(enum opshift_type type)
{
    return type == OPSHIFT_TYPE_FLOAT || type == OPSHIFT_TYPE_FLOAT16 || type == OPSHIFT_TYPE_BFLOAT16;
}

/* A unit in the last place of 1. */
static double unit_of(enum opshift_type type)
{
    return type == OPSHIFT_TYPE_FLOAT      ? (double)FLT_EPSILON
           : type == OPSHIFT_TYPE_FLOAT16  ? 0x1p-10
           : type == OPSHIFT_TYPE_BFLOAT16 ? 0x1p-7
                                           : DBL_EPSILON;
}

/* As doubles, and perhaps each moved by one unit up or down. */
static enum opshift_status widen(struct arena *arena, const struct tensor *from, uint64_t *seed,
                                 const struct tensor **to, struct opshift_error *error)
{
    struct tensor *wide = NULL;
    *to = from;
    if (!is_float(from->type))
        return OPSHIFT_OK;
    const struct number_type *type = number_type(from->type);
    enum opshift_status status = tensor_new(arena, OPSHIFT_TYPE_DOUBLE, from->rank, from->dims, &wide, error);
    double *elements = wide == NULL ? NULL : wide->data;
    for (uint64_t i = 0; elements != NULL && i < from->count; i++) {
        elements[i] = type->load((const char *)from->data + i * type->size).d;
        if (seed != NULL)
            elements[i] *= 1 + (draw_next(seed) >> 63 ? 1 : -1) * unit_of(from->type);
    }
    *to = wide;
    return status;
}

enum opshift_status trial_set(struct trial *trial, enum how_run how, struct opshift_error *error)
{
    struct equal_work *work = trial->work;
    const struct cut_out *cut = trial->cut;
    enum opshift_status status = OPSHIFT_OK;
    uint64_t seed = trial->seed;
    trial->is_wide = how != RUN_PLAIN;
    for (uint32_t i = 0; i < cut->constant_count && status == OPSHIFT_OK; i++) {
        struct equal_term *term = &work->terms[cut->constants[i]];
        term->now = trial->plain[i];
        if (how != RUN_PLAIN)
            status = widen(trial->drawn, trial->plain[i], how == RUN_MOVED ? &seed : NULL, &term->now, error);
    }
    for (uint32_t i = 0; i < cut->leaf_count && status == OPSHIFT_OK; i++) {
        struct equal_term *term = &work->terms[cut->leaves[i]];
        term->now = trial->leaves[i];
        if (how != RUN_PLAIN && trial->leaves[i] != NULL)
            status = widen(trial->drawn, trial->leaves[i], NULL, &term->now, error);
    }
    return status;
}

void trial_clear(struct trial *trial)
{
    const struct cut_out *cut = trial->cut;
    for (uint32_t i = 0; i < cut->constant_count; i++)
        trial->work->terms[cut->constants[i]].now = NULL;
    for (uint32_t i = 0; i < cut->leaf_count; i++)
        trial->work->terms[cut->leaves[i]].now = NULL;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < cut->use_count[side]; i++)
            if (cut->uses[side][i]->values != NULL)
                values_drop(cut->uses[side][i]->values, cut->uses[side][i]->node->output_count);
}

struct value trial_value(const struct equal_work *work, term_id id)
{
    const struct equal_term *term = &work->terms[id];
    if (term->now != NULL)
        return value_of(term->now);
    return term->use == NULL || term->use->values == NULL ? (struct value){0} : term->use->values[term->output];
}

/* ---- one run of one side ---- */

static double count_of(const struct value *value)
{
    return value->kind == VALUE_TENSOR && value->tensor->count > 0 ? (double)value->tensor->count : 1;
}

/* About how many numbers each output of a node sums up: K for matrices of M x K and K x N. */
static double sum_length(const struct node_use *use, const struct value *inputs)
{
    double product = 1, output = 1;
    for (uint32_t i = 0; i < use->node->input_count && i < 2; i++)
        product *= count_of(&inputs[i]);
    for (uint32_t i = 0; i < use->node->output_count; i++)
        output = fmax(output, count_of(&use->values[i]));
    return use->node->input_count > 1 ? sqrt(product / output) : product / output;
}

static enum opshift_status use_run(struct trial *trial, struct node_use *use, struct opshift_error *why,
                                   struct opshift_error *error)
{
    struct equal_work *work = trial->work;
    const struct node *node = use->node;
    struct execution *execution = NULL;
    struct execution_options options = {.budget = &work->budget, .defined = true, .checks_types = !trial->is_wide};
    if (use->opening != NULL) {
        options.parameters = use->opening->attributes;
        options.parameter_count = use->opening->count;
    }
    if (use->values == NULL)
        use->values = arena_alloc(work->arena, node->output_count + UINT64_C(1), sizeof(*use->values));
    struct value *inputs = arena_alloc(trial->drawn, node->input_count + UINT64_C(1), sizeof(*inputs));
    if (use->values == NULL || inputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (use->inputs[i] != TERM_NONE)
            inputs[i] = trial_value(work, use->inputs[i]);
    enum opshift_status status = execution_new(use->side->model, use->side->scopes, &options, &execution, error);
    if (status != OPSHIFT_OK)
        return status;
    why->status = execution_node(execution, use->graph, node, inputs, use->values, why);
    execution_free(execution);
    use->run = work->run;
    if (why->status == OPSHIFT_OK)
        trial->length += sqrt(fmax(1, sum_length(use, inputs)));
    return OPSHIFT_OK;
}

enum opshift_status trial_side(struct trial *trial, int side, enum outcome_of_side *outcome,
                               struct opshift_error *error)
{
    const struct cut_out *cut = trial->cut;
    enum opshift_status status = OPSHIFT_OK;
    *outcome = SIDE_DONE;
    for (uint32_t i = 0; i < cut->use_count[side] && status == OPSHIFT_OK && *outcome == SIDE_DONE; i++) {
        struct node_use *use = cut->uses[side][i];
        struct opshift_error why = {0};
        if (use->run == trial->work->run)
            continue;
        status = use_run(trial, use, &why, error);
        if (why.status == OPSHIFT_OK)
            continue;
        if (why.status == OPSHIFT_MEMORY || why.status == OPSHIFT_IO || why.status == OPSHIFT_CANCELLED)
            return error_give(error, why.status, &why);
        *outcome = why.status == OPSHIFT_UNSUPPORTED ? SIDE_CANNOT : SIDE_REFUSED;
        const char *limit = trial->work->budget.met == BUDGET_STEPS   ? " (--max-steps)"
                            : trial->work->budget.met == BUDGET_BYTES ? " (--max-memory)"
                                                                      : "";
        trial->why = arena_print(trial->work->arena, "%s%s", why.text, *outcome == SIDE_CANNOT ? limit : "");
    }
    return status;
}

/* ---- comparing ---- */

struct apart {
    double absolute, relative, ulps;
    double scale; /* the greatest finite number */
    bool finite;  /* no number is finite on one side alone */
};

static struct apart tensors_apart(const struct tensor *a, const struct tensor *b)
{
    const struct number_type *type = number_type(a->type);
    struct apart apart = {.finite = true};
    for (uint64_t i = 0; i < a->count; i++) {
        double x = type->load((const char *)a->data + i * type->size).d;
        double y = type->load((const char *)b->data + i * type->size).d;
        if (isfinite(x))
            apart.scale = fmax(apart.scale, fabs(x));
        if ((isnan(x) && isnan(y)) || x == y)
            continue;
        double far = fabs(x - y), greatest = fmax(fabs(x), fabs(y));
        if (!isfinite(far)) {
            apart.finite = false;
            continue;
        }
        apart.absolute = fmax(apart.absolute, far);
        apart.relative = fmax(apart.relative, far / greatest);
        apart.ulps = fmax(apart.ulps, far / (unit_of(a->type) * exp2(floor(log2(greatest)))));
    }
    return apart;
}

static const char *shape_text(struct arena *arena, const struct tensor *tensor)
{
    struct buffer text = {0};
    buffer_add_text(&text, type_name(tensor->type));
    buffer_add_text(&text, " [");
    for (uint32_t i = 0; i < tensor->rank; i++)
        buffer_print(&text, "%s%" PRId64, i > 0 ? "," : "", tensor->dims[i]);
    buffer_add_text(&text, "]");
    char *words = arena_copy(arena, text.data, text.size);
    buffer_free(&text);
    return words;
}

static bool values_are_same(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == VALUE_TENSOR)
        return tensor_equal(a->tensor, b->tensor);
    bool same = a->kind != VALUE_SEQUENCE || a->sequence->count == b->sequence->count;
    for (size_t i = 0; a->kind == VALUE_SEQUENCE && same && i < a->sequence->count; i++)
        same = values_are_same(&a->sequence->items[i], &b->sequence->items[i]);
    return same;
}

/* Runs both sides in one way and gives what both made of the value, in the arena. *done: both are tensors of reals. */
static enum opshift_status run_as(struct trial *trial, enum how_run how, bool second, struct tensor *results[2],
                                  bool *done, struct opshift_error *error)
{
    struct equal_work *work = trial->work;
    enum outcome_of_side outcome = SIDE_DONE;
    work->run++;
    enum opshift_status status = trial_set(trial, how, error);
    for (int side = 0; side < 1 + second && status == OPSHIFT_OK && outcome == SIDE_DONE; side++)
        status = trial_side(trial, side, &outcome, error);
    *done = outcome == SIDE_DONE;
    for (int side = 0; side < 1 + second && status == OPSHIFT_OK && *done; side++) {
        struct value value = trial_value(work, side == 0 ? trial->cut->before : trial->cut->after);
        *done = value.kind == VALUE_TENSOR && value.tensor->type == OPSHIFT_TYPE_DOUBLE;
        if (*done)
            status = tensor_copy(trial->drawn, value.tensor, &results[side], error);
    }
    trial_clear(trial);
    return status;
}

/* Judges with doubles. *judged: that was possible. */
static enum opshift_status judge_wide(struct trial *trial, enum opshift_type type, bool *judged, bool *near,
                                      struct opshift_error *error)
{
    struct tensor *wide[2] = {NULL, NULL}, *moved[2] = {NULL, NULL};
    enum opshift_status status = OPSHIFT_OK;
    *judged = !trial->narrow;
    if (*judged)
        status = run_as(trial, RUN_WIDE, true, wide, judged, error);
    if (status == OPSHIFT_OK && *judged)
        status = run_as(trial, RUN_MOVED, false, moved, judged, error);
    trial->narrow = !*judged;
    *judged = *judged && wide[0] != NULL && wide[1] != NULL && moved[0] != NULL && wide[0]->count == wide[1]->count &&
              wide[0]->count == moved[0]->count;
    if (status != OPSHIFT_OK || !*judged)
        return status;
    struct apart sides = tensors_apart(wide[0], wide[1]), by_move = tensors_apart(wide[0], moved[0]);
    /* Numbers in attributes are rounded, too. */
    double rounded = trial->apart ? ATTRIBUTES_FACTOR * unit_of(type) * sides.scale : 0;
    *near = sides.finite && sides.absolute <= fmax(CONSTANTS_FACTOR * by_move.absolute, rounded) +
                                                  DOUBLE_NOISE * fmax(sides.scale, DBL_MIN);
    return status;
}

static void note_apart(struct trial *trial, const struct apart *apart, enum opshift_type type)
{
    struct equal_region *region = trial->region;
    region->absolute = fmax(region->absolute, apart->absolute);
    region->relative = fmax(region->relative, apart->scale > 0 ? apart->absolute / apart->scale : 0);
    region->ulps = fmax(region->ulps, apart->ulps);
    region->bound = fmax(region->bound, FLOATS_FACTOR * unit_of(type) * (1 + trial->length));
}

static bool is_among(const struct node_use *use, const char *const *names, size_t count)
{
    const char *name = names_text(use->side->model->names, use->node->op_type);
    for (size_t i = 0; i < count; i++)
        if (node_domain(use->node) == NAME_NONE && strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Functions of sums, products and quotients: two that agree at drawn points are the same. */
static bool is_rational(const struct node_use *use)
{
    static const char *const names[] = {"Add",          "AveragePool", "BatchNormalization",
                                        "Concat",       "Conv",        "ConvTranspose",
                                        "Div",          "Expand",      "Flatten",
                                        "Gather",       "Gemm",        "GlobalAveragePool",
                                        "Identity",     "MatMul",      "Mean",
                                        "Mul",          "Neg",         "Pad",
                                        "Reciprocal",   "ReduceMean",  "ReduceSum",
                                        "Reshape",      "Slice",       "Split",
                                        "Squeeze",      "Sub",         "Sum",
                                        "Transpose",    "Unsqueeze",   "Tile",
                                        "DepthToSpace", "SpaceToDepth"};
    return is_among(use, names, COUNT(names));
}

/* Operators that give elements of their inputs, or compare them: they round nothing. */
static bool only_picks(const struct node_use *use)
{
    static const char *const names[] = {"Abs",
                                        "And",
                                        "Clip",
                                        "Concat",
                                        "Equal",
                                        "Expand",
                                        "Flatten",
                                        "Gather",
                                        "GatherElements",
                                        "Greater",
                                        "GreaterOrEqual",
                                        "Identity",
                                        "IsInf",
                                        "IsNaN",
                                        "Less",
                                        "LessOrEqual",
                                        "Max",
                                        "MaxPool",
                                        "Min",
                                        "Neg",
                                        "Not",
                                        "Or",
                                        "Pad",
                                        "Relu",
                                        "Reshape",
                                        "ReduceMax",
                                        "ReduceMin",
                                        "Sign",
                                        "Slice",
                                        "Split",
                                        "Squeeze",
                                        "Tile",
                                        "TopK",
                                        "Transpose",
                                        "Unsqueeze",
                                        "Where",
                                        "Xor"};
    return is_among(use, names, COUNT(names));
}

/* Operators that read some elements of a large constant, or have large tables: runs do not read all of them. */
static bool reads_some(const struct trial *trial, const struct node_use *use)
{
    static const char *const names[] = {"Gather", "GatherElements", "GatherND"};
    const struct equal_work *work = trial->work;
    const struct cut_out *cut = trial->cut;
    if (node_domain(use->node) != NAME_NONE)
        return true;
    if (!is_among(use, names, COUNT(names)) || use->node->input_count < 2 || use->inputs[1] == TERM_NONE ||
        work->terms[use->inputs[1]].kind == TERM_CONSTANT)
        return false;
    for (uint32_t i = 0; i < cut->constant_count; i++)
        if (cut->constants[i] == use->inputs[0] && cut->constant_sides[i] != 3 && trial->plain[i]->count > NEAR_ALL)
            return true;
    return false;
}

static bool region_reads_some(const struct trial *trial)
{
    bool found = false;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < trial->cut->use_count[side]; i++)
            found = found || reads_some(trial, trial->cut->uses[side][i]);
    return found;
}

/* Operators that jump where a number is met. */
static bool jumps(const struct node_use *use)
{
    static const char *const names[] = {
        "ArgMax",         "ArgMin", "Cast",   "Ceil", "Equal",           "Floor", "Greater",
        "GreaterOrEqual", "IsInf",  "IsNaN",  "Less", "LessOrEqual",     "Mod",   "NonZero",
        "OneHot",         "Round",  "Shrink", "Sign", "ThresholdedRelu", "Unique"};
    return is_among(use, names, COUNT(names));
}

static bool region_jumps(const struct cut_out *cut)
{
    bool found = false;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < cut->use_count[side]; i++)
            found = found || jumps(cut->uses[side][i]);
    return found;
}

static bool is_leaf(const struct cut_out *cut, term_id id)
{
    bool found = false;
    for (uint32_t i = 0; i < cut->leaf_count && !found; i++)
        found = cut->leaves[i] == id;
    return found;
}

/* Are its elements others than those that are drawn? */
static bool is_computed(const struct trial *trial, term_id id, unsigned depth)
{
    const struct equal_term *term = id == TERM_NONE ? NULL : &trial->work->terms[id];
    bool computed = false;
    if (term == NULL || term->kind != TERM_MADE || is_leaf(trial->cut, id))
        return false;
    if (depth == PICKS_DEEP || !only_picks(term->use))
        return true;
    for (uint32_t i = 0; i < term->use->node->input_count && !computed; i++)
        computed = is_computed(trial, term->use->inputs[i], depth + 1);
    return computed;
}

static bool is_one_sided(const struct cut_out *cut, term_id id)
{
    bool found = false;
    for (uint32_t i = 0; i < cut->constant_count && !found; i++)
        found = cut->constants[i] == id && cut->constant_sides[i] != 3;
    return found;
}

/* Is a number that only one side has, or an attribute, compared with what is computed? What is drawn need not meet it.
 */
static bool region_compares(const struct trial *trial)
{
    static const char *const names[] = {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"};
    static const char *const thresholds[] = {"Shrink", "ThresholdedRelu"};
    const struct cut_out *cut = trial->cut;
    bool found = false;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < cut->use_count[side] && !found; i++) {
            const struct node_use *use = cut->uses[side][i];
            for (int k = 0; k < 2 && !found && use->node->input_count == 2 && is_among(use, names, COUNT(names)); k++)
                found = is_one_sided(cut, use->inputs[k]) && is_computed(trial, use->inputs[1 - k], 0);
            found = found || (is_among(use, thresholds, COUNT(thresholds)) && use->node->input_count == 1 &&
                              is_computed(trial, use->inputs[0], 0));
        }
    return found;
}

static bool region_only_picks(const struct cut_out *cut)
{
    bool picks = true;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < cut->use_count[side]; i++)
            picks = picks && only_picks(cut->uses[side][i]);
    return picks;
}

/* Both sides were run: are their values the same, but for rounding? */
static enum opshift_status judge(struct trial *trial, const struct value *a, const struct value *b, bool *same,
                                 struct opshift_error *error)
{
    struct equal_work *work = trial->work;
    bool judged = false, near = false;
    *same = values_are_same(a, b);
    if (*same && (trial->wide_runs == WIDE_RUNS || a->kind != VALUE_TENSOR || !is_float(a->tensor->type) ||
                  region_only_picks(trial->cut)))
        return OPSHIFT_OK;
    if (*same) { /* what is too small for floats to show */
        trial->wide_runs++;
        const char *shape = shape_text(work->arena, a->tensor);
        enum opshift_type element = a->tensor->type;
        trial_clear(trial);
        enum opshift_status status = judge_wide(trial, element, &judged, &near, error);
        *same = !judged || near;
        if (!*same)
            trial->differs = arena_print(work->arena, "%s differs where it is computed in double", shape);
        return status;
    }
    if (a->kind != VALUE_TENSOR || b->kind != VALUE_TENSOR) {
        trial->differs = "the values differ";
        return OPSHIFT_OK;
    }
    const char *shapes[] = {shape_text(work->arena, a->tensor), shape_text(work->arena, b->tensor)};
    const struct number_type *type = number_type(a->tensor->type);
    if (a->tensor->type != b->tensor->type || a->tensor->rank != b->tensor->rank ||
        (a->tensor->rank > 0 &&
         memcmp(a->tensor->dims, b->tensor->dims, a->tensor->rank * sizeof(*a->tensor->dims)) != 0)) {
        trial->differs = arena_print(work->arena, "it was %s and is %s", shapes[0], shapes[1]);
        trial->region->other_shape = true;
        return OPSHIFT_OK;
    }
    if (type == NULL || type->kind != NUMBER_REAL) {
        trial->differs = arena_print(work->arena, "elements of %s differ", shapes[0]);
        return OPSHIFT_OK;
    }
    struct apart apart = tensors_apart(a->tensor, b->tensor);
    enum opshift_type element = a->tensor->type;
    bool rounds = !region_only_picks(trial->cut);
    trial->apart = true;
    note_apart(trial, &apart, element);
    near = apart.finite && apart.absolute <= (rounds ? trial->region->bound * fmax(apart.scale, DBL_MIN) : 0);
    if (rounds && is_float(element) && (!near || trial->apart_runs < APART_RUNS)) {
        trial->apart_runs++;
        trial_clear(trial);
        enum opshift_status status = judge_wide(trial, element, &judged, &near, error);
        if (status != OPSHIFT_OK)
            return status;
    }
    *same = near;
    if (!near && !apart.finite)
        trial->differs = arena_print(work->arena, "%s is not finite on one side alone", shapes[0]);
    else if (!near)
        trial->differs =
            arena_print(work->arena, "%s differs by %.3g, %.3g of the greatest number, where rounding makes %.3g",
                        shapes[0], apart.absolute, apart.scale > 0 ? apart.absolute / apart.scale : apart.absolute,
                        rounds ? trial->region->bound : 0);
    return OPSHIFT_OK;
}

/* ---- all runs ---- */

/* One attempt. *accepted: the first side computed it. */
static enum opshift_status attempt_run(struct trial *trial, uint32_t attempt, bool edges, bool *accepted, bool *stop,
                                       struct opshift_error *error)
{
    struct equal_work *work = trial->work;
    enum outcome_of_side outcome = SIDE_DONE;
    bool known = false, same = false, refused = false;
    *accepted = *stop = false;
    arena_clear(trial->drawn);
    trial->length = 0;
    trial->has_shrunk = false;
    enum opshift_status status = trial_draw(trial, attempt, edges, &known, &refused, error);
    *stop = !known;
    if (status != OPSHIFT_OK || !known || refused)
        return status;
    work->run++;
    status = trial_set(trial, RUN_PLAIN, error);
    if (status == OPSHIFT_OK)
        status = trial_side(trial, 0, &outcome, error);
    *stop = outcome == SIDE_CANNOT && !(trial->size_count > 0 && trial->has_open && attempt % 2 == 1);
    *accepted = status == OPSHIFT_OK && outcome == SIDE_DONE;
    trial->is_full = trial->is_full || (!*accepted && trial->has_shrunk);
    if (*accepted)
        status = trial_side(trial, 1, &outcome, error);
    if (*accepted && status == OPSHIFT_OK && outcome == SIDE_DONE) {
        struct value a = trial_value(work, trial->cut->before), b = trial_value(work, trial->cut->after);
        trial->types[0] = a.kind == VALUE_TENSOR ? a.tensor->type : OPSHIFT_TYPE_UNDEFINED;
        trial->types[1] = b.kind == VALUE_TENSOR ? b.tensor->type : OPSHIFT_TYPE_UNDEFINED;
        if (trial->region->types == NULL && a.kind == VALUE_TENSOR)
            trial->region->types = shape_text(work->arena, a.tensor);
        status = judge(trial, &a, &b, &same, error);
    } else if (*accepted && outcome == SIDE_REFUSED) {
        struct value a = trial_value(work, trial->cut->before);
        trial->types[0] = trial->types[1] = a.kind == VALUE_TENSOR ? a.tensor->type : OPSHIFT_TYPE_UNDEFINED;
        trial->differs = arena_print(work->arena, "it cannot be computed any more: %s", trial->why);
    } else if (*accepted) {
        *accepted = false;
        *stop = true;
    }
    trial_clear(trial);
    return status;
}

/* one_sided: the other side does not have it. */
static void size_note(struct trial *trial, int64_t size, bool one_sided)
{
    size = size < 0 ? -size : size;
    if (one_sided && size < SIZE_ANY && size > SIZE_MOST)
        trial->too_large = true;
    if (size < 1 || size > SIZE_MOST)
        return;
    trial->size_sum += trial->size_sum + size <= SIZE_MOST ? size : 0;
    for (uint32_t i = 0; i < trial->size_count; i++)
        if (trial->sizes[i] == size)
            return;
    if (trial->size_count < VALUES_NEAR)
        trial->sizes[trial->size_count++] = size;
}

static void sizes_note(struct trial *trial, const struct tensor *tensor, bool one_sided)
{
    const struct number_type *type = number_type(tensor->type);
    for (uint64_t i = 0; type != NULL && type->kind == NUMBER_SIGNED && type->size >= 4 && i < tensor->count && i < 64;
         i++)
        size_note(trial, type->load((const char *)tensor->data + i * type->size).i, one_sided);
}

/* A dim of a shape divides what is given: multiples of it show whether others are accepted, too. */
static void multiples_note(struct trial *trial, const struct tensor *tensor)
{
    const struct number_type *type = number_type(tensor->type);
    for (uint64_t i = 0; type != NULL && type->kind == NUMBER_SIGNED && i < tensor->count && i < 8; i++) {
        int64_t dim = type->load((const char *)tensor->data + i * type->size).i;
        if (dim > 0 && dim <= 64)
            size_note(trial, 2 * dim, false);
    }
}

/* Do shapes or axes alone read a constant? Then it is no place in a dim. */
static bool only_shapes_read(const struct cut_out *cut, term_id constant)
{
    static const char *const names[] = {"Reshape",   "Expand",     "ConstantOfShape", "Tile",
                                        "Unsqueeze", "Squeeze",    "ReduceSum",       "ReduceMax",
                                        "ReduceMin", "ReduceMean", "Resize",          "Upsample"};
    bool only = true;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < cut->use_count[side] && only; i++) {
            const struct node_use *use = cut->uses[side][i];
            for (uint32_t k = 0; k < use->node->input_count && only; k++)
                only = use->inputs[k] != constant || is_among(use, names, COUNT(names));
        }
    return only;
}

/* Places in dims that older versions have as attributes. */
static enum opshift_status attributes_note(struct trial *trial, struct opshift_error *error)
{
    static const char *const names[] = {"starts", "ends", "split", "pads", "paddings"};
    enum opshift_status status = OPSHIFT_OK;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < trial->cut->use_count[side] && status == OPSHIFT_OK; i++) {
            const struct node_use *use = trial->cut->uses[side][i];
            static const char *const readers[] = {"Slice", "Split", "Pad"};
            if (!is_among(use, readers, COUNT(readers)))
                continue;
            arena_clear(trial->work->scratch);
            for (size_t k = 0; k < COUNT(names) && status == OPSHIFT_OK; k++) {
                const int64_t *list = NULL;
                size_t count = 0;
                status = use_ints(trial->work, use, names[k], &list, &count, error);
                for (size_t n = 0; list != NULL && n < count && n < 64; n++)
                    size_note(trial, list[n], true);
            }
        }
    return status;
}

static void near_add(struct trial *trial, double number)
{
    bool found = !isfinite(number) || trial->near_count == VALUES_NEAR;
    for (uint32_t i = 0; i < trial->near_count && !found; i++)
        found = trial->near[i] == number;
    if (!found)
        trial->near[trial->near_count++] = number;
}

/* Elements are drawn as numbers of small constants, and as some of large ones. */
static void near_note(struct trial *trial, const struct tensor *tensor, bool one_sided)
{
    uint64_t step = tensor->count <= NEAR_ALL ? 1 : tensor->count / 4;
    double least = INFINITY, greatest = -INFINITY;
    if (one_sided && tensor->count > NEAR_ALL && tensor->rank > 0 &&
        (uint64_t)tensor->dims[0] > (uint64_t)trial->row_count)
        trial->row_count = tensor->dims[0];
    trial->has_large = trial->has_large || (one_sided && tensor->count > NEAR_ALL);
    for (uint64_t k = 0; k < tensor->count; k += step)
        near_add(trial, tensor_number(tensor, k));
    for (uint64_t k = 0; tensor->count > NEAR_ALL && k < tensor->count; k++) {
        double number = tensor_number(tensor, k);
        least = isfinite(number) ? fmin(least, number) : least;
        greatest = isfinite(number) ? fmax(greatest, number) : greatest;
    }
    near_add(trial, least);
    near_add(trial, greatest);
}

/* Numbers in attributes, such as bounds. */
static enum opshift_status reals_note(struct trial *trial, struct opshift_error *error)
{
    const struct cut_out *cut = trial->cut;
    enum opshift_status status = OPSHIFT_OK;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < cut->use_count[side] && status == OPSHIFT_OK; i++) {
            Onnx__AttributeProto **attributes = NULL;
            size_t count = 0;
            arena_clear(trial->work->scratch);
            status = use_attributes(trial->work, cut->uses[side][i], trial->work->scratch, &attributes, &count, error);
            for (size_t k = 0; k < count && status == OPSHIFT_OK; k++)
                if (attributes[k]->has_f)
                    near_add(trial, (double)attributes[k]->f);
        }
    return status;
}

static enum opshift_status constants_read(struct trial *trial, struct opshift_error *error)
{
    const struct cut_out *cut = trial->cut;
    enum opshift_status status = OPSHIFT_OK;
    trial->plain = arena_alloc(trial->arena, cut->constant_count + UINT64_C(1), sizeof(*trial->plain));
    trial->leaves = arena_alloc(trial->arena, cut->leaf_count + UINT64_C(1), sizeof(*trial->leaves));
    if (trial->plain == NULL || trial->leaves == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < cut->constant_count && status == OPSHIFT_OK; i++) {
        const struct tensor *tensor = NULL;
        status = content_load(&trial->work->terms[cut->constants[i]], trial->arena, &tensor, error);
        trial->plain[i] = tensor;
        const struct number_type *type = status == OPSHIFT_OK ? number_type(tensor->type) : NULL;
        if (status == OPSHIFT_OK && !only_shapes_read(cut, cut->constants[i]))
            sizes_note(trial, tensor, cut->constant_sides[i] != 3);
        else if (status == OPSHIFT_OK && cut->constant_sides[i] != 3)
            multiples_note(trial, tensor);
        if (type != NULL)
            near_note(trial, tensor, cut->constant_sides[i] != 3);
    }
    /* A place in a dim that a shape computes is met by sizes that the shape takes. */
    for (uint32_t i = 0; i < cut->constant_count && trial->size_count > 0 && status == OPSHIFT_OK; i++)
        if (cut->constant_sides[i] == 3 && only_shapes_read(cut, cut->constants[i]))
            multiples_note(trial, trial->plain[i]);
    if (status == OPSHIFT_OK)
        status = reals_note(trial, error);
    return status == OPSHIFT_OK ? attributes_note(trial, error) : status;
}

/* Are the nodes rational functions of what is drawn? Those of constants may be anything. */
static bool region_is_rational(const struct cut_out *cut)
{
    bool rational = true;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < cut->use_count[side]; i++)
            rational = rational && is_rational(cut->uses[side][i]);
    return rational;
}

/* More where a part of it differs, where ties and numbers are to be met, and where places in dims are by drawn sizes.
 */
static unsigned runs_wanted(const struct trial *trial)
{
    return trial->cut->has_failed || region_jumps(trial->cut) || (trial->size_count > 0 && trial->has_open)
               ? RUNS_MORE
               : RUNS_WANTED;
}

static void conclude(struct trial *trial, unsigned runs)
{
    struct equal_region *region = trial->region;
    struct arena *arena = trial->work->arena;
    region->runs = runs;
    region->is_exact = !trial->apart;
    if (trial->differs != NULL) {
        region->verdict = EQUAL_DIFFERS;
        region->why = trial->differs;
    } else if (runs < runs_wanted(trial)) {
        region->verdict = EQUAL_NOT_SHOWN;
        region->is_refused = runs == 0;
        region->why = arena_print(arena, "only %u of %u runs were accepted: %s", runs, runs_wanted(trial),
                                  trial->why == NULL ? "no values to run it on" : trial->why);
    } else if (trial->too_large && trial->has_open && trial->cut->source == NULL) {
        region->verdict = EQUAL_NOT_SHOWN;
        region->why = "it has integers that matter for larger dims than those that are run";
    } else if (region_reads_some(trial)) {
        region->verdict = EQUAL_NOT_SHOWN;
        region->why = "runs show no difference, but read only some elements of a constant that is another";
    } else if (trial->has_large && region_jumps(trial->cut)) {
        region->verdict = EQUAL_NOT_SHOWN;
        region->why = "it compares with constants of which not all numbers are drawn";
    } else if (region_compares(trial)) {
        region->verdict = EQUAL_NOT_SHOWN;
        region->why = "it compares what it computes with a number that only one side has";
    } else if (!trial->apart) {
        region->verdict = EQUAL_TESTED;
        region->why = "bit for bit the same";
    } else {
        bool rational = region_is_rational(trial->cut) && !trial->narrow && region->absolute > 0;
        region->verdict = rational ? EQUAL_ROUNDING : EQUAL_TESTED;
        region->why = region->absolute == 0
                          ? "the same but for the sign of zeros"
                          : arena_print(arena,
                                        "%swithin %.2g, %.2g of the greatest number, %.0f units in the last place; "
                                        "rounding makes up to %.2g",
                                        rational ? "the same in real numbers; " : "", region->absolute,
                                        region->relative, region->ulps, region->bound);
    }
}

/* Keeps what a run that differs reads. */
static enum opshift_status attempt_keep(struct trial *trial, struct opshift_error *error)
{
    struct reduced_run *reduced = trial->reduced;
    uint32_t count = trial->cut->leaf_count;
    const struct tensor **leaves = arena_alloc(trial->reduced_arena, count + UINT64_C(1), sizeof(*leaves));
    enum opshift_status status = OPSHIFT_OK;
    if (leaves == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        struct tensor *copy = NULL;
        status = tensor_copy(trial->reduced_arena, trial->leaves[i], &copy, error);
        leaves[i] = copy;
    }
    bool typed = trial->types[0] != OPSHIFT_TYPE_UNDEFINED && trial->types[1] != OPSHIFT_TYPE_UNDEFINED;
    *reduced = (struct reduced_run){typed ? leaves : NULL, {trial->types[0], trial->types[1]}};
    return status;
}

static enum opshift_status attempt_judge(struct trial *trial, uint32_t attempt, unsigned *runs, unsigned *refused,
                                         bool *stop, struct opshift_error *error)
{
    struct equal_region before = *trial->region;
    bool accepted = false, was_apart = trial->apart;
    /* Extremes, where sums in another order are no other sums. */
    bool edges = *runs > 0 && !trial->apart && attempt % 8 == 5 && !trial->sweeps && !trial->has_nans;
    enum opshift_status status = attempt_run(trial, attempt, edges, &accepted, stop, error);
    if (edges && trial->apart && !region_only_picks(trial->cut)) {
        trial->differs = NULL;
        trial->apart = false;
        *trial->region = before;
    }
    /* Sizes of the model may be in constants of one side: a difference in smaller ones is none. */
    if (trial->has_shrunk && trial->differs != NULL) {
        trial->differs = NULL;
        trial->is_full = true;
        trial->apart = was_apart;
        *trial->region = before;
        accepted = false;
    }
    *runs += accepted;
    *refused = accepted ? 0 : *refused + 1;
    bool differs = trial->differs != NULL || (trial->work->options->exact && trial->apart);
    if (status == OPSHIFT_OK && trial->reduced != NULL && differs) {
        *stop = true;
        return attempt_keep(trial, error);
    }
    *stop = *stop || trial->differs != NULL || (*runs == 0 && *refused == REFUSED_MAX);
    return status;
}

/* So that each size of an open dim is met. */
static uint32_t attempts_wanted(const struct trial *trial)
{
    bool swept = trial->has_open && trial->size_count > 0 && trial->size_sum <= SIZES_SWEPT;
    return swept ? 2 * (uint32_t)(trial->size_sum + 2) : 0;
}

static uint64_t edges_wanted(const struct trial *trial)
{
    return draw_edge_count(number_type(OPSHIFT_TYPE_FLOAT), trial->near_count);
}

/* Is one of the drawn values of reals? */
static bool reads_reals(const struct trial *trial)
{
    bool found = false;
    for (uint32_t i = 0; i < trial->cut->leaf_count && trial->leaves != NULL; i++) {
        const struct tensor *leaf = trial->leaves[i];
        const struct number_type *type = leaf == NULL ? NULL : number_type(leaf->type);
        found = found || (type != NULL && type->kind == NUMBER_REAL);
    }
    return found;
}

/* reduced NULL: all runs, and a verdict. */
static enum opshift_status region_runs(struct equal_work *work, const struct cut_out *cut, struct equal_region *region,
                                       struct reduced_run *reduced, struct arena *reduced_arena,
                                       struct opshift_error *error)
{
    const struct equal_options *options = work->options;
    struct trial trial = {.work = work,
                          .cut = cut,
                          .region = region,
                          .reduced = reduced,
                          .reduced_arena = reduced_arena,
                          .seed = options->seed ^ (region->number * UINT64_C(0x9e3779b97f4a7c15))};
    unsigned runs = 0, refused = 0;
    bool stop = work->steps > STEPS_ALL;
    work->budget = (struct budget){.bytes_max = options->memory ? options->memory : 4 * BUDGET_MEMORY_DEFAULT,
                                   .steps_max = options->steps ? options->steps : BUDGET_STEPS_DEFAULT,
                                   .progress = options->progress,
                                   .progress_data = options->progress_data};
    trial.first_seed = trial.seed;
    trial.arena = arena_new(0);
    trial.drawn = arena_new(0);
    struct trial source = {
        .work = work, .cut = cut->source, .arena = trial.arena, .drawn = trial.drawn, .seed = trial.seed};
    trial.source = cut->source == NULL ? NULL : &source;
    if (stop)
        trial.why = "the limit of steps for all runs is reached (--max-steps)";
    enum opshift_status status =
        trial.arena == NULL || trial.drawn == NULL ? opshift_no_memory(error) : constants_read(&trial, error);
    if (status == OPSHIFT_OK && source.cut != NULL)
        status = constants_read(&source, error);
    /* Where a side compares or limits, each number of the constants is met, and what is beside it. */
    bool meets = status == OPSHIFT_OK && cut->source == NULL && (region_only_picks(cut) || region_jumps(cut));
    uint32_t sweeps = meets ? trial_sweeps(&trial) : 0;
    for (uint32_t attempt = 0;
         attempt < RUNS_MOST && (runs < runs_wanted(&trial) || attempt < attempts_wanted(&trial)) && !stop &&
         status == OPSHIFT_OK;
         attempt++)
        status = attempt_judge(&trial, attempt, &runs, &refused, &stop, error);
    unsigned more = cut->source == NULL && reads_reals(&trial) ? EDGE_RUNS + NAN_RUNS : 0;
    for (uint32_t turn = 0; turn < more && runs >= runs_wanted(&trial) && !stop && status == OPSHIFT_OK; turn++) {
        trial.has_nans = turn < NAN_RUNS;
        if (!trial.has_nans && (trial.apart || trial.edge_at >= edges_wanted(&trial)))
            break;
        status = attempt_judge(&trial, 5 + 8 * turn, &runs, &refused, &stop, error);
    }
    trial.has_nans = false;
    for (trial.zeros = 1; trial.zeros <= ZERO_RUNS && trial.has_open && cut->source == NULL &&
                          runs >= runs_wanted(&trial) && !stop && status == OPSHIFT_OK;
         trial.zeros++)
        status = attempt_judge(&trial, 2 * trial.zeros, &runs, &refused, &stop, error);
    trial.zeros = 0;
    trial.sweeps = true;
    for (uint32_t turn = 0; turn < sweeps && runs >= runs_wanted(&trial) && !stop && status == OPSHIFT_OK; turn++)
        status = attempt_judge(&trial, turn, &runs, &refused, &stop, error);
    work->steps += work->budget.steps;
    if (status == OPSHIFT_OK)
        conclude(&trial, runs);
    arena_free(trial.arena);
    arena_free(trial.drawn);
    return status;
}

enum opshift_status region_run(struct equal_work *work, const struct cut_out *cut, struct equal_region *region,
                               struct opshift_error *error)
{
    region->number = ++work->region_count;
    region->cut = cut;
    return region_runs(work, cut, region, NULL, NULL, error);
}

enum opshift_status region_again(struct equal_work *work, struct equal_region *region, struct arena *arena,
                                 struct reduced_run *run, struct opshift_error *error)
{
    struct equal_region copy = *region;
    work->steps = 0;
    return region_runs(work, region->cut, &copy, run, arena, error);
}
