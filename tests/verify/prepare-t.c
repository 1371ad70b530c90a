/* What is done with both models before they are compared; with large ones in two threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/report.h"
#include "convert/plan_store.h"
#include "onnx.pb-c.h"
#include "tests/tap/tap.h"
#include "tests/verify/pair.h"

#define MANY 1500

/* A chain of nodes, whose last one has an attribute that its operator does not have. */
static char *chain(unsigned count, const char *attribute)
{
    struct buffer text = {0};
    buffer_add_text(&text, "<ir_version: 8, opset_import: [\"\" : 13]>\nmain (float[4] v0) => (float[4] y) {\n");
    for (unsigned i = 0; i < count; i++)
        buffer_print(&text, "  v%u = Relu(v%u)\n", i + 1, i);
    buffer_print(&text, "  y = Relu%s(v%u)\n}\n", attribute, count);
    buffer_add_byte(&text, '\0');
    return (char *)text.data;
}

static void check_invalid(const char *what, struct opshift_model *before, struct opshift_model *after,
                          const char *expected)
{
    struct opshift_report *report = NULL;
    struct opshift_error error = {0};
    struct buffer found = {0};
    size_t index;
    json_t *entry;
    enum opshift_status status = opshift_verify(before, after, NULL, &report, &error);
    is_int(*expected ? OPSHIFT_NO : OPSHIFT_OK, status, "%s: the answer (%s)", what, error.text);
    json_array_foreach(json_object_get(report ? report->root : NULL, "invalid"), index, entry)
        buffer_print(&found, "%s %s: %s;", text_of(entry, "model"), text_of(entry, "id"), text_of(entry, "place"));
    buffer_add_byte(&found, '\0');
    is_string(expected, (const char *)found.data, "%s: the errors, the first model's first", what);
    buffer_free(&found);
    opshift_report_free(report);
}

static void test_both(unsigned count, const char *what)
{
    char *texts[] = {chain(count, ""), chain(count, "<odd = 1>"), chain(count, "<even = 2>")};
    struct opened good = {0}, odd = {0}, even = {0};
    char expected[256];
    if (!text_open(texts[0], "good", &good) || !text_open(texts[1], "odd", &odd) ||
        !text_open(texts[2], "even", &even)) {
        ok(false, "%s: the models open", what);
        return;
    }
    snprintf(expected, sizeof(expected), "before OPS007: node %u (Relu);after OPS007: node %u (Relu);", count, count);
    check_invalid(what, odd.model, even.model, expected);
    check_invalid("a valid model", good.model, good.model, "");
    snprintf(expected, sizeof(expected), "after OPS007: node %u (Relu);", count);
    check_invalid("an invalid second model", good.model, odd.model, expected);
    snprintf(expected, sizeof(expected), "before OPS007: node %u (Relu);after OPS007: node %u (Relu);", count, count);
    check_invalid("a model and itself", odd.model, odd.model, expected);
    text_close(&good);
    text_close(&odd);
    text_close(&even);
    for (size_t i = 0; i < 3; i++)
        free(texts[i]);
}

#define NORMALIZED(attribute)                                                                                          \
    "<ir_version: 8, opset_import: [\"\" : 13]>\n"                                                                     \
    "main (float[1, 2, 3, 4] x) => (float[1, 2, 3, 4] y) { y = MeanVarianceNormalization" attribute "(x) }"

/* An attribute of type ints whose numbers are floats; without it, the operator takes a list of the same length. */
static void test_values_in_another_field(void)
{
    static const char floats[] = "\xa0\x01\x06";
    struct opened before = {0}, text = {0}, after = {0};
    struct opshift_error error = {0};
    bool made = text_open(NORMALIZED(""), "before", &before) &&
                text_open(NORMALIZED("<axes = [0.0, 2.0, 3.0]>"), "after", &text);
    char *type = made ? memmem(text.bytes, text.size, floats, sizeof(floats) - 1) : NULL;
    ok(type != NULL, "the attribute's type");
    if (type != NULL)
        type[2] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
    if (type != NULL && opshift_model_open_memory(text.bytes, text.size, NULL, &after.model, &error) == OPSHIFT_OK)
        check_invalid("numbers in another field", before.model, after.model,
                      "after PRT051: node 0 (MeanVarianceNormalization);");
    text_close(&before);
    text_close(&after);
    text_close(&text);
}

/* The second model is opened while the first one is checked. */
static void test_begin(unsigned count, const char *attribute, const char *expected)
{
    char *texts[] = {chain(count, attribute), chain(count, "")};
    struct opened before = {0}, after = {0};
    struct opshift_verification *verification = NULL;
    struct opshift_report *report = NULL;
    struct opshift_error error = {0};
    ok(text_open(texts[0], "before", &before), "the first of %u nodes opens", count);
    is_int(OPSHIFT_OK, opshift_verify_begin(before.model, NULL, &verification, &error), "it begins (%s)", error.text);
    ok(text_open(texts[1], "after", &after), "the second opens meanwhile");
    enum opshift_status status = opshift_verify_end(verification, after.model, &report, &error);
    is_int(*expected ? OPSHIFT_NO : OPSHIFT_OK, status, "the answer");
    is_string(expected, error.text, "its reason");
    ok(report != NULL, "there is a report");
    opshift_report_free(report);
    opshift_verification_free(verification);
    is_int(OPSHIFT_OK, opshift_verify_begin(after.model, NULL, &verification, &error), "it begins again");
    opshift_verification_free(verification);
    ok(true, "it can be ended without a second model");
    text_close(&before);
    text_close(&after);
    free(texts[0]);
    free(texts[1]);
}

/* A model and itself: the check adds the names of dims to the model's table, which nothing else reads meanwhile. A
 * thread sanitizer sees a reader. */
static void test_itself(void)
{
    struct opened model = {0};
    struct buffer text = {0};
    buffer_add_text(&text, "<ir_version: 8, opset_import: [\"\" : 13]>\nmain (float[a] v0) => (float[a] y) <");
    for (unsigned i = 1; i <= MANY; i++)
        buffer_print(&text, "%sfloat[d%u] v%u", i > 1 ? ", " : "", i, i);
    buffer_add_text(&text, "> {\n");
    for (unsigned i = 0; i < MANY; i++)
        buffer_print(&text, "  v%u = Relu(v%u)\n", i + 1, i);
    buffer_print(&text, "  y = Relu(v%u)\n}\n", MANY);
    char *whole = buffer_take(&text);
    if (ok(text_open(whole, "model", &model), "the model opens"))
        check_invalid("a model whose dims have names, and itself", model.model, model.model, "");
    text_close(&model);
    free(whole);
}

static void test_refused_options(void)
{
    struct opened model = {0};
    struct opshift_verification *verification = NULL;
    struct opshift_error error = {0};
    ok(text_open(NORMALIZED(""), "model", &model), "the model opens");
    is_int(OPSHIFT_USAGE,
           opshift_verify_begin(model.model, &(struct opshift_verify_options){.size = 4}, &verification, &error),
           "options of another size are refused");
    ok(verification == NULL, "there is nothing to free");
    opshift_verification_free(verification);
    text_close(&model);
}

/* The report as JSON, to be freed. */
static char *report_with(struct opshift_model *before, struct opshift_model *after, const struct opshift_plan *plan,
                         enum opshift_status answer)
{
    const struct opshift_verify_options how = {.size = sizeof(how), .plan = plan};
    struct opshift_report *report = NULL;
    struct opshift_error error = {0};
    char *text = NULL;
    is_int(answer, opshift_verify(before, after, &how, &report, &error), "the answer (%s)", error.text);
    opshift_report_json(report, &text, &error);
    opshift_report_free(report);
    return text;
}

static struct opshift_plan *plan_for(struct opshift_model *model, int64_t opset)
{
    struct opshift_goal goal = {.size = sizeof(goal), .opset = opset};
    struct opshift_plan *plan = NULL;
    struct opshift_error error = {0};
    is_int(OPSHIFT_OK, opshift_plan_new(model, &goal, &plan, &error), "a plan for %d (%s)", (int)opset, error.text);
    return plan;
}

/* The report is the same with the plan that made the second model, with any other, and without one. */
static void test_given_plan(void)
{
    struct opened before = {0};
    struct opshift_goal goal = {.size = sizeof(goal), .opset = 13};
    struct opshift_plan *plan = NULL;
    struct opshift_pieces *pieces = NULL;
    struct opshift_model *after = NULL;
    struct opshift_error error = {0};
    bool made = text_open("<ir_version: 7, opset_import: [\"\" : 11]>\n"
                          "main (float[6, N] x) => (float[2, N] a, float[2, N] z) {\n"
                          "  a, b = Split <axis = 0, split = [2, 4]> (x)\n"
                          "  c, d = Split <axis = 0> (b)\n"
                          "  e = Unsqueeze <axes = [0]> (c)\n"
                          "  z = Squeeze <axes = [0]> (e)\n}\n",
                          "before", &before);
    made = made && opshift_convert_planned(before.model, &goal, &plan, NULL, &error) == OPSHIFT_OK &&
           opshift_output_pieces(before.model, &pieces, &error) == OPSHIFT_OK &&
           opshift_pieces_open(pieces, &after, &error) == OPSHIFT_OK;
    if (ok(made && plan != NULL, "converted (%s)", error.text)) {
        struct opshift_plan *others[] = {plan_for(before.model, 18), plan_for(after, 18), plan_for(before.model, 13)};
        char *wanted = report_with(before.model, after, NULL, OPSHIFT_OK);
        char *found = report_with(before.model, after, plan, OPSHIFT_OK);
        is_string(wanted, found, "the report with the plan that was applied");
        free(found);
        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
            found = report_with(before.model, after, others[i], OPSHIFT_OK);
            is_string(wanted, found, "the report with plan %zu", i);
            free(found);
            opshift_plan_free(others[i]);
        }
        ((struct conversion_plan *)plan)->graphs[before.model->main->number][2] = 0; /* as if the Unsqueeze were kept */
        found = report_with(before.model, after, plan, OPSHIFT_NO);
        ok(strcmp(wanted, found) != 0, "the plan is used");
        free(found);
        free(wanted);
    }
    opshift_plan_free(plan);
    opshift_model_free(after);
    opshift_pieces_free(pieces);
    text_close(&before);
}

int main(void)
{
    test_given_plan();
    test_begin(5, "", "");
    test_begin(MANY, "", "");
    test_begin(MANY, "<odd = 1>",
               "before: is not valid, and an invalid model equals no other: node 1500 (Relu): Relu has no attribute "
               "'odd'; remove it OPS007");
    test_itself();
    test_refused_options();
    test_values_in_another_field();
    test_both(5, "small models");
    test_both(MANY, "large models");
    return done();
}
