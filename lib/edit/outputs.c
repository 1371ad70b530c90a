/* --output, --drop-output and --drop-unused. */
#include <inttypes.h>

#include "edit/keep.h"
#include "model/fields.h"

struct outputs {
    struct editing *editing;
    struct opshift_model *model;
    struct kept_view view;
    uint8_t *shown; /* by name_id: outputs */
    struct buffer added;
    struct opshift_error *error;
};

static enum opshift_status outputs_open(struct outputs *outputs)
{
    struct opshift_model *model = outputs->model = outputs->editing->model;
    enum opshift_status status = view_open(&outputs->view, outputs->editing, outputs->error);
    outputs->shown = arena_alloc(outputs->editing->arena, names_count(model->names) / 8 + UINT64_C(1), 1);
    if (status == OPSHIFT_OK && outputs->shown == NULL)
        return opshift_no_memory(outputs->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->main->output_count; i++)
        bit_set(outputs->shown, model->main->outputs[i].name);
    return status;
}

static void outputs_close(struct outputs *outputs)
{
    view_close(&outputs->view);
    buffer_free(&outputs->added);
}

static uint64_t outputs_place(const struct graph *graph)
{
    return graph->output_count ? range_end(graph->outputs[graph->output_count - 1].range)
                               : graph->message->offset + graph->message->size;
}

static enum opshift_status output_add(struct outputs *outputs, const char *text)
{
    struct opshift_model *model = outputs->model;
    const struct names *names = model->names;
    uint64_t count = 0;
    bool known;
    enum opshift_status status = OPSHIFT_OK;
    for (name_id i = 1; status == OPSHIFT_OK && i < names_count(names); i++) {
        struct bytes part;
        if (!bit_has(outputs->view.inside, i) || !edit_matches(text, names_bytes(names, i), &part))
            continue;
        count++;
        if (bit_has(outputs->shown, i) && strchr(text, '*'))
            continue;
        if (bit_has(outputs->shown, i))
            return opshift_fail(outputs->error, OPSHIFT_USAGE, "show-output '%.*s': it is an output already",
                                EDIT_NAME_MOST, text);
        bit_set(outputs->shown, i);
        status = value_record(model, outputs->view.types, model->main, i, GRAPH_OUTPUT, &outputs->added, &known,
                              outputs->error);
        if (status == OPSHIFT_OK)
            status = infos_remove(model, i, outputs->error); /* it is the output's now */
    }
    if (status == OPSHIFT_OK && count == 0)
        status =
            edit_no_such(outputs->editing, "show-output", text, "value", text, outputs->view.inside, outputs->error);
    return status ? status
                  : edit_tell(outputs->editing, "show-output", count, outputs->error, "'%.*s' is an output now",
                              EDIT_NAME_MOST, text);
}

static enum opshift_status outputs_add(struct editing *editing, struct opshift_error *error)
{
    struct outputs outputs = {.editing = editing, .error = error};
    size_t at = 0;
    enum opshift_status status = outputs_open(&outputs);
    for (const char *text; status == OPSHIFT_OK && (text = edit_next(editing, "show-output", &at)) != NULL;)
        status = output_add(&outputs, text);
    if (status == OPSHIFT_OK)
        status = model_edit(editing->model, editing->model->main->message, outputs_place(editing->model->main), 0,
                            (struct bytes){outputs.added.data, outputs.added.size}, error);
    outputs_close(&outputs);
    return status ? status : edit_settle(editing, error);
}

/* ---- --drop-output ---- */

static struct keep keep_of(const struct outputs *outputs, bool only_needed)
{
    return (struct keep){.model = outputs->model,
                         .scopes = outputs->view.scopes,
                         .arena = outputs->editing->arena,
                         .only_needed = only_needed};
}

/* drops: by name_id; NULL: none. */
static enum opshift_status keep_outputs(struct outputs *outputs, struct keep *keep, const uint8_t *drops)
{
    struct graph *graph = outputs->model->main;
    enum opshift_status status = keep_start(keep, outputs->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->output_count; i++)
        if (drops == NULL || !bit_has(drops, graph->outputs[i].name))
            status = keep_need(keep, graph, graph->outputs[i].name, outputs->error);
    return status ? status : keep_need_training(keep, outputs->error);
}

/* An output that a node still reads keeps its type as a value info. */
static enum opshift_status output_drop(struct outputs *outputs, const struct value_info *output,
                                       const struct keep *after)
{
    struct opshift_model *model = outputs->model;
    struct graph *graph = model->main;
    struct definition found = scope_find(outputs->view.scopes, graph, output->name);
    struct buffer record = {0};
    bool known;
    enum opshift_status status = range_remove(model, graph->message, output->range, outputs->error);
    if (status == OPSHIFT_OK && found.kind == DEFINED_NODE && bit_has(after->graphs[graph->number].nodes, found.index))
        status = value_record(model, outputs->view.types, graph, output->name, GRAPH_VALUE_INFO, &record, &known,
                              outputs->error);
    if (status == OPSHIFT_OK && record.size) {
        uint64_t place = graph->value_count ? range_end(graph->values[graph->value_count - 1].range)
                                            : graph->message->offset + graph->message->size;
        status = model_edit(model, graph->message, place, 0, (struct bytes){record.data, record.size}, outputs->error);
    }
    buffer_free(&record);
    return status;
}

static enum opshift_status drops_read(struct outputs *outputs, uint8_t *drops, uint64_t *count)
{
    const struct graph *graph = outputs->model->main;
    size_t at = 0;
    for (const char *text; (text = edit_next(outputs->editing, "drop-output", &at)) != NULL;) {
        uint64_t found = 0;
        for (uint32_t i = 0; i < graph->output_count; i++) {
            struct bytes part;
            if (!edit_matches(text, names_bytes(outputs->model->names, graph->outputs[i].name), &part))
                continue;
            found++;
            *count += !bit_has(drops, graph->outputs[i].name);
            bit_set(drops, graph->outputs[i].name);
        }
        if (found == 0)
            return edit_no_such(outputs->editing, "drop-output", text, "output", text, outputs->shown, outputs->error);
    }
    if (*count == graph->output_count)
        return opshift_fail(outputs->error, OPSHIFT_USAGE, "drop-output: a model needs an output; leave one");
    return OPSHIFT_OK;
}

/* A node that no output needed before stays, with what it reads. */
static enum opshift_status keep_idle(struct outputs *outputs, const struct keep *before, struct keep *after)
{
    struct graph *graph = outputs->model->main;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; status == OPSHIFT_OK && k < graph->nodes[i].output_count; k++)
            if (!bit_has(before->graphs[graph->number].nodes, i))
                status = keep_need(after, graph, node_outputs(&graph->nodes[i])[k], outputs->error);
    return status;
}

static enum opshift_status outputs_drop(struct editing *editing, struct opshift_error *error)
{
    struct outputs outputs = {.editing = editing, .error = error};
    struct keep_counts counts = {0};
    uint64_t count = 0;
    enum opshift_status status = outputs_open(&outputs);
    uint8_t *drops = arena_alloc(editing->arena, names_count(editing->model->names) / 8 + UINT64_C(1), 1);
    struct keep before = keep_of(&outputs, false), after = before;
    if (status == OPSHIFT_OK)
        status = drops ? drops_read(&outputs, drops, &count) : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = keep_outputs(&outputs, &before, NULL);
    if (status == OPSHIFT_OK)
        status = keep_outputs(&outputs, &after, drops);
    if (status == OPSHIFT_OK)
        status = keep_idle(&outputs, &before, &after);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < editing->model->main->output_count; i++)
        if (bit_has(drops, editing->model->main->outputs[i].name))
            status = output_drop(&outputs, &editing->model->main->outputs[i], &after);
    if (status == OPSHIFT_OK)
        status = keep_remove(&after, &before, &counts, error);
    outputs_close(&outputs);
    if (status == OPSHIFT_OK)
        status =
            edit_tell(editing, "drop-output", count, error, "%" PRIu64 " output%s, and what only %s needed: %s", count,
                      count == 1 ? "" : "s", count == 1 ? "it" : "they", keep_words(editing->arena, &counts));
    return status ? status : edit_settle(editing, error);
}

static enum opshift_status unused_drop(struct editing *editing, struct opshift_error *error)
{
    struct outputs outputs = {.editing = editing, .error = error};
    struct keep_counts counts = {0};
    enum opshift_status status = outputs_open(&outputs);
    struct keep keep = keep_of(&outputs, true);
    if (status == OPSHIFT_OK)
        status = keep_outputs(&outputs, &keep, NULL);
    if (status == OPSHIFT_OK)
        status = keep_remove(&keep, NULL, &counts, error);
    outputs_close(&outputs);
    uint64_t count = counts.nodes + counts.initializers + counts.functions + counts.infos + counts.imports;
    return status || count == 0
               ? status
               : edit_tell(editing, "drop-unused", count, error, "%s", keep_words(editing->arena, &counts));
}

enum opshift_status outputs_edit(struct editing *editing, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (edit_has(editing, "show-output"))
        status = outputs_add(editing, error);
    if (status == OPSHIFT_OK && edit_has(editing, "drop-output"))
        status = outputs_drop(editing, error);
    if (status == OPSHIFT_OK && edit_has(editing, "drop-unused"))
        status = unused_drop(editing, error);
    return status;
}
