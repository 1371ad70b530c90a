/* Decides the fate of each node, from the last node of a graph to the first, subgraphs before the graphs around
 * them. */
#include "convert/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "convert/cases.h"
#include "convert/domain_moves.h"
#include "convert/expand.h"
#include "convert/omitted.h"
#include "convert/planner.h"
#include "convert/validity.h"
#include "convert/sequence_plan.h"
#include "infer/clash.h"

/* step 0: no step. */
static enum opshift_status block(struct planner *planner, const struct graph *graph, const struct node *node,
                                 int64_t step, const char *why, struct opshift_error *error)
{
    struct conversion_plan *plan = planner->plan;
    const struct domain_move *move = planner->node.move;
    bool still = step == 0 || move->source == move->target;
    int64_t from = still ? move->source : move->up ? step - 1 : step;
    int64_t to = still ? move->target : move->up ? step : step - 1;
    return plan_block(plan, graph, node, from, to, why, error);
}

/* The same for a reason that no type, shape or option can remove. */
static enum opshift_status block_for_good(struct planner *planner, const struct graph *graph, const struct node *node,
                                          int64_t step, const char *why, struct opshift_error *error)
{
    planner->plan->hopeless = true;
    return block(planner, graph, node, step, why, error);
}

/* NO becomes the node's blocker, at planner->node.step; other errors get the node's name. */
static enum opshift_status node_finish(struct planner *planner, const struct graph *graph, const struct node *node,
                                       enum opshift_status status, struct opshift_error *error)
{
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    if (status == OPSHIFT_NO) {
        status = block(planner, graph, node, planner->node.step, error->text, error);
        return status ? status : error_forget(error);
    }
    return opshift_within(error, status, "%s", node_place(planner->model, graph, node));
}

/* ---- a node with a draft ----------------------------------------------------------------------------------------- */

/* A form that cannot be written is no obstacle of a step. */
static enum opshift_status form_apply(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    enum opshift_status status = split_form_apply(planner, draft, error);
    planner->node.step = status ? 0 : planner->node.step;
    return status;
}

/* A node that cannot be computed has no meaning that a conversion could keep, unless a rule assumes one. */
static enum opshift_status refuse_clash(struct planner *planner, const struct draft *draft, struct opshift_error *error)
{
    const struct clash *clashes = NULL;
    size_t count;
    uint32_t index = (uint32_t)(draft->node - draft->graph->nodes);
    enum opshift_status status =
        types_clashes(planner->around.types, draft->graph, index, planner->node.arena, &clashes, &count, error);
    return status || count == 0 ? status : opshift_fail(error, OPSHIFT_NO, "%s", clashes[0].words);
}

/* source: of the node's operator; NULL: unknown. */
static enum opshift_status convert_draft(struct planner *planner, struct draft *draft, const struct schema *source,
                                         bool is_split, struct opshift_error *error)
{
    bool to_sequence = is_split && planner->goal->sequences == OPSHIFT_SEQUENCES_FROM_SPLIT;
    struct omitted omitted;
    enum opshift_status status = omitted_open(planner, draft, &omitted, error);
    if (status == OPSHIFT_OK && is_split)
        status = check_split(draft, source, error);
    if (status == OPSHIFT_OK && to_sequence)
        status = split_to_sequence(planner, draft, error);
    else if (status == OPSHIFT_OK)
        status = route_apply(planner, draft, error);
    if (status == OPSHIFT_OK)
        status = form_apply(planner, draft, error);
    if (status == OPSHIFT_OK && source && planner->depth == 0 && draft->assumption_count == 0 &&
        !plan_assumes_meaning(planner->plan, draft->graph, draft->node))
        status = refuse_clash(planner, draft, error);
    if (status == OPSHIFT_OK && is_split && !to_sequence && planner->goal->name_empty_outputs)
        draft_outputs_name(draft);
    draft->changed |= omitted.lost;
    struct result_schemas schemas = {source, schema_find(draft->domain, draft->op_type, draft->target)};
    if (status == OPSHIFT_OK && !draft->replacement)
        result_trim(draft, schemas.target);
    if (status == OPSHIFT_OK)
        status = result_check(planner, draft, &schemas, error);
    if (status == OPSHIFT_OK && draft->replacement)
        status = expand_convert(planner, draft, error);
    if (status == OPSHIFT_OK)
        status = omitted_check(planner, draft, &omitted, error);
    if (status == OPSHIFT_OK && draft->assumption_count && draft->graph->function && !planner->node.resolves)
        return opshift_fail(error, OPSHIFT_NO, "%s", draft->assumptions[0]); /* what calls give may decide it */
    if (status == OPSHIFT_OK)
        status = draft_assume(planner, draft, error);
    return status ? status : draft_plan(planner, draft, error);
}

/* Inputs that the target lacks are dropped; an unreadable constant there is not a blocker of its own. */
static enum opshift_status drop_lost(struct planner *planner, const struct draft *draft, struct opshift_error *error)
{
    const struct node *node = draft->node;
    const struct schema *target =
        schema_find(draft->domain, names_text(draft->model->names, node->op_type), draft->target);
    for (uint32_t i = target ? target->input_max : UINT32_MAX; i < node->input_count; i++) {
        const struct tensor *tensor = NULL;
        struct bytes reference = {0};
        name_id name = node_inputs(node)[i];
        if (name == NAME_NONE)
            continue;
        enum opshift_status status = fold_constant(planner->around.fold, draft->graph, name, &tensor, NULL, error);
        if (status == OPSHIFT_OK && tensor == NULL)
            status = reference_find(&planner->around, draft->graph, name, draft->arena, &reference, error);
        if (status == OPSHIFT_OK && (tensor || reference.size))
            status = prune_drop(planner, draft->graph, name, error);
        if (status == OPSHIFT_MEMORY || status == OPSHIFT_IO)
            return status; /* otherwise the unreadable constant is a blocker already */
        error_forget(error);
    }
    return OPSHIFT_OK;
}

/* May this output be removed, because nothing reads it and it is no graph output? False also without memory. */
static bool may_leave_out(struct planner *planner, const struct node *node, uint32_t position)
{
    const char *op_type = names_text(planner->model->names, node->op_type);
    const struct schema *schema = schema_find(planner->node.move->text, op_type, planner->node.move->source);
    const struct schema_parameter *parameter = schema ? schema_output(schema, position) : NULL;
    name_id name = node_outputs(node)[position];
    if (parameter == NULL || parameter->option != PARAMETER_OPTIONAL || name == NAME_NONE ||
        strcmp(op_type, "BatchNormalization") == 0) /* the number of its outputs selects training */
        return false;
    return scopes_count_uses(planner->around.scopes, NULL) == OPSHIFT_OK &&
           scope_uses(planner->around.scopes, name) == 0;
}

static enum opshift_status leave_out_unread(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    const struct node *node = draft->node;
    for (uint32_t i = 0; i < node->output_count; i++) {
        if (!may_leave_out(planner, node, i))
            continue;
        enum opshift_status status = draft_note(draft, error, "output '%.120s', which nobody reads, is left out",
                                                names_text(draft->model->names, node_outputs(node)[i]));
        if (status)
            return status;
        draft_output_remove(draft, i);
    }
    return OPSHIFT_OK;
}

/* without: unused outputs are removed first. */
static enum opshift_status try_draft(struct planner *planner, struct graph *graph, struct node *node, bool without,
                                     struct draft **draft, struct opshift_error *error)
{
    bool is_split = node_is(planner->model, node, "Split");
    planner->node.step = 0;
    *draft = NULL;
    enum opshift_status status = draft_open(planner, graph, node, draft, error);
    if (status)
        return status;
    const struct schema *schema = schema_find((*draft)->domain, (*draft)->op_type, (*draft)->opset);
    if (schema)
        schema_type_references(schema, *draft);
    if (without)
        status = leave_out_unread(planner, *draft, error);
    return status ? status : convert_draft(planner, *draft, schema, is_split, error);
}

static bool has_unread(struct planner *planner, const struct node *node)
{
    for (uint32_t i = 0; i < node->output_count; i++)
        if (may_leave_out(planner, node, i))
            return true;
    return false;
}

/* The same with the values that all calls give to the function, if it is blocked without: one body that serves whatever
 * calls give comes first. */
static enum opshift_status try_values(struct planner *planner, struct graph *graph, struct node *node, bool without,
                                      struct draft **draft, struct opshift_error *error)
{
    struct opshift_error why;
    enum opshift_status status = try_draft(planner, graph, node, without, draft, error);
    if (status != OPSHIFT_NO || graph->function == NULL)
        return status;
    planner->node.resolves = true;
    fold_arguments(planner->around.fold, true);
    enum opshift_status tried = try_draft(planner, graph, node, without, draft, &why);
    fold_arguments(planner->around.fold, false);
    planner->node.resolves = false;
    return error_give(error, tried, &why);
}

/* A node that cannot be computed is blocked for that, unless a check of its form has found a fault. */
static enum opshift_status finish_blocked(struct planner *planner, struct graph *graph, const struct node *node,
                                          enum opshift_status status, struct opshift_error *error)
{
    const struct clash *clashes = NULL;
    size_t count = 0;
    struct opshift_error why;
    if (status == OPSHIFT_NO && error && error->fault != FAULT_OF_CHECK) {
        enum opshift_status found = types_clashes(planner->around.types, graph, (uint32_t)(node - graph->nodes),
                                                  planner->node.arena, &clashes, &count, &why);
        if (found)
            return error_give(error, found, &why);
    }
    if (count == 0)
        return node_finish(planner, graph, node, status, error);
    planner->node.step = 0;
    return node_finish(planner, graph, node, opshift_fail(error, OPSHIFT_NO, "%s", clashes[0].words), error);
}

/* If the node is blocked, tries again without its unused outputs. */
static enum opshift_status with_draft(struct planner *planner, struct graph *graph, struct node *node, bool without,
                                      struct opshift_error *error)
{
    struct draft *draft = NULL;
    if (planner->sequences == NULL) /* sequence plans may hold results of the first try */
        fold_rest(planner->around.fold);
    enum opshift_status status = try_values(planner, graph, node, without, &draft, error);
    bool blocked = status == OPSHIFT_NO && draft;
    if (blocked && !without && has_unread(planner, node)) {
        const struct opshift_error first = *error;
        int64_t step = planner->node.step;
        enum opshift_status tried = try_values(planner, graph, node, true, &draft, error);
        if (tried != OPSHIFT_NO)
            return node_finish(planner, graph, node, tried, error);
        *error = first;
        planner->node.step = step;
    }
    status = finish_blocked(planner, graph, node, status, error);
    if (status == OPSHIFT_OK && blocked && draft)
        status = node_finish(planner, graph, node, drop_lost(planner, draft, error), error);
    return status;
}

/* ---- a node ----------------------------------------------------------------------------------------------------- */

/* A function that nothing reaches means what its own opset says; no model gives its operators another meaning. */
static bool moves_alone(struct planner *planner, const struct graph *graph, int64_t opset)
{
    const struct domain_move *move = planner->node.move;
    if (graph->function == NULL || !schema_knows(move->text) ||
        scope_is_reached(planner->around.scopes, graph->function))
        return false;
    int64_t target = move->source == move->target ? opset : move->target; /* a model that stays keeps its bytes */
    planner->node.own = (struct domain_move){move->domain, move->text, opset, target, opset < target};
    planner->node.move = &planner->node.own;
    return true;
}

/* A function may import another opset than the model only if its operators are the same in both (IR.md). */
static enum opshift_status other_opset(struct planner *planner, struct graph *graph, const struct node *node,
                                       int64_t opset, bool *differs, struct opshift_error *error)
{
    const char *op_type = names_text(planner->model->names, node->op_type), *domain = planner->node.move->text;
    int64_t source = planner->node.move->source;
    const char *label = *domain ? domain : "opset";
    char why[384];
    *differs = !schema_knows(domain) || schema_find(domain, op_type, opset) != schema_find(domain, op_type, source);
    if (!*differs)
        return OPSHIFT_OK;
    snprintf(why, sizeof(why),
             "GRF027 function-opset: the function imports %.80s %" PRId64 " and the model %.80s %" PRId64
             ", and %.80s is not the same at both; give both one opset where the model is made",
             label, opset, label, source, op_type);
    return block_for_good(planner, graph, node, 0, why, error);
}

/* A model or function without an import of a domain may contain none of its operators. */
static enum opshift_status no_import(struct planner *planner, struct graph *graph, const struct node *node,
                                     struct opshift_error *error)
{
    const char *domain = *planner->node.move->text ? planner->node.move->text : "ai.onnx";
    char why[256];
    snprintf(why, sizeof(why), "%s imports no opset of %.80s, and the node needs one; add it",
             graph->function ? "GRF026 function-import: the function" : "OPS001 domain-not-imported: the model",
             domain);
    return block_for_good(planner, graph, node, 0, why, error);
}

/* A node that stays unchanged, if the target allows it. */
static enum opshift_status pass_route(struct planner *planner, struct graph *graph, struct node *node,
                                      const struct route *route, struct opshift_error *error)
{
    if (route->blocked)
        return block_for_good(planner, graph, node, route->blocked_step, route->blocked, error);
    enum opshift_status status = route_types(planner, graph, node, route->source, route->target, error);
    if (status == OPSHIFT_OK && type_limits_exist(&route->limits))
        status = route_limit(planner, graph, node, NULL, &route->limits, error);
    if (status == OPSHIFT_NO && has_unread(planner, node))
        return with_draft(planner, graph, node, true, error);
    return node_finish(planner, graph, node, status, error);
}

/* A SplitToSequence that becomes a Split, or a node that reads such a sequence. */
static enum opshift_status with_sequence(struct planner *planner, const struct sequence_mark *mark, struct graph *graph,
                                         struct node *node, struct opshift_error *error)
{
    return node_finish(planner, graph, node, sequence_rewrite(planner, mark, graph, node, error), error);
}

/* The model has a function with the name of an operator: runtimes differ in which of the two they run. */
static enum opshift_status shadowed(struct planner *planner, struct graph *graph, const struct node *node,
                                    struct opshift_error *error)
{
    const char *op_type = names_text(planner->model->names, node->op_type);
    const struct domain_move *move = planner->node.move;
    const struct schema *source = schema_find(move->text, op_type, move->source);
    const struct schema *target = schema_find(move->text, op_type, move->target);
    const struct route *route = NULL;
    char why[384];
    if (source == target) /* also in a domain without schemas: its functions are its operators */
        return OPSHIFT_OK;
    if (source && target) {
        enum opshift_status status = route_find(planner, node->op_type, move->source, &route, error);
        if (status || (route->blocked == NULL && !route->draft && !type_limits_exist(&route->limits)))
            return status;
    }
    snprintf(why, sizeof(why),
             "the model has a function %.80s in the domain of %s, and the operator of that name is not the same at "
             "both opsets; which of the two runs is up to the runtime; give the function another name or domain",
             op_type, *move->text ? move->text : "ai.onnx");
    return block_for_good(planner, graph, node, 0, why, error);
}

/* ---- a node that its opset does not have ---- */

static enum opshift_status assume_meaning(struct planner *planner, struct graph *graph, const struct node *node,
                                          const char *words, struct opshift_error *error)
{
    const struct plan_assumption assumption = {.kind = ASSUMED_MEANING, .words = words};
    if (words == NULL)
        return opshift_no_memory(error);
    if (planner->goal->strict)
        return opshift_fail(error, OPSHIFT_NO, "%s; leave out --strict to convert it as that", words);
    return plan_assume(planner->plan, graph, node, &assumption, error);
}

/* What the version in force does not take of the node. */
struct misfit {
    const struct schema *source; /* NULL: it does not exist */
    uint32_t input;              /* of a type that it does not take; their number: none */
    const char *attribute;       /* NULL: none */
};

static const char *misfit_words(struct planner *planner, struct graph *graph, const struct node *node,
                                const struct misfit *misfit)
{
    struct arena *arena = planner->plan->arena;
    struct value_type type = {0};
    const char *op_type = names_text(planner->model->names, node->op_type);
    const struct schema *source = misfit->source;
    if (source == NULL)
        return arena_print(arena, "%s does not exist at opset %" PRId64, op_type, planner->node.move->source);
    if (misfit->attribute)
        return arena_print(arena, "%s-%u has no attribute '%s'", op_type, source->since, misfit->attribute);
    if (misfit->input == node->input_count)
        return arena_print(arena, "%s-%u does not have %u inputs and %u outputs", op_type, source->since,
                           node->input_count, node->output_count);
    name_id name = node_inputs(node)[misfit->input];
    if (types_find(planner->around.types, graph, name, &type, NULL))
        return NULL;
    return arena_print(arena, "'%.120s' is %s, which %s-%u does not take", names_text(planner->model->names, name),
                       type_name(type.type), op_type, source->since);
}

/* A node at an older opset than it was made for moves from the opset that takes it. */
static enum opshift_status move_meant(struct planner *planner, struct graph *graph, const struct node *node,
                                      const struct misfit *misfit, struct domain_move *moved,
                                      struct opshift_error *error)
{
    const struct schema *meant = NULL;
    enum opshift_status status = types_meant(planner->around.types, graph, node, moved->source, &meant, error);
    if (status || meant == NULL)
        return status;
    moved->source = meant->since;
    moved->up = moved->source < moved->target;
    const char *words = misfit_words(planner, graph, node, misfit);
    if (words)
        words = arena_print(planner->plan->arena, "%s; it is meant as %s-%u", words, meant->op_type, meant->since);
    return assume_meaning(planner, graph, node, words, error);
}

/* The move of a node that its opset has not, or not so, is that from the opset that it is meant for. */
static enum opshift_status move_find(struct planner *planner, struct graph *graph, const struct node *node,
                                     struct domain_move *moved, struct opshift_error *error)
{
    const struct route *route;
    enum opshift_status status = route_find(planner, node->op_type, moved->source, &route, error);
    if (status || !schema_knows(moved->text))
        return status;
    const struct schema *source = route->source;
    struct misfit misfit = {source, node->input_count, NULL};
    bool fits = source && schema_counts_fit(source, node);
    if (fits && source != route->target)
        status = types_fit(planner->around.types, graph, node, source, &misfit.input, error);
    fits = fits && misfit.input == node->input_count;
    if (status == OPSHIFT_OK && fits && route->gains)
        status = attributes_fit(planner->around.types, graph, node, source, &misfit.attribute, error);
    if (status)
        return status;
    if (!fits || misfit.attribute)
        return move_meant(planner, graph, node, &misfit, moved, error);
    if (source->runtime == NULL)
        return OPSHIFT_OK;
    return assume_meaning(planner, graph, node,
                          arena_print(planner->plan->arena,
                                      "%s is not an operator of the standard; it is meant as %s's", source->op_type,
                                      source->runtime),
                          error);
}

/* A node that is not pruned, at the model's opset of its domain. */
static enum opshift_status plan_operator(struct planner *planner, struct graph *graph, struct node *node,
                                         struct opshift_error *error)
{
    struct domain_move moved = *planner->node.move;
    bool is_split = node_is(planner->model, node, "Split");
    const struct route *route;
    if (moved.source == moved.target)
        return is_split ? with_draft(planner, graph, node, false, error) : OPSHIFT_OK;
    enum opshift_status status = move_find(planner, graph, node, &moved, error);
    if (status)
        return node_finish(planner, graph, node, status, error);
    planner->node.move = &moved;
    status = route_find(planner, node->op_type, moved.source, &route, error);
    if (status == OPSHIFT_OK)
        status = is_split || route->draft ? with_draft(planner, graph, node, false, error)
                                          : pass_route(planner, graph, node, route, error);
    planner->node.move = NULL;
    return status;
}

static enum opshift_status plan_node(struct planner *planner, struct graph *graph, struct node *node, int64_t opset,
                                     struct opshift_error *error)
{
    bool pruned = false, differs = false;
    enum opshift_status status = OPSHIFT_OK;
    name_id domain = node_domain(node);
    planner->node.step = 0;
    planner->node.move = domain == NAME_NONE ? &planner->main : domain_move_find(planner->plan, domain);
    if (planner->node.move == NULL || plan_removes(planner->plan, graph->function))
        return OPSHIFT_OK;
    if (domain != NAME_NONE)
        opset = graph_opset(planner->model, graph, domain);
    if (scope_callee(planner->around.scopes, node))
        return shadowed(planner, graph, node, error);
    if (opset == 0)
        return no_import(planner, graph, node, error);
    const struct sequence_mark *mark = planner->sequences ? sequence_mark_find(planner, graph, node) : NULL;
    if (mark == NULL && gives_less_read(&planner->pruning, node))
        status = prune_node(planner, graph, node, &pruned, error);
    if (status == OPSHIFT_OK && !pruned && opset != planner->node.move->source && !moves_alone(planner, graph, opset))
        status = other_opset(planner, graph, node, opset, &differs, error);
    if (status || pruned || differs)
        return status;
    if (mark && sequence_stays(mark)) {
        status = mark->made ? sequence_list_note(planner, mark->made, error) : OPSHIFT_OK;
        mark = NULL;
    }
    if (status)
        return status;
    return mark ? with_sequence(planner, mark, graph, node, error) : plan_operator(planner, graph, node, error);
}

/* New nodes take at most 64 times the file, and of small files so many bytes. */
#define ADDED_FACTOR 64u
#define ADDED_LEAST  (UINT64_C(8) << 20)

static enum opshift_status check_added(const struct planner *planner, struct opshift_error *error)
{
    uint64_t most = ADDED_LEAST + ADDED_FACTOR * source_size(planner->model->source);
    if (planner->plan->bytes.size <= most)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO,
                        "the nodes that replace others would take more than %" PRIu64
                        " bytes, %u times the file; convert the model to an opset nearer to its own",
                        most, ADDED_FACTOR);
}

static enum opshift_status plan_graph(struct planner *planner, struct graph *graph, double done, double share,
                                      struct opshift_error *error)
{
    int64_t opset = graph_opset(planner->model, graph, NAME_NONE);
    const struct opshift_goal *goal = planner->goal;
    uint32_t *order, dropped = planner->pruning.dropped_count;
    /* The readers of a constant are rewritten before the constant. */
    enum opshift_status status = order_new(planner, graph, &order, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        uint32_t at = order ? order[i] : graph->node_count - 1 - i;
        status = plan_node(planner, graph, &graph->nodes[at], opset, error);
        if (status == OPSHIFT_OK)
            status = check_added(planner, error);
        if (planner->only_asked && planner->plan->blocker_count)
            break;
        if (status == OPSHIFT_OK && i % 64 == 0 && goal->progress &&
            !goal->progress(goal->progress_data, done + share * i / graph->node_count))
            status = opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
    }
    prune_leave(planner, graph, dropped);
    free(order);
    return status;
}

/* ---- the model -------------------------------------------------------------------------------------------------- */

static enum opshift_status planner_open(struct planner *planner, struct opshift_error *error)
{
    struct opshift_model *model = planner->model;
    enum opshift_status status = OPSHIFT_OK;
    planner->scratch = arena_new(0);
    planner->node.arena = arena_new(0);
    if (planner->scratch)
        planner->read = arena_alloc(planner->scratch, names_count(model->names) / 8 + 1, 1);
    if (planner->read == NULL || planner->node.arena == NULL)
        return opshift_no_memory(error);
    if (planner->rules == NULL) {
        status = opshift_rules_load(NULL, 0, &planner->shipped, error);
        planner->rules = planner->shipped;
    }
    fold_arguments(planner->around.fold, false);
    if (status == OPSHIFT_OK)
        status = types_give(planner->around.types, planner->goal->given, error);
    return status;
}

static void planner_close(struct planner *planner)
{
    constants_free(planner->constants);
    if (planner->depth == 0)
        expansions_free(planner->expansions);
    again_free(planner->again);
    buffer_free(&planner->node.again_key);
    routes_free(planner->routes);
    prune_free(&planner->pruning);
    parameters_free(&planner->around);
    fold_arguments(planner->around.fold, true);
    opshift_rules_free(planner->shipped);
    buffer_free(&planner->node.changes);
    buffer_free(&planner->node.bytes);
    buffer_free(&planner->node.record);
    buffer_free(&planner->node.relied);
    arena_free(planner->scratch);
    arena_free(planner->node.arena);
}

/* Runtimes disagree on which of two imports counts, so the meaning of the model is unclear. */
static enum opshift_status check_imports(const struct opset_import *imports, uint32_t count, name_id domain,
                                         const char *text, struct opshift_error *error)
{
    const struct opset_import *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (imports[i].domain != domain)
            continue;
        if (first != NULL && first->version != imports[i].version)
            return opshift_fail(error, OPSHIFT_NO,
                                "%.80s is imported twice, at opset %" PRId64 " and at %" PRId64
                                ", and it is not known which one counts; remove one of them",
                                text, first->version, imports[i].version);
        first = &imports[i];
    }
    return OPSHIFT_OK;
}

static enum opshift_status check_all_imports(const struct opshift_model *model, name_id domain, const char *text,
                                             struct opshift_error *error)
{
    enum opshift_status status = check_imports(model->imports, model->import_count, domain, text, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++) {
        const struct function *function = &model->functions[i];
        status = check_imports(function->imports, function->import_count, domain, text, error);
        if (status)
            opshift_within(error, status, "function '%.80s'", names_text(model->names, function->name));
    }
    return status;
}

static enum opshift_status check_goal(const struct conversion_plan *plan, struct opshift_error *error)
{
    bool named = plan->foreign || plan->target != plan->source;
    if (plan->ir_alone)
        return OPSHIFT_OK;
    if (named && (plan->target < 1 || plan->target > OPSHIFT_OPSET_NEWEST))
        return opshift_fail(error, OPSHIFT_USAGE, "opset %" PRId64 " is not known; give one of 1 to %d", plan->target,
                            OPSHIFT_OPSET_NEWEST);
    if (plan->source < 1 || plan->source > OPSHIFT_OPSET_NEWEST)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the model's opset %" PRId64 " is not known; known are 1 to %d",
                            plan->source, OPSHIFT_OPSET_NEWEST);
    enum opshift_status status = check_all_imports(plan->model, NAME_NONE, "ai.onnx", error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < plan->move_count; i++)
        if (plan->moves[i].source)
            status = check_all_imports(plan->model, plan->moves[i].domain, plan->moves[i].text, error);
    return status;
}

static enum opshift_status plan_all(struct planner *planner, struct opshift_error *error)
{
    struct opshift_model *model = planner->model;
    enum opshift_status status = domain_moves_read(planner->plan, planner->goal, error);
    if (status == OPSHIFT_OK)
        status = check_goal(planner->plan, error);
    if (status == OPSHIFT_OK)
        status = planner_open(planner, error);
    if (status == OPSHIFT_OK && !planner->plan->ir_alone)
        status = calls_check(model, planner->around.scopes, error);
    if (status == OPSHIFT_OK)
        status = header_plan(planner, error);
    if (status == OPSHIFT_OK && planner->goal->sequences == OPSHIFT_SEQUENCES_TO_SPLIT)
        status = sequences_plan(planner, error);
    if (status == OPSHIFT_OK && planner->blocked)
        status = unused_remove(planner, error);
    double share = model->graph_count ? 1.0 / model->graph_count : 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && !planner->plan->ir_alone && i < model->graph_count; i++)
        status = plan_graph(planner, model->graphs[model->graph_count - 1 - i], i * share, share, error);
    if (status == OPSHIFT_OK && !planner->plan->ir_alone && planner->plan->blocker_count == 0)
        status = prune_initializers(planner, error);
    if (status == OPSHIFT_OK)
        status = plan_sort(planner->plan, error);
    return status ? status : inputs_plan(planner, error);
}

/* Without blockers, allow_approximate changes nothing. */
static bool is_plain(const struct opshift_goal *goal)
{
    const struct opshift_given *given = goal->given;
    return goal->sequences == OPSHIFT_SEQUENCES_KEEP && goal->split_form == OPSHIFT_SPLIT_KEEP &&
           goal->domain_count == 0 && goal->target == NULL && !goal->name_empty_outputs && !goal->strict &&
           (given == NULL || (given->shape_count == 0 && given->dim_count == 0));
}

bool plan_is_for(const struct conversion_plan *plan, const struct opshift_model *model, const struct opshift_goal *goal)
{
    int64_t ir_version = goal->ir_version == OPSHIFT_IR_KEEP ? model->ir_version : goal->ir_version;
    return plan_model(plan) == model && plan->blocker_count == 0 && plan->is_plain && is_plain(goal) &&
           plan->rules == goal->rules && plan->is_frozen == goal->freeze_initializers && plan->target == goal->opset &&
           plan->ir_version == ir_version;
}

static void plan_start(struct conversion_plan *plan, const struct opshift_goal *goal)
{
    plan->rules = goal->rules;
    plan->is_plain = is_plain(goal);
    plan->is_frozen = goal->freeze_initializers;
    plan->source = opshift_model_opset(plan->model);
    plan->target = goal->opset;
    bool rewrites = goal->sequences != OPSHIFT_SEQUENCES_KEEP || goal->split_form != OPSHIFT_SPLIT_KEEP;
    plan->ir_alone = goal->opset == 0 && !rewrites && goal->domain_count == 0 && goal->ir_version;
    if (goal->opset == 0 && (plan->ir_alone || rewrites || goal->domain_count))
        plan->target = plan->source ? plan->source : OPSHIFT_OPSET_NEWEST;
    if (plan->source == 0) { /* no opset is imported: no conversion is possible, unless no node needs one */
        plan->source = plan->target;
        plan->foreign = true;
    }
    plan->up = plan->source < plan->target;
}

static enum opshift_status plan_once(struct planner *planner, struct conversion_plan **result,
                                     struct opshift_error *error)
{
    *result = NULL;
    planner->plan = plan_open(planner->model);
    if (planner->plan == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = OPSHIFT_OK;
    if (planner->goal->target)
        status = target_goal(planner, planner->plan->arena, error);
    plan_start(planner->plan, planner->goal);
    planner->main =
        (struct domain_move){NAME_NONE, "", planner->plan->source, planner->plan->target, planner->plan->up};
    planner->node.move = &planner->main;
    if (status == OPSHIFT_OK)
        status = plan_all(planner, error);
    planner_close(planner);
    if (status)
        plan_free(planner->plan);
    else
        *result = planner->plan;
    return status;
}

/* A function that nothing calls is in nobody's way: if it blocks, a second plan removes such functions. */
static enum opshift_status plan_with(struct planner *planner, struct conversion_plan **result,
                                     struct opshift_error *error)
{
    const struct planner fresh = *planner;
    struct opshift_error words; /* reason of a blocker */
    error = error ? error : &words;
    enum opshift_status status = plan_once(planner, result, error);
    if (status || !unused_blocks(planner, *result))
        return status;
    struct conversion_plan *blocked = *result;
    *planner = fresh;
    planner->blocked = blocked;
    status = plan_once(planner, result, error);
    plan_free(blocked);
    return status;
}

/* The same with its own tables. */
static enum opshift_status plan_alone(struct planner *planner, struct conversion_plan **result,
                                      struct opshift_error *error)
{
    bool freeze = planner->goal->freeze_initializers;
    *result = NULL;
    enum opshift_status status = surroundings_open(&planner->around, planner->model, freeze, error);
    if (status == OPSHIFT_OK)
        status = plan_with(planner, result, error);
    surroundings_close(&planner->around);
    return status;
}

enum opshift_status plan_single(struct opshift_model *model, const struct opshift_goal *goal,
                                struct conversion_plan **result, struct opshift_error *error)
{
    struct planner planner = {.model = model, .goal = goal, .rules = goal->rules};
    return plan_alone(&planner, result, error);
}

/* Plans again, where functions are called in several ways. */
static enum opshift_status with_cases(struct opshift_model *model, const struct opshift_goal *goal,
                                      struct conversion_plan **result, enum opshift_status status,
                                      struct opshift_error *error)
{
    if (status == OPSHIFT_OK)
        status = cases_plan(model, goal, result, error);
    if (status) {
        plan_free(*result);
        *result = NULL;
    }
    return status;
}

enum opshift_status plan_new(struct opshift_model *model, const struct opshift_goal *goal,
                             struct conversion_plan **result, struct opshift_error *error)
{
    enum opshift_status status = plan_single(model, goal, result, error);
    return with_cases(model, goal, result, status, error);
}

enum opshift_status plan_ask(struct opshift_model *model, const struct opshift_goal *goal,
                             struct conversion_plan **result, struct opshift_error *error)
{
    struct planner planner = {.model = model, .goal = goal, .rules = goal->rules};
    planner.only_asked = model->function_count == 0; /* a second plan may be of functions by their calls */
    enum opshift_status status = plan_alone(&planner, result, error);
    return with_cases(model, goal, result, status, error);
}

enum opshift_status plan_new_among(const struct surroundings *around, const struct opshift_goal *goal,
                                   struct conversion_plan **result, struct opshift_error *error)
{
    struct planner planner = {.model = around->model, .around = *around, .goal = goal, .rules = goal->rules};
    enum opshift_status status = plan_with(&planner, result, error);
    return with_cases(around->model, goal, result, status, error);
}

enum opshift_status plan_fragment(const struct planner *outer, const struct draft *draft, struct opshift_model *model,
                                  const struct opshift_goal *goal, struct conversion_plan **result,
                                  struct opshift_error *error)
{
    struct planner planner = {.model = model,
                              .goal = goal,
                              .rules = goal->rules,
                              .target = outer->target,
                              .expansions = outer->expansions,
                              .depth = outer->depth + 1,
                              .replaced = draft};
    return plan_alone(&planner, result, error);
}
