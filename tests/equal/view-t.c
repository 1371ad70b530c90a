/* Nodes that keep or only rearrange elements are one value where they give the same places. */
#include "tests/equal/compared.h"

#include "tests/tap/tap.h"

#define PARTS "<int64[1] o = {0}, int64[1] t = {2}, int64[1] s = {6}, int64[1] a = {1}>"

static const struct equal_case matrices[] = {
    {"Slices and a Split", PARTS " { p = Slice (x, o, t, a) q = Slice (x, t, s, a) y = Concat <axis = 1> (q, p) }",
     "<int64[2] l = {2, 4}> { p, q = Split <axis = 1> (x, l) y = Concat <axis = -1> (q, p) }", "proved", NULL},
    {"a Slice of a Slice", PARTS " { p = Slice (x, a, s, a) y = Slice (p, a, s, a) }",
     PARTS " { y = Slice (x, t, s, a) }", "proved", NULL},
    {"a Concat of all parts",
     "<int64[3] l = {1, 2, 3}> { p, q, r = Split <axis = 1> (x, l) y = Concat <axis = 1> (p, q, r) }",
     "{ y = Identity (x) }", "proved", NULL},
    {"a Concat of parts in another order",
     "<int64[2] l = {3, 3}> { p, q = Split <axis = 1> (x, l) y = Concat <axis = 1> (p, q) }",
     "<int64[2] l = {3, 3}> { p, q = Split <axis = 1> (x, l) y = Concat <axis = 1> (q, p) }", "differs; ? 0-3 differs",
     NULL},
    {"a Transpose and its inverse", "{ a = Transpose <perm = [1, 0]> (x) b = Transpose (a) y = Relu (b) }",
     "{ y = Relu (x) }", "proved", NULL},
    {"Reshapes in a row", "<int64[3] s = {-1, 2, 3}, int64[2] t = {-1, 3}> { a = Reshape (x, s) y = Reshape (a, t) }",
     "<int64[2] t = {-1, 3}> { y = Reshape (x, t) }", "proved", NULL},
    {"a Reshape between that takes one size alone",
     "<int64[2] s = {4, 3}, int64[2] t = {-1, 3}> { a = Reshape (x, s) y = Reshape (a, t) }",
     "<int64[2] t = {-1, 3}> { y = Reshape (x, t) }", "not shown; a 1-1 not shown", NULL},
    {"the same, the other way round", "<int64[2] t = {-1, 3}> { y = Reshape (x, t) }",
     "<int64[2] s = {4, 3}, int64[2] t = {-1, 3}> { a = Reshape (x, s) y = Reshape (a, t) }", "differs; y 1-1 differs",
     "it cannot be computed any more"},
    {"a Cast to the same type", "{ c = Cast <to = 1> (x) y = Relu (c) }", "{ y = Relu (x) }", "proved", NULL},
    {"a Cast to another type and back", "{ c = Cast <to = 6> (x) y = Cast <to = 1> (c) }", "{ y = Identity (x) }",
     "differs; y 2-0 differs", NULL},
    {"Dropout of inference", "{ d = Dropout (x) y = Relu (d) }", "{ y = Relu (x) }", "proved", NULL},
    {"a tensor of a sequence",
     "<int64[2] l = {2, 4}, int64 k = {-1}> { s = SplitToSequence <axis = 1> (x, l) y = SequenceAt (s, k) }",
     "<int64[2] l = {2, 4}> { p, y = Split <axis = 1> (x, l) }", "proved", NULL},
};

int main(void)
{
    check_cases("g (float[N, 6] x) => (float[A, B] y)", matrices, COUNT(matrices));
    return done();
}
