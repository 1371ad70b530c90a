/* opshift, the command: finds the subcommand, parses its options, runs it, sets the exit status. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_MALLOPT
#include <malloc.h>
#endif

#include "help.h"
#include "interrupt.h"
#include "many.h"
#include "opening.h"
#include "options.h"
#include "output.h"
#include "print.h"

#define LARGE_TABLE  (128 << 10)
#define LARGE_TENSOR (64 << 20)
#define WORKER       "--worker"

#define COMMAND(name) extern const struct command command_##name;
#include "command_list.h"
#undef COMMAND

#define COMMAND(name) &command_##name,
const struct command *const commands[] = {
#include "command_list.h"
    NULL,
};
#undef COMMAND

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

const char *command_nearest(const char *name)
{
    const char *names[COUNT(commands)];
    size_t count = 0;
    for (; commands[count]; count++)
        names[count] = commands[count]->name;
    return opshift_text_nearest(name, names, count);
}

enum opshift_status command_unknown(const char *name, struct opshift_error *error)
{
    const char *nearest = command_nearest(name);
    if (nearest)
        return fail(error, OPSHIFT_USAGE, "there is no command '%s'; did you mean '%s'?", name, nearest);
    return fail(error, OPSHIFT_USAGE, "there is no command '%s'; 'opshift help' lists the commands", name);
}

enum opshift_status fail(struct opshift_error *error, enum opshift_status status, const char *format, ...)
{
    char words[2 * sizeof error->text];
    va_list values;
    va_start(values, format);
    vsnprintf(words, sizeof words, format, values);
    va_end(values);
    opshift_text_show(error->text, sizeof error->text, words);
    error->status = status;
    return status;
}

static int exit_status(enum opshift_status status)
{
    switch (status) {
    case OPSHIFT_OK:
        return 0;
    case OPSHIFT_NO:
        return 1;
    case OPSHIFT_USAGE:
        return 2;
    case OPSHIFT_MALFORMED:
    case OPSHIFT_UNSUPPORTED:
        return 3;
    case OPSHIFT_IO:
    case OPSHIFT_MEMORY:
    case OPSHIFT_CANCELLED:
        return 4;
    }
    return 4;
}

/* If a standard descriptor is closed, the next opened file would get its number, and messages would be written to
 * that file; so it is opened here in a way that writes fail. */
static void hold_closed_descriptors(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int descriptor = 0; descriptor < (int)COUNT(modes); descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF && open("/dev/null", modes[descriptor]) != descriptor)
            _exit(exit_status(OPSHIFT_IO));
}

/* Writes to a closed pipe, or beyond the limit on file sizes, fail with an error instead of a signal. */
static void let_writes_fail(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Returns the memory of large freed tables to the system, instead of keeping it; commands that compute keep it, since
 * the next operator needs as much: half of the time of a model of 10 MB was spent on new pages. */
static void let_memory_go(const struct command *command)
{
#ifdef HAVE_MALLOPT
    int large = command->computes ? LARGE_TENSOR : LARGE_TABLE;
    mallopt(M_MMAP_THRESHOLD, large);
    mallopt(M_TRIM_THRESHOLD, 4 * large); /* small models keep their memory for reuse */
#else
    (void)command;
#endif
}

/* Reports an exceeded time limit instead of the resulting cancellation or interrupted call. */
static enum opshift_status run_in_time(const struct command *command, char **arguments, size_t count,
                                       struct opshift_error *error)
{
    opening_start_clock();
    bool many = many_is_asked(command, arguments, count);
    enum opshift_status status =
        many ? many_run(command, arguments, count, error) : command->run(arguments, count, error);
    if (many && status == OPSHIFT_CANCELLED && interrupt_late())
        status =
            fail(error, OPSHIFT_CANCELLED, "not done after %u seconds, the limit of '--timeout'", interrupt_late());
    else if ((status == OPSHIFT_CANCELLED || status == OPSHIFT_IO) && interrupt_late())
        status = fail(error, OPSHIFT_CANCELLED,
                      "not done after %u seconds, the limit of '--timeout'; nothing was written", interrupt_late());
    return status;
}

/* The command line of a process that works for this one, before the options are parsed: the arguments are sorted
 * then. NULL: no memory. */
static char **line_for_workers(const struct command *command, char **arguments, size_t count)
{
    char **line = calloc(count + 5, sizeof *line);
    if (line == NULL || asprintf(&line[2], "%ld", (long)getpid()) < 0) {
        free(line);
        return NULL;
    }
    line[0] = (char *)"opshift";
    line[1] = (char *)WORKER;
    line[3] = (char *)command->name;
    if (count > 0)
        memcpy(line + 4, arguments, count * sizeof *line);
    return line;
}

static void line_free(char **line)
{
    if (line)
        free(line[2]);
    free(line);
}

/* host: the process that started this one to work for it; NULL: none. */
static enum opshift_status run_command(const struct command *command, char **arguments, size_t count, const char *host,
                                       struct opshift_error *error)
{
    let_memory_go(command);
    char **line = line_for_workers(command, arguments, count);
    many_keep_line(line);
    enum opshift_status status =
        line ? options_parse(command, arguments, &count, error) : fail(error, OPSHIFT_MEMORY, "out of memory");
    if (status == OPSHIFT_OK && host == NULL)
        status = many_keep_options(command, error);
    if (status)
        goto out;
    if (option_help)
        help_command(stdout, command);
    else if (option_version)
        help_version(stdout);
    else if (host)
        status = many_serve(command, arguments, count, host, error);
    else
        status = run_in_time(command, arguments, count, error);
out:
    options_free(command);
    many_free();
    line_free(line);
    return status;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    if (count == 0) {
        help_overview(stderr);
        return OPSHIFT_USAGE;
    }
    if (strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0) {
        help_overview(stdout);
        return OPSHIFT_OK;
    }
    if (strcmp(arguments[0], "--version") == 0) {
        help_version(stdout);
        return OPSHIFT_OK;
    }
    if (strcmp(arguments[0], WORKER) == 0 && count > 2 && command_find(arguments[2]))
        return run_command(command_find(arguments[2]), arguments + 3, count - 3, arguments[1], error);
    if (arguments[0][0] == '-')
        return fail(error, OPSHIFT_USAGE, "there is no option '%s' before a command; 'opshift help' lists the commands",
                    arguments[0]);
    const struct command *command = command_find(arguments[0]);
    if (command == NULL)
        return command_unknown(arguments[0], error);
    return run_command(command, arguments + 1, count - 1, NULL, error);
}

/* Where the reader of a pipe has gone, as head does, there is nobody who wants to know. */
static void failure_tell(const struct opshift_error *error)
{
    const char *gone = strerror(EPIPE);
    size_t size = strlen(error->text), end = strlen(gone);
    if (size > 0 && (error->status != OPSHIFT_IO || size < end || strcmp(error->text + size - end, gone) != 0)) {
        print_prefix();
        fprintf(stderr, "%s\n", error->text);
    }
}

int main(int argc, char **argv)
{
    struct opshift_error error = {0};
    hold_closed_descriptors();
    let_writes_fail();
    enum opshift_status status = run(argv + (argc > 0), argc > 0 ? (size_t)argc - 1 : 0, &error);
    if (status)
        failure_tell(&error);
    struct opshift_error late = {0};
    if (output_finish(&late) != OPSHIFT_OK) {
        failure_tell(&late);
        status = late.status;
    }
    return exit_status(status);
}
