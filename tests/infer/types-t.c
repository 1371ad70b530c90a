/* Types and shapes inferred in a model, by name. */
#include "infer/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "tests/infer/subject.h"

/* ---- declared and inferred ---- */

/* A value of a custom operator, listed twice: without a type, then with one. */
static void the_first_that_says_a_type_counts(void)
{
    static const char model[] = "\x08\x08\x3a\x29"
                                "\x0a\x0e\x0a\x01x\x12\x01q\x22\x03"
                                "Foo\x3a\x01"
                                "c"
                                "\x12\x01g"
                                "\x6a\x03\x0a\x01q"
                                "\x6a\x0f\x0a\x01q\x12\x0a\x0a\x08\x08\x01\x12\x04\x0a\x02\x08\x02"
                                "\x42\x02\x10\x0d";
    struct infer_subject subject = {0};
    if (subject_open_bytes(&subject, model, sizeof(model) - 1))
        type_is(&subject, NULL, "q", "float[2]", "of two of one name the one that says a type");
    subject_close(&subject);
}

static void declared_stands_and_is_filled_in(void)
{
    struct infer_subject subject;
    if (subject_open(
            &subject,
            "<ir_version: 8, opset_import: [\"\" : 13]>\n"
            "g (float[2, N] x) => (float[] out, float[A, 5] wide)\n"
            "<float[] s, float[K, 3] p, float16[9] other, seq(float) q>\n"
            "{ q = Custom (x) s = Relu (x) p = Cast <to = 1> (x) other = Relu (x) out = Relu (s) wide = Neg (x) }")) {
        type_is(&subject, NULL, "x", "float[2,N]", "a graph input is as declared");
        type_is(&subject, NULL, "s", "float[2,N]", "a declared type gets its shape");
        type_is(&subject, NULL, "p", "float[2,3]", "a declared name of a dim gets its number");
        type_is(&subject, NULL, "other", "float[2,N]", "what is declared does not count where it differs");
        type_is(&subject, NULL, "out", "float[2,N]", "an output follows like any other value");
        type_is(&subject, NULL, "wide", "float[2,5]", "known dims fill unknown ones");
        type_is(&subject, NULL, "q", "seq(tensor(float)) of float", "a sequence is no tensor");
    }
    subject_close(&subject);
}

static void overridable_initializers(void)
{
    static const struct {
        int ir_version;
        const char *first, *what;
    } cases[] = {
        {3, "float[2,2]", "before IR 4 every initializer is an input, and constant"},
        {8, "float[2,?]", "from IR 4 on, a caller may give other lengths"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[512];
        snprintf(text, sizeof(text),
                 "<ir_version: %d, opset_import: [\"\" : 13]>\n"
                 "g (float[2, 6] x, int64[2] s = {2, 4}) => (float out)\n"
                 "<int64[2] t = {1, 5}> { y, z = Split <axis = 1> (x, s) v, w = Split <axis = 1> (x, t) }",
                 cases[i].ir_version);
        struct infer_subject subject;
        if (subject_open(&subject, text)) {
            type_is(&subject, NULL, "s", "int64[2]", "the type of a default is declared");
            type_is(&subject, NULL, "y", cases[i].first, cases[i].what);
            type_is(&subject, NULL, "w", "float[2,5]", "an initializer that is no input is constant");
        }
        subject_close(&subject);
    }
}

/* Of equal nodes only the first is inferred: each of these differs from the previous one in one respect. */
static void like_nodes(void)
{
    static const struct {
        const char *name, *wanted, *what;
    } cases[] = {
        {"a2", "float[1]", "the first of its kind"},
        {"b1", "float[3]", "the same of another value"},
        {"c1", "float[2]", "other attributes"},
        {"d1", "float[5]", "another type of the input"},
        {"e1", "int64[3]", "another element type"},
        {"f1", "float[2]", "another number of outputs"},
        {"g1", "?", "an input that is a name by mistake"},
        {"h1", "float[4]", "one output"},
        {"i1", "float[3]", "what is declared does not count where it differs"},
        {"i2", "float[1]", "nor does it change the other output"},
    };
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 11]>\n"
                               "g (float[4] x, float[4] y, float[6] z, int64[4] n) => (float out) <float[7] i1> {\n"
                               "  a1, a2 = Split <split = [3, 1]> (x) b1, b2 = Split <split = [3, 1]> (y)\n"
                               "  c1, c2 = Split <split = [2, 2]> (x) d1, d2 = Split <split = [5, 1]> (z)\n"
                               "  e1, e2 = Split <split = [3, 1]> (n) f1, f2, f3 = Split (z)\n"
                               "  g1, g2 = Split <split = [3, 1]> (nobody) h1 = Split (x)\n"
                               "  i1, i2 = Split <split = [3, 1]> (x) }"))
        for (size_t i = 0; i < COUNT(cases); i++)
            type_is(&subject, NULL, cases[i].name, cases[i].wanted, cases[i].what);
    subject_close(&subject);
}

/* The constants behind inputs belong to the cache key of a node. */
static void like_nodes_with_lists(void)
{
    static const struct {
        const char *name, *wanted, *what;
    } cases[] = {
        {"a", "float[2,4]", "lengths that are an initializer"},
        {"b", "float[2,4]", "another initializer of the same value"},
        {"c", "float[2,1]", "one of another value"},
        {"d", "float[2,5]", "a Constant"},
        {"e", "float[2,4]", "a Constant of the value of an initializer"},
        {"f", "float[2,?]", "a default that a caller may replace"},
        {"h", "float[2,?]", "an input that anything may be given for"},
        {"i", "float[2,3]", "no lengths at all"},
        {"k", "float[4,2]", "an axis that another node has"},
        {"m", "float[4,2]", "the same axis, of a list"},
        {"o", "float[2,3]", "of the other axis"},
    };
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "g (float[2, 6] x, float[6, 2] y, int64[2] s = {4, 2}, int64[2] given) => (float out)\n"
                               "<int64[2] l1 = {4, 2}, int64[2] l2 = {4, 2}, int64[2] l3 = {1, 5}> {\n"
                               "  a, a2 = Split <axis = 1> (x, l1) b, b2 = Split <axis = 1> (x, l2)\n"
                               "  c, c2 = Split <axis = 1> (x, l3) l4 = Constant <value_ints = [5, 1]> ()\n"
                               "  d, d2 = Split <axis = 1> (x, l4) l5 = Constant <value_ints = [4, 2]> ()\n"
                               "  e, e2 = Split <axis = 1> (x, l5) f, f2 = Split <axis = 1> (x, s)\n"
                               "  h, h2 = Split <axis = 1> (x, given) i, i2 = Split <axis = 1> (x)\n"
                               "  k, k2 = Split <axis = 0> (y, l1) m, m2 = Split <axis = 0> (y, l2)\n"
                               "  o, o2 = Split <axis = 1> (x) }"))
        for (size_t i = 0; i < COUNT(cases); i++)
            type_is(&subject, NULL, cases[i].name, cases[i].wanted, cases[i].what);
    subject_close(&subject);
}

/* A function with an operator's name replaces it; subgraphs make nodes different. */
static void nodes_that_only_look_alike(void)
{
    struct infer_subject subject;
    if (subject_open(&subject,
                     "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
                     "g (float[4] x, bool c) => (float out) {\n"
                     "  a, a2 = Split (x) b, b2 = f.Split (x)\n"
                     "  d = If (c) <then_branch = t1 () => (d1) { d1 = Exp (x) },\n"
                     "              else_branch = e1 () => (d2) { d2 = Neg (x) }>\n"
                     "  e = If (c) <then_branch = t2 () => (e1) { e1 = Shape (x) },\n"
                     "              else_branch = e2 () => (e2) { e2 = Shape (x) }> }\n"
                     "<domain: \"f\", opset_import: [\"\" : 13]> Split (v) => (r, s) { r = Neg (v) s = Shape (v) }")) {
        type_is(&subject, NULL, "a", "float[2]", "an operator");
        type_is(&subject, NULL, "b", "float[4]", "a function of its name, with the same input");
        type_is(&subject, NULL, "b2", "int64[1]", "the function's second output");
        type_is(&subject, NULL, "d", "float[4]", "a node with bodies");
        type_is(&subject, NULL, "e", "int64[1]", "one that looks the same but for its bodies");
    }
    subject_close(&subject);
}

/* Having no attributes is distinct from unread attributes, also when the operator was dropped from the table
 * meanwhile. */
static void no_attributes_are_not_any(void)
{
    enum { OPERATORS = 70 }; /* three names each, so that all places of the table of operators are used */
    struct buffer text = {0};
    buffer_add_text(&text, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                           "g (float[4, 6] x) => (float out) { a, a2 = Split (x)\n");
    for (int i = 0; i < OPERATORS; i++)
        buffer_print(&text, "p%d, q%d = Op%d (x)\n", i, i, i);
    buffer_add_text(&text, "all = Concat <axis = 0> (p0");
    for (int i = 1; i < OPERATORS; i++)
        buffer_print(&text, ", p%d", i);
    buffer_add_text(&text, ")\nb, b2 = Split <axis = 1> (x) }");
    char *model = buffer_take(&text);
    struct infer_subject subject;
    if (subject_open(&subject, model)) {
        type_is(&subject, NULL, "a", "float[2,6]", "a node that could have an attribute");
        type_is(&subject, NULL, "all", "?", "many operators that nobody knows");
        type_is(&subject, NULL, "b", "float[4,3]", "the same node with the attribute");
    }
    subject_close(&subject);
    free(model);
}

static void types_that_are_none(void)
{
    /* An initializer w of data_type 77 and dims [2], which a Relu reads. */
    static const char model[] = "\x08\x08\x3a\x1f"
                                "\x0a\x0c\x0a\x01w\x12\x01r\x22\x04"
                                "Relu"
                                "\x12\x01g"
                                "\x2a\x0c\x08\x02\x10\x4d\x42\x01w\x4a\x03"
                                "abc"
                                "\x42\x02\x10\x0d";
    struct infer_subject subject = {0};
    if (subject_open_bytes(&subject, model, sizeof(model) - 1))
        type_is(&subject, NULL, "w", "?[2]", "an initializer of a number that is no type");
    subject_close(&subject);
}

/* ---- bodies ---- */

static void branches_of_if(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "g (bool c, float[2, N] x) => (float out) {\n"
                               "  y, z = If (c) <\n"
                               "    then_branch = t () => (a, b) { a = Relu (x) b = Mystery (x) },\n"
                               "    else_branch = e () => (p, q) { p = Concat <axis = 0> (x, x) q = Neg (x) }>\n"
                               "  w = Relu (y)\n"
                               "}")) {
        type_is(&subject, "t", "a", "float[2,N]", "a branch sees the outer scope");
        type_is(&subject, "e", "x", "float[2,N]", "an outer name asked for from inside");
        type_is(&subject, NULL, "y", "float[?,N]", "an output of If has the dims that both branches have");
        type_is(&subject, NULL, "z", "float[]", "one branch is enough for the element type");
        type_is(&subject, NULL, "w", "float[?,N]", "and on it goes");
    }
    subject_close(&subject);
}

/* A branch that never runs does not count, even if it gives another rank. */
static void branch_that_runs(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "g (float[1, 3] x, bool dim) => (float out) <bool yes = {1}, float[7] z> {\n"
                               "  zero = Constant <value_ints = [0]> () one = Constant <value_ints = [1]> ()\n"
                               "  sizes = Shape (x) length = Gather (sizes, zero) c = Equal (length, one)\n"
                               "  y = If (c) <then_branch = t () => (a) { a = Squeeze (x, zero) },\n"
                               "              else_branch = e () => (b) { b = Identity (x) }>\n"
                               "  no = Not (yes)\n"
                               "  z = If (no) <then_branch = t2 () => (a2) { a2 = Squeeze (x, zero) },\n"
                               "               else_branch = e2 () => (b2) { b2 = Identity (x) }>\n"
                               "  w = If (dim) <then_branch = t3 () => (a3) { a3 = Squeeze (x, zero) },\n"
                               "                else_branch = e3 () => (b3) { b3 = Identity (x) }>\n"
                               "}")) {
        type_is(&subject, NULL, "y", "float[3]", "a condition that is computed from a shape");
        type_is(&subject, NULL, "z", "float[1,3]", "a condition that is a constant; a contradicted declaration");
        type_is(&subject, NULL, "w", "float[]", "a condition that is an input");
    }
    subject_close(&subject);
}

/* A contradiction with one branch or call makes a declaration invalid. */
static void declared_against_a_way(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 12]>\n"
                               "g (bool c, int64 n, float[2, 3] x, float[6] v, float[2, M] m) => (float out)\n"
                               "<float[2, 3] y, float[2, 3] after, float[2, 5] z, float[2, 3] u, float[?, ?] s> {\n"
                               "  y, z, u = If (c) <\n"
                               "    then_branch = t () => (a, b, d) { a = Relu (x) b = Neg (x) d = Mystery (x) },\n"
                               "    else_branch = e () => (p, q, r) { p = Relu (v) q = Neg (m) r = Neg (x) }>\n"
                               "  after = Relu (y)\n"
                               "  l = Loop (n, c, x) <body = k (i, go, s) => (on, w) { on = Identity (go)\n"
                               "    f = If (go) <then_branch = t2 () => (a2) { a2 = Unsqueeze <axes = [0]> (s) },\n"
                               "                 else_branch = e2 () => (b2) { b2 = Neg (s) }> w = Neg (f) }>\n"
                               "}")) {
        type_is(&subject, NULL, "y", "float[]", "an output of If whose branches have two ranks has none");
        type_is(&subject, NULL, "after", "float[]", "nor has what follows from it");
        type_is(&subject, NULL, "z", "float[2,?]", "a dim that one branch contradicts is not as declared");
        type_is(&subject, NULL, "u", "float[2,3]", "what no branch contradicts is");
        type_is(&subject, "k", "s", "float[]", "a carried value that a branch gives another rank has none");
    }
    subject_close(&subject);
}

static void bodies_of_loop(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "g (int64 m, bool c, float16[2, 4] x) => (float out) {\n"
                               "  y, z = Loop (m, c, x) <body = b (i, k, s) => (k2, s2, t) {\n"
                               "    k2 = Identity (k) s2 = Concat <axis = 0> (s, s) j = Identity (i)"
                               " t = Constant <value_ints = [1, 2]> () }>\n"
                               "}")) {
        type_is(&subject, "b", "i", "int64", "the number of the iteration");
        type_is(&subject, "b", "k", "bool[]", "the condition");
        type_is(&subject, "b", "s", "float16[?,4]", "a carried value keeps what every iteration keeps of its shape");
        type_is(&subject, "b", "j", "int64", "what follows from them");
        type_is(&subject, NULL, "y", "float16[?,4]", "the last value that was carried");
        type_is(&subject, NULL, "z", "int64[?,2]", "what was collected has one more axis");
    }
    subject_close(&subject);
}

static void bodies_of_scan(void)
{
    struct infer_subject subject;
    if (subject_open(&subject,
                     "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                     "g (float[2, 4] h, float[7, 2, 4] x, double[3, 7] w) => (float out) {\n"
                     "  y, z, v = Scan <num_scan_inputs = 2, scan_input_axes = [0, 1], scan_output_axes = [-1, 0],\n"
                     "    body = b (s, e, f) => (s2, t, u) { s2 = Add (s, e) t = Neg (s2) u = Neg (f) }> (h, x, w)\n"
                     "}")) {
        type_is(&subject, "b", "s", "float[2,4]", "a state keeps its shape");
        type_is(&subject, "b", "e", "float[2,4]", "a scanned input loses its axis");
        type_is(&subject, "b", "f", "double[3]", "whichever that is");
        type_is(&subject, NULL, "y", "float[2,4]", "the last state");
        type_is(&subject, NULL, "z", "float[2,4,7]", "a scanned output gains one");
        type_is(&subject, NULL, "v", "double[7,3]", "as long as the sequence");
    }
    subject_close(&subject);
}

static void scans_of_vectors(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "g (float[7] x) => (float out) {\n"
                               "  y = Scan <num_scan_inputs = 1, body = b (e) => (t) { t = Neg (e) }> (x) }")) {
        type_is(&subject, "b", "e", "float", "a number of a list that is scanned");
        type_is(&subject, NULL, "y", "float[7]", "and the list of the results");
    }
    subject_close(&subject);
}

static void functions(void)
{
    struct infer_subject subject;
    if (subject_open(&subject,
                     "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
                     "g (float[2, N] x, float[2, 3] w, double d) => (float out) {\n"
                     "  y = f.Both <to = 6> (x, w) z = f.Both <to = 7> (w, d) c = f.Nobody (x) }\n"
                     "<domain: \"f\", opset_import: [\"\" : 13]>\n"
                     "Both <to> (a, b) => (r) { h = Relu (a) i = Relu (b) r, r2 = Split (h) t = Cast <to = @to> (a) }\n"
                     "<domain: \"f\", opset_import: [\"\" : 13]>\n"
                     "Unused (a) => (r3) { r3 = Relu (a) }")) {
        type_is(&subject, "Both", "a", "float[2,?]", "a parameter has the dims that all calls agree on");
        type_is(&subject, "Both", "i", "?", "where calls differ in type, there is none");
        type_is(&subject, "Both", "t", "?[2,?]", "a type that a parameter names is unknown");
        type_is(&subject, NULL, "y", "float[1,N]", "an output of a call, with the dims of its arguments");
        type_is(&subject, NULL, "c", "?", "a call of nothing");
        type_is(&subject, "Unused", "r3", "?", "a function that nobody calls");
    }
    subject_close(&subject);
}

/* IR.md: a reference to a parameter that a call omits, without a default, is absent. */
static void parameters_left_out(void)
{
    struct infer_subject subject;
    if (subject_open(
            &subject,
            "<ir_version: 8, opset_import: [\"\" : 11, \"f\" : 1]>\n"
            "g (float[2, 3] x) => (float out) {\n"
            "  all = f.Sum (x) some = f.Sum <axes = [0]> (x) handed = f.Hand (x) given = f.Hand <of = [0]> (x)\n"
            "  never = f.Never (x) again = f.Never (x) set = f.Default (x) passed = f.Pass (x) other = f.Pass <of = "
            "[0]> (x) }\n"
            "<domain: \"f\", opset_import: [\"\" : 11]>\n"
            "Sum <axes> (a) => (s) { s = ReduceSum <axes: ints = @axes, keepdims = 0> (a) }\n"
            "<domain: \"f\", opset_import: [\"f\" : 1]>\n"
            "Hand <of> (b) => (t) { t = f.Sum <axes: ints = @of> (b) }\n"
            "<domain: \"f\", opset_import: [\"\" : 11]>\n"
            "Never <axes> (c) => (u) { u = ReduceSum <axes: ints = @axes, keepdims = 0> (c) }\n"
            "<domain: \"f\", opset_import: [\"\" : 11]>\n"
            "Default <axes: ints = [1]> (d) => (v) { v = ReduceSum <axes: ints = @axes, keepdims = 0> (d) }\n"
            "<domain: \"f\", opset_import: [\"f\" : 1]>\n"
            "Pass <of> (e) => (w) { w = f.Default <axes: ints = @of> (e) }")) {
        type_is(&subject, NULL, "all", "float", "the attribute is absent: all axes go");
        type_is(&subject, NULL, "some", "float[3]", "the attribute is given");
        type_is(&subject, NULL, "handed", "float", "it is absent where a call hands on what its caller leaves out");
        type_is(&subject, NULL, "given", "float[3]", "it is given where the caller gives it");
        type_is(&subject, "Sum", "s", "float[]", "of all calls, one gives it");
        type_is(&subject, "Never", "u", "float", "of all calls, none gives it");
        type_is(&subject, NULL, "set", "float[2]", "it has a default");
        type_is(&subject, NULL, "passed", "float[2]",
                "the default counts where a call passes on what its caller omits");
        type_is(&subject, NULL, "other", "float[3]", "it does not where the caller gives it");
    }
    subject_close(&subject);
}

/* Attribute values of a function from calls, nested calls and defaults. */
static void attributes_of_calls(void)
{
    static const char text[] =
        "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
        "g (float[2, 3, 4] x) => (float out) {\n"
        "  a = f.Outer <way = [2, 0, 1]> (x) b = f.Outer <way = [1, 0, 2]> (x) c = f.Outer (x)\n"
        "  d = f.Sum <keep = 0> (x) e = f.Sum (x) h = f.To <type = 7> (x) o = f.Once <n = 1> (x) }\n"
        "<domain: \"f\", opset_import: [\"\" : 13, \"f\" : 1]> Outer <way> (p) => (q) {\n"
        "  q = f.Inner <order: ints = @way> (p) }\n"
        "<domain: \"f\", opset_import: [\"\" : 13]> Inner <order> (r) => (s) { s = Transpose <perm: ints = @order> (r) "
        "}\n"
        "<domain: \"f\", opset_import: [\"\" : 13]> Sum <keep: int = 1> (t) => (u) {\n"
        "  axes = Constant <value_ints = [0, 1]> () u = ReduceSum <keepdims: int = @keep> (t, axes) }\n"
        "<domain: \"f\", opset_import: [\"\" : 13]> To <type> (v) => (w) { w = Cast <to: int = @type> (v) }\n"
        "<domain: \"f\", opset_import: [\"\" : 13]> Once <n> (i) => (k) {\n"
        "  m = Constant <value_int: int = @n> () l = Gather <axis = 2> (i, m) k = Flatten <axis: int = @n> (l) }";
    static const struct {
        const char *graph, *name, *wanted, *what;
    } cases[] = {
        {NULL, "a", "float[4,2,3]", "an attribute handed on"},
        {NULL, "b", "float[3,2,4]", "of each call its own"},
        {NULL, "c", "float[4,3,2]", "one that is left out"},
        {NULL, "d", "float[4]", "an attribute in the place of a default"},
        {NULL, "e", "float[1,1,4]", "the default"},
        {NULL, "h", "int64[2,3,4]", "an element type"},
        {NULL, "o", "float[2,3]", "a constant, and an axis"},
        {"Once", "l", "float[2,3]", "in the body of a function that is called once"},
        {"Inner", "s", "float[?,?,?]", "in one that is called in several ways"},
    };
    struct infer_subject subject;
    if (subject_open(&subject, text))
        for (size_t i = 0; i < COUNT(cases); i++)
            type_is(&subject, cases[i].graph, cases[i].name, cases[i].wanted, cases[i].what);
    subject_close(&subject);
}

static void calls_in_a_row(void)
{
    static const struct {
        const char *what, *body, *parameter, *last;
    } cases[] = {
        {"the same shape at every call", "r = Relu (a)", "float[2,8]", "float[2,8]"},
        {"another shape at every call", "r, s = Split <axis = 1> (a)", "float[2,?]", "float[2,1]"},
        {"another type at every call", "r = Cast <to = 11> (a)", "?[2,8]", "double[2,8]"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[512];
        snprintf(text, sizeof(text),
                 "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
                 "g (float[2, 8] x) => (float out) { y = f.F (x) z = f.F (y) last = f.F (z) }\n"
                 "<domain: \"f\", opset_import: [\"\" : 13]> F (a) => (r) { %s }",
                 cases[i].body);
        struct infer_subject subject;
        if (subject_open(&subject, text)) {
            type_is(&subject, NULL, "last", cases[i].last, cases[i].what);
            type_is(&subject, "F", "a", cases[i].parameter, cases[i].what);
        }
        subject_close(&subject);
    }
}

/* ---- hard cases ---- */

static void cycles_end(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]>\n"
                               "g (float[3] x) => (float out) <float[4] d> {\n"
                               "  a = Add (b, x) b = Neg (a) c = Neg (c) d = Neg (e) e = Neg (d) r = f.F (x) }\n"
                               "<domain: \"f\", opset_import: [\"f\" : 1]> F (i) => (o) { o = f.F (i) }")) {
        type_is(&subject, NULL, "b", "float[]", "a cycle of two, of which one knows its type");
        type_is(&subject, NULL, "c", "?", "a cycle of one");
        type_is(&subject, NULL, "e", "float[4]", "a cycle with a declaration");
        type_is(&subject, NULL, "r", "?", "a function that calls itself");
    }
    subject_close(&subject);
}

static void long_chains(void)
{
    enum { LENGTH = 20000 };
    struct buffer text = {0};
    buffer_add_text(&text, "<ir_version: 8, opset_import: [\"\" : 13]> g (float[3] x) => (float out) {\n"
                           "n0 = Relu (x)\n");
    for (int i = 1; i <= LENGTH; i++)
        buffer_print(&text, "n%d = Relu (n%d)\n", i, i - 1);
    buffer_add_text(&text, "}");
    char *model = buffer_take(&text);
    struct infer_subject subject;
    if (subject_open(&subject, model))
        type_is(&subject, NULL, "n20000", "float[3]", "a chain as long as one likes");
    subject_close(&subject);
    free(model);
}

/* Infers the last value of a chain of `length` layers, whose nodes are in order or in reverse order. */
static void chain_is(int length, bool backwards, const char *wanted, const char *what)
{
    struct buffer text = {0};
    buffer_add_text(&text, "<ir_version: 8, opset_import: [\"\" : 13]> g (float[2, N] v0) => (float out)\n"
                           "<int64[2] cut = {1, 1}, float[1] one = {1}> {\n");
    for (int i = 0; i < length; i++) {
        int at = backwards ? length - i : i + 1;
        buffer_print(&text, "a%d, b%d = Split <axis = 0> (v%d, cut)\nc%d = Concat <axis = 0> (a%d, b%d, a%d)\n", at, at,
                     at - 1, at, at, at, at);
        buffer_print(&text, "d%d = Add (c%d, one)\ne%d, v%d = Split <axis = 0> (d%d)\n", at, at, at, at, at);
    }
    buffer_add_text(&text, "}");
    char *model = buffer_take(&text), last[16];
    struct infer_subject subject;
    snprintf(last, sizeof(last), "v%d", length);
    if (subject_open(&subject, model))
        type_is(&subject, NULL, last, wanted, what);
    subject_close(&subject);
    free(model);
}

static void chains_in_either_order(void)
{
    chain_is(10, false, "float[?,N]", "a few layers");
    chain_is(10, true, "float[?,N]", "a few layers, the last one first");
    chain_is(2000, false, "float[?,N]", "many layers");
    chain_is(2000, true, "float[?,N]", "many layers, the last one first");
}

/* More different types and nodes than the cache keeps, twice. */
static void many_lengths(void)
{
    enum { WIDTH = 7000, COUNT = 2 * (WIDTH - 1) };
    struct buffer text = {0};
    buffer_print(&text, "<ir_version: 8, opset_import: [\"\" : 11]> g (float[N, %d] x) => (float out) {\n", WIDTH);
    for (int i = 0; i < COUNT; i++)
        buffer_print(&text, "a%d, b%d = Split <axis = 1, split = [%d, %d]> (x)\n", i, i, i % (WIDTH - 1) + 1,
                     WIDTH - 1 - i % (WIDTH - 1));
    buffer_add_text(&text, "}");
    char *model = buffer_take(&text);
    struct infer_subject subject;
    bool all = subject_open(&subject, model);
    for (int i = 0; all && i < COUNT; i++) {
        struct value_type type = {0};
        char value[16];
        name_id name;
        int size = snprintf(value, sizeof(value), "b%d", i);
        all = names_find(subject.model->names, value, (size_t)size, &name) &&
              types_find(subject.types, subject.model->graphs[0], name, &type, NULL) == OPSHIFT_OK &&
              type.type == OPSHIFT_TYPE_FLOAT && type.rank == 2 && type.dims[0] == -1 && type.params[0] != NAME_NONE &&
              type.dims[1] == WIDTH - 1 - i % (WIDTH - 1);
    }
    ok(all, "many different lengths");
    subject_close(&subject);
    free(model);
}

/* The first node of a long subgraph reads an outer value that is inferred on demand: its result is its own, whatever
 * the numbers of both operators' names. */
static void chains_in_a_loop(void)
{
    enum { NAMES = 70, LENGTH = 100 };
    bool all = true;
    for (int more = 0; all && more < NAMES; more++) {
        struct buffer text = {0};
        buffer_add_text(&text, "<ir_version: 8, opset_import: [\"\" : 13]> g (float[] x) => (y) {\n q = IsNaN (x)\n");
        for (int i = 0; i < more; i++)
            buffer_print(&text, "o%d = Relu (x)\n", i);
        buffer_add_text(&text, "y = Loop (\"\", q, x) <body = b (i, c, v) => (c, last) { n0 = Ceil (v)\n");
        for (int i = 1; i < LENGTH; i++)
            buffer_print(&text, "n%d = Relu (n%d)\n", i, i - 1);
        buffer_print(&text, "last = Relu (n%d) }> }", LENGTH - 1);
        char *model = buffer_take(&text);
        struct infer_subject subject;
        struct value_type type = {0};
        name_id last;
        all = subject_open(&subject, model) && names_find(subject.model->names, "last", 4, &last) &&
              types_find(subject.types, subject.model->graphs[1], last, &type, NULL) == OPSHIFT_OK &&
              type.type == OPSHIFT_TYPE_FLOAT;
        subject_close(&subject);
        free(model);
    }
    ok(all, "a chain in a loop that carries a value on");
}

int main(void)
{
    declared_stands_and_is_filled_in();
    the_first_that_says_a_type_counts();
    overridable_initializers();
    like_nodes();
    like_nodes_with_lists();
    nodes_that_only_look_alike();
    no_attributes_are_not_any();
    types_that_are_none();
    branches_of_if();
    branch_that_runs();
    declared_against_a_way();
    bodies_of_loop();
    bodies_of_scan();
    scans_of_vectors();
    functions();
    parameters_left_out();
    attributes_of_calls();
    calls_in_a_row();
    cycles_end();
    long_chains();
    chains_in_either_order();
    many_lengths();
    chains_in_a_loop();
    return done();
}
