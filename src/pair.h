/* What commands share that hold two models against each other. */
#ifndef SRC_PAIR_H
#define SRC_PAIR_H

#include <stdio.h>

#include "command.h"

struct pair {
    struct opshift_model *before, *after;
};

/* Opens both; one of them may be standard input. To be closed also when this fails. */
enum opshift_status pair_open(const char *command, char **paths, struct pair *pair, struct opshift_error *error);
void pair_close(struct pair *pair);
/* Prints what became of it to out, where that is an answer, and hands it to write too (NULL: to nobody). Gives the
 * answer, or why it could not be told. */
enum opshift_status
pair_tell(FILE *out, const struct opshift_report *report, const char *format, enum opshift_status answer,
          enum opshift_status (*write)(const struct opshift_report *report, struct opshift_error *error),
          struct opshift_error *error);

#endif
