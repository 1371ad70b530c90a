/* Writes new nodes. */
#include "convert/piece.h"

#include <stdio.h>
#include <string.h>

#include "model/split.h"
#include "wire/wire.h"

enum {
    NODE_INPUT = 1,
    NODE_OUTPUT = 2,
    NODE_NAME = 3,
    NODE_OP_TYPE = 4,
    NODE_ATTRIBUTE = 5,
    NODE_DOC_STRING = 6,
    NODE_METADATA = 9
};

/* What the nodes that stand for one node repeat of its words, all together; beyond it only the first has them. */
#define WORDS_MAX (UINT64_C(1) << 24)

/* Where protobuf-c packs to. */
struct sink {
    ProtobufCBuffer base;
    struct buffer *buffer;
};

static void sink_append(ProtobufCBuffer *base, size_t size, const uint8_t *data)
{
    buffer_add(((struct sink *)base)->buffer, data, size);
}

void piece_add_message(struct buffer *buffer, uint32_t number, const ProtobufCMessage *message)
{
    struct sink sink = {{sink_append}, buffer};
    wire_add_tag(buffer, number, WIRE_BYTES);
    wire_add_varint(buffer, protobuf_c_message_get_packed_size(message));
    protobuf_c_message_pack_to_buffer(message, &sink.base);
}

name_id piece_fresh(struct scopes *scopes, const struct draft *draft, const char *suffix)
{
    name_id base = node_name(draft->model, draft->node);
    if (base == NAME_NO_MEMORY)
        return base;
    for (uint32_t i = 0; i < draft->output_count && base == NAME_NONE; i++)
        if (draft->outputs[i] != NAME_FRESH)
            base = draft->outputs[i];
    struct bytes bytes = names_bytes(draft->model->names, base);
    size_t before = bytes.size + (bytes.size > 0), size = strlen(suffix);
    uint8_t *stem = arena_bytes(draft->arena, before + size + 1);
    if (stem == NULL)
        return NAME_NO_MEMORY;
    if (bytes.size > 0)
        memcpy(stem, bytes.data, bytes.size);
    if (before > 0)
        stem[before - 1] = '_';
    memcpy(stem + before, suffix, size + 1);
    return scope_fresh(scopes, (const char *)stem, before + size);
}

static void add_name(struct buffer *node, uint32_t number, const struct piece *piece, name_id name)
{
    struct bytes bytes = names_bytes(piece->draft->model->names, name);
    wire_add_bytes(node, number, bytes.data, bytes.size);
}

static enum opshift_status push_node(struct piece *piece, struct buffer *node, struct opshift_error *error)
{
    wire_add_bytes(&piece->nodes, graph_node_field(piece->draft->graph), node->data, node->size);
    bool failed = node->failed || piece->nodes.failed;
    buffer_free(node);
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* A node with these inputs; attribute may be NULL. */
static enum opshift_status add_node(struct piece *piece, const char *op_type, const name_id *inputs, size_t count,
                                    name_id output, const Onnx__AttributeProto *attribute, struct opshift_error *error)
{
    struct buffer node = {0};
    for (size_t i = 0; i < count; i++)
        add_name(&node, NODE_INPUT, piece, inputs[i]);
    add_name(&node, NODE_OUTPUT, piece, output);
    wire_add_bytes(&node, NODE_OP_TYPE, op_type, strlen(op_type));
    if (attribute)
        piece_add_message(&node, NODE_ATTRIBUTE, &attribute->base);
    return push_node(piece, &node, error);
}

/* The same, with a new name for the output. */
static enum opshift_status add_made(struct piece *piece, const char *op_type, const name_id *inputs, size_t count,
                                    const Onnx__AttributeProto *attribute, const char *suffix, name_id *output,
                                    struct opshift_error *error)
{
    *output = piece_fresh(piece->scopes, piece->draft, suffix);
    if (*output == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    return add_node(piece, op_type, inputs, count, *output, attribute, error);
}

static Onnx__AttributeProto attribute_named(const char *name, Onnx__AttributeProto__AttributeType type)
{
    Onnx__AttributeProto attribute = ONNX__ATTRIBUTE_PROTO__INIT;
    attribute.has_name = 1;
    attribute.name = (ProtobufCBinaryData){strlen(name), (uint8_t *)(uintptr_t)name};
    attribute.has_type = 1;
    attribute.type = type;
    return attribute;
}

static Onnx__AttributeProto attribute_int(const char *name, int64_t value)
{
    Onnx__AttributeProto attribute = attribute_named(name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    attribute.has_i = 1;
    attribute.i = value;
    return attribute;
}

enum opshift_status piece_constant(struct piece *piece, const struct tensor *tensor, const char *suffix, name_id *name,
                                   struct opshift_error *error)
{
    Onnx__AttributeProto attribute = attribute_named("value", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR);
    attribute.t = tensor_encode(piece->draft->arena, tensor, (struct bytes){0});
    if (attribute.t == NULL)
        return opshift_no_memory(error);
    return add_made(piece, "Constant", NULL, 0, &attribute, suffix, name, error);
}

enum opshift_status piece_reference(struct piece *piece, struct bytes reference, const char *suffix, name_id *name,
                                    struct opshift_error *error)
{
    Onnx__AttributeProto attribute = attribute_named("value_ints", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    attribute.has_ref_attr_name = 1;
    attribute.ref_attr_name = (ProtobufCBinaryData){reference.size, (uint8_t *)(uintptr_t)reference.data};
    return add_made(piece, "Constant", NULL, 0, &attribute, suffix, name, error);
}

/* int64[1] with one value. */
static enum opshift_status add_number(struct piece *piece, int64_t value, const char *suffix, name_id *name,
                                      struct opshift_error *error)
{
    struct tensor *tensor = tensor_from_int64(piece->draft->arena, &value, 1);
    return tensor ? piece_constant(piece, tensor, suffix, name, error) : opshift_no_memory(error);
}

/* int64[1] with the axis: its number, or the function's attribute. */
static enum opshift_status add_axis(struct piece *piece, name_id *name, struct opshift_error *error)
{
    const struct draft_attribute *axis = draft_attribute_find(piece->draft, "axis");
    if (axis == NULL || !axis->message->has_ref_attr_name)
        return add_number(piece, axis ? axis->message->i : 0, "axis", name, error);
    Onnx__AttributeProto attribute = attribute_named("value_int", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    attribute.has_ref_attr_name = 1;
    attribute.ref_attr_name = axis->message->ref_attr_name;
    name_id shape[2];
    enum opshift_status status = add_made(piece, "Constant", NULL, 0, &attribute, "axis", &shape[0], error);
    if (status == OPSHIFT_OK)
        status = add_number(piece, 1, "one", &shape[1], error);
    return status ? status : add_made(piece, "Reshape", shape, 2, NULL, "axis", name, error);
}

enum opshift_status piece_int64(struct piece *piece, name_id from, const char *suffix, name_id *name,
                                struct opshift_error *error)
{
    Onnx__AttributeProto to = attribute_int("to", OPSHIFT_TYPE_INT64);
    return add_made(piece, "Cast", &from, 1, &to, suffix, name, error);
}

enum opshift_status piece_squeezed(struct piece *piece, name_id from, int64_t axis, name_id *name,
                                   struct opshift_error *error)
{
    Onnx__AttributeProto axes = attribute_named("axes", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    name_id inputs[2] = {from, NAME_NONE};
    axes.n_ints = 1;
    axes.ints = &axis;
    if (piece->draft->target < 13)
        return add_made(piece, "Squeeze", inputs, 1, &axes, "squeezed", name, error);
    enum opshift_status status = add_number(piece, axis, "axes", &inputs[1], error);
    return status ? status : add_made(piece, "Squeeze", inputs, 2, NULL, "squeezed", name, error);
}

enum opshift_status piece_chunks(struct piece *piece, int64_t parts, name_id *name, struct opshift_error *error)
{
    struct draft *draft = piece->draft;
    name_id data = draft->inputs[0].name, shape, axis, dim, less, count, sum, chunk, before, last;
    name_id *list = arena_alloc(draft->arena, (size_t)parts, sizeof(*list));
    if (list == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = add_made(piece, "Shape", &data, 1, NULL, "shape", &shape, error);
    if (status == OPSHIFT_OK)
        status = add_axis(piece, &axis, error);
    if (status == OPSHIFT_OK)
        status = add_made(piece, "Gather", (name_id[]){shape, axis}, 2, NULL, "dim", &dim, error);
    if (status == OPSHIFT_OK)
        status = add_number(piece, parts - 1, "parts_less_one", &less, error);
    if (status == OPSHIFT_OK)
        status = add_number(piece, parts, "parts", &count, error);
    if (status == OPSHIFT_OK)
        status = add_made(piece, "Add", (name_id[]){dim, less}, 2, NULL, "rounded", &sum, error);
    if (status == OPSHIFT_OK)
        status = add_made(piece, "Div", (name_id[]){sum, count}, 2, NULL, "chunk", &chunk, error);
    if (status == OPSHIFT_OK)
        status = add_made(piece, "Mul", (name_id[]){chunk, less}, 2, NULL, "before_last", &before, error);
    if (status == OPSHIFT_OK)
        status = add_made(piece, "Sub", (name_id[]){dim, before}, 2, NULL, "last", &last, error);
    if (status)
        return status;
    for (int64_t i = 0; i < parts - 1; i++)
        list[i] = chunk;
    list[parts - 1] = last;
    Onnx__AttributeProto zero = attribute_int("axis", 0);
    return add_made(piece, "Concat", list, (size_t)parts, &zero, "split", name, error);
}

/* Below 11 Slice's axes are not negative, and below 12 no Constant takes its number from a function's attribute: the
 * calls must then agree on it. */
static enum opshift_status slices_axis(struct piece *piece, name_id *name, struct opshift_error *error)
{
    struct split_cut cut;
    int64_t target = piece->draft->target;
    enum opshift_status status = split_cut(piece->draft, &cut, error);
    if (status)
        return status;
    if (target >= 12 || (target == 11 && !cut.axis_reference))
        return add_axis(piece, name, error);
    if (target == 11 && cut.axis_known)
        return add_number(piece, cut.axis, "axis", name, error);
    if (target == 11)
        return opshift_fail(
            error, OPSHIFT_NO,
            "its lengths are known only at run time, and below opset 12 Slice cannot cut at an axis that "
            "each call of the function chooses; go to opset 12 or up");
    if (cut.axis_known && !cut.axis_reference && (cut.axis >= 0 || cut.rank > 0))
        return add_number(piece, cut.axis < 0 ? cut.axis + cut.rank : cut.axis, "axis", name, error);
    return opshift_fail(error, OPSHIFT_NO,
                        "its lengths are known only at run time, and Slice-10 cuts at a non-negative axis "
                        "only; give the input a shape in the model, or go to opset 11 or up");
}

/* The records of the draft's node that say something about it to people and tools: doc_string and metadata_props. */
static enum opshift_status read_words(const struct piece *piece, struct buffer *words, struct opshift_error *error)
{
    struct source *source = piece->draft->model->source;
    struct range range = piece->draft->node->range;
    struct wire_cursor cursor = {source, range_offset(range), range_end(range)};
    struct wire_field field;
    bool found;
    enum opshift_status status;
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found) {
        if (field.number != NODE_DOC_STRING && field.number != NODE_METADATA)
            continue;
        uint64_t size = field.offset + field.size - field.record;
        void *copy = arena_alloc(piece->draft->arena, (size_t)size, 1);
        if (copy == NULL)
            return opshift_no_memory(error);
        status = source_read(source, field.record, copy, (size_t)size, error);
        if (status)
            return status;
        buffer_add(words, copy, (size_t)size);
    }
    return status;
}

/* The draft's node as it is now, but for its outputs. */
static enum opshift_status add_sequence(struct piece *piece, name_id output, struct opshift_error *error)
{
    const struct draft *draft = piece->draft;
    struct buffer node = {0}, words = {0};
    enum opshift_status status = read_words(piece, &words, error);
    for (uint32_t i = 0; i < draft->input_count; i++)
        add_name(&node, NODE_INPUT, piece, draft->inputs[i].name);
    add_name(&node, NODE_OUTPUT, piece, output);
    name_id name = node_name(draft->model, draft->node);
    if (status == OPSHIFT_OK && name == NAME_NO_MEMORY)
        status = opshift_no_memory(error);
    if (name != NAME_NONE)
        add_name(&node, NODE_NAME, piece, name);
    wire_add_bytes(&node, NODE_OP_TYPE, draft->op_type, strlen(draft->op_type));
    for (uint32_t i = 0; i < draft->attribute_count; i++)
        piece_add_message(&node, NODE_ATTRIBUTE, &draft->attributes[i].message->base);
    buffer_add(&node, words.data, words.size);
    bool failed = words.failed;
    buffer_free(&words);
    if (status == OPSHIFT_OK && !failed)
        return push_node(piece, &node, error);
    buffer_free(&node);
    return status ? status : opshift_no_memory(error);
}

enum opshift_status piece_sequence(struct piece *piece, const name_id *places, struct opshift_error *error)
{
    const struct draft *draft = piece->draft;
    name_id sequence = piece_fresh(piece->scopes, draft, "sequence");
    if (sequence == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    enum opshift_status status = add_sequence(piece, sequence, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->output_count; i++)
        if (draft->outputs[i] != NAME_NONE)
            status = add_node(piece, "SequenceAt", (name_id[]){sequence, places[i]}, 2, draft->outputs[i], NULL, error);
    return status;
}

/* The number-th of the nodes that give the outputs: the first keeps the name, the others get it with a number. */
static enum opshift_status add_part(struct piece *piece, const name_id inputs[4], name_id output, uint32_t number,
                                    const struct buffer *words, struct opshift_error *error)
{
    const struct draft *draft = piece->draft;
    struct buffer node = {0};
    name_id name = node_name(draft->model, draft->node);
    if (name != NAME_NONE && number > 0) {
        char suffix[16];
        snprintf(suffix, sizeof(suffix), "%u", number);
        name = node_names_read(draft->model) ? piece_fresh(piece->scopes, draft, suffix) : NAME_NO_MEMORY;
    }
    if (name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    for (size_t i = 0; i < 4; i++)
        add_name(&node, NODE_INPUT, piece, inputs[i]);
    add_name(&node, NODE_OUTPUT, piece, output);
    if (name != NAME_NONE)
        add_name(&node, NODE_NAME, piece, name);
    wire_add_bytes(&node, NODE_OP_TYPE, "Slice", strlen("Slice"));
    if (number == 0 || words->size * (uint64_t)draft->output_count <= WORDS_MAX)
        buffer_add(&node, words->data, words->size);
    return push_node(piece, &node, error);
}

enum opshift_status piece_slices(struct piece *piece, struct opshift_error *error)
{
    struct draft *draft = piece->draft;
    name_id data = draft->inputs[0].name, lengths = draft->inputs[1].name;
    name_id axis = NAME_NONE, zero = NAME_NONE;
    struct buffer words = {0};
    uint32_t parts = 0;
    enum opshift_status status = slices_axis(piece, &axis, error);
    if (status == OPSHIFT_OK)
        status = add_number(piece, 0, "zero", &zero, error);
    if (status == OPSHIFT_OK)
        status = read_words(piece, &words, error);
    name_id start = zero, next = zero;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->output_count; i++) {
        name_id length, end = start, to = zero;
        status = add_number(piece, (int64_t)i + 1, "next", &to, error);
        if (status == OPSHIFT_OK)
            status = add_made(piece, "Slice", (name_id[]){lengths, next, to, zero}, 4, NULL, "length", &length, error);
        if (status == OPSHIFT_OK)
            status = add_made(piece, "Add", (name_id[]){start, length}, 2, NULL, "end", &end, error);
        if (status == OPSHIFT_OK && draft->outputs[i] != NAME_NONE)
            status = add_part(piece, (name_id[]){data, start, end, axis}, draft->outputs[i], parts++, &words, error);
        start = end;
        next = to;
    }
    buffer_free(&words);
    return status;
}
