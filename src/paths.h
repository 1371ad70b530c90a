/* Which files the arguments mean: files, folders of models, lists of names. */
#ifndef SRC_PATHS_H
#define SRC_PATHS_H

#include "command.h"

/* The files, each once, in order; a folder's models are sorted. Start with {0}. */
struct paths {
    char **items;
    size_t count, room;
    bool recursive;              /* a folder means the models in it and below */
    size_t folders;              /* that were looked through */
    struct opshift_error unread; /* the last folder that could not be: it was told, and the others were */
};

/* A file, whatever it is called and whether it is there or not; "-", standard input; or a folder (USAGE where these are
 * not asked for). IO, MEMORY. */
enum opshift_status paths_add(struct paths *paths, const char *path, struct opshift_error *error);
/* Names with a NUL after each, from a file or standard input ("-"). USAGE, IO, MEMORY. */
enum opshift_status paths_add_list(struct paths *paths, const char *list, struct opshift_error *error);
/* Leaves each file only where it was named first. MEMORY. */
enum opshift_status paths_unite(struct paths *paths, struct opshift_error *error);
void paths_free(struct paths *paths);

#endif
