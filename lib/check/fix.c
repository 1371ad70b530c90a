/* Creates the edits of fixes: when a nested record changes, the lengths of the enclosing messages change too. */
#include "check/fix.h"
#include "model/fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "wire/wire.h"

/* Maximum nesting from the subject's message to a record; ONNX messages without graphs are less deep. */
#define STEPS_MAX 32u
/* Maximum size of records that are compared or copied, as they are loaded whole. */
#define TWIN_MAX (1u << 20)

struct message_path {
    struct wire_field steps[STEPS_MAX];
    size_t count;
};

/* ---- changed records ---- */

static const ProtobufCMessageDescriptor *kind_of(const struct graph *graph)
{
    if (graph == NULL)
        return &onnx__model_proto__descriptor;
    return graph->kind == GRAPH_FUNCTION ? &onnx__function_proto__descriptor : &onnx__graph_proto__descriptor;
}

static struct message *message_of(struct checking *checking, const struct graph *graph)
{
    return graph ? graph->message : checking->model->message;
}

static enum opshift_status touch(struct checking *checking, const struct graph *graph, uint64_t record, uint64_t size,
                                 struct opshift_error *error)
{
    struct fixing *fixing = checking->fixing;
    if (fixing->count && fixing->list[fixing->count - 1].record == record &&
        fixing->list[fixing->count - 1].size == size)
        return OPSHIFT_OK;
    if (!list_grow(&fixing->list, fixing->count, &fixing->room, sizeof(*fixing->list)))
        return opshift_no_memory(error);
    fixing->list[fixing->count++] = (struct touched){kind_of(graph), message_of(checking, graph), record, size};
    return OPSHIFT_OK;
}

int fixing_order(const void *a, const void *b)
{
    const struct touched *one = a, *other = b;
    if (one->record != other->record)
        return one->record < other->record ? -1 : 1;
    return (one->size > 0) - (other->size > 0);
}

void fixing_sort(struct fixing *fixing)
{
    qsort(fixing->list, fixing->count, sizeof(*fixing->list), fixing_order);
}

/* ---- edits ---- */

static struct message *subject_message(struct checking *checking, const struct finding *finding)
{
    return finding->node ? node_message(checking->model, finding->graph, finding->node)
                         : message_of(checking, finding->graph);
}

/* added may be NULL. */
static enum opshift_status edit(struct checking *checking, struct message *parent, uint64_t offset, uint64_t removed,
                                struct buffer *added, struct opshift_error *error)
{
    struct bytes bytes = added ? (struct bytes){added->data, added->size} : (struct bytes){0};
    enum opshift_status status = parent == NULL || (added && added->failed)
                                     ? opshift_no_memory(error)
                                     : model_edit(checking->model, parent, offset, removed, bytes, error);
    if (added)
        buffer_free(added);
    return status;
}

enum opshift_status fix_remove(struct checking *checking, const struct finding *finding, struct range range,
                               struct opshift_error *error)
{
    uint64_t size = range_length(range);
    enum opshift_status status = touch(checking, finding->graph, range_record(range), size, error);
    return status ? status
                  : edit(checking, message_of(checking, finding->graph), range_record(range), size, NULL, error);
}

enum opshift_status fix_insert(struct checking *checking, struct graph *graph, uint64_t offset, struct buffer *records,
                               struct opshift_error *error)
{
    enum opshift_status status = touch(checking, graph, offset, 0, error);
    if (status == OPSHIFT_OK)
        return edit(checking, message_of(checking, graph), offset, 0, records, error);
    buffer_free(records);
    return status;
}

/* ---- records inside records ---- */

static int range_order(const void *a, const void *b)
{
    const uint64_t *offset = a;
    const struct value_info *value = b;
    if (*offset < range_record(value->range))
        return -1;
    return *offset >= range_end(value->range);
}

/* Start of the value that contains a byte, from the index; 0: unknown. */
static uint64_t value_start(const struct finding *finding, uint64_t offset)
{
    const struct graph *graph = finding->graph;
    if (finding->node || graph == NULL || graph->kind == GRAPH_FUNCTION)
        return 0;
    const struct {
        const struct value_info *list;
        uint32_t count;
    } lists[] = {{graph->values, graph->value_count},
                 {graph->inputs, graph->input_count},
                 {graph->outputs, graph->output_count}};
    for (size_t i = 0; i < COUNT(lists); i++) {
        const struct value_info *found =
            lists[i].count ? bsearch(&offset, lists[i].list, lists[i].count, sizeof(*lists[i].list), range_order)
                           : NULL;
        if (found)
            return range_record(found->range);
    }
    return 0;
}

/* Where the last search in the finding's message stopped; its start for the first search. */
static struct passed *passed_find(struct checking *checking, const struct finding *finding,
                                  const struct message *message, uint64_t offset)
{
    size_t depth = 0;
    for (const struct graph *graph = finding->graph; graph && graph->parent && depth + 1 < PASSED_DEPTHS; depth++)
        graph = graph->parent;
    struct passed *passed = &checking->fixing->passed[finding->node != NULL][depth];
    if (passed->message != message || passed->at > offset)
        *passed = (struct passed){message, message->offset};
    return passed;
}

/* The messages inside the subject's that contain a record, outermost first. */
static enum opshift_status path_find(struct checking *checking, const struct finding *finding, struct range range,
                                     struct message_path *path, struct opshift_error *error)
{
    const struct message *message = subject_message(checking, finding);
    if (message == NULL)
        return opshift_no_memory(error);
    uint64_t start = value_start(finding, range_record(range)), wanted = range_end(range);
    struct passed *passed = start ? NULL : passed_find(checking, finding, message, range_record(range));
    struct wire_cursor cursor = {checking->model->source, passed ? passed->at : start, message->offset + message->size};
    path->count = 0;
    for (bool found = true; found && cursor.at < range_record(range);) {
        struct wire_field field;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return status;
        if (found && passed && path->count == 0)
            passed->at = field.record;
        if (!found || field.type != WIRE_BYTES || range_record(range) < field.offset ||
            wanted > field.offset + field.size)
            continue;
        if (path->count == STEPS_MAX)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "messages are nested too deeply to be fixed");
        path->steps[path->count++] = field;
        cursor.at = field.offset;
        cursor.end = field.offset + field.size;
    }
    return OPSHIFT_OK;
}

/* Updates the lengths of the enclosing messages, innermost first, when their content grows. */
static enum opshift_status lengths_follow(struct checking *checking, struct message *parent,
                                          const struct message_path *path, int64_t growth, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = path->count; status == OPSHIFT_OK && growth && i-- > 0;) {
        const struct wire_field *field = &path->steps[i];
        size_t header = (size_t)(field->offset - field->record), tag = 0;
        const uint8_t *bytes;
        status = source_view(checking->model->source, field->record, header, &bytes, error);
        if (status)
            return status;
        while (tag + 1 < header && bytes[tag] >= 0x80)
            tag++;
        tag++;
        struct buffer length = {0};
        wire_add_varint(&length, (uint64_t)((int64_t)field->size + growth));
        growth += (int64_t)length.size - (int64_t)(header - tag);
        status = edit(checking, parent, field->record + tag, header - tag, &length, error);
    }
    return status;
}

/* Records which part of the graph changes: the node, or the first message on the path. */
static enum opshift_status touch_whole(struct checking *checking, const struct finding *finding,
                                       const struct message_path *path, struct range range, struct opshift_error *error)
{
    struct range whole = range;
    if (finding->node)
        whole = finding->node->range;
    else if (path->count) /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): count counts steps that are set. */
        whole = range_make(path->steps[0].record, path->steps[0].offset, path->steps[0].size);
    return touch(checking, finding->graph, range_record(whole), range_length(whole), error);
}

static enum opshift_status change(struct checking *checking, const struct finding *finding,
                                  const struct message_path *path, struct range range, struct buffer *added,
                                  struct opshift_error *error)
{
    struct message *parent = subject_message(checking, finding);
    uint64_t removed = range_length(range);
    int64_t growth = (added ? (int64_t)added->size : 0) - (int64_t)removed;
    enum opshift_status status = touch_whole(checking, finding, path, range, error);
    if (status) {
        if (added)
            buffer_free(added);
        return status;
    }
    status = edit(checking, parent, range_record(range), removed, added, error);
    return status ? status : lengths_follow(checking, parent, path, growth, error);
}

enum opshift_status fix_remove_inside(struct checking *checking, const struct finding *finding, struct range range,
                                      struct opshift_error *error)
{
    struct message_path path;
    enum opshift_status status = path_find(checking, finding, range, &path, error);
    return status ? status : change(checking, finding, &path, range, NULL, error);
}

enum opshift_status fix_append(struct checking *checking, const struct finding *finding, struct range message,
                               struct buffer *bytes, struct opshift_error *error)
{
    struct message_path path;
    enum opshift_status status = path_find(checking, finding, message, &path, error);
    if (status == OPSHIFT_OK && path.count == STEPS_MAX)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "messages are nested too deeply to be fixed");
    if (status) {
        buffer_free(bytes);
        return status;
    }
    uint64_t end = range_end(message);
    struct wire_cursor cursor = {checking->model->source, range_record(message), end};
    bool found;
    status = wire_next(&cursor, &path.steps[path.count++], &found, error);
    if (status == OPSHIFT_OK)
        return change(checking, finding, &path, range_make(end, end, 0), bytes, error);
    buffer_free(bytes);
    return status;
}

enum opshift_status fix_around(struct checking *checking, const struct finding *finding, struct range range,
                               struct range *around, struct opshift_error *error)
{
    struct message_path path;
    enum opshift_status status = path_find(checking, finding, range, &path, error);
    *around = (struct range){0};
    if (status == OPSHIFT_OK && path.count) {
        const struct wire_field *last = &path.steps[path.count - 1];
        *around = range_make(last->record, last->offset, last->size);
    }
    return status;
}

enum opshift_status fix_is_same(struct checking *checking, struct range one, struct range other, bool *same,
                                struct opshift_error *error)
{
    *same = false;
    if (range_size(one) != range_size(other) || range_size(one) > TWIN_MAX)
        return OPSHIFT_OK;
    uint8_t *first = malloc((size_t)range_size(one) + 1), *second = malloc((size_t)range_size(one) + 1);
    enum opshift_status status = first && second ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = source_read(checking->model->source, range_offset(one), first, (size_t)range_size(one), error);
    if (status == OPSHIFT_OK)
        status = source_read(checking->model->source, range_offset(other), second, (size_t)range_size(one), error);
    *same = status == OPSHIFT_OK && memcmp(first, second, (size_t)range_size(one)) == 0;
    free(first);
    free(second);
    return status;
}

enum opshift_status fix_has_copy(struct checking *checking, const struct finding *finding, struct range range,
                                 bool *copied, struct opshift_error *error)
{
    const struct message *message = subject_message(checking, finding);
    struct range around;
    struct wire_field field, own;
    bool found = true;
    *copied = false;
    enum opshift_status status = fix_around(checking, finding, range, &around, error);
    struct wire_cursor here = {checking->model->source, range_record(range), range_end(range)};
    if (status == OPSHIFT_OK)
        status = wire_next(&here, &own, &found, error);
    if (status || message == NULL)
        return status ? status : opshift_no_memory(error);
    struct wire_cursor cursor = {checking->model->source, range_size(around) ? range_offset(around) : message->offset,
                                 range_record(range)};
    while (found && !*copied) {
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found && field.number == own.number && field.type == own.type)
            status = fix_is_same(checking, range_make(field.record, field.offset, field.size), range, copied, error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

/* ---- nodes ---- */

enum opshift_status fix_node(struct checking *checking, const struct finding *finding, struct range range,
                             struct buffer *records, struct opshift_error *error)
{
    return change(checking, finding, &(struct message_path){0}, range, records, error);
}

enum opshift_status fix_node_field(struct checking *checking, const struct finding *finding, uint32_t number,
                                   uint32_t position, struct buffer *records, struct opshift_error *error)
{
    struct range node = finding->node->range;
    struct wire_cursor cursor = {checking->model->source, range_offset(node), range_end(node)};
    uint64_t behind = range_offset(node);
    uint32_t seen = 0;
    struct node_field *last = &checking->fixing->field;
    bool same = last->end > 0 && last->node == range_record(node) && last->number == number;
    if (same && last->missing && last->position == position)
        return fix_node(checking, finding, range_make(last->end, last->end, 0), records, error);
    if (same && !last->missing && last->position < position) {
        cursor.at = behind = last->end;
        seen = last->position + 1;
    }
    for (bool found = true; found;) {
        struct wire_field field;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status) {
            if (records)
                buffer_free(records);
            return status;
        }
        if (!found || field.number > number)
            continue;
        behind = field.offset + field.size;
        if (field.number != number || seen++ != position)
            continue;
        *last = (struct node_field){range_record(node), behind, number, position, false};
        return fix_node(checking, finding, range_make(field.record, field.offset, field.size), records, error);
    }
    *last = (struct node_field){range_record(node), behind, number, position, true};
    return fix_node(checking, finding, range_make(behind, behind, 0), records, error);
}

/* ---- additions ---- */

name_id fix_fresh(struct checking *checking, const struct node *node, const char *suffix)
{
    name_id base = node_name(checking->model, node);
    if (base == NAME_NO_MEMORY)
        return base;
    for (uint32_t i = 0; i < node->output_count && base == NAME_NONE; i++)
        base = node_outputs(node)[i];
    struct bytes bytes = names_bytes(checking->model->names, base);
    struct buffer stem = {0};
    if (bytes.size <= SCOPE_STEM_MAX)
        buffer_add(&stem, bytes.data, bytes.size);
    if (stem.size)
        buffer_add_byte(&stem, '_');
    buffer_add_text(&stem, suffix);
    name_id name = stem.failed ? NAME_NO_MEMORY : scope_fresh(checking->scopes, (const char *)stem.data, stem.size);
    buffer_free(&stem);
    return name;
}

/* Constant <value = tensor> as a record of the graph. */
static void add_constant(struct buffer *records, const struct graph *graph, struct bytes name,
                         Onnx__TensorProto *tensor)
{
    Onnx__AttributeProto attribute = ONNX__ATTRIBUTE_PROTO__INIT;
    attribute.has_name = attribute.has_type = 1;
    attribute.name = (ProtobufCBinaryData){5, (uint8_t *)(uintptr_t) "value"};
    attribute.type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR;
    attribute.t = tensor;
    node_record_add(records, graph, "Constant", (struct bytes){0}, name, &attribute);
}

/* *name: of the new value. */
static enum opshift_status add_ints(struct checking *checking, const struct finding *finding, const int64_t *ints,
                                    size_t count, const char *suffix, name_id *name, struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    struct graph *graph = finding->graph;
    /* Functions have no initializers, and before IR 4 each initializer must be an input too. */
    bool wants_node = graph->function || (model->ir_version > 0 && model->ir_version < 4);
    struct tensor *tensor = tensor_from_int64(checking->scratch, ints, count);
    *name = fix_fresh(checking, finding->node, suffix);
    if (tensor == NULL || *name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    struct bytes text = names_bytes(model->names, *name);
    Onnx__TensorProto *message = tensor_encode(checking->scratch, tensor, wants_node ? (struct bytes){0} : text);
    struct buffer records = {0};
    if (message == NULL)
        return opshift_no_memory(error);
    if (wants_node)
        add_constant(&records, graph, text, message);
    else
        wire_add_message(&records, GRAPH_INITIALIZER, &message->base);
    uint64_t place = wants_node ? range_record(finding->node->range) : initializer_place(graph);
    return fix_insert(checking, graph, place, &records, error);
}

enum opshift_status fix_ints_to_input(struct checking *checking, const struct finding *finding, struct range attribute,
                                      const int64_t *ints, size_t count, uint32_t position, const char *suffix,
                                      struct opshift_error *error)
{
    name_id name;
    enum opshift_status status = add_ints(checking, finding, ints, count, suffix, &name, error);
    if (status == OPSHIFT_OK && range_length(attribute) > 0)
        status = fix_node(checking, finding, attribute, NULL, error);
    if (status)
        return status;
    struct bytes text = names_bytes(checking->model->names, name);
    struct buffer input = {0};
    wire_add_bytes(&input, NODE_INPUT, text.data, text.size);
    return fix_node_field(checking, finding, NODE_INPUT, position, &input, error);
}
