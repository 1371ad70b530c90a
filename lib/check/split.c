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

enum opshift_status split_judge(const struct check *check, struct split_view *view, struct opshift_error *error)
{
    struct split_fault fault;
    view->pointed = view->fault = NULL;
    if (check->judge)
        return check->judge(view, error);
    if (!check->fault(&view->cut, &fault))
        return OPSHIFT_OK;
    view->pointed = fault.attribute;
    return FINDING("%s", fault.words);
}

enum opshift_status split_find(struct checking *checking, const struct subject *subject, struct opshift_error *error)
{
    struct split_view *view;
    enum opshift_status status = split_view_of(checking, subject, &view, error);
    if (status || subject->draft->output_count == 0)
        return status;
    status = split_judge(checking->check, view, error);
    if (status || view->fault == NULL)
        return status;
    struct range where = split_view_where(view);
    return finding_add(checking, subject, range_size(where) ? &where : NULL, error, "%s", view->fault);
}

/* ---- declared shapes of the outputs ---- */

static enum opshift_status judge_shape(struct split_view *view, struct opshift_error *error)
{
    const struct draft *draft = view->draft;
    int64_t axis = view->cut.front;
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
        int64_t length = split_length(&view->cut, i);
        if (axis >= 0 && type.rank > 0 && length >= 0 && type.dims[axis] >= 0 && type.dims[axis] != length)
            return FINDING("output '%s' is declared to be %" PRId64 " long at axis %" PRId64 ", but will be %" PRId64
                           "; remove the declared shape, or correct it",
                           names_text(draft->model->names, name), type.dims[axis], view->cut.axis, length);
    }
    return OPSHIFT_OK;
}

/* Common fields of a row. */
#define SPLIT_FAULT(name)                                                                                              \
    .scope = CHECK_DRAFT, .operator_type = "Split", .find = split_find, .fault = split_fault_##name

const struct check checks_split[] = {
    {ERROR(SPL001, "split-scalar", "a scalar is split"), .about.why = "A scalar has no axis to split.",
     .about.runtimes = "ONNX Runtime fails when the node runs; ONNX's own inference refuses the model.",
     .about.mend = "Add a dim first (Unsqueeze, Reshape), or use Identity if there is one output.",
     .about.before = MODEL(13, "g (float x) => (float[] y) { y = Split (x) }"),
     .about.after = MODEL(13, "g (float x) => (float y) { y = Identity (x) }"), .by_types = true, SPLIT_FAULT(scalar)},
    {ERROR(SPL002, "split-axis-range", "the axis is out of range"),
     .about.why = "The axis must be in [-rank, rank - 1].",
     .about.runtimes = "ONNX Runtime refuses the model. ONNX's own inference truncates the axis to 32 bits and uses 0 "
                       "for 4294967296.",
     .about.mend = "Set axis to the intended one.",
     .about.before = MODEL(13, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = 2> (x) }"),
     .about.after = MODEL(13, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = 1> (x) }"),
     .by_types = true, SPLIT_FAULT(axis)},
    {ERROR(SPL003, "split-both", "both num_outputs and lengths are given"),
     .about.why = "The operator forbids both together.",
     .about.runtimes = "ONNX Runtime refuses the model; OpenVINO uses num_outputs; ONNX's own checker accepts both if "
                       "the dim is unknown.",
     .about.mend = "Remove num_outputs if the lengths are intended, else the lengths.",
     .about.before = MODEL(18, "g (float[6] x) => (float[] a, float[] b)\n<int64[2] n = {2, 4}>\n"
                               "{ a, b = Split <num_outputs = 2> (x, n) }"),
     .about.after = MODEL(18, "g (float[6] x) => (float[] a, float[] b)\n<int64[2] n = {2, 4}>\n"
                              "{ a, b = Split (x, n) }"),
     SPLIT_FAULT(both)},
    {ERROR(SPL004, "split-neither", "from opset 18 num_outputs or lengths are needed"),
     .about.why = "Split-13 used the number of outputs; Split-18 requires one of the two. Models whose opset number "
                  "was changed without a conversion have this fault.",
     .about.runtimes = "ONNX Runtime refuses the model if the dim is known, and runs it if it is not; OpenVINO splits "
                       "into equal parts.",
     .about.mend = "Set num_outputs to the number of outputs.",
     .about.before = MODEL(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"),
     .about.after = MODEL(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     FIXED_BY(split_fix_num_outputs), SPLIT_FAULT(neither)},
    {ERROR(SPL005, "split-num-outputs", "num_outputs is not a valid number"),
     .about.why = "A node has between 1 and 2^31 - 1 outputs.",
     .about.runtimes = "ONNX Runtime refuses it if the dim is known; if not, it splits into as many equal parts as "
                       "there are outputs.",
     .about.mend = "Set num_outputs to the number of outputs.",
     .about.before = MODEL(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 0> (x) }"),
     .about.after = MODEL(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     SPLIT_FAULT(num_outputs)},
    {ERROR(SPL006, "split-num-outputs-few", "there are more outputs than num_outputs"),
     .about.why = "There is no part of the input for the outputs beyond num_outputs.",
     .about.runtimes = "ONNX Runtime 1.30 ends the whole process when it loads such a model; ONNX's own inference "
                       "reads past the end of a list.",
     .about.mend = "Set num_outputs to the number of outputs, or remove outputs.",
     .about.before = MODEL(18, "g (float[6] x) => (float[] a, float[] b, float[] c)\n"
                               "{ a, b, c = Split <num_outputs = 2> (x) }"),
     .about.after = MODEL(18, "g (float[6] x) => (float[] a, float[] b, float[] c)\n"
                              "{ a, b, c = Split <num_outputs = 3> (x) }"),
     .relies_on = IDS(SPL005), SPLIT_FAULT(few)},
    {ERROR(SPL007, "split-negative-last", "num_outputs gives the last part a negative length"),
     .about.why = "All parts but the last are ceil(dim / num_outputs) long, which can exceed the dim: 5 into 4 gives "
                  "2, 2, 2 and -1.",
     .about.runtimes = "ONNX Runtime and TensorRT refuse it; ONNX's own inference declares a dim of -1; its reference "
                       "evaluator and burn use 2, 2, 1, 0.",
     .about.mend = "Write explicit lengths, or reduce num_outputs.",
     .about.before = MODEL(18, "g (float[5] x) => (float[] a, float[] b, float[] c, float[] d)\n"
                               "{ a, b, c, d = Split <num_outputs = 4> (x) }"),
     .about.after = MODEL(18, "g (float[5] x) => (float[] a, float[] b, float[] c, float[] d)\n"
                              "<int64[4] n = {2, 1, 1, 1}>\n{ a, b, c, d = Split (x, n) }"),
     .relies_on = IDS(SPL003, SPL005, SPL006), .by_types = true, SPLIT_FAULT(last)},
    {ERROR(SPL008, "split-uneven", "the dim is not divisible by the number of outputs"),
     .about.why = "Below opset 18 a Split without lengths makes equal parts only.",
     .about.runtimes = "ONNX Runtime refuses the model or the run. TensorRT and MIGraphX accept it silently, with a "
                       "shorter last part.",
     .about.mend = "Write explicit lengths: as attribute `split` below opset 13, as second input from 13 on.",
     .about.before = MODEL(13, "g (float[7] x) => (float[] a, float[] b) { a, b = Split (x) }"),
     .about.after = MODEL(13, "g (float[7] x) => (float[] a, float[] b)\n<int64[2] n = {4, 3}>\n"
                              "{ a, b = Split (x, n) }"),
     .by_types = true, SPLIT_FAULT(uneven)},
    {ERROR(SPL009, "split-lengths-rank", "the lengths are not a list"),
     .about.why = "Split's lengths must be a tensor of rank 1 with a number for each output; a scalar (as from "
                  "Constant<value_int>) is invalid.",
     .about.runtimes = "ONNX Runtime fails when the node runs (\"must be a vector\"); ONNX's own checker accepts it.",
     .about.mend = "Give the lengths the shape [number of outputs]; with Constant use value_ints, not value_int.",
     .about.before = MODEL(13, "g (float[6] x) => (float[] y)\n"
                               "{ n = Constant <value_int = 6> () y = Split (x, n) }"),
     .about.after = MODEL(13, "g (float[6] x) => (float[] y)\n"
                              "{ n = Constant <value_ints = [6]> () y = Split (x, n) }"),
     .by_types = true, SPLIT_FAULT(rank)},
    {ERROR(SPL010, "split-fraction", "a length is not an integer"),
     .about.why = "Split-1 takes its lengths in the data's type, so a value like 2.5 can be written, but is invalid.",
     .about.mend = "Write integers, in the attribute `split`.",
     .about.before = MODEL(1, "g (float[6] x) => (float[] a, float[] b)\n<float[2] n = {2.5, 3.5}>\n"
                              "{ a, b = Split <axis = 0> (x, n) }"),
     .about.after = MODEL(1, "g (float[6] x) => (float[] a, float[] b)\n"
                             "{ a, b = Split <axis = 0, split = [2, 4]> (x) }"),
     .relies_on = IDS(SPL003, SPL009), .by_types = true, SPLIT_FAULT(fraction)},
    {ERROR(SPL011, "split-empty-lengths", "the list of lengths is empty"),
     .about.why = "An empty list means no outputs, but the node has some.",
     .about.runtimes =
         "ONNX Runtime treats an empty list as absent and makes equal parts; ONNX's own inference refuses it.",
     .about.mend = "Write a length for each output, or remove the list if equal parts are intended.",
     .about.before = MODEL(11, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <split : ints = []> (x) }"),
     .about.after = MODEL(11, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"),
     .relies_on = IDS(SPL003), .by_types = true, SPLIT_FAULT(empty)},
    {ERROR(SPL012, "split-count", "the numbers of lengths and outputs differ"),
     .about.why = "Each output needs its length; which one is missing or additional cannot be determined.",
     .about.runtimes = "ONNX Runtime and ONNX's own inference refuse the model.",
     .about.mend = "Add or remove lengths or outputs. An unused output keeps its place in the list.",
     .about.before = MODEL(13, "g (float[6] x) => (float[] a, float[] b)\n<int64[3] n = {2, 2, 2}>\n"
                               "{ a, b = Split (x, n) }"),
     .about.after = MODEL(13, "g (float[6] x) => (float[] a, float[] b)\n<int64[3] n = {2, 2, 2}>\n"
                              "{ a, b, c = Split (x, n) }"),
     .relies_on = IDS(SPL003, SPL009), .by_types = true, SPLIT_FAULT(count)},
    {ERROR(SPL013, "split-negative-length", "a length is negative"),
     .about.why = "A length of -1 means \"the rest\" in other frameworks; in ONNX it means nothing.",
     .about.runtimes =
         "ONNX Runtime refuses it (\"all values must be >= 0\"); ONNX's own checker accepts it if the sum fits.",
     .about.mend = "Write the intended length.",
     .about.before = MODEL(11, "g (float[6] x) => (float[] a, float[] b, float[] c)\n"
                               "{ a, b, c = Split <split = [-1, 3, 4]> (x) }"),
     .about.after = MODEL(11, "g (float[6] x) => (float[] a, float[] b, float[] c)\n"
                              "{ a, b, c = Split <split = [1, 2, 3]> (x) }"),
     .relies_on = IDS(SPL003, SPL012), .by_types = true, SPLIT_FAULT(negative)},
    {ERROR(SPL014, "split-overflow", "the sum of the lengths overflows"),
     .about.why = "Dims are 64-bit numbers; a reader that adds these lengths gets a small or negative number.",
     .about.mend = "Correct the lengths.",
     .about.before = MODEL(11, "g (float[N] x) => (float[] a, float[] b)\n"
                               "{ a, b = Split <split = [9223372036854775807, 1]> (x) }"),
     .about.after = MODEL(11, "g (float[N] x) => (float[] a, float[] b) { a, b = Split <split = [7, 1]> (x) }"),
     .relies_on = IDS(SPL003, SPL013), .by_types = true, SPLIT_FAULT(overflow)},
    {ERROR(SPL015, "split-sum", "the sum of the lengths is not the dim"),
     .about.why = "The lengths must cover the axis exactly.",
     .about.runtimes = "ONNX Runtime refuses the model or the run; ONNX's reference evaluator silently drops the rest.",
     .about.mend = "Correct the lengths, or the declared shape of the input.",
     .about.before = MODEL(13, "g (float[6] x) => (float[] a, float[] b)\n<int64[2] n = {2, 5}>\n"
                               "{ a, b = Split (x, n) }"),
     .about.after = MODEL(13, "g (float[6] x) => (float[] a, float[] b)\n<int64[2] n = {2, 4}>\n"
                              "{ a, b = Split (x, n) }"),
     .relies_on = IDS(SPL003, SPL011, SPL012, SPL013, SPL014), .by_types = true, SPLIT_FAULT(sum)},
    {ERROR(SPL016, "split-shape", "an output has another shape than declared"),
     .about.why = "Memory planning and code selection that use the declared shape are wrong.",
     .about.runtimes = "ONNX Runtime warns and runs with the inferred shape; ONNX's full check refuses the model.",
     .about.mend =
         "Remove the declared shape (it can be inferred), or correct it; if it is right, the lengths are wrong.",
     .about.before = MODEL(13, "g (float[6] x) => (float[5] a, float[4] b)\n<int64[2] n = {2, 4}>\n"
                               "{ a, b = Split (x, n) }"),
     .about.after = MODEL(13, "g (float[6] x) => (float[2] a, float[4] b)\n<int64[2] n = {2, 4}>\n"
                              "{ a, b = Split (x, n) }"),
     .relies_on =
         IDS(SPL001, SPL002, SPL003, SPL004, SPL005, SPL006, SPL007, SPL008, SPL011, SPL012, SPL013, SPL014, SPL015),
     .by_types = true, .scope = CHECK_DRAFT, .operator_type = "Split", .find = split_find, .judge = judge_shape},
    {0},
};
