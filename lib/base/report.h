/* A report: a JSON tree (jansson's), or an object that is converted to one on demand, and its text form. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include <jansson.h>

#include "base/buffer.h"
#include "base/error.h"

/* A report that is stored as another object and converted to a tree only for JSON. */
struct report_kind {
    void (*text)(const void *content, struct buffer *out);
    json_t *(*tree)(const void *content); /* a new one; NULL: no memory */
    void (*release)(void *content);
};

struct opshift_report {
    json_t *root; /* NULL: stored as `content` */
    void (*text)(const json_t *root, struct buffer *out);
    void *content;
    const struct report_kind *kind;
};

/* Takes ownership of root. NULL: no memory (root is released). */
struct opshift_report *report_new(json_t *root, void (*text)(const json_t *root, struct buffer *out));
/* The same for an object of a report_kind. */
struct opshift_report *report_new_content(void *content, const struct report_kind *kind);
/* A JSON string of arbitrary bytes, escaped (base/shown.h). NULL: no memory. */
json_t *report_string(const void *data, size_t size);
/* A string member of an object; "" if there is none. */
const char *report_text_of(const json_t *object, const char *key);

/* Parses JSON; duplicate keys are errors. NULL, with found->text "": no memory; else found->text has the error without
 * a quotation. */
json_t *report_parse(const char *text, size_t size, json_error_t *found);

/* Adds a value, whose ownership is taken, to an object or to the end of a list. Without memory the object or list is
 * released and becomes NULL, which may be used further; the final user of it reports the failure. */
void report_set(json_t **object, const char *key, json_t *value);
void report_append(json_t **list, json_t *value);
/* A new object with the same members. NULL: no memory. */
json_t *report_copy(const json_t *object);

/* A table for people: rows of cells, columns as wide as their widest cell (in UTF-8 characters), the last one ragged.
 */
struct report_table;
/* NULL: no memory; a NULL table may be used like any other, and printing it sets out->failed. */
struct report_table *report_table_new(size_t column_count, const char *const *heads); /* heads NULL: none */
void report_table_row(struct report_table *table, const char *const *cells);
/* Makes a row cell by cell: the caller adds the cell's text, already escaped (base/shown.h), to this buffer, then ends
 * the cell. The table must not be NULL. */
struct buffer *report_table_texts(struct report_table *table);
void report_table_cell(struct report_table *table);
void report_table_print(struct report_table *table, struct buffer *out); /* and frees it */
void report_table_free(struct report_table *table);

#endif
