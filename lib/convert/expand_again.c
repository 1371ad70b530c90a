/* Cache of replacements: nodes with equal attributes, types and constants are replaced by the same nodes. */
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "convert/expand.h"
#include "convert/fragment.h"
#include "wire/wire.h"

/* Limits of the cache: entries, the bytes of all, and those of a key. */
#define AGAIN_MOST     4096u
#define AGAIN_SIZE_MAX (UINT64_C(8) << 20)
#define KEY_SIZE_MAX   (UINT32_C(1) << 16)

struct again_entry {
    struct bytes key;
    const struct replacement *replacement; /* without its nodes */
    const struct expanded *expanded;
};

struct again {
    struct arena *arena;
    struct table table;
    struct again_entry list[AGAIN_MOST];
};

void again_free(struct again *again)
{
    if (again == NULL)
        return;
    table_free(&again->table);
    arena_free(again->arena);
    free(again);
}

static struct again *again_new(void)
{
    struct again *again = calloc(1, sizeof(*again));
    if (again && (again->arena = arena_new(0)))
        return again;
    free(again);
    return NULL;
}

/* ---- key --------------------------------------------------------------------------------------------------------- */

static bool asks_constants(const char *text)
{
    return text && (strstr(text, "constant") || strstr(text, "value(") || strstr(text, "value ("));
}

/* Do the rule's steps only replace or refuse the node? *constants: the result also depends on constants. */
static bool is_plain(const struct rule *rule, int direction, bool *constants)
{
    *constants = false;
    for (uint32_t i = 0; i < rule->step_count[direction]; i++) {
        const struct step *step = &rule->steps[direction][i];
        if (strcmp(step->verb, "replace") != 0 && (i == 0 || strcmp(step->verb, "refuse") != 0))
            return false;
        for (uint32_t k = 0; k < step->parameter_count; k++) {
            *constants |= asks_constants(step->parameters[k].text);
            for (const char *const *item = step->parameters[k].items; item && *item; item++)
                *constants |= asks_constants(*item);
        }
    }
    return rule->step_count[direction] > 0;
}

static void add_text(struct buffer *key, const void *data, size_t size)
{
    uint64_t length = size;
    buffer_add(key, &length, sizeof(length));
    if (size)
        buffer_add(key, data, size);
}

/* False: an attribute is not a plain value. */
static bool add_attributes(struct buffer *key, const struct draft *draft)
{
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        const Onnx__AttributeProto *message = draft->attributes[i].message;
        if (message->has_ref_attr_name || attribute_is_graph(message->type))
            return false;
        size_t size = onnx__attribute_proto__get_packed_size(message);
        add_text(key, NULL, 0);
        buffer_add(key, &size, sizeof(size));
        wire_add_packed(key, &message->base);
    }
    return true;
}

static void add_type(struct buffer *key, const struct names *names, const struct value_type *type)
{
    const int32_t head[] = {(int32_t)type->type, type->rank};
    buffer_add(key, head, sizeof(head));
    add_text(key, type->other, type->other ? strlen(type->other) : 0);
    for (int32_t i = 0; i < type->rank; i++) {
        struct bytes symbol =
            type->dims[i] < 0 && type->params ? names_bytes(names, type->params[i]) : (struct bytes){0};
        buffer_add(key, &type->dims[i], sizeof(type->dims[i]));
        add_text(key, symbol.data, symbol.size);
    }
}

/* *plain: the result depends on nothing of the input that is not in the key. */
static enum opshift_status add_input(struct planner *planner, const struct draft *draft, name_id name, bool constants,
                                     struct buffer *key, bool *plain, struct opshift_error *error)
{
    struct value_type type;
    struct type_assumption element = {0}, shape = {0};
    const struct tensor *tensor = NULL;
    const char *why;
    enum opshift_status status = draft_type(draft, name, &type, error);
    if (status == OPSHIFT_OK)
        status = types_assumption(planner->around.types, draft->graph, name, TYPE_PART_ELEMENT, &element, error);
    if (status == OPSHIFT_OK)
        status = types_assumption(planner->around.types, draft->graph, name, TYPE_PART_SHAPE, &shape, error);
    bool small = fragment_is_small(&type);
    *plain = element.graph == NULL && shape.graph == NULL && (small || !constants);
    if (status || !*plain)
        return status;
    if (small)
        status = draft_constant(draft, name, &tensor, &why, error);
    add_type(key, draft->model->names, &type);
    add_text(key, tensor ? tensor->data : NULL, tensor ? (size_t)type_size(tensor->type, tensor->count) : 0);
    buffer_add_byte(key, tensor != NULL);
    return status;
}

static enum opshift_status make_key(struct planner *planner, const struct rule *rule, const struct draft *draft,
                                    struct buffer *key, bool *plain, struct opshift_error *error)
{
    if (planner->plain_rule != rule) {
        planner->plain_rule = rule;
        planner->is_plain = is_plain(rule, draft->up ? DIRECTION_UP : DIRECTION_DOWN, &planner->asks_constants);
    }
    bool constants = planner->asks_constants;
    *plain = planner->is_plain && draft->note_count == 0;
    if (!*plain)
        return OPSHIFT_OK;
    add_text(key, rule->file, strlen(rule->file));
    add_text(key, draft->domain, strlen(draft->domain));
    add_text(key, draft->op_type, strlen(draft->op_type));
    buffer_add_byte(key, draft->graph->function != NULL);
    *plain = *plain && add_attributes(key, draft);
    for (uint32_t i = 0; *plain && i < draft->input_count; i++) {
        const struct draft_input *input = &draft->inputs[i];
        bool present = draft_input_present(draft, i);
        enum opshift_status status = OPSHIFT_OK;
        buffer_add_byte(key, present ? 2 : 1);
        *plain = input->kind == VALUE_NAME;
        if (*plain && present)
            status = add_input(planner, draft, input->name, constants, key, plain, error);
        *plain = *plain && key->size <= KEY_SIZE_MAX;
        if (status)
            return status;
    }
    for (uint32_t i = 0; *plain && i < draft->output_count; i++) {
        bool unread = false;
        enum opshift_status status = OPSHIFT_OK;
        *plain = draft->outputs[i] != NAME_FRESH;
        if (*plain && draft->outputs[i] != NAME_NONE)
            status = draft_unread(draft, draft->outputs[i], &unread, error);
        if (status)
            return status;
        buffer_add_byte(key, draft->outputs[i] == NAME_NONE ? 3 : unread ? 4 : 5);
    }
    return key->failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* ---- lookup ------------------------------------------------------------------------------------------------------ */

static const struct again_entry *entry_find(const struct again *again, struct bytes key)
{
    uint64_t hash = table_hash(&again->table, key.data, key.size);
    for (uint32_t at = 0, item; (item = table_next(&again->table, hash, &at)) != TABLE_NONE;)
        if (bytes_same(again->list[item].key, key))
            return &again->list[item];
    return NULL;
}

enum opshift_status again_find(struct planner *planner, const struct rule *rule, struct draft *draft, bool *found,
                               struct opshift_error *error)
{
    bool plain;
    *found = false;
    planner->node.again_key.size = 0;
    planner->node.is_again = false;
    if (planner->depth || rule == NULL || node_subgraph_count(draft->node))
        return OPSHIFT_OK;
    enum opshift_status status = make_key(planner, rule, draft, &planner->node.again_key, &plain, error);
    if (!plain)
        planner->node.again_key.size = 0;
    if (status || !plain || planner->again == NULL)
        return status;
    const struct again_entry *entry =
        entry_find(planner->again, (struct bytes){planner->node.again_key.data, planner->node.again_key.size});
    if (entry == NULL)
        return OPSHIFT_OK;
    planner->node.is_again = *found = true;
    planner->node.expanded = entry->expanded;
    draft->replacement = entry->replacement;
    draft->changed = true;
    return fragment_drop_unread(draft, error);
}

static bool copy_names(struct arena *arena, const char *const *from, size_t count, const char *const **to)
{
    const char **copy = arena_alloc(arena, count, sizeof(*copy));
    *to = copy;
    for (size_t i = 0; copy && i < count; i++)
        if (from[i] && (copy[i] = arena_copy(arena, from[i], strlen(from[i]))) == NULL)
            return false;
    return copy != NULL;
}

enum opshift_status again_keep(struct planner *planner, const struct draft *draft, const struct expanded *expanded,
                               struct opshift_error *error)
{
    const char *op_type = names_text(draft->model->names, draft->node->op_type);
    bool same_types = schema_find(draft->domain, op_type, planner->node.move->source) ==
                      schema_find(draft->domain, draft->op_type, draft->replacement->step - draft->up);
    if (planner->node.again_key.size == 0 || !same_types || expanded->note_count || expanded->assumption_count ||
        draft->note_count || draft->assumption_count)
        return OPSHIFT_OK;
    if (planner->again == NULL && (planner->again = again_new()) == NULL)
        return opshift_no_memory(error);
    struct again *again = planner->again;
    uint32_t count = again->table.count;
    if (count == AGAIN_MOST || arena_size(again->arena) > AGAIN_SIZE_MAX)
        return OPSHIFT_OK;
    struct again_entry *entry = &again->list[count];
    struct replacement *copy = arena_copy(again->arena, draft->replacement, sizeof(*copy));
    const uint8_t *key = arena_copy(again->arena, planner->node.again_key.data, planner->node.again_key.size);
    if (copy == NULL || key == NULL || !table_reserve(&again->table, 1) ||
        !copy_names(again->arena, copy->inputs, copy->input_count, &copy->inputs) ||
        !copy_names(again->arena, copy->outputs, copy->output_count, &copy->outputs))
        return opshift_no_memory(error);
    copy->nodes = NULL;
    copy->node_count = 0;
    *entry = (struct again_entry){{key, planner->node.again_key.size}, copy, expanded};
    table_put(&again->table, table_hash(&again->table, key, planner->node.again_key.size), count);
    return OPSHIFT_OK;
}
