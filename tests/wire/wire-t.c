/* The wire format: every kind of field is read and written, and every malformed one refused with its position. */
#include "wire/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/tap/tap.h"

#define DAMAGED "; the file is damaged or cut short; fetch it again"

static const char *error_text(const char *bytes, size_t size)
{
    static struct opshift_error error;
    struct wire_cursor cursor = {.end = size};
    struct wire_field field;
    bool found = true;
    error = (struct opshift_error){0};
    enum opshift_status status = source_open_memory(bytes, size, &cursor.source, &error);
    while (status == OPSHIFT_OK && found)
        status = wire_next(&cursor, &field, &found, &error);
    source_free(cursor.source);
    return status == OPSHIFT_MALFORMED ? error.text : status ? "another status" : "";
}

static void broken_fields(void)
{
#define CASE(what, bytes, wanted)                                                                                      \
    {                                                                                                                  \
        what, bytes, sizeof(bytes) - 1, wanted                                                                         \
    }
    static const struct {
        const char *what, *bytes;
        size_t size;
        const char *wanted;
    } cases[] = {
        CASE("whole", "\x08\x01", ""),
        CASE("a tag cut", "\x08\x01\x88", "byte 2: its message ends inside a tag" DAMAGED),
        CASE("a tag of 11 bytes", "\x88\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
             "byte 0: a varint of more than 10 bytes" DAMAGED),
        CASE("field 0", "\x00\x01", "byte 0: field number 0 does not exist" DAMAGED),
        CASE("the last field number", "\xf8\xff\xff\xff\x0f\x01", ""),
        CASE("the field number after it", "\x80\x80\x80\x80\x10\x01",
             "byte 0: field number 536870912 does not exist" DAMAGED),
        CASE("a varint missing", "\x08", "byte 1: its message ends inside a varint" DAMAGED),
        CASE("a varint cut", "\x08\xff\xff", "byte 1: its message ends inside a varint" DAMAGED),
        CASE("a varint of 10 bytes", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", ""),
        CASE("a varint of 11 bytes", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
             "byte 1: a varint of more than 10 bytes" DAMAGED),
        CASE("4 bytes cut", "\x0d\x01\x02\x03", "byte 1: its message ends inside a fixed-size value" DAMAGED),
        CASE("8 bytes cut", "\x09\x01\x02\x03\x04\x05\x06\x07",
             "byte 1: its message ends inside a fixed-size value" DAMAGED),
        CASE("a length missing", "\x12", "byte 1: its message ends inside a length" DAMAGED),
        CASE("a length cut", "\x12\x80", "byte 1: its message ends inside a length" DAMAGED),
        CASE("a length beyond the end",
             "\x12\x05"
             "abcd",
             "byte 0: field 2 is 5 bytes long, but only 4 are left of its message" DAMAGED),
        CASE("the greatest length", "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
             "byte 0: field 2 is 18446744073709551615 bytes long, but only 0 are left of its message" DAMAGED),
        CASE("a group", "\x08\x01\x1b\x1c", "byte 2: field 3 is a group, which ONNX does not have" DAMAGED),
        CASE("a group's end", "\x1c", "byte 0: field 3 is a group, which ONNX does not have" DAMAGED),
        CASE("wire type 6", "\x0e\x01", "byte 0: field 1 has wire type 6, which does not exist" DAMAGED),
        CASE("wire type 7", "\x0f\x01", "byte 0: field 1 has wire type 7, which does not exist" DAMAGED),
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        is_string(cases[i].wanted, error_text(cases[i].bytes, cases[i].size), "%s", cases[i].what);
}

static void wrong_types(void)
{
    static const struct {
        enum wire_type seen, wanted;
        const char *text;
    } cases[] = {
        {WIRE_VARINT, WIRE_BYTES, "a varint instead of a length and bytes"},
        {WIRE_BYTES, WIRE_VARINT, "a length and bytes instead of a varint"},
        {WIRE_FIXED32, WIRE_VARINT, "4 fixed bytes instead of a varint"},
        {WIRE_FIXED64, WIRE_FIXED32, "8 fixed bytes instead of 4 fixed bytes"},
    };
    struct opshift_error error = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct wire_field field = {.number = 1, .type = cases[i].seen, .record = 7};
        char wanted[256];
        snprintf(wanted, sizeof(wanted), "byte 7: NodeProto.input (field 1) is written as %s%s", cases[i].text,
                 DAMAGED);
        is_int(OPSHIFT_OK, wire_expect(&field, cases[i].seen, "NodeProto.input", &error), "the type that it has");
        is_int(OPSHIFT_MALFORMED, wire_expect(&field, cases[i].wanted, "NodeProto.input", &error), "another type");
        is_string(wanted, error.text, "%s", cases[i].text);
    }
}

static void field_is(struct wire_cursor *cursor, uint32_t number, enum wire_type type, uint64_t size, uint64_t value)
{
    struct wire_field field;
    bool found = false;
    uint64_t start = cursor->at;
    is_int(OPSHIFT_OK, wire_next(cursor, &field, &found, NULL), "field %u is read", number);
    ok(found && field.number == number && field.type == type, "its number and type");
    is_int((int64_t)size, (int64_t)field.size, "its size");
    is_int((int64_t)value, (int64_t)field.value, "its value");
    ok(field.record == start && field.offset + field.size == cursor->at, "its place");
}

static void round_trip(void)
{
    struct buffer bytes = {0};
    struct wire_cursor cursor = {0};
    struct wire_field field;
    bool found = true;
    wire_add_int(&bytes, 1, 300);
    wire_add_int(&bytes, 2, UINT64_MAX);
    wire_add_bytes(&bytes, 15, "abc", 3);
    wire_add_bytes(&bytes, 16, NULL, 0);
    buffer_add(&bytes, "\x1d\x01\x02\x03\x04\x21\x01\x02\x03\x04\x05\x06\x07\x88", 14);
    source_open_memory(bytes.data, bytes.size, &cursor.source, NULL);
    cursor.end = bytes.size;
    field_is(&cursor, 1, WIRE_VARINT, 2, 300);
    field_is(&cursor, 2, WIRE_VARINT, 10, UINT64_MAX);
    field_is(&cursor, 15, WIRE_BYTES, 3, 0);
    field_is(&cursor, 16, WIRE_BYTES, 0, 0);
    field_is(&cursor, 3, WIRE_FIXED32, 4, 0x04030201);
    field_is(&cursor, 4, WIRE_FIXED64, 8, 0x8807060504030201);
    is_int(OPSHIFT_OK, wire_next(&cursor, &field, &found, NULL), "at the end");
    ok(!found, "there is no more");
    source_free(cursor.source);
    buffer_free(&bytes);
}

/* Usual records: start and size of their content. */
static void short_records(void)
{
    static uint8_t bytes[16386];
    static const struct {
        const char *what;
        uint8_t head[3];
        size_t left, start, size; /* start 0: no such record */
    } cases[] = {
        {"a length of one byte", {0x0a, 0x05}, 7, 2, 5},
        {"nothing in it", {0x7a, 0x00}, 2, 2, 0},
        {"the longest with one byte", {0x0a, 0x7f}, 129, 2, 127},
        {"a byte of it missing", {0x0a, 0x7f}, 128, 0, 0},
        {"a length of two bytes", {0x0a, 0x80, 0x01}, 131, 3, 128},
        {"more behind it", {0x0a, 0x80, 0x01}, 140, 3, 128},
        {"the longest with two bytes", {0x0a, 0xff, 0x7f}, 16386, 3, 16383},
        {"a byte of that missing", {0x0a, 0xff, 0x7f}, 16385, 0, 0},
        {"two bytes where one would do", {0x0a, 0x80, 0x00}, 3, 3, 0},
        {"a length of three bytes", {0x0a, 0x80, 0x80}, 16386, 0, 0},
        {"a length cut", {0x0a, 0x80}, 2, 0, 0},
        {"a length missing", {0x0a}, 1, 0, 0},
        {"nothing left", {0x0a}, 0, 0, 0},
        {"a tag of two bytes", {0x82, 0x01, 0x00}, 3, 0, 0},
        {"a varint", {0x08, 0x01}, 9, 0, 0},
        {"4 fixed bytes", {0x0d, 0x01}, 9, 0, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t size = 0;
        memcpy(bytes, cases[i].head, sizeof cases[i].head);
        const uint8_t *data = wire_short_bytes(bytes, bytes + cases[i].left, &size);
        is_int((int64_t)cases[i].start, data ? data - bytes : 0, "%s: where", cases[i].what);
        if (data)
            is_int((int64_t)cases[i].size, (int64_t)size, "%s: how much", cases[i].what);
    }
}

/* Fields like the first one are counted, if complete and short; wire_next reads the others. */
static void fields_like_one(void)
{
    static const struct {
        const char *what, *bytes;
        size_t size, passed;
    } cases[] = {
        {"4 bytes each",
         "\x25"
         "1234"
         "\x25"
         "5678"
         "\x25"
         "9abc"
         "\x28\x01",
         17, 10},
        {"8 bytes each",
         "\x51"
         "12345678"
         "\x51"
         "12345678",
         18, 9},
        {"4 bytes, the last cut",
         "\x25"
         "1234"
         "\x25"
         "5678"
         "\x25"
         "9ab",
         14, 5},
        {"varints", "\x38\x01\x38\x80\x01\x38\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x38\x05", 17, 15},
        {"a varint of 10 bytes", "\x38\x01\x38\x02\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x38\x05", 17, 2},
        {"a varint cut", "\x38\x01\x38\x02\x38\xff", 6, 2},
        {"a tag alone", "\x38\x01\x38\x02\x38", 5, 2},
        {"texts",
         "\x32\x02"
         "ab"
         "\x32\x00\x32\x01"
         "c"
         "\x3a\x00",
         11, 5},
        {"a text of two bytes of length", "\x32\x00\x32\x80\x00\x32\x00", 7, 0},
        {"a text beyond the end",
         "\x32\x00\x32\x00\x32\x02"
         "a",
         7, 2},
        {"another type",
         "\x3d"
         "1234"
         "\x3a\x00",
         7, 0},
        {"a tag of two bytes", "\x80\x01\x05\x80\x01\x05", 6, 0},
        {"nothing behind it",
         "\x25"
         "1234",
         5, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct wire_cursor cursor = {.end = cases[i].size};
        struct wire_field field;
        bool found = false;
        enum opshift_status status = source_open_memory(cases[i].bytes, cases[i].size, &cursor.source, NULL);
        status = status ? status : wire_next(&cursor, &field, &found, NULL);
        uint64_t start = cursor.at;
        wire_pass_alike(&cursor, &field);
        ok(status == OPSHIFT_OK && found && cursor.at - start == cases[i].passed, "%s: %zu bytes are passed",
           cases[i].what, cases[i].passed);
        source_free(cursor.source);
    }
}

static void varint_sizes(void)
{
    struct buffer bytes = {0};
    bool same = true;
    for (int bits = 0; bits <= 64; bits++) {
        uint64_t value = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
        bytes.size = 0;
        wire_add_varint(&bytes, value);
        same = same && bytes.size == wire_varint_size(value) && bytes.size == (bits ? (size_t)(bits + 6) / 7 : 1);
    }
    ok(same, "a varint takes a byte for each 7 bits");
    buffer_free(&bytes);
}

int main(void)
{
    broken_fields();
    wrong_types();
    round_trip();
    short_records();
    fields_like_one();
    varint_sizes();
    return done();
}
