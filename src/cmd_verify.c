/* opshift verify: do two models do the same? */
#include <stdlib.h>
#include <string.h>

#include "opening.h"
#include "output.h"
#include "print.h"
#include "progress.h"
#include "whole_options.h"

static const char *format, *report_path, *replay_path;
static int64_t seed;
static bool freeze_initializers;
static struct text_list rule_folders;

static const struct option options[] = {
    {.name = "seed",
     .value = "N",
     .number = &seed,
     .most = INT64_MAX,
     .help = "draw the random inputs from this seed; default 0"},
    {.name = "freeze-initializers",
     .flag = &freeze_initializers,
     .help = "take an initializer that a caller may override for a constant"},
    {.name = "rules",
     .value = "DIR",
     .list = &rule_folders,
     .help = "let the rules in DIR say too what a node may become; may be given again"},
    WHOLE_OPTIONS,
    {.name = "report",
     .value = "FILE",
     .text = &report_path,
     .help = "write the certificate to FILE, as JSON, or as a page to look at where it is called .html"},
    {.name = "replay",
     .value = "FILE",
     .text = &replay_path,
     .help = "verify what the certificate in FILE is about: the same files, the same verdicts?"},
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT",
     .text = &format,
     .choices = print_formats,
     .help = "print it as text (the default) or as json"},
    OPENING_OPTIONS,
    {0},
};

static enum opshift_status write_certificate(const struct opshift_report *report, struct opshift_error *error)
{
    char *text = NULL;
    if (report_path == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = report_is_page(report_path) ? opshift_verify_page(report, &text, error)
                                                             : opshift_report_json(report, &text, error);
    if (status == OPSHIFT_OK)
        status = output_write(report_path, text, strlen(text), error);
    opshift_text_free(text);
    return status;
}

static enum opshift_status replay(struct opshift_model *before, struct opshift_model *after,
                                  const struct opshift_verify_options *how, struct opshift_report **report,
                                  struct opshift_error *error)
{
    struct opshift_run_options run = run_options();
    struct opshift_verify_options again = *how;
    char *certificate = NULL;
    size_t size = 0;
    again.whole = &run;
    enum opshift_status status = text_read(replay_path, &certificate, &size, error);
    if (status == OPSHIFT_OK)
        status = opshift_verify_replay(before, after, certificate, size, &again, report, error);
    if (status == OPSHIFT_MALFORMED && *report == NULL) {
        struct opshift_error inner = *error;
        fail(error, OPSHIFT_MALFORMED, "%s: %s", replay_path, inner.text);
    }
    free(certificate);
    return status;
}

static enum opshift_status compare(struct opshift_model *before, struct opshift_model *after,
                                   const struct opshift_rules *rules, struct opshift_error *error)
{
    struct opshift_verify_options how = {.seed = (uint64_t)seed,
                                         .rules = rules,
                                         .freeze_initializers = freeze_initializers,
                                         .progress = progress_show,
                                         .progress_data = (void *)"verifying"};
    struct opshift_run_options run;
    struct opshift_tolerance tolerance;
    struct opshift_report *report = NULL;
    enum opshift_status answer = whole_read("verify", &run, &tolerance, &how, error);
    if (answer == OPSHIFT_OK)
        answer = replay_path == NULL ? opshift_verify(before, after, &how, &report, error)
                                     : replay(before, after, &how, &report, error);
    enum opshift_status told = OPSHIFT_OK;
    progress_clear();
    if (report && (answer == OPSHIFT_OK || answer == OPSHIFT_NO)) {
        struct opshift_error late = {0};
        told = report_print(stdout, report, format, &late);
        if (told == OPSHIFT_OK)
            told = write_certificate(report, &late);
        if (told != OPSHIFT_OK)
            *error = late;
    }
    opshift_report_free(report);
    return told != OPSHIFT_OK ? told : answer;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_model *before = NULL, *after = NULL;
    if (replay_path != NULL && report_path != NULL)
        return fail(error, OPSHIFT_USAGE,
                    "verify: options '--replay' and '--report' exclude each other: one reads a certificate, the other "
                    "writes one");
    if (strcmp(arguments[0], "-") == 0 && strcmp(arguments[1], "-") == 0)
        return fail(error, OPSHIFT_USAGE,
                    "verify: only one of the two models can be standard input; give the other as a file");
    struct opshift_rules *rules = NULL;
    enum opshift_status status = opshift_rules_load(rule_folders.items, rule_folders.count, &rules, error);
    if (status == OPSHIFT_OK)
        status = opening_open(arguments[0], &before, error);
    if (status == OPSHIFT_OK)
        status = opening_open(arguments[1], &after, error);
    if (status == OPSHIFT_OK)
        status = compare(before, after, rules, error);
    opshift_rules_free(rules);
    opshift_model_free(after);
    opshift_model_free(before);
    return status;
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "BEFORE AFTER [OPTION]...",
    .summary = "say whether two models do the same",
    .description =
        "Pairs what differs between two models and compares both sides: 'proved' where the way they cut the axis "
        "decides it for every input, 'tested' where both were run on the same data, 'by rule' where it cannot be run "
        "and is "
        "what the rules make of it, 'differs' with the first element that does, 'not run' where nothing speaks for "
        "it, with the reason. Of each verdict but the first the table says why it is not a stronger one.\n\n"
        "With --engine both models are also run from their inputs to their outputs, on the same drawn inputs; dims "
        "that "
        "the model leaves open get several sizes. ONNX Runtime runs in a process of its own, without optimizations: "
        "its "
        "crash is a verdict.\n\n"
        "Either model may be '-', standard input. The exit status is 1 when something differs or was not run.",
    .examples = "opshift verify net.onnx net13.onnx --report certificate.json",
    .options = options,
    .least = 2,
    .most = 2,
    .run = run,
};
