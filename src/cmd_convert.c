/* opshift convert: converts a model to another opset. */
#include <stdlib.h>
#include <string.h>

#include "many.h"
#include "opening.h"
#include "opset_values.h"
#include "output.h"
#include "pieces.h"
#include "print.h"
#include "progress.h"
#include "remaining.h"
#include "saving.h"
#include "whole_options.h"

static int64_t opset, seed;
static struct option_values opsets; /* once read: those of other domains than ai.onnx */
static const char *split_sequences;
static const char *const sequence_choices[] = {"to-split", "to-sequence", NULL};
static const char *split_form, *target;
static bool no_verify, allow_remaining;
static struct option_values target_rules;
static const char *const split_form_choices[] = {"keep", "lengths", "num_outputs", "equal", NULL};
static const char *output, *pieces_path, *ir_version, *report_path, *format;
static bool verify, dry_run, how_far, verbose, allow_approximate, freeze_initializers, name_empty_outputs, strict;
static struct option_values rule_directories;

static const struct option options[] = {
    {.name = "opset",
     .group = "usual options",
     .value = "N|DOMAIN=N",
     .list = &opsets,
     .help = "the opset to move to; of another domain: ai.onnx.ml=3, or one that --rules is for; may be repeated, once "
             "for each domain"},
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .text = &output,
     .unless = NAMES("dry-run", "how-far", "pieces", MANY_NAMES),
     .help = "the file to write, which may be MODEL itself; '-' is standard output"},
    {.name = "target",
     .value = "NAME[@VERSION]",
     .text = &target,
     .help = "make the model that this runtime takes ('opshift targets' lists them): its opset and IR version, unless "
             "they are given, Splits instead of sequences, and each Split in a form that it takes; verified, and "
             "written only if the runtime refuses nothing any more"},
    {.name = "verify",
     .flag = &verify,
     .help = "compare the rewritten nodes before and after; write nothing if they differ"},
    {.name = "dry-run",
     .letter = 'n',
     .flag = &dry_run,
     .excludes = NAMES("verify"),
     .reason = "a plan has no outputs to compare",
     .help = "print the plan and write no model"},
    {.name = "how-far",
     .flag = &how_far,
     .excludes =
         NAMES("opset", "output", "pieces", "dry-run", "verify", "report", "split-sequences", "split-form", "target"),
     .reason = "it plans for every opset and writes nothing",
     .help = "print for each opset what would be done, or what is in the way, and write no model"},
    {.name = "ir-version",
     .value = "N|match",
     .text = &ir_version,
     .help = "set the IR version: a number, or 'match' for the one that the opset's ONNX release had; refused if "
             "something in the model needs a newer one; without --opset nothing else changes"},
    {.name = "split-form",
     .group = "what replaces nodes",
     .value = "FORM",
     .text = &split_form,
     .choices = split_form_choices,
     .help = "write each Split with explicit 'lengths' (computed in the graph where the dim is unknown), with "
             "'num_outputs' (opset 18 and up), or cut into 'equal' parts; a Split that cannot be written so is "
             "refused; 'keep' is the default; without --opset the model stays at its opset"},
    {.name = "split-sequences",
     .value = "to-split|to-sequence",
     .text = &split_sequences,
     .choices = sequence_choices,
     .otherwise = "to-split",
     .help =
         "to-split (the default): replace each SplitToSequence and the readers of its sequence by a Split: SequenceAt "
         "at constant positions, SequenceLength, ConcatFromSequence; to-sequence: replace each Split by a "
         "SplitToSequence and a SequenceAt for each output; nodes that cannot be replaced are refused; without --opset "
         "the model stays at its opset"},
    {.name = "name-empty-outputs",
     .flag = &name_empty_outputs,
     .help = "give each empty output of a Split a fresh name"},
    {.name = "allow-approximate",
     .flag = &allow_approximate,
     .help = "let nodes be replaced by others that give nearly the same, where no exact ones are known"},
    {.name = "freeze-initializers",
     .flag = &freeze_initializers,
     .help = "treat an initializer that a caller may override as a constant"},
    {.name = "rules",
     .value = "DIR",
     .list = &rule_directories,
     .help = "also use the rules in DIR, before the shipped ones; may be repeated"},
    {.name = "strict",
     .flag = &strict,
     .help =
         "refuse assumptions; with --verify also the verdicts 'tested' and 'assumed'; with --target also what is not "
         "known to be taken"},
    {.name = "allow-remaining",
     .group = "for a runtime",
     .flag = &allow_remaining,
     .needs = NAMES("target"),
     .help = "with --target: also write a model of which the runtime still refuses something"},
    {.name = "no-verify",
     .flag = &no_verify,
     .needs = NAMES("target"),
     .excludes = NAMES("verify"),
     .help = "with --target: leave out --verify"},
    {.name = "target-rules",
     .value = "DIR",
     .list = &target_rules,
     .needs = NAMES("target"),
     .help = "look for profiles in DIR first (DIR/NAME.yaml); may be repeated"},
    {.name = "seed",
     .group = "verification",
     .value = "N",
     .number = &seed,
     .most = INT64_MAX,
     .help = "seed of --verify's random inputs; default 0"},
    WHOLE_OPTIONS,
    {.name = "verbose",
     .group = "what is printed",
     .letter = 'v',
     .flag = &verbose,
     .help = "print each rewritten node and its replacement"},
    FORMAT_OPTION(&format),
    {.name = "report",
     .value = "FILE",
     .text = &report_path,
     .help = "write the report, and with --verify the certificate, to FILE as JSON"},
    {.name = "pieces",
     .value = "FILE",
     .text = &pieces_path,
     .excludes = NAMES("output", "dry-run"),
     .reason = "the pieces are instead of a model or a plan",
     .help = "instead of the new model write to FILE, as JSON, the pieces that it is made of, in order: bytes of MODEL "
             "({\"from\": offset, \"size\": n}) or new ones ({\"bytes\": base64}); for a program that stores models "
             "elsewhere than in files"},
    MANY_OPTIONS,
    SAVING_OPTIONS,
    READ_AS_OPTION,
    OPENING_OPTIONS,
    {0},
};

/* State of one conversion. */
struct conversion_work {
    struct opshift_files *files; /* all output files */
    struct opshift_rules *rules;
    struct opshift_model *model; /* being converted */
    struct opshift_model *after; /* the converted one, read anew */
    struct saving saving;
    struct opshift_plan *applied; /* with --verify */
    struct opshift_report *plan, *certificate;
    struct opshift_pieces *pieces; /* of --pieces, and of --dry-run with --target */
    struct remaining remaining;    /* of --target */
    struct opshift_fixes *fixes;   /* the same: what was changed beyond the conversion; NULL: nothing */
    struct pending report, list;   /* files of --report and --pieces */
};

/* The choices are in the order of the enum. */
static enum opshift_split_form form_read(void)
{
    int form = OPSHIFT_SPLIT_KEEP;
    while (split_form && strcmp(split_form, split_form_choices[form]) != 0)
        form++;
    return (enum opshift_split_form)form;
}

static enum opshift_status goal_read(struct opshift_goal *goal, const struct opshift_given *given,
                                     struct opshift_error *error)
{
    *goal = (struct opshift_goal){
        .opset = opset || target || how_far ? opset : opening_settings.read_as,
        .ir_version = OPSHIFT_IR_KEEP,
        .freeze_initializers = freeze_initializers,
        .name_empty_outputs = name_empty_outputs,
        .strict = strict,
        .allow_approximate = allow_approximate,
        .sequences = split_sequences == NULL                             ? OPSHIFT_SEQUENCES_KEEP
                     : strcmp(split_sequences, sequence_choices[0]) == 0 ? OPSHIFT_SEQUENCES_TO_SPLIT
                                                                         : OPSHIFT_SEQUENCES_FROM_SPLIT,
        .split_form = form_read(),
        .brief = !verbose && !dry_run && report_path == NULL && (format == NULL || strcmp(format, "json") != 0),
        .progress = progress_show,
        .progress_data = (void *)"converting",
        .given = given,
        .domains = opsets.items,
        .domain_count = opsets.count,
        .target = target,
        .target_directories = target_rules.items,
        .target_directory_count = target_rules.count,
    };
    if (ir_version == NULL)
        return OPSHIFT_OK;
    if (strcmp(ir_version, "match") == 0) {
        goal->ir_version = OPSHIFT_IR_MATCH;
        return OPSHIFT_OK;
    }
    char *end;
    long version = strtol(ir_version, &end, 10);
    if (*end != '\0' || version < 1 || version > 1000)
        return fail(error, OPSHIFT_USAGE,
                    "convert: option '--ir-version': '%s' is neither a version from 1 up nor 'match'", ir_version);
    goal->ir_version = version;
    return OPSHIFT_OK;
}

static enum opshift_status usage_check(struct opshift_error *error)
{
    if (form_read() && split_sequences != NULL && strcmp(split_sequences, "to-sequence") == 0)
        return fail(error, OPSHIFT_USAGE,
                    "convert: options '--split-form' and '--split-sequences=to-sequence' exclude each other: no Split "
                    "would be left; leave one of them out");
    if (opset == 0 && opsets.count == 0 && split_sequences == NULL && form_read() == OPSHIFT_SPLIT_KEEP &&
        ir_version == NULL && target == NULL && opening_settings.read_as == 0 && !how_far)
        return fail(error, OPSHIFT_USAGE, "convert: option '--opset' is missing; write --opset N, with N from 1 to %d",
                    OPSHIFT_OPSET_NEWEST);
    if (output == NULL && pieces_path == NULL && !dry_run && !how_far)
        return fail(error, OPSHIFT_USAGE,
                    "convert: option '--output' is missing; write -o OUT, or --dry-run to see what would be done");
    if (report_path != NULL && report_is_page(report_path) && !verify)
        return fail(error, OPSHIFT_USAGE, "convert: option '--report' names a page, '%s', which needs --verify; add it",
                    report_path);
    return OPSHIFT_OK;
}

static const char output_what[] = "option '--output'";

/* Names the output files of the options. */
static enum opshift_status files_name(struct opshift_files **files, struct opshift_error *error)
{
    enum opshift_status status = opshift_files_new("convert", files, error);
    if (status == OPSHIFT_OK && output && !dry_run)
        status = opshift_files_add(*files, output_what, output, error);
    if (status == OPSHIFT_OK && pieces_path)
        status = opshift_files_add(*files, "option '--pieces'", pieces_path, error);
    if (status == OPSHIFT_OK && report_path)
        status = opshift_files_add(*files, "option '--report'", report_path, error);
    return status ? status : input_files_check(*files, error);
}

/* Prints a JSON text with all lines after the first indented, for an object inside another. */
static void add_indented(FILE *out, const char *name, const char *json)
{
    fprintf(out, "  \"%s\": ", name);
    for (const char *end; (end = strchr(json, '\n')) != NULL && end[1] != '\0'; json = end + 1) {
        fwrite(json, 1, (size_t)(end + 1 - json), out);
        fputs("  ", out);
    }
    fwrite(json, 1, strcspn(json, "\n"), out);
}

/* {"convert": the plan, "verify": the certificate}. */
static enum opshift_status reports_json(const struct conversion_work *work, char **text, struct opshift_error *error)
{
    char *plan = NULL, *certificate = NULL, *remaining = NULL;
    size_t size = 0;
    enum opshift_status status = opshift_report_json(work->plan, &plan, error);
    if (status == OPSHIFT_OK && work->certificate)
        status = opshift_report_json(work->certificate, &certificate, error);
    if (status == OPSHIFT_OK && work->remaining.findings)
        status = remaining_json(&work->remaining, &remaining, error);
    FILE *out = status == OPSHIFT_OK ? open_memstream(text, &size) : NULL;
    if (out) {
        fputs("{\n", out);
        add_indented(out, "convert", plan);
        if (certificate) {
            fputs(",\n", out);
            add_indented(out, "verify", certificate);
        }
        if (remaining) {
            fputs(",\n", out);
            add_indented(out, "remaining", remaining);
        }
        fputs("\n}\n", out);
        if (fclose(out) != 0 || *text == NULL)
            status = fail(error, OPSHIFT_MEMORY, "out of memory");
    } else if (status == OPSHIFT_OK) {
        status = fail(error, OPSHIFT_MEMORY, "out of memory");
    }
    free(remaining);
    opshift_text_free(certificate);
    opshift_text_free(plan);
    return status;
}

static enum opshift_status reports_print(FILE *out, const struct conversion_work *work, struct opshift_error *error)
{
    enum opshift_status status;
    if (format && strcmp(format, "json") == 0) {
        char *text = NULL;
        status = reports_json(work, &text, error);
        if (status == OPSHIFT_OK)
            fputs(text, out);
        free(text);
        return status;
    }
    status = report_print(out, work->plan, NULL, error);
    if (status == OPSHIFT_OK && work->certificate)
        status = report_print(out, work->certificate, NULL, error);
    fixes_print(status == OPSHIFT_OK ? work->fixes : NULL, out);
    if (status == OPSHIFT_OK)
        remaining_print(&work->remaining, out);
    return status;
}

/* Writes the file of --report completely, without moving it to its place. */
static enum opshift_status report_write(struct conversion_work *work, struct opshift_error *error)
{
    char *text = NULL;
    if (report_path == NULL || work->plan == NULL)
        return OPSHIFT_OK;
    bool page = report_is_page(report_path);
    if (page && work->certificate == NULL)
        return OPSHIFT_OK;
    enum opshift_status status =
        page ? opshift_verify_page(work->certificate, &text, error) : reports_json(work, &text, error);
    if (status == OPSHIFT_OK)
        status = pending_write(&work->report, report_path, text, strlen(text), error);
    free(text);
    return status;
}

/* Opens the converted model. */
static enum opshift_status outcome_open(struct conversion_work *work, struct opshift_error *error)
{
    return work->pieces ? opshift_pieces_open(work->pieces, &work->after, error)
                        : opshift_output_open(work->saving.output, &work->after, error);
}

/* Verifies the original model against the converted one; a written one is opened while the original is checked. */
static enum opshift_status outcome_verify(struct conversion_work *work, const char *path, struct opshift_error *error)
{
    struct opshift_verify_options how = {.seed = (uint64_t)seed,
                                         .rules = work->rules,
                                         .plan = work->applied,
                                         .computation = work->fixes != NULL,
                                         .freeze_initializers = freeze_initializers,
                                         .strict = strict,
                                         .verbose = verbose,
                                         .brief = report_path == NULL && print_is_text(format),
                                         .progress = progress_show,
                                         .progress_data = (void *)"verifying"};
    struct whole_run whole = {0};
    struct opshift_verification *verification = NULL;
    enum opshift_status status = work->pieces ? outcome_open(work, error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = whole_read("convert", work->model, false, true, &whole, &how, error);
    if (status == OPSHIFT_OK)
        status = opshift_verify_begin(work->model, &how, &verification, error);
    if (status == OPSHIFT_OK && work->after == NULL)
        status = outcome_open(work, error);
    if (status == OPSHIFT_OK)
        status = opshift_verify_end(verification, work->after, &work->certificate, error);
    if (status == OPSHIFT_NO && error->text[0] == '\0')
        fail(error, OPSHIFT_NO, "%s: rewritten nodes give other outputs than before; nothing was written", path);
    opshift_verification_free(verification);
    whole_free(&whole);
    return status;
}

/* Of what the target refuses nothing may remain. */
static enum opshift_status remaining_judge(const struct conversion_work *work, const char *path,
                                           struct opshift_error *error)
{
    size_t errors = work->remaining.errors;
    if (errors == 0 && strict && work->remaining.unknown > 0)
        return fail(error, OPSHIFT_NO, "%s: it is not known whether %s takes all of the converted model%s", path,
                    target, dry_run ? "" : "; nothing was written; leave out --strict to write it");
    if (errors == 0 || allow_remaining)
        return OPSHIFT_OK;
    return fail(error, OPSHIFT_NO, "%s: %s refuses the converted model for %zu reason%s%s", path, target, errors,
                errors == 1 ? "" : "s", dry_run ? "" : "; nothing was written; --allow-remaining writes it");
}

/* Writes the converted model to a temporary file, or describes it by pieces. */
static enum opshift_status outcome_make(struct conversion_work *work, struct opshift_error *error)
{
    if (output && !dry_run)
        return saving_write(&work->saving, work->model, output, error);
    if (dry_run && target == NULL)
        return OPSHIFT_OK;
    return opshift_output_pieces(work->model, &work->pieces, error);
}

/* Reads the converted model anew, and judges it as far as the options ask for that. */
static enum opshift_status outcome_judge(struct conversion_work *work, const char *path,
                                         const struct opshift_goal *goal, struct opshift_error *error)
{
    if (!verify && target == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = verify ? outcome_verify(work, path, error) : outcome_open(work, error);
    if (status == OPSHIFT_OK && target)
        status = remaining_find(&work->remaining, goal, work->after, error);
    opshift_model_free(work->after);
    work->after = NULL;
    return status == OPSHIFT_OK ? remaining_judge(work, path, error) : status;
}

/* Changes what the target refuses of the converted model, as far as lint has fixes. No plan tells what that gives. */
static enum opshift_status outcome_fix(struct conversion_work *work, const struct opshift_goal *goal,
                                       struct opshift_error *error)
{
    enum opshift_status status = remaining_fix(goal, work->model, &work->fixes, error);
    if (status == OPSHIFT_OK && opshift_fixes_count(work->fixes) == 0) {
        opshift_fixes_free(work->fixes);
        work->fixes = NULL;
    }
    if (work->fixes) {
        opshift_plan_free(work->applied);
        work->applied = NULL;
    }
    return status;
}

static enum opshift_status attempt(struct conversion_work *work, const char *path, struct opshift_goal *goal,
                                   struct opshift_error *error)
{
    enum opshift_status status = opening_open(path, &work->model, error);
    if (status == OPSHIFT_OK)
        status = saving_check(work->files, output_what, work->model, output, output && !dry_run, error);
    if (status == OPSHIFT_OK)
        status = opshift_convert_planned(work->model, goal, verify ? &work->applied : NULL, &work->plan, error);
    if (status == OPSHIFT_OK && target)
        status = outcome_fix(work, goal, error);
    if (status == OPSHIFT_OK)
        status = outcome_make(work, error);
    return status == OPSHIFT_OK ? outcome_judge(work, path, goal, error) : status;
}

static void attempt_undo(struct conversion_work *work)
{
    saving_end(&work->saving);
    remaining_free(&work->remaining);
    opshift_fixes_free(work->fixes);
    opshift_pieces_free(work->pieces);
    opshift_report_free(work->certificate);
    opshift_report_free(work->plan);
    opshift_plan_free(work->applied);
    opshift_model_free(work->model);
    work->fixes = NULL;
    work->remaining = (struct remaining){0};
    work->pieces = NULL;
    work->certificate = work->plan = NULL;
    work->applied = NULL;
    work->model = NULL;
}

/* For how many reasons the target refuses the model at an opset; SIZE_MAX: it cannot be converted. */
static enum opshift_status opset_try(const char *path, const struct opshift_goal *wanted, int64_t number,
                                     size_t *reasons, struct opshift_error *error)
{
    struct opshift_goal goal = *wanted;
    struct opshift_model *model = NULL, *after = NULL;
    struct opshift_pieces *pieces = NULL;
    struct opshift_fixes *fixes = NULL;
    struct remaining remaining = {0};
    goal.opset = number;
    *reasons = SIZE_MAX;
    enum opshift_status status = opening_open(path, &model, error);
    if (status == OPSHIFT_OK)
        status = opshift_convert(model, &goal, NULL, error);
    if (status == OPSHIFT_OK)
        status = remaining_fix(&goal, model, &fixes, error);
    if (status == OPSHIFT_OK)
        status = opshift_output_pieces(model, &pieces, error);
    if (status == OPSHIFT_OK)
        status = opshift_pieces_open(pieces, &after, error);
    if (status == OPSHIFT_OK)
        status = remaining_find(&remaining, &goal, after, error);
    if (status == OPSHIFT_OK)
        *reasons = remaining.errors;
    remaining_free(&remaining);
    opshift_fixes_free(fixes);
    opshift_model_free(after);
    opshift_pieces_free(pieces);
    opshift_model_free(model);
    return status == OPSHIFT_NO ? OPSHIFT_OK : status;
}

/* The newest of the opsets at which the target has the fewest reasons against the model; 0: none has fewer than these.
 */
static enum opshift_status opset_search(const char *path, const struct opshift_goal *goal, size_t reasons,
                                        int64_t *best, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *best = 0;
    for (int64_t number = OPSHIFT_OPSET_NEWEST; status == OPSHIFT_OK && reasons > 0 && number > 0; number--) {
        struct opshift_error why = {0};
        size_t here;
        status = opset_try(path, goal, number, &here, &why);
        if (status)
            *error = why;
        if (status == OPSHIFT_OK && here < reasons) {
            reasons = here;
            *best = number;
        }
    }
    return status;
}

/* Where the target refuses the model at the opset nearest to its own, the best of the others is taken. */
static enum opshift_status convert(struct conversion_work *work, const char *path, struct opshift_goal *goal,
                                   struct opshift_error *error)
{
    enum opshift_status status =
        opshift_rules_load(rule_directories.items, rule_directories.count, &work->rules, error);
    goal->rules = work->rules;
    if (status == OPSHIFT_OK)
        status = attempt(work, path, goal, error);
    bool is_blocked = status == OPSHIFT_NO && work->certificate == NULL && work->remaining.findings == NULL;
    size_t reasons = is_blocked ? SIZE_MAX : work->remaining.errors;
    if (reasons == 0 || target == NULL || opset != 0 || strcmp(path, "-") == 0)
        return status;
    int64_t best;
    struct opshift_error why = {0};
    if (opset_search(path, goal, reasons, &best, &why) != OPSHIFT_OK || best == 0)
        return status;
    attempt_undo(work);
    *error = (struct opshift_error){0};
    goal->opset = best;
    return attempt(work, path, goal, error);
}

/* Frees everything, and removes temporary files. */
static void files_free(struct conversion_work *work)
{
    pending_free(&work->report);
    pending_free(&work->list);
    saving_end(&work->saving);
}

static void model_free(struct conversion_work *work)
{
    opshift_plan_free(work->applied);
    opshift_model_free(work->model);
    work->applied = NULL;
    work->model = NULL;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Prints a refusal on standard error, and a plan or report on standard output unless the model goes there. */
static enum opshift_status outcome_tell(struct conversion_work *work, const char *path, enum opshift_status answer,
                                        struct opshift_error *error)
{
    bool to_stderr = (!dry_run && answer != OPSHIFT_OK && (print_is_text(format) || !many_is_working())) ||
                     is_stdout(output) || is_stdout(pieces_path) || is_stdout(report_path);
    bool model_goes_out = answer == OPSHIFT_OK && output && !dry_run;
    if (work->plan == NULL || (answer != OPSHIFT_OK && answer != OPSHIFT_NO))
        return answer;
    struct opshift_error late = {0};
    enum opshift_status status = report_write(work, &late);
    if (status == OPSHIFT_OK && answer == OPSHIFT_OK && pieces_path)
        status = pieces_write(work->pieces, &work->list, pieces_path, &late);
    if (status == OPSHIFT_OK && model_goes_out)
        status = saving_commit(&work->saving, work->model, path, output, &late);
    if (status == OPSHIFT_OK)
        status = pending_commit(&work->list, &late);
    if (status == OPSHIFT_OK)
        status = pending_commit(&work->report, &late);
    files_free(work);
    opshift_pieces_free(work->pieces);
    work->pieces = NULL;
    model_free(work); /* the printed text may be large, too */
    many_give_report(work->plan);
    if (status == OPSHIFT_OK)
        status = reports_print(to_stderr ? stderr : stdout, work, &late);
    if (status == OPSHIFT_OK && model_goes_out)
        saving_tell(&work->saving, output);
    if (status == OPSHIFT_OK && answer == OPSHIFT_NO && work->certificate == NULL && work->remaining.findings == NULL)
        error->text[0] = '\0'; /* the first blocker, which the report contains */
    if (status == OPSHIFT_OK)
        return answer;
    *error = late;
    return status;
}

/* Prints the plans for all opsets. */
static enum opshift_status far_tell(struct conversion_work *work, const char *path, struct opshift_goal *goal,
                                    struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    enum opshift_status status =
        opshift_rules_load(rule_directories.items, rule_directories.count, &work->rules, error);
    goal->rules = work->rules;
    if (status == OPSHIFT_OK)
        status = opening_open(path, &work->model, error);
    if (status == OPSHIFT_OK)
        status = opshift_how_far(work->model, goal, &report, error);
    progress_clear();
    if (status == OPSHIFT_OK)
        status = report_print(stdout, report, format, error);
    opshift_report_free(report);
    return status;
}

/* Reads and checks the options, once. */
static enum opshift_status options_check(struct opshift_error *error)
{
    static bool checked;
    if (checked)
        return OPSHIFT_OK;
    enum opshift_status status = opset_values_read("convert", "opset", &opsets, &opset, error);
    if (status == OPSHIFT_OK)
        status = usage_check(error);
    verify = verify || (target && !no_verify && !dry_run);
    checked = status == OPSHIFT_OK;
    return status;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct conversion_work work = {0};
    struct opshift_given given = given_options();
    struct opshift_goal goal;
    enum opshift_status status = options_check(error);
    if (status == OPSHIFT_OK)
        status = goal_read(&goal, &given, error);
    if (status == OPSHIFT_OK)
        status = files_name(&work.files, error);
    if (status == OPSHIFT_OK && how_far) {
        status = far_tell(&work, arguments[0], &goal, error);
    } else if (status == OPSHIFT_OK) {
        status = convert(&work, arguments[0], &goal, error);
        progress_clear();
        status = outcome_tell(&work, arguments[0], status, error);
    }
    files_free(&work);
    remaining_free(&work.remaining);
    opshift_fixes_free(work.fixes);
    saving_free(&work.saving);
    opshift_pieces_free(work.pieces);
    opshift_report_free(work.certificate);
    opshift_report_free(work.plan);
    model_free(&work);
    opshift_rules_free(work.rules);
    opshift_files_free(work.files);
    return status;
}

static const char *const single_options[] = {"pieces", "report", NULL};
static const struct many many = {.output = &output,
                                 .single = single_options,
                                 .format = &format,
                                 .verbose = &verbose,
                                 .quiet = true,
                                 .check = options_check};

const struct command command_convert = {
    .name = "convert",
    .group = "change models",
    .arguments = "MODEL... --opset N|--target NAME [-o] OUT [OPTION]...",
    .summary = "move a model to another opset",
    .description =
        "Converts a model to another opset, up or down, so that it gives the same results for every valid input. If "
        "that is not possible, every blocking node is named and nothing is written. Bytes outside of rewritten nodes "
        "do not change.\n\n"
        "With --target it makes the model that a runtime takes: at the opset nearest to the model's, or, where the "
        "runtime "
        "refuses something there, at the newest with the fewest refusals. What the runtime still refuses, or takes "
        "with a "
        "doubt, is listed with 'remains'; exit status 1 if something is refused.\n\n"
        "The file appears whole or not at all. MODEL '-' is standard input. The result is printed on standard output, "
        "or on standard error when the model goes to standard output: one line, and with --verbose one for each "
        "node.\n\n" MANY_WORDS,
    .examples = "opshift convert net.onnx net18.onnx --opset 18 --verify\n"
                "opshift convert net.onnx --opset 11 --dry-run\n"
                "opshift convert net.onnx --opset 18 --opset ai.onnx.ml=3 -o net18.onnx\n"
                "opshift convert net.onnx --how-far\n"
                "opshift convert net.onnx --opset 18 --verify --pieces pieces.json\n"
                "opshift convert net.onnx --target opencv@4.6 -o plain.onnx\n"
                "opshift convert net.onnx --split-sequences -o plain.onnx --verify\n"
                "opshift convert -r models --opset 18 -o converted/ --journal run.jsonl\n"
                "opshift convert - --opset 13 -o - < net.onnx > net13.onnx",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
    .many = &many,
};
