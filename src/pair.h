/* Functions of commands that compare two models. */
#ifndef SRC_PAIR_H
#define SRC_PAIR_H

#include <stdio.h>

#include "command.h"

struct pair {
    struct opshift_model *before, *after;
};

/* Opens both models; one may be standard input. Must be closed also after a failure. */
enum opshift_status pair_open(const char *command, char **paths, struct pair *pair, struct opshift_error *error);
void pair_close(struct pair *pair);
/* Prints the report to out, if there is one, and passes it to write (NULL: none). Returns the result, or the error
 * of printing it. */
enum opshift_status
pair_tell(FILE *out, const struct opshift_report *report, const char *format, enum opshift_status answer,
          enum opshift_status (*write)(const struct opshift_report *report, struct opshift_error *error),
          struct opshift_error *error);

#endif
