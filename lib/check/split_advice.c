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
        if (node_is_split(checking->model, node.node) && !node_is_tainted(checking, graph, i))
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
    if (node == draft->node || node->output_count == 0 || !node_is_split(checking->model, node))
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

#define TWO(type, dims) "g (" type dims " x) => (" type "[] a, " type "[] b)\n"
#define THREE(dims)     "g (float" dims " x) => (float[] a, float[] b, float[] c)\n"

const struct check checks_split_advice[] = {
    {WARNING(SPL020, "split-axis-default", "Split-1 without an axis"),
     .about.why = "Split-1 declares no default. Most readers use 0; Caffe2's own operator uses the channel axis.",
     .about.runtimes = "Caffe2 and OpenVINO may split different axes.",
     .about.mend = "Write the axis, or convert to opset 2 or above, where the default is 0.",
     .about.before = MODEL(1, TWO("float", "[6]") "{ a, b = Split <split = [2, 4]> (x) }"),
     .about.after = MODEL(1, TWO("float", "[6]") "{ a, b = Split <axis = 0, split = [2, 4]> (x) }"),
     FIXED_BY(split_fix_axis), SPLIT_JUDGED(judge_axis_default)},
    {WARNING(SPL021, "split-negative-axis", "a negative axis below opset 11"),
     .about.why = "Negative axes are defined since opset 11 only.",
     .about.runtimes = "ONNX Runtime and ONNX's own inference accept it at 2 to 10 as well; old Caffe2 refuses it.",
     .about.mend = "Count the axis from the front.",
     .about.before = MODEL(2, TWO("float", "[2,6]") "{ a, b = Split <axis = -1> (x) }"),
     .about.after = MODEL(2, TWO("float", "[2,6]") "{ a, b = Split <axis = 1> (x) }"), .relies_on = IDS(SPL001, SPL002),
     FIXED_BY(split_fix_axis), SPLIT_JUDGED(judge_axis_negative)},
    {WARNING(SPL022, "split-zero-length", "an output of length 0"),
     .about.why = "It is allowed (explicitly since opset 11), but many runtimes do not support empty tensors.",
     .about.runtimes = "ONNX Runtime's CPU kernels run it; CoreML, WebNN and DirectML do not support an empty output.",
     .about.mend = "Remove the output and its length if it is not used.",
     .about.before = MODEL(11, THREE("[6]") "{ a, b, c = Split <split = [2, 0, 4]> (x) }"),
     .about.after = MODEL(11, THREE("[6]") "{ a, c = Split <split = [2, 4]> (x) b = Neg (a) }"),
     .relies_on = IDS(SPL012, SPL013, SPL014, SPL015), SPLIT_JUDGED(judge_zero_length)},
    {WARNING(SPL023, "split-zero-last", "num_outputs gives the last output the length 0"),
     .about.why = "All parts but the last are ceil(dim / num_outputs) long: 4 into 3 gives 2, 2 and 0.",
     .about.runtimes = "ONNX Runtime 1.30 refuses it; with explicit lengths it runs.",
     .about.mend = "Write explicit lengths.",
     .about.before = MODEL(18, THREE("[4]") "{ a, b, c = Split <num_outputs = 3> (x) }"),
     .about.after = MODEL(18, THREE("[4]") "<int64[3] n = {2, 2, 0}>\n{ a, b, c = Split (x, n) }"), .by_types = true,
     FIXED_BY(split_fix_lengths), SPLIT_JUDGED(judge_zero_last)},
    {WARNING(SPL024, "split-dim-zero", "num_outputs with a dim of 0"), .about.why = "All parts are empty.",
     .about.runtimes = "ONNX Runtime 1.30 refuses it; with explicit lengths it runs.",
     .about.mend = "Write explicit lengths: 0 for each output.",
     .about.before = MODEL(18, TWO("float", "[0]") "{ a, b = Split <num_outputs = 2> (x) }"),
     .about.after = MODEL(18, TWO("float", "[0]") "<int64[2] n = {0, 0}>\n{ a, b = Split (x, n) }"), .by_types = true,
     FIXED_BY(split_fix_lengths), SPLIT_JUDGED(judge_dim_zero)},
    {WARNING(SPL025, "split-short-last", "num_outputs does not divide the dim"),
     .about.why = "Runtimes have three different rules for the remainder: a shorter last part (the specification's), "
                  "parts as equal as possible, and a longer last part.",
     .about.runtimes = "ONNX Runtime's CPU kernels follow the specification; OpenVINO refuses the model; ONNX "
                       "Runtime's WebNN and WebGPU providers split differently.",
     .about.mend = "Write explicit lengths, which all runtimes read in the same way.",
     .about.before = MODEL(18, THREE("[10]") "{ a, b, c = Split <num_outputs = 3> (x) }"),
     .about.after = MODEL(18, THREE("[10]") "<int64[3] n = {4, 4, 2}>\n{ a, b, c = Split (x, n) }"), .by_types = true,
     FIXED_BY(split_fix_lengths), SPLIT_JUDGED(judge_short_last)},
    {WARNING(SPL026, "split-float-rounding", "num_outputs with a dim of more than 2^24"),
     .about.why =
         "Some runtimes compute the size of a part with 32-bit floats, which hold integers up to 2^24 exactly.",
     .about.runtimes = "ONNX Runtime 1.30 silently splits 33554438 into 16777220 and 16777218, and refuses 33554434.",
     .about.mend = "Write explicit lengths.",
     .about.before = MODEL(18, TWO("float", "[33554438]") "{ a, b = Split <num_outputs = 2> (x) }"),
     .about.after = MODEL(18, TWO("float", "[33554438]") "<int64[2] n = {16777219, 16777219}>\n"
                                                         "{ a, b = Split (x, n) }"),
     .by_types = true, FIXED_BY(split_fix_lengths), SPLIT_JUDGED(judge_rounding)},
    {WARNING(SPL027, "split-omitted-output", "an output without a name"),
     .about.why = "An empty name omits an output. The list of lengths still includes it.",
     .about.runtimes = "ONNX Runtime 1.30 crashes when it loads the model.",
     .about.mend = "Name the output; `opshift convert --name-empty-outputs` does so.",
     .about.before = MODEL(13, TWO("float", "[6]") "{ a, \"\", b = Split (x) }"),
     .about.after = MODEL(13, TWO("float", "[6]") "{ a, c, b = Split (x) }"), FIXED_BY(split_fix_outputs),
     SPLIT_JUDGED(judge_omitted)},
    {WARNING(SPL028, "split-num-outputs-more", "num_outputs is greater than the number of outputs"),
     .about.why =
         "Trailing outputs are omitted, which is allowed only recently; num_outputs still determines the parts.",
     .about.runtimes = "ONNX Runtime 1.30 silently uses the number of outputs, which gives other parts. TensorRT and "
                       "MIGraphX refuse the model.",
     .about.mend = "Name an output for each part.",
     .about.before = MODEL(18, TWO("float", "[6]") "{ a, b = Split <num_outputs = 3> (x) }"),
     .about.after = MODEL(18, TWO("float", "[6]") "{ a, b, c = Split <num_outputs = 3> (x) }"),
     FIXED_BY(split_fix_outputs), SPLIT_JUDGED(judge_too_many)},
    {WARNING(SPL029, "split-empty-input", "num_outputs and an empty second input"),
     .about.why = "A trailing empty name has no meaning, and some readers count inputs without checking their names.",
     .about.runtimes = "ONNX Runtime 1.30 refuses the model.", .about.mend = "Remove the empty second input.",
     .about.before = MODEL(18, TWO("float", "[6]") "{ a, b = Split <num_outputs = 2> (x, \"\") }"),
     .about.after = MODEL(18, TWO("float", "[6]") "{ a, b = Split <num_outputs = 2> (x) }"),
     FIXED_BY(split_fix_empty_input), SPLIT_JUDGED(judge_empty_input)},
    {WARNING(SPL030, "split-input-of-1", "Split-1 with lengths as an input"),
     .about.why = "Split-1's second input has the data's type, so the lengths are floats.",
     .about.runtimes = "Caffe2 reads the input as int32; OpenVINO ignores it and makes equal parts; ONNX Runtime has "
                       "no kernel for Split-1.",
     .about.mend = "Write the lengths in attribute `split`.",
     .about.before = MODEL(1, TWO("float", "[6]") "<float[2] n = {2, 4}>\n{ a, b = Split <axis = 0> (x, n) }"),
     .about.after = MODEL(1, TWO("float", "[6]") "{ a, b = Split <axis = 0, split = [2, 4]> (x) }"),
     .relies_on = IDS(SPL003, SPL009, SPL010), FIXED_BY(split_fix_attribute), SPLIT_JUDGED(judge_input_of_1)},
    {WARNING(SPL031, "split-overridable-lengths", "lengths that a caller may override"),
     .about.why = "From IR version 4 an initializer that is also a graph input is only a default. Tools that treat it "
                  "as a constant are wrong if a caller gives another value.",
     .about.runtimes = "ONNX's own converter writes the default into the node and removes the input.",
     .about.mend = "Remove the name from the graph's inputs.",
     .about.before = MODEL(13, "g (float[6] x, int64[2] n = {2, 4}) => (float[] a, float[] b)\n"
                               "{ a, b = Split (x, n) }"),
     .about.after = MODEL(13, TWO("float", "[6]") "<int64[2] n = {2, 4}>\n{ a, b = Split (x, n) }"),
     SPLIT_FOUND(find_overridable)},
    {WARNING(SPL032, "split-relaxed", "the conversion of --to makes indivisible dims valid"),
     .about.why = "Below opset 18 an indivisible dim is an error at run time; with num_outputs the last part silently "
                  "gets shorter.",
     .about.mend = "Make sure that the dim is divisible, or declare its size.", SPLIT_FOUND(find_relaxed)},
    {NOTE(SPL040, "split-single-output", "a Split into one part"), .about.why = "It only copies its input.",
     .about.runtimes = "ONNX Runtime's CoreML provider does not support a Split with fewer than two outputs.",
     .about.mend = "Use Identity, or connect the readers to the input.",
     .about.before = MODEL(13, "g (float[6] x) => (float[] a) { a = Split (x) }"),
     .about.after = MODEL(13, "g (float[6] x) => (float[] a) { a = Identity (x) }"),
     .relies_on = IDS(SPL001, SPL009, SPL012), FIXED_BY(split_fix_identity), SPLIT_JUDGED(judge_single)},
    {NOTE(SPL041, "split-chain", "a part is split again along the same axis"),
     .about.why = "One node could do the work of two.", .about.mend = "Use one Split with all lengths.",
     .about.before = MODEL(13, THREE("[8]") "{ a, t = Split (x) b, c = Split (t) }"),
     .about.after = MODEL(13, THREE("[8]") "<int64[3] n = {4, 2, 2}>\n{ a, b, c = Split (x, n) }"),
     .relies_on = IDS(SPL008, SPL012, SPL013, SPL015), .by_types = true, SPLIT_FOUND(find_chain)},
    {NOTE(SPL042, "split-unused", "an output that is not used"),
     .about.why = "The part is copied needlessly, or a reader is missing.",
     .about.mend = "Use it, or compute the other parts with Slice. A single entry of the lengths cannot be removed.",
     .about.before = MODEL(13, "g (float[6] x) => (float[] a) { a, b = Split (x) }"),
     .about.after = MODEL(13, TWO("float", "[6]") "{ a, b = Split (x) }"), .scope = CHECK_LAST,
     .relies_on = FAULTS_OF_READING, .find = find_unused},
    {NOTE(SPL043, "split-computed-lengths", "constant lengths computed by other nodes"),
     .about.why = "Many readers accept lengths only from an initializer or directly from a Constant.",
     .about.runtimes =
         "ONNX's own inference does not look through Identity; CoreML, WebNN, QNN and tract require constant lengths.",
     .about.mend = "Write the lengths as an initializer.",
     .about.before = MODEL(13, TWO("float", "[6]") "<int64[2] k = {2, 4}>\n"
                                                   "{ n = Identity (k) a, b = Split (x, n) }"),
     .about.after = MODEL(13, TWO("float", "[6]") "<int64[2] n = {2, 4}>\n{ a, b = Split (x, n) }"), .by_types = true,
     SPLIT_FOUND(find_computed)},
    {0},
};
