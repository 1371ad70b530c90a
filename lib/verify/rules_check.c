/* Checks one rule file: it parses, and each example gives the expected nodes. */
#include <inttypes.h>
#include <string.h>

#include "base/report.h"
#include "verify/rule_example.h"
#include "rule/load.h"
#include "schema/schema.h"

static void print(const json_t *root, struct buffer *out)
{
    const char *file = json_string_value(json_object_get(root, "file"));
    const json_t *examples = json_object_get(root, "examples"), *entry;
    size_t i, failed = 0;

    json_array_foreach(json_object_get(root, "notes"), i, entry)
    {
        buffer_print(out, "%s:%" JSON_INTEGER_FORMAT ":%" JSON_INTEGER_FORMAT ": note: %s\n", file,
                     json_integer_value(json_object_get(entry, "line")),
                     json_integer_value(json_object_get(entry, "column")),
                     json_string_value(json_object_get(entry, "note")));
    }
    json_array_foreach(examples, i, entry)
    {
        const char *why = json_string_value(json_object_get(entry, "why"));
        bool good = json_is_true(json_object_get(entry, "as_written"));

        failed += !good;
        if (*why != '\0')
            buffer_print(out, "%s:%" JSON_INTEGER_FORMAT ": %s: %s%s\n", file,
                         json_integer_value(json_object_get(entry, "line")),
                         json_string_value(json_object_get(entry, "direction")), good ? "note: " : "", why);
    }
    buffer_print(out,
                 "%s: %" JSON_INTEGER_FORMAT " rules, %" JSON_INTEGER_FORMAT " compatible operators; %zu of %zu "
                 "examples come out as written\n",
                 file, json_integer_value(json_object_get(root, "rules")),
                 json_integer_value(json_object_get(root, "compatible")), json_array_size(examples) - failed,
                 json_array_size(examples));
}

/* Notes operators that no release has: probably misspelled, but no error, since models of old exporters have other
 * operators in ai.onnx. */
static enum opshift_status note_operators(const struct rule_set *set, json_t *notes, struct opshift_error *error)
{
    for (uint32_t i = 0; i < set->rule_count; i++) {
        const struct rule *rule = &set->rules[i];
        struct buffer words = {0};
        if (!schema_knows(rule->domain) || schema_find(rule->domain, rule->op_type, rule->opset) != NULL)
            continue;
        buffer_print(&words, "%s has no operator '%s' at opset %" PRId64 "; is it spelled right?",
                     *rule->domain ? rule->domain : "ai.onnx", rule->op_type, rule->opset);
        json_t *note = json_pack("{s:I, s:I, s:o}", "line", (json_int_t)rule->line, "column", (json_int_t)rule->column,
                                 "note", report_string(words.data, words.size));
        bool failed = words.failed || json_array_append_new(notes, note);
        buffer_free(&words);
        if (failed)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* Runs one example and notes the result. A NO is noted and counts as done. */
static enum opshift_status check_example(const struct opshift_rules *rules, const struct rule *rule,
                                         const struct example *example, json_t *list, bool *failed,
                                         struct opshift_error *error)
{
    struct buffer words = {0};
    enum opshift_status status = rule_example_check(rules, rule, example, &words, error);
    bool as_written = status == OPSHIFT_OK;
    json_t *entry;

    if (status && status != OPSHIFT_NO)
        goto out;
    *failed |= !as_written;
    entry = json_pack("{s:s, s:I, s:b, s:o}", "direction", example->up ? "up" : "down", "line",
                      (json_int_t)example->before_line, "as_written", as_written, "why",
                      report_string(words.data, words.size));
    status = words.failed || json_array_append_new(list, entry) ? opshift_no_memory(error) : OPSHIFT_OK;
out:
    buffer_free(&words);
    return status;
}

static enum opshift_status check_rules(const struct opshift_rules *rules, const struct rule_set *set, json_t *list,
                                       bool *failed, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;

    for (uint32_t i = 0; i < set->rule_count; i++)
        for (uint32_t j = 0; j < set->rules[i].example_count; j++) {
            status = check_example(rules, &set->rules[i], &set->rules[i].examples[j], list, failed, error);
            if (status)
                return status;
        }
    return status;
}

enum opshift_status opshift_rules_check(const char *path, struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_rules *rules = NULL;
    struct rule_set set = {0};
    json_t *list = json_array(), *notes = json_array();
    bool failed = false;
    enum opshift_status status = rules_load_file(path, &rules, &set, error);

    *report = NULL;
    if (status == OPSHIFT_OK)
        status = note_operators(&set, notes, error);
    if (status == OPSHIFT_OK)
        status = check_rules(rules, &set, list, &failed, error);
    if (status == OPSHIFT_OK) {
        json_t *root =
            json_pack("{s:s, s:s, s:o, s:i, s:i, s:O, s:O}", "kind", "rules check", "version", opshift_version(),
                      "file", report_string(path, strlen(path)), "rules", (int)rule_set_count(&set, false),
                      "compatible", (int)rule_set_count(&set, true), "examples", list, "notes", notes);

        *report = report_new(root, print);
        status = *report == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    }
    if (status == OPSHIFT_OK && failed)
        status = opshift_fail(error, OPSHIFT_NO, "%s: an example does not come out as written", path);
    json_decref(notes);
    json_decref(list);
    opshift_rules_free(rules);
    return status;
}
