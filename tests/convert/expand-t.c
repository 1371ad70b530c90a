/* Nodes from replacements become part of the model: converted further, with fresh names and shared constants. The
 * rules are in tests/convert/replace. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/convert/case.h"
#include "tests/tap/tap.h"

#define FUNCTION_MODEL(opset, rest)                                                                                    \
    "<ir_version: 8, opset_import: [\"\" : " #opset ", \"d\" : 1]>\n"                                                  \
    "g (float[4] x, float s) => (float[4] y) { y = d.f (x, s) }\n"                                                     \
    "<domain: \"d\", opset_import: [\"\" : " #opset "]>\n"                                                             \
    "f (x, s) => (y) { " rest " }"
static const struct conversion_case cases[] = {
    {"a chain: nodes that are replaced in turn, and names that are taken",
     MODEL(20, 10, "g (float[2] x) => (float[2] y) { y_inner = Mish (x) y = Gelu (y_inner) }"), 17,
     .after = MODEL(
         17, 10,
         "g (float[2] x) => (float[2] y) { y_inner_soft_1 = Softplus (x) y_inner_bounded_1 = Tanh (y_inner_soft_1) "
         "y_inner = Mul (x, y_inner_bounded_1) y_inner_soft = Softplus (y_inner) "
         "y_inner_bounded = Tanh (y_inner_soft) y_inner_1 = Mul (y_inner, y_inner_bounded) "
         "y_Y_soft = Softplus (y_inner_1) y_Y_bounded = Tanh (y_Y_soft) y = Mul (y_inner_1, y_Y_bounded) }")},
    {"an input and outputs that are absent, a constant of the input's type, several nodes that share it",
     MODEL(17, 8,
           "g (double[N, 4] x, double s) => (y, m) { y = LayerNormalization (x, s) z, m, v = LayerNormalization (y, s) "
           "}"),
     16,
     .after = MODEL(
         16, 8,
         "g (double[N, 4] x, double s) => (y, m) <double y_epsilon_x = {0.5}> { y_Mean = ReduceMean <axes = [-1]> (x) "
         "y_centered = Sub (x, y_Mean) y_normal = Add (y_centered, y_epsilon_x) y = Clip (y_normal, s) "
         "m = ReduceMean <axes = [-1]> (y) }")},
    {"nodes of which only the type differs, and then nothing",
     MODEL(17, 8,
           "g (double[4] x, double s, float[4] u, float t) => (y, v, w) { y = LayerNormalization (x, s) "
           "v = LayerNormalization (u, t) w = LayerNormalization (u, t) }"),
     16,
     .after = MODEL(
         16, 8,
         "g (double[4] x, double s, float[4] u, float t) => (y, v, w) <float w_epsilon_x = {0.5}, double y_epsilon_x "
         "= {0.5}> { y_Mean = ReduceMean <axes = [-1]> (x) y_centered = Sub (x, y_Mean) "
         "y_normal = Add (y_centered, y_epsilon_x) y = Clip (y_normal, s) "
         "v_Mean = ReduceMean <axes = [-1]> (u) v_centered = Sub (u, v_Mean) "
         "v_normal = Add (v_centered, w_epsilon_x) v = Clip (v_normal, t) "
         "w_Mean = ReduceMean <axes = [-1]> (u) w_centered = Sub (u, w_Mean) "
         "w_normal = Add (w_centered, w_epsilon_x) w = Clip (w_normal, t) }")},
    {"nodes without a type", MODEL(17, 8, "g (x, s) => (y) { y = LayerNormalization (x, s) }"), 16,
     .after = MODEL(
         16, 8,
         "g (x, s) => (y) <float y_epsilon = {0.5}> { y_Mean = ReduceMean <axes = [-1]> (x) y_centered = Sub (x, "
         "y_Mean) y_epsilon_x = CastLike (y_epsilon, x) y_normal = Add (y_centered, y_epsilon_x) y = Clip (y_normal, "
         "s) }")},
    {"the node that gives the first output keeps the name",
     MODEL(17, 3,
           "g (float[4] x, float s) => (float[4] y, float[4] z) { [first] y = LayerNormalization (x, s) "
           "[second] z = LayerNormalization (x, s) }"),
     16,
     .after = MODEL(
         16, 3,
         "g (float[4] x, float s) => (float[4] y, float[4] z) { second_epsilon_x = Constant <value = float {0.5}> () "
         "first_Mean = ReduceMean <axes = [-1]> (x) first_centered = Sub (x, first_Mean) "
         "first_normal = Add (first_centered, second_epsilon_x) [first] y = Clip (first_normal, s) "
         "second_Mean = ReduceMean <axes = [-1]> (x) second_centered = Sub (x, second_Mean) "
         "second_normal = Add (second_centered, second_epsilon_x) [second] z = Clip (second_normal, s) }")},
    {"graphs inside, and what follows from a shape that is known",
     MODEL(14, 7, "g (float[2, 2] x) => (y) { y = Trilu (x) }"), 13,
     .after = MODEL(
         13, 7,
         "g (float[2, 2] x) => (y) <bool y_scalar = {0}> { y = If (y_scalar) < then_branch = t () => (y_kept) { "
         "y_kept = Identity (x) }, else_branch = e () => (y_kept_1) { y_moved = Neg (x) y_kept_1 = Abs (y_moved) } > "
         "}")},
    {"and one that is not, with names that are taken",
     MODEL(14, 7, "g (float[N, M] kept) => (y_shape) { y = Neg (kept) y_shape = Trilu (y) }"), 12,
     .after = MODEL(
         12, 7,
         "g (float[N, M] kept) => (y_shape) <int64[1] y_shape_zero = {0}, int64[1] y_shape_one = {1}> { "
         "y = Neg (kept) y_shape_shape = Shape (y) y_shape_dim = Gather (y_shape_shape, y_shape_zero) "
         "y_shape_more = Add (y_shape_dim, y_shape_one) y_shape_flag = Equal (y_shape_more, y_shape_one) "
         "y_shape_scalar = Squeeze (y_shape_flag) y_shape = If (y_shape_scalar) < then_branch = t () => "
         "(y_shape_kept) { y_shape_kept = Identity (y) }, else_branch = e () => (y_shape_kept_1) { y_shape_moved = "
         "Neg (y) y_shape_kept_1 = Abs (y_shape_moved) } > }")},
    {"in a function, where constants are nodes", FUNCTION_MODEL(17, "y = LayerNormalization (x, s)"), 16,
     .after = FUNCTION_MODEL(
         16, "y_epsilon_x = Constant <value = float {0.5}> () y_Mean = ReduceMean <axes = [-1]> (x) "
             "y_centered = Sub (x, y_Mean) y_normal = Add (y_centered, y_epsilon_x) y = Clip (y_normal, s)")},
    {"in the body of a loop",
     MODEL(
         18, 3,
         "g (float[4] x, int64 n, bool c) => (y) { y = Loop (n, c, x) <body = b (int64 i, bool k, a) => (bool k2, a2) "
         "{ k2 = Identity (k) a2 = Mish (a) }> }"),
     5,
     .after = MODEL(
         5, 3,
         "g (float[4] x, int64 n, bool c) => (y) { y = Loop (n, c, x) <body = b (int64 i, bool k, a) => (bool k2, a2) "
         "{ k2 = Identity (k) a2_soft = Softplus (a) a2_bounded = Tanh (a2_soft) a2 = Mul (a, a2_bounded) }> }")},
    {"an output in the way that nobody reads", MODEL(11, 6, "g (float[4] x) => (y) { y, m = Dropout (x) }"), 12,
     .after = MODEL(12, 6, "g (float[4] x) => (y) { y = Dropout (x) }")},
    {"and one that is read", MODEL(11, 6, "g (float[4] x) => (y, m) { y, m = Dropout (x) }"), 12,
     .words = "the mask is in the way"},
    {"of a type that the target does not take", MODEL(11, 6, "g (float[4] x) => (y) { y, m = Dropout (x) }"), 7,
     .after = MODEL(7, 6, "g (float[4] x) => (y) { y = Dropout (x) }")},
    {"what is nearly the same is not wanted", MODEL(15, 8, "g (double[2] x, l) => (y) { y = CastLike (x, l) }"), 14,
     .words = "CastLike can be replaced by nodes that give nearly the same, and no others are known; allow it "
              "(--allow-approximate), or stay at opset 15 or above"},
    {"or is", MODEL(15, 8, "g (double[2] x, l) => (y) { y = CastLike (x, l) }"), 14,
     .after = MODEL(14, 8, "g (double[2] x, l) => (y) { y = Cast <to = 1> (x) }"), .goal.allow_approximate = true},
    {"a rule that keeps what is not there", MODEL(14, 7, "g (float[2] x) => (y) { y = HardSwish (x) }"), 13,
     .words = "the operator does not exist at the target, and the rules keep it; fix the rule"},
    {"a rule that leaves what is not there", MODEL(12, 7, "g (float[2] x) => (y) { y = Celu <alpha = 2.0> (x) }"), 11,
     .words = "celu.yaml: the result would not be valid: opset 11 has no Celu; fix the rule"},
    {"a rule that needs itself for ever", MODEL(24, 11, "g (float[2] x) => (y) { y = Swish (x) }"), 23,
     .words = "replacing Swish takes more than 8 replacements one inside the other; fix the rule"},
    {"a rule whose nodes are wrong", MODEL(18, 8, "g (float[2] x, int64[1] s) => (y) { y = CenterCropPad (x, s) }"), 17,
     .words = ": 18 to 17: CenterCropPad is replaced by Sub, of which Sub: OPS016 types-differ: input 0 is float and "
              "input 1 is "
              "int64, and Sub-14 requires the same type for both; insert a Cast before one of them"},
    {"a node that no opset below takes, with the model's names",
     MODEL(17, 8, "g (bfloat16[2] x, bfloat16[2] s) => (y) { y = LayerNormalization (x, s) }"), 12,
     .words = "of which ReduceMean: OPS015 input-type: 'x' is bfloat16, which ReduceMean-11 does not take"},
    {"what is not known is assumed", MODEL(18, 3, "g (x) => (y) { y = Mish (x) }"), 7,
     .after = MODEL(7, 3, "g (x) => (y) { y_soft = Softplus (x) y_bounded = Tanh (y_soft) y = Mul (x, y_bounded) }")},
    {"but not strictly", MODEL(18, 3, "g (x) => (y) { y = Mish (x) }"), 7,
     .words = "of which Tanh: the type of 'soft' inside is unknown", .goal.strict = true},
};

int main(void)
{
    const char *source = getenv("srcdir");
    char directory[512];
    struct opshift_rules *rules = NULL;
    struct opshift_error error = {0};
    snprintf(directory, sizeof(directory), "%s/tests/convert/replace", source ? source : ".");
    const char *directories[] = {directory};
    is_int(OPSHIFT_OK, opshift_rules_load(directories, 1, &rules, &error), "the rules load");
    for (size_t i = 0; rules && i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct conversion_case test = cases[i];
        test.goal.rules = rules;
        check_case(&test);
    }
    opshift_rules_free(rules);
    return done();
}
