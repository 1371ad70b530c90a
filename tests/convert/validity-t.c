/* Results are valid at the target: parts that the target lacks are removed or refused, and a function's attributes
 * that calls omit are absent there. */
#include "tests/convert/case.h"
#include "tests/tap/tap.h"

#define F(domain, opset) "<domain: \"" domain "\", opset_import: [\"\" : " #opset "]> "

static const struct conversion_case cases[] = {
    {"empty inputs behind the target's last one go",
     MODEL(18, 8, "g (float[2, 3] x, int64[4] p) => (float[n, m] y) { y = Pad (x, p, \"\", \"\") }"), 17,
     .after = MODEL(17, 8, "g (float[2, 3] x, int64[4] p) => (float[n, m] y) { y = Pad (x, p, \"\") }")},
    {"empty outputs too",
     MODEL(8, 8, "g (float[1, 1, 4, 4] x) => (float[a, b, c, d] y) { y, \"\" = MaxPool <kernel_shape = [2, 2]> (x) }"),
     7,
     .after =
         MODEL(7, 8, "g (float[1, 1, 4, 4] x) => (float[a, b, c, d] y) { y = MaxPool <kernel_shape = [2, 2]> (x) }")},
    {"an output that is not used is not in the way",
     MODEL(6, 8, "g (float[2] x) => (float[2] y) <bool[2] m> { y, m = Dropout <is_test = 1> (x) }"), 7,
     .after = MODEL(7, 8, "g (float[2] x) => (float[2] y) { y = Dropout (x) }")},
    {"one that is read is",
     MODEL(6, 8, "g (float[2] x) => (float[2] y, float[2] m) { y, m = Dropout <is_test = 1> (x) }"), 7,
     .words = "node 0 (Dropout): 6 to 7: the mask is not filled in inference; remove the output"},
    {"an output that the target does not have",
     MODEL(9, 8,
           "g (float[1, 1, 4, 4] x, float[1] s, float[1] b, float[1] m, float[1] v) => (float[1] c, float[1] d) "
           "{ y, \"\", \"\", c, d = BatchNormalization (x, s, b, m, v) }"),
     14, .words = "node 0 (BatchNormalization): 13 to 14: "},
    {"what was invalid before may stay so: outputs that no opset has",
     MODEL(13, 7, "g (float[3] x, float m) => (float[3] y) { y, \"\", z, \"\" = Clip (x, \"\", m) }"), 11,
     .after = MODEL(11, 7, "g (float[3] x, float m) => (float[3] y) { y, \"\", z = Clip (x, \"\", m) }")},
    {"and an input that is missing", MODEL(11, 6, "g (float[3] x) => (float[3] y) { y = Dropout <ratio = 0.5> () }"),
     12,
     .after = MODEL(12, 6, "g (float[3] x) => (float[3] y) <float y_ratio = {0.5}> { y = Dropout (\"\", y_ratio) }")},
    {"and a node without outputs, which is replaced by none",
     MODEL(13, 7, "g (int16[6] x, int16[6] y) => (int16[6] z) { = Mod (x, y) }"), 7,
     .after = MODEL(7, 7, "g (int16[6] x, int16[6] y) => (int16[6] z) { }")},
    {"an attribute that the target needs",
     MODEL(1, 8, "g (float[1, 1, 4, 4] x) => (float[a, b, c, d] y) { y = LpPool (x) }"), 2,
     .words = "node 0 (LpPool): 1 to 2: kernel_shape is not given, and opset 2 needs it; give it"},
    {"below opset 9 and IR 4 whole numbers are cast from a Constant of double",
     MODEL(4, 3, "g (float[4] x) => (float[a, b] y) { y = Reshape <shape = [2, 2]> (x) }"), 5,
     .after = MODEL(5, 3,
                    "g (float[4] x) => (float[a, b] y) { y_number = Constant <value = double[2] {2.0, 2.0}> () "
                    "y_shape = Cast <to = \"INT64\"> (y_number) y = Reshape (x, y_shape) }")},
    {"and from opset 6 on the Cast has a number",
     MODEL(4, 3, "g (float[4] x) => (float[a, b] y) { y = Reshape <shape = [2, 2]> (x) }"), 6,
     .after = MODEL(6, 3,
                    "g (float[4] x) => (float[a, b] y) { y_number = Constant <value = double[2] {2.0, 2.0}> () "
                    "y_shape = Cast <to = 7> (y_number) y = Reshape (x, y_shape) }")},
    {"a number that is none of double",
     MODEL(4, 3, "g (float[n] x) => (float[a] y) { y = Reshape <shape = [9007199254740993]> (x) }"), 5,
     .words =
         "it needs a constant of the number 9007199254740993, which below opset 9 and IR version 4 cannot be written; "
         "raise "
         "the IR version (--ir-version 4), or go to opset 9 or up"},
    {"a parameter that no call gives is absent",
     "<ir_version: 8, opset_import: [\"\" : 11, \"d\" : 1]>\ng (float[2, 1] x) => (float[a] y) { y = d.F (x) }\n" F(
         "d", 11) "F <ls> (x) => (y) { y = Squeeze <axes: ints = @ls> (x) }",
     13,
     .after =
         "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]>\ng (float[2, 1] x) => (float[a] y) { y = d.F (x) }\n" F(
             "d", 13) "F <ls> (x) => (y) { y = Squeeze (x) }"},
    {"one that all calls give follows into the input",
     "<ir_version: 8, opset_import: [\"\" : 11, \"d\" : 1]>\ng (float[2, 1] x) => (float[a] y) { y = d.F <ls = [1]> "
     "(x) }\n" F("d", 11) "F <ls> (x) => (y) { y = Squeeze <axes: ints = @ls> (x) }",
     13,
     .after =
         "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]>\ng (float[2, 1] x) => (float[a] y) { y = d.F <ls = "
         "[1]> "
         "(x) }\n" F("d",
                     13) "F <ls> (x) => (y) { y_axes = Constant <value_ints: ints = @ls> () y = Squeeze (x, y_axes) }"},
    {"one that some calls leave out: the function is written for both",
     "<ir_version: 8, opset_import: [\"\" : 11, \"d\" : 1]>\n"
     "g (float[2, 1] x) => (float[a] y, float[b] z) { y = d.F <ls = [1]> (x) z = d.F (x) }\n" F(
         "d", 11) "F <ls> (x) => (y) { y = Squeeze <axes: ints = @ls> (x) }",
     13,
     .after = "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]>\n"
              "g (float[2, 1] x) => (float[a] y, float[b] z) { y = d.F <ls = [1]> (x) z = d.F_1 (x) }\n" F(
                  "d", 13) "F <ls> (x) => (y) { y_axes = Constant <value_ints: ints = @ls> () y = Squeeze (x, y_axes) "
                           "}\n" F("d", 13) "F_1 <ls> (x) => (y) { y = Squeeze (x) }"},
    {"through another function too",
     "<ir_version: 8, opset_import: [\"\" : 11, \"d\" : 1]>\n"
     "g (float[2, 1] x) => (float[a] y, float[b] z) { y = d.G <ks = [1]> (x) z = d.G (x) }\n" F(
         "d",
         11) "F <ls> (x) => (y) { y = Squeeze <axes: ints = @ls> (x) }\n"
             "<domain: \"d\", opset_import: [\"\" : 11, \"d\" : 1]> G <ks> (x) => (y) { y = d.F <ls: ints = @ks> (x) }",
     13,
     .after = "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]>\n"
              "g (float[2, 1] x) => (float[a] y, float[b] z) { y = d.G <ks = [1]> (x) z = d.G_1 (x) }\n" F(
                  "d", 13) "F <ls> (x) => (y) { y_axes = Constant <value_ints: ints = @ls> () y = Squeeze (x, y_axes) "
                           "}\n" F("d", 13) "F_1 <ls> (x) => (y) { y = Squeeze (x) }\n"
                                            "<domain: \"d\", opset_import: [\"\" : 13, \"d\" : 1]> G <ks> (x) => (y) { "
                                            "y = d.F <ls: ints = @ks> (x) }\n"
                                            "<domain: \"d\", opset_import: [\"\" : 13, \"d\" : 1]> G_1 <ks> (x) => (y) "
                                            "{ y = d.F_1 <ls: ints = @ks> (x) }"},
    {"and kept where it does not",
     "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]>\n"
     "g (float[2, 1] x) => (float[2, 1] y, float[2, 1] z) { y = d.F <e = 0.5> (x) z = d.F (x) }\n" F(
         "d", 13) "F <e> (x) => (y) { y = Elu <alpha: float = @e> (x) }",
     12,
     .after = "<ir_version: 8, opset_import: [\"\" : 12, \"d\" : 1]>\n"
              "g (float[2, 1] x) => (float[2, 1] y, float[2, 1] z) { y = d.F <e = 0.5> (x) z = d.F (x) }\n" F(
                  "d", 12) "F <e> (x) => (y) { y = Elu <alpha: float = @e> (x) }"},
    {"a default changes what its absence means, and with it the call that leaves it out",
     "<ir_version: 8, opset_import: [\"\" : 12, \"d\" : 1]>\n"
     "g (float[2, 1] x) => (float[2, 1] y, float[2, 1] z) { y = d.F <a = -1> (x) z = d.F (x) }\n" F(
         "d", 12) "F <a> (x) => (y) { y = Softmax <axis: int = @a> (x) }",
     13,
     .after =
         "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]>\n"
         "g (float[2, 1] x) => (float[2, 1] y, float[2, 1] z) { y = d.F <a = -1> (x) z = d.F_1 (x) }\n" F(
             "d", 13) "F <a> (x) => (y) { y = Softmax <axis: int = @a> (x) }\n" F("d", 13) "F_1 <a> (x) => (y) { y = "
                                                                                           "Softmax <axis = 1> (x) }"},
    {"below opset 12 no Constant takes its value from a parameter",
     "<ir_version: 8, opset_import: [\"\" : 9, \"d\" : 1]>\ng (float[2, 1] x) => (float[a, b] y) { y = Neg (x) }\n" F(
         "d", 9) "F <st> (x) => (y) { y = Slice <starts: ints = @st, ends = [1], axes = [0]> (x) }",
     10, .goal.strict = true,
     .words =
         "function 'F': node 0 (Slice): 9 to 10: its value is the function's attribute 'st', and below opset 12 no "
         "Constant "
         "takes its value from one; write it into the function, or go to opset 12 or up"},
    {"the value that all calls give does",
     "<ir_version: 8, opset_import: [\"\" : 9, \"d\" : 1]>\ng (float[2, 1] x) => (float[a, b] y) { y = d.F <st = [0]> "
     "(x) }\n" F("d", 9) "F <st> (x) => (y) { y = Slice <starts: ints = @st, ends = [1], axes = [0]> (x) }",
     10,
     .after =
         "<ir_version: 8, opset_import: [\"\" : 10, \"d\" : 1]>\ng (float[2, 1] x) => (float[a, b] y) "
         "{ y = d.F <st = [0]> (x) }\n" F(
             "d", 10) "F <st> (x) => (y) "
                      "{ y_starts = Constant <value = int64[1] {0}> () y_ends = Constant <value = int64[1] {1}> () "
                      "y = Slice (x, y_starts, y_ends, y_starts) }"},
    {"a function with the name of an operator that changes",
     MODEL(
         12, 8,
         "g (float[2, 1] x) => (float[a, b] y) { y = Softmax (x) }\n" F("", 12) "Softmax (x) => (y) { y = Relu (x) }"),
     13,
     .words = "node 0 (Softmax): 12 to 13: the model has a function Softmax in the domain of ai.onnx, and the operator "
              "of that "
              "name is not the same at both opsets; which of the two runs is up to the runtime; give the function "
              "another name "
              "or domain"},
    {"and of one that does not",
     MODEL(11, 8,
           "g (float[2, 1] x) => (float[a, b] y) { y = Selu (x) }\n" F("", 11) "Selu (x) => (y) { y = Elu (x) }"),
     12,
     .after = MODEL(
         12, 8, "g (float[2, 1] x) => (float[a, b] y) { y = Selu (x) }\n" F("", 12) "Selu (x) => (y) { y = Elu (x) }")},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_case(&cases[i]);
    return done();
}
