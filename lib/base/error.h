/* Failures: what and where, each level adding the one place it knows; the first failure wins. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>

#include "opshift.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Fills error (may be NULL) and returns status. Non-printing bytes in %s arguments are shown as \xNN. */
enum opshift_status opshift_fail(struct opshift_error *error, enum opshift_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum opshift_status opshift_fail_list(struct opshift_error *error, enum opshift_status status, const char *format,
                                      va_list arguments) __attribute__((format(printf, 3, 0)));

/* The same for a fault of a file, at a byte of it: "byte N: ..."; ERROR_WHOLE_FILE: no byte is named. */
enum opshift_status opshift_fail_at(struct opshift_error *error, enum opshift_status status, enum opshift_fault fault,
                                    uint64_t offset, const char *format, ...) __attribute__((format(printf, 5, 6)));
#define ERROR_WHOLE_FILE UINT64_MAX

/* Puts "place: " before the error's text; returns the error's status (status where error is NULL or empty). */
enum opshift_status opshift_within(struct opshift_error *error, enum opshift_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum opshift_status opshift_no_memory(struct opshift_error *error);

/* An error that says nothing, without the time to zero all of its text: what is done for each node pays for that. */
static inline void error_clear(struct opshift_error *error)
{
    error->status = OPSHIFT_OK;
    error->fault = (enum opshift_fault)0;
    error->offset = 0;
    error->text[0] = '\0';
}

#endif
