/* Prints reports as text or JSON. */
#ifndef SRC_PRINT_H
#define SRC_PRINT_H

#include <stdio.h>

#include "command.h"

/* The values of -f: "text" and "json". */
extern const char *const print_formats[];
bool print_is_text(const char *format);
/* A row for a command's table. */
#define FORMAT_OPTION(where)                                                                                           \
    {                                                                                                                  \
        .name = "format", .letter = 'f', .value = "FORMAT", .text = (where), .choices = print_formats,                 \
        .help = "print the report as text (the default) or as json"                                                    \
    }
/* Is the report an HTML page? Its path ends in ".html". */
bool report_is_page(const char *path);
/* A text escaped for output (opshift_text_show), freed by free. NULL: no memory. */
char *text_shown(const char *text);
/* Prints an untrusted text or path, escaped. */
void print_shown(FILE *out, const char *text);
/* Prints "opshift: " on standard error, where messages begin. */
void print_prefix(void);
/* Prints "opshift: ..." on standard error, escaped. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Are colours wanted there? By --color, NO_COLOR (no-color.org), CLICOLOR_FORCE and TERM. */
bool print_has_colors(FILE *out);
/* Prints "TAG: ", where a line of a report begins. */
void print_tag(FILE *out, const char *tag);
/* Prints a report in one of these formats; NULL is text, of which --quiet prints nothing. */
enum opshift_status report_print(FILE *out, const struct opshift_report *report, const char *format,
                                 struct opshift_error *error);

#endif
