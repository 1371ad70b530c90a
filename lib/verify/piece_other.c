/* A rewritten node other than Split: one run on random inputs if it is what convert makes of it, else runs at
 * boundaries. */
#include <inttypes.h>
#include <string.h>

#include "run/draw.h"
#include "verify/edges.h"

#define ATTEMPTS_MAX 96u
/* Runs if they can only show a difference. */
#define ATTEMPTS_AGAINST 8u
/* Maximum for all pieces of a comparison, since a file may have any number of them. */
#define ATTEMPTS_ALL 10000u
/* Additional runs after the minimum, and the number of random elements after which no additional runs are made. */
#define RUNS_ENOUGH  40u
#define DRAWN_ENOUGH (UINT64_C(1) << 22)
/* Maximum of a random dim. */
#define DIM_LONGEST 512
/* Runs of a node of which a rule assumes something, and attempts at them. */
#define MODEST_RUNS     2u
#define MODEST_ATTEMPTS 12u
/* Constants with more elements than this are data, not positions. */
#define PLACES_MAX 64u

/* A list of constants of one side: an attribute, or an input of the same name. */
struct place_list {
    struct dim_list *dims;
    int side;
    uint64_t role;
};

/* ---- dims near the constants of the piece ---- */

static void add_dim(struct dim_list *list, int64_t dim)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->dims[i] == dim)
            return;
    if (dim >= 0 && dim <= DIM_LONGEST && list->count < DIMS_MAX)
        list->dims[list->count++] = dim;
}

static void add_around(const struct place_list *list, uint64_t place, int64_t number)
{
    int64_t size = number < 0 && number > -DIM_LONGEST ? -number : number;
    if (size < 0 || size >= DIM_LONGEST) {
        uint64_t seed = list->role + place, mixed = draw_next(&seed) ^ (uint64_t)number;
        list->dims->sums[list->side] += draw_next(&mixed);
        return;
    }
    add_dim(list->dims, size - 1);
    add_dim(list->dims, size);
    add_dim(list->dims, size + 1);
}

static struct place_list place_list(struct dim_list *dims, int side, struct bytes name)
{
    uint64_t role = name.size;
    for (size_t i = 0; i < name.size; i++)
        role = role * 31 + name.data[i];
    return (struct place_list){dims, side, draw_next(&role)};
}

static enum opshift_status add_attributes(struct attribute_list *attributes, struct dim_list *dims, int side,
                                          struct opshift_error *error)
{
    enum opshift_status status = attribute_list_read(attributes, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < attributes->count; i++) {
        Onnx__AttributeProto *message = NULL;
        if (attributes->ranges[i].type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT &&
            attributes->ranges[i].type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS)
            continue;
        struct place_list list =
            place_list(dims, side, names_bytes(attributes->model->names, attributes->ranges[i].name));
        status = attribute_list_decode(attributes, i, &message, error);
        if (status == OPSHIFT_OK && message->has_i)
            add_around(&list, 0, message->i);
        for (size_t k = 0; status == OPSHIFT_OK && k < message->n_ints && k < PLACES_MAX; k++)
            add_around(&list, k, message->ints[k]);
    }
    return status;
}

/* The schema's name of an input, which is that of the attribute that it was; "": unknown. */
static struct bytes input_name(const struct side *side, const struct graph *graph, const struct node *node,
                               uint32_t position)
{
    const struct names *names = side->model->names;
    const struct schema *schema = schema_find(names_text(names, node_domain(node)), names_text(names, node->op_type),
                                              graph_opset(side->model, graph, node_domain(node)));
    const struct schema_parameter *parameter = schema == NULL ? NULL : schema_input(schema, position);
    const char *name = parameter == NULL ? "" : parameter->name;
    return (struct bytes){(const uint8_t *)name, strlen(name)};
}

static enum opshift_status add_constants(struct side *side, struct graph *graph, const struct node *node,
                                         struct dim_list *dims, int which, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++) {
        const struct tensor *tensor = NULL;
        if (node_inputs(node)[i] != NAME_NONE)
            status = fold_constant_briefly(side->fold, graph, node_inputs(node)[i], &tensor, NULL, error);
        if (status != OPSHIFT_OK || tensor == NULL || tensor->count > PLACES_MAX)
            continue;
        struct place_list list = place_list(dims, which, input_name(side, graph, node, i));
        for (uint64_t k = 0; k < tensor->count; k++)
            if (tensor->type == OPSHIFT_TYPE_INT64)
                add_around(&list, k, ((const int64_t *)tensor->data)[k]);
            else if (tensor->type == OPSHIFT_TYPE_INT32)
                add_around(&list, k, ((const int32_t *)tensor->data)[k]);
    }
    return status;
}

enum opshift_status piece_dims(struct piece *piece, struct dim_list *list, struct opshift_error *error)
{
    struct comparison *comparison = piece->comparison;
    struct side *sides[2] = {&comparison->before, &comparison->after};
    struct graph *graphs[2] = {piece->pair->before, piece->pair->after};
    const struct node *nodes[2] = {piece->node, piece->partner};
    static const int64_t always[] = {2, 1, 3, 0, 4};
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < COUNT(always); i++)
        add_dim(list, always[i]);
    for (int i = 0; i < 2 && status == OPSHIFT_OK && nodes[i] != NULL; i++) {
        status = add_attributes(&piece->attributes[i], list, i, error);
        if (status == OPSHIFT_OK)
            status = add_constants(sides[i], graphs[i], nodes[i], list, i, error);
    }
    if (list->sums[0] != list->sums[1])
        piece->unfit = "the two have other constants that are too large to draw dims around";
    return status;
}

/* ---- limits of runs ---- */

static bool is_flag(const char *name)
{
    static const char *const flags[] = {"align_corners",
                                        "allowzero",
                                        "antialias",
                                        "broadcast",
                                        "ceil_mode",
                                        "center_point_box",
                                        "count_include_pad",
                                        "detect_negative",
                                        "detect_positive",
                                        "exclude_outside",
                                        "exclusive",
                                        "fmod",
                                        "input_forget",
                                        "is_causal",
                                        "is_test",
                                        "keep_aspect_ratio",
                                        "keepdims",
                                        "largest",
                                        "linear_before_reset",
                                        "new_axis",
                                        "noop_with_empty_axes",
                                        "onesided",
                                        "periodic",
                                        "reverse",
                                        "saturate",
                                        "select_last_index",
                                        "sorted",
                                        "spatial",
                                        "storage_order",
                                        "training_mode",
                                        "transA",
                                        "transB",
                                        "upper"};
    for (size_t i = 0; i < COUNT(flags); i++)
        if (strcmp(flags[i], name) == 0)
            return true;
    return false;
}

/* The specification defines two values of such an attribute; runtimes differ for others. */
static enum opshift_status find_unfit(struct piece *piece, struct attribute_list *attributes,
                                      struct opshift_error *error)
{
    enum opshift_status status = attribute_list_read(attributes, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < attributes->count; i++) {
        const char *name = names_text(attributes->model->names, attributes->ranges[i].name);
        Onnx__AttributeProto *message = NULL;
        if (attributes->ranges[i].type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT || !is_flag(name))
            continue;
        status = attribute_list_decode(attributes, i, &message, error);
        if (status == OPSHIFT_OK && message->has_i && message->i != 0 && message->i != 1)
            piece->unfit = arena_print(piece->arena, "%s is %" PRId64 ", which is neither 0 nor 1", name, message->i);
    }
    return status;
}

/* ---- runs ---- */

/* Random values would contradict what a rule assumes of them. */
static enum opshift_status run_modest(struct piece *piece, struct opshift_error *error)
{
    static const int64_t dims[] = {2, 1, 3};
    enum opshift_status status = OPSHIFT_OK;
    uint64_t first = piece->runs;
    bool accepted;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < MODEST_ATTEMPTS && piece->runs < first + MODEST_RUNS &&
                         piece->verdict != VERDICT_DIFFERS;
         i++) {
        struct draw_style style = {.dims = dims, .dim_count = COUNT(dims), .attempt = i, .modest = true};
        status = piece_run(piece, NULL, &style, &accepted, error);
    }
    return status;
}

static enum opshift_status run_binding(struct piece *piece, const struct dim_list *list, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    uint64_t first = piece->runs;
    bool accepted;
    if (piece->is_expected && piece->expected->planned.is_conditional)
        return run_modest(piece, error);
    if (piece->is_expected && piece->expected->planned.is_replaced)
        return piece_run_replaced(piece, list->dims, list->count, error);
    if (piece->is_expected)
        return piece_run(piece, NULL, NULL, &accepted, error);
    enum opshift_fate fate = piece->expected->planned.fate;
    uint32_t most = fate == OPSHIFT_REWRITTEN || fate == OPSHIFT_REMOVED ? ATTEMPTS_MAX : ATTEMPTS_AGAINST;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < most && piece->verdict != VERDICT_DIFFERS; i++) {
        struct draw_style style = {
            .dims = list->dims, .dim_count = list->count, .constants = &piece->constants, .attempt = i};
        uint64_t runs = piece->runs - first;
        if (runs >= RUNS_ENOUGH || (runs >= PIECE_RUNS_LEAST && piece->drawn > DRAWN_ENOUGH) ||
            piece->drawn > 16 * DRAWN_ENOUGH)
            break;
        if (piece->comparison->attempts++ >= ATTEMPTS_ALL) {
            piece->refused = "as many runs as are made of one pair of models were made";
            break;
        }
        status = piece_run(piece, NULL, &style, &accepted, error);
    }
    return status;
}

/* Runs with random inputs for each binding of the function. */
static enum opshift_status run_bindings(struct piece *piece, struct opshift_error *error)
{
    const struct binding_list *bindings = piece->bindings;
    struct dim_list list = {.count = 0};
    uint32_t count = piece->is_unreached ? 0 : bindings == NULL || bindings->count == 0 ? 1 : bindings->count;
    enum opshift_status status = OPSHIFT_OK;
    if (!piece->is_expected || piece->expected->planned.is_replaced)
        status = piece_dims(piece, &list, error);
    if (status == OPSHIFT_OK && !piece->is_expected)
        status = find_unfit(piece, &piece->attributes[0], error);
    if (status == OPSHIFT_OK && !piece->is_expected && piece->partner != NULL)
        status = find_unfit(piece, &piece->attributes[1], error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count && piece->verdict != VERDICT_DIFFERS; i++) {
        piece->binding = bindings == NULL || bindings->count == 0 ? NULL : &bindings->items[i];
        status = run_binding(piece, &list, error);
    }
    if (piece->is_expected && piece->verdict == VERDICT_DIFFERS &&
        calls_cover(piece->comparison, piece->pair->before)) {
        piece->verdict = VERDICT_NOT_SHOWN;
        piece->refused = "no call gives what was drawn";
    }
    if (status == OPSHIFT_OK && piece->is_expected && piece->verdict != VERDICT_DIFFERS)
        status = edges_verify(piece, error);
    return status;
}

/* ---- unexpected nodes ---- */

static bool is_changed(const struct piece *piece)
{
    const struct graph *graph = piece->pair->before;
    return piece->comparison->before.changed[graph->number][piece->node - graph->nodes];
}

/* Is every output that both models have the same constant? */
static enum opshift_status prove_constant(struct piece *piece, struct opshift_error *error)
{
    struct side *before = &piece->comparison->before, *after = &piece->comparison->after;
    uint32_t same = 0;
    for (uint32_t i = 0; i < piece->node->output_count; i++) {
        const struct tensor *values[2] = {NULL, NULL};
        name_id name = node_outputs(piece->node)[i];
        if (name == NAME_NONE || before->other[name] == NAME_NO_MEMORY)
            continue;
        enum opshift_status status =
            fold_constant_briefly(before->fold, piece->pair->before, name, &values[0], NULL, error);
        if (status == OPSHIFT_OK)
            status =
                fold_constant_briefly(after->fold, piece->pair->after, before->other[name], &values[1], NULL, error);
        if (status != OPSHIFT_OK)
            return status;
        if (values[0] == NULL || values[1] == NULL)
            return OPSHIFT_OK;
        if (!tensor_equal(values[0], values[1])) {
            piece->other_constant = arena_print(piece->arena, "'%s' is a constant of another value",
                                                names_text(before->model->names, name));
            return piece->other_constant ? OPSHIFT_OK : opshift_no_memory(error);
        }
        status = basis_of_constant(piece, false, name, error);
        if (status == OPSHIFT_OK)
            status = basis_of_constant(piece, true, before->other[name], error);
        if (status != OPSHIFT_OK)
            return status;
        same++;
    }
    if (same > 0)
        piece->proof = "the same constant";
    return OPSHIFT_OK;
}

/* No rule changes the node, and the second model has another one. Runs that agree, or other operators, which may
 * compute the same, leave it open. */
static void judge_kept(struct piece *piece)
{
    const char *op_type = names_text(piece->comparison->before.model->names, piece->node->op_type);
    const char *rules = piece_rules(piece);
    const char *words =
        rules == NULL
            ? arena_print(piece->arena, "is another, though %s is the same at both opsets: %s", op_type,
                          piece->unexpected)
            : arena_print(piece->arena, "is another, though it is to be kept: %s: %s", rules, piece->unexpected);
    piece->kept_otherwise = piece->other_operator || piece->runs > 0;
    if (piece->kept_otherwise)
        piece->doubt = words;
    else
        piece_differs(piece, words);
}

static void judge_unexpected(struct piece *piece)
{
    enum opshift_fate fate = piece->expected->planned.fate;
    if (fate == OPSHIFT_KEPT && is_changed(piece)) {
        judge_kept(piece);
        return;
    }
    piece->doubt = fate == OPSHIFT_REWRITTEN
                       ? arena_print(piece->arena, "not the result of %s: %s", piece_rules(piece), piece->unexpected)
                   : fate == OPSHIFT_REMOVED ? "convert would remove it, as nobody reads it then"
                                             : NULL;
    /* No drawn input may meet the constants of other operators. */
    piece->replaced_otherwise = fate == OPSHIFT_REWRITTEN && piece->other_operator;
    if (fate == OPSHIFT_REWRITTEN && piece->runs == 0)
        piece_differs(piece, arena_print(piece->arena, "%s; and it cannot be run to see whether that does the same: %s",
                                         piece->doubt, piece->refused));
}

enum opshift_status piece_other(struct piece *piece, struct opshift_error *error)
{
    enum opshift_status status = piece->is_expected ? OPSHIFT_OK : prove_constant(piece, error);
    if (status != OPSHIFT_OK || piece->proof != NULL || piece->other_constant != NULL)
        return status;
    status = run_bindings(piece, error);
    if (status == OPSHIFT_OK && !piece->is_expected && piece->verdict != VERDICT_DIFFERS)
        judge_unexpected(piece);
    return status;
}
