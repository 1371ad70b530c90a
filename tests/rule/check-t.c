/* opshift_rules_check: the shipped rules' examples convert as written; messages about those that do not. */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "opshift.h"
#include "tests/tap/tap.h"

static char directory[] = "check-XXXXXX";

#define NO_KERNEL(name) "there is no built-in kernel for " name

/* What no kernel computes: it is random, of a domain without kernels, or a runtime's own operator. */
static const char *const without_kernel[] = {
    NO_KERNEL("Bernoulli at"),
    NO_KERNEL("ai.onnx.ml."),
    NO_KERNEL("Affine at"),
    NO_KERNEL("Crop at"),
    NO_KERNEL("ImageScaler at"),
    NO_KERNEL("MeanVarianceNormalization at opset 8"),
    NO_KERNEL("ParametricSoftplus at"),
    NO_KERNEL("Scale at"),
    NO_KERNEL("ScaledTanh at"),
};

static bool has_no_kernel(const char *line, size_t length)
{
    bool found = false;
    for (size_t i = 0; i < COUNT(without_kernel) && !found; i++)
        found = memmem(line, length, without_kernel[i], strlen(without_kernel[i])) != NULL;
    return found;
}

/* The first note about an example that was not run, if a kernel could have run it; else NULL. */
static const char *first_note(const char *text)
{
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (memmem(line, length, ": note: ", 8) != NULL && !has_no_kernel(line, length))
            return line;
        line += line[length] == '\n' ? length + 1 : length;
    }
    return NULL;
}

static void check_shipped_file(const char *path)
{
    struct opshift_error error = {0};
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_rules_check(path, &report, &error);
    char *text = NULL;
    const char *note = NULL;

    if (report != NULL && opshift_report_text(report, &text, NULL) == OPSHIFT_OK)
        note = first_note(text);
    ok(status == OPSHIFT_OK, "%s: its examples come out as written", path);
    if (status != OPSHIFT_OK)
        diag("%s\n%s", error.text, text == NULL ? "" : text);
    ok(note == NULL, "%s: and all that kernels can run was run", path);
    if (note != NULL)
        diag("%s", note);
    opshift_text_free(text);
    opshift_report_free(report);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Every file in rules/opset-*, the directory being the list. */
static void shipped_examples_come_out(void)
{
    const char *srcdir = getenv("srcdir");
    struct dirent **opsets = NULL, **files = NULL;
    char path[4096];
    int opset_count, file_count;

    snprintf(path, sizeof(path), "%s/rules", srcdir == NULL ? "." : srcdir);
    opset_count = scandir(path, &opsets, is_visible, alphasort);
    for (int i = 0; i < opset_count; i++) {
        snprintf(path, sizeof(path), "%s/rules/%s", srcdir == NULL ? "." : srcdir, opsets[i]->d_name);
        file_count = strncmp(opsets[i]->d_name, "opset-", 6) == 0 ? scandir(path, &files, is_visible, alphasort) : 0;
        for (int j = 0; j < file_count; j++) {
            snprintf(path, sizeof(path), "%s/rules/%s/%s", srcdir == NULL ? "." : srcdir, opsets[i]->d_name,
                     files[j]->d_name);
            check_shipped_file(path);
            free(files[j]);
        }
        if (file_count > 0)
            free(files);
        free(opsets[i]);
    }
    free(opsets);
}

#define SIGN(kind, body, example)                                                                                      \
    "op: Sign\nwhy: w\ndown:\n  - replace: {kind: " kind ", body: " body "}\nexamples:\n  - direction: down\n" example
#define SPLIT "op: Split\nwhy: w\nup:\n  - attribute_to_input: {attribute: split, input: 1}\nexamples:\n"

static const struct {
    const char *what, *text;
    enum opshift_status status;
    const char *error;  /* behind the file's name */
    const char *report; /* each FILE stands for the file's name; NULL: none */
} cases[] = {
    {"an example that holds",
     SPLIT "  - before: a = Split <split = [6]> (x)\n    after: |\n"
           "      n = Constant <value_ints = [6]> ()\n      b = Split (x, n)\n",
     OPSHIFT_OK, NULL, "FILE: 1 rules, 0 compatible operators; 1 of 1 examples come out as written\n"},
    {"another attribute", SPLIT "  - before: a = Split <axis = 1> (x)\n    after: a = Split <axis = 2> (x)\n",
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:6: up: what comes out differs (constants left out): a = Split <axis = 1> (x)\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"another constant",
     SPLIT "  - before: a = Split <split = [6]> (x)\n    after: |\n"
           "      n = Constant <value_ints = [7]> ()\n      a = Split (x, n)\n",
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:6: up: what comes out differs (constants left out): a = Split (x, a_split)\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"another input", SPLIT "  - before: a = Split (x)\n    after: a = Split (y)\n", OPSHIFT_NO,
     ": an example does not come out as written",
     "FILE:6: up: what comes out differs (constants left out): a = Split (x)\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"a refusal",
     "op: Split\nwhy: w\nup:\n  - refuse: not here\nexamples:\n  - before: a = Split (x)\n    after: a = Split (x)\n",
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:6: up: it is refused: node 0 (Split): 12 to 13: not here\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"a refusal that is wanted",
     "op: Split\nwhy: w\nup:\n  - refuse: not here\nexamples:\n  - before: a = Split (x)\n    refused: not here\n",
     OPSHIFT_OK, NULL, "FILE: 1 rules, 0 compatible operators; 1 of 1 examples come out as written\n"},
    {"a refusal with other words",
     "op: Split\nwhy: w\nup:\n  - refuse: not here\nexamples:\n  - before: a = Split (x)\n    refused: nor there\n",
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:6: up: it is refused with other words than 'nor there': node 0 (Split): 12 to 13: not here\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"a refusal that does not come", SPLIT "  - before: a = Split (x)\n    refused: not here\n", OPSHIFT_NO,
     ": an example does not come out as written",
     "FILE:6: up: it is converted; the example wants a refusal with the words: not here\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"an operator that no release has", "op: Splt\nwhy: w\nup: []\n", OPSHIFT_OK, NULL,
     "FILE:1:5: note: ai.onnx has no operator 'Splt' at opset 13; is it spelled right?\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 0 examples come out as written\n"},
    {"an operator that came later", "why: w\nop: Mish\nup: []\n", OPSHIFT_OK, NULL,
     "FILE:2:5: note: ai.onnx has no operator 'Mish' at opset 13; is it spelled right?\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 0 examples come out as written\n"},
    {"of another domain every name will do", "op: Splt\ndomain: d\nwhy: w\nup: []\n", OPSHIFT_OK, NULL,
     "FILE: 1 rules, 0 compatible operators; 0 of 0 examples come out as written\n"},
    {"a body that computes the same",
     SIGN("exact",
          "\"most = Constant <value = int32 {1}> () least = Constant <value = int32 {-1}> () "
          "output = Clip (input, least, most)\"",
          "    inputs: int32[2, N] x\n    before: y = Sign (x)\n"),
     OPSHIFT_OK, NULL, "FILE: 1 rules, 0 compatible operators; 1 of 1 examples come out as written\n"},
    {"a body that computes something else",
     SIGN("exact", "output = Identity (input)", "    inputs: int32[2] x\n    before: y = Sign (x)\n"), OPSHIFT_NO,
     ": an example does not come out as written",
     "FILE:8: down: what comes out computes something else: node 0 (Sign): output 'y' differs first at element 0 of "
     "shape [2]: 1293516399 was 1\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"a body that is further away than rounding",
     SIGN("definition", "output = Erf (input)", "    inputs: float[2] x\n    before: y = Sign (x)\n"), OPSHIFT_NO,
     ": an example does not come out as written",
     "FILE:8: down: what comes out computes something else: node 0 (Sign): output 'y' differs first at element 0 of "
     "shape [2]: 0.99532228708267212 was 1\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"a body that is infinitely far away",
     SIGN("definition", "\"none = Sub (input, input) output = Div (input, none)\"",
          "    inputs: float[1] x\n    before: y = Sign (x)\n"),
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:8: down: what comes out computes something else: node 0 (Sign): output 'y' differs first at element 0 of "
     "shape [1]: inf was 1\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"a Scan that computes something else",
     SIGN("exact",
          "\"output = Scan <body = b (one) => (other) { other = Identity (one) }, num_scan_inputs = 1> (input)\"",
          "    inputs: int32[2] x\n    before: y = Sign (x)\n"),
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:8: down: what comes out computes something else: node 0 (Sign): output 'y' differs first at element 0 of "
     "shape [2]: 1293516399 was 1\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"a Scan whose body reads what stands around it",
     SIGN("exact",
          "\"output = Scan <body = b (one) => (other) { other = Add (one, input) }, num_scan_inputs = 1> (input)\"",
          "    inputs: int32[2] x\n    before: y = Sign (x)\n"),
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:8: down: what comes out computes something else: output 'y': the shape is [2,2], expected [2]\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"a body that takes a dim of 0 in its place alone",
     SIGN("exact", "\"dims = Shape (input) flat = Flatten (input) part = Sign (flat) output = Reshape (part, dims)\"",
          "    inputs: int32[2, A, B] x\n    before: y = Sign (x)\n"),
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:8: down: what comes out computes something else: node 0 (Sign): output 'y' cannot be computed any more: "
     "Reshape: dim 2 of the shape is 0, and the input has only 2 dims\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
#ifndef EXAMPLES_AS_WRITTEN
    {"a body that takes no dim of 0",
     SIGN("exact",
          "\"line = Constant <value = int64[1] {-1}> () dims = Shape (input) flat = Reshape (input, line) "
          "part = Sign (flat) output = Reshape (part, dims)\"",
          "    inputs: int32[2, 3] x\n    before: y = Sign (x)\n"),
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:8: down: with open dims: what comes out computes something else: node 0 (Sign): output 'y' cannot be "
     "computed any more: Reshape: dim 1 of the shape is 0, and the input has only 1 dims\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"a body that holds for the example's constant alone",
     "op: Mul\nwhy: w\ndown:\n  - replace: {kind: exact, body: \"C = Add (A, A)\"}\nexamples:\n  - direction: down\n"
     "    inputs: int32[3] x\n    before: \"b = Constant <value = int32 {2}> () y = Mul (x, b)\"\n",
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:8: down: with inputs in place of constants: what comes out computes something else: node 0 (Mul): output "
     "'y' differs first at element 0 of shape [3]: -1707934498 was -814975751\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
#endif
    {"a body that overflows for the least integer",
     SIGN("exact",
          "\"one = Constant <value = int32 {1}> () size = Abs (input) rest = Max (size, one) output = Div (input, "
          "rest)\"",
          "    inputs: int32[2] x\n    before: y = Sign (x)\n"),
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:8: down: what comes out computes something else: node 0 (Sign): output 'y' differs first at element 0 of "
     "shape [2]: -2147483648 was -1\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"another operator than is written",
     SIGN("exact", "output = Sin (input)",
          "    inputs: float[2] x\n    before: y = Sign (x)\n    after: y = Cos (x)\n"),
     OPSHIFT_NO, ": an example does not come out as written",
     "FILE:8: down: what comes out differs (constants left out): y = Sin (x)\n"
     "FILE: 1 rules, 0 compatible operators; 0 of 1 examples come out as written\n"},
    {"inputs that do not read",
     SIGN("exact", "output = Sin (input)", "    inputs: float[2 x\n    before: y = Sign (x)\n"), OPSHIFT_USAGE,
     ":7:21: expected ',' or ']', found 'x'", NULL},
    {"nodes that do not read", SPLIT "  - before: a = Split (x)\n    after: a = (x)\n", OPSHIFT_USAGE,
     ":7:5: expected an operator, found '('", NULL},
    {"a rule that does not read", "op: Split\n", OPSHIFT_USAGE, ":1:1: a rule needs the key 'why'", NULL},
};

/* FILE in wanted becomes path. */
static void expand(char *out, size_t room, const char *wanted, const char *path)
{
    size_t used = 0;

    while (*wanted != '\0' && used + strlen(path) + 1 < room) {
        bool hit = strncmp(wanted, "FILE", 4) == 0;

        used += (size_t)(hit ? sprintf(out + used, "%s", path) : sprintf(out + used, "%c", *wanted));
        wanted += hit ? 4 : 1;
    }
}

static void examples_are_judged(void)
{
    char path[256], wanted[4096];

    snprintf(path, sizeof(path), "%s/opset-13/r.yaml", directory);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opshift_error error = {0};
        struct opshift_report *report = NULL;
        FILE *file = fopen(path, "w");
        char *text = NULL;

        if (file == NULL || fputs(cases[i].text, file) < 0 || fclose(file) != 0)
            ok(false, "%s can be written", path);
        is_int(cases[i].status, opshift_rules_check(path, &report, &error), "%s: the answer", cases[i].what);
        snprintf(wanted, sizeof(wanted), "%s%s", cases[i].error == NULL ? "" : path,
                 cases[i].error == NULL ? "" : cases[i].error);
        is_string(wanted, error.text, "%s: the error", cases[i].what);
        if (report != NULL)
            opshift_report_text(report, &text, NULL);
        if (cases[i].report != NULL)
            expand(wanted, sizeof(wanted), cases[i].report, path);
        is_string(cases[i].report == NULL ? NULL : wanted, text, "%s: the report", cases[i].what);
        opshift_text_free(text);
        opshift_report_free(report);
    }
    unlink(path);
}

int main(void)
{
    char path[256];

    if (mkdtemp(directory) == NULL)
        return 1;
    snprintf(path, sizeof(path), "%s/opset-13", directory);
    if (mkdir(path, 0777) != 0)
        return 1;
    shipped_examples_come_out();
    examples_are_judged();
    rmdir(path);
    rmdir(directory);
    return done();
}
