/* opshift lint: finds errors in models. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "documents.h"
#include "fixing.h"
#include "interrupt.h"
#include "many.h"
#include "opening.h"
#include "opset_values.h"
#include "output.h"
#include "print.h"
#include "progress.h"

static struct option_values formats, selected, ignored, targets, target_rules;
static bool fixes, shows_diff, list_checks, list_targets, exit_zero, no_config, update_baseline;
static const char *fail_level, *config, *baseline, *output;
static bool one_model;
static int64_t to;
static struct option_values to_opsets; /* once read: those of other domains than ai.onnx */

extern const struct command command_lint;

/* By rising severity, as in enum opshift_severity. */
static const char *const fail_levels[] = {"note", "warning", "error", "never", NULL};

static const struct option options[] = {
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT[=FILE]",
     .list = &formats,
     .help = "print the findings as text (the default), json, ndjson, sarif, github or junit, or write them to FILE; "
             "may be repeated"},
    {.name = "recursive",
     .letter = 'r',
     .flag = &many_settings.recursive,
     .help = "lint all *.onnx in the given directories"},
    {.name = "files0-from",
     .value = "FILE",
     .list = &many_settings.lists,
     .help = "also lint the models named in FILE, each name followed by a NUL; - is standard input"},
    {.name = "jobs",
     .letter = 'j',
     .value = "N",
     .number = &many_settings.jobs,
     .least = 1,
     .most = 256,
     .help = "lint N models at once (default: as many as there are processors); the output is the same"},
    {.name = "select",
     .value = "IDS",
     .list = &selected,
     .help = "run only these checks: ids, slugs or prefixes of ids, separated by commas; may be repeated"},
    {.name = "ignore",
     .value = "IDS",
     .list = &ignored,
     .help = "skip these checks; wins over --select; may be repeated"},
    {.name = "to",
     .value = "N|DOMAIN=N",
     .list = &to_opsets,
     .help =
         "also find what blocks a conversion to opset N, of ai.onnx or of another domain; may be repeated, once for "
         "each domain"},
    {.name = "fail-level",
     .value = "LEVEL",
     .text = &fail_level,
     .choices = fail_levels,
     .help = "findings from this level on give exit status 1: error (the default), warning, note or never"},
    {.name = "exit-zero", .flag = &exit_zero, .help = "exit with 0 despite findings, unless a file cannot be read"},
    {.name = "config",
     .value = "FILE",
     .text = &config,
     .help = "read the configuration in FILE, not the nearest .opshift.yaml from the working directory upwards"},
    {.name = "no-config", .flag = &no_config, .excludes = NAMES("config"), .help = "read no configuration"},
    {.name = "baseline",
     .value = "FILE",
     .text = &baseline,
     .help = "findings in FILE are known: they are not printed and do not fail"},
    {.name = "update-baseline",
     .flag = &update_baseline,
     .help = "write the findings to the baseline and exit with 0, unless a file cannot be read"},
    {.name = "target",
     .value = "NAME",
     .list = &targets,
     .help = "also find what this runtime refuses or computes differently: NAME or NAME@VERSION ('opshift targets' "
             "lists them), or 'all'; may be repeated"},
    {.name = "target-rules",
     .value = "DIR",
     .list = &target_rules,
     .help = "look for profiles in DIR first (DIR/NAME.yaml); may be repeated"},
    {.name = "list-targets", .flag = &list_targets, .help = "only list the target profiles that are shipped"},
    {.name = "fix",
     .flag = &fixes,
     .excludes = NAMES("diff"),
     .reason = "one writes, the other only shows",
     .help = "fix findings that have one right answer, in place, and print the others"},
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .text = &output,
     .needs = NAMES("fix"),
     .help = "with --fix and one model: write it to OUT, even if nothing changes; '-' is standard output"},
    {.name = "diff",
     .flag = &shows_diff,
     .excludes = NAMES("format", "update-baseline"),
     .reason = "it prints no findings",
     .help = "print what --fix would do and write nothing; exit with 1 if anything would change"},
    FLEET_OPTIONS,
    {.name = "list-checks", .flag = &list_checks, .help = "only list the checks, as text or json"},
    OPENING_OPTIONS,
    {0},
};

static int fail_level_number(void)
{
    for (int i = 0; fail_level && fail_levels[i]; i++)
        if (strcmp(fail_levels[i], fail_level) == 0)
            return i + 1;
    return 0;
}

/* *found: the path of a configuration that was searched for, freed by the caller. */
static enum opshift_status choose_config(char **found, struct opshift_error *error)
{
    if (config || no_config)
        return OPSHIFT_OK;
    enum opshift_status status = opshift_lint_config_find(".", found, error);
    config = *found;
    return status;
}

/* Does the fixed model go to standard output? */
static bool model_goes_out(const struct opshift_models *models)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): without paths nothing is linted. */
    return fixes && strcmp(output ? output : opshift_models_path(models, 0), "-") == 0;
}

static const char output_what[] = "option '--output'";

/* Names the output files, except the baseline, which the configuration may name. */
static enum opshift_status files_name(struct opshift_files *files, const struct opshift_models *models,
                                      struct opshift_error *error)
{
    const char *place = output ? output : model_goes_out(models) ? "-" : NULL;
    enum opshift_status status = place ? opshift_files_add(files, output_what, place, error) : OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < formats.count; i++) {
        const char *equals = strchr(formats.items[i], '=');
        char what[64];
        snprintf(what, sizeof what, "option '--format %.32s'", formats.items[i]);
        if (equals && equals - formats.items[i] < 32)
            snprintf(what, sizeof what, "option '--format %.*s'", (int)(equals - formats.items[i]), formats.items[i]);
        status = equals && equals[1] == '\0' ? OPSHIFT_OK /* refused elsewhere */
                                             : opshift_files_add(files, what, equals ? equals + 1 : "-", error);
    }
    return status;
}

/* Checks the outputs against the baseline, which is also written, and against the files that other options read. */
static enum opshift_status files_check_others(struct opshift_files *files, const struct opshift_lint *lint,
                                              struct opshift_error *error)
{
    const char *known = opshift_lint_baseline(lint);
    enum opshift_status status = OPSHIFT_OK;
    if (known && update_baseline)
        status = opshift_files_add(files, "the baseline", known, error);
    else if (known)
        status = opshift_files_check(files, "the baseline", known, NULL, error);
    if (status == OPSHIFT_OK && config)
        status = opshift_files_check(files, "the configuration", config, NULL, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < many_settings.lists.count; i++)
        status = opshift_files_check(files, "option '--files0-from'", many_settings.lists.items[i], NULL, error);
    return status;
}

/* The share of one model is shown if it is the only one; of several they may be linted in threads. */
static bool model_progress(void *data, double progress)
{
    (void)data;
    return one_model ? progress_show((void *)"linting", progress) : !interrupt_asked();
}

/* files must outlive the lint. */
static enum opshift_status lint_new(struct opshift_lint **lint, char **found, struct opshift_files *files,
                                    struct opshift_error *error)
{
    enum opshift_status status = choose_config(found, error);
    if (status)
        return status;
    struct opshift_lint_options wanted = {
        .select = selected.items,
        .select_count = selected.count,
        .ignore = ignored.items,
        .ignore_count = ignored.count,
        .fail_level = fail_level_number(),
        .config = config,
        .to = to,
        .to_domains = to_opsets.items,
        .to_domain_count = to_opsets.count,
        .baseline = baseline,
        .update_baseline = update_baseline,
        .targets = targets.items,
        .target_count = targets.count,
        .target_directories = target_rules.items,
        .target_directory_count = target_rules.count,
        .files = files,
        .replaces = output_what,
        .progress = model_progress,
    };
    struct opshift_open_options open;
    wanted.open = &open;
    status = opening_read(&open, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_new(&wanted, lint, error);
    if (status == OPSHIFT_OK && update_baseline && opshift_lint_baseline(*lint) == NULL)
        return fail(error, OPSHIFT_USAGE,
                    "lint: option '--update-baseline': there is no baseline; add --baseline FILE");
    return status ? status : files_check_others(files, *lint, error);
}

/* State of a run over many files. */
struct lint_run {
    struct documents documents;
    enum opshift_status gravest; /* the worst status, by its exit status */
    size_t done, count;
    struct many_progress progress;   /* without processes */
    const struct opshift_lint *lint; /* of processes */
    size_t earlier;                  /* models that the journal has as done */
};

static enum opshift_status file_done(void *data, const struct opshift_findings *findings, struct opshift_error *error)
{
    struct lint_run *run = data;
    enum opshift_status status = opshift_findings_status(findings);
    if (status > run->gravest)
        run->gravest = status;
    if (opshift_findings_failure(findings) && !documents_are_shown(&run->documents))
        tell("%s", opshift_findings_failure(findings));
    run->done++;
    if (!many_needs_processes())
        many_progress_add(&run->progress, opshift_findings_name(findings), opshift_findings_failure(findings) != NULL,
                          opshift_findings_count(findings) > 0);
    if (!many_needs_processes() && !many_progress_show(&run->progress, (double)run->done / (double)run->count))
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

static enum opshift_status collect(struct opshift_models **models, char **arguments, size_t count,
                                   struct opshift_error *error)
{
    if (count == 0 && many_settings.lists.count == 0)
        return fail(error, OPSHIFT_USAGE, "lint: no model is named; usage: opshift lint MODEL... [OPTION]...");
    enum opshift_status status = many_list("lint", false, NULL, arguments, count, models, error);
    if (status || opshift_models_count(*models) > 0)
        return status;
    if (opshift_models_unread(*models))
        return opshift_models_unread(*models); /* reported already */
    if (opshift_models_directories(*models) == 0)
        return fail(error, OPSHIFT_USAGE, "lint: %.512s: the list is empty; there is nothing to lint",
                    many_settings.lists.items[0]);
    return fail(
        error, OPSHIFT_USAGE,
        "lint: %.512s: no models found; models are files called *.onnx, any other file is linted when it is named",
        count > 0 ? arguments[0] : many_settings.lists.items[0]);
}

static enum opshift_status check_fixing(const struct opshift_models *models, struct opshift_error *error)
{
    if (output && opshift_models_count(models) != 1)
        return fail(
            error, OPSHIFT_USAGE,
            "lint: option '--output' takes one model, and %zu are named; without it each model is fixed in place",
            opshift_models_count(models));
    if (many_needs_processes() && (fixes || shows_diff || update_baseline))
        return fail(error, OPSHIFT_USAGE,
                    "lint: '--fix', '--diff' and '--update-baseline' work in one process; leave out --journal, "
                    "--isolate, --max-memory-each and --timeout-each");
    for (size_t i = 0; fixes && opshift_models_count(models) > 1 && i < opshift_models_count(models); i++)
        if (strcmp(opshift_models_path(models, i), "-") == 0)
            return fail(error, OPSHIFT_USAGE,
                        "lint: option '--fix': the fixed model of standard input goes to standard output, so only one "
                        "model can be given");
    for (size_t i = 0; model_goes_out(models) && i < formats.count; i++)
        if (strchr(formats.items[i], '=') == NULL)
            return fail(error, OPSHIFT_USAGE,
                        "lint: option '--format': standard output is for the fixed model; write %.64s=FILE",
                        formats.items[i]);
    return OPSHIFT_OK;
}

/* Adds the baseline to the documents of -f. wanted has room for two more. */
static void add_baseline(struct option_values *wanted, const char *document)
{
    if (formats.count)
        memcpy(wanted->items, formats.items, formats.count * sizeof(*formats.items));
    wanted->count = formats.count;
    if (wanted->count == 0)
        wanted->items[wanted->count++] = "text";
    wanted->items[wanted->count++] = document;
}

/* Opens the documents, including the baseline. aside: standard output is used for something else. */
static enum opshift_status open_documents(struct documents *documents, const struct opshift_lint *lint, bool aside,
                                          struct opshift_error *error)
{
    static const char name[] = "baseline=";
    static const char *on_stderr[] = {"text=/dev/stderr"};
    if (aside && formats.count == 0 && !update_baseline)
        return documents_open(documents, lint, &(struct option_values){on_stderr, 1}, exit_zero, error);
    if (!update_baseline)
        return documents_open(documents, lint, &formats, exit_zero, error);
    const char *path = opshift_lint_baseline(lint);
    struct option_values wanted = {calloc(formats.count + 2, sizeof(*wanted.items)), 0};
    size_t room = sizeof(name) + strlen(path);
    char *document = malloc(room);
    enum opshift_status status;
    if (wanted.items && document) {
        snprintf(document, room, "%s%s", name, path);
        add_baseline(&wanted, document);
        status = documents_open(documents, lint, &wanted, exit_zero, error);
    } else {
        status = fail(error, OPSHIFT_MEMORY, "out of memory");
    }
    free(wanted.items);
    free(document);
    return status;
}

/* Refuses a report that would replace a model of the run. */
static enum opshift_status check_files(const struct opshift_files *files, const struct opshift_models *models,
                                       struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_models_count(models); i++)
        status = opshift_files_check(files, "one of the models", opshift_models_path(models, i), output_what, error);
    return status;
}

static enum opshift_status fix_all(const struct opshift_lint *lint, const struct opshift_models *models,
                                   struct lint_run *run, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_models_count(models); i++) {
        const char *place = output == NULL && strcmp(opshift_models_path(models, i), "-") == 0 ? "-" : output;
        status = fixing_write(lint, opshift_models_path(models, i), place, file_done, run, &run->gravest, error);
    }
    return status;
}

static enum opshift_status show_all(const struct opshift_lint *lint, const struct opshift_models *models,
                                    struct opshift_error *error)
{
    enum opshift_status gravest = OPSHIFT_OK;
    for (size_t i = 0; i < opshift_models_count(models); i++) {
        enum opshift_status status = fixing_show(lint, opshift_models_path(models, i), error);
        if (status == OPSHIFT_MEMORY || status == OPSHIFT_CANCELLED)
            return status;
        gravest = status > gravest ? status : gravest;
    }
    gravest = opshift_models_unread(models) > gravest ? opshift_models_unread(models) : gravest;
    return gravest == OPSHIFT_NO && exit_zero ? OPSHIFT_OK : gravest;
}

/* ---- in processes ---- */

static enum opshift_status lint_work(void *data, struct opshift_result *result, struct opshift_error *error)
{
    static char *packed;
    struct opshift_findings *findings = NULL;
    opshift_text_free(packed);
    packed = NULL;
    enum opshift_status status = opshift_lint_file(data, result->path, &findings, error);
    if (status == OPSHIFT_OK)
        status = opshift_findings_pack(findings, &packed, &result->extra_size, error);
    result->extra = packed;
    if (status == OPSHIFT_OK)
        status = opshift_findings_status(findings);
    if (status > OPSHIFT_NO && packed && opshift_findings_failure(findings))
        fail(error, status, "%s", opshift_findings_failure(findings));
    if (packed) {
        many_give_counts("%zu findings", opshift_findings_count(findings));
        result->counts = many_counts();
    }
    opshift_findings_free(findings);
    return status;
}

/* The findings of a model that another process linted; of one that it did not, why. */
static enum opshift_status apart_done(void *data, const struct opshift_result *result, struct opshift_error *error)
{
    struct lint_run *run = data;
    struct opshift_findings *findings = NULL;
    struct opshift_error why = {.status = result->outcome == OPSHIFT_OUTCOME_KILLED ? OPSHIFT_IO : result->status};
    enum opshift_status status = OPSHIFT_OK;
    if (result->earlier) {
        run->gravest = why.status > run->gravest ? why.status : run->gravest;
        run->earlier++;
        return OPSHIFT_OK;
    }
    bool named = strstr(result->message, result->path) != NULL;
    if (result->extra_size > 0) {
        status = opshift_findings_unpack(run->lint, result->extra, result->extra_size, &findings, error);
    } else {
        fail(&why, why.status, "%s%s%s", named ? "" : result->path, named ? "" : ": ", result->message);
        status = opshift_lint_failure(run->lint, result->path, &why, &findings, error);
    }
    if (status == OPSHIFT_OK)
        status = file_done(run, findings, error);
    opshift_findings_free(findings);
    return status;
}

/* A document has the findings of all models, so those that were linted before are linted again. */
static bool documents_are_wanted(void)
{
    bool wanted = false;
    for (size_t i = 0; i < formats.count; i++)
        wanted = wanted || strcmp(formats.items[i], "text") != 0;
    return wanted;
}

static enum opshift_status lint_apart(const struct opshift_lint *lint, struct opshift_models *models,
                                      struct lint_run *run, struct opshift_error *error)
{
    struct opshift_journal *journal = NULL;
    run->lint = lint;
    enum opshift_status status = many_journal(&command_lint, config, documents_are_wanted(), &journal, error);
    if (status == OPSHIFT_OK)
        status = many_apart("linting", models, journal, apart_done, run, error);
    if (status == OPSHIFT_OK && run->earlier)
        tell("%zu of the models were linted before; their findings are not printed again", run->earlier);
    opshift_journal_free(journal);
    return status;
}

static enum opshift_status lint_here(const struct opshift_lint *lint, const struct opshift_models *models,
                                     struct lint_run *run, struct opshift_error *error)
{
    const char **paths = calloc(opshift_models_count(models), sizeof(*paths));
    if (paths == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    for (size_t i = 0; i < opshift_models_count(models); i++)
        paths[i] = opshift_models_path(models, i);
    enum opshift_status status =
        opshift_lint_files(lint, paths, opshift_models_count(models), many_jobs(), file_done, run, error);
    free(paths);
    return status;
}

static enum opshift_status lint_all(const struct opshift_lint *lint, struct opshift_models *models,
                                    struct opshift_error *error)
{
    struct lint_run run = {.count = opshift_models_count(models), .gravest = opshift_models_unread(models)};
    enum opshift_status status = open_documents(&run.documents, lint, model_goes_out(models), error);
    many_progress_start(&run.progress, "linting", run.count);
    if (status == OPSHIFT_OK && fixes)
        status = fix_all(lint, models, &run, error);
    else if (status == OPSHIFT_OK)
        status = many_needs_processes() ? lint_apart(lint, models, &run, error) : lint_here(lint, models, &run, error);
    progress_clear();
    many_progress_clear(&run.progress);
    if (status == OPSHIFT_OK)
        status = documents_finish(&run.documents, error);
    documents_free(&run.documents);
    if (run.gravest == OPSHIFT_NO && (exit_zero || update_baseline))
        run.gravest = OPSHIFT_OK;
    return status ? status : run.gravest;
}

static enum opshift_status print_targets(struct opshift_error *error)
{
    char *text = NULL;
    enum opshift_status status = opshift_target_list(&text, error);
    if (status == OPSHIFT_OK)
        fputs(text, stdout);
    opshift_text_free(text);
    return status;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_lint *lint = NULL;
    char *found = NULL;
    struct opshift_models *models = NULL;
    struct opshift_files *files = NULL;
    if (list_checks)
        return print_checks(error);
    if (list_targets)
        return print_targets(error);
    enum opshift_status status = opset_values_read("lint", "to", &to_opsets, &to, error);
    if (status == OPSHIFT_OK)
        status = collect(&models, arguments, count, error);
    if (status == OPSHIFT_OK)
        status = many_shard(models, error);
    one_model = models && opshift_models_count(models) == 1;
    if (status == OPSHIFT_OK)
        status = check_fixing(models, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_new("lint", &files, error);
    if (status == OPSHIFT_OK)
        status = files_name(files, models, error);
    if (status == OPSHIFT_OK)
        status = check_files(files, models, error);
    if (status == OPSHIFT_OK)
        status = lint_new(&lint, &found, files, error);
    if (status == OPSHIFT_OK)
        status = shows_diff ? show_all(lint, models, error) : lint_all(lint, models, error);
    opshift_lint_free(lint);
    opshift_text_free(found);
    opshift_files_free(files);
    opshift_models_free(models);
    return status;
}

/* For the process that started this one. */
static enum opshift_status serve(const char *host, struct opshift_error *error)
{
    struct opshift_lint *lint = NULL;
    char *found = NULL;
    enum opshift_status status = opset_values_read("lint", "to", &to_opsets, &to, error);
    if (status == OPSHIFT_OK)
        status = lint_new(&lint, &found, NULL, error);
    if (status == OPSHIFT_OK)
        status = many_serve_work(host, lint_work, lint, opshift_lint_open_options(lint), error);
    opshift_lint_free(lint);
    opshift_text_free(found);
    return status;
}

static const struct many many = {.serve = serve};

const struct command command_lint = {
    .name = "lint",
    .arguments = "MODEL... [OPTION]...",
    .summary = "say everything that is wrong with models",
    .description =
        "Checks models and prints what is wrong, unportable or unsafe, all of it in one run, each finding with "
        "a stable id, its place and the way out. 'opshift explain ID' describes one of them.\n\n"
        "MODEL is a file, - for standard input, or with -r a directory: all *.onnx in it and below are linted, sorted, "
        "without hidden ones and without following links to directories. A model that is named twice is linted once, "
        "and "
        "one that cannot be read does not keep the others from being linted; the gravest exit status counts.\n\n"
        "Findings at or above the fail level give exit status 1.\n\n"
        "The nearest .opshift.yaml, from the working directory upwards to the root of the repository, is a map with "
        "any of these keys; options win over it: select and ignore (lists of ids, slugs or beginnings of ids), "
        "fail-level, severity (a map of ids to error, warning or note), per-file-ignores (a map of patterns, relative "
        "to the file's directory, to lists of ids), targets, to, baseline, limits (a map of what --limit sets, which "
        "may "
        "lower what a model may cost).\n\n"
        "A model can suppress findings of its own: metadata_props of a node, a graph, a function or the model, with "
        "the key opshift.ignore and the value 'ID: reason', several with ; between them. It holds for the node or "
        "graph and what is inside.\n\n"
        "--fix fixes what has one right answer ('opshift lint --list-checks' shows where there is one), repeatedly "
        "until there is nothing left to fix; then it checks the model once more. What the model computes stays the "
        "same, as do all bytes outside of what is fixed; the file appears whole or not at all, and is not written "
        "where nothing changes. Of standard input the fixed model goes to standard output, and the findings to "
        "standard error.",
    .examples = "opshift lint net.onnx\n"
                "opshift lint --diff net.onnx\n"
                "opshift lint --fix net.onnx -o fixed.onnx\n"
                "opshift lint -r models -f github -f sarif=lint.sarif\n"
                "git diff --name-only -z main -- '*.onnx' | opshift lint --files0-from -",
    .options = options,
    .least = 0,
    .most = SIZE_MAX,
    .run = run,
    .many = &many,
};
