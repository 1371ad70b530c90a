/* The table of limits: name, member, default. */
#include "model/limits.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define KIB(n) (UINT64_C(n) << 10)
#define MIB(n) (UINT64_C(n) << 20)
#define GIB(n) (UINT64_C(n) << 30)

static const struct limit_row {
    struct opshift_limit about;
    size_t offset;
} rows[] = {
#define ROW(member, preset, most, meaning)                                                                             \
    {                                                                                                                  \
        {#member, meaning, preset, most}, offsetof(struct opshift_limits, member)                                      \
    }
    ROW(attributes, 10000, INT64_MAX, "attributes of a node"),
    ROW(calls, 100, 2000, "functions that call each other in a row"),
    ROW(decode, MIB(64), GIB(2), "bytes of an attribute, type or constant that is decoded at once"),
    ROW(elements, GIB(4), INT64_MAX / 16, "elements of a tensor that is read"),
    ROW(findings, 200000, UINT32_MAX, "findings that a lint of one file keeps"),
    ROW(functions, 100000, INT64_MAX, "functions of a model"),
    ROW(inlined, 10000000, INT64_MAX, "nodes of a function whose calls are replaced by bodies, before lint reports it"),
    ROW(memory, GIB(4), INT64_MAX, "bytes that the index of a model takes, and apart from it the types of its values"),
    ROW(nesting, 100, NESTING_MAX, "levels of messages, as protobuf counts them"),
    ROW(nodes, 10000000, INT64_MAX, "nodes of all graphs and functions together"),
    ROW(outputs, KIB(1024), INT64_MAX, "outputs of a node"),
    ROW(subgraphs, 16, NESTING_MAX, "graphs inside each other, before lint reports them"),
    ROW(trips, 100000000, INT64_MAX, "rounds of a loop that nothing else ends, before lint reports it"),
    ROW(value, GIB(1), INT64_MAX, "bytes of a value that a node makes from constants, before lint reports it"),
#undef ROW
};

/* Is the member a uint32_t, not a uint64_t? */
static bool is_narrow(const struct limit_row *row)
{
    return row->offset == offsetof(struct opshift_limits, nesting);
}

static uint64_t row_get(const struct limit_row *row, const struct opshift_limits *limits)
{
    const uint8_t *at = (const uint8_t *)limits + row->offset;
    uint64_t wide;
    uint32_t narrow;
    if (is_narrow(row)) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

static void row_set(const struct limit_row *row, struct opshift_limits *limits, uint64_t value)
{
    uint8_t *at = (uint8_t *)limits + row->offset;
    uint32_t narrow = (uint32_t)value;
    if (is_narrow(row))
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &value, sizeof value);
}

size_t opshift_limit_count(void)
{
    return COUNT(rows);
}

const struct opshift_limit *opshift_limit_at(size_t index)
{
    return index < COUNT(rows) ? &rows[index].about : NULL;
}

static const struct limit_row *row_find(const char *name)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(rows[i].about.name, name) == 0)
            return &rows[i];
    return NULL;
}

/* Does the caller's struct, which may come from an older header, have this member? */
static bool row_is_in(const struct limit_row *row, const struct opshift_limits *limits)
{
    return limits->size == 0 || row->offset < limits->size;
}

uint64_t opshift_limit_get(const struct opshift_limits *limits, const char *name)
{
    const struct limit_row *row = row_find(name);
    return row && row_is_in(row, limits) ? row_get(row, limits) : 0;
}

bool limit_is_reported(const char *name)
{
    static const char *const reported[] = {"inlined", "subgraphs", "trips", "value"};
    for (size_t i = 0; i < COUNT(reported); i++)
        if (strcmp(reported[i], name) == 0)
            return true;
    return false;
}

static enum opshift_status check(const struct limit_row *row, uint64_t value, struct opshift_error *error)
{
    if (value >= 1 && value <= row->about.most)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE, "limit '%s' is %" PRIu64 "; it may be 1 to %" PRIu64, row->about.name,
                        value, row->about.most);
}

enum opshift_status opshift_limit_set(struct opshift_limits *limits, const char *name, uint64_t value,
                                      struct opshift_error *error)
{
    const struct limit_row *row = row_find(name);
    if (row == NULL || !row_is_in(row, limits))
        return opshift_fail(error, OPSHIFT_USAGE, "there is no limit '%.64s'", name);
    enum opshift_status status = check(row, value, error);
    if (status == OPSHIFT_OK)
        row_set(row, limits, value);
    return status;
}

enum opshift_status limits_complete(struct opshift_limits *limits, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < COUNT(rows) && status == OPSHIFT_OK; i++) {
        uint64_t value = row_get(&rows[i], limits);
        if (value == 0)
            row_set(&rows[i], limits, rows[i].about.preset);
        else
            status = check(&rows[i], value, error);
    }
    return status;
}

enum opshift_status limit_exceeded(struct opshift_error *error, uint64_t offset, const char *what, uint64_t limit,
                                   const char *name)
{
    return opshift_fail_at(error, OPSHIFT_UNSUPPORTED, OPSHIFT_FAULT_COUNT, offset,
                           "more than %" PRIu64 " %s; if the file is to be trusted, raise the limit '%s'", limit, what,
                           name);
}

enum opshift_status limit_judge_memory(const struct opshift_limits *limits, const struct arena *arena,
                                       enum opshift_status status, const char *what, struct opshift_error *error)
{
    if (status != OPSHIFT_MEMORY || arena == NULL || !arena_was_full(arena))
        return status;
    return opshift_fail_at(error, OPSHIFT_UNSUPPORTED, OPSHIFT_FAULT_MEMORY, ERROR_WHOLE_FILE,
                           "%s take more than %" PRIu64
                           " bytes; if the file is to be trusted, raise the limit 'memory'",
                           what, limits->memory);
}
