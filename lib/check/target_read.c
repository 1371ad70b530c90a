/* Parses target profiles; errors give their place. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strings.h"
#include "check/target.h"

struct profile_reader {
    struct tree_place place;
    struct arena *arena;
};

#define FAIL(reader, value, ...) TREE_FAIL(&(reader)->place, value, __VA_ARGS__)

/* ---- helpers ---- */

/* A text of a map whose keys were validated; NULL: absent. */
static const char *text_find(const struct tree *map, const char *key)
{
    const struct tree *value = tree_find(map, key);
    return value == NULL ? NULL : value->text;
}

/* The same for a required key. */
static const char *read_text(const struct tree *map, const char *key)
{
    const char *text = text_find(map, key);
    return text == NULL ? "" : text;
}

static enum opshift_status read_number(struct profile_reader *reader, const struct tree *map, const char *key,
                                       int64_t *number)
{
    const char *text = text_find(map, key);
    if (text != NULL && !(text_to_int64(text, strlen(text), number) && *number > 0))
        return FAIL(reader, tree_find(map, key), "expected a number above 0 for '%s', found '%s'", key, text);
    return OPSHIFT_OK;
}

/* "13", "13-", "2-10": opsets. */
static bool range_parse(const char *text, size_t size, int64_t *least, int64_t *most)
{
    const char *dash = memchr(text, '-', size);
    size_t first = dash ? (size_t)(dash - text) : size;
    *most = INT64_MAX;
    if (!text_to_int64(text, first, least) || *least < 1)
        return false;
    if (dash == NULL)
        *most = *least;
    else if (first + 1 < size)
        return text_to_int64(dash + 1, size - first - 1, most) && *most >= *least;
    return true;
}

/* The length of the next word after spaces; 0: none. */
static size_t word_next(const char **text)
{
    *text += strspn(*text, " ");
    return strcspn(*text, " ");
}

static bool word_is(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

/* ---- conditions ---- */

static enum opshift_status condition_subject(struct profile_reader *reader, const struct tree *item, const char *text,
                                             size_t size, struct condition *condition)
{
    const char *dot = memchr(text, '.', size);
    size_t name = dot ? (size_t)(dot - text) : size;
    int64_t position = 0;
    condition->fact = target_fact_find(text, name);
    if (condition->fact == NULL)
        return FAIL(reader, item, "there is no fact '%.*s'; rules/targets/README.md lists them", (int)name, text);
    bool wants = condition->fact->asks != ASKS_NOTHING;
    if (wants != (dot != NULL) || (dot && name + 1 == size))
        return FAIL(reader, item, "the fact '%.*s' %s", (int)name, text,
                    wants ? "needs a dot and what is asked about behind it" : "takes nothing behind a dot");
    if (dot == NULL)
        return OPSHIFT_OK;
    condition->argument = arena_copy(reader->arena, dot + 1, size - name - 1);
    if (condition->argument == NULL)
        return opshift_no_memory(reader->place.error);
    if (condition->fact->asks == ASKS_POSITION &&
        (!text_to_int64(dot + 1, size - name - 1, &position) || position < 0 || position > INT32_MAX))
        return FAIL(reader, item, "expected an input's position, found '%s'", condition->argument);
    condition->position = (uint32_t)position;
    return OPSHIFT_OK;
}

static enum opshift_status condition_words(struct profile_reader *reader, const struct tree *item, const char *text,
                                           struct condition *condition)
{
    size_t count = 0, size;
    const char **words = arena_alloc(reader->arena, strlen(text) + 1, sizeof(*words));
    if (words == NULL)
        return opshift_no_memory(reader->place.error);
    while ((size = word_next(&text)) > 0) {
        words[count] = arena_copy(reader->arena, text, size);
        if (words[count++] == NULL)
            return opshift_no_memory(reader->place.error);
        text += size;
    }
    words[count] = NULL;
    condition->words = words;
    return count ? OPSHIFT_OK : FAIL(reader, item, "expected words behind 'is'");
}

static enum opshift_status condition_read(struct profile_reader *reader, const struct tree *item,
                                          struct condition *condition)
{
    if (item->kind != TREE_SCALAR)
        return FAIL(reader, item, "expected a condition, as 'outputs >= 2', found %s", tree_kind_name(item->kind));
    const char *text = condition->text = item->text;
    size_t size = word_next(&text);
    enum opshift_status status = condition_subject(reader, item, text, size, condition);
    text += size;
    size = word_next(&text);
    if (status)
        return status;
    bool least = word_is(text, size, ">="), most = word_is(text, size, "<=");
    if (!least && !most && !word_is(text, size, "is"))
        return FAIL(reader, item, "expected 'is', 'is not', '>=' or '<=', found '%.*s'", (int)size, text);
    text += size;
    size = word_next(&text);
    if (least || most) {
        condition->comparison = least ? COMPARE_LEAST : COMPARE_MOST;
        if (text_to_int64(text, size, &condition->number) && text[size] == '\0')
            return OPSHIFT_OK;
        return FAIL(reader, item, "expected a number at the end of '%s'", item->text);
    }
    condition->comparison = word_is(text, size, "not") ? COMPARE_IS_NOT : COMPARE_IS;
    return condition_words(reader, item, condition->comparison == COMPARE_IS_NOT ? text + size : text, condition);
}

static enum opshift_status conditions_read(struct profile_reader *reader, const struct tree *map, const char *key,
                                           bool split, struct condition **conditions, uint32_t *count)
{
    const struct tree *list = tree_find(map, key);
    enum opshift_status status = OPSHIFT_OK;
    if (list == NULL)
        return OPSHIFT_OK;
    *conditions = arena_alloc(reader->arena, list->count + 1, sizeof(**conditions));
    if (*conditions == NULL)
        return opshift_no_memory(reader->place.error);
    for (const struct tree *item = list->first; status == OPSHIFT_OK && item; item = item->next) {
        struct condition *condition = &(*conditions)[(*count)++];
        status = condition_read(reader, item, condition);
        if (status == OPSHIFT_OK && condition->fact->of_split && !split)
            status = FAIL(reader, item, "the fact '%s' applies to Split only", condition->fact->name);
    }
    return status;
}

/* ---- constraints ---- */

static enum opshift_status constraint_read(struct profile_reader *reader, const struct tree *map,
                                           struct constraint *constraint)
{
    static const struct tree_key keys[] = {
        {"key", TREE_SCALAR, true},      {"operator", TREE_SCALAR, true}, {"opset", TREE_SCALAR, false},
        {"severity", TREE_SCALAR, true}, {"when", TREE_LIST, false},      {"require", TREE_LIST, false},
        {"why", TREE_SCALAR, true},      {"mend", TREE_SCALAR, true},     {"source", TREE_SCALAR, true},
        {"date", TREE_SCALAR, true},
    };
    enum opshift_status status = tree_expect_keys(&reader->place, map, keys, COUNT(keys), "a constraint");
    if (status)
        return status;
    const char *opset = text_find(map, "opset"), *severity = read_text(map, "severity");
    constraint->key = read_text(map, "key");
    constraint->operator_type = read_text(map, "operator");
    constraint->why = read_text(map, "why");
    constraint->mend = read_text(map, "mend");
    constraint->source = read_text(map, "source");
    constraint->date = read_text(map, "date");
    constraint->least = 1;
    constraint->most = INT64_MAX;
    if (opset && !range_parse(opset, strlen(opset), &constraint->least, &constraint->most))
        return FAIL(reader, tree_find(map, "opset"), "expected opsets, as 13, 13- or 2-10, found '%s'", opset);
    constraint->refused = strcmp(severity, "error") == 0;
    if (!constraint->refused && strcmp(severity, "warning") != 0)
        return FAIL(reader, tree_find(map, "severity"), "expected error or warning, found '%s'", severity);
    bool split = strcmp(constraint->operator_type, "Split") == 0;
    status = conditions_read(reader, map, "when", split, &constraint->when, &constraint->when_count);
    return status ? status
                  : conditions_read(reader, map, "require", split, &constraint->require, &constraint->require_count);
}

static enum opshift_status constraints_read(struct profile_reader *reader, const struct tree *map,
                                            struct target *target)
{
    const struct tree *list = tree_find(map, "constraints");
    enum opshift_status status = OPSHIFT_OK;
    if (list == NULL)
        return OPSHIFT_OK;
    target->constraints = arena_alloc(reader->arena, list->count + 1, sizeof(*target->constraints));
    if (target->constraints == NULL)
        return opshift_no_memory(reader->place.error);
    for (const struct tree *item = list->first; status == OPSHIFT_OK && item; item = item->next)
        status = constraint_read(reader, item, &target->constraints[target->constraint_count++]);
    return status;
}

/* ---- gaps: "Operator OPSETS" or "Operator OPSETS VARIABLE TYPE..." ---- */

static enum opshift_status gap_types(struct profile_reader *reader, const struct tree *item, const char *text,
                                     struct kernel_gap *gap)
{
    size_t size = word_next(&text);
    if (size == 0)
        return OPSHIFT_OK;
    gap->variable = arena_copy(reader->arena, text, size);
    if (gap->variable == NULL)
        return opshift_no_memory(reader->place.error);
    text += size;
    while ((size = word_next(&text)) > 0) {
        enum opshift_type type = type_find(text, size);
        if (type == OPSHIFT_TYPE_UNDEFINED)
            return FAIL(reader, item, "there is no type '%.*s'", (int)size, text);
        gap->types |= UINT64_C(1) << type;
        text += size;
    }
    return gap->types ? OPSHIFT_OK : FAIL(reader, item, "expected types behind '%s'", gap->variable);
}

static enum opshift_status gap_read(struct profile_reader *reader, const struct tree *item, struct kernel_gap *gap)
{
    if (item->kind != TREE_SCALAR)
        return FAIL(reader, item, "expected 'Operator OPSETS [VARIABLE TYPE...]', found %s",
                    tree_kind_name(item->kind));
    const char *text = item->text, *dot = NULL;
    size_t size = word_next(&text);
    for (size_t i = 0; i < size; i++)
        dot = text[i] == '.' ? text + i : dot;
    gap->domain = arena_copy(reader->arena, text, dot ? (size_t)(dot - text) : 0);
    gap->operator_type = arena_copy(reader->arena, dot ? dot + 1 : text, dot ? size - (size_t)(dot + 1 - text) : size);
    if (gap->domain == NULL || gap->operator_type == NULL)
        return opshift_no_memory(reader->place.error);
    text += size;
    size = word_next(&text);
    if (!range_parse(text, size, &gap->least, &gap->most))
        return FAIL(reader, item, "expected opsets behind '%s', as 13, 13- or 2-10", gap->operator_type);
    return gap_types(reader, item, text + size, gap);
}

static int gap_compare(const void *a, const void *b)
{
    const struct kernel_gap *one = a, *other = b;
    int by_name = strcmp(one->operator_type, other->operator_type);
    return by_name ? by_name : one->least < other->least ? -1 : one->least > other->least;
}

static enum opshift_status gaps_read(struct profile_reader *reader, const struct tree *map, struct target *target)
{
    const struct tree *list = tree_find(map, "without_kernel");
    enum opshift_status status = OPSHIFT_OK;
    if (list == NULL)
        return OPSHIFT_OK;
    target->gaps = arena_alloc(reader->arena, list->count + 1, sizeof(*target->gaps));
    if (target->gaps == NULL)
        return opshift_no_memory(reader->place.error);
    for (const struct tree *item = list->first; status == OPSHIFT_OK && item; item = item->next)
        status = gap_read(reader, item, &target->gaps[target->gap_count++]);
    if (status == OPSHIFT_OK)
        qsort(target->gaps, target->gap_count, sizeof(*target->gaps), gap_compare);
    return status;
}

/* ---- a profile ---- */

enum opshift_status target_read(const char *text, size_t size, const char *name, struct arena *arena,
                                struct target **result, struct opshift_error *error)
{
    static const struct tree_key keys[] = {
        {"target", TREE_SCALAR, true},      {"description", TREE_SCALAR, true},   {"opset", TREE_SCALAR, false},
        {"ir_version", TREE_SCALAR, false}, {"source", TREE_SCALAR, true},        {"date", TREE_SCALAR, true},
        {"constraints", TREE_LIST, false},  {"without_kernel", TREE_LIST, false},
    };
    struct profile_reader reader = {{name, error}, arena};
    struct tree *map;
    struct target *target = arena_alloc(arena, 1, sizeof(*target));
    if (target == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = tree_parse(text, size, name, arena, &map, error);
    if (status == OPSHIFT_OK)
        status = tree_expect_keys(&reader.place, map, keys, COUNT(keys), "a profile");
    if (status != OPSHIFT_OK)
        return status;
    target->name = read_text(map, "target");
    target->description = read_text(map, "description");
    target->source = read_text(map, "source");
    target->date = read_text(map, "date");
    status = read_number(&reader, map, "opset", &target->opset);
    if (status == OPSHIFT_OK)
        status = read_number(&reader, map, "ir_version", &target->ir_version);
    if (status == OPSHIFT_OK)
        status = constraints_read(&reader, map, target);
    if (status == OPSHIFT_OK)
        status = gaps_read(&reader, map, target);
    *result = target;
    return status;
}

static enum opshift_status read_file(const char *path, struct arena *arena, struct target **target,
                                     struct opshift_error *error)
{
    char *data = NULL;
    size_t size = 0;
    enum opshift_status status = file_read(path, TREE_BYTES_MAX, &data, &size, error);
    if (status == OPSHIFT_OK)
        status = target_read(data, size, path, arena, target, error);
    free(data);
    return status;
}

enum opshift_status target_load(const char *name, const char *const *folders, size_t folder_count, struct arena *arena,
                                struct target **target, struct opshift_error *error)
{
    if (strchr(name, '/') || *name == '.') /* a name, not a path, as configurations may be untrusted */
        folder_count = 0;
    for (size_t i = folder_count; i-- > 0;) {
        const char *path = arena_print(arena, "%s/%s.yaml", folders[i], name);
        if (path == NULL)
            return opshift_no_memory(error);
        if (access(path, F_OK) == 0)
            return read_file(path, arena, target, error);
    }
    for (const struct target_text *shipped = targets_shipped; shipped->name; shipped++)
        if (strcmp(shipped->name, name) == 0)
            return target_read(shipped->text, strlen(shipped->text), arena_print(arena, "targets/%s.yaml", name), arena,
                               target, error);
    return opshift_fail(error, OPSHIFT_USAGE,
                        "there is no target profile '%s'; opshift lint --list-targets lists the shipped ones, and "
                        "--target-rules DIR adds those of a folder",
                        name);
}
