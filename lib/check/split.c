/* SPL, errors: is a Split node valid at its opset? Convert refuses a source with these errors, with the same texts.
 * (OPS has the checks common to all operators.) */
#include <inttypes.h>
#include <string.h>

#include "check/family.h"
#include "check/split_fix.h"
#include "check/split_view.h"
#include "base/real.h"
#include "kernel/facts.h"

#define FINDING(...) split_view_fault(view, error, __VA_ARGS__)

/* ---- checks of lint ---- */

enum opshift_status split_view_of(struct checking *checking, const struct subject *subject, struct split_view **view,
                                  struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *view = checking->split;
    if (*view == NULL)
        status = split_view_read(subject->draft, subject->schema, view, error);
    checking->split = *view;
    return status;
}

enum opshift_status split_find(struct checking *checking, const struct subject *subject, struct opshift_error *error)
{
    struct split_view *view;
    enum opshift_status status = split_view_of(checking, subject, &view, error);
    if (status || subject->draft->output_count == 0)
        return status;
    view->pointed = view->fault = NULL;
    status = checking->check->judge(view, error);
    if (status || view->fault == NULL)
        return status;
    struct range where = split_view_where(view);
    return finding_add(checking, subject, range_size(where) ? &where : NULL, error, "%s", view->fault);
}

/* ---- the axis ---- */

static enum opshift_status judge_scalar(struct split_view *view, struct opshift_error *error)
{
    if (view->cut.rank != 0)
        return OPSHIFT_OK;
    return FINDING("the input '%s' is a scalar, which has no axis to split; add a dim before, or remove the Split",
                   names_text(view->draft->model->names, view->draft->inputs[0].name));
}

/* Axes must fit into 32 bits: some parsers would truncate larger ones. */
static enum opshift_status judge_axis(struct split_view *view, struct opshift_error *error)
{
    const struct split_cut *cut = &view->cut;
    view->pointed = "axis";
    if (!cut->axis_known)
        return OPSHIFT_OK;
    if (cut->rank < 0 && (cut->axis < INT32_MIN || cut->axis > INT32_MAX))
        return FINDING("axis %" PRId64 " is beyond the axes of any tensor; use the intended one", cut->axis);
    if (cut->rank > 0 && (cut->axis < -cut->rank || cut->axis >= cut->rank))
        return FINDING("axis %" PRId64 " is outside [-%d, %d], the axes of a tensor of rank %d; use the intended one",
                       cut->axis, cut->rank, cut->rank - 1, cut->rank);
    return OPSHIFT_OK;
}

/* ---- a list of lengths ---- */

static bool has_list(const struct split_view *view)
{
    return view->form == SPLIT_ATTRIBUTE || view->form == SPLIT_INPUT;
}

static void point_at_list(struct split_view *view)
{
    if (view->form == SPLIT_ATTRIBUTE)
        view->pointed = "split";
}

static enum opshift_status judge_lengths_rank(struct split_view *view, struct opshift_error *error)
{
    int64_t rank = view->constant ? (int64_t)view->constant->rank : view->input.rank;
    if (view->form != SPLIT_INPUT || rank < 0 || rank == 1)
        return OPSHIFT_OK;
    return FINDING("the lengths '%s' have rank %" PRId64 " and must be a list (rank 1); give them one dim, of %u",
                   names_text(view->draft->model->names, view->draft->inputs[1].name), rank, view->draft->output_count);
}

static enum opshift_status judge_fraction(struct split_view *view, struct opshift_error *error)
{
    if (view->form != SPLIT_INPUT || view->constant == NULL || view->lengths || view->length_count < 0 ||
        view->schema->since > 1)
        return OPSHIFT_OK;
    for (uint64_t i = 0; i < view->constant->count; i++) {
        double number = tensor_number(view->constant, i);
        if (!(number > -0x1p53 && number < 0x1p53) || number != (double)(int64_t)number)
            return FINDING("length %" PRIu64 " is %s; lengths are whole numbers", i, REAL_SHOWN(number));
    }
    return OPSHIFT_OK;
}

static enum opshift_status judge_empty(struct split_view *view, struct opshift_error *error)
{
    point_at_list(view);
    if (!has_list(view) || view->length_count != 0)
        return OPSHIFT_OK;
    return FINDING("the list of lengths is empty, and there are %u outputs; write a length for each, or leave the list "
                   "away for equal parts",
                   view->draft->output_count);
}

static enum opshift_status judge_count(struct split_view *view, struct opshift_error *error)
{
    point_at_list(view);
    if (!has_list(view) || view->length_count < 1 || view->length_count == view->draft->output_count)
        return OPSHIFT_OK;
    return FINDING("there are %" PRId64 " lengths and %u outputs; there must be a length for each output",
                   view->length_count, view->draft->output_count);
}

static enum opshift_status judge_negative(struct split_view *view, struct opshift_error *error)
{
    point_at_list(view);
    for (int64_t i = 0; has_list(view) && view->lengths && i < view->length_count; i++)
        if (view->lengths[i] < 0)
            return FINDING("length %" PRId64 " is %" PRId64 "; lengths are 0 or more, and none means \"the rest\"", i,
                           view->lengths[i]);
    return OPSHIFT_OK;
}

/* False: overflow. */
static bool sum_lengths(const struct split_view *view, int64_t *sum)
{
    *sum = 0;
    for (int64_t i = 0; i < view->length_count; i++)
        if (__builtin_add_overflow(*sum, view->lengths[i], sum))
            return false;
    return true;
}

static enum opshift_status judge_overflow(struct split_view *view, struct opshift_error *error)
{
    int64_t sum;
    point_at_list(view);
    if (!has_list(view) || view->lengths == NULL || sum_lengths(view, &sum))
        return OPSHIFT_OK;
    return FINDING("the lengths sum to more than 2^63 - 1; no dim is that long");
}

static enum opshift_status judge_sum(struct split_view *view, struct opshift_error *error)
{
    int64_t sum, dim = view->cut.dim;
    point_at_list(view);
    if (!has_list(view) || view->lengths == NULL || dim < 0 || !sum_lengths(view, &sum) || sum == dim)
        return OPSHIFT_OK;
    return FINDING("the lengths sum to %" PRId64 ", and the dim is %" PRId64 "; make the lengths cover axis %" PRId64
                   " of '%s'",
                   sum, dim, view->cut.axis, names_text(view->draft->model->names, view->draft->inputs[0].name));
}

/* ---- equal parts, and num_outputs ---- */

static enum opshift_status judge_uneven(struct split_view *view, struct opshift_error *error)
{
    uint32_t outputs = view->draft->output_count;
    if (view->form != SPLIT_EQUAL || view->schema->since >= 18 || view->cut.dim < 0 || view->cut.dim % outputs == 0)
        return OPSHIFT_OK;
    return FINDING("the dim %" PRId64 " cannot be divided into %u equal parts; write explicit lengths", view->cut.dim,
                   outputs);
}

static enum opshift_status judge_both(struct split_view *view, struct opshift_error *error)
{
    const struct draft *draft = view->draft;
    if (view->schema->since >= 18 && view->counted && view->listed)
        return FINDING("both num_outputs and lengths are given; remove one of them");
    if (view->schema->since == 1 && view->form == SPLIT_INPUT && draft_attribute_find(draft, "split"))
        return FINDING("lengths are given as attribute 'split' and as input '%s'; remove one of them",
                       names_text(draft->model->names, draft->inputs[1].name));
    return OPSHIFT_OK;
}

static enum opshift_status judge_neither(struct split_view *view, struct opshift_error *error)
{
    if (view->schema->since < 18 || view->listed)
        return OPSHIFT_OK;
    if (view->uncounted)
        return FINDING("%s: both num_outputs and the lengths are missing in this call; set num_outputs there",
                       view->uncounted);
    if (view->counted)
        return OPSHIFT_OK;
    return FINDING("neither num_outputs nor lengths are given, but Split-%u requires one of them; set num_outputs = %u",
                   view->schema->since, view->draft->output_count);
}

static enum opshift_status judge_num_outputs(struct split_view *view, struct opshift_error *error)
{
    view->pointed = "num_outputs";
    if (!view->counted || !view->parts_known)
        return OPSHIFT_OK;
    if (view->parts < 1)
        return FINDING("num_outputs is %" PRId64 " and must be at least 1; set it to %u, the number of outputs",
                       view->parts, view->draft->output_count);
    if (view->parts > INT32_MAX)
        return FINDING("num_outputs is %" PRId64 ", more than the 2147483647 outputs that a node may have; set it to "
                       "%u, the number of outputs",
                       view->parts, view->draft->output_count);
    return OPSHIFT_OK;
}

static enum opshift_status judge_too_few(struct split_view *view, struct opshift_error *error)
{
    view->pointed = "num_outputs";
    if (!view->counted || !view->parts_known || view->parts < 1 || view->parts >= view->draft->output_count)
        return OPSHIFT_OK;
    return FINDING("num_outputs is %" PRId64 ", and there are %u outputs; set it to %u, or remove outputs", view->parts,
                   view->draft->output_count, view->draft->output_count);
}

static enum opshift_status judge_last(struct split_view *view, struct opshift_error *error)
{
    int64_t dim = view->cut.dim, parts = view->parts;
    view->pointed = "num_outputs";
    if (!view->counted || !view->parts_known || parts < 1 || parts > INT32_MAX || dim < 0 ||
        split_last(dim, parts) >= 0)
        return OPSHIFT_OK;
    return FINDING("%" PRId64 " chunks of ceil(%" PRId64 " / %" PRId64 ") = %" PRId64 " leave %" PRId64
                   " for the last one; write explicit lengths",
                   parts, dim, parts, split_chunk(dim, parts), split_last(dim, parts));
}

/* ---- declared shapes of the outputs ---- */

/* The non-negative axis; -1: unknown or out of range. */
static int64_t axis_from_front(const struct split_cut *cut)
{
    if (!cut->axis_known || cut->rank <= 0 || cut->axis < -cut->rank || cut->axis >= cut->rank)
        return -1;
    return cut->axis < 0 ? cut->axis + cut->rank : cut->axis;
}

static enum opshift_status judge_shape(struct split_view *view, struct opshift_error *error)
{
    const struct draft *draft = view->draft;
    int64_t axis = axis_from_front(&view->cut);
    for (uint32_t i = 0; i < draft->output_count && view->cut.rank >= 0; i++) {
        struct value_type type;
        name_id name = draft->outputs[i];
        if (name == NAME_NONE)
            continue;
        enum opshift_status status = draft_declared(draft, name, &type, error);
        if (status)
            return status;
        if (type.rank >= 0 && type.rank != view->cut.rank)
            return FINDING("output '%s' is declared with rank %d, and the input has rank %d; remove the declared "
                           "shape, or correct it",
                           names_text(draft->model->names, name), type.rank, view->cut.rank);
        int64_t length = split_view_length(view, i);
        if (axis >= 0 && type.rank > 0 && length >= 0 && type.dims[axis] >= 0 && type.dims[axis] != length)
            return FINDING("output '%s' is declared to be %" PRId64 " long at axis %" PRId64 ", but will be %" PRId64
                           "; remove the declared shape, or correct it",
                           names_text(draft->model->names, name), type.dims[axis], view->cut.axis, length);
    }
    return OPSHIFT_OK;
}

#define BEFORE(opset, rest) "<ir_version: 8, opset_import: [\"\" : " #opset "]>\n" rest
/* Common fields of a row. */
#define SPLIT_CHECK(function)     .scope = CHECK_DRAFT, .operator_type = "Split", .find = split_find, .judge = function
#define ERROR(number, name, what) .id = "SPL" number, .slug = name, .severity = OPSHIFT_SEVERITY_ERROR, .summary = what

const struct check split_checks[] = {
    {.about = {ERROR("001", "split-scalar", "a scalar is split"), .why = "A scalar has no axis to split.",
               .runtimes = "ONNX Runtime fails when the node runs; ONNX's own inference refuses the model.",
               .mend = "Add a dim first (Unsqueeze, Reshape), or use Identity if there is one output.",
               .before = BEFORE(13, "g (float x) => (float[] y) { y = Split (x) }"),
               .after = BEFORE(13, "g (float x) => (float y) { y = Identity (x) }")},
     .by_types = true,
     SPLIT_CHECK(judge_scalar)},
    {.about = {ERROR("002", "split-axis-range", "the axis is out of range"),
               .why = "The axis must be in [-rank, rank - 1].",
               .runtimes = "ONNX Runtime refuses the model. ONNX's own inference truncates the axis to 32 bits and "
                           "uses 0 for 4294967296.",
               .mend = "Set axis to the intended one.",
               .before = BEFORE(13, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = 2> (x) }"),
               .after = BEFORE(13, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = 1> (x) }")},
     .by_types = true,
     SPLIT_CHECK(judge_axis)},
    {.about = {ERROR("003", "split-both", "both num_outputs and lengths are given"),
               .why = "The operator forbids both together.",
               .runtimes = "ONNX Runtime refuses the model; OpenVINO uses num_outputs; ONNX's own checker accepts both "
                           "if the dim is unknown.",
               .mend = "Remove num_outputs if the lengths are intended, else the lengths.",
               .before = BEFORE(18, "g (float[6] x) => (float[] a, float[] b)\n<int64[2] n = {2, 4}>\n"
                                    "{ a, b = Split <num_outputs = 2> (x, n) }"),
               .after = BEFORE(18, "g (float[6] x) => (float[] a, float[] b)\n<int64[2] n = {2, 4}>\n"
                                   "{ a, b = Split (x, n) }")},
     SPLIT_CHECK(judge_both)},
    {.about = {ERROR("004", "split-neither", "from opset 18 num_outputs or lengths are needed"),
               .why = "Split-13 used the number of outputs; Split-18 requires one of the two. Models whose opset "
                      "number was changed without a conversion have this fault.",
               .runtimes = "ONNX Runtime refuses the model if the dim is known, and runs it if it is not; OpenVINO "
                           "splits into equal parts.",
               .mend = "Set num_outputs to the number of outputs.",
               .before = BEFORE(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"),
               .after = BEFORE(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }")},
     FIXED_BY(split_fix_num_outputs),
     SPLIT_CHECK(judge_neither)},
    {.about = {ERROR("005", "split-num-outputs", "num_outputs is not a valid number"),
               .why = "A node has between 1 and 2^31 - 1 outputs.",
               .runtimes = "ONNX Runtime refuses it if the dim is known; if not, it splits into as many equal parts as "
                           "there are outputs.",
               .mend = "Set num_outputs to the number of outputs.",
               .before = BEFORE(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 0> (x) }"),
               .after = BEFORE(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }")},
     SPLIT_CHECK(judge_num_outputs)},
    {.about = {ERROR("006", "split-num-outputs-few", "there are more outputs than num_outputs"),
               .why = "There is no part of the input for the outputs beyond num_outputs.",
               .runtimes = "ONNX Runtime 1.30 ends the whole process when it loads such a model; ONNX's own inference "
                           "reads past the end of a list.",
               .mend = "Set num_outputs to the number of outputs, or remove outputs.",
               .before = BEFORE(18, "g (float[6] x) => (float[] a, float[] b, float[] c)\n"
                                    "{ a, b, c = Split <num_outputs = 2> (x) }"),
               .after = BEFORE(18, "g (float[6] x) => (float[] a, float[] b, float[] c)\n"
                                   "{ a, b, c = Split <num_outputs = 3> (x) }")},
     .relies_on = "SPL005",
     SPLIT_CHECK(judge_too_few)},
    {.about = {ERROR("007", "split-negative-last", "num_outputs gives the last part a negative length"),
               .why = "All parts but the last are ceil(dim / num_outputs) long, which can exceed the dim: 5 into 4 "
                      "gives 2, 2, 2 and -1.",
               .runtimes = "ONNX Runtime and TensorRT refuse it; ONNX's own inference declares a dim of -1; its "
                           "reference evaluator and burn use 2, 2, 1, 0.",
               .mend = "Write explicit lengths, or reduce num_outputs.",
               .before = BEFORE(18, "g (float[5] x) => (float[] a, float[] b, float[] c, float[] d)\n"
                                    "{ a, b, c, d = Split <num_outputs = 4> (x) }"),
               .after = BEFORE(18, "g (float[5] x) => (float[] a, float[] b, float[] c, float[] d)\n"
                                   "<int64[4] n = {2, 1, 1, 1}>\n{ a, b, c, d = Split (x, n) }")},
     .relies_on = "SPL003 SPL005 SPL006",
     .by_types = true,
     SPLIT_CHECK(judge_last)},
    {.about = {ERROR("008", "split-uneven", "the dim is not divisible by the number of outputs"),
               .why = "Below opset 18 a Split without lengths makes equal parts only.",
               .runtimes = "ONNX Runtime refuses the model or the run. TensorRT and MIGraphX accept it silently, with "
                           "a shorter last part.",
               .mend = "Write explicit lengths: as attribute `split` below opset 13, as second input from 13 on.",
               .before = BEFORE(13, "g (float[7] x) => (float[] a, float[] b) { a, b = Split (x) }"),
               .after = BEFORE(13, "g (float[7] x) => (float[] a, float[] b)\n<int64[2] n = {4, 3}>\n"
                                   "{ a, b = Split (x, n) }")},
     .by_types = true,
     SPLIT_CHECK(judge_uneven)},
    {.about = {ERROR("009", "split-lengths-rank", "the lengths are not a list"),
               .why = "Split's lengths must be a tensor of rank 1 with a number for each output; a scalar (as from "
                      "Constant<value_int>) is invalid.",
               .runtimes =
                   "ONNX Runtime fails when the node runs (\"must be a vector\"); ONNX's own checker accepts it.",
               .mend = "Give the lengths the shape [number of outputs]; with Constant use value_ints, not value_int.",
               .before = BEFORE(13, "g (float[6] x) => (float[] y)\n"
                                    "{ n = Constant <value_int = 6> () y = Split (x, n) }"),
               .after = BEFORE(13, "g (float[6] x) => (float[] y)\n"
                                   "{ n = Constant <value_ints = [6]> () y = Split (x, n) }")},
     .by_types = true,
     SPLIT_CHECK(judge_lengths_rank)},
    {.about = {ERROR("010", "split-fraction", "a length is not an integer"),
               .why =
                   "Split-1 takes its lengths in the data's type, so a value like 2.5 can be written, but is invalid.",
               .mend = "Write integers, in the attribute `split`.",
               .before = BEFORE(1, "g (float[6] x) => (float[] a, float[] b)\n<float[2] n = {2.5, 3.5}>\n"
                                   "{ a, b = Split <axis = 0> (x, n) }"),
               .after = BEFORE(1, "g (float[6] x) => (float[] a, float[] b)\n"
                                  "{ a, b = Split <axis = 0, split = [2, 4]> (x) }")},
     .relies_on = "SPL003 SPL009",
     .by_types = true,
     SPLIT_CHECK(judge_fraction)},
    {.about =
         {ERROR("011", "split-empty-lengths", "the list of lengths is empty"),
          .why = "An empty list means no outputs, but the node has some.",
          .runtimes =
              "ONNX Runtime treats an empty list as absent and makes equal parts; ONNX's own inference refuses it.",
          .mend = "Write a length for each output, or remove the list if equal parts are intended.",
          .before = BEFORE(11, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <split : ints = []> (x) }"),
          .after = BEFORE(11, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }")},
     .relies_on = "SPL003",
     .by_types = true,
     SPLIT_CHECK(judge_empty)},
    {.about = {ERROR("012", "split-count", "the numbers of lengths and outputs differ"),
               .why = "Each output needs its length; which one is missing or additional cannot be determined.",
               .runtimes = "ONNX Runtime and ONNX's own inference refuse the model.",
               .mend = "Add or remove lengths or outputs. An unused output keeps its place in the list.",
               .before = BEFORE(13, "g (float[6] x) => (float[] a, float[] b)\n<int64[3] n = {2, 2, 2}>\n"
                                    "{ a, b = Split (x, n) }"),
               .after = BEFORE(13, "g (float[6] x) => (float[] a, float[] b)\n<int64[3] n = {2, 2, 2}>\n"
                                   "{ a, b, c = Split (x, n) }")},
     .relies_on = "SPL003 SPL009",
     .by_types = true,
     SPLIT_CHECK(judge_count)},
    {.about =
         {ERROR("013", "split-negative-length", "a length is negative"),
          .why = "A length of -1 means \"the rest\" in other frameworks; in ONNX it means nothing.",
          .runtimes =
              "ONNX Runtime refuses it (\"all values must be >= 0\"); ONNX's own checker accepts it if the sum fits.",
          .mend = "Write the intended length.",
          .before = BEFORE(11, "g (float[6] x) => (float[] a, float[] b, float[] c)\n"
                               "{ a, b, c = Split <split = [-1, 3, 4]> (x) }"),
          .after = BEFORE(11, "g (float[6] x) => (float[] a, float[] b, float[] c)\n"
                              "{ a, b, c = Split <split = [1, 2, 3]> (x) }")},
     .relies_on = "SPL003 SPL012",
     .by_types = true,
     SPLIT_CHECK(judge_negative)},
    {.about = {ERROR("014", "split-overflow", "the sum of the lengths overflows"),
               .why = "Dims are 64-bit numbers; a reader that adds these lengths gets a small or negative number.",
               .mend = "Correct the lengths.",
               .before = BEFORE(11, "g (float[N] x) => (float[] a, float[] b)\n"
                                    "{ a, b = Split <split = [9223372036854775807, 1]> (x) }"),
               .after = BEFORE(11, "g (float[N] x) => (float[] a, float[] b) { a, b = Split <split = [7, 1]> (x) }")},
     .relies_on = "SPL003 SPL013",
     .by_types = true,
     SPLIT_CHECK(judge_overflow)},
    {.about = {ERROR("015", "split-sum", "the sum of the lengths is not the dim"),
               .why = "The lengths must cover the axis exactly.",
               .runtimes =
                   "ONNX Runtime refuses the model or the run; ONNX's reference evaluator silently drops the rest.",
               .mend = "Correct the lengths, or the declared shape of the input.",
               .before = BEFORE(13, "g (float[6] x) => (float[] a, float[] b)\n<int64[2] n = {2, 5}>\n"
                                    "{ a, b = Split (x, n) }"),
               .after = BEFORE(13, "g (float[6] x) => (float[] a, float[] b)\n<int64[2] n = {2, 4}>\n"
                                   "{ a, b = Split (x, n) }")},
     .relies_on = "SPL003 SPL011 SPL012 SPL013 SPL014",
     .by_types = true,
     SPLIT_CHECK(judge_sum)},
    {.about =
         {ERROR("016", "split-shape", "an output has another shape than declared"),
          .why = "Memory planning and code selection that use the declared shape are wrong.",
          .runtimes = "ONNX Runtime warns and runs with the inferred shape; ONNX's full check refuses the model.",
          .mend =
              "Remove the declared shape (it can be inferred), or correct it; if it is right, the lengths are wrong.",
          .before = BEFORE(13, "g (float[6] x) => (float[5] a, float[4] b)\n<int64[2] n = {2, 4}>\n"
                               "{ a, b = Split (x, n) }"),
          .after = BEFORE(13, "g (float[6] x) => (float[2] a, float[4] b)\n<int64[2] n = {2, 4}>\n"
                              "{ a, b = Split (x, n) }")},
     .relies_on = "SPL001 SPL002 SPL003 SPL004 SPL005 SPL006 SPL007 SPL008 SPL011 SPL012 SPL013 SPL014 SPL015",
     .by_types = true,
     SPLIT_CHECK(judge_shape)},
};
const size_t split_check_count = COUNT(split_checks);
