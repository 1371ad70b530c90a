/* Failures as text: formatted, made safe to print, and cut where a character ends. */
#define ERROR_DEFINES
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Copies text, with what a terminal must not see as \xNN, into the error; cut at a character's end when too long. */
static void text_set(struct opshift_error *error, const char *text, size_t size)
{
    size_t used = 0;
    for (size_t at = 0; at < size;) {
        char shown[5];
        const char *piece = text + at;
        size_t room = sizeof(error->text) - 1 - used, left = size - at;
        size_t taken = utf8_printable_run((const uint8_t *)piece, left < room ? left : room);
        if (taken == 0)
            taken = utf8_printable((const uint8_t *)piece, left);
        size_t wide = taken;
        if (taken == 0) {
            snprintf(shown, sizeof(shown), "\\x%02x", (unsigned char)text[at]);
            piece = shown;
            wide = 4;
            taken = 1;
        }
        if (used + wide >= sizeof(error->text))
            break;
        memcpy(error->text + used, piece, wide);
        used += wide;
        at += taken;
    }
    error->text[used] = '\0';
}

/* What vsnprintf left in text of this room: its length. */
static size_t text_length(int printed, size_t room)
{
    if (printed < 0)
        return 0;
    return (size_t)printed < room ? (size_t)printed : room - 1;
}

enum opshift_status opshift_fail_list(struct opshift_error *error, enum opshift_status status, const char *format,
                                      va_list arguments)
{
    char text[2 * OPSHIFT_ERROR_SIZE];
    if (error == NULL)
        return status;
    size_t size = text_length(vsnprintf(text, sizeof(text), format, arguments), sizeof(text));
    *error = (struct opshift_error){.status = status};
    text_set(error, text, size);
    return status;
}

enum opshift_status opshift_fail(struct opshift_error *error, enum opshift_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    opshift_fail_list(error, status, format, arguments);
    va_end(arguments);
    return status;
}

enum opshift_status opshift_fail_at(struct opshift_error *error, enum opshift_status status, enum opshift_fault fault,
                                    uint64_t offset, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return status;
    va_start(arguments, format);
    opshift_fail_list(error, status, format, arguments);
    va_end(arguments);
    if (offset != ERROR_WHOLE_FILE)
        opshift_within(error, status, "byte %" PRIu64, offset);
    error->fault = fault;
    error->offset = offset == ERROR_WHOLE_FILE ? 0 : offset;
    return status;
}

enum opshift_status opshift_within(struct opshift_error *error, enum opshift_status status, const char *format, ...)
{
    char text[3 * OPSHIFT_ERROR_SIZE + 2];
    va_list arguments;
    if (error == NULL || error->text[0] == '\0')
        return status;
    va_start(arguments, format);
    size_t size = text_length(vsnprintf(text, 2 * OPSHIFT_ERROR_SIZE, format, arguments), 2 * OPSHIFT_ERROR_SIZE);
    va_end(arguments);
    size += (size_t)snprintf(text + size, sizeof(text) - size, ": %s", error->text);
    text_set(error, text, size);
    return error->status;
}

enum opshift_status opshift_no_memory(struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_MEMORY, "no memory left; free some, or raise the limit that is set");
}
