/* Which models run on which targets, as they are or converted: a row for each model and target. */
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "lint/lint.h"
#include "lint/targets.h"

enum target_verdict {
    TARGET_RUNS,        /* no error of this target, and all of the model is known to it */
    TARGET_CONVERTED,   /* so it is after a conversion */
    TARGET_UNKNOWN_RUN, /* no error, but something is not known */
    TARGET_UNKNOWN_CONVERTED,
    TARGET_CANNOT,
    TARGET_INVALID /* the model has errors of its own */
};
static const char *const verdicts[] = {"runs",   "runs after convert", "not known", "not known after convert", "cannot",
                                       "invalid"};

/* What the checks say about a model for one target. */
struct target_outcome {
    uint64_t errors, warnings, notes; /* notes: what is not known */
    char *first;                      /* the first error's text; else the first note's; else the first warning's */
};

struct target_run {
    struct opshift_lint *lint;
    struct opshift_rules *rules; /* for conversions */
    bool strict;
    uint32_t count; /* of targets */
    struct target_outcome *outcomes;
    uint64_t errors; /* of the model, whatever the target */
    char *first;     /* the first of these */
};

static void outcomes_clear(struct target_run *run)
{
    for (uint32_t i = 0; i < run->count; i++)
        free(run->outcomes[i].first);
    memset(run->outcomes, 0, run->count * sizeof(*run->outcomes));
    free(run->first);
    run->first = NULL;
    run->errors = 0;
}

static bool keep_first(char **first, bool replace, const char *text)
{
    if (*first && !replace)
        return true;
    free(*first);
    *first = strdup(text);
    return *first != NULL;
}

static bool outcome_add(struct target_outcome *outcome, enum opshift_severity severity, const char *message)
{
    bool error = severity == OPSHIFT_SEVERITY_ERROR, note = severity == OPSHIFT_SEVERITY_NOTE;
    bool replace = outcome->errors == 0 && (error || (note && outcome->notes == 0));
    outcome->errors += error;
    outcome->warnings += !error && !note;
    outcome->notes += note;
    return keep_first(&outcome->first, replace, message);
}

/* Counts the findings while they are linked to their targets. */
static enum opshift_status outcomes_take(void *data, struct checking *checking, struct opshift_findings *findings,
                                         struct opshift_error *error)
{
    struct target_run *run = data;
    for (size_t i = 0; i < findings->from_count; i++) {
        const struct finding *from = findings->from[i];
        uint32_t at = 0;
        bool is_error = from->check->about.severity == OPSHIFT_SEVERITY_ERROR, kept = true;
        for (const struct target *target = checking->targets; target && target != from->target; target = target->next)
            at++;
        if (from->target) {
            kept = outcome_add(&run->outcomes[at], from->check->about.severity, from->message);
        } else if (is_error) {
            run->errors++;
            kept = keep_first(&run->first, false, from->message);
        }
        if (!kept)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* Fills the outcomes of a lint's targets. */
static enum opshift_status model_look(struct target_run *run, const struct opshift_lint *lint,
                                      struct opshift_model *model, struct opshift_error *error)
{
    struct opshift_findings *findings = findings_new(lint, opshift_model_name(model));
    if (findings == NULL)
        return opshift_no_memory(error);
    outcomes_clear(run);
    enum opshift_status status = findings_make(lint, model, findings, outcomes_take, run, error);
    if (status == OPSHIFT_OK && findings->failure) {
        run->errors++;
        if (!keep_first(&run->first, false, findings->failure))
            status = opshift_no_memory(error);
    }
    opshift_findings_free(findings);
    return status;
}

/* ---- converted ---- */

/* The first reason for which a conversion is refused; freed by the caller. NULL: no memory. */
static char *blocker_text(const struct opshift_report *report)
{
    char *text = NULL;
    json_t *tree = report->root ? json_incref(report->root) : report->kind->tree(report->content);
    const json_t *blocker = json_array_get(json_object_get(tree, "blockers"), 0);
    struct buffer words = {0};
    buffer_print(&words, "the conversion is refused: %s: %s", report_text_of(blocker, "node"),
                 report_text_of(blocker, "why"));
    buffer_add_text(&words, "");
    text = buffer_take(&words);
    json_decref(tree);
    return text;
}

/* Looks at the converted model in a file of its own. */
static enum opshift_status converted_look(struct target_run *run, const struct target *target,
                                          struct opshift_model *model, struct opshift_error *error)
{
    struct opshift_output *output = NULL;
    struct opshift_model *after = NULL;
    struct target alone = *target;
    struct opshift_lint lint = *run->lint;
    struct opshift_fixes *fixes = NULL;
    alone.next = NULL;
    lint.targets = &alone;
    lint.options.edited = true;
    enum opshift_status status = opshift_lint_fix(&lint, model, &fixes, error);
    opshift_fixes_free(fixes);
    if (status == OPSHIFT_OK)
        status = opshift_model_write(model, "-", NULL, &output, error);
    if (status == OPSHIFT_OK)
        status = opshift_output_open(output, &after, error);
    if (status == OPSHIFT_OK)
        status = model_look(run, &lint, after, error);
    opshift_model_free(after);
    opshift_output_free(output);
    return status;
}

/* "NAME@VERSION", which conversions know it by; freed by the caller. NULL: no memory. */
static char *target_spelling(const struct target *target)
{
    struct buffer name = {0};
    buffer_print(&name, "%s%s%s", target->name, target->version ? "@" : "", target->version ? target->version : "");
    return buffer_take(&name);
}

/* Converts the model that is open, and looks at the result. NO: refused; *why has the reason. */
static enum opshift_status model_convert(struct target_run *run, const struct target *target,
                                         struct opshift_model *model, char **why, struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    char *name = target_spelling(target);
    struct opshift_goal goal = {.size = sizeof(goal),
                                .brief = true,
                                .rules = run->rules,
                                .target = name,
                                .target_directories = run->lint->options.target_directories,
                                .target_directory_count = run->lint->options.target_directory_count};
    enum opshift_status status = name ? opshift_convert(model, &goal, &report, error) : opshift_no_memory(error);
    if (status == OPSHIFT_NO && report && (*why = blocker_text(report)) == NULL)
        status = opshift_no_memory(error);
    opshift_report_free(report);
    free(name);
    return status ? status : converted_look(run, target, model, error);
}

/* *why: set where it does not run; freed by the caller. */
static enum opshift_status conversion_try(struct target_run *run, const struct target *target, const char *path,
                                          enum target_verdict *verdict, char **why, struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    struct opshift_error failure = {0};
    enum opshift_status status = opshift_model_open(path, &run->lint->open, &model, &failure);
    if (status == OPSHIFT_OK)
        status = model_convert(run, target, model, why, &failure);
    opshift_model_free(model);
    if (status == OPSHIFT_MEMORY || status == OPSHIFT_CANCELLED)
        return error_give(error, status, &failure);
    const char *first = status ? failure.text : run->errors ? run->first : run->outcomes[0].first;
    bool none = status == OPSHIFT_OK && run->errors + run->outcomes[0].errors == 0;
    *verdict = !none ? TARGET_CANNOT : run->outcomes[0].notes ? TARGET_UNKNOWN_CONVERTED : TARGET_CONVERTED;
    if (*verdict == TARGET_CANNOT && *why == NULL && (*why = strdup(first)) == NULL)
        return opshift_no_memory(error);
    return OPSHIFT_OK;
}

/* ---- rows ---- */

static void row_add(json_t **rows, const char *path, const struct target *target, const char *verdict, const char *why,
                    uint64_t warnings)
{
    json_t *row = json_object();
    report_set(&row, "model", report_string(path, strlen(path)));
    report_set(&row, "target", json_string(target->name));
    if (target->version)
        report_set(&row, "version", json_string(target->version));
    report_set(&row, "verdict", json_string(verdict));
    report_set(&row, "warnings", json_integer((json_int_t)warnings));
    if (why)
        report_set(&row, "why", report_string(why, strlen(why)));
    report_append(rows, row);
}

/* The verdicts of a model that can be opened. */
static enum opshift_status model_rows(struct target_run *run, const char *path, struct opshift_model *model,
                                      json_t **rows, bool *all_run, struct opshift_error *error)
{
    struct target_run after = {
        .lint = run->lint, .rules = run->rules, .count = 1, .outcomes = calloc(1, sizeof(*after.outcomes))};
    enum opshift_status status = after.outcomes ? model_look(run, run->lint, model, error) : opshift_no_memory(error);
    uint32_t at = 0;
    for (const struct target *target = run->lint->targets; status == OPSHIFT_OK && target; target = target->next) {
        const struct target_outcome *outcome = &run->outcomes[at++];
        enum target_verdict verdict = run->errors ? TARGET_INVALID : outcome->notes ? TARGET_UNKNOWN_RUN : TARGET_RUNS;
        char *why = NULL;
        if (run->errors == 0 && outcome->errors)
            status = conversion_try(&after, target, path, &verdict, &why, error);
        if (status == OPSHIFT_OK) {
            bool after_it = verdict == TARGET_UNKNOWN_CONVERTED;
            const char *first = run->errors ? run->first : after_it ? after.outcomes[0].first : outcome->first;
            row_add(rows, path, target, verdicts[verdict], why ? why : first,
                    verdict == TARGET_CONVERTED || after_it ? after.outcomes[0].warnings : outcome->warnings);
            *all_run = *all_run && verdict <= (run->strict ? TARGET_CONVERTED : TARGET_UNKNOWN_CONVERTED);
        }
        free(why);
    }
    if (after.outcomes)
        outcomes_clear(&after);
    free(after.outcomes);
    return status;
}

static enum opshift_status path_rows(struct target_run *run, const char *path, json_t **rows, bool *all_run,
                                     struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    struct opshift_error why = {0};
    enum opshift_status status = opshift_model_open(path, &run->lint->open, &model, &why);
    if (status == OPSHIFT_OK) {
        status = model_rows(run, path, model, rows, all_run, &why);
    } else if (status != OPSHIFT_MEMORY && status != OPSHIFT_CANCELLED) {
        for (const struct target *target = run->lint->targets; target; target = target->next)
            row_add(rows, path, target, "unreadable", why.text, 0);
        *all_run = false;
        status = OPSHIFT_OK;
    }
    opshift_model_free(model);
    return status ? error_give(error, status, &why) : OPSHIFT_OK;
}

/* ---- for people ---- */

static void check_as_text(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"model", "target", "verdict", "why"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    const json_t *row;
    size_t i;
    json_array_foreach(json_object_get(root, "rows"), i, row)
    {
        char target[96];
        const char *version = report_text_of(row, "version");
        snprintf(target, sizeof(target), "%.60s%s%.30s", report_text_of(row, "target"), *version ? " " : "", version);
        const char *const cells[] = {report_text_of(row, "model"), target, report_text_of(row, "verdict"),
                                     report_text_of(row, "why")};
        report_table_row(table, cells);
    }
    report_table_print(table, out);
}

/* ---- all ---- */

static enum opshift_status run_open(struct target_run *run, const struct opshift_targets_options *given,
                                    struct opshift_error *error)
{
    static const char *const all[] = {"all"};
    struct opshift_targets_options options;
    enum opshift_status status = OPTIONS_COPY(given, &options, error);
    if (status)
        return status;
    bool none = options.target_count == 0;
    run->strict = options.strict;
    struct opshift_lint_options wanted = {
        .size = sizeof(wanted),
        .targets = none ? all : options.targets,
        .target_count = none ? 1 : options.target_count,
        .target_directories = options.directories,
        .target_directory_count = options.directory_count,
        .open = options.open,
    };
    status = opshift_lint_new(&wanted, &run->lint, error);
    if (status == OPSHIFT_OK)
        status = opshift_rules_load(NULL, 0, &run->rules, error);
    for (const struct target *target = status ? NULL : run->lint->targets; target; target = target->next)
        run->count++;
    run->outcomes = calloc(run->count + 1, sizeof(*run->outcomes));
    return status || run->outcomes ? status : opshift_no_memory(error);
}

enum opshift_status opshift_targets_check(const struct opshift_targets_options *options, const char *const *paths,
                                          size_t path_count, struct opshift_report **report,
                                          struct opshift_error *error)
{
    struct target_run run = {0};
    json_t *rows = json_array(), *root;
    bool all_run = true;
    *report = NULL;
    enum opshift_status status = run_open(&run, options, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < path_count; i++)
        status = path_rows(&run, paths[i], &rows, &all_run, error);
    if (status == OPSHIFT_OK) {
        root = rows ? json_pack("{s:s, s:s, s:O}", "kind", "target check", "version", opshift_version(), "rows", rows)
                    : NULL;
        *report = report_new(root, check_as_text);
        status = *report == NULL ? opshift_no_memory(error) : all_run ? OPSHIFT_OK : OPSHIFT_NO;
    }
    json_decref(rows);
    if (run.outcomes)
        outcomes_clear(&run);
    free(run.outcomes);
    opshift_rules_free(run.rules);
    opshift_lint_free(run.lint);
    return status;
}
