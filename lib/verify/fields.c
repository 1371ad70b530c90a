/* Compares ranges of the two files: equal, or the first different field. */

#include "verify/rest.h"
#include "wire/wire.h"

enum opshift_status rest_same_bytes(const struct comparison *comparison, struct range before, struct range after,
                                    bool *same, struct opshift_error *error)
{
    *same = range_size(before) == range_size(after);
    return *same ? sources_same(comparison->before.model->source, range_offset(before), comparison->after.model->source,
                                range_offset(after), range_size(before), same, error)
                 : OPSHIFT_OK;
}

/* ---- fields without a comparison of their own, compared in order ---- */

static bool is_skipped(const struct wire_field *field, uint32_t skipped)
{
    return field->number < 32 && (skipped >> field->number & 1) != 0;
}

static enum opshift_status next_other(struct wire_cursor *cursor, uint32_t skipped, struct wire_field *field,
                                      bool *found, struct opshift_error *error)
{
    enum opshift_status status;
    do
        status = wire_next(cursor, field, found, error);
    while (status == OPSHIFT_OK && *found && is_skipped(field, skipped));
    return status;
}

static const char *field_name(const ProtobufCMessageDescriptor *descriptor, uint32_t number)
{
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(descriptor, number);
    return field == NULL ? "that is unknown" : field->name;
}

static enum opshift_status same_fields(const struct comparison *comparison, const struct wire_field fields[2],
                                       bool *same, struct opshift_error *error)
{
    *same = fields[0].number == fields[1].number && fields[0].type == fields[1].type;
    if (*same && fields[0].type != WIRE_BYTES) {
        *same = fields[0].value == fields[1].value;
        return OPSHIFT_OK;
    }
    struct range ranges[2];
    for (int i = 0; i < 2; i++)
        ranges[i] = range_make(fields[i].record, fields[i].offset, fields[i].size);
    return *same ? rest_same_bytes(comparison, ranges[0], ranges[1], same, error) : OPSHIFT_OK;
}

/* The first different field, and the difference; *field NULL: none. */
static enum opshift_status different_field(const struct comparison *comparison, struct range before, struct range after,
                                           uint32_t skipped, const ProtobufCMessageDescriptor *descriptor,
                                           const char **field, const char **how, struct opshift_error *error)
{
    struct wire_cursor cursors[2] = {
        {comparison->before.model->source, range_offset(before), range_end(before)},
        {comparison->after.model->source, range_offset(after), range_end(after)},
    };
    *field = NULL;
    for (;;) {
        struct wire_field fields[2];
        bool found[2] = {false, false}, same = false;
        enum opshift_status status = OPSHIFT_OK;
        for (int i = 0; i < 2 && status == OPSHIFT_OK; i++)
            status = next_other(&cursors[i], skipped, &fields[i], &found[i], error);
        if (status || (!found[0] && !found[1]))
            return status;
        if (found[0] && found[1])
            status = same_fields(comparison, fields, &same, error);
        if (status)
            return status;
        if (same)
            continue;
        *field = field_name(descriptor, fields[found[0] ? 0 : 1].number);
        *how = !found[0] ? "new" : !found[1] ? "lost" : "another";
        return OPSHIFT_OK;
    }
}

enum opshift_status rest_compare_fields(struct comparison *comparison, struct range before, struct range after,
                                        uint32_t skipped, const ProtobufCMessageDescriptor *descriptor,
                                        const char *place, struct opshift_error *error)
{
    const char *field, *how = "";
    enum opshift_status status = different_field(comparison, before, after, skipped, descriptor, &field, &how, error);
    if (status == OPSHIFT_OK && field != NULL)
        rest_difference(comparison, place, "the field %s is %s", field, how);
    return status;
}

enum opshift_status rest_same_fields(const struct comparison *comparison, struct range before, struct range after,
                                     uint32_t skipped, const ProtobufCMessageDescriptor *descriptor, bool *same,
                                     struct opshift_error *error)
{
    const char *field, *how = "";
    enum opshift_status status = different_field(comparison, before, after, skipped, descriptor, &field, &how, error);
    *same = status == OPSHIFT_OK && field == NULL;
    return status;
}

enum opshift_status rest_same_head(const struct comparison *comparison, const struct node *before,
                                   const struct node *after, const char **what, struct opshift_error *error)
{
    const char *field, *how = "";
    enum opshift_status status =
        different_field(comparison, before->range, after->range,
                        REST_SKIP(1) | REST_SKIP(2) | REST_SKIP(4) | REST_SKIP(5) | REST_SKIP(7),
                        &onnx__node_proto__descriptor, &field, &how, error);
    *what = NULL;
    if (status || field == NULL)
        return status;
    *what = arena_print(comparison->arena, "the field %s is %s", field, how);
    return *what == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* The next record of a field of a model; *found is false at the end. */
static enum opshift_status next_record(struct wire_cursor *cursor, uint32_t number, struct range *range, bool *found,
                                       struct opshift_error *error)
{
    struct wire_field field;
    enum opshift_status status;
    do
        status = wire_next(cursor, &field, found, error);
    while (status == OPSHIFT_OK && *found && (field.number != number || field.type != WIRE_BYTES));
    if (status == OPSHIFT_OK && *found)
        *range = range_make(field.record, field.offset, field.size);
    return status;
}

enum opshift_status rest_compare_training(struct comparison *comparison, struct opshift_error *error)
{
    const struct opshift_model *models[2] = {comparison->before.model, comparison->after.model};
    struct wire_cursor cursors[2];
    struct range ranges[2] = {{0}, {0}};
    bool found[2] = {true, true};
    enum opshift_status status = OPSHIFT_OK;
    for (int i = 0; i < 2; i++)
        cursors[i] = (struct wire_cursor){models[i]->source, models[i]->message->offset,
                                          models[i]->message->offset + models[i]->message->size};
    while (status == OPSHIFT_OK && found[0] && found[1]) {
        for (int i = 0; i < 2 && status == OPSHIFT_OK; i++)
            status = next_record(&cursors[i], REST_MODEL_TRAINING, &ranges[i], &found[i], error);
        /* The two graphs are compared as graphs. */
        if (status == OPSHIFT_OK && found[0] && found[1])
            status = rest_compare_fields(comparison, ranges[0], ranges[1], REST_SKIP(1) | REST_SKIP(2),
                                         &onnx__training_info_proto__descriptor, "training info", error);
    }
    if (status == OPSHIFT_OK && found[0] != found[1])
        rest_difference(comparison, "model", "the field training_info is %s", found[0] ? "lost" : "new");
    return status;
}
