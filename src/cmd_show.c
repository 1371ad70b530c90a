/* opshift show: describes a model. */
#include <string.h>

#include "many.h"
#include "opening.h"
#include "output.h"
#include "print.h"

static const char *format, *condition;
static bool as_text, nodes, initializers, graph, with_nul;
static bool lines; /* one for each model */
static struct opshift_where *where;
static struct opshift_lint *lint; /* for findings in `where` */

static const char *const formats[] = {"text", "json", "ndjson", NULL};

static const struct option options[] = {
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT",
     .text = &format,
     .choices = formats,
     .help = "print it as text (the default), as json, or as ndjson, one line for each model"},
    {.name = "text",
     .flag = &as_text,
     .excludes = NAMES("format", "nodes", "initializers", "graph"),
     .help = "print the whole model in ONNX's textual syntax"},
    {.name = "nodes", .flag = &nodes, .excludes = NAMES("initializers"), .help = "list every node instead"},
    {.name = "initializers",
     .flag = &initializers,
     .help = "list the weights instead, the largest first: initializers, tensors of Constant nodes"},
    {.name = "graph",
     .flag = &graph,
     .excludes = NAMES("nodes", "initializers"),
     .help = "print all graphs and nodes with the types of their values, for a picture; always as JSON"},
    {.name = "where",
     .value = "EXPRESSION",
     .text = &condition,
     .help = "print the names of the models for which it holds: comparisons (== != < <= > >= ~) of operator, opset, "
             "ir_version, type, size, nodes, external and finding, with and, or, not and parentheses; ~ takes * and ?"},
    {.name = "null",
     .letter = '0',
     .flag = &with_nul,
     .help = "with --where: a NUL after each name, as --files0-from takes them"},
    MANY_OPTIONS,
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

static enum opshift_status line_print(const struct opshift_report *report, struct opshift_error *error)
{
    char *text = NULL;
    enum opshift_status status = opshift_report_line(report, &text, error);
    if (status == OPSHIFT_OK)
        puts(text);
    opshift_text_free(text);
    return status;
}

/* Frees the model before the report is printed, since both take much memory. */
static enum opshift_status show_report(struct opshift_model **model, struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    enum opshift_status status = nodes          ? opshift_list(*model, OPSHIFT_LISTED_NODES, &report, error)
                                 : initializers ? opshift_list(*model, OPSHIFT_LISTED_INITIALIZERS, &report, error)
                                 : graph        ? opshift_list(*model, OPSHIFT_LISTED_GRAPH, &report, error)
                                                : opshift_show(*model, &report, error);
    opshift_model_free(*model);
    *model = NULL;
    if (status == OPSHIFT_OK && format && strcmp(format, "ndjson") == 0)
        status = line_print(report, error);
    else if (status == OPSHIFT_OK)
        status = report_print(stdout, report, format, error);
    opshift_report_free(report);
    return status;
}

/* Prints the path if the condition holds. */
static enum opshift_status name_print(struct opshift_model *model, const char *path, struct opshift_error *error)
{
    struct opshift_findings *findings = NULL;
    bool matches = false;
    enum opshift_status status = lint ? opshift_lint_model(lint, model, &findings, error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = opshift_where_test(where, model, findings, &matches, error);
    opshift_findings_free(findings);
    if (status == OPSHIFT_OK && matches) {
        fputs(path, stdout);
        putchar(with_nul ? '\0' : '\n');
    }
    return status;
}

/* Checks the options, once. */
static enum opshift_status options_check(struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (with_nul && condition == NULL)
        return fail(error, OPSHIFT_USAGE, "show: option '--null' is for --where; add it");
    if (condition && (as_text || nodes || initializers || graph || format))
        return fail(error, OPSHIFT_USAGE,
                    "show: option '--where' prints names; leave out --text, --nodes, --initializers, --graph and "
                    "--format");
    if (condition && where == NULL) {
        struct opshift_error why = {0};
        status = opshift_where_new(condition, &where, &why);
        if (status)
            fail(error, status, "show: option '--where': %s", why.text);
    }
    if (status == OPSHIFT_OK && where && lint == NULL && opshift_where_needs_findings(where))
        status = opshift_lint_new(NULL, &lint, error);
    lines = where || (format && strcmp(format, "ndjson") == 0);
    return status;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    enum opshift_status status = options_check(error);
    if (status == OPSHIFT_OK)
        status = opening_open(arguments[0], &model, error);
    if (status == OPSHIFT_OK && where)
        status = name_print(model, arguments[0], error);
    else if (status == OPSHIFT_OK)
        status = as_text ? show_syntax(model, error) : show_report(&model, error);
    opshift_model_free(model);
    return status;
}

static const struct many many = {.format = &format, .listing = true, .lines = &lines, .check = options_check};

const struct command command_show = {
    .name = "show",
    .group = "look at models",
    .arguments = "MODEL... [OPTION]...",
    .summary = "describe a model",
    .description =
        "Prints a model's opsets, IR version, size and producer, how many graphs, nodes and functions it has, its "
        "inputs and outputs, its operators by count, the size of its weights, and of each Split where it is, its form, "
        "axis, lengths, type and shape.\n\n"
        "MODEL '-' is standard input.\n\n" MANY_WORDS,
    .examples =
        "opshift show net.onnx\nopshift show --text net.onnx > net.txt\n"
        "opshift show --initializers net.onnx | head\n"
        "opshift show -r models -0 --where 'operator == Split and opset < 13' | opshift convert --files0-from - "
        "--opset 18 -o converted/",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
    .many = &many,
};
