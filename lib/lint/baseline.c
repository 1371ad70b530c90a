/* Reads a baseline, which write_baseline.c writes. */
#include "lint/baseline.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/report.h"

#define BASELINE_SIZE_MAX ((size_t)256 << 20)
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

static enum opshift_status root_read(const char *path, const json_t *root, struct arena *arena,
                                     struct baseline *baseline, struct opshift_error *error)
{
    const json_t *version = json_object_get(root, "version"), *list = json_object_get(root, "findings");
    if (!json_is_integer(version) || !json_is_array(list))
        return opshift_fail(error, OPSHIFT_USAGE,
                            "%s: no baseline of findings (an object with version and findings); write one with "
                            "--update-baseline",
                            path);
    if (json_integer_value(version) != BASELINE_VERSION)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "%s: a baseline of version %lld; version %d is read; write it anew with --update-baseline",
                            path, (long long)json_integer_value(version), BASELINE_VERSION);
    baseline->entries = arena_alloc(arena, json_array_size(list) + 1, sizeof(*baseline->entries));
    if (baseline->entries == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < json_array_size(list); i++)
        status = entry_read(path, json_array_get(list, i), i, arena, &baseline->entries[baseline->count++], error);
    if (status == OPSHIFT_OK)
        qsort(baseline->entries, baseline->count, sizeof(*baseline->entries), by_file);
    return status;
}

enum opshift_status baseline_read(const char *path, bool must_exist, struct arena *arena, struct baseline *baseline,
                                  struct opshift_error *error)
{
    char *data = NULL;
    size_t size = 0;
    json_error_t why;
    if (!must_exist && access(path, F_OK) != 0 && errno == ENOENT)
        return OPSHIFT_OK;
    enum opshift_status status = file_read(path, BASELINE_SIZE_MAX, &data, &size, error);
    if (status)
        return status;
    json_t *root = report_parse(data, size, &why);
    free(data);
    if (root == NULL && why.text[0] == '\0')
        return opshift_no_memory(error);
    if (root == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "%s:%d:%d: no JSON: %s; write it anew with --update-baseline", path,
                            why.line, why.column, why.text);
    status = root_read(path, root, arena, baseline, error);
    json_decref(root);
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
