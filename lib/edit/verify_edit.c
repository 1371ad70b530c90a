/* opshift_edit_verify: both models are one but for names, or runs of both agree. */
#include "edit/verify_edit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "equal/equal.h"
#include "model/preview.h"
#include "run/values.h"

#define RUNS      3u
#define BATCH     3u /* of a freed batch, times the old one */
#define RUN_STEPS (UINT64_C(1) << 29)

enum edit_verdict { EDIT_PROVED, EDIT_TESTED, EDIT_DIFFERS, EDIT_NOT_SHOWN };
static const char *const verdicts[] = {"proved", "tested", "differs", "not shown"};

struct edit_check {
    struct opshift_model *before, *after;
    const struct opshift_edit_options *options;
    struct opshift_model *shown; /* before, with all values that after has at its ends as outputs */
    struct arena *arena;
    enum edit_verdict verdict;
    bool ends_differ;
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

/* Drawn inputs of the first model, and its outputs. */
struct edit_sample {
    struct opshift_values *drawn, *outputs;
};

static const struct opshift_value *sample_find(const struct edit_sample *sample, const char *name)
{
    const struct opshift_value *value = value_find(sample->drawn, name);
    return value ? value : value_find(sample->outputs, name);
}

/* The samples' values of a name one after another along the first axis. *stacked NULL: there is none. */
static enum opshift_status values_stack(const struct edit_check *check, const struct edit_sample *samples,
                                        unsigned count, const char *name, struct opshift_value **stacked)
{
    const struct opshift_value *first = sample_find(&samples[0], name);
    size_t size, rank = first ? opshift_value_rank(first) : 0;
    const uint8_t *data = first ? opshift_value_data(first, &size) : NULL;
    *stacked = NULL;
    if (first == NULL)
        return OPSHIFT_OK;
    if (count == 1 || rank == 0 || data == NULL)
        return value_copy(&first->value, stacked, check->error);
    int64_t *dims = arena_copy(check->arena, opshift_value_dims(first), rank * sizeof(*dims));
    uint8_t *all = arena_alloc(check->arena, count, size);
    for (unsigned i = 0; all && i < count; i++) {
        size_t own = 0;
        const struct opshift_value *value = sample_find(&samples[i], name);
        data = value ? opshift_value_data(value, &own) : NULL;
        if (data == NULL || own != size)
            return OPSHIFT_OK;
        memcpy(all + i * size, data, size);
    }
    if (all == NULL || dims == NULL)
        return opshift_no_memory(check->error);
    dims[0] *= count;
    return opshift_value_tensor(opshift_value_type(first), rank, dims, all, size * count, stacked, check->error);
}

/* Outputs of a batch of several are those of each, but for rounding. */
static const char *outputs_compare(struct edit_check *check, const struct edit_sample *samples, unsigned count,
                                   const struct opshift_values *outputs)
{
    const struct opshift_tolerance tolerance = {.exact = count == 1, .relative = 1e-4, .absolute = 1e-5};
    for (size_t i = 0; i < opshift_values_count(outputs); i++) {
        const char *name = opshift_values_name(outputs, i);
        struct opshift_value *wanted = NULL;
        struct opshift_error found = {0};
        if (values_stack(check, samples, count, name_before(check, name), &wanted) || wanted == NULL)
            return arena_print(check->arena, "output '%.80s' is not in the first model", name);
        enum opshift_status status = opshift_value_compare(opshift_values_at(outputs, i), wanted, &tolerance, &found);
        opshift_value_free(wanted);
        if (status)
            return arena_print(check->arena, "output '%.80s'%s: %s", name, count > 1 ? " of a larger batch" : "",
                               found.text);
    }
    return NULL;
}

static enum opshift_status sample_take(struct edit_check *check, struct edit_sample *sample, uint64_t seed)
{
    struct opshift_run_options run = {.steps = RUN_STEPS};
    struct opshift_draw_options draw = {.seed = seed, .attempt = (unsigned)seed + 1};
    enum opshift_status status = opshift_values_new(&sample->drawn, check->error);
    if (status == OPSHIFT_OK)
        status = unsaid(check, "no inputs for the first model",
                        opshift_values_draw(sample->drawn, check->shown, &draw, check->error));
    if (status == OPSHIFT_OK && check->why == NULL)
        status = unsaid(check, "the first model",
                        opshift_run(check->shown, sample->drawn, &run, &sample->outputs, check->error));
    return status;
}

/* One run of the edited model for `count` runs of the first one. */
static enum opshift_status runs_compare(struct edit_check *check, uint64_t seed, unsigned count)
{
    struct opshift_run_options run = {.steps = count * RUN_STEPS};
    struct edit_sample samples[BATCH] = {{NULL, NULL}};
    struct opshift_values *given = NULL, *outputs = NULL;
    enum opshift_status status = opshift_values_new(&given, check->error);
    for (unsigned i = 0; status == OPSHIFT_OK && check->why == NULL && i < count; i++)
        status = sample_take(check, &samples[i], count == 1 ? seed : i);
    for (size_t i = 0; status == OPSHIFT_OK && check->why == NULL && i < opshift_model_input_count(check->after); i++) {
        const char *name = opshift_model_input_name(check->after, i);
        struct opshift_value *value;
        status = values_stack(check, samples, count, name_before(check, name), &value);
        if (status == OPSHIFT_OK && value)
            status = opshift_values_add(given, name, value, check->error);
    }
    if (status == OPSHIFT_OK && check->why == NULL)
        status = unsaid(check, "the edited model", opshift_run(check->after, given, &run, &outputs, check->error));
    if (status == OPSHIFT_OK && check->why == NULL) {
        check->runs++;
        check->why = outputs_compare(check, samples, count, outputs);
        if (check->why || check->verdict != EDIT_PROVED)
            check->verdict = check->why ? EDIT_DIFFERS : EDIT_TESTED;
    }
    for (unsigned i = 0; i < count; i++) {
        opshift_values_free(samples[i].drawn);
        opshift_values_free(samples[i].outputs);
    }
    opshift_values_free(outputs);
    opshift_values_free(given);
    return status;
}

/* Is the batch free now? */
static bool is_batched(const struct opshift_edit_options *options)
{
    for (size_t i = 0; i < options->step_count; i++)
        if (strcmp(options->steps[i].name, "batch") == 0 && options->steps[i].value &&
            strspn(options->steps[i].value, "0123456789") == 0)
            return true;
    return false;
}

/* ---- proof ---- */

static void side_close(struct equal_side *side)
{
    fold_free(side->fold);
    types_free(side->types);
    scopes_free(side->scopes);
}

/* given: shapes of inputs. */
static enum opshift_status side_open(struct opshift_model *model, const char *const *given, size_t count,
                                     struct equal_side *side, struct opshift_error *error)
{
    const struct opshift_given shapes = {.shapes = given, .shape_count = count};
    *side = (struct equal_side){.model = model, .given_holds = true};
    enum opshift_status status = scopes_new(model, &side->scopes, error);
    if (status == OPSHIFT_OK)
        status = scopes_count_uses(side->scopes, error);
    if (status == OPSHIFT_OK)
        status = types_new(model, side->scopes, &side->types, error);
    if (status == OPSHIFT_OK && count > 0)
        status = types_give(side->types, &shapes, error);
    if (status == OPSHIFT_OK)
        status = fold_new(model, side->scopes, side->types, NULL, &side->fold, error);
    return status;
}

/* "x=1x?x4": the dims that one model leaves open and the other one has. NULL: there are none, or no memory. */
static const char *given_text(struct arena *arena, const char *name, const struct value_type *open,
                              const struct value_type *sizes)
{
    const char *text = arena_print(arena, "%s=", name);
    bool has = false;
    if (open->rank < 1 || open->rank != sizes->rank)
        return NULL;
    for (int32_t i = 0; text && i < open->rank; i++) {
        bool given = open->dims[i] < 0 && sizes->dims[i] >= 0;
        has = has || given;
        text = given ? arena_print(arena, "%s%s%" PRId64, text, i ? "," : "", sizes->dims[i])
                     : arena_print(arena, "%s%s?", text, i ? "," : "");
    }
    return has ? text : NULL;
}

/* Sizes that only one of both models declares count for both. */
static enum opshift_status sizes_share(struct edit_check *check, struct equal_side sides[2],
                                       const struct equal_ends *ends)
{
    const struct graph *graphs[2] = {check->before->main, check->after->main};
    const char **texts[2];
    size_t counts[2] = {0, 0};
    enum opshift_status status = OPSHIFT_OK;
    for (int i = 0; i < 2; i++)
        texts[i] = arena_alloc(check->arena, graphs[1]->input_count + UINT64_C(1), sizeof(*texts[i]));
    if (texts[0] == NULL || texts[1] == NULL)
        return opshift_no_memory(check->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graphs[1]->input_count; i++) {
        struct value_type types[2];
        name_id there;
        if (ends->inputs[i] == NULL ||
            !names_find(check->before->names, ends->inputs[i], strlen(ends->inputs[i]), &there))
            continue;
        status = types_find(sides[0].types, check->before->main, there, &types[0], check->error);
        if (status == OPSHIFT_OK)
            status = types_find(sides[1].types, check->after->main, graphs[1]->inputs[i].name, &types[1], check->error);
        const char *names[2] = {ends->inputs[i], names_text(check->after->names, graphs[1]->inputs[i].name)};
        for (int k = 0; status == OPSHIFT_OK && k < 2; k++) {
            const char *text = k == 0 && !has_input(check->before, names[0])
                                   ? NULL
                                   : given_text(check->arena, names[k], &types[k], &types[1 - k]);
            if (text)
                texts[k][counts[k]++] = text;
        }
    }
    for (int k = 0; status == OPSHIFT_OK && k < 2; k++) {
        if (counts[k] == 0)
            continue;
        side_close(&sides[k]);
        status = side_open(k == 0 ? check->before : check->after, texts[k], counts[k], &sides[k], check->error);
    }
    return status;
}

static enum opshift_status ends_find(const struct edit_check *check, struct equal_ends *ends)
{
    const struct graph *graph = check->after->main;
    const char **inputs = arena_alloc(check->arena, graph->input_count + UINT64_C(1), sizeof(*inputs));
    const char **outputs = arena_alloc(check->arena, graph->output_count + UINT64_C(1), sizeof(*outputs));
    *ends = (struct equal_ends){inputs, outputs};
    if (inputs == NULL || outputs == NULL)
        return opshift_no_memory(check->error);
    for (uint32_t i = 0; i < graph->input_count; i++)
        inputs[i] = name_before(check, names_text(check->after->names, graph->inputs[i].name));
    for (uint32_t i = 0; i < graph->output_count; i++)
        outputs[i] = name_before(check, names_text(check->after->names, graph->outputs[i].name));
    return OPSHIFT_OK;
}

static bool is_asked(const struct edit_check *check, const char *name)
{
    for (size_t i = 0; i < check->options->step_count; i++)
        if (strcmp(check->options->steps[i].name, name) == 0)
            return true;
    return false;
}

/* Are all outputs there that no step takes away, in their order? */
static const char *outputs_missing(const struct edit_check *check, const struct equal_ends *ends)
{
    const struct graph *graphs[2] = {check->before->main, check->after->main};
    if (is_asked(check, "extract") || is_asked(check, "drop-output"))
        return NULL;
    for (uint32_t i = 0; i < graphs[0]->output_count; i++) {
        const char *name = names_text(check->before->names, graphs[0]->outputs[i].name);
        if (i >= graphs[1]->output_count || ends->outputs[i] == NULL || strcmp(ends->outputs[i], name) != 0)
            return arena_print(check->arena, "the output '%.80s' is missing, or has another place", name);
    }
    return graphs[1]->output_count == graphs[0]->output_count || is_asked(check, "show-output")
               ? NULL
               : "there is another output";
}

/* Is the second model a part of the first one, whose values its ends are? */
static enum opshift_status proof_try(struct edit_check *check, const struct equal_ends *ends)
{
    struct equal_side sides[2] = {{0}, {0}};
    struct equal_answer answer = {.verdict = EQUAL_NOT_SHOWN};
    struct equal_options how = {.ends = ends, .by_place = true, .freeze_initializers = is_asked(check, "ir-inputs")};
    uint32_t edit_count = check->before->edit_count;
    check->before->edit_count = 0; /* the model as it was opened; the edits come back */
    enum opshift_status status = side_open(check->before, NULL, 0, &sides[0], check->error);
    if (status == OPSHIFT_OK)
        status = side_open(check->after, NULL, 0, &sides[1], check->error);
    if (status == OPSHIFT_OK)
        status = sizes_share(check, sides, ends);
    for (bool again = true; status == OPSHIFT_OK && again;) {
        status = equal_compare(sides, &how, check->arena, &answer, check->error);
        again = answer.verdict != EQUAL_PROVED && how.by_place;
        how.by_place = false;
    }
    check->before->edit_count = edit_count;
    side_close(&sides[0]);
    side_close(&sides[1]);
    check->why = answer.why;
    check->verdict = status == OPSHIFT_OK && answer.verdict == EQUAL_PROVED ? EDIT_PROVED : EDIT_NOT_SHOWN;
    return status;
}

static enum opshift_status edit_prove(struct edit_check *check)
{
    struct equal_ends ends;
    enum opshift_status status = ends_find(check, &ends);
    if (status == OPSHIFT_OK)
        status = proof_try(check, &ends);
    const char *missing = status == OPSHIFT_OK ? outputs_missing(check, &ends) : NULL;
    if (missing) {
        check->ends_differ = true; /* which no run shows */
        check->why = missing;
        check->verdict = EDIT_DIFFERS;
    }
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
    enum opshift_status status = edit_prove(check);
    bool same = check->verdict == EDIT_PROVED;
    if (status || check->ends_differ || (same && !is_batched(check->options)))
        return status;
    check->why = NULL;
    status = shown_make(check);
    for (uint64_t i = 0; status == OPSHIFT_OK && check->why == NULL && !same && i < RUNS; i++)
        status = runs_compare(check, i, 1);
    if (status == OPSHIFT_OK && check->why == NULL && is_batched(check->options))
        status = runs_compare(check, 0, BATCH);
    if (check->verdict == EDIT_PROVED)
        check->why = NULL;
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

/* ---- of two models that were joined ---- */

/* before: the joined model. ends: of the second one, in it. */
struct join_check {
    struct edit_check both;
    struct opshift_model *parts[2];
    struct equal_ends ends[2];
};

static const char **names_list(struct arena *arena, const json_t *list, size_t count)
{
    const char **names = arena_alloc(arena, count + 1, sizeof(*names));
    for (size_t i = 0; names && i < count; i++)
        names[i] = json_string_value(json_array_get(list, i));
    return names;
}

static enum opshift_status join_ends(struct join_check *check, const json_t *root)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct graph *graph = check->parts[i]->main;
        const char **inputs = names_list(check->both.arena, json_object_get(root, "second_inputs"), graph->input_count);
        const char **outputs =
            names_list(check->both.arena, json_object_get(root, "second_outputs"), graph->output_count);
        if (inputs == NULL || outputs == NULL)
            return opshift_no_memory(check->both.error);
        for (uint32_t k = 0; i == 0 && k < graph->input_count; k++)
            inputs[k] = names_text(check->parts[0]->names, graph->inputs[k].name);
        for (uint32_t k = 0; i == 0 && k < graph->output_count; k++)
            outputs[k] = names_text(check->parts[0]->names, graph->outputs[k].name);
        check->ends[i] = (struct equal_ends){inputs, outputs};
    }
    return OPSHIFT_OK;
}

/* Gives a model what its inputs are called in the joined one: drawn, or computed by the first model. */
static enum opshift_status part_run(struct join_check *check, unsigned part, const struct edit_sample *sample,
                                    struct opshift_values **outputs)
{
    struct edit_check *both = &check->both;
    struct opshift_run_options run = {.steps = RUN_STEPS};
    struct opshift_values *given = NULL;
    enum opshift_status status = opshift_values_new(&given, both->error);
    for (size_t i = 0; status == OPSHIFT_OK && i < check->parts[part]->main->input_count; i++) {
        const struct opshift_value *value = sample_find(sample, check->ends[part].inputs[i]);
        const char *name = names_text(check->parts[part]->names, check->parts[part]->main->inputs[i].name);
        struct opshift_value *copy = NULL;
        if (value)
            status = value_copy(&value->value, &copy, both->error);
        if (copy)
            status = opshift_values_add(given, name, copy, both->error);
    }
    if (status == OPSHIFT_OK)
        status = unsaid(both, part ? "the second model" : "the first model",
                        opshift_run(check->parts[part], given, &run, outputs, both->error));
    opshift_values_free(given);
    return status;
}

/* Where the first model's outputs have the names that they have in the joined one, they need no others. */
static enum opshift_status join_run(struct join_check *check, uint64_t seed)
{
    struct edit_check *both = &check->both;
    struct edit_sample sample = {NULL, NULL};
    struct opshift_run_options run = {.steps = 2 * RUN_STEPS};
    struct opshift_draw_options draw = {.seed = seed, .attempt = (unsigned)seed + 1};
    struct opshift_values *joined = NULL, *second = NULL;
    const struct opshift_tolerance tolerance = {.exact = true};
    enum opshift_status status = opshift_values_new(&sample.drawn, both->error);
    if (status == OPSHIFT_OK)
        status = unsaid(both, "no inputs for the joined model",
                        opshift_values_draw(sample.drawn, both->before, &draw, both->error));
    if (status == OPSHIFT_OK && both->why == NULL)
        status = unsaid(both, "the joined model", opshift_run(both->before, sample.drawn, &run, &joined, both->error));
    if (status == OPSHIFT_OK && both->why == NULL)
        status = part_run(check, 0, &sample, &sample.outputs);
    if (status == OPSHIFT_OK && both->why == NULL)
        status = part_run(check, 1, &sample, &second);
    for (size_t i = 0; status == OPSHIFT_OK && both->why == NULL && i < opshift_values_count(joined); i++) {
        const char *name = opshift_values_name(joined, i);
        const struct opshift_value *wanted = value_find(sample.outputs, name);
        for (uint32_t k = 0; k < check->parts[1]->main->output_count; k++)
            if (check->ends[1].outputs[k] && strcmp(check->ends[1].outputs[k], name) == 0)
                wanted = opshift_values_at(second, k);
        struct opshift_error found = {0};
        if (wanted == NULL || opshift_value_compare(opshift_values_at(joined, i), wanted, &tolerance, &found)) {
            both->why =
                arena_print(both->arena, "output '%.80s': %s", name, wanted ? found.text : "neither model has it");
            both->verdict = EDIT_DIFFERS;
        }
    }
    if (status == OPSHIFT_OK && both->why == NULL) {
        both->runs++;
        both->verdict = EDIT_TESTED;
    }
    opshift_values_free(sample.drawn);
    opshift_values_free(sample.outputs);
    opshift_values_free(joined);
    opshift_values_free(second);
    return status;
}

static enum opshift_status join_check_run(struct join_check *check)
{
    struct edit_check *both = &check->both;
    enum opshift_status status = OPSHIFT_OK;
    uint32_t edit_count = check->parts[0]->edit_count;
    check->parts[0]->edit_count = 0; /* as it was opened */
    for (unsigned i = 0; status == OPSHIFT_OK && (i == 0 || both->verdict == EDIT_PROVED) && i < 2; i++) {
        both->after = check->parts[i];
        status = proof_try(both, &check->ends[i]);
    }
    if (both->verdict != EDIT_PROVED)
        both->why = NULL;
    for (uint64_t i = 0; status == OPSHIFT_OK && both->verdict != EDIT_PROVED && both->why == NULL && i < RUNS; i++)
        status = join_run(check, i);
    check->parts[0]->edit_count = edit_count;
    return status;
}

enum opshift_status opshift_join_verify(struct opshift_model *first, struct opshift_model *second,
                                        struct opshift_model *joined, struct opshift_report *report,
                                        struct opshift_error *error)
{
    const struct opshift_edit_options none = {.size = sizeof(none)};
    struct opshift_error own = {0};
    error = error ? error : &own;
    if (report == NULL || report->root == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "join: the report of opshift_join is required");
    struct join_check check = {.both = {.before = joined, .options = &none, .error = error}, .parts = {first, second}};
    check.both.arena = arena_new(first->limits.memory);
    enum opshift_status status = check.both.arena ? join_ends(&check, report->root) : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = join_check_run(&check);
    if (status == OPSHIFT_OK)
        status = verdict_tell(&check.both, report);
    if (status == OPSHIFT_OK && check.both.verdict == EDIT_DIFFERS)
        status = opshift_fail(error, OPSHIFT_NO, "%.256s: the joined model gives other outputs: %s", first->name,
                              check.both.why);
    arena_free(check.both.arena);
    return status;
}
