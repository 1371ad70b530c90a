/* opshift export: writes a model for another runtime, in its own format. */
#include <stdlib.h>
#include <string.h>

#include "given_options.h"
#include "interrupt.h"
#include "many.h"
#include "opening.h"
#include "output.h"
#include "print.h"
#include "progress.h"

static const char *to, *output, *report_path, *feature_level, *format;
static bool freeze_initializers, assume_even, sync_files;

static const char *const dialects[] = {"openvino", "directml", NULL};
static const char *const feature_levels[] = {"1_0", "2_0", "2_1", "3_0", "3_1", "4_0", "4_1", "5_0",
                                             "5_1", "5_2", "6_0", "6_1", "6_2", "6_3", "6_4", NULL};
static const char *const formats[] = {"json", "c", NULL};

static const struct option options[] = {
    {.name = "to",
     .value = "DIALECT",
     .text = &to,
     .choices = dialects,
     .required = "--to openvino or --to directml",
     .help = "openvino: OpenVINO's IR, version 11, an .xml with a .bin beside it; directml: the arguments of "
             "DirectML's Split, as JSON or C"},
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .text = &output,
     .help = "the file to write; for openvino it ends in .xml, for directml '-' is standard output, and without it the "
             "lowest feature level of each Split is listed"},
    {.name = "report",
     .value = "FILE",
     .text = &report_path,
     .help = "write what became of each node to FILE as JSON; '-' is standard output"},
    GIVEN_OPTIONS,
    {.name = "freeze-initializers",
     .flag = &freeze_initializers,
     .help = "treat an initializer that a caller may override as a constant"},
    {.name = "assume-even",
     .flag = &assume_even,
     .help = "openvino: assume that num_outputs divides a dim of unknown size"},
    {.name = "feature-level",
     .value = "LEVEL",
     .text = &feature_level,
     .choices = feature_levels,
     .help = "directml: the feature level that the device has; default: the lowest of each Split"},
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT",
     .text = &format,
     .choices = formats,
     .help = "directml: write json (the default) or c"},
    {.name = "sync",
     .flag = &sync_files,
     .help = "flush the files and their directory to the disk before success is reported"},
    MANY_OPTIONS,
    OPENING_OPTIONS,
    {0},
};

static const char output_what[] = "option '--output'";

/* What one run makes. */
struct export_work {
    struct opshift_files *files;
    struct opshift_model *model;
    struct opshift_exported *exported;
    struct opshift_report *report;
    struct pending report_file;
    char *temporary[2]; /* of the exported files, for a signal handler */
    bool watched;
};

static enum opshift_status usage_check(struct opshift_error *error)
{
    bool openvino = strcmp(to, "openvino") == 0;
    if (output == NULL && (openvino || format))
        return fail(error, OPSHIFT_USAGE, "export: option '--output' is missing; write -o OUT");
    if (openvino && (feature_level || format))
        return fail(error, OPSHIFT_USAGE, "export: option '--%s' is for --to directml; leave it out",
                    feature_level ? "feature-level" : "format");
    if (!openvino && assume_even)
        return fail(error, OPSHIFT_USAGE, "export: option '--assume-even' is for --to openvino; leave it out");
    return OPSHIFT_OK;
}

/* Every file that will be written. */
static enum opshift_status files_name(struct export_work *work, struct opshift_error *error)
{
    enum opshift_status status = opshift_files_new("export", &work->files, error);
    if (status == OPSHIFT_OK && output)
        status = opshift_files_add(work->files, output_what, output, error);
    const char *suffix = output ? strrchr(output, '.') : NULL;
    if (status == OPSHIFT_OK && strcmp(to, "openvino") == 0 && suffix && suffix > output &&
        strcmp(suffix, ".xml") == 0) {
        char *weights = NULL;
        if (asprintf(&weights, "%.*s.bin", (int)(suffix - output), output) < 0)
            return fail(error, OPSHIFT_MEMORY, "out of memory");
        status = opshift_files_add(work->files, "the weights", weights, error);
        free(weights);
    }
    if (status == OPSHIFT_OK && report_path)
        status = opshift_files_add(work->files, "option '--report'", report_path, error);
    return status;
}

/* Between watching and settling, a signal removes what is not committed. */
static enum opshift_status export_model(struct export_work *work, struct opshift_error *error)
{
    struct opshift_given given = given_options();
    const struct opshift_export_options how = {.to = to,
                                               .given = &given,
                                               .freeze_initializers = freeze_initializers,
                                               .assume_even = assume_even,
                                               .feature_level = feature_level,
                                               .format = format,
                                               .sync = sync_files,
                                               .progress = progress_show,
                                               .progress_data = (void *)"writing"};
    work->watched = output && !output_is_stream(output);
    if (work->watched) {
        interrupt_watch();
        interrupt_hold();
    }
    enum opshift_status status = opshift_export(work->model, output, &how, &work->exported, &work->report, error);
    for (size_t i = 0; work->exported && i < COUNT(work->temporary); i++) {
        const char *temporary = opshift_exported_temporary(work->exported, i);
        work->temporary[i] = temporary ? strdup(temporary) : NULL;
        interrupt_file_add(work->temporary[i]);
    }
    if (work->watched)
        interrupt_release();
    progress_clear();
    return status;
}

static enum opshift_status export_commit(struct export_work *work, struct opshift_error *error)
{
    if (work->exported == NULL)
        return OPSHIFT_OK;
    if (work->watched)
        interrupt_hold();
    enum opshift_status status = opshift_exported_commit(work->exported, error);
    if (work->watched)
        interrupt_release();
    return status;
}

static enum opshift_status report_write(struct export_work *work, struct opshift_error *error)
{
    char *text = NULL;
    if (report_path == NULL || work->report == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = opshift_report_json(work->report, &text, error);
    if (status == OPSHIFT_OK)
        status = pending_write(&work->report_file, report_path, text, strlen(text), error);
    opshift_text_free(text);
    return status;
}

/* The files, also those of an export that is not whole; then what became of the nodes. */
static enum opshift_status export_finish(struct export_work *work, enum opshift_status answer,
                                         struct opshift_error *error)
{
    struct opshift_error late = {0};
    if (answer != OPSHIFT_OK && answer != OPSHIFT_NO)
        return answer;
    bool taken = (output && output_is_stream(output)) || (report_path && strcmp(report_path, "-") == 0);
    enum opshift_status status = report_write(work, &late);
    if (status == OPSHIFT_OK)
        status = export_commit(work, &late);
    if (status == OPSHIFT_OK)
        status = pending_commit(&work->report_file, &late);
    many_give_report(work->report);
    if (many_is_working() && answer == OPSHIFT_NO)
        error->text[0] = '\0'; /* the report has it */
    if (status == OPSHIFT_OK && work->report)
        status = report_print(taken || answer ? stderr : stdout, work->report, NULL, &late);
    if (status == OPSHIFT_OK)
        return answer;
    *error = late;
    return status;
}

static void work_free(struct export_work *work)
{
    pending_free(&work->report_file);
    opshift_exported_free(work->exported);
    for (size_t i = 0; i < COUNT(work->temporary); i++) {
        interrupt_file_drop(work->temporary[i]);
        free(work->temporary[i]);
    }
    if (work->watched)
        interrupt_end();
    opshift_report_free(work->report);
    opshift_model_free(work->model);
    opshift_files_free(work->files);
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct export_work work = {0};
    enum opshift_status status = usage_check(error);
    if (status == OPSHIFT_OK)
        status = files_name(&work, error);
    if (status == OPSHIFT_OK)
        status = opening_open(arguments[0], &work.model, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_check_model(work.files, work.model, NULL, error);
    if (status == OPSHIFT_OK)
        status = export_model(&work, error);
    status = export_finish(&work, status, error);
    work_free(&work);
    return status;
}

/* The dialect decides about the ending of the files. */
static enum opshift_status many_check(struct opshift_error *error);
static const char *const single_options[] = {"report", NULL};
static struct many many = {
    .output = &output, .single = single_options, .quiet = true, .named = true, .check = many_check};

static enum opshift_status many_check(struct opshift_error *error)
{
    enum opshift_status status = usage_check(error);
    if (status == OPSHIFT_OK)
        many.ending = strcmp(to, "openvino") == 0 ? ".xml" : format && strcmp(format, "c") == 0 ? ".c" : ".json";
    many.quiet = output != NULL;
    return status;
}

const struct command command_export = {
    .name = "export",
    .arguments = "MODEL... --to DIALECT [-o OUT] [OPTION]...",
    .summary = "write a model for another runtime, in its own format",
    .description =
        "Writes a model in the dialect of another runtime. What cannot be written is refused with the node and the "
        "reason, and the exit status is 1.\n\n"
        "--to openvino writes OpenVINO's IR, version 11: the net as .xml, its constants beside it as .bin. Both appear "
        "whole, or neither. If a node has no counterpart, the file has each Split as a net of its own instead, with "
        "the reasons in a comment.\n\n"
        "--to directml lowers each Split to the arguments of DirectML's operator: sizes, axis, data type, as the "
        "feature level takes them. Types and ranks that it lacks become views of other words and of fewer dims, which "
        "is exact. -f c writes C source, for the header opshift/directml_structs.h or the vendor's. 'opshift run' "
        "executes the JSON. Without --output the lowest level of each Split is listed: with its own type and dims, and "
        "by view.\n\n"
        "SplitToSequence becomes Split first, where it can, as by 'opshift convert --split-sequences'. MODEL '-' is "
        "standard input.\n\n" MANY_WORDS,
    .examples = "opshift export net.onnx --to openvino -o net.xml\n"
                "opshift export net.onnx --to openvino --dim batch=4 -o net.xml\n"
                "opshift export net.onnx --to directml --feature-level 3_0 -o net.json\n"
                "opshift export net.onnx --to directml",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
    .many = &many,
};
