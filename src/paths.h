/* The files that the arguments name: files, directories of models, lists of names. */
#ifndef SRC_PATHS_H
#define SRC_PATHS_H

#include "command.h"

/* The files, without duplicates, in order; a directory's models are sorted. Start with {0}. */
struct paths {
    char **items;
    size_t count, room;
    bool recursive;              /* search directories for models */
    size_t directories;          /* number of directories searched */
    struct opshift_error unread; /* error of the last unreadable directory; it was reported */
};

/* Adds a file, whether it exists or not; "-", standard input; or a directory (USAGE if not recursive). IO, MEMORY. */
enum opshift_status paths_add(struct paths *paths, const char *path, struct opshift_error *error);
/* Adds NUL-terminated names from a file or standard input ("-"). USAGE, IO, MEMORY. */
enum opshift_status paths_add_list(struct paths *paths, const char *list, struct opshift_error *error);
/* Removes duplicates, keeping the first. MEMORY. */
enum opshift_status paths_unite(struct paths *paths, struct opshift_error *error);
void paths_free(struct paths *paths);

#endif
