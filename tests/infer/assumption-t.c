/* Sources of inferred types: facts, or an unconfirmed declaration. */
#include "tests/infer/subject.h"

#include <stdio.h>

/* wanted: "x x x" for element type, rank and shape: the name of the declared value, or - for a fact. */
static void rests_on(struct infer_subject *subject, const char *graph_name, const char *name, const char *wanted,
                     const char *what)
{
    struct graph *graph = subject_graph(subject, graph_name);
    struct opshift_error error = {0};
    struct buffer found = {0};
    name_id id = NAME_NONE;
    bool known = names_find(subject->model->names, name, strlen(name), &id);
    for (int part = TYPE_PART_ELEMENT; known && part <= TYPE_PART_SHAPE; part++) {
        struct type_assumption assumption;
        known = types_assumption(subject->types, graph, id, (enum type_part)part, &assumption, &error) == OPSHIFT_OK;
        buffer_print(&found, "%s%s", part ? " " : "",
                     known && assumption.graph ? names_text(subject->model->names, assumption.name) : "-");
    }
    char *text = buffer_take(&found);
    is_string(wanted, known ? text : "nothing", "%s", what);
    free(text);
}

static void facts(void)
{
    struct infer_subject subject;
    if (subject_open(&subject,
                     "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                     "g (float[2, 3] x, float[2, 2] d = {1, 2, 3, 4}) => (float[2, 3] y)\n"
                     "<int64[1] w = {-1}, float[2, 3] r> { r = Relu (x) y = Softmax (r) z = Reshape (y, w) }")) {
        rests_on(&subject, NULL, "x", "- - -", "an input of the main graph is as declared");
        rests_on(&subject, NULL, "w", "- - -", "an initializer");
        rests_on(&subject, NULL, "d", "- - -", "an input with a default");
        rests_on(&subject, NULL, "r", "- - -", "a value whose declaration is confirmed");
        rests_on(&subject, NULL, "z", "- - -", "a shape that follows from a constant");
        type_is(&subject, NULL, "z", "float[6]", "all of it is known");
    }
    subject_close(&subject);
}

static void declarations(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13, \"com.example\" : 1]>\n"
                               "g (float[2, 12] x, float[?] v) => (float out)\n"
                               "<float[2, 12] c, float[12] e, float[] f, int64[1, 5] n> {\n"
                               "  c = com.example.Custom (x) d = Relu (c) e = Relu (v) f = com.example.Custom (x)\n"
                               "  s = Shape (c) r = Reshape (x, s) t = Cast <to = 7> (c) n = NonZero (v) m = Neg (n)\n"
                               "  a = Add (x, e) k = Squeeze (c) h = Concat <axis = 0> (s, s) }")) {
        rests_on(&subject, NULL, "c", "c c c", "a value behind a custom operator");
        rests_on(&subject, NULL, "d", "c c c", "and what follows from it");
        rests_on(&subject, NULL, "e", "- - e", "a dim that only the declaration gives");
        type_is(&subject, NULL, "e", "float[12]", "and that counts where nothing else is known");
        rests_on(&subject, NULL, "a", "- - e", "what is computed with it");
        rests_on(&subject, NULL, "f", "f - -", "an element type alone");
        type_is(&subject, NULL, "f", "float[]", "of an unknown rank");
        rests_on(&subject, NULL, "r", "- c c", "a shape that follows from a declared one through Shape");
        rests_on(&subject, NULL, "t", "- c c", "a type of its own, with a declared shape");
        rests_on(&subject, NULL, "m", "- - n", "a rank of its own, with a declared dim");
        rests_on(&subject, NULL, "k", "c c c", "a rank that follows from dims");
        rests_on(&subject, NULL, "h", "- c c", "an element type that the operator gives");
    }
    subject_close(&subject);
}

/* Softmax before opset 13 flattens at its axis: a wrong rank would change its result. */
static void constants(void)
{
    static const struct {
        const char *name, *wanted, *what;
    } cases[] = {
        {"s", "c", "Shape of what is declared alone"},
        {"p", "c", "what is computed with it"},
        {"t", "-", "Shape of an input"},
        {"w", "-", "an initializer"},
    };
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13, \"com.example\" : 1]>\n"
                               "g (float[2, 3] x) => (float out) <float[2, 12] c, int64[2] w = {1, 2}> {\n"
                               "  c = com.example.Custom (x) s = Shape (c) p = Add (w, s) t = Shape (x) }"))
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            struct type_assumption assumption = {NULL, NAME_NONE};
            name_id id = NAME_NONE;
            bool found =
                names_find(subject.model->names, cases[i].name, strlen(cases[i].name), &id) &&
                types_constant_assumption(subject.types, subject.model->main, id, &assumption, NULL) == OPSHIFT_OK;
            is_string(cases[i].wanted,
                      !found             ? "nothing"
                      : assumption.graph ? names_text(subject.model->names, assumption.name)
                                         : "-",
                      "%s", cases[i].what);
        }
    subject_close(&subject);
}

static void contradictions(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 12]>\n"
                               "g (float[2, 3, 4] x) => (float[2, 12] o, float[7] y)\n"
                               "<float[2, 12] r, int64[2, 3, 4] t> {\n"
                               "  r = Relu (x) y = Softmax (r) o = Neg (x) q = Abs (o) t = Sqrt (x) }")) {
        type_is(&subject, NULL, "r", "float[2,3,4]", "what is inferred counts, not a stale value info");
        type_is(&subject, NULL, "o", "float[2,3,4]", "nor a stale output");
        type_is(&subject, NULL, "y", "float[2,3,4]", "nor what follows from it");
        type_is(&subject, NULL, "t", "float[2,3,4]", "nor a stale element type");
        rests_on(&subject, NULL, "y", "- - -", "nothing is assumed of it");
        rests_on(&subject, NULL, "q", "- - -", "nor of this");
    }
    subject_close(&subject);
}

static void bodies(void)
{
    struct infer_subject subject;
    if (subject_open(
            &subject,
            "<ir_version: 8, opset_import: [\"\" : 13, \"com.example\" : 1]>\n"
            "g (int64 m, bool c, float[2, 3] x) => (float out) <int64[1] a = {0}> {\n"
            "  y = Loop (m, c, x) <body = grows (int64 i, bool k, float[2, 3] s) => (bool k2, float[2, 3] s2) {\n"
            "    k2 = Identity (k) s2 = Unsqueeze (s, a) n = Neg (s) }>\n"
            "  z = Loop (m, c, x) <body = keeps (int64 i3, bool k3, float[2, 3] s3) => (bool k4, float[2, 3] s4) {\n"
            "    k4 = Identity (k3) s4 = Relu (s3) }>\n"
            "  w = Loop (m, c, x) <body = hidden (int64 i5, bool k5, float[2, 3] s5) => (bool k6, s6) {\n"
            "    k6 = Identity (k5) s6 = com.example.Custom (s5) u = Neg (s5) }>\n"
            "  v = Loop (m, c, x) <body = wide (int64 i7, bool k7, float[2, 3] s7) => (bool k8, float[2, 3] s8) {\n"
            "    k8 = Identity (k7) s8 = Concat <axis = 1> (s7, s7) }>\n"
            "  e = com.example.Each (x) <body = foreign (float[5] f) => (float[5] f2) { f2 = Relu (f) }> }")) {
        type_is(&subject, "grows", "s", "float[]", "a carried value whose rank grows has no rank");
        type_is(&subject, "grows", "n", "float[]", "nor has what follows from it");
        type_is(&subject, NULL, "y", "float[]", "nor what the loop gives");
        rests_on(&subject, "grows", "n", "- - -", "and nothing is assumed");
        type_is(&subject, "keeps", "s3", "float[2,3]", "a carried value that every iteration keeps");
        rests_on(&subject, "keeps", "s3", "- - -", "as a fact");
        type_is(&subject, NULL, "z", "float[2,3]", "so the loop gives it");
        type_is(&subject, "hidden", "u", "float[2,3]", "what cannot be followed is as declared");
        rests_on(&subject, "hidden", "u", "- s5 s5", "and rests on that");
        type_is(&subject, "wide", "s7", "float[2,?]", "a dim that grows is unknown");
        type_is(&subject, NULL, "v", "float[2,?]", "in what the loop gives, too");
        rests_on(&subject, "foreign", "f2", "f f f", "the body of a custom operator");
    }
    subject_close(&subject);
}

/* Before IR 4 the initializer of an input is final, except in subgraphs. */
static void initializers_of_bodies(void)
{
    static const char text[] =
        "<ir_version: %d, opset_import: [\"\" : 13]>\n"
        "g (int64 m, bool c, int64[2] x, float[2, 6] d) => (float out) {\n"
        "  y = Loop (m, c, x) <body = b (int64 i, bool k, int64[2] s = {1, 5}) => (bool k2, int64[2] s2) {\n"
        "    k2 = Identity (k) s2 = Identity (s) p, q = Split <axis = 1> (d, s) }> }";
    for (int version = 3; version <= 8; version += 5) {
        char model[1024];
        struct infer_subject subject;
        snprintf(model, sizeof(model), text, version);
        if (subject_open(&subject, model))
            type_is(&subject, "b", "q", "float[2,?]", "an input of a body with a like-named initializer");
        subject_close(&subject);
    }
}

static void joins(void)
{
    struct infer_subject subject;
    if (subject_open(
            &subject,
            "<ir_version: 8, opset_import: [\"\" : 13, \"com.example\" : 1, \"f\" : 1]>\n"
            "g (bool c, float[2, 3] x) => (float out) <float[2, 3] p> {\n"
            "  p = com.example.Custom (x)\n"
            "  y = If (c) <then_branch = t () => (a) { a = Relu (x) }, else_branch = e () => (b) { b = Neg (p) }>\n"
            "  z = f.F (p) w = f.F (x)\n"
            "  l = Size (p) d = Greater (l, l) k = Size (x) r = Greater (k, k)\n"
            "  v = If (d) <then_branch = t2 () => (a2) { a2 = Size (x) }, else_branch = e2 () => (b2) { b2 = Relu (x) "
            "}>\n"
            "  u = If (r) <then_branch = t3 () => (a3) { a3 = Relu (p) }, else_branch = e3 () => (b3) { b3 = Relu (x) "
            "}> }\n"
            "<domain: \"f\", opset_import: [\"\" : 13]> F (i) => (o) { o = Relu (i) }")) {
        rests_on(&subject, NULL, "y", "p p p", "an If of which one branch rests on a declaration");
        rests_on(&subject, NULL, "z", "p p p", "a call with such an argument");
        rests_on(&subject, NULL, "w", "- - -", "and one with another");
        type_is(&subject, NULL, "v", "?", "a condition that rests on a declaration chooses no branch");
        rests_on(&subject, NULL, "u", "- - -", "one that follows from facts does");
        rests_on(&subject, "F", "o", "p p p", "the body rests on what any call rests on");
    }
    subject_close(&subject);
}

int main(void)
{
    facts();
    declarations();
    constants();
    contradictions();
    bodies();
    initializers_of_bodies();
    joins();
    return done();
}
