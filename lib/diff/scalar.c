/* Numbers and strings: decodes them, packed or not, compares and prints them. */
#include <inttypes.h>
#include <string.h>

#include "diff/diff.h"
#include "model/text_write.h"

/* Maximum length of a printed list or string. */
#define SHOWN_ITEMS 12
#define SHOWN_BYTES 80u

/* The values of a field in order, packed or not. */
struct field_values {
    struct diff *diff;
    int side;
    const ProtobufCFieldDescriptor *field;
    struct records list;
    size_t next;      /* record */
    uint64_t at, end; /* range of a packed record */
};

struct scalar {
    bool text;
    struct record bytes; /* for strings */
    uint64_t bits;
};

static bool is_text(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_BYTES || field->type == PROTOBUF_C_TYPE_STRING;
}

static size_t fixed_size(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
        return 4;
    case PROTOBUF_C_TYPE_DOUBLE:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
        return 8;
    default:
        return 0;
    }
}

/* The next number of a packed record. */
static enum opshift_status packed_next(struct field_values *values, uint64_t *bits, struct opshift_error *error)
{
    size_t width = fixed_size(values->field), size = width > 0 ? width : 10, used = 0;
    struct opshift_model *model = values->diff->models[values->side];
    if (size > values->end - values->at)
        size = (size_t)(values->end - values->at);
    const uint8_t *data;
    enum opshift_status status = source_view(model->source, values->at, size, &data, error);
    if (status)
        return opshift_within(error, status, "%s", model->name);
    *bits = 0;
    if (width > 0) {
        for (; used < size; used++)
            *bits |= (uint64_t)data[used] << (8 * used);
    } else {
        do
            *bits |= (uint64_t)(data[used] & 0x7f) << (7 * used);
        while (data[used++] >= 0x80 && used < size);
    }
    values->at += used;
    return OPSHIFT_OK;
}

static enum opshift_status values_next(struct field_values *values, struct scalar *value, bool *found,
                                       struct opshift_error *error)
{
    *found = true;
    *value = (struct scalar){.text = is_text(values->field)};
    for (;;) {
        if (values->at < values->end)
            return packed_next(values, &value->bits, error);
        if (values->next == values->list.count)
            break;
        const struct record *record = &values->list.items[values->next++];
        if (value->text || record->type != WIRE_BYTES) {
            value->bytes = *record;
            value->bits = record->value;
            return OPSHIFT_OK;
        }
        values->at = record->offset;
        values->end = record->offset + record->size;
    }
    *found = false;
    return OPSHIFT_OK;
}

/* ---- printing ---- */

/* Shortened; the report escapes control characters. */
static enum opshift_status show_text(struct diff *diff, int side, const struct record *record, struct buffer *out,
                                     struct opshift_error *error)
{
    size_t size = record->size < SHOWN_BYTES ? (size_t)record->size : SHOWN_BYTES;
    if (record->type != WIRE_BYTES)
        return OPSHIFT_OK;
    buffer_add_byte(out, '\'');
    if (size > 0) {
        const uint8_t *data;
        enum opshift_status status = source_view(diff->models[side]->source, record->offset, size, &data, error);
        if (status)
            return opshift_within(error, status, "%s", diff->models[side]->name);
        buffer_add(out, data, size);
    }
    buffer_add_text(out, "'");
    if (size < record->size)
        buffer_print(out, "... (%" PRIu64 " bytes)", record->size);
    return OPSHIFT_OK;
}

static void show_float(struct buffer *out, uint64_t bits, bool wide)
{
    struct text_writer writer = {.out = out};
    if (wide) {
        double number;
        memcpy(&number, &bits, sizeof(number));
        text_write_double(&writer, number);
    } else {
        uint32_t half = (uint32_t)bits;
        float number;
        memcpy(&number, &half, sizeof(number));
        text_write_float(&writer, number);
    }
    buffer_free(&writer.notes);
}

static void show_number(const ProtobufCFieldDescriptor *field, uint64_t bits, struct buffer *out)
{
    const ProtobufCEnumValue *named = NULL;
    switch (field->type) {
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_DOUBLE:
        show_float(out, bits, field->type == PROTOBUF_C_TYPE_DOUBLE);
        return;
    case PROTOBUF_C_TYPE_ENUM:
        named = protobuf_c_enum_descriptor_get_value(field->descriptor, (int)bits);
        break;
    case PROTOBUF_C_TYPE_UINT64:
        buffer_print(out, "%" PRIu64, bits);
        return;
    default:
        break;
    }
    if (named != NULL)
        buffer_add_text(out, named->name);
    else if (strcmp(field->name, "data_type") == 0 && type_name((enum opshift_type)bits) != NULL)
        buffer_add_text(out, type_name((enum opshift_type)bits));
    else
        buffer_print(out, "%" PRId64, (int64_t)bits);
}

static enum opshift_status show_scalar(struct diff *diff, int side, const ProtobufCFieldDescriptor *field,
                                       const struct scalar *value, struct buffer *out, struct opshift_error *error)
{
    if (value->text)
        return show_text(diff, side, &value->bytes, out, error);
    show_number(field, value->bits, out);
    return OPSHIFT_OK;
}

/* "[1, 2, 3]"; long lists are cut. */
static enum opshift_status show_list(struct diff *diff, int side, const ProtobufCFieldDescriptor *field,
                                     struct records list, struct words *words, struct opshift_error *error)
{
    struct field_values values = {.diff = diff, .side = side, .field = field, .list = list};
    uint64_t count = 0;
    words->given = true;
    buffer_add_byte(&words->buffer, '[');
    for (bool found = true; found;) {
        struct scalar value;
        enum opshift_status status = values_next(&values, &value, &found, error);
        if (status == OPSHIFT_OK && found && count < SHOWN_ITEMS) {
            buffer_add_text(&words->buffer, count > 0 ? ", " : "");
            status = show_scalar(diff, side, field, &value, &words->buffer, error);
        }
        if (status)
            return status;
        count += found;
    }
    if (count > SHOWN_ITEMS)
        buffer_print(&words->buffer, ", ... (%" PRIu64 " of them)", count);
    buffer_add_byte(&words->buffer, ']');
    return OPSHIFT_OK;
}

/* Protobuf: the last occurrence of a field wins. */
static struct scalar last_of(struct records list)
{
    struct scalar value = {0};
    if (list.count > 0)
        value = (struct scalar){.bytes = list.items[list.count - 1], .bits = list.items[list.count - 1].value};
    return value;
}

static enum opshift_status show_field(struct diff *diff, int side, const ProtobufCFieldDescriptor *field,
                                      struct records list, struct words *words, struct opshift_error *error)
{
    struct scalar value = last_of(list);
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return show_list(diff, side, field, list, words, error);
    words->given = list.count > 0;
    value.text = is_text(field);
    return words->given ? show_scalar(diff, side, field, &value, &words->buffer, error) : OPSHIFT_OK;
}

/* ---- comparison ---- */

static enum opshift_status same_scalar(struct diff *diff, const struct scalar *a, const struct scalar *b, bool *same,
                                       struct opshift_error *error)
{
    *same = a->bits == b->bits;
    return a->text ? records_same(diff, &a->bytes, &b->bytes, same, error) : OPSHIFT_OK;
}

/* *first: index of the first difference. */
static enum opshift_status same_list(struct diff *diff, const ProtobufCFieldDescriptor *field, struct records a,
                                     struct records b, bool *same, uint64_t *first, struct opshift_error *error)
{
    struct field_values values[2] = {{.diff = diff, .side = 0, .field = field, .list = a},
                                     {.diff = diff, .side = 1, .field = field, .list = b}};
    *same = true;
    for (*first = 0;; (*first)++) {
        struct scalar pair[2];
        bool found[2];
        enum opshift_status status = values_next(&values[0], &pair[0], &found[0], error);
        if (status == OPSHIFT_OK)
            status = values_next(&values[1], &pair[1], &found[1], error);
        if (status || (!found[0] && !found[1]))
            return status;
        *same = found[0] == found[1];
        if (*same)
            status = same_scalar(diff, &pair[0], &pair[1], same, error);
        if (status || !*same)
            return status;
    }
}

/* Absent and the default value are equal, unless the field's presence has a meaning. */
static enum opshift_status same_single(struct diff *diff, const ProtobufCFieldDescriptor *field, struct records a,
                                       struct records b, bool *same, struct opshift_error *error)
{
    struct scalar left = last_of(a), right = last_of(b);
    left.text = right.text = is_text(field);
    if (a.count > 0 && b.count > 0)
        return same_scalar(diff, &left, &right, same, error);
    const struct scalar *there = a.count > 0 ? &left : &right;
    *same = (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) == 0 &&
            (there->text ? there->bytes.type == WIRE_BYTES && there->bytes.size == 0 : there->bits == 0);
    return OPSHIFT_OK;
}

enum opshift_status scalar_compare(struct diff *diff, const struct diff_place *place,
                                   const ProtobufCFieldDescriptor *field, const char *what, struct records a,
                                   struct records b, struct opshift_error *error)
{
    struct words before = {0}, after = {0};
    char detail[64] = "";
    bool same = true;
    uint64_t first = 0;
    enum opshift_status status = field->label == PROTOBUF_C_LABEL_REPEATED
                                     ? same_list(diff, field, a, b, &same, &first, error)
                                     : same_single(diff, field, a, b, &same, error);
    if (status || same)
        return status;
    if (first >= SHOWN_ITEMS)
        snprintf(detail, sizeof(detail), "from element %" PRIu64 " on", first);
    status = show_field(diff, 0, field, a, &before, error);
    if (status == OPSHIFT_OK)
        status = show_field(diff, 1, field, b, &after, error);
    diff_add(diff, place, CHANGE_CHANGED, what, &before, &after, detail[0] == '\0' ? NULL : detail);
    return status;
}

/* ---- short forms of messages ---- */

static enum opshift_status type_show(struct diff *diff, int side, const struct record *record, struct arena *arena,
                                     struct words *words, struct opshift_error *error)
{
    Onnx__TypeProto *type = NULL;
    struct range range = range_make(record->offset, record->offset, record->size);
    enum opshift_status status =
        range_decode(diff->models[side], range, &onnx__type_proto__descriptor, arena, &type, error);
    if (status == OPSHIFT_OK && text_type_obstacle(type) == NULL) {
        struct text_writer writer = {.out = &words->buffer};
        text_write_type(&writer, (struct text_owner){"type", {0, NULL}}, type);
        buffer_free(&writer.notes);
        words->given = true;
    }
    return status;
}

static enum opshift_status tensor_show(struct diff *diff, int side, const struct records *children, struct words *words,
                                       struct opshift_error *error)
{
    const ProtobufCMessageDescriptor *descriptor = &onnx__tensor_proto__descriptor;
    const struct record *type = records_find(children, 2);
    size_t at = 0;
    while (at < children->count && children->items[at].number < 1)
        at++;
    struct records dims = records_take(children, &at, 1);
    const char *name = type == NULL ? NULL : type_name((enum opshift_type)type->value);
    words->given = true;
    buffer_add_text(&words->buffer, name == NULL ? "undefined" : name);
    return show_list(diff, side, protobuf_c_message_descriptor_get_field(descriptor, 1), dims, words, error);
}

/* Prints the first of these fields that is present. */
static enum opshift_status first_show(struct diff *diff, int side, const ProtobufCMessageDescriptor *descriptor,
                                      const struct records *children, const uint32_t *numbers, size_t count,
                                      struct words *words, struct opshift_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(descriptor, numbers[i]);
        const struct record *found = records_find(children, numbers[i]);
        size_t at = 0;
        if (found == NULL)
            continue;
        while (children->items[at].number != numbers[i])
            at++;
        struct records list = records_take(children, &at, numbers[i]);
        return field->type == PROTOBUF_C_TYPE_MESSAGE ? message_show(diff, side, field->descriptor, found, words, error)
                                                      : show_field(diff, side, field, list, words, error);
    }
    return OPSHIFT_OK;
}

enum opshift_status message_show(struct diff *diff, int side, const ProtobufCMessageDescriptor *descriptor,
                                 const struct record *record, struct words *words, struct opshift_error *error)
{
    static const uint32_t pair[] = {2}, attribute[] = {21, 2, 3, 4, 7, 8, 9, 5, 14};
    const uint32_t payload = 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 9 | 1u << 10 | 1u << 11;
    bool tensor = descriptor == &onnx__tensor_proto__descriptor, type = descriptor == &onnx__type_proto__descriptor;
    bool short_one = descriptor == &onnx__string_string_entry_proto__descriptor ||
                     descriptor == &onnx__operator_set_id_proto__descriptor ||
                     descriptor == &onnx__value_info_proto__descriptor;
    bool is_attribute = descriptor == &onnx__attribute_proto__descriptor;
    struct records children;
    if ((!tensor && !type && !short_one && !is_attribute) || record->type != WIRE_BYTES)
        return OPSHIFT_OK;
    struct arena *arena = arena_new(DIFF_MEMORY_MAX);
    enum opshift_status status = arena == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && type) {
        status = type_show(diff, side, record, arena, words, error);
        arena_free(arena);
        return status;
    }
    if (status == OPSHIFT_OK)
        status = records_read(diff, side, record->offset, record->size, tensor ? payload : 0, arena, &children, error);
    if (status == OPSHIFT_OK && tensor)
        status = tensor_show(diff, side, &children, words, error);
    else if (status == OPSHIFT_OK && short_one)
        status = first_show(diff, side, descriptor, &children, pair, COUNT(pair), words, error);
    else if (status == OPSHIFT_OK)
        status = first_show(diff, side, descriptor, &children, attribute, COUNT(attribute), words, error);
    arena_free(arena);
    return status;
}
