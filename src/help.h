/* Help and man pages, written from the tables that parse the command line. */
#ifndef SRC_HELP_H
#define SRC_HELP_H

#include <stdio.h>

#include "command.h"

void help_version(FILE *out);
void help_overview(FILE *out);
void help_command(FILE *out, const struct command *command);
/* As roff, for man(1). command NULL: the page of opshift itself. */
void help_man(FILE *out, const struct command *command);

#endif
