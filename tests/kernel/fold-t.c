/* Constant folding: values, and the reasons if there is none. */
#include "kernel/fold.h"

#include <string.h>

#include "tests/kernel/call.h"
#include "tests/tap/tap.h"

#define MODEL(graph) "<ir_version: 8, opset_import: [\"\" : 13]>\nmain " graph

struct fold_case {
    const char *what, *model;
    bool freeze;
    const char *wanted; /* of the name "s", seen from the main graph: its value, or the reason why it has none */
};

static const struct fold_case cases[] = {
    {"an initializer", MODEL("(float[2] x) => (float[2] y) <int64[2] s = {1, 2}> { y = Relu(x) }"), false,
     "int64[2]{1,2}"},
    {"a Constant", MODEL("(float[2] x) => (float[2] y) { s = Constant<value_ints = [1, 2]>() y = Relu(x) }"), false,
     "int64[2]{1,2}"},
    {"a Constant that says what another says",
     MODEL("(float[2] x) => (float[2] y) { r = Constant<value_ints = [1, 2]>() t = Constant<value_ints = [1, 3]>()"
           " s = Constant<value_ints = [1, 2]>() y = Relu(x) }"),
     false, "int64[2]{1,2}"},
    {"a Constant that is a number", MODEL("(float[2] x) => (float[2] y) { s = Constant<value_int = 5>() y = Relu(x) }"),
     false, "int64{5}"},
    {"a Constant that is a list of none",
     MODEL("(float[2] x) => (float[2] y) { s = Constant<value_ints: ints = []>() y = Relu(x) }"), false, "int64[0]{}"},
    {"a Constant that holds a tensor",
     MODEL("(float[2] x) => (float[2] y) { s = Constant<value = float[1, 2] {1, 2}>() y = Relu(x) }"), false,
     "float[1,2]{1,2}"},
    {"a Constant that holds a text",
     MODEL("(float[2] x) => (float[2] y) { s = Constant<value = string[1] {\"t\"}>() y = Relu(x) }"), false,
     "string[1]{t}"},
    {"a Constant that holds fractions",
     MODEL("(float[2] x) => (float[2] y) { s = Constant<value_floats = [1.5, 2.5]>() y = Relu(x) }"), false,
     "float[2]{1.5,2.5}"},
    {"a tensor in a Constant at the first opset",
     "<ir_version: 3, opset_import: [\"\" : 1]>\n"
     "main (float[2] x) => (float[2] y) { s = Constant<value = int64[2] {1, 2}>() y = Relu(x) }",
     false, "int64[2]{1,2}"},
    {"numbers in a Constant before there were any",
     "<ir_version: 6, opset_import: [\"\" : 11]>\n"
     "main (float[2] x) => (float[2] y) { s = Constant<value_ints = [1, 2]>() y = Relu(x) }",
     false, "computed by Constant, which fails (Constant: has no attribute 'value_ints' at opset 11)"},
    {"a number in a Constant before there were any",
     "<ir_version: 6, opset_import: [\"\" : 11]>\n"
     "main (float[2] x) => (float[2] y) { s = Constant<value_int = 1>() y = Relu(x) }",
     false, "computed by Constant, which fails (Constant: has no attribute 'value_int' at opset 11)"},
    {"a Constant of an opset that is not known",
     "<ir_version: 8, opset_import: [\"\" : 999]>\n"
     "main (float[2] x) => (float[2] y) { s = Constant<value_int = 1>() y = Relu(x) }",
     false, "computed by Constant"},
    {"a Constant of no opset",
     "<ir_version: 8, opset_import: [\"our\" : 1]>\n"
     "main (float[2] x) => (float[2] y) { s = Constant<value = int64[2] {1, 2}>() y = Relu(x) }",
     false, "computed by Constant"},
    {"a Constant of another domain",
     "<ir_version: 8, opset_import: [\"\" : 13, \"our\" : 1]>\n"
     "main (float[2] x) => (float[2] y) { s = our.Constant<value_int = 1>() y = Relu(x) }",
     false, "computed by our.Constant"},
    {"a function of the name Constant",
     "<ir_version: 8, opset_import: [\"\" : 13]>\n"
     "main (float[2] x) => (float[2] y) { s = Constant<value_int = 1>() y = Relu(x) }\n"
     "<domain: \"\", opset_import: [\"\" : 13]>\n"
     "Constant <value_int> () => (q) { q = Identity(q) }",
     false, "computed by the function Constant"},
    {"a Constant with an input",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {1}> { s = Constant<value_int = 1>(a) y = Relu(x) }"), false,
     "computed by Constant, which fails (Constant: has 1 inputs, takes at most 0 at opset 13)"},
    {"a Constant with an input that is not there",
     MODEL("(float[2] x) => (float[2] y) { s = Constant<value_int = 1>(\"\") y = Relu(x) }"), false,
     "computed by Constant, which fails (Constant: has 1 inputs, takes at most 0 at opset 13)"},
    {"a Constant with two outputs",
     MODEL("(float[2] x) => (float[2] y) { s, t = Constant<value_int = 1>() y = Relu(x) }"), false,
     "computed by Constant, which fails (Constant: has 2 outputs, gives exactly 1)"},
    {"a second output of a Constant",
     MODEL("(float[2] x) => (float[2] y) { t, s = Constant<value_int = 1>() y = Relu(x) }"), false,
     "computed by Constant, which fails (Constant: has 2 outputs, gives exactly 1)"},
    {"a Constant with two values",
     MODEL("(float[2] x) => (float[2] y) { s = Constant<value_int = 1, value_ints = [1]>() y = Relu(x) }"), false,
     "computed by Constant, which fails (Constant: Constant-13 has 2 of the attributes value value_int value_ints "
     "value_float value_floats value_string value_strings sparse_value; keep the intended one)"},
    {"a Constant with a value of another type",
     MODEL("(float[2] x) => (float[2] y) { s = Constant<value = 1>() y = Relu(x) }"), false,
     "computed by Constant, which fails (Constant: attribute 'value' is INT, must be TENSOR)"},
    {"a Constant of no value", MODEL("(float[2] x) => (float[2] y) { s = Constant() y = Relu(x) }"), false,
     "computed by Constant, which fails (Constant: Constant-13 needs one of the attributes value value_int value_ints "
     "value_float value_floats value_string value_strings sparse_value; give it)"},
    {"another operator that holds what a Constant does",
     MODEL("(float[2] x) => (float[2] y) { t = Constant<value_int = 1>() s = Nobody<value_int = 1>() y = Relu(x) }"),
     false, "computed by Nobody"},
    {"a chain of nodes",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {1}, int64[1] b = {4}> {"
           " c = Identity(a) d = Sub(b, c) s = Concat<axis = 0>(c, d) y = Relu(x) }"),
     false, "int64[2]{1,3}"},
    {"the shape of a value whose type is declared",
     MODEL("(float[2, 5] x) => (float[2, 5] y) { s = Shape(x) y = Relu(x) }"), false, "int64[2]{2,5}"},
    {"the size of one", MODEL("(float[2, 5] x) => (float[2, 5] y) { s = Size(x) y = Relu(x) }"), false, "int64{10}"},
    {"nodes that compute the same from the same",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {1}, int64[1] b = {4}> {"
           " c = Sub(b, a) d = Sub(b, a) e = Sub(a, b) s = Concat<axis = 0>(c, d, e) y = Relu(x) }"),
     false, "int64[3]{3,3,-3}"},
    {"nodes that differ in an attribute",
     MODEL("(float[2] x) => (float[2] y) <int64[1, 2] a = {1, 2}> { c = Concat<axis = 0>(a, a)"
           " d = Concat<axis = 1>(a, a) e = Shape(c) f = Shape(d) s = Concat<axis = 0>(e, f) y = Relu(x) }"),
     false, "int64[4]{2,2,1,4}"},
    {"nodes that differ in their operator",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {1}, int64[1] b = {4}> {"
           " c = Sub(a, b) d = Mul(a, b) s = Concat<axis = 0>(c, d) y = Relu(x) }"),
     false, "int64[2]{-3,4}"},
    {"one output of several",
     MODEL("(float[2] x) => (float[2] y) <int64[2] a = {7, 8}> { r, s = Split(a) y = Relu(x) }"), false, "int64[1]{8}"},
    {"an initializer that a caller may override, frozen",
     MODEL("(float[2] x, int64[2] s = {1, 2}) => (float[2] y) { y = Relu(x) }"), true, "int64[2]{1,2}"},
    {"an initializer that a caller may override",
     MODEL("(float[2] x, int64[2] s = {1, 2}) => (float[2] y) { y = Relu(x) }"), false,
     "an initializer that a caller may override (--freeze-initializers takes its value)"},
    {"the same where initializers had to be inputs",
     "<ir_version: 3, opset_import: [\"\" : 8]>\n"
     "main (float[2] x, int64[2] s = {1, 2}) => (float[2] y) { y = Relu(x) }",
     false, "int64[2]{1,2}"},
    {"a graph input", MODEL("(float[2] x, int64[2] s) => (float[2] y) { y = Relu(x) }"), false, "a graph input"},
    {"a node without a kernel", MODEL("(float[2] x) => (float[2] y) { s = NonZero(x) y = Relu(x) }"), false,
     "computed by NonZero"},
    {"a node of another domain",
     "<ir_version: 8, opset_import: [\"\" : 13, \"our\" : 1]>\n"
     "main (float[2] x) => (float[2] y) { s = our.Foo(x) y = Relu(x) }",
     false, "computed by our.Foo"},
    {"the shape of an unknown dim", MODEL("(float[N] x) => (float[N] y) { s = Shape(x) y = Relu(x) }"), false,
     "computed by Shape"},
    {"a node that fails",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {1}, int64[1] b = {0}> { s = Div(a, b) y = Relu(x) }"), false,
     "computed by Div, which fails (Div: division by zero at element 0)"},
    {"nodes in a circle", MODEL("(float[2] x) => (float[2] y) { s = Neg(t) t = Neg(s) y = Relu(x) }"), false,
     "computed by Neg"},
    {"a value that takes too much",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {99999999}> { s = ConstantOfShape(a) y = Relu(x) }"), false,
     "computed by ConstantOfShape, and takes more than 16 MiB"},
    {"lengths without end",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {60000000}, int64[1] b = {1}> { s = Expand(b, a) y = Relu(x) }"),
     false, "computed by Expand, and takes more than 16 MiB"},
    {"a sparse value that claims gigabytes",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {9223372036854775807}> { s = ConstantOfShape(a) y = Relu(x) }"),
     false, "computed by ConstantOfShape, and takes more than 16 MiB"},
    {"work without end",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {1000000}, int64[1] b = {2}> { c = ConstantOfShape(a)"
           " t, s = TopK<axis = 0>(c, b) y = Relu(x) }"),
     false, "computed by TopK, and takes too long to compute"},
    {"what follows from that",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {1000000}, int64[1] b = {2}> { c = ConstantOfShape(a)"
           " t, i = TopK<axis = 0>(c, b) j = Neg(i) s = Neg(j) y = Relu(x) }"),
     false, "computed by Neg, from a value that takes too long to compute"},
    {"more work than all constants together may take",
     MODEL("(float[2] x) => (float[2] y) <int64[2] a = {440, 440}> { c = ConstantOfShape(a)"
           " d1 = MatMul(c, c) d2 = MatMul(d1, c) d3 = MatMul(d2, c) d4 = MatMul(d3, c) d5 = MatMul(d4, c)"
           " d6 = MatMul(d5, c) d7 = MatMul(d6, c) d8 = MatMul(d7, c) d9 = MatMul(d8, c) d10 = MatMul(d9, c)"
           " d11 = MatMul(d10, c) s = MatMul(d11, c) y = Relu(x) }"),
     false, "computed by MatMul, and the constants of the model take too long to compute"},
    {"rows without elements, gathered",
     MODEL("(float[2] x) => (float[2] y) <int64[2] a = {1099511627776, 0}, int64[0] b = {}> { c = ConstantOfShape(a)"
           " d = Gather<axis = 1>(c, b) s = Size(d) y = Relu(x) }"),
     false, "int64{0}"},
    {"rows without elements, multiplied",
     MODEL("(float[2] x) => (float[2] y) <int64[2] a = {1099511627776, 0}, int64[2] b = {0, 0}> {"
           " c = ConstantOfShape(a) d = ConstantOfShape(b) e = Gemm(c, d) f = MatMul(e, d) s = Size(f) y = Relu(x) }"),
     false, "int64{0}"},
    {"a sum beyond its type",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {9223372036854775807}, int64[1] b = {1}> { s = Add(a, b) y = "
           "Relu(x) }"),
     false, "computed by Add, which fails (Add: a result is beyond int64, where runtimes differ)"},
    {"a sum beyond a small type",
     MODEL("(float[2] x) => (float[2] y) <int32[1] a = {2147483647}, int32[1] b = {1}> { s = Add(a, b) y = Relu(x) }"),
     false, "computed by Add, which fails (Add: a result is beyond int32, where runtimes differ)"},
    {"a difference below what has no sign",
     MODEL("(float[2] x) => (float[2] y) <uint8[1] a = {0}, uint8[1] b = {1}> { s = Sub(a, b) y = Relu(x) }"), false,
     "computed by Sub, which fails (Sub: a result is beyond uint8, where runtimes differ)"},
    {"a product beyond its type",
     MODEL("(float[2] x) => (float[2] y) <int32[1] a = {65536}> { s = Mul(a, a) y = Relu(x) }"), false,
     "computed by Mul, which fails (Mul: a result is beyond int32, where runtimes differ)"},
    {"the least number divided by -1",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {-9223372036854775808}, int64[1] b = {-1}> { s = Div(a, b) y = "
           "Relu(x) }"),
     false, "computed by Div, which fails (Div: the least integer divided by -1 at element 0)"},
    {"the least number negated",
     MODEL("(float[2] x) => (float[2] y) <int32[1] a = {-2147483648}> { s = Neg(a) y = Relu(x) }"), false,
     "computed by Neg, which fails (Neg: a result is beyond int32, where runtimes differ)"},
    {"the size of the least number",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {-9223372036854775808}> { s = Abs(a) y = Relu(x) }"), false,
     "computed by Abs, which fails (Abs: a result is beyond int64, where runtimes differ)"},
    {"a power that some compute as a real one",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {3}, int64[1] b = {35}> { s = Pow(a, b) y = Relu(x) }"), false,
     "computed by Pow, which fails (Pow: a result is beyond int64, where runtimes differ)"},
    {"a power below 1",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {2}, int64[1] b = {-1}> { s = Pow(a, b) y = Relu(x) }"), false,
     "computed by Pow, which fails (Pow: a result is beyond int64, where runtimes differ)"},
    {"a reduced sum beyond its type on the way",
     MODEL("(float[2] x) => (float[2] y) <int32[3] a = {2147483647, 1, -5}, int64[1] b = {0}> { s = ReduceSum<keepdims "
           "= 0>(a, b) y = Relu(x) }"),
     false, "computed by ReduceSum, which fails (ReduceSum: a result is beyond int32, where runtimes differ)"},
    {"a reduced product beyond its type",
     MODEL("(float[2] x) => (float[2] y) <int64[3] a = {4294967296, 4294967296, 0}> { s = ReduceProd<keepdims = 0>(a) "
           "y = Relu(x) }"),
     false, "computed by ReduceProd, which fails (ReduceProd: a result is beyond int64, where runtimes differ)"},
    {"a mean whose sum is beyond its type",
     MODEL("(float[2] x) => (float[2] y) <int32[2] a = {2147483647, 2147483647}> { s = ReduceMean<keepdims = 0>(a) y = "
           "Relu(x) }"),
     false, "computed by ReduceMean, which fails (ReduceMean: a result is beyond int32, where runtimes differ)"},
    {"a running sum beyond its type",
     MODEL(
         "(float[2] x) => (float[2] y) <int32[2] a = {2147483647, 1}, int64 b = {0}> { s = CumSum(a, b) y = Relu(x) }"),
     false, "computed by CumSum, which fails (CumSum: a result is beyond int32, where runtimes differ)"},
    {"a product of matrices beyond its type",
     MODEL("(float[2] x) => (float[2] y) <int32[1, 2] a = {65536, 65536}, int32[2, 1] b = {65536, -65536}> { s = "
           "MatMul(a, b) y = Relu(x) }"),
     false, "computed by MatMul, which fails (MatMul: a result is beyond int32, where runtimes differ)"},
    {"a sum within its type",
     MODEL("(float[2] x) => (float[2] y) <int32[1] a = {2147483646}, int32[1] b = {1}> {"
           " s = Add(a, b) y = Relu(x) }"),
     false, "int32[1]{2147483647}"},
    {"a power within its type",
     MODEL("(float[2] x) => (float[2] y) <int64[1] a = {-3}, int64[1] b = {3}> {"
           " s = Pow(a, b) y = Relu(x) }"),
     false, "int64[1]{-27}"},
    {"nothing", MODEL("(float[2] x) => (float[2] y) { y = Relu(s) }"), false, "defined nowhere"},
};

struct fold_subject {
    char *bytes;
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
    struct fold *fold;
};

static bool folding_start(struct fold_subject *folding, const char *text, bool freeze, struct opshift_error *error)
{
    size_t size = 0;
    struct fold_options options = {.freeze_initializers = freeze};
    return opshift_text_to_model(text, strlen(text), "text", &folding->bytes, &size, error) == OPSHIFT_OK &&
           opshift_model_open_memory(folding->bytes, size, NULL, &folding->model, error) == OPSHIFT_OK &&
           scopes_new(folding->model, &folding->scopes, error) == OPSHIFT_OK &&
           types_new(folding->model, folding->scopes, &folding->types, error) == OPSHIFT_OK &&
           fold_new(folding->model, folding->scopes, folding->types, &options, &folding->fold, error) == OPSHIFT_OK;
}

static void folding_end(struct fold_subject *folding)
{
    fold_free(folding->fold);
    types_free(folding->types);
    scopes_free(folding->scopes);
    opshift_model_free(folding->model);
    opshift_text_free(folding->bytes);
}

/* The value of a name in the main graph, or the reason why it has none. */
static const char *ask(struct fold_subject *folding, const char *name, struct arena *arena, struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    const char *why = NULL;
    name_id id = NAME_NONE;
    names_find(folding->model->names, name, strlen(name), &id);
    if (fold_constant(folding->fold, folding->model->main, id, &tensor, &why, error) != OPSHIFT_OK)
        return error->text;
    return tensor == NULL ? why : call_text(arena, tensor);
}

static void each_case(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fold_subject folding = {0};
        struct opshift_error error = {0};
        struct arena *arena = arena_new(0);
        if (!folding_start(&folding, cases[i].model, cases[i].freeze, &error))
            ok(false, "%s: %s", cases[i].what, error.text);
        else
            for (int again = 0; again < 2; again++)
                is_string(cases[i].wanted, ask(&folding, "s", arena, &error), "%s%s", cases[i].what,
                          again ? ", asked again" : "");
        folding_end(&folding);
        arena_free(arena);
    }
}

/* The limit is per query: the result of one on the way makes a longer chain possible. */
static void a_long_chain(void)
{
    struct buffer text = {0};
    struct fold_subject folding = {0};
    struct opshift_error error = {0};
    struct arena *arena = arena_new(0);
    buffer_add_text(&text, MODEL("(float[2] x) => (float[2] y) <int64[1] n0 = {1}> {"));
    for (int i = 0; i < 100; i++)
        buffer_print(&text, " n%d = Neg(n%d)", i + 1, i);
    buffer_add_text(&text, " y = Relu(x) }");
    buffer_add_byte(&text, '\0');
    ok(folding_start(&folding, (const char *)text.data, false, &error), "a chain of 100 nodes opens (%s)", error.text);
    is_string("computed by Neg", ask(&folding, "n100", arena, &error), "its end is too far away");
    is_string("int64[1]{1}", ask(&folding, "n50", arena, &error), "its middle is not");
    is_string("int64[1]{1}", ask(&folding, "n100", arena, &error), "and from there its end is not");
    folding_end(&folding);
    buffer_free(&text);
    arena_free(arena);
}

/* ---- inferred types ---- */

static const struct {
    const char *what, *model;
    int64_t dim; /* of "s", of rank 1, seen from the main graph; -1: unknown */
} shapes[] = {
    {"lengths that a little graph computes",
     MODEL("(float[6] x) => (float[6] y) <int64[1] a = {1}, int64[1] b = {5}> { l = Concat<axis = 0>(a, b)"
           " s, t = Split(x, l) y = Relu(x) }"),
     1},
    {"lengths from a shape that must be worked out first, though theirs is declared",
     MODEL("(float[6] x) => (float[6] y) <int64[2] l, int64[1] a = {1}> { w = Neg(x) d = Shape(w) e = Sub(d, a)"
           " l = Concat<axis = 0>(a, e) t, s = Split(x, l) y = Relu(x) }"),
     5},
    {"lengths from a shape that follows from such lengths",
     MODEL("(float[6] x) => (float[6] y) <int64[2] l, int64[2] m, int64[1] a = {1}, int64[1] b = {5}> {"
           " l = Concat<axis = 0>(a, b) p, q = Split(x, l) d = Shape(q) e = Sub(d, a) m = Concat<axis = 0>(a, e)"
           " t, s = Split(q, m) y = Relu(x) }"),
     4},
    {"an initializer that a caller may override",
     MODEL("(float[6] x, int64[1] a = {1}) => (float[6] y) <int64[1] b = {5}> { l = Concat<axis = 0>(a, b)"
           " s, t = Split(x, l) y = Relu(x) }"),
     -1},
    {"lengths that follow from themselves",
     MODEL("(float[6] x) => (float[6] y) <int64[2] l, int64[1] a = {1}> { s, t = Split(x, l) d = Shape(s)"
           " l = Concat<axis = 0>(a, d) y = Relu(x) }"),
     -1},
    {"a shape of no value",
     MODEL("(float[6] x) => (float[6] y) <int64[2] l> { l = Shape(\"\") s, t = Split(x, l) y = Relu(x) }"), -1},
};

static void types_follow(void)
{
    for (size_t i = 0; i < COUNT(shapes); i++) {
        struct fold_subject folding = {0};
        struct opshift_error error = {0};
        struct value_type type = {0};
        name_id id = NAME_NONE;
        bool open = folding_start(&folding, shapes[i].model, false, &error);
        if (open)
            names_find(folding.model->names, "s", 1, &id);
        ok(open && types_find(folding.types, folding.model->main, id, &type, &error) == OPSHIFT_OK && type.rank == 1,
           "%s: a shape follows (%s)", shapes[i].what, error.text);
        is_int(shapes[i].dim, type.rank == 1 ? type.dims[0] : -2, "%s", shapes[i].what);
        folding_end(&folding);
    }
}

/* A type that would need too many rounds stays unknown, and inference ends. */
static void many_shapes(void)
{
    struct buffer text = {0};
    struct fold_subject folding = {0};
    struct opshift_error error = {0};
    struct value_type type = {0};
    name_id id = NAME_NONE;
    buffer_add_text(&text, MODEL("(float[2] x) => (float[2] y) <int64[100] l> {"));
    for (int i = 0; i < 100; i++)
        buffer_print(&text, " n%d = Neg(x) d%d = Shape(n%d)", i, i, i);
    buffer_add_text(&text, " l = Concat<axis = 0>(d0");
    for (int i = 1; i < 100; i++)
        buffer_print(&text, ", d%d", i);
    buffer_add_text(&text, ") s = ConstantOfShape(l) y = Relu(x) }");
    buffer_add_byte(&text, '\0');
    bool open = folding_start(&folding, (const char *)text.data, false, &error);
    if (open)
        names_find(folding.model->names, "s", 1, &id);
    ok(open && types_find(folding.types, folding.model->main, id, &type, &error) == OPSHIFT_OK &&
           type.type == OPSHIFT_TYPE_FLOAT,
       "a shape of 100 shapes has an end (%s)", error.text);
    folding_end(&folding);
    buffer_free(&text);
}

int main(void)
{
    types_follow();
    many_shapes();
    each_case();
    a_long_chain();
    return done();
}
