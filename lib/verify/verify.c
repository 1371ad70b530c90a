/* Before and after: prove, run, compare, report. */
#include "verify/certificate.h"
#include "verify/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/sha256.h"

static enum opshift_status side_start(struct side *side, struct opshift_model *model,
                                      const struct opshift_verify_options *how, struct opshift_error *error)
{
    struct fold_options options = {.freeze_initializers = how != NULL && how->freeze_initializers};
    side->model = model;
    enum opshift_status status = scopes_new(model, &side->scopes, error);
    if (status == OPSHIFT_OK)
        status = scopes_count_uses(side->scopes, error);
    if (status == OPSHIFT_OK)
        status = types_new(model, side->scopes, &side->types, error);
    if (status == OPSHIFT_OK)
        status = folder_new(model, side->scopes, side->types, &options, &side->folder, error);
    return status;
}

static void side_end(struct side *side)
{
    folder_free(side->folder);
    types_free(side->types);
    scopes_free(side->scopes);
}

static enum opshift_status comparison_start(struct comparison *comparison, struct opshift_model *before,
                                            struct opshift_model *after, struct opshift_error *error)
{
    comparison->arena = arena_new(0);
    comparison->pieces = json_array();
    comparison->differences = json_array();
    comparison->kept = json_array();
    if (comparison->arena == NULL || comparison->pieces == NULL || comparison->differences == NULL ||
        comparison->kept == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = side_start(&comparison->before, before, comparison->options, error);
    if (status == OPSHIFT_OK)
        status = side_start(&comparison->after, after, comparison->options, error);
    if (status != OPSHIFT_OK)
        return status;
    comparison->surroundings = (struct surroundings){
        .model = before,
        .scopes = comparison->before.scopes,
        .types = comparison->before.types,
        .folder = comparison->before.folder,
    };
    comparison->facts = surroundings_facts(&comparison->surroundings);
    comparison->rules = comparison->options == NULL ? NULL : comparison->options->rules;
    if (comparison->rules == NULL) {
        status = opshift_rules_load(NULL, 0, &comparison->shipped, error);
        comparison->rules = comparison->shipped;
    }
    if (status != OPSHIFT_OK)
        return status;
    return bindings_new(before, comparison->before.scopes, comparison->arena, &comparison->bindings, error);
}

static void comparison_end(struct comparison *comparison)
{
    if (comparison->surroundings.model != NULL)
        parameters_free(&comparison->surroundings);
    opshift_rules_free(comparison->shipped);
    side_end(&comparison->before);
    side_end(&comparison->after);
    free(comparison->pairs);
    json_decref(comparison->pieces);
    json_decref(comparison->differences);
    json_decref(comparison->kept);
    json_decref(comparison->whole);
    arena_free(comparison->arena);
}

static bool is_split(const struct comparison *comparison, const struct node *node)
{
    return node_domain(node) == NAME_NONE &&
           strcmp(names_text(comparison->before.model->names, node->op_type), "Split") == 0;
}

/* Says how far it is, now and then; false: the caller said stop. */
static bool go_on(const struct comparison *comparison, uint32_t pair, uint32_t node, uint32_t node_count)
{
    const struct opshift_verify_options *options = comparison->options;
    if (options == NULL || options->progress == NULL || node % 256 != 0)
        return true;
    double done = pair + (double)node / (node_count + 1.0);
    return options->progress(options->progress_data, done / comparison->pair_count);
}

static enum opshift_status verify_graph(struct comparison *comparison, const struct graph_pair *pair,
                                        struct opshift_error *error)
{
    const bool *changed = comparison->before.changed[pair->before->number];
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < pair->before->node_count && status == OPSHIFT_OK; i++) {
        struct node *node = &pair->before->nodes[i];
        bool sequence = sequence_is_replaced(comparison, pair->before, node);
        if (sequence_has_reader(comparison, pair->before, node))
            continue;
        if (!go_on(comparison, (uint32_t)(pair - comparison->pairs), i, pair->before->node_count))
            return opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
        bool settled = !changed[i] && !match_version_moved(comparison, pair, node);
        if (!changed[i] && !settled && !is_split(comparison, node))
            status = kept_node(comparison, pair, node, &settled, error);
        if (status == OPSHIFT_OK && (!settled || sequence) &&
            (!changed[i] || sequence || match_has_counterpart(comparison, pair, node)))
            status = piece_verify(comparison, pair, node, error);
    }
    return status;
}

static enum opshift_status verify_graphs(struct comparison *comparison, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < comparison->pair_count && status == OPSHIFT_OK; i++)
        status = verify_graph(comparison, &comparison->pairs[i], error);
    return status;
}

static enum opshift_status conclude(struct comparison *comparison, struct opshift_report **report,
                                    struct opshift_error *error)
{
    char hashes[2][SHA256_TEXT_SIZE];
    uint64_t differences = comparison->counts[VERDICT_DIFFERS] + json_array_size(comparison->differences);
    uint64_t unknown = comparison->counts[VERDICT_NOT_RUN];
    bool whole = comparison->whole != NULL;
    differences += whole && comparison->whole_verdict == VERDICT_DIFFERS;
    if (comparison->out_of_memory)
        return opshift_no_memory(error);
    if (report != NULL) {
        bool brief = comparison->options != NULL && comparison->options->brief;
        enum opshift_status status =
            brief ? OPSHIFT_OK : sha256_source(comparison->before.model->source, hashes[0], error);
        if (status == OPSHIFT_OK && !brief)
            status = sha256_source(comparison->after.model->source, hashes[1], error);
        if (status != OPSHIFT_OK)
            return status;
        *report = verify_report(comparison, brief ? NULL : hashes[0], brief ? NULL : hashes[1]);
        if (*report == NULL)
            return opshift_no_memory(error);
        status = certificate_fill(comparison, (*report)->root, error);
        if (status != OPSHIFT_OK) {
            opshift_report_free(*report);
            *report = NULL;
            return status;
        }
    }
    if (differences == 0 && unknown > 0)
        return opshift_fail(error, OPSHIFT_NO,
                            "%s: nothing says that %llu %s of %s do the same there; the report says which, and why",
                            comparison->after.model->name, (unsigned long long)unknown, unknown == 1 ? "node" : "nodes",
                            comparison->before.model->name);
    if (differences == 0 && whole && comparison->whole_verdict == VERDICT_NOT_RUN)
        return opshift_fail(error, OPSHIFT_NO, "%s: the whole model was not run; the report says why",
                            comparison->after.model->name);
    if (differences == 0)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO, "%s: differs from %s in %llu %s; the report says where",
                        comparison->after.model->name, comparison->before.model->name, (unsigned long long)differences,
                        differences == 1 ? "place" : "places");
}

enum opshift_status opshift_verify(struct opshift_model *before, struct opshift_model *after,
                                   const struct opshift_verify_options *options, struct opshift_report **report,
                                   struct opshift_error *error)
{
    struct comparison comparison = {.options = options};
    if (report != NULL)
        *report = NULL;
    enum opshift_status status = comparison_start(&comparison, before, after, error);
    if (status == OPSHIFT_OK)
        status = match_models(&comparison, error);
    if (status == OPSHIFT_OK)
        status = sequences_match(&comparison, error);
    if (status == OPSHIFT_OK)
        status = rest_compare(&comparison, error);
    if (status == OPSHIFT_OK)
        status = verify_graphs(&comparison, error);
    if (status == OPSHIFT_OK && options != NULL && options->whole != NULL)
        status = whole_verify(&comparison, error);
    if (status == OPSHIFT_OK)
        status = conclude(&comparison, report, error);
    comparison_end(&comparison);
    return status;
}
