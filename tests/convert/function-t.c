/* Functions: what their calls give, and what they leave out. */
#include "tests/convert/case.h"
#include "tests/tap/tap.h"

#define F(opset)     "<domain: \"d\", opset_import: [\"\" : " #opset "]> "
#define CALLS(opset) "<ir_version: 8, opset_import: [\"\" : " #opset ", \"d\" : 1]>\n"
#define G(opset)     "<domain: \"d\", opset_import: [\"\" : " #opset ", \"d\" : 1]> "
#define DEFAULT_BEHIND(opset)                                                                                          \
    CALLS(opset)                                                                                                       \
    "g (float[2, 3, 4] x) => (float[2, 3, 4] y) { y = d.G (x) }\n" F(                                                  \
        opset) "F <ax = 2> (x) => (y) { y = Softmax <axis : int = @ax> (x) }\n" G(opset) "G <a> (x) => (y) "           \
                                                                                         "{ y = d.F <ax : int = @a> "  \
                                                                                         "(x) }"

static const struct conversion_case cases[] = {
    {"the default counts where the calling function's own attribute is absent", DEFAULT_BEHIND(12), 13,
     .after = DEFAULT_BEHIND(13)},
    {"a value that all calls give decides which nodes replace another",
     CALLS(13) "g (float[1, 8, 2, 2] x) => (float[1, 2, 4, 4] y) { y = d.F <mode = \"CRD\"> (x) }\n" F(
         13) "F <mode> (x) => (y) { y = DepthToSpace <blocksize = 2, mode : string = @mode> (x) }",
     10,
     .after = CALLS(10) "g (float[1, 8, 2, 2] x) => (float[1, 2, 4, 4] y) { y = d.F <mode = \"CRD\"> (x) }\n" F(
         10) "F <mode> (x) => (y) { y_channels = Constant <value = int64[8] {0, 4, 1, 5, 2, 6, 3, 7}> () "
             "y_moved = Gather <axis = 1> (x, y_channels) y = DepthToSpace <blocksize = 2> (y_moved) }"},
    {"a constant that all calls give becomes an attribute",
     CALLS(12) "g (float[2] x) => (float[2] y) { l = Constant <value = float {0.25}> () y = d.F (x, l) }\n" F(
         12) "F (x, lo) => (y) { y = Clip (x, lo) }",
     6,
     .after = CALLS(6) "g (float[2] x) => (float[2] y) { l = Constant <value = float {0.25}> () y = d.F (x, l) }\n" F(
         6) "F (x, lo) => (y) { y = Clip <min = 0.25> (x) }"},
    {"an input that no call gives is absent",
     CALLS(12) "g (float[2] x) => (float[2] y) { y = d.F (x) }\n" F(12) "F (x, lo) => (y) { y = Clip (x, lo) }", 6,
     .after = CALLS(6) "g (float[2] x) => (float[2] y) { y = d.F (x) }\n" F(6) "F (x, lo) => (y) { y = Clip (x) }"},
    {"a condition on an attribute that nobody gives selects no body: without a call, the function goes",
     CALLS(9) "g (float[1, 1, 2, 2] x) => (float[1, 1, 2, 2] y) { y = Neg (x) }\n" F(
         9) "F <m> (x, s) => (y) { y = Upsample <mode : string = @m> (x, s) }",
     15, .after = CALLS(15) "g (float[1, 1, 2, 2] x) => (float[1, 1, 2, 2] y) { y = Neg (x) }"},
    {"an assumption that the only call contradicts",
     CALLS(14) "g (float[a, b] x) => (float[c, e] y) { s = Constant <value = int64[2] {0, 0}> () y = d.F (x, s) }\n" F(
         14) "F (x, s) => (y) { y = Reshape <allowzero = 1> (x, s) }",
     13,
     .words = "function 'F': node 0 (Reshape): 14 to 13: attribute 'allowzero' does not exist at opset 13 and has "
              "another value than its default"},
    {"an input that only some calls give: the function is written for both",
     CALLS(12) "g (float[2] x, float l) => (float[2] y, float[2] w) { y = d.F (x, l) w = d.F (x) }\n" F(
         12) "F (x, lo) => (y) { y = Clip (x, lo) }",
     10,
     .after = CALLS(10) "g (float[2] x, float l) => (float[2] y, float[2] w) { y = d.F (x, l) w = d.F_1 (x) }\n" F(
         10) "F (x, lo) => (y) { y_highest = Constant <value = float {3.4028235e+38}> () y_below = Less (x, lo) "
             "y_raised = Where (y_below, lo, x) y_above = Greater (y_raised, y_highest) y = Where (y_above, y_highest, "
             "y_raised) }\n" F(10) "F_1 (x, lo) => (y) { y = Clip (x) }"},
    {"an input that the target requires",
     CALLS(13) "g (float[2, 2] x) => (float[2, 2] y, float[2, 2] w) { y = d.F (x, x) w = d.F (x) }\n" F(
         13) "F (x, c) => (y) { y = Gemm (x, x, c) }",
     10,
     .after = CALLS(10) "g (float[2, 2] x) => (float[2, 2] y, float[2, 2] w) { y = d.F (x, x) w = d.F_1 (x) }\n" F(
         10) "F (x, c) => (y) { y = Gemm (x, x, c) }\n" F(10) "F_1 (x, c) => (y) { y_zero = Constant <value = "
                                                              "float[1] {-0.0}> () y = Gemm <alpha = 1.0, transA = 0, "
                                                              "transB "
                                                              "= 0> (x, x, y_zero) }"},
    {"types that one body serves stay together",
     CALLS(14) "g (float[2] x, double[2] z, int8[2] v) => (float[2] y, double[2] w, int8[2] u) { y = d.F (x) w = d.F "
               "(z) u = d.F (v) }\n" F(14) "F (x) => (y) { y = Add (x, x) }",
     13,
     .after = CALLS(13) "g (float[2] x, double[2] z, int8[2] v) => (float[2] y, double[2] w, int8[2] u) { y = d.F (x) "
                        "w = d.F (z) u = d.F_2 (v) }\n" F(13) "F (x) => (y) { y = Add (x, x) }\n" F(
                            13) "F_2 (x) => (y) { y_a = Cast <to = 6> (x) y_b = Cast <to = 6> (x) y_sum = Add (y_a, "
                                "y_b) y = Cast <to = 3> (y_sum) }"},
    {"and if it serves all, nothing else changes",
     CALLS(14) "g (float[2] x, double[2] z) => (float[2] y, double[2] w) { y = d.F (x) w = d.F (z) }\n" F(
         14) "F (x) => (y) { y = Add (x, x) }",
     13,
     .after = CALLS(13) "g (float[2] x, double[2] z) => (float[2] y, double[2] w) { y = d.F (x) w = d.F (z) }\n" F(
         13) "F (x) => (y) { y = Add (x, x) }",
     .goal.strict = true},
    {"a type for which there is no body names the call",
     CALLS(14) "g (float[2] x, int32[2] z) => (float[2] y, int32[2] w) { y = d.F (x) w = d.F (z) }\n" F(
         14) "F (x) => (y) { y = Relu (x) }",
     13,
     .words = "function 'F', called by node 1 (F): node 0 (Relu): 14 to 13: OPS015 input-type: 'x' is int32, which "
              "Relu-13 does not take; insert a Cast, or go to opset 14 or up"},
    {"functions that call such a function are written for each case, too",
     CALLS(14) "g (float[2] x, int8[2] z, bool c) => (float[2] y, int8[2] w) { y = d.G (x) w = If (c) <then_branch = t "
               "() => (p) { p = d.G (z) }, else_branch = e () => (q) { q = d.F (z) }> }\n" F(
                   14) "F (x) => (y) { y = Add (x, x) }\n" G(14) "G (x) => (y) { y = d.F (x) }",
     13,
     .after =
         CALLS(13) "g (float[2] x, int8[2] z, bool c) => (float[2] y, int8[2] w) { y = d.G (x) w = If (c) "
                   "<then_branch = t () => (p) { p = d.G_1 (z) }, else_branch = e () => (q) { q = d.F (z) }> }\n" F(
                       13) "F (x) => (y) { y_a = Cast <to = 6> (x) y_b = Cast <to = 6> (x) y_sum = Add (y_a, "
                           "y_b) y = Cast <to = 3> (y_sum) }\n" F(13) "F_1 (x) => (y) { y = Add (x, x) }\n" G(
                               13) "G (x) => (y) { y = d.F_1 (x) }\n" G(13) "G_1 (x) => (y) { y = d.F (x) }"},
    {"a name that the model has is not given again",
     CALLS(14) "g (float[2] F_1, int8[2] z) => (float[2] y, int8[2] w) { y = d.F (F_1) w = d.F (z) }\n" F(
         14) "F (x) => (y) { y = Add (x, x) }",
     13,
     .after = CALLS(13) "g (float[2] F_1, int8[2] z) => (float[2] y, int8[2] w) { y = d.F (F_1) w = d.F_2 (z) }\n" F(
         13) "F (x) => (y) { y = Add (x, x) }\n" F(13) "F_2 (x) => (y) { y_a = Cast <to = 6> (x) y_b = Cast <to = 6> "
                                                       "(x) y_sum = Add (y_a, y_b) y = Cast <to = "
                                                       "3> (y_sum) }"},
    {"a function that nothing reaches moves from its own opset",
     CALLS(18) "g (float[2] x) => (float[2] y) { y = Neg (x) }\n" F(
         17) "F (x) => (y) { y = ReduceMean <axes = [0]> (x) }",
     20,
     .after = CALLS(20) "g (float[2] x) => (float[2] y) { y = Neg (x) }\n" F(
         20) "F (x) => (y) { y_axes = Constant <value = int64[1] {0}> () y = ReduceMean (x, y_axes) }"},
    {"one that is called does not: runtimes differ",
     CALLS(18) "g (float[2] x) => (float[1] y) { y = d.F (x) }\n" F(
         17) "F (x) => (y) { y = ReduceMean <axes = [0]> (x) }",
     20,
     .words = "function 'F': node 0 (ReduceMean): 18 to 20: GRF027 function-opset: the function imports opset 17 and "
              "the model "
              "opset 18, and ReduceMean is not the same at both; give both one opset where the model is made"},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_case(&cases[i]);
    return done();
}
