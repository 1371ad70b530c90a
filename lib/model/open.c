/* Opens and closes models, and describes files that are not models. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "model/limits.h"
#include "model/scan.h"
#include "model/sniff.h"

/* Copies the options, or the defaults, into the model. */
static enum opshift_status options_set(struct opshift_model *model, const struct opshift_open_options *options,
                                       const char *name, const char *directory, struct opshift_error *error)
{
    enum opshift_status status = OPTIONS_COPY(options ? options->limits : NULL, &model->limits, error);
    if (status)
        return status;
    if (options != NULL) {
        model->external = options->external;
        model->progress = options->progress;
        model->progress_data = options->progress_data;
        name = options->name ? options->name : name;
        directory = options->directory ? options->directory : directory;
    }
    status = limits_complete(&model->limits, error);
    if (status)
        return status;
    model->name = arena_copy(model->arena, name, strlen(name));
    if (model->name == NULL)
        return opshift_no_memory(error);
    if (directory == NULL)
        return OPSHIFT_OK;
    model->directory = arena_copy(model->arena, directory, strlen(directory));
    return model->directory ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status model_new(const struct opshift_open_options *options, const char *name,
                                     const char *directory, struct opshift_model **made, struct opshift_error *error)
{
    struct opshift_model *model = calloc(1, sizeof *model);
    if (model == NULL)
        return opshift_no_memory(error);
    model->arena = arena_new(0);
    model->names = names_new();
    enum opshift_status status = OPSHIFT_OK;
    if (model->arena == NULL || model->names == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = options_set(model, options, name, directory, error);
    if (status)
        opshift_model_free(model);
    else
        *made = model;
    return status;
}

static void imports_read_as(struct opset_import *imports, uint32_t count, int64_t opset)
{
    for (uint32_t i = 0; i < count; i++)
        if (imports[i].domain == NAME_NONE)
            imports[i].version = opset;
}

static enum opshift_status model_read_as(struct opshift_model *model, int64_t opset, struct opshift_error *error)
{
    if (opset == 0)
        return OPSHIFT_OK;
    if (graph_opset(model, model->main, NAME_NONE) == 0 || model->import_count == 0)
        return opshift_fail(error, OPSHIFT_NO, "the model imports no opset of ai.onnx that could be read as %" PRId64,
                            opset);
    model->read_as = opset;
    imports_read_as(model->imports, model->import_count, opset);
    for (uint32_t i = 0; i < model->function_count; i++)
        imports_read_as(model->functions[i].imports, model->functions[i].import_count, opset);
    return OPSHIFT_OK;
}

/* Indexes the source. If that fails, the file's kind is determined for the message. */
static enum opshift_status model_index(struct opshift_model *model, struct opshift_error *error)
{
    enum opshift_status status = model_scan(model, error);
    if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED)
        status = sniff_explain(model->source, status, error);
    return status;
}

/* Opens a model from a source, whose ownership is taken, also on failure. */
static enum opshift_status open_source(struct source *source, const struct opshift_open_options *options,
                                       const char *name, const char *directory, struct opshift_model **model,
                                       struct opshift_error *error)
{
    struct opshift_model *opened = NULL;
    enum opshift_status status = model_new(options, name, directory, &opened, error);
    if (status) {
        source_free(source);
        return status;
    }
    opened->source = source;
    status = model_index(opened, error);
    if (status == OPSHIFT_OK)
        status = model_read_as(opened, options ? options->opset : 0, error);
    if (status)
        opshift_model_free(opened);
    else
        *model = opened;
    return status;
}

/* The directory of a path, allocated. NULL: no memory. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static enum opshift_status open_path(const char *path, const struct opshift_open_options *options, const char *name,
                                     struct opshift_model **model, struct opshift_error *error)
{
    struct source *source = NULL;
    enum opshift_status status = source_open(path, &source, error);
    if (status)
        return status;
    char *directory = directory_of(path);
    if (directory == NULL) {
        source_free(source);
        return opshift_no_memory(error);
    }
    status = open_source(source, options, name, directory, model, error);
    free(directory);
    return status;
}

/* Fills the caller's error, with the model's name in front. */
static enum opshift_status open_failed(enum opshift_status status, const struct opshift_open_options *options,
                                       const char *name, struct opshift_error *error)
{
    return opshift_within(error, status, "%.256s", options && options->name ? options->name : name);
}

enum opshift_status opshift_model_open(const char *path, const struct opshift_open_options *options,
                                       struct opshift_model **model, struct opshift_error *error)
{
    struct opshift_open_options full;
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    *model = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status == OPSHIFT_OK)
        status = open_path(path, &full, name, model, error);
    return status ? open_failed(status, &full, name, error) : OPSHIFT_OK;
}

enum opshift_status model_open_source(struct source *source, const struct opshift_open_options *options,
                                      struct opshift_model **model, struct opshift_error *error)
{
    const char *name = "<memory>";
    *model = NULL;
    enum opshift_status status = open_source(source, options, name, NULL, model, error);
    return status ? open_failed(status, options, name, error) : OPSHIFT_OK;
}

enum opshift_status opshift_model_open_memory(const void *bytes, size_t size,
                                              const struct opshift_open_options *options, struct opshift_model **model,
                                              struct opshift_error *error)
{
    struct opshift_open_options full;
    struct source *source = NULL;
    *model = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status == OPSHIFT_OK)
        status = source_open_memory(bytes, size, &source, error);
    if (status)
        return open_failed(status, &full, "<memory>", error);
    return model_open_source(source, &full, model, error);
}

enum opshift_status model_progress(const struct opshift_model *model, uint64_t done, uint64_t count,
                                   struct opshift_error *error)
{
    if (model->progress == NULL ||
        model->progress(model->progress_data, done < count ? (double)done / (double)count : 1))
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
}

static void graph_free(struct graph *graph)
{
    if (graph->is_small)
        return;
    free(graph->nodes);
    free(graph->inputs);
    free(graph->outputs);
    free(graph->values);
    free(graph->initializers);
}

static void function_free(struct function *function)
{
    free(function->imports);
    free(function->attributes);
    free(function->defaults);
}

void opshift_model_free(struct opshift_model *model)
{
    if (model == NULL)
        return;
    for (uint32_t i = 0; i < model->graph_count; i++)
        graph_free(model->graphs[i]);
    for (uint32_t i = 0; i < model->function_count; i++)
        function_free(&model->functions[i]);
    free(model->graphs);
    free(model->imports);
    free(model->messages);
    free(model->edits);
    buffer_free(&model->fresh_names);
    buffer_free(&model->added);
    source_free(model->source);
    names_free(model->names);
    arena_free(model->arena);
    arena_free(model->scratch);
    free(model);
}

const char *opshift_model_name(const struct opshift_model *model)
{
    return model->name;
}

uint64_t opshift_model_size(const struct opshift_model *model)
{
    return source_size(model->source);
}

int64_t opshift_model_ir_version(const struct opshift_model *model)
{
    return model->ir_version;
}

int64_t opshift_model_opset(const struct opshift_model *model)
{
    return graph_opset(model, model->main, NAME_NONE);
}

bool opshift_model_has_external_data(const struct opshift_model *model)
{
    return model->has_external;
}
