/* Runs both whole models with the chosen engine on the same random inputs. */
#include <inttypes.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "verify/verify.h"

#define DRAWS_DEFAULT 3u
#define TRIES_MAX     16u
/* After this number of equal refusals in a row, no more inputs are tried. */
#define SAME_MAX 3u
/* Number of repeated runs that check whether a side differs from itself. */
#define REPEATS 3u
/* Runs that the caller did not ask for: the tolerance, since pieces that are not seen to be the same may round in other
 * places, and the limit of steps of each. */
#define NEAR_MOST   1e-4
#define CHECK_STEPS (BUDGET_STEPS_DEFAULT / 12)

struct whole_comparison {
    struct comparison *comparison;
    const struct opshift_verify_options *options;
    struct opshift_run_options run; /* of options->whole */
    struct opshift_model *models[2];
    struct arena *arena;
    json_t *draws;
    uint64_t runs;
    bool unsteady; /* the first side is not deterministic */
    enum verdict verdict;
    const char *why;
};

/* ---- runs ---- */

/* The first difference of the outputs, by position: names are compared elsewhere. NULL: none. */
static const char *compare_outputs(const struct whole_comparison *whole, const struct opshift_values *before,
                                   const struct opshift_values *after)
{
    static const struct opshift_tolerance exact = {.exact = true};
    const struct opshift_tolerance *tolerance = whole->options->tolerance == NULL ? &exact : whole->options->tolerance;
    if (opshift_values_count(before) != opshift_values_count(after))
        return "the numbers of outputs differ";
    for (size_t i = 0; i < opshift_values_count(before); i++) {
        struct opshift_error found = {0};
        if (opshift_value_compare(opshift_values_at(after, i), opshift_values_at(before, i), tolerance, &found) !=
            OPSHIFT_OK)
            return arena_print(whole->arena, "output '%s': %s", opshift_values_name(before, i), found.text);
    }
    return NULL;
}

static bool is_ours(enum opshift_status status)
{
    return status == OPSHIFT_IO || status == OPSHIFT_MEMORY || status == OPSHIFT_CANCELLED;
}

/* Has a model a random operator without a seed? */
static enum opshift_status is_random(struct whole_comparison *whole, bool *random, struct opshift_error *error)
{
    struct opshift_model *model = whole->models[0];
    enum opshift_status status = OPSHIFT_OK;
    *random = false;
    for (uint32_t g = 0; g < model->graph_count; g++)
        for (uint32_t n = 0; n < model->graphs[g]->node_count && status == OPSHIFT_OK && !*random; n++) {
            const struct node *node = &model->graphs[g]->nodes[n];
            struct attribute_range *attributes = NULL;
            size_t count = 0;
            if (node_domain(node) != NAME_NONE ||
                !operator_is_random(schema_operator("", names_text(model->names, node->op_type))))
                continue;
            status = node_attributes(model, node, whole->arena, &attributes, &count, error);
            *random = true;
            for (size_t k = 0; k < count; k++)
                if (strcmp(names_text(model->names, attributes[k].name), "seed") == 0)
                    *random = false;
        }
    return status;
}

/* Does the first side give the same outputs again? Random models cannot be compared. */
static enum opshift_status is_steady(struct whole_comparison *whole, const struct opshift_values *inputs,
                                     const struct opshift_values *outputs, bool *steady, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *steady = true;
    for (unsigned i = 0; i < REPEATS && *steady && status == OPSHIFT_OK; i++) {
        struct opshift_values *again = NULL;
        status = opshift_run(whole->models[0], inputs, &whole->run, &again, error);
        if (status == OPSHIFT_OK)
            *steady = compare_outputs(whole, outputs, again) == NULL;
        opshift_values_free(again);
    }
    return is_ours(status) ? status : error_forget(error);
}

/* Compares the outputs of both sides. */
static enum opshift_status judge_outputs(struct whole_comparison *whole, const struct opshift_values *inputs,
                                         struct opshift_values *const *outputs, struct opshift_error *error)
{
    const char *differs = compare_outputs(whole, outputs[0], outputs[1]);
    bool steady = true, random = false;
    whole->runs++;
    if (differs == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = is_random(whole, &random, error);
    steady = !random;
    if (status == OPSHIFT_OK && steady)
        status = is_steady(whole, inputs, outputs[0], &steady, error);
    whole->verdict = steady ? VERDICT_DIFFERS : VERDICT_NOT_SHOWN;
    whole->why = steady ? differs : "the first model does not give the same twice; what is random cannot be compared";
    whole->unsteady = !steady;
    return status;
}

static void print_shape(struct buffer *out, const struct opshift_value *value)
{
    bool sequence = opshift_value_kind(value) == OPSHIFT_VALUE_SEQUENCE;
    for (size_t i = 0; i < opshift_value_rank(value); i++)
        buffer_print(out, "%s%" PRId64, i > 0 ? "x" : "", opshift_value_dims(value)[i]);
    for (uint64_t i = 0; sequence && i < opshift_value_count(value); i++) {
        buffer_add_byte(out, i == 0 ? '[' : ',');
        print_shape(out, opshift_value_item(value, i));
    }
    if (sequence)
        buffer_add_text(out, opshift_value_count(value) == 0 ? "[]" : "]");
}

/* "x=2x3", "sequence=[2x3,2x3]" */
static json_t *shape_json(const struct opshift_values *inputs, size_t index)
{
    struct buffer words = {0};
    buffer_print(&words, "%s=", opshift_values_name(inputs, index));
    print_shape(&words, opshift_values_at(inputs, index));
    json_t *text = report_string(words.data, words.size);
    buffer_free(&words);
    return text;
}

static void note_draw(struct whole_comparison *whole, uint64_t seed, const struct opshift_values *inputs)
{
    char number[24];
    json_t *list = json_array();
    snprintf(number, sizeof(number), "%" PRIu64, seed);
    for (size_t i = 0; i < opshift_values_count(inputs); i++)
        report_append(&list, shape_json(inputs, i));
    whole->comparison->out_of_memory |=
        json_array_append_new(whole->draws, json_pack("{s:s,s:o}", "seed", number, "shapes", list)) != 0;
}

/* The verdict if a side cannot be run: the engine lacks a feature, or the model is wrong. */
static void judge_failure(struct whole_comparison *whole, int side, enum opshift_status status,
                          const struct opshift_error *found)
{
    bool lost = side == 1 && status == OPSHIFT_MALFORMED;
    whole->verdict = lost ? VERDICT_DIFFERS : VERDICT_NOT_SHOWN;
    whole->why = arena_print(whole->arena, "%s%s", lost ? "it ran before, and does not any more: " : "", found->text);
}

/* Runs both sides on the same inputs. *accepted: the first side accepted them. */
static enum opshift_status run_both(struct whole_comparison *whole, const struct opshift_values *inputs, bool *accepted,
                                    struct opshift_error *error)
{
    struct opshift_values *outputs[2] = {NULL, NULL};
    struct opshift_error found = {0};
    enum opshift_status status = OPSHIFT_OK;
    int side = 0;
    *accepted = false;
    for (; side < 2; side++) {
        status = opshift_run(whole->models[side], inputs, &whole->run, &outputs[side], &found);
        if (status)
            break;
        *accepted = true;
    }
    if (status == OPSHIFT_OK) {
        status = judge_outputs(whole, inputs, outputs, error);
    } else if (!is_ours(status)) {
        judge_failure(whole, side, status, &found);
        status = OPSHIFT_OK;
    } else {
        error_give(error, status, &found);
    }
    opshift_values_free(outputs[0]);
    opshift_values_free(outputs[1]);
    return status;
}

/* The caller's inputs, and random values for the others. */
static enum opshift_status draw_inputs(struct whole_comparison *whole, unsigned attempt, uint64_t seed,
                                       struct opshift_values **inputs, struct opshift_error *error)
{
    const struct opshift_verify_options *options = whole->options;
    const struct opshift_draw_options how = {.seed = seed,
                                             .shapes = options->shapes,
                                             .shape_count = options->shape_count,
                                             .attempt = attempt + 1,
                                             .memory = whole->run.memory};
    enum opshift_status status = options->inputs == NULL ? opshift_values_new(inputs, error)
                                                         : opshift_values_copy(options->inputs, inputs, error);
    return status == OPSHIFT_OK ? opshift_values_draw(*inputs, whole->models[0], &how, error) : status;
}

static enum opshift_status run_draw(struct whole_comparison *whole, unsigned attempt, bool *accepted,
                                    struct opshift_error *error)
{
    struct opshift_values *inputs = NULL;
    struct opshift_error found = {0};
    uint64_t seed = whole->options->seed + attempt;
    *accepted = false;
    enum opshift_status status = draw_inputs(whole, attempt, seed, &inputs, &found);
    if (status == OPSHIFT_OK) {
        status = run_both(whole, inputs, accepted, error);
    } else if (!is_ours(status)) {
        judge_failure(whole, 0, status, &found);
        status = OPSHIFT_OK;
    } else {
        error_give(error, status, &found);
    }
    if (*accepted)
        note_draw(whole, seed, inputs);
    opshift_values_free(inputs);
    return status;
}

/* Does the caller give all required inputs? Then one run is enough. */
static bool is_given(const struct whole_comparison *whole)
{
    const struct opshift_values *inputs = whole->options->inputs;
    size_t count = opshift_model_input_count(whole->models[0]);
    for (size_t i = 0; i < count; i++)
        if (opshift_model_input_is_required(whole->models[0], i) &&
            (inputs == NULL || opshift_values_find(inputs, opshift_model_input_name(whole->models[0], i)) == NULL))
            return false;
    return true;
}

/* Runs until there are enough draws, or more would not help. */
static enum opshift_status run_draws(struct whole_comparison *whole, struct opshift_error *error)
{
    const struct opshift_verify_options *options = whole->options;
    bool given = is_given(whole);
    uint64_t wanted = given ? 1 : options->draws > 0 ? options->draws : DRAWS_DEFAULT;
    const char *said = "";
    unsigned same = 0;
    enum opshift_status status = OPSHIFT_OK;
    for (unsigned attempt = 0; attempt < TRIES_MAX + wanted && whole->runs < wanted; attempt++) {
        bool accepted = false;
        if (options->progress != NULL && !options->progress(options->progress_data, (double)whole->runs / wanted))
            return opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
        status = run_draw(whole, attempt, &accepted, error);
        if (status || whole->verdict == VERDICT_DIFFERS || whole->unsteady)
            return status;
        same = !accepted && whole->why != NULL && strcmp(said, whole->why) == 0 ? same + 1 : 1;
        /* The engine does not support the second side, or any input: other inputs do not help. */
        if ((accepted && whole->runs == 0) || (!accepted && (given || same == SAME_MAX)))
            break;
        said = accepted || whole->why == NULL ? "" : whole->why;
    }
    if (whole->runs > 0) {
        whole->verdict = VERDICT_TESTED;
        whole->why = !given                    ? "on drawn inputs alone: an engine proves nothing"
                     : options->inputs != NULL ? "on the given inputs alone: an engine proves nothing"
                                               : "on its constants alone: an engine proves nothing";
    }
    return status;
}

/* ---- the report ---- */

static enum opshift_status report_whole(struct whole_comparison *whole, const char *version,
                                        struct opshift_error *error)
{
    struct comparison *comparison = whole->comparison;
    const char *engine = whole->options->whole->engine, *why = whole->why == NULL ? "" : whole->why;
    comparison->whole_verdict = whole->verdict;
    comparison->whole =
        json_pack("{s:s,s:s,s:s,s:o,s:I,s:O}", "engine", engine == NULL ? "builtin" : engine, "engine_version", version,
                  "verdict", verdict_whole_name(whole->verdict), "why", report_string(why, strlen(why)), "runs",
                  (json_int_t)whole->runs, "draws", whole->draws);
    return comparison->whole == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status verify_by(struct comparison *comparison, const struct opshift_verify_options *options,
                                     struct opshift_error *error)
{
    struct whole_comparison whole = {.comparison = comparison,
                                     .options = options,
                                     .models = {comparison->first, comparison->after.model},
                                     .arena = comparison->arena,
                                     .draws = json_array(),
                                     .verdict = VERDICT_NOT_SHOWN};
    char *version = NULL;
    enum opshift_status status = whole.draws == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = OPTIONS_COPY(options->whole, &whole.run, error);
    /* Limits all runs together to little more than the limit of one. */
    if (whole.run.steps == 0)
        whole.run.steps = BUDGET_STEPS_DEFAULT / 4;
    if (status == OPSHIFT_OK)
        status = opshift_engine_version(options->whole, &version, error);
    if (status == OPSHIFT_OK)
        status = run_draws(&whole, error);
    if (status == OPSHIFT_OK)
        status = report_whole(&whole, version, error);
    opshift_text_free(version);
    json_decref(whole.draws);
    return status;
}

enum opshift_status whole_verify(struct comparison *comparison, struct opshift_error *error)
{
    return verify_by(comparison, comparison->options, error);
}

enum opshift_status whole_check(struct comparison *comparison, struct opshift_error *error)
{
    static const struct opshift_tolerance near = {.relative = NEAR_MOST, .absolute = NEAR_MOST};
    struct opshift_run_options builtin = {.steps = CHECK_STEPS};
    struct opshift_verify_options how = *comparison->options;
    struct opshift_error why = {0};
    struct opshift_model *models[] = {comparison->first, comparison->after.model};
    for (size_t i = 0; i < COUNT(models); i++) {
        enum opshift_status status = opshift_run_check(models[i], &builtin, &why);
        if (status)
            return is_ours(status) ? error_give(error, status, &why) : OPSHIFT_OK;
    }
    builtin.progress = how.progress;
    builtin.progress_data = how.progress_data;
    how.whole = &builtin;
    how.tolerance = &near;
    return verify_by(comparison, &how, error);
}
