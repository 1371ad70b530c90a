/* Fingerprints of findings: the same as long as a finding is about the same thing, whatever else changes. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "tests/tap/opened.h"
#include "tests/tap/tap.h"

#define HEAD       "<ir_version: 8, opset_import: [\"\" : 13]>\n"
#define ONE(nodes) HEAD "g (bool c, float x) => (float y) { " nodes " }"

/* Pairs of models: the fingerprints of all findings but advice are those of the other model, or none of them is. */
static const struct {
    const char *what, *one, *other;
    bool same;
} pairs[] = {
    {"a node more before it", ONE("y = Nothing (x)"), ONE("t = Neg (x) y = Nothing (x)"), true},
    {"another operator", ONE("y = Nothing (x)"), ONE("y = Nothing2 (x)"), false},
    {"another output", ONE("y = Nothing (x)"), HEAD "g (bool c, float x) => (float z) { z = Nothing (x) }", false},
    {"a second output", ONE("y = Nothing (x)"), ONE("y, z = Nothing (x)"), true},
    {"another second output after an unnamed one", ONE("\"\", y = Nothing (x)"),
     HEAD "g (bool c, float x) => (float z) { \"\", z = Nothing (x) }", false},
    {"another name of a node", ONE("[n] y = Neg (tmep)"), ONE("[m] y = Neg (tmep)"), false},
    {"another operator of a node with a name", ONE("[n] y = Neg (tmep)"), ONE("[n] y = Abs (tmep)"), true},
    {"another name in the message", ONE("[n] y = Neg (tmep)"), ONE("[n] y = Neg (tmpe)"), false},
    {"another second name in the message", ONE("[n] y = Neg (x) [l] y = Abs (x)"),
     ONE("[m] y = Neg (x) [l] y = Abs (x)"), false},
    {"another number in the message", ONE("y = Clip (x, x, x, x)"), ONE("y = Clip (x, x, x, x, x)"), true},
    {"another graph inside of a node",
     ONE("y = If (c) <then_branch = t () => (p) { p = Neg (tmep) }, else_branch = e () => (q) { q = Neg (x) }>"),
     ONE("y = If (c) <then_branch = t () => (p) { p = Neg (x) }, else_branch = e () => (q) { q = Neg (tmep) }>"),
     false},
    {"another node around it",
     ONE("[a] y = If (c) <then_branch = t () => (p) { [n] p = Neg (tmep) }, else_branch = e () => (q) { q = Neg (x) "
         "}>"),
     ONE("[b] y = If (c) <then_branch = t () => (p) { [n] p = Neg (tmep) }, else_branch = e () => (q) { q = Neg (x) "
         "}>"),
     false},
    {"in a function", ONE("[n] y = Neg (tmep)"),
     HEAD "g (float x) => (float y) { y = Neg (x) } <domain: \"f\", opset_import: [\"\" : 13]> F (x) => (y) { [n] y = "
          "Neg (tmep) }",
     false},
};

static const char *print_of(const struct opshift_findings *findings, const char *id, size_t number)
{
    for (size_t i = 0; i < opshift_findings_count(findings); i++) {
        const struct opshift_finding *finding = opshift_findings_at(findings, i);
        if (finding->check->severity != OPSHIFT_SEVERITY_NOTE && (id == NULL || strcmp(finding->check->id, id) == 0) &&
            number-- == 0)
            return finding->fingerprint;
    }
    return "";
}

static struct opshift_findings *findings_of(const struct opshift_lint *lint, const char *text, const char *name)
{
    struct opshift_error error = {0};
    struct opshift_findings *findings = NULL;
    struct opened opened;
    if (text_open(text, name, &opened) && opshift_lint_model(lint, opened.model, &findings, &error) != OPSHIFT_OK)
        diag("%s", error.text);
    text_close(&opened);
    return findings;
}

/* One fingerprint of each. */
static void test_pair(const struct opshift_lint *lint, const char *one, const char *other, const char *name, bool same,
                      const char *what)
{
    struct opshift_findings *first = findings_of(lint, one, "model.onnx"), *second = findings_of(lint, other, name);
    const char *prints[] = {print_of(first, NULL, 0), print_of(second, NULL, 0)};
    ok(prints[0][0] != '\0' && prints[1][0] != '\0' && (strcmp(prints[0], prints[1]) == 0) == same,
       "%s: %s fingerprint", what, same ? "the same" : "another");
    opshift_findings_free(first);
    opshift_findings_free(second);
}

/* Equal findings are numbered: each has its own, which does not depend on how many follow. */
static void test_equal(const struct opshift_lint *lint)
{
    struct opshift_findings *two = findings_of(lint, ONE("[n] a = Nothing (x) [n] y = Nothing (a)"), "model.onnx");
    struct opshift_findings *three =
        findings_of(lint, ONE("[n] a = Nothing (x) [n] b = Nothing (a) [n] y = Nothing (b)"), "model.onnx");
    const char *id = "OPS003";
    ok(strcmp(print_of(three, id, 0), print_of(three, id, 1)) != 0 &&
           strcmp(print_of(three, id, 1), print_of(three, id, 2)) != 0 &&
           strcmp(print_of(three, id, 0), print_of(three, id, 2)) != 0,
       "three equal findings: three fingerprints");
    is_string(print_of(two, id, 0), print_of(three, id, 0), "the first has that of the first of two");
    is_string(print_of(two, id, 1), print_of(three, id, 1), "and the second that of the second");
    opshift_findings_free(two);
    opshift_findings_free(three);
}

/* A name counts with its first 1024 bytes. */
static void test_long(const struct opshift_lint *lint)
{
    for (int size = 1023; size <= 1024; size++) {
        char *texts[2];
        for (int i = 0; i < 2; i++) {
            struct buffer text = {0};
            buffer_add_text(&text, HEAD "g (float x) => (float y) { [");
            for (int k = 0; k < size; k++)
                buffer_add_byte(&text, 'n');
            buffer_print(&text, "%d] y = Nothing (x) }", i);
            texts[i] = buffer_take(&text);
        }
        test_pair(lint, texts[0], texts[1], "model.onnx", size == 1024,
                  size == 1023 ? "names that differ in their 1024th byte" : "in the next byte");
        free(texts[0]);
        free(texts[1]);
    }
}

int main(void)
{
    struct opshift_error error = {0};
    struct opshift_lint *lint = NULL;
    if (!ok(opshift_lint_new(NULL, &lint, &error) == OPSHIFT_OK, "a linter"))
        return done();
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        test_pair(lint, pairs[i].one, pairs[i].other, "model.onnx", pairs[i].same, pairs[i].what);
    test_pair(lint, pairs[0].one, pairs[0].one, "other.onnx", false, "another file");
    test_pair(lint, pairs[0].one, HEAD "g (float x) => () { y = Neg (x) }", "model.onnx", false, "another check");
    test_equal(lint);
    test_long(lint);
    opshift_lint_free(lint);
    return done();
}
