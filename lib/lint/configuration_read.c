/* Reads .opshift.yaml, and the ids that the options name. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/descriptor.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "base/tree.h"
#include "lint/lint.h"
#include "model/limits.h"

#define LIMITS_MAX 32 /* names of limits */

struct configuration_reading {
    struct tree_place place;
    struct opshift_lint *lint;
    const char *directory; /* directory of the file, as given */
};

#define FAIL(reading, value, ...) TREE_FAIL(&(reading)->place, value, __VA_ARGS__)

/* ---- ids ---- */

static enum opshift_status selectors_room(struct arena *arena, struct selectors *selectors, size_t count,
                                          struct opshift_error *error)
{
    const char **items = arena_alloc(arena, selectors->count + count, sizeof(*items));
    if (items == NULL)
        return opshift_no_memory(error);
    if (selectors->count)
        memcpy(items, selectors->items, selectors->count * sizeof(*items));
    selectors->items = items;
    return OPSHIFT_OK;
}

/* "SPL,GRF001": words separated by commas. */
static enum opshift_status selectors_add(struct arena *arena, struct selectors *selectors, const char *list,
                                         const char *option, struct opshift_error *error)
{
    enum opshift_status status = selectors_room(arena, selectors, strlen(list) / 2 + 1, error);
    for (const char *at = list; status == OPSHIFT_OK;) {
        size_t size = strcspn(at, ",");
        const char *word = arena_copy(arena, at, size);
        const char *found = word ? selector_find(arena, word) : NULL;
        const char *nearest = word ? selector_nearest(word) : NULL;
        if (word == NULL || found == SELECTOR_NO_MEMORY)
            status = opshift_no_memory(error);
        else if (found)
            selectors->items[selectors->count++] = found;
        else if (nearest)
            status = opshift_fail(error, OPSHIFT_USAGE, "%s: there is no check '%.64s'; did you mean '%s'?", option,
                                  word, nearest);
        else
            status =
                opshift_fail(error, OPSHIFT_USAGE,
                             "%s: there is no check '%.64s'; 'opshift lint --list-checks' lists them", option, word);
        if (at[size] == '\0')
            break;
        at += size + 1;
    }
    return status;
}

static enum opshift_status options_read(struct opshift_lint *lint, struct opshift_error *error)
{
    const struct opshift_lint_options *options = &lint->options;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < options->select_count; i++)
        status = selectors_add(lint->arena, &lint->config.select, options->select[i], "select", error);
    for (size_t i = 0; status == OPSHIFT_OK && i < options->ignore_count; i++)
        status = selectors_add(lint->arena, &lint->config.ignore, options->ignore[i], "ignore", error);
    return status;
}

static enum opshift_status id_read(struct configuration_reading *reading, const char *word, unsigned line,
                                   unsigned column, const char **id)
{
    *id = selector_find(reading->lint->arena, word);
    const char *nearest = *id ? NULL : selector_nearest(word);
    if (*id == SELECTOR_NO_MEMORY)
        return opshift_no_memory(reading->place.error);
    if (*id)
        return OPSHIFT_OK;
    if (nearest)
        return tree_fail(reading->place.error, reading->place.file, line, column,
                         "expected the id of a check, or how ids begin, found '%.64s'; did you mean '%s'?", word,
                         nearest);
    return tree_fail(reading->place.error, reading->place.file, line, column,
                     "expected the id of a check, or how ids begin, found '%.64s'; 'opshift lint --list-checks' lists "
                     "them",
                     word);
}

/* A word, or a list of words. */
static enum opshift_status words_read(struct configuration_reading *reading, const struct tree *value, const char *what,
                                      const struct tree **first)
{
    *first = value->kind == TREE_LIST ? value->first : value;
    if (value->kind == TREE_MAP)
        return FAIL(reading, value, "%s: expected a list, found a map", what);
    for (const struct tree *item = *first; item; item = value->kind == TREE_LIST ? item->next : NULL)
        if (item->kind != TREE_SCALAR || *item->text == '\0')
            return FAIL(reading, item, "%s: expected a word, found %s", what,
                        item->kind == TREE_SCALAR ? "nothing" : tree_kind_name(item->kind));
    return OPSHIFT_OK;
}

static size_t words_count(const struct tree *value)
{
    return value->kind == TREE_LIST ? value->count : 1;
}

static enum opshift_status ids_read(struct configuration_reading *reading, const struct tree *value, const char *what,
                                    struct selectors *selectors)
{
    const struct tree *item;
    enum opshift_status status = words_read(reading, value, what, &item);
    if (status == OPSHIFT_OK)
        status = selectors_room(reading->lint->arena, selectors, words_count(value), reading->place.error);
    for (size_t i = words_count(value); status == OPSHIFT_OK && i > 0; i--, item = item->next) {
        status = id_read(reading, item->text, item->line, item->column, &selectors->items[selectors->count]);
        selectors->count += status == OPSHIFT_OK;
    }
    return status;
}

/* ---- words and numbers ---- */

static const char *const levels[] = {"note", "warning", "error", "never", NULL};

static enum opshift_status level_read(struct configuration_reading *reading, const struct tree *value, const char *what,
                                      int most, int *level)
{
    if (value->kind != TREE_SCALAR)
        return FAIL(reading, value, "%s: expected a word, found %s", what, tree_kind_name(value->kind));
    for (*level = 0; *level <= most; ++*level)
        if (strcmp(levels[*level], value->text) == 0)
            return OPSHIFT_OK;
    return FAIL(reading, value, "%s: expected error, warning%s, found '%.64s'", what,
                most == OPSHIFT_SEVERITY_NEVER ? ", note or never" : " or note", value->text);
}

static enum opshift_status number_read(struct configuration_reading *reading, const struct tree *value,
                                       const char *what, int64_t most, int64_t *number)
{
    if (value->kind == TREE_SCALAR && text_to_int64(value->text, strlen(value->text), number) && *number >= 1 &&
        *number <= most)
        return OPSHIFT_OK;
    return FAIL(reading, value, "%s: expected a whole number from 1 to %" PRId64 ", found %s%.64s%s", what, most,
                value->kind == TREE_SCALAR ? "'" : "",
                value->kind == TREE_SCALAR ? value->text : tree_kind_name(value->kind),
                value->kind == TREE_SCALAR ? "'" : "");
}

/* ---- keys: options have precedence over the file ---- */

static enum opshift_status select_read(struct configuration_reading *reading, const struct tree *value)
{
    struct selectors found = {0};
    enum opshift_status status = ids_read(reading, value, "select", &found);
    if (status == OPSHIFT_OK && reading->lint->config.select.count == 0)
        reading->lint->config.select = found;
    return status;
}

static enum opshift_status ignore_read(struct configuration_reading *reading, const struct tree *value)
{
    struct selectors found = {0};
    enum opshift_status status = ids_read(reading, value, "ignore", &found);
    if (status == OPSHIFT_OK && reading->lint->config.ignore.count == 0)
        reading->lint->config.ignore = found;
    return status;
}

static enum opshift_status fail_level_read(struct configuration_reading *reading, const struct tree *value)
{
    int level = 0;
    enum opshift_status status = level_read(reading, value, "fail-level", OPSHIFT_SEVERITY_NEVER, &level);
    if (status == OPSHIFT_OK && reading->lint->options.fail_level == 0)
        reading->lint->options.fail_level = level + 1;
    return status;
}

static enum opshift_status severity_read(struct configuration_reading *reading, const struct tree *value)
{
    struct lint_config *config = &reading->lint->config;
    enum opshift_status status = tree_expect_kind(&reading->place, value, TREE_MAP, "severity");
    if (status)
        return status;
    config->severities = arena_alloc(reading->lint->arena, value->count, sizeof(*config->severities));
    if (config->severities == NULL)
        return opshift_no_memory(reading->place.error);
    for (const struct tree *item = value->first; status == OPSHIFT_OK && item; item = item->next) {
        int level = 0;
        struct severity_change *change = &config->severities[config->severity_count++];
        status = id_read(reading, item->key, item->key_line, item->key_column, &change->id);
        if (status == OPSHIFT_OK)
            status = level_read(reading, item, "severity", OPSHIFT_SEVERITY_ERROR, &level);
        change->severity = (enum opshift_severity)level;
    }
    return status;
}

static enum opshift_status per_file_ignores_read(struct configuration_reading *reading, const struct tree *value)
{
    struct lint_config *config = &reading->lint->config;
    enum opshift_status status = tree_expect_kind(&reading->place, value, TREE_MAP, "per-file-ignores");
    if (status)
        return status;
    config->files = arena_alloc(reading->lint->arena, value->count, sizeof(*config->files));
    if (config->files == NULL)
        return opshift_no_memory(reading->place.error);
    for (const struct tree *item = value->first; status == OPSHIFT_OK && item; item = item->next) {
        struct file_ignores *file = &config->files[config->file_count++];
        file->glob = item->key;
        status = ids_read(reading, item, "per-file-ignores", &file->ids);
    }
    return status;
}

static enum opshift_status targets_read(struct configuration_reading *reading, const struct tree *value)
{
    struct opshift_lint_options *options = &reading->lint->options;
    const struct tree *item;
    enum opshift_status status = words_read(reading, value, "targets", &item);
    if (status || options->target_count)
        return status;
    size_t count = words_count(value);
    const char **names = arena_alloc(reading->lint->arena, count + 1, sizeof(*names));
    if (names == NULL)
        return opshift_no_memory(reading->place.error);
    for (size_t i = 0; i < count; i++, item = item->next)
        names[i] = item->text;
    options->targets = names;
    options->target_count = count;
    return OPSHIFT_OK;
}

static enum opshift_status to_read(struct configuration_reading *reading, const struct tree *value)
{
    int64_t opset = 0;
    enum opshift_status status = number_read(reading, value, "to", OPSHIFT_OPSET_NEWEST, &opset);
    if (status == OPSHIFT_OK && reading->lint->options.to == 0)
        reading->lint->options.to = opset;
    return status;
}

/* Does the path contain a link, or lead out of the directory? A missing file is allowed if its directory exists. */
static bool leads_out(const char *directory, const char *path, struct arena *arena)
{
    int descriptor = open_beneath(directory, path, OPSHIFT_EXTERNAL_STRICT);
    int why = descriptor < 0 ? errno : 0;
    descriptor_close(descriptor);
    const char *slash = strrchr(path, '/');
    if (why != ENOENT || slash == NULL)
        return why == ELOOP || why == EXDEV;
    const char *above = arena_copy(arena, path, (size_t)(slash - path));
    descriptor = above ? open_beneath(directory, above, OPSHIFT_EXTERNAL_STRICT) : -1;
    why = descriptor < 0 ? errno : 0;
    descriptor_close(descriptor);
    return above == NULL || why == ELOOP || why == EXDEV;
}

/* A configuration from elsewhere can only name places below its own directory. */
static enum opshift_status place_check(struct configuration_reading *reading, const struct tree *value,
                                       const char *directory)
{
    if (*value->text != '/' && !leads_out(directory, value->text, reading->lint->arena))
        return OPSHIFT_OK;
    return FAIL(
        reading, value,
        "baseline: '%.200s' leads out of the directory of this file, or a link is on the way; name a file below it, "
        "or give --baseline",
        value->text);
}

/* Paths in a file are relative to its directory, and stay below it. */
static enum opshift_status baseline_key_read(struct configuration_reading *reading, const struct tree *value)
{
    struct opshift_lint_options *options = &reading->lint->options;
    if (value->kind != TREE_SCALAR || *value->text == '\0')
        return FAIL(reading, value, "baseline: expected the name of a file, found %s",
                    value->kind == TREE_SCALAR ? "nothing" : tree_kind_name(value->kind));
    if (options->baseline)
        return OPSHIFT_OK;
    const char *directory = *reading->directory ? reading->directory : ".";
    enum opshift_status status = place_check(reading, value, directory);
    if (status)
        return status;
    options->baseline = *reading->directory == '\0'
                            ? value->text
                            : arena_print(reading->lint->arena, "%s/%s", reading->directory, value->text);
    reading->lint->baseline_place.directory = directory;
    reading->lint->baseline_place.below = value->text;
    return options->baseline ? OPSHIFT_OK : opshift_no_memory(reading->place.error);
}

/* Any limit of the library; options have precedence. */
static enum opshift_status limit_read(struct configuration_reading *reading, const struct tree *value)
{
    struct opshift_limits *limits = &reading->lint->limits;
    int64_t number = 0;
    for (size_t i = 0; i < opshift_limit_count(); i++) {
        const struct opshift_limit *limit = opshift_limit_at(i);
        if (strcmp(limit->name, value->key) != 0)
            continue;
        enum opshift_status status = number_read(reading, value, limit->name, (int64_t)limit->most, &number);
        /* A configuration comes with the models, so it cannot raise limits: only the caller can. */
        if (status == OPSHIFT_OK && (uint64_t)number > limit->preset && !limit_is_reported(limit->name))
            return FAIL(reading, value,
                        "%s: a configuration may lower this limit and not raise it, and %" PRId64
                        " is more than its default, %" PRIu64
                        "; where the models are to be trusted, give --limit %s=%" PRId64,
                        limit->name, number, limit->preset, limit->name, number);
        if (status == OPSHIFT_OK && opshift_limit_get(limits, limit->name) == 0)
            status = opshift_limit_set(limits, limit->name, (uint64_t)number, reading->place.error);
        return status;
    }
    return OPSHIFT_OK;
}

static enum opshift_status limits_read(struct configuration_reading *reading, const struct tree *value)
{
    struct tree_key keys[LIMITS_MAX];
    size_t count = opshift_limit_count();
    assert(count <= LIMITS_MAX);
    for (size_t i = 0; i < count; i++)
        keys[i] = (struct tree_key){opshift_limit_at(i)->name, TREE_ANY, false};
    enum opshift_status status = tree_expect_kind(&reading->place, value, TREE_MAP, "limits");
    if (status == OPSHIFT_OK)
        status = tree_expect_keys(&reading->place, value, keys, count, "limits");
    for (const struct tree *limit = value->first; status == OPSHIFT_OK && limit; limit = limit->next)
        status = limit_read(reading, limit);
    return status;
}

static const struct config_key {
    const char *name;
    enum opshift_status (*read)(struct configuration_reading *reading, const struct tree *value);
} keys[] = {
    {"baseline", baseline_key_read},
    {"fail-level", fail_level_read},
    {"ignore", ignore_read},
    {"limits", limits_read},
    {"per-file-ignores", per_file_ignores_read},
    {"select", select_read},
    {"severity", severity_read},
    {"targets", targets_read},
    {"to", to_read},
};

static enum opshift_status keys_read(struct configuration_reading *reading, const struct tree *map)
{
    struct tree_key names[COUNT(keys)];
    for (size_t i = 0; i < COUNT(keys); i++)
        names[i] = (struct tree_key){keys[i].name, TREE_ANY, false};
    enum opshift_status status = tree_expect_keys(&reading->place, map, names, COUNT(keys), "a configuration");
    for (const struct tree *value = map->first; status == OPSHIFT_OK && value; value = value->next)
        status = keys[tree_key_find(names, COUNT(keys), value->key) - names].read(reading, value);
    return status;
}

/* ---- the file ---- */

/* The directory of the file, as given and resolved. */
static enum opshift_status directories_set(struct configuration_reading *reading)
{
    struct opshift_lint *lint = reading->lint;
    const char *slash = strrchr(reading->place.file, '/');
    size_t size = slash == NULL ? 0 : slash == reading->place.file ? 1 : (size_t)(slash - reading->place.file);
    reading->directory = arena_copy(lint->arena, reading->place.file, size);
    char *whole = reading->directory ? realpath(size ? reading->directory : ".", NULL) : NULL;
    lint->config.root = whole ? arena_copy(lint->arena, whole, strlen(whole)) : NULL;
    free(whole);
    return lint->config.root ? OPSHIFT_OK : opshift_no_memory(reading->place.error);
}

static enum opshift_status file_config_read(struct opshift_lint *lint, struct opshift_error *error)
{
    struct configuration_reading reading = {.place = {lint->options.config, error}, .lint = lint};
    struct tree *tree = NULL;
    char *data = NULL;
    size_t size = 0;
    enum opshift_status status = file_read(reading.place.file, TREE_BYTES_MAX, &data, &size, error);
    if (status == OPSHIFT_OK)
        status = tree_parse(data, size, reading.place.file, lint->arena, &tree, error);
    free(data);
    if (status == OPSHIFT_OK && tree->kind != TREE_MAP)
        status = FAIL(&reading, tree, "expected a map with keys like select, found %s", tree_kind_name(tree->kind));
    if (status == OPSHIFT_OK)
        status = directories_set(&reading);
    return status ? status : keys_read(&reading, tree);
}

enum opshift_status config_read(struct opshift_lint *lint, struct opshift_error *error)
{
    char *current = getcwd(NULL, 0);
    lint->config.current = arena_copy(lint->arena, current ? current : "/", current ? strlen(current) : 1);
    lint->config.root = lint->config.current;
    free(current);
    if (lint->config.current == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = options_read(lint, error);
    if (status == OPSHIFT_OK && lint->options.config)
        status = file_config_read(lint, error);
    lint->baseline_place.path = lint->options.baseline;
    return status;
}
