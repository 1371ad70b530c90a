/* A YAML file as a small tree: scalars, lists and maps, each knowing its place for messages. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include "base/arena.h"
#include "base/error.h"

#define TREE_BYTES_MAX ((size_t)1 << 20)
#define TREE_DEPTH_MAX 8
#define TREE_KEYS_MAX  64 /* in one map */

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree {
    enum tree_kind kind;
    unsigned line, column;     /* from 1 */
    const char *text;          /* a scalar */
    unsigned text_line;        /* where the text itself begins: the line after a block's | or > */
    struct tree *first, *next; /* a list's or map's children, in order */
    uint32_t count;            /* of them */
    const char *key;           /* in a map: what this value is called */
    unsigned key_line, key_column;
};

/* "a scalar", "a list", "a map" */
const char *tree_kind_name(enum tree_kind kind);
/* The value of a key; NULL: there is none. */
struct tree *tree_find(const struct tree *map, const char *key);

/* USAGE, "name:line:column: ..." */
enum opshift_status tree_fail(struct opshift_error *error, const char *name, unsigned line, unsigned column,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Reads one document. USAGE: no YAML, or YAML that our files do without: anchors, aliases, tags, several documents. */
enum opshift_status tree_parse(const char *data, size_t size, const char *name, struct arena *arena, struct tree **tree,
                               struct opshift_error *error);

#endif
