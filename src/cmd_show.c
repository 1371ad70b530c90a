/* opshift show: describes a model. */
#include <string.h>

#include "opening.h"
#include "output.h"
#include "print.h"

static const char *format;
static bool as_text, nodes, initializers;

static const struct option options[] = {
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT",
     .text = &format,
     .choices = print_formats,
     .help = "print it as text (the default) or as json"},
    {.name = "text", .flag = &as_text, .help = "print the whole model in ONNX's textual syntax"},
    {.name = "nodes", .flag = &nodes, .help = "list every node instead"},
    {.name = "initializers",
     .flag = &initializers,
     .help = "list the weights instead, the largest first: initializers, tensors of Constant nodes"},
    OPENING_OPTIONS,
    {0},
};

static enum opshift_status show_syntax(struct opshift_model *model, struct opshift_error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum opshift_status status = opshift_model_to_text(model, &text, &size, error);
    if (status == OPSHIFT_OK)
        status = output_write("-", text, size, error);
    opshift_text_free(text);
    return status;
}

/* Frees the model before the report is printed, since both take much memory. */
static enum opshift_status show_report(struct opshift_model **model, struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    enum opshift_status status = nodes          ? opshift_list(*model, OPSHIFT_LISTED_NODES, &report, error)
                                 : initializers ? opshift_list(*model, OPSHIFT_LISTED_INITIALIZERS, &report, error)
                                                : opshift_show(*model, &report, error);
    opshift_model_free(*model);
    *model = NULL;
    if (status == OPSHIFT_OK)
        status = report_print(stdout, report, format, error);
    opshift_report_free(report);
    return status;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    if (as_text && format)
        return fail(error, OPSHIFT_USAGE, "show: options '--text' and '--format' exclude each other; give one of them");
    if (as_text + nodes + initializers > 1)
        return fail(error, OPSHIFT_USAGE,
                    "show: options '--text', '--nodes' and '--initializers' exclude each other; give one of them");
    enum opshift_status status = opening_open(arguments[0], &model, error);
    if (status == OPSHIFT_OK)
        status = as_text ? show_syntax(model, error) : show_report(&model, error);
    opshift_model_free(model);
    return status;
}

const struct command command_show = {
    .name = "show",
    .arguments = "MODEL [OPTION]...",
    .summary = "describe a model",
    .description =
        "Prints a model's opsets, IR version, size and producer, how many graphs, nodes and functions it has, its "
        "inputs and outputs, its operators by count, the size of its weights, and of each Split where it is, its form, "
        "axis, lengths, type and shape.\n\n"
        "MODEL '-' is standard input.",
    .examples = "opshift show net.onnx\nopshift show --text net.onnx > net.txt\n"
                "opshift show --initializers net.onnx | head",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
