/* Sequences that became Splits and Splits that became sequences: right ones are proved, each planted error is found. */
#include "base/error.h"
#include "tests/tap/tap.h"
#include "tests/verify/pair.h"

#define LIST    "the same list of lengths, and each tensor is the same part"
#define PARTS   "the lengths are the parts of the known dim, and each tensor is the same part"
#define VALUE   "the same value gives the lengths, and each tensor is the same part"
#define COUNTED "the number of its tensors is known, and nothing else is read"

/* Two halves of so few bits that they are often equal by chance. */
#define HALVES(opset, lists, rest) MODEL(opset, "(bool[2] x) => (bool[1] a, bool[1] b) <" lists "> {" rest "}")
#define PLACES                     "int64 z = {0}, int64 o = {1}"
#define TAKEN                      "s = SplitToSequence (x) a = SequenceAt (s, z) b = SequenceAt (s, o)"
/* A list, and any dim. */
#define ENDS(opset, lists, rest) MODEL(opset, "(float[N] x) => (float[A] a, float[B] b) <" lists "> {" rest "}")
#define CUT(opset)                                                                                                     \
    ENDS(opset, "int64[2] l = {2, 4}, " PLACES,                                                                        \
         "s = SplitToSequence (x, l) a = SequenceAt (s, z) b = SequenceAt (s, o)")
/* A Split and fourteen Identity nodes. */
#define CHAIN                                                                                                          \
    "c, b = Split (x, l) d = Identity (c) e = Identity (d) f = Identity (e) g = Identity (f) h = Identity (g) "        \
    "i = Identity (h) j = Identity (i) k = Identity (j) m = Identity (k) n = Identity (m) u = Identity (n) "           \
    "r = Identity (u) t = Identity (r) p = Identity (t) "
/* One output of a table. */
#define TABLE(opset, lists, rest) MODEL(opset, "(float[2, 3] x) => (float[] y) <" lists "> {" rest "}")
#define COLUMN                    TABLE(13, "int64 z = {-1}", "s = SplitToSequence <axis = 1, keepdims = 0> (x) y = SequenceAt (s, z)")
#define JOINED                    TABLE(13, "", "s = SplitToSequence <axis = 1> (x) y = ConcatFromSequence <axis = -1> (s)")
/* Lengths known only at run time, int32 and int64. */
#define GIVEN(type, lists, rest) MODEL(13, "(float[N] x, " type "[2] l) => (float[A] a) <" lists "> {" rest "}")
#define SECOND(type)             GIVEN(type, "int64 o = {1}", "s = SplitToSequence (x, l) a = SequenceAt (s, o)")
#define COUNT_OF(rest)           MODEL(13, "(float[6] x) => (int64 n) {" rest "}")
#define BRANCHES(lists, outer, then, other)                                                                            \
    MODEL(13, "(bool[2] x, bool c) => (bool[1] y) <" lists "> {" outer                                                 \
              " y = If (c) <then_branch = t () => (bool[1] u) { u = " then                                             \
              " }, else_branch = e () => (bool[1] v) { v = " other " }> }")
#define CHOSEN BRANCHES(PLACES, "s = SplitToSequence (x)", "SequenceAt (s, z)", "SequenceAt (s, o)")

/* The number of chunks of 2. */
#define NUMBERED(size, lists, rest) MODEL(13, "(bool[" size "] x) => (int64 n) <" lists "> {" rest "}")
#define CHUNKS_OF(size)             NUMBERED(size, "int64 c = {2}", "s = SplitToSequence (x, c) n = SequenceLength (s)")
#define NUMBER_OF(size, number)     NUMBERED(size, "", "n = Constant <value = int64 {" number "}> ()")

static const struct pair_case right[] = {
    {"a list becomes the attribute", CUT(11), ENDS(10, "", "a, b = Split <split = [2, 4]> (x)"), "proved", LIST, NULL},
    {"a list, and an Identity", CUT(13), ENDS(13, "int64[2] l = {2, 4}", "c, b = Split (x, l) a = Identity (c)"),
     "proved", LIST, NULL},
    {"a list, and fifteen Identity nodes", CUT(13), ENDS(13, "int64[2] l = {2, 4}", CHAIN "a = Identity (p)"), "proved",
     LIST, NULL},
    {"a list, and one Identity more", CUT(13),
     ENDS(13, "int64[2] l = {2, 4}", CHAIN "q = Identity (p) a = Identity (q)"), "tested",
     "not proved: 'a' is not seen to be an output of a Split", NULL},
    {"a count of the known dim", HALVES(13, PLACES, TAKEN),
     MODEL(18, "(bool[2] x) => (bool[1] a, bool[1] b) { a, b = Split <num_outputs = 2> (x) }"), "proved", PARTS, NULL},
    {"another list with the same part",
     MODEL(13, "(float[6] x) => (float[2] a) <int64[3] l = {2, 1, 3}, int64 z = {0}> "
               "{ s = SplitToSequence (x, l) a = SequenceAt (s, z) }"),
     MODEL(13, "(float[6] x) => (float[2] a) <int64[2] m = {2, 4}> { a, b = Split (x, m) }"), "proved", LIST, NULL},
    {"a column, squeezed", COLUMN,
     TABLE(13, "int64[1] axes = {-1}", "p, q, r = Split <axis = 1> (x) y = Squeeze (r, axes)"), "proved", PARTS, NULL},
    {"an axis from the other end", COLUMN,
     TABLE(11, "", "p, q, r = Split <axis = -1> (x) y = Squeeze <axes = [1]> (r)"), "proved", PARTS, NULL},
    {"lengths of run time", SECOND("int64"), GIVEN("int64", "", "p, a = Split (x, l)"), "proved", VALUE, NULL},
    {"lengths of run time, cast", SECOND("int32"), GIVEN("int32", "", "k = Cast <to = 7> (l) p, a = Split (x, k)"),
     "proved", VALUE, NULL},
    {"lengths of run time, through a node that is no Cast",
     MODEL(26, "(float[N] x, int64[2] l) => (float[A] a) <int64 o = {1}> "
               "{ s = SplitToSequence (x, l) a = SequenceAt (s, o) }"),
     MODEL(26, "(float[N] x, int64[2] l) => (float[A] a) { k = BitCast <to = 7> (l) p, a = Split (x, k) }"), "tested",
     "not proved: the two cuts are not seen to be one for every dim", NULL},
    {"how many there are, just fewer than are followed", CHUNKS_OF("2097149"), NUMBER_OF("2097149", "1048575"),
     "proved", COUNTED, NULL},
    {"how many there are", COUNT_OF("s = SplitToSequence (x) n = SequenceLength (s)"),
     COUNT_OF("n = Constant <value = int64 {6}> ()"), "proved", COUNTED, NULL},
    {"joined again", JOINED, TABLE(13, "", "p, q, r = Split <axis = 1> (x) y = Concat <axis = 1> (p, q, r)"), "proved",
     PARTS, NULL},
    {"read once, and by an Identity of that, and joined",
     MODEL(13,
           "(float[3] x) => (float[] a, float[] b, float[] y) <int64 z = {0}, int64 q = {-3}> { s = SplitToSequence "
           "(x) a = SequenceAt (s, z) b = SequenceAt (s, q) y = ConcatFromSequence <axis = 0> (s) }"),
     MODEL(13, "(float[3] x) => (float[] a, float[] b, float[] y) "
               "{ a, p, r = Split (x) b = Identity (a) y = Concat <axis = 0> (a, p, r) }"),
     "proved", PARTS, NULL},
    {"in the branches of an If", CHOSEN, BRANCHES("", "p, q = Split (x)", "Identity (p)", "Identity (q)"), "proved",
     PARTS, NULL},
    {"something else that does the same",
     MODEL(13, "(float[6] x) => (float[2] a) <int64[2] l = {2, 4}, int64 z = {0}> "
               "{ s = SplitToSequence (x, l) a = SequenceAt (s, z) }"),
     MODEL(13, "(float[6] x) => (float[2] a) <int64[1] from = {0}, int64[1] to = {2}> { a = Slice (x, from, to) }"),
     "tested", "not proved: 'a' is not seen to be an output of a Split", NULL},
    {"one of two readers", CUT(13),
     ENDS(13, "int64[2] l = {2, 4}, int64 o = {1}",
          "s = SplitToSequence (x, l) b = SequenceAt (s, o) a, p = Split (x, l)"),
     "proved", LIST, NULL},
    {"back again", ENDS(10, "", "a, b = Split <split = [2, 4]> (x)"), CUT(11), "proved", LIST, NULL},
    {"back, by chunks of the known dim",
     MODEL(18, "(bool[3] x) => (bool[2] a, bool[1] b) { a, b = Split <num_outputs = 2> (x) }"),
     MODEL(18, "(bool[3] x) => (bool[2] a, bool[1] b) <int64 c = {2}, int64 z = {-2}, int64 o = {1}> "
               "{ s = SplitToSequence (x, c) a = SequenceAt (s, z) b = SequenceAt (s, o) }"),
     "proved", PARTS, NULL},
};

/* Each is a conversion with one error. */
static const struct pair_case wrong[] = {
    {"outputs swapped", HALVES(13, PLACES, TAKEN), HALVES(13, "int64[2] l = {1, 1}", "b, a = Split (x, l)"), "differs",
     "'a' was the part from 0 to 1 of the axis and is that from 1 to 2", NULL},
    {"a position swapped on the way back", HALVES(13, "int64[2] l = {1, 1}", "a, b = Split (x, l)"),
     HALVES(13, "int64[2] l = {1, 1}, " PLACES,
            "s = SplitToSequence (x, l) a = SequenceAt (s, o) b = SequenceAt (s, z)"),
     "differs", "'a' was the part from 0 to 1 of the axis and is that from 1 to 2", NULL},
    {"one position twice on the way back", HALVES(13, "int64[2] l = {1, 1}", "a, b = Split (x, l)"),
     HALVES(13, "int64[2] l = {1, 1}, int64 z = {0}",
            "s = SplitToSequence (x, l) a = SequenceAt (s, z) b = SequenceAt (s, z)"),
     "differs", "'b' was the part from 1 to 2 of the axis and is that from 0 to 1", NULL},
    {"a part of run time swapped", SECOND("int64"), GIVEN("int64", "", "a, p = Split (x, l)"), "differs",
     "'a' was part 1 and is part 0", NULL},
    {"wrong lengths", CUT(13), ENDS(13, "int64[2] m = {4, 2}", "a, b = Split (x, m)"), "differs",
     "'a' was the part from 0 to 2 of the axis and is that from 0 to 4", NULL},
    {"lengths for another dim", CUT(13), ENDS(13, "int64[2] m = {2, 5}", "a, b = Split (x, m)"), "differs",
     "float [6]: output 'a' cannot be computed any more: Split: the lengths sum to 7, and the dim is 6; make the "
     "lengths "
     "cover axis 0 of 'input'",
     NULL},
    {"a chunk taken for a count",
     MODEL(13, "(float[5] x) => (float[A] a) <int64 c = {4}, int64 z = {0}> "
               "{ s = SplitToSequence (x, c) a = SequenceAt (s, z) }"),
     MODEL(18, "(float[5] x) => (float[A] a) { a, b = Split <num_outputs = 2> (x) }"), "differs",
     "'a' was the part from 0 to 4 of the axis and is that from 0 to 3", NULL},
    {"another axis", COLUMN, TABLE(13, "int64[1] axes = {0}", "p, q = Split (x) y = Squeeze (q, axes)"), "differs",
     "float [2,3]: output 'y' was of shape [2] and is of shape [3]", NULL},
    {"an axis that is not taken away", COLUMN, TABLE(13, "", "p, q, y = Split <axis = 1> (x)"), "differs",
     "float [2,3]: output 'y' was of shape [2] and is of shape [2,1]", NULL},
    {"keepdims that some runtimes heed",
     TABLE(13, "int64 c = {1}, int64 z = {0}",
           "s = SplitToSequence <axis = 1, keepdims = 0> (x, c) y = SequenceAt (s, z)"),
     TABLE(13, "int64[1] axes = {1}", "p, q, r = Split <axis = 1> (x) y = Squeeze (p, axes)"), "differs",
     "float [2,3]: output 'y' was of shape [2,1] and is of shape [2]", NULL},
    {"one tensor more", COUNT_OF("s = SplitToSequence (x) n = SequenceLength (s)"),
     COUNT_OF("n = Constant <value = int64 {7}> ()"), "differs", "'n' was 6 and is 7", NULL},
    {"how many there are as a list", COUNT_OF("s = SplitToSequence (x) n = SequenceLength (s)"),
     COUNT_OF("n = Constant <value = int64[1] {6}> ()"), "differs",
     "float [6]: output 'n' was of shape [] and is of shape [1]", NULL},
    {"joined in another order", JOINED, TABLE(13, "", "p, q, r = Split <axis = 1> (x) y = Concat <axis = 1> (p, r, q)"),
     "differs", "input 1 of 'y' was the part from 1 to 2 of the axis and is that from 2 to 3", NULL},
    {"joined along another axis", JOINED,
     TABLE(13, "", "p, q, r = Split <axis = 1> (x) y = Concat <axis = 0> (p, q, r)"), "differs",
     "float [2,3]: output 'y' was of shape [2,3] and is of shape [6,1]", NULL},
    {"joined without a part", JOINED, TABLE(13, "", "p, q, r = Split <axis = 1> (x) y = Concat <axis = 1> (p, q)"),
     "differs", "float [2,3]: output 'y' was of shape [2,3] and is of shape [2,2]", NULL},
    {"the branches of an If changed over", CHOSEN, BRANCHES("", "p, q = Split (x)", "Identity (q)", "Identity (p)"),
     "differs", "'u' was the part from 0 to 1 of the axis and is that from 1 to 2", NULL},
    {"one branch of an If", CHOSEN, BRANCHES("", "p, q = Split (x)", "Identity (p)", "Identity (p)"), "differs",
     "'v' was the part from 1 to 2 of the axis and is that from 0 to 1", NULL},
    {"another value is cut",
     MODEL(13, "(float[4] x, int64[4] q) => (float[2] a) <int64 c = {2}, int64 z = {0}> "
               "{ s = SplitToSequence (x, c) a = SequenceAt (s, z) }"),
     MODEL(13, "(float[4] x, int64[4] q) => (float[2] a) { a, b = Split (q) }"), "differs",
     "float [4]: output 'a' was float and is int64", NULL},
    {"one of two readers takes the wrong part", HALVES(13, PLACES, TAKEN),
     HALVES(13, "int64 o = {1}", "s = SplitToSequence (x) b = SequenceAt (s, o) p, a = Split (x)"), "differs",
     "'a' was the part from 0 to 1 of the axis and is that from 1 to 2", NULL},
    {"how many there are, one more than are followed", CHUNKS_OF("2097151"), NUMBER_OF("2097151", "1048576"),
     "not shown",
     "convert refuses it: its sequence has 1048576 tensors, and a Split of more than 65536 outputs is not written; "
     "leave this model's sequences as they are",
     NULL},
    {"a tensor is taken away from the sequence",
     MODEL(13, "(bool[3] x) => (bool[1] a) <int64 z = {0}> "
               "{ s = SplitToSequence (x) e = SequenceErase (s, z) a = SequenceAt (e, z) }"),
     MODEL(13, "(bool[3] x) => (bool[1] a) { p, a, q = Split (x) }"), "not shown",
     "is another, though SequenceAt is the same at both opsets: what gives 'a'; runs on drawn inputs show no "
     "difference",
     NULL},
    {"a tensor is changed behind the Split",
     MODEL(13, "(string[2] x) => (string[1] a, string[1] b) <" PLACES "> {" TAKEN "}"),
     MODEL(13, "(string[2] x) => (string[1] a, string[] b) { a, c = Split (x) b = Squeeze (c) }"), "differs",
     "string [2]: output 'b' was of shape [1] and is of shape []", "output 'b': is another"},
};

int main(void)
{
    check_pairs(right, COUNT(right));
    check_pairs(wrong, COUNT(wrong));
    return done();
}
