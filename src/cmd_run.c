/* opshift run: computes a model on given or random inputs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input_options.h"
#include "interrupt.h"
#include "many.h"
#include "opening.h"
#include "output.h"
#include "print.h"
#include "run_options.h"

static const char *output;
static const char *document; /* path of the lowered Splits that are run; NULL: a model is */
static bool draw;
static int64_t seed;

static const struct option options[] = {
    INPUT_OPTIONS,
    {.name = "output",
     .letter = 'o',
     .value = "DIR",
     .text = &output,
     .help = "write each output to DIR/NAME.npy, or .pb if NumPy has no such type; DIR.npz is one archive of all"},
    {.name = "random", .flag = &draw, .help = "draw random values for inputs that are not given"},
    {.name = "seed", .value = "N", .number = &seed, .most = INT64_MAX, .help = "seed of random inputs; default 0"},
    RUN_OPTIONS,
    MANY_OPTIONS,
    OPENING_OPTIONS,
    {0},
};

static enum opshift_status collect_inputs(struct opshift_model *model, struct opshift_values *values,
                                          struct opshift_error *error)
{
    const struct option_values *shapes = &input_settings.shapes;
    const struct opshift_draw_options how = {
        .seed = (uint64_t)seed, .shapes = shapes->items, .shape_count = shapes->count, .memory = run_options().memory};
    enum opshift_status status = inputs_read(model, values, error);
    return status == OPSHIFT_OK && draw ? opshift_values_draw(values, model, &how, error) : status;
}

/* ---- outputs ---- */

static enum opshift_status print_outputs(const struct opshift_values *values, struct opshift_error *error)
{
    size_t width = 0;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < opshift_values_count(values); i++) {
        size_t size = strlen(opshift_values_name(values, i));
        width = size > width && size <= 40 ? size : width;
    }
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_values_count(values); i++) {
        char *text = NULL, *name = text_shown(opshift_values_name(values, i));
        status = name ? opshift_value_text(opshift_values_at(values, i), &text, error)
                      : fail(error, OPSHIFT_MEMORY, "out of memory");
        if (status == OPSHIFT_OK)
            printf("%-*s  %s\n", (int)width, name, text);
        opshift_text_free(text);
        free(name);
    }
    return status;
}

/* Checks that no file that is read is written. */
static enum opshift_status sources_check(const struct opshift_files *files, struct opshift_model *model,
                                         struct opshift_error *error)
{
    enum opshift_status status = opshift_files_check_model(files, model, NULL, error);
    if (status == OPSHIFT_OK && document)
        status = opshift_files_check(files, "the document", document, NULL, error);
    return status ? status : input_files_check(files, error);
}

/* directory/NAME.npy; freed by free. */
static enum opshift_status output_path(const char *directory, const char *name, const char *ending, char **path,
                                       struct opshift_error *error)
{
    char *file = NULL;
    enum opshift_status status = opshift_value_file_name(name, &file, error);
    *path = NULL;
    if (status == OPSHIFT_OK && asprintf(path, "%s/%s%s", directory, file, ending) < 0)
        status = fail(error, OPSHIFT_MEMORY, "out of memory");
    opshift_text_free(file);
    return status;
}

/* The paths of the outputs in a directory: all are known before the first is written. */
struct output_paths {
    char **paths;
    size_t count;
};

static void places_free(struct output_paths *places)
{
    for (size_t i = 0; i < places->count; i++)
        free(places->paths[i]);
    free(places->paths);
}

static enum opshift_status place_add(struct output_paths *places, struct opshift_files *files, const char *name,
                                     const struct opshift_value *value, struct opshift_error *error)
{
    char **path = &places->paths[places->count], *what = NULL;
    enum opshift_status status = output_path(output, name, opshift_value_fits_npy(value) ? ".npy" : ".pb", path, error);
    if (status)
        return status;
    places->count++;
    if (asprintf(&what, "output '%.100s'", name) < 0)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    status = opshift_files_add(files, what, *path, error);
    free(what);
    return status;
}

static enum opshift_status places_find(struct output_paths *places, struct opshift_model *model,
                                       const struct opshift_values *values, struct opshift_error *error)
{
    struct opshift_files *files = NULL;
    places->paths = calloc(opshift_values_count(values) + 1, sizeof *places->paths);
    if (places->paths == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    enum opshift_status status = opshift_files_new("run", &files, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_values_count(values); i++)
        status = place_add(places, files, opshift_values_name(values, i), opshift_values_at(values, i), error);
    if (status == OPSHIFT_OK)
        status = sources_check(files, model, error);
    opshift_files_free(files);
    return status;
}

static enum opshift_status write_archive(const struct opshift_values *values, struct opshift_error *error)
{
    bool stream = output_is_stream(output);
    if (!stream)
        interrupt_hold();
    enum opshift_status status = opshift_values_write(values, output, error);
    if (!stream)
        interrupt_release();
    return status;
}

static enum opshift_status write_outputs(struct opshift_model *model, const struct opshift_values *values,
                                         struct opshift_error *error)
{
    size_t size = strlen(output);
    struct output_paths places = {0};
    if (size > 4 && strcmp(output + size - 4, ".npz") == 0)
        return write_archive(values, error);
    if (mkdir(output, 0777) != 0 && errno != EEXIST)
        return fail(error, OPSHIFT_IO, "%s: cannot be made: %s", output, strerror(errno));
    enum opshift_status status = places_find(&places, model, values, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_values_count(values) && !interrupt_asked(); i++) {
        interrupt_hold();
        status =
            opshift_value_write(opshift_values_at(values, i), opshift_values_name(values, i), places.paths[i], error);
        interrupt_release();
    }
    places_free(&places);
    return status;
}

/* A signal ends it between two files. */
static enum opshift_status save_outputs(struct opshift_model *model, const struct opshift_values *values,
                                        struct opshift_error *error)
{
    interrupt_watch();
    enum opshift_status status = write_outputs(model, values, error);
    interrupt_end();
    return status;
}

/* Checks that the output directory or archive is not read. */
static enum opshift_status output_check(struct opshift_model *model, struct opshift_error *error)
{
    struct opshift_files *files = NULL;
    enum opshift_status status = opshift_files_new("run", &files, error);
    if (status == OPSHIFT_OK && output)
        status = opshift_files_add(files, "option '--output'", output, error);
    if (status == OPSHIFT_OK)
        status = sources_check(files, model, error);
    opshift_files_free(files);
    return status;
}

/* What is run: a model, an IR of OpenVINO, or Splits lowered for DirectML and the model that declares their tensors. */
struct runnable {
    struct opshift_model *model;
    struct opshift_imported *imported; /* owns the model; NULL: no IR */
    struct opshift_lowered *lowered;   /* owns the model; NULL: there is only the model */
};

static enum opshift_status ir_open(const char *path, struct runnable *work, struct opshift_error *error)
{
    struct opshift_open_options open = {0};
    *error = (struct opshift_error){0};
    enum opshift_status status = opening_read(&open, error);
    const struct opshift_import_options how = {.open = &open};
    if (status == OPSHIFT_OK)
        status = opshift_import(path, &how, &work->imported, NULL, error);
    if (status == OPSHIFT_OK)
        work->model = opshift_imported_model(work->imported);
    return status;
}

static enum opshift_status runnable_open(const char *path, struct runnable *work, struct opshift_error *error)
{
    const char *dialect;
    enum opshift_status status = opshift_dialect_of(path, &dialect, error);
    if (status)
        return status;
    if (dialect && strcmp(dialect, "openvino") == 0)
        return ir_open(path, work, error);
    if (dialect == NULL || strcmp(dialect, "directml") != 0)
        return opening_open(path, &work->model, error);
    if (run_settings.engine)
        return fail(error, OPSHIFT_USAGE, "run: option '--engine' is for models, but %s is JSON; leave it out", path);
    document = path;
    status = opshift_lowered_open(path, &work->lowered, error);
    if (status == OPSHIFT_OK)
        work->model = opshift_lowered_model(work->lowered);
    return status;
}

static void runnable_free(struct runnable *work)
{
    if (work->lowered == NULL && work->imported == NULL)
        opshift_model_free(work->model);
    opshift_imported_free(work->imported);
    opshift_lowered_free(work->lowered);
}

static enum opshift_status runnable_run(const struct runnable *work, const struct opshift_values *given,
                                        struct opshift_values **made, struct opshift_error *error)
{
    const struct opshift_run_options how = run_options();
    if (work->lowered)
        return opshift_lowered_run(work->lowered, given, &how, made, error);
    if (work->imported)
        return opshift_imported_run(work->imported, given, &how, made, error);
    return opshift_run(work->model, given, &how, made, error);
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    const struct opshift_run_options how = run_options();
    struct runnable work = {0};
    struct opshift_values *given = NULL, *made = NULL;
    document = NULL;
    if (output && strcmp(output, "-") == 0)
        return fail(
            error, OPSHIFT_USAGE,
            "run: option '--output' cannot be '-': outputs go into a directory or an .npz file; name one, or leave "
            "it out for a table");
    enum opshift_status status = runnable_open(arguments[0], &work, error);
    if (status == OPSHIFT_OK)
        status = output_check(work.model, error);
    if (status == OPSHIFT_OK && work.lowered == NULL && work.imported == NULL)
        status = opshift_run_check(work.model, &how, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_new(&given, error);
    if (status == OPSHIFT_OK)
        status = collect_inputs(work.model, given, error);
    if (status == OPSHIFT_OK)
        status = runnable_run(&work, given, &made, error);
    if (status == OPSHIFT_OK)
        status = output == NULL ? print_outputs(made, error) : save_outputs(work.model, made, error);
    if (status == OPSHIFT_OK)
        many_give_counts("%zu outputs", opshift_values_count(made));
    opshift_values_free(made);
    opshift_values_free(given);
    runnable_free(&work);
    return status;
}

static const struct many many = {.output = &output, .ending = "", .named = true};

const struct command command_run = {
    .name = "run",
    .computes = true,
    .arguments = "MODEL... [OPTION]...",
    .summary = "compute a model",
    .description =
        "Computes a model with the built-in kernels. Without --output a table lists the outputs: name, type, shape, "
        "first elements.\n\n"
        "Inputs are checked against their declared types and shapes; a symbolic dim has the same size in all of them. "
        "An input with an initializer has that value if it is not given. MODEL may be '-', standard input.\n\n"
        "A model with an operator that has no kernel is refused; the message lists all of them.\n\n"
        "MODEL may also be the .xml of an IR of OpenVINO, with its .bin beside it: then Split and VariadicSplit are "
        "executed by OpenVINO's definition. MODEL may also be the JSON of 'opshift export --to directml': then its "
        "operators are executed by DirectML's "
        "definition, on any machine, and every output of theirs is an output.\n\n" MANY_WORDS
        " Each model's outputs go to a directory of its name below DIR.",
    .examples = "opshift run net.onnx --input x=x.npy -o out\n"
                "opshift run net.onnx --random --seed 7 --shape batch=4\n"
                "opshift run net.json --input x=x.npy -o out",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
    .many = &many,
};
