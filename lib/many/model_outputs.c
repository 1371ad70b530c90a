/* Gives each model of a list the file that it is written to, in the same tree below another directory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strings.h"
#include "many/model_list.h"

/* A file on disk that is read or written. */
struct used_file {
    dev_t device;
    ino_t inode;
    size_t model;
    bool written;
};

static int by_file(const void *a, const void *b)
{
    const struct used_file *one = a, *other = b;
    if (one->device != other->device)
        return one->device < other->device ? -1 : 1;
    if (one->inode != other->inode)
        return one->inode < other->inode ? -1 : 1;
    if (one->written != other->written)
        return one->written ? -1 : 1;
    return (one->model > other->model) - (one->model < other->model);
}

/* Of one file: no two outputs, and no output that another model is read from. */
static enum opshift_status check_file(const struct opshift_models *models, const struct used_file *files, size_t count,
                                      struct opshift_error *error)
{
    const struct listed_model *first = &models->items[files[0].model];
    if (!files[0].written)
        return OPSHIFT_OK;
    for (size_t i = 1; i < count; i++) {
        const struct listed_model *other = &models->items[files[i].model];
        if (files[i].written)
            return opshift_fail(error, OPSHIFT_USAGE,
                                "%.250s and %.250s: both would be written to one file, %.250s and %.250s; nothing is "
                                "written",
                                first->path, other->path, first->output, other->output);
        if (other != first)
            return opshift_fail(error, OPSHIFT_USAGE,
                                "%.250s: would be written to %.250s, which is another of the models, %.250s; nothing "
                                "is written; name a directory outside of theirs",
                                first->path, first->output, other->path);
    }
    return OPSHIFT_OK;
}

static enum opshift_status check_files(const struct opshift_models *models, struct opshift_error *error)
{
    struct used_file *files = calloc(2 * models->count + 1, sizeof(*files));
    enum opshift_status status = files ? OPSHIFT_OK : opshift_no_memory(error);
    size_t count = 0;
    struct stat found;
    for (size_t i = 0; status == OPSHIFT_OK && i < models->count; i++) {
        if (stat(models->items[i].path, &found) == 0)
            files[count++] = (struct used_file){found.st_dev, found.st_ino, i, false};
        if (stat(models->items[i].output, &found) == 0)
            files[count++] = (struct used_file){found.st_dev, found.st_ino, i, true};
    }
    if (status == OPSHIFT_OK)
        qsort(files, count, sizeof(*files), by_file);
    for (size_t i = 0, end; status == OPSHIFT_OK && i < count; i = end) {
        for (end = i + 1; end < count && files[end].device == files[i].device && files[end].inode == files[i].inode;)
            end++;
        status = check_file(models, &files[i], end - i, error);
    }
    free(files);
    return status;
}

/* directory/name, with another ending if there is one. */
static char *output_of(const char *directory, const char *name, const char *ending)
{
    char *path = NULL;
    size_t size = strlen(name);
    if (ending && size > 5 && strcasecmp(name + size - 5, ".onnx") == 0)
        size -= 5;
    const char *between = text_ends_with(directory, "/") ? "" : "/";
    return asprintf(&path, "%s%s%.*s%s", directory, between, (int)size, name, ending ? ending : "") < 0 ? NULL : path;
}

static int by_output(const void *a, const void *b)
{
    const struct listed_model *one = *(const struct listed_model *const *)a;
    const struct listed_model *other = *(const struct listed_model *const *)b;
    return strcmp(one->output, other->output);
}

/* Names that differ may give one output, once their endings are replaced. */
static enum opshift_status check_outputs(const struct opshift_models *models, struct opshift_error *error)
{
    const struct listed_model **sorted = calloc(models->count + 1, sizeof(*sorted));
    enum opshift_status status = sorted ? OPSHIFT_OK : opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < models->count; i++)
        sorted[i] = &models->items[i];
    if (status == OPSHIFT_OK)
        qsort(sorted, models->count, sizeof(*sorted), by_output);
    for (size_t i = 1; status == OPSHIFT_OK && i < models->count; i++)
        if (strcmp(sorted[i - 1]->output, sorted[i]->output) == 0)
            status = opshift_fail(error, OPSHIFT_USAGE,
                                  "%.300s and %.300s: both would be written to %.300s; nothing is written",
                                  sorted[i - 1]->path, sorted[i]->path, sorted[i]->output);
    free(sorted);
    return status;
}

enum opshift_status opshift_models_set_outputs(struct opshift_models *models, const char *directory, const char *ending,
                                               struct opshift_error *error)
{
    enum opshift_status status = opshift_models_check_names(models, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < models->count; i++) {
        models->items[i].output = output_of(directory, models->items[i].name, ending);
        if (models->items[i].output == NULL)
            status = opshift_no_memory(error);
    }
    if (status == OPSHIFT_OK)
        status = check_outputs(models, error);
    return status == OPSHIFT_OK ? check_files(models, error) : status;
}
