/* The pass over a file that builds a model's index: ranges of messages, and the fields that are used often. Payloads
 * are skipped. The depth of everything that protobuf-c decodes later is checked here. */
#include "model/scan.h"

#include <stdlib.h>

#include "model/limits.h"
#include "model/scan_part.h"

#define IMPORTS_MAX 1000u /* they are searched for each node */
#define SMALL_GRAPH 1024u /* bytes of its arrays */

/* ---- graphs --------------------------------------------------------------------------------------------------- */

static enum opshift_status graph_add(struct scan *scan, struct graph *parent, enum graph_kind kind,
                                     struct message *message, struct graph **made)
{
    struct opshift_model *model = scan->model;
    struct graph **slot;
    enum opshift_status status = scan_take(scan, 1, sizeof **made, made);
    if (status == OPSHIFT_OK)
        status = scan_array_add(scan, &model->graphs, &model->graph_count, sizeof *slot, &slot);
    if (status)
        return status;
    *slot = *made;
    **made = (struct graph){.kind = kind,
                            .message = message,
                            .parent = parent,
                            .function = parent ? parent->function : NULL,
                            .number = model->graph_count - 1};
    return OPSHIFT_OK;
}

/* Moves the arrays of a small graph into the arena; shrinks those of a large graph to their size. */
static void graph_finish(struct scan *scan, struct graph *graph)
{
    /* Nodes come last: their size is no multiple of the alignment of the others. */
    const struct scan_array arrays[] = {
        {&graph->initializers, graph->initializer_count, sizeof *graph->initializers},
        {&graph->inputs, graph->input_count, sizeof *graph->inputs},
        {&graph->outputs, graph->output_count, sizeof *graph->outputs},
        {&graph->values, graph->value_count, sizeof *graph->values},
        {&graph->nodes, graph->node_count, sizeof *graph->nodes},
    };
    uint64_t size = 0;
    for (size_t i = 0; i < COUNT(arrays); i++)
        size += (uint64_t)arrays[i].count * arrays[i].size;
    uint8_t *to = size > 0 && size <= SMALL_GRAPH ? arena_alloc(scan->model->arena, (size_t)size, 1) : NULL;
    graph->is_small = to != NULL;
    for (size_t i = 0; i < COUNT(arrays); i++) {
        if (arrays[i].count > 0 && to == NULL)
            scan_array_trim(&arrays[i]);
        else if (arrays[i].count > 0)
            to = scan_array_move(scan, &arrays[i], to);
    }
}

static enum opshift_status scan_graph_field(struct scan *scan, struct scan_place *spot, struct graph *graph)
{
    switch (spot->field.number) {
    case 1:
        return scan_node(scan, spot, graph);
    case 2:
        return scan_name(scan, &spot->field, &graph->name);
    case 5:
    case 15:
        return scan_initializer(scan, spot, graph);
    case 11:
        return scan_value(scan, spot, &graph->inputs, &graph->input_count);
    case 12:
        return scan_value(scan, spot, &graph->outputs, &graph->output_count);
    case 13:
        return scan_value(scan, spot, &graph->values, &graph->value_count);
    case 14: /* quantization_annotation */
        scan->model->names_outside = true;
        return OPSHIFT_OK;
    default:
        return OPSHIFT_OK;
    }
}

/* Prefetches the entries in the table of names for the outputs of the next node, or for the next value info, so that
 * looking them up does not wait for memory. Records outside the window, or of an unusual form, are left out. */
static void names_ahead(const struct scan *scan, const struct wire_cursor *cursor)
{
    const struct source *source = cursor->source;
    uint64_t within = cursor->at - source->window_offset;
    if (within >= source->window_size)
        return;
    size_t size;
    const uint8_t *record = source->window + within, *last = source->window + source->window_size, *data;
    const uint8_t *at = wire_short_bytes(record, last, &size);
    if (at == NULL)
        return;
    /* In a node, outputs (2) follow the inputs (1), most of which were outputs just before. */
    unsigned wanted = *record >> 3 == 1 ? 2 : 1;
    for (last = at + size; (data = wire_short_bytes(at, last, &size)) != NULL && *at >> 3 <= wanted; at = data + size)
        if (*at >> 3 == wanted)
            names_expect(scan->model->names, data, size);
}

enum opshift_status scan_graph(struct scan *scan, const struct wire_field *field, struct message *around,
                               struct graph *parent, enum graph_kind kind, uint32_t depth, struct graph **made)
{
    struct message *message;
    enum opshift_status status = scan_message_add(scan, around, field, &message);
    if (status == OPSHIFT_OK)
        status = graph_add(scan, parent, kind, message, made);
    if (status)
        return status;
    struct scan_place spot = scan_spot(scan, &onnx__graph_proto__descriptor, field->offset, field->size, depth);
    spot.parts = SCAN_PART(1) | SCAN_PART(5) | SCAN_PART(11) | SCAN_PART(12) | SCAN_PART(13) | SCAN_PART(15);
    for (bool found;;) {
        status = scan_next(scan, &spot, &found);
        if (status == OPSHIFT_OK && found) {
            names_ahead(scan, &spot.cursor);
            status = scan_graph_field(scan, &spot, *made);
        }
        if (status || !found)
            break;
    }
    graph_finish(scan, *made);
    return status;
}

/* ---- opset imports, functions, training ----------------------------------------------------------------------- */

static enum opshift_status scan_import(struct scan *scan, const struct scan_place *around,
                                       struct opset_import **imports, uint32_t *count)
{
    struct opset_import *import;
    if (*count == IMPORTS_MAX)
        return opshift_fail_at(scan->error, OPSHIFT_UNSUPPORTED, OPSHIFT_FAULT_IMPORTS, ERROR_WHOLE_FILE,
                               "more than %u opset imports", IMPORTS_MAX);
    enum opshift_status status = scan_array_add(scan, imports, count, sizeof *import, &import);
    if (status)
        return status;
    import->range = range_of(&around->field);
    struct scan_place spot = scan_spot(scan, &onnx__operator_set_id_proto__descriptor, range_offset(import->range),
                                       range_size(import->range), around->depth + 1);
    for (bool found;;) {
        status = scan_next(scan, &spot, &found);
        if (status || !found)
            return status;
        if (spot.field.number == 1)
            status = scan_domain(scan, &spot.field, &import->domain);
        else if (spot.field.number == 2)
            import->version = import->stamped = (int64_t)spot.field.value;
        if (status)
            return status;
    }
}

/* A function's inputs and outputs are names only. */
static enum opshift_status add_bare_value(struct scan *scan, const struct wire_field *field, struct value_info **values,
                                          uint32_t *count)
{
    struct value_info *value;
    enum opshift_status status = scan_array_add(scan, values, count, sizeof *value, &value);
    return status ? status : scan_name(scan, field, &value->name);
}

static enum opshift_status add_default(struct scan *scan, const struct scan_place *spot, struct function *function)
{
    struct range *range;
    enum opshift_status status =
        scan_array_add(scan, &function->defaults, &function->default_count, sizeof *range, &range);
    if (status)
        return status;
    *range = range_of(&spot->field);
    struct owner nobody = {0};
    return scan_attribute(scan, spot, &nobody);
}

static enum opshift_status add_parameter(struct scan *scan, const struct wire_field *field, struct function *function)
{
    name_id *name;
    enum opshift_status status =
        scan_array_add(scan, &function->attributes, &function->attribute_count, sizeof *name, &name);
    return status ? status : scan_name(scan, field, name);
}

static enum opshift_status scan_function_field(struct scan *scan, struct scan_place *spot, struct function *function)
{
    struct graph *body = function->body;
    switch (spot->field.number) {
    case 1:
        return scan_name(scan, &spot->field, &function->name);
    case 4:
        return add_bare_value(scan, &spot->field, &body->inputs, &body->input_count);
    case 5:
        return add_bare_value(scan, &spot->field, &body->outputs, &body->output_count);
    case 6:
        return add_parameter(scan, &spot->field, function);
    case 7:
        return scan_node(scan, spot, body);
    case 9:
        return scan_import(scan, spot, &function->imports, &function->import_count);
    case 10:
        return scan_domain(scan, &spot->field, &function->domain);
    case 11:
        return add_default(scan, spot, function);
    case 12:
        return scan_value(scan, spot, &body->values, &body->value_count);
    case 13:
        return scan_name(scan, &spot->field, &function->overload);
    default:
        return OPSHIFT_OK;
    }
}

static enum opshift_status scan_function(struct scan *scan, const struct wire_field *field, struct function *function)
{
    enum opshift_status status = scan_message_add(scan, scan->model->message, field, &function->message);
    if (status == OPSHIFT_OK)
        status = graph_add(scan, NULL, GRAPH_FUNCTION, function->message, &function->body);
    if (status)
        return status;
    function->body->function = function;
    struct scan_place spot = scan_spot(scan, &onnx__function_proto__descriptor, field->offset, field->size, 1);
    spot.parts = SCAN_PART(7) | SCAN_PART(9) | SCAN_PART(11) | SCAN_PART(12);
    for (bool found;;) {
        status = scan_next(scan, &spot, &found);
        if (status == OPSHIFT_OK && found)
            status = scan_function_field(scan, &spot, function);
        if (status || !found)
            break;
    }
    function->body->name = function->name;
    graph_finish(scan, function->body);
    if (status && function->name != NAME_NONE)
        opshift_within(scan->error, status, "function '%.80s'", names_text(scan->model->names, function->name));
    return status;
}

/* TrainingInfoProto: two graphs in the scope of the main graph. */
static enum opshift_status scan_training(struct scan *scan, const struct wire_field *field)
{
    struct message *message;
    enum opshift_status status = scan_message_add(scan, scan->model->message, field, &message);
    if (status)
        return status;
    struct scan_place spot = scan_spot(scan, &onnx__training_info_proto__descriptor, field->offset, field->size, 1);
    spot.parts = SCAN_PART(1) | SCAN_PART(2);
    for (bool found;;) {
        status = scan_next(scan, &spot, &found);
        if (status || !found)
            return status;
        struct graph *graph;
        if (spot.field.number == 1 || spot.field.number == 2)
            status = scan_graph(scan, &spot.field, message, scan->model->main, GRAPH_TRAINING, spot.depth + 1, &graph);
        if (status)
            return opshift_within(scan->error, status, "training graph");
    }
}

/* ---- the model ------------------------------------------------------------------------------------------------ */

/* Result of a first pass over the top-level fields, whose order is arbitrary: the index has main first. */
struct outline {
    struct wire_field graph;
    bool has_graph;
    struct stack training, functions; /* struct wire_field */
};

static enum opshift_status scan_graph_place(struct scan *scan, const struct wire_field *field, struct outline *outline)
{
    if (outline->has_graph)
        return opshift_fail_at(scan->error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_TWO_GRAPHS, field->record,
                               "ModelProto.graph is given twice; it is not known which one counts");
    outline->has_graph = true;
    outline->graph = *field;
    return OPSHIFT_OK;
}

static enum opshift_status scan_function_place(struct scan *scan, struct scan_place *spot, struct outline *outline)
{
    uint64_t most = scan->model->limits.functions;
    if (outline->functions.count >= most)
        return limit_exceeded(scan->error, spot->field.record, "functions", most, "functions");
    return scan_stack_push(scan, &outline->functions, &spot->field, sizeof spot->field);
}

static enum opshift_status scan_model_field(struct scan *scan, struct scan_place *spot, struct outline *outline)
{
    struct opshift_model *model = scan->model;
    switch (spot->field.number) {
    case 1:
        model->ir_version = (int64_t)spot->field.value;
        model->ir_range = range_of(&spot->field);
        return OPSHIFT_OK;
    case 7:
        return scan_graph_place(scan, &spot->field, outline);
    case 8:
        return scan_import(scan, spot, &model->imports, &model->import_count);
    case 20:
        model->names_outside = true;
        return scan_stack_push(scan, &outline->training, &spot->field, sizeof spot->field);
    case 25:
        return scan_function_place(scan, spot, outline);
    default:
        return OPSHIFT_OK;
    }
}

static enum opshift_status scan_outline(struct scan *scan, struct outline *outline)
{
    struct opshift_model *model = scan->model;
    struct wire_field whole = {.size = source_size(model->source)};
    enum opshift_status status = scan_message_add(scan, NULL, &whole, &model->message);
    if (status)
        return status;
    struct scan_place spot = scan_spot(scan, &onnx__model_proto__descriptor, 0, whole.size, 0);
    spot.parts = SCAN_PART(7) | SCAN_PART(8) | SCAN_PART(20) | SCAN_PART(25);
    for (bool found;;) {
        status = scan_next(scan, &spot, &found);
        if (status == OPSHIFT_OK && found)
            status = scan_model_field(scan, &spot, outline);
        if (status || !found)
            break;
    }
    if (status == OPSHIFT_OK && !outline->has_graph)
        return opshift_fail_at(scan->error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_NO_GRAPH, ERROR_WHOLE_FILE,
                               "no graph in it; it is no ONNX model, or cut short");
    return status;
}

static enum opshift_status scan_functions(struct scan *scan, const struct stack *functions)
{
    struct opshift_model *model = scan->model;
    enum opshift_status status = scan_take(scan, functions->count, sizeof *model->functions, &model->functions);
    const struct wire_field *fields = functions->items;
    for (size_t i = 0; status == OPSHIFT_OK && i < functions->count; i++) {
        model->function_count++;
        status = scan_function(scan, &fields[i], &model->functions[i]);
    }
    return status;
}

static enum opshift_status scan_parts(struct scan *scan, const struct outline *outline)
{
    struct opshift_model *model = scan->model;
    const struct wire_field *training = outline->training.items;
    enum opshift_status status = scan_graph(scan, &outline->graph, model->message, NULL, GRAPH_MAIN, 1, &model->main);
    for (size_t i = 0; status == OPSHIFT_OK && i < outline->training.count; i++)
        status = scan_training(scan, &training[i]);
    return status ? status : scan_functions(scan, &outline->functions);
}

enum opshift_status model_scan(struct opshift_model *model, struct opshift_error *error)
{
    struct opshift_error words; /* a broken field's, too */
    struct scan scan = {.model = model, .error = error ? error : &words};
    struct outline outline = {0};
    if (source_size(model->source) > RANGE_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "is larger than %" PRIu64 " TiB; move its weights to external data", (RANGE_MAX + 1) >> 40);
    enum opshift_status status = scan_outline(&scan, &outline);
    if (status == OPSHIFT_OK)
        status = scan_parts(&scan, &outline);
    scan_spares_free(&scan);
    struct stack *stacks[] = {&scan.inputs, &scan.outputs,     &scan.subgraphs,
                              &scan.dims,   &outline.training, &outline.functions};
    for (size_t i = 0; i < COUNT(stacks); i++)
        free(stacks[i]->items);
    return status;
}
