/* SplitToSequence becomes Split and Split becomes SplitToSequence: models before and after, or the reason of the
 * refusal; all verified. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tests/convert/case.h"
#include "tests/tap/tap.h"

#define TO_SPLIT   .goal.sequences = OPSHIFT_SEQUENCES_TO_SPLIT
#define FROM_SPLIT .goal.sequences = OPSHIFT_SEQUENCES_FROM_SPLIT

/* float[6] x is split with the input l; z is position 0, o is 1. */
#define CUT(opset, rest)                                                                                               \
    MODEL(opset, 8,                                                                                                    \
          "g (float[6] x) => (float[A] a, float[B] b) <int64[2] l = {2, 4}, int64 z = {0}, int64 o = {1}> {" rest "}")
#define ENDS "s = SplitToSequence (x, l) a = SequenceAt (s, z) b = SequenceAt (s, o)"
/* The same with another shape, lengths and position. */
#define ONE(opset, type, shape, lists, node)                                                                           \
    MODEL(opset, 8,                                                                                                    \
          "g (" type "[" shape "] x) => (" type "[] a) <" lists "int64 z = {0}> {" node " a = SequenceAt (s, z) }")

#define BFLOAT16 "bfloat16 from 24 (M295)"

/* A list of tensors a, b and c, of the opset before and the one after. */
#define LIST(what, from, to, outputs, lists, before_nodes, after_nodes)                                                \
    {                                                                                                                  \
        what, TENSORS(from, outputs, lists) "{ " before_nodes " }", to,                                                \
            .after = TENSORS(to, outputs, "") "{ " after_nodes " }", TO_SPLIT                                          \
    }
#define TENSORS(opset, outputs, lists)                                                                                 \
    "<ir_version: 8, opset_import: [\"\" : " #opset                                                                    \
    "]>\ng (float[2, 3] a, float[2, 3] b, float[2, 3] c, bool k) => (" outputs ")" lists
#define ENDS_OF "<int64 z = {0}, int64 last = {-1}>"
/* A list that stays, with the tensor read from it. */
#define STAYS(what, outputs, lists, nodes)                                                                             \
    {                                                                                                                  \
        what, TENSORS(13, outputs, lists) "{ " nodes " }", 13, .after = TENSORS(13, outputs, lists) "{ " nodes " }",   \
                                                               TO_SPLIT                                                \
    }

static const struct conversion_case right[] = {
    /* lists that are put together from tensors */
    LIST("tensors that are inserted one by one", 17, 17, "float[2, 9] y", "",
         "e = SequenceEmpty () p = SequenceInsert (e, a) q = SequenceInsert (p, b) r = SequenceInsert (q, c) "
         "y = ConcatFromSequence <axis = 1> (r)",
         "y = Concat <axis = 1> (a, b, c)"),
    LIST("at the front, and one erased", 13, 13, "float[2, 3] y, float[2, 3] x, int64 n", ENDS_OF,
         "p = SequenceConstruct (a, b) q = SequenceInsert (p, c, z) r = SequenceErase (q) s = SequenceErase (q, z) "
         "y = SequenceAt (r, z) x = SequenceAt (s, last) n = SequenceLength (r)",
         "y = Identity (c) x = Identity (b) n = Constant <value = int64 {2}> ()"),
    LIST("before the last one", 13, 13, "float[6, 3] y", "<int64 last = {-1}>",
         "p = SequenceConstruct (a, b) q = SequenceInsert (p, c, last) y = ConcatFromSequence <axis = 0> (q)",
         "y = Concat <axis = 0> (a, c, b)"),
    LIST("stacked along a new axis", 13, 10, "float[2, 2, 3] y", "",
         "p = SequenceConstruct (a, b) y = ConcatFromSequence <axis = 1, new_axis = 1> (p)",
         "y_unsqueezed = Unsqueeze <axes = [1]> (a) y_unsqueezed_1 = Unsqueeze <axes = [1]> (b) "
         "y = Concat <axis = 1> (y_unsqueezed, y_unsqueezed_1)"),
    LIST("read and made in branches", 13, 13, "float[2, 3] y", ENDS_OF,
         "p = SequenceConstruct (a, b) y = If (k) <then_branch = t () => (float[2, 3] t1) { t1 = SequenceAt (p, z) }, "
         "else_branch = e () => (float[2, 3] e1) { n = Neg (c) q = SequenceInsert (p, n) e1 = SequenceAt (q, last) }>",
         "y = If (k) <then_branch = t () => (float[2, 3] t1) { t1 = Identity (a) }, "
         "else_branch = e () => (float[2, 3] e1) { n = Neg (c) e1 = Identity (n) }>"),
    STAYS("a list that is an output", "seq(float[2, 3]) p, float[2, 3] y", "<int64 z = {0}>",
          "p = SequenceConstruct (a, b) y = SequenceAt (p, z)"),
    STAYS("and what it is made from", "seq(float[2, 3]) q", "",
          "p = SequenceConstruct (a, b) q = SequenceInsert (p, c)"),
    {"but not what is made from it",
     TENSORS(13, "seq(float[2, 3]) p, float[2, 3] y",
             "<int64 z = {0}>") "{ p = SequenceConstruct (a, b) q = SequenceErase (p, z) y = SequenceAt (q, z) }",
     13,
     .after = TENSORS(13, "seq(float[2, 3]) p, float[2, 3] y", "") "{ p = SequenceConstruct (a, b) y = Identity (b) }",
     TO_SPLIT},
    STAYS("a list that nobody reads", "float[2, 3] y", "", "p = SequenceConstruct (a, b) y = Neg (c)"),
    STAYS("one without tensors", "float[2, 3] y", "", "p = SequenceEmpty () y = ConcatFromSequence <axis = 0> (p)"),
    STAYS("one that is read where only a run tells", "float[2, 3] y", "",
          "p = SequenceConstruct (a, b) i = Cast <to = 7> (k) y = SequenceAt (p, i)"),
    /* SplitToSequence */
    {"a constant list stays where it is (M275)", CUT(13, ENDS), 13,
     .after = MODEL(13, 8, "g (float[6] x) => (float[A] a, float[B] b) <int64[2] l = {2, 4}> { a, b = Split (x, l) }"),
     TO_SPLIT},
    {"on the way to 18", CUT(13, ENDS), 18,
     .after = MODEL(18, 8, "g (float[6] x) => (float[A] a, float[B] b) <int64[2] l = {2, 4}> { a, b = Split (x, l) }"),
     TO_SPLIT},
    {"at 11 it is the attribute", CUT(11, ENDS), 11,
     .after = MODEL(11, 8, "g (float[6] x) => (float[A] a, float[B] b) { a, b = Split <split = [2, 4]> (x) }"),
     TO_SPLIT},
    {"from 24 to 1, where there are no sequences", CUT(24, ENDS), 1,
     .after = MODEL(1, 8, "g (float[6] x) => (float[A] a, float[B] b) { a, b = Split <split = [2, 4], axis = 0> (x) }"),
     TO_SPLIT},
    {"a negative axis, below 11",
     ONE(11, "float", "2, 6", "int64[2] l = {2, 4}, ", "s = SplitToSequence <axis = -1> (x, l)"), 9,
     .after = MODEL(9, 8, "g (float[2, 6] x) => (float[] a) { a, s_1 = Split <axis = 1, split = [2, 4]> (x) }"),
     TO_SPLIT},
    {"chunks of 1, the last by a negative position (M260)",
     MODEL(13, 8,
           "g (float[3, 2] x) => (float[] a, float[] b) <int64 z = {0}, int32 last = {-1}> "
           "{ s = SplitToSequence (x) a = SequenceAt (s, z) b = SequenceAt (s, last) }"),
     13,
     .after = MODEL(
         13, 8,
         "g (float[3, 2] x) => (float[] a, float[] b) <int64[3] a_split = {1, 1, 1}> { a, s_1, b = Split (x, a_split) "
         "}"),
     TO_SPLIT},
    {"keepdims = 0 is a Squeeze (M261)", ONE(13, "float", "3, 2", "", "s = SplitToSequence <keepdims = 0> (x)"), 13,
     .after = MODEL(13, 8,
                    "g (float[3, 2] x) => (float[] a) <int64[1] a_axes = {0}, int64[3] s_0_split = {1, 1, 1}> "
                    "{ s_0, s_1, s_2 = Split (x, s_0_split) a = Squeeze (s_0, a_axes) }"),
     TO_SPLIT},
    {"with axes that are an attribute below 13",
     ONE(12, "float", "3, 2", "", "s = SplitToSequence <axis = -1, keepdims = 0> (x)"), 12,
     .after = MODEL(12, 8,
                    "g (float[3, 2] x) => (float[] a) { s_0, s_1 = Split <axis = -1, split = [1, 1]> (x) "
                    "a = Squeeze <axes = [1]> (s_0) }"),
     TO_SPLIT},
    {"also behind an empty second input (M262)",
     ONE(11, "float", "2", "", "s = SplitToSequence <keepdims = 0> (x, \"\")"), 11,
     .after = MODEL(
         11, 8,
         "g (float[2] x) => (float[] a) { s_0, s_1 = Split <split = [1, 1]> (x) a = Squeeze <axes = [0]> (s_0) }"),
     TO_SPLIT},
    {"chunks of a length, the last one short (M265)",
     ONE(13, "float", "6", "int64 c = {4}, ", "s = SplitToSequence (x, c)"), 18,
     .after = MODEL(18, 8, "g (float[6] x) => (float[] a) <int64[2] a_split = {4, 2}> { a, s_1 = Split (x, a_split) }"),
     TO_SPLIT},
    {"a chunk longer than the axis (M268)", ONE(13, "float", "6", "int64 c = {10}, ", "s = SplitToSequence (x, c)"), 13,
     .after = MODEL(13, 8, "g (float[6] x) => (float[] a) <int64[1] a_split = {6}> { a = Split (x, a_split) }"),
     TO_SPLIT},
    {"keepdims beside lengths says nothing (M269)",
     ONE(13, "float", "6", "int64 c = {3}, ", "s = SplitToSequence <keepdims = 0> (x, c)"), 13,
     .after = MODEL(13, 8, "g (float[6] x) => (float[] a) <int64[2] a_split = {3, 3}> { a, s_1 = Split (x, a_split) }"),
     TO_SPLIT},
    {"a list of int32 is written as int64 (M276)",
     ONE(13, "float", "6", "int32[2] l = {2, 4}, ", "s = SplitToSequence (x, l)"), 13,
     .after = MODEL(13, 8, "g (float[6] x) => (float[] a) <int64[2] a_split = {2, 4}> { a, s_1 = Split (x, a_split) }"),
     TO_SPLIT},
    {"a list of one length is no chunk (M279)",
     ONE(13, "float", "6", "int64[1] l = {6}, ", "s = SplitToSequence (x, l)"), 13,
     .after = MODEL(13, 8, "g (float[6] x) => (float[] a) <int64[1] l = {6}> { a = Split (x, l) }"), TO_SPLIT},
    {"a length of 0 (M281)", ONE(13, "float", "6", "int64[2] l = {0, 6}, ", "s = SplitToSequence (x, l)"), 13,
     .after = MODEL(13, 8, "g (float[6] x) => (float[] a) <int64[2] l = {0, 6}> { a, s_1 = Split (x, l) }"), TO_SPLIT},
    {"a list needs no dim", ONE(13, "float", "N", "int64[2] l = {2, 4}, ", "s = SplitToSequence (x, l)"), 13,
     .after = MODEL(13, 8, "g (float[N] x) => (float[] a) <int64[2] l = {2, 4}> { a, s_1 = Split (x, l) }"), TO_SPLIT},
    {"lengths of run time (M284)",
     MODEL(13, 8,
           "g (float[N] x, int64[2] l) => (float[] a) <int64 z = {1}> { s = SplitToSequence (x, l) a = SequenceAt (s, "
           "z) }"),
     18, .after = MODEL(18, 8, "g (float[N] x, int64[2] l) => (float[] a) { s_0, a = Split (x, l) }"), TO_SPLIT},
    {"of int32, from 11, and with a maker that is still read",
     MODEL(11, 8,
           "g (float[N] x, int32[2] k) => (float[] a) <int64 z = {1}> "
           "{ l = Identity (k) s = SplitToSequence (x, l) a = SequenceAt (s, z) }"),
     13,
     .after = MODEL(13, 8,
                    "g (float[N] x, int32[2] k) => (float[] a) { l = Identity (k) s_0_split = Cast <to = 7> (l) "
                    "s_0, a = Split (x, s_0_split) }"),
     TO_SPLIT},
    {"how many there are is a constant (M291)",
     MODEL(13, 8,
           "g (float[6] x) => (int64 n) <int64[2] l = {2, 4}> { s = SplitToSequence (x, l) n = SequenceLength (s) }"),
     13, .after = MODEL(13, 8, "g (float[6] x) => (int64 n) { n = Constant <value = int64 {2}> () }"), TO_SPLIT},
    {"an initializer where Constant is of reals",
     MODEL(13, 8,
           "g (float[6] x) => (int64 n, float[] a) <int64[2] l = {2, 4}, int64 z = {0}> "
           "{ s = SplitToSequence (x, l) n = SequenceLength (s) a = SequenceAt (s, z) }"),
     8,
     .after = MODEL(
         8, 8,
         "g (float[6] x) => (int64 n, float[] a) <int64 n_input = {2}> { a, s_1 = Split <split = [2, 4]> (x) "
         "n = Identity (n_input) }"),
     TO_SPLIT},
    {"joined again (M293), and read twice",
     MODEL(13, 8,
           "g (float[6] x) => (float[] a, float[] b, float[] c) <int64[2] l = {2, 4}, int64 z = {0}> "
           "{ s = SplitToSequence (x, l) a = SequenceAt (s, z) b = SequenceAt (s, z) c = ConcatFromSequence <axis = 0, "
           "new_axis = 0> (s) }"),
     13,
     .after = MODEL(13, 8,
                    "g (float[6] x) => (float[] a, float[] b, float[] c) <int64[2] l = {2, 4}> "
                    "{ a, s_1 = Split (x, l) b = Identity (a) c = Concat <axis = 0> (a, s_1) }"),
     TO_SPLIT},
    {"joined without the axis that was cut, below 11",
     MODEL(13, 8,
           "g (float[2, 3] x) => (float[6] c) { s = SplitToSequence <keepdims = 0> (x) c = ConcatFromSequence <axis = "
           "-1> (s) }"),
     10,
     .after = MODEL(10, 8,
                    "g (float[2, 3] x) => (float[6] c) { s_0, s_1 = Split <split = [1, 1]> (x) "
                    "c_squeezed = Squeeze <axes = [0]> (s_0) c_squeezed_1 = Squeeze <axes = [0]> (s_1) "
                    "c = Concat <axis = 0> (c_squeezed, c_squeezed_1) }"),
     TO_SPLIT},
    {"read inside an If (M292)",
     MODEL(13, 8,
           "g (float[6] x, bool c) => (float[] y) <int64[2] l = {3, 3}, int64 z = {0}, int64 o = {1}> "
           "{ s = SplitToSequence (x, l) y = If (c) <then_branch = t () => (float[3] u) { u = SequenceAt (s, o) }, "
           "else_branch = e () => (float[3] v) { v = SequenceAt (s, z) }> }"),
     13,
     .after = MODEL(13, 8,
                    "g (float[6] x, bool c) => (float[] y) <int64[2] l = {3, 3}> "
                    "{ s_0, s_1 = Split (x, l) y = If (c) <then_branch = t () => (float[3] u) { u = Identity (s_1) }, "
                    "else_branch = e () => (float[3] v) { v = Identity (s_0) }> }"),
     TO_SPLIT},
    {"inside the body of a Loop",
     MODEL(
         13, 8,
         "g (int64 m, bool c, float[4] x) => (float[4] y) { y = Loop (m, c, x) <body = b (int64 i, bool d, float[4] v) "
         "=> (bool e, float[4] w) <int64 z = {0}, int64 o = {1}, int64 k = {2}> { e = Identity (d) "
         "s = SplitToSequence (v, k) p = SequenceAt (s, z) q = SequenceAt (s, o) w = Concat <axis = 0> (q, p) }> }"),
     13,
     .after = MODEL(
         13, 8,
         "g (int64 m, bool c, float[4] x) => (float[4] y) { y = Loop (m, c, x) <body = b (int64 i, bool d, float[4] v) "
         "=> (bool e, float[4] w) <int64[2] p_split = {2, 2}> { e = Identity (d) p, q = Split (v, p_split) "
         "w = Concat <axis = 0> (q, p) }> }"),
     TO_SPLIT},
    {"in a function, at an axis that its calls give",
     "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]> g (float[6, 3] x) => (float[] a, float[] b) "
     "{ a, b = f.cut <ax = 0> (x) } <domain: \"f\", opset_import: [\"\" : 13]> cut <ax> (x) => (a, b) "
     "{ k = Constant <value = int64 {4}> () s = SplitToSequence <axis: int = @ax> (x, k) "
     "i = Constant <value_int = -1> () z = Constant <value_int = 0> () a = SequenceAt (s, i) b = SequenceAt (s, z) }",
     18,
     .after = "<ir_version: 8, opset_import: [\"\" : 18, \"f\" : 1]> g (float[6, 3] x) => (float[] a, float[] b) "
              "{ a, b = f.cut <ax = 0> (x) } <domain: \"f\", opset_import: [\"\" : 18]> cut <ax> (x) => (a, b) "
              "{ b_split = Constant <value = int64[2] {4, 2}> () b, a = Split <axis: int = @ax> (x, b_split) }",
     TO_SPLIT},
    {BFLOAT16, ONE(24, "bfloat16", "6", "int64[2] l = {2, 4}, ", "s = SplitToSequence (x, l)"), 13,
     .after = MODEL(13, 8, "g (bfloat16[6] x) => (bfloat16[] a) <int64[2] l = {2, 4}> { a, s_1 = Split (x, l) }"),
     TO_SPLIT},
    {"a Split is what it is", MODEL(13, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"), 13,
     .after = MODEL(13, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"), TO_SPLIT},
    {"a model-local function of that name is none",
     "<ir_version: 8, opset_import: [\"\" : 13]> g (float[6] x) => (float[] a) { a = SplitToSequence (x) } "
     "<domain: \"\", opset_import: [\"\" : 13]> SplitToSequence (x) => (a) { a = Identity (x) }",
     13,
     .after = "<ir_version: 8, opset_import: [\"\" : 13]> g (float[6] x) => (float[] a) { a = SplitToSequence (x) } "
              "<domain: \"\", opset_import: [\"\" : 13]> SplitToSequence (x) => (a) { a = Identity (x) }",
     TO_SPLIT},
    /* ---- and back ---- */
    {"a list becomes a sequence (M298)",
     MODEL(13, 8, "g (float[6] x) => (float[A] a, float[B] b) <int64[2] l = {2, 4}> { [cut] a, b = Split (x, l) }"), 13,
     .after = MODEL(
         13, 8,
         "g (float[6] x) => (float[A] a, float[B] b) <int64[2] l = {2, 4}, int64 cut_at_0 = {0}, int64 cut_at_1 = {1}> "
         "{ [cut] cut_sequence = SplitToSequence (x, l) a = SequenceAt (cut_sequence, cut_at_0) "
         "b = SequenceAt (cut_sequence, cut_at_1) }"),
     FROM_SPLIT},
    {"chunks of num_outputs, one of which nobody reads (M299)",
     MODEL(18, 8, "g (float[7] x) => (float[3] a, float[3] b) { a, b = Split <num_outputs = 3> (x) }"), 13,
     .after = MODEL(
         13, 8,
         "g (float[7] x) => (float[3] a, float[3] b) <int64[3] a_split = {3, 3, 1}, int64 a_at_0 = {0}, int64 a_at_1 "
         "= {1}> { a_sequence = SplitToSequence (x, a_split) a = SequenceAt (a_sequence, a_at_0) "
         "b = SequenceAt (a_sequence, a_at_1) }"),
     FROM_SPLIT},
    {"equal parts at an axis from the end, an output left out",
     MODEL(13, 8, "g (float[2, 6] x) => (float[2, 3] b) { \"\", b = Split <axis = -1> (x) }"), 24,
     .after = MODEL(24, 8,
                    "g (float[2, 6] x) => (float[2, 3] b) <int64[2] b_split = {3, 3}, int64 b_at_1 = {1}> "
                    "{ b_sequence = SplitToSequence <axis = -1> (x, b_split) b = SequenceAt (b_sequence, b_at_1) }"),
     FROM_SPLIT},
    {"lengths of run time, also below 13",
     MODEL(18, 8, "g (float[N] x, int64[K] l) => (float[] a) { a, b = Split (x, l) }"), 11,
     .after = MODEL(11, 8,
                    "g (float[N] x, int64[K] l) => (float[] a) <int64 a_at_0 = {0}, int64 a_at_1 = {1}> "
                    "{ a_sequence = SplitToSequence (x, l) a = SequenceAt (a_sequence, a_at_0) "
                    "b = SequenceAt (a_sequence, a_at_1) }"),
     FROM_SPLIT},
    {"from Split-1 and below IR 4, where lengths and positions are nodes",
     MODEL(1, 3, "g (float[6] x, float[2] l) => (float[2] a) <float[2] l = {2, 4}> { a, b = Split <axis = 0> (x, l) }"),
     11,
     .after = MODEL(11, 3,
                    "g (float[6] x) => (float[2] a) { a_split = Constant <value = int64[2] {2, 4}> () "
                    "a_at_0 = Constant <value = int64 {0}> () a_at_1 = Constant <value = int64 {1}> () "
                    "a_sequence = SplitToSequence <axis = 0> (x, a_split) a = SequenceAt (a_sequence, a_at_0) "
                    "b = SequenceAt (a_sequence, a_at_1) }"),
     FROM_SPLIT},
    {"lengths that are a function's attribute",
     "<ir_version: 8, opset_import: [\"\" : 11, \"f\" : 1]> g (float[6] x) => (float[] a, float[] b) "
     "{ a, b = f.cut <sp = [2, 4]> (x) } <domain: \"f\", opset_import: [\"\" : 11]> cut <sp> (x) => (a, b) "
     "{ a, b = Split <split: ints = @sp> (x) }",
     13,
     .after = "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]> g (float[6] x) => (float[] a, float[] b) "
              "{ a, b = f.cut <sp = [2, 4]> (x) } <domain: \"f\", opset_import: [\"\" : 13]> cut <sp> (x) => (a, b) "
              "{ a_at_0 = Constant <value = int64 {0}> () a_at_1 = Constant <value = int64 {1}> () "
              "a_split = Constant <value_ints: ints = @sp> () a_sequence = SplitToSequence (x, a_split) "
              "a = SequenceAt (a_sequence, a_at_0) b = SequenceAt (a_sequence, a_at_1) }",
     FROM_SPLIT},
};

#define REFUSED(what, before, opset, words)                                                                            \
    {                                                                                                                  \
        what, before, opset, NULL, words, TO_SPLIT                                                                     \
    }
#define DYNAMIC(opset, inputs, lists, rest)                                                                            \
    MODEL(opset, 8, "g (float[6] x" inputs ") => (float[] a) <" lists "> {" rest "}")

static const struct conversion_case refused[] = {
    REFUSED(
        "no dim (M263)", ONE(13, "float", "N, 2", "", "s = SplitToSequence (x)"), 13,
        "node 0 (SplitToSequence): the dim that it cuts is unknown, and with it how many tensors there are; give the "
        "input a shape in the model"),
    REFUSED("a dim of 0 (M264)", ONE(13, "float", "0, 2", "", "s = SplitToSequence (x)"), 13,
            "node 0 (SplitToSequence): the dim that it cuts is 0: its sequence is empty, and a Split has at least one "
            "output; leave this model's sequences as they are"),
    REFUSED("chunks of 0 (M271)", ONE(13, "float", "6", "int64 c = {0}, ", "s = SplitToSequence (x, c)"), 13,
            "node 0 (SplitToSequence): SEQ006 sequence-chunk: the length of all chunks is 0; it must be at least 1"),
    REFUSED("chunks of -2 (M272)", ONE(13, "float", "6", "int32 c = {-2}, ", "s = SplitToSequence (x, c)"), 13,
            "SEQ006 sequence-chunk: the length of all chunks is -2; it must be at least 1"),
    REFUSED("chunks of a dim that is unknown (M273)",
            ONE(13, "float", "N", "int64 c = {4}, ", "s = SplitToSequence (x, c)"), 13,
            "the dim that it cuts is unknown"),
    REFUSED("chunks of a length of run time (M274)",
            DYNAMIC(13, ", int64 c", "int64 z = {0}", "s = SplitToSequence (x, c) a = SequenceAt (s, z)"), 13,
            "the length of all chunks is known only at run time ('c' is a graph input), and with it how many tensors "
            "there are; make it constant"),
    REFUSED("lengths that do not sum to the dim (M280, M282)",
            ONE(13, "float", "6", "int64[1] l = {4}, ", "s = SplitToSequence (x, l)"), 13,
            "SEQ007 sequence-sum: the lengths sum to 4, and the dim is 6; make the lengths cover axis 0 of 'x'"),
    REFUSED("lengths whose sum overflows",
            ONE(13, "float", "N", "int64[2] l = {9223372036854775807, 1}, ", "s = SplitToSequence (x, l)"), 13,
            "SEQ007 sequence-sum: the lengths sum to more than 2^63 - 1; no dim is that long"),
    REFUSED("no lengths (M283)", ONE(13, "float", "6", "int64[0] l = {}, ", "s = SplitToSequence (x, l)"), 13,
            "SEQ004 sequence-empty-lengths: the list of lengths 'l' is empty; write the lengths, or remove the input "
            "for chunks of 1"),
    REFUSED("a negative length", ONE(13, "float", "6", "int64[2] l = {-1, 7}, ", "s = SplitToSequence (x, l)"), 13,
            "SEQ005 sequence-negative-length: length 0 is -1; lengths are not negative, and none means \"the rest\""),
    REFUSED(
        "a table of lengths", ONE(13, "float", "6", "int64[1, 2] l = {2, 4}, ", "s = SplitToSequence (x, l)"), 13,
        "SEQ003 sequence-lengths-rank: 'l' has rank 2; give a scalar, the length of all chunks, or a list of lengths"),
    REFUSED(
        "nobody knows how many lengths (M285)",
        DYNAMIC(13, ", int64[K] l", "int64 z = {0}", "s = SplitToSequence (x, l) a = SequenceAt (s, z)"), 13,
        "how many lengths there are is known only at run time ('l' is a graph input); declare its shape, or make it "
        "constant"),
    REFUSED(
        "lengths of run time below 13 (M286)",
        DYNAMIC(11, ", int64[2] l", "int64 z = {0}", "s = SplitToSequence (x, l) a = SequenceAt (s, z)"), 12,
        "its lengths are known only at run time ('l' is a graph input), and below opset 13 Split takes constant ones; "
        "make them constant, or go to opset 13 or up"),
    REFUSED(
        "lengths of no known rank",
        DYNAMIC(13, "", "int64 z = {0}", "l = our.Lengths (x) s = SplitToSequence (x, l) a = SequenceAt (s, z)"), 13,
        "whether 'l' is one length for all chunks or a list of lengths is not known (it is computed by our.Lengths); "
        "declare its shape"),
    REFUSED(
        "a position of run time (M287)",
        DYNAMIC(13, ", int64 z", "int64[2] l = {2, 4}", "s = SplitToSequence (x, l) a = SequenceAt (s, z)"), 13,
        "node 1 (SequenceAt): it reads the sequence 's' at a position that is known only at run time ('z' is a graph "
        "input), and which of a Split's outputs that is cannot be written; make the position constant"),
    REFUSED("a position behind the end (M288)",
            DYNAMIC(13, "", "int64[2] l = {2, 4}, int64 z = {2}", "s = SplitToSequence (x, l) a = SequenceAt (s, z)"),
            13,
            "node 1 (SequenceAt): SEQ008 sequence-position: position 2 is outside [-2, 1], and the sequence 's' has 2 "
            "tensors; use the intended one"),
    REFUSED("a position before the beginning (M289)",
            DYNAMIC(13, "", "int64[1] l = {6}, int64 z = {-2}", "s = SplitToSequence (x, l) a = SequenceAt (s, z)"), 13,
            "position -2 is outside [-1, 0], and the sequence 's' has 1 tensor; use the intended one"),
    REFUSED("a position that is no integer",
            DYNAMIC(13, "", "int64[1] l = {6}, float z = {0}", "s = SplitToSequence (x, l) a = SequenceAt (s, z)"), 13,
            "its position 'z' is not one int32 or int64; make it one"),
    REFUSED(
        "the sequence is given out (M290)",
        MODEL(13, 8,
              "g (float[6] x) => (seq(float[]) s, float[] a) <int64[2] l = {2, 4}, int64 z = {0}> "
              "{ s = SplitToSequence (x, l) a = SequenceAt (s, z) }"),
        13,
        "node 0 (SplitToSequence): its sequence 's' is an output of the graph, and a Split gives none; give out the "
        "tensors instead, each read with SequenceAt"),
    REFUSED(
        "a function gives it out",
        "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]> g (float[6] x) => (int64 n) { s = f.cut (x) "
        "n = SequenceLength (s) } <domain: \"f\", opset_import: [\"\" : 13]> cut (x) => (s) "
        "{ s = SplitToSequence (x) }",
        13,
        "function 'cut': node 0 (SplitToSequence): its sequence 's' is an output of the function, and a Split gives "
        "none"),
    REFUSED(
        "something is put into it",
        DYNAMIC(13, "", "int64 z = {0}",
                "s = SplitToSequence (x) [put] t = SequenceInsert (s, x) a = SequenceAt (t, z)"),
        13,
        "node 'put' (SequenceInsert): it reads the sequence 's' as a whole, and a Split gives none; read its tensors "
        "with SequenceAt at constant positions"),
    REFUSED(
        "an If gives it out",
        MODEL(13, 8,
              "g (float[6] x, bool c) => (int64 n) { s = SplitToSequence (x) t = If (c) <then_branch = t1 () => "
              "(seq(float[]) u) { u = Identity (s) }, else_branch = e1 () => (seq(float[]) v) { v = SequenceEmpty () "
              "}> n = SequenceLength (t) }"),
        13, "node 1 (If): then_branch: node 0 (Identity): it reads the sequence 's' as a whole"),
    REFUSED("two sequences in one node",
            DYNAMIC(13, "", "int64 z = {0}",
                    "s = SplitToSequence (x) t = SplitToSequence (x) u = our.Both (s, t) a = SequenceAt (u, z)"),
            13, "node 1 (SplitToSequence): a node that reads its sequence reads another one too"),
    REFUSED("nobody reads it", DYNAMIC(13, "", "int64 z = {0}", "s = SplitToSequence (x) a = Identity (x)"), 13,
            "node 0 (SplitToSequence): its sequence 's' is not used; remove the node"),
    REFUSED(
        "joined along a new axis",
        DYNAMIC(13, "", "int64 z = {0}", "s = SplitToSequence (x) a = ConcatFromSequence <axis = 0, new_axis = 1> (s)"),
        13,
        "node 1 (ConcatFromSequence): it stacks the tensors of the sequence 's' along a new axis, which Concat does "
        "not; read them with SequenceAt, Unsqueeze and Concat them"),
    REFUSED("joined along no axis",
            DYNAMIC(13, "", "int64 z = {0}", "s = SplitToSequence (x) a = ConcatFromSequence <axis = 1> (s)"), 13,
            "SEQ012 sequence-concat-axis: axis 1 is outside [-1, 0], the axes of what is put together; use the "
            "intended one"),
    REFUSED(
        "scalars are joined",
        DYNAMIC(13, "", "int64 z = {0}",
                "s = SplitToSequence <keepdims = 0> (x) a = ConcatFromSequence <axis = 0> (s)"),
        13,
        "SEQ012 sequence-concat-axis: the tensors of 's' are scalars, which cannot be concatenated along axis 0; set "
        "new_axis = 1 to stack them"),
    REFUSED(
        "joined at an axis from the end of no known rank",
        MODEL(13, 8,
              "g (x) => (float[] a) <int64[2] l = {2, 4}> { s = SplitToSequence (x, l) "
              "a = ConcatFromSequence <axis = -1> (s) }"),
        10,
        "node 1 (ConcatFromSequence): 13 to 10: its axis is negative and the rank of what it joins is unknown; give "
        "the input of the SplitToSequence a shape, or write the axis non-negative"),
    REFUSED("a position that a caller may override",
            MODEL(13, 8,
                  "g (float[6] x, int64 z) => (float[] a) <int64[2] l = {2, 4}, int64 z = {0}> "
                  "{ s = SplitToSequence (x, l) a = SequenceAt (s, z) }"),
            13, "'z' is an initializer that a caller may override (--freeze-initializers takes its value)"),
    REFUSED(
        "an axis that the input does not have", ONE(13, "float", "6", "", "s = SplitToSequence <axis = 1> (x)"), 13,
        "SEQ002 sequence-axis-range: axis 1 is outside [-1, 0], the axes of a tensor of rank 1; use the intended one"),
    REFUSED("a scalar",
            MODEL(13, 8,
                  "g (float x) => (float[] a) <int64[1] l = {1}, int64 z = {0}> "
                  "{ s = SplitToSequence (x, l) a = SequenceAt (s, z) }"),
            13,
            "SEQ001 sequence-scalar-input: the input 'x' is a scalar, which has no axis to split; add a dim before"),
    REFUSED("an attribute that nobody knows", ONE(13, "float", "6", "", "s = SplitToSequence <odd = 1> (x)"), 13,
            "attribute 'odd' is none of SplitToSequence's, or not an integer; take it away"),
    REFUSED("bfloat16 below 24 (M294)", ONE(13, "bfloat16", "6", "int64[2] l = {2, 4}, ", "s = SplitToSequence (x, l)"),
            13, "OPS015 input-type: 'x' is bfloat16, which SplitToSequence-11 does not take; insert a Cast before"),
    REFUSED(
        "bfloat16 that goes below 13", ONE(24, "bfloat16", "6", "int64[2] l = {2, 4}, ", "s = SplitToSequence (x, l)"),
        12,
        "13 to 12: OPS015 input-type: 'x' is bfloat16, which Split-11 does not take; insert a Cast, or go to opset 13 "
        "or up"),
    REFUSED("more tensors than are written out", ONE(13, "float", "65537", "", "s = SplitToSequence (x)"), 13,
            "its sequence has 65537 tensors, and a Split of more than 65536 outputs is not written; leave this model's "
            "sequences as they are"),
    {"keepdims on which the calls do not agree",
     "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]> g (float[2] x) => (float[] a, float[] b) "
     "{ a = f.cut <k = 0> (x) b = f.cut <k = 1> (x) } <domain: \"f\", opset_import: [\"\" : 13]> cut <k> (x) => (a) "
     "{ z = Constant <value_int = 0> () s = SplitToSequence <keepdims: int = @k> (x) a = SequenceAt (s, z) }",
     13,
     .after = "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]> g (float[2] x) => (float[] a, float[] b) "
              "{ a = f.cut <k = 0> (x) b = f.cut_1 <k = 1> (x) } <domain: \"f\", opset_import: [\"\" : 13]> "
              "cut <k> (x) => (a) { a_axes = Constant <value = int64[1] {0}> () s_0_split = Constant <value = int64[2] "
              "{1, 1}> () s_0, s_1 = Split (x, s_0_split) a = Squeeze (s_0, a_axes) } "
              "<domain: \"f\", opset_import: [\"\" : 13]> cut_1 <k> (x) => (a) { a_split = Constant <value = int64[2] "
              "{1, 1}> () z = Constant <value_int = 0> () a, s_1_1 = Split (x, a_split) }",
     TO_SPLIT},
    {"to a sequence below 11", MODEL(13, 8, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split (x) }"), 10,
     .words = "node 0 (Split): 13 to 10: there are sequences from opset 11 on; go to opset 11 or up", FROM_SPLIT},
    {"to a sequence without a dim (M300)",
     MODEL(18, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"), 18,
     .words =
         "node 0 (Split): the dim that it cuts is unknown: SplitToSequence takes the length of its parts, not how many "
         "there "
         "are; give the input a shape in the model or by --shape",
     FROM_SPLIT},
    {"to a sequence of bfloat16 (M301)",
     MODEL(13, 8, "g (bfloat16[2] x) => (bfloat16[1] a) <int64[2] l = {1, 1}> { a, b = Split (x, l) }"), 13,
     .words = "node 0 (Split): it cuts bfloat16, and SequenceAt-11, which would read its parts, gives none; insert a "
              "Cast, or "
              "leave this model's Splits as they are",
     FROM_SPLIT},
    {"nor at 24, where SequenceAt takes none",
     MODEL(13, 8, "g (bfloat16[2] x) => (bfloat16[1] a) <int64[2] l = {1, 1}> { a, b = Split (x, l) }"), 24,
     .words = "node 0 (Split): 13 to 24: it cuts bfloat16, and SequenceAt-11, which would read its parts, gives none; "
              "insert a "
              "Cast, or "
              "leave this model's Splits as they are",
     FROM_SPLIT},
    {"to a sequence with lengths that nobody gives below 12",
     "<ir_version: 8, opset_import: [\"\" : 11, \"f\" : 1]> g (float[6] x) => (float[] a, float[] b) "
     "{ a, b = Split (x) } <domain: \"f\", opset_import: [\"\" : 11]> cut <sp> (x) => (a, b) "
     "{ a, b = Split <split: ints = @sp> (x) }",
     11,
     .words = "the lengths are the function's attribute 'sp', and below opset 12 no Constant takes its value from one; "
              "write "
              "them "
              "into the function, or go to opset 12 or up",
     FROM_SPLIT, .goal.strict = true},
    {"a broken Split is refused as such", MODEL(13, 8, "g (float[7] x) => (float[] a) { a, b = Split (x) }"), 13,
     .words = "SPL008 split-uneven", FROM_SPLIT},
};

/* The result is equal to the source, with all pieces proved. No operator reads a sequence of bfloat16, so a model
 * with one is invalid. */
static void check_verified(const struct conversion_case *test)
{
    char path[] = "/tmp/opshift-sequence-XXXXXX", *bytes = NULL, *text = NULL;
    struct opshift_error error = {0};
    struct opshift_goal goal = test->goal;
    struct opshift_model *before = open_text(test->before, &bytes, test->what), *after = NULL;
    struct opshift_report *report = NULL;
    int descriptor = mkstemp(path);
    bool valid = strcmp(test->what, BFLOAT16) != 0;
    goal.opset = test->opset;
    bool same = before && descriptor >= 0 && opshift_convert(before, &goal, NULL, &error) == OPSHIFT_OK &&
                opshift_model_save(before, path, NULL, &error) == OPSHIFT_OK &&
                opshift_model_open(path, NULL, &after, &error) == OPSHIFT_OK &&
                opshift_verify(before, after, NULL, &report, &error) == (valid ? OPSHIFT_OK : OPSHIFT_NO) &&
                opshift_report_text(report, &text, &error) == OPSHIFT_OK && strstr(text, " 0 tested") != NULL &&
                (valid || strstr(error.text, "is bfloat16, which SequenceAt-11 does not give") != NULL);
    if (!ok(same, "%s: proved", test->what))
        diag("%s\n%s", error.text, text ? text : "");
    opshift_text_free(text);
    opshift_report_free(report);
    opshift_model_free(after);
    opshift_model_free(before);
    opshift_text_free(bytes);
    if (descriptor >= 0) {
        fclose(fdopen(descriptor, "r"));
        remove(path);
    }
}

int main(void)
{
    for (size_t i = 0; i < COUNT(right); i++) {
        check_case(&right[i]);
        check_verified(&right[i]);
    }
    for (size_t i = 0; i < COUNT(refused); i++)
        check_case(&refused[i]);
    return done();
}
