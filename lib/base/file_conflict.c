/* Finds conflicts between output files, and between outputs and files that are read. */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/descriptor.h"
#include "base/destination.h"
#include "base/list.h"

struct files_entry {
    char *what, *path;
    struct file_identity identity;
};

struct opshift_files {
    char *who;
    struct files_entry *list;
    uint32_t count, room;
};

/* ---- what a path names ---- */

void file_identity_free(struct file_identity *identity)
{
    free(identity->directory);
    free(identity->rest);
    *identity = (struct file_identity){0};
}

void file_identify_open(const struct stat *file, struct file_identity *identity)
{
    identity->exists = true;
    identity->device = file->st_dev;
    identity->inode = file->st_ino;
    identity->mode = file->st_mode;
}

/* Removes empty components and "." in place. */
static void rest_simplify(char *rest)
{
    char *to = rest;
    for (const char *from = rest; *from;) {
        size_t size = strcspn(from, "/");
        const char *next = from + size + (from[size] == '/');
        if (size > 0 && !(size == 1 && *from == '.')) {
            if (to > rest)
                *to++ = '/';
            memmove(to, from, size);
            to += size;
        }
        from = next;
    }
    *to = '\0';
}

/* Does the errno describe the path (missing, not accessible), not a temporary failure? */
static bool is_answer(int why)
{
    return why == ENOENT || why == ENOTDIR || why == EACCES || why == ELOOP || why == ENAMETOOLONG;
}

/* Splits a path after the innermost existing directory; modifies copied. */
static enum opshift_status place_find(char *copied, struct file_identity *identity, struct opshift_error *error)
{
    const char *whole = copied;
    for (size_t size = strlen(copied);;) {
        while (size > 0 && copied[size - 1] != '/')
            size--;
        const char *rest = whole + size;
        char *directory = size == 0 ? strdup(".") : strndup(copied, size);
        identity->rest = strdup(rest);
        if (directory == NULL || identity->rest == NULL) {
            free(directory);
            return opshift_no_memory(error);
        }
        identity->directory = realpath(directory, NULL);
        int why = errno;
        free(directory);
        if (identity->directory == NULL && why == ENOMEM)
            return opshift_no_memory(error);
        if (identity->directory == NULL && !is_answer(why))
            return opshift_fail(error, OPSHIFT_IO, "%s: cannot stat its directory: %s", whole, strerror(why));
        if (identity->directory != NULL || (why != ENOENT && why != ENOTDIR) || size == 0)
            return OPSHIFT_OK;
        free(identity->rest);
        identity->rest = NULL;
        while (size > 0 && copied[size - 1] == '/')
            size--;
        if (size == 0)
            return OPSHIFT_OK;
    }
}

static enum opshift_status place_identify(const char *path, struct file_identity *identity, struct opshift_error *error)
{
    struct stat directory;
    char *copied = strdup(path);
    enum opshift_status status = copied ? place_find(copied, identity, error) : opshift_no_memory(error);
    free(copied);
    if (status || identity->directory == NULL || stat(identity->directory, &directory) != 0)
        return status;
    rest_simplify(identity->rest);
    identity->has_place = true;
    identity->directory_device = directory.st_dev;
    identity->directory_inode = directory.st_ino;
    return OPSHIFT_OK;
}

enum opshift_status file_identify(const char *path, struct file_identity *identity, struct opshift_error *error)
{
    struct stat file;
    if (strcmp(path, "-") == 0) {
        identity->is_stdout = true;
        if (fstat(STDOUT_FILENO, &file) == 0)
            file_identify_open(&file, identity);
        return OPSHIFT_OK;
    }
    if (stat(path, &file) == 0)
        file_identify_open(&file, identity);
    else if (!is_answer(errno))
        return opshift_fail(error, OPSHIFT_IO, "%s: cannot stat: %s", path, strerror(errno));
    return place_identify(path, identity, error);
}

enum opshift_status file_identify_below(const char *directory, const char *path, struct file_identity *identity,
                                        struct opshift_error *error)
{
    struct stat about;
    identity->directory = realpath(directory, NULL);
    if (identity->directory == NULL)
        return errno == ENOMEM ? opshift_no_memory(error) : OPSHIFT_OK;
    identity->rest = strdup(path);
    if (identity->rest == NULL)
        return opshift_no_memory(error);
    if (stat(identity->directory, &about) != 0)
        return OPSHIFT_OK;
    rest_simplify(identity->rest);
    identity->has_place = true;
    identity->directory_device = about.st_dev;
    identity->directory_inode = about.st_ino;
    return OPSHIFT_OK;
}

/* ---- are two the same? ---- */

/* Could two names be equal on a case-insensitive file system? Non-ASCII letters may match any. */
static bool may_fold(const char *a, const char *b)
{
    for (;; a++, b++) {
        while ((uint8_t)*a >= 0x80)
            a++;
        while ((uint8_t)*b >= 0x80)
            b++;
        if (ascii_lower(*a) != ascii_lower(*b))
            return false;
        if (*a == '\0')
            return true;
    }
}

/* Tests whether the file system is case-insensitive, by creating a file of such a name. */
static bool does_fold(const char *directory, const char *a, size_t a_size, const char *b, size_t b_size)
{
    struct stat made, found;
    char name[NAME_MAX + 1], other[NAME_MAX + 1];
    char *random = temporary_name("");
    int at = open(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY), file = -1;
    bool folds = false;
    if (random && at >= 0 && a_size + strlen(random) < sizeof(name) && b_size + strlen(random) < sizeof(other)) {
        snprintf(name, sizeof(name), ".%.*s%s", (int)a_size, a, random + 1);
        snprintf(other, sizeof(other), ".%.*s%s", (int)b_size, b, random + 1);
        file = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    }
    if (file >= 0) {
        folds = fstat(file, &made) == 0 && fstatat(at, other, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
                made.st_dev == found.st_dev && made.st_ino == found.st_ino;
        unlinkat(at, name, 0);
    }
    descriptor_close(file);
    descriptor_close(at);
    free(random);
    return folds;
}

/* Compares paths below one directory by the first component that differs. */
static bool is_same_rest(const char *directory, const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    if (!may_fold(a, b))
        return false;
    for (;;) {
        size_t a_size = strcspn(a, "/"), b_size = strcspn(b, "/");
        bool differs = a_size != b_size || memcmp(a, b, a_size) != 0;
        if (differs && !does_fold(directory, a, a_size, b, b_size))
            return false;
        if (a[a_size] == '\0' || b[b_size] == '\0')
            return a[a_size] == b[b_size];
        a += a_size + 1;
        b += b_size + 1;
    }
}

/* Compares places of files that do not exist yet. */
static bool is_same_place(const struct file_identity *a, const struct file_identity *b)
{
    const char *parts[2][2] = {{a->directory, a->rest}, {b->directory, b->rest}};
    char *paths[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++)
        if (asprintf(&paths[i], "%s/%s", strcmp(parts[i][0], "/") == 0 ? "" : parts[i][0], parts[i][1]) < 0)
            paths[i] = NULL;
    bool same = paths[0] && paths[1] && strcmp(paths[0], paths[1]) == 0;
    free(paths[0]);
    free(paths[1]);
    return same;
}

/* Devices never conflict. */
static bool is_same(const struct file_identity *a, const struct file_identity *b)
{
    if (a->is_stdout && b->is_stdout)
        return true;
    if (a->exists && b->exists && !S_ISCHR(a->mode) && a->device == b->device && a->inode == b->inode)
        return true;
    if (!a->has_place || !b->has_place || (a->exists && S_ISCHR(a->mode)) || (b->exists && S_ISCHR(b->mode)))
        return false;
    if (a->directory_device == b->directory_device && a->directory_inode == b->directory_inode)
        return is_same_rest(a->directory, a->rest, b->rest);
    return is_same_place(a, b);
}

/* ---- the files ---- */

enum opshift_status opshift_files_new(const char *who, struct opshift_files **files, struct opshift_error *error)
{
    struct opshift_files *made = calloc(1, sizeof(*made));
    *files = NULL;
    if (made)
        made->who = strdup(who ? who : "");
    if (made == NULL || made->who == NULL) {
        free(made);
        return opshift_no_memory(error);
    }
    *files = made;
    return OPSHIFT_OK;
}

void opshift_files_free(struct opshift_files *files)
{
    for (size_t i = 0; files && i < files->count; i++) {
        free(files->list[i].what);
        free(files->list[i].path);
        file_identity_free(&files->list[i].identity);
    }
    if (files) {
        free(files->list);
        free(files->who);
    }
    free(files);
}

static enum opshift_status same_refuse(const struct opshift_files *files, const struct files_entry *entry,
                                       const char *what, const struct file_identity *identity,
                                       struct opshift_error *error)
{
    const char *colon = *files->who ? ": " : "";
    if (entry->identity.is_stdout && identity->is_stdout)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "%s%s%.200s and %.200s both go to standard output; name a file for one", files->who, colon,
                            entry->what, what);
    return opshift_fail(error, OPSHIFT_USAGE, "%s%s%.200s and %.200s are the same file, '%.400s'; name another one",
                        files->who, colon, entry->what, what, entry->path);
}

enum opshift_status files_check(const struct opshift_files *files, const char *what,
                                const struct file_identity *identity, const char *but, struct opshift_error *error)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct files_entry *entry = &files->list[i];
        if (but && strcmp(entry->what, but) == 0)
            continue;
        if (is_same(&entry->identity, identity))
            return same_refuse(files, entry, what, identity, error);
    }
    return OPSHIFT_OK;
}

bool files_are_none(const struct opshift_files *files)
{
    return files->count == 0;
}

static bool entry_add(struct opshift_files *files, const char *what, const char *path, struct file_identity *identity)
{
    if (!list_grow(&files->list, files->count, &files->room, sizeof(*files->list)))
        return false;
    struct files_entry *entry = &files->list[files->count];
    *entry = (struct files_entry){strdup(what), strdup(path), *identity};
    if (entry->what == NULL || entry->path == NULL) {
        free(entry->what);
        free(entry->path);
        return false;
    }
    *identity = (struct file_identity){0};
    files->count++;
    return true;
}

enum opshift_status opshift_files_add(struct opshift_files *files, const char *what, const char *path,
                                      struct opshift_error *error)
{
    struct file_identity identity = {0};
    enum opshift_status status = file_identify(path, &identity, error);
    if (status == OPSHIFT_OK)
        status = files_check(files, what, &identity, NULL, error);
    if (status == OPSHIFT_OK && !entry_add(files, what, path, &identity))
        status = opshift_no_memory(error);
    file_identity_free(&identity);
    return status;
}

enum opshift_status opshift_files_check(const struct opshift_files *files, const char *what, const char *path,
                                        const char *but, struct opshift_error *error)
{
    struct file_identity identity = {0};
    if (files->count == 0 || strcmp(path, "-") == 0) /* standard input */
        return OPSHIFT_OK;
    enum opshift_status status = file_identify(path, &identity, error);
    if (status == OPSHIFT_OK)
        status = files_check(files, what, &identity, but, error);
    file_identity_free(&identity);
    return status;
}
