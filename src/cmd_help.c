/* opshift help: lists the commands, or describes one; also as man pages; writes completion scripts. */
#include "help.h"

#include <string.h>

#include "completion.h"

static bool man;
static const char *completion;

static const struct option options[] = {
    {.name = "man", .flag = &man, .help = "print the man page's source"},
    {.name = "completion",
     .value = "SHELL",
     .text = &completion,
     .choices = completion_shells,
     .help = "print a completion script for bash, zsh or fish"},
    {0},
};

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    const struct command *command = count > 0 ? command_find(arguments[0]) : NULL;
    if (count > 0 && command == NULL)
        return command_unknown(arguments[0], error);
    if (completion)
        completion_print(stdout, completion);
    else if (man)
        help_man(stdout, command);
    else if (command)
        help_command(stdout, command);
    else
        help_overview(stdout);
    return OPSHIFT_OK;
}

const struct command command_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "list the commands, or describe one",
    .description =
        "Prints the list of commands, or the description and options of one command.\n\n"
        "--completion prints a script that completes commands, options and their values; make install puts it where "
        "bash-completion, zsh and fish find it.",
    .examples = "opshift help convert\neval \"$(opshift help --completion bash)\"",
    .options = options,
    .most = 1,
    .run = run,
};
