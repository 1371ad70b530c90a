/* Writes the inferred types of a model's values as value infos. */
#include <inttypes.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "infer/annotate.h"
#include "infer/clash.h"
#include "infer/declare.h"
#include "infer/given_check.h"
#include "infer/result.h"
#include "model/fields.h"
#include "model/limits.h"
#include "wire/wire.h"

/* Limit of the new value infos: so many times the file's bytes, and some more for small files. */
#define INFOS_FACTOR 16u
#define INFOS_LEAST  (UINT64_C(4) << 20)

/* What is done with a value info. */
enum info_fate { INFO_KEPT, INFO_ADDED, INFO_COMPLETED, INFO_REPLACED, INFO_FATES };

struct annotation {
    struct opshift_model *model;
    struct types *types;
    struct types *plain; /* without what is given, where only what follows from that is written; else NULL */
    struct graph *graph;
    struct arena *arena; /* scratch memory for one value */
    struct buffer added; /* new value infos of the current graph, as records */
    uint64_t written;    /* bytes of all new records */
    json_int_t fates[INFO_FATES];
    json_int_t values, whole, unranked, untyped; /* counts of node outputs */
    json_t *replaced, *unknown, *invalid;
    struct opshift_error *error;
};

/* ---- declarations to write ---- */

/* Merges the inferred type into a declaration: sizes known to both and declared names stay. False: no memory. */
static bool type_complete(struct arena *arena, const struct value_type *declared, const struct value_type *found,
                          struct value_type *result)
{
    const struct value_type *held = type_innermost(found), *stated = type_innermost(declared);
    *result = *found;
    if (found->other && stated && (held == NULL || (held->rank < 0 && stated->rank >= 0)))
        result->element = declared->element;
    if (found->rank < 0 && declared->rank >= 0)
        shape_like(result, declared);
    if (found->rank <= 0 || declared->rank != found->rank)
        return true;
    result->dims = arena_copy(arena, found->dims, (size_t)found->rank * sizeof(*found->dims));
    result->params = arena_copy(arena, found->params, (size_t)found->rank * sizeof(*found->params));
    for (int32_t i = 0; result->dims && result->params && i < found->rank; i++) {
        if (found->dims[i] >= 0)
            continue;
        result->dims[i] = declared->dims[i];
        if (declared->dims[i] >= 0 || declared->params[i] != NAME_NONE)
            result->params[i] = declared->params[i];
    }
    return result->dims && result->params;
}

/* Does a declaration contradict the inferred type? Declared dims are ignored that one branch or iteration contradicts;
 * the declared rank of a node's output may still be that of the branch that runs. */
static bool is_contradicted(const struct value_type *declared, const struct value_type *found,
                            const struct value_result *result, bool is_output)
{
    bool open = result->is_open || result->is_unstable || result->is_freed;
    if (declared->is_tensor && found->other)
        return true;
    if (declared->other &&
        (found->type != OPSHIFT_TYPE_UNDEFINED || (found->other && !other_join(declared->other, found->other))))
        return true;
    if (declared->type != OPSHIFT_TYPE_UNDEFINED && found->type != OPSHIFT_TYPE_UNDEFINED &&
        declared->type != found->type)
        return true;
    const struct value_type *held = type_innermost(found), *stated = type_innermost(declared);
    if (held && stated && shapes_differ(stated, held))
        return true;
    for (int32_t i = 0; open && found->rank >= 0 && i < declared->rank; i++)
        if (declared->dims[i] >= 0 && found->dims[i] < 0)
            return true;
    return open && !is_output && declared->rank >= 0 && found->rank < 0;
}

/* ---- edits ---- */

/* Appends the message as a record. */
static enum opshift_status record_add(struct annotation *annotation, const Onnx__ValueInfoProto *info, uint32_t number,
                                      struct buffer *out)
{
    size_t size = onnx__value_info_proto__get_packed_size(info);
    uint64_t most = INFOS_LEAST + INFOS_FACTOR * source_size(annotation->model->source);
    annotation->written += size;
    if (annotation->written > most)
        return opshift_fail(annotation->error, OPSHIFT_UNSUPPORTED,
                            "the inferred value infos take more than %" PRIu64
                            " bytes, %u times the file: types of many dims or long names are repeated for each value; "
                            "shorten them",
                            most, INFOS_FACTOR);
    wire_add_message(out, number, &info->base);
    return out->failed ? opshift_no_memory(annotation->error) : OPSHIFT_OK;
}

static enum opshift_status info_replace(struct annotation *annotation, const struct value_info *info, uint32_t number,
                                        const struct value_type *type)
{
    Onnx__ValueInfoProto *message;
    struct buffer record = {0};
    enum opshift_status status = range_decode(annotation->model, info->range, &onnx__value_info_proto__descriptor,
                                              annotation->arena, &message, annotation->error);
    if (status == OPSHIFT_OK && !type_declare(annotation->arena, annotation->model, type, message))
        status = opshift_no_memory(annotation->error);
    if (status == OPSHIFT_OK)
        status = record_add(annotation, message, number, &record);
    if (status == OPSHIFT_OK)
        status = model_edit(annotation->model, annotation->graph->message, range_record(info->range),
                            range_length(info->range), (struct bytes){record.data, record.size}, annotation->error);
    buffer_free(&record);
    return status;
}

static enum opshift_status info_add(struct annotation *annotation, name_id name, const struct value_type *type)
{
    Onnx__ValueInfoProto message = ONNX__VALUE_INFO_PROTO__INIT;
    struct bytes text = names_bytes(annotation->model->names, name);
    if (!type_is_declarable(type))
        return OPSHIFT_OK;
    annotation->fates[INFO_ADDED]++;
    message.has_name = 1;
    message.name.data = (uint8_t *)(uintptr_t)text.data;
    message.name.len = text.size;
    if (!type_declare(annotation->arena, annotation->model, type, &message))
        return opshift_no_memory(annotation->error);
    return record_add(annotation, &message, GRAPH_VALUE_INFO, &annotation->added);
}

/* Inserts after the last value info, or at the end of the graph. */
static enum opshift_status infos_insert(struct annotation *annotation)
{
    const struct graph *graph = annotation->graph;
    uint64_t place = graph->message->offset + graph->message->size;
    if (graph->value_count > 0)
        place = range_end(graph->values[graph->value_count - 1].range);
    struct bytes added = {annotation->added.data, annotation->added.size};
    return added.size ? model_edit(annotation->model, graph->message, place, 0, added, annotation->error) : OPSHIFT_OK;
}

/* ---- report entries ---- */

static json_t *type_json(const struct opshift_model *model, const struct value_type *type)
{
    struct buffer text = {0};
    type_print(model, type, &text);
    json_t *json = text.failed ? NULL : report_string(text.data, text.size);
    buffer_free(&text);
    return json;
}

static void note_replaced(struct annotation *annotation, name_id name, const struct value_type *declared,
                          const struct value_type *found)
{
    struct bytes text = names_bytes(annotation->model->names, name);
    struct bytes graph = names_bytes(annotation->model->names, annotation->graph->name);
    report_append(&annotation->replaced,
                  json_pack("{s:o, s:o, s:o, s:o}", "value", report_string(text.data, text.size), "graph",
                            report_string(graph.data, graph.size), "declared", type_json(annotation->model, declared),
                            "inferred", type_json(annotation->model, found)));
}

static void value_count(struct annotation *annotation, name_id name, const struct value_type *type)
{
    struct bytes text = names_bytes(annotation->model->names, name);
    annotation->values++;
    if (type->type == OPSHIFT_TYPE_UNDEFINED && type->other == NULL)
        annotation->untyped++;
    else if (type_is_complete(type))
        annotation->whole++;
    else if (type->rank < 0 && type->other == NULL)
        annotation->unranked++;
    if (type->rank < 0 && type->other == NULL)
        report_append(&annotation->unknown, report_string(text.data, text.size));
}

/* Nodes that cannot be computed, whose outputs have no inferred shapes. */
static enum opshift_status invalid_find(struct annotation *annotation)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < annotation->graph->node_count; i++) {
        const struct clash *clashes = NULL;
        size_t count;
        if (!types_clashed(annotation->types, annotation->graph, i))
            continue;
        arena_clear(annotation->arena);
        status = types_clashes(annotation->types, annotation->graph, i, annotation->arena, &clashes, &count,
                               annotation->error);
        const char *place = node_place(annotation->model, annotation->graph, &annotation->graph->nodes[i]);
        if (status == OPSHIFT_OK && count > 0)
            report_append(&annotation->invalid,
                          json_pack("{s:o, s:o}", "node", report_string(place, strlen(place)), "message",
                                    report_string(clashes[0].words, strlen(clashes[0].words))));
    }
    return status;
}

/* ---- values ---- */

/* The declaration in the file, with the sizes that the caller gives. */
static enum opshift_status declaration_read(struct annotation *annotation, const struct value_info *info,
                                            struct value_type *declared, struct value_type *given)
{
    struct opshift_model *model = annotation->model;
    enum opshift_status status = value_info_type(model, info, annotation->arena, declared, annotation->error);
    *given = *declared;
    if (status || annotation->types->given == NULL)
        return status;
    status = value_info_type(model, info, annotation->arena, given, annotation->error); /* a copy to change */
    if (status == OPSHIFT_OK && !given_apply(annotation->types->given, model, info, annotation->arena, given))
        status = opshift_no_memory(annotation->error);
    return status;
}

/* Compares a value info with the inferred type of its value. */
static enum opshift_status info_annotate(struct annotation *annotation, const struct value_info *info, uint32_t number)
{
    struct types *types = annotation->types;
    struct definition definition = scope_find(types->scopes, annotation->graph, info->name);
    uint32_t value = definition.number;
    struct value_type declared, given, result;
    if (value == 0 || (number != GRAPH_OUTPUT && definition.graph != annotation->graph))
        return OPSHIFT_OK;
    const struct value_type *found = result_type(types, value);
    arena_clear(annotation->arena);
    enum opshift_status status = declaration_read(annotation, info, &declared, &given);
    if (status)
        return status;
    bool given_input = number == GRAPH_INPUT && annotation->graph == annotation->model->main;
    if (annotation->plain && !given_input && type_is_same(result_type(annotation->plain, value), found))
        return OPSHIFT_OK;
    bool contradicted =
        !given_input && is_contradicted(&given, found, &types->results[value], definition.kind == DEFINED_NODE);
    if (given_input || contradicted)
        result = *found;
    else if (!type_complete(annotation->arena, &given, found, &result))
        return opshift_no_memory(annotation->error);
    if (!type_is_declarable(&result) || type_is_same(&declared, &result)) {
        annotation->fates[INFO_KEPT]++;
        return OPSHIFT_OK;
    }
    annotation->fates[contradicted ? INFO_REPLACED : INFO_COMPLETED]++;
    if (contradicted)
        note_replaced(annotation, info->name, &declared, found);
    return info_replace(annotation, info, number, &result);
}

static enum opshift_status infos_annotate(struct annotation *annotation, const struct value_info *infos, uint32_t count,
                                          uint32_t number)
{
    bool main_inputs = number == GRAPH_INPUT && annotation->graph->kind != GRAPH_SUB;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        if (!main_inputs ||
            (annotation->graph == annotation->model->main && given_changes(annotation->types->given, i)))
            status = info_annotate(annotation, &infos[i], number);
    return status;
}

static enum opshift_status nodes_annotate(struct annotation *annotation)
{
    struct types *types = annotation->types;
    const struct graph *graph = annotation->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; status == OPSHIFT_OK && k < graph->nodes[i].output_count; k++) {
            uint32_t number = output_number(types, graph, i, k);
            name_id name = node_outputs(&graph->nodes[i])[k];
            if (number == 0)
                continue;
            value_count(annotation, name, result_type(types, number));
            arena_clear(annotation->arena);
            if (types->results[number].declared == 0 && annotation->plain == NULL)
                status = info_add(annotation, name, result_type(types, number));
        }
    return status;
}

static enum opshift_status graph_annotate(struct annotation *annotation, struct graph *graph)
{
    annotation->graph = graph;
    annotation->added.size = 0;
    enum opshift_status status = infos_annotate(annotation, graph->inputs, graph->input_count, GRAPH_INPUT);
    if (status == OPSHIFT_OK)
        status = infos_annotate(annotation, graph->outputs, graph->output_count, GRAPH_OUTPUT);
    if (status == OPSHIFT_OK)
        status = infos_annotate(annotation, graph->values, graph->value_count, GRAPH_VALUE_INFO);
    if (status == OPSHIFT_OK)
        status = nodes_annotate(annotation);
    if (status == OPSHIFT_OK)
        status = invalid_find(annotation);
    return status ? status : infos_insert(annotation);
}

/* ---- the report ---- */

static void annotate_text(const json_t *root, struct buffer *out)
{
    static const char *const counts[] = {"values", "whole", "unranked", "added", "completed", "replaced", "kept"};
    json_int_t numbers[COUNT(counts)];
    const json_t *replaced = json_object_get(root, "contradictions"), *invalid = json_object_get(root, "invalid"),
                 *item;
    size_t at;
    for (size_t i = 0; i < COUNT(counts); i++)
        numbers[i] = json_integer_value(json_object_get(root, counts[i]));
    json_array_foreach(replaced, at, item)
    {
        buffer_print(out, "notice: value '%s': declared %s, inferred %s; replaced\n", report_text_of(item, "value"),
                     report_text_of(item, "declared"), report_text_of(item, "inferred"));
    }
    json_array_foreach(invalid, at, item)
    {
        buffer_print(out, "notice: %s: %s; no shape is inferred for its outputs\n", report_text_of(item, "node"),
                     report_text_of(item, "message"));
    }
    buffer_print(out,
                 "%s: %" JSON_INTEGER_FORMAT " values, %" JSON_INTEGER_FORMAT
                 " with a whole shape, %" JSON_INTEGER_FORMAT " without a rank; value infos: %" JSON_INTEGER_FORMAT
                 " added, %" JSON_INTEGER_FORMAT " completed, %" JSON_INTEGER_FORMAT " replaced, %" JSON_INTEGER_FORMAT
                 " kept\n",
                 report_text_of(root, "model"), numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5],
                 numbers[6]);
}

static enum opshift_status annotate_report(struct annotation *annotation, struct opshift_report **report)
{
    const struct opshift_model *model = annotation->model;
    const json_int_t *fates = annotation->fates;
    json_t *root = json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:O, s:O, s:O}", "kind", "infer",
                             "version", opshift_version(), "model", report_string(model->name, strlen(model->name)),
                             "values", annotation->values, "whole", annotation->whole, "unranked",
                             annotation->unranked + annotation->untyped, "untyped", annotation->untyped, "added",
                             fates[INFO_ADDED], "completed", fates[INFO_COMPLETED], "replaced", fates[INFO_REPLACED],
                             "kept", fates[INFO_KEPT], "contradictions", annotation->replaced, "unknown",
                             annotation->unknown, "invalid", annotation->invalid);
    *report = root ? report_new(root, annotate_text) : NULL;
    return *report ? OPSHIFT_OK : opshift_no_memory(annotation->error);
}

/* ---- the model ---- */

static enum opshift_status model_annotate(struct annotation *annotation, const struct opshift_infer_options *options)
{
    struct opshift_model *model = annotation->model;
    enum opshift_status status = types_give(annotation->types, options->given, annotation->error);
    if (status == OPSHIFT_OK)
        status = given_check(annotation->types, options->given, annotation->error);
    if (status == OPSHIFT_OK)
        status = types_all(annotation->types, annotation->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++) {
        if (model->graphs[i]->function == NULL)
            status = graph_annotate(annotation, model->graphs[i]);
        if (status == OPSHIFT_OK && options->progress &&
            !options->progress(options->progress_data, (double)(i + 1) / model->graph_count))
            status = opshift_fail(annotation->error, OPSHIFT_CANCELLED, "cancelled");
    }
    return status;
}

/* changed: only what follows from what is given is written, and counted; NULL: all is written. */
static enum opshift_status annotate(struct opshift_model *model, const struct opshift_infer_options *options,
                                    struct opshift_report **report, uint64_t *changed, struct opshift_error *error)
{
    struct annotation annotation = {.model = model, .error = error};
    struct scopes *scopes = NULL;
    annotation.arena = arena_new(model->limits.memory);
    annotation.replaced = json_array();
    annotation.unknown = json_array();
    annotation.invalid = json_array();
    enum opshift_status status = scopes_new(model, &scopes, error);
    if (status == OPSHIFT_OK)
        status = types_new(model, scopes, &annotation.types, error);
    if (status == OPSHIFT_OK && annotation.arena == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK && changed)
        status = types_new(model, scopes, &annotation.plain, error);
    if (status == OPSHIFT_OK && changed)
        status = types_all(annotation.plain, error);
    if (status == OPSHIFT_OK && options->freeze_initializers)
        types_freeze(annotation.types);
    if (status == OPSHIFT_OK)
        status = model_annotate(&annotation, options);
    if (status == OPSHIFT_OK && report)
        status = annotate_report(&annotation, report);
    status = limit_judge_memory(&model->limits, annotation.arena, status, "the inferred value infos", error);
    if (changed)
        *changed = (uint64_t)(annotation.fates[INFO_COMPLETED] + annotation.fates[INFO_REPLACED]);
    json_decref(annotation.replaced);
    json_decref(annotation.unknown);
    json_decref(annotation.invalid);
    buffer_free(&annotation.added);
    types_free(annotation.plain);
    types_free(annotation.types);
    scopes_free(scopes);
    arena_free(annotation.arena);
    return status;
}

enum opshift_status given_declare(struct opshift_model *model, const struct opshift_given *given, uint64_t *count,
                                  struct opshift_error *error)
{
    const struct opshift_infer_options options = {.given = given};
    return annotate(model, &options, NULL, count, error);
}

enum opshift_status opshift_infer(struct opshift_model *model, const struct opshift_infer_options *options,
                                  struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_infer_options full;
    if (report)
        *report = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status)
        return status;
    model_edits_clear(model);
    if (model->broken) /* parsers would reject it */
        status = error_give(error, model->broken->status, model->broken);
    else
        status = annotate(model, &full, report, NULL, error);
    if (status)
        model_edits_clear(model);
    return status ? opshift_within(error, status, "%.256s", model->name) : status;
}
