/* Commands over many models: their options, and how each of them does one model after another. */
#ifndef SRC_MANY_H
#define SRC_MANY_H

#include "command.h"

/* How a command works on many models. */
struct many {
    const char **output;       /* the option that becomes the file of each model; NULL: none */
    const char *ending;        /* of that file, instead of .onnx; NULL: the same */
    const char *const *single; /* options that are for one model only; ends with NULL */
    const char **format;       /* json: one array of all documents; NULL: there is no such option */
    const bool *verbose;       /* quiet commands print what each model prints only with this option; NULL: always */
    bool quiet;
    const bool *lines; /* of a listing: one for each model, without an empty line between; NULL: never */
    bool named;        /* what each model prints stands below its name */
    bool listing;      /* what is printed is the result: no table follows */
    bool pairs;        /* two directories are compared, model by model of the same name */
    bool cases;        /* of ONNX's backend tests */
    /* Checks the options before the first model; NULL: there is nothing to check. */
    enum opshift_status (*check)(struct opshift_error *error);
    /* Serves the process with this number; NULL: many_run does it. With it the command lists its models itself. */
    enum opshift_status (*serve)(const char *host, struct opshift_error *error);
};

struct many_settings {
    bool recursive, isolate;
    struct option_values lists;
    const char *root, *shard, *journal;
    int64_t jobs, retries, memory_mib, seconds;
};

extern struct many_settings many_settings;

/* Rows of a command's table. lint and test word the first three themselves. */
#define MANY_OPTIONS                                                                                                   \
    {.name = "recursive",                                                                                              \
     .group = "many models",                                                                                           \
     .letter = 'r',                                                                                                    \
     .flag = &many_settings.recursive,                                                                                 \
     .help = "take all *.onnx in the given directories and below"},                                                    \
        {.name = "files0-from",                                                                                        \
         .value = "FILE",                                                                                              \
         .list = &many_settings.lists,                                                                                 \
         .help = "also take the models named in FILE, each name followed by a NUL; - is standard input"},              \
        {.name = "jobs",                                                                                               \
         .letter = 'j',                                                                                                \
         .value = "N",                                                                                                 \
         .number = &many_settings.jobs,                                                                                \
         .least = 1,                                                                                                   \
         .most = 256,                                                                                                  \
         .help = "of many models, N at once (default: as many as there are processors); the output is the same"},      \
        FLEET_OPTIONS

/* Names of options by which many models are meant, whatever the arguments are. */
#define MANY_NAMES "recursive", "files0-from", "root", "shard", "journal", "isolate"

/* In the descriptions of commands. */
#define MANY_WORDS                                                                                                     \
    "Of many models, or with -r, -o names a directory, in which the same tree is written; a table tells what became "  \
    "of them, and the gravest exit status counts. Models that would be written to one file are refused before "        \
    "anything is written."

#define FLEET_OPTIONS                                                                                                  \
    {.name = "root",                                                                                                   \
     .group = "many models",                                                                                           \
     .value = "DIR",                                                                                                   \
     .text = &many_settings.root,                                                                                      \
     .help = "name models relative to DIR, not to the directory that -r searches; names decide about outputs, shards " \
             "and the journal"},                                                                                       \
        {.name = "shard",                                                                                              \
         .value = "I/N|auto[/N]",                                                                                      \
         .text = &many_settings.shard,                                                                                 \
         .help = "take only the models of share I of N, by a hash of their names; auto: by the variables of Slurm, "   \
                 "Kubernetes, Bazel, GitLab or AWS Batch"},                                                            \
        {.name = "journal",                                                                                            \
         .value = "FILE",                                                                                              \
         .text = &many_settings.journal,                                                                               \
         .help = "append to FILE what became of each model; the same command goes on from there, and does not do "     \
                 "again what is done ('opshift journal' prints it)"},                                                  \
        {.name = "retries",                                                                                            \
         .value = "N",                                                                                                 \
         .number = &many_settings.retries,                                                                             \
         .most = 1000,                                                                                                 \
         .help = "try a model N times more if reading or writing failed, or if its process died; default 0"},          \
        {.name = "isolate",                                                                                            \
         .flag = &many_settings.isolate,                                                                               \
         .help = "work in processes that may die, at the cost of one model (always so with --journal and -j above "    \
                 "1)"},                                                                                                \
        {.name = "max-memory-each",                                                                                    \
         .value = "MIB",                                                                                               \
         .number = &many_settings.memory_mib,                                                                          \
         .least = 16,                                                                                                  \
         .most = INT64_C(1) << 40,                                                                                     \
         .help = "limit of each process's memory; beyond it the model fails"},                                         \
    {                                                                                                                  \
        .name = "timeout-each", .value = "SECONDS", .number = &many_settings.seconds, .least = 1, .most = 1000000,     \
        .help = "stop a process that takes longer for one model"                                                       \
    }

/* Do the options or the arguments ask for many models? */
bool many_is_asked(const struct command *command, char **arguments, size_t count);
/* Is an option set that only processes can honour? */
bool many_needs_processes(void);
unsigned many_jobs(void);
/* Keeps the options for the journal, as they were given. */
enum opshift_status many_keep_options(const struct command *command, struct opshift_error *error);
void many_free(void);
/* Keeps the command line of the processes. */
void many_keep_line(char **line);
/* Runs the command for each model. */
enum opshift_status many_run(const struct command *command, char **arguments, size_t count,
                             struct opshift_error *error);
/* Serves the process that started this one. */
enum opshift_status many_serve(const struct command *command, char **arguments, size_t count, const char *host,
                               struct opshift_error *error);

/* ---- the steps of many_run ---- */

/* except: a directory that is not searched, below the others; NULL: none. */
enum opshift_status many_list(const char *who, bool cases, const char *except, char **arguments, size_t count,
                              struct opshift_models **models, struct opshift_error *error);
/* Keeps the models of --shard. */
enum opshift_status many_shard(struct opshift_models *models, struct opshift_error *error);
/* Opens the file of --journal; *journal NULL: there is none. file: decides, too; NULL: none. anew: nothing counts as
 * done before. */
enum opshift_status many_journal(const struct command *command, const char *file, bool anew,
                                 struct opshift_journal **journal, struct opshift_error *error);
/* Works on all models in processes. what: for the progress. CANCELLED was told. */
enum opshift_status many_apart(const char *what, struct opshift_models *models, struct opshift_journal *journal,
                               opshift_result_done done, void *data, struct opshift_error *error);
enum opshift_status many_serve_work(const char *host, opshift_work work, void *data,
                                    const struct opshift_open_options *open, struct opshift_error *error);

/* ---- from within a command ---- */

/* Is the command called for one of many models? */
bool many_is_working(void);
/* A report's reasons of a refusal, for groups over all models, and its counts, for the journal; or counts alone. */
void many_give_report(const struct opshift_report *report);
void many_give_counts(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *many_counts(void);

#endif
