/* Runs the stages of opshift_edit in their order, each on a preview of the stage before. */
#include "edit/edit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/option_struct.h"
#include "base/report.h"
#include "base/shown.h"
#include "model/preview.h"

#define STAGE_STEPS 5

static const struct stage {
    edit_stage *run;
    struct {
        const char *name;
        bool has_value;
    } steps[STAGE_STEPS];
} stages[] = {
    {inline_edit, {{"inline", true}, {"inline-if", false}}},
    {extract_edit, {{"extract", true}}},
    {outputs_edit, {{"show-output", true}, {"drop-output", true}, {"drop-unused", false}}},
    {rename_edit, {{"rename", true}, {"rename-metadata", false}}},
    {unique_edit, {{"unique-names", false}}},
    {dims_edit, {{"dim", true}, {"batch", true}, {"shape", true}}},
    {fold_edit,
     {{"fold", false},
      {"fold-limit", true},
      {"constants-to-initializers", false},
      {"initializers-to-constants", false}}},
    {strip_edit, {{"strip", true}}},
    {dedupe_edit, {{"dedupe", false}}},
    {weights_edit,
     {{"external", true}, {"internal", false}, {"external-from", true}, {"align", true}, {"safetensors", true}}},
    {inputs_edit, {{"ir-inputs", true}}},
};

/* ---- for the stages ---- */

const char *edit_next(const struct editing *editing, const char *name, size_t *at)
{
    while (*at < editing->step_count) {
        const struct opshift_edit_step *step = &editing->steps[(*at)++];
        if (strcmp(step->name, name) == 0)
            return step->value ? step->value : "";
    }
    return NULL;
}

bool edit_has(const struct editing *editing, const char *name)
{
    size_t at = 0;
    return edit_next(editing, name, &at) != NULL;
}

enum opshift_status edit_number(const struct editing *editing, const char *name, uint64_t preset, uint64_t *number,
                                struct opshift_error *error)
{
    size_t at = 0;
    const char *text = edit_next(editing, name, &at);
    char *end = NULL;
    *number = text ? strtoull(text, &end, 10) : preset;
    if (text && (*end || strchr(text, '-') || *number > UINT32_MAX))
        return opshift_fail(error, OPSHIFT_USAGE, "%s '%.80s': must be a number of bytes", name, text);
    return OPSHIFT_OK;
}

enum opshift_status edit_tell(struct editing *editing, const char *name, uint64_t count, struct opshift_error *error,
                              const char *format, ...)
{
    char text[OPSHIFT_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    size_t size = shown_print(text, sizeof(text), format, arguments);
    va_end(arguments);
    report_append(&editing->done, json_pack("{s:s, s:o, s:I}", "edit", name, "text", json_stringn(text, size), "count",
                                            (json_int_t)count));
    return editing->done ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status edit_settle(struct editing *editing, struct opshift_error *error)
{
    struct opshift_model *next;
    if (editing->model->edit_count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = model_preview(editing->model, editing->arena, &next, error);
    if (status)
        return status;
    opshift_model_free(editing->model);
    editing->model = next;
    return OPSHIFT_OK;
}

name_id edit_name(const struct editing *editing, const char *text)
{
    name_id name = NAME_NONE;
    return names_find(editing->model->names, text, strlen(text), &name) ? name : NAME_NONE;
}

enum opshift_status edit_no_such(const struct editing *editing, const char *step, const char *value, const char *what,
                                 const char *name, const uint8_t *bits, struct opshift_error *error)
{
    const struct names *names = editing->model->names;
    struct nearest nearest;
    nearest_begin(&nearest, name);
    for (name_id i = 1; i < names_count(names); i++)
        if (bit_has(bits, i) && names_whole(names, i))
            nearest_offer(&nearest, names_whole(names, i));
    return opshift_fail(error, OPSHIFT_USAGE, "%s '%.*s': the model has no %s '%.*s'%s%.*s%s", step, EDIT_NAME_MOST,
                        value, what, EDIT_NAME_MOST, name, nearest.best ? "; there is '" : "", EDIT_NAME_MOST,
                        nearest.best ? nearest.best : "", nearest.best ? "'" : "");
}

uint8_t *edit_values(const struct editing *editing, bool functions)
{
    const struct opshift_model *model = editing->model;
    uint8_t *bits = arena_alloc(editing->arena, names_count(model->names) / 8 + UINT64_C(1), 1);
    for (uint32_t i = 0; bits && i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        if ((graph->function != NULL) != functions)
            continue;
        for (uint32_t k = 0; k < graph->input_count; k++)
            bit_set(bits, graph->inputs[k].name);
        for (uint32_t k = 0; k < graph->initializer_count; k++)
            bit_set(bits, graph->initializers[k].name);
        for (uint32_t k = 0; k < graph->node_count; k++)
            for (uint32_t o = 0; o < graph->nodes[k].output_count; o++)
                bit_set(bits, node_outputs(&graph->nodes[k])[o]);
    }
    return bits;
}

bool pattern_matches(struct bytes pattern, struct bytes name, struct bytes *part)
{
    const uint8_t *star = pattern.size ? memchr(pattern.data, '*', pattern.size) : NULL;
    *part = (struct bytes){0};
    if (star == NULL)
        return bytes_same(name, pattern);
    size_t head = (size_t)(star - pattern.data), tail = pattern.size - head - 1;
    if (name.size < head + tail || memcmp(name.data, pattern.data, head) != 0 ||
        memcmp(name.data + name.size - tail, star + 1, tail) != 0)
        return false;
    *part = (struct bytes){name.data + head, name.size - head - tail};
    return true;
}

bool edit_matches(const char *pattern, struct bytes name, struct bytes *part)
{
    return pattern_matches((struct bytes){(const uint8_t *)pattern, strlen(pattern)}, name, part);
}

/* ---- the report ---- */

void edit_text(const json_t *root, struct buffer *out)
{
    const json_t *done = json_object_get(root, "edits"), *item;
    size_t at;
    json_int_t before = json_integer_value(json_object_get(root, "before")),
               after = json_integer_value(json_object_get(root, "after"));
    const json_t *verified = json_object_get(root, "verified");
    buffer_print(out, "%s: ", report_text_of(root, "model"));
    if (json_array_size(done) == 0)
        buffer_add_text(out, "nothing changes\n");
    else
        buffer_print(out, "%" JSON_INTEGER_FORMAT " bytes, %" JSON_INTEGER_FORMAT " before\n", after, before);
    json_array_foreach(done, at, item)
    {
        buffer_print(out, "%s: %s\n", report_text_of(item, "edit"), report_text_of(item, "text"));
    }
    if (verified) {
        const char *why = report_text_of(verified, "why");
        json_int_t runs = json_integer_value(json_object_get(verified, "runs"));
        buffer_print(out, "verified: %s", report_text_of(verified, "verdict"));
        if (runs)
            buffer_print(out, ", %" JSON_INTEGER_FORMAT " run%s", runs, runs == 1 ? "" : "s");
        buffer_print(out, "%s%s\n", *why ? ": " : "", why);
    }
}

static enum opshift_status edit_report(struct editing *editing, const struct opshift_model *before,
                                       struct opshift_report **report, struct opshift_error *error)
{
    if (report == NULL)
        return OPSHIFT_OK;
    json_t *root =
        json_pack("{s:s, s:s, s:o, s:I, s:I, s:O}", "kind", "edit", "version", opshift_version(), "model",
                  report_string(before->name, strlen(before->name)), "before", (json_int_t)source_size(before->source),
                  "after", (json_int_t)source_size(editing->model->source), "edits", editing->done);
    *report = root ? report_new(root, edit_text) : NULL;
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- all of it ---- */

static bool is_asked(const struct editing *editing, const struct stage *stage)
{
    for (size_t i = 0; i < STAGE_STEPS && stage->steps[i].name; i++)
        if (edit_has(editing, stage->steps[i].name))
            return true;
    return false;
}

static enum opshift_status steps_check(const struct editing *editing, struct opshift_error *error)
{
    for (size_t i = 0; i < editing->step_count; i++) {
        const struct opshift_edit_step *step = &editing->steps[i];
        struct nearest nearest;
        bool found = false;
        if (step->name == NULL)
            return opshift_fail(error, OPSHIFT_USAGE, "edit: a step without a name");
        nearest_begin(&nearest, step->name);
        for (size_t k = 0; k < COUNT(stages) * STAGE_STEPS && !found; k++) {
            const char *name = stages[k / STAGE_STEPS].steps[k % STAGE_STEPS].name;
            if (name == NULL)
                continue;
            nearest_offer(&nearest, name);
            found = strcmp(name, step->name) == 0;
            if (found && stages[k / STAGE_STEPS].steps[k % STAGE_STEPS].has_value &&
                (step->value == NULL || *step->value == '\0'))
                return opshift_fail(error, OPSHIFT_USAGE, "edit: '%s' needs a value", name);
        }
        if (!found)
            return opshift_fail(error, OPSHIFT_USAGE, "edit: there is no edit '%.80s'%s%s%s", step->name,
                                nearest.best ? "; there is '" : "", nearest.best ? nearest.best : "",
                                nearest.best ? "'" : "");
    }
    return OPSHIFT_OK;
}

static enum opshift_status stages_run(struct editing *editing, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(stages); i++) {
        if (is_asked(editing, &stages[i]))
            status = stages[i].run(editing, error);
        if (status == OPSHIFT_OK)
            status = edit_settle(editing, error);
    }
    return status;
}

enum opshift_status opshift_edit(struct opshift_model *model, const struct opshift_edit_options *options,
                                 struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_edit_options full;
    struct editing editing = {0};
    if (report)
        *report = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status)
        return status;
    editing.steps = full.steps;
    editing.step_count = full.step_count;
    status = steps_check(&editing, error);
    if (status)
        return status;
    model_edits_clear(model);
    if (model->broken) /* parsers would reject it */
        return opshift_within(error, error_give(error, model->broken->status, model->broken), "%.256s", model->name);
    editing.lasting = model->arena;
    editing.arena = arena_new(model->limits.memory);
    editing.done = json_array();
    if (editing.arena == NULL || editing.done == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = model_preview(model, editing.arena, &editing.model, error);
    if (status == OPSHIFT_OK)
        status = stages_run(&editing, error);
    if (status == OPSHIFT_OK)
        status = model_adopt(model, editing.model, error);
    model->weights = editing.weights;
    model->moves_external = model->has_external || editing.model == NULL || editing.model->has_external;
    if (status == OPSHIFT_OK)
        status = edit_report(&editing, model, report, error);
    opshift_model_free(editing.model);
    json_decref(editing.done);
    arena_free(editing.arena);
    if (status)
        model_edits_clear(model);
    return status ? opshift_within(error, status, "%.256s", model->name) : status;
}
