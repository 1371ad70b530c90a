/* opshift targets: what the profiles of runtimes state, and which models run where. */
#include <stdlib.h>
#include <string.h>

#include "print.h"

static const char *format;
static bool markdown, check, strict;
static struct option_values targets, directories;

static const struct option options[] = {
    {.name = "check",
     .flag = &check,
     .help = "the arguments are models: print which of them run on which target, as they are or converted"},
    {.name = "target",
     .value = "NAME",
     .list = &targets,
     .needs = NAMES("check"),
     .help = "with --check: only this target, NAME or NAME@VERSION; may be repeated"},
    {.name = "strict",
     .flag = &strict,
     .needs = NAMES("check"),
     .help = "with --check: exit status 1 also for 'not known'"},
    {.name = "target-rules",
     .value = "DIR",
     .list = &directories,
     .help = "search DIR/NAME.yaml for profiles first; may be repeated"},
    {.name = "markdown", .flag = &markdown, .excludes = NAMES("check"), .help = "print a page of Markdown"},
    FORMAT_OPTION(&format),
    {0},
};

static enum opshift_status print_and_free(struct opshift_report *report, enum opshift_status status,
                                          struct opshift_error *error)
{
    if (report) {
        enum opshift_status printed = report_print(stdout, report, format, error);
        status = printed ? printed : status;
    }
    opshift_report_free(report);
    return status;
}

static enum opshift_status print_page(const struct opshift_targets_options *wanted, struct opshift_error *error)
{
    char *text = NULL;
    enum opshift_status status = opshift_targets_page(wanted, &text, error);
    if (status == OPSHIFT_OK)
        fputs(text, stdout);
    opshift_text_free(text);
    return status;
}

static enum opshift_status check_models(char **arguments, size_t count, struct opshift_targets_options *wanted,
                                        struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    if (count == 0)
        return fail(error, OPSHIFT_USAGE, "targets: option '--check' needs models: opshift targets --check MODEL...");
    wanted->targets = targets.items;
    wanted->target_count = targets.count;
    wanted->strict = strict;
    enum opshift_status status = opshift_targets_check(wanted, (const char *const *)arguments, count, &report, error);
    return print_and_free(report, status, error);
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    struct opshift_targets_options wanted = {
        .size = sizeof(wanted), .directories = directories.items, .directory_count = directories.count};
    if (check)
        return check_models(arguments, count, &wanted, error);
    for (size_t i = 0; i < count; i++)
        if (strlen(arguments[i]) > 5 && strcmp(arguments[i] + strlen(arguments[i]) - 5, ".onnx") == 0)
            return fail(error, OPSHIFT_USAGE, "targets: %.512s is a model; write opshift targets --check MODEL...",
                        arguments[i]);
    wanted.targets = (const char *const *)arguments;
    wanted.target_count = count;
    if (markdown)
        return print_page(&wanted, error);
    enum opshift_status status = opshift_targets_show(&wanted, count > 0, &report, error);
    return print_and_free(report, status, error);
}

const struct command command_targets = {
    .name = "targets",
    .arguments = "[NAME[@VERSION]]... | --check MODEL... [OPTION]...",
    .summary = "list what runtimes take, or which models run where",
    .description =
        "Without an argument it lists the profiles of runtimes; with names it prints profiles whole: opsets, "
        "IR version, what they take and lack, each with its source and date. In place of a version that the list does "
        "not have the nearest older one is taken, and said. Without a version it is the newest.\n\n"
        "--check prints a table, model by target: 'runs', which means that all of the model is known to be taken; "
        "'not known', where nothing is known against it, but not all of it is known; both also 'after convert', where "
        "'opshift convert --target' makes such a model of it; 'cannot' and why; 'invalid', where the model has errors "
        "on any target; 'unreadable'. The reason, what is not known, or else the first warning, stands beside it. "
        "Nothing is written. Exit status 1: something does not run.\n\n"
        "'opshift lint --target NAME' prints every finding.",
    .examples = "opshift targets\n"
                "opshift targets tensorrt opencv@4.6\n"
                "opshift targets --check net.onnx --target onnxruntime-cpu@1.20 --target openvino",
    .options = options,
    .most = SIZE_MAX,
    .run = run,
};
