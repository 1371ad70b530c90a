/* Compares everything except rewritten nodes: it must be equal on both sides, or belong to a rewritten node. */
#include "verify/rest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "convert/domain_moves.h"
#include "convert/plan_store.h"

static void list_add(struct comparison *comparison, json_t *list, const char *place, const char *format,
                     va_list arguments)
{
    char words[512];
    vsnprintf(words, sizeof(words), format, arguments);
    json_t *entry = json_object();
    report_set(&entry, "place", place ? report_string(place, strlen(place)) : NULL);
    report_set(&entry, "what", report_string(words, strlen(words)));
    comparison->out_of_memory |= json_array_append_new(list, entry) != 0;
}

void rest_difference(struct comparison *comparison, const char *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    list_add(comparison, comparison->differences, place, format, arguments);
    va_end(arguments);
}

void rest_unknown(struct comparison *comparison, const char *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    list_add(comparison, comparison->unknown, place, format, arguments);
    va_end(arguments);
}

/* ---- nodes without a counterpart ---- */

/* A node that only one side has must be used by rewritten nodes only. */
static void compare_lone_nodes(struct rest *rest, struct side *side, struct graph *graph, const struct side *other,
                               struct graph *other_graph, const char *word)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        struct node *node = &graph->nodes[i];
        bool alone = side->changed[graph->number][i];
        for (uint32_t k = 0; k < node->output_count && alone; k++)
            alone =
                node_outputs(node)[k] == NAME_NONE || !rest_is_defined(side, node_outputs(node)[k], other, other_graph);
        if (!alone || uses_are_changed(side->node_uses[graph->number][i]))
            continue;
        rest_difference(rest->comparison, node_place_find(side->model, graph, node),
                        "is %s, and no rewritten node alone reads it", word);
    }
}

/* ---- graphs, functions, the model ---- */

/* The version of ai.onnx; 0: not imported. */
static int64_t import_of(const struct opset_import *imports, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (imports[i].domain == NAME_NONE)
            return imports[i].version;
    return 0;
}

/* Does the plan move a domain of the first model to this version? */
static bool is_planned(const struct comparison *comparison, name_id domain, int64_t version)
{
    const struct domain_move *move = comparison->plan ? domain_move_find(comparison->plan, domain) : NULL;
    return move && move->target == version;
}

static void compare_imports(struct comparison *comparison, const char *place, const struct opset_import *before,
                            uint32_t before_count, const struct opset_import *after, uint32_t after_count)
{
    const struct names *names = comparison->before.model->names;
    uint32_t others = 0;
    for (uint32_t i = 0; i < before_count; i++) {
        if (before[i].domain == NAME_NONE)
            continue;
        uint32_t k = 0;
        while (k < after_count && after[k].domain != comparison->before.other[before[i].domain])
            k++;
        others++;
        if (k == after_count)
            rest_difference(comparison, place, "the opset import of '%s' is lost", names_text(names, before[i].domain));
        else if (after[k].version != before[i].version && !is_planned(comparison, before[i].domain, after[k].version))
            rest_difference(comparison, place, "the opset import of '%s' was %" PRId64 " and is %" PRId64,
                            names_text(names, before[i].domain), before[i].version, after[k].version);
    }
    for (uint32_t k = 0; k < after_count; k++)
        others -= after[k].domain != NAME_NONE;
    if (others != 0)
        rest_difference(comparison, place, "the opset imports of other domains are not the same");
}

/* NULL: no memory. */
static const char *graph_words(struct comparison *comparison, struct graph *graph)
{
    struct opshift_model *model = comparison->before.model;
    const char *words = NULL;
    switch (graph->kind) {
    case GRAPH_SUB:
        words = node_place_find(model, graph->parent, &graph->parent->nodes[graph->owner]);
        if (words)
            words = arena_print(comparison->arena, "%s: %s", words, names_text(model->names, graph->owner_attribute));
        break;
    case GRAPH_FUNCTION:
        words = arena_print(comparison->arena, "function '%s'", names_text(model->names, graph->function->name));
        break;
    case GRAPH_TRAINING:
        words = "training graph";
        break;
    case GRAPH_MAIN:
        words = "";
        break;
    }
    return words;
}

/* A function is converted to the model's opset, or keeps its own. */
static void compare_function_opset(struct rest *rest)
{
    struct comparison *comparison = rest->comparison;
    const struct function *functions[2] = {rest->pair.before->function, rest->pair.after->function};
    const struct opshift_model *models[2] = {comparison->before.model, comparison->after.model};
    int64_t own[2], around[2];
    for (int i = 0; i < 2; i++) {
        own[i] = import_of(functions[i]->imports, functions[i]->import_count);
        around[i] = import_of(models[i]->imports, models[i]->import_count);
    }
    int64_t wanted = own[0] == 0 || around[0] == around[1] ? own[0] : around[1];
    if (own[1] != wanted)
        rest_difference(comparison, rest->where,
                        "the opset import of ai.onnx was %" PRId64 " and is %" PRId64 "; it has to be %" PRId64, own[0],
                        own[1], wanted);
}

static struct range range_of(const struct message *message)
{
    return range_make(message_record(message), message->offset, message->size);
}

static enum opshift_status compare_graph_fields(struct rest *rest, struct opshift_error *error)
{
    struct comparison *comparison = rest->comparison;
    const struct graph *before = rest->pair.before, *after = rest->pair.after;
    struct range ranges[2] = {range_of(before->message), range_of(after->message)};
    const char *place = rest->where[0] == '\0' ? "graph" : rest->where;
    if (before->kind != GRAPH_FUNCTION)
        return rest_compare_fields(comparison, ranges[0], ranges[1],
                                   REST_SKIP(1) | REST_SKIP(5) | REST_SKIP(11) | REST_SKIP(12) | REST_SKIP(13) |
                                       REST_SKIP(15),
                                   &onnx__graph_proto__descriptor, place, error);
    compare_imports(comparison, rest->where, before->function->imports, before->function->import_count,
                    after->function->imports, after->function->import_count);
    compare_function_opset(rest);
    return rest_compare_fields(comparison, ranges[0], ranges[1], REST_SKIP(7) | REST_SKIP(9) | REST_SKIP(12),
                               &onnx__function_proto__descriptor, place, error);
}

static enum opshift_status compare_graphs(struct rest *rest, struct opshift_error *error)
{
    struct comparison *comparison = rest->comparison;
    struct graph *before = rest->pair.before, *after = rest->pair.after;
    rest->where = graph_words(comparison, before);
    if (rest->where == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = compare_graph_fields(rest, error);
    if (status == OPSHIFT_OK)
        status = rest_compare_lists(rest, error);
    if (status)
        return status;
    rest_compare_order(rest);
    compare_lone_nodes(rest, &comparison->before, before, &comparison->after, after, "lost");
    compare_lone_nodes(rest, &comparison->after, after, &comparison->before, before, "new");
    return OPSHIFT_OK;
}

static bool make_places(struct comparison *comparison, const struct side *side, struct child_places *places)
{
    uint32_t count = names_count(side->model->names);
    places->stamp = arena_alloc(comparison->arena, count, sizeof(*places->stamp));
    places->place = arena_alloc(comparison->arena, count, sizeof(*places->place));
    return places->stamp != NULL && places->place != NULL;
}

enum opshift_status rest_compare(struct comparison *comparison, struct opshift_error *error)
{
    struct opshift_model *before = comparison->before.model, *after = comparison->after.model;
    struct rest rest = {.comparison = comparison};
    if (!make_places(comparison, &comparison->before, &rest.before) ||
        !make_places(comparison, &comparison->after, &rest.after))
        return opshift_no_memory(error);
    compare_imports(comparison, "model", before->imports, before->import_count, after->imports, after->import_count);
    /* A model without opset imports (IR < 3) needs one above opset 1. */
    bool had = import_of(before->imports, before->import_count) != 0;
    bool has = import_of(after->imports, after->import_count) != 0;
    if (had != has && (had || before->ir_version >= 3))
        rest_difference(comparison, "model", "the opset import of ai.onnx is %s", had ? "lost" : "new");
    enum opshift_status status =
        rest_compare_fields(comparison, range_of(before->message), range_of(after->message),
                            REST_SKIP(1) | REST_SKIP(7) | REST_SKIP(8) | REST_SKIP(REST_MODEL_TRAINING) | REST_SKIP(25),
                            &onnx__model_proto__descriptor, "model", error);
    if (status == OPSHIFT_OK)
        status = rest_compare_training(comparison, error);
    for (uint32_t i = 0; i < comparison->pair_count && status == OPSHIFT_OK; i++) {
        rest.pair = comparison->pairs[i];
        status = compare_graphs(&rest, error);
    }
    return status;
}
