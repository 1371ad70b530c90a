/* Finds models in directories: sorted, so that every run has the same order; without hidden ones and links to
 * directories. */
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "print.h"

#define DEPTH_MAX 256 /* depth of directories */

static const char ending[] = ".onnx";

/* Takes ownership of path; NULL: no memory. */
static enum opshift_status keep(struct paths *paths, char *path, struct opshift_error *error)
{
    if (path && paths->count == paths->room) {
        size_t room = 2 * paths->room + 16;
        char **grown = realloc(paths->items, room * sizeof *grown);
        if (grown == NULL) {
            free(path);
            path = NULL;
        } else {
            paths->items = grown;
            paths->room = room;
        }
    }
    if (path == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    paths->items[paths->count++] = path;
    return OPSHIFT_OK;
}

static char *joined(const char *folder, const char *name)
{
    size_t size = strlen(folder);
    const char *between = size > 0 && folder[size - 1] == '/' ? "" : "/";
    char *path = malloc(size + strlen(name) + 2);
    if (path)
        sprintf(path, "%s%s%s", folder, between, name);
    return path;
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

static enum opshift_status add_folder(struct paths *paths, const char *folder, unsigned depth,
                                      struct opshift_error *error);

/* The entry's type; stat is called if the file system does not tell it. */
static unsigned char entry_type(const struct dirent *entry, const char *path)
{
    struct stat found;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    return lstat(path, &found) == 0 ? IFTODT(found.st_mode) : DT_UNKNOWN;
}

/* A link to a file counts as the file; a link to a directory is skipped, since it may form a cycle. */
static enum opshift_status add_entry(struct paths *paths, const char *folder, const struct dirent *entry,
                                     unsigned depth, struct opshift_error *error)
{
    struct stat behind;
    char *path = joined(folder, entry->d_name);
    if (path == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    unsigned char type = entry_type(entry, path);
    enum opshift_status status = OPSHIFT_OK;
    if (type == DT_DIR) {
        status = add_folder(paths, path, depth + 1, error);
    } else if (type != DT_UNKNOWN && is_model_name(entry->d_name)) {
        bool folder_behind = type == DT_LNK && stat(path, &behind) == 0 && S_ISDIR(behind.st_mode);
        if (!folder_behind) {
            status = keep(paths, path, error);
            path = NULL;
        }
    }
    free(path);
    return status;
}

/* Unreadable entries are reported at once, and the others are still linted. */
static enum opshift_status add_folder(struct paths *paths, const char *folder, unsigned depth,
                                      struct opshift_error *error)
{
    struct dirent **entries = NULL;
    if (depth > DEPTH_MAX) {
        fail(&paths->unread, OPSHIFT_IO, "%.512s: is more than %d folders deep; name a folder nearer to it", folder,
             DEPTH_MAX);
        tell("%s", paths->unread.text);
        return OPSHIFT_OK;
    }
    int count = scandir(folder, &entries, is_shown, by_name);
    if (count < 0 && errno == ENOMEM)
        return fail(error, OPSHIFT_MEMORY, "%.512s: the folder cannot be read: %s", folder, strerror(errno));
    if (count < 0) {
        fail(&paths->unread, OPSHIFT_IO, "%.512s: the folder cannot be read: %s", folder, strerror(errno));
        tell("%s", paths->unread.text);
        return OPSHIFT_OK;
    }
    enum opshift_status status = OPSHIFT_OK;
    for (int i = 0; i < count; i++) {
        if (status == OPSHIFT_OK)
            status = add_entry(paths, folder, entries[i], depth, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum opshift_status paths_add(struct paths *paths, const char *path, struct opshift_error *error)
{
    struct stat found;
    if (strcmp(path, "-") == 0 || stat(path, &found) != 0 || !S_ISDIR(found.st_mode))
        return keep(paths, strdup(path), error);
    if (!paths->recursive)
        return fail(error, OPSHIFT_USAGE, "lint: %.512s is a folder; add -r to lint the models in it", path);
    paths->folders++;
    return add_folder(paths, path, 0, error);
}

/* Adds the names of a list of NUL-terminated names. */
static enum opshift_status add_names(struct paths *paths, const char *list, const char *names, size_t size,
                                     struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    size_t number = 1;
    for (size_t at = 0; status == OPSHIFT_OK && at < size; number++) {
        const char *name = names + at;
        if (*name == '\0')
            return fail(error, OPSHIFT_USAGE, "%.512s: name %zu is empty; write each name once, followed by a NUL",
                        list, number);
        if (strcmp(name, "-") == 0 && strcmp(list, "-") == 0)
            return fail(error, OPSHIFT_USAGE,
                        "%s: name %zu is '-', and standard input is the list itself; write ./- for a file of that name",
                        list, number);
        status = paths_add(paths, name, error);
        at += strlen(name) + 1;
    }
    return status;
}

enum opshift_status paths_add_list(struct paths *paths, const char *list, struct opshift_error *error)
{
    char *names = NULL;
    size_t size = 0;
    enum opshift_status status = opshift_file_read(list, &names, &size, error);
    if (status == OPSHIFT_OK)
        status = add_names(paths, list, names, size, error);
    opshift_text_free(names);
    return status;
}

/* Two names of the same directory entry have the same true name. */
struct true_name {
    char *text;
    size_t index;
};

static int by_text(const void *a, const void *b)
{
    const struct true_name *one = a, *other = b;
    int order = strcmp(one->text, other->text);
    return order ? order : one->index < other->index ? -1 : 1;
}

/* A directory and its real path (NULL: none), cached since consecutive files are mostly in the same one. */
struct directory {
    char *path, *real;
};

static void folder_free(struct directory *folder)
{
    free(folder->path);
    free(folder->real);
    *folder = (struct directory){0};
}

/* Enters the directory of the file. False: no memory. */
static bool folder_enter(struct directory *folder, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    if (folder->path && strncmp(folder->path, path, size) == 0 && folder->path[size] == '\0')
        return true;
    folder_free(folder);
    folder->path = strndup(path, size);
    if (folder->path)
        folder->real = realpath(size ? folder->path : ".", NULL);
    return folder->path != NULL;
}

/* The directory's real path with the file's name: a link and its target stay two files. NULL: no memory. */
static char *true_name(const char *path, struct directory *folder)
{
    const char *slash = strrchr(path, '/');
    if (!folder_enter(folder, path))
        return NULL;
    if (folder->real == NULL || strcmp(path, "-") == 0)
        return strdup(path);
    return joined(folder->real, slash ? slash + 1 : path);
}

static void remove_marked(struct paths *paths)
{
    size_t kept = 0;
    for (size_t i = 0; i < paths->count; i++)
        if (paths->items[i])
            paths->items[kept++] = paths->items[i];
    paths->count = kept;
}

enum opshift_status paths_unite(struct paths *paths, struct opshift_error *error)
{
    struct true_name *names = calloc(paths->count + 1, sizeof *names);
    enum opshift_status status = OPSHIFT_OK;
    size_t count = 0;
    struct directory folder = {0};
    for (; names && count < paths->count; count++) {
        names[count] = (struct true_name){.text = true_name(paths->items[count], &folder), .index = count};
        if (names[count].text == NULL)
            break;
    }
    folder_free(&folder);
    if (names == NULL || count < paths->count)
        status = fail(error, OPSHIFT_MEMORY, "out of memory");
    else
        qsort(names, count, sizeof *names, by_text);
    for (size_t i = 1; status == OPSHIFT_OK && i < count; i++)
        if (strcmp(names[i].text, names[i - 1].text) == 0) {
            free(paths->items[names[i].index]);
            paths->items[names[i].index] = NULL;
        }
    remove_marked(paths);
    for (size_t i = 0; i < count; i++)
        free(names[i].text);
    free(names);
    return status;
}

void paths_free(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    free(paths->items);
    *paths = (struct paths){0};
}
