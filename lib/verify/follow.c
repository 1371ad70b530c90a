/* Evaluates the small graph that computes lengths or positions symbolically, for all dims at once: its numbers are
 * linear forms. A dim that is split into k chunks is k * q + r: for each remainder r, from 0 to k - 1, there is one
 * linear form in q. Division by k is then exact, and two numbers with the same forms are equal for every dim.
 * Lengths known only at run time are variables. */
#include "verify/follow.h"

#include <inttypes.h>
#include <string.h>

/* By element and case: the coefficients of the variables and the constant term. */
struct forms {
    bool is_shape; /* the shape of the split value, of any rank: only its elements are used */
    uint32_t count;
    int64_t *factors;
};

struct followed {
    name_id name;
    struct forms forms;
};

struct follower {
    struct piece *piece;
    struct side *side; /* the second model */
    struct graph *graph;
    uint32_t cases, variables;
    uint32_t parts;
    struct followed *known;
    uint32_t known_count, node_count;
    const char *why; /* why it failed; NULL: no failure */
};

static enum opshift_status follow(struct follower *follower, name_id name, unsigned depth, struct forms *forms,
                                  struct opshift_error *error);

static uint32_t form_size(const struct follower *follower)
{
    return follower->cases * (follower->variables + 1);
}

static int64_t *form_at(const struct follower *follower, const struct forms *forms, uint32_t element)
{
    return forms->factors + (size_t)element * form_size(follower);
}

static enum opshift_status forms_new(struct follower *follower, uint32_t count, struct forms *forms,
                                     struct opshift_error *error)
{
    *forms = (struct forms){.count = count};
    forms->factors = arena_alloc(follower->piece->arena, (size_t)count * form_size(follower) + 1, sizeof(int64_t));
    return forms->factors == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static void give_up(struct follower *follower, const char *why)
{
    if (follower->why == NULL)
        follower->why = why == NULL ? "out of memory" : why;
}

/* Are all coefficients small enough that numbers cannot overflow? */
static void check_size(struct follower *follower, const struct forms *forms)
{
    uint32_t width = follower->variables + 1;
    for (uint32_t i = 0; i < forms->count * follower->cases * width; i++) {
        int64_t most = i % width == follower->variables ? FOLLOW_REST_MAX : FOLLOW_FACTOR_MAX;
        if (forms->factors[i] > most || forms->factors[i] < -most)
            give_up(follower, "its numbers may overflow");
    }
}

/* ---- leaves ---- */

static enum opshift_status take_numbers(struct follower *follower, const int64_t *numbers, uint64_t count,
                                        struct forms *forms, struct opshift_error *error)
{
    if (count > FOLLOW_PARTS_MAX) {
        give_up(follower, "it computes with more numbers than are followed");
        return OPSHIFT_OK;
    }
    enum opshift_status status = forms_new(follower, (uint32_t)count, forms, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        for (uint32_t n = 0; n < follower->cases; n++)
            form_at(follower, forms, i)[n * (follower->variables + 1) + follower->variables] = numbers[i];
    if (status == OPSHIFT_OK)
        check_size(follower, forms);
    return status;
}

/* The dim that is split: k * q + r. */
static enum opshift_status take_dim(struct follower *follower, struct forms *forms, struct opshift_error *error)
{
    enum opshift_status status = forms_new(follower, 1, forms, error);
    for (uint32_t n = 0; status == OPSHIFT_OK && n < follower->cases; n++) {
        forms->factors[2 * n] = follower->cases;
        forms->factors[2 * n + 1] = n;
    }
    return status;
}

/* The lengths known only at run time: a variable each. */
static enum opshift_status take_lengths(struct follower *follower, struct forms *forms, struct opshift_error *error)
{
    enum opshift_status status = forms_new(follower, follower->variables, forms, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < follower->variables; i++)
        form_at(follower, forms, i)[i] = 1;
    return status;
}

/* Is this element the same constant in all cases? */
static bool is_number(const struct follower *follower, const struct forms *forms, uint32_t element, int64_t *number)
{
    const int64_t *form = form_at(follower, forms, element);
    uint32_t width = follower->variables + 1;
    *number = form[follower->variables];
    for (uint32_t i = 0; i < follower->cases * width; i++)
        if (form[i] != (i % width == follower->variables ? *number : 0))
            return false;
    return true;
}

/* ---- operators ---- */

static bool times(struct follower *follower, const struct forms *a, uint32_t ai, const struct forms *b, uint32_t bi,
                  int64_t *result)
{
    int64_t number;
    if (!is_number(follower, b, bi, &number) || number > FOLLOW_FACTOR_MAX || number < -FOLLOW_FACTOR_MAX)
        return false;
    for (uint32_t i = 0; i < form_size(follower); i++)
        if (__builtin_mul_overflow(form_at(follower, a, ai)[i], number, &result[i]))
            return false;
    return true;
}

/* Rounding down equals rounding to zero for non-negative numbers. */
static bool divided(struct follower *follower, const struct forms *a, uint32_t ai, const struct forms *b, uint32_t bi,
                    int64_t *result)
{
    int64_t number;
    uint32_t width = follower->variables + 1;
    if (!is_number(follower, b, bi, &number) || number < 1)
        return false;
    for (uint32_t i = 0; i < form_size(follower); i++) {
        int64_t factor = form_at(follower, a, ai)[i];
        if (factor < 0 || (i % width != follower->variables && factor % number != 0))
            return false;
        result[i] = factor / number;
    }
    return true;
}

static bool combine(struct follower *follower, char sign, const struct forms *a, uint32_t ai, const struct forms *b,
                    uint32_t bi, int64_t *result)
{
    if (sign == '*')
        return times(follower, a, ai, b, bi, result) || times(follower, b, bi, a, ai, result);
    if (sign == '/')
        return divided(follower, a, ai, b, bi, result);
    /* Both are at most 2^60. */
    for (uint32_t i = 0; i < form_size(follower); i++)
        result[i] = form_at(follower, a, ai)[i] + (sign == '+' ? 1 : -1) * form_at(follower, b, bi)[i];
    return true;
}

static enum opshift_status take_elementwise(struct follower *follower, char sign, const struct forms inputs[2],
                                            struct forms *forms, struct opshift_error *error)
{
    const struct forms *a = &inputs[0], *b = &inputs[1];
    uint32_t count = a->count == 1 ? b->count : a->count;
    if (a->is_shape || b->is_shape || (b->count != 1 && b->count != count)) {
        give_up(follower, "it computes with the whole shape");
        return OPSHIFT_OK;
    }
    enum opshift_status status = forms_new(follower, count, forms, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        if (!combine(follower, sign, a, a->count == 1 ? 0 : i, b, b->count == 1 ? 0 : i, form_at(follower, forms, i)))
            give_up(follower, sign == '/' ? "it divides by what is not the number of parts"
                                          : "it multiplies two numbers that are not known");
    if (status == OPSHIFT_OK)
        check_size(follower, forms);
    return status;
}

/* Is the number the axis that is split? Other dims are not followed. */
static bool is_axis(const struct piece *piece, int64_t axis)
{
    struct cut other = {.split = split_cut_start(0, 0)};
    other.split.axis = axis;
    split_cut_data(&other.split, &piece->type);
    return cut_same_axis(&piece->before, &other);
}

static enum opshift_status take_gather(struct follower *follower, const struct forms inputs[2], struct forms *forms,
                                       struct opshift_error *error)
{
    int64_t axis;
    if (inputs[0].is_shape && !inputs[1].is_shape && inputs[1].count == 1 && follower->variables == 1 &&
        is_number(follower, &inputs[1], 0, &axis) && is_axis(follower->piece, axis))
        return take_dim(follower, forms, error);
    give_up(follower, "it reads a dim that is not the one that is cut");
    return OPSHIFT_OK;
}

/* Slice(list, [from], [to], [0]), of a list or of the shape. */
static enum opshift_status take_slice(struct follower *follower, const struct forms *inputs, uint32_t count,
                                      struct forms *forms, struct opshift_error *error)
{
    int64_t from, to, axis = 0, step = 1;
    bool known = count >= 3 && inputs[1].count == 1 && inputs[2].count == 1 &&
                 is_number(follower, &inputs[1], 0, &from) && is_number(follower, &inputs[2], 0, &to);
    if (known && count > 3)
        known = inputs[3].count == 1 && is_number(follower, &inputs[3], 0, &axis);
    if (known && count > 4)
        known = inputs[4].count == 1 && is_number(follower, &inputs[4], 0, &step);
    if (known && inputs[0].is_shape && axis == 0 && step == 1 && from >= 0 && to == from + 1 &&
        is_axis(follower->piece, from))
        return take_dim(follower, forms, error);
    if (!known || inputs[0].is_shape || axis != 0 || step != 1 || from < 0 || to < from || to > inputs[0].count) {
        give_up(follower, "it takes a part of a list that is not known");
        return OPSHIFT_OK;
    }
    enum opshift_status status = forms_new(follower, (uint32_t)(to - from), forms, error);
    if (status == OPSHIFT_OK)
        memcpy(forms->factors, form_at(follower, &inputs[0], (uint32_t)from),
               (size_t)(to - from) * form_size(follower) * sizeof(int64_t));
    return status;
}

static enum opshift_status take_concat(struct follower *follower, const struct forms *inputs, uint32_t count,
                                       struct forms *forms, struct opshift_error *error)
{
    uint64_t total = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += inputs[i].count;
        if (inputs[i].is_shape || total > FOLLOW_PARTS_MAX) {
            give_up(follower, "it makes a list that is too long, or of a whole shape");
            return OPSHIFT_OK;
        }
    }
    enum opshift_status status = forms_new(follower, (uint32_t)total, forms, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; at += inputs[i++].count)
        memcpy(form_at(follower, forms, at), inputs[i].factors,
               (size_t)inputs[i].count * form_size(follower) * sizeof(int64_t));
    return status;
}

/* ---- nodes ---- */

static bool is_called(const struct follower *follower, const struct node *node, const char *op_type)
{
    return node_domain(node) == NAME_NONE &&
           strcmp(names_text(follower->side->model->names, node->op_type), op_type) == 0;
}

/* A Constant that refers to a function's attribute. */
static enum opshift_status take_parameter(struct follower *follower, const struct node *node, struct forms *forms,
                                          struct opshift_error *error)
{
    struct arena *arena = follower->piece->arena;
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    Onnx__AttributeProto *attribute = NULL, *value = NULL;
    enum opshift_status status = node_attributes(follower->side->model, node, arena, &ranges, &count, error);
    if (status == OPSHIFT_OK && count == 1)
        status = attribute_decode(follower->side->model, &ranges[0], arena, &attribute, error);
    if (status != OPSHIFT_OK)
        return status;
    if (attribute != NULL && attribute->ref_attr_name.len > 0)
        value = binding_value(follower->piece->binding, &attribute->ref_attr_name);
    if (value != NULL && strcmp(names_text(follower->side->model->names, ranges[0].name), "value_int") == 0)
        return take_numbers(follower, &value->i, 1, forms, error);
    if (value != NULL && strcmp(names_text(follower->side->model->names, ranges[0].name), "value_ints") == 0)
        return take_numbers(follower, value->ints, value->n_ints, forms, error);
    give_up(follower, "it depends on a parameter of its function");
    return OPSHIFT_OK;
}

/* The shape of the split value; for rank 1 the split dim. */
static enum opshift_status take_shape(struct follower *follower, const struct node *node, struct forms *forms,
                                      struct opshift_error *error)
{
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    enum opshift_status status =
        node_attributes(follower->side->model, node, follower->piece->arena, &ranges, &count, error);
    const struct side *before = &follower->piece->comparison->before;
    *forms = (struct forms){.is_shape = true};
    if (status != OPSHIFT_OK)
        return status;
    if (follower->variables != 1 || count != 0 || node_inputs(node)[0] != before->other[follower->piece->before.data])
        give_up(follower, "it reads the shape of something else, or a part of a shape");
    else if (follower->piece->type.rank == 1)
        return take_dim(follower, forms, error);
    return OPSHIFT_OK;
}

static enum opshift_status follow_inputs(struct follower *follower, const struct node *node, unsigned depth,
                                         struct forms **inputs, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *inputs = arena_alloc(follower->piece->arena, node->input_count + UINT64_C(1), sizeof(**inputs));
    if (*inputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && follower->why == NULL && i < node->input_count; i++)
        status = follow(follower, node_inputs(node)[i], depth + 1, &(*inputs)[i], error);
    return status;
}

static enum opshift_status follow_node(struct follower *follower, const struct node *node, unsigned depth,
                                       struct forms *forms, struct opshift_error *error)
{
    static const struct {
        const char *op_type;
        char sign;
    } elementwise[] = {{"Add", '+'}, {"Sub", '-'}, {"Mul", '*'}, {"Div", '/'}};
    struct forms *inputs = NULL;
    if (is_called(follower, node, "Constant"))
        return take_parameter(follower, node, forms, error);
    enum opshift_status status = follow_inputs(follower, node, depth, &inputs, error);
    if (status != OPSHIFT_OK || follower->why != NULL)
        return status;
    for (size_t i = 0; i < sizeof(elementwise) / sizeof(*elementwise); i++)
        if (is_called(follower, node, elementwise[i].op_type) && node->input_count == 2)
            return take_elementwise(follower, elementwise[i].sign, inputs, forms, error);
    if (is_called(follower, node, "Gather") && node->input_count == 2)
        return take_gather(follower, inputs, forms, error);
    if (is_called(follower, node, "Slice"))
        return take_slice(follower, inputs, node->input_count, forms, error);
    if (is_called(follower, node, "Concat"))
        return take_concat(follower, inputs, node->input_count, forms, error);
    *forms = inputs[0];
    if ((is_called(follower, node, "Identity") && node->input_count == 1) ||
        (is_called(follower, node, "Reshape") && !inputs[0].is_shape && inputs[0].count == 1 && inputs[1].count == 1))
        return OPSHIFT_OK;
    give_up(follower, arena_print(follower->piece->arena, "%s is not followed",
                                  names_text(follower->side->model->names, node->op_type)));
    return OPSHIFT_OK;
}

/* ---- names ---- */

static enum opshift_status follow_constant(struct follower *follower, name_id name, bool *found, struct forms *forms,
                                           struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    enum opshift_status status = fold_constant(follower->side->fold, follower->graph, name, &tensor, NULL, error);
    *found = status == OPSHIFT_OK && tensor != NULL;
    if (!*found)
        return status;
    if (tensor->type != OPSHIFT_TYPE_INT64 || tensor->rank > 1) {
        give_up(follower, "it computes with other numbers than int64");
        return OPSHIFT_OK;
    }
    return take_numbers(follower, tensor->data, tensor->count, forms, error);
}

static enum opshift_status follow(struct follower *follower, name_id name, unsigned depth, struct forms *forms,
                                  struct opshift_error *error)
{
    const struct piece *piece = follower->piece;
    bool found = false;
    for (uint32_t i = 0; i < follower->known_count; i++)
        if (follower->known[i].name == name) {
            *forms = follower->known[i].forms;
            return OPSHIFT_OK;
        }
    if (name == NAME_NONE || depth >= FOLLOW_DEPTH_MAX || follower->node_count++ >= FOLLOW_NODES_MAX) {
        give_up(follower, "it takes more nodes than are followed");
        return OPSHIFT_OK;
    }
    if (piece->before.kind == CUT_VALUE && piece->comparison->before.other[piece->before.value] == name)
        return take_lengths(follower, forms, error);
    struct definition definition = scope_find(follower->side->scopes, follower->graph, name);
    const struct node *node =
        definition.kind == DEFINED_NODE && definition.output == 0 ? &definition.graph->nodes[definition.index] : NULL;
    /* Even if all dims are known and Shape is a constant, the position of the split dim may be unknown. */
    if (node != NULL && is_called(follower, node, "Shape") && node->input_count == 1)
        return take_shape(follower, node, forms, error);
    enum opshift_status status = follow_constant(follower, name, &found, forms, error);
    if (status != OPSHIFT_OK || found)
        return status;
    if (node != NULL)
        status = follow_node(follower, node, depth, forms, error);
    else
        give_up(follower, "it is computed from what is known at run time alone");
    if (status == OPSHIFT_OK && follower->why == NULL)
        follower->known[follower->known_count++] = (struct followed){name, *forms};
    return status;
}

/* ---- proofs ---- */

static enum opshift_status follower_start(struct follower *follower, struct piece *piece, uint32_t cases,
                                          uint32_t variables, struct opshift_error *error)
{
    *follower = (struct follower){.piece = piece,
                                  .side = &piece->comparison->after,
                                  .graph = piece->pair->after,
                                  .cases = cases,
                                  .variables = variables};
    follower->known = arena_alloc(piece->arena, FOLLOW_NODES_MAX, sizeof(*follower->known));
    return follower->known == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* Is each element the length of its part, in each case that the first model accepts? */
static bool are_parts(const struct follower *follower, const struct forms *forms, const struct cut *cut)
{
    int64_t parts = cut->split.parts;
    for (uint32_t i = 0; i < forms->count; i++)
        for (int64_t rest = 0; rest < (cut->kind == CUT_EQUAL ? 1 : parts); rest++) {
            /* dim = parts * q + rest: the chunk is q, or q + 1 if rest > 0. */
            int64_t chunk = rest > 0, last = rest - chunk * (parts - 1);
            const int64_t *form = form_at(follower, forms, i) + 2 * rest;
            if (form[0] != 1 || form[1] != (i + 1 == forms->count ? last : chunk))
                return false;
        }
    return true;
}

/* Lengths that the second model computes: equal parts or chunks. */
static enum opshift_status follow_lengths(struct piece *piece, const char **proof, const char **doubt,
                                          struct opshift_error *error)
{
    const struct cut *before = &piece->before;
    struct follower follower;
    struct forms forms = {0};
    if (before->split.parts < 1 || before->split.parts > FOLLOW_PARTS_MAX) {
        *doubt = "it has more parts than are followed";
        return OPSHIFT_OK;
    }
    enum opshift_status status = follower_start(&follower, piece, (uint32_t)before->split.parts, 1, error);
    if (status == OPSHIFT_OK)
        status = follow(&follower, piece->after.value, 0, &forms, error);
    if (status != OPSHIFT_OK)
        return status;
    if (follower.why != NULL)
        *doubt = arena_print(piece->arena, "its lengths are computed: %s", follower.why);
    else if (forms.is_shape || forms.count != before->split.parts || !are_parts(&follower, &forms, before))
        *doubt = "its lengths are computed, and are not the parts of every dim";
    else
        *proof = arena_print(piece->arena,
                             "the computed lengths are the parts of every dim up to 2^40: %" PRId64
                             " * q + r, followed for each r",
                             before->split.parts);
    return OPSHIFT_OK;
}

/* Is the element the sum of the first `count` lengths? */
static bool is_sum(const struct follower *follower, const struct forms *forms, uint32_t count)
{
    if (forms->is_shape || forms->count != 1)
        return false;
    for (uint32_t i = 0; i <= follower->variables; i++)
        if (forms->factors[i] != (i < count))
            return false;
    return true;
}

/* Slice(data, [sum of the lengths before], [sum including its own], [axis]); without axes, axis 0. */
static enum opshift_status follow_slice(struct follower *follower, const struct node *node, uint32_t part, bool *same,
                                        struct opshift_error *error)
{
    const struct piece *piece = follower->piece;
    struct forms forms[4] = {{0}};
    int64_t axis = 0;
    enum opshift_status status = OPSHIFT_OK;
    *same = is_called(follower, node, "Slice") && (node->input_count == 3 || node->input_count == 4) &&
            node_inputs(node)[0] == piece->comparison->before.other[piece->before.data];
    for (uint32_t i = 1; status == OPSHIFT_OK && *same && follower->why == NULL && i < node->input_count; i++)
        status = follow(follower, node_inputs(node)[i], 0, &forms[i], error);
    *same = status == OPSHIFT_OK && *same && follower->why == NULL && is_sum(follower, &forms[1], part) &&
            is_sum(follower, &forms[2], part + 1);
    if (*same && node->input_count == 4)
        *same = !forms[3].is_shape && forms[3].count == 1 && is_number(follower, &forms[3], 0, &axis);
    *same = *same && is_axis(piece, axis);
    return status;
}

static enum opshift_status follow_slices(struct piece *piece, const char **proof, const char **doubt,
                                         struct opshift_error *error)
{
    const struct side *before = &piece->comparison->before;
    struct follower follower;
    bool same = true;
    if (piece->before.split.output_count > FOLLOW_PARTS_MAX) {
        *doubt = "it has more parts than are followed";
        return OPSHIFT_OK;
    }
    enum opshift_status status = follower_start(&follower, piece, 1, piece->before.split.output_count, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && same && i < piece->node->output_count; i++) {
        name_id name = node_outputs(piece->node)[i];
        if (name == NAME_NONE)
            continue;
        struct definition definition = before->other[name] == NAME_NO_MEMORY
                                           ? (struct definition){0}
                                           : scope_find(follower.side->scopes, piece->pair->after, before->other[name]);
        same = definition.kind == DEFINED_NODE && definition.graph == piece->pair->after;
        if (same)
            status = follow_slice(&follower, &definition.graph->nodes[definition.index], i, &same, error);
    }
    if (status != OPSHIFT_OK)
        return status;
    if (same)
        *proof = "each output is the Slice from the sum of the lengths before it to the sum with its own";
    else if (follower.why != NULL)
        *doubt = arena_print(piece->arena, "it is no Split any more: %s", follower.why);
    else
        *doubt = "it is no Split any more, and its outputs are not seen to be the Slices of its lengths";
    return OPSHIFT_OK;
}

enum opshift_status follow_split(struct piece *piece, const char **proof, const char **doubt,
                                 struct opshift_error *error)
{
    const struct cut *before = &piece->before, *after = &piece->after;
    const struct side *side = &piece->comparison->before;
    *proof = NULL;
    *doubt = "the two cuts are not seen to be one for every dim";
    if (!piece->is_split && before->kind == CUT_VALUE)
        return follow_slices(piece, proof, doubt, error);
    if (!piece->is_split) {
        *doubt = "it is no Split any more";
        return OPSHIFT_OK;
    }
    if (after->kind != CUT_VALUE || (before->kind != CUT_EQUAL && before->kind != CUT_CHUNKS) ||
        side->other[before->data] != after->data || after->axis_parameter.size > 0 ||
        !is_axis(piece, after->split.axis) || !cut_same_outputs(&piece->comparison->before, before, after))
        return OPSHIFT_OK;
    return follow_lengths(piece, proof, doubt, error);
}
