/* The shipped profiles: each loads at each of its versions, and each statement finds a model that breaks it, in exactly
 * its words, and none in a model that does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "check/target.h"
#include "schema/schema.h"
#include "tests/check/expect.h"
#include "tests/tap/tap.h"

#define GRAPH11(body) MODEL(11, 6, body)
#define GRAPH13(body) MODEL(13, 7, body)
#define GRAPH18(body) MODEL(18, 8, body)
#define LISTED        "g (float[6,6] x) => (float[] a, float[] b)\n<int64[2] n = {2, 4}>\n{ a, b = Split <axis = 1> (x, n) }"
#define BRANCH(then_branch)                                                                                            \
    GRAPH11("g (bool c, float[6] x) => (float[6] y) { y = If (c) <then_branch = t () => (" then_branch                 \
            ", else_branch = e () => (float[6] q) { q = Neg (x) }> }")
/* hidden_size 3: `rows` is 3 times the number of gates. */
#define RECURRENT(op_type, rows, layout)                                                                               \
    GRAPH18("g (float[2,2,2] x, float[1," rows ",2] w, float[1," rows ",3] r) => (float[] y) { y = " op_type           \
            " <hidden_size = 3, layout = " layout "> (x, w, r) }")
#define EVEN_11 GRAPH11("g (float[6,6] x) => (float[] a, float[] b) { a, b = Split <axis = 1> (x) }")

/* A model that breaks the constraint of this key (or of a feature of this name), and one that is like it and does not.
 */
static const struct {
    const char *key, *breaks, *keeps;
} models[] = {
    {"equal", EVEN_11, GRAPH13(LISTED)},
    {"num_outputs", GRAPH18("g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     GRAPH18(LISTED)},
    {"attribute", GRAPH11("g (float[6] x) => (float[] a, float[] b) { a, b = Split <split = [2, 4]> (x) }"),
     GRAPH13(LISTED)},
    {"lengths", GRAPH13(LISTED), EVEN_11},
    {"computed", GRAPH13("g (float[6] x, int64[2] n) => (float[] a, float[] b) { a, b = Split (x, n) }"),
     GRAPH13(LISTED)},
    {"uneven", GRAPH13(LISTED), EVEN_11},
    {"uneven-num_outputs",
     GRAPH18("g (float[6,7] x) => (float[] a, float[] b) { a, b = Split <axis = 1, num_outputs = 2> (x) }"),
     GRAPH18("g (float[6,6] x) => (float[] a, float[] b) { a, b = Split <axis = 1, num_outputs = 2> (x) }")},
    {"empty-part", GRAPH13("g (float[6] x) => (float[] a, float[] b)\n<int64[2] n = {0, 6}>\n{ a, b = Split (x, n) }"),
     GRAPH13(LISTED)},
    {"single-output", GRAPH11("g (float[6] x) => (float[] a) { a = Split <split = [6]> (x) }"), EVEN_11},
    {"unnamed-output",
     GRAPH11("g (float[6] x) => (float[] a, float[] b) { a, \"\", b = Split <split = [2, 2, 2]> (x) }"), EVEN_11},
    {"surplus", GRAPH18("g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 3> (x) }"),
     GRAPH18("g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }")},
    {"negative-axis", GRAPH11("g (float[6,6] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }"), EVEN_11},
    {"unknown-dim", GRAPH11("g (float[N] x) => (float[] a, float[] b) { a, b = Split (x) }"), EVEN_11},
    {"sequences",
     GRAPH11("g (float[6] x) => (float[] y)\n<int64 i = {0}>\n{ s = SplitToSequence (x) y = SequenceAt (s, i) }"),
     EVEN_11},
    {"subgraphs",
     GRAPH11("g (bool c, float[6] x) => (float[6] y) { y = If (c) <then_branch = t () => (float[6] p) { p = Neg (x) }, "
             "else_branch = e () => (float[6] q) { q = Abs (x) }> }"),
     EVEN_11},
    {"functions",
     "<ir_version: 8, opset_import: [\"\" : 11, \"d\" : 1]>\n"
     "g (float[6] x) => (float[6] y) { y = d.F (x) }\n"
     "<domain: \"d\", opset_import: [\"\" : 11]>\nF (a) => (b) { b = Relu (a) }",
     EVEN_11},
    {"unnamed-node", EVEN_11, GRAPH11("g (float[6] x) => (float[6] y) { [named] y = Neg (x) }")},
    {"dynamic-shape", GRAPH11("g (float[N] x) => (float[N] y) { y = Neg (x) }"), EVEN_11},
    /* keys of their own */
    {"split-zero-chunk",
     GRAPH18("g (float[4] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }"),
     GRAPH18("g (float[6] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }")},
    {"split-float", GRAPH18("g (float[16777218] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     GRAPH18("g (float[16777216] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }")},
    {"split-empty-input",
     GRAPH18("g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x, \"\") }"),
     GRAPH18("g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }")},
    {"sequence-keepdims",
     GRAPH13("g (float[6] x) => (seq(float[]) s)\n<int64 n = {1}>\n{ s = SplitToSequence <keepdims = 0> (x, n) }"),
     GRAPH13("g (float[6] x) => (seq(float[]) s)\n<int64 n = {1}>\n{ s = SplitToSequence (x, n) }")},
    {"gru-layout", RECURRENT("GRU", "9", "1"), RECURRENT("GRU", "9", "0")},
    {"lstm-layout", RECURRENT("LSTM", "12", "1"), RECURRENT("LSTM", "12", "0")},
    {"rnn-layout", RECURRENT("RNN", "3", "1"), RECURRENT("RNN", "3", "0")},
    {"repeated-name", GRAPH11("g (float[6] x) => (float[6] y) { [n] t = Abs (x) [n] y = Neg (t) }"),
     GRAPH11("g (float[1] x) => (float[1] y)\n"
             "{ [n] k = Constant <value = float[1] {1}> () [n] t = Add (x, k) [m] y = Neg (t) }")},
    {"outer-output", BRANCH("float[6] x) { }"), BRANCH("float[6] p) { p = Abs (x) }")},
    {"split-to-sequence", GRAPH13("g (float[6] x) => (seq(float[]) s) { s = SplitToSequence (x) }"), EVEN_11},
    {"rank", GRAPH11("g (float[1,1,1,1,1,1,1,1,6] x) => (float[] a, float[] b) { a, b = Split <axis = 8> (x) }"),
     EVEN_11},
    {"output-count", NULL, EVEN_11},
    {"deform-conv",
     MODEL(19, 9,
           "g (float[1,1,3,3] x, float[1,1,2,2] w, float[1,8,2,2] o) => (float[] y) { y = DeformConv (x, w, o) }"),
     EVEN_11},
    {"num_outputs-unknown-dim",
     GRAPH18("g (float[N] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     GRAPH18("g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }")},
    {"lengths-unknown-dim",
     GRAPH13("g (float[N] x) => (float[] a, float[] b)\n<int64[2] n = {2, 4}>\n{ a, b = Split (x, n) }"),
     GRAPH13(LISTED)},
    {"split-opset", EVEN_11, GRAPH13("g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }")},
    {"split-1-input",
     MODEL(1, 3, "g (float[6] x, float[2] n) => (float[] a, float[] b) { a, b = Split <axis = 0> (x, n) }"), EVEN_11},
    {"split-type", GRAPH13("g (string[6] x) => (string[] a, string[] b) { a, b = Split (x) }"),
     GRAPH13("g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }")},
    {"max-pool-indices",
     GRAPH11("g (float[1,1,4,4] x) => (float[] y, int64[] i) { y, i = MaxPool <kernel_shape = [2, 2]> (x) }"),
     GRAPH11("g (float[1,1,4,4] x) => (float[] y) { y = MaxPool <kernel_shape = [2, 2]> (x) }")},
    {"batch-axis", GRAPH11("g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"), EVEN_11},
    {"if-condition",
     GRAPH11("g (bool c, float[6] x) => (float[6] y) { y = If (c) <then_branch = t () => (float[6] p) { p = Neg (x) }, "
             "else_branch = e () => (float[6] q) { q = Abs (x) }> }"),
     EVEN_11},
};

/* The row of a constraint: by its key, else by its feature. NULL: there is none. */
static int model_of(const struct target_constraint *constraint)
{
    for (int by_key = 1; by_key >= 0; by_key--)
        for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
            const char *wanted = by_key                     ? constraint->key
                                 : constraint->feature >= 0 ? target_features[constraint->feature].name
                                                            : "";
            if (strcmp(models[i].key, wanted) == 0)
                return (int)i;
        }
    return -1;
}

/* The messages of one target about a model, one per line; only TGT checks run. Freed by the caller. */
static char *messages(const char *name, const char *text)
{
    static const char *const only[] = {"TGT"};
    struct opshift_error error = {0};
    struct opshift_lint_options options = {.targets = &name, .target_count = 1, .select = only, .select_count = 1};
    struct opshift_lint *lint = NULL;
    struct opshift_findings *findings = NULL;
    struct opshift_model *model = NULL;
    struct buffer lines = {0};
    char *bytes = NULL;
    size_t size = 0;
    enum opshift_status status = opshift_text_to_model(text, strlen(text), "model.txt", &bytes, &size, &error);
    if (status == OPSHIFT_OK)
        status = opshift_model_open_memory(bytes, size, NULL, &model, &error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_new(&options, &lint, &error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_model(lint, model, &findings, &error);
    for (size_t i = 0; findings && i < opshift_findings_count(findings); i++) {
        const struct opshift_finding *finding = opshift_findings_at(findings, i);
        buffer_print(&lines, "%s %s\n", finding->check->id, finding->message);
    }
    buffer_print(&lines, "%s", status ? error.text : "");
    opshift_findings_free(findings);
    opshift_lint_free(lint);
    opshift_model_free(model);
    opshift_text_free(bytes);
    return buffer_take(&lines);
}

static bool has(const char *lines, const char *words)
{
    return lines && strstr(lines, words);
}

static void see(bool wanted, const char *name, const char *text, const char *words, const char *what)
{
    char *lines = messages(name, text);
    if (!ok(has(lines, words) == wanted, "%s: %s", name, what))
        diag("%s: %s\nfound:\n%s", wanted ? "wanted" : "not wanted", words, lines ? lines : "nothing");
    free(lines);
}

/* 8193 outputs, which the text would have to name. */
static char *many_outputs(void)
{
    struct buffer out = {0};
    buffer_add_text(&out, "<ir_version: 6, opset_import: [\"\" : 11]>\ng (float[8193] x) => (float[] a0) { ");
    for (int i = 0; i < 8193; i++)
        buffer_print(&out, "%sa%d", i ? ", " : "", i);
    buffer_add_text(&out, " = Split (x) }");
    return buffer_take(&out);
}

/* The operator of a constraint, and the attributes that it is about, are there in some version. */
static void test_attributes(const char *name, const struct target_constraint *constraint)
{
    uint32_t count = 0;
    const struct schema *versions = schema_versions(constraint->domain, constraint->operator_type, &count);
    bool any = strcmp(constraint->operator_type, "*") == 0 || *constraint->operator_type == '\0';
    ok(any || count > 0, "%s, %s: there is an operator %s", name, constraint->key, constraint->operator_type);
    for (uint32_t i = 0; !any && i < constraint->when_count + constraint->require_count; i++) {
        const struct condition *condition =
            i < constraint->when_count ? &constraint->when[i] : &constraint->require[i - constraint->when_count];
        bool found = condition->fact->asks != ASKS_NAME;
        for (uint32_t k = 0; k < count; k++)
            found = found || schema_attribute_find(&versions[k], condition->argument) != NULL;
        ok(found, "%s, %s: %s is an attribute", name, constraint->key, condition->text);
    }
}

static void test_constraint(const char *name, const struct target *target, const struct target_constraint *constraint)
{
    int row = model_of(constraint);
    if (row < 0 && strncmp(constraint->source, "measured, ", 10) == 0)
        return; /* by rules/targets/measure; tests/cli/targets-measured.t asks the runtimes themselves */
    if (row < 0) {
        test_attributes(name, constraint);
        return;
    }
    struct buffer words = {0}, keeps = {0};
    bool shape = constraint->feature == FEATURE_DYNAMIC_SHAPE;
    buffer_print(&words, "%s %s, %s: %s",
                 shape                 ? (constraint->refused ? "TGT006" : "TGT007")
                 : constraint->refused ? "TGT004"
                                       : "TGT005",
                 target->label, constraint->key, constraint->why);
    buffer_print(&keeps, "%s", (char *)words.data);
    buffer_print(&words, "%s (%s, %s); %s\n", shape ? ", and that of 'x' is not" : "", constraint->source,
                 constraint->date, constraint->mend);
    buffer_add_text(&words, ""), buffer_add_text(&keeps, "");
    char *wanted = buffer_take(&words), *unwanted = buffer_take(&keeps);
    char *made = models[row].breaks ? NULL : many_outputs();
    see(true, name, made ? made : models[row].breaks, wanted, constraint->key);
    see(false, name, models[row].keeps, unwanted, "the other model");
    free(made);
    free(wanted);
    free(unwanted);
}

/* The newest version of an operator that is not deprecated. NULL: there is none. */
static const struct schema *schema_of(const char *op_type)
{
    uint32_t count = 0;
    const struct schema *versions = schema_versions("", op_type, &count);
    while (count > 0 && versions[count - 1].deprecated)
        count--;
    return count > 0 ? &versions[count - 1] : NULL;
}

static void attributes_print(struct buffer *out, const struct schema *schema)
{
    bool first = true;
    for (uint32_t i = 0; i < schema->attribute_count; i++) {
        const struct schema_attribute *attribute = &schema->attributes[i];
        const char *value = attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT      ? "1"
                            : attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS   ? "[1]"
                            : attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT  ? "1.0"
                            : attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS ? "[1.0]"
                            : attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH
                                ? "b = t () => (float[6] p) { p = Neg (x) }"
                            : strcmp(attribute->name, "direction") == 0 ? "\"LEFT\""
                            : strcmp(attribute->name, "mode") == 0      ? "\"TF\""
                                                                        : "\"ij\"";
        bool one_of = strcmp(attribute->name, "pool_int64s") == 0;
        if (strcmp(attribute->name, "pooled_shape") == 0)
            value = "[1, 1]";
        if (!attribute->required && !one_of)
            continue;
        buffer_print(out, "%s%s = %s", first ? "<" : ", ", attribute->name, value);
        first = false;
    }
    buffer_add_text(out, first ? "" : "> ");
}

/* A model with a node of the operator whose inputs have unknown types, so that nothing else is wrong with it. */
static char *operator_model(const struct schema *schema)
{
    struct buffer out = {0};
    uint32_t inputs = schema->input_min ? schema->input_min : 1, outputs = schema->output_min ? schema->output_min : 1;
    buffer_print(&out, "<ir_version: 10, opset_import: [\"\" : %u, \"d\" : 1]>\ng () => (float[] z) { ", schema->since);
    for (uint32_t i = 0; i < inputs; i++)
        buffer_print(&out, "%sx%u", i ? ", " : "", i);
    buffer_add_text(&out, " = d.Any () ");
    for (uint32_t i = 0; i < outputs; i++)
        buffer_print(&out, "%sy%u", i ? ", " : "", i);
    buffer_print(&out, " = %s ", schema->op_type);
    attributes_print(&out, schema);
    buffer_add_text(&out, "(");
    for (uint32_t i = 0; i < (schema->input_min || schema->input_max > 0 ? inputs : 0); i++)
        buffer_print(&out, "%sx%u", i ? ", " : "", i);
    buffer_add_text(&out, ") z = d.Any (y0) }");
    return buffer_take(&out);
}

static bool has_body(const struct schema *schema)
{
    for (uint32_t i = 0; i < schema->attribute_count; i++)
        if (schema->attributes[i].type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH)
            return true;
    return false;
}

/* A node of an operator, and that it is there or lacking. Operators with bodies are known to the schema only. */
static void see_operator(bool lacking, const char *name, const struct target *target, const struct target_lack *lack,
                         const char *op_type)
{
    const struct schema *schema = schema_of(op_type);
    char words[128];
    if (!ok(schema || strchr(op_type, '.'), "%s: there is an operator %s", name, op_type) || !schema ||
        has_body(schema))
        return;
    char *text = operator_model(schema);
    snprintf(words, sizeof(words), "%s %s has no %s%s", lack->refused ? "TGT002" : "TGT005", target->label, op_type,
             lack->why ? ": " : " (");
    see(lacking, name, text, words, op_type);
    free(text);
}

static void test_operators(const char *name, const struct target *target, const struct target_lack *lack)
{
    for (const char *const *op_type = lack->operators; *op_type; op_type++)
        see_operator(!lack->all_others, name, target, lack, *op_type);
    see_operator(lack->all_others, name, target, lack, lack->all_others ? "Det" : "Relu");
}

static void test_types(const char *name, const struct target *target, const struct target_lack *lack)
{
    for (int i = 0; i < 2; i++) {
        bool lacking = i == 0;
        enum opshift_type type = OPSHIFT_TYPE_FLOAT;
        while ((lack->types >> type & 1) == (lacking ? lack->all_others : !lack->all_others))
            type++;
        char text[256], words[128];
        snprintf(text, sizeof(text),
                 "<ir_version: 9, opset_import: [\"\" : 19]>\ng (%s[6] x) => (%s[6] y) { y = Identity (x) }",
                 opshift_type_name(type), opshift_type_name(type));
        snprintf(words, sizeof(words), "%s %s has no %s, which 'x' is", lack->refused ? "TGT003" : "TGT005",
                 target->label, opshift_type_name(type));
        see(lacking, name, text, words, opshift_type_name(type));
    }
}

/* The limit itself is taken, the next figure is not. */
static void see_figures(const char *name, int64_t opset, int64_t ir_version, bool wanted, const char *words)
{
    char text[256];
    snprintf(text, sizeof(text),
             "<ir_version: %d, opset_import: [\"\" : %d]>\ng (float[6] x) => (float[6] y) { y = Neg (x) }",
             (int)ir_version, (int)opset);
    see(wanted, name, text, words, words);
}

static void test_figures(const char *name, const struct target *target)
{
    int64_t opset = target->opset ? target->opset : target->oldest_opset ? target->oldest_opset : 13;
    if (target->opset) {
        see_figures(name, target->opset + 1, 3, true, "takes opsets up to");
        see_figures(name, target->opset, 3, false, "takes opsets up to");
    }
    if (target->oldest_opset) {
        see_figures(name, target->oldest_opset - 1, 3, true, "takes opsets from");
        see_figures(name, target->oldest_opset, 3, false, "takes opsets from");
    }
    if (target->ir_version) {
        see_figures(name, opset, target->ir_version + 1, true, "takes IR versions up to");
        see_figures(name, opset, target->ir_version, false, "takes IR versions up to");
    }
}

static void test_target(const char *name, struct arena *arena, bool deep)
{
    struct opshift_error error = {0};
    struct target *target = NULL;
    target_load(name, NULL, 0, arena, &target, &error);
    if (!is_string("", error.text, "%s loads", name))
        return;
    test_figures(name, target);
    for (uint32_t i = 0; deep && i < target->constraint_count; i++)
        if (!target->constraints[i].unknown)
            test_constraint(name, target, &target->constraints[i]);
    /* Of an operator that is listed it is known that it is there. */
    for (uint32_t i = 0; i < target->known_count; i++)
        for (const char *const *op_type = target->known[i].operators; *op_type; op_type++)
            ok(strchr(*op_type, '.') || schema_of(*op_type), "%s: there is an operator %s", name, *op_type);
    for (uint32_t i = 0; i < target->lack_count; i++)
        if (target->lacks[i].operators)
            test_operators(name, target, &target->lacks[i]);
        else
            test_types(name, target, &target->lacks[i]);
}

int main(void)
{
    for (const struct target_text *shipped = targets_shipped; shipped->name; shipped++) {
        struct opshift_error error = {0};
        struct arena *arena = arena_new(0);
        struct target *newest = NULL;
        target_load(shipped->name, NULL, 0, arena, &newest, &error);
        if (!is_string("", error.text, "%s loads", shipped->name))
            continue;
        is_string(shipped->name, newest->name, "%s is what its file is called", shipped->name);
        if (newest->versions[0] == NULL)
            test_target(shipped->name, arena, true);
        /* Constraints differ between the newest and the oldest at most. */
        for (const char *const *version = newest->versions; *version; version++)
            test_target(arena_print(arena, "%s@%s", shipped->name, *version), arena,
                        version == newest->versions || version[1] == NULL);
        arena_free(arena);
    }
    return done();
}
