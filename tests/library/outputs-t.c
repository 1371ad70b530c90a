/* Outputs of a run depend on nothing else: not on the model, the inputs or each other. */
#include "opshift.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap/tap.h"

#define COUNT 5000

/* A single one, a duplicate, parts of one node, a view, an input, an initializer, strings, a branch's. */
static const char source[] =
    "<ir_version: 8, opset_import: [\"\" : 13]>\n"
    "net (float[5000] x, bool c) => (float[5000] sum, float[5000] twice, float[5000] again, float[2500] low,\n"
    "    float[2500] high, float[5,1000] view, float[5000] x, float[2] kept, string[2] words, float[5000] chosen)\n"
    "<float[2] kept = {1, 2}, string[1] word = {\"one\"}, int64[2] shape = {5, 1000}> {\n"
    "  sum = Add (x, x)\n"
    "  twice = Add (x, sum)\n"
    "  again = Identity (twice)\n"
    "  low, high = Split (x)\n"
    "  view = Reshape (sum, shape)\n"
    "  words = Concat <axis = 0> (word, word)\n"
    "  chosen = If (c) <then_branch = t () => (float[5000] p) { p = Neg (x) },\n"
    "                   else_branch = e () => (float[5000] q) { q = Abs (x) }>\n"
    "}\n";

static enum opshift_status run(struct opshift_values **outputs, struct opshift_error *error)
{
    static _Alignas(16) float elements[COUNT + 1];
    struct opshift_model *model = NULL;
    struct opshift_values *inputs = NULL;
    struct opshift_value *x = NULL, *c = NULL;
    char *bytes = NULL;
    size_t size = 0;
    for (size_t i = 0; i < COUNT; i++)
        elements[i] = (float)i;
    enum opshift_status status = opshift_text_to_model(source, strlen(source), "net", &bytes, &size, error);
    if (status == OPSHIFT_OK)
        status = opshift_model_open_memory(bytes, size, NULL, &model, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_new(&inputs, error);
    if (status == OPSHIFT_OK)
        status =
            opshift_value_borrow(OPSHIFT_TYPE_FLOAT, 1, (int64_t[]){COUNT}, elements, COUNT * sizeof(float), &x, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_add(inputs, "x", x, error);
    if (status == OPSHIFT_OK)
        status = opshift_value_tensor(OPSHIFT_TYPE_BOOL, 0, NULL, "\1", 1, &c, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_add(inputs, "c", c, error);
    if (status == OPSHIFT_OK)
        status = opshift_run(model, inputs, NULL, outputs, error);
    memset(elements, 0xff, sizeof(elements)); /* no output borrows what an input borrowed */
    opshift_values_free(inputs);
    opshift_model_free(model);
    opshift_text_free(bytes);
    return status;
}

int main(void)
{
    static const struct {
        const char *name, *wanted;
    } rows[] = {
        {"sum", "0 2 4"},  {"twice", "0 3 6"},         {"again", "0 3 6"}, {"low", "0 1 2"},       {"x", "0 1 2"},
        {"view", "0 2 4"}, {"high", "2500 2501 2502"}, {"kept", "1 2"},    {"chosen", "-0 -1 -2"},
    };
    struct opshift_values *outputs = NULL;
    struct opshift_error error = {0};
    is_int(OPSHIFT_OK, run(&outputs, &error), "the model runs, and is freed with its inputs");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && outputs != NULL; i++) {
        size_t size = 0;
        const struct opshift_value *value = opshift_values_find(outputs, rows[i].name);
        const float *data = value == NULL ? NULL : opshift_value_data(value, &size);
        char seen[64] = "", *end = seen;
        for (size_t k = 0; k < 3 && k < size / sizeof(float); k++)
            end += snprintf(end, (size_t)(seen + sizeof(seen) - end), "%s%g", k > 0 ? " " : "", (double)data[k]);
        is_string(rows[i].wanted, seen, "'%s' is there", rows[i].name);
    }
    const struct opshift_value *words = outputs == NULL ? NULL : opshift_values_find(outputs, "words");
    is_string("one", words == NULL ? NULL : opshift_value_string(words, 1, NULL), "so are strings");
    opshift_values_free(outputs);
    return done();
}
