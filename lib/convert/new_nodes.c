/* Makes the new nodes of a rewrite. */
#include "convert/new_nodes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "convert/validity.h"
#include "kernel/split_draft.h"
#include "model/fields.h"
#include "wire/wire.h"

/* Limit of the doc_string and metadata bytes that are copied to all nodes of one rewrite; beyond it only one of them
 * has them. */
#define WORDS_MAX (UINT64_C(1) << 24)

name_id new_nodes_fresh(struct scopes *scopes, const struct draft *draft, const char *suffix)
{
    name_id base = node_name(draft->model, draft->node);
    if (base == NAME_NO_MEMORY)
        return base;
    for (uint32_t i = 0; i < draft->output_count && base == NAME_NONE; i++)
        if (draft->outputs[i] != NAME_FRESH)
            base = draft->outputs[i];
    struct bytes bytes = names_bytes(draft->model->names, base);
    if (bytes.size > SCOPE_STEM_MAX)
        bytes.size = 0;
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

static void add_name(struct new_nodes *made, uint32_t number, name_id name)
{
    struct bytes bytes = names_bytes(made->draft->model->names, name);
    wire_add_bytes(&made->nodes, number, bytes.data, bytes.size);
}

/* Ends the node's record, which began at `start`. */
static enum opshift_status end_node(struct new_nodes *made, size_t start, struct opshift_error *error)
{
    struct buffer *nodes = &made->nodes;
    uint8_t head[WIRE_HEAD_MAX];
    size_t size = nodes->size - start, head_size = wire_put_head(head, graph_node_field(made->draft->graph), size);
    if (!buffer_reserve(nodes, head_size))
        return opshift_no_memory(error);
    memmove(nodes->data + start + head_size, nodes->data + start, size);
    memcpy(nodes->data + start, head, head_size);
    nodes->size += head_size;
    return OPSHIFT_OK;
}

/* Adds the fields of a node without attributes. */
static void add_fields(struct new_nodes *made, const char *op_type, const name_id *inputs, size_t count, name_id output)
{
    for (size_t i = 0; i < count; i++)
        add_name(made, NODE_INPUT, inputs[i]);
    add_name(made, NODE_OUTPUT, output);
    wire_add_bytes(&made->nodes, NODE_OP_TYPE, op_type, strlen(op_type));
}

/* Adds a node with these inputs; attribute may be NULL. */
static enum opshift_status add_node(struct new_nodes *made, const char *op_type, const name_id *inputs, size_t count,
                                    name_id output, const Onnx__AttributeProto *attribute, struct opshift_error *error)
{
    size_t start = made->nodes.size;
    const struct schema *schema = schema_find("", op_type, made->planner->plan->target);
    if (schema == NULL || count < schema->input_min || count > schema->input_max ||
        (attribute && schema_attribute_find(schema, (const char *)attribute->name.data) == NULL))
        return result_bug(made->planner, error, "opset %" PRId64 " has no such %s with %zu inputs",
                          made->planner->plan->target, op_type, count);
    add_fields(made, op_type, inputs, count, output);
    if (attribute)
        wire_add_message(&made->nodes, NODE_ATTRIBUTE, &attribute->base);
    buffer_add(&made->nodes, made->metadata.data, made->metadata.size);
    return end_node(made, start, error);
}

/* The same, with a new name for the output. */
static enum opshift_status add_made(struct new_nodes *made, const char *op_type, const name_id *inputs, size_t count,
                                    const Onnx__AttributeProto *attribute, const char *suffix, name_id *output,
                                    struct opshift_error *error)
{
    *output = new_nodes_fresh(made->scopes, made->draft, suffix);
    if (*output == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    return add_node(made, op_type, inputs, count, *output, attribute, error);
}

static Onnx__AttributeProto attribute_named(const char *name, Onnx__AttributeProto__AttributeType type)
{
    Onnx__AttributeProto attribute = ONNX__ATTRIBUTE_PROTO__INIT;
    attribute.has_name = 1;
    attribute.name = binary_of(name);
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

enum opshift_status new_nodes_constant(struct new_nodes *made, const struct tensor *tensor, const char *suffix,
                                       name_id *name, struct opshift_error *error)
{
    Onnx__AttributeProto value = attribute_named("value", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR);
    value.t = tensor ? tensor_encode(made->draft->arena, tensor, (struct bytes){0}) : NULL;
    return value.t ? add_made(made, "Constant", NULL, 0, &value, suffix, name, error) : opshift_no_memory(error);
}

enum opshift_status new_nodes_reference(struct new_nodes *made, struct bytes reference, const char *suffix,
                                        name_id *name, struct opshift_error *error)
{
    Onnx__AttributeProto attribute = attribute_named("value_ints", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    attribute.has_ref_attr_name = 1;
    attribute.ref_attr_name = (ProtobufCBinaryData){reference.size, (uint8_t *)(uintptr_t)reference.data};
    return add_made(made, "Constant", NULL, 0, &attribute, suffix, name, error);
}

/* int64[1] with one value. */
static enum opshift_status add_number(struct new_nodes *made, int64_t value, const char *suffix, name_id *name,
                                      struct opshift_error *error)
{
    return new_nodes_constant(made, tensor_from_int64(made->draft->arena, &value, 1), suffix, name, error);
}

/* int64[1] with the axis: its number, or a reference to the function's attribute. */
static enum opshift_status add_axis(struct new_nodes *made, name_id *name, struct opshift_error *error)
{
    const struct draft_attribute *axis = draft_attribute_find(made->draft, "axis");
    if (axis == NULL || !axis->message->has_ref_attr_name)
        return add_number(made, axis ? axis->message->i : 0, "axis", name, error);
    Onnx__AttributeProto attribute = attribute_named("value_int", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    attribute.has_ref_attr_name = 1;
    attribute.ref_attr_name = axis->message->ref_attr_name;
    name_id shape[2];
    enum opshift_status status = add_made(made, "Constant", NULL, 0, &attribute, "axis", &shape[0], error);
    if (status == OPSHIFT_OK)
        status = add_number(made, 1, "one", &shape[1], error);
    return status ? status : add_made(made, "Reshape", shape, 2, NULL, "axis", name, error);
}

enum opshift_status new_nodes_int64(struct new_nodes *made, name_id from, const char *suffix, name_id *name,
                                    struct opshift_error *error)
{
    static const char int64[] = "INT64";
    Onnx__AttributeProto to = attribute_int("to", OPSHIFT_TYPE_INT64);
    if (made->planner->plan->target < 6) { /* the type of Cast-1 is a string */
        to = attribute_named("to", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING);
        to.has_s = 1;
        to.s = (ProtobufCBinaryData){sizeof(int64) - 1, (uint8_t *)(uintptr_t)int64};
    }
    return add_made(made, "Cast", &from, 1, &to, suffix, name, error);
}

enum opshift_status new_nodes_squeezed(struct new_nodes *made, const char *op_type, name_id from, int64_t axis,
                                       name_id *name, struct opshift_error *error)
{
    Onnx__AttributeProto axes = attribute_named("axes", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    const char *suffix = strcmp(op_type, "Squeeze") == 0 ? "squeezed" : "unsqueezed";
    name_id inputs[2] = {from, NAME_NONE};
    axes.n_ints = 1;
    axes.ints = &axis;
    if (made->planner->plan->target < 13)
        return add_made(made, op_type, inputs, 1, &axes, suffix, name, error);
    enum opshift_status status = add_number(made, axis, "axes", &inputs[1], error);
    return status ? status : add_made(made, op_type, inputs, 2, NULL, suffix, name, error);
}

enum opshift_status new_nodes_chunks(struct new_nodes *made, int64_t parts, name_id *name, struct opshift_error *error)
{
    struct draft *draft = made->draft;
    name_id data = draft->inputs[0].name, shape, axis, dim, less, count, sum, chunk, before, last;
    name_id *list = arena_alloc(draft->arena, (size_t)parts, sizeof(*list));
    if (list == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = add_made(made, "Shape", &data, 1, NULL, "shape", &shape, error);
    if (status == OPSHIFT_OK)
        status = add_axis(made, &axis, error);
    if (status == OPSHIFT_OK)
        status = add_made(made, "Gather", (name_id[]){shape, axis}, 2, NULL, "dim", &dim, error);
    if (status == OPSHIFT_OK)
        status = add_number(made, parts - 1, "parts_less_one", &less, error);
    if (status == OPSHIFT_OK)
        status = add_number(made, parts, "parts", &count, error);
    if (status == OPSHIFT_OK)
        status = add_made(made, "Add", (name_id[]){dim, less}, 2, NULL, "rounded", &sum, error);
    if (status == OPSHIFT_OK)
        status = add_made(made, "Div", (name_id[]){sum, count}, 2, NULL, "chunk", &chunk, error);
    if (status == OPSHIFT_OK)
        status = add_made(made, "Mul", (name_id[]){chunk, less}, 2, NULL, "before_last", &before, error);
    if (status == OPSHIFT_OK)
        status = add_made(made, "Sub", (name_id[]){dim, before}, 2, NULL, "last", &last, error);
    if (status)
        return status;
    for (int64_t i = 0; i < parts - 1; i++)
        list[i] = chunk;
    list[parts - 1] = last;
    Onnx__AttributeProto zero = attribute_int("axis", 0);
    return add_made(made, "Concat", list, (size_t)parts, &zero, "split", name, error);
}

/* Slice's axes are non-negative below 11, and below 12 Constant cannot refer to a function's attribute: then the
 * axis must be the same in all calls. */
static enum opshift_status slices_axis(struct new_nodes *made, name_id *name, struct opshift_error *error)
{
    struct split_cut cut;
    int64_t target = made->planner->plan->target;
    enum opshift_status status = split_read_axis(made->draft, &cut, error);
    if (status)
        return status;
    if (target >= 12 || (target == 11 && !cut.axis_reference))
        return add_axis(made, name, error);
    if (target == 11 && cut.axis_known)
        return add_number(made, cut.axis, "axis", name, error);
    if (target == 11)
        return opshift_fail(
            error, OPSHIFT_NO,
            "its lengths are known only at run time, and below opset 12 Slice cannot cut at an axis that "
            "each call of the function chooses; go to opset 12 or up");
    if (cut.axis_known && !cut.axis_reference && (cut.axis >= 0 || cut.front >= 0))
        return add_number(made, cut.axis < 0 ? cut.front : cut.axis, "axis", name, error);
    return opshift_fail(error, OPSHIFT_NO,
                        "its lengths are known only at run time, and Slice-10 cuts at a non-negative axis "
                        "only; give the input a shape in the model or by --shape, or go to opset 11 or up");
}

bool node_words_fit(const struct buffer *words, uint64_t count)
{
    return words->size <= WORDS_MAX / (count ? count : 1);
}

enum opshift_status node_words(struct draft *draft, bool with_doc, struct buffer *words, struct opshift_error *error)
{
    struct source *source = draft->model->source;
    struct range range = draft->node->range;
    struct wire_cursor cursor = {source, range_offset(range), range_end(range)};
    struct wire_field field;
    bool found;
    enum opshift_status status;
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found) {
        if (field.number == NODE_METADATA || (with_doc && field.number == NODE_DOC_STRING))
            status = wire_copy_field(source, &field, words, error);
        if (status)
            return status;
    }
    return status;
}

/* The draft's node in its current form, with another output. */
static enum opshift_status add_sequence(struct new_nodes *made, name_id output, struct opshift_error *error)
{
    const struct draft *draft = made->draft;
    struct buffer *nodes = &made->nodes, words = {0};
    size_t start = nodes->size;
    enum opshift_status status = node_words(made->draft, true, &words, error);
    for (uint32_t i = 0; i < draft->input_count; i++)
        add_name(made, NODE_INPUT, draft->inputs[i].name);
    add_name(made, NODE_OUTPUT, output);
    name_id name = node_name(draft->model, draft->node);
    if (status == OPSHIFT_OK && name == NAME_NO_MEMORY)
        status = opshift_no_memory(error);
    if (name != NAME_NONE)
        add_name(made, NODE_NAME, name);
    wire_add_bytes(nodes, NODE_OP_TYPE, draft->op_type, strlen(draft->op_type));
    for (uint32_t i = 0; i < draft->attribute_count; i++)
        wire_add_message(nodes, NODE_ATTRIBUTE, &draft->attributes[i].message->base);
    buffer_add(nodes, words.data, words.size);
    bool failed = words.failed;
    buffer_free(&words);
    if (status == OPSHIFT_OK && failed)
        status = opshift_no_memory(error);
    return status ? status : end_node(made, start, error);
}

enum opshift_status new_nodes_sequence(struct new_nodes *made, const name_id *places, struct opshift_error *error)
{
    const struct draft *draft = made->draft;
    name_id sequence = new_nodes_fresh(made->scopes, draft, "sequence");
    if (sequence == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    enum opshift_status status = add_sequence(made, sequence, error);
    if (status == OPSHIFT_OK)
        status = node_words(made->draft, false, &made->metadata, error);
    if (!node_words_fit(&made->metadata, draft->output_count))
        made->metadata.size = 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->output_count; i++)
        if (draft->outputs[i] != NAME_NONE)
            status = add_node(made, "SequenceAt", (name_id[]){sequence, places[i]}, 2, draft->outputs[i], NULL, error);
    buffer_free(&made->metadata);
    return status;
}

/* The name of the number-th new node: the first keeps the node's name, the others append their number. */
static enum opshift_status add_part(struct new_nodes *made, const name_id inputs[4], name_id output, uint32_t number,
                                    const struct buffer *words, struct opshift_error *error)
{
    const struct draft *draft = made->draft;
    size_t start = made->nodes.size;
    name_id name = node_name(draft->model, draft->node);
    if (name != NAME_NONE && number > 0) {
        char suffix[16];
        snprintf(suffix, sizeof(suffix), "%u", number);
        name = node_names_read(draft->model) ? new_nodes_fresh(made->scopes, draft, suffix) : NAME_NO_MEMORY;
    }
    if (name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    for (size_t i = 0; i < 4; i++)
        add_name(made, NODE_INPUT, inputs[i]);
    add_name(made, NODE_OUTPUT, output);
    if (name != NAME_NONE)
        add_name(made, NODE_NAME, name);
    wire_add_bytes(&made->nodes, NODE_OP_TYPE, "Slice", strlen("Slice"));
    if (number == 0 || node_words_fit(words, draft->output_count))
        buffer_add(&made->nodes, words->data, words->size);
    return end_node(made, start, error);
}

enum opshift_status new_nodes_slices(struct new_nodes *made, struct opshift_error *error)
{
    struct draft *draft = made->draft;
    name_id data = draft->inputs[0].name, lengths = draft->inputs[1].name;
    name_id axis = NAME_NONE, zero = NAME_NONE;
    struct buffer words = {0};
    uint32_t parts = 0, count = draft->output_count;
    while (count > 1 && draft->outputs[count - 1] == NAME_NONE) /* nothing would read where the others end */
        count--;
    enum opshift_status status = slices_axis(made, &axis, error);
    if (status == OPSHIFT_OK)
        status = add_number(made, 0, "zero", &zero, error);
    if (status == OPSHIFT_OK)
        status = node_words(made->draft, true, &words, error);
    name_id start = zero, next = zero;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        name_id length, end = start, to = zero;
        status = add_number(made, (int64_t)i + 1, "next", &to, error);
        if (status == OPSHIFT_OK)
            status = add_made(made, "Slice", (name_id[]){lengths, next, to, zero}, 4, NULL, "length", &length, error);
        if (status == OPSHIFT_OK)
            status = add_made(made, "Add", (name_id[]){start, length}, 2, NULL, "end", &end, error);
        if (status == OPSHIFT_OK && draft->outputs[i] != NAME_NONE)
            status = add_part(made, (name_id[]){data, start, end, axis}, draft->outputs[i], parts++, &words, error);
        start = end;
        next = to;
    }
    buffer_free(&words);
    return status;
}
