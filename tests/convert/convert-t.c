/* Conversions of Split nodes: model texts before and after, or the reason of the refusal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/convert/case.h"
#include "tests/tap/tap.h"

static const struct conversion_case cases[] = {
    {"the attribute becomes an initializer",
     MODEL(11, 8, "g (float[6] x) => (float[2] a, float[4] b) { a, b = Split <split = [2, 4]> (x) }"), 13,
     .after =
         MODEL(13, 8,
               "g (float[6] x) => (float[2] a, float[4] b) <int64[2] a_split = {2, 4}> { a, b = Split (x, a_split) }")},
    {"below IR 4 it becomes a Constant node",
     MODEL(2, 3, "g (float[6] x) => (float[2] a, float[4] b) { a, b = Split <split = [2, 4]> (x) }"), 13,
     .after = MODEL(13, 3,
                    "g (float[6] x) => (float[2] a, float[4] b) { a_split = Constant <value = int64[2] {2, 4}> () "
                    "a, b = Split (x, a_split) }")},
    {"below IR 4 two Splits with equal lengths share one, in front of all nodes",
     MODEL(11, 3,
           "g (float[6] x) => (float[2] a, float[4] b) "
           "{ r = Relu (x) c, d = Split <split = [2, 4]> (x) a, b = Split <split = [2, 4]> (r) }"),
     13,
     .after = MODEL(
         13, 3,
         "g (float[6] x) => (float[2] a, float[4] b) { a_split = Constant <value = int64[2] {2, 4}> () r = Relu (x) "
         "c, d = Split (x, a_split) a, b = Split (r, a_split) }")},
    {"and the Splits of a function, and of a graph in it",
     MODEL(11, 8,
           "g (float[6] x) => (float[2] a, float[4] b) { a, b = d.F (x) }\n"
           "<domain: \"d\", opset_import: [\"\" : 11]> F (x) => (a, b) "
           "{ k = Constant <value = bool {1}> () a = If (k) <then_branch = t () => (p) "
           "{ p, q = Split <split = [2, 4]> (x) u, v = Split <split = [2, 4]> (x) }, else_branch = e () => (s) "
           "{ s, w = Split <split = [2, 4]> (x) }> c, d = Split <split = [2, 4]> (x) e, b = Split <split = [2, 4]> (x) "
           "}"),
     13,
     .after = MODEL(13, 8,
                    "g (float[6] x) => (float[2] a, float[4] b) { a, b = d.F (x) }\n"
                    "<domain: \"d\", opset_import: [\"\" : 13]> F (x) => (a, b) "
                    "{ e_split = Constant <value = int64[2] {2, 4}> () k = Constant <value = bool {1}> () "
                    "a = If (k) <then_branch = t () => (p) { u_split = Constant <value = int64[2] {2, 4}> () "
                    "p, q = Split (x, u_split) u, v = Split (x, u_split) }, else_branch = e () => (s) "
                    "{ s_split = Constant <value = int64[2] {2, 4}> () s, w = Split (x, s_split) }> "
                    "c, d = Split (x, e_split) e, b = Split (x, e_split) }")},
    {"two Splits with equal lengths share one initializer",
     MODEL(11, 8,
           "g (float[6] x) => (float[2] a, float[4] b, float[2] c, float[4] d) "
           "{ a, b = Split <split = [2, 4]> (x) c, d = Split <split = [2, 4]> (x) }"),
     13,
     .after = MODEL(13, 8,
                    "g (float[6] x) => (float[2] a, float[4] b, float[2] c, float[4] d) <int64[2] c_split = {2, 4}> "
                    "{ a, b = Split (x, c_split) c, d = Split (x, c_split) }")},
    {"equal lengths in several graphs, between others",
     MODEL(11, 8,
           "g (bool c, float[6] x) => (float[2] y, float[4] z) { y = If (c) <then_branch = t () => (float[2] p) "
           "{ p, q = Split <split = [2, 4]> (x) }, else_branch = e () => (float[2] r) "
           "{ s, r = Split <split = [4, 2]> (x) u, v = Split <split = [2, 4]> (x) }> "
           "z, w = Split <split = [4, 2]> (x) }"),
     13,
     .after = MODEL(13, 8,
                    "g (bool c, float[6] x) => (float[2] y, float[4] z) <int64[2] z_split = {4, 2}> "
                    "{ y = If (c) <then_branch = t () => (float[2] p) <int64[2] p_split = {2, 4}> "
                    "{ p, q = Split (x, p_split) }, else_branch = e () => (float[2] r) "
                    "<int64[2] u_split = {2, 4}, int64[2] s_split = {4, 2}> "
                    "{ s, r = Split (x, s_split) u, v = Split (x, u_split) }> z, w = Split (x, z_split) }")},
    {"a constant that nobody else reads goes when it becomes the attribute",
     MODEL(13, 8, "g (float[6] x) => (float[2] a, float[4] b) <int64[2] l = {2, 4}> { a, b = Split (x, l) }"), 11,
     .after = MODEL(11, 8, "g (float[6] x) => (float[2] a, float[4] b) { a, b = Split <split = [2, 4]> (x) }")},
    {"constants that nobody else reads go in each graph",
     MODEL(13, 8,
           "g (bool c, float[6] x) => (float[2] y, float[2] z) <int64[2] l = {2, 4}, int64[2] m = {4, 2}> "
           "{ y = If (c) <then_branch = t () => (float[2] p) <int64[2] n = {2, 4}> "
           "{ p, q = Split (x, n) u, v = Split (x, m) }, else_branch = e () => (float[2] r) "
           "<int64[2] o = {4, 2}> { s, r = Split (x, o) }> z, w = Split (x, l) }"),
     11,
     .after = MODEL(
         11, 8,
         "g (bool c, float[6] x) => (float[2] y, float[2] z) "
         "{ y = If (c) <then_branch = t () => (float[2] p) "
         "{ p, q = Split <split = [2, 4]> (x) u, v = Split <split = [4, 2]> (x) }, "
         "else_branch = e () => (float[2] r) { s, r = Split <split = [4, 2]> (x) }> z, w = Split <split = [2, 4]> "
         "(x) }")},
    {"a constant that somebody else reads stays",
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[4] b, int64[2] m) <int64[2] l = {2, 4}> "
           "{ a, b = Split (x, l) m = Identity (l) }"),
     11,
     .after = MODEL(11, 8,
                    "g (float[6] x) => (float[2] a, float[4] b, int64[2] m) <int64[2] l = {2, 4}> "
                    "{ a, b = Split <split = [2, 4]> (x) m = Identity (l) }")},
    {"a little graph that makes the lengths is folded and goes",
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[4] b) <int64[1] two = {2}, int64[1] four = {4}> "
           "{ l = Concat <axis = 0> (two, four) a, b = Split (x, l) }"),
     11, .after = MODEL(11, 8, "g (float[6] x) => (float[2] a, float[4] b) { a, b = Split <split = [2, 4]> (x) }")},
    {"equal parts are counted at 18", MODEL(13, 8, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split (x) }"),
     18, .after = MODEL(18, 8, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split <num_outputs = 2> (x) }")},
    {"a number that stands alone becomes a list where the attribute is one",
     MODEL(13, 8, "g (float[6] x) => (float[1, 6] y) <int64 l = {0}> { y = Unsqueeze (x, l) }"), 11,
     .after = MODEL(11, 8, "g (float[6] x) => (float[1, 6] y) { y = Unsqueeze <axes = [0]> (x) }")},
    {"an empty length input goes on the way to 18",
     MODEL(13, 8, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split (x, \"\") }"), 18,
     .after = MODEL(18, 8, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split <num_outputs = 2> (x) }")},
    {"a dim of 0 gets lengths, since runtimes refuse the count",
     MODEL(13, 8, "g (float[0] x) => (float[0] a, float[0] b) { a, b = Split (x) }"), 18,
     .after =
         MODEL(18, 8,
               "g (float[0] x) => (float[0] a, float[0] b) <int64[2] a_split = {0, 0}> { a, b = Split (x, a_split) }")},
    {"a count that divides is dropped",
     MODEL(18, 8, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split <num_outputs = 2> (x) }"), 13,
     .after = MODEL(13, 8, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split (x) }")},
    {"a count that does not divide becomes lengths",
     MODEL(18, 8, "g (float[7] x) => (float[4] a, float[3] b) { a, b = Split <num_outputs = 2> (x) }"), 11,
     .after = MODEL(11, 8, "g (float[7] x) => (float[4] a, float[3] b) { a, b = Split <split = [4, 3]> (x) }")},
    {"parts that a count leaves out are added, unread",
     MODEL(18, 8, "g (float[7] x) => (float[3] a, float[3] b) { a, b = Split <num_outputs = 3> (x) }"), 11,
     .after =
         MODEL(11, 8, "g (float[7] x) => (float[3] a, float[3] b) { a, b, a_unread = Split <split = [3, 3, 1]> (x) }")},
    {"a count of an unknown dim is computed in the graph",
     MODEL(18, 8, "g (float[N] x) => (float[M] a, float[K] b) { a, b = Split <num_outputs = 2> (x) }"), 13,
     .after =
         MODEL(13, 8,
               "g (float[N] x) => (float[M] a, float[K] b) "
               "{ a_shape = Shape (x) a_axis = Constant <value = int64[1] {0}> () a_dim = Gather (a_shape, a_axis) "
               "a_parts_less_one = Constant <value = int64[1] {1}> () a_parts = Constant <value = int64[1] {2}> () "
               "a_rounded = Add (a_dim, a_parts_less_one) a_chunk = Div (a_rounded, a_parts) "
               "a_before_last = Mul (a_chunk, a_parts_less_one) a_last = Sub (a_dim, a_before_last) "
               "a_split = Concat <axis = 0> (a_chunk, a_last) a, b = Split (x, a_split) }")},
    {"a count of an unknown dim cannot go below 13",
     MODEL(18, 8, "g (float[N] x) => (float[M] a, float[K] b) { a, b = Split <num_outputs = 2> (x) }"), 11,
     .words =
         "node 0 (Split): 13 to 12: num_outputs does not say whether the parts are equal as long as the dim it cuts is "
         "unknown, "
         "and below opset 13 lengths cannot be computed in the graph; give the input a shape in the model or by "
         "--shape, "
         "or go to opset "
         "13 or "
         "up"},
    {"lengths known only at run time become slices at 10 to 12",
     MODEL(13, 8, "g (float[6] x, int64[2] l) => (float[M] a, float[K] b) { a, b = Split (x, l) }"), 11,
     .after = MODEL(11, 8,
                    "g (float[6] x, int64[2] l) => (float[M] a, float[K] b) "
                    "{ a_axis = Constant <value = int64[1] {0}> () a_zero = Constant <value = int64[1] {0}> () "
                    "a_next = Constant <value = int64[1] {1}> () a_length = Slice (l, a_zero, a_next, a_zero) "
                    "a_end = Add (a_zero, a_length) a = Slice (x, a_zero, a_end, a_axis) "
                    "a_next_1 = Constant <value = int64[1] {2}> () a_length_1 = Slice (l, a_next, a_next_1, a_zero) "
                    "a_end_1 = Add (a_end, a_length_1) b = Slice (x, a_end, a_end_1, a_axis) }")},
    {"the end of an output without a name is not computed, unless another follows",
     MODEL(13, 8, "g (float[6] x, int64[2] l) => (float[M] a) { a, \"\" = Split (x, l) }"), 11,
     .after = MODEL(11, 8,
                    "g (float[6] x, int64[2] l) => (float[M] a) "
                    "{ a_axis = Constant <value = int64[1] {0}> () a_zero = Constant <value = int64[1] {0}> () "
                    "a_next = Constant <value = int64[1] {1}> () a_length = Slice (l, a_zero, a_next, a_zero) "
                    "a_end = Add (a_zero, a_length) a = Slice (x, a_zero, a_end, a_axis) }")},
    {"and no slice is called as another node is, wherever it stands",
     MODEL(13, 8,
           "g (float[6] x, int64[2] l, bool c) => (float[M] a, float[K] d) { [cut] a, b = Split (x, l) "
           "d = If (c) <then_branch = t () => (float[K] e) { [cut_1] e = Abs (b) }, "
           "else_branch = u () => (float[K] f) { [cut_1_1] f = Neg (b) }> }"),
     11,
     .after =
         MODEL(11, 8,
               "g (float[6] x, int64[2] l, bool c) => (float[M] a, float[K] d) "
               "{ cut_axis = Constant <value = int64[1] {0}> () cut_zero = Constant <value = int64[1] {0}> () "
               "cut_next = Constant <value = int64[1] {1}> () cut_length = Slice (l, cut_zero, cut_next, cut_zero) "
               "cut_end = Add (cut_zero, cut_length) [cut] a = Slice (x, cut_zero, cut_end, cut_axis) "
               "cut_next_1 = Constant <value = int64[1] {2}> () "
               "cut_length_1 = Slice (l, cut_next, cut_next_1, cut_zero) "
               "cut_end_1 = Add (cut_end, cut_length_1) [cut_1_2] b = Slice (x, cut_end, cut_end_1, cut_axis) "
               "d = If (c) <then_branch = t () => (float[K] e) { [cut_1] e = Abs (b) }, "
               "else_branch = u () => (float[K] f) { [cut_1_1] f = Neg (b) }> }")},
    {"lengths known only at run time are refused below 10",
     MODEL(13, 8, "g (float[6] x, int64[2] l) => (float[M] a, float[K] b) { a, b = Split (x, l) }"), 9,
     .words = "node 0 (Split): 13 to 12: input 1 is known only at run time (it is a graph input), and at opset 12 it "
              "would be "
              "attribute 'split'; make it constant, or go to opset 10 or up"},
    {"the axis is written out at 1", MODEL(2, 3, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split (x) }"), 1,
     .after = MODEL(1, 3, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split <axis = 0> (x) }")},
    {"a negative axis is written non-negative below 11",
     MODEL(11, 6, "g (float[2, 6] x) => (float[2, 3] a, float[2, 3] b) { a, b = Split <axis = -1> (x) }"), 9,
     .after = MODEL(9, 6, "g (float[2, 6] x) => (float[2, 3] a, float[2, 3] b) { a, b = Split <axis = 1> (x) }")},
    {"float lengths of Split-1 become the attribute",
     MODEL(1, 3, "g (float[6] x, float[2] l = {2, 4}) => (float[2] a, float[4] b) { a, b = Split <axis = 0> (x, l) }"),
     2,
     .after =
         MODEL(2, 3, "g (float[6] x) => (float[2] a, float[4] b) { a, b = Split <axis = 0, split = [2, 4]> (x) }")},
    {"an initializer that a caller may override is no constant",
     MODEL(13, 8, "g (float[6] x, int64[2] l = {2, 4}) => (float[2] a, float[4] b) { a, b = Split (x, l) }"), 9,
     .words = "overrid"},
    {"unless it is frozen",
     MODEL(13, 8, "g (float[6] x, int64[2] l = {2, 4}) => (float[2] a, float[4] b) { a, b = Split (x, l) }"), 9,
     .after = MODEL(
         9, 8, "g (float[6] x, int64[2] l = {2, 4}) => (float[2] a, float[4] b) { a, b = Split <split = [2, 4]> (x) }"),
     .goal.freeze_initializers = true},
    {"a reference stays a reference on the way up",
     MODEL(11, 8,
           "g (float[6] x) => (float[2] a, float[4] b) { a, b = d.F <sz = [2, 4]> (x) }\n"
           "<domain: \"d\", opset_import: [\"\" : 11]> F <sz> (x) => (a, b) { a, b = Split <split : ints = @sz> (x) }"),
     13,
     .after = MODEL(13, 8,
                    "g (float[6] x) => (float[2] a, float[4] b) { a, b = d.F <sz = [2, 4]> (x) }\n"
                    "<domain: \"d\", opset_import: [\"\" : 13]> F <sz> (x) => (a, b) "
                    "{ a_split = Constant <value_ints : ints = @sz> () a, b = Split (x, a_split) }")},
    {"and on the way down",
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[4] b) { a, b = d.F <sz = [2, 4]> (x) }\n"
           "<domain: \"d\", opset_import: [\"\" : 13]> F <sz> (x) => (a, b) "
           "{ l = Constant <value_ints : ints = @sz> () a, b = Split (x, l) }"),
     11,
     .after = MODEL(
         11, 8,
         "g (float[6] x) => (float[2] a, float[4] b) { a, b = d.F <sz = [2, 4]> (x) }\n"
         "<domain: \"d\", opset_import: [\"\" : 11]> F <sz> (x) => (a, b) { a, b = Split <split : ints = @sz> (x) }")},
    {"what was unread before stays, though a function's name for what goes is the same",
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[4] b) { l = Constant <value_int = 1> () a, b = d.F (x) }\n"
           "<domain: \"d\", opset_import: [\"\" : 13]> F (x) => (a, b) "
           "{ l = Constant <value_ints = [2, 4]> () a, b = Split (x, l) }"),
     12,
     .after =
         MODEL(12, 8,
               "g (float[6] x) => (float[2] a, float[4] b) { l = Constant <value_int = 1> () a, b = d.F (x) }\n"
               "<domain: \"d\", opset_import: [\"\" : 12]> F (x) => (a, b) { a, b = Split <split = [2, 4]> (x) }")},
    {"or another branch's",
     MODEL(13, 8,
           "g (bool c, float[6] x) => (float[3] y) { y = If (c) <"
           "then_branch = t () => (float[3] p) { l = Constant <value_int = 1> () p, q = Split (x) }, "
           "else_branch = e () => (float[3] p) { l = Constant <value_ints = [3, 3]> () p, q = Split (x, l) }> }"),
     12,
     .after = MODEL(12, 8,
                    "g (bool c, float[6] x) => (float[3] y) { y = If (c) <"
                    "then_branch = t () => (float[3] p) { l = Constant <value_int = 1> () p, q = Split (x) }, "
                    "else_branch = e () => (float[3] p) { p, q = Split <split = [3, 3]> (x) }> }")},
    {"an empty output name keeps its place",
     MODEL(13, 8, "g (float[6] x) => (float[2] a, float[2] c) { a, \"\", c = Split (x) }"), 18,
     .after = MODEL(18, 8, "g (float[6] x) => (float[2] a, float[2] c) { a, \"\", c = Split <num_outputs = 3> (x) }")},
    {"and gets a name when that is wanted",
     MODEL(13, 8, "g (float[6] x) => (float[2] a, float[2] c) { a, \"\", c = Split (x) }"), 18,
     .after =
         MODEL(18, 8, "g (float[6] x) => (float[2] a, float[2] c) { a, a_unread, c = Split <num_outputs = 3> (x) }"),
     .goal.name_empty_outputs = true},
    {"bfloat16 cannot go below 13",
     MODEL(13, 8, "g (bfloat16[6] x) => (bfloat16[3] a, bfloat16[3] b) { a, b = Split (x) }"), 12,
     .words = "node 0 (Split): 13 to 12: OPS015 input-type: 'x' is bfloat16, which Split-11 does not take; insert a "
              "Cast, or go "
              "to opset "
              "13 or up"},
    {"the step that lost a type is named, however far below it the target is",
     MODEL(13, 8, "g (int64[2, 2] x) => (int64[2, 2] y) { y = Flatten <axis = 1> (x) }"), 2,
     .words =
         "node 0 (Flatten): 9 to 8: OPS015 input-type: 'x' is int64, which Flatten-1 does not take; insert a Cast, or "
         "go to opset 9 or up"},
    {"a Constant of a type that came later reads an initializer",
     MODEL(13, 8, "g (float[2] x) => (int64 y) { y = Constant <value_int = 1> () }"), 2,
     .after = MODEL(2, 8, "g (float[2] x) => (int64 y) <int64 y_input = {1}> { y = Identity (y_input) }")},
    {"or, before IR version 4, a Constant that is cast",
     MODEL(9, 3, "g (float[2] x) => (int64[2] y) { y = Constant <value = int64[2] {3, 2}> () }"), 8,
     .after = MODEL(8, 3,
                    "g (float[2] x) => (int64[2] y) { y_number = Constant <value = double[2] {3, 2}> () y_input = Cast "
                    "<to = 7> (y_number) y = Identity (y_input) }")},
    {"which is for int64 alone", MODEL(9, 3, "g (float[2] x) => (bool[1] y) { y = Constant <value = bool[1] {1}> () }"),
     8,
     .words = "node 0 (Constant): 9 to 8: it needs a constant of bool, which cannot be written below opset 9 and IR "
              "version 4; raise the IR version (--ir-version 4), or go to opset 9 or up"},
    {"so it is where the node is not rewritten", MODEL(13, 8, "g (bfloat16[2] x) => (bfloat16[2] y) { y = Sign (x) }"),
     9,
     .words = "node 0 (Sign): 13 to 12: OPS015 input-type: 'x' is bfloat16, which Sign-9 does not take; insert a Cast, "
              "or go to "
              "opset 13 or up"},
    {"a sequence cannot go where the operator takes tensors only",
     MODEL(16, 8, "g (seq(float[2]) x) => (seq(float[2]) y) { y = Identity (x) }"), 13,
     .words = "node 0 (Identity): 14 to 13: OPS015 input-type: 'x' is seq(tensor(float)), which Identity-13 does not "
              "take; go "
              "to opset 14 "
              "or up"},
    {"nor one that a node makes",
     MODEL(16, 8, "g (float[2] x) => (int64 n) { s = SequenceConstruct (x) t = Identity (s) n = SequenceLength (t) }"),
     12,
     .words = "node 1 (Identity): 14 to 13: OPS015 input-type: 's' is seq(tensor(float)), which Identity-1 does not "
              "take; go to "
              "opset 14 "
              "or up"},
    {"nor an optional",
     MODEL(16, 8, "g (optional(seq(float[2])) x) => (optional(seq(float[2])) y) { y = Identity (x) }"), 15,
     .words = "node 0 (Identity): 16 to 15: OPS015 input-type: 'x' is optional(seq(tensor(float))), which Identity-14 "
              "does not "
              "take; go to "
              "opset 16 or up"},
    {"nor out of a branch",
     MODEL(13, 8,
           "g (bool c, float[2] x) => (int64 n) { s = If (c) <then_branch = t () => (seq(float[2]) a) { a = "
           "SequenceConstruct (x) }, else_branch = e () => (seq(float[2]) b) { b = SequenceConstruct (x, x) }> "
           "n = SequenceLength (s) }"),
     12, .words = "node 0 (If): 13 to 12: 's' is seq(tensor(float)), which If-11 does not take; go to opset 13 or up"},
    {"a tensor of an unknown type is no sequence",
     MODEL(14, 8,
           "g (seq(float[2]) s, int64 i) => (float[2] y) { t = SequenceAt (s, i) u = Identity (t) "
           "y = Neg (u) }"),
     13,
     .after = MODEL(13, 8,
                    "g (seq(float[2]) s, int64 i) => (float[2] y) { t = SequenceAt (s, i) u = Identity (t) "
                    "y = Neg (u) }"),
     .goal.strict = true},
    {"what may be a sequence is refused when that is wanted",
     MODEL(14, 8, "g (float[2] x) => (float[2] y) { t = d.Op (x) u = Identity (t) y = d.Op (u) }"), 13,
     .words = "node 1 (Identity): 14 to 13: the type of 't' is unknown, and Identity-13 takes fewer types; declare it "
              "among the "
              "graph's "
              "value infos, or leave out --strict",
     .goal.strict = true},
    {"an unknown type is refused when that is wanted, with the way out",
     MODEL(13, 8, "g (float[2] x) => (float[1] a, float[1] b) { y = d.Op (x) a, b = Split (y) }"), 12,
     .words =
         "node 1 (Split): 13 to 12: the type of 'y' is unknown, and Split-11 takes fewer types; declare it among the "
         "graph's "
         "value infos, or leave out --strict",
     .goal.strict = true},
    {"an invalid source is refused with its finding",
     MODEL(13, 8, "g (float[6] x) => (float[2] a, float[5] b) <int64[2] l = {2, 5}> { a, b = Split (x, l) }"), 18,
     .words = "SPL015 split-sum: the lengths sum to 7, and the dim is 6; make the lengths cover axis 0 of 'x'"},
    {"two opsets of one domain are no meaning that could be kept",
     "<ir_version: 8, opset_import: [\"\" : 13, \"ai.onnx\" : 11]> g (float[2] x) => (float[2] y) { y = Relu (x) }", 18,
     .words = "<memory>: ai.onnx is imported twice, at opset 13 and at 11, and it is not known which one counts; "
              "remove one of "
              "them"},
    {"nor are they in a function",
     MODEL(13, 8,
           "g (float[2] x) => (float[2] y) { y = d.F (x) }\n"
           "<domain: \"d\", opset_import: [\"\" : 13, \"ai.onnx\" : 11]> F (a) => (b) { b = Relu (a) }"),
     18, .words = "<memory>: function 'F': ai.onnx is imported twice, at opset 13 and at 11"},
    {"said twice, one opset is one opset",
     "<ir_version: 8, opset_import: [\"\" : 13, \"ai.onnx\" : 13]> g (float[2] x) => (float[2] y) { y = Relu (x) }", 18,
     .after = "<ir_version: 8, opset_import: [\"\" : 18, \"ai.onnx\" : 18]> g (float[2] x) => (float[2] y) { y = Relu "
              "(x) }"},
    {"an operator without a rule blocks",
     MODEL(11, 8, "g (float[2] x) => (float[2] y, bool[2] m) { y, m = Dropout (x) }"), 13,
     .words = "<memory>: node 0 (Dropout): 11 to 12: "},
    {"a constant that stands behind its reader goes with it too",
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[4] b) { a, b = Split (x, m) m = Identity (l) "
           "l = Constant <value_ints = [2, 4]> () }"),
     7, .after = MODEL(7, 8, "g (float[6] x) => (float[2] a, float[4] b) { a, b = Split <split = [2, 4]> (x) }")},
    {"unless somebody else reads it, before or behind",
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[4] b, int64[2] n) { n = Identity (l) a, b = Split (x, l) "
           "l = Constant <value = int64[2] {2, 4}> () }"),
     11,
     .after = MODEL(11, 8,
                    "g (float[6] x) => (float[2] a, float[4] b, int64[2] n) { n = Identity (l) "
                    "a, b = Split <split = [2, 4]> (x) l = Constant <value = int64[2] {2, 4}> () }")},
    {"or in a subgraph",
     MODEL(13, 8,
           "g (float[6] x, bool c) => (float[2] a, float[4] b, int64[2] n) { a, b = Split (x, l) "
           "n = If <then_branch = t () => (int64[2] p) { p = Identity (l) }, else_branch = e () => (int64[2] q) "
           "{ q = Neg (l) }> (c) l = Constant <value = int64[2] {2, 4}> () }"),
     11,
     .after =
         MODEL(11, 8,
               "g (float[6] x, bool c) => (float[2] a, float[4] b, int64[2] n) { a, b = Split <split = [2, 4]> (x) "
               "n = If <then_branch = t () => (int64[2] p) { p = Identity (l) }, else_branch = e () => (int64[2] q) "
               "{ q = Neg (l) }> (c) l = Constant <value = int64[2] {2, 4}> () }")},
    {"nodes in a circle are looked at all the same",
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[4] b) { p = Identity (q) q = Identity (p) "
           "a, b = Split <axis = 0> (x, l) l = Constant <value_ints = [2, 4]> () }"),
     11,
     .after = MODEL(11, 8,
                    "g (float[6] x) => (float[2] a, float[4] b) { p = Identity (q) q = Identity (p) "
                    "a, b = Split <axis = 0, split = [2, 4]> (x) }")},
    {"a node of ai.onnx in a function that imports none of it is named",
     "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
     "g (float[6] x) => (float[3] a, float[3] b) { a, b = f.Cut (x) }\n"
     "<domain: \"f\", opset_import: [\"g\" : 1]> Cut (x) => (p, q) { p, q = Split (x) }",
     18,
     .words = "function 'Cut': node 0 (Split): 13 to 18: GRF026 function-import: the function imports no opset of "
              "ai.onnx, and "
              "the node needs "
              "one; add it"},
    {"a step that blocks on purpose says why, and the way out",
     MODEL(6, 8, "g (float[2] x, int64[1] r) => (float[N] y) { y = Tile (x, r) }"), 5,
     .words = "node 0 (Tile): 6 to 5: Tile repeated along one axis below opset 6 and takes one count for each axis "
              "from 6 on; "
              "write "
              "the node anew with the repeats of every axis"},
    {"so it does for one that is refused in one direction only",
     MODEL(16, 8,
           "g (float[1, 1, 4, 4] x, float[2, 4] r, int64[2] b) => (float[2, 1, 1, 1] y) { y = RoiAlign (x, r, b) }"),
     15,
     .words = "node 0 (RoiAlign): 16 to 15: regions are shifted by half a pixel, which does not exist below opset 16; "
              "stay at "
              "opset 16 or above, or export it with coordinate_transformation_mode output_half_pixel"},
    {"an operator that is not there yet says so, and the way out",
     MODEL(15, 8, "g (string[2] x) => (string[N] y) { y = StringNormalizer (x) }"), 9,
     .words = "node 0 (StringNormalizer): 10 to 9: the operator does not exist below this opset; replace it in the "
              "model, or "
              "stay at this "
              "opset "
              "or above"},
    {"a setting that the other side does not know is named",
     MODEL(15, 8,
           "g (float16[2, 3] x, float16[3] s) => (float16[2, 3] y) { y = BatchNormalization <training_mode = 1> (x, s, "
           "s, s, "
           "s) }"),
     9,
     .words =
         "node 0 (BatchNormalization): 14 to 13: attribute 'training_mode' does not exist at opset 13 and has another "
         "value than its default"},
    {"a call that leaves out what its function needs is named",
     "<ir_version: 8, opset_import: [\"\" : 18, \"f\" : 1]>\n"
     "g (float[6] x) => (float[3] a, float[3] b) { a, b = f.Cut (x) }\n"
     "<domain: \"f\", opset_import: [\"\" : 18]> Cut <parts> (x) => (a, b) "
     "{ a, b = Split <num_outputs: int = @parts> (x) }",
     13, .words = "18 to 13: SPL004 split-neither: neither num_outputs nor lengths are given"},
#define CUTS(opset, calls, axis)                                                                                       \
    "<ir_version: 8, opset_import: [\"\" : " #opset ", \"f\" : 1]>\n"                                                  \
    "g (float[2, 6] x) => (float[N, 3] a, float[N, 3] b, float[N, M] c, float[N, M] d) { " calls " }\n"                \
    "<domain: \"f\", opset_import: [\"\" : " #opset "]> Cut <ax> (x) => (p, q) { p, q = Split <axis: int = " axis      \
    "> (x) }"
#define TWICE(first, second) "a, b = f.Cut <ax = " first "> (x) c, d = f.Cut <ax = " second "> (x)"
    {"a negative axis on which all calls agree is written non-negative", CUTS(13, TWICE("-1", "-1"), "@ax"), 9,
     .after = CUTS(9, TWICE("-1", "-1"), "1")},
    {"at opset 1 too", CUTS(13, TWICE("-2", "-2"), "@ax"), 1, .after = CUTS(1, TWICE("-2", "-2"), "0")},
    {"an axis that is non-negative in all calls stays theirs to give", CUTS(13, TWICE("1", "0"), "@ax"), 1,
     .after = CUTS(1, TWICE("1", "0"), "@ax")},
    {"calls that give different axes, one of them negative, get a function each at opset 1",
     CUTS(13, TWICE("1", "-2"), "@ax"), 1,
     .after = CUTS(1, "a, b = f.Cut <ax = 1> (x) c, d = f.Cut_1 <ax = -2> (x)",
                   "@ax") "\n<domain: \"f\", opset_import: [\"\" : 1]> Cut_1 <ax> (x) => (p, q) "
                          "{ p, q = Split <axis = 0> (x) }"},
    {"an axis that is handed on through another function is found",
     "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
     "g (float[2, 6] x) => (float[2, 3] a, float[2, 3] b) { a, b = f.Hand <on = -1> (x) }\n"
     "<domain: \"f\", opset_import: [\"\" : 13, \"f\" : 1]> Hand <on> (x) => (p, q) { p, q = f.Cut <ax: int = @on> (x) "
     "}\n"
     "<domain: \"f\", opset_import: [\"\" : 13]> Cut <ax> (x) => (p, q) { p, q = Split <axis: int = @ax> (x) }",
     1,
     .after = "<ir_version: 8, opset_import: [\"\" : 1, \"f\" : 1]>\n"
              "g (float[2, 6] x) => (float[2, 3] a, float[2, 3] b) { a, b = f.Hand <on = -1> (x) }\n"
              "<domain: \"f\", opset_import: [\"\" : 1, \"f\" : 1]> Hand <on> (x) => (p, q) { p, q = f.Cut <ax: int = "
              "@on> (x) "
              "}\n"
              "<domain: \"f\", opset_import: [\"\" : 1]> Cut <ax> (x) => (p, q) { p, q = Split <axis: int = 1> (x) }"},
    {"an axis that two functions hand on in a circle is not known",
     "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
     "g (float[2, 6] x) => (float[2, 6] a) { a = Identity (x) }\n"
     "<domain: \"f\", opset_import: [\"\" : 13, \"f\" : 1]> Hand <on> (x) => (p, q) { p, q = f.Cut <ax: int = @on> (x) "
     "}\n"
     "<domain: \"f\", opset_import: [\"\" : 13, \"f\" : 1]> Cut <ax> (x) => (p, q) { p, r = f.Hand <on: int = @ax> (x) "
     "s, q = Split <axis: int = @ax> (x) }",
     1, .words = "<memory>: function 'Hand' calls itself, or one that does; functions must not be recursive"},
    {"a call that gives a list where a number belongs tells nothing",
     CUTS(13, "a, b = f.Cut <ax = [1]> (x) c, d = f.Cut <ax = [1]> (x)", "@ax"), 1,
     .words = "axis is the function's attribute and may be negative"},
    {"a default counts where a call gives none",
     "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
     "g (float[2, 6] x) => (float[2, 3] a, float[2, 3] b) { a, b = f.Cut (x) }\n"
     "<domain: \"f\", opset_import: [\"\" : 13]> Cut <ax: int = -1> (x) => (p, q) { p, q = Split <axis: int = @ax> (x) "
     "}",
     9,
     .after = "<ir_version: 8, opset_import: [\"\" : 9, \"f\" : 1]>\n"
              "g (float[2, 6] x) => (float[2, 3] a, float[2, 3] b) { a, b = f.Cut (x) }\n"
              "<domain: \"f\", opset_import: [\"\" : 9]> Cut <ax: int = -1> (x) => (p, q) { p, q = Split <axis: int = "
              "1> (x) }"},
    {"branches of different shapes cannot go below 11",
     MODEL(11, 8,
           "g (float[6] x, bool c) => (float[N] y) { y = If <then_branch = t () => (float[2] p) "
           "{ p, r = Split <split = [2, 4]> (x) }, else_branch = e () => (float[4] q) "
           "{ s, q = Split <split = [2, 4]> (x) }> (c) }"),
     10,
     .words = "node 0 (If): 11 to 10: the branches give different shapes, which they may only from opset 11 on; go to "
              "opset 11 "
              "or up"},
    {"nor can they where a little graph computes the lengths",
     MODEL(18, 8,
           "g (float[4] x, bool c) => (float[N] y) { h = Constant <value = int64[1] {3}> () "
           "t = Constant <value = int64[1] {1}> () l = Concat <axis = 0> (h, t) "
           "y = If (c) <then_branch = t () => (float[P] p) { a, b = Split <axis = -1> (x, l) p = Identity (a) }, "
           "else_branch = e () => (float[Q] q) { q = Identity (x) }> }"),
     10,
     .words = "node 3 (If): 11 to 10: the branches give different shapes, which they may only from opset 11 on; go to "
              "opset 11 "
              "or up"},
    {"nor where it computes them from a shape",
     MODEL(18, 8,
           "g (float[4] x, bool c) => (float[N] y) <int64[2] l> { w = Neg (x) s = Shape (w) o = Constant <value_ints = "
           "[1]> () "
           "r = Sub (s, o) l = Concat <axis = 0> (o, r) "
           "y = If (c) <then_branch = t () => (float[P] p) { a, p = Split (x, l) }, "
           "else_branch = e () => (float[Q] q) { q = Identity (x) }> }"),
     10,
     .words = "node 5 (If): 11 to 10: the branches give different shapes, which they may only from opset 11 on; go to "
              "opset 11 "
              "or up"},
    {"branches whose shapes do not contradict each other go below 11",
     MODEL(11, 8,
           "g (float[6] x, bool c) => (float[N] y) { y = If <then_branch = t () => (float[2] p) "
           "{ p, r = Split <split = [2, 4]> (x) }, else_branch = e () => (float[2] q) "
           "{ q, s = Split <split = [2, 4]> (x) }> (c) }"),
     10,
     .after = MODEL(10, 8,
                    "g (float[6] x, bool c) => (float[N] y) { y = If <then_branch = t () => (float[2] p) "
                    "{ p, r = Split <split = [2, 4]> (x) }, else_branch = e () => (float[2] q) "
                    "{ q, s = Split <split = [2, 4]> (x) }> (c) }")},
};

/* A second conversion starts from the opened model; a refused one leaves no edit of the first. */
static void check_second_conversion(void)
{
    static const char before[] = MODEL(13, 8, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split (x) }");
    static const char after[] = MODEL(12, 8, "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split (x) }");
    char *bytes = NULL, *wanted_bytes = NULL;
    struct opshift_error error = {0};
    struct opshift_model *model = open_text(before, &bytes, "once"), *wanted = open_text(after, &wanted_bytes, "twice");
    char *text = text_of(wanted);
    is_int(OPSHIFT_OK, opshift_convert(model, &(struct opshift_goal){.opset = 18}, NULL, &error), "once");
    is_int(OPSHIFT_OK, opshift_convert(model, &(struct opshift_goal){.opset = 12}, NULL, &error), "and once more");
    char *seen = saved_text(model, "twice");
    is_string(text, seen, "the second conversion takes the place of the first");
    opshift_text_free(seen);
    opshift_text_free(text);
    text = text_of(model);
    is_int(OPSHIFT_USAGE, opshift_convert(model, &(struct opshift_goal){.opset = 99}, NULL, &error), "a wrong goal");
    seen = saved_text(model, "refused");
    is_string(text, seen, "leaves the model as it was opened");
    opshift_text_free(seen);
    opshift_text_free(text);
    opshift_model_free(wanted);
    opshift_model_free(model);
    opshift_text_free(wanted_bytes);
    opshift_text_free(bytes);
}

/* Removes the type of each reference (fields 20, 21 of AttributeProto), as written by old exporters. */
static unsigned untype_references(char *bytes, size_t size)
{
    unsigned count = 0;
    for (size_t i = 0; i + 5 <= size; i++)
        if (memcmp(bytes + i, "\xa0\x01", 2) == 0 && memcmp(bytes + i + 3, "\xaa\x01", 2) == 0) {
            bytes[i + 2] = 0;
            count++;
        }
    return count;
}

/* A model as saved after a conversion, in the textual syntax. */
static char *converted_text(const char *bytes, size_t size, struct opshift_goal goal, const char *what)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    if (opshift_model_open_memory(bytes, size, NULL, &model, &error) || opshift_convert(model, &goal, NULL, &error))
        diag("%s", error.text);
    is_int(OPSHIFT_OK, error.status, "%s: converted to %d", what, (int)goal.opset);
    char *text = error.status == OPSHIFT_OK ? saved_text(model, what) : NULL;
    opshift_model_free(model);
    return text;
}

/* A reference without a type has the type of the operator's attribute. */
static void check_untyped_references(int64_t from, const char *cut, int64_t to, const char *words)
{
    static const char frame[] =
        "<ir_version: 8, opset_import: [\"\" : %d, \"f\" : 1]>\n"
        "g (float[2, 6] x) => (float[2, 2] a, float[2, 4] b) { a, b = f.Cut <ax = 1, sz = [2, 4]> (x) }\n"
        "<domain: \"f\", opset_import: [\"\" : %d]> Cut <ax, sz> (x) => (p, q) { %s }";
    char text[1024], *bytes = NULL;
    struct opshift_error error = {0};
    size_t size;
    snprintf(text, sizeof(text), frame, (int)from, (int)from, cut);
    if (opshift_text_to_model(text, strlen(text), "test", &bytes, &size, &error))
        diag("%s", error.text);
    is_int(2, untype_references(bytes, size), "references without a type");
    char *seen = converted_text(bytes, size, (struct opshift_goal){.opset = to}, "untyped references");
    if (!ok(seen && strstr(seen, words), "and give %s", words))
        diag("%s", seen);
    opshift_text_free(seen);
    opshift_text_free(bytes);
}

/* Changes the tag of the node's attribute of that name. */
static bool retag(char *bytes, size_t size, const char *attribute, char tag)
{
    size_t length = strlen(attribute);
    for (size_t i = 0; i + 4 + length <= size; i++)
        if (bytes[i] == 0x2a && bytes[i + 2] == 0x0a && memcmp(bytes + i + 4, attribute, length) == 0) {
            bytes[i] = tag;
            return true;
        }
    return false;
}

/* The text omits such records and reports it: an attribute's bytes serve as a doc_string (6) or an entry of
 * metadata_props (9). */
static void check_words_of_slices(void)
{
    static const char text[] = MODEL(13, 8,
                                     "g (float[6] x, int64[3] l, float cut_1) => (float[M] a, float[K] b) "
                                     "{ [cut] a, \"\", b = Split <k = 1, words = \"so\"> (x, l) }");
    static const char *const wanted[] = {
        "[cut] a = Slice (",     "doc_string of node \"cut\"",     "metadata_props of node \"cut\"",
        "[cut_1_1] b = Slice (", "doc_string of node \"cut_1_1\"", "metadata_props of node \"cut_1_1\"",
    };
    char *bytes = NULL;
    struct opshift_error error = {0};
    size_t size;
    if (opshift_text_to_model(text, strlen(text), "test", &bytes, &size, &error))
        diag("%s", error.text);
    ok(retag(bytes, size, "k", 0x4a) && retag(bytes, size, "words", 0x32), "a Split with words");
    char *seen = converted_text(bytes, size, (struct opshift_goal){.opset = 11}, "words of slices");
    for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
        if (!ok(seen && strstr(seen, wanted[i]), "its Slices keep %s", wanted[i]))
            diag("%s", seen ? seen : "nothing");
    opshift_text_free(seen);
    opshift_text_free(bytes);
}

/* Each node that replaces one has its metadata_props, and the one that gives its output its doc_string. */
static void check_words_of_replaced(void)
{
    static const char text[] =
        MODEL(18, 8, "g (float[2] x) => (float[2] y) { [act] y = Mish <k = 1, words = \"so\"> (x) }");
    char *bytes = NULL;
    struct opshift_error error = {0};
    size_t size, metadata = 0, doc = 0;
    if (opshift_text_to_model(text, strlen(text), "test", &bytes, &size, &error))
        diag("%s", error.text);
    ok(retag(bytes, size, "k", 0x4a) && retag(bytes, size, "words", 0x32), "a Mish with words");
    char *seen = converted_text(bytes, size, (struct opshift_goal){.opset = 17}, "words of a replaced node");
    for (const char *at = seen; at && (at = strstr(at, "metadata_props of node")) != NULL; at++)
        metadata++;
    for (const char *at = seen; at && (at = strstr(at, "doc_string of node")) != NULL; at++)
        doc++;
    ok(seen && strstr(seen, "doc_string of node \"act\"") != NULL, "its last node has its doc_string");
    is_int(1, doc, "alone");
    is_int(3, metadata, "all three have its metadata_props");
    opshift_text_free(seen);
    opshift_text_free(bytes);
}

#define FLATTENED "y_flat = Flatten <axis = 1> (r) y_part = Softmax <axis = -1> (y_flat) y = Reshape (y_part, y_dims)"

/* Declarations that contradict inference are ignored. */
static const struct conversion_case stale_cases[] = {
    {"a blocker inside replacements of replacements is told once",
     MODEL(
         13, 8,
         "g (float16[1, 3, 4, 4] x) => (float16[1, 3, 8, 8] y) <float[4] s = {1.0, 1.0, 2.0, 2.0}> { y = Resize <mode "
         "= \"nearest\", coordinate_transformation_mode = \"asymmetric\", nearest_mode = \"floor\"> (x, \"\", s) }"),
     6,
     .words =
         "node 0 (Resize): 7 to 6: its replacement needs Upsample: two scales for height and width became one list "
         "for all dimensions; write the node anew with the other form"},
    {"a node that cannot be computed is refused for that",
     MODEL(13, 8, "g (float[2, 3] x, float[2, 4] z) => (y) { y = Mod <fmod = 1> (x, z) }"), 9,
     .words =
         "node 0 (Mod): 13 to 9: input 1 has the shape [2,4], which is incompatible with 3 at its axis 1; make them "
         "equal, or one of them 1"},
    {"a stale value info makes no axis the last one",
     MODEL(12, 7, "g (float[2, 3, 4] x) => (float[2, 3, 4] y) <float[2, 12] r> { r = Relu (x) y = Softmax (r) }"), 13,
     .after =
         MODEL(13, 7,
               "g (float[2, 3, 4] x) => (float[2, 3, 4] y) <int64[3] y_dims = {2, 3, 4}, float[2, 12] r> { r = Relu "
               "(x) " FLATTENED "}")},
    {"nor does a stale output",
     MODEL(12, 7, "g (float[2, 3, 4] x) => (float[2, 12] r, float[2, 3, 4] y) { r = Relu (x) y = Softmax (r) }"), 13,
     .after =
         MODEL(13, 7,
               "g (float[2, 3, 4] x) => (float[2, 12] r, float[2, 3, 4] y) <int64[3] y_dims = {2, 3, 4}> { r = Relu "
               "(x) " FLATTENED "}")},
    {"an axis is counted from the end of what is there",
     MODEL(12, 7,
           "g (float[2, 3, 4] x) => (float[] y) <float[2, 12] r> { r = Relu (x) y = Concat <axis = -1> (r, r) }"),
     10,
     .after = MODEL(
         10, 7, "g (float[2, 3, 4] x) => (float[] y) <float[2, 12] r> { r = Relu (x) y = Concat <axis = 2> (r, r) }")},
    {"a body's input whose rank grows has none",
     MODEL(12, 8,
           "g (int64 m, bool c, float[2, 3] x) => (float[] y) { y = Loop (m, c, x) <body = b (int64 i, bool k, "
           "float[2, 3] s) => (bool k2, float[] s2) { k2 = Identity (k) t = Softmax (s) "
           "s2 = Unsqueeze <axes = [0]> (t) }> }"),
     13,
     .after =
         MODEL(13, 8,
               "g (int64 m, bool c, float[2, 3] x) => (float[] y) { y = Loop (m, c, x) <body = b (int64 i, bool k, "
               "float[2, 3] s) => (bool k2, float[] s2) <int64[1] s2_axes = {0}, int64[2] t_ones = {1, 1}> { k2 = "
               "Identity (k) t_dims = Shape (s) "
               "t_flat = Flatten <axis = 1> (s) t_part = Softmax <axis = -1> (t_flat) t_full = Cast <to = 9> (t_dims) "
               "t_marks = Cast <to = 7> (t_full) t_form = Concat <axis = 0> (t_marks, t_ones) "
               "t_emptied = Expand (t_part, t_form) t = Reshape (t_emptied, t_dims) s2 = Unsqueeze (t, s2_axes) }> }")},
    {"nor is its like-named initializer a constant before IR 4",
     MODEL(13, 3,
           "g (int64 m, bool c, int64[2] x, float[2, 6] d) => (int64[2] y) { y = Loop (m, c, x) <body = b (int64 i, "
           "bool k, int64[2] s = {1, 5}) => (bool k2, int64[2] s2) { k2 = Identity (k) s2 = Identity (s) "
           "p, q = Split <axis = 1> (d, s) }> }"),
     9,
     .words = "node 0 (Loop): body: node 2 (Split): 13 to 12: input 1 is known only at run time (it is an input of a "
              "subgraph)"},
};

int main(void)
{
    check_words_of_slices();
    check_words_of_replaced();
    check_second_conversion();
    check_untyped_references(11, "p, q = Split <axis: int = @ax, split: ints = @sz> (x)", 13,
                             "p_split = Constant <value_ints : ints = @sz> ()");
    check_untyped_references(13, "l = Constant <value_ints: ints = @sz> () p, q = Split <axis: int = @ax> (x, l)", 11,
                             "split : ints = @sz");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_case(&cases[i]);
    for (size_t i = 0; i < sizeof(stale_cases) / sizeof(stale_cases[0]); i++)
        check_case(&stale_cases[i]);
    return done();
}
