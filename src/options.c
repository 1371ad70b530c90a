/* Parses "--name value", "--name=value", "-n value", "-nvalue" and grouped flags "-ab", anywhere among the
 * arguments. */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "many.h"

bool option_help, option_version, option_quiet;
const char *option_color;

static const char *const color_choices[] = {"auto", "always", "never", NULL};

const struct option common_options[] = {
    {.name = "quiet",
     .letter = 'q',
     .flag = &option_quiet,
     .group = "all commands",
     .help = "print no report, only what went wrong; the exit status tells the answer"},
    {.name = "color",
     .value = "auto|always|never",
     .text = &option_color,
     .choices = color_choices,
     .help = "colours; auto (the default): on a terminal, unless NO_COLOR is set, or where CLICOLOR_FORCE is"},
    {.name = "help", .letter = 'h', .flag = &option_help, .help = "print this help"},
    {.name = "version", .flag = &option_version, .help = "print the version"},
    {0},
};

#define OPTIONS_MAX 128

/* State of parsing one command line: the next argument, and the place of the next positional one. */
struct argument_walk {
    const struct command *command;
    char **arguments;
    size_t next, count, kept;
    bool given[OPTIONS_MAX]; /* by row of the command's table */
    struct opshift_error *error;
};

bool read_real(const char *text, double *value, const char **end)
{
    char *after;
    *value = strtod(text, &after);
    *end = after;
    return after != text && isfinite(*value) && *value >= 0;
}

#define NAME_MAX_SIZE 64

/* Finds an option in the command's table or in the common one. */
static const struct option *option_by_name(const struct command *command, const char *name, size_t size)
{
    const struct option *tables[] = {command->options, common_options};
    for (size_t t = 0; t < COUNT(tables); t++)
        for (const struct option *option = tables[t]; option && option->name; option++)
            if (strlen(option->name) == size && memcmp(option->name, name, size) == 0)
                return option;
    return NULL;
}

static const struct option *option_by_letter(const struct command *command, char letter)
{
    const struct option *tables[] = {command->options, common_options};
    for (size_t t = 0; t < COUNT(tables); t++)
        for (const struct option *option = tables[t]; option && option->name; option++)
            if (option->letter == letter)
                return option;
    return NULL;
}

/* The most similar option name; NULL: none. */
static const char *option_nearest(const struct command *command, const char *name)
{
    const struct option *tables[] = {command->options, common_options};
    const char *names[OPTIONS_MAX];
    size_t count = 0;
    for (size_t t = 0; t < COUNT(tables); t++)
        for (const struct option *option = tables[t]; option && option->name && count < OPTIONS_MAX; option++)
            names[count++] = option->name;
    return opshift_text_nearest(name, names, count);
}

static enum opshift_status fail_unknown(const struct argument_walk *walk, const char *argument, size_t size)
{
    char name[NAME_MAX_SIZE] = "";
    if (size < sizeof name)
        memcpy(name, argument, size);
    const char *nearest = option_nearest(walk->command, name + strspn(name, "-"));
    if (nearest)
        return fail(walk->error, OPSHIFT_USAGE, "%s: there is no option '%.*s'; did you mean '--%s'?",
                    walk->command->name, (int)size, argument, nearest);
    return fail(walk->error, OPSHIFT_USAGE, "%s: there is no option '%.*s'; 'opshift %s --help' lists the options",
                walk->command->name, (int)size, argument, walk->command->name);
}

static enum opshift_status store_number(const struct argument_walk *walk, const struct option *option,
                                        const char *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number < option->least || number > option->most)
        return fail(walk->error, OPSHIFT_USAGE, "%s: option '--%s': '%s' is not an integer from %lld to %lld",
                    walk->command->name, option->name, value, (long long)option->least, (long long)option->most);
    *option->number = number;
    return OPSHIFT_OK;
}

static bool is_choice(const struct option *option, const char *value)
{
    for (size_t i = 0; option->choices[i]; i++)
        if (strcmp(option->choices[i], value) == 0)
            return true;
    return false;
}

static enum opshift_status store_text(const struct argument_walk *walk, const struct option *option, const char *value)
{
    char words[256] = "";
    *option->text = value;
    if (option->choices == NULL || is_choice(option, value))
        return OPSHIFT_OK;
    for (size_t i = 0; option->choices[i]; i++) {
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", i == 0 ? "" : " or ", option->choices[i]);
    }
    return fail(walk->error, OPSHIFT_USAGE, "%s: option '--%s': '%s' is not one of its values; give %s",
                walk->command->name, option->name, value, words);
}

static enum opshift_status store_item(const struct argument_walk *walk, struct option_values *list, const char *value)
{
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (items == NULL)
        return fail(walk->error, OPSHIFT_MEMORY, "out of memory");
    list->items = items;
    list->items[list->count++] = value;
    return OPSHIFT_OK;
}

static void note_given(struct argument_walk *walk, const struct option *option)
{
    for (size_t i = 0; i < OPTIONS_MAX && walk->command->options && walk->command->options[i].name; i++)
        walk->given[i] |= &walk->command->options[i] == option;
}

/* value NULL: use the next argument. */
static enum opshift_status store(struct argument_walk *walk, const struct option *option, const char *value)
{
    note_given(walk, option);
    if (option->value == NULL) {
        if (value)
            return fail(walk->error, OPSHIFT_USAGE, "%s: option '--%s' takes no value; write it without '=%s'",
                        walk->command->name, option->name, value);
        *option->flag = true;
        return OPSHIFT_OK;
    }
    if (value == NULL && option->otherwise &&
        (walk->next == walk->count || !is_choice(option, walk->arguments[walk->next])))
        value = option->otherwise;
    if (value == NULL && walk->next == walk->count)
        return fail(walk->error, OPSHIFT_USAGE, "%s: option '--%s' needs a value; write --%s %s", walk->command->name,
                    option->name, option->name, option->value);
    if (value == NULL)
        value = walk->arguments[walk->next++];
    if (*value == '\0')
        return fail(walk->error, OPSHIFT_USAGE, "%s: option '--%s' has an empty value; write --%s %s",
                    walk->command->name, option->name, option->name, option->value);
    if (option->number)
        return store_number(walk, option, value);
    if (option->list)
        return store_item(walk, option->list, value);
    return store_text(walk, option, value);
}

static enum opshift_status parse_long(struct argument_walk *walk, const char *argument)
{
    size_t size = strcspn(argument, "=");
    const struct option *option = option_by_name(walk->command, argument + 2, size - 2);
    if (option == NULL)
        return fail_unknown(walk, argument, size);
    return store(walk, option, argument[size] == '=' ? argument + size + 1 : NULL);
}

static enum opshift_status parse_letters(struct argument_walk *walk, const char *argument)
{
    enum opshift_status status = OPSHIFT_OK;
    for (const char *at = argument + 1; *at && status == OPSHIFT_OK; at++) {
        const struct option *option = option_by_letter(walk->command, *at);
        if (option == NULL)
            return fail_unknown(walk, argument, strlen(argument));
        if (option->value)
            return store(walk, option, at[1] ? at + 1 : NULL);
        status = store(walk, option, NULL);
    }
    return status;
}

static enum opshift_status check_count(const struct command *command, char **arguments, size_t count,
                                       struct opshift_error *error)
{
    if ((count >= command->least && count <= command->most) || many_is_asked(command, arguments, count))
        return OPSHIFT_OK;
    return fail(error, OPSHIFT_USAGE, "%s: %s arguments; usage: opshift %s %s", command->name,
                count < command->least ? "too few" : "too many", command->name, command->arguments);
}

/* ---- options that go together, or do not ---- */

/* The first of the names that is given; NULL: none. */
static const char *first_given(const struct argument_walk *walk, const char *const *names)
{
    const struct option *options = walk->command->options;
    for (; names && *names; names++)
        for (size_t i = 0; i < OPTIONS_MAX && options[i].name; i++)
            if (walk->given[i] && strcmp(options[i].name, *names) == 0)
                return *names;
    return NULL;
}

/* Does the command have an option of these names? */
static bool has_any(const struct command *command, const char *const *names)
{
    while (names && *names && option_by_name(command, *names, strlen(*names)) == NULL)
        names++;
    return names && *names;
}

static enum opshift_status check_given(const struct argument_walk *walk, const struct option *option)
{
    const char *command = walk->command->name, *other = first_given(walk, option->excludes);
    if (other)
        return fail(walk->error, OPSHIFT_USAGE,
                    "%s: options '--%s' and '--%s' exclude each other%s%s; leave one of them out", command,
                    option->name, other, option->reason ? ": " : "", option->reason ? option->reason : "");
    if (has_any(walk->command, option->needs) && first_given(walk, option->needs) == NULL)
        return fail(walk->error, OPSHIFT_USAGE, "%s: option '--%s' needs --%s; add it", command, option->name,
                    option->needs[0]);
    return OPSHIFT_OK;
}

static enum opshift_status check_options(const struct argument_walk *walk)
{
    const struct option *options = walk->command->options;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < OPTIONS_MAX && options && options[i].name; i++)
        if (walk->given[i])
            status = check_given(walk, &options[i]);
        else if (options[i].required)
            status = fail(walk->error, OPSHIFT_USAGE, "%s: option '--%s' is missing; write %s", walk->command->name,
                          options[i].name, options[i].required);
    return status;
}

/* "convert net.onnx new.onnx" is "convert net.onnx -o new.onnx". A file that is there is not replaced: it may be meant
 * as a second model. */
static enum opshift_status take_output(struct argument_walk *walk)
{
    const struct option *option = walk->command->options;
    const size_t last = walk->command->least == 2 ? 2 : 1; /* join takes two models */
    while (option && option->name && option->unless == NULL)
        option++;
    if (walk->kept != last + 1 || option == NULL || option->name == NULL || *option->text ||
        first_given(walk, option->unless))
        return OPSHIFT_OK;
    const char *path = walk->arguments[last];
    if (strcmp(path, "-") != 0 && access(path, F_OK) == 0)
        return fail(walk->error, OPSHIFT_USAGE,
                    "%s: '%s' is there; write -o %s to replace it, or -o DIR/ if both are models to read",
                    walk->command->name, path, path);
    walk->kept = last;
    return store(walk, option, path);
}

static enum opshift_status check_usage(struct argument_walk *walk)
{
    if (option_help || option_version)
        return OPSHIFT_OK;
    enum opshift_status status = take_output(walk);
    if (status == OPSHIFT_OK)
        status = check_count(walk->command, walk->arguments, walk->kept, walk->error);
    return status ? status : check_options(walk);
}

enum opshift_status options_parse(const struct command *command, char **arguments, size_t *count,
                                  struct opshift_error *error)
{
    struct argument_walk walk = {.command = command, .arguments = arguments, .count = *count, .error = error};
    enum opshift_status status = OPSHIFT_OK;
    bool plain_only = false;
    while (walk.next < walk.count && status == OPSHIFT_OK) {
        char *argument = arguments[walk.next++];
        if (plain_only || argument[0] != '-' || argument[1] == '\0')
            arguments[walk.kept++] = argument;
        else if (strcmp(argument, "--") == 0)
            plain_only = true;
        else if (argument[1] == '-')
            status = parse_long(&walk, argument);
        else
            status = parse_letters(&walk, argument);
    }
    if (status == OPSHIFT_OK)
        status = check_usage(&walk);
    *count = walk.kept;
    return status;
}

void options_free(const struct command *command)
{
    for (const struct option *option = command->options; option && option->name; option++) {
        if (option->list) {
            free(option->list->items);
            *option->list = (struct option_values){0};
        }
    }
}
