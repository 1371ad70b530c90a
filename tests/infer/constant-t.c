/* Small constants, propagated through nodes that compute with shapes. */
#include "tests/infer/subject.h"

#include <stdio.h>

#include "infer/known.h"
#include "infer/result.h"

/* The shape of y, made of a list that nodes compute from a float[2,N,6] x and an initializer w. */
static const struct {
    const char *nodes, *wanted, *what;
} cases[] = {
    {"s = Shape (x) y = ConstantOfShape (s)", "float[2,N,6]", "Shape keeps names of dims"},
    {"s = Shape (x) y = Expand (one, s)", "int64[2,N,6]", "Expand takes them"},
    {"s = Shape (x) y = Reshape (x, s)", "float[2,N,6]", "Reshape takes them"},
    {"s = Shape (x) p, q, r = Split <axis = 0> (s) t = Concat <axis = 0> (r, q) y = ConstantOfShape (t)", "float[6,N]",
     "Split and Concat"},
    {"s = Shape (x) i = Constant <value_ints = [2, 0]> () g = Gather <axis = 0> (s, i) y = ConstantOfShape (g)",
     "float[6,2]", "Gather"},
    {"s = Shape (x) i = Constant <value_int = 2> () g = Gather <axis = 0> (s, i) a = Constant <value_ints = [0]> () "
     "u = Unsqueeze (g, a) y = ConstantOfShape (u)",
     "float[6]", "a scalar, and Unsqueeze"},
    {"s = Shape (x) b = Constant <value_ints = [-1]> () e = Constant <value_ints = [-4]> () "
     "y0 = Slice (s, b, e, zero, b) y = ConstantOfShape (y0)",
     "float[6,N,2]", "Slice backwards"},
    {"s = Shape (x) t = Add (s, w) y = ConstantOfShape (t)", "float[3,?,9]", "Add"},
    {"s = Shape (x) t = Mul (s, two) u = Sub (t, two) v = Div (u, two) y = ConstantOfShape (v)", "float[1,?,5]",
     "Mul, Sub, Div"},
    {"s = Shape (x) t = Mul (s, unit) y = ConstantOfShape (t)", "float[2,N,6]", "what changes nothing keeps names"},
    {"s = Shape (x) t = Cast <to = 1> (s) h = Constant <value_float = 0.5> () u = Mul (t, h) v = Floor (u) "
     "i = Cast <to = 7> (v) y = ConstantOfShape (i)",
     "float[1,?,3]", "float numbers on the way"},
    {"k = Constant <value = double[1] {8999999999999998976}> () v = Cast <to = 7> (k) "
     "m = Constant <value_ints = [8999999999999998974]> () t = Sub (v, m) y = ConstantOfShape (t)",
     "float[2]", "a number just below 9e18 as an integer"},
    {"k = Constant <value = double[1] {9000000000000000000}> () v = Cast <to = 7> (k) "
     "m = Constant <value_ints = [8999999999999999998]> () t = Sub (v, m) y = ConstantOfShape (t)",
     "float[?]", "9e18 is not computed"},
    {"k = Constant <value = double[1] {-8999999999999998976}> () v = Cast <to = 7> (k) "
     "m = Constant <value_ints = [8999999999999998978]> () t = Add (v, m) y = ConstantOfShape (t)",
     "float[2]", "a number just above -9e18 as an integer"},
    {"k = Constant <value = double[1] {-9000000000000000000}> () v = Cast <to = 7> (k) "
     "m = Constant <value_ints = [9000000000000000002]> () t = Add (v, m) y = ConstantOfShape (t)",
     "float[?]", "-9e18 is not computed"},
    {"k = Constant <value = double[1] {1e30}> () v = Cast <to = 7> (k) "
     "m = Constant <value_ints = [-9223372036854775808]> () e = Equal (v, m) t = Where (e, two, unit) y = "
     "ConstantOfShape (t)",
     "float[?]", "nor is what no integer holds"},
    {"s = Shape (x) m = Constant <value_ints = [-1]> () e = Equal (s, m) t = Where (e, w, s) y = ConstantOfShape (t)",
     "float[2,N,6]", "a dim is never negative"},
    {"s = Shape (x) t = Max (s, w) y = ConstantOfShape (t)", "float[2,?,6]", "Max"},
    {"s = Shape (x) t = Neg (s) u = Neg (t) y = ConstantOfShape (u)", "float[2,?,6]", "Neg"},
    {"s = ReduceProd <keepdims = 1> (w) y = ConstantOfShape (s)", "float[6]", "ReduceProd"},
    {"s = ReduceSum <keepdims = 1> (w) y = ConstantOfShape (s)", "float[6]", "ReduceSum"},
    {"s = Shape (x) t = Cast <to = 1> (w) u = ReduceSum <keepdims = 1> (t) i = Cast <to = 7> (u) y = ConstantOfShape "
     "(i)",
     "float[?]", "not of reals"},
    {"m = Constant <value_ints = [-1]> () r = Reshape (x, m) f = Gather (r, zero) a = Cast <to = 7> (f) "
     "s = ReduceSum <keepdims = 1> (w, a) y = ConstantOfShape (s)",
     "float[]", "nor along axes that are not known"},
    {"n = Size (w) m = Reshape (n, unit) y = ConstantOfShape (m)", "float[3]", "Size"},
    {"k1 = Constant <value_int = 2> () k2 = Constant <value_int = 7> () k3 = Constant <value_int = 2> () "
     "s = Range (k1, k2, k3) y = ConstantOfShape (s)",
     "float[2,4,6]", "Range"},
    {"z = ConstantOfShape <value = int64[1] {4}> (two) y = ConstantOfShape (z)", "float[4,4]", "ConstantOfShape"},
    {"s = Constant <value = int64[2, 2] {1, 2, 3, 4}> () t = Transpose (s) m = Constant <value_ints = [-1]> () "
     "u = Reshape (t, m) y = ConstantOfShape (u)",
     "float[1,3,2,4]", "Transpose and Reshape"},
    {"t = Tile (two, two) y = ConstantOfShape (t)", "float[2,2]", "Tile"},
    {"s = Cast <to = 6> (w) t = Cast <to = 7> (s) y = ConstantOfShape (t)", "float[1,2,3]", "int32 and back"},
    {"s = Identity (w) t = Identity (s) y = ConstantOfShape (t)", "float[1,2,3]", "Identity"},
    {"h = Constant <value = int64[1] {9223372036854775807}> () s = Add (h, unit) y = ConstantOfShape (s)", "float[?]",
     "what overflows is unknown"},
    {"s = Div (w, zero) y = ConstantOfShape (s)", "float[?,?,?]", "a division by 0 is unknown"},
    {"y0 = If (c) <then_branch = t () => (a) { a = Add (w, unit) }, else_branch = e () => (b) { b = Add (unit, w) }> "
     "y = ConstantOfShape (y0)",
     "float[2,3,4]", "branches that agree"},
    {"y0 = f.F (w) y = ConstantOfShape (y0)", "float[2,3,4]", "a function"},
};

/* The parts of a known list, of which a Split takes the lengths from a Constant too long to be kept. */
static bool parts_open(struct infer_subject *subject, uint32_t parts)
{
    struct buffer text = {0};
    buffer_add_text(&text, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                           "g (float x) => (float out) <int64[3] w = {5, 2, 3}>\n"
                           "{ lengths = Constant <value_ints = [1, 2");
    for (uint32_t i = 2; i < parts; i++)
        buffer_add_text(&text, ", 0");
    buffer_add_text(&text, "]> () p0, s");
    for (uint32_t i = 2; i < parts; i++)
        buffer_print(&text, ", p%u", i);
    buffer_add_text(&text, " = Split <axis = 0> (w, lengths) y = ConstantOfShape (s) }");
    char *model = buffer_take(&text);
    bool opened = subject_open(subject, model);
    free(model);
    return opened;
}

static uint32_t operation_slot(const struct infer_subject *subject, const char *op_type)
{
    name_id name = NAME_NONE;
    names_find(subject->model->names, op_type, strlen(op_type), &name);
    return name % RULES_KEPT;
}

/* The operators of a node and of its input's producer have the same place in the table of operations. */
static void test_shared_slot(void)
{
    struct infer_subject subject;
    uint32_t parts = KNOWN_COUNT_MAX + 1;
    if (parts_open(&subject, parts)) /* each further output is a name before "Split" */
        parts += (operation_slot(&subject, "Constant") - operation_slot(&subject, "Split")) % RULES_KEPT;
    subject_close(&subject);
    if (parts_open(&subject, parts)) {
        is_int(operation_slot(&subject, "Constant"), operation_slot(&subject, "Split"), "one place for two operators");
        type_is(&subject, NULL, "y", "float[2,3]", "a Split is inferred as one, whatever makes its lengths");
    }
    subject_close(&subject);
}

/* The shape that nodes make of x: Where (e, nine, s), of the truth value of each dim; 'y', 'n', or '?'. */
static void where_is(const char *nodes, const char truths[3])
{
    char text[1024], wanted[64];
    static const char *const dims[] = {"2", "N", "6"};
    struct infer_subject subject;
    snprintf(text, sizeof(text),
             "<ir_version: 8, opset_import: [\"\" : 16]>\n"
             "g (float[2, N, 6] x) => (float out) <int64[1] nine = {9}>\n"
             "{ s = Shape (x) %s t = Where (e, nine, s) y = ConstantOfShape (t) }",
             nodes);
    const char *shown[3];
    for (int i = 0; i < 3; i++)
        shown[i] = truths[i] == 'y' ? "9" : truths[i] == 'n' ? dims[i] : "?";
    snprintf(wanted, sizeof(wanted), "float[%s,%s,%s]", shown[0], shown[1], shown[2]);
    if (subject_open(&subject, text))
        type_is(&subject, NULL, "y", wanted, nodes);
    subject_close(&subject);
}

/* A dim is 0 or more: that alone decides some comparisons with it. */
static void test_comparisons(void)
{
    static const struct {
        const char *op_type, *turned;
        bool below, equal, above; /* the answer for a dim below, equal to and above the number */
    } kinds[] = {
        {"Less", "Greater", true, false, false},
        {"Greater", "Less", false, false, true},
        {"LessOrEqual", "GreaterOrEqual", true, true, false},
        {"GreaterOrEqual", "LessOrEqual", false, true, true},
        {"Equal", "Equal", false, true, false},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        for (int number = -1; number <= 3; number++) {
            char truths[3], nodes[128];
            bool none = (i == 0 && number <= 0) || (i == 4 && number < 0); /* no dim is so */
            for (int k = 0; k < 3; k++) {
                int dim = k == 0 ? 2 : 6;
                bool answer = dim < number ? kinds[i].below : dim == number ? kinds[i].equal : kinds[i].above;
                truths[k] = answer ? 'y' : 'n';
            }
            truths[1] = none ? 'n' : '?';
            snprintf(nodes, sizeof(nodes), "k = Constant <value_ints = [%d]> () e = %s (s, k)", number,
                     kinds[i].op_type);
            where_is(nodes, truths);
            snprintf(nodes, sizeof(nodes), "k = Constant <value_ints = [%d]> () e = %s (k, s)", number,
                     kinds[i].turned);
            where_is(nodes, truths);
        }
}

/* One side may decide without the other. */
static void test_truths(void)
{
#define SIDES                                                                                                          \
    "k = Constant <value_ints = [3]> () b = Less (s, k) c = Equal (s, k) d = Greater (s, k) " /* y?n n?n n?y */
    where_is(SIDES "e = And (b, c)", "n?n");
    where_is(SIDES "e = Or (b, d)", "y?y");
    where_is(SIDES "e = Or (b, c)", "y?n");
    where_is(SIDES "e = And (b, b)", "y?n");
    where_is(SIDES "m = Constant <value_ints = [0]> () f = Less (s, m) e = And (b, f)", "nnn");
    where_is(SIDES "m = Constant <value_ints = [0]> () f = Less (s, m) e = And (f, b)", "nnn");
    where_is(SIDES "m = Constant <value_ints = [0]> () f = Less (s, m) v = Not (f) e = Or (b, v)", "yyy");
    where_is(SIDES "m = Constant <value_ints = [0]> () f = Less (s, m) v = Not (f) e = Or (v, b)", "yyy");
    where_is(SIDES "m = Constant <value_ints = [0]> () f = Less (s, m) v = Not (f) e = And (v, v)", "yyy");
    where_is(SIDES "m = Constant <value_ints = [0]> () f = Less (s, m) e = Or (f, f)", "nnn");
#undef SIDES
}

int main(void)
{
    test_shared_slot();
    test_comparisons();
    test_truths();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[2048];
        struct infer_subject subject;
        snprintf(
            text, sizeof(text),
            "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
            "g (float[2, N, 6] x, bool c) => (float out)\n"
            "<int64[3] w = {1, 2, 3}, int64[1] one = {1}, int64[1] unit = {1}, int64[1] two = {2}, int64[1] zero = "
            "{0}>\n{ %s }\n<domain: \"f\", opset_import: [\"\" : 13]> F (k) => (o) "
            "{ m = Constant <value_ints = [1]> () o = Add (k, m) }",
            cases[i].nodes);
        if (subject_open(&subject, text))
            type_is(&subject, NULL, "y", cases[i].wanted, cases[i].what);
        subject_close(&subject);
    }
    return done();
}
