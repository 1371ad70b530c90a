/* opshift join: two models in one. */
#include <stdlib.h>
#include <string.h>

#include "opening.h"
#include "output.h"
#include "print.h"
#include "progress.h"
#include "saving.h"

static const char *output, *report_path, *format, *prefix;
static bool dry_run, no_verify;
static struct option_values connects;

static const struct option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .text = &output,
     .unless = NAMES("dry-run"),
     .help = "the file to write; '-' is standard output"},
    {.name = "connect",
     .value = "OUT=IN",
     .list = &connects,
     .help = "the value OUT of A, an output or one inside, is the input IN of B; may be given again; without it, "
             "outputs and inputs of one name are connected, else the only output with the only input"},
    {.name = "prefix",
     .value = "TEXT",
     .text = &prefix,
     .help = "put TEXT in front of names of B that A has, too: values, nodes, dims, functions, keys of metadata; "
             "default b_"},
    {.name = "no-verify", .flag = &no_verify, .help = "do not check that the joined model computes what A and B do"},
    {.name = "dry-run", .flag = &dry_run, .help = "print what would be done, and write nothing"},
    {.name = "report",
     .value = "FILE",
     .text = &report_path,
     .help = "write what was done to FILE as JSON; '-' is standard output"},
    FORMAT_OPTION(&format),
    SAVING_OPTIONS,
    OPENING_OPTIONS,
    {0},
};

static const char output_what[] = "option '--output'";

struct join_work {
    struct opshift_files *files;
    struct opshift_model *models[2];
    struct opshift_report *report;
    struct saving saving;
};

static enum opshift_status files_name(struct join_work *work, struct opshift_error *error)
{
    if (output == NULL && !dry_run)
        return fail(error, OPSHIFT_USAGE, "join: option '--output' is required: -o OUT, or --dry-run to write nothing");
    enum opshift_status status = opshift_files_new("join", &work->files, error);
    if (status == OPSHIFT_OK && !dry_run)
        status = opshift_files_add(work->files, output_what, output, error);
    if (status == OPSHIFT_OK && report_path)
        status = opshift_files_add(work->files, "option '--report'", report_path, error);
    return status;
}

/* Before the file is written, of the model as it would be written. */
static enum opshift_status verify(struct join_work *work, struct opshift_error *error)
{
    struct opshift_pieces *pieces = NULL;
    struct opshift_model *joined = NULL;
    enum opshift_status status = opshift_output_pieces(work->models[0], &pieces, error);
    if (status == OPSHIFT_OK)
        status = opshift_pieces_open(pieces, &joined, error);
    if (status == OPSHIFT_OK)
        status = opshift_join_verify(work->models[0], work->models[1], joined, work->report, error);
    opshift_model_free(joined);
    opshift_pieces_free(pieces);
    return status;
}

static enum opshift_status join(struct join_work *work, char **paths, struct opshift_error *error)
{
    const struct opshift_join_options how = {.size = sizeof(how),
                                             .connect = (const char *const *)connects.items,
                                             .connect_count = connects.count,
                                             .prefix = prefix};
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < 2; i++) {
        status = opening_open(paths[i], &work->models[i], error);
        if (status == OPSHIFT_OK)
            status = saving_check(work->files, output_what, work->models[i], output, !dry_run, error);
    }
    if (status == OPSHIFT_OK)
        status = opshift_join(work->models[0], work->models[1], &how, &work->report, error);
    if (status == OPSHIFT_OK && !no_verify)
        status = verify(work, error);
    if (status == OPSHIFT_OK && !dry_run)
        status = saving_write(&work->saving, work->models[0], output, error);
    progress_clear();
    return status;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct join_work work = {0};
    (void)count;
    enum opshift_status status = files_name(&work, error);
    if (status == OPSHIFT_OK)
        status = join(&work, arguments, error);
    if (status == OPSHIFT_OK)
        status = saving_finish(&work.saving, work.models[0], arguments[0], dry_run ? NULL : output, work.report,
                               report_path, format, error);
    saving_free(&work.saving);
    opshift_report_free(work.report);
    opshift_model_free(work.models[0]);
    opshift_model_free(work.models[1]);
    opshift_files_free(work.files);
    return status;
}

const struct command command_join = {
    .name = "join",
    .arguments = "A B -o OUT [OPTION]...",
    .summary = "put a model behind another one",
    .description =
        "Writes a model of which outputs of A are inputs of B. The other inputs and outputs of both stay. If opsets "
        "differ, the model with the older one is converted first. Names of B change only where A has them, too. "
        "Functions, metadata, opset imports and external data of both are kept; external data of B from another "
        "directory becomes one file beside OUT.\n\n"
        "Then the joined model is compared with A and B: both are parts of it (proved), or runs agree (tested). If an "
        "output differs, nothing is written.",
    .examples = "opshift join encoder.onnx decoder.onnx -o both.onnx\n"
                "opshift join net.onnx post.onnx -o net_with_post.onnx --connect logits=scores",
    .options = options,
    .least = 2,
    .most = 2,
    .run = run,
};
