/* opshift diff: what differs between two models. */
#include <string.h>

#include "opening.h"
#include "print.h"
#include "progress.h"

static const char *format;
static struct text_list ignored;

static const struct option options[] = {
    {.name = "ignore",
     .value = "WHAT",
     .list = &ignored,
     .help =
         "leave out: doc, metadata, names (of nodes and graphs), producer, value-infos or order; may be given again"},
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT",
     .text = &format,
     .choices = print_formats,
     .help = "print it as text (the default) or as json"},
    OPENING_OPTIONS,
    {0},
};

static const struct {
    const char *name;
    unsigned bit;
} kinds[] = {
    {"doc", OPSHIFT_DIFF_DOC},           {"metadata", OPSHIFT_DIFF_METADATA},       {"names", OPSHIFT_DIFF_NAMES},
    {"producer", OPSHIFT_DIFF_PRODUCER}, {"value-infos", OPSHIFT_DIFF_VALUE_INFOS}, {"order", OPSHIFT_DIFF_ORDER},
};

static enum opshift_status ignored_read(unsigned *bits, struct opshift_error *error)
{
    for (size_t i = 0; i < ignored.count; i++) {
        size_t k = 0;
        while (k < COUNT(kinds) && strcmp(kinds[k].name, ignored.items[i]) != 0)
            k++;
        if (k == COUNT(kinds))
            return fail(error, OPSHIFT_USAGE,
                        "diff: option '--ignore': '%s' is none of doc, metadata, names, producer, value-infos, order",
                        ignored.items[i]);
        *bits |= kinds[k].bit;
    }
    return OPSHIFT_OK;
}

static enum opshift_status compare(struct opshift_model *before, struct opshift_model *after, unsigned ignore,
                                   struct opshift_error *error)
{
    struct opshift_diff_options how = {
        .ignore = ignore, .progress = progress_show, .progress_data = (void *)"comparing"};
    struct opshift_report *report = NULL;
    enum opshift_status answer = opshift_diff(before, after, &how, &report, error);
    progress_clear();
    struct opshift_error late = {0};
    enum opshift_status told = report == NULL ? OPSHIFT_OK : report_print(stdout, report, format, &late);
    opshift_report_free(report);
    if (told == OPSHIFT_OK)
        return answer;
    *error = late;
    return told;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_model *before = NULL, *after = NULL;
    unsigned ignore = 0;
    enum opshift_status status = ignored_read(&ignore, error);
    (void)count;
    if (status == OPSHIFT_OK && strcmp(arguments[0], "-") == 0 && strcmp(arguments[1], "-") == 0)
        return fail(error, OPSHIFT_USAGE,
                    "diff: only one of the two models can be standard input; give the other as a file");
    if (status == OPSHIFT_OK)
        status = opening_open(arguments[0], &before, error);
    if (status == OPSHIFT_OK)
        status = opening_open(arguments[1], &after, error);
    if (status == OPSHIFT_OK)
        status = compare(before, after, ignore, error);
    opshift_model_free(after);
    opshift_model_free(before);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .arguments = "A B [OPTION]...",
    .summary = "say what differs between two models",
    .description =
        "Compares two models field by field: the header, opsets, metadata, functions, inputs, outputs, nodes with "
        "their "
        "attributes and graphs, initializers, and fields that nobody knows. Nodes are paired by name, by what they "
        "make, at last by their place; '+' stands only in B, '-' only in A, '~' differs, '>' stands elsewhere.\n\n"
        "A tensor's value counts, not how it is stored: raw, typed, or in another file. Weights are read piece by "
        "piece, never held. Either model may be '-', standard input. The exit status is 1 when something differs.",
    .examples = "opshift diff net.onnx net13.onnx\nopshift diff a.onnx b.onnx --ignore doc --ignore metadata -f json",
    .options = options,
    .least = 2,
    .most = 2,
    .run = run,
};
