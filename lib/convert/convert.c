/* Plans a conversion node by node and lays its edits on the model. */
#include "convert/convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "check/check.h"
#include "convert/account.h"
#include "convert/sequence.h"

/* A node is done when its blocker is reported: what follows in error is then for the whole conversion. */
static enum opshift_status blocked(struct conversion *conversion, struct graph *graph, const struct node *node,
                                   int64_t step, struct opshift_error *why, struct opshift_error *error)
{
    bool still = step == 0 || conversion->source == conversion->target;
    int64_t newer = still ? conversion->target : step;
    int64_t from = still ? conversion->source : conversion->up ? newer - 1 : newer;
    int64_t to = still ? conversion->target : conversion->up ? newer : newer - 1;
    return report_blocker(conversion, graph, node, from, to, why->text, error);
}

static enum opshift_status report_notes(struct conversion *conversion, const struct draft *draft,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->note_count; i++)
        status = report_note(conversion, SAID_NOTE, draft->graph, draft->node, draft->notes[i], error);
    return status;
}

static void name_empty_outputs(struct draft *draft)
{
    for (uint32_t i = 0; i < draft->output_count; i++)
        if (draft->outputs[i] == NAME_NONE) {
            draft->outputs[i] = NAME_FRESH;
            draft->changed = true;
        }
}

static enum opshift_status convert_draft(struct conversion *conversion, struct draft *draft, bool is_split,
                                         int64_t *step, struct opshift_error *error)
{
    int64_t from = draft->opset;
    bool to_sequence = is_split && conversion->goal->sequences == OPSHIFT_SEQUENCES_FROM_SPLIT;
    enum opshift_status status = is_split ? check_split(draft, error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && to_sequence)
        status = split_to_sequence(conversion, draft, step, error);
    else if (status == OPSHIFT_OK)
        status = route_apply(conversion, draft, step, error);
    if (status == OPSHIFT_OK && is_split && !to_sequence && conversion->goal->name_empty_outputs)
        name_empty_outputs(draft);
    if (status == OPSHIFT_OK && draft->changed)
        status = emit_draft(conversion, draft, error);
    if (status == OPSHIFT_OK)
        status = report_notes(conversion, draft, error);
    if (status == OPSHIFT_OK && draft->changed)
        status = report_rewritten(conversion, draft, from, conversion->target, error);
    return status;
}

/* What the target has no input for would have gone: a constant there is no blocker of its own. */
static enum opshift_status drop_lost(struct conversion *conversion, const struct draft *draft,
                                     struct opshift_error *error)
{
    const struct node *node = draft->node;
    const struct schema *target = schema_find("", names_text(draft->model->names, node->op_type), draft->target);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = target ? target->input_max : UINT32_MAX; status == OPSHIFT_OK && i < node->input_count; i++) {
        const struct tensor *tensor = NULL;
        struct bytes reference = {0};
        struct opshift_error why;
        name_id name = node_inputs(node)[i];
        if (name == NAME_NONE)
            continue;
        error_clear(&why);
        status = fold_constant(conversion->around.folder, draft->graph, name, &tensor, NULL, &why);
        if (status == OPSHIFT_OK && tensor == NULL)
            status = reference_find(&conversion->around, draft->graph, name, draft->arena, &reference, &why);
        if (status == OPSHIFT_OK && (tensor || reference.size))
            status = prune_drop(conversion, draft->graph, name, &why);
        if (status == OPSHIFT_MEMORY || status == OPSHIFT_IO) {
            if (error)
                *error = why;
            return status;
        }
        status = OPSHIFT_OK; /* a constant that does not read is the blocker already, or its own */
    }
    return status;
}

static enum opshift_status with_draft(struct conversion *conversion, struct graph *graph, struct node *node,
                                      int64_t opset, bool is_split, struct opshift_error *error)
{
    struct opshift_error why;
    struct draft *draft = NULL;
    int64_t step = 0;
    error_clear(&why);
    arena_clear(conversion->node);
    conversion->file_count = 0;
    conversion->read_constants.size = 0;
    if (conversion->sequences == NULL) /* whose plan may hold what was found for it */
        folder_rest(conversion->around.folder);
    enum opshift_status status =
        draft_new(conversion->model, graph, node, conversion->node, &conversion->facts, &draft, &why);
    if (status == OPSHIFT_OK) {
        draft->opset = opset;
        draft->target = conversion->target;
        draft->up = conversion->up;
        draft->strict = conversion->goal->strict;
        const struct schema *schema = schema_find("", draft->op_type, opset);
        if (schema)
            schema_type_references(schema, draft);
        status = convert_draft(conversion, draft, is_split, &step, &why);
    }
    bool is_blocked = status == OPSHIFT_NO;
    if (is_blocked && draft && (status = drop_lost(conversion, draft, error)))
        return status;
    if (is_blocked)
        return blocked(conversion, graph, node, step, &why, error);
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    if (error)
        *error = why;
    return opshift_within(error, status, "%s", node_place(conversion->model, graph, node));
}

/* A function may stand at another opset than the model only where its operators mean the same at both (IR.md). */
static enum opshift_status same_meaning(struct conversion *conversion, struct graph *graph, const struct node *node,
                                        int64_t opset, struct opshift_error *error)
{
    const char *op_type = names_text(conversion->model->names, node->op_type);
    const struct schema *here = schema_find("", op_type, opset), *there = schema_find("", op_type, conversion->source);
    if (here == there)
        return OPSHIFT_OK;
    struct opshift_error why;
    error_clear(&why);
    opshift_fail(&why, OPSHIFT_NO,
                 "GRF027 function-opset: the function imports opset %" PRId64 " and the model opset %" PRId64
                 ", and %s is not the same at both; give both one opset where the model is made",
                 opset, conversion->source, op_type);
    return blocked(conversion, graph, node, 0, &why, error);
}

/* A model or a function without an opset of ai.onnx may hold other domains' operators only. */
static enum opshift_status no_import(struct conversion *conversion, struct graph *graph, const struct node *node,
                                     struct opshift_error *error)
{
    struct opshift_error why;
    error_clear(&why);
    opshift_fail(&why, OPSHIFT_NO, "%s: the %s imports no opset of ai.onnx, and the node needs one; add it",
                 graph->function ? "GRF026 function-import" : "OPS001 domain-not-imported",
                 graph->function ? "function" : "model");
    return blocked(conversion, graph, node, 0, &why, error);
}

/* A node that stays as it is, if it may. */
static enum opshift_status pass_route(struct conversion *conversion, struct graph *graph, struct node *node,
                                      const struct route *route, struct opshift_error *error)
{
    struct opshift_error why;
    int64_t step = 0;
    error_clear(&why);
    if (route->blocked) {
        opshift_fail(&why, OPSHIFT_NO, "%s", route->blocked);
        return blocked(conversion, graph, node, route->blocked_step, &why, error);
    }
    enum opshift_status status = route_wall(conversion, graph, node, NULL, &route->walls, &step, &why);
    if (status == OPSHIFT_NO)
        return blocked(conversion, graph, node, step, &why, error);
    if (status && error)
        *error = why;
    return status;
}

/* A SplitToSequence that becomes a Split, or a node that reads its sequence. */
static enum opshift_status convert_sequence(struct conversion *conversion, const struct sequence_mark *mark,
                                            struct graph *graph, struct node *node, struct opshift_error *error)
{
    struct opshift_error why;
    error_clear(&why);
    int64_t step = 0;
    enum opshift_status status = sequence_rewrite(conversion, mark, graph, node, &step, &why);
    if (status == OPSHIFT_NO)
        return blocked(conversion, graph, node, step, &why, error);
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    if (error)
        *error = why;
    return opshift_within(error, status, "%s", node_place(conversion->model, graph, node));
}

static enum opshift_status convert_node(struct conversion *conversion, struct graph *graph, struct node *node,
                                        int64_t opset, struct opshift_error *error)
{
    bool may_call = conversion->model->function_count > 0;
    if (node_domain(node) != NAME_NONE || (may_call && scope_callee(conversion->scopes, node)))
        return OPSHIFT_OK;
    uint32_t before = conversion->blocker_count;
    bool pruned = false;
    if (opset == 0)
        return no_import(conversion, graph, node, error);
    const struct sequence_mark *mark = conversion->sequences ? sequence_mark_find(conversion, graph, node) : NULL;
    enum opshift_status status = OPSHIFT_OK;
    if (mark == NULL && conversion->less_read && gives_less_read(conversion, node))
        status = prune_node(conversion, graph, node, &pruned, error);
    if (status || pruned)
        return status;
    if (opset != conversion->source)
        status = same_meaning(conversion, graph, node, opset, error);
    if (status || conversion->blocker_count != before)
        return status;
    if (mark)
        return convert_sequence(conversion, mark, graph, node, error);
    bool is_split = node->op_type == conversion->split;
    if (conversion->source == conversion->target)
        return is_split ? with_draft(conversion, graph, node, conversion->source, true, error) : OPSHIFT_OK;
    const struct route *route = route_near(conversion, node->op_type, conversion->source);
    if (route == NULL)
        status = route_find(conversion, node->op_type, conversion->source, &route, error);
    if (status)
        return status;
    if (is_split || route->draft)
        return with_draft(conversion, graph, node, conversion->source, is_split, error);
    return route->blocked || route_has_walls(&route->walls) ? pass_route(conversion, graph, node, route, error)
                                                            : OPSHIFT_OK;
}

static enum opshift_status convert_graph(struct conversion *conversion, struct graph *graph, double done, double share,
                                         struct opshift_error *error)
{
    int64_t opset = graph_opset(conversion->model, graph, NAME_NONE);
    uint32_t *order, dropped = conversion->dropped_count;
    /* Who reads a constant is rewritten before the constant is looked at. */
    enum opshift_status status = order_new(conversion, graph, &order, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        uint32_t at = order ? order[i] : graph->node_count - 1 - i;
        status = convert_node(conversion, graph, &graph->nodes[at], opset, error);
        if (status == OPSHIFT_OK && i % 1024 == 0 && conversion->goal->progress &&
            !conversion->goal->progress(conversion->goal->progress_data, done + share * i / graph->node_count))
            status = opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
    }
    prune_leave(conversion, graph, dropped);
    free(order);
    return status;
}

static enum opshift_status open_tables(struct conversion *conversion, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    conversion->scratch = arena_new(0);
    conversion->node = arena_new(0);
    if (conversion->scratch)
        conversion->read = arena_alloc(conversion->scratch, names_count(conversion->model->names) / 8 + 1, 1);
    if (conversion->read == NULL || conversion->node == NULL)
        return opshift_no_memory(error);
    if (conversion->rules == NULL) {
        status = opshift_rules_load(NULL, 0, &conversion->shipped, error);
        conversion->rules = conversion->shipped;
    }
    if (status == OPSHIFT_OK)
        status =
            surroundings_open(&conversion->around, conversion->model, conversion->goal->freeze_initializers, error);
    conversion->facts = surroundings_facts(&conversion->around);
    conversion->scopes = conversion->around.scopes;
    conversion->types = conversion->around.types;
    if (!names_find(conversion->model->names, "Split", strlen("Split"), &conversion->split))
        conversion->split = NAME_NO_MEMORY; /* which no operator is */
    return status;
}

static void close_tables(struct conversion *conversion)
{
    account_free(conversion->account);
    buffer_free(&conversion->read_constants);
    constants_free(conversion->constants);
    routes_free(conversion->routes);
    surroundings_close(&conversion->around);
    opshift_rules_free(conversion->shipped);
    free(conversion->less_read);
    free(conversion->dropped);
    free(conversion->gone);
    arena_free(conversion->scratch);
    arena_free(conversion->node);
}

/* Runtimes do not agree on which of two imports counts, so that the model has no one meaning to be kept. */
static enum opshift_status check_imports(const struct opset_import *imports, uint32_t count,
                                         struct opshift_error *error)
{
    const struct opset_import *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (imports[i].domain != NAME_NONE)
            continue;
        if (first != NULL && first->version != imports[i].version)
            return opshift_fail(error, OPSHIFT_NO,
                                "ai.onnx is imported twice, at opset %" PRId64 " and at %" PRId64
                                ", and it is not known which one counts; remove one of them",
                                first->version, imports[i].version);
        first = &imports[i];
    }
    return OPSHIFT_OK;
}

static enum opshift_status check_all_imports(const struct opshift_model *model, struct opshift_error *error)
{
    enum opshift_status status = check_imports(model->imports, model->import_count, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++) {
        const struct function *function = &model->functions[i];
        status = check_imports(function->imports, function->import_count, error);
        if (status)
            opshift_within(error, status, "function '%.80s'", names_text(model->names, function->name));
    }
    return status;
}

static enum opshift_status check_goal(const struct conversion *conversion, struct opshift_error *error)
{
    bool named = conversion->foreign || conversion->target != conversion->source;
    if (named && (conversion->target < 1 || conversion->target > OPSHIFT_OPSET_NEWEST))
        return opshift_fail(error, OPSHIFT_USAGE, "opset %" PRId64 " is not known; give one of 1 to %d",
                            conversion->target, OPSHIFT_OPSET_NEWEST);
    if (conversion->source < 1 || conversion->source > OPSHIFT_OPSET_NEWEST)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the model's opset %" PRId64 " is not known; known are 1 to %d",
                            conversion->source, OPSHIFT_OPSET_NEWEST);
    return check_all_imports(conversion->model, error);
}

static enum opshift_status convert_all(struct conversion *conversion, struct opshift_error *error)
{
    struct opshift_model *model = conversion->model;
    enum opshift_status status = check_goal(conversion, error);
    if (status == OPSHIFT_OK)
        status = open_tables(conversion, error);
    if (status == OPSHIFT_OK)
        status = calls_check(conversion->model, conversion->scopes, error);
    if (status == OPSHIFT_OK)
        status = header_ir_version(conversion, error);
    if (status == OPSHIFT_OK && conversion->goal->sequences == OPSHIFT_SEQUENCES_TO_SPLIT)
        status = sequences_plan(conversion, error);
    double share = model->graph_count ? 1.0 / model->graph_count : 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++)
        status = convert_graph(conversion, model->graphs[model->graph_count - 1 - i], i * share, share, error);
    if (conversion->types) /* the rest asks for what is declared */
        types_forget(conversion->types);
    if (status == OPSHIFT_OK && conversion->blocker_count == 0)
        status = prune_initializers(conversion, error);
    if (status == OPSHIFT_OK && conversion->blocker_count == 0)
        status = header_edit(conversion, error);
    return status;
}

static struct conversion conversion_of(struct opshift_model *model, const struct opshift_goal *goal)
{
    struct conversion conversion = {.model = model, .goal = goal, .rules = goal->rules, .target = goal->opset};
    conversion.source = opshift_model_opset(model);
    if (goal->opset == 0 && goal->sequences != OPSHIFT_SEQUENCES_KEEP)
        conversion.target = conversion.source ? conversion.source : OPSHIFT_OPSET_NEWEST;
    if (conversion.source == 0) { /* none is imported: there is no way to go, if no node needs one */
        conversion.source = conversion.target;
        conversion.foreign = true;
    }
    conversion.up = conversion.source < conversion.target;
    return conversion;
}

/* The model keeps the edits that it has. */
static enum opshift_status convert_aside(struct conversion *conversion, struct opshift_error *error)
{
    struct opshift_model *model = conversion->model;
    struct edit *edits = model->edits;
    struct buffer added = model->added;
    uint32_t count = model->edit_count, room = model->edit_room;
    model->edits = NULL;
    model->edit_count = model->edit_room = 0;
    model->added = (struct buffer){0};
    enum opshift_status status = convert_all(conversion, error);
    free(model->edits);
    buffer_free(&model->added);
    model->edits = edits;
    model->added = added;
    model->edit_count = count;
    model->edit_room = room;
    close_tables(conversion);
    return status;
}

enum opshift_status conversion_survey(struct opshift_model *model, const struct opshift_goal *goal,
                                      const struct listener *listener, struct opshift_error *error)
{
    struct conversion conversion = conversion_of(model, goal);
    conversion.listener = listener;
    enum opshift_status status = convert_aside(&conversion, error);
    return status == OPSHIFT_OK && conversion.blocker_count ? OPSHIFT_NO : status;
}

enum opshift_status plan_new(struct opshift_model *model, const struct opshift_goal *goal,
                             struct conversion_plan **plan, struct opshift_error *error)
{
    struct conversion conversion = conversion_of(model, goal);
    *plan = NULL;
    conversion.plan = plan_open(model);
    if (conversion.plan == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = convert_aside(&conversion, error);
    conversion.plan->blocker_count = conversion.blocker_count;
    plan_sort(conversion.plan);
    if (status == OPSHIFT_OK)
        *plan = conversion.plan;
    else
        plan_free(conversion.plan);
    return status;
}

enum opshift_status model_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                  struct opshift_report **report, struct opshift_error *error)
{
    struct conversion conversion = conversion_of(model, goal);
    enum opshift_status status = OPSHIFT_OK;
    if (report) {
        *report = NULL;
        conversion.account = account_new(goal->brief);
        status = conversion.account ? OPSHIFT_OK : opshift_no_memory(error);
    }
    model_edits_clear(model); /* of a conversion before this one, which planned from the same source */
    if (status == OPSHIFT_OK)
        status = convert_all(&conversion, error);
    bool answered = status == OPSHIFT_OK;
    if (answered && conversion.blocker_count)
        status = OPSHIFT_NO;
    if (status)
        model_edits_clear(model);
    if (answered && report && (*report = conversion_report(&conversion)) == NULL)
        status = opshift_no_memory(error);
    close_tables(&conversion);
    return status;
}

enum opshift_status opshift_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                    struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_goal full;
    enum opshift_status status = OPTIONS_COPY(goal, &full, error);
    if (status)
        return status;
    if (model->broken) { /* it would be handed on as it is, and no reader takes it */
        if (report)
            *report = NULL;
        status = model->broken->status;
        if (error)
            *error = *model->broken;
    }
    if (status == OPSHIFT_OK)
        status = model_convert(model, &full, report, error);
    return status ? opshift_within(error, status, "%.256s", model->name) : status;
}
