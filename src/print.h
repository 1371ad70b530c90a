/* Reports for whoever reads them: people, or programs. */
#ifndef SRC_PRINT_H
#define SRC_PRINT_H

#include <stdio.h>

#include "command.h"

/* The values of every -f: "text" and "json". */
extern const char *const print_formats[];
bool print_is_text(const char *format);
/* Does a path ask for a page to look at? Its name ends in ".html". */
bool report_is_page(const char *path);
/* A text as it may be shown (opshift_text_show), freed by free. NULL: no memory. */
char *text_shown(const char *text);
/* Prints a text that comes from a file, or the path of one. */
void print_shown(FILE *out, const char *text);
/* "opshift: ..." on standard error, as it may be shown. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a report in one of them; NULL is text. */
enum opshift_status report_print(FILE *out, const struct opshift_report *report, const char *format,
                                 struct opshift_error *error);

#endif
