/* Error texts: formatted, escaped, and truncated at a character boundary. */
#define ERROR_DEFINES
#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/shown.h"

/* The length of the text that vsnprintf wrote into room bytes. */
static size_t text_length(int printed, size_t room)
{
    if (printed < 0)
        return 0;
    return (size_t)printed < room ? (size_t)printed : room - 1;
}

size_t shown_print(char *into, size_t room, const char *format, va_list arguments)
{
    char text[2 * OPSHIFT_ERROR_SIZE];
    return shown_copy(into, room, text, text_length(vsnprintf(text, sizeof(text), format, arguments), sizeof(text)));
}

static void fail(struct opshift_error *error, enum opshift_status status, const char *format, va_list arguments)
{
    if (error == NULL)
        return;
    char text[sizeof(error->text)]; /* an argument may be the error's own text */
    size_t size = shown_print(text, sizeof(text), format, arguments);
    *error = (struct opshift_error){.status = status};
    memcpy(error->text, text, size);
}

enum opshift_status opshift_fail(struct opshift_error *error, enum opshift_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(error, status, format, arguments);
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
    fail(error, status, format, arguments);
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
    shown_copy(error->text, sizeof(error->text), text, size);
    return error->status;
}

enum opshift_status opshift_no_memory(struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_MEMORY, "out of memory");
}
