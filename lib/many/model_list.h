/* The list of models that arguments name. */
#ifndef MANY_MODEL_LIST_H
#define MANY_MODEL_LIST_H

#include "base/error.h"

#define SHARDS_MOST 1000000

struct listed_model {
    char *path;
    char *name;   /* relative to the root; NULL: the path leads out of it */
    char *output; /* NULL: none */
};

struct opshift_models {
    struct opshift_models_options options;
    struct listed_model *items;
    uint32_t room;
    size_t count;
    size_t directories; /* searched */
    enum opshift_status unread;
    char *root; /* of options.root, links resolved; NULL: none */
};

/* directory/name. NULL: no memory. */
char *path_join(const char *directory, const char *name);

#endif
