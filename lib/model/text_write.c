/* Writes names, strings and numbers so that parsing gives the same bytes. */
#include "model/text_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "model/tensor.h"
#include "base/real.h"

void text_start_line(struct text_writer *writer)
{
    buffer_print(writer->out, "%*s", (int)writer->indent, "");
}

void text_end_line(struct text_writer *writer)
{
    buffer_add_byte(writer->out, '\n');
    size_t start = 0;
    for (size_t i = 0; i < writer->notes.size; i++)
        if (writer->notes.data[i] == '\n') {
            text_start_line(writer);
            buffer_add(writer->out, writer->notes.data + start, i + 1 - start);
            start = i + 1;
        }
    writer->notes.size = 0;
}

static bool is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_one_of(const char *const *words, size_t count, const char *data, size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == size && ascii_starts_same(words[i], data, size))
            return true;
    return false;
}

/* Words that the parser reads as a type or a number. */
static bool is_reserved(const char *data, size_t size)
{
    static const char *const words[] = {"seq", "map", "optional", "sparse_tensor", "opaque", "inf", "infinity", "nan"};
    return is_one_of(words, COUNT(words), data, size) || type_find(data, size) != OPSHIFT_TYPE_UNDEFINED;
}

bool text_is_plain_name(const uint8_t *data, size_t size)
{
    if (size == 0 || !is_letter(data[0]))
        return false;
    for (size_t i = 1; i < size; i++)
        if (!is_letter(data[i]) && !(data[i] >= '0' && data[i] <= '9'))
            return false;
    return !is_reserved((const char *)data, size);
}

void text_write_name(struct buffer *out, ProtobufCBinaryData name)
{
    if (text_is_plain_name(name.data, name.len))
        buffer_add(out, name.data, name.len);
    else
        text_write_string(out, name);
}

static void write_byte(struct buffer *out, uint8_t byte)
{
    switch (byte) {
    case '\n':
        buffer_add_text(out, "\\n");
        break;
    case '\r':
        buffer_add_text(out, "\\r");
        break;
    case '\t':
        buffer_add_text(out, "\\t");
        break;
    case '"':
    case '\\':
        buffer_add_byte(out, '\\');
        buffer_add_byte(out, byte);
        break;
    default:
        if (byte < 0x20 || byte >= 0x7f)
            buffer_print(out, "\\x%02x", byte);
        else
            buffer_add_byte(out, byte);
    }
}

void text_write_string(struct buffer *out, ProtobufCBinaryData string)
{
    buffer_add_byte(out, '"');
    for (size_t i = 0; i < string.len;) {
        size_t size = string.data[i] < 0x80 ? 1 : utf8_printable(string.data + i, string.len - i);
        if (size > 1)
            buffer_add(out, string.data + i, size);
        else if (i > 0 && shown_is_command(string.data + i - 1, string.len - i + 1))
            buffer_add_text(out, "\\x23");
        else
            write_byte(out, string.data[i]);
        i += size > 1 ? size : 1;
    }
    buffer_add_byte(out, '"');
}

/* Adds ".0" where the digits alone would be an integer. */
static void write_digits(struct buffer *out, const char *digits)
{
    buffer_add_text(out, digits);
    if (!strpbrk(digits, ".en"))
        buffer_add_text(out, ".0");
}

void text_write_float(struct text_writer *writer, float value)
{
    struct real_text digits;
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    if (isnan(value))
        writer->odd_nan |= (bits & 0x7fffffff) != 0x7fc00000;
    int precision = 6;
    do
        real_print(&digits, precision, (double)value);
    while (real_parse_float(digits.text, NULL) != value && precision++ < 9);
    write_digits(writer->out, isnan(value) ? (signbit(value) ? "-nan" : "nan") : digits.text);
}

void text_write_double(struct text_writer *writer, double value)
{
    struct real_text digits;
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    if (isnan(value))
        writer->odd_nan |= (bits & INT64_MAX) != UINT64_C(0x7ff8000000000000);
    int precision = 15;
    do
        real_print(&digits, precision, value);
    while (real_parse(digits.text, NULL) != value && precision++ < 17);
    write_digits(writer->out, isnan(value) ? (signbit(value) ? "-nan" : "nan") : digits.text);
}

static void write_pair(struct buffer *out, const Onnx__StringStringEntryProto *pair)
{
    text_write_string(out, pair->key);
    buffer_add_text(out, ": ");
    text_write_string(out, pair->value);
}

void text_write_pairs(struct buffer *out, size_t count, Onnx__StringStringEntryProto *const *pairs)
{
    buffer_add_byte(out, '[');
    for (size_t i = 0; i < count; i++) {
        buffer_add_text(out, i ? ", " : "");
        write_pair(out, pairs[i]);
    }
    buffer_add_byte(out, ']');
}

static void start_note(struct buffer *notes, struct text_owner owner, const char *field)
{
    buffer_print(notes, "# not in the text: %s of %s", field, owner.kind);
    if (owner.name.len) {
        buffer_add_byte(notes, ' ');
        text_write_string(notes, owner.name);
    }
}

void text_note(struct text_writer *writer, struct text_owner owner, const char *field, const char *value)
{
    start_note(&writer->notes, owner, field);
    buffer_print(&writer->notes, "%s%s\n", value ? ": " : "", value ? value : "");
}

void text_note_string(struct text_writer *writer, struct text_owner owner, const char *field, ProtobufCBinaryData value)
{
    start_note(&writer->notes, owner, field);
    buffer_add_text(&writer->notes, ": ");
    text_write_string(&writer->notes, value);
    buffer_add_byte(&writer->notes, '\n');
}

void text_note_pairs(struct text_writer *writer, struct text_owner owner, const char *field, size_t count,
                     Onnx__StringStringEntryProto *const *pairs)
{
    if (!count)
        return;
    start_note(&writer->notes, owner, field);
    buffer_add_text(&writer->notes, ": ");
    text_write_pairs(&writer->notes, count, pairs);
    buffer_add_byte(&writer->notes, '\n');
}

void text_note_count(struct text_writer *writer, struct text_owner owner, const char *field, size_t count)
{
    char number[24];
    snprintf(number, sizeof(number), "%zu", count);
    if (count)
        text_note(writer, owner, field, number);
}

void text_note_unknown(struct text_writer *writer, struct text_owner owner, const ProtobufCMessage *message)
{
    text_note_count(writer, owner, "unknown fields", message->n_unknown_fields);
}
