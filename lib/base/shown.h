/* Escapes untrusted text (from files, and paths) for terminals and logs of CI systems: control characters, invisible
 * characters and invalid UTF-8 become \xNN. All printed text goes through here. */
#ifndef BASE_SHOWN_H
#define BASE_SHOWN_H

#include <stdarg.h>

#include "base/buffer.h"

/* State of escaping a text. Start with {data, size}. */
struct shown {
    const uint8_t *data;
    size_t size, at;
    bool begun; /* a character other than a blank was printed on this line */
    char coded[5];
};

/* The next *size bytes to print, valid until the next call; NULL: the end. Commands of CI systems ("::error::" at the
 * start of a line, "##[group]", "##vso[...]") get their first or second character escaped. Escaped text is not changed
 * again. */
const char *shown_next(struct shown *shown, size_t *size);

/* Does data start with a command of a CI system that works anywhere in a line: "##[", "##vso[", "##teamcity["? */
bool shown_is_command(const uint8_t *data, size_t size);
void shown_add(struct buffer *out, const void *text, size_t size);
/* The same as text of an element or an attribute of XML. */
void shown_add_xml(struct buffer *out, const char *text);
/* A path as a URI (RFC 3986), each other byte than letters, digits and "-._~/" encoded. */
void shown_add_uri(struct buffer *out, const char *path);
/* The same for several lines; newlines stay. */
void shown_add_lines(struct buffer *out, const void *text, size_t size);
/* Writes at most room bytes, truncated at a character boundary and NUL-terminated; returns the length. */
size_t shown_copy(char *into, size_t room, const void *text, size_t size);
/* The same for the output of printf with these arguments. */
size_t shown_print(char *into, size_t room, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
/* Adds a piece of a JSON document, with characters in strings escaped as \uNNNN, which parses to the same value. */
void shown_add_json(struct buffer *out, const char *text, size_t size);

#endif
