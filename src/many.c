/* Runs a command for each of many models, and prints what became of them. */
#include "many.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "interrupt.h"
#include "opening.h"
#include "options.h"
#include "output.h"
#include "print.h"
#include "progress.h"

struct many_settings many_settings;
static struct opshift_shard share; /* count 0: all models */
static char **worker_line;
static struct option_values given; /* "--name=value", of the options that decide about results */

void many_keep_line(char **line)
{
    worker_line = line;
}

/* ---- one model ---- */

/* What the work function knows. */
struct many_context {
    const struct command *command;
    const char *after; /* of pairs: the other directory */
};

static char *reasons, *counts;
static bool working;

bool many_is_working(void)
{
    return working;
}

static void gifts_free(void)
{
    opshift_text_free(reasons);
    opshift_text_free(counts);
    reasons = counts = NULL;
}

void many_give_report(const struct opshift_report *report)
{
    struct opshift_error error = {0};
    if (!working)
        return;
    gifts_free();
    if (opshift_report_reasons(report, &reasons, &error) == OPSHIFT_OK)
        opshift_report_counts(report, &counts, &error);
}

void many_give_counts(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    gifts_free();
    if (vasprintf(&counts, format, values) < 0)
        counts = NULL;
    va_end(values);
}

const char *many_counts(void)
{
    return counts;
}

static enum opshift_status pair_run(const struct many_context *work, const struct opshift_result *result,
                                    struct opshift_error *error)
{
    char *paths[2] = {(char *)result->path, NULL};
    if (asprintf(&paths[1], "%s/%s", work->after, result->name) < 0)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    enum opshift_status status = OPSHIFT_OK;
    if (access(paths[1], F_OK) != 0)
        status = fail(error, OPSHIFT_NO, "%s: has no counterpart: there is no %s", paths[0], paths[1]);
    if (status == OPSHIFT_OK)
        status = work->command->run(paths, 2, error);
    free(paths[1]);
    return status;
}

static enum opshift_status model_work(void *data, struct opshift_result *result, struct opshift_error *error)
{
    const struct many_context *work = data;
    const struct many *many = work->command->many;
    struct opshift_error late = {0};
    char *path = (char *)result->path;
    gifts_free();
    working = true;
    if (many->output && *result->output)
        *many->output = result->output;
    enum opshift_status status = capture_start(error);
    if (status == OPSHIFT_OK)
        status = many->pairs ? pair_run(work, result, error) : work->command->run(&path, 1, error);
    if (capture_end(result, &late) != OPSHIFT_OK && status == OPSHIFT_OK) {
        *error = late;
        status = late.status;
    }
    result->reasons = reasons;
    result->counts = counts;
    return status;
}

/* ---- the list ---- */

static bool is_directory(const char *path)
{
    struct stat found;
    size_t size = strlen(path);
    return (size > 0 && path[size - 1] == '/') || (stat(path, &found) == 0 && S_ISDIR(found.st_mode));
}

static void unread_tell(void *data, const char *message)
{
    (void)data;
    tell("%s", message);
}

enum opshift_status many_list(const char *who, bool cases, const char *except, char **arguments, size_t count,
                              struct opshift_models **models, struct opshift_error *error)
{
    const struct opshift_models_options how = {.who = who,
                                               .recursive = many_settings.recursive,
                                               .cases = cases,
                                               .root = many_settings.root,
                                               .unread = unread_tell,
                                               .leave_out = except};
    const struct option_values *lists = &many_settings.lists;
    enum opshift_status status = opshift_models_new(&how, models, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = opshift_models_add(*models, arguments[i], error);
    for (size_t i = 0; status == OPSHIFT_OK && i < lists->count; i++)
        status = opshift_models_add_list(*models, lists->items[i], error);
    return status == OPSHIFT_OK ? opshift_models_unite(*models, error) : status;
}

static enum opshift_status list_make(const struct command *command, char **arguments, size_t count,
                                     struct opshift_models **models, struct opshift_error *error)
{
    const struct option_values *lists = &many_settings.lists;
    const char *except = command->many->output ? *command->many->output : NULL; /* what an earlier run has written */
    size_t named = command->many->pairs ? 1 : count;
    many_settings.recursive = many_settings.recursive || command->many->pairs;
    enum opshift_status status =
        many_list(command->name, command->many->cases, except, arguments, named, models, error);
    if (status || opshift_models_count(*models) > 0 || opshift_models_unread(*models))
        return status;
    return fail(error, OPSHIFT_USAGE, "%s: %.512s: no models found; models are %s", command->name,
                named          ? arguments[0]
                : lists->count ? lists->items[0]
                               : "",
                command->many->cases ? "directories with a model.onnx"
                                     : "files called *.onnx, any other file counts when it is named");
}

enum opshift_status many_shard(struct opshift_models *models, struct opshift_error *error)
{
    if (many_settings.shard == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = opshift_shard_read(many_settings.shard, &share, error);
    return status == OPSHIFT_OK ? opshift_models_keep_shard(models, &share, error) : status;
}

static enum opshift_status outputs_set(const struct command *command, struct opshift_models *models,
                                       struct opshift_error *error)
{
    const char **output = command->many->output;
    if (output == NULL || *output == NULL)
        return OPSHIFT_OK;
    if (!is_directory(*output))
        return fail(error, OPSHIFT_USAGE, "%s: of many models '--output' is a directory; write -o %.512s/",
                    command->name, *output);
    return opshift_models_set_outputs(models, *output, command->many->ending, error);
}

/* ---- the journal ---- */

static bool option_is_set(const struct option *option)
{
    return option->flag     ? *option->flag
           : option->text   ? *option->text != NULL
           : option->number ? *option->number != 0
                            : option->list && option->list->count > 0;
}

/* Options that change nothing about a model's result. */
static bool option_is_ours(const char *name)
{
    static const char *const ours[] = {
        "recursive",       "files0-from",  "jobs",    "root",   "shard",   "journal", "retries",  "isolate",
        "max-memory-each", "timeout-each", "timeout", "format", "verbose", "null",    "exit-zero"};
    for (size_t i = 0; i < COUNT(ours); i++)
        if (strcmp(ours[i], name) == 0)
            return true;
    return false;
}

/* Of the file or directory that a value names, as "x=file" does, too; else it stays "". */
static void value_hash(const char *value, char hash[OPSHIFT_HASH_SIZE])
{
    struct opshift_error error = {0};
    const char *equals = strrchr(value, '=');
    if (equals && access(value, F_OK) != 0)
        value = equals + 1;
    if (access(value, F_OK) != 0 || opshift_model_hash(value, NULL, hash, &error) != OPSHIFT_OK)
        hash[0] = '\0';
}

static enum opshift_status text_add(struct option_values *texts, const char *name, const char *value,
                                    struct opshift_error *error)
{
    char *text = NULL;
    char hash[OPSHIFT_HASH_SIZE] = "";
    if (value && strcmp(name, "output") != 0)
        value_hash(value, hash);
    if (asprintf(&text, value ? "--%s=%s%s%s" : "--%s", name, value, *hash ? "@" : "", hash) < 0)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    const char **grown = realloc(texts->items, (texts->count + 1) * sizeof(*grown));
    if (grown == NULL) {
        free(text);
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    }
    texts->items = grown;
    texts->items[texts->count++] = text;
    return OPSHIFT_OK;
}

/* The options as they are set, in the order of the table. */
static enum opshift_status options_tell(const struct option *option, struct option_values *texts,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    char number[24];
    for (; status == OPSHIFT_OK && option->name; option++) {
        if (!option_is_set(option) || option_is_ours(option->name))
            continue;
        if (option->number)
            snprintf(number, sizeof number, "%lld", (long long)*option->number);
        if (option->list == NULL)
            status = text_add(texts, option->name,
                              option->number ? number
                              : option->text ? *option->text
                                             : NULL,
                              error);
        for (size_t i = 0; status == OPSHIFT_OK && option->list && i < option->list->count; i++)
            status = text_add(texts, option->name, option->list->items[i], error);
    }
    return status;
}

enum opshift_status many_keep_options(const struct command *command, struct opshift_error *error)
{
    return command->many && many_settings.journal ? options_tell(command->options, &given, error) : OPSHIFT_OK;
}

void many_free(void)
{
    for (size_t i = 0; i < given.count; i++)
        free((char *)given.items[i]);
    free(given.items);
    given = (struct option_values){0};
}

enum opshift_status many_journal(const struct command *command, const char *file, bool anew,
                                 struct opshift_journal **journal, struct opshift_error *error)
{
    struct opshift_rules *rules = NULL;
    struct timespec now;
    char versions[6 + OPSHIFT_HASH_SIZE] = "rules ", time[48];
    if (many_settings.journal == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = file ? text_add(&given, "config", file, error) : OPSHIFT_OK;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(time, sizeof time, "%lld.%09ld", (long long)now.tv_sec, now.tv_nsec);
    if (status == OPSHIFT_OK && anew)
        status = text_add(&given, "anew", time, error);
    if (status == OPSHIFT_OK)
        status = opshift_rules_load(NULL, 0, &rules, error);
    if (status)
        return status;
    opshift_rules_hash(rules, versions + 6);
    opshift_rules_free(rules);
    const struct opshift_journal_options how = {.command = command->name,
                                                .options = given.items,
                                                .option_count = given.count,
                                                .versions = versions,
                                                .shard = share.count ? &share : NULL};
    return opshift_journal_open(many_settings.journal, &how, journal, error);
}

/* ---- results ---- */

/* State of printing. */
struct many_results {
    const struct command *command;
    struct opshift_tally *tally;
    size_t printed, earlier;
    size_t cases, failed, skipped; /* of tests */
    bool json;
};

/* The results of a case, each with its number among all: "ok 1 - ...", "not ok 2 - ...". */
static void case_show(struct many_results *results, const struct opshift_result *result)
{
    const char *end = result->out + result->out_size;
    for (const char *line = result->out, *stop; line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        size_t head = strncmp(line, "not ok ", 7) == 0 ? 7 : strncmp(line, "ok ", 3) == 0 ? 3 : 0;
        if (head > 0) {
            results->failed += head == 7;
            results->skipped += memmem(line, (size_t)(stop - line), " # SKIP ", 8) != NULL;
            printf("%.*s%zu", (int)head, line, ++results->cases);
            line += head;
            line += strspn(line, "0123456789");
        }
        fwrite(line, 1, (size_t)(stop - line), stdout);
        putchar('\n');
    }
    if (result->out_size == 0 && *result->message) {
        results->failed++;
        printf("not ok %zu - ", ++results->cases);
        print_shown(stdout, result->path);
        printf("\n# %s\n", result->message);
    }
}

static void cases_end(const struct many_results *results)
{
    printf("1..%zu\n# %zu passed, %zu failed, %zu skipped\n", results->cases,
           results->cases - results->failed - results->skipped, results->failed, results->skipped);
}

static void printed_show(struct many_results *results, const struct opshift_result *result)
{
    const struct many *many = results->command->many;
    bool written = many->quiet && *many->output;
    bool shown = results->json || !written || (many->verbose && *many->verbose);
    size_t size = result->out_size;
    if (!shown || size == 0 || result->earlier)
        return;
    if (results->json)
        fputs(results->printed ? ",\n" : "[\n", stdout);
    else if (results->printed && many->listing && !(many->lines && *many->lines))
        fputc('\n', stdout);
    results->printed++;
    if (many->named) {
        print_shown(stdout, result->path);
        puts(":");
    }
    if (results->json && result->out[size - 1] == '\n')
        size--;
    if (fwrite(result->out, 1, size, stdout) < size)
        output_note(stdout);
}

static enum opshift_status result_done(void *data, const struct opshift_result *result, struct opshift_error *error)
{
    struct many_results *results = data;
    const struct many *many = results->command->many;
    bool grouped = *result->reasons && !(many->verbose && *many->verbose);
    results->earlier += result->earlier;
    if (many->cases) {
        if (!result->earlier)
            case_show(results, result);
        return opshift_tally_add(results->tally, result, error);
    }
    printed_show(results, result);
    if (!grouped && result->err_size > 0 && !result->earlier)
        fwrite(result->err, 1, result->err_size, stderr);
    if (*result->message)
        tell("%s%s%s", strstr(result->message, result->path) ? "" : result->path,
             strstr(result->message, result->path) ? "" : ": ", result->message);
    return opshift_tally_add(results->tally, result, error);
}

static enum opshift_status results_end(struct many_results *results, struct opshift_error *error)
{
    char *text = NULL;
    if (results->json)
        fputs(results->printed ? "\n]\n" : "[]\n", stdout);
    if (results->command->many->cases)
        cases_end(results);
    if (results->earlier)
        tell("%zu model%s done before, as %s tells", results->earlier, results->earlier == 1 ? " was" : "s were",
             many_settings.journal);
    enum opshift_status status = opshift_tally_text(results->tally, &text, error);
    if (status == OPSHIFT_OK && !results->command->many->listing && !option_quiet)
        fputs(text, results->json ? stderr : stdout);
    opshift_text_free(text);
    return status;
}

/* ---- all of them ---- */

bool many_is_asked(const struct command *command, char **arguments, size_t count)
{
    const struct many *many = command->many;
    if (many == NULL || many->serve || (count == 0 && many_settings.lists.count == 0))
        return false;
    bool apart = many_settings.lists.count > 0 || many_settings.root || many_settings.shard || many_needs_processes() ||
                 many_settings.retries > 0;
    if (many->cases)
        return apart || many_settings.jobs > 1;
    if (many->pairs)
        return apart || many_settings.recursive ||
               (count == 2 && is_directory(arguments[0]) && is_directory(arguments[1]));
    const char *output = many->output && many->quiet ? *many->output : NULL;
    if (count == 1 && is_directory(arguments[0]))
        return true;
    return apart || many_settings.recursive || count > 1 || (output && output[strlen(output) - 1] == '/');
}

bool many_needs_processes(void)
{
    return many_settings.isolate || many_settings.journal || many_settings.memory_mib > 0 || many_settings.seconds > 0;
}

unsigned many_jobs(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return many_settings.jobs > 0 ? (unsigned)many_settings.jobs : processors > 0 ? (unsigned)processors : 1;
}

static enum opshift_status usage_check(const struct command *command, size_t count, struct opshift_error *error)
{
    const struct many *many = command->many;
    if (many->pairs && (count != 2 || many_settings.lists.count > 0))
        return fail(error, OPSHIFT_USAGE, "%s: of many models give two directories and -r", command->name);
    for (const char *const *name = many->single; name && *name; name++)
        for (const struct option *option = command->options; option->name; option++)
            if (strcmp(option->name, *name) == 0 && option_is_set(option))
                return fail(error, OPSHIFT_USAGE, "%s: option '--%s' is for one model; leave it out", command->name,
                            *name);
    return many->check ? many->check(error) : OPSHIFT_OK;
}

/* State of working on all models. */
struct all_work {
    struct many_progress progress;
    opshift_result_done done;
    void *data;
};

static enum opshift_status all_done(void *data, const struct opshift_result *result, struct opshift_error *error)
{
    struct all_work *all = data;
    bool failed = result->outcome != OPSHIFT_OUTCOME_DONE;
    many_progress_add(&all->progress, result->path, failed, failed || result->out_size + result->err_size > 0);
    return all->done(all->data, result, error);
}

/* Between watching and settling, a signal lets the models end that are begun. */
static enum opshift_status models_work(struct opshift_models *models, struct opshift_many_options *how,
                                       struct opshift_error *error)
{
    struct all_work all = {.done = how->done, .data = how->done_data};
    many_progress_start(&all.progress, how->progress_data, opshift_models_count(models));
    how->progress = many_progress_show;
    how->progress_data = &all.progress;
    how->done = all_done;
    how->done_data = &all;
    how->jobs = many_jobs();
    how->seconds_each = (unsigned)many_settings.seconds;
    how->retries = (unsigned)many_settings.retries;
    interrupt_watch();
    enum opshift_status status = opshift_many(models, how, error);
    many_progress_clear(&all.progress);
    if (status == OPSHIFT_CANCELLED && !interrupt_late()) {
        tell("%s; %s", error->text,
             how->journal ? "the same command goes on" : "with --journal FILE the same command would go on");
        error->text[0] = '\0';
    }
    interrupt_end();
    how->progress_data = NULL;
    return status;
}

enum opshift_status many_apart(const char *what, struct opshift_models *models, struct opshift_journal *journal,
                               opshift_result_done done, void *data, struct opshift_error *error)
{
    struct opshift_many_options how = {.program = "/proc/self/exe",
                                       .arguments = (const char *const *)worker_line,
                                       .journal = journal,
                                       .done = done,
                                       .done_data = data,
                                       .progress_data = (void *)what};
    return models_work(models, &how, error);
}

static enum opshift_status many_here(const struct command *command, struct opshift_models *models,
                                     struct many_context *work, struct many_results *results,
                                     struct opshift_error *error)
{
    struct opshift_open_options open;
    enum opshift_status status = opening_read(&open, error);
    const struct opshift_worker worker = {.work = model_work, .data = work, .open = &open, .beside = work->after};
    struct opshift_many_options how = {
        .worker = &worker, .done = result_done, .done_data = results, .progress_data = (void *)command->name};
    return status == OPSHIFT_OK ? models_work(models, &how, error) : status;
}

/* Models of the second directory that the first one does not have. */
static enum opshift_status alone_find(const struct command *command, char **arguments, enum opshift_status *gravest,
                                      struct opshift_error *error)
{
    struct opshift_models *models = NULL;
    enum opshift_status status = many_list(command->name, false, NULL, arguments + 1, 1, &models, error);
    if (status == OPSHIFT_OK)
        status = many_shard(models, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_models_count(models); i++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%s", arguments[0], opshift_models_name(models, i)) < 0)
            status = fail(error, OPSHIFT_MEMORY, "out of memory");
        else if (access(path, F_OK) != 0) {
            tell("%s: has no counterpart: there is no %s", opshift_models_path(models, i), path);
            *gravest = *gravest > OPSHIFT_NO ? *gravest : OPSHIFT_NO;
        }
        free(path);
    }
    opshift_models_free(models);
    return status;
}

/* The models of this share, with what each becomes. */
static enum opshift_status models_make(const struct command *command, char **arguments, size_t count,
                                       struct opshift_models **models, struct opshift_error *error)
{
    enum opshift_status status = usage_check(command, count, error);
    if (status == OPSHIFT_OK)
        status = list_make(command, arguments, count, models, error);
    if (status == OPSHIFT_OK)
        status = outputs_set(command, *models, error);
    return status == OPSHIFT_OK ? many_shard(*models, error) : status;
}

enum opshift_status many_run(const struct command *command, char **arguments, size_t count, struct opshift_error *error)
{
    const struct many *many = command->many;
    struct opshift_models *models = NULL;
    struct opshift_journal *journal = NULL;
    struct many_context work = {.command = command, .after = many->pairs && count == 2 ? arguments[1] : NULL};
    struct many_results results = {.command = command,
                                   .json = many->format && *many->format && strcmp(*many->format, "json") == 0};
    enum opshift_status gravest = OPSHIFT_OK, status = models_make(command, arguments, count, &models, error);
    if (status == OPSHIFT_OK)
        status = many_journal(command, NULL, false, &journal, error);
    if (status == OPSHIFT_OK)
        status = opshift_tally_new(&results.tally, error);
    if (status == OPSHIFT_OK && many->cases)
        puts("TAP version 13");
    if (status == OPSHIFT_OK && (many_needs_processes() || (many_jobs() > 1 && opshift_models_count(models) > 1)))
        status = many_apart(command->name, models, journal, result_done, &results, error);
    else if (status == OPSHIFT_OK)
        status = many_here(command, models, &work, &results, error);
    if (status == OPSHIFT_OK && many->pairs)
        status = alone_find(command, arguments, &gravest, error);
    if (status == OPSHIFT_OK)
        status = results_end(&results, error);
    if (status == OPSHIFT_OK) {
        enum opshift_status own = opshift_tally_status(results.tally), unread = opshift_models_unread(models);
        gravest = own > gravest ? own : gravest;
        status = unread > gravest ? unread : gravest;
    }
    opshift_tally_free(results.tally);
    opshift_journal_free(journal);
    opshift_models_free(models);
    return status;
}

/* ---- the processes ---- */

enum opshift_status many_serve_work(const char *host, opshift_work work, void *data,
                                    const struct opshift_open_options *open, struct opshift_error *error)
{
    const struct many_context *pairs = work == model_work ? data : NULL;
    const struct opshift_worker worker = {.work = work,
                                          .data = data,
                                          .open = open,
                                          .memory = (uint64_t)many_settings.memory_mib << 20,
                                          .host = strtoll(host, NULL, 10),
                                          .beside = pairs ? pairs->after : NULL};
    working = true;
    return opshift_worker_serve(&worker, error);
}

enum opshift_status many_serve(const struct command *command, char **arguments, size_t count, const char *host,
                               struct opshift_error *error)
{
    struct opshift_open_options open;
    if (command->many == NULL || command->many->serve)
        return command->many ? command->many->serve(host, error)
                             : fail(error, OPSHIFT_USAGE, "%s: works on one model", command->name);
    struct many_context work = {.command = command, .after = command->many->pairs && count == 2 ? arguments[1] : NULL};
    enum opshift_status status = command->many->check ? command->many->check(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = opening_read(&open, error);
    return status == OPSHIFT_OK ? many_serve_work(host, model_work, &work, &open, error) : status;
}
