/* A report: a JSON tree (jansson's, chosen because it is C's common one), or what becomes one; and how to show it to
 * people. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include <jansson.h>

#include "base/buffer.h"
#include "base/error.h"

/* What is told in a form of its own, and becomes a tree only where JSON is asked for. */
struct report_kind {
    void (*text)(const void *told, struct buffer *out);
    json_t *(*tree)(const void *told); /* a new one; NULL: no memory */
    void (*release)(void *told);
};

struct opshift_report {
    json_t *root; /* NULL: it is told otherwise */
    void (*text)(const json_t *root, struct buffer *out);
    void *told;
    const struct report_kind *kind;
};

/* root is taken over. NULL: no memory (root is then released). */
struct opshift_report *report_new(json_t *root, void (*text)(const json_t *root, struct buffer *out));
/* The same for what is told. */
struct opshift_report *report_new_told(void *told, const struct report_kind *kind);
/* A JSON string of any bytes, as they are shown (base/shown.h). NULL: no memory. */
json_t *report_string(const void *data, size_t size);
/* A string of an object; "" where there is none. */
const char *report_text_of(const json_t *object, const char *key);

/* Text as JSON; an object with a key twice is none. NULL, with found.text "": no memory; it says what is wrong
 * and quotes nothing. */
json_t *report_parse(const char *text, size_t size, json_error_t *found);

/* Puts a value, which is taken over, into an object or at the end of a list. Where there is no memory for it, nothing
 * stays of the object or list either: it becomes NULL, as which it may be used on, and whoever takes it in tells. */
void report_set(json_t **object, const char *key, json_t *value);
void report_append(json_t **list, json_t *value);

/* A table for people: rows of cells, columns as wide as their widest cell (in UTF-8 characters), the last one ragged.
 */
struct report_table;
/* Without memory, now or later, printing marks out as failed: a NULL table may be used like any other. */
struct report_table *report_table_new(size_t column_count, const char *const *heads); /* heads NULL: none */
void report_table_row(struct report_table *table, const char *const *cells);
void report_table_print(struct report_table *table, struct buffer *out); /* and frees it */
void report_table_free(struct report_table *table);

#endif
