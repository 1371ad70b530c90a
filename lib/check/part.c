/* Parses the messages of a subject and collects the facts that checks need; payloads other than strings are skipped. */
#include "check/part.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "model/scan.h"

#define TEXT_PIECE 65536u /* bytes of a string validated at a time */
#define NAME_SHOWN 80u

struct part_context *part_context_new(struct checking *checking)
{
    struct part_context *context = calloc(1, sizeof(*context));
    if (context != NULL)
        context->checking = checking;
    return context;
}

static void kind_free(struct part_kind *kind)
{
    if (kind != NULL) {
        free(kind->plain.rows);
        free(kind->noted.rows);
    }
    free(kind);
}

static void checks_push(struct part_checks *checks, const struct part_check *row)
{
    checks->rows[checks->count++] = *row;
    checks->fields |= row->fields;
}

/* Makes the lists of the kind's checks. False: no memory. */
static bool kind_add_checks(struct part_kind *kind, const struct checking *checking)
{
    size_t count;
    const struct check *const *checks = checking_selected(checking, CHECK_PART, &count);
    kind->plain.rows = calloc(count + 1, sizeof(*kind->plain.rows));
    kind->noted.rows = calloc(count + 1, sizeof(*kind->noted.rows));
    if (kind->plain.rows == NULL || kind->noted.rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct check *check = checks[i];
        const struct part_check row = {.check = check,
                                       .fields = check->fields ? check->fields(kind->descriptor)
                                                 : check->has  ? check->has
                                                               : 1,
                                       .notes = check->notes ? check->notes : NOTE_NONE};
        if (check->find_part == NULL || (check->kind != NULL && check->kind != kind->descriptor) || row.fields == 0)
            continue;
        if (row.notes == NOTE_NONE)
            checks_push(&kind->plain, &row);
        checks_push(&kind->noted, &row);
    }
    return true;
}

/* Our proto declares strings as bytes; these are the fields that are bytes in ONNX's too. */
static bool is_text(const ProtobufCMessageDescriptor *kind, const ProtobufCFieldDescriptor *known)
{
    if (known->type != PROTOBUF_C_TYPE_BYTES)
        return false;
    if (kind == &onnx__tensor_proto__descriptor)
        return known->id != 6 && known->id != 9;
    if (kind == &onnx__attribute_proto__descriptor)
        return known->id != 4 && known->id != 9;
    return true;
}

/* The other members of a field's oneof, as bits by number. */
static uint64_t rivals_of(const ProtobufCMessageDescriptor *kind, const ProtobufCFieldDescriptor *known)
{
    uint64_t rivals = 0;
    for (unsigned i = 0; known->flags & PROTOBUF_C_FIELD_FLAG_ONEOF && i < kind->n_fields; i++) {
        const ProtobufCFieldDescriptor *other = &kind->fields[i];
        if (other != known && other->flags & PROTOBUF_C_FIELD_FLAG_ONEOF &&
            other->quantifier_offset == known->quantifier_offset && other->id < PART_FIELDS)
            rivals |= UINT64_C(1) << other->id;
    }
    return rivals;
}

static bool is_subject(const ProtobufCMessageDescriptor *kind)
{
    return kind == &onnx__graph_proto__descriptor || kind == &onnx__function_proto__descriptor ||
           kind == &onnx__node_proto__descriptor;
}

static struct part_rule rule_of(const ProtobufCMessageDescriptor *kind, const ProtobufCFieldDescriptor *known)
{
    enum wire_type wire = field_wire_type(known);
    bool is_list = known->label == PROTOBUF_C_LABEL_REPEATED;
    return (struct part_rule){
        .known = known,
        .rivals = rivals_of(kind, known),
        .wire = (uint8_t)wire,
        .may_be_packed = is_list && wire != WIRE_BYTES,
        .is_single = !is_list,
        .is_text = is_text(kind, known),
        .holds_part = known->type == PROTOBUF_C_TYPE_MESSAGE && !is_subject(known->descriptor),
    };
}

/* NULL: no memory. */
static struct part_kind *kind_new(struct part_context *context, const ProtobufCMessageDescriptor *descriptor)
{
    struct part_kind *kind = calloc(1, sizeof(*kind));
    if (kind == NULL)
        return NULL;
    kind->descriptor = descriptor;
    for (unsigned i = 0; i < descriptor->n_fields; i++)
        if (descriptor->fields[i].id < PART_FIELDS)
            kind->rules[descriptor->fields[i].id] = rule_of(descriptor, &descriptor->fields[i]);
    if (!kind_add_checks(kind, context->checking)) {
        kind_free(kind);
        return NULL;
    }
    kind->next = context->kinds;
    return context->kinds = kind;
}

/* NULL: no memory. */
static struct part_kind *kind_find(struct part_context *context, const ProtobufCMessageDescriptor *descriptor)
{
    struct part_kind *kind = context->kinds;
    while (kind != NULL && kind->descriptor != descriptor)
        kind = kind->next;
    return kind != NULL ? kind : kind_new(context, descriptor);
}

void part_context_free(struct part_context *context)
{
    if (context == NULL)
        return;
    for (struct part *part = context->part, *inner; part != NULL; part = inner) {
        inner = part->inner;
        free(part);
    }
    free(context->dims);
    ranges_free(&context->stored);
    free(context->external);
    free(context->files);
    table_free(&context->file_table);
    table_free(&context->key_table);
    for (struct part_kind *kind = context->kinds, *next; kind != NULL; kind = next) {
        next = kind->next;
        kind_free(kind);
    }
    free(context);
}

/* ---- facts about a message ---- */

static void note_first(struct part *part, enum part_note note, const struct wire_field *field)
{
    if (!(part->noted >> note & 1))
        part->notes[note] = *field;
    part->noted |= 1u << note;
}

#define EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

/* Are all bytes ASCII, and none a NUL? */
static bool is_plain(const uint8_t *data, size_t size)
{
    uint64_t bytes, other = 0;
    size_t at = 0;
    for (; size - at >= sizeof(bytes); at += sizeof(bytes)) {
        memcpy(&bytes, data + at, sizeof(bytes));
        other |= bytes | (bytes - EACH_BYTE(1)); /* the high bit of a byte is set where the byte is not plain */
    }
    for (; at < size; at++)
        other |= data[at] | (data[at] - UINT64_C(1));
    return (other & EACH_BYTE(0x80)) == 0;
}

/* Is a piece valid UTF-8? *used: bytes validated; a character may be cut at the end of the piece. */
static bool piece_is_utf8(const uint8_t *data, size_t size, bool last, size_t *used)
{
    size_t at = 0;
    while (at < size) {
        size_t taken = data[at] < 0x80 ? 1 : utf8_character(data + at, size - at);
        if (taken == 0)
            break;
        at += taken;
    }
    *used = at;
    return at == size || (!last && size - at < 4);
}

static enum opshift_status text_check(struct part_context *context, const struct wire_field *field, struct part *part,
                                      struct opshift_error *error)
{
    for (uint64_t at = 0; at < field->size;) {
        size_t size = field->size - at < TEXT_PIECE ? (size_t)(field->size - at) : TEXT_PIECE, used = size;
        const uint8_t *data;
        enum opshift_status status =
            source_view(context->checking->model->source, field->offset + at, size, &data, error);
        if (status)
            return status;
        bool plain = is_plain(data, size);
        if (!plain && memchr(data, '\0', size))
            note_first(part, NOTE_NUL, field);
        if (!plain && (!piece_is_utf8(data, size, at + size == field->size, &used) || used == 0)) {
            note_first(part, NOTE_NOT_UTF8, field);
            return OPSHIFT_OK;
        }
        at += used;
    }
    return OPSHIFT_OK;
}

static bool is_overlong(const struct wire_field *field)
{
    size_t least = field->type == WIRE_BYTES ? 2 : 1;
    if (field->offset - field->record == least && (field->type != WIRE_VARINT || field->size == 1))
        return false;
    size_t tag = wire_varint_size((uint64_t)field->number << 3 | (uint64_t)field->type);
    size_t length = field->type == WIRE_BYTES ? wire_varint_size(field->size) : 0;
    if (field->offset - field->record > tag + length)
        return true;
    return field->type == WIRE_VARINT && field->size > wire_varint_size(field->value);
}

/* Stores the record as the last one of its field. The next record is read into the slot of the one that it replaces, or
 * into a new slot. */
static void field_count(struct part *part)
{
    const struct wire_field *field = &part->records[part->next];
    struct part_field *counted = &part->fields[field->number];
    uint32_t before = counted->last;
    uint64_t bit = UINT64_C(1) << field->number;
    if (part->counted & bit && part->table->rules[field->number].is_single) {
        note_first(part, NOTE_TWICE, field);
        part->repeated |= bit;
    }
    part->counted |= bit;
    counted->count++;
    counted->size += field->size;
    counted->last = part->next;
    part->next = before ? before : part->record_count++;
}

static enum opshift_status part_check_all(struct part_context *context, struct part *part, struct opshift_error *error);

/* Most messages are small: clears only the fields that the last one had. */
static void part_empty(struct part *part)
{
    for (uint64_t counted = part->counted & ~UINT64_C(1); counted != 0; counted &= counted - 1)
        part->fields[__builtin_ctzll(counted)] = (struct part_field){0};
    part->counted = 1;
    part->next = 1;
    part->record_count = 2;
    part->repeated = 0;
    part->noted = NOTE_NONE;
}

/* Begins a message in the part that *room points to, which is made if there is none. False: no memory. */
static bool part_begin(struct part **room, const struct part *around, const struct wire_field *field,
                       struct part_kind *kind)
{
    if (*room == NULL && (*room = calloc(1, sizeof(**room))) == NULL)
        return false;
    struct part *part = *room;
    part_empty(part);
    part->around = around;
    part->number = field->number;
    part->kind = kind->descriptor;
    part->table = kind;
    part->range = range_make(field->record, field->offset, field->size);
    return true;
}

/* Checks the record that was read last. */
static enum opshift_status field_check(struct part_context *context, struct part *part, struct opshift_error *error)
{
    const struct wire_field *field = &part->records[part->next];
    struct part_rule *rule = &part->table->rules[field->number < PART_FIELDS ? field->number : 0];
    if (rule->known == NULL) {
        note_first(part, NOTE_UNKNOWN, field);
        return OPSHIFT_OK;
    }
    if ((uint8_t)field->type != rule->wire && !(rule->may_be_packed && field->type == WIRE_BYTES))
        return field_refuse_wire(part->kind, rule->known, field, error);
    if (is_overlong(field))
        note_first(part, NOTE_OVERLONG, field);
    if (part->counted & rule->rivals)
        note_first(part, NOTE_ONE_OF, field);
    field_count(part);
    if (rule->is_text)
        return text_check(context, field, part, error);
    if (!rule->holds_part)
        return OPSHIFT_OK;
    if (rule->inner == NULL && (rule->inner = kind_find(context, rule->known->descriptor)) == NULL)
        return opshift_no_memory(error);
    if (!part_begin(&part->inner, part, field, rule->inner))
        return opshift_no_memory(error);
    return part_check_all(context, part->inner, error);
}

/* ---- suppressions ---- */

static bool has_text(const struct part_context *context, const struct wire_field *field, const char *text)
{
    if (field->number == 0 || field->size != strlen(text))
        return false;
    const uint8_t *data = source_window(context->checking->model->source, field->offset, (size_t)field->size);
    return data && memcmp(data, text, (size_t)field->size) == 0;
}

/* An entry of the subject's own metadata_props. */
static enum opshift_status suppression_note(struct part_context *context, const struct part *part,
                                            struct opshift_error *error)
{
    struct checking *checking = context->checking;
    const struct wire_field *value = part_last(part, 2);
    if (part->kind != &onnx__string_string_entry_proto__descriptor || part->around == NULL || part->around->around ||
        strcmp(part_known(part->around, part->number)->name, "metadata_props") != 0 ||
        !has_text(context, part_last(part, 1), "opshift.ignore"))
        return OPSHIFT_OK;
    size_t size = value->size < TEXT_PIECE ? (size_t)value->size : TEXT_PIECE;
    const uint8_t *data = source_window(checking->model->source, value->offset, size);
    const char *text = arena_copy(checking->arena, data, data ? size : 0);
    struct suppression *grown =
        realloc(checking->suppressions, (checking->suppression_count + 1) * sizeof(*checking->suppressions));
    if (grown)
        checking->suppressions = grown;
    if (grown == NULL || text == NULL)
        return opshift_no_memory(error);
    grown[checking->suppression_count++] =
        (struct suppression){context->subject->graph, context->subject->node, part->range, text};
    return OPSHIFT_OK;
}

/* ---- the walk ---- */

static enum opshift_status part_ask(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    enum opshift_status status = suppression_note(context, part, error);
    const struct part_checks *checks = part->noted == NOTE_NONE ? &part->table->plain : &part->table->noted;
    if (!(checks->fields & part->counted))
        return status;
    for (size_t i = 0; status == OPSHIFT_OK && i < checks->count; i++) {
        const struct part_check *row = &checks->rows[i];
        if (!(row->fields & part->counted) || !(row->notes & part->noted))
            continue;
        context->checking->check = row->check;
        context->concerned = row->fields & part->counted;
        status = row->check->find_part(context, part, error);
    }
    return status;
}

/* Recursion depth is bounded by the nesting limit of models. */
static enum opshift_status part_check_all(struct part_context *context, struct part *part, struct opshift_error *error)
{
    struct wire_cursor cursor = {context->checking->model->source, range_offset(part->range), range_end(part->range)};
    enum opshift_status status;
    bool found;
    while ((status = wire_next(&cursor, &part->records[part->next], &found, error)) == OPSHIFT_OK && found) {
        status = field_check(context, part, error);
        if (status)
            return status;
    }
    return status ? status : part_ask(context, part, error);
}

static const ProtobufCMessageDescriptor *kind_of(const struct subject *subject)
{
    if (subject->node)
        return &onnx__node_proto__descriptor;
    if (subject->graph == NULL)
        return &onnx__model_proto__descriptor;
    return subject->graph->kind == GRAPH_FUNCTION ? &onnx__function_proto__descriptor : &onnx__graph_proto__descriptor;
}

static struct wire_field place_of(const struct checking *checking, const struct subject *subject)
{
    if (subject->node) {
        struct range range = subject->node->range;
        return (struct wire_field){
            .record = range_record(range), .offset = range_offset(range), .size = range_size(range)};
    }
    const struct message *message = subject->graph ? subject->graph->message : checking->model->message;
    return (struct wire_field){.record = message_record(message), .offset = message->offset, .size = message->size};
}

enum opshift_status parts_check(struct part_context *context, const struct subject *subject,
                                struct opshift_error *error)
{
    struct opshift_error why;
    struct wire_field place = place_of(context->checking, subject);
    struct part_kind *kind = kind_find(context, kind_of(subject));
    if (kind == NULL || !part_begin(&context->part, NULL, &place, kind))
        return opshift_no_memory(error);
    context->subject = subject;
    enum opshift_status status = part_check_all(context, context->part, &why);
    if (!context->checking->overfull && (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED))
        return finding_add_failure(context->checking, subject, &why, error);
    return error_give(error, status, &why);
}

/* ---- services for checks ---- */

const struct wire_field *parts_field(const struct part_context *context, uint32_t number)
{
    const struct part *part = context->part;
    return part->counted >> number & 1 ? part_last(part, number) : NULL;
}

const char *field_text(const struct part_context *context, const struct wire_field *field)
{
    size_t size = field->size < NAME_SHOWN + 4 ? (size_t)field->size : NAME_SHOWN + 4, used = 0;
    const uint8_t *data =
        size ? source_window(context->checking->model->source, field->offset, size) : (const uint8_t *)"";
    while (data && used < size && used < NAME_SHOWN) {
        size_t taken = utf8_character(data + used, size - used);
        used += taken ? taken : 1;
    }
    return arena_copy(context->checking->scratch, data, data ? used : 0);
}

const char *part_text(const struct part_context *context, const struct part *part, uint32_t number)
{
    return field_text(context, part_last(part, number));
}

/* The number of the field that holds a message's name, and the message's name in texts. */
static const struct {
    const ProtobufCMessageDescriptor *kind;
    uint32_t name;
    const char *called;
} named[] = {
    {&onnx__tensor_proto__descriptor, 8, "tensor"},
    {&onnx__attribute_proto__descriptor, 1, "attribute"},
    {&onnx__value_info_proto__descriptor, 1, "value"},
    {&onnx__tensor_annotation__descriptor, 1, "annotation of"},
};

/* "attribute 'value': tensor 't': "; NULL: no memory. */
static const char *part_place(const struct part_context *context, const struct part *part)
{
    if (part == NULL)
        return "";
    const char *around = part_place(context, part->around);
    for (size_t i = 0; around && i < COUNT(named); i++) {
        if (named[i].kind != part->kind)
            continue;
        const char *name = part_text(context, part, named[i].name);
        if (name == NULL || *name)
            return name ? arena_print(context->checking->scratch, "%s%s '%s': ", around, named[i].called, name) : NULL;
    }
    return around;
}

static enum opshift_status context_add_list(struct part_context *context, const struct part *part,
                                            const struct range *where, struct opshift_error *error, const char *format,
                                            va_list arguments)
{
    char words[OPSHIFT_ERROR_SIZE];
    shown_print(words, sizeof(words), format, arguments);
    const char *place = part_place(context, part);
    if (place == NULL)
        return opshift_no_memory(error);
    return finding_add(context->checking, context->subject, where ? where : &part->range, error, "%s%s", place, words);
}

enum opshift_status context_add(struct part_context *context, const struct part *part, const struct range *where,
                                struct opshift_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    enum opshift_status status = context_add_list(context, part, where, error, format, arguments);
    va_end(arguments);
    return status;
}

enum opshift_status context_add_field(struct part_context *context, const struct part *part,
                                      const struct wire_field *where, struct opshift_error *error, const char *format,
                                      ...)
{
    va_list arguments;
    struct range range = range_make(where->record, where->offset, where->size);
    va_start(arguments, format);
    enum opshift_status status = context_add_list(context, part, &range, error, format, arguments);
    va_end(arguments);
    return status;
}

enum opshift_status finding_add_failure(struct checking *checking, const struct subject *subject,
                                        const struct opshift_error *why, struct opshift_error *error)
{
    const struct check *asking = checking->check;
    struct range range = range_make(why->offset, why->offset, why->fault ? 1 : 0);
    checking->check = check_of_fault(why);
    enum opshift_status status = finding_add(checking, subject, why->fault ? &range : NULL, error, "%s", why->text);
    checking->check = asking;
    checking->malformed = true;
    return status;
}

static enum opshift_status number_push(struct part_context *context, size_t *count, size_t limit, uint64_t number,
                                       struct opshift_error *error)
{
    if (*count == limit)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "more than %zu numbers", limit);
    if (!list_grow(&context->dims, *count, &context->dim_room, sizeof(*context->dims)))
        return opshift_no_memory(error);
    context->dims[(*count)++] = (int64_t)number;
    return OPSHIFT_OK;
}

static enum opshift_status packed_push(struct part_context *context, const struct wire_field *field, size_t *count,
                                       size_t limit, struct opshift_error *error)
{
    uint64_t number = 0;
    unsigned shift = 0;
    for (uint64_t at = 0; at < field->size; at++) {
        const uint8_t *byte;
        enum opshift_status status = source_view(context->checking->model->source, field->offset + at, 1, &byte, error);
        if (status)
            return status;
        if (shift < 64)
            number |= (uint64_t)(*byte & 0x7f) << shift;
        shift += 7;
        if (*byte >= 0x80 && shift < 70)
            continue;
        status = number_push(context, count, limit, number, error);
        if (status)
            return status;
        number = shift = 0;
    }
    return OPSHIFT_OK;
}

enum opshift_status part_numbers(struct part_context *context, const struct part *part, uint32_t number, size_t limit,
                                 const int64_t **numbers, size_t *count, struct opshift_error *error)
{
    struct wire_cursor cursor = {context->checking->model->source, range_offset(part->range), range_end(part->range)};
    enum opshift_status status = OPSHIFT_OK;
    *count = 0;
    for (uint32_t left = part->fields[number].count; status == OPSHIFT_OK && left > 0;) {
        struct wire_field field;
        bool found;
        status = wire_next(&cursor, &field, &found, error);
        if (status || !found || field.number != number)
            continue;
        left--;
        if (field.type == WIRE_BYTES)
            status = packed_push(context, &field, count, limit, error);
        else
            status = number_push(context, count, limit, field.value, error);
    }
    *numbers = context->dims;
    return status;
}
