/* opshift infer: writes the types and shapes of a model's values into it. */
#include "given_options.h"
#include "many.h"
#include "opening.h"
#include "output.h"
#include "print.h"
#include "progress.h"
#include "saving.h"

static const char *output, *format;
static bool freeze_initializers;

static const struct option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .text = &output,
     .unless = NAMES(MANY_NAMES),
     .required = "-o OUT, or -o - for standard output",
     .help = "the file to write, which may be MODEL itself; '-' is standard output"},
    GIVEN_OPTIONS,
    {.name = "freeze-initializers",
     .flag = &freeze_initializers,
     .help = "treat an initializer that a caller may override as a constant"},
    FORMAT_OPTION(&format),
    MANY_OPTIONS,
    SAVING_OPTIONS,
    OPENING_OPTIONS,
    {0},
};

static const char output_what[] = "option '--output'";

static enum opshift_status files_name(struct opshift_files **files, struct opshift_error *error)
{
    enum opshift_status status = opshift_files_new("infer", files, error);
    return status ? status : opshift_files_add(*files, output_what, output, error);
}

/* Infers, and writes the model. */
static enum opshift_status infer(struct opshift_model *model, const char *path, const struct opshift_files *files,
                                 struct saving *saving, struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_given given = given_options();
    struct opshift_infer_options how = {.given = &given,
                                        .freeze_initializers = freeze_initializers,
                                        .progress = progress_show,
                                        .progress_data = (void *)"inferring"};
    enum opshift_status status = saving_check(files, output_what, model, output, true, error);
    if (status == OPSHIFT_OK)
        status = opshift_infer(model, &how, report, error);
    if (status == OPSHIFT_OK)
        status = saving_write(saving, model, output, error);
    progress_clear();
    return status ? status : saving_commit(saving, model, path, output, error);
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_files *files = NULL;
    struct opshift_model *model = NULL;
    struct opshift_report *report = NULL;
    struct saving saving = {0};
    enum opshift_status status = files_name(&files, error);
    if (status == OPSHIFT_OK)
        status = opening_open(arguments[0], &model, error);
    if (status == OPSHIFT_OK)
        status = infer(model, arguments[0], files, &saving, &report, error);
    many_give_report(report);
    if (status == OPSHIFT_OK)
        status = report_print(output_is_stream(output) ? stderr : stdout, report, format, error);
    if (status == OPSHIFT_OK)
        saving_tell(&saving, output);
    saving_free(&saving);
    opshift_report_free(report);
    opshift_model_free(model);
    opshift_files_free(files);
    return status;
}

static const struct many many = {.output = &output, .format = &format, .quiet = true};

const struct command command_infer = {
    .name = "infer",
    .arguments = "MODEL... [-o] OUT [OPTION]...",
    .summary = "write the types and shapes of a model's values into it",
    .description =
        "Infers the element type and the shape of every value, and writes them into the model as value infos, in "
        "subgraphs too. Value infos that say less are completed, and those that contradict what follows from the "
        "inputs are replaced, with a notice for each; those that agree keep their bytes.\n\n"
        "--shape and --dim give what the model does not say: the shape of an input, the size of a dim that has a "
        "name. What contradicts a number that the model declares is refused. A name in place of a number that the "
        "model "
        "declares replaces it wherever it follows; a node that does not accept other numbers is named, and nothing is "
        "written. A node that cannot be computed is named, too, and the declared shapes of its outputs stay.\n\n"
        "The file appears whole or not at all. MODEL '-' is standard input. What was done is printed on standard "
        "output, or on standard error when the model goes to standard output.\n\n" MANY_WORDS,
    .examples = "opshift infer net.onnx -o typed.onnx\n"
                "opshift infer net.onnx -o typed.onnx --shape x=1x3x224x224\n"
                "opshift infer net.onnx -o typed.onnx --dim batch=4",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
    .many = &many,
};
