/* Reports as JSON and as text with tables. */
#include "base/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "base/utf8.h"

#define GAP        2    /* spaces between columns */
#define TOKEN_HELD 15   /* bytes of a number that jansson stores without allocating */
#define JSON_ROOM  4096 /* if so much cannot be allocated, a parse error is taken for out of memory */

struct cell {
    size_t size, width; /* in bytes, in characters */
};

struct report_table {
    size_t column_count, column; /* of the next cell */
    size_t *widths;              /* of the columns, in characters */
    struct buffer cells, texts;  /* struct cell, row by row; their texts as they are shown, one behind the other */
    size_t texts_done;           /* bytes of the texts of these cells */
};

struct opshift_report *report_new(json_t *root, void (*text)(const json_t *root, struct buffer *out))
{
    struct opshift_report *report = root ? calloc(1, sizeof(*report)) : NULL;
    if (report == NULL) {
        json_decref(root);
        return NULL;
    }
    report->root = root;
    report->text = text;
    return report;
}

struct opshift_report *report_new_content(void *content, const struct report_kind *kind)
{
    struct opshift_report *report = calloc(1, sizeof(*report));
    if (report == NULL) {
        kind->release(content);
        return NULL;
    }
    report->content = content;
    report->kind = kind;
    return report;
}

void opshift_report_free(struct opshift_report *report)
{
    if (report == NULL)
        return;
    json_decref(report->root);
    if (report->kind)
        report->kind->release(report->content);
    free(report);
}

json_t *report_string(const void *data, size_t size)
{
    struct buffer shown = {0};
    shown_add(&shown, data, size);
    json_t *string = shown.failed ? NULL : json_stringn(shown.size ? (const char *)shown.data : "", shown.size);
    buffer_free(&shown);
    return string;
}

const char *report_text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Counts the bytes of a string from behind its opening quote; *at: behind the closing one. False: it has \u escapes. */
static bool string_bytes(const char *text, size_t size, size_t *at, uint64_t *bytes)
{
    bool simple = true;
    for (; *at < size && text[*at] != '"'; ++*at, ++*bytes)
        if (text[*at] == '\\') {
            ++*at;
            simple = simple && *at < size && text[*at] != 'u';
        }
    ++*at;
    return simple;
}

/* Counts the bytes of all strings in valid JSON. False: a \u escape, or a number longer than jansson stores without
 * allocating. */
static bool text_bytes(const char *text, size_t size, uint64_t *bytes)
{
    size_t number = 0;
    *bytes = 0;
    for (size_t at = 0; at < size && number < TOKEN_HELD;) {
        char letter = text[at++];
        number = strchr("+-.0123456789eE", letter) && letter != '\0' ? number + 1 : 0;
        if (letter == '"' && !string_bytes(text, size, &at, bytes))
            return false;
    }
    return number < TOKEN_HELD;
}

/* Counts the bytes of all strings in a value; recursion is as deep as jansson's. */
static uint64_t value_bytes(const json_t *value)
{
    uint64_t bytes = json_string_length(value);
    const char *key;
    size_t index;
    json_t *inner;
    json_array_foreach(value, index, inner) bytes += value_bytes(inner);
    json_object_foreach((json_t *)(uintptr_t)value, key, inner) bytes += strlen(key) + value_bytes(inner);
    return bytes;
}

/* If its buffer cannot grow, jansson silently drops bytes of a token. Where the bytes cannot be counted, the result
 * must equal that of a second run. */
static bool is_whole(const json_t *root, const char *text, size_t size)
{
    uint64_t bytes;
    if (text_bytes(text, size, &bytes))
        return bytes == value_bytes(root);
    json_t *again = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    bool same = again != NULL && json_equal(root, again);
    json_decref(again);
    return same;
}

/* jansson reports some failed allocations as a syntax error. */
json_t *report_parse(const char *text, size_t size, json_error_t *found)
{
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, found);
    bool agree = root == NULL || is_whole(root, text, size);
    if (agree && root != NULL)
        return root;
    json_decref(root);
    /* What parses on a second attempt was valid: the first one ran out of memory. */
    json_t *again = root == NULL ? json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
    agree = agree && again == NULL;
    json_decref(again);
    /* jansson quotes the text at the error; it is removed, since text that does not parse may be confidential. */
    char *quoted = strstr(found->text, " near '");
    if (quoted)
        *quoted = '\0';
    void *room = malloc(JSON_ROOM);
    if (room == NULL || !agree)
        found->text[0] = '\0';
    free(room);
    return NULL;
}

/* jansson accepts NULL: adding to NULL, or adding NULL, fails and releases the value. */
static void drop_if(int failed, json_t **whole)
{
    if (failed == 0)
        return;
    json_decref(*whole);
    *whole = NULL;
}

void report_set(json_t **object, const char *key, json_t *value)
{
    drop_if(json_object_set_new(*object, key, value), object);
}

void report_append(json_t **list, json_t *value)
{
    drop_if(json_array_append_new(*list, value), list);
}

/* json_copy leaves out members without memory, and succeeds. */
json_t *report_copy(const json_t *object)
{
    json_t *copy = json_object(), *value;
    const char *key;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) report_set(&copy, key, json_incref(value));
    return copy;
}

static int json_add(const char *data, size_t size, void *out)
{
    buffer_add(out, data, size);
    return ((struct buffer *)out)->failed ? -1 : 0;
}

static enum opshift_status json_make(const struct opshift_report *report, size_t flags, const char *end, char **text,
                                     struct opshift_error *error)
{
    struct buffer raw = {0}, out = {0};
    json_t *root = report->kind ? report->kind->tree(report->content) : json_incref(report->root);
    /* Full precision: a shorter one would print 0.1 nicely, but not distinguish all numbers. */
    if (json_dump_callback(root, json_add, &raw, flags | JSON_REAL_PRECISION(17)) != 0)
        out.failed = true;
    json_decref(root);
    shown_add_json(&out, (const char *)raw.data, raw.size); /* at once: jansson's pieces are tiny */
    buffer_free(&raw);
    buffer_add_text(&out, end);
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}

enum opshift_status opshift_report_json(const struct opshift_report *report, char **text, struct opshift_error *error)
{
    return json_make(report, JSON_INDENT(2), "\n", text, error);
}

enum opshift_status opshift_report_line(const struct opshift_report *report, char **text, struct opshift_error *error)
{
    return json_make(report, JSON_COMPACT, "", text, error);
}

enum opshift_status opshift_report_text(const struct opshift_report *report, char **text, struct opshift_error *error)
{
    struct buffer raw = {0}, out = {0};
    if (report->kind)
        report->kind->text(report->content, &raw);
    else if (report->text)
        report->text(report->root, &raw);
    else
        return opshift_report_json(report, text, error);
    shown_add_lines(&out, raw.data, raw.size);
    out.failed = out.failed || raw.failed;
    buffer_free(&raw);
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}

struct report_table *report_table_new(size_t column_count, const char *const *heads)
{
    struct report_table *table = calloc(1, sizeof(*table));
    if (table == NULL)
        return NULL;
    table->column_count = column_count;
    table->widths = calloc(column_count, sizeof(*table->widths));
    if (table->widths == NULL) {
        free(table);
        return NULL;
    }
    if (heads)
        report_table_row(table, heads);
    return table;
}

struct buffer *report_table_texts(struct report_table *table)
{
    return &table->texts;
}

void report_table_cell(struct report_table *table)
{
    struct cell cell = {.size = table->texts.size - table->texts_done};
    if (cell.size > 0)
        cell.width = utf8_count(table->texts.data + table->texts_done, cell.size);
    if (cell.width > table->widths[table->column])
        table->widths[table->column] = cell.width;
    if (++table->column == table->column_count)
        table->column = 0;
    table->texts_done = table->texts.size;
    buffer_add(&table->cells, &cell, sizeof(cell));
}

void report_table_row(struct report_table *table, const char *const *cells)
{
    for (size_t column = 0; table != NULL && column < table->column_count; column++) {
        if (cells[column])
            shown_add(&table->texts, cells[column], strlen(cells[column]));
        report_table_cell(table);
    }
}

/* Padding comes before a cell, so that no line ends in a space. Returns the text behind the row. */
static const uint8_t *row_print(const struct report_table *table, const struct cell *cells, const uint8_t *text,
                                struct buffer *out)
{
    size_t room = 1, spaces = 0;
    for (size_t column = 0; column < table->column_count; column++)
        room += cells[column].size + table->widths[column] + GAP;
    if (!buffer_reserve(out, room))
        return text;
    uint8_t *to = out->data + out->size;
    for (size_t column = 0; column < table->column_count; column++) {
        size_t size = cells[column].size;
        if (size > 0) {
            memset(to, ' ', spaces);
            memcpy(to + spaces, text, size);
            to += spaces + size;
            text += size;
            spaces = 0;
        }
        spaces += table->widths[column] - cells[column].width + GAP;
    }
    *to++ = '\n';
    out->size = (size_t)(to - out->data);
    return text;
}

void report_table_print(struct report_table *table, struct buffer *out)
{
    if (table == NULL || table->cells.failed || table->texts.failed)
        out->failed = true;
    if (table == NULL)
        return;
    const struct cell *cells = (const struct cell *)(const void *)table->cells.data;
    const uint8_t *text = table->texts.data;
    for (size_t i = 0; !out->failed && i < table->cells.size / sizeof(*cells); i += table->column_count)
        text = row_print(table, &cells[i], text, out);
    report_table_free(table);
}

void report_table_free(struct report_table *table)
{
    if (table == NULL)
        return;
    buffer_free(&table->cells);
    buffer_free(&table->texts);
    free(table->widths);
    free(table);
}
