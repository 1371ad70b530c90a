/* opshift diff: prints the differences of two models. */
#include <string.h>

#include "opening.h"
#include "pair.h"
#include "print.h"
#include "progress.h"

static const char *format;
static struct option_values ignored;

static const struct option options[] = {
    {.name = "ignore",
     .value = "WHAT",
     .list = &ignored,
     .help = "ignore doc, metadata, names (of nodes and graphs), producer, value-infos or order; may be given again"},
    FORMAT_OPTION(&format),
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

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_diff_options how = {.progress = progress_show, .progress_data = (void *)"comparing"};
    struct opshift_report *report = NULL;
    struct pair pair = {0};
    enum opshift_status status = ignored_read(&how.ignore, error);
    (void)count;
    if (status == OPSHIFT_OK)
        status = pair_open("diff", arguments, &pair, error);
    if (status == OPSHIFT_OK)
        status = opshift_diff(pair.before, pair.after, &how, &report, error);
    status = pair_tell(stdout, report, format, status, NULL, error);
    opshift_report_free(report);
    pair_close(&pair);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .arguments = "A B [OPTION]...",
    .summary = "list the differences between two models",
    .description =
        "Compares two models field by field: the header, opsets, metadata, functions, inputs, outputs, nodes with "
        "their "
        "attributes and graphs, initializers, and unknown fields. Nodes are paired by name, by outputs, and finally by "
        "position; '+' is only in B, '-' only in A, '~' differs, '>' has moved.\n\n"
        "Tensors are compared by value, not by storage: raw, typed, or external. Weights are read piece by piece. "
        "Either model may be '-', standard input. The exit status is 1 when something differs.",
    .examples = "opshift diff net.onnx net13.onnx\nopshift diff a.onnx b.onnx --ignore doc --ignore metadata -f json",
    .options = options,
    .least = 2,
    .most = 2,
    .run = run,
};
