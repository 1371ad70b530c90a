/* Lists the effect of the rules on each operator at each step, up and down, as Markdown or JSON. */
#include <string.h>

#include "base/report.h"
#include "rule/rule.h"
#include "schema/schema.h"

static const char *const kinds[] = {"exact", "definition", "approximate"};

/* "replaced (exact, definition)" for the steps that replace, "rewritten" for those that change the node. */
static void print_steps(const struct step *steps, uint32_t count, struct buffer *words)
{
    bool has[COUNT(kinds)] = {false}, replaces = false, rewrites = false;
    for (uint32_t i = 0; i < count; i++) {
        bool replace = strcmp(steps[i].verb, "replace") == 0;
        replaces |= replace;
        rewrites |= !replace && strcmp(steps[i].verb, "keep") != 0 && strcmp(steps[i].verb, "refuse") != 0;
        for (size_t k = 0; replace && k < COUNT(kinds); k++)
            has[k] |= strcmp(step_text(&steps[i], "kind"), kinds[k]) == 0;
    }
    const char *sign = "replaced (";
    for (size_t k = 0; replaces && k < COUNT(kinds); k++)
        if (has[k]) {
            buffer_print(words, "%s%s", sign, kinds[k]);
            sign = ", ";
        }
    if (replaces)
        buffer_add_text(words, rewrites ? "), or rewritten" : ")");
    else
        buffer_add_text(words, rewrites ? "rewritten" : "kept");
    if (strcmp(steps[count - 1].verb, "refuse") == 0)
        buffer_print(words, "; else refused: %s", step_text(&steps[count - 1], "words"));
}

static void print_rule(const struct rule *rule, enum direction direction, struct buffer *words)
{
    const struct step *steps = rule->steps[direction];
    uint32_t count = rule->step_count[direction];
    if (count && strcmp(steps[0].verb, "refuse") == 0)
        buffer_print(words, "refused: %s", step_text(&steps[0], "words"));
    else if (count)
        print_steps(steps, count, words);
    else
        buffer_add_text(words, "kept");
}

static void print_compatible(const struct rule *entry, enum direction direction, struct buffer *words)
{
    const char *const *condition = entry->unless[direction];
    buffer_add_text(words, "kept");
    for (const char *sign = ", where not otherwise said by "; condition && *condition; condition++, sign = ", ")
        buffer_print(words, "%s%.*s", sign, (int)strcspn(*condition, "="), *condition);
}

/* The effect on a node in one direction of the step. */
static json_t *direction_json(const struct opshift_rules *rules, const struct schema *schema, enum direction direction)
{
    struct judgement judgement =
        rule_judge(rules, schema->domain, schema->op_type, schema->since, direction == DIRECTION_UP);
    struct buffer words = {0};
    if (direction == DIRECTION_UP && schema_find(schema->domain, schema->op_type, schema->since - 1) == NULL)
        buffer_add_text(&words, "new");
    else if (judgement.meaning == RULE_BLOCKED)
        buffer_print(&words, "refused: %s", judgement.words);
    else if (judgement.rule->compatible)
        print_compatible(judgement.rule, direction, &words);
    else
        print_rule(judgement.rule, direction, &words);
    json_t *text = words.failed ? NULL : report_string(words.data, words.size);
    buffer_free(&words);
    return text;
}

/* Prints text in a cell of a table. */
static void print_cell(const json_t *text, struct buffer *out)
{
    for (const char *at = json_string_value(text); *at; at++)
        buffer_print(out, *at == '|' ? "\\%c" : "%c", *at);
    buffer_add_text(out, " |");
}

static void print_page(const json_t *root, struct buffer *out)
{
    const json_t *row;
    size_t i;
    buffer_add_text(
        out, "# What becomes of each operator\n\n"
             "A row for each opset at which an operator of ai.onnx or ai.onnx.ml is new or changed: what becomes of "
             "its nodes on the "
             "way to\n"
             "that opset, and back. `kept`: the record stays as it is. `rewritten`: attributes and inputs change. "
             "`replaced`: other nodes\n"
             "stand in its place, which give the same bits (`exact`), what the standard defines (`definition`; results "
             "differ\n"
             "at most by rounding), or nearly the same (`approximate`; only with `--allow-approximate`). What a node "
             "uses that the\n"
             "other opset lacks, an element type or an attribute's value, is refused at that node, with the way out.\n"
             "`make docs` writes this page from the rules.\n\n"
             "| operator | opset | up | down |\n| --- | --- | --- | --- |\n");
    json_array_foreach(json_object_get(root, "steps"), i, row)
    {
        buffer_print(out, "| %s | %" JSON_INTEGER_FORMAT " | ", json_string_value(json_object_get(row, "operator")),
                     json_integer_value(json_object_get(row, "opset")));
        print_cell(json_object_get(row, "up"), out);
        buffer_add_byte(out, ' ');
        print_cell(json_object_get(row, "down"), out);
        buffer_add_byte(out, '\n');
    }
}

enum opshift_status opshift_rules_coverage(const struct opshift_rules *rules, struct opshift_report **report,
                                           struct opshift_error *error)
{
    json_t *steps = json_array();
    uint32_t count;
    const struct schema *schemas = schema_all(&count);
    bool failed = steps == NULL;
    for (uint32_t i = 0; !failed && i < count; i++)
        if (schemas[i].since > 1)
            failed = json_array_append_new(steps, json_pack("{s:s++, s:i, s:o, s:o}", "operator", schemas[i].domain,
                                                            *schemas[i].domain ? "." : "", schemas[i].op_type, "opset",
                                                            (int)schemas[i].since, "up",
                                                            direction_json(rules, &schemas[i], DIRECTION_UP), "down",
                                                            direction_json(rules, &schemas[i], DIRECTION_DOWN)));
    *report = NULL;
    if (failed)
        json_decref(steps);
    else
        *report = report_new(
            json_pack("{s:s, s:s, s:o}", "kind", "coverage", "version", opshift_version(), "steps", steps), print_page);
    return *report == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}
