/* Test Anything Protocol for C: one line per check; done() prints the plan. */
#ifndef TAP_TAP_H
#define TAP_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool ok(bool yes, const char *what, ...) __attribute__((format(printf, 2, 3)));
bool is_int(int64_t wanted, int64_t seen, const char *what, ...) __attribute__((format(printf, 3, 4)));
bool is_double(double wanted, double seen, const char *what, ...)
    __attribute__((format(printf, 3, 4))); /* NaN equals NaN */
bool is_string(const char *wanted, const char *seen, const char *what, ...) __attribute__((format(printf, 3, 4)));
bool is_bytes(const void *wanted, size_t wanted_size, const void *seen, size_t seen_size, const char *what, ...)
    __attribute__((format(printf, 5, 6)));
void diag(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Skips the program's tests: exits. */
void skip_all(const char *why, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Prints the plan; returns main's result. */
int done(void);

#endif
