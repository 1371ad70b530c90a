/* opshift journal: what became of many models. */
#include <stdio.h>
#include <string.h>

#include "many.h"
#include "output.h"

static struct option_values expected;
static const char *format;
static bool verbose, with_nul;

static const char *const formats[] = {"text", "json", "csv", "junit", "sarif", "names", "slurm", NULL};

static const struct option options[] = {
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT",
     .text = &format,
     .choices = formats,
     .help = "print text (the default), json, csv, junit or sarif; names: the models to run again; slurm: the same as "
             "options of sbatch"},
    {.name = "null",
     .letter = '0',
     .flag = &with_nul,
     .help = "-f names: a NUL after each, as --files0-from takes them"},
    {.name = "expect",
     .value = "DIR",
     .list = &expected,
     .help = "also name the models in DIR that no journal has; may be repeated"},
    {.name = "root",
     .value = "DIR",
     .text = &many_settings.root,
     .help = "name the models of --expect relative to DIR"},
    {.name = "verbose", .letter = 'v', .flag = &verbose, .help = "text: also name the models that are done"},
    {0},
};

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_models *models = NULL;
    char *text = NULL;
    enum opshift_status gravest = OPSHIFT_OK;
    bool names = format && strcmp(format, "names") == 0;
    if (with_nul && !names)
        return fail(error, OPSHIFT_USAGE, "journal: option '--null' is for -f names; add it");
    enum opshift_status status = OPSHIFT_OK;
    many_settings.recursive = true;
    if (expected.count)
        status = many_list("journal", false, NULL, (char **)expected.items, expected.count, &models, error);
    const struct opshift_summary_options how = {
        .format = with_nul ? "names0" : format, .expected = models, .verbose = verbose};
    size_t size = 0;
    if (status == OPSHIFT_OK)
        status = opshift_journal_summary((const char *const *)arguments, count, &how, &text, &size, &gravest, error);
    if (status == OPSHIFT_OK && fwrite(text, 1, size, stdout) < size)
        output_note(stdout);
    if (status == OPSHIFT_OK && models)
        status = opshift_models_unread(models);
    opshift_text_free(text);
    opshift_models_free(models);
    return status ? status : gravest;
}

const struct command command_journal = {
    .name = "journal",
    .group = "more",
    .arguments = "FILE... [OPTION]...",
    .summary = "say what became of many models",
    .description =
        "Merges the journals that commands over many models wrote with --journal, one for each shard, and prints a "
        "table: how many models are done, refused, malformed, failed, killed, or were begun and not ended. The "
        "reasons of refusals are grouped over all models; each other model that is not done is named. Where several "
        "journals have a model, the later line counts.\n\n"
        "The exit status is the gravest of the models'; 4 if one is not ended, or is missing.",
    .examples = "opshift journal run.jsonl\n"
                "opshift journal shard-*.jsonl --expect models -f junit > report.xml\n"
                "sbatch $(opshift journal shard-*.jsonl --expect models -f slurm) job.sh",
    .options = options,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
