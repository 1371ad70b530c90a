/* opshift version: prints the version. */
#include "help.h"

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    (void)arguments;
    (void)count;
    (void)error;
    help_version(stdout);
    return OPSHIFT_OK;
}

const struct command command_version = {
    .name = "version",
    .arguments = "",
    .summary = "print the version",
    .description = "Prints the version, as 'opshift --version' does.",
    .run = run,
};
