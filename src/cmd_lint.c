/* opshift lint: everything that is wrong with models. */
#include <string.h>
#include <unistd.h>

#include "documents.h"
#include "paths.h"
#include "print.h"
#include "progress.h"

static struct text_list formats, lists;
static bool list_checks, recursive;
static int64_t jobs;

static const struct option options[] = {
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT[=FILE]",
     .list = &formats,
     .help = "print the findings as text (the default), json, ndjson, sarif, github or junit, or write them to FILE; "
             "may be given again"},
    {.name = "recursive", .letter = 'r', .flag = &recursive, .help = "lint all *.onnx in the folders that are named"},
    {.name = "files0-from",
     .value = "FILE",
     .list = &lists,
     .help = "lint also the models that FILE names, each name with a NUL after it; - is standard input"},
    {.name = "jobs",
     .letter = 'j',
     .value = "N",
     .number = &jobs,
     .least = 1,
     .most = 256,
     .help = "lint N models at once (default: as many as there are processors); the output is the same"},
    {.name = "list-checks", .flag = &list_checks, .help = "only list the checks, as text or json"},
    {0},
};

/* A run over many files, file by file. */
struct run {
    struct documents documents;
    enum opshift_status gravest; /* by the exit status that it gives */
    size_t done, count;
};

static enum opshift_status file_done(void *data, const struct opshift_findings *findings, struct opshift_error *error)
{
    struct run *run = data;
    enum opshift_status status = opshift_findings_status(findings);
    if (status > run->gravest)
        run->gravest = status;
    run->done++;
    if (!progress_show((void *)"linting", (double)run->done / (double)run->count))
        return fail(error, OPSHIFT_CANCELLED, "lint: cancelled; nothing is written");
    return documents_add(&run->documents, findings, error);
}

static enum opshift_status print_checks(struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    const char *format = formats.count ? formats.items[0] : "text";
    if (formats.count > 1 || (strcmp(format, "text") != 0 && strcmp(format, "json") != 0))
        return fail(error, OPSHIFT_USAGE, "lint: option '--list-checks' prints text or json; write -f text or -f json");
    enum opshift_status status = opshift_checks_list(&report, error);
    if (status == OPSHIFT_OK)
        status = report_print(stdout, report, format, error);
    opshift_report_free(report);
    return status;
}

static enum opshift_status collect(struct paths *paths, char **arguments, size_t count, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (count == 0 && lists.count == 0)
        return fail(error, OPSHIFT_USAGE, "lint: no model is named; usage: opshift lint MODEL... [OPTION]...");
    paths->recursive = recursive;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = paths_add(paths, arguments[i], error);
    for (size_t i = 0; status == OPSHIFT_OK && i < lists.count; i++)
        status = paths_add_list(paths, lists.items[i], error);
    if (status == OPSHIFT_OK)
        status = paths_unite(paths, error);
    if (status || paths->count > 0)
        return status;
    if (paths->folders == 0)
        return fail(error, OPSHIFT_USAGE, "lint: %.512s: the list is empty; there is nothing to lint", lists.items[0]);
    return fail(
        error, OPSHIFT_USAGE,
        "lint: %.512s: no models found; models are files called *.onnx, any other file is linted when it is named",
        count > 0 ? arguments[0] : lists.items[0]);
}

static unsigned job_count(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return jobs > 0 ? (unsigned)jobs : processors > 0 ? (unsigned)processors : 1;
}

static enum opshift_status lint_all(const struct opshift_lint *lint, const struct paths *paths,
                                    struct opshift_error *error)
{
    struct run run = {.count = paths->count};
    enum opshift_status status = documents_open(&run.documents, lint, &formats, false, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_files(lint, (const char *const *)paths->items, paths->count, job_count(), file_done, &run,
                                    error);
    progress_clear();
    if (status == OPSHIFT_OK)
        status = documents_finish(&run.documents, error);
    documents_free(&run.documents);
    return status ? status : run.gravest;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_lint_options wanted = {0};
    struct opshift_lint *lint = NULL;
    struct paths paths = {0};
    if (list_checks)
        return print_checks(error);
    enum opshift_status status = collect(&paths, arguments, count, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_new(&wanted, &lint, error);
    if (status == OPSHIFT_OK)
        status = lint_all(lint, &paths, error);
    opshift_lint_free(lint);
    paths_free(&paths);
    return status;
}

const struct command command_lint = {
    .name = "lint",
    .arguments = "MODEL... [OPTION]...",
    .summary = "say everything that is wrong with models",
    .description =
        "Checks models and prints what is wrong, unportable or unsafe, all of it in one run, each finding with "
        "a stable id, its place and the way out. 'opshift explain ID' tells more about one of them.\n\n"
        "MODEL is a file, - for standard input, or with -r a folder: all *.onnx in it and below are linted, sorted, "
        "without hidden ones and without following links to folders. A model that is named twice is linted once, and "
        "one that cannot be read does not keep the others from being linted; the gravest exit status counts.\n\n"
        "Findings at or above the fail level give exit status 1.",
    .examples = "opshift lint net.onnx\n"
                "opshift lint -r models -f github -f sarif=lint.sarif\n"
                "git diff --name-only -z main -- '*.onnx' | opshift lint --files0-from -",
    .options = options,
    .least = 0,
    .most = SIZE_MAX,
    .run = run,
};
