/* --ir-inputs: initializers as inputs, as IR version 3 requires, and back. */
#include <inttypes.h>
#include <string.h>

#include "convert/convert.h"
#include "edit/keep.h"
#include "model/fields.h"
#include "wire/wire.h"

#define STEP "ir-inputs"

static enum opshift_status inputs_add(struct editing *editing, const struct kept_view *view, uint64_t *count,
                                      struct opshift_error *error)
{
    struct opshift_model *model = editing->model;
    struct graph *graph = model->main;
    struct buffer added = {0};
    bool known;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        name_id name = graph->initializers[i].name;
        if (scope_is_input(view->scopes, graph, name))
            continue;
        status = value_record(model, view->types, graph, name, GRAPH_INPUT, &added, &known, error);
        ++*count;
    }
    if (status == OPSHIFT_OK)
        status =
            model_edit(model, graph->message, inputs_place(graph), 0, (struct bytes){added.data, added.size}, error);
    buffer_free(&added);
    return status;
}

enum opshift_status ir_version_set(struct opshift_model *model, int64_t version, struct opshift_error *error)
{
    struct buffer record = {0};
    wire_add_int(&record, MODEL_IR_VERSION, (uint64_t)version);
    uint64_t size = model->ir_version
                        ? range_offset(model->ir_range) + range_size(model->ir_range) - range_record(model->ir_range)
                        : 0;
    enum opshift_status status = record.failed
                                     ? opshift_no_memory(error)
                                     : model_edit(model, model->message, size ? range_record(model->ir_range) : 0, size,
                                                  (struct bytes){record.data, record.size}, error);
    buffer_free(&record);
    return status;
}

static enum opshift_status inputs_remove(struct editing *editing, const struct kept_view *view, uint64_t *count,
                                         struct opshift_error *error)
{
    struct opshift_model *model = editing->model;
    const struct graph *graph = model->main;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->input_count; i++) {
        if (scope_find(view->scopes, model->main, graph->inputs[i].name).kind != DEFINED_INITIALIZER)
            continue;
        status = range_remove(model, graph->message, graph->inputs[i].range, error);
        ++*count;
    }
    return status == OPSHIFT_OK && model->ir_version < 4 ? ir_version_set(model, 4, error) : status;
}

enum opshift_status inputs_edit(struct editing *editing, struct opshift_error *error)
{
    struct kept_view view = {0};
    size_t at = 0;
    uint64_t count = 0;
    bool raises = editing->model->ir_version < 4;
    const char *how = edit_next(editing, STEP, &at);
    bool adds = strcmp(how, "add") == 0;
    if (!adds && strcmp(how, "remove") != 0)
        return opshift_fail(error, OPSHIFT_USAGE, STEP " '%.80s': must be add or remove", how);
    enum opshift_status status = view_open(&view, editing, error);
    if (status == OPSHIFT_OK)
        status = adds ? inputs_add(editing, &view, &count, error) : inputs_remove(editing, &view, &count, error);
    view_close(&view);
    if (status || (count == 0 && (adds || !raises)))
        return status;
    return edit_tell(editing, STEP, count, error, "%" PRIu64 " initializer%s %s%s", count, count == 1 ? "" : "s",
                     adds         ? count == 1 ? "is an input, too" : "are inputs, too"
                     : count == 1 ? "is no input any more"
                                  : "are no inputs any more",
                     !adds && raises ? "; the IR version is 4 now, which allows that" : "");
}
