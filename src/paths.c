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

static char *joined(const char *directory, const char *name)
{
    size_t size = strlen(directory);
    const char *between = size > 0 && directory[size - 1] == '/' ? "" : "/";
    char *path = malloc(size + strlen(name) + 2);
    if (path)
        sprintf(path, "%s%s%s", directory, between, name);
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

static enum opshift_status add_directory(struct paths *paths, const char *directory, unsigned depth,
                                         struct opshift_error *error);

/* The entry's type; stat is called if the file system does not give it. */
static unsigned char entry_type(const struct dirent *entry, const char *path)
{
    struct stat found;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    return lstat(path, &found) == 0 ? IFTODT(found.st_mode) : DT_UNKNOWN;
}

/* A link to a file counts as the file; a link to a directory is skipped, since it may form a cycle. */
static enum opshift_status add_entry(struct paths *paths, const char *directory, const struct dirent *entry,
                                     unsigned depth, struct opshift_error *error)
{
    struct stat behind;
    char *path = joined(directory, entry->d_name);
    if (path == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    unsigned char type = entry_type(entry, path);
    enum opshift_status status = OPSHIFT_OK;
    if (type == DT_DIR) {
        status = add_directory(paths, path, depth + 1, error);
    } else if (type != DT_UNKNOWN && is_model_name(entry->d_name)) {
        bool directory_behind = type == DT_LNK && stat(path, &behind) == 0 && S_ISDIR(behind.st_mode);
        if (!directory_behind) {
            status = keep(paths, path, error);
            path = NULL;
        }
    }
    free(path);
    return status;
}

/* Unreadable entries are reported at once, and the others are still linted. */
static enum opshift_status add_directory(struct paths *paths, const char *directory, unsigned depth,
                                         struct opshift_error *error)
{
    struct dirent **entries = NULL;
    if (depth > DEPTH_MAX) {
        fail(&paths->unread, OPSHIFT_IO, "%.512s: is more than %d directories deep; name a directory nearer to it",
             directory, DEPTH_MAX);
        tell("%s", paths->unread.text);
        return OPSHIFT_OK;
    }
    int count = scandir(directory, &entries, is_shown, by_name);
    if (count < 0 && errno == ENOMEM)
        return fail(error, OPSHIFT_MEMORY, "%.512s: the directory cannot be read: %s", directory, strerror(errno));
    if (count < 0) {
        fail(&paths->unread, OPSHIFT_IO, "%.512s: the directory cannot be read: %s", directory, strerror(errno));
        tell("%s", paths->unread.text);
        return OPSHIFT_OK;
    }
    enum opshift_status status = OPSHIFT_OK;
    for (int i = 0; i < count; i++) {
        if (status == OPSHIFT_OK)
            status = add_entry(paths, directory, entries[i], depth, error);
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
        return fail(error, OPSHIFT_USAGE, "lint: %.512s is a directory; add -r to lint the models in it", path);
    paths->directories++;
    return add_directory(paths, path, 0, error);
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

static void directory_free(struct directory *directory)
{
    free(directory->path);
    free(directory->real);
    *directory = (struct directory){0};
}

/* Enters the directory of the file. False: no memory. */
static bool directory_enter(struct directory *directory, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    if (directory->path && strncmp(directory->path, path, size) == 0 && directory->path[size] == '\0')
        return true;
    directory_free(directory);
    directory->path = strndup(path, size);
    if (directory->path)
        directory->real = realpath(size ? directory->path : ".", NULL);
    return directory->path != NULL;
}

/* The directory's real path with the file's name: a link and its target stay two files. NULL: no memory. */
static char *true_name(const char *path, struct directory *directory)
{
    const char *slash = strrchr(path, '/');
    if (!directory_enter(directory, path))
        return NULL;
    if (directory->real == NULL || strcmp(path, "-") == 0)
        return strdup(path);
    return joined(directory->real, slash ? slash + 1 : path);
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
    struct directory directory = {0};
    for (; names && count < paths->count; count++) {
        names[count] = (struct true_name){.text = true_name(paths->items[count], &directory), .index = count};
        if (names[count].text == NULL)
            break;
    }
    directory_free(&directory);
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
