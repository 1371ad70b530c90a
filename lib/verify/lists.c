/* Compares the inputs, outputs, value infos and initializers of a pair of graphs, in order. */

#include "verify/external_compare.h"

/* One kind of named child. */
struct child_kind {
    const char *what;
    uint32_t (*count)(const struct graph *graph);
    name_id (*name)(const struct graph *graph, uint32_t index);
    /* Called for a child that both graphs have. */
    enum opshift_status (*both)(struct rest *rest, uint32_t before, uint32_t after, struct opshift_error *error);
    /* Called for a child that only one graph has (first: the first one); *words: why that is a difference, NULL: it
     * is none. */
    enum opshift_status (*alone)(struct rest *rest, bool first, uint32_t index, const char **words,
                                 struct opshift_error *error);
};

/* ---- names and places ---- */

static const char *named(const struct rest *rest, const struct side *side, const char *what, name_id name)
{
    const char *place = arena_print(rest->comparison->arena, "%s%s%s '%s'", rest->where,
                                    rest->where[0] == '\0' ? "" : ": ", what, names_text(side->model->names, name));
    return place == NULL ? what : place;
}

bool rest_is_defined(const struct side *side, name_id name, const struct side *other, struct graph *other_graph)
{
    return side->other[name] != NAME_NO_MEMORY &&
           scope_find(other->scopes, other_graph, side->other[name]).kind != DEFINED_NOWHERE;
}

static void place_all(struct child_places *places, const struct child_kind *kind, const struct graph *graph)
{
    places->now++;
    for (uint32_t i = 0; i < kind->count(graph); i++) {
        places->stamp[kind->name(graph, i)] = places->now;
        places->place[kind->name(graph, i)] = i;
    }
}

/* Does the other graph have a child of this name? */
static bool has_place(const struct child_places *places, name_id name)
{
    return name != NAME_NO_MEMORY && places->stamp[name] == places->now;
}

/* ---- the walk ---- */

static enum opshift_status take_alone(struct rest *rest, const struct child_kind *kind, bool first, uint32_t index,
                                      struct opshift_error *error)
{
    const struct side *side = first ? &rest->comparison->before : &rest->comparison->after;
    const struct graph *graph = first ? rest->pair.before : rest->pair.after;
    const char *words = NULL;
    enum opshift_status status = kind->alone(rest, first, index, &words, error);
    if (status == OPSHIFT_OK && words != NULL)
        rest_difference(rest->comparison, named(rest, side, kind->what, kind->name(graph, index)), "%s", words);
    return status;
}

/* Compares both lists in order, skipping children that only one of them has. */
static enum opshift_status compare_list(struct rest *rest, const struct child_kind *kind, struct opshift_error *error)
{
    struct comparison *comparison = rest->comparison;
    const struct graph *before = rest->pair.before, *after = rest->pair.after;
    uint32_t i = 0, k = 0, counts[2] = {kind->count(before), kind->count(after)};
    enum opshift_status status = OPSHIFT_OK;
    place_all(&rest->before, kind, before);
    place_all(&rest->after, kind, after);
    while (status == OPSHIFT_OK && (i < counts[0] || k < counts[1])) {
        name_id left = i < counts[0] ? kind->name(before, i) : NAME_NONE;
        name_id right = k < counts[1] ? kind->name(after, k) : NAME_NONE;
        if (i < counts[0] && k < counts[1] && comparison->before.other[left] == right) {
            status = kind->both(rest, i++, k++, error);
        } else if (i < counts[0] && !has_place(&rest->after, comparison->before.other[left])) {
            status = take_alone(rest, kind, true, i++, error);
        } else if (k < counts[1] && !has_place(&rest->before, comparison->after.other[right])) {
            status = take_alone(rest, kind, false, k++, error);
        } else {
            bool first = i < counts[0];
            rest_difference(
                comparison,
                named(rest, first ? &comparison->before : &comparison->after, kind->what, first ? left : right),
                first ? "is elsewhere in its list" : "stands there twice");
            return OPSHIFT_OK;
        }
    }
    return status;
}

/* ---- initializers ---- */

static uint32_t initializer_count(const struct graph *graph)
{
    return graph->initializer_count;
}

static name_id initializer_name(const struct graph *graph, uint32_t index)
{
    return graph->initializers[index].name;
}

static enum opshift_status initializer_both(struct rest *rest, uint32_t before, uint32_t after,
                                            struct opshift_error *error)
{
    const struct initializer *pair[2] = {&rest->pair.before->initializers[before],
                                         &rest->pair.after->initializers[after]};
    bool same = true;
    enum opshift_status status = rest_same_bytes(rest->comparison, pair[0]->range, pair[1]->range, &same, error);
    if (status == OPSHIFT_OK && !same && pair[0]->external && pair[1]->external && !pair[0]->sparse && !pair[1]->sparse)
        status = external_same(rest->comparison, pair[0]->range, pair[1]->range, &same, error);
    if (status == OPSHIFT_OK && (!same || pair[0]->sparse != pair[1]->sparse))
        rest_difference(rest->comparison, named(rest, &rest->comparison->before, "initializer", pair[0]->name),
                        "is another");
    return status;
}

/* An initializer may have become a node, or the reverse, if the value is the same. Another value, or one that is not
 * known, is not shown to matter: that depends on its readers. place NULL: no memory. */
static enum opshift_status compare_constant(struct rest *rest, name_id before, const char *place,
                                            struct opshift_error *error)
{
    struct side *sides[2] = {&rest->comparison->before, &rest->comparison->after};
    const struct tensor *values[2] = {NULL, NULL};
    const char *why[2] = {NULL, NULL};
    name_id after = sides[0]->other[before];
    enum opshift_status status = fold_constant(sides[0]->fold, rest->pair.before, before, &values[0], &why[0], error);
    if (status == OPSHIFT_OK)
        status = fold_constant(sides[1]->fold, rest->pair.after, after, &values[1], &why[1], error);
    if (status)
        return status;
    if (values[0] == NULL || values[1] == NULL)
        rest_unknown(rest->comparison, place, "%s %s", values[0] == NULL ? "was" : "is",
                     values[0] == NULL ? why[0] : why[1]);
    else if (!tensor_equal(values[0], values[1]))
        rest_unknown(rest->comparison, place, "is a constant of another value");
    return OPSHIFT_OK;
}

/* Does a node of the graph, or of one around it, compute the name? */
static bool is_computed(const struct side *side, struct graph *graph, name_id name)
{
    return scope_find(side->scopes, graph, name).kind == DEFINED_NODE;
}

static enum opshift_status initializer_alone(struct rest *rest, bool first, uint32_t index, const char **words,
                                             struct opshift_error *error)
{
    struct side *sides[2] = {&rest->comparison->before, &rest->comparison->after};
    struct graph *graphs[2] = {rest->pair.before, rest->pair.after};
    const struct side *side = sides[first ? 0 : 1];
    const struct graph *graph = graphs[first ? 0 : 1];
    name_id name = graph->initializers[index].name;
    bool defined = rest_is_defined(side, name, sides[first ? 1 : 0], graphs[first ? 1 : 0]);
    if (!defined && uses_are_changed(side->initializer_uses[graph->number][index]))
        return OPSHIFT_OK;
    *words = defined ? "is another" : first ? "is lost" : "is new, and no rewritten node alone reads it";
    if (!defined || !is_computed(sides[first ? 1 : 0], graphs[first ? 1 : 0], side->other[name]))
        return OPSHIFT_OK;
    *words = NULL;
    return compare_constant(rest, first ? name : side->other[name], named(rest, side, "initializer", name), error);
}

/* ---- inputs and outputs ---- */

static enum opshift_status compare_value(struct rest *rest, const char *what, const struct value_info *before,
                                         const struct value_info *after, struct opshift_error *error)
{
    bool same = true;
    enum opshift_status status = rest_same_bytes(rest->comparison, before->range, after->range, &same, error);
    if (status == OPSHIFT_OK && !same)
        rest_difference(rest->comparison, named(rest, &rest->comparison->before, what, before->name), "is another");
    return status;
}

static uint32_t input_count(const struct graph *graph)
{
    return graph->input_count;
}

static name_id input_name(const struct graph *graph, uint32_t index)
{
    return graph->inputs[index].name;
}

static enum opshift_status input_both(struct rest *rest, uint32_t before, uint32_t after, struct opshift_error *error)
{
    return compare_value(rest, "input", &rest->pair.before->inputs[before], &rest->pair.after->inputs[after], error);
}

/* Below IR 4 an initializer must also be an input: both are added and removed together, or only the input where the
 * first model is of a later IR version. */
static enum opshift_status input_alone(struct rest *rest, bool first, uint32_t index, const char **words,
                                       struct opshift_error *error)
{
    const struct side *side = first ? &rest->comparison->before : &rest->comparison->after;
    struct graph *graph = first ? rest->pair.before : rest->pair.after;
    struct definition definition = scope_find(side->scopes, graph, graph->inputs[index].name);
    bool together = side->model->ir_version > 0 && side->model->ir_version < 4 &&
                    definition.kind == DEFINED_INITIALIZER && definition.graph == graph &&
                    (uses_are_changed(side->initializer_uses[graph->number][definition.index]) ||
                     (!first && rest->comparison->before.model->ir_version >= 4 &&
                      rest_is_defined(side, graph->inputs[index].name, &rest->comparison->before, rest->pair.before)));
    (void)error;
    *words = together ? NULL : first ? "is lost" : "is new";
    return OPSHIFT_OK;
}

static uint32_t output_count(const struct graph *graph)
{
    return graph->output_count;
}

static name_id output_name(const struct graph *graph, uint32_t index)
{
    return graph->outputs[index].name;
}

static enum opshift_status output_both(struct rest *rest, uint32_t before, uint32_t after, struct opshift_error *error)
{
    return compare_value(rest, "output", &rest->pair.before->outputs[before], &rest->pair.after->outputs[after], error);
}

static enum opshift_status output_alone(struct rest *rest, bool first, uint32_t index, const char **words,
                                        struct opshift_error *error)
{
    (void)rest, (void)index, (void)error;
    *words = first ? "is lost" : "is new";
    return OPSHIFT_OK;
}

/* ---- value infos ---- */

static uint32_t value_count(const struct graph *graph)
{
    return graph->value_count;
}

static name_id value_name(const struct graph *graph, uint32_t index)
{
    return graph->values[index].name;
}

static enum opshift_status value_both(struct rest *rest, uint32_t before, uint32_t after, struct opshift_error *error)
{
    return compare_value(rest, "value info", &rest->pair.before->values[before], &rest->pair.after->values[after],
                         error);
}

/* It is added and removed together with its value. */
static enum opshift_status value_alone(struct rest *rest, bool first, uint32_t index, const char **words,
                                       struct opshift_error *error)
{
    struct side *sides[2] = {&rest->comparison->before, &rest->comparison->after};
    struct graph *graphs[2] = {rest->pair.before, rest->pair.after};
    name_id name = graphs[first ? 0 : 1]->values[index].name;
    (void)error;
    if (rest_is_defined(sides[first ? 0 : 1], name, sides[first ? 1 : 0], graphs[first ? 1 : 0]))
        *words = first ? "is lost" : "is new";
    return OPSHIFT_OK;
}

/* ---- all ---- */

static const struct child_kind kinds[] = {
    {"input", input_count, input_name, input_both, input_alone},
    {"output", output_count, output_name, output_both, output_alone},
    {"value info", value_count, value_name, value_both, value_alone},
    {"initializer", initializer_count, initializer_name, initializer_both, initializer_alone},
};

enum opshift_status rest_compare_lists(struct rest *rest, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < sizeof(kinds) / sizeof(*kinds); i++)
        status = compare_list(rest, &kinds[i], error);
    return status;
}
