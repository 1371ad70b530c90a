/* opshift rules: lists the active rules, and checks rule files. */
#include <string.h>

#include "print.h"

static const char *format;
static struct option_values directories;

static const struct option options[] = {
    {.name = "rules", .value = "DIR", .list = &directories, .help = "also list the rules in DIR; may be repeated"},
    FORMAT_OPTION(&format),
    {0},
};

static enum opshift_status print_and_free(struct opshift_report *report, struct opshift_error *error)
{
    enum opshift_status status = report_print(stdout, report, format, error);
    opshift_report_free(report);
    return status;
}

/* Prints a report about the active rules. */
static enum opshift_status report_rules(enum opshift_status (*what)(const struct opshift_rules *rules,
                                                                    struct opshift_report **report,
                                                                    struct opshift_error *error),
                                        struct opshift_error *error)
{
    struct opshift_rules *rules = NULL;
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_rules_load(directories.items, directories.count, &rules, error);
    if (status == OPSHIFT_OK)
        status = what(rules, &report, error);
    if (status == OPSHIFT_OK)
        status = print_and_free(report, error);
    opshift_rules_free(rules);
    return status;
}

/* The report has failing examples; the error has a file that cannot be read. */
static enum opshift_status check(const char *path, struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_rules_check(path, &report, error);
    if (report) {
        enum opshift_status printed = print_and_free(report, error);
        if (printed != OPSHIFT_OK)
            status = printed;
    }
    return status;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    if (strcmp(arguments[0], "list") == 0 && count == 1)
        return report_rules(opshift_rules_list, error);
    if (strcmp(arguments[0], "coverage") == 0 && count == 1)
        return report_rules(opshift_rules_coverage, error);
    if (strcmp(arguments[0], "check") == 0 && count == 2)
        return check(arguments[1], error);
    if (strcmp(arguments[0], "check") == 0)
        return fail(error, OPSHIFT_USAGE, "rules check: the file is missing; write opshift rules check FILE");
    if (strcmp(arguments[0], "list") == 0 || strcmp(arguments[0], "coverage") == 0)
        return fail(error, OPSHIFT_USAGE, "rules %s: takes no argument; did you mean --rules %s?", arguments[0],
                    arguments[1]);
    return fail(
        error, OPSHIFT_USAGE,
        "rules: there is no '%s'; write opshift rules list, opshift rules coverage, or opshift rules check FILE",
        arguments[0]);
}

const struct command command_rules = {
    .name = "rules",
    .group = "rules and runtimes",
    .arguments = "list | coverage | check FILE",
    .summary = "list the rules in force, or check a rule file",
    .description = "'list' prints for each operator and opset whether nodes are rewritten or kept, up and down, and "
                   "the rule file.\n\n"
                   "'coverage' prints, as a page of Markdown, what becomes of each operator at each step: kept, "
                   "rewritten, replaced by other nodes (and how exactly), or refused and why.\n\n"
                   "'check' reads one rule file and runs its examples; a mistake is reported with its line and column.",
    .examples = "opshift rules list --rules my-rules\nopshift rules check my-rules/opset-13/thing.yaml",
    .options = options,
    .least = 1,
    .most = 2,
    .run = run,
};
