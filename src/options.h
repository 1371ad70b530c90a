/* Parses a command line by a table of options. */
#ifndef SRC_OPTIONS_H
#define SRC_OPTIONS_H

#include "command.h"

/* The options that every command has. */
extern bool option_help, option_version, option_quiet;
extern const char *option_color; /* auto, always or never; NULL: auto */
extern const struct option common_options[];

/* Stores the options' values and moves the other arguments to the front of arguments; *count becomes their number.
 * USAGE: the error names the option and the way out. */
enum opshift_status options_parse(const struct command *command, char **arguments, size_t *count,
                                  struct opshift_error *error);
void options_free(const struct command *command);

/* Parses a finite number >= 0 at the start of a text; *end: behind it. The decimal point is '.', since the command
 * stays in the locale "C". */
bool read_real(const char *text, double *value, const char **end);

#endif
