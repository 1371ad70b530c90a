/* Compares children identified by name: equal names are compared, the others are added or removed. */
#include <string.h>

#include "diff/diff.h"

#define METADATA(message, number)                                                                                      \
    {                                                                                                                  \
        &message, number, "metadata", "metadata", {1}, 0, false, OPSHIFT_DIFF_METADATA                                 \
    }

static const struct list_rule rules[] = {
    {&onnx__model_proto__descriptor, 8, "opset import", "opset imports", {1}, 0, false, 0},
    METADATA(onnx__model_proto__descriptor, 14),
    {&onnx__model_proto__descriptor, 25, "function", "functions", {10, 1, 13}, 0, false, 0},
    {&onnx__model_proto__descriptor, 26, "configuration", "configurations", {1}, 0, false, 0},
    {&onnx__graph_proto__descriptor, 5, "initializer", "initializers", {8}, 0, false, 0},
    {&onnx__graph_proto__descriptor, 15, "sparse initializer", "initializers", {8}, 1, false, 0},
    {&onnx__graph_proto__descriptor, 11, "input", "inputs", {1}, 0, true, 0},
    {&onnx__graph_proto__descriptor, 12, "output", "outputs", {1}, 0, true, 0},
    {&onnx__graph_proto__descriptor, 13, "value info", "value infos", {1}, 0, false, OPSHIFT_DIFF_VALUE_INFOS},
    {&onnx__graph_proto__descriptor, 14, "quantization annotation", "annotations", {1}, 0, false, 0},
    METADATA(onnx__graph_proto__descriptor, 16),
    {&onnx__function_proto__descriptor, 9, "opset import", "opset imports", {1}, 0, false, 0},
    {&onnx__function_proto__descriptor, 11, "attribute", NULL, {1}, 0, false, 0},
    {&onnx__function_proto__descriptor, 12, "value info", "value infos", {1}, 0, false, OPSHIFT_DIFF_VALUE_INFOS},
    METADATA(onnx__function_proto__descriptor, 14),
    {&onnx__node_proto__descriptor, 5, "attribute", NULL, {1}, 0, false, 0},
    METADATA(onnx__node_proto__descriptor, 9),
    {&onnx__node_proto__descriptor, 10, "device configuration", NULL, {1}, 0, false, 0},
    METADATA(onnx__value_info_proto__descriptor, 4),
    METADATA(onnx__tensor_proto__descriptor, 16),
    {&onnx__tensor_annotation__descriptor, 2, "parameter", NULL, {1}, 0, false, 0},
    {&onnx__training_info_proto__descriptor, 3, "initialization binding", NULL, {1}, 0, false, 0},
    {&onnx__training_info_proto__descriptor, 4, "update binding", NULL, {1}, 0, false, 0},
};

const struct list_rule *list_rule_find(const ProtobufCMessageDescriptor *message, uint32_t number)
{
    for (size_t i = 0; i < COUNT(rules); i++)
        if (rules[i].message == message && rules[i].number == number)
            return &rules[i];
    return NULL;
}

/* ---- keys ---- */

static bool key_is_domain(const struct list_rule *rule)
{
    return rule->keys[2] != 0 || (rule->message == &onnx__model_proto__descriptor && rule->number == 8) ||
           (rule->message == &onnx__function_proto__descriptor && rule->number == 9);
}

/* "domain.name:overload" for names of several fields; an empty domain is printed as "ai.onnx". */
static enum opshift_status join_keys(struct diff *diff, const name_id *parts, size_t count, bool domain, name_id *key,
                                     struct opshift_error *error)
{
    static const char *const between[] = {"", ".", ":"};
    struct buffer text = {0};
    for (size_t i = 0; i < count; i++) {
        struct bytes part = names_bytes(diff->keys, parts[i]);
        if (i == 0 && domain && count == 1 && part.size == 0)
            part = (struct bytes){(const uint8_t *)"ai.onnx", strlen("ai.onnx")};
        if (i > 0 && (part.size > 0 || i == 1) && (i > 1 || names_bytes(diff->keys, parts[0]).size > 0))
            buffer_add_text(&text, between[i]);
        buffer_add(&text, part.data, part.size);
    }
    *key = text.failed ? NAME_NO_MEMORY : names_add(diff->keys, text.data == NULL ? "" : (char *)text.data, text.size);
    buffer_free(&text);
    return *key == NAME_NO_MEMORY ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status key_read(struct diff *diff, int side, const struct list_rule *rule, struct record item,
                                    struct arena *arena, name_id *key, struct opshift_error *error)
{
    /* A tensor's payload is one record, which is skipped at no cost. */
    struct records children;
    name_id parts[3] = {NAME_NONE, NAME_NONE, NAME_NONE};
    size_t count = 0;
    *key = NAME_NONE;
    if (item.type != WIRE_BYTES)
        return OPSHIFT_OK;
    bool tensor = rule->keys[0] == 8;
    uint32_t payload = UINT32_C(1) << 4 | UINT32_C(1) << 5 | UINT32_C(1) << 6 | UINT32_C(1) << 7 | UINT32_C(1) << 9 |
                       UINT32_C(1) << 10 | UINT32_C(1) << 11;
    if (rule->inner != 0) {
        enum opshift_status status = records_read(diff, side, item.offset, item.size, 0, arena, &children, error);
        struct record *inner = status == OPSHIFT_OK ? records_find(&children, rule->inner) : NULL;
        if (inner == NULL || inner->type != WIRE_BYTES)
            return status;
        item = *inner;
    }
    enum opshift_status status =
        records_read(diff, side, item.offset, item.size, tensor ? payload : 0, arena, &children, error);
    for (; status == OPSHIFT_OK && count < COUNT(rule->keys) && rule->keys[count] != 0; count++)
        status = record_key(diff, side, records_find(&children, rule->keys[count]), &parts[count], error);
    if (status)
        return status;
    if (count == 1 && !key_is_domain(rule)) {
        *key = parts[0];
        return OPSHIFT_OK;
    }
    return join_keys(diff, parts, count, key_is_domain(rule), key, error);
}

/* ---- pairs ---- */

struct member {
    name_id key;
    uint32_t next; /* next member with the same name; UINT32_MAX: none */
};

static enum opshift_status members_read(struct diff *diff, int side, const struct list_rule *rule, struct records list,
                                        struct arena *arena, struct member **members, struct opshift_error *error)
{
    struct arena *scratch = arena_new(DIFF_MEMORY_MAX);
    *members = arena_alloc(arena, list.count + 1, sizeof(**members));
    enum opshift_status status = scratch && *members ? OPSHIFT_OK : opshift_no_memory(error);
    for (size_t i = 0; i < list.count && status == OPSHIFT_OK; i++) {
        arena_clear(scratch);
        status = key_read(diff, side, rule, list.items[i], scratch, &(*members)[i].key, error);
    }
    arena_free(scratch);
    return status;
}

/* Pairs members with equal names in order of appearance. */
static enum opshift_status members_pair(struct diff *diff, const struct member *left, size_t left_count,
                                        struct member *right, size_t right_count, uint32_t *mates, bool *taken,
                                        struct opshift_error *error)
{
    enum opshift_status status = marks_clear(diff, error);
    struct marks *marks = &diff->marks;
    if (status)
        return status;
    for (size_t i = right_count; i > 0; i--) {
        name_id key = right[i - 1].key;
        right[i - 1].next = marks->stamp[key] == marks->now ? marks->value[key] : UINT32_MAX;
        marks->stamp[key] = marks->now;
        marks->value[key] = (uint32_t)(i - 1);
    }
    for (size_t i = 0; i < left_count; i++) {
        name_id key = left[i].key;
        mates[i] = marks->stamp[key] == marks->now ? marks->value[key] : UINT32_MAX;
        if (mates[i] == UINT32_MAX)
            continue;
        taken[mates[i]] = true;
        marks->value[key] = right[mates[i]].next;
    }
    return OPSHIFT_OK;
}

static struct diff_place place_of(const struct diff_place *parent, const struct list_rule *rule, name_id key,
                                  size_t index)
{
    return (struct diff_place){.parent = parent,
                               .group = parent->group == NULL ? rule->group : parent->group,
                               .what = rule->what,
                               .key = key,
                               .index = (int64_t)index};
}

static enum opshift_status tell_alone(struct diff *diff, int side, const struct diff_place *place,
                                      const ProtobufCMessageDescriptor *descriptor, const struct record *item,
                                      struct opshift_error *error)
{
    struct words words = {0};
    enum opshift_status status = message_show(diff, side, descriptor, item, &words, error);
    diff_add(diff, place, side == 0 ? CHANGE_REMOVED : CHANGE_ADDED, NULL, side == 0 ? &words : NULL,
             side == 1 ? &words : NULL, NULL);
    return status;
}

/* Compares the paired members, then the ones only in the second list. */
static enum opshift_status members_compare(struct diff *diff, const struct diff_place *place,
                                           const struct list_rule *rule, const ProtobufCMessageDescriptor *descriptor,
                                           struct records a, struct records b, struct member *const members[2],
                                           const uint32_t *mates, const bool *taken, const bool *stays,
                                           struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < a.count && status == OPSHIFT_OK; i++) {
        struct diff_place one = place_of(place, rule, members[0][i].key, i);
        status = diff_go_on(diff, a.items[i].offset, error);
        if (status == OPSHIFT_OK && mates[i] == UINT32_MAX) {
            status = tell_alone(diff, 0, &one, descriptor, &a.items[i], error);
            continue;
        }
        if (rule->ordered && !stays[i] && !diff_ignores(diff, OPSHIFT_DIFF_ORDER))
            diff_add_moved(diff, &one, i, mates[i]);
        if (status == OPSHIFT_OK)
            status = message_compare(diff, &one, descriptor, &a.items[i], &b.items[mates[i]], error);
    }
    for (size_t i = 0; i < b.count && status == OPSHIFT_OK; i++) {
        struct diff_place one = place_of(place, rule, members[1][i].key, i);
        if (!taken[i])
            status = tell_alone(diff, 1, &one, descriptor, &b.items[i], error);
    }
    return status;
}

enum opshift_status list_compare(struct diff *diff, const struct diff_place *place, const struct list_rule *rule,
                                 const ProtobufCMessageDescriptor *descriptor, struct records a, struct records b,
                                 struct opshift_error *error)
{
    struct arena *arena = arena_new(DIFF_MEMORY_MAX);
    struct member *members[2] = {NULL, NULL};
    uint32_t *mates = arena == NULL ? NULL : arena_alloc(arena, a.count + 1, sizeof(*mates));
    bool *stays = arena == NULL ? NULL : arena_alloc(arena, a.count + 1, sizeof(*stays));
    bool *taken = arena == NULL ? NULL : arena_alloc(arena, b.count + 1, sizeof(*taken));
    enum opshift_status status =
        mates == NULL || stays == NULL || taken == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = members_read(diff, 0, rule, a, arena, &members[0], error);
    if (status == OPSHIFT_OK)
        status = members_read(diff, 1, rule, b, arena, &members[1], error);
    if (status == OPSHIFT_OK)
        status = members_pair(diff, members[0], a.count, members[1], b.count, mates, taken, error);
    if (status == OPSHIFT_OK && !order_find(mates, a.count, stays, arena))
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = members_compare(diff, place, rule, descriptor, a, b, members, mates, taken, stays, error);
    arena_free(arena);
    return status;
}
