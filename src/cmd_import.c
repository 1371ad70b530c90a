/* opshift import: makes an ONNX model of an OpenVINO IR. */
#include "given_options.h"
#include "opening.h"
#include "output.h"
#include "print.h"
#include "progress.h"
#include "saving.h"

static const char *output, *format;
static int64_t opset;

static const struct option options[] = {
    {.name = "opset",
     .value = "N",
     .number = &opset,
     .required = "--opset 18, for example",
     .least = 1,
     .most = OPSHIFT_OPSET_NEWEST,
     .help = "the opset of the model; 18 and up have num_outputs for equal parts"},
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .text = &output,
     .unless = NAMES(NULL),
     .required = "-o OUT, or -o - for standard output",
     .help = "the file to write; '-' is standard output"},
    {.name = "shape",
     .value = "NAME=1x3x224x224",
     .list = &given_settings.shapes,
     .help = "the shape of the input NAME, where the IR leaves it open; ? leaves a dim as it is; may be given again"},
    FORMAT_OPTION(&format),
    SAVING_OPTIONS,
    OPENING_OPTIONS,
    {0},
};

static const char output_what[] = "option '--output'";

static enum opshift_status files_name(const char *path, struct opshift_files **files, struct opshift_error *error)
{
    enum opshift_status status = opshift_files_new("import", files, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_add(*files, output_what, output, error);
    return status ? status : opshift_files_check(*files, "the IR", path, NULL, error);
}

static enum opshift_status import(const char *path, struct opshift_files *files, struct saving *saving,
                                  struct opshift_imported **imported, struct opshift_report **report,
                                  struct opshift_error *error)
{
    struct opshift_given given = given_options();
    struct opshift_open_options open = {0};
    const struct opshift_import_options how = {.opset = opset,
                                               .given = &given,
                                               .open = &open,
                                               .progress = progress_show,
                                               .progress_data = (void *)"importing"};
    enum opshift_status status = opening_read(&open, error);
    if (status == OPSHIFT_OK)
        status = opshift_import(path, &how, imported, report, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_check(files, "the weights", opshift_imported_weights(*imported), NULL, error);
    if (status == OPSHIFT_OK)
        status = saving_write(saving, opshift_imported_model(*imported), output, error);
    progress_clear();
    return status ? status : saving_commit(saving, opshift_imported_model(*imported), path, output, error);
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_files *files = NULL;
    struct opshift_imported *imported = NULL;
    struct opshift_report *report = NULL;
    struct saving saving = {0};
    enum opshift_status status = files_name(arguments[0], &files, error);
    if (status == OPSHIFT_OK)
        status = import(arguments[0], files, &saving, &imported, &report, error);
    if (status == OPSHIFT_OK)
        status = report_print(output_is_stream(output) ? stderr : stdout, report, format, error);
    saving_free(&saving);
    opshift_report_free(report);
    opshift_imported_free(imported);
    opshift_files_free(files);
    return status;
}

const struct command command_import = {
    .name = "import",
    .arguments = "NET.xml --opset N [-o] OUT [OPTION]...",
    .summary = "make an ONNX model of an OpenVINO IR",
    .description =
        "Reads OpenVINO's IR, version 11: NET.xml, and NET.bin beside it. Split becomes a Split into equal parts, "
        "VariadicSplit one with lengths, in which -1, the rest, is resolved; the axis is that of the Const. The other "
        "layers become the operators that 'opshift export --to openvino' writes them for. A layer that lint finds an "
        "error in, or that has no operator, is refused with its name, and nothing is written.\n\n"
        "'opshift lint NET.xml' tells all faults of its Splits, 'opshift run NET.xml' computes it.",
    .examples = "opshift import net.xml --opset 18 -o net.onnx\n"
                "opshift import net.xml --opset 13 --shape x=1x3x224x224 -o net.onnx",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
