/* The active rules: the shipped ones, and those of the user's directories that replace them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "rule/load.h"
#include "rule/shipped.h"

static const struct rule *rule_search(const struct rule *rules, uint32_t count, const char *domain, const char *op_type,
                                      int64_t opset)
{
    const struct rule key = {.domain = domain, .op_type = op_type, .opset = opset};

    return count == 0 ? NULL : bsearch(&key, rules, count, sizeof(*rules), rule_compare);
}

const struct rule *rule_find(const struct opshift_rules *rules, const char *domain, const char *op_type, int64_t opset,
                             enum direction direction)
{
    const struct rule *end = rules->rules + rules->rule_count, *found;

    domain = strcmp(domain, "ai.onnx") == 0 ? "" : domain;
    found = rule_search(rules->rules, rules->rule_count, domain, op_type, opset);
    while (found != NULL && found > rules->rules && rule_compare(found - 1, found) == 0)
        found--;
    for (const struct rule *rule = found; rule != NULL && rule < end && rule_compare(rule, found) == 0; rule++)
        if (rule->has[direction])
            return rule;
    return NULL;
}

/* Adds a set, whose rule for an operator at an opset replaces all earlier ones. */
static enum opshift_status add_set(struct opshift_rules *rules, const struct rule_set *set, struct opshift_error *error)
{
    const struct rule *old = rules->rules;
    struct rule *merged = arena_alloc(rules->arena, (size_t)rules->rule_count + set->rule_count + 1, sizeof(*merged));
    uint32_t count = 0;

    if (merged == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < rules->rule_count; i++)
        if (!rule_search(set->rules, set->rule_count, old[i].domain, old[i].op_type, old[i].opset))
            merged[count++] = old[i];
    for (uint32_t i = 0; i < set->rule_count; i++)
        merged[count++] = set->rules[i];
    qsort(merged, count, sizeof(*merged), rule_compare);
    rules->rules = merged;
    rules->rule_count = count;
    rules->shipped = false;
    return OPSHIFT_OK;
}

static enum opshift_status add_directory(struct opshift_rules *rules, const char *directory,
                                         struct opshift_error *error)
{
    struct rule_set set = {.arena = rules->arena};
    enum opshift_status status = rule_set_read_directory(&set, directory, error);

    return status == OPSHIFT_OK ? add_set(rules, &set, error) : status;
}

enum opshift_status opshift_rules_load(const char *const *directories, size_t directory_count,
                                       struct opshift_rules **rules, struct opshift_error *error)
{
    struct arena *arena = arena_new(0);
    struct opshift_rules *made = arena == NULL ? NULL : arena_alloc(arena, 1, sizeof(*made));
    enum opshift_status status;

    *rules = NULL;
    if (made == NULL) {
        status = opshift_no_memory(error);
        goto out;
    }
    *made = (struct opshift_rules){
        .arena = arena, .shipped = true, .rules = shipped_rules, .rule_count = shipped_rule_count};
    status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < directory_count; i++)
        status = add_directory(made, directories[i], error);
out:
    if (status)
        arena_free(arena);
    else
        *rules = made;
    return status;
}

enum opshift_status rules_load_file(const char *path, struct opshift_rules **rules, struct rule_set *set,
                                    struct opshift_error *error)
{
    enum opshift_status status = opshift_rules_load(NULL, 0, rules, error);

    if (status)
        return status;
    *set = (struct rule_set){.arena = (*rules)->arena};
    status = rule_set_read_file(set, path, error);
    if (status == OPSHIFT_OK)
        status = rule_set_finish(set, error);
    if (status == OPSHIFT_OK)
        status = add_set(*rules, set, error);
    if (status) {
        opshift_rules_free(*rules);
        *rules = NULL;
    }
    return status;
}

void opshift_rules_free(struct opshift_rules *rules)
{
    if (rules != NULL)
        arena_free(rules->arena);
}

/* ---- the list of rules ------------------------------------------------------------------------------------------ */

static json_t *text_json(const char *text)
{
    return text == NULL ? json_null() : report_string(text, strlen(text));
}

static const char *direction_name(const bool has[2])
{
    if (has[DIRECTION_UP] && has[DIRECTION_DOWN])
        return "both";
    return has[DIRECTION_UP] ? "up" : "down";
}

/* Does it only refuse, with a reason? */
static bool rule_refuses(const struct rule *rule)
{
    bool refuses = true;

    for (int way = DIRECTION_UP; way <= DIRECTION_DOWN; way++)
        if (rule->has[way])
            refuses &= rule->step_count[way] > 0 && strcmp(rule->steps[way][0].verb, "refuse") == 0;
    return refuses;
}

static int rule_json(json_t *list, const struct rule *rule)
{
    const char *kind = rule->compatible ? "compatible" : rule_refuses(rule) ? "refusal" : "rule";
    const char *up = rule->has[DIRECTION_UP] ? rule->why[DIRECTION_UP] : NULL;
    const char *down = rule->has[DIRECTION_DOWN] ? rule->why[DIRECTION_DOWN] : NULL;
    json_t *row =
        json_pack("{s:s, s:o, s:o, s:I, s:s}", "kind", kind, "domain",
                  text_json(*rule->domain == '\0' ? "ai.onnx" : rule->domain), "operator", text_json(rule->op_type),
                  "opset", (json_int_t)rule->opset, "direction", direction_name(rule->has));

    report_set(&row, "why", text_json(up ? up : down));
    if (up && down && strcmp(up, down) != 0)
        report_set(&row, "why_down", text_json(down));
    report_set(&row, "file", text_json(rule->file));
    return json_array_append_new(list, row);
}

static void print_row(struct report_table *table, const json_t *row, struct buffer *out)
{
    const char *domain = json_string_value(json_object_get(row, "domain"));
    const char *op_type = json_string_value(json_object_get(row, "operator"));
    struct buffer name = {0}, step = {0};
    char *name_text, *step_text;
    long long opset = json_integer_value(json_object_get(row, "opset"));

    if (strcmp(domain, "ai.onnx") != 0)
        buffer_print(&name, "%s.", domain);
    buffer_add_text(&name, op_type);
    buffer_print(&step, "%lld-%lld", opset - 1, opset);
    name_text = buffer_take(&name);
    step_text = buffer_take(&step);
    out->failed = out->failed || name_text == NULL || step_text == NULL;
    if (name_text != NULL && step_text != NULL)
        report_table_row(table,
                         (const char *const[]){name_text, step_text, json_string_value(json_object_get(row, "kind")),
                                               json_string_value(json_object_get(row, "direction")),
                                               json_string_value(json_object_get(row, "why"))});
    free(name_text);
    free(step_text);
}

static void print_rules(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"operator", "step", "kind", "direction", "why"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    const json_t *row;
    size_t i;

    if (table == NULL) {
        out->failed = true;
        return;
    }
    json_array_foreach(json_object_get(root, "rules"), i, row) print_row(table, row, out);
    report_table_print(table, out);
}

enum opshift_status opshift_rules_list(const struct opshift_rules *rules, struct opshift_report **report,
                                       struct opshift_error *error)
{
    json_t *list = json_array();
    int failed = list == NULL;

    for (int compatible = 0; compatible < 2; compatible++)
        for (uint32_t i = 0; !failed && i < rules->rule_count; i++)
            if (rules->rules[i].compatible == compatible)
                failed |= rule_json(list, &rules->rules[i]);
    *report = NULL;
    if (failed)
        json_decref(list);
    else
        *report = report_new(json_pack("{s:s, s:s, s:o}", "kind", "rules", "version", opshift_version(), "rules", list),
                             print_rules);
    return *report == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}
