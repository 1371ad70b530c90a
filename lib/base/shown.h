/* Text that comes from files, paths included, as people, terminals and the logs of CI systems may see it: what steers
 * them, and bytes that are no UTF-8, as \xNN. Everything that is printed goes through here. */
#ifndef BASE_SHOWN_H
#define BASE_SHOWN_H

#include <stdarg.h>

#include "base/buffer.h"

/* A walk over a text. Start with {data, size}. */
struct shown {
    const uint8_t *data;
    size_t size, at;
    bool begun; /* something was seen on this line */
    char coded[5];
};

/* The next bytes to show, valid until the next call, of which *size are given; NULL: the end. Commands for CI systems
 * ("::error::" where a line starts, "##[group]", "##vso[...]") lose their first or second character. Bytes already
 * shown are left as they are. */
const char *shown_next(struct shown *shown, size_t *size);

/* Does a command to a CI system start here that is one wherever it stands in a line: "##[", "##vso[", "##teamcity["? */
bool shown_is_command(const uint8_t *data, size_t size);
void shown_add(struct buffer *out, const void *text, size_t size);
/* The same for each line: what ends one stays. */
void shown_add_lines(struct buffer *out, const void *text, size_t size);
/* Into room bytes, cut where a character ends, with a NUL: how many bytes without that. */
size_t shown_copy(char *into, size_t room, const void *text, size_t size);
/* The same for what a format makes of arguments, of which so many bytes are read as an error may hold twice. */
size_t shown_print(char *into, size_t room, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
/* A piece of a JSON document, in which what must not be shown stands in strings alone: as \uNNNN there, which reads as
 * the same. */
void shown_add_json(struct buffer *out, const char *text, size_t size);

#endif
