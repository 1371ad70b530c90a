/* Finds models in directories: sorted, so that every run has the same order; without hidden ones and links to
 * directories. */
#include "many/model_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/list.h"
#include "base/option_struct.h"

#define DEPTH_MAX 256 /* depth of directories */

static const char ending[] = ".onnx";

enum opshift_status opshift_models_new(const struct opshift_models_options *options, struct opshift_models **models,
                                       struct opshift_error *error)
{
    struct opshift_models *made = *models = calloc(1, sizeof(*made));
    if (made == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = OPTIONS_COPY(options, &made->options, error);
    if (status == OPSHIFT_OK && made->options.root) {
        made->root = realpath(made->options.root, NULL);
        if (made->root == NULL)
            status = opshift_fail(error, OPSHIFT_IO, "%.512s: the directory cannot be found: %s", made->options.root,
                                  strerror(errno));
    }
    if (status) {
        opshift_models_free(made);
        *models = NULL;
    }
    return status;
}

char *path_join(const char *directory, const char *name)
{
    size_t size = strlen(directory);
    const char *between = size > 0 && directory[size - 1] == '/' ? "" : "/";
    char *path = malloc(size + strlen(name) + 2);
    if (path)
        sprintf(path, "%s%s%s", directory, between, name);
    return path;
}

/* Without empty parts, "." and a first slash. NULL: no memory. */
static char *path_plain(const char *path)
{
    char *plain = malloc(strlen(path) + 1), *at = plain;
    while (plain && *path) {
        size_t size = strcspn(path, "/");
        if (size > 1 || (size == 1 && *path != '.')) {
            at += sprintf(at, at == plain ? "" : "/");
            memcpy(at, path, size);
            at += size;
        }
        path += size + (path[size] == '/');
    }
    if (plain)
        *at = '\0';
    return plain;
}

static bool leads_out(const char *name)
{
    for (const char *at = strstr(name, ".."); at; at = strstr(at + 1, ".."))
        if ((at == name || at[-1] == '/') && (at[2] == '\0' || at[2] == '/'))
            return true;
    return *name == '\0';
}

/* Takes ownership of both; path NULL: no memory. */
static enum opshift_status keep(struct opshift_models *models, char *path, char *name, struct opshift_error *error)
{
    if (path == NULL || !list_grow(&models->items, models->count, &models->room, sizeof(*models->items))) {
        free(path);
        free(name);
        return opshift_no_memory(error);
    }
    models->items[models->count++] = (struct listed_model){.path = path, .name = name};
    return OPSHIFT_OK;
}

/* The name of a file that no directory was searched for: relative to the root, if there is one. */
static char *name_of(const struct opshift_models *models, const char *path, bool listed)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (path == NULL)
        return NULL;
    if (models->root == NULL)
        return listed ? path_plain(path) : strdup(slash ? slash + 1 : path);
    char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *real = directory ? realpath(directory, NULL) : NULL;
    char *whole = real ? path_join(real, slash ? slash + 1 : path) : NULL, *name = NULL;
    size_t size = strlen(models->root);
    if (whole && strncmp(whole, models->root, size) == 0 && (whole[size] == '/' || size == 1))
        name = path_plain(whole + size);
    free(whole);
    free(real);
    free(directory);
    return name;
}

static bool is_model_name(const char *name)
{
    size_t size = strlen(name);
    return size >= sizeof ending - 1 && strcasecmp(name + size - (sizeof ending - 1), ending) == 0;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* strcmp instead of strcoll: the order must not depend on the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* A directory that is searched: its path, and the size of the path of the root. */
struct searched {
    const char *path;
    size_t root;
    unsigned depth;
};

static enum opshift_status search(struct opshift_models *models, struct searched directory,
                                  struct opshift_error *error);

/* The entry's type; stat is called if the file system does not give it. */
static unsigned char entry_type(const struct dirent *entry, const char *path)
{
    struct stat found;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    return lstat(path, &found) == 0 ? IFTODT(found.st_mode) : DT_UNKNOWN;
}

/* Keeps a path below a searched directory. */
static enum opshift_status keep_below(struct opshift_models *models, size_t root, char *path,
                                      struct opshift_error *error)
{
    char *name = models->root ? name_of(models, path, true) : path_plain(path + root);
    return keep(models, path, name, error);
}

/* Is it the directory that is not to be searched? */
static bool is_except(const struct opshift_models *models, const char *path)
{
    struct stat found, except;
    return models->options.leave_out && stat(models->options.leave_out, &except) == 0 && stat(path, &found) == 0 &&
           found.st_dev == except.st_dev && found.st_ino == except.st_ino;
}

/* A link to a file counts as the file; a link to a directory is skipped, since it may form a cycle. */
static enum opshift_status add_entry(struct opshift_models *models, struct searched directory,
                                     const struct dirent *entry, struct opshift_error *error)
{
    struct stat behind;
    char *path = path_join(directory.path, entry->d_name);
    if (path == NULL)
        return opshift_no_memory(error);
    unsigned char type = entry_type(entry, path);
    enum opshift_status status = OPSHIFT_OK;
    if (type == DT_DIR && is_except(models, path)) {
        status = OPSHIFT_OK;
    } else if (type == DT_DIR) {
        status = search(models, (struct searched){path, directory.root, directory.depth + 1}, error);
    } else if (!models->options.cases && type != DT_UNKNOWN && is_model_name(entry->d_name)) {
        bool directory_behind = type == DT_LNK && stat(path, &behind) == 0 && S_ISDIR(behind.st_mode);
        if (!directory_behind) {
            status = keep_below(models, directory.root, path, error);
            path = NULL;
        }
    }
    free(path);
    return status;
}

/* The others are searched all the same. */
static enum opshift_status leave_unread(struct opshift_models *models, const struct opshift_error *why)
{
    models->unread = OPSHIFT_IO;
    if (models->options.unread)
        models->options.unread(models->options.unread_data, why->text);
    return OPSHIFT_OK;
}

static bool is_case(const char *directory)
{
    char *path = path_join(directory, "model.onnx");
    bool found = path && access(path, F_OK) == 0;
    free(path);
    return found;
}

/* Unreadable entries are reported at once. */
static enum opshift_status search(struct opshift_models *models, struct searched directory, struct opshift_error *error)
{
    struct dirent **entries = NULL;
    struct opshift_error why = {0};
    if (models->options.cases && is_case(directory.path))
        return keep_below(models, directory.root, strdup(directory.path), error);
    if (directory.depth > DEPTH_MAX) {
        opshift_fail(&why, OPSHIFT_IO, "%.512s: is more than %d directories deep; name a directory nearer to it",
                     directory.path, DEPTH_MAX);
        return leave_unread(models, &why);
    }
    int count = scandir(directory.path, &entries, is_shown, by_name);
    if (count < 0) {
        bool full = errno == ENOMEM;
        opshift_fail(&why, full ? OPSHIFT_MEMORY : OPSHIFT_IO, "%.512s: the directory cannot be read: %s",
                     directory.path, strerror(errno));
        return full ? error_give(error, why.status, &why) : leave_unread(models, &why);
    }
    enum opshift_status status = OPSHIFT_OK;
    for (int i = 0; i < count; i++) {
        if (status == OPSHIFT_OK)
            status = add_entry(models, directory, entries[i], error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static enum opshift_status add(struct opshift_models *models, const char *path, bool listed,
                               struct opshift_error *error)
{
    struct stat found;
    if (strcmp(path, "-") == 0 || stat(path, &found) != 0 || !S_ISDIR(found.st_mode) ||
        (models->options.cases && is_case(path)))
        return keep(models, strdup(path), name_of(models, path, listed), error);
    const char *who = models->options.who ? models->options.who : "opshift";
    if (!models->options.recursive)
        return opshift_fail(error, OPSHIFT_USAGE, "%s: %.512s is a directory; add -r to %s the models in it", who, path,
                            who);
    models->directories++;
    return search(models, (struct searched){.path = path, .root = strlen(path)}, error);
}

enum opshift_status opshift_models_add(struct opshift_models *models, const char *path, struct opshift_error *error)
{
    return add(models, path, false, error);
}

enum opshift_status opshift_models_add_list(struct opshift_models *models, const char *list,
                                            struct opshift_error *error)
{
    char *names = NULL;
    size_t size = 0, number = 1;
    enum opshift_status status = opshift_file_read(list, &names, &size, error);
    for (size_t at = 0; status == OPSHIFT_OK && at < size; number++) {
        const char *name = names + at;
        if (*name == '\0')
            status = opshift_fail(error, OPSHIFT_USAGE,
                                  "%.512s: name %zu is empty; write each name once, followed by a NUL", list, number);
        else if (strcmp(name, "-") == 0 && strcmp(list, "-") == 0)
            status = opshift_fail(
                error, OPSHIFT_USAGE,
                "%s: name %zu is '-', and standard input is the list itself; write ./- for a file of that name", list,
                number);
        else
            status = add(models, name, true, error);
        at += strlen(name) + 1;
    }
    opshift_text_free(names);
    return status;
}

/* ---- duplicates ---- */

/* A directory entry: the same one for two paths to it, while a link and its target are two. */
struct true_entry {
    dev_t device; /* of the directory; 0: there is none, and the name is the path */
    ino_t inode;
    const char *name;
    size_t index;
};

static int by_entry(const void *a, const void *b)
{
    const struct true_entry *one = a, *other = b;
    if (one->device != other->device)
        return one->device < other->device ? -1 : 1;
    if (one->inode != other->inode)
        return one->inode < other->inode ? -1 : 1;
    return strcmp(one->name, other->name);
}

static int by_entry_and_index(const void *a, const void *b)
{
    const struct true_entry *one = a, *other = b;
    int order = by_entry(a, b);
    return order ? order : one->index < other->index ? -1 : 1;
}

/* Mostly consecutive files are in the same directory. NULL: no memory. */
static struct true_entry *entries_make(const struct opshift_models *models)
{
    struct true_entry *entries = calloc(models->count + 1, sizeof(*entries));
    char *before = NULL;
    struct stat found = {0};
    for (size_t i = 0; entries && i < models->count; i++) {
        const char *path = models->items[i].path, *slash = strrchr(path, '/');
        size_t size = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
        if (before == NULL || strncmp(before, path, size) != 0 || before[size] != '\0') {
            free(before);
            before = strndup(path, size);
            if (before == NULL || stat(size ? before : ".", &found) != 0)
                found = (struct stat){0};
        }
        bool known = found.st_ino != 0 && strcmp(path, "-") != 0;
        entries[i] = (struct true_entry){.name = known && slash ? slash + 1 : path, .index = i};
        entries[i].device = known ? found.st_dev : 0;
        entries[i].inode = known ? found.st_ino : 0;
    }
    free(before);
    return entries;
}

static void model_free(struct listed_model *model)
{
    free(model->path);
    free(model->name);
    free(model->output);
    *model = (struct listed_model){0};
}

static void remove_marked(struct opshift_models *models)
{
    size_t kept = 0;
    for (size_t i = 0; i < models->count; i++)
        if (models->items[i].path)
            models->items[kept++] = models->items[i];
    models->count = kept;
}

enum opshift_status opshift_models_unite(struct opshift_models *models, struct opshift_error *error)
{
    struct true_entry *entries = entries_make(models);
    if (entries == NULL)
        return opshift_no_memory(error);
    qsort(entries, models->count, sizeof(*entries), by_entry_and_index);
    for (size_t i = models->count; i-- > 1;)
        if (by_entry(&entries[i - 1], &entries[i]) == 0)
            model_free(&models->items[entries[i].index]);
    free(entries);
    remove_marked(models);
    return OPSHIFT_OK;
}

/* ---- names, and the share of one shard ---- */

static int by_listed_name(const void *a, const void *b)
{
    const struct listed_model *one = *(const struct listed_model *const *)a;
    const struct listed_model *other = *(const struct listed_model *const *)b;
    int order = strcmp(one->name, other->name);
    return order ? order : strcmp(one->path, other->path);
}

enum opshift_status opshift_models_check_names(const struct opshift_models *models, struct opshift_error *error)
{
    const struct listed_model **sorted = calloc(models->count + 1, sizeof(*sorted));
    enum opshift_status status = sorted ? OPSHIFT_OK : opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < models->count; i++) {
        sorted[i] = &models->items[i];
        if (strcmp(sorted[i]->path, "-") == 0)
            status = opshift_fail(error, OPSHIFT_USAGE,
                                  "standard input has no name among many models; give the model as a file");
        else if (sorted[i]->name == NULL || leads_out(sorted[i]->name))
            status = opshift_fail(error, OPSHIFT_USAGE,
                                  "%.512s: is not below the directory that names are relative to; give --root "
                                  "DIRECTORY, a directory that holds all models",
                                  sorted[i]->path);
    }
    if (status == OPSHIFT_OK)
        qsort(sorted, models->count, sizeof(*sorted), by_listed_name);
    for (size_t i = 1; status == OPSHIFT_OK && i < models->count; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            status = opshift_fail(error, OPSHIFT_USAGE,
                                  "%.300s and %.300s: two models have the name '%.300s'; give --root DIRECTORY, a "
                                  "directory that holds both",
                                  sorted[i - 1]->path, sorted[i]->path, sorted[i]->name);
    free(sorted);
    return status;
}

enum opshift_status opshift_models_keep_shard(struct opshift_models *models, const struct opshift_shard *shard,
                                              struct opshift_error *error)
{
    enum opshift_status status = opshift_models_check_names(models, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < models->count; i++)
        if (opshift_shard_of(models->items[i].name, shard->count) != shard->index)
            model_free(&models->items[i]);
    remove_marked(models);
    return status;
}

size_t opshift_models_count(const struct opshift_models *models)
{
    return models->count;
}

const char *opshift_models_path(const struct opshift_models *models, size_t index)
{
    return index < models->count ? models->items[index].path : NULL;
}

const char *opshift_models_name(const struct opshift_models *models, size_t index)
{
    return index < models->count ? models->items[index].name : NULL;
}

const char *opshift_models_output(const struct opshift_models *models, size_t index)
{
    return index < models->count ? models->items[index].output : NULL;
}

size_t opshift_models_directories(const struct opshift_models *models)
{
    return models->directories;
}

enum opshift_status opshift_models_unread(const struct opshift_models *models)
{
    return models->unread;
}

void opshift_models_free(struct opshift_models *models)
{
    for (size_t i = 0; models && i < models->count; i++)
        model_free(&models->items[i]);
    if (models) {
        free(models->items);
        free(models->root);
    }
    free(models);
}
