/* The table of verdicts. */
#include "verify/piece_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/report.h"
#include "base/table.h"

/* So many alike pieces have a row each. */
#define ALIKE_MAX 20u

/* Where the texts of a row begin. */
struct piece_row {
    uint32_t group;
    size_t place, detail;
};

/* Pieces with the same verdict for the same reason. */
struct row_group {
    size_t verdict, why; /* in the texts of its first row */
    size_t size;         /* of why */
    uint64_t count;
    bool listed; /* a row each, whatever their number */
};

struct piece_rows {
    bool all, failed;
    struct buffer texts;
    struct piece_row *rows;
    struct row_group *groups;
    uint32_t count, room, group_count, group_room;
    struct table table; /* of groups, by reason */
};

struct piece_rows *piece_rows_new(bool all)
{
    struct piece_rows *rows = calloc(1, sizeof(*rows));
    if (rows)
        rows->all = all;
    return rows;
}

void piece_rows_free(struct piece_rows *rows)
{
    if (rows == NULL)
        return;
    buffer_free(&rows->texts);
    table_free(&rows->table);
    free(rows->rows);
    free(rows->groups);
    free(rows);
}

/* The size of the reason, without the runs. */
static size_t reason_size(const char *detail)
{
    const char *end = NULL;
    for (const char *at = detail; (at = strstr(at, "; ")) != NULL; at += 2)
        if (at[2] >= '0' && at[2] <= '9')
            end = at;
    return end ? (size_t)(end - detail) : strlen(detail);
}

static bool needs_a_look(const char *verdict)
{
    return strcmp(verdict, "proved") != 0 && strcmp(verdict, "by rule") != 0 && strcmp(verdict, "tested") != 0;
}

/* The group of a reason; TABLE_NONE: there is none yet. */
static uint32_t group_find(const struct piece_rows *rows, const char *verdict, const char *why, size_t size)
{
    for (uint32_t at = 0, item;
         (item = table_next(&rows->table, table_hash(&rows->table, why, size), &at)) != TABLE_NONE;) {
        const struct row_group *group = &rows->groups[item];
        const char *texts = (const char *)rows->texts.data;
        if (group->size == size && strcmp(texts + group->verdict, verdict) == 0 &&
            memcmp(texts + group->why, why, size) == 0)
            return item;
    }
    return TABLE_NONE;
}

void piece_rows_add(struct piece_rows *rows, const char *place, const char *verdict, const char *detail)
{
    if (rows == NULL || rows->failed)
        return;
    size_t size = reason_size(detail);
    uint32_t at = rows->table.count > 0 ? group_find(rows, verdict, detail, size) : TABLE_NONE;
    if (at != TABLE_NONE && rows->groups[at].count++ >= ALIKE_MAX && !rows->groups[at].listed)
        return;
    struct piece_row row = {.place = rows->texts.size, .detail = rows->texts.size + strlen(place) + 1};
    buffer_add(&rows->texts, place, strlen(place) + 1);
    buffer_add(&rows->texts, detail, strlen(detail) + 1);
    rows->failed = rows->texts.failed || !list_grow(&rows->rows, rows->count, &rows->room, sizeof(*rows->rows)) ||
                   !list_grow(&rows->groups, rows->group_count, &rows->group_room, sizeof(*rows->groups)) ||
                   !table_reserve(&rows->table, 1);
    if (rows->failed)
        return;
    if (at == TABLE_NONE) {
        at = rows->group_count++;
        rows->groups[at] =
            (struct row_group){rows->texts.size, row.detail, size, 1, rows->all || needs_a_look(verdict)};
        buffer_add(&rows->texts, verdict, strlen(verdict) + 1);
        table_put(&rows->table, table_hash(&rows->table, detail, size), at);
    }
    row.group = at;
    rows->rows[rows->count++] = row;
}

/* "58 nodes like node 'mean' (ReduceMean)". */
static void group_print(const struct piece_rows *rows, const struct piece_row *row, struct report_table *table,
                        struct buffer *words)
{
    const struct row_group *group = &rows->groups[row->group];
    const char *texts = (const char *)rows->texts.data;
    words->size = 0;
    buffer_print(words, "%llu like %s", (unsigned long long)group->count, texts + row->place);
    buffer_add_byte(words, '\0');
    size_t why = words->size;
    buffer_add(words, texts + group->why, group->size);
    buffer_add_byte(words, '\0');
    const char *cells[] = {(const char *)words->data, texts + group->verdict, (const char *)words->data + why};
    if (!words->failed)
        report_table_row(table, cells);
}

void piece_rows_print(struct piece_rows *rows, struct buffer *out)
{
    static const char *const heads[] = {"NODE", "VERDICT", "DETAIL"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    struct buffer words = {0};
    out->failed = out->failed || rows == NULL || rows->failed || rows->texts.failed || table == NULL;
    for (uint32_t i = 0; !out->failed && i < rows->count; i++) {
        const struct piece_row *row = &rows->rows[i];
        struct row_group *group = &rows->groups[row->group];
        const char *texts = (const char *)rows->texts.data;
        const char *cells[] = {texts + row->place, texts + group->verdict, texts + row->detail};
        if (group->listed || group->count <= ALIKE_MAX)
            report_table_row(table, cells);
        else if (group->why == row->detail)
            group_print(rows, row, table, &words);
    }
    out->failed = out->failed || words.failed;
    if (!out->failed && rows->count > 0)
        report_table_print(table, out);
    else
        report_table_free(table);
    buffer_free(&words);
    piece_rows_free(rows);
}
