/* Below IR version 4 an initializer must be an input, too: adds those that are none. */
#include "convert/convert.h"
#include "convert/planner.h"

#include <inttypes.h>

#include "infer/declare.h"
#include "model/fields.h"
#include "wire/wire.h"

uint64_t inputs_place(const struct graph *graph)
{
    return graph->input_count ? range_end(graph->inputs[graph->input_count - 1].range)
                              : graph->message->offset + graph->message->size;
}

static bool input_add(const struct planner *planner, struct buffer *out, struct bytes name,
                      const struct value_type *type)
{
    Onnx__ValueInfoProto info = ONNX__VALUE_INFO_PROTO__INIT;
    info.has_name = 1;
    info.name = (ProtobufCBinaryData){name.size, (uint8_t *)(uintptr_t)name.data};
    bool good = type_declare(planner->plan->arena, planner->model, type, &info);
    if (good)
        wire_add_message(out, GRAPH_INPUT, &info.base);
    return good;
}

static bool is_removed(const struct conversion_plan *plan, const struct graph *graph, uint64_t record, size_t *at)
{
    const struct plan_removal *removals = (const struct plan_removal *)(const void *)plan->removals.data;
    size_t count = plan->removals.size / sizeof(*removals);
    while (*at < count && removals[*at].until <= record)
        ++*at;
    return *at < count && removals[*at].graph == graph && removals[*at].from <= record;
}

static enum opshift_status note_add(struct conversion_plan *plan, uint32_t count, struct opshift_error *error)
{
    const char *words = count == 1 ? "initializer becomes an input" : "initializers become inputs",
               *before = plan->ir_note;
    plan->ir_note = arena_print(plan->arena, "%u %s, too, as IR version %" PRId64 " requires%s%s", count, words,
                                plan->ir_version, before ? "; " : "", before ? before : "");
    return plan->ir_note ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status inputs_plan(struct planner *planner, struct opshift_error *error)
{
    struct conversion_plan *plan = planner->plan;
    struct graph *graph = planner->model->main;
    struct buffer records = {0};
    uint32_t count = 0;
    size_t removal = 0;
    enum opshift_status status = OPSHIFT_OK;
    if (plan->ir_version >= 4 || plan->ir_version == planner->model->ir_version)
        return OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        const struct initializer *initializer = &graph->initializers[i];
        struct value_type type;
        if (scope_is_input(planner->around.scopes, graph, initializer->name) ||
            is_removed(plan, graph, range_record(initializer->range), &removal))
            continue;
        status = types_find(planner->around.types, graph, initializer->name, &type, error);
        if (status == OPSHIFT_OK &&
            !input_add(planner, &records, names_bytes(planner->model->names, initializer->name), &type))
            status = opshift_no_memory(error);
        count++;
    }
    plan->inputs =
        (struct bytes){records.failed ? NULL : arena_copy(plan->arena, records.data, records.size), records.size};
    if (status == OPSHIFT_OK && plan->inputs.data == NULL)
        status = opshift_no_memory(error);
    buffer_free(&records);
    return status || count == 0 ? status : note_add(plan, count, error);
}
