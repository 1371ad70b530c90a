/* The hash of a model and its external data, by which a journal recognizes what was done. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/descriptor.h"
#include "base/sha256.h"
#include "many/model_list.h"
#include "many/outcome.h"
#include "model/external.h"
#include "model/external_set.h"

#define DEPTH_MAX 16 /* of directories */

enum opshift_status file_hash(const char *path, char text[SHA256_TEXT_SIZE], uint64_t *size,
                              struct opshift_error *error)
{
    struct source *source = NULL;
    enum opshift_status status = source_open(path, &source, error);
    if (status == OPSHIFT_OK)
        status = sha256_source(source, text, error);
    if (status == OPSHIFT_OK && size)
        *size = source_size(source);
    source_free(source);
    return status == OPSHIFT_OK ? status : opshift_within(error, status, "%.512s", path);
}

/* A file that is missing or not allowed counts as such: it may be there another time. */
static enum opshift_status external_add(struct sha256 *hash, const struct opshift_model *model, const char *location,
                                        struct opshift_error *error)
{
    char text[SHA256_TEXT_SIZE] = "";
    struct external_file file;
    struct source *source = NULL;
    enum opshift_status status = OPSHIFT_OK;
    external_look(model->directory, model->external, location, &file);
    if (file.state == EXTERNAL_THERE) {
        status = source_open_descriptor(file.descriptor, &source, error);
        if (status == OPSHIFT_OK)
            status = sha256_source(source, text, error);
        source_free(source);
    }
    descriptor_close(file.descriptor);
    sha256_add(hash, location, strlen(location) + 1);
    sha256_add(hash, text, strlen(text) + 1);
    return status;
}

static int is_file(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static enum opshift_status entry_add(struct sha256 *hash, const char *directory, const char *name, unsigned depth,
                                     struct opshift_error *error);

/* Names and contents of all files in a directory. */
static enum opshift_status directory_add(struct sha256 *hash, const char *directory, unsigned depth,
                                         struct opshift_error *error)
{
    struct dirent **entries = NULL;
    int count = depth < DEPTH_MAX ? scandir(directory, &entries, is_file, by_name) : 0;
    if (count < 0)
        return opshift_fail(error, OPSHIFT_IO, "%.512s: the directory cannot be read: %s", directory, strerror(errno));
    enum opshift_status status = OPSHIFT_OK;
    for (int i = 0; i < count; i++) {
        if (status == OPSHIFT_OK)
            status = entry_add(hash, directory, entries[i]->d_name, depth, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* Other things than files and directories have a name only. */
static enum opshift_status entry_add(struct sha256 *hash, const char *directory, const char *name, unsigned depth,
                                     struct opshift_error *error)
{
    char text[SHA256_TEXT_SIZE] = "", *path = path_join(directory, name);
    struct stat found;
    enum opshift_status status = path ? OPSHIFT_OK : opshift_no_memory(error);
    sha256_add(hash, name, strlen(name) + 1);
    if (path && stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        status = directory_add(hash, path, depth + 1, error);
    else if (path && stat(path, &found) == 0 && S_ISREG(found.st_mode))
        status = file_hash(path, text, NULL, error);
    sha256_add(hash, text, sizeof(text));
    free(path);
    return status;
}

static enum opshift_status directory_hash(const char *path, char hash[OPSHIFT_HASH_SIZE], struct opshift_error *error)
{
    struct sha256 whole;
    sha256_start(&whole);
    enum opshift_status status = directory_add(&whole, path, 0, error);
    sha256_end(&whole, hash);
    return status;
}

/* What cannot be opened as a model has the hash of its bytes alone. */
enum opshift_status opshift_model_hash(const char *path, const struct opshift_open_options *options,
                                       char hash[OPSHIFT_HASH_SIZE], struct opshift_error *error)
{
    struct opshift_error why = {0};
    struct opshift_model *model = NULL;
    struct external_set files = {0};
    struct sha256 whole;
    struct stat found;
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return directory_hash(path, hash, error);
    enum opshift_status status = file_hash(path, hash, NULL, error);
    if (status == OPSHIFT_OK && opshift_model_open(path, options, &model, &why) != OPSHIFT_OK)
        return OPSHIFT_OK;
    if (status == OPSHIFT_OK && external_is_possible(model) && model->directory)
        status = external_set_look(model, &files, error);
    if (status == OPSHIFT_OK && files.count > 0) {
        sha256_start(&whole);
        sha256_add(&whole, hash, OPSHIFT_HASH_SIZE);
        for (size_t i = 0; status == OPSHIFT_OK && i < files.count; i++)
            status = external_add(&whole, model, files.list[i].location, error);
        sha256_end(&whole, hash);
    }
    external_set_free(&files);
    opshift_model_free(model);
    return status;
}
