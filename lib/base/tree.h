/* A YAML file as a tree of scalars, lists and maps, with their places for messages. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include "base/arena.h"
#include "base/error.h"

#define TREE_BYTES_MAX ((size_t)1 << 20)
#define TREE_DEPTH_MAX 8
#define TREE_KEYS_MAX  64 /* in one map */

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP, TREE_ANY };

struct tree {
    enum tree_kind kind;
    unsigned line, column; /* from 1 */
    const char *text;      /* a scalar */
    /* Where the text itself begins: behind a quote, or in the line after a block's | or >; then every line starts at
     * this column. */
    unsigned text_line, text_column;
    struct tree *first, *next; /* a list's or map's children, in order */
    uint32_t count;            /* of them */
    const char *key;           /* in a map: the key of this value */
    unsigned key_line, key_column;
};

/* "a scalar", "a list", "a map" */
const char *tree_kind_name(enum tree_kind kind);
/* The value of a key; NULL: no such key. */
struct tree *tree_find(const struct tree *map, const char *key);

/* USAGE, "name:line:column: ..." */
enum opshift_status tree_fail(struct opshift_error *error, const char *name, unsigned line, unsigned column,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ---- what a file must consist of ---- */

/* The file being read, and the error to fill. */
struct tree_place {
    const char *file;
    struct opshift_error *error;
};

/* Reports a mistake at a value, or at its key. */
#define TREE_FAIL(place, value, ...)                                                                                   \
    tree_fail((place)->error, (place)->file, (value)->line, (value)->column, __VA_ARGS__)
#define TREE_FAIL_KEY(place, value, ...)                                                                               \
    tree_fail((place)->error, (place)->file, (value)->key_line, (value)->key_column, __VA_ARGS__)

/* A key that a map may have. A scalar must not be empty; TREE_ANY: its reader checks the kind. */
struct tree_key {
    const char *name;
    enum tree_kind kind;
    bool required;
};

/* USAGE: it is of another kind. what: describes the expected value in messages. */
enum opshift_status tree_expect_kind(const struct tree_place *place, const struct tree *value, enum tree_kind kind,
                                     const char *what);
/* Expects a non-empty scalar. */
enum opshift_status tree_expect_text(const struct tree_place *place, const struct tree *value, const char *what);
/* Expects a map with these keys and no others. what: describes the map in messages, "a rule". */
enum opshift_status tree_expect_keys(const struct tree_place *place, const struct tree *map,
                                     const struct tree_key *keys, size_t count, const char *what);
/* NULL: no such key. */
const struct tree_key *tree_key_find(const struct tree_key *keys, size_t count, const char *name);

/* ---- reading ---- */

/* Parses one document. USAGE: invalid YAML, or features that are refused: anchors, aliases, tags, several documents. */
enum opshift_status tree_parse(const char *data, size_t size, const char *name, struct arena *arena, struct tree **tree,
                               struct opshift_error *error);

#endif
