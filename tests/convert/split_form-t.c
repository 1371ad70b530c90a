/* Each form of Split from each other form: models before and after, or the reason of the refusal; all verified. */
#include <stdlib.h>

#include "tests/convert/case.h"
#include "tests/tap/tap.h"

#define FORM(name) .goal.split_form = OPSHIFT_SPLIT_##name
/* x of float[shape] is split; goal.opset is 0: the model stays at its opset. */
#define CUT(opset, shape, constants, rest)                                                                             \
    MODEL(opset, 8, "g (float[" shape "] x) => (float[A] a)" constants "{ " rest " }")
#define LIST(...) " <int64[2] l = {" #__VA_ARGS__ "}> "

static const struct conversion_case right[] = {
    {"equal parts to lengths", CUT(13, "6", " ", "a, b = Split (x)"), 0,
     .after = CUT(13, "6", " <int64[2] a_split = {3, 3}> ", "a, b = Split (x, a_split)"), FORM(LENGTHS)},
    {"below 13 the attribute", CUT(11, "6", " ", "a, b = Split (x)"), 0,
     .after = CUT(11, "6", " ", "a, b = Split <split = [3, 3]> (x)"), FORM(LENGTHS)},
    {"below 13 an attribute stays", CUT(11, "6", " ", "a, b = Split <split = [2, 4]> (x)"), 0,
     .after = CUT(11, "6", " ", "a, b = Split <split = [2, 4]> (x)"), FORM(LENGTHS)},
    {"num_outputs to lengths", CUT(18, "7", " ", "a, b, c = Split <num_outputs = 3> (x)"), 0,
     .after = CUT(18, "7", " <int64[3] a_split = {3, 3, 1}> ", "a, b, c = Split (x, a_split)"), FORM(LENGTHS)},
    {"with a last part of 0", CUT(18, "4", " ", "a, b, c = Split <num_outputs = 3> (x)"), 0,
     .after = CUT(18, "4", " <int64[3] a_split = {2, 2, 0}> ", "a, b, c = Split (x, a_split)"), FORM(LENGTHS)},
    {"num_outputs above the number of outputs", CUT(18, "6", " ", "a = Split <num_outputs = 2> (x)"), 0,
     .after = CUT(18, "6", " <int64[2] a_split = {3, 3}> ", "a, a_unread = Split (x, a_split)"), FORM(LENGTHS)},
    {"lengths computed where the dim is unknown", CUT(18, "N", " ", "a, b = Split <num_outputs = 2> (x)"), 0,
     .after = CUT(18, "N", " ",
                  "a_shape = Shape (x) a_axis = Constant <value = int64[1] {0}> () a_dim = Gather (a_shape, a_axis) "
                  "a_parts_less_one = Constant <value = int64[1] {1}> () a_parts = Constant <value = int64[1] {2}> () "
                  "a_rounded = Add (a_dim, a_parts_less_one) a_chunk = Div (a_rounded, a_parts) "
                  "a_before_last = Mul (a_chunk, a_parts_less_one) a_last = Sub (a_dim, a_before_last) "
                  "a_split = Concat <axis = 0> (a_chunk, a_last) a, b = Split (x, a_split)"),
     FORM(LENGTHS)},
    {"lengths of run time are lengths",
     MODEL(13, 8, "g (float[N] x, int64[2] l) => (float[] a) { a, b = Split (x, l) }"), 0,
     .after = MODEL(13, 8, "g (float[N] x, int64[2] l) => (float[] a) { a, b = Split (x, l) }"), FORM(LENGTHS)},
    {"lengths to num_outputs", CUT(18, "6", LIST(3, 3), "a, b = Split (x, l)"), 0,
     .after = CUT(18, "6", " ", "a, b = Split <num_outputs = 2> (x)"), FORM(NUM_OUTPUTS)},
    {"with a shorter last part", CUT(18, "5", LIST(3, 2), "a, b = Split (x, l)"), 0,
     .after = CUT(18, "5", " ", "a, b = Split <num_outputs = 2> (x)"), FORM(NUM_OUTPUTS)},
    {"an omitted output stays omitted", CUT(18, "5", LIST(3, 2), "a, \"\" = Split (x, l)"), 0,
     .after = CUT(18, "5", " ", "a, \"\" = Split <num_outputs = 2> (x)"), FORM(NUM_OUTPUTS)},
    {"lengths that another node reads stay",
     MODEL(18, 8,
           "g (float[6] x) => (float[A] a, int64[2] m) <int64[2] l = {3, 3}> { a, b = Split (x, l) m = Neg (l) }"),
     0,
     .after = MODEL(
         18, 8,
         "g (float[6] x) => (float[A] a, int64[2] m) <int64[2] l = {3, 3}> { a, b = Split <num_outputs = 2> (x) m = "
         "Neg (l) }"),
     FORM(NUM_OUTPUTS)},
    {"an unknown dim, of which only one was accepted", CUT(18, "N", LIST(3, 2), "a, b = Split (x, l)"), 0,
     .after = CUT(18, "N", " ", "a, b = Split <num_outputs = 2> (x)"), FORM(NUM_OUTPUTS)},
    {"a dim of 0", CUT(18, "0", LIST(0, 0), "a, b = Split (x, l)"), 0,
     .after = CUT(18, "0", " ", "a, b = Split <num_outputs = 2> (x)"), FORM(NUM_OUTPUTS)},
    {"together with an opset", CUT(11, "6", " ", "a, b = Split <split = [3, 3]> (x)"), 18,
     .after = CUT(18, "6", " ", "a, b = Split <num_outputs = 2> (x)"), FORM(NUM_OUTPUTS)},
    {"lengths to equal parts", CUT(13, "6", LIST(3, 3), "a, b = Split (x, l)"), 0,
     .after = CUT(13, "6", " ", "a, b = Split (x)"), FORM(EQUAL)},
    {"an attribute to equal parts", CUT(11, "6", " ", "a, b = Split <split = [3, 3]> (x)"), 0,
     .after = CUT(11, "6", " ", "a, b = Split (x)"), FORM(EQUAL)},
    {"from 18 on they are num_outputs", CUT(18, "6", LIST(3, 3), "a, b = Split (x, l)"), 0,
     .after = CUT(18, "6", " ", "a, b = Split <num_outputs = 2> (x)"), FORM(EQUAL)},
    {"num_outputs that divides", CUT(18, "6", " ", "a, b = Split <num_outputs = 2> (x)"), 0,
     .after = CUT(18, "6", " ", "a, b = Split <num_outputs = 2> (x)"), FORM(EQUAL)},
    {"on the way down", CUT(18, "6", LIST(3, 3), "a, b = Split (x, l)"), 9,
     .after = CUT(9, "6", " ", "a, b = Split (x)"), FORM(EQUAL)},
    {"in a body",
     MODEL(
         13, 8,
         "g (float[6] x, bool c) => (float[] y) { y = If (c) <then_branch = t () => (float[] p) { p, q = Split (x) }, "
         "else_branch = e () => (float[] r) { r = Neg (x) }> }"),
     0,
     .after = MODEL(
         13, 8,
         "g (float[6] x, bool c) => (float[] y) { y = If (c) <then_branch = t () => (float[] p) "
         "<int64[2] p_split = {3, 3}> { p, q = Split (x, p_split) }, else_branch = e () => (float[] r) { r = Neg (x) "
         "}> }"),
     FORM(LENGTHS)},
    {"the Split of a sequence, too",
     MODEL(18, 8,
           "g (float[6] x) => (float[] a) <int64 c = {3}, int64 z = {0}> { s = SplitToSequence (x, c) a = SequenceAt "
           "(s, z) }"),
     0, .after = MODEL(18, 8, "g (float[6] x) => (float[] a) { a, s_1 = Split <num_outputs = 2> (x) }"),
     .goal = {.sequences = OPSHIFT_SEQUENCES_TO_SPLIT, .split_form = OPSHIFT_SPLIT_NUM_OUTPUTS}},
};

static const struct conversion_case refused[] = {
    {"lengths that num_outputs does not cut", CUT(18, "6", LIST(2, 4), "a, b = Split (x, l)"), 0,
     .words =
         "node 0 (Split): its lengths 2, 4 are not chunks of one length and a shorter last one, as num_outputs cuts; "
         "choose "
         "the split form lengths",
     FORM(NUM_OUTPUTS)},
    {"nor these", CUT(18, "5", LIST(2, 3), "a, b = Split (x, l)"), 0,
     .words =
         "node 0 (Split): its lengths 2, 3 are not chunks of one length and a shorter last one, as num_outputs cuts; "
         "choose "
         "the split form lengths",
     FORM(NUM_OUTPUTS)},
    {"num_outputs below 18", CUT(13, "6", " ", "a, b = Split (x)"), 0,
     .words =
         "node 0 (Split): Split has num_outputs from opset 18 on; go to opset 18 or up, or choose another split form",
     FORM(NUM_OUTPUTS)},
    {"lengths of run time have one form",
     MODEL(18, 8, "g (float[N] x, int64[2] l) => (float[] a) { a, b = Split (x, l) }"), 0,
     .words = "node 0 (Split): its lengths are known only at run time (they are a graph input), and only explicit "
              "lengths can "
              "be; "
              "make them constant, or choose the split form lengths",
     FORM(EQUAL)},
    {"parts that are not equal", CUT(13, "6", LIST(2, 4), "a, b = Split (x, l)"), 0,
     .words = "node 0 (Split): its parts are not equal: 2, 4; choose the split form lengths", FORM(EQUAL)},
    {"nor are these", CUT(18, "7", " ", "a, b, c = Split <num_outputs = 3> (x)"), 0,
     .words =
         "node 0 (Split): num_outputs = 3 cuts 7 into parts of 3 and a last one of 1, which are not equal; choose the "
         "split "
         "form lengths",
     FORM(EQUAL)},
    {"below 13 nothing is computed", CUT(11, "N", " ", "a, b = Split (x)"), 0,
     .words =
         "node 0 (Split): the dim that it cuts is unknown, and below opset 13 lengths cannot be computed in the graph; "
         "give "
         "the input a shape in the model or by --shape, or go to opset 13 or up",
     FORM(LENGTHS)},
    {"a Split with an error", CUT(13, "5", " ", "a, b = Split (x)"), 0,
     .words =
         "node 0 (Split): SPL008 split-uneven: the dim 5 cannot be divided into 2 equal parts; write explicit lengths",
     FORM(LENGTHS)},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
        check_case(&right[i]);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        check_case(&refused[i]);
    return done();
}
