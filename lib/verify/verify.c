/* Compares two models: proofs, runs, comparison of the rest, report. */
#include "verify/certificate.h"
#include "verify/edges.h"
#include "verify/external_compare.h"
#include "verify/piece.h"
#include "verify/piece_rows.h"
#include "verify/prepare.h"
#include "verify/sequence_readers.h"

#include <stdlib.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "base/sha256.h"

struct opshift_verification {
    struct opshift_verify_options options; /* a copy of the caller's */
    struct comparison comparison;
    struct preparation preparation;
};

/* Memory for the values that both sides of a run use. */
#define RUN_BYTES_MAX (UINT64_C(1) << 27)

/* Steps that each node adds to the limit of running pieces. */
#define STEPS_PER_NODE 16384u

/* Makes what does not depend on the second model. */
static enum opshift_status comparison_start(struct comparison *comparison, struct opshift_model *before,
                                            struct opshift_error *error)
{
    comparison->first = comparison->before.model = before;
    comparison->arena = arena_new(0);
    comparison->run_arena = arena_new(RUN_BYTES_MAX);
    comparison->pieces = json_array();
    comparison->differences = json_array();
    comparison->unknown = json_array();
    comparison->invalid = json_array();
    comparison->kept = json_array();
    comparison->rows = comparison->options->brief ? piece_rows_new(comparison->options->verbose) : NULL;
    if (comparison->arena == NULL || comparison->run_arena == NULL || comparison->pieces == NULL ||
        comparison->differences == NULL || comparison->unknown == NULL || comparison->invalid == NULL ||
        comparison->kept == NULL)
        return opshift_no_memory(error);
    comparison->rules = comparison->options->rules;
    if (comparison->rules != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = opshift_rules_load(NULL, 0, &comparison->shipped, error);
    comparison->rules = comparison->shipped;
    return status;
}

static void comparison_end(struct comparison *comparison)
{
    side_end(&comparison->before);
    side_end(&comparison->after);
    plan_free(comparison->own_plan);
    opshift_rules_free(comparison->shipped);
    edges_free(comparison->edges);
    free(comparison->pairs);
    piece_rows_free(comparison->rows);
    buffer_free(&comparison->detail);
    json_decref(comparison->pieces);
    json_decref(comparison->differences);
    json_decref(comparison->changes);
    json_decref(comparison->unknown);
    json_decref(comparison->invalid);
    json_decref(comparison->kept);
    json_decref(comparison->whole);
    json_decref(comparison->map);
    json_decref(comparison->reduced);
    arena_free(comparison->run_arena);
    arena_free(comparison->arena);
}

/* Reports progress from time to time; false: the caller cancels. */
static bool go_on(struct comparison *comparison, uint32_t pair, uint32_t node, uint32_t node_count)
{
    const struct opshift_verify_options *options = comparison->options;
    if (options->progress == NULL)
        return true;
    comparison->done = (pair + (double)node / (node_count + 1.0)) / comparison->pair_count;
    return options->progress(options->progress_data, comparison->done);
}

/* Verifies a node that is changed, or whose operator has another version. */
static enum opshift_status verify_node(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                       struct arena *arena, struct opshift_error *error)
{
    bool changed = comparison->before.changed[pair->before->number][node - pair->before->nodes];
    bool sequence = sequence_is_replaced(comparison, pair->before, node);
    struct expectation expectation;
    /* A removed node is judged where its outputs are read. */
    if (changed && !sequence && !match_has_counterpart(comparison, pair, node))
        return OPSHIFT_OK;
    fold_rest(comparison->before.fold);
    fold_rest(comparison->after.fold);
    enum opshift_status status = expect_read(comparison, pair, node, arena, &expectation, error);
    if (status)
        return status;
    if (!changed && !sequence && expectation.planned.fate == OPSHIFT_KEPT &&
        !node_is(comparison->before.model, node, "Split")) {
        bool ran, differs = false;
        if (edges_are_run(comparison, pair, node))
            status = edges_of_node(comparison, pair, node, &expectation, arena, &ran, &differs, error);
        return status || differs ? status : kept_report(comparison, pair, node, &expectation, arena, error);
    }
    return piece_verify(comparison, pair, node, &expectation, arena, error);
}

static enum opshift_status verify_graph(struct comparison *comparison, const struct graph_pair *pair,
                                        struct arena *arena, struct opshift_error *error)
{
    const bool *changed = comparison->before.changed[pair->before->number];
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < pair->before->node_count && status == OPSHIFT_OK; i++) {
        struct node *node = &pair->before->nodes[i];
        if (sequence_has_reader(comparison, pair->before, node))
            continue;
        if (!go_on(comparison, (uint32_t)(pair - comparison->pairs), i, pair->before->node_count))
            return opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
        if (!changed[i] && !match_version_moved(comparison, pair, node) &&
            !sequence_is_replaced(comparison, pair->before, node))
            continue;
        arena_clear(arena);
        status = verify_node(comparison, pair, node, arena, error);
    }
    return status;
}

/* Progress while a piece runs stays at that of its node. */
static bool piece_progress(void *data, double done)
{
    const struct comparison *comparison = data;
    (void)done;
    return comparison->options->progress(comparison->options->progress_data, comparison->done);
}

/* The limit of steps for running pieces: that of one run of a model, plus some for each node. */
static struct budget pieces_budget(struct comparison *comparison)
{
    const struct opshift_model *model = comparison->before.model;
    const struct opshift_verify_options *options = comparison->options;
    struct budget budget = {.bytes_max = BUDGET_MEMORY_DEFAULT, .steps_max = BUDGET_STEPS_DEFAULT};
    if (options->memory > 0)
        budget.bytes_max = options->memory;
    if (options->steps > 0)
        budget.steps_max = options->steps;
    if (options->progress != NULL) {
        budget.progress = piece_progress;
        budget.progress_data = comparison;
    }
    for (uint32_t g = 0; g < model->graph_count; g++)
        budget.steps_max += model->graphs[g]->node_count * (uint64_t)STEPS_PER_NODE;
    return budget;
}

static enum opshift_status verify_graphs(struct comparison *comparison, struct opshift_error *error)
{
    struct arena *arena = arena_new(0); /* reset for each node */
    enum opshift_status status = arena == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    comparison->budget = pieces_budget(comparison);
    if (status == OPSHIFT_OK)
        status = calls_verify(comparison, arena, error);
    for (uint32_t i = 0; i < comparison->pair_count && status == OPSHIFT_OK; i++)
        status = verify_graph(comparison, &comparison->pairs[i], arena, error);
    arena_free(arena);
    return status;
}

static uint64_t difference_count(const struct comparison *comparison)
{
    return comparison->counts[VERDICT_DIFFERS] + json_array_size(comparison->differences) +
           (comparison->whole != NULL && comparison->whole_verdict == VERDICT_DIFFERS);
}

static enum opshift_status refuse_invalid(const struct comparison *comparison, struct opshift_error *error)
{
    const json_t *first = json_array_get(comparison->invalid, 0);
    const char *id = report_text_of(first, "id");
    return opshift_fail(error, OPSHIFT_NO, "%s: is not valid, and an invalid model equals no other: %s: %s%s%s",
                        report_text_of(first, "file"), report_text_of(first, "place"), report_text_of(first, "what"),
                        id[0] == '\0' ? "" : " ", id);
}

/* NO if the caller is strict and a node is only tested or assumed. */
static enum opshift_status refuse_weak(const struct comparison *comparison, struct opshift_error *error)
{
    uint64_t tested = comparison->counts[VERDICT_TESTED], assumed = comparison->counts[VERDICT_ASSUMED];
    return opshift_fail(error, OPSHIFT_NO,
                        "%s: %llu %s tested and %llu assumed, where --strict accepts what is proved or by rule; the "
                        "report shows which",
                        comparison->after.model->name, (unsigned long long)tested,
                        tested == 1 ? "node is" : "nodes are", (unsigned long long)assumed);
}

/* The overall result: OK, or NO with the most important reason. */
static enum opshift_status answer(const struct comparison *comparison, struct opshift_error *error)
{
    const char *before = comparison->before.model->name, *after = comparison->after.model->name;
    uint64_t differences = difference_count(comparison), unknown = comparison->counts[VERDICT_NOT_SHOWN];
    bool weak = comparison->counts[VERDICT_TESTED] + comparison->counts[VERDICT_ASSUMED] +
                    comparison->counts[VERDICT_ROUNDING] >
                0;
    if (differences > 0)
        return opshift_fail(error, OPSHIFT_NO, "%s: differs from %s in %llu %s; the report shows where", after, before,
                            (unsigned long long)differences, differences == 1 ? "place" : "places");
    if (json_array_size(comparison->invalid) > 0)
        return refuse_invalid(comparison, error);
    if (unknown > 0)
        return opshift_fail(
            error, OPSHIFT_NO, "%s: %llu %s of %s %s not shown to do the same here; the report gives the reasons",
            after, (unsigned long long)unknown, unknown == 1 ? "node" : "nodes", before, unknown == 1 ? "is" : "are");
    if (json_array_size(comparison->unknown) > 0)
        return opshift_fail(error, OPSHIFT_NO, "%s: %zu %s could not be compared with %s; the report shows why", after,
                            json_array_size(comparison->unknown),
                            json_array_size(comparison->unknown) == 1 ? "part" : "parts", before);
    if (comparison->whole != NULL && comparison->whole_verdict == VERDICT_NOT_SHOWN)
        return opshift_fail(error, OPSHIFT_NO, "%s: the whole model was not run; the report shows why", after);
    return comparison->options->strict && weak ? refuse_weak(comparison, error) : OPSHIFT_OK;
}

static enum opshift_status report_make(struct comparison *comparison, bool same, struct opshift_report **report,
                                       struct opshift_error *error)
{
    char hashes[2][SHA256_TEXT_SIZE];
    bool brief = comparison->options->brief;
    enum opshift_status status = brief ? OPSHIFT_OK : sha256_source(comparison->first->source, hashes[0], error);
    if (status == OPSHIFT_OK && !brief)
        status = sha256_source(comparison->after.model->source, hashes[1], error);
    if (status)
        return status;
    *report = verify_report(comparison, same, brief ? NULL : hashes[0], brief ? NULL : hashes[1]);
    if (*report == NULL)
        return opshift_no_memory(error);
    if (!brief)
        status = certificate_fill(comparison, (*report)->root, error);
    if (status) {
        opshift_report_free(*report);
        *report = NULL;
    }
    return status;
}

static enum opshift_status conclude(struct comparison *comparison, struct opshift_report **report,
                                    struct opshift_error *error)
{
    struct opshift_error why = {0};
    if (comparison->out_of_memory)
        return opshift_no_memory(error);
    enum opshift_status said = answer(comparison, &why);
    enum opshift_status status =
        report == NULL ? OPSHIFT_OK : report_make(comparison, said == OPSHIFT_OK, report, error);
    return status ? status : error_give(error, said, &why);
}

static enum opshift_status compare_models(struct opshift_verification *verification, struct opshift_error *error)
{
    struct comparison *comparison = &verification->comparison;
    const struct side *before = &comparison->before;
    enum opshift_status status = prepare_models(&verification->preparation, error);
    if (status == OPSHIFT_OK)
        status = bindings_new(before->model, before->scopes, comparison->arena, &comparison->bindings, error);
    if (status == OPSHIFT_OK)
        status = match_models(comparison, error);
    if (status == OPSHIFT_OK)
        status = sequences_match(comparison, error);
    if (status == OPSHIFT_OK)
        status = rest_compare(comparison, error);
    bool decided = false;
    if (status == OPSHIFT_OK)
        status = computation_first(comparison, &decided, error);
    if (status == OPSHIFT_OK && !decided)
        status = verify_graphs(comparison, error);
    bool doubt = comparison->counts[VERDICT_NOT_SHOWN] + json_array_size(comparison->unknown) > 0;
    if (status == OPSHIFT_OK && !decided && (doubt || difference_count(comparison) > 0))
        status = computation_last(comparison, &decided, error);
    if (status == OPSHIFT_OK)
        status = computation_more(comparison, error);
    if (status == OPSHIFT_OK && comparison->options->whole != NULL)
        status = whole_verify(comparison, error);
    else if (status == OPSHIFT_OK && !decided && comparison->counts[VERDICT_NOT_SHOWN] > 0 &&
             difference_count(comparison) == 0)
        status = whole_check(comparison, error);
    return status;
}

/* Constants in a missing or different file may end everything after this; the result is already known then. */
static enum opshift_status compare_rest_of(struct opshift_verification *verification, struct opshift_error *error)
{
    struct comparison *comparison = &verification->comparison;
    struct opshift_error why = {0};
    size_t found = json_array_size(comparison->differences) + json_array_size(comparison->unknown);
    enum opshift_status status = compare_models(verification, &why);
    bool reading = status == OPSHIFT_IO || status == OPSHIFT_UNSUPPORTED || status == OPSHIFT_MALFORMED;
    if (found > 0 && reading) {
        rest_unknown(comparison, "models", "are not compared any further: %s", why.text);
        return OPSHIFT_OK;
    }
    return error_give(error, status, &why);
}

enum opshift_status opshift_verify_begin(struct opshift_model *before, const struct opshift_verify_options *options,
                                         struct opshift_verification **verification, struct opshift_error *error)
{
    struct opshift_verification *made = *verification = calloc(1, sizeof(*made));
    if (made == NULL)
        return opshift_no_memory(error);
    made->comparison.options = &made->options;
    enum opshift_status status = OPTIONS_COPY(options, &made->options, error);
    if (status == OPSHIFT_OK)
        status = comparison_start(&made->comparison, before, error);
    if (status == OPSHIFT_OK) {
        prepare_begin(&made->preparation, &made->comparison);
        return OPSHIFT_OK;
    }
    opshift_verification_free(made);
    *verification = NULL;
    return status;
}

enum opshift_status opshift_verify_end(struct opshift_verification *verification, struct opshift_model *after,
                                       struct opshift_report **report, struct opshift_error *error)
{
    struct comparison *comparison = &verification->comparison;
    if (report != NULL)
        *report = NULL;
    comparison->after.model = after;
    if (external_is_compared(comparison))
        prepare_wait(&verification->preparation);
    enum opshift_status status = external_compare(comparison, error);
    if (status == OPSHIFT_OK)
        status = compare_rest_of(verification, error);
    return status == OPSHIFT_OK ? conclude(comparison, report, error) : status;
}

void opshift_verification_free(struct opshift_verification *verification)
{
    if (verification == NULL)
        return;
    prepare_end(&verification->preparation);
    comparison_end(&verification->comparison);
    free(verification);
}

enum opshift_status opshift_verify(struct opshift_model *before, struct opshift_model *after,
                                   const struct opshift_verify_options *options, struct opshift_report **report,
                                   struct opshift_error *error)
{
    struct opshift_verification *verification = NULL;
    if (report != NULL)
        *report = NULL;
    enum opshift_status status = opshift_verify_begin(before, options, &verification, error);
    if (status == OPSHIFT_OK)
        status = opshift_verify_end(verification, after, report, error);
    opshift_verification_free(verification);
    return status;
}
