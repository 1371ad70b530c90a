/* UTF-8 functions for printing untrusted bytes. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Size of the well-formed character at the start; 0: none. */
size_t utf8_character(const uint8_t *data, size_t size);
/* The code point of a character whose size utf8_character returned. */
uint32_t utf8_code_point(const uint8_t *data, size_t size);
/* Like utf8_character, but 0 also for unprintable characters: controls, separators, direction marks, zero-width
 * characters, noncharacters. */
size_t utf8_printable(const uint8_t *data, size_t size);
/* Size of the run of printable characters at the start. */
size_t utf8_printable_run(const uint8_t *data, size_t size);
/* Number of characters; an invalid byte counts as one. */
size_t utf8_count(const void *text, size_t size);

#endif
