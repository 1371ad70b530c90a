/* SPL, warnings and notes: valid Split nodes that some runtime handles differently or refuses, or that are
 * redundant. */
#include <inttypes.h>
#include <string.h>

#include "check/family.h"
#include "check/split_fix.h"
#include "check/split_view.h"

#define FINDING(...) split_view_fault(view, error, __VA_ARGS__)

static const char *name_of(const struct split_view *view, name_id name)
{
    return names_text(view->draft->model->names, name);
}

/* Is num_outputs used, of a known dim and without a fault? */
static bool is_counted(const struct split_view *view)
{
    return view->cut.form == SPLIT_COUNTED && split_length(&view->cut, 0) >= 0;
}

/* ---- the axis ---- */

static enum opshift_status judge_axis_default(struct split_view *view, struct opshift_error *error)
{
    if (view->schema->since > 1 || draft_attribute_find(view->draft, "axis"))
        return OPSHIFT_OK;
    return FINDING("Split-1 has no default for axis, and none is given; write axis = 0, which most readers use");
}

static enum opshift_status judge_axis_negative(struct split_view *view, struct opshift_error *error)
{
    const struct split_cut *cut = &view->cut;
    view->pointed = "axis";
    if (view->schema->since >= 11 || !cut->axis_known || cut->axis >= 0)
        return OPSHIFT_OK;
    if (cut->rank > 0)
        return FINDING("axis %" PRId64 " is negative, which Split-%u does not define; write axis = %" PRId64, cut->axis,
                       view->schema->since, cut->axis + cut->rank);
    return FINDING("axis %" PRId64 " is negative, which Split-%u does not define; count the axis from the front",
                   cut->axis, view->schema->since);
}

/* ---- lengths ---- */

static enum opshift_status judge_zero_length(struct split_view *view, struct opshift_error *error)
{
    if (view->cut.form == SPLIT_ATTRIBUTE)
        view->pointed = "split";
    if (view->cut.counted || view->cut.lengths == NULL || view->cut.dim == 0)
        return OPSHIFT_OK;
    for (int64_t i = 0; i < view->cut.length_count; i++)
        if (view->cut.lengths[i] == 0)
            return FINDING("length %" PRId64 " is 0, so that output is empty; remove the output if it is not used", i);
    return OPSHIFT_OK;
}

static enum opshift_status judge_input_of_1(struct split_view *view, struct opshift_error *error)
{
    if (view->schema->since > 1 || view->cut.form != SPLIT_INPUT)
        return OPSHIFT_OK;
    return FINDING("the lengths are Split-1's second input, which readers read as another type or ignore; write them "
                   "as attribute `split`");
}

/* ---- num_outputs ---- */

static enum opshift_status judge_zero_last(struct split_view *view, struct opshift_error *error)
{
    int64_t dim = view->cut.dim, parts = view->cut.parts;
    view->pointed = "num_outputs";
    if (!is_counted(view) || dim == 0 || split_last(dim, parts) != 0)
        return OPSHIFT_OK;
    return FINDING("num_outputs = %" PRId64 " cuts %" PRId64 " into chunks of %" PRId64
                   " and leaves 0 for the last; write explicit lengths",
                   parts, dim, split_chunk(dim, parts));
}

static enum opshift_status judge_dim_zero(struct split_view *view, struct opshift_error *error)
{
    view->pointed = "num_outputs";
    if (!is_counted(view) || view->cut.dim != 0)
        return OPSHIFT_OK;
    return FINDING("num_outputs with a dim of 0; write explicit lengths (0 each)");
}

static enum opshift_status judge_short_last(struct split_view *view, struct opshift_error *error)
{
    int64_t dim = view->cut.dim, parts = view->cut.parts;
    view->pointed = "num_outputs";
    if (!is_counted(view) || dim % parts == 0 || split_last(dim, parts) == 0)
        return OPSHIFT_OK;
    return FINDING("num_outputs = %" PRId64 " does not divide %" PRId64 ": the parts are %" PRId64
                   " long and the last one %" PRId64 "; write explicit lengths",
                   parts, dim, split_chunk(dim, parts), split_last(dim, parts));
}

static enum opshift_status judge_rounding(struct split_view *view, struct opshift_error *error)
{
    view->pointed = "num_outputs";
    if (!is_counted(view) || view->cut.dim <= SPLIT_COUNTED_MAX || view->cut.parts == 1)
        return OPSHIFT_OK;
    return FINDING("num_outputs cuts a dim of %" PRId64 ", more than 2^24; write explicit lengths", view->cut.dim);
}

static enum opshift_status judge_too_many(struct split_view *view, struct opshift_error *error)
{
    view->pointed = "num_outputs";
    if (!view->cut.counted || !view->cut.parts_known || view->cut.parts <= (int64_t)view->draft->output_count ||
        view->cut.parts > INT32_MAX)
        return OPSHIFT_OK;
    return FINDING("num_outputs is %" PRId64
                   ", and there are %u outputs; name an output for each part, also if it is not used",
                   view->cut.parts, view->draft->output_count);
}

static enum opshift_status judge_empty_input(struct split_view *view, struct opshift_error *error)
{
    if (!view->cut.counted || view->draft->input_count < 2 || draft_input_present(view->draft, 1))
        return OPSHIFT_OK;
    return FINDING("num_outputs is given with an empty second input; remove the empty input");
}

/* ---- outputs ---- */

static enum opshift_status judge_omitted(struct split_view *view, struct opshift_error *error)
{
    for (uint32_t i = 0; i < view->draft->output_count; i++)
        if (view->draft->outputs[i] == NAME_NONE)
            return FINDING("output %u has no name; name it, also if it is not used", i);
    return OPSHIFT_OK;
}

static enum opshift_status judge_single(struct split_view *view, struct opshift_error *error)
{
    if (view->draft->output_count != 1 || (view->cut.counted && view->cut.parts_known && view->cut.parts > 1))
        return OPSHIFT_OK;
    return FINDING("it has one output, so it only copies its input; use Identity, or read '%s' instead of '%s'",
                   name_of(view, view->draft->inputs[0].name), name_of(view, view->draft->outputs[0]));
}

/* ---- beyond the node itself ---- */

/* The view of the subject; NULL: none, or reported as empty by OPS. */
static enum opshift_status view_of(struct checking *checking, const struct subject *subject, struct split_view **view,
                                   struct opshift_error *error)
{
    enum opshift_status status = split_view_of(checking, subject, view, error);
    if (subject->draft->output_count == 0)
        *view = NULL;
    return status;
}

static enum opshift_status find_relaxed(struct checking *checking, const struct subject *subject,
                                        struct opshift_error *error)
{
    struct split_view *view;
    enum opshift_status status = view_of(checking, subject, &view, error);
    if (status || view == NULL || checking->options->to < 18 || view->schema->since >= 18 ||
        view->cut.form != SPLIT_EQUAL || view->cut.dim >= 0 || view->draft->output_count == 1)
        return status;
    return finding_add(checking, subject, NULL, error,
                       "it makes equal parts of a dim that is known only at run time: at opset %" PRId64
                       " a dim that %u does not divide is no error, and the last part gets shorter; make sure that the "
                       "dim is divisible",
                       checking->options->to, view->draft->output_count);
}

static enum opshift_status find_overridable(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    struct split_view *view;
    enum opshift_status status = view_of(checking, subject, &view, error);
    if (status || view == NULL || view->cut.form != SPLIT_INPUT || checking->model->ir_version < 4)
        return status;
    name_id name = view->draft->inputs[1].name;
    struct definition found = scope_find(checking->scopes, subject->graph, name);
    if (found.kind != DEFINED_INITIALIZER || !scope_is_input(checking->scopes, found.graph, name))
        return OPSHIFT_OK;
    return finding_add(
        checking, subject, NULL, error,
        "the lengths '%s' are both an initializer and a graph input, so a caller may give others; remove "
        "'%s' from the graph's inputs",
        names_text(checking->model->names, name), names_text(checking->model->names, name));
}

static enum opshift_status find_computed(struct checking *checking, const struct subject *subject,
                                         struct opshift_error *error)
{
    struct split_view *view;
    const struct names *names = checking->model->names;
    enum opshift_status status = view_of(checking, subject, &view, error);
    if (status || view == NULL || view->cut.form != SPLIT_INPUT || view->cut.constant == NULL)
        return status;
    name_id name = view->draft->inputs[1].name;
    struct definition found = scope_find(checking->scopes, subject->graph, name);
    if (found.kind != DEFINED_NODE)
        return OPSHIFT_OK;
    const char *maker = names_text(names, found.graph->nodes[found.index].op_type);
    if (strcmp(maker, "Constant") == 0)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error,
                       "the lengths '%s' are constant, but computed by %s; write them as an initializer",
                       names_text(names, name), maker);
}

/* GRF014 reports nodes whose outputs are all unused. */
static enum opshift_status unused_outputs(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    const struct node *node = subject->node;
    name_id first = NAME_NONE;
    uint32_t unused = 0;
    for (uint32_t i = 0; i < node->output_count; i++) {
        name_id name = node_outputs(node)[i];
        if (name == NAME_NONE || scope_uses(checking->scopes, name) > 0)
            continue;
        if (unused++ == 0)
            first = name;
    }
    if (unused == 0 || unused == node->output_count)
        return OPSHIFT_OK;
    const char *name = names_text(checking->model->names, first);
    if (unused == 1)
        return finding_add(checking, subject, NULL, error,
                           "it has an unused output '%s'; Slice can compute only the other parts", name);
    return finding_add(checking, subject, NULL, error,
                       "%u of its %u outputs are not used ('%s' first); Slice can compute only the other parts", unused,
                       node->output_count, name);
}

static enum opshift_status find_unused(struct checking *checking, const struct subject *subject,
                                       struct opshift_error *error)
{
    struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        const struct subject node = {.graph = graph, .node = &graph->nodes[i]};
        if (node_is(checking->model, node.node, "Split") && !node_is_tainted(checking, graph, i))
            status = unused_outputs(checking, &node, error);
    }
    return status;
}

/* The Split in the same graph whose part this one splits again as its only consumer; NULL: none. */
static enum opshift_status split_before(struct checking *checking, const struct split_view *view,
                                        struct split_view **before, struct opshift_error *error)
{
    const struct draft *draft = view->draft;
    name_id name = draft->inputs[0].name;
    struct definition found = scope_find(checking->scopes, draft->graph, name);
    *before = NULL;
    if (found.kind != DEFINED_NODE || found.graph != draft->graph || scope_uses(checking->scopes, name) != 1)
        return OPSHIFT_OK;
    struct node *node = &found.graph->nodes[found.index];
    if (node == draft->node || node->output_count == 0 || !node_is(checking->model, node, "Split"))
        return OPSHIFT_OK;
    struct draft *other;
    enum opshift_status status = checking_draft(checking, found.graph, node, draft->arena, &other, error);
    if (status || other == NULL)
        return status;
    other->opset = other->target = draft->opset;
    return split_view_read(other, schema_find("", "Split", other->opset), before, error);
}

static bool lengths_are_known(const struct split_view *view)
{
    for (uint32_t i = 0; i < view->draft->output_count; i++)
        if (split_length(&view->cut, i) < 0)
            return false;
    return true;
}

static enum opshift_status find_chain(struct checking *checking, const struct subject *subject,
                                      struct opshift_error *error)
{
    struct split_view *view, *before = NULL;
    enum opshift_status status = view_of(checking, subject, &view, error);
    if (status || view == NULL || !draft_input_present(view->draft, 0))
        return status;
    status = split_before(checking, view, &before, error);
    if (status || before == NULL || !split_same_axis(&view->cut, &before->cut) || !lengths_are_known(view) ||
        !lengths_are_known(before))
        return status;
    return finding_add(checking, subject, NULL, error,
                       "it splits '%s', an output of a Split along the same axis; use one Split with all lengths",
                       names_text(checking->model->names, view->draft->inputs[0].name));
}

/* ---- the table ---- */

#define SPLIT_JUDGED(function) .scope = CHECK_DRAFT, .operator_type = "Split", .find = split_find, .judge = function
#define SPLIT_FOUND(function)  .scope = CHECK_DRAFT, .operator_type = "Split", .find = function

const struct check checks_split_advice[] = {
    {CHECK(SPL020), FIXED_BY(split_fix_axis), SPLIT_JUDGED(judge_axis_default)},
    {CHECK(SPL021), .relies_on = IDS(SPL001, SPL002), FIXED_BY(split_fix_axis), SPLIT_JUDGED(judge_axis_negative)},
    {CHECK(SPL022), .relies_on = IDS(SPL012, SPL013, SPL014, SPL015), SPLIT_JUDGED(judge_zero_length)},
    {CHECK(SPL023), .by_types = true, FIXED_BY(split_fix_lengths), SPLIT_JUDGED(judge_zero_last)},
    {CHECK(SPL024), .by_types = true, FIXED_BY(split_fix_lengths), SPLIT_JUDGED(judge_dim_zero)},
    {CHECK(SPL025), .by_types = true, FIXED_BY(split_fix_lengths), SPLIT_JUDGED(judge_short_last)},
    {CHECK(SPL026), .by_types = true, FIXED_BY(split_fix_lengths), SPLIT_JUDGED(judge_rounding)},
    {CHECK(SPL027), FIXED_BY(split_fix_outputs), SPLIT_JUDGED(judge_omitted)},
    {CHECK(SPL028), FIXED_BY(split_fix_outputs), SPLIT_JUDGED(judge_too_many)},
    {CHECK(SPL029), FIXED_BY(split_fix_empty_input), SPLIT_JUDGED(judge_empty_input)},
    {CHECK(SPL030), .relies_on = IDS(SPL003, SPL009, SPL010), FIXED_BY(split_fix_attribute),
     SPLIT_JUDGED(judge_input_of_1)},
    {CHECK(SPL031), SPLIT_FOUND(find_overridable)},
    {CHECK(SPL032), SPLIT_FOUND(find_relaxed)},
    {CHECK(SPL040), .relies_on = IDS(SPL001, SPL009, SPL012), FIXED_BY(split_fix_identity), SPLIT_JUDGED(judge_single)},
    {CHECK(SPL041), .relies_on = IDS(SPL008, SPL012, SPL013, SPL015), .by_types = true, SPLIT_FOUND(find_chain)},
    {CHECK(SPL042), .scope = CHECK_LAST, .relies_on = FAULTS_OF_READING, .find = find_unused},
    {CHECK(SPL043), .by_types = true, SPLIT_FOUND(find_computed)},
    {0},
};
