/* Both models run whole, by an engine of the caller's choice, on the same drawn inputs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "verify/verify.h"

#define DRAWS_DEFAULT 3u
#define TRIES_MAX     16u
/* Dims that nobody has a number for get these, one after the other: such as many counts divide, and such as few do. */
static const int64_t sizes[] = {2, 3, 6, 1, 12, 4, 5, 8};

/* The shapes of one draw, as opshift_values_draw takes them. */
struct shapes {
    char **texts;
    size_t count;
};

struct whole {
    struct comparison *comparison;
    const struct opshift_verify_options *options;
    struct opshift_model *models[2];
    struct arena *arena;
    name_id *params; /* symbolic dims, as they first come */
    uint32_t param_count;
    bool flexible; /* a dim has no number */
    json_t *draws;
    uint64_t runs;
    enum verdict verdict;
    const char *why;
};

/* ---- shapes ---- */

/* What is not there has the caller's default; what is no tensor cannot be drawn. */
static bool is_drawn(const struct whole *whole, uint32_t index)
{
    return opshift_model_input_is_required(whole->models[0], index);
}

static uint32_t param_number(struct whole *whole, name_id param)
{
    for (uint32_t i = 0; i < whole->param_count; i++)
        if (whole->params[i] == param)
            return i;
    whole->params[whole->param_count] = param;
    return whole->param_count++;
}

/* Even tries: one size for all; odd ones: each its own. */
static int64_t pick_size(struct whole *whole, unsigned attempt, name_id param)
{
    uint32_t number = param == NAME_NONE ? 0 : param_number(whole, param);
    size_t at = attempt % 2 == 0 ? attempt / 2 : attempt / 2 + number + 2;
    whole->flexible = true;
    return sizes[at % COUNT(sizes)];
}

static enum opshift_status shape_text(struct whole *whole, unsigned attempt, const struct value_info *input,
                                      char **text, struct opshift_error *error)
{
    struct opshift_model *model = whole->models[0];
    struct value_type type;
    struct buffer words = {0};
    enum opshift_status status = value_info_type(model, input, whole->arena, &type, error);
    if (status != OPSHIFT_OK)
        return status;
    int32_t rank = type.rank < 0 ? 2 : type.rank;
    struct bytes name = names_bytes(model->names, input->name);
    buffer_add(&words, name.data, name.size);
    buffer_add_byte(&words, '=');
    for (int32_t i = 0; i < rank; i++) {
        int64_t dim = type.rank < 0 || type.dims[i] < 0
                          ? pick_size(whole, attempt, type.rank < 0 ? NAME_NONE : type.params[i])
                          : type.dims[i];
        buffer_print(&words, "%s%" PRId64, i > 0 ? "x" : "", dim);
    }
    *text = buffer_take(&words);
    return *text == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static void shapes_free(struct shapes *shapes)
{
    for (size_t i = 0; shapes->texts != NULL && i < shapes->count; i++)
        free(shapes->texts[i]);
    free(shapes->texts);
}

static enum opshift_status shapes_pick(struct whole *whole, unsigned attempt, struct shapes *shapes,
                                       struct opshift_error *error)
{
    const struct graph *graph = whole->models[0]->main;
    enum opshift_status status = OPSHIFT_OK;
    shapes->texts = calloc(graph->input_count + UINT64_C(1), sizeof(char *));
    if (shapes->texts == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < graph->input_count && status == OPSHIFT_OK; i++)
        if (is_drawn(whole, i)) {
            status = shape_text(whole, attempt, &graph->inputs[i], &shapes->texts[shapes->count], error);
            shapes->count += status == OPSHIFT_OK;
        }
    return status;
}

/* ---- runs ---- */

static void whole_differs(struct whole *whole, const char *words)
{
    whole->verdict = VERDICT_DIFFERS;
    whole->why = arena_print(whole->arena, "%s", words);
}

/* The outputs by their places: names may not have changed, which others have looked at. */
static void compare_outputs(struct whole *whole, const struct opshift_values *before,
                            const struct opshift_values *after)
{
    static const struct opshift_tolerance exact = {.exact = true};
    const struct opshift_tolerance *tolerance = whole->options->tolerance == NULL ? &exact : whole->options->tolerance;
    if (opshift_values_count(before) != opshift_values_count(after)) {
        whole_differs(whole, "the numbers of outputs differ");
        return;
    }
    for (size_t i = 0; i < opshift_values_count(before); i++) {
        struct opshift_error found = {0};
        if (opshift_value_compare(opshift_values_at(after, i), opshift_values_at(before, i), tolerance, &found) ==
            OPSHIFT_OK)
            continue;
        whole->verdict = VERDICT_DIFFERS;
        whole->why = arena_print(whole->arena, "output '%s': %s", opshift_values_name(before, i), found.text);
        return;
    }
}

static bool note_draw(struct whole *whole, uint64_t seed, const struct shapes *shapes)
{
    char number[24];
    json_t *list = json_array();
    snprintf(number, sizeof(number), "%" PRIu64, seed);
    for (size_t i = 0; i < shapes->count; i++)
        if (json_array_append_new(list, report_string(shapes->texts[i], strlen(shapes->texts[i]))) != 0)
            whole->comparison->out_of_memory = true;
    return json_array_append_new(whole->draws, json_pack("{s:s,s:o}", "seed", number, "shapes", list)) == 0;
}

/* What a side that does not run says of the model: beyond the engine, or wrong. */
static void judge_failure(struct whole *whole, int side, enum opshift_status status, const struct opshift_error *found)
{
    bool lost = side == 1 && status == OPSHIFT_MALFORMED;
    whole->verdict = lost ? VERDICT_DIFFERS : VERDICT_NOT_RUN;
    whole->why = arena_print(whole->arena, "%s%s", lost ? "it ran before, and does not any more: " : "", found->text);
}

static bool is_ours(enum opshift_status status)
{
    return status == OPSHIFT_IO || status == OPSHIFT_MEMORY || status == OPSHIFT_CANCELLED;
}

/* Both sides on one draw. *accepted: the first side took it. */
static enum opshift_status run_both(struct whole *whole, const struct opshift_values *inputs, bool *accepted,
                                    struct opshift_error *error)
{
    struct opshift_values *outputs[2] = {NULL, NULL};
    struct opshift_error found = {0};
    enum opshift_status status = OPSHIFT_OK;
    int side = 0;
    *accepted = false;
    for (; side < 2; side++) {
        status = opshift_run(whole->models[side], inputs, whole->options->whole, &outputs[side], &found);
        if (status != OPSHIFT_OK)
            break;
        *accepted = true;
    }
    if (status == OPSHIFT_OK) {
        whole->runs++;
        compare_outputs(whole, outputs[0], outputs[1]);
    } else if (!is_ours(status)) {
        judge_failure(whole, side, status, &found);
        status = OPSHIFT_OK;
    } else if (error != NULL) {
        *error = found;
    }
    opshift_values_free(outputs[0]);
    opshift_values_free(outputs[1]);
    return status;
}

static enum opshift_status run_draw(struct whole *whole, unsigned attempt, bool *accepted, struct opshift_error *error)
{
    struct shapes shapes = {0};
    struct opshift_values *inputs = NULL;
    struct opshift_error found = {0};
    uint64_t seed = whole->options->seed + attempt;
    *accepted = false;
    enum opshift_status status = shapes_pick(whole, attempt, &shapes, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_new(&inputs, error);
    if (status == OPSHIFT_OK) {
        const struct opshift_draw_options how = {seed, (const char *const *)shapes.texts, shapes.count};
        status = opshift_values_draw(inputs, whole->models[0], &how, &found);
        if (status == OPSHIFT_OK) {
            status = run_both(whole, inputs, accepted, error);
        } else if (!is_ours(status)) {
            judge_failure(whole, 0, status, &found);
            status = OPSHIFT_OK;
        } else if (error != NULL) {
            *error = found;
        }
    }
    if (*accepted && !note_draw(whole, seed, &shapes))
        whole->comparison->out_of_memory = true;
    opshift_values_free(inputs);
    shapes_free(&shapes);
    return status;
}

/* Until enough draws were taken. A first side that says the same of two shapes says it of all. */
static enum opshift_status run_draws(struct whole *whole, struct opshift_error *error)
{
    uint64_t wanted = whole->options->draws > 0 ? whole->options->draws : DRAWS_DEFAULT;
    const char *said = NULL;
    enum opshift_status status = OPSHIFT_OK;
    for (unsigned attempt = 0; attempt < TRIES_MAX + wanted && whole->runs < wanted; attempt++) {
        const struct opshift_verify_options *options = whole->options;
        bool accepted = false;
        if (options->progress != NULL && !options->progress(options->progress_data, (double)whole->runs / wanted))
            return opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
        status = run_draw(whole, attempt, &accepted, error);
        if (status != OPSHIFT_OK || whole->verdict == VERDICT_DIFFERS)
            return status;
        bool same = said != NULL && whole->why != NULL && strcmp(said, whole->why) == 0;
        if (!accepted && (same || !whole->flexible))
            break;
        /* The second side is beyond the engine: no other input helps. */
        if (accepted && whole->runs == 0)
            break;
        said = accepted ? said : whole->why;
    }
    if (whole->runs > 0) {
        whole->verdict = VERDICT_TESTED;
        whole->why = "on drawn inputs alone: an engine proves nothing";
    }
    return status;
}

/* ---- the report ---- */

static enum opshift_status report_whole(struct whole *whole, const char *version, struct opshift_error *error)
{
    struct comparison *comparison = whole->comparison;
    const char *engine = whole->options->whole->engine, *why = whole->why == NULL ? "" : whole->why;
    comparison->whole_verdict = whole->verdict;
    comparison->whole =
        json_pack("{s:s,s:s,s:s,s:o,s:I,s:O}", "engine", engine == NULL ? "builtin" : engine, "engine_version", version,
                  "verdict", verdict_name(whole->verdict), "why", report_string(why, strlen(why)), "runs",
                  (json_int_t)whole->runs, "draws", whole->draws);
    return comparison->whole == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status whole_verify(struct comparison *comparison, struct opshift_error *error)
{
    struct whole whole = {.comparison = comparison,
                          .options = comparison->options,
                          .models = {comparison->before.model, comparison->after.model},
                          .arena = comparison->arena,
                          .draws = json_array(),
                          .verdict = VERDICT_NOT_RUN};
    char *version = NULL;
    whole.params = arena_alloc(whole.arena, names_count(whole.models[0]->names) + UINT64_C(1), sizeof(name_id));
    enum opshift_status status = whole.draws == NULL || whole.params == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = opshift_engine_version(comparison->options->whole, &version, error);
    if (status == OPSHIFT_OK)
        status = run_draws(&whole, error);
    if (status == OPSHIFT_OK)
        status = report_whole(&whole, version, error);
    opshift_text_free(version);
    json_decref(whole.draws);
    return status;
}
