/* Escapes untrusted text for printing. */
#include "base/shown.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "opshift.h"

#define WORD_MAX 32 /* maximum length of a command's name */

static bool is_letter(uint8_t byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

bool shown_is_command(const uint8_t *data, size_t size)
{
    size_t at = 2;
    if (size < 3 || data[0] != '#' || data[1] != '#')
        return false;
    while (at < size && at < WORD_MAX && is_letter(data[at]))
        at++;
    return at < size && data[at] == '[';
}

/* The number of bytes before the '#' that starts a command. */
static size_t before_command(const uint8_t *data, size_t run, size_t size)
{
    const uint8_t *found = data;
    while ((found = memchr(found, '#', run - (size_t)(found - data))) != NULL) {
        size_t at = (size_t)(found - data);
        if (shown_is_command(found, size - at))
            return at + 1;
        found++;
    }
    return run;
}

/* "::" is a command if only blanks precede it; CI systems differ in what is blank, so any non-printing character
 * counts.
 */
static size_t before_workflow(const uint8_t *data, size_t run, size_t size, bool *begun)
{
    size_t at = 0;
    while (at < run && (data[at] <= ' ' || data[at] >= 0x7f))
        at++;
    bool found = at + 1 < size && data[at] == ':' && data[at + 1] == ':';
    *begun = at < run && !found;
    return found ? at : run;
}

const char *shown_next(struct shown *shown, size_t *size)
{
    if (shown->at == shown->size)
        return NULL;
    const uint8_t *data = shown->data + shown->at;
    size_t left = shown->size - shown->at;
    bool after_sign = shown->at > 0 && shown_is_command(data - 1, left + 1);
    size_t run = after_sign ? 0 : utf8_printable_run(data, left);
    if (run > 0 && !shown->begun)
        run = before_workflow(data, run, left, &shown->begun);
    if (run > 0)
        run = before_command(data, run, left);
    *size = run;
    shown->at += run;
    if (run > 0)
        return (const char *)data;
    snprintf(shown->coded, sizeof(shown->coded), "\\x%02x", *data);
    shown->at++;
    shown->begun = true;
    *size = 4;
    return shown->coded;
}

/* True of most texts: nothing is escaped in them. */
static bool is_plain(const uint8_t *data, size_t size)
{
    return size > 0 && data[0] > ' ' && data[0] <= '~' && data[0] != ':' && memchr(data, '#', size) == NULL &&
           utf8_printable_run(data, size) == size;
}

void shown_add(struct buffer *out, const void *text, size_t size)
{
    struct shown shown = {.data = text, .size = size};
    if (is_plain(text, size)) {
        buffer_add(out, text, size);
        return;
    }
    const char *piece;
    while ((piece = shown_next(&shown, &size)) != NULL)
        buffer_add(out, piece, size);
}

/* ':' would look like a scheme. */
void shown_add_uri(struct buffer *out, const char *path)
{
    static const char stays[] = "-._~/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (const char *at = path; *at; at++)
        if (strchr(stays, *at))
            buffer_add_byte(out, (uint8_t)*at);
        else
            buffer_print(out, "%%%02X", (unsigned char)*at);
}

void shown_add_xml(struct buffer *out, const char *text)
{
    struct buffer shown = {0};
    shown_add(&shown, text, strlen(text));
    for (size_t at = 0, taken; at < shown.size; at += taken) {
        const uint8_t *letter = shown.data + at;
        taken = utf8_character(letter, shown.size - at);
        if (*letter == '&')
            buffer_add_text(out, "&amp;");
        else if (*letter == '<')
            buffer_add_text(out, "&lt;");
        else if (*letter == '>')
            buffer_add_text(out, "&gt;");
        else if (*letter == '"')
            buffer_add_text(out, "&quot;");
        else
            buffer_add(out, letter, taken);
    }
    out->failed = out->failed || shown.failed;
    buffer_free(&shown);
}

void shown_add_lines(struct buffer *out, const void *text, size_t size)
{
    const char *line = size ? text : "", *end = line + size, *stop; /* text of no bytes may be NULL */
    for (; line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        shown_add(out, line, (size_t)((stop ? stop : end) - line));
        if (stop == NULL)
            break;
        buffer_add_byte(out, '\n');
    }
}

/* The size of text cut to room bytes at a character boundary. */
static size_t cut_size(const char *text, size_t size, size_t room)
{
    if (size <= room)
        return size;
    while (room > 0 && ((uint8_t)text[room] & 0xc0) == 0x80)
        room--;
    return room;
}

size_t shown_copy(char *into, size_t room, const void *text, size_t size)
{
    struct shown shown = {.data = text, .size = size};
    size_t used = 0, wide;
    const char *piece;
    while ((piece = shown_next(&shown, &wide)) != NULL) {
        size_t left = room - 1 - used, taken = piece == shown.coded && wide > left ? 0 : cut_size(piece, wide, left);
        memcpy(into + used, piece, taken);
        used += taken;
        if (taken < wide)
            break;
    }
    into[used] = '\0';
    return used;
}

size_t opshift_text_show(char *into, size_t room, const char *text)
{
    return shown_copy(into, room, text, strlen(text));
}

static void add_unicode(struct buffer *out, uint32_t point)
{
    if (point >= 0x10000)
        buffer_print(out, "\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
    else
        buffer_print(out, "\\u%04x", point);
}

void shown_add_json(struct buffer *out, const char *text, size_t size)
{
    const uint8_t *data = (const uint8_t *)text;
    for (size_t at = 0; at < size;) {
        bool after_sign = at > 0 && shown_is_command(data + at - 1, size - at + 1);
        size_t run = after_sign ? 0 : utf8_printable_run(data + at, size - at);
        run = run ? before_command(data + at, run, size - at) : 0;
        buffer_add(out, data + at, run);
        at += run;
        if (at == size)
            break;
        size_t taken = utf8_character(data + at, size - at);
        if (taken == 0 || data[at] < ' ') /* bytes outside of strings */
            buffer_add_byte(out, data[at]);
        else
            add_unicode(out, utf8_code_point(data + at, taken));
        at += taken ? taken : 1;
    }
}
