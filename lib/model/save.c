/* Saves a model: copies the source and replaces the splices of edits and lengths. */
#include "model/layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/destination.h"
#include "base/option_struct.h"
#include "model/external_set.h"
#include "model/weights_file.h"

static enum opshift_status layout_write(struct save_layout *layout, struct destination *destination,
                                        struct opshift_error *error)
{
    struct source *source = layout->model->source;
    const char *name = layout->model->name;
    uint64_t position = 0;
    enum opshift_status status = OPSHIFT_OK;
    struct layout_walk walk = {0};
    struct splice splice = {0};
    for (bool found = true; status == OPSHIFT_OK && found;) {
        found = layout_next(layout, &walk, &splice);
        uint64_t end = found ? splice.offset : source_size(source);
        status = destination_add_range(destination, source, name, position, end - position, error);
        if (status || !found)
            continue;
        status = destination_add(destination, splice.added.data, splice.added.size, error);
        position = splice.offset + splice.removed;
    }
    if (status)
        return status;
    status = source_check_unchanged(source, error); /* reflinked blocks and holes were not read */
    return status ? opshift_within(error, status, "%s", name) : OPSHIFT_OK;
}

struct opshift_output {
    struct destination *destination;
    struct save_layout layout;
    char *name;      /* name in messages */
    char *directory; /* directory of the source's external data */
    struct opshift_limits limits;
    enum opshift_external_policy external;
    opshift_progress progress; /* of the source's options */
    void *progress_data;
    bool sync, committed;
    struct external_set set;       /* copied or linked to external_item_directory at commit */
    char *external_item_directory; /* NULL: no copies */
    struct new_file_how external_how;
    struct destination *weights; /* the model's new file of weights; NULL: none */
};

static enum opshift_status output_new(struct opshift_model *model, const char *path,
                                      const struct opshift_write_options *options, struct opshift_output **output,
                                      struct opshift_error *error)
{
    struct opshift_output *made = calloc(1, sizeof(*made));
    *output = made;
    if (made == NULL)
        return opshift_no_memory(error);
    made->layout.model = model;
    made->limits = model->limits;
    made->progress = model->progress;
    made->progress_data = model->progress_data;
    made->external = model->external;
    made->sync = options && options->sync;
    made->name = strdup(strcmp(path, "-") == 0 ? "<stdout>" : path);
    made->directory = model->directory ? strdup(model->directory) : NULL;
    bool failed = made->name == NULL || (model->directory && made->directory == NULL);
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* The directory of a path, allocated. NULL: no memory. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

static bool is_same_directory(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* The files of external data that the edited model has, but for the one that is written with it. */
static enum opshift_status output_set_find(struct opshift_model *model, struct external_set *set,
                                           struct opshift_error *error)
{
    struct opshift_model *edited = NULL;
    if (!model->moves_external)
        return external_set_find(model, set, error);
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena ? model_preview(model, arena, &edited, error) : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = external_set_find(edited, set, error);
    opshift_model_free(edited);
    arena_free(arena);
    for (size_t i = 0; model->weights && i < set->count;)
        if (strcmp(set->list[i].location, model->weights->location) == 0)
            set->list[i] = set->list[--set->count];
        else
            i++;
    return status;
}

/* Writes the new file of weights beside the model. */
static enum opshift_status output_weights(struct opshift_output *output, const char *path, struct opshift_error *error)
{
    struct opshift_model *model = output->layout.model;
    if (model->weights == NULL)
        return OPSHIFT_OK;
    if (destination_temporary(output->destination) == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "%s: weights cannot be put beside a stream; name a file",
                            output->name);
    char *directory = directory_of(path);
    enum opshift_status status =
        directory ? weights_write(model, directory, output->sync, &output->weights, error) : opshift_no_memory(error);
    free(directory);
    return status;
}

/* Finds the files to copy with the model; a stream has no directory for them. */
static enum opshift_status external_set_prepare(struct opshift_model *model, const char *path,
                                                const struct opshift_write_options *options,
                                                struct opshift_output *output, struct opshift_error *error)
{
    if (model->directory == NULL || destination_temporary(output->destination) == NULL)
        return OPSHIFT_OK;
    char *directory = directory_of(path);
    if (directory == NULL)
        return opshift_no_memory(error);
    if (is_same_directory(directory, model->directory)) {
        free(directory);
        return OPSHIFT_OK;
    }
    output->external_item_directory = directory;
    output->external_how = (struct new_file_how){.link = options->external_data == OPSHIFT_EXTERNAL_DATA_LINK,
                                                 .sync = options->sync,
                                                 .progress = options->progress,
                                                 .progress_data = options->progress_data};
    enum opshift_status status = output_set_find(model, &output->set, error);
    return status ? opshift_within(error, status, "%.256s", model->name) : OPSHIFT_OK;
}

/* A pipe or a device has no directory. */
static bool has_directory(const char *path)
{
    struct stat about;
    return strcmp(path, "-") != 0 && (stat(path, &about) != 0 || S_ISREG(about.st_mode));
}

enum opshift_status opshift_files_check_copies(const struct opshift_files *files, struct opshift_model *model,
                                               const char *path, struct opshift_error *error)
{
    struct external_set set = {0};
    if (model->directory == NULL || !has_directory(path))
        return OPSHIFT_OK;
    char *directory = directory_of(path);
    enum opshift_status status = directory ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK && !is_same_directory(directory, model->directory))
        status = external_set_look(model, &set, error);
    if (status == OPSHIFT_OK)
        status = external_set_check_places(files, &set, directory, error);
    external_set_free(&set);
    free(directory);
    return status;
}

/* Checks that the new file is neither external data of the model nor the place of a copy. */
static enum opshift_status place_check(struct opshift_model *model, const char *path,
                                       const struct opshift_write_options *options, struct opshift_error *error)
{
    static const char new_model[] = "the new model";
    struct opshift_files *files = NULL;
    enum opshift_status status = opshift_files_new(NULL, &files, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_add(files, new_model, path, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_check_model(files, model, new_model, error);
    if (status == OPSHIFT_OK && options && options->external_data != OPSHIFT_EXTERNAL_DATA_KEEP)
        status = opshift_files_check_copies(files, model, path, error);
    char *directory = status == OPSHIFT_OK && model->weights ? directory_of(path) : NULL;
    const char *weights = directory ? arena_print(model->arena, "%s/%s", directory, model->weights->location) : NULL;
    if (weights)
        status = opshift_files_add(files, "the new weights", weights, error);
    if (weights && status == OPSHIFT_OK)
        status = opshift_files_check_model(files, model, new_model, error);
    free(directory);
    opshift_files_free(files);
    return status;
}

static enum opshift_status new_file_write(struct opshift_output *output, const char *path,
                                          const struct opshift_write_options *options, struct opshift_error *error)
{
    struct save_layout *layout = &output->layout;
    enum opshift_status status = place_check(layout->model, path, options, error);
    if (status)
        return status;
    status = layout_make(layout, error);
    if (status)
        return opshift_within(error, status, "%s", layout->model->name);
    status = destination_open(path, 0, &output->destination, error);
    if (status == OPSHIFT_OK)
        status = destination_reserve(output->destination, layout->size, !layout->model->source->sparse, error);
    if (status == OPSHIFT_OK && options)
        destination_watch(output->destination, options->progress, options->progress_data);
    if (status == OPSHIFT_OK && output->sync)
        destination_sync(output->destination);
    if (status == OPSHIFT_OK)
        status = layout_write(layout, output->destination, error);
    if (status == OPSHIFT_OK && options && options->external_data != OPSHIFT_EXTERNAL_DATA_KEEP)
        status = external_set_prepare(layout->model, path, options, output, error);
    return status ? status : output_weights(output, path, error);
}

enum opshift_status opshift_model_write(struct opshift_model *model, const char *path,
                                        const struct opshift_write_options *options, struct opshift_output **output,
                                        struct opshift_error *error)
{
    struct opshift_error local;
    struct opshift_output *made = NULL;
    struct opshift_write_options full;
    error = error ? error : &local;
    *output = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status)
        return status;
    options = options ? &full : NULL;
    status = output_new(model, path, options, &made, error);
    if (status == OPSHIFT_OK)
        status = new_file_write(made, path, options, error);
    if (status)
        opshift_output_free(made);
    else
        *output = made;
    return status;
}

static enum opshift_status committed_refuse(const struct opshift_output *output, const char *what,
                                            struct opshift_error *error)
{
    if (!output->committed)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE, "%s: the output was committed already; %s", output->name, what);
}

enum opshift_status opshift_output_open(struct opshift_output *output, struct opshift_model **model,
                                        struct opshift_error *error)
{
    struct opshift_open_options options = {.limits = &output->limits,
                                           .name = output->name,
                                           .directory = output->directory,
                                           .external = output->external,
                                           .progress = output->progress,
                                           .progress_data = output->progress_data};
    struct source *source = NULL;
    *model = NULL;
    enum opshift_status status = committed_refuse(output, "open it before, or open the file", error);
    if (status == OPSHIFT_OK)
        status = destination_flush(output->destination, error);
    if (status)
        return status;
    status = source_open_descriptor(destination_descriptor(output->destination), &source, error);
    if (status)
        return opshift_within(error, status, "%s", output->name);
    return model_open_source(source, &options, model, error);
}

const char *opshift_output_temporary(const struct opshift_output *output)
{
    return destination_temporary(output->destination);
}

const char *opshift_output_temporary_weights(const struct opshift_output *output)
{
    return output->weights ? destination_temporary(output->weights) : NULL;
}

/* Committed before the model, so that the model never exists without them. */
static enum opshift_status external_set_commit(struct opshift_output *output, struct opshift_error *error)
{
    if (output->external_item_directory == NULL)
        return OPSHIFT_OK;
    return external_set_put(&output->set, output->directory, output->external, output->name,
                            output->external_item_directory, output->external_how, error);
}

enum opshift_status opshift_output_commit(struct opshift_output *output, struct opshift_error *error)
{
    enum opshift_status status = committed_refuse(output, "commit it once", error);
    if (status == OPSHIFT_OK)
        status = external_set_commit(output, error);
    if (status == OPSHIFT_OK && output->weights)
        status = destination_commit(output->weights, error);
    if (status)
        return status;
    status = destination_commit(output->destination, error);
    /* Keep the copies if the model was renamed and only flushing its directory failed. */
    if (status && output->external_item_directory && destination_temporary(output->destination))
        external_set_remove(&output->set, output->external_item_directory);
    output->committed = status == OPSHIFT_OK;
    return status;
}

const char *opshift_output_missing(const struct opshift_output *output)
{
    return output->set.missing;
}

void opshift_output_free(struct opshift_output *output)
{
    if (output == NULL)
        return;
    destination_free(output->destination);
    destination_free(output->weights);
    free(output->name);
    free(output->directory);
    free(output->external_item_directory);
    external_set_free(&output->set);
    free(output);
}

enum opshift_status opshift_model_save(struct opshift_model *model, const char *path,
                                       const struct opshift_write_options *options, struct opshift_error *error)
{
    struct opshift_output *output = NULL;
    enum opshift_status status = opshift_model_write(model, path, options, &output, error);
    if (status == OPSHIFT_OK)
        status = opshift_output_commit(output, error);
    opshift_output_free(output);
    return status;
}
