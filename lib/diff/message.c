/* Compares two messages of one kind, field by field, with special output for some fields. */
#include <string.h>

#include "diff/diff.h"

bool diff_ignores(const struct diff *diff, unsigned what)
{
    return (diff->options->ignore & what) != 0;
}

enum opshift_status diff_go_on(struct diff *diff, uint64_t at, struct opshift_error *error)
{
    const struct opshift_diff_options *options = diff->options;
    if (options->progress == NULL || diff->ticks++ % 64 != 0)
        return OPSHIFT_OK;
    uint64_t size = source_size(diff->models[0]->source);
    return options->progress(options->progress_data, (double)at / (double)(size + 1))
               ? OPSHIFT_OK
               : opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
}

static bool is_big(const ProtobufCMessageDescriptor *descriptor)
{
    return descriptor == &onnx__model_proto__descriptor || descriptor == &onnx__graph_proto__descriptor ||
           descriptor == &onnx__function_proto__descriptor || descriptor == &onnx__training_info_proto__descriptor;
}

static bool is_ignored(const struct diff *diff, const ProtobufCMessageDescriptor *message,
                       const ProtobufCFieldDescriptor *field)
{
    bool model = message == &onnx__model_proto__descriptor;
    if (strcmp(field->name, "doc_string") == 0)
        return diff_ignores(diff, OPSHIFT_DIFF_DOC);
    if (model && field->id >= 2 && field->id <= 5)
        return diff_ignores(diff, OPSHIFT_DIFF_PRODUCER);
    if (message == &onnx__node_proto__descriptor || message == &onnx__graph_proto__descriptor)
        return strcmp(field->name, "name") == 0 && diff_ignores(diff, OPSHIFT_DIFF_NAMES);
    return false;
}

/* ---- children that are messages ---- */

/* Report groups of children in lists without a rule. */
static const char *group_of(const struct diff_place *place, const ProtobufCMessageDescriptor *message, uint32_t number)
{
    if (place->group != NULL)
        return place->group;
    if (message == &onnx__model_proto__descriptor && number == 20)
        return "training";
    return NULL;
}

/* The main graph is not printed: its contents belong to the model. */
static bool is_silent(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field)
{
    return (message == &onnx__model_proto__descriptor && field->id == 7) ||
           (message == &onnx__attribute_proto__descriptor && field->id != 21 && field->id != 13 && field->id != 20);
}

static enum opshift_status by_position(struct diff *diff, const struct diff_place *place,
                                       const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field,
                                       struct records a, struct records b, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; (i < a.count || i < b.count) && status == OPSHIFT_OK; i++) {
        bool alone = field->label != PROTOBUF_C_LABEL_REPEATED && a.count <= 1 && b.count <= 1;
        struct diff_place one = {.parent = place,
                                 .group = group_of(place, message, field->id),
                                 .what = alone && is_silent(message, field) ? NULL : field->name,
                                 .index = alone ? -1 : (int64_t)i};
        if (i < a.count && i < b.count)
            status = message_compare(diff, &one, field->descriptor, &a.items[i], &b.items[i], error);
        else
            diff_add(diff, &one, i < a.count ? CHANGE_REMOVED : CHANGE_ADDED, NULL, NULL, NULL, NULL);
    }
    return status;
}

static bool is_node_list(const ProtobufCFieldDescriptor *field)
{
    return field->descriptor == &onnx__node_proto__descriptor;
}

static enum opshift_status children_compare(struct diff *diff, const struct diff_place *place,
                                            const ProtobufCMessageDescriptor *message,
                                            const ProtobufCFieldDescriptor *field, struct records a, struct records b,
                                            struct opshift_error *error)
{
    const struct list_rule *rule = list_rule_find(message, field->id);
    if (rule != NULL)
        return diff_ignores(diff, rule->ignored) ? OPSHIFT_OK
                                                 : list_compare(diff, place, rule, field->descriptor, a, b, error);
    if (is_node_list(field))
        return nodes_compare(diff, place, a, b, error);
    return by_position(diff, place, message, field, a, b, error);
}

/* ---- unknown fields ---- */

static void show_unknown(struct words *words, struct records list)
{
    uint64_t size = 0;
    for (size_t i = 0; i < list.count; i++)
        size += list.items[i].size;
    words->given = list.count > 0;
    buffer_print(&words->buffer, "%zu of them, %llu bytes", list.count, (unsigned long long)size);
}

static enum opshift_status unknown_compare(struct diff *diff, const struct diff_place *place, uint32_t number,
                                           struct records a, struct records b, struct opshift_error *error)
{
    bool same = a.count == b.count;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; same && i < a.count && status == OPSHIFT_OK; i++)
        status = records_same(diff, &a.items[i], &b.items[i], &same, error);
    if (same || status)
        return status;
    struct words before = {0}, after = {0};
    char what[40];
    snprintf(what, sizeof(what), "unknown field %u", (unsigned)number);
    show_unknown(&before, a);
    show_unknown(&after, b);
    diff_add(diff, place,
             a.count == 0   ? CHANGE_ADDED
             : b.count == 0 ? CHANGE_REMOVED
                            : CHANGE_CHANGED,
             what, &before, &after, NULL);
    return OPSHIFT_OK;
}

/* ---- the walk ---- */

static enum opshift_status field_compare(struct diff *diff, const struct diff_place *place,
                                         const ProtobufCMessageDescriptor *message, uint32_t number, struct records a,
                                         struct records b, struct opshift_error *error)
{
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(message, number);
    if (field == NULL)
        return unknown_compare(diff, place, number, a, b, error);
    if (is_ignored(diff, message, field))
        return OPSHIFT_OK;
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return children_compare(diff, place, message, field, a, b, error);
    return scalar_compare(diff, place, field, is_silent(message, field) ? NULL : field->name, a, b, error);
}

enum opshift_status message_compare_fields(struct diff *diff, const struct diff_place *place,
                                           const ProtobufCMessageDescriptor *descriptor, const struct record *a,
                                           const struct record *b, uint32_t skipped, struct opshift_error *error)
{
    struct arena *arena = arena_new(DIFF_MEMORY_MAX);
    struct records lists[2] = {{0}};
    size_t at[2] = {0, 0};
    enum opshift_status status = arena == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = records_read(diff, 0, a->offset, a->size, skipped, arena, &lists[0], error);
    if (status == OPSHIFT_OK)
        status = records_read(diff, 1, b->offset, b->size, skipped, arena, &lists[1], error);
    while (status == OPSHIFT_OK && (at[0] < lists[0].count || at[1] < lists[1].count)) {
        uint32_t number = UINT32_MAX;
        for (int i = 0; i < 2; i++)
            if (at[i] < lists[i].count && lists[i].items[at[i]].number < number)
                number = lists[i].items[at[i]].number;
        struct records left = records_take(&lists[0], &at[0], number), right = records_take(&lists[1], &at[1], number);
        status = field_compare(diff, place, descriptor, number, left, right, error);
    }
    arena_free(arena);
    return status;
}

/* Compares types in ONNX's textual syntax; *reported: a difference was reported. */
static enum opshift_status type_compare(struct diff *diff, const struct diff_place *place, const struct record *a,
                                        const struct record *b, bool *reported, struct opshift_error *error)
{
    struct words words[2] = {{.given = true}, {.given = true}};
    enum opshift_status status = OPSHIFT_OK;
    *reported = true;
    for (int i = 0; i < 2 && status == OPSHIFT_OK; i++) {
        status = message_show(diff, i, &onnx__type_proto__descriptor, i == 0 ? a : b, &words[i], error);
        *reported = *reported && words[i].buffer.size > 0 && !words[i].buffer.failed;
    }
    *reported = *reported && status == OPSHIFT_OK &&
                (words[0].buffer.size != words[1].buffer.size ||
                 memcmp(words[0].buffer.data, words[1].buffer.data, words[0].buffer.size) != 0);
    if (*reported) {
        diff_add(diff, place, CHANGE_CHANGED, NULL, &words[0], &words[1], NULL);
        return OPSHIFT_OK;
    }
    buffer_free(&words[0].buffer);
    buffer_free(&words[1].buffer);
    return status;
}

enum opshift_status message_compare(struct diff *diff, const struct diff_place *place,
                                    const ProtobufCMessageDescriptor *descriptor, const struct record *a,
                                    const struct record *b, struct opshift_error *error)
{
    bool same = false;
    enum opshift_status status = OPSHIFT_OK;
    if (a->type != WIRE_BYTES || b->type != WIRE_BYTES)
        return unknown_compare(diff, place, a->number, (struct records){(struct record *)a, 1},
                               (struct records){(struct record *)b, 1}, error);
    /* With the same directory, equal bytes refer to the same external files. */
    if (!is_big(descriptor) && diff->one_directory)
        status = records_same(diff, a, b, &same, error);
    if (status || same)
        return status;
    if (descriptor == &onnx__tensor_proto__descriptor)
        return tensor_compare(diff, place, a, b, error);
    if (descriptor == &onnx__type_proto__descriptor) {
        bool reported = false;
        status = type_compare(diff, place, a, b, &reported, error);
        if (status || reported)
            return status;
    }
    return message_compare_fields(diff, place, descriptor, a, b, 0, error);
}
