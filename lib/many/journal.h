/* A journal as it is read: what it tells of each model. */
#ifndef MANY_JOURNAL_H
#define MANY_JOURNAL_H

#include <jansson.h>

#include "base/table.h"
#include "many/outcome.h"

struct journal_entry {
    char *name;
    char *line; /* of the last end; NULL: none */
    size_t line_size;
    uint64_t attempts;            /* begun so often */
    bool open;                    /* begun after the last end */
    enum opshift_outcome outcome; /* of the last end */
};

struct journal_entries {
    struct journal_entry *list;
    uint32_t count, room;
    struct table names;
    uint64_t torn;              /* lines that cannot be read */
    struct opshift_shard shard; /* count 0: none is told */
    char *array;                /* "0-7:1", of Slurm; NULL: none is told */
    char *command;              /* NULL: none is told */
};

/* Adds the lines of a journal. MEMORY. */
enum opshift_status entries_read(struct journal_entries *entries, const char *text, size_t size,
                                 struct opshift_error *error);
/* NULL: not found. */
struct journal_entry *entries_find(const struct journal_entries *entries, const char *name);
/* Adds one that is not in the list. NULL: no memory. */
struct journal_entry *entries_add(struct journal_entries *entries, const char *name);
void entries_free(struct journal_entries *entries);

/* ---- lines ---- */

/* One line without its newline; NULL: out of memory. Freed by free. */
char *line_begin(const char *run, const char *name, uint64_t attempt);
char *line_end(const char *run, const struct opshift_result *result, uint64_t attempt);
/* The end of a model, read again; *root owns the texts and is released by the caller. False: it is none. */
bool line_read(const char *line, size_t size, json_t **root, struct opshift_result *result);
/* The name in a line, as it is on disk; freed by free. NULL: the line has none, or no memory. */
char *line_name(const json_t *line, const char *key);
/* "2026-05-17T12:30:01.250Z" and back; 0: not a time. */
void time_print(char text[32]);

/* ---- one being written ---- */

struct opshift_journal {
    char *path;
    int descriptor;
    bool sync;
    char run[17]; /* the digest of command, options and versions */
    struct journal_entries entries;
};

/* The result that the journal has, if it still holds for the same bytes. *root owns its texts, and is released by the
 * caller in any case. */
bool journal_find(const struct opshift_journal *journal, const char *name, const char *output, json_t **root,
                  struct opshift_result *result);

#endif
