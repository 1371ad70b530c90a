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
     "<int64[2] t = {-1, 3}> { y = Reshape (x, t) }", "tested; a 1-1 tested", NULL},
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

static const struct equal_case places[] = {
    {"a Gather and a Slice", "<int64[3] k = {1, 2, 3}> { y = Gather <axis = 1> (x, k) }",
     "<int64[1] a = {1}, int64[1] e = {4}> { y = Slice (x, a, e, a) }", "proved", NULL},
    {"a Gather that counts from the end, and a step", "<int64[3] k = {-1, -3, -5}> { y = Gather <axis = 1> (x, k) }",
     "<int64[1] a = {1}, int64[1] s = {-1}, int64[1] e = {-100}, int64[1] t = {-2}> { y = Slice (x, s, e, a, t) }",
     "proved", NULL},
    {"a Gather beyond the last", "<int64[1] k = {5}> { y = Gather <axis = 1> (x, k) }",
     "<int64[1] k = {6}> { y = Gather <axis = 1> (x, k) }", "differs; y 1-1 differs", NULL},
    {"an element, and a Slice that is squeezed", "<int64 k = {2}> { g = Gather <axis = 1> (x, k) y = Relu (g) }",
     "<int64[1] a = {1}, int64[1] s = {2}, int64[1] e = {3}> { p = Slice (x, s, e, a) q = Squeeze (p, a) y = Relu (q) "
     "}",
     "proved", NULL},
    {"Pads in a row", "<int64[4] p = {0, 1, 0, 0}, int64[4] q = {0, 0, 0, 2}> { a = Pad (x, p) y = Pad (a, q) }",
     "<int64[4] p = {0, 1, 0, 2}> { y = Pad (x, p) }", "proved", NULL},
    {"a Pad that is cut off again",
     "<int64[4] p = {0, 1, 0, 2}, int64[1] a = {1}, int64[1] e = {7}> { b = Pad (x, p) y = Slice (b, a, e, a) }",
     "{ y = Identity (x) }", "proved", NULL},
    {"Pads of other elements", "<int64[4] p = {0, 1, 0, 0}> { y = Pad (x, p) }",
     "<int64[4] p = {0, 1, 0, 0}, float v = {1}> { y = Pad (x, p, v) }", "differs; y 1-1 differs", NULL},
    {"a reflection and a Gather", "<int64[4] p = {0, 2, 0, 1}> { y = Pad <mode = \"reflect\"> (x, p) }",
     "<int64[9] k = {2, 1, 0, 1, 2, 3, 4, 5, 4}> { y = Gather <axis = 1> (x, k) }", "proved", NULL},
    {"a Tile and a Concat", "<int64[2] r = {1, 3}> { y = Tile (x, r) }", "{ y = Concat <axis = 1> (x, x, x) }",
     "proved", NULL},
    {"a Tile of an unknown dim", "<int64[2] r = {2, 1}> { y = Tile (x, r) }", "{ y = Concat <axis = 0> (x, x) }",
     "tested; y 1-1 tested", NULL},
    {"an Expand and a Tile",
     "<int64[1] a = {1}, int64[1] e = {2}, int64[2] s = {1, 4}> { p = Slice (x, a, e, a) y = Expand (p, s) }",
     "<int64[1] a = {1}, int64[1] e = {2}, int64[2] s = {1, 4}> { p = Slice (x, a, e, a) y = Tile (p, s) }", "proved",
     NULL},
    {"GatherND of rows, and Gather", "<int64[2, 1] k = {1, 0}> { t = Transpose (x) y = GatherND (t, k) }",
     "<int64[2] k = {1, 0}> { t = Transpose (x) y = Gather (t, k) }", "proved", NULL},
};

/* Two dims are unknown, and have names. */
static const struct equal_case open_dims[] = {
    {"heads by copied dims and by the inputs' shape", "<int64[4] s = {0, 0, 2, 3}> { y = Reshape (x, s) }",
     "<int64 zero = {0}, int64 one = {1}, int64[1] f = {0}, int64[2] h = {2, 3}> { s = Shape (x) n = Gather (s, zero) "
     "m = "
     "Gather (s, one) nu = Unsqueeze (n, f) mu = Unsqueeze (m, f) t = Concat <axis = 0> (nu, mu, h) y = Reshape (x, t) "
     "}",
     "proved", NULL},
    {"heads and back", "<int64[4] s = {0, 0, 2, 3}, int64[3] t = {0, 0, 6}> { h = Reshape (x, s) y = Reshape (h, t) }",
     "{ y = Identity (x) }", "proved", NULL},
    {"what accepts one size alone", "<int64[2] s = {-1, 6}> { y = Reshape (x, s) }",
     "<int64[2] s = {0, 6}> { y = Reshape (x, s) }", "differs; y 1-1 differs", "it cannot be computed any more"},
};

int main(void)
{
    check_cases("g (float[N, 6] x) => (float[A, B] y)", matrices, COUNT(matrices));
    check_cases("g (float[N, 6] x) => (float[A, B] y)", places, COUNT(places));
    check_cases("g (float[N, M, 6] x) => (float[A, B, C, D] y)", open_dims, 1);
    check_cases("g (float[N, M, 6] x) => (float[A, B, C] y)", open_dims + 1, COUNT(open_dims) - 1);
    return done();
}
