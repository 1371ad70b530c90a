/* SEQ: errors of sequences, and of splitting a tensor into one. */
#include "tests/check/expect.h"
#include "tests/tap/tap.h"

static const struct lint_case cases[] = {
    {"a scalar",
     MODEL(13, 8,
           "g (float x) => (seq(float[]) s)\n"
           "{ s = SplitToSequence (x) }"),
     "SEQ001 graph/node[0]: the input 'x' is a scalar, which has no axis to split; add a dim before"},
    {"a value of unknown rank",
     MODEL(13, 8,
           "g (float[] x) => (seq(float[]) s)\n"
           "{ s = SplitToSequence <axis = 9> (x) }"),
     ""},
    {"an axis behind the last",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "{ s = SplitToSequence <axis = 1> (x) }"),
     "SEQ002 graph/node[0]: axis 1 is outside [-1, 0], the axes of a tensor of rank 1; use the intended one"},
    {"an axis from the back",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "{ s = SplitToSequence <axis = -1> (x) }"),
     ""},
    {"lengths of rank 2",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int64[1,2] n = {2, 4}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ003 graph/node[0]: 'n' has rank 2; give a scalar, the length of all chunks, or a list of lengths"},
    {"an empty list",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int64[0] n = {}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ004 graph/node[0]: the list of lengths 'n' is empty; write the lengths, or remove the input for chunks of 1"},
    {"no list",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "{ s = SplitToSequence (x) }"),
     ""},
    {"a negative length that makes the sum fit",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int64[3] n = {-1, 3, 4}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ005 graph/node[0]: length 0 is -1; lengths are not negative, and none means \"the rest\""},
    {"chunks of 0",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int32 n = {0}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ006 graph/node[0]: the length of all chunks is 0; it must be at least 1"},
    {"chunks of a negative length",
     MODEL(13, 8,
           "g (float[N] x) => (seq(float[]) s)\n"
           "<int64 n = {-2}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ006 graph/node[0]: the length of all chunks is -2; it must be at least 1"},
    {"chunks longer than the dim",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int32 n = {7}>\n"
           "{ s = SplitToSequence (x, n) }"),
     ""},
    {"lengths of another sum",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int32[2] n = {2, 5}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ007 graph/node[0]: the lengths sum to 7, and the dim is 6; make the lengths cover axis 0 of 'x'"},
    {"lengths of another sum at opset 24",
     MODEL(24, 10,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int64[2] n = {2, 5}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ007 graph/node[0]: the lengths sum to 7, and the dim is 6; make the lengths cover axis 0 of 'x'"},
    {"lengths whose sum no dim can hold",
     MODEL(13, 8,
           "g (float[N] x) => (seq(float[]) s)\n"
           "<int64[2] n = {9223372036854775807, 1}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ007 graph/node[0]: the lengths sum to more than 2^63 - 1; no dim is that long"},
    {"lengths of the sum",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int32[2] n = {2, 4}>\n"
           "{ s = SplitToSequence (x, n) }"),
     ""},
    {"lengths of an unknown dim",
     MODEL(13, 8,
           "g (float[N] x) => (seq(float[]) s)\n"
           "<int32[2] n = {2, 4}>\n"
           "{ s = SplitToSequence (x, n) }"),
     ""},
    {"a position behind the last",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y)\n"
           "{ s = SequenceConstruct (x, x) i = Constant <value_int = 2> () y = SequenceAt (s, i) }"),
     "SEQ008 graph/node[2]: position 2 is outside [-2, 1], and the sequence 's' has 2 tensors; use the intended one"},
    {"a position before the first",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y)\n"
           "{ s = SequenceConstruct (x, x) i = Constant <value_int = -3> () y = SequenceAt (s, i) }"),
     "SEQ008 graph/node[2]: position -3 is outside [-2, 1], and the sequence 's' has 2 tensors; use the intended one"},
    {"the last position",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y)\n"
           "{ s = SequenceConstruct (x, x) i = Constant <value_int = 1> () y = SequenceAt (s, i) }"),
     ""},
    {"the first position from the back",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y)\n"
           "{ s = SequenceConstruct (x, x) i = Constant <value_int = -2> () y = SequenceAt (s, i) }"),
     ""},
    {"a position in chunks",
     MODEL(13, 8,
           "g (float[7] x) => (float[] y, seq(float[]) s)\n"
           "<int64 n = {3}>\n"
           "{ s = SplitToSequence (x, n) i = Constant <value_int = 3> () y = SequenceAt (s, i) }"),
     "SEQ008 graph/node[2]: position 3 is outside [-3, 2], and the sequence 's' has 3 tensors; use the intended one"},
    {"the last position in chunks",
     MODEL(13, 8,
           "g (float[7] x) => (float[] y, seq(float[]) s)\n"
           "<int64 n = {3}>\n"
           "{ s = SplitToSequence (x, n) i = Constant <value_int = 2> () y = SequenceAt (s, i) }"),
     ""},
    {"a position in chunks of an unknown dim",
     MODEL(13, 8,
           "g (float[N] x) => (float[] y, seq(float[]) s)\n"
           "<int64 n = {3}>\n"
           "{ s = SplitToSequence (x, n) i = Constant <value_int = 3> () y = SequenceAt (s, i) }"),
     ""},
    {"a position after one was put in and one taken away",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y)\n"
           "{ e = SequenceEmpty () a = SequenceInsert (e, x) b = SequenceInsert (a, x) s = SequenceErase (b)\n"
           "  i = Constant <value_int = 1> () y = SequenceAt (s, i) }"),
     "SEQ008 graph/node[5]: position 1 is outside [-1, 0], and the sequence 's' has 1 tensor; use the intended one"},
    {"a position in an empty sequence",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y)\n"
           "{ s = SequenceEmpty () i = Constant <value_int = 0> () y = SequenceAt (s, i) }"),
     "SEQ008 graph/node[2]: position 0 of the sequence 's', which is empty; insert a tensor first"},
    {"a position that a caller gives",
     MODEL(13, 8, "g (float[6] x, int64 i) => (float[] y) { s = SequenceConstruct (x) y = SequenceAt (s, i) }"), ""},
    {"a position in a sequence that a caller gives",
     MODEL(13, 8, "g (seq(float[6]) s) => (float[] y) { i = Constant <value_int = 9> () y = SequenceAt (s, i) }"), ""},
    {"a tensor taken away where there is none",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[6]) t)\n"
           "{ s = SequenceConstruct (x) i = Constant <value_int = 1> () t = SequenceErase (s, i) }"),
     "SEQ009 graph/node[2]: position 1 is outside [-1, 0], and the sequence 's' has 1 tensor; use the intended one"},
    {"the last tensor taken away",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[6]) t)\n"
           "{ s = SequenceConstruct (x) i = Constant <value_int = -1> () t = SequenceErase (s, i) }"),
     ""},
    {"a tensor put behind the end",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[6]) t)\n"
           "{ s = SequenceConstruct (x) i = Constant <value_int = 2> () t = SequenceInsert (s, x, i) }"),
     "SEQ010 graph/node[2]: position 2 is outside [-1, 1], and the sequence 's' has 1 tensor; use the intended one"},
    {"a tensor put at the end",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[6]) t)\n"
           "{ s = SequenceConstruct (x) i = Constant <value_int = 1> () t = SequenceInsert (s, x, i) }"),
     ""},
    {"a tensor of another type",
     MODEL(13, 8, "g (int64[6] x) => (seq(float[6]) t) { s = SequenceEmpty () t = SequenceInsert (s, x) }"),
     "SEQ011 graph/node[1]: 'x' is int64, and the sequence 's' is of float; insert a Cast, or make the sequence of "
     "int64"},
    {"a tensor of the type",
     MODEL(13, 8, "g (int64[6] x) => (seq(int64[6]) t) { s = SequenceEmpty <dtype = 7> () t = SequenceInsert (s, x) }"),
     ""},
    {"tensors joined along an axis that they do not have",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y)\n"
           "{ s = SequenceConstruct (x, x) y = ConcatFromSequence <axis = 1> (s) }"),
     "SEQ012 graph/node[1]: axis 1 is outside [-1, 0], the axes of what is put together; use the intended one"},
    {"scalars joined",
     MODEL(13, 8,
           "g (float x) => (float[] y)\n"
           "{ s = SequenceConstruct (x, x) y = ConcatFromSequence <axis = 0> (s) }"),
     "SEQ012 graph/node[1]: the tensors of 's' are scalars, which cannot be concatenated along axis 0; set new_axis = "
     "1 to "
     "stack them"},
    {"tensors stacked behind their axes",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y)\n"
           "{ s = SequenceConstruct (x, x) y = ConcatFromSequence <axis = 1, new_axis = 1> (s) }"),
     ""},
    {"tensors that lost their axis, joined along it",
     MODEL(13, 8,
           "g (float[6,2] x) => (float[] y)\n"
           "{ s = SplitToSequence <axis = 1, keepdims = 0> (x) y = ConcatFromSequence <axis = 1> (s) }"),
     "SEQ012 graph/node[1]: axis 1 is outside [-1, 0], the axes of what is put together; use the intended one"},
    {"keepdims = 0 beside lengths",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int64 n = {1}>\n"
           "{ s = SplitToSequence <keepdims = 0> (x, n) }"),
     "SEQ020 graph/node[0]: keepdims = 0 is ignored if lengths are given; remove it, and use Squeeze on each tensor if "
     "that is intended"},
    {"keepdims = 1 beside lengths",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int64 n = {1}>\n"
           "{ s = SplitToSequence <keepdims = 1> (x, n) }"),
     ""},
    {"keepdims = 0 without lengths",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "{ s = SplitToSequence <keepdims = 0> (x) }"),
     ""},
    {"a length of 0",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int64[3] n = {2, 0, 4}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ021 graph/node[0]: length 1 is 0, which the specification forbids in one place and allows in another; remove "
     "the empty tensor"},
    {"a list of one length",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int64[1] n = {6}>\n"
           "{ s = SplitToSequence (x, n) }"),
     "SEQ022 graph/node[0]: the list 'n' has one length, which some readers use as the length of all chunks; for one "
     "whole tensor use SequenceConstruct"},
    {"a scalar of the same length",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "<int64 n = {6}>\n"
           "{ s = SplitToSequence (x, n) }"),
     ""},
    {"keepdims = 0 and an empty second input",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "{ s = SplitToSequence <keepdims = 0> (x, \"\") }"),
     "SEQ030 graph/node[0]: keepdims = 0 and an empty second input; remove the empty input"},
    {"an empty second input",
     MODEL(13, 8,
           "g (float[6] x) => (seq(float[]) s)\n"
           "{ s = SplitToSequence (x, \"\") }"),
     ""},
    {"a sequence that is read at constant positions only",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y, float[] z, int64 m)\n"
           "<int64[2] n = {2, 4}>\n"
           "{ s = SplitToSequence (x, n) i = Constant <value_int = 0> () j = Constant <value_int = -1> ()\n"
           "  y = SequenceAt (s, i) z = SequenceAt (s, j) m = SequenceLength (s) }"),
     "SEQ031 graph/node[0]: the sequence 's' always has 2 tensors and is read only at constant positions; a Split can "
     "replace it"},
    {"a sequence that is read at a position of run time too",
     MODEL(
         13, 8,
         "g (float[6] x, int64 j) => (float[] y, float[] z)\n"
         "<int64[2] n = {2, 4}>\n"
         "{ s = SplitToSequence (x, n) i = Constant <value_int = 0> () y = SequenceAt (s, i) z = SequenceAt (s, j) }"),
     ""},
    {"a sequence of an unknown length",
     MODEL(13, 8,
           "g (float[N] x) => (float[] y)\n"
           "{ s = SplitToSequence (x) i = Constant <value_int = 0> () y = SequenceAt (s, i) }"),
     ""},
    {"a sequence that is an output too",
     MODEL(13, 8,
           "g (float[6] x) => (float[] y, seq(float[]) s)\n"
           "{ s = SplitToSequence (x) i = Constant <value_int = 0> () y = SequenceAt (s, i) }"),
     ""},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        lint_finds(&cases[i], "SEQ", NULL);
    lint_examples("SEQ");
    return done();
}
