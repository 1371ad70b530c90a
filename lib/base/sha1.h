/* SHA-1 (FIPS 180-4), ONNX's checksum of external data. It detects damage, not forgery.
 */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include "base/file.h"

#define SHA1_TEXT_SIZE 41

/* Hashes a whole source; text becomes 40 hexadecimal digits and a NUL. */
enum opshift_status sha1_source(struct source *source, char text[SHA1_TEXT_SIZE], struct opshift_error *error);
/* The same for an open file, from its start, whatever its offset. */
enum opshift_status sha1_descriptor(int descriptor, char text[SHA1_TEXT_SIZE], struct opshift_error *error);
/* Is the text 40 hexadecimal digits? */
bool sha1_is_text(const char *text);

#endif
