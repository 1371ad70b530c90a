/* Reads a baseline, which write_baseline.c writes. */
#include "lint/baseline.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/report.h"

#define BASELINE_SIZE_MAX ((size_t)64 << 20)
#define ENTRY_SIZE_MAX    ((size_t)64 << 10) /* bytes of an entry, and of everything outside the entries */
#define BASELINE_VERSION  1

static int by_file(const void *a, const void *b)
{
    const struct baseline_entry *one = a, *other = b;
    int order = strcmp(one->file, other->file);
    return order ? order : strcmp(one->fingerprint, other->fingerprint);
}

static const char *text_of(struct arena *arena, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? arena_copy(arena, json_string_value(value), json_string_length(value)) : NULL;
}

static enum opshift_status entry_read(const char *path, const json_t *item, size_t index, struct arena *arena,
                                      struct baseline_entry *entry, struct opshift_error *error)
{
    static const char *const keys[] = {"file", "id", "location", "message", "fingerprint"};
    const char **texts[] = {&entry->file, &entry->id, &entry->location, &entry->message, &entry->fingerprint};
    for (size_t i = 0; i < COUNT(keys); i++) {
        *texts[i] = text_of(arena, item, keys[i]);
        if (*texts[i] == NULL)
            return opshift_fail(error, OPSHIFT_USAGE,
                                "%s: entry %zu of findings has no text '%s'; write the baseline anew with "
                                "--update-baseline",
                                path, index, keys[i]);
    }
    return OPSHIFT_OK;
}

/* ---- the text
 * ----------------------------------------------------------------------------------------------------- Parsed JSON
 * takes up to a hundred times the memory of its text, so entries are parsed one by one. */

struct baseline_text {
    const char *path, *data;
    size_t size;
    size_t first, end; /* the text between the brackets of findings */
};

static size_t space_skip(const struct baseline_text *text, size_t at)
{
    while (at < text->size && strchr(" \t\r\n", text->data[at]) && text->data[at])
        at++;
    return at;
}

/* The end of the string that starts here. */
static size_t string_skip(const struct baseline_text *text, size_t at)
{
    for (at++; at < text->size && text->data[at] != '"'; at++)
        at += text->data[at] == '\\';
    return at < text->size ? at + 1 : text->size;
}

/* The end of the value that starts here: the first comma or bracket outside of it. */
static size_t value_skip(const struct baseline_text *text, size_t at)
{
    for (size_t depth = 0; at < text->size;) {
        char byte = text->data[at];
        if (byte == '"') {
            at = string_skip(text, at);
            continue;
        }
        if (depth == 0 && (byte == ',' || byte == ']' || byte == '}'))
            break;
        depth += byte == '[' || byte == '{';
        depth -= byte == ']' || byte == '}';
        at++;
    }
    return at < text->size ? at : text->size;
}

static bool key_is(const struct baseline_text *text, size_t at, const char *key)
{
    size_t size = strlen(key);
    return text->size - at > size + 1 && memcmp(text->data + at + 1, key, size) == 0 &&
           text->data[at + size + 1] == '"';
}

/* Finds the list of findings among the members of the root. False: no such list, or no JSON. */
static bool list_find(struct baseline_text *text)
{
    size_t at = space_skip(text, 0);
    if (at == text->size || text->data[at] != '{')
        return false;
    do {
        size_t key = space_skip(text, at + 1);
        if (key == text->size || text->data[key] != '"')
            return false;
        at = space_skip(text, string_skip(text, key));
        if (at == text->size || text->data[at] != ':')
            return false;
        at = space_skip(text, at + 1);
        if (at < text->size && text->data[at] == '[' && key_is(text, key, "findings")) {
            text->first = text->end = at + 1;
            while (text->end < text->size && text->data[text->end] != ']') {
                text->end = value_skip(text, text->end);
                text->end += text->end < text->size && text->data[text->end] != ']';
            }
            return text->end < text->size;
        }
        at = value_skip(text, at);
    } while (at < text->size && text->data[at] == ',');
    return false;
}

/* Parses a part of the text that starts at this offset. */
static enum opshift_status part_parse(const struct baseline_text *text, size_t at, const char *piece, size_t size,
                                      json_t **root, struct opshift_error *error)
{
    json_error_t why = {0};
    int line = 0, column = 0;
    if (size == 0)
        return opshift_fail(error, OPSHIFT_USAGE, "%s: no baseline: it is empty; write one with --update-baseline",
                            text->path);
    if (size > ENTRY_SIZE_MAX)
        return opshift_fail(
            error, OPSHIFT_USAGE,
            "%s: no baseline: what begins at byte %zu is longer than an entry may be; write it anew with "
            "--update-baseline",
            text->path, at);
    *root = report_parse(piece, size, &why);
    if (*root != NULL)
        return OPSHIFT_OK;
    if (why.text[0] == '\0')
        return opshift_no_memory(error);
    for (size_t i = 0; i < at; i++) {
        line += text->data[i] == '\n';
        column = text->data[i] == '\n' ? 0 : column + 1;
    }
    return opshift_fail(error, OPSHIFT_USAGE, "%s:%d:%d: no JSON: %s; write it anew with --update-baseline", text->path,
                        line + why.line, why.line == 1 ? column + why.column : why.column, why.text);
}

/* Reads everything except the entries. */
static enum opshift_status head_read(const struct baseline_text *text, struct opshift_error *error)
{
    json_t *root = NULL;
    struct buffer head = {0};
    size_t before = text->first ? text->first : text->size, after = text->first ? text->size - text->end : 0;
    if (before + after <= ENTRY_SIZE_MAX) {
        buffer_add(&head, text->data, before);
        buffer_add(&head, text->data + text->end, after);
    }
    enum opshift_status status =
        head.failed ? opshift_no_memory(error) : part_parse(text, 0, (char *)head.data, before + after, &root, error);
    buffer_free(&head);
    if (status)
        return status;
    const json_t *version = json_object_get(root, "version"), *list = json_object_get(root, "findings");
    if (!json_is_integer(version) || !json_is_array(list))
        status = opshift_fail(error, OPSHIFT_USAGE,
                              "%s: no baseline of findings (an object with version and findings); write one with "
                              "--update-baseline",
                              text->path);
    else if (json_integer_value(version) != BASELINE_VERSION)
        status =
            opshift_fail(error, OPSHIFT_USAGE,
                         "%s: a baseline of version %lld; version %d is read; write it anew with --update-baseline",
                         text->path, (long long)json_integer_value(version), BASELINE_VERSION);
    json_decref(root);
    return status;
}

/* An upper bound of the number of entries; checks that commas separate them. */
static size_t entries_count(const struct baseline_text *text)
{
    size_t count = 0;
    for (size_t at = space_skip(text, text->first); at < text->end; at++, count++)
        at = value_skip(text, at);
    return count;
}

static enum opshift_status entries_read(const struct baseline_text *text, struct arena *arena,
                                        struct baseline *baseline, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    size_t at = space_skip(text, text->first);
    bool more = at < text->end;
    while (status == OPSHIFT_OK && more) {
        size_t end = value_skip(text, at);
        json_t *item = NULL;
        status = part_parse(text, at, text->data + at, end - at, &item, error);
        if (status == OPSHIFT_OK)
            status = entry_read(text->path, item, baseline->count, arena, &baseline->entries[baseline->count], error);
        baseline->count += status == OPSHIFT_OK;
        json_decref(item);
        more = end < text->end;
        at = more ? space_skip(text, end + 1) : end;
    }
    return status;
}

static enum opshift_status text_read(struct baseline_text *text, struct arena *arena, struct baseline *baseline,
                                     struct opshift_error *error)
{
    list_find(text);
    enum opshift_status status = head_read(text, error);
    if (status || text->first == 0)
        return status;
    baseline->entries = arena_alloc(arena, entries_count(text) + 1, sizeof(*baseline->entries));
    if (baseline->entries == NULL)
        return opshift_no_memory(error);
    status = entries_read(text, arena, baseline, error);
    if (status == OPSHIFT_OK)
        qsort(baseline->entries, baseline->count, sizeof(*baseline->entries), by_file);
    return status;
}

enum opshift_status baseline_read(const struct baseline_place *place, bool must_exist, struct arena *arena,
                                  struct baseline *baseline, struct opshift_error *error)
{
    char *data = NULL;
    size_t size = 0;
    const char *path = place->path;
    if (!must_exist && access(path, F_OK) != 0 && errno == ENOENT)
        return OPSHIFT_OK;
    enum opshift_status status =
        place->directory ? file_read_below(place->directory, place->below, BASELINE_SIZE_MAX, &data, &size, error)
                         : file_read(path, BASELINE_SIZE_MAX, &data, &size, error);
    if (status == OPSHIFT_OK)
        status = text_read(&(struct baseline_text){.path = path, .data = data, .size = size}, arena, baseline, error);
    free(data);
    return status;
}

size_t baseline_of_file(const struct baseline *baseline, const char *file, size_t *first)
{
    size_t low = 0, high = baseline->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(baseline->entries[middle].file, file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (high < baseline->count && strcmp(baseline->entries[high].file, file) == 0)
        high++;
    return high - low;
}

size_t baseline_find(const struct baseline *baseline, size_t first, size_t count, const char *fingerprint)
{
    size_t low = first, high = first + count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(baseline->entries[middle].fingerprint, fingerprint);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}
