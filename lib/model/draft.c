/* Reads a node into a draft; accessors of drafts. */
#include "model/draft.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum opshift_status read_attributes(struct draft *draft, struct opshift_error *error)
{
    struct attribute_range *found;
    size_t count;
    enum opshift_status status = node_attributes(draft->model, draft->node, draft->arena, &found, &count, error);
    if (status)
        return status;
    draft->attributes = arena_alloc(draft->arena, count, sizeof(*draft->attributes));
    if (draft->attributes == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        struct draft_attribute *attribute = &draft->attributes[i];
        attribute->range = found[i].range;
        if (attribute_is_graph(found[i].type)) {
            /* Subgraphs are not rewritten as values: a draft needs only the attribute's name and type. */
            attribute->message = arena_alloc(draft->arena, 1, sizeof(*attribute->message));
            if (attribute->message == NULL)
                return opshift_no_memory(error);
            onnx__attribute_proto__init(attribute->message);
            struct bytes name = names_bytes(draft->model->names, found[i].name);
            attribute->message->has_name = 1;
            attribute->message->name = (ProtobufCBinaryData){name.size, (uint8_t *)name.data};
            attribute->message->has_type = 1;
            attribute->message->type = found[i].type;
            continue;
        }
        status = attribute_decode(draft->model, &found[i], draft->arena, &attribute->message, error);
        if (status)
            return status;
    }
    draft->attribute_count = (uint32_t)count;
    return OPSHIFT_OK;
}

enum opshift_status draft_new(struct opshift_model *model, struct graph *graph, struct node *node, struct arena *arena,
                              struct surroundings *around, struct draft **result, struct opshift_error *error)
{
    struct draft *draft = arena_alloc(arena, 1, sizeof(*draft));
    if (draft == NULL)
        return opshift_no_memory(error);
    *draft = (struct draft){.model = model, .arena = arena, .graph = graph, .node = node, .around = around};
    draft->op_type = names_text(model->names, node->op_type);
    draft->domain = names_text(model->names, node_domain(node));
    draft->input_count = node->input_count;
    draft->output_count = node->output_count;
    draft->inputs = arena_alloc(arena, node->input_count, sizeof(*draft->inputs));
    draft->outputs = arena_alloc(arena, node->output_count, sizeof(*draft->outputs));
    if (draft->inputs == NULL || draft->outputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node->input_count; i++)
        draft->inputs[i].name = node_inputs(node)[i];
    for (uint32_t i = 0; i < node->output_count; i++)
        draft->outputs[i] = node_outputs(node)[i];
    enum opshift_status status = read_attributes(draft, error);
    if (status == OPSHIFT_OK)
        *result = draft;
    return status;
}

struct draft_attribute *draft_attribute_named(const struct draft *draft, struct bytes name)
{
    for (uint32_t i = 0; i < draft->attribute_count; i++)
        if (bytes_same(bytes_of(draft->attributes[i].message->name), name))
            return &draft->attributes[i];
    return NULL;
}

struct draft_attribute *draft_attribute_find(const struct draft *draft, const char *name)
{
    return draft_attribute_named(draft, (struct bytes){(const uint8_t *)name, strlen(name)});
}

void draft_attribute_remove(struct draft *draft, struct draft_attribute *attribute)
{
    assert(attribute >= draft->attributes && attribute < draft->attributes + draft->attribute_count);
    size_t after = (size_t)(draft->attributes + draft->attribute_count - attribute - 1);
    memmove(attribute, attribute + 1, after * sizeof(*attribute));
    draft->attribute_count--;
    draft->changed = true;
}

Onnx__AttributeProto *draft_attribute_set(struct draft *draft, const char *name,
                                          Onnx__AttributeProto__AttributeType type)
{
    struct draft_attribute *attribute = draft_attribute_find(draft, name);
    if (attribute == NULL) {
        struct draft_attribute *grown =
            arena_alloc(draft->arena, (size_t)draft->attribute_count + 1, sizeof(*draft->attributes));
        if (grown == NULL)
            return NULL;
        if (draft->attribute_count)
            memcpy(grown, draft->attributes, draft->attribute_count * sizeof(*grown));
        draft->attributes = grown;
        attribute = &grown[draft->attribute_count];
    }
    Onnx__AttributeProto *message = arena_alloc(draft->arena, 1, sizeof(*message));
    uint8_t *copy = arena_copy(draft->arena, name, strlen(name));
    if (message == NULL || copy == NULL)
        return NULL;
    if (attribute == &draft->attributes[draft->attribute_count])
        draft->attribute_count++;
    onnx__attribute_proto__init(message);
    message->has_name = 1;
    message->name = (ProtobufCBinaryData){strlen(name), copy};
    message->has_type = 1;
    message->type = type;
    attribute->message = message;
    attribute->changed = true;
    draft->changed = true;
    return message;
}

struct draft_input *draft_input_set(struct draft *draft, uint32_t position)
{
    if (position >= draft->input_count) {
        struct draft_input *grown = arena_alloc(draft->arena, (size_t)position + 1, sizeof(*grown));
        if (grown == NULL)
            return NULL;
        if (draft->input_count)
            memcpy(grown, draft->inputs, draft->input_count * sizeof(*grown));
        draft->inputs = grown;
        draft->input_count = position + 1;
    }
    draft->changed = true;
    draft->inputs[position] = (struct draft_input){0};
    return &draft->inputs[position];
}

bool draft_input_present(const struct draft *draft, uint32_t position)
{
    if (position >= draft->input_count)
        return false;
    const struct draft_input *input = &draft->inputs[position];
    return input->kind != VALUE_NAME || input->name != NAME_NONE;
}

void draft_input_remove(struct draft *draft, uint32_t position)
{
    if (position >= draft->input_count)
        return;
    draft->inputs[position] = (struct draft_input){0};
    while (draft->input_count && !draft_input_present(draft, draft->input_count - 1))
        draft->input_count--;
    draft->changed = true;
}

void draft_output_remove(struct draft *draft, uint32_t position)
{
    if (position >= draft->output_count)
        return;
    draft->outputs[position] = NAME_NONE;
    while (draft->output_count && draft->outputs[draft->output_count - 1] == NAME_NONE)
        draft->output_count--;
    draft->changed = true;
}

void draft_outputs_name(struct draft *draft)
{
    for (uint32_t i = 0; i < draft->output_count; i++)
        if (draft->outputs[i] == NAME_NONE) {
            draft->outputs[i] = NAME_FRESH;
            draft->changed = true;
        }
}

/* Appends a copy of the text to a list. */
static enum opshift_status list_add(struct draft *draft, const char *text, const char ***list, uint32_t *count,
                                    struct opshift_error *error)
{
    const char **grown = arena_alloc(draft->arena, (size_t)*count + 1, sizeof(*grown));
    char *copy = arena_copy(draft->arena, text, strlen(text));
    if (grown == NULL || copy == NULL)
        return opshift_no_memory(error);
    if (*count)
        memcpy(grown, *list, *count * sizeof(*grown));
    grown[(*count)++] = copy;
    *list = grown;
    return OPSHIFT_OK;
}

enum opshift_status draft_add_assumption(struct draft *draft, const char *words, struct opshift_error *error)
{
    return list_add(draft, words, &draft->assumptions, &draft->assumption_count, error);
}

enum opshift_status draft_note(struct draft *draft, struct opshift_error *error, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return list_add(draft, text, &draft->notes, &draft->note_count, error);
}
