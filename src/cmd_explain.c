/* opshift explain: what a finding means, why it matters, and how to fix it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "print.h"

static bool all, markdown;

static const struct option options[] = {
    {.name = "all", .flag = &all, .help = "explain every check"},
    {.name = "markdown", .flag = &markdown, .help = "print Markdown"},
    {0},
};

static size_t family_size(const char *prefix)
{
    size_t size = 0;
    for (size_t i = 0; i < opshift_check_count(); i++)
        size += strncmp(opshift_check_at(i)->id, prefix, strlen(prefix)) == 0;
    return size;
}

static enum opshift_status list_families(void)
{
    puts("'opshift explain ID' explains a check, by its id (GRF001) or its name; the families of ids are:\n");
    for (size_t i = 0; i < opshift_family_count(); i++) {
        const struct opshift_family *family = opshift_family_at(i);
        size_t size = family_size(family->prefix);
        if (size > 0)
            printf("  %s  %3zu check%s  %s\n", family->prefix, size, size == 1 ? " " : "s", family->title);
    }
    puts("\n'opshift lint --list-checks' lists the checks, 'opshift explain --all' explains them.");
    return OPSHIFT_OK;
}

/* The check with the most similar id or name; NULL: none, or no memory. */
static const struct opshift_check *check_nearest(const char *name)
{
    size_t count = opshift_check_count();
    const char **names = calloc(2 * count, sizeof *names);
    if (names == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        names[2 * i] = opshift_check_at(i)->id;
        names[2 * i + 1] = opshift_check_at(i)->slug;
    }
    const char *nearest = opshift_text_nearest(name, names, 2 * count);
    size_t at = 0;
    while (nearest && names[at] != nearest)
        at++;
    free(names);
    return nearest ? opshift_check_at(at / 2) : NULL;
}

static enum opshift_status unknown(const char *name, struct opshift_error *error)
{
    const struct opshift_check *nearest = check_nearest(name);
    if (nearest)
        return fail(error, OPSHIFT_USAGE, "explain: there is no check '%.64s'; did you mean %s (%s)?", name,
                    nearest->id, nearest->slug);
    return fail(error, OPSHIFT_USAGE, "explain: there is no check '%.64s'; 'opshift lint --list-checks' lists them",
                name);
}

static enum opshift_status print_and_free(char *text, enum opshift_status status)
{
    if (status == OPSHIFT_OK)
        fputs(text, stdout);
    opshift_text_free(text);
    return status;
}

static enum opshift_status explain_named(const char *name, bool first, struct opshift_error *error)
{
    const struct opshift_check *check = opshift_check_find(name);
    char *text = NULL;
    if (check == NULL)
        return unknown(name, error);
    if (!first)
        putchar('\n');
    enum opshift_status status = opshift_check_explain(check, markdown, &text, error);
    return print_and_free(text, status);
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    char *text = NULL;
    enum opshift_status status = OPSHIFT_OK;
    if (all && count > 0)
        return fail(error, OPSHIFT_USAGE, "explain: option '--all' explains '%.64s', too; remove one of them",
                    arguments[0]);
    if (all) {
        status = opshift_checks_explain(markdown, &text, error);
        return print_and_free(text, status);
    }
    if (count == 0)
        return list_families();
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = explain_named(arguments[i], i == 0, error);
    return status;
}

const struct command command_explain = {
    .name = "explain",
    .arguments = "[ID]... [OPTION]...",
    .summary = "explain a finding and how to fix it",
    .description = "Explains checks of 'opshift lint' by their ids or names, case-insensitively: the meaning, why it "
                   "matters, which runtimes are affected, how to fix it, with an example before and after.\n\n"
                   "Without an ID it lists the families of checks.",
    .examples = "opshift explain GRF001\nopshift explain --all --markdown > checks.md",
    .options = options,
    .most = SIZE_MAX,
    .run = run,
};
