/* opshift edit: edits of a model in one pass. */
#include <stdlib.h>
#include <string.h>

#include "many.h"
#include "opening.h"
#include "output.h"
#include "print.h"
#include "progress.h"
#include "saving.h"

static const char *output, *report_path, *format, *ir_inputs, *external, *external_from, *align, *fold_limit,
    *safetensors;
static bool dry_run, no_verify, drop_unused, rename_metadata, unique_names, internal, folds, unholds, holds, dedupe,
    inline_if;
static struct option_values extracts, shown, dropped, renames, sizes, batches, shapes, strips, inlines;

static const char *const input_choices[] = {"add", "remove", NULL};

static const struct option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .text = &output,
     .unless = NAMES("dry-run", MANY_NAMES),
     .help = "the file to write, which may be MODEL itself; '-' is standard output"},
    {.name = "inline",
     .group = "parts of the graph",
     .value = "NAME",
     .list = &inlines,
     .help = "put the nodes of a function in place of its calls; NAME may have a '*', and '*' opens all; may be given "
             "again"},
    {.name = "inline-if", .flag = &inline_if, .help = "put a branch in place of an If whose condition is constant"},
    {.name = "extract",
     .value = "FROM:TO",
     .list = &extracts,
     .help = "keep the nodes between values, with what they need: names with commas between them on each side, where "
             "none on the left are the inputs that are needed, and none on the right the outputs that depend on FROM"},
    {.name = "show-output",
     .value = "NAME",
     .list = &shown,
     .help = "make a value inside an output, too; NAME may have a '*'; may be given again"},
    {.name = "drop-output",
     .value = "NAME",
     .list = &dropped,
     .help = "remove an output and what only it needed; NAME may have a '*'; may be given again"},
    {.name = "drop-unused",
     .flag = &drop_unused,
     .help = "remove nodes, initializers, functions and opset imports that no output needs"},
    {.name = "rename",
     .group = "names",
     .value = "OLD=NEW",
     .list = &renames,
     .help = "rename a value, or a dim if there is no such value, wherever it stands; dim:OLD, node:OLD, graph:OLD, "
             "function:OLD and domain:OLD name other things; one '*' in both stands for the same text; may be given "
             "again"},
    {.name = "rename-metadata",
     .flag = &rename_metadata,
     .needs = NAMES("rename"),
     .help = "rename also where the value of a metadata entry is the name of a value"},
    {.name = "unique-names", .flag = &unique_names, .help = "give each node a name that no other node has"},
    {.name = "dim",
     .group = "dims",
     .value = "NAME.I=N",
     .list = &sizes,
     .help = "free or fix dim I of the input NAME: N is a name or a number; NAME=4 fixes the dim that the model calls "
             "NAME; what follows is declared anew, and nodes that hold the old size are rewritten; may be given again"},
    {.name = "batch", .value = "N", .list = &batches, .help = "the same for dim 0 of all inputs"},
    {.name = "shape",
     .value = "NAME=1x3x?x?",
     .list = &shapes,
     .help = "the same for all dims of an input; ? leaves one as it is; may be given again"},
    {.name = "fold",
     .group = "constants",
     .flag = &folds,
     .help = "replace nodes that compute constants by initializers: those whose results are the same bits everywhere"},
    {.name = "fold-limit",
     .value = "BYTES",
     .text = &fold_limit,
     .needs = NAMES("fold"),
     .help = "the size up to which a constant is made; default 1048576"},
    {.name = "constants-to-initializers", .flag = &unholds, .help = "make Constant nodes initializers"},
    {.name = "initializers-to-constants",
     .flag = &holds,
     .excludes = NAMES("constants-to-initializers"),
     .help = "make initializers Constant nodes, but for those with external data"},
    {.name = "strip",
     .group = "what is stored",
     .value = "WHAT",
     .list = &strips,
     .help = "remove docs, names (of nodes), value-infos, metadata or metadata:KEY, where KEY may have a '*'; several "
             "with commas between them"},
    {.name = "dedupe", .flag = &dedupe, .help = "keep one of weights with the same type, dims and bytes"},
    {.name = "external",
     .value = "FILE",
     .text = &external,
     .excludes = NAMES("internal"),
     .help =
         "put the weights into FILE, a path below the directory of OUT: those of the model from --external-from on, "
         "and those of all files of external data"},
    {.name = "external-from",
     .value = "BYTES",
     .text = &external_from,
     .needs = NAMES("external", "safetensors"),
     .help = "the size of a weight from which --external and --safetensors take it; default 1024"},
    {.name = "align",
     .value = "BYTES",
     .text = &align,
     .needs = NAMES("external"),
     .help = "begin each weight in FILE at a multiple of this; default 64"},
    {.name = "safetensors",
     .value = "FILE",
     .text = &safetensors,
     .excludes = NAMES("external", "internal"),
     .help = "the same in the layout of safetensors, which other tools read as well"},
    {.name = "internal", .flag = &internal, .help = "put all weights into the model, up to 2 GB"},
    {.name = "ir-inputs",
     .value = "add|remove",
     .text = &ir_inputs,
     .choices = input_choices,
     .help = "add initializers to the inputs, as IR version 3 requires, or remove them from there"},
    {.name = "no-verify",
     .group = "how it is done",
     .flag = &no_verify,
     .help = "do not check that the edited model computes what MODEL does"},
    {.name = "dry-run", .flag = &dry_run, .help = "print what would be done, and write nothing"},
    {.name = "report",
     .value = "FILE",
     .text = &report_path,
     .help = "write what was done to FILE as JSON; '-' is standard output"},
    FORMAT_OPTION(&format),
    MANY_OPTIONS,
    SAVING_OPTIONS,
    OPENING_OPTIONS,
    {0},
};

static const char output_what[] = "option '--output'";

struct edit_work {
    struct opshift_edit_step *steps;
    size_t step_count;
    struct opshift_files *files;
    struct opshift_model *model;
    struct opshift_report *report;
    struct saving saving;
};

/* ---- the steps ---- */

static void step_add(struct edit_work *work, const char *name, const char *value)
{
    work->steps[work->step_count++] = (struct opshift_edit_step){name, value};
}

static enum opshift_status steps_read(struct edit_work *work, struct opshift_error *error)
{
    const struct {
        const char *name;
        const struct option_values *values;
    } lists[] = {{"extract", &extracts}, {"show-output", &shown}, {"drop-output", &dropped},
                 {"rename", &renames},   {"dim", &sizes},         {"batch", &batches},
                 {"shape", &shapes},     {"strip", &strips},      {"inline", &inlines}};
    const struct {
        const char *name;
        bool given;
    } flags[] = {{"drop-unused", drop_unused},
                 {"rename-metadata", rename_metadata},
                 {"unique-names", unique_names},
                 {"internal", internal},
                 {"fold", folds},
                 {"dedupe", dedupe},
                 {"inline-if", inline_if},
                 {"constants-to-initializers", unholds},
                 {"initializers-to-constants", holds}};
    const struct {
        const char *name, *value;
    } texts[] = {{"external", external},   {"external-from", external_from}, {"align", align},
                 {"ir-inputs", ir_inputs}, {"fold-limit", fold_limit},       {"safetensors", safetensors}};
    size_t most = COUNT(flags) + COUNT(texts);
    for (size_t i = 0; i < COUNT(lists); i++)
        most += lists[i].values->count;
    work->steps = calloc(most, sizeof(*work->steps));
    if (work->steps == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    for (size_t i = 0; i < COUNT(lists); i++)
        for (size_t k = 0; k < lists[i].values->count; k++)
            step_add(work, lists[i].name, lists[i].values->items[k]);
    for (size_t i = 0; i < COUNT(flags); i++)
        if (flags[i].given)
            step_add(work, flags[i].name, NULL);
    for (size_t i = 0; i < COUNT(texts); i++)
        if (texts[i].value)
            step_add(work, texts[i].name, texts[i].value);
    return OPSHIFT_OK;
}

/* ---- the command ---- */

static enum opshift_status usage_check(struct opshift_error *error)
{
    if (output == NULL && !dry_run)
        return fail(error, OPSHIFT_USAGE, "edit: option '--output' is required: -o OUT, or --dry-run to write nothing");
    return OPSHIFT_OK;
}

static enum opshift_status files_name(struct edit_work *work, struct opshift_error *error)
{
    enum opshift_status status = opshift_files_new("edit", &work->files, error);
    if (status == OPSHIFT_OK && !dry_run)
        status = opshift_files_add(work->files, output_what, output, error);
    if (status == OPSHIFT_OK && report_path)
        status = opshift_files_add(work->files, "option '--report'", report_path, error);
    return status;
}

/* Before the file is written, of the model as it would be written. */
static enum opshift_status verify(struct edit_work *work, const struct opshift_edit_options *how,
                                  struct opshift_error *error)
{
    struct opshift_pieces *pieces = NULL;
    struct opshift_model *after = NULL;
    enum opshift_status status = opshift_output_pieces(work->model, &pieces, error);
    if (status == OPSHIFT_OK)
        status = opshift_pieces_open(pieces, &after, error);
    if (status == OPSHIFT_OK)
        status = opshift_edit_verify(work->model, after, how, work->report, error);
    opshift_model_free(after);
    opshift_pieces_free(pieces);
    return status;
}

static enum opshift_status edit(struct edit_work *work, const char *path, struct opshift_error *error)
{
    struct opshift_edit_options how = {.size = sizeof(how), .steps = work->steps, .step_count = work->step_count};
    enum opshift_status status = opening_open(path, &work->model, error);
    if (status == OPSHIFT_OK)
        status = saving_check(work->files, output_what, work->model, output, !dry_run, error);
    if (status == OPSHIFT_OK)
        status = opshift_edit(work->model, &how, &work->report, error);
    if (status == OPSHIFT_OK && !no_verify)
        status = verify(work, &how, error);
    if (status == OPSHIFT_OK && !dry_run)
        status = saving_write(&work->saving, work->model, output, error);
    progress_clear();
    return status;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct edit_work work = {0};
    (void)count;
    enum opshift_status status = usage_check(error);
    if (status == OPSHIFT_OK)
        status = steps_read(&work, error);
    if (status == OPSHIFT_OK)
        status = files_name(&work, error);
    if (status == OPSHIFT_OK)
        status = edit(&work, arguments[0], error);
    if (status == OPSHIFT_OK)
        status = saving_finish(&work.saving, work.model, arguments[0], dry_run ? NULL : output, work.report,
                               report_path, format, error);
    saving_free(&work.saving);
    opshift_report_free(work.report);
    opshift_model_free(work.model);
    opshift_files_free(work.files);
    free(work.steps);
    return status;
}

static const char *const single_options[] = {"report", NULL};
static const struct many many = {
    .output = &output, .single = single_options, .format = &format, .quiet = true, .check = usage_check};

const struct command command_edit = {
    .name = "edit",
    .arguments = "MODEL... [-o] OUT [OPTION]...",
    .summary = "rename, extract, strip and more, in one pass",
    .description =
        "Makes the edits that the options name, in the order of this list, whatever their order in the command, and "
        "saves once. All that is not edited stays byte for byte: weights, metadata, unknown fields; weights are "
        "copied piece by piece and never loaded. What a name does not find is an error, with the nearest name that "
        "there is, and nothing is written.\n\n"
        "Then the edited model is compared with MODEL: each output is computed as the value of MODEL that it stands "
        "for "
        "(proved), or runs of both with the built-in kernels agree (tested), on the part that is left; else it says "
        "what is not shown. If an output differs, nothing is written. --no-verify leaves that out.\n\n"
        "The file appears whole or not at all. MODEL '-' is standard input. What was done is printed on standard "
        "output, or on standard error when the model goes to standard output.\n\n" MANY_WORDS,
    .examples = "opshift edit net.onnx -o out.onnx --rename x=input --rename 'dim:batch_size=N'\n"
                "opshift edit net.onnx -o backbone.onnx --extract x:features\n"
                "opshift edit net.onnx -o small.onnx --drop-output aux --drop-unused --strip docs,metadata\n"
                "opshift edit net.onnx -o free.onnx --batch N\n"
                "opshift edit net.onnx --dry-run --rename 'encoder/*=enc/*'",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
    .many = &many,
};
