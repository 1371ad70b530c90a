/* opshift_edit_verify: both models are one but for names, or runs of both agree. */
#include "edit/verify_edit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "model/preview.h"
#include "run/values.h"

#define RUNS      3u
#define RUN_STEPS (UINT64_C(1) << 29)

enum edit_verdict { EDIT_PROVED, EDIT_TESTED, EDIT_DIFFERS, EDIT_NOT_SHOWN };
static const char *const verdicts[] = {"proved", "tested", "differs", "not shown"};

struct edit_check {
    struct opshift_model *before, *after;
    const struct opshift_edit_options *options;
    struct opshift_model *shown; /* before, with all values that after has at its ends as outputs */
    struct arena *arena;
    enum edit_verdict verdict;
    const char *why;
    unsigned runs;
    struct opshift_error *error;
};

/* ---- names ---- */

const char *renamed_by(const struct opshift_edit_options *options, struct arena *arena, const char *name)
{
    for (size_t i = 0; i < options->step_count; i++) {
        const char *text = options->steps[i].value, *equals = text ? strrchr(text, '=') : NULL;
        struct bytes part;
        if (strcmp(options->steps[i].name, "rename") != 0 || equals == NULL)
            continue;
        text += strncmp(text, "value:", 6) == 0 ? 6 : 0;
        struct bytes from = {(const uint8_t *)text, equals > text ? (size_t)(equals - text) : 0};
        if (!pattern_matches(from, (struct bytes){(const uint8_t *)name, strlen(name)}, &part))
            continue;
        const char *star = strchr(equals + 1, '*');
        return star == NULL ? equals + 1
                            : arena_print(arena, "%.*s%.*s%s", (int)(star - equals - 1), equals + 1, (int)part.size,
                                          (const char *)part.data, star + 1);
    }
    return name;
}

/* The name of the first model's value that has this name in the edited one. NULL: none, or no memory. */
static const char *name_before(const struct edit_check *check, const char *name)
{
    const struct names *names = check->before->names;
    for (name_id i = 1; i < names_count(names); i++) {
        const char *renamed = renamed_by(check->options, check->arena, names_text(names, i));
        if (renamed && strcmp(renamed, name) == 0)
            return names_text(names, i);
    }
    return NULL;
}

static bool has_input(const struct opshift_model *model, const char *name)
{
    for (size_t i = 0; i < opshift_model_input_count(model); i++)
        if (strcmp(opshift_model_input_name(model, i), name) == 0)
            return true;
    return false;
}

static bool has_output(const struct opshift_model *model, const char *name)
{
    for (size_t i = 0; i < opshift_model_output_count(model); i++)
        if (strcmp(opshift_model_output_name(model, i), name) == 0)
            return true;
    return false;
}

/* ---- the first model, with more outputs ---- */

static enum opshift_status show_add(struct edit_check *check, struct opshift_edit_step *steps, size_t *count,
                                    const char *name)
{
    const char *before = name_before(check, name);
    if (before == NULL) {
        check->why = arena_print(check->arena, "'%.80s' is not in the first model", name);
        return OPSHIFT_OK;
    }
    if (!has_output(check->before, before) && !has_input(check->before, before))
        steps[(*count)++] = (struct opshift_edit_step){"show-output", before};
    return OPSHIFT_OK;
}

static enum opshift_status shown_make(struct edit_check *check)
{
    size_t inputs = opshift_model_input_count(check->after), outputs = opshift_model_output_count(check->after);
    struct opshift_edit_step *steps = arena_alloc(check->arena, inputs + outputs + 1, sizeof(*steps));
    struct editing editing = {.arena = check->arena, .steps = steps, .done = json_array()};
    enum opshift_status status = steps && editing.done ? OPSHIFT_OK : opshift_no_memory(check->error);
    for (size_t i = 0; status == OPSHIFT_OK && i < inputs; i++)
        if (opshift_model_input_is_required(check->after, i))
            status = show_add(check, steps, &editing.step_count, opshift_model_input_name(check->after, i));
    for (size_t i = 0; status == OPSHIFT_OK && i < outputs; i++)
        status = show_add(check, steps, &editing.step_count, opshift_model_output_name(check->after, i));
    uint32_t edit_count = check->before->edit_count;
    check->before->edit_count = 0; /* the model as it was opened; the edits come back */
    if (status == OPSHIFT_OK && check->why == NULL)
        status = model_preview(check->before, check->arena, &editing.model, check->error);
    check->before->edit_count = edit_count;
    if (status == OPSHIFT_OK && check->why == NULL && editing.step_count)
        status = outputs_edit(&editing, check->error);
    if (status)
        opshift_model_free(editing.model);
    else
        check->shown = editing.model;
    json_decref(editing.done);
    return status;
}

/* ---- runs ---- */

static const struct opshift_value *value_find(const struct opshift_values *values, const char *name)
{
    return name ? opshift_values_find(values, name) : NULL;
}

/* Failures of a run that make it say nothing, but do not end the work. */
static enum opshift_status unsaid(struct edit_check *check, const char *what, enum opshift_status status)
{
    if (status == OPSHIFT_OK || status == OPSHIFT_IO || status == OPSHIFT_CANCELLED)
        return status;
    check->why = arena_print(check->arena, "%s: %.200s", what,
                             check->error && check->error->text[0] ? check->error->text : "out of memory");
    return error_forget(check->error);
}

/* Adds a copy of a value under another name; no value, no copy. */
static enum opshift_status value_give(struct opshift_values *into, const char *name, const struct opshift_value *value,
                                      struct opshift_error *error)
{
    struct opshift_value *copy = NULL;
    if (value == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = value_copy(&value->value, &copy, error);
    return status ? status : opshift_values_add(into, name, copy, error);
}

static const char *outputs_compare(struct edit_check *check, const struct opshift_values *one,
                                   const struct opshift_values *drawn, const struct opshift_values *other)
{
    static const struct opshift_tolerance exact = {.exact = true};
    for (size_t i = 0; i < opshift_values_count(other); i++) {
        const char *name = opshift_values_name(other, i), *before = name_before(check, name);
        const struct opshift_value *value = value_find(one, before);
        struct opshift_error found = {0};
        value = value ? value : value_find(drawn, before);
        if (value == NULL)
            return arena_print(check->arena, "output '%.80s' is not in the first model", name);
        if (opshift_value_compare(opshift_values_at(other, i), value, &exact, &found))
            return arena_print(check->arena, "output '%.80s': %s", name, found.text);
    }
    return NULL;
}

static enum opshift_status runs_compare(struct edit_check *check, uint64_t seed)
{
    struct opshift_run_options run = {.steps = RUN_STEPS};
    struct opshift_draw_options draw = {.seed = seed, .attempt = (unsigned)seed + 1};
    struct opshift_values *drawn = NULL, *given = NULL, *outputs[2] = {NULL, NULL};
    struct opshift_error *error = check->error;
    enum opshift_status status = opshift_values_new(&drawn, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_new(&given, error);
    if (status == OPSHIFT_OK)
        status = unsaid(check, "no inputs for the first model", opshift_values_draw(drawn, check->shown, &draw, error));
    if (status == OPSHIFT_OK && check->why == NULL)
        status = unsaid(check, "the first model", opshift_run(check->shown, drawn, &run, &outputs[0], error));
    for (size_t i = 0; status == OPSHIFT_OK && check->why == NULL && i < opshift_model_input_count(check->after); i++) {
        const char *name = opshift_model_input_name(check->after, i), *before = name_before(check, name);
        bool is_drawn = before && value_find(drawn, before);
        status = value_give(given, name, value_find(is_drawn ? drawn : outputs[0], before), error);
    }
    if (status == OPSHIFT_OK && check->why == NULL)
        status = unsaid(check, "the edited model", opshift_run(check->after, given, &run, &outputs[1], error));
    if (status == OPSHIFT_OK && check->why == NULL) {
        check->runs++;
        check->why = outputs_compare(check, outputs[0], drawn, outputs[1]);
        check->verdict = check->why ? EDIT_DIFFERS : EDIT_TESTED;
    }
    opshift_values_free(outputs[0]);
    opshift_values_free(outputs[1]);
    opshift_values_free(drawn);
    opshift_values_free(given);
    return status;
}

/* ---- the verdict ---- */

static enum opshift_status verdict_tell(const struct edit_check *check, struct opshift_report *report)
{
    const char *why = check->why ? check->why : "";
    if (report == NULL || report->root == NULL)
        return OPSHIFT_OK;
    json_t *verdict = json_pack("{s:s, s:i, s:o}", "verdict", verdicts[check->verdict], "runs", (int)check->runs, "why",
                                report_string(why, strlen(why)));
    return json_object_set_new(report->root, "verified", verdict) == 0 ? OPSHIFT_OK : opshift_no_memory(check->error);
}

static enum opshift_status check_run(struct edit_check *check)
{
    bool same;
    enum opshift_status status =
        models_same(check->before, check->after, check->options, check->arena, &same, &check->why, check->error);
    check->verdict = status == OPSHIFT_OK && same ? EDIT_PROVED : EDIT_NOT_SHOWN;
    if (status || same)
        return status;
    check->why = NULL;
    status = shown_make(check);
    for (uint64_t i = 0; status == OPSHIFT_OK && check->why == NULL && i < RUNS; i++)
        status = runs_compare(check, i);
    return status;
}

enum opshift_status opshift_edit_verify(struct opshift_model *before, struct opshift_model *after,
                                        const struct opshift_edit_options *options, struct opshift_report *report,
                                        struct opshift_error *error)
{
    struct opshift_edit_options full;
    struct opshift_error own = {0};
    error = error ? error : &own;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status)
        return status;
    struct edit_check check = {.before = before, .after = after, .options = &full, .error = error};
    check.arena = arena_new(before->limits.memory);
    status = check.arena ? check_run(&check) : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = verdict_tell(&check, report);
    bool differs = check.verdict == EDIT_DIFFERS;
    if (status == OPSHIFT_OK && differs)
        status = opshift_fail(error, OPSHIFT_NO, "%.256s: the edited model gives other outputs: %s", before->name,
                              check.why);
    opshift_model_free(check.shown);
    arena_free(check.arena);
    return status;
}
