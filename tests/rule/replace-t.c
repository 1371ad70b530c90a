/* The verb `replace`: messages about invalid bodies when a rule is loaded, expanded bodies, and messages about nodes
 * without a matching body. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert/convert.h"
#include "rule/load.h"
#include "tests/convert/case.h"
#include "tests/tap/tap.h"

static char directory[] = "replace-XXXXXX";

/* A rule for LayerNormalization going down, with one replace with these parameters. They begin in line 6. */
#define RULE(rest) "op: LayerNormalization\nwhy: w\ndown:\n  - replace:\n      kind: definition\n" rest
#define BODY(line) RULE("      body: |\n        " line "\n")

static const struct bad_body {
    const char *what, *text, *message; /* after the file's name */
} bads[] = {
    {"no kind", "op: LayerNormalization\nwhy: w\ndown:\n  - replace: {body: Y = Neg (X)}\n",
     ":4:5: replace needs the parameter 'kind'"},
    {"an unknown kind", "op: LayerNormalization\nwhy: w\ndown:\n  - replace: {kind: close, body: Y = Neg (X)}\n",
     ":4:21: kind: expected definition, exact or approximate, found 'close'"},
    {"no body", "op: LayerNormalization\nwhy: w\ndown:\n  - replace: {kind: exact}\n",
     ":4:5: replace needs the parameter 'body'"},
    {"an empty body", RULE("      body: \"\"\n"), ":6:13: body: expected text, found nothing"},
    {"an operator that is not known",
     "op: LayerNormalisation\nwhy: w\ndown:\n  - replace: {kind: exact, body: Y = Neg (X)}\n",
     ":4:5: replace: nothing is known of the operator 'LayerNormalisation' at opset 17, so its inputs and outputs have "
     "no names"},
    {"a let that is no map", RULE("      let: 1\n      body: Y = Neg (X)\n"),
     ":6:12: let: expected a map, found a scalar"},
    {"a let that says nothing", RULE("      let: {a: \"\"}\n      body: Y = Neg (X)\n"),
     ":6:16: a: expected text, found nothing"},

    {"a when that does not parse", RULE("      when: \"rank(X) >\"\n      body: Y = Neg (X)\n"),
     ":6:23: expected a value, found the end of the expression"},
    {"a when with an unknown name", RULE("      when: axes == 1\n      body: Y = Neg (X)\n"),
     ":6:13: there is no attribute, let or loop of the name 'axes'"},
    {"a when that is no condition", RULE("      when: shape(X)\n      body: Y = Neg (X)\n"),
     ":6:13: when: expected a bool, found a list"},
    {"a question to an unknown input", RULE("      when: \"known(Z)\"\n      body: Y = Neg (X)\n"),
     ":6:14: the operator has no input or output 'Z'"},
    {"a let with a fault", RULE("      let:\n        a: axis\n        b: \"a + shape(X)\"\n      body: Y = Neg (X)\n"),
     ":8:15: the operator does not take an integer and a list"},
    {"a let that uses the next one", RULE("      let: {a: b + 1, b: axis}\n      body: Y = Neg (X)\n"),
     ":6:16: there is no attribute, let or loop of the name 'b'"},

    {"a body that does not parse", BODY("Y = Neg (X"), ":8:9: expected ',' or ')', found the end"},
    {"a body that is no node", BODY("Neg (X)"), ":7:13: expected '=', found '('"},
    {"a fault in its second line", RULE("      body: |\n        a = Neg (X)\n        Y = Neg <axis> (a)\n"),
     ":8:22: expected '=', found '>'"},
    {"an operator of a later opset", BODY("Y = Gelu (X)"), ":7:9: ai.onnx has no operator 'Gelu' at opset 17"},
    {"a graph that the operator does not have", BODY("Y = graph.body (X)"),
     ":7:9: graph.body: LayerNormalization-17 has no graph of that name"},
    {"a deprecated operator", BODY("Y = Upsample (X, Scale)"), ":7:9: ai.onnx has no operator 'Upsample' at opset 17"},
    {"an input that is not known", BODY("Y = Add (X, scale)"),
     ":7:9: 'scale' is no input of LayerNormalization-17, and no line before gives it"},
    {"a value that is given later", RULE("      body: |\n        Y = Neg (a)\n        a = Neg (X)\n"),
     ":7:9: 'a' is no input of LayerNormalization-17, and no line before gives it"},
    {"an input that is given anew", BODY("X = Neg (X)"),
     ":7:9: 'X' is an input of LayerNormalization-17; give what comes out another name"},
    {"an output that is never given", BODY("y = Neg (X)"), ":7:9: the body never gives the output 'Y'"},
    {"too many inputs", BODY("Y = Neg (X, X)"), ":7:9: Neg-13 does not take 2 inputs"},
    {"too many outputs", BODY("Y, Mean = Neg (X)"), ":7:9: Neg-13 does not give 2 outputs"},
    {"an attribute that is not known", BODY("Y = Neg <axis = 2> (X)"), ":7:9: Neg-13 has no attribute 'axis'"},
    {"an attribute of another type", BODY("Y = Softmax <axis = 1.0> (X)"),
     ":7:9: attribute 'axis' of Softmax-13 is an int"},
    {"an attribute that is missing", BODY("Y = Cast (X)"), ":7:9: Cast-13 needs the attribute 'to'"},
    {"an @ that is not known", BODY("Y = Softmax <axis = @axes> (X)"),
     ":7:9: @axes: LayerNormalization-17 has no such attribute"},
    {"an @ of another type", BODY("Y = Softmax <axis = @epsilon> (X)"),
     ":7:9: @epsilon is a float, and 'axis' has another type"},
    {"a $ that is not known", BODY("Y = Softmax <axis = $axes> (X)"),
     ":7:30: there is no attribute, let or loop of the name 'axes'"},
    {"a $ without a name", BODY("Y = Softmax <axis = $ > (X)"), ":7:29: $ needs a name or {expression} behind it"},
    {"a ${ without an end", BODY("Y = Softmax <axis = ${axis> (X)"), ":7:29: ${ has no closing }"},
    {"a ${ with a fault", BODY("Y = Softmax <axis = ${axis +}> (X)"),
     ":7:37: expected a value, found the end of the expression"},
    {"an if without a colon", BODY("if axis Y = Neg (X)"), ":7:9: `if` has no : in its line"},
    {"an if with a fault", BODY("if present(Z): Y = Neg (X)"), ":7:12: the operator has no input or output 'Z'"},
    {"a for without in", BODY("for i: Y = Neg (X)"), ":7:13: expected a name and `in`, as in `for i in range(3): ...`"},
    {"a for over a number", BODY("for i in axis: Y = Neg (X)"),
     ":7:23: for: expected a list or a string, found an integer"},
    {"a loop's name outside it",
     RULE("      body: |\n        for i in range(2): a_$i = Neg (X)\n        Y = Neg (a_$i)\n"),
     ":8:21: there is no attribute, let or loop of the name 'i'"},
    {"a graph that gives no output", BODY("Y = Loop (X, X, X) <body = g (i, c, v) => (c, w) { u = Neg (v) }>"),
     ":7:9: the graph 'g' never gives its output 'w'"},
};

static const char *path_of(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next = (next + 1) % 4];
    snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
    return path;
}

static void write_rule(const char *text)
{
    FILE *file = fopen(path_of("opset-17/r.yaml"), "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        ok(false, "the rule can be written");
}

static void bad_bodies_are_refused(void)
{
    for (size_t i = 0; i < COUNT(bads); i++) {
        struct opshift_error error = {0};
        struct rule_set set = {.arena = arena_new(0)};
        char wanted[1024];
        write_rule(bads[i].text);
        is_int(OPSHIFT_USAGE, rule_set_read_file(&set, path_of("opset-17/r.yaml"), &error), "%s: refused",
               bads[i].what);
        snprintf(wanted, sizeof(wanted), "%s%s", path_of("opset-17/r.yaml"), bads[i].message);
        const char *seen = strstr(error.text, directory);
        is_string(wanted, seen ? seen : error.text, "%s: message", bads[i].what);
        arena_free(set.arena);
    }
}

#define LAYER(signature, node) "<ir_version: 8, opset_import: [\"\" : 17]> g " signature " {" node "}"
#define FLOATS                 "(float[2, 3, 4] x, float[4] s, float[4] b) => (y)"

static const struct {
    const char *what, *rule, *model;
    const char *nodes; /* the nodes after the header; or after !, a part of the refusal */
} cases[] = {
    {"names, attributes and unread nodes",
     RULE(
         "      body: |\n        Mean = Neg (X)\n        a = Softmax <axis = @axis> (X)\n        Y = Add (a, Scale)\n"),
     LAYER(FLOATS, "y = LayerNormalization <axis = 1> (x, s)"), "{y_a = Softmax <axis = 1> (x) y = Add (y_a, s)}"},
    {"an attribute's default", BODY("Y = Softmax <axis = @axis> (X)"), LAYER(FLOATS, "y = LayerNormalization (x, s)"),
     "{y = Softmax <axis = -1> (x)}"},
    {"an absent input", RULE("      body: |\n        Y = Clip (X, B)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "{y = Clip (x)}"},
    {"an if", RULE("      body: |\n        if present(B): Y = Add (X, B)\n        if not present(B): Y = Neg (X)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s, b)"), "{y = Add (x, b)}"},
    {"another if",
     RULE("      body: |\n        if present(B): Y = Add (X, B)\n        if not present(B): Y = Neg (X)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "{y = Neg (x)}"},
    {"a for, with what stands below it",
     RULE("      body: |\n        v_0 = Neg (X) # first\n        for i in range(2):\n          t_$i = Abs (v_$i) # "
          "then\n"
          "          v_${i + 1} = Neg (t_$i)\n        Y = Exp (v_2)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"),
     "{y_v_0 = Neg (x) y_t_0 = Abs (y_v_0) y_v_1 = Neg (y_t_0) y_t_1 = Abs (y_v_1) y_v_2 = Neg (y_t_1) y = Exp "
     "(y_v_2)}"},
    {"names from a list",
     RULE("      let: {parts: \"['p_' + str(i) for i in range(3)]\"}\n      body: |\n        $parts = Split <axis = 1> "
          "(X)\n"
          "        Y = Concat <axis = ${axis % rank(X)}> ($parts)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"),
     "{y_p_0, y_p_1, y_p_2 = Split <axis = 1> (x) y = Concat <axis = 2> (y_p_0, y_p_1, y_p_2)}"},
    {"an operator's name",
     RULE("      let: {kind: \"'Max' if axis < 0 else 'Min'\"}\n      body: Y = Reduce${kind} (X)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "{y = ReduceMax (x)}"},
    {"the first condition that holds",
     RULE("      when: axis == 0\n      body: Y = Neg (X)\n  - replace: {kind: exact, when: axis == 1, body: Y = Abs "
          "(X)}\n"
          "  - replace: {kind: exact, body: Y = Exp (X)}\n"),
     LAYER(FLOATS, "y = LayerNormalization <axis = 1> (x, s)"), "{y = Abs (x)}"},
    {"a condition on names of let",
     RULE("      when: n - last == 2\n      let: {n: rank(X), last: n - 2}\n      body: Y = Softmax <axis = $last> "
          "(X)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "{y = Softmax <axis = 1> (x)}"},
    {"a name of let that the condition does not reach",
     RULE("      when: axis == 0 and 1 / n == 1\n      let: {n: axis + 1}\n      body: Y = Neg (X)\n  - replace: "
          "{kind: exact, "
          "body: Y = Abs (X)}\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "{y = Abs (x)}"},
    {"a condition on a name that is not known",
     RULE("      when: n == 2\n      let: {n: rank(X)}\n      body: Y = Neg (X)\n"),
     LAYER("(float x, float[] s) => (y)", "z = NonMaxSuppression (s, s) y = LayerNormalization (s, s)"),
     "!no body of the rule fits: the rank of 's' is unknown; give it by --shape s=..."},
    {"a condition on names that depend on each other too deeply",
     RULE("      when: q == 1\n      let: {a: axis, b: a, c: b, d: c, e: d, f: e, g: f, h: g, i: h, j: i, k: j, l: k, "
          "m: l, "
          "n: m, o: n, p: o, q: p}\n      body: Y = Neg (X)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "!r.yaml:7:16: more than 16 names depend on each other"},

    {"no condition holds", RULE("      when: axis == 0\n      body: Y = Neg (X)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "!17 to 16: no body of the rule fits"},
    {"the step behind the conditions",
     RULE("      when: axis == 0\n      body: Y = Neg (X)\n  - refuse: no axis but 0\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "!17 to 16: no axis but 0"},
    {"a condition that cannot be answered", RULE("      when: rank(X) == 2\n      body: Y = Neg (X)\n"),
     LAYER("(float x, float[] s) => (y)", "z = NonMaxSuppression (s, s) y = LayerNormalization (s, s)"),
     "!no body of the rule fits: the rank of 's' is unknown; give it by --shape s=..."},
    {"a condition about a value within", RULE("      when: rank(X) == 2\n      body: Y = Neg (X)\n"),
     LAYER("(x, float[4] s) => (y)", "z = Neg (x) y = LayerNormalization (z, s)"),
     "!no body of the rule fits: the rank of 'z' is unknown; give the shapes of the model's inputs by --shape "
     "NAME=..., "
     "or declare 'z' in the model"},
    {"known() as a condition", RULE("      when: known_dim(X, 0)\n      body: Y = Neg (X)\n  - refuse: no\n"),
     LAYER("(float[N, 2] s) => (y)", "y = LayerNormalization (s, s)"),
     "!no; dim 0 of 's' is unknown; give it by --shape s=..."},
    {"a body that asks for what is not known", RULE("      body: Y = Softmax <axis = ${dim(X, 0)}> (X)\n"),
     LAYER("(float[N, 2] s) => (y)", "y = LayerNormalization (s, s)"),
     "!dim 0 of 's' is unknown; give it by --shape s=..."},
    {"an overflow", RULE("      body: Y = Softmax <axis = ${axis * 9223372036854775807 - 2}> (X)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "!r.yaml:6:62: overflow"},
    {"a dim that is not there", RULE("      body: Y = Softmax <axis = ${dim(X, 3)}> (X)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "!r.yaml:6:35: dim 3 of 'x', whose rank is 3"},
    {"a value that is no constant", RULE("      body: Y = Softmax <axis = ${value(Scale)[0]}> (X)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "!'s' is no constant: it is a graph input"},
    {"an output that is not given for this node", BODY("if axis == 0: Y = Neg (X)"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"),
     "!r.yaml:4: the body, as it is written out for this node, does not give the node's output 'Y'"},
    {"a value that is not given for this node",
     RULE("      body: |\n        if axis == 0: a = Neg (X)\n        Y = Neg (a)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"),
     "!r.yaml:4: the body, as it is written out for this node, reads what nothing gives: 'a'"},
    {"a value that is given twice",
     RULE("      body: |\n        for i in range(2): a = Neg (X)\n        Y = Neg (a)\n"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"),
     "!r.yaml:4: the body, as it is written out for this node, gives twice 'a'"},
    {"a name with a minus", BODY("a_$axis = Neg (X)\n        Y = Neg (X)"),
     LAYER(FLOATS, "y = LayerNormalization (x, s)"),
     "!r.yaml:7:11: within a name $ takes an integer that is not negative, or a string"},
    {"an approximate body",
     "op: LayerNormalization\nwhy: w\ndown:\n  - replace: {kind: approximate, body: Y = Neg (X)}\n",
     LAYER(FLOATS, "y = LayerNormalization (x, s)"), "!allow-approximate"},
};

/* The text after the last header, with white space squeezed. */
static char *squeezed(const char *text)
{
    char *out = malloc(strlen(text) + 1), *end = out;
    for (; out != NULL && *text != '\0'; text++) {
        bool space = *text == ' ' || *text == '\n';
        if (!space)
            *end++ = *text;
        else if (text[1] == '\0')
            break;
        else if (end > out && end[-1] != '{' && end[-1] != ' ' && text[1] != '}')
            *end++ = ' ';
    }
    if (out != NULL)
        *end = '\0';
    return out;
}

static void expect_nodes(struct opshift_model *model, const char *nodes, const char *what)
{
    char *text = saved_text(model, what);
    const char *body = text == NULL ? NULL : strrchr(text, '{');
    char *seen = body == NULL ? NULL : squeezed(body);
    is_string(nodes, seen, "%s", what);
    free(seen);
    opshift_text_free(text);
}

static void bodies_become_nodes(void)
{
    const char *const directories[] = {directory};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opshift_error error = {0};
        struct opshift_rules *rules = NULL;
        char *bytes = NULL;
        write_rule(cases[i].rule);
        struct opshift_model *model = open_text(cases[i].model, &bytes, cases[i].what);
        enum opshift_status status = opshift_rules_load(directories, 1, &rules, &error);
        struct opshift_goal goal = {.opset = 16, .rules = rules};
        if (status == OPSHIFT_OK && model != NULL)
            status = opshift_convert(model, &goal, NULL, &error);
        if (*cases[i].nodes == '!') {
            is_int(OPSHIFT_NO, status, "%s: refused", cases[i].what);
            if (!ok(strstr(error.text, cases[i].nodes + 1) != NULL, "%s: says why", cases[i].what))
                diag("wanted: %s\nsaw:    %s", cases[i].nodes + 1, error.text);
        } else if (is_int(OPSHIFT_OK, status, "%s: converts", cases[i].what)) {
            expect_nodes(model, cases[i].nodes, cases[i].what);
        } else {
            diag("%s", error.text);
        }
        opshift_model_free(model);
        opshift_rules_free(rules);
        opshift_text_free(bytes);
    }
}

int main(void)
{
    if (mkdtemp(directory) == NULL || mkdir(path_of("opset-17"), 0777) != 0)
        ok(false, "a directory can be made");
    bad_bodies_are_refused();
    bodies_become_nodes();
    unlink(path_of("opset-17/r.yaml"));
    rmdir(path_of("opset-17"));
    rmdir(directory);
    return done();
}
