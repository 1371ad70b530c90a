/* Completion scripts for shells, written from the tables that parse the command line. */
#ifndef SRC_COMPLETION_H
#define SRC_COMPLETION_H

#include <stdio.h>

/* The shells that completion_print knows, NULL-terminated. */
extern const char *const completion_shells[];
/* Prints the completion script for one of completion_shells. */
void completion_print(FILE *out, const char *shell);

#endif
