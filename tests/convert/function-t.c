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
    {"a condition on an attribute that nobody gives selects no body",
     CALLS(9) "g (float[1, 1, 2, 2] x) => (float[1, 1, 2, 2] y) { y = Neg (x) }\n" F(
         9) "F <m> (x, s) => (y) { y = Upsample <mode : string = @m> (x, s) }",
     15,
     .words = "function 'F': node 0 (Upsample): 10 to 11: attribute 'mode' is a parameter of the function, whose value "
              "is not known here; give it as a number at the node"},
    {"an assumption that the only call contradicts",
     CALLS(14) "g (float[a, b] x) => (float[c, e] y) { s = Constant <value = int64[2] {0, 0}> () y = d.F (x, s) }\n" F(
         14) "F (x, s) => (y) { y = Reshape <allowzero = 1> (x, s) }",
     13,
     .words = "function 'F': node 0 (Reshape): 14 to 13: attribute 'allowzero' does not exist at opset 13 and has "
              "another value than its default"},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_case(&cases[i]);
    return done();
}
