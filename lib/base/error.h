/* Errors: each level of the call stack adds its place; the first error is kept. An error has text only next to a status
 * that is not OK: a function that goes on after a failure calls error_forget. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "opshift.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Fills error (may be NULL) and returns status. Non-printing bytes in %s arguments are shown as \xNN. */
enum opshift_status opshift_fail(struct opshift_error *error, enum opshift_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a fault of a file, at a byte of it: "byte N: ..."; ERROR_WHOLE_FILE: no byte is named. */
enum opshift_status opshift_fail_at(struct opshift_error *error, enum opshift_status status, enum opshift_fault fault,
                                    uint64_t offset, const char *format, ...) __attribute__((format(printf, 5, 6)));
#define ERROR_WHOLE_FILE UINT64_MAX

/* Puts "place: " before the error's text; returns the error's status (status where error is NULL or empty). */
enum opshift_status opshift_within(struct opshift_error *error, enum opshift_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum opshift_status opshift_no_memory(struct opshift_error *error);

/* Empties an error after a failure that does not count. Gives OK. */
static inline enum opshift_status error_forget(struct opshift_error *error)
{
    if (error != NULL) {
        error->status = OPSHIFT_OK;
        error->text[0] = '\0';
    }
    return OPSHIFT_OK;
}

/* Gives a failure that was collected apart to the caller's error. Returns its status. */
static inline enum opshift_status error_give(struct opshift_error *error, enum opshift_status status,
                                             const struct opshift_error *failure)
{
    if (status && error != NULL)
        *error = *failure;
    return status;
}

/* Analyzers read one file at a time: this states that a failure is never OK (tests/analyze/run.sh). */
#if defined OPSHIFT_ANALYZE && !defined ERROR_DEFINES
static inline enum opshift_status status_known(enum opshift_status status)
{
    if (status == OPSHIFT_OK)
        __builtin_unreachable();
    return status;
}
#define opshift_fail(...)      status_known(opshift_fail(__VA_ARGS__))
#define opshift_fail_at(...)   status_known(opshift_fail_at(__VA_ARGS__))
#define opshift_within(...)    status_known(opshift_within(__VA_ARGS__))
#define opshift_no_memory(...) status_known(opshift_no_memory(__VA_ARGS__))
#endif

#endif
