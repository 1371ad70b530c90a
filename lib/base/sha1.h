/* SHA-1 (FIPS 180-4): what ONNX calls the checksum of a file of external data. It tells a damaged file, not a forged
 * one.
 */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include "base/file.h"

#define SHA1_TEXT_SIZE 41

/* Of a whole source, as 40 hexadecimal digits and a NUL. */
enum opshift_status sha1_source(struct source *source, char text[SHA1_TEXT_SIZE], struct opshift_error *error);
/* The same of an open file, wherever it stands. */
enum opshift_status sha1_descriptor(int descriptor, char text[SHA1_TEXT_SIZE], struct opshift_error *error);
/* 40 hexadecimal digits? */
bool sha1_is_text(const char *text);

#endif
