/* NULL arguments that the public header allows: nothing to free, no error, no options, no report. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "opshift.h"
#include "tests/tap/tap.h"

static const char words[] = "< ir_version: 8, opset_import: [\"\" : 13] >\n"
                            "g (float[6] x) => (float[2] a, float[4] b) < int64[2] l = {2, 4} >\n"
                            "{ a, b = Split <axis = 0> (x, l) }\n";

static char *bytes;
static size_t size;

static struct opshift_model *model_open(void)
{
    struct opshift_model *model = NULL;
    if (opshift_model_open_memory(bytes, size, NULL, &model, NULL) != OPSHIFT_OK)
        diag("the model is not read");
    return model;
}

static void test_free(void)
{
    opshift_model_free(NULL);
    opshift_output_free(NULL);
    opshift_text_free(NULL);
    opshift_rules_free(NULL);
    opshift_lint_free(NULL);
    opshift_findings_free(NULL);
    opshift_fixes_free(NULL);
    opshift_lint_writer_free(NULL);
    opshift_team_free(NULL);
    opshift_value_free(NULL);
    opshift_values_free(NULL);
    opshift_report_free(NULL);
    ok(true, "freeing nothing does nothing");
}

static void test_beyond(void)
{
    struct opshift_model *model = model_open();
    struct opshift_values *values = NULL;
    ok(opshift_limit_at(opshift_limit_count()) == NULL, "no limit beyond the last");
    ok(opshift_check_at(opshift_check_count()) == NULL, "no check beyond the last");
    ok(opshift_check_find("no such check") == NULL, "no check of that name");
    ok(opshift_family_at(opshift_family_count()) == NULL, "no family beyond the last");
    ok(opshift_lint_format_at(opshift_lint_format_count()) == NULL, "no format beyond the last");
    ok(opshift_engine_at(1000) == NULL, "no engine beyond the last");
    ok(opshift_type_name((enum opshift_type)1000) == NULL, "no type of that number");
    ok(opshift_model_input_name(model, opshift_model_input_count(model)) == NULL, "no input beyond the last");
    ok(opshift_model_output_name(model, opshift_model_output_count(model)) == NULL, "no output beyond the last");
    ok(!opshift_model_input_is_required(model, 1000), "which is not asked for either");
    if (opshift_values_new(&values, NULL) == OPSHIFT_OK) {
        ok(opshift_values_name(values, 0) == NULL && opshift_values_at(values, 0) == NULL, "no value beyond the last");
        ok(opshift_values_find(values, "x") == NULL, "no value of that name");
    }
    opshift_values_free(values);
    opshift_model_free(model);
}

/* ---- failures without an error argument ---- */

static void fail_at_models(void)
{
    static const char directory[] = "/nowhere/at/all";
    struct opshift_model *model = NULL;
    struct opshift_output *output = NULL;
    struct opshift_limits limits = {0};
    struct opshift_open_options options = {.limits = &(struct opshift_limits){.nodes = 1, .memory = 1}};
    char *made = NULL;
    size_t made_size = 0;
    is_int(OPSHIFT_USAGE, opshift_limit_set(&limits, "none", 1, NULL), "opshift_limit_set");
    is_int(OPSHIFT_IO, opshift_model_open(directory, NULL, &model, NULL), "opshift_model_open");
    is_int(OPSHIFT_MALFORMED, opshift_model_open_memory("?", 1, NULL, &model, NULL), "opshift_model_open_memory");
    is_int(OPSHIFT_UNSUPPORTED, opshift_model_open_memory(bytes, size, &options, &model, NULL), "beyond a limit");
    ok(model == NULL, "nothing is made where opening fails");
    is_int(OPSHIFT_MALFORMED, opshift_text_to_model("?", 1, NULL, &made, &made_size, NULL), "opshift_text_to_model");
    model = model_open();
    is_int(OPSHIFT_IO, opshift_model_save(model, directory, NULL, NULL), "opshift_model_save");
    is_int(OPSHIFT_IO, opshift_model_write(model, directory, NULL, &output, NULL), "opshift_model_write");
    is_int(OPSHIFT_USAGE, opshift_convert(model, &(struct opshift_goal){.opset = 999}, NULL, NULL), "opshift_convert");
    is_int(OPSHIFT_OK, opshift_convert(model, &(struct opshift_goal){.opset = 11}, NULL, NULL),
           "which needs no report");
    opshift_model_free(model);
}

static void fail_at_rules(void)
{
    static const char *const directories[] = {"/nowhere/at/all"};
    struct opshift_rules *rules = NULL;
    struct opshift_report *report = NULL;
    char *text = NULL;
    is_int(OPSHIFT_OK, opshift_rules_load(NULL, 0, &rules, NULL), "opshift_rules_load needs no directories");
    opshift_rules_free(rules);
    rules = NULL;
    ok(opshift_rules_load(directories, 1, &rules, NULL) != OPSHIFT_OK && rules == NULL, "opshift_rules_load");
    ok(opshift_rules_check(directories[0], &report, NULL) != OPSHIFT_OK, "opshift_rules_check");
    opshift_report_free(report);
    is_int(OPSHIFT_OK, opshift_lint_config_find("/", &text, NULL), "opshift_lint_config_find");
    opshift_text_free(text);
}

static void fail_at_two_models(void)
{
    struct opshift_model *one = model_open(), *other = model_open();
    struct opshift_report *report = NULL;
    is_int(OPSHIFT_OK, opshift_diff(one, other, NULL, NULL, NULL), "opshift_diff needs no report and no options");
    is_int(OPSHIFT_OK, opshift_verify(one, other, NULL, &report, NULL), "opshift_verify needs no options");
    opshift_report_free(report);
    report = NULL;
    is_int(OPSHIFT_MALFORMED, opshift_verify_replay(one, other, "?", 1, NULL, &report, NULL), "opshift_verify_replay");
    opshift_report_free(report);
    opshift_model_free(one);
    opshift_model_free(other);
}

static bool refuse(void *data, const char *written, size_t count)
{
    return false;
}

static void fail_at_lint(void)
{
    static const char *const unknown[] = {"NONE001"};
    struct opshift_lint *lint = NULL;
    struct opshift_lint_writer *writer = NULL;
    struct opshift_findings *findings = NULL;
    struct opshift_lint_options wrong = {.select = unknown, .select_count = 1};
    struct opshift_lint_writer_options format = {.format = "none"};
    is_int(OPSHIFT_USAGE, opshift_lint_new(&wrong, &lint, NULL), "opshift_lint_new");
    is_int(OPSHIFT_OK, opshift_lint_new(NULL, &lint, NULL), "which needs no options");
    if (lint == NULL)
        return;
    is_int(OPSHIFT_OK, opshift_lint_file(lint, "/nowhere/at/all", &findings, NULL), "opshift_lint_file");
    is_int(OPSHIFT_IO, findings ? opshift_findings_status(findings) : OPSHIFT_OK, "a finding, not a failure");
    ok(findings == NULL || opshift_findings_at(findings, opshift_findings_count(findings)) == NULL,
       "no finding beyond the last");
    is_int(OPSHIFT_USAGE, opshift_lint_writer_new(lint, &format, refuse, NULL, &writer, NULL),
           "opshift_lint_writer_new");
    format.format = "text";
    is_int(OPSHIFT_OK, opshift_lint_writer_new(lint, &format, refuse, NULL, &writer, NULL), "a format that there is");
    is_int(OPSHIFT_IO, opshift_lint_writer_add(writer, findings, NULL), "opshift_lint_writer_add");
    opshift_lint_writer_free(writer);
    opshift_findings_free(findings);
    opshift_lint_free(lint);
}

static void fail_at_values(void)
{
    static const int64_t dims[] = {2};
    static const char *const texts[] = {"a"};
    struct opshift_value *value = NULL;
    struct opshift_values *values = NULL, *outputs = NULL;
    struct opshift_model *model = model_open();
    char *text = NULL;
    is_int(OPSHIFT_USAGE, opshift_value_tensor(OPSHIFT_TYPE_FLOAT, 1, dims, "", 4, &value, NULL),
           "opshift_value_tensor");
    is_int(OPSHIFT_USAGE, opshift_value_borrow(OPSHIFT_TYPE_FLOAT, 1, dims, (void *)(uintptr_t)4, 8, &value, NULL),
           "opshift_value_borrow");
    is_int(OPSHIFT_USAGE, opshift_value_strings(1, dims, texts, NULL, 1, &value, NULL), "opshift_value_strings");
    is_int(OPSHIFT_OK, opshift_values_new(&values, NULL), "opshift_values_new");
    is_int(OPSHIFT_USAGE, opshift_run(model, values, NULL, &outputs, NULL), "opshift_run needs no options");
    is_int(OPSHIFT_OK, opshift_values_draw(values, model, NULL, NULL), "opshift_values_draw needs none either");
    is_int(OPSHIFT_USAGE, opshift_values_read(values, model, "x", "/nowhere", NULL), "opshift_values_read");
    ok(opshift_values_write(values, "/nowhere/at/all.npz", NULL) == OPSHIFT_IO, "opshift_values_write");
    is_int(OPSHIFT_OK, opshift_value_text(opshift_values_at(values, 0), &text, NULL), "opshift_value_text");
    is_int(OPSHIFT_USAGE, opshift_split("", 0, 1, 1, 1, NULL, 0, NULL, NULL, NULL), "opshift_split needs no options");
    opshift_text_free(text);
    opshift_values_free(outputs);
    opshift_values_free(values);
    opshift_model_free(model);
}

int main(void)
{
    if (opshift_text_to_model(words, strlen(words), "words", &bytes, &size, NULL) != OPSHIFT_OK)
        return !ok(false, "a model");
    test_free();
    test_beyond();
    fail_at_models();
    fail_at_rules();
    fail_at_two_models();
    fail_at_lint();
    fail_at_values();
    opshift_text_free(bytes);
    return done();
}
