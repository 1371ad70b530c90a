/* The lexer of ONNX's textual syntax, and its error messages. */
#include "model/text_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Maximum bytes of a token in a message. */
#define FOUND_MAX 40

/* Locale-independent, unlike the C library's functions. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void stop(struct text_reader *reader, enum opshift_status status)
{
    reader->status = status;
    reader->token = (struct token){.kind = TOKEN_END, .line = reader->token.line, .column = reader->token.column};
    reader->at = reader->size;
}

void text_no_memory(struct text_reader *reader)
{
    if (reader->status == OPSHIFT_OK)
        stop(reader, opshift_no_memory(reader->error));
}

/* Quotes a token for a message, truncated; a NUL is written as \x00. */
static void show_token(const struct token *token, char *out, size_t room)
{
    if (token->kind == TOKEN_END) {
        snprintf(out, room, "the end");
        return;
    }
    size_t used = 0;
    size_t size = token->text.size < FOUND_MAX ? token->text.size : FOUND_MAX;
    out[used++] = '\'';
    for (size_t i = 0; i < size; i++) {
        if (token->text.data[i])
            out[used++] = (char)token->text.data[i];
        else
            used += (size_t)snprintf(out + used, room - used, "\\x00");
    }
    snprintf(out + used, room - used, "%s'", size < token->text.size ? "..." : "");
}

static void fail_at(struct text_reader *reader, const struct token *token, const char *format, va_list arguments)
{
    if (reader->status)
        return;
    char expected[256], found[4 * FOUND_MAX + 16];
    vsnprintf(expected, sizeof(expected), format, arguments);
    show_token(token, found, sizeof(found));
    stop(reader, opshift_fail(reader->error, OPSHIFT_MALFORMED, "%s:%u:%u: expected %s, found %s", reader->name,
                              token->line, token->column, expected, found));
}

void text_fail(struct text_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct token token = reader->token;
    fail_at(reader, &token, format, arguments);
    va_end(arguments);
}

void text_fail_at(struct text_reader *reader, const struct token *token, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_at(reader, token, format, arguments);
    va_end(arguments);
}

void text_refuse(struct text_reader *reader, const struct token *token, const char *format, ...)
{
    if (reader->status)
        return;
    char fault[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault, sizeof(fault), format, arguments);
    va_end(arguments);
    stop(reader, opshift_fail(reader->error, OPSHIFT_MALFORMED, "%s:%u:%u: %s", reader->name, token->line,
                              token->column, fault));
}

bool text_enter(struct text_reader *reader)
{
    if (++reader->depth > TEXT_NESTING_MAX)
        text_refuse(reader, &reader->token, "more than %d graphs and types inside each other", TEXT_NESTING_MAX);
    return reader->status == OPSHIFT_OK;
}

void text_leave(struct text_reader *reader)
{
    reader->depth--;
}

static void skip_space(struct text_reader *reader)
{
    bool comment = false;
    for (; reader->at < reader->size; reader->at++) {
        char c = reader->text[reader->at];
        if (c == '\n') {
            reader->line++;
            reader->line_start = reader->at + 1;
            comment = false;
        } else if (c == '#') {
            comment = true;
        } else if (!comment && c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

static ProtobufCBinaryData copy_bytes(struct text_reader *reader, const void *data, size_t size)
{
    uint8_t *copy = arena_copy(reader->arena, data, size);
    if (!copy)
        text_no_memory(reader);
    return (ProtobufCBinaryData){.len = copy ? size : 0, .data = copy};
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte of the escape at text (behind its backslash), or -1; *used: bytes behind the backslash. */
static int unescape(const char *text, size_t size, size_t *used)
{
    *used = 1;
    switch (text[0]) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case '"':
    case '\\':
        return text[0];
    case 'x':
        if (size < 3 || hex_digit(text[1]) < 0 || hex_digit(text[2]) < 0)
            return -1;
        *used = 3;
        return hex_digit(text[1]) * 16 + hex_digit(text[2]);
    default:
        return -1;
    }
}

static void fail_escape(struct text_reader *reader, size_t at)
{
    size_t size = reader->size - at < 2 ? reader->size - at : 2;
    struct token escape = {.kind = TOKEN_SIGN,
                           .line = reader->line,
                           .column = (unsigned)(at - reader->line_start + 1),
                           .text = {(const uint8_t *)reader->text + at, size}};
    text_fail_at(reader, &escape, "one of the escapes \\n, \\r, \\t, \\\", \\\\ and \\xNN");
}

/* Offset behind the closing quote of the string at reader->at; SIZE_MAX: not closed. */
static size_t string_end(const struct text_reader *reader)
{
    for (size_t at = reader->at + 1; at < reader->size; at++) {
        if (reader->text[at] == '"')
            return at + 1;
        if (reader->text[at] == '\\')
            at++;
    }
    return SIZE_MAX;
}

static void lex_string(struct text_reader *reader)
{
    struct token *token = &reader->token;
    size_t end = string_end(reader);
    token->kind = TOKEN_STRING;
    if (end == SIZE_MAX) {
        token->text.size = reader->size - reader->at;
        text_fail(reader, "a closing '\"'");
        return;
    }
    token->text.size = end - reader->at;
    uint8_t *value = arena_alloc(reader->arena, 1, end - reader->at);
    if (!value) {
        text_no_memory(reader);
        return;
    }
    size_t count = 0;
    for (size_t at = reader->at + 1; at < end - 1; at++) {
        int byte = (uint8_t)reader->text[at];
        if (byte == '\\') {
            size_t used;
            byte = unescape(reader->text + at + 1, end - 2 - at, &used);
            if (byte < 0) {
                fail_escape(reader, at);
                return;
            }
            at += used;
        } else if (byte == '\n') {
            reader->line++;
            reader->line_start = at + 1;
        }
        value[count++] = (uint8_t)byte;
    }
    token->value = (ProtobufCBinaryData){.len = count, .data = value};
    reader->at = end;
}

static size_t digits_end(const struct text_reader *reader, size_t at)
{
    while (at < reader->size && is_digit(reader->text[at]))
        at++;
    return at;
}

/* Digits, a point, an exponent; the sign is consumed already. */
static void lex_number(struct text_reader *reader)
{
    size_t at = digits_end(reader, reader->at + (reader->text[reader->at] == '-'));
    reader->token.kind = TOKEN_INTEGER;
    if (at < reader->size && reader->text[at] == '.') {
        reader->token.kind = TOKEN_DECIMAL;
        at = digits_end(reader, at + 1);
    }
    if (at < reader->size && (reader->text[at] == 'e' || reader->text[at] == 'E')) {
        size_t digits = at + 1;
        if (digits < reader->size && (reader->text[digits] == '+' || reader->text[digits] == '-'))
            digits++;
        if (digits < reader->size && is_digit(reader->text[digits])) {
            reader->token.kind = TOKEN_DECIMAL;
            at = digits_end(reader, digits);
        }
    }
    reader->token.text.size = at - reader->at;
    reader->at = at;
}

static size_t name_end(const struct text_reader *reader, size_t at)
{
    while (at < reader->size && (is_name_start(reader->text[at]) || is_digit(reader->text[at])))
        at++;
    return at;
}

static void lex_name(struct text_reader *reader)
{
    size_t end = name_end(reader, reader->at);
    reader->token.kind = TOKEN_NAME;
    reader->token.text.size = end - reader->at;
    reader->token.value = copy_bytes(reader, reader->text + reader->at, end - reader->at);
    reader->at = end;
}

static void lex_sign(struct text_reader *reader)
{
    size_t left = reader->size - reader->at;
    bool arrow = left >= 2 && memcmp(reader->text + reader->at, "=>", 2) == 0;
    reader->token.kind = arrow ? TOKEN_ARROW : TOKEN_SIGN;
    reader->token.text.size = arrow ? 2 : 1;
    reader->at += reader->token.text.size;
}

/* -inf and -nan, which are one token. */
static void lex_minus_word(struct text_reader *reader)
{
    size_t end = name_end(reader, reader->at + 1);
    reader->token.kind = TOKEN_DECIMAL;
    reader->token.text.size = end - reader->at;
    reader->at = end;
}

void text_next(struct text_reader *reader)
{
    if (reader->status)
        return;
    skip_space(reader);
    reader->token = (struct token){.kind = TOKEN_END,
                                   .line = reader->line,
                                   .column = (unsigned)(reader->at - reader->line_start + 1),
                                   .text = {(const uint8_t *)reader->text + reader->at, 0}};
    if (reader->at == reader->size)
        return;
    char c = reader->text[reader->at], next = reader->at + 1 < reader->size ? reader->text[reader->at + 1] : '\0';
    if (c == '"')
        lex_string(reader);
    else if (is_digit(c) || (c == '-' && is_digit(next)))
        lex_number(reader);
    else if (c == '-' && is_name_start(next))
        lex_minus_word(reader);
    else if (is_name_start(c))
        lex_name(reader);
    else
        lex_sign(reader);
}

void text_reader_init(struct text_reader *reader, const char *text, size_t size, const char *name, unsigned first_line,
                      struct arena *arena, struct opshift_error *error)
{
    *reader = (struct text_reader){
        .name = name, .text = text, .size = size, .line = first_line, .arena = arena, .error = error};
    text_next(reader);
}

bool text_is(const struct text_reader *reader, char sign)
{
    return reader->token.kind == TOKEN_SIGN && reader->token.text.data[0] == (uint8_t)sign;
}

bool text_accept(struct text_reader *reader, char sign)
{
    bool yes = text_is(reader, sign);
    if (yes)
        text_next(reader);
    return yes;
}

bool text_expect(struct text_reader *reader, char sign)
{
    if (!text_is(reader, sign))
        text_fail(reader, "'%c'", sign);
    return text_accept(reader, sign);
}

void text_expect_arrow(struct text_reader *reader)
{
    if (reader->token.kind != TOKEN_ARROW)
        text_fail(reader, "'=>'");
    text_next(reader);
}

bool text_more(struct text_reader *reader, char close)
{
    if (text_accept(reader, ','))
        return true;
    if (!text_accept(reader, close))
        text_fail(reader, "',' or '%c'", close);
    return false;
}

bool text_is_word(const struct text_reader *reader, const char *word)
{
    const struct token *token = &reader->token;
    return token->kind == TOKEN_NAME && bytes_are(token->text, word);
}

bool text_is_name(const struct text_reader *reader)
{
    return reader->token.kind == TOKEN_NAME || reader->token.kind == TOKEN_STRING;
}

ProtobufCBinaryData text_name(struct text_reader *reader, const char *what)
{
    if (!text_is_name(reader))
        text_fail(reader, "%s", what);
    ProtobufCBinaryData name = reader->token.value;
    text_next(reader);
    return name;
}

ProtobufCBinaryData text_string(struct text_reader *reader)
{
    if (reader->token.kind != TOKEN_STRING)
        text_fail(reader, "a string in '\"'");
    ProtobufCBinaryData value = reader->token.value;
    text_next(reader);
    return value;
}

void *text_list_add(struct text_reader *reader, struct text_list *list, size_t size)
{
    if (reader->status)
        return NULL;
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 4;
        void *items = arena_alloc(reader->arena, room, size);
        if (!items) {
            text_no_memory(reader);
            return NULL;
        }
        if (list->count)
            memcpy(items, list->items, list->count * size);
        list->items = items;
        list->room = room;
    }
    return (uint8_t *)list->items + list->count++ * size;
}

void *text_message(struct text_reader *reader, const ProtobufCMessageDescriptor *descriptor)
{
    if (reader->status)
        return NULL;
    ProtobufCMessage *message = arena_alloc(reader->arena, 1, descriptor->sizeof_message);
    if (message)
        protobuf_c_message_init(descriptor, message);
    else
        text_no_memory(reader);
    return message;
}

void *text_list_add_message(struct text_reader *reader, struct text_list *list,
                            const ProtobufCMessageDescriptor *descriptor)
{
    void *message = text_message(reader, descriptor);
    void **place = message ? text_list_add(reader, list, sizeof(void *)) : NULL;
    if (!place)
        return NULL;
    *place = message;
    return message;
}

struct text_dotted text_dotted(struct text_reader *reader, const char *what)
{
    struct text_dotted dotted = {0};
    struct text_list bytes = {0};
    do {
        if (bytes.count) {
            uint8_t *dot = text_list_add(reader, &bytes, 1);
            if (dot)
                *dot = '.';
        }
        dotted.last = bytes.count;
        ProtobufCBinaryData part = text_name(reader, what);
        for (size_t i = 0; i < part.len; i++) {
            uint8_t *byte = text_list_add(reader, &bytes, 1);
            if (byte)
                *byte = part.data[i];
        }
    } while (text_accept(reader, '.'));
    dotted.whole = (ProtobufCBinaryData){.len = bytes.count, .data = bytes.items};
    return dotted;
}
