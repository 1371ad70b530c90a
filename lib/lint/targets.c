/* Target profiles as a report: one line each, or all that they state. */
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "check/target.h"
#include "lint/targets.h"

enum opshift_status targets_wanted(const struct opshift_targets_options *given, struct opshift_targets_options *options,
                                   struct arena *arena, struct target **targets, struct opshift_error *error)
{
    static const char *const all[] = {"all"};
    enum opshift_status status = OPTIONS_COPY(given, options, error);
    bool none = status == OPSHIFT_OK && options->target_count == 0;
    *targets = NULL;
    return status ? status
                  : targets_load(none ? all : options->targets, none ? 1 : options->target_count, options->directories,
                                 options->directory_count, arena, targets, error);
}

/* ---- as a tree ---- */

static json_t *texts(const char *const *list)
{
    json_t *all = json_array();
    for (; *list; list++)
        report_append(&all, json_string(*list));
    return all;
}

static json_t *features(const struct target *target, enum target_answer answer)
{
    json_t *all = json_array();
    for (int i = 0; i < TARGET_FEATURES; i++)
        if (target->answers[i] == answer)
            report_append(&all, json_string(target_features[i].name));
    return all;
}

static json_t *conditions(const struct condition *list, uint32_t count)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < count; i++)
        report_append(&all, json_string(list[i].text));
    return all;
}

static void set_text(json_t **object, const char *key, const char *text)
{
    if (text)
        report_set(object, key, json_string(text));
}

static void set_number(json_t **object, const char *key, int64_t number)
{
    if (number)
        report_set(object, key, json_integer(number));
}

static json_t *constraint_tree(const struct target_constraint *constraint)
{
    json_t *tree = json_object();
    set_text(&tree, "key", constraint->key);
    set_text(&tree, "severity", constraint->refused ? "error" : "warning");
    if (constraint->feature >= 0)
        set_text(&tree, "lacks", target_features[constraint->feature].name);
    set_text(&tree, "operator", *constraint->operator_type ? constraint->operator_type : NULL);
    set_number(&tree, "oldest_opset", constraint->least > 1 ? constraint->least : 0);
    set_number(&tree, "opset", constraint->most < INT64_MAX ? constraint->most : 0);
    report_set(&tree, "when", conditions(constraint->when, constraint->when_count));
    report_set(&tree, "require", conditions(constraint->require, constraint->require_count));
    set_text(&tree, "why", constraint->why);
    set_text(&tree, "mend", constraint->mend);
    set_text(&tree, "source", constraint->source);
    set_text(&tree, "date", constraint->date);
    return tree;
}

static json_t *types_tree(uint64_t types)
{
    json_t *all = json_array();
    for (int type = 1; type < 64; type++)
        if (types >> type & 1)
            report_append(&all, json_string(type_name((enum opshift_type)type)));
    return all;
}

static json_t *lack_tree(const struct target_lack *lack)
{
    json_t *tree = json_object();
    report_set(&tree, lack->operators ? "operators" : "types",
               lack->operators ? texts(lack->operators) : types_tree(lack->types));
    report_set(&tree, "all_others", json_boolean(lack->all_others));
    set_text(&tree, "severity", lack->refused ? "error" : "warning");
    set_text(&tree, "why", lack->why);
    set_text(&tree, "source", lack->source);
    set_text(&tree, "date", lack->date);
    return tree;
}

/* All that a profile states. NULL: no memory. */
static json_t *target_tree(const struct target *target)
{
    json_t *tree = json_object(), *constraints = json_array(), *gaps = json_array(), *lacks = json_array();
    for (uint32_t i = 0; i < target->constraint_count; i++)
        if (!target->constraints[i].unknown)
            report_append(&constraints, constraint_tree(&target->constraints[i]));
    for (uint32_t i = 0; i < target->gap_count; i++)
        report_append(&gaps, json_string(target->gaps[i].text));
    for (uint32_t i = 0; i < target->lack_count; i++)
        report_append(&lacks, lack_tree(&target->lacks[i]));
    set_text(&tree, "target", target->name);
    set_text(&tree, "version", target->version);
    set_text(&tree, "description", target->description);
    report_set(&tree, "aliases", texts(target->aliases));
    report_set(&tree, "versions", texts(target->versions));
    set_number(&tree, "oldest_opset", target->oldest_opset);
    set_number(&tree, "opset", target->opset);
    set_number(&tree, "ir_version", target->ir_version);
    set_text(&tree, "split_form", target_split_forms[target->split_form]);
    report_set(&tree, "takes", features(target, TARGET_YES));
    report_set(&tree, "lacks", features(target, TARGET_NO));
    set_text(&tree, "source", target->source);
    set_text(&tree, "date", target->date);
    report_set(&tree, "constraints", constraints);
    report_set(&tree, "without", lacks);
    report_set(&tree, "without_kernel", gaps);
    return tree;
}

/* ---- for people ---- */

static const char *opsets_print(char *text, size_t room, const json_t *target)
{
    json_int_t oldest = json_integer_value(json_object_get(target, "oldest_opset"));
    json_int_t newest = json_integer_value(json_object_get(target, "opset"));
    if (newest && oldest)
        snprintf(text, room, "%" JSON_INTEGER_FORMAT "-%" JSON_INTEGER_FORMAT, oldest, newest);
    else if (newest)
        snprintf(text, room, "up to %" JSON_INTEGER_FORMAT, newest);
    else if (oldest)
        snprintf(text, room, "from %" JSON_INTEGER_FORMAT, oldest);
    else
        snprintf(text, room, "?");
    return text;
}

static const char *ir_version_print(char *text, size_t room, const json_t *target)
{
    json_int_t number = json_integer_value(json_object_get(target, "ir_version"));
    snprintf(text, room, number ? "%" JSON_INTEGER_FORMAT : "?", number);
    return text;
}

static void lines_as_text(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"target", "version", "opset", "IR", "Split", "description"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    const json_t *target;
    size_t i;
    json_array_foreach(json_object_get(root, "targets"), i, target)
    {
        char opsets[48], ir_version[24];
        const char *version = report_text_of(target, "version");
        const char *const cells[] = {report_text_of(target, "target"),
                                     *version ? version : "-",
                                     opsets_print(opsets, sizeof(opsets), target),
                                     ir_version_print(ir_version, sizeof(ir_version), target),
                                     report_text_of(target, "split_form"),
                                     report_text_of(target, "description")};
        report_table_row(table, cells);
    }
    report_table_print(table, out);
}

static void list_print(struct buffer *out, const char *head, const json_t *list)
{
    const json_t *item;
    size_t i;
    if (json_array_size(list) == 0)
        return;
    buffer_print(out, "  %-12s", head);
    json_array_foreach(list, i, item) buffer_print(out, "%s%s", i ? ", " : "", json_string_value(item));
    buffer_add_byte(out, '\n');
}

static void source_print(struct buffer *out, const json_t *from)
{
    buffer_print(out, " (%s, %s)\n", report_text_of(from, "source"), report_text_of(from, "date"));
}

static void constraints_print(struct buffer *out, const json_t *target)
{
    const json_t *constraint, *lack;
    size_t i;
    json_array_foreach(json_object_get(target, "constraints"), i, constraint)
    {
        buffer_print(out, "  %s %s: %s; %s", report_text_of(constraint, "severity"), report_text_of(constraint, "key"),
                     report_text_of(constraint, "why"), report_text_of(constraint, "mend"));
        source_print(out, constraint);
    }
    json_array_foreach(json_object_get(target, "without"), i, lack)
    {
        const json_t *operators = json_object_get(lack, "operators");
        const char *why = report_text_of(lack, "why");
        buffer_print(out, "  %s %s%s%s", report_text_of(lack, "severity"),
                     json_is_true(json_object_get(lack, "all_others")) ? "only these " : "without these ",
                     operators ? "operators" : "types", *why ? ", " : "");
        buffer_print(out, "%s", why);
        source_print(out, lack);
        list_print(out, "", operators ? operators : json_object_get(lack, "types"));
    }
}

static void target_print(struct buffer *out, const json_t *target)
{
    char opsets[48], ir_version[24];
    const char *version = report_text_of(target, "version");
    const json_t *gap;
    size_t i;
    buffer_print(out, "%s%s%s: %s\n", report_text_of(target, "target"), *version ? " " : "", version,
                 report_text_of(target, "description"));
    list_print(out, "also called", json_object_get(target, "aliases"));
    list_print(out, "versions", json_object_get(target, "versions"));
    buffer_print(out, "  %-12s%s\n", "opsets", opsets_print(opsets, sizeof(opsets), target));
    buffer_print(out, "  %-12s%s\n", "newest IR", ir_version_print(ir_version, sizeof(ir_version), target));
    buffer_print(out, "  %-12s%s\n", "Split form", report_text_of(target, "split_form"));
    list_print(out, "takes", json_object_get(target, "takes"));
    list_print(out, "lacks", json_object_get(target, "lacks"));
    buffer_print(out, "  %-12s%s, %s\n", "source", report_text_of(target, "source"), report_text_of(target, "date"));
    constraints_print(out, target);
    json_array_foreach(json_object_get(target, "without_kernel"), i, gap)
        buffer_print(out, "  without kernel: %s\n", json_string_value(gap));
}

static void whole_as_text(const json_t *root, struct buffer *out)
{
    const json_t *target;
    size_t i;
    json_array_foreach(json_object_get(root, "targets"), i, target)
    {
        if (i)
            buffer_add_byte(out, '\n');
        target_print(out, target);
    }
}

enum opshift_status opshift_targets_show(const struct opshift_targets_options *given, bool whole,
                                         struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_targets_options options;
    struct target *targets = NULL;
    struct arena *arena = arena_new(0);
    enum opshift_status status =
        arena ? targets_wanted(given, &options, arena, &targets, error) : opshift_no_memory(error);
    *report = NULL;
    if (status == OPSHIFT_OK) {
        json_t *list = json_array(), *root;
        for (const struct target *target = targets; target; target = target->next)
            report_append(&list, target_tree(target));
        root = list ? json_pack("{s:s, s:s, s:o}", "kind", "targets", "version", opshift_version(), "targets", list)
                    : NULL;
        *report = report_new(root, whole ? whole_as_text : lines_as_text);
        status = *report ? OPSHIFT_OK : opshift_no_memory(error);
    }
    arena_free(arena);
    return status;
}
