/* A report: a JSON tree (jansson's, chosen because it is C's common one) and how to show it to people. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include <jansson.h>

#include "base/buffer.h"
#include "base/error.h"

struct opshift_report {
    json_t *root;
    void (*text)(const json_t *root, struct buffer *out);
};

/* root is taken over. NULL: no memory (root is then released). */
struct opshift_report *report_new(json_t *root, void (*text)(const json_t *root, struct buffer *out));
/* A JSON string of any bytes: what is not UTF-8, or steers a terminal, becomes \xNN. NULL: no memory. */
json_t *report_string(const void *data, size_t size);
/* A string of an object; "" where there is none. */
const char *report_text_of(const json_t *object, const char *key);

/* The same, for a buffer. */
void report_add_shown(struct buffer *out, const void *data, size_t size);

/* A table for people: rows of cells, columns as wide as their widest cell (in UTF-8 characters), the last one ragged.
 */
struct report_table;
/* Without memory, now or later, printing marks out as failed: a NULL table may be used like any other. */
struct report_table *report_table_new(size_t column_count, const char *const *heads); /* heads NULL: none */
void report_table_row(struct report_table *table, const char *const *cells);
void report_table_print(struct report_table *table, struct buffer *out); /* and frees it */

#endif
