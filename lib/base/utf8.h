/* UTF-8, as far as showing somebody else's bytes to people needs it. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed character at the start; 0: there is none. */
size_t utf8_character(const uint8_t *data, size_t size);
/* The number of a character of so many bytes, which utf8_character gave. */
uint32_t utf8_code_point(const uint8_t *data, size_t size);
/* As utf8_character, and 0 also for what steers a terminal or is not seen: controls, separators, marks of direction,
 * characters of no width, noncharacters. */
size_t utf8_printable(const uint8_t *data, size_t size);
/* Bytes from the start on that are such characters, one behind the other. */
size_t utf8_printable_run(const uint8_t *data, size_t size);
/* Characters in a NUL-terminated text; a byte that is in no character counts as one. */
size_t utf8_count(const char *text);

#endif
