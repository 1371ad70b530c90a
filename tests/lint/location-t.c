/* Locations of findings in deeply nested graphs: shortened in the middle, with distinct fingerprints, and cheap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "opshift.h"
#include "tests/tap/tap.h"

#define LEVELS 25
#define NODES  2000
#define WIDE   10000 /* bytes of the name of each outer node */

/* Nested Ifs with long names, and in the innermost one many nodes without an operator. */
static char *nested(void)
{
    struct buffer text = {0};
    char *name = malloc(WIDE + 1);
    memset(name, 'n', WIDE);
    name[WIDE] = '\0';
    buffer_print(&text, "<ir_version: 8, opset_import: [\"\" : 13]>\ng (bool c, float[2] x) => (float[2] y0) {");
    for (int i = 0; i < LEVELS; i++)
        buffer_print(
            &text,
            "[%s%d] y%d = If (c) <else_branch = e%d () => (float[2] z%d) { z%d = Neg (x) }, then_branch = t%d () "
            "=> (float[2] y%d) { ",
            name, i, i, i, i, i, i, i + 1);
    for (int i = 0; i < NODES; i++)
        buffer_print(&text, "u%d = Nothing (x) ", i);
    buffer_print(&text, "y%d = Neg (x)", LEVELS);
    for (int i = 0; i < LEVELS; i++)
        buffer_print(&text, " }>");
    buffer_print(&text, " }");
    free(name);
    return buffer_take(&text);
}

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void test_findings(const struct opshift_findings *findings)
{
    size_t faults = 0, wide = 0, same = 0;
    const char *before = "", *place = "", *location = "";
    for (size_t i = 0; i < opshift_findings_count(findings); i++) {
        const struct opshift_finding *finding = opshift_findings_at(findings, i);
        if (strcmp(finding->check->id, "OPS003") != 0)
            continue;
        faults++;
        wide += strlen(finding->place) > 1100 || strlen(finding->location) > 1100;
        same += strcmp(finding->fingerprint, before) == 0;
        before = finding->fingerprint;
        place = finding->place;
        location = finding->location;
    }
    is_int(NODES, (int64_t)faults, "all are found");
    is_int(0, (int64_t)wide, "and none has a place of more than a kilobyte");
    is_int(0, (int64_t)same, "each has a fingerprint of its own");
    ok(strncmp(location, "graph/node[0]:nnnn", 18) == 0 && strstr(location, "nnn...nnn") != NULL &&
           ends_with(location, "/then_branch/node[1999]"),
       "the path is cut in its middle");
    ok(strncmp(place, "node 'nnnn", 10) == 0 && strstr(place, "...") != NULL &&
           ends_with(place, ": then_branch: node 1999 (Nothing)"),
       "and so are the words");
}

int main(void)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    struct opshift_lint *lint = NULL;
    struct opshift_findings *findings = NULL;
    char *text = nested(), *bytes = NULL;
    size_t size;
    if (opshift_text_to_model(text, strlen(text), "nested", &bytes, &size, &error) == OPSHIFT_OK &&
        opshift_model_open_memory(bytes, size, NULL, &model, &error) == OPSHIFT_OK &&
        opshift_lint_new(NULL, &lint, &error) == OPSHIFT_OK)
        opshift_lint_model(lint, model, &findings, &error);
    if (ok(findings != NULL, "it is linted"))
        test_findings(findings);
    else
        diag("%s", error.text);
    opshift_findings_free(findings);
    opshift_lint_free(lint);
    opshift_model_free(model);
    opshift_text_free(bytes);
    free(text);
    return done();
}
