/* opshift verify: checks whether two models are equivalent. */
#include <stdlib.h>
#include <string.h>

#include "many.h"
#include "opening.h"
#include "output.h"
#include "pair.h"
#include "print.h"
#include "progress.h"
#include "whole_options.h"

static const char *format, *report_path, *replay_path, *reduce;
static int64_t seed;
static bool freeze_initializers, strict, exact, assume, nothing_else, map, verbose;
static struct option_values rule_directories;

static const struct option options[] = {
    {.name = "seed", .value = "N", .number = &seed, .most = INT64_MAX, .help = "seed of random inputs; default 0"},
    {.name = "freeze-initializers",
     .flag = &freeze_initializers,
     .help = "treat an initializer that a caller may override as a constant"},
    {.name = "rules", .value = "DIR", .list = &rule_directories, .help = "also use the rules in DIR; may be repeated"},
    {.name = "strict",
     .flag = &strict,
     .help = "accept only the verdicts 'proved' and 'by rule', not 'tested' or 'assumed'"},
    {.name = "exact", .flag = &exact, .help = "bit for bit: what is the same but for rounding differs"},
    {.name = "nothing-else",
     .flag = &nothing_else,
     .help = "all that is not rewritten must be the same bytes, as convert --verify demands"},
    {.name = "verbose",
     .letter = 'v',
     .flag = &verbose,
     .help = "list what else changed between models that compute the same"},
    {.name = "map", .flag = &map, .help = "also print which nodes of BEFORE became which of AFTER"},
    {.name = "reduce",
     .value = "DIR",
     .text = &reduce,
     .help = "write the first region that differs into DIR as before.onnx, after.onnx and inputs.npz, on which both "
             "differ"},
    WHOLE_OPTIONS,
    {.name = "assume-shapes",
     .flag = &assume,
     .help = "take what --shape and --dim give for true of every run, as convert did; without it they only say what is "
             "drawn"},
    {.name = "report",
     .value = "FILE",
     .text = &report_path,
     .help = "write the certificate to FILE, as JSON, or as an HTML page if FILE ends in .html"},
    {.name = "replay",
     .value = "FILE",
     .text = &replay_path,
     .excludes = NAMES("report"),
     .reason = "one reads a certificate, the other writes one",
     .help = "repeat the verification of the certificate in FILE: are files and verdicts the same? If it has runs by "
             "ONNX Runtime, --engine must name it"},
    FORMAT_OPTION(&format),
    MANY_OPTIONS,
    READ_AS_OPTION,
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
    char *certificate = NULL;
    size_t size = 0;
    enum opshift_status status = opshift_file_read(replay_path, &certificate, &size, error);
    if (status == OPSHIFT_OK)
        status = opshift_verify_replay(before, after, certificate, size, how, report, error);
    if ((status == OPSHIFT_MALFORMED || status == OPSHIFT_USAGE) && *report == NULL) {
        struct opshift_error inner = *error;
        fail(error, status, "%s: %s", replay_path, inner.text);
    }
    opshift_text_free(certificate);
    return status;
}

static enum opshift_status compare(const struct pair *pair, const struct opshift_rules *rules,
                                   struct opshift_error *error)
{
    struct opshift_verify_options how = {.seed = (uint64_t)seed,
                                         .rules = rules,
                                         .freeze_initializers = freeze_initializers,
                                         .strict = strict,
                                         .exact = exact,
                                         .map = map,
                                         .reduce = reduce,
                                         .computation = !nothing_else,
                                         .verbose = verbose,
                                         .brief = report_path == NULL && print_is_text(format),
                                         .progress = progress_show,
                                         .progress_data = (void *)"verifying"};
    struct whole_run whole = {0};
    struct opshift_report *report = NULL;
    enum opshift_status answer = whole_read("verify", pair->before, replay_path != NULL, assume, &whole, &how, error);
    if (answer == OPSHIFT_OK)
        answer = replay_path == NULL ? opshift_verify(pair->before, pair->after, &how, &report, error)
                                     : replay(pair->before, pair->after, &how, &report, error);
    bool report_goes_out = report_path != NULL && strcmp(report_path, "-") == 0;
    many_give_report(report);
    answer = pair_tell(report_goes_out ? stderr : stdout, report, format, answer, write_certificate, error);
    opshift_report_free(report);
    whole_free(&whole);
    return answer;
}

static const char *const reduced_files[] = {"before.onnx", "after.onnx", "inputs.npz"};

static enum opshift_status reduced_name(struct opshift_files *files, const char *name, struct opshift_error *error)
{
    size_t size = strlen(reduce) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    snprintf(path, size, "%s/%s", reduce, name);
    enum opshift_status status = opshift_files_add(files, "option '--reduce'", path, error);
    free(path);
    return status;
}

/* Names the output files. */
static enum opshift_status files_name(struct opshift_files **files, struct opshift_error *error)
{
    enum opshift_status status = opshift_files_new("verify", files, error);
    if (status == OPSHIFT_OK && report_path)
        status = opshift_files_add(*files, "option '--report'", report_path, error);
    for (size_t i = 0; status == OPSHIFT_OK && reduce && i < COUNT(reduced_files); i++)
        status = reduced_name(*files, reduced_files[i], error);
    return status ? status : input_files_check(*files, error);
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_rules *rules = NULL;
    struct opshift_files *files = NULL;
    struct pair pair = {0};
    (void)count;
    enum opshift_status status = files_name(&files, error);
    if (status == OPSHIFT_OK)
        status = opshift_rules_load(rule_directories.items, rule_directories.count, &rules, error);
    if (status == OPSHIFT_OK)
        status = pair_open("verify", arguments, &pair, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_check_model(files, pair.before, NULL, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_check_model(files, pair.after, NULL, error);
    if (status == OPSHIFT_OK)
        status = compare(&pair, rules, error);
    opshift_rules_free(rules);
    opshift_files_free(files);
    pair_close(&pair);
    return status;
}

static const char *const single_options[] = {"report", "replay", "reduce", NULL};
static const struct many many = {.single = single_options, .format = &format, .pairs = true};

const struct command command_verify = {
    .name = "verify",
    .computes = true,
    .group = "compare and compute",
    .arguments = "BEFORE AFTER [OPTION]...",
    .summary = "check whether two models are equivalent",
    .description =
        "Pairs the differences between two models and compares both sides. Verdicts: 'proved': the lengths on both "
        "sides are equal for every input; 'tested': both sides were run on the same data; 'by rule': it cannot be run "
        "and is the result of the rules; 'assumed': that rests on a type or shape that is unknown or only declared; "
        "'differs', with the first different element; 'not shown': no rule, proof or run covers it, with the reason. "
        "For each verdict but the first the table gives the reason why it is not a stronger one.\n\n"
        "With --engine both whole models are also run on the same inputs: those of --input, and random ones for the "
        "others, which suit the nodes that read them (indices within the axis, lengths with the right sum), with "
        "several sizes for symbolic dims. ONNX Runtime runs in a separate process, without optimizations: a crash of "
        "it is a verdict. A model with random operators is not compared.\n\n"
        "External data is compared by its bytes, independent of file names, unless both models are in the same "
        "directory.\n\n"
        "Either model may be '-', standard input. The exit status is 1 when something differs, and also when no rule, "
        "proof or run covers a node, when external data cannot be read, or when 'opshift lint' finds errors in one of "
        "the models: parts that were not compared do not count as equal, and an invalid model is equal to no other.\n\n"
        "With -r both are directories, and their models are compared by name. " MANY_WORDS,
    .examples = "opshift verify net.onnx net13.onnx --report certificate.json\n"
                "opshift verify -r models converted",
    .options = options,
    .least = 2,
    .most = 2,
    .run = run,
    .many = &many,
};
