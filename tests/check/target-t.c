/* TGT: what a target does not support; and errors in profiles. */
#include <string.h>

#include "base/arena.h"
#include "check/target.h"
#include "tests/check/expect.h"
#include "tests/tap/tap.h"

static const struct {
    const char *target;
    struct lint_case row;
} cases[] = {
    {"onnxruntime-cpu",
     {"an opset that it does not know", MODEL(27, 10, "g (float[2] x) => (float[2] y) { y = Neg (x) }"),
      "TGT001 model: onnxruntime-cpu 1.30 takes opsets up to 26, and this is 27 (measured, ONNX Runtime 1.30.0, "
      "2026-11-21); convert with --opset 26"}},
    {"onnxruntime-cpu@1.20",
     {"an opset and IR version that an older version does not know",
      MODEL(22, 11, "g (float[2] x) => (float[2] y) { y = Neg (x) }"),
      "TGT008 model: whether onnxruntime-cpu 1.20 takes Neg (1 node) is not known; try the model there\n"
      "TGT001 model: onnxruntime-cpu 1.20 takes IR versions up to 10, and this is 11 "
      "(onnxruntime.ai/docs/reference/compatibility, 2026-11-23); convert with --ir-version 10\n"
      "TGT001 model: onnxruntime-cpu 1.20 takes opsets up to 21, and this is 22 "
      "(onnxruntime.ai/docs/reference/compatibility, 2026-11-23); convert with --opset 21"}},
    {"tensorrt",
     {"an opset that is too old", MODEL(8, 3, "g (float[2] x) => (float[2] y) { y = Neg (x) }"),
      "TGT001 model: tensorrt 11 takes opsets from 9, and this is 8 "
      "(docs.nvidia.com/deeplearning/tensorrt/latest/reference/onnx-opset-guide, 2026-11-23); convert with --opset 9"}},
    {"onnxruntime-cpu",
     {"the newest opset that it knows", MODEL(26, 10, "g (float[2] x) => (float[2] y) { y = Neg (x) }"), ""}},
    {"onnxruntime-cpu",
     {"an operator version without a kernel",
      MODEL(1, 3, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <axis = 0> (x) }"),
      "TGT002 graph/node[0]: onnxruntime-cpu 1.30 has no kernel for Split-1 (measured, ONNX Runtime 1.30.0, "
      "2026-11-21); "
      "convert to another opset, or use other operators"}},
    {"onnxruntime-cpu",
     {"the next version", MODEL(2, 3, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"), ""}},
    {"onnxruntime-cpu",
     {"a type without a kernel", MODEL(13, 8, "g (bfloat16[2] x) => (bfloat16[2] y) { y = Abs (x) }"),
      "TGT003 graph/node[0]: onnxruntime-cpu 1.30 has no kernel for Abs-13 with bfloat16, which 'x' is (measured, ONNX "
      "Runtime 1.30.0, 2026-11-21); insert a Cast"}},
    {"onnxruntime-cpu", {"a type with a kernel", MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Abs (x) }"), ""}},
    {"onnxruntime-cpu",
     {"an output without a name", MODEL(13, 8, "g (float[6] x) => (float[] a, float[] b) { a, \"\", b = Split (x) }"),
      "TGT004 graph/node[0]: onnxruntime-cpu 1.30, split-omitted-output: an output without a name crashes it when the "
      "model "
      "is loaded (measured, ONNX Runtime 1.30.0, 2026-11-21); name the output"}},
    {"onnxruntime-cpu",
     {"num_outputs above the outputs",
      MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 3> (x) }"),
      "TGT004 graph/node[0]: onnxruntime-cpu 1.30, split-surplus: it uses the number of outputs, not num_outputs "
      "(measured, ONNX Runtime 1.30.0, 2026-11-21); name an output for each part"}},
    {"onnxruntime-cpu",
     {"an empty last part",
      MODEL(18, 8, "g (float[4] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }"),
      "TGT004 graph/node[0]: onnxruntime-cpu 1.30, split-zero-chunk: it refuses num_outputs where a part would be "
      "empty "
      "(measured, ONNX Runtime 1.30.0, 2026-11-21); write explicit lengths"}},
    {"onnxruntime-cpu",
     {"an unknown dim",
      MODEL(18, 8, "g (float[N] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }"),
      ""}},
    {"onnxruntime-cpu",
     {"a dim above 2^24",
      MODEL(18, 8, "g (float[33554438] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
      "TGT004 graph/node[0]: onnxruntime-cpu 1.30, split-float: it divides dims above 2^24 with 32-bit floats "
      "(core/providers/cpu/tensor/split.h, and measured, 2026-11-21); write explicit lengths"}},
    {"onnxruntime-cpu",
     {"a dim of 2^24",
      MODEL(18, 8, "g (float[16777216] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"), ""}},
    {"onnxruntime-cpu",
     {"an empty second input",
      MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x, \"\") }"),
      "TGT004 graph/node[0]: onnxruntime-cpu 1.30, split-empty-input: it treats an empty second input as lengths "
      "(measured, "
      "ONNX Runtime 1.30.0, 2026-11-21); remove the empty input"}},
    {"onnxruntime-cpu",
     {"keepdims = 0 beside a scalar",
      MODEL(13, 8,
            "g (float[6] x) => (seq(float[]) s)\n"
            "<int64 n = {1}>\n"
            "{ s = SplitToSequence <keepdims = 0> (x, n) }"),
      "TGT004 graph/node[0]: onnxruntime-cpu 1.30, sequence-keepdims: it applies keepdims = 0 although a length is "
      "given "
      "(measured, ONNX Runtime 1.30.0, 2026-11-21); remove keepdims"}},
    {"onnxruntime-cpu",
     {"keepdims = 0 beside a list",
      MODEL(13, 8,
            "g (float[6] x) => (seq(float[]) s)\n"
            "<int64[2] n = {2, 4}>\n"
            "{ s = SplitToSequence <keepdims = 0> (x, n) }"),
      ""}},
    {"onnxruntime-cpu",
     {"a fault of the model is not one of the target too",
      MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 0> (x) }"), ""}},
    {"rknn@1.6",
     {"a form of which nothing is known",
      MODEL(13, 8,
            "g (bool c, float[6] x) => (float[] y)\n"
            "{ y = If (c) <then_branch = t () => (float[6] p) { p = Neg (x) }, else_branch = e () => (float[6] q) "
            "{ q = Abs (x) }> }"),
      "TGT008 model: whether rknn 1.6 takes Neg, Abs (2 nodes) is not known; try the model there\n"
      "TGT004 graph/node[0]: rknn 1.6, if-condition: If is taken with a constant condition only "
      "(doc/RKNN-Toolkit2_OP_Support-1.6.0.md, 2026-11-21); choose a branch\n"
      "TGT009 graph/node[0]: whether rknn 1.6 takes operators with bodies (If, Loop, Scan) is not known; try the model "
      "there"}},
    {"portable",
     {"the form that all take",
      MODEL(13, 8,
            "g (float[6] x) => (float[] a, float[] b)\n"
            "<int64[2] n = {2, 4}>\n"
            "{ a, b = Split (x, n) }"),
      ""}},
    {"portable",
     {"lengths of run time",
      MODEL(13, 8, "g (float[6] x, int64[2] n) => (float[] a, float[] b) { a, b = Split (x, n) }"),
      "TGT005 graph/node[0]: portable, constant-lengths: lengths known only at run time are not supported by "
      "CoreML, NNAPI, "
      "QNN, WebNN, MIGraphX and tract (CoreML, QNN and WebNN builders of ONNX Runtime; MIGraphX parse_split.cpp, "
      "2026-11-21); write the lengths as an initializer"}},
    {"portable",
     {"a length of 0",
      MODEL(13, 8,
            "g (float[6] x) => (float[] a, float[] b)\n"
            "<int64[2] n = {0, 6}>\n"
            "{ a, b = Split (x, n) }"),
      "TGT005 graph/node[0]: portable, positive-lengths: an empty output is not supported by CoreML, WebNN and "
      "DirectML (WebNN specification; DirectML tensor description, 2026-11-21); remove the output"}},
    {"portable",
     {"one output", MODEL(13, 8, "g (float[6] x) => (float[] a) { a = Split (x) }"),
      "TGT005 graph/node[0]: portable, two-outputs: a Split into one part is not supported by CoreML "
      "(split_op_builder.cc of ONNX Runtime (CoreML), 2026-11-21); use Identity"}},
    {"portable",
     {"an unknown dim, for all",
      MODEL(13, 8,
            "g (float[N] x) => (float[] a, float[] b)\n"
            "<int64[2] n = {2, 4}>\n"
            "{ a, b = Split (x, n) }"),
      "TGT005 graph/node[0]: portable, known-dim: CoreML requires a known dim at the axis (split_op_builder.cc "
      "of "
      "ONNX Runtime (CoreML), 2026-11-21); declare the shape of the input"}},
    {"portable",
     {"a negative axis", MODEL(13, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }"),
      "TGT005 graph/node[0]: portable, axis-from-front: ncnn and wonnx read a negative axis wrongly "
      "(onnx2ncnn.cpp; wonnx compiler.rs, 2026-11-21); count the axis from the front"}},
    {"portable",
     {"num_outputs that divides",
      MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"), ""}},
    {"portable",
     {"num_outputs that does not divide",
      MODEL(18, 8, "g (float[10] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }"),
      "TGT005 graph/node[0]: portable, even-num-outputs: OpenVINO refuses parts that are not equal, others split "
      "them differently (OpenVINO issue 21175; WebNN and WebGPU code of ONNX Runtime, 2026-11-21); write explicit "
      "lengths"}},
    {"portable",
     {"an output without a name, for all",
      MODEL(13, 8, "g (float[6] x) => (float[] a, float[] b) { a, \"\", b = Split (x) }"),
      "TGT005 graph/node[0]: portable, named-outputs: an output without a name crashes ONNX Runtime (measured, "
      "ONNX Runtime 1.30.0, 2026-11-21); name the output"}},
    {"portable",
     {"num_outputs above the outputs, for all",
      MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 3> (x) }"),
      "TGT005 graph/node[0]: portable, written-lengths: TensorRT, MIGraphX and CoreML require as many outputs as "
      "num_outputs (onnxOpImporters.cpp of onnx-tensorrt; MIGraphX parse_split.cpp, 2026-11-21); name an output for "
      "each part"}},
};

#define HEAD "target: t\ndescription: d\nsource: s\ndate: 2026-11-21\n"
#define RULE(rest)                                                                                                     \
    HEAD "constraints:\n  - {key: k, operator: Neg, severity: error, why: w, mend: m, source: s, date: d, " rest "}\n"

static const struct {
    const char *what, *text, *words;
} mistakes[] = {
    {"no name", "description: d\n", "t.yaml:1:1: a profile needs the key 'target'"},
    {"an unknown key", HEAD "opsets: 3\n", "t.yaml:5:1: there is no key 'opsets'; did you mean 'opset'?"},
    {"operators without a source", HEAD "with_operators: [{operators: [Neg], date: d}]\n",
     "t.yaml:5:18: an entry needs the key 'source'"},
    {"others that are not taken", HEAD "others: lacking\n",
     "t.yaml:5:9: expected 'taken' for 'others', found 'lacking'"},
    {"an opset that is no number", HEAD "opset: new\n",
     "t.yaml:5:8: expected a number above 0 for 'opset', found 'new'"},
    {"a wrong severity",
     HEAD "constraints:\n  - {key: k, operator: Neg, severity: bad, why: w, mend: m, source: s, date: d}\n",
     "t.yaml:6:39: expected error or warning, found 'bad'"},
    {"wrong opsets", RULE("opset: 3-x"), "t.yaml:6:90: expected opsets, as 13, 13- or 2-10, found '3-x'"},
    {"an unknown fact", RULE("require: [size >= 2]"),
     "t.yaml:6:93: there is no fact 'size'; rules/targets/README.md lists them"},
    {"an unknown comparison", RULE("require: [outputs > 2]"),
     "t.yaml:6:93: expected 'is', 'is not', '>=' or '<=', found '>'"},
    {"no number", RULE("require: [outputs >= two]"), "t.yaml:6:93: expected a number at the end of 'outputs >= two'"},
    {"no words", RULE("require: [input.0 is]"), "t.yaml:6:93: expected words behind 'is'"},
    {"no position", RULE("require: [input is absent]"),
     "t.yaml:6:93: the fact 'input' needs a dot and what is asked about behind it"},
    {"a fact of Split", RULE("require: [split_dim >= 1]"), "t.yaml:6:93: the fact 'split_dim' applies to Split only"},
    {"a constraint of no operator", HEAD "constraints:\n  - {key: k, why: w, mend: m, source: s, date: d}\n",
     "t.yaml:6:5: a constraint needs the key 'operator', or 'lacks'"},
    {"an unknown feature", HEAD "constraints:\n  - {lacks: unevn, source: s, date: d}\n",
     "t.yaml:6:13: there is no feature 'unevn'; did you mean 'uneven'?"},
    {"a feature like none", HEAD "takes: [warp]\n",
     "t.yaml:5:9: there is no feature 'warp'; rules/targets/README.md lists them"},
    {"a feature that is taken and lacked",
     HEAD "takes: [uneven]\nconstraints:\n  - {lacks: uneven, source: s, date: d}\n",
     "t.yaml:7:13: 'uneven' is both taken and lacked"},
    {"a wrong form of Split", HEAD "split_form: even\n",
     "t.yaml:5:13: expected keep, lengths, num_outputs, equal or attribute for 'split_form', found 'even'"},
    {"a version without a name", HEAD "versions: [{opset: 3}]\n", "t.yaml:5:12: a version needs the key 'version'"},
    {"a version twice", HEAD "versions: [{version: a}, {version: b}, {version: a}]\n",
     "t.yaml:5:40: the version 'a' is there twice"},
    {"a wrong figure of a version", HEAD "versions: [{version: a, opset: -1}]\n",
     "t.yaml:5:32: expected a number above 0 for 'opset', found '-1'"},
    {"since a version that is not there",
     HEAD "versions: [{version: a}]\nconstraints:\n"
          "  - {lacks: uneven, since: b, source: s, date: d}\n",
     "t.yaml:7:28: there is no version 'b' in the list 'versions'"},
    {"operators as a list of texts", HEAD "without_operators: [Loop]\n",
     "t.yaml:5:21: expected an entry (a map), found a scalar"},
    {"operators without a source", HEAD "without_operators: [{operators: [Loop]}]\n",
     "t.yaml:5:21: an entry needs the key 'source'"},
    {"an operator that is no text", HEAD "only_operators: [{operators: [[Loop]], source: s, date: d}]\n",
     "t.yaml:5:31: an operator: expected a scalar, found a list"},
    {"an unknown type of a list", HEAD "without_types: [{types: [floaty], source: s, date: d}]\n",
     "t.yaml:5:26: there is no type 'floaty'"},
    {"aliases that are a text", HEAD "aliases: me\n", "t.yaml:5:10: aliases: expected a list, found a scalar"},
    {"an unknown type", HEAD "without_kernel: [Abs 6- T floaty]\n", "t.yaml:5:18: there is no type 'floaty'"},
    {"a kernel without opsets", HEAD "without_kernel: [Abs]\n",
     "t.yaml:5:18: expected opsets behind 'Abs', as 13, 13- or 2-10"},
    {"the second of three kernels no text", HEAD "without_kernel: [Abs 6-, [Neg], Cos 7-]\n",
     "t.yaml:5:26: expected 'Operator OPSETS [VARIABLE TYPE...]', found a list"},
};

static void test_mistake(size_t i)
{
    struct opshift_error error = {0};
    struct target *target;
    struct arena *arena = arena_new(0);
    target_read(mistakes[i].text, strlen(mistakes[i].text), "t.yaml", NULL, arena, &target, &error);
    is_string(mistakes[i].words, error.text, "%s", mistakes[i].what);
    arena_free(arena);
}

/* Which target a name stands for, or why none. */
static const struct {
    const char *name, *label, *words;
} names[] = {
    {"onnxruntime-cpu", "onnxruntime-cpu 1.30", ""},
    {"ort-cpu", "onnxruntime-cpu 1.30", ""},
    {"portable-split", "portable", ""},
    {"onnxruntime-cpu@1.20", "onnxruntime-cpu 1.20", ""},
    {"onnxruntime-cpu@1.20.2", "onnxruntime-cpu 1.20", ""},
    {"ort@1.9", "onnxruntime-cpu 1.9", ""},
    {"onnxruntime-cpu@1.21", "onnxruntime-cpu 1.20 (nearest to 1.21)", ""},
    {"onnxruntime-cpu@2", "onnxruntime-cpu 1.30 (nearest to 2)", ""},
    {"onnxruntime-cpu@1.30.2", "onnxruntime-cpu 1.30", ""},
    {"opencv@4.5.4", "opencv 4.6 (nearest to 4.5.4)", ""},
    {"opencv@4.11", "opencv 4.10 (nearest to 4.11)", ""},
    {"opencv@", "", "the target profile 'opencv' has no version ''; it has 4.12, 4.10, 4.9, 4.8, 4.6"},
    {"opencv@x", "", "the target profile 'opencv' has no version 'x'; it has 4.12, 4.10, 4.9, 4.8, 4.6"},
    {"ncnn@1", "ncnn (nearest to 1)", ""},
    {"ncnn@new", "", "the target profile 'ncnn' has no versions; write it without '@new'"},
    {"opencw", "",
     "there is no target profile 'opencw'; did you mean 'opencv'? 'opshift targets' lists the shipped ones, and "
     "--target-rules DIR adds those of a directory"},
};

static void test_name(size_t i)
{
    struct opshift_error error = {0};
    struct target *target;
    struct arena *arena = arena_new(0);
    enum opshift_status status = target_load(names[i].name, NULL, 0, arena, &target, &error);
    is_string(names[i].words, error.text, "%s: the message", names[i].name);
    is_string(names[i].label, status ? "" : target->label, "%s: the target", names[i].name);
    arena_free(arena);
}

/* What a version gives, and what of the profile holds for it. */
static void test_versions(void)
{
    static const char text[] = HEAD "opset: 9\nsplit_form: equal\nwithout_kernel: [Abs 1-]\n"
                                    "versions:\n"
                                    "  - {version: c, opset: 20, split_form: lengths, takes: [equal]}\n"
                                    "  - {version: b, source: sb, date: db, without_kernel: [Abs 1-, Neg 1-]}\n"
                                    "  - {version: a, oldest_opset: 3, ir_version: 4}\n"
                                    "constraints:\n"
                                    "  - {lacks: computed, since: b, source: s, date: d}\n"
                                    "  - {lacks: uneven, before: b, source: s, date: d}\n";
    static const struct {
        const char *version, *source;
        int64_t opset, oldest, ir_version;
        int form, equal, computed, uneven;
        uint32_t gaps;
    } rows[] = {
        {NULL, "s", 20, 0, 0, TARGET_SPLIT_LENGTHS, TARGET_YES, TARGET_NO, TARGET_UNKNOWN, 1},
        {"b", "sb", 9, 0, 0, TARGET_SPLIT_EQUAL, TARGET_UNKNOWN, TARGET_NO, TARGET_UNKNOWN, 2},
        {"a", "s", 9, 3, 4, TARGET_SPLIT_EQUAL, TARGET_UNKNOWN, TARGET_UNKNOWN, TARGET_NO, 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct opshift_error error = {0};
        struct target *target;
        struct arena *arena = arena_new(0);
        const char *name = rows[i].version ? rows[i].version : "the newest";
        is_int(OPSHIFT_OK, target_read(text, sizeof(text) - 1, "t.yaml", rows[i].version, arena, &target, &error),
               "%s: read: %s", name, error.text);
        is_string(rows[i].source, target->source, "%s: source", name);
        is_int(rows[i].opset, target->opset, "%s: newest opset", name);
        is_int(rows[i].oldest, target->oldest_opset, "%s: oldest opset", name);
        is_int(rows[i].ir_version, target->ir_version, "%s: IR version", name);
        is_int(rows[i].form, target->split_form, "%s: form of Split", name);
        is_int(rows[i].equal, target_takes(target, FEATURE_EQUAL), "%s: equal", name);
        is_int(rows[i].computed, target_takes(target, FEATURE_COMPUTED), "%s: computed", name);
        is_int(rows[i].uneven, target_takes(target, FEATURE_UNEVEN), "%s: uneven", name);
        is_int(rows[i].gaps, target->gap_count, "%s: gaps", name);
        arena_free(arena);
    }
}

static void test_unknown(void)
{
    struct opshift_error error = {0};
    struct opshift_lint *lint = NULL;
    const char *name = "toaster";
    opshift_lint_new(&(struct opshift_lint_options){.targets = &name, .target_count = 1}, &lint, &error);
    is_string("there is no target profile 'toaster'; 'opshift targets' lists the shipped ones, and "
              "--target-rules DIR adds those of a directory",
              error.text, "an unknown profile");
}

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct opshift_lint_options options = {.targets = &cases[i].target, .target_count = 1};
        lint_finds(&cases[i].row, "TGT", &options);
    }
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++)
        test_mistake(i);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        test_name(i);
    test_versions();
    test_unknown();
    return done();
}
