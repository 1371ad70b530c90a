/* Parses target profiles; errors give their place. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "check/target.h"

struct profile_reader {
    struct tree_place place;
    struct arena *arena;
    struct tree *map;       /* the whole profile */
    const struct tree *row; /* of the chosen version; NULL: the profile has no versions */
    int version;            /* its number, 0 the newest */
    const char *other;      /* the version that was asked for, where the profile has another one; else NULL */
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

/* The value of a key: of the version, else of the profile. NULL: absent. */
static const struct tree *value_find(const struct profile_reader *reader, const char *key)
{
    const struct tree *value = reader->row ? tree_find(reader->row, key) : NULL;
    return value ? value : tree_find(reader->map, key);
}

static enum opshift_status read_number(struct profile_reader *reader, const char *key, int64_t *number)
{
    const struct tree *value = value_find(reader, key);
    if (value != NULL && !(text_to_int64(value->text, strlen(value->text), number) && *number > 0))
        return FAIL(reader, value, "expected a number above 0 for '%s', found '%s'", key, value->text);
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

/* The same from a feature's texts, which end with NULL. */
static enum opshift_status conditions_of_feature(struct profile_reader *reader, const struct tree *map,
                                                 const char *const *texts, struct condition **conditions,
                                                 uint32_t *count)
{
    uint32_t room = 0;
    enum opshift_status status = OPSHIFT_OK;
    while (texts[room])
        room++;
    *conditions = arena_alloc(reader->arena, room + 1, sizeof(**conditions));
    if (*conditions == NULL)
        return opshift_no_memory(reader->place.error);
    for (; status == OPSHIFT_OK && *count < room; (*count)++) {
        struct tree item = {.kind = TREE_SCALAR, .line = map->line, .column = map->column, .text = texts[*count]};
        status = condition_read(reader, &item, &(*conditions)[*count]);
    }
    return status;
}

/* ---- features ---- */

static enum opshift_status feature_read(struct profile_reader *reader, const struct tree *value, int *feature)
{
    struct nearest nearest;
    enum opshift_status status = tree_expect_text(&reader->place, value, "a feature");
    if (status)
        return status;
    nearest_begin(&nearest, value->text);
    for (*feature = 0; *feature < TARGET_FEATURES; ++*feature) {
        if (strcmp(target_features[*feature].name, value->text) == 0)
            return OPSHIFT_OK;
        nearest_offer(&nearest, target_features[*feature].name);
    }
    if (nearest.best)
        return FAIL(reader, value, "there is no feature '%.64s'; did you mean '%s'?", value->text, nearest.best);
    return FAIL(reader, value, "there is no feature '%.64s'; rules/targets/README.md lists them", value->text);
}

static enum opshift_status feature_answer(struct profile_reader *reader, const struct tree *value,
                                          struct target *target, int feature, enum target_answer answer)
{
    if (target->answers[feature] != TARGET_UNKNOWN && target->answers[feature] != answer)
        return FAIL(reader, value, "'%s' is both taken and lacked", target_features[feature].name);
    target->answers[feature] = (uint8_t)answer;
    return OPSHIFT_OK;
}

static enum opshift_status takes_read(struct profile_reader *reader, struct target *target)
{
    const struct tree *list = value_find(reader, "takes");
    enum opshift_status status = OPSHIFT_OK;
    for (const struct tree *item = list ? list->first : NULL; status == OPSHIFT_OK && item; item = item->next) {
        int feature;
        status = feature_read(reader, item, &feature);
        if (status == OPSHIFT_OK)
            status = feature_answer(reader, item, target, feature, TARGET_YES);
    }
    return status;
}

static enum opshift_status split_form_read(struct profile_reader *reader, struct target *target)
{
    const struct tree *value = value_find(reader, "split_form");
    if (value == NULL)
        return OPSHIFT_OK;
    for (int i = 0; target_split_forms[i]; i++)
        if (strcmp(target_split_forms[i], value->text) == 0) {
            target->split_form = (enum target_split_form)i;
            return OPSHIFT_OK;
        }
    return FAIL(reader, value,
                "expected keep, lengths, num_outputs, equal or attribute for 'split_form', found '%.64s'", value->text);
}

/* ---- constraints ---- */

#define SINCE_KEYS                                                                                                     \
    {"since", TREE_SCALAR, false},                                                                                     \
    {                                                                                                                  \
        "before", TREE_SCALAR, false                                                                                   \
    }

/* The row of a version, 0 the newest; -1: there is none. */
static int version_number(const char *const *versions, const char *text, size_t size)
{
    for (int i = 0; versions[i]; i++)
        if (strlen(versions[i]) == size && memcmp(versions[i], text, size) == 0)
            return i;
    return -1;
}

/* Does a statement apply to the version that was chosen? `since` and `before` name versions of the list. */
static enum opshift_status since_applies(struct profile_reader *reader, const struct tree *map,
                                         const struct target *target, bool *applies)
{
    static const char *const keys[] = {"since", "before"};
    *applies = true;
    for (int i = 0; i < 2; i++) {
        const struct tree *value = tree_find(map, keys[i]);
        if (value == NULL)
            continue;
        int number = version_number(target->versions, value->text, strlen(value->text));
        if (number < 0)
            return FAIL(reader, value, "there is no version '%.64s' in the list 'versions'", value->text);
        if (i == 0 ? reader->version > number : reader->version <= number)
            *applies = false;
    }
    return OPSHIFT_OK;
}

static enum opshift_status operator_split(struct profile_reader *reader, const char *text, size_t size,
                                          const char **domain, const char **operator_type)
{
    const char *dot = NULL;
    for (size_t i = 0; i < size; i++)
        dot = text[i] == '.' ? text + i : dot;
    *domain = arena_copy(reader->arena, text, dot ? (size_t)(dot - text) : 0);
    *operator_type = arena_copy(reader->arena, dot ? dot + 1 : text, dot ? size - (size_t)(dot + 1 - text) : size);
    return *domain && *operator_type ? OPSHIFT_OK : opshift_no_memory(reader->place.error);
}

static const char *text_or(const struct tree *map, const char *key, const char *otherwise)
{
    const char *text = text_find(map, key);
    return text ? text : otherwise;
}

/* The feature's words and conditions, where the constraint gives none of its own. */
static enum opshift_status constraint_fill(struct profile_reader *reader, const struct tree *map,
                                           struct target_constraint *constraint)
{
    static const struct target_feature_row none = {0};
    const struct target_feature_row *row = constraint->feature < 0 ? &none : &target_features[constraint->feature];
    const char *operator_type = text_or(map, "operator", row->operator_type);
    const char *opset = text_or(map, "opset", row->opset);
    constraint->key = text_or(map, "key", row->name);
    constraint->why = text_or(map, "why", row->why);
    constraint->mend = text_or(map, "mend", row->mend);
    const char *const needed[] = {constraint->key, operator_type, constraint->why, constraint->mend};
    static const char *const keys[] = {"key", "operator", "why", "mend"};
    for (size_t i = 0; i < COUNT(keys); i++)
        if (needed[i] == NULL)
            return FAIL(reader, map, "a constraint needs the key '%s', or 'lacks'", keys[i]);
    if (opset && !range_parse(opset, strlen(opset), &constraint->least, &constraint->most))
        return FAIL(reader, tree_find(map, "opset"), "expected opsets, as 13, 13- or 2-10, found '%s'", opset);
    enum opshift_status status =
        operator_split(reader, operator_type, strlen(operator_type), &constraint->domain, &constraint->operator_type);
    bool split = strcmp(operator_type, "Split") == 0;
    bool own = row->name == NULL || tree_find(map, "when") || tree_find(map, "require");
    if (status == OPSHIFT_OK && !own)
        status = conditions_of_feature(reader, map, row->when, &constraint->when, &constraint->when_count);
    if (status == OPSHIFT_OK && !own)
        status = conditions_of_feature(reader, map, row->require, &constraint->require, &constraint->require_count);
    if (status == OPSHIFT_OK && own)
        status = conditions_read(reader, map, "when", split, &constraint->when, &constraint->when_count);
    if (status == OPSHIFT_OK && own)
        status = conditions_read(reader, map, "require", split, &constraint->require, &constraint->require_count);
    return status;
}

static enum opshift_status severity_read(struct profile_reader *reader, const struct tree *map, bool *refused)
{
    const char *severity = text_or(map, "severity", "error");
    *refused = strcmp(severity, "error") == 0;
    if (!*refused && strcmp(severity, "warning") != 0)
        return FAIL(reader, tree_find(map, "severity"), "expected error or warning, found '%s'", severity);
    return OPSHIFT_OK;
}

static enum opshift_status constraint_read(struct profile_reader *reader, const struct tree *map, struct target *target)
{
    static const struct tree_key keys[] = {
        {"key", TREE_SCALAR, false},
        {"lacks", TREE_SCALAR, false},
        {"operator", TREE_SCALAR, false},
        {"opset", TREE_SCALAR, false},
        SINCE_KEYS,
        {"severity", TREE_SCALAR, false},
        {"when", TREE_LIST, false},
        {"require", TREE_LIST, false},
        {"why", TREE_SCALAR, false},
        {"mend", TREE_SCALAR, false},
        {"source", TREE_SCALAR, true},
        {"date", TREE_SCALAR, true},
    };
    struct target_constraint *constraint = &target->constraints[target->constraint_count];
    const struct tree *lacks;
    bool applies = true;
    enum opshift_status status = tree_expect_keys(&reader->place, map, keys, COUNT(keys), "a constraint");
    if (status)
        return status;
    *constraint = (struct target_constraint){.least = 1, .most = INT64_MAX, .feature = -1};
    constraint->source = read_text(map, "source");
    constraint->date = read_text(map, "date");
    lacks = tree_find(map, "lacks");
    if (lacks)
        status = feature_read(reader, lacks, &constraint->feature);
    if (status == OPSHIFT_OK)
        status = severity_read(reader, map, &constraint->refused);
    if (status == OPSHIFT_OK)
        status = constraint_fill(reader, map, constraint);
    if (status == OPSHIFT_OK)
        status = since_applies(reader, map, target, &applies);
    if (status == OPSHIFT_OK && applies && lacks)
        status = feature_answer(reader, lacks, target, constraint->feature, TARGET_NO);
    target->constraint_count += status == OPSHIFT_OK && applies;
    return status;
}

static enum opshift_status constraints_read(struct profile_reader *reader, struct target *target)
{
    const struct tree *list = value_find(reader, "constraints");
    enum opshift_status status = OPSHIFT_OK;
    if (list == NULL)
        return OPSHIFT_OK;
    target->constraints = arena_alloc(reader->arena, list->count + 1, sizeof(*target->constraints));
    if (target->constraints == NULL)
        return opshift_no_memory(reader->place.error);
    for (const struct tree *item = list->first; status == OPSHIFT_OK && item; item = item->next)
        status = constraint_read(reader, item, target);
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
    const char *text = gap->text = item->text;
    size_t size = word_next(&text);
    enum opshift_status status = operator_split(reader, text, size, &gap->domain, &gap->operator_type);
    if (status)
        return status;
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
    if (by_name || one->least == other->least)
        return by_name ? by_name : strcmp(one->text, other->text); /* qsort is stable in some C libraries alone */
    return one->least < other->least ? -1 : 1;
}

static enum opshift_status gaps_read(struct profile_reader *reader, struct target *target)
{
    const struct tree *list = value_find(reader, "without_kernel");
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

/* ---- operators and types that are lacking, or all that there are ---- */

static enum opshift_status lack_types(struct profile_reader *reader, const struct tree *list, struct target_lack *lack)
{
    for (const struct tree *item = list->first; item; item = item->next) {
        enum opshift_status status = tree_expect_text(&reader->place, item, "a type");
        if (status)
            return status;
        enum opshift_type type = type_find(item->text, strlen(item->text));
        if (type == OPSHIFT_TYPE_UNDEFINED)
            return FAIL(reader, item, "there is no type '%.64s'", item->text);
        lack->types |= UINT64_C(1) << type;
    }
    return OPSHIFT_OK;
}

/* A list of texts as an array that ends with NULL. */
static enum opshift_status texts_read(struct profile_reader *reader, const struct tree *list, const char *what,
                                      const char *const **result)
{
    size_t count = 0;
    const char **texts = arena_alloc(reader->arena, (list ? list->count : 0) + 1, sizeof(*texts));
    if (texts == NULL)
        return opshift_no_memory(reader->place.error);
    for (const struct tree *item = list ? list->first : NULL; item; item = item->next) {
        enum opshift_status status = tree_expect_text(&reader->place, item, what);
        if (status)
            return status;
        texts[count++] = item->text;
    }
    texts[count] = NULL;
    *result = texts;
    return OPSHIFT_OK;
}

static enum opshift_status lack_read(struct profile_reader *reader, const struct tree *map, bool operators,
                                     struct target_lack *lack)
{
    const struct tree_key keys[] = {
        {operators ? "operators" : "types", TREE_LIST, true},
        {"severity", TREE_SCALAR, false},
        {"why", TREE_SCALAR, false},
        SINCE_KEYS,
        {"source", TREE_SCALAR, true},
        {"date", TREE_SCALAR, true},
    };
    enum opshift_status status = tree_expect_keys(&reader->place, map, keys, COUNT(keys), "an entry");
    if (status == OPSHIFT_OK)
        status = severity_read(reader, map, &lack->refused);
    if (status)
        return status;
    lack->why = text_find(map, "why");
    lack->source = read_text(map, "source");
    lack->date = read_text(map, "date");
    const struct tree *list = tree_find(map, keys[0].name);
    return operators ? texts_read(reader, list, "an operator", &lack->operators) : lack_types(reader, list, lack);
}

static enum opshift_status lacks_read(struct profile_reader *reader, struct target *target)
{
    static const struct {
        const char *key;
        bool operators, all_others;
    } kinds[] = {{"without_operators", true, false},
                 {"only_operators", true, true},
                 {"without_types", false, false},
                 {"only_types", false, true}};
    enum opshift_status status = OPSHIFT_OK;
    size_t room = 0;
    for (size_t i = 0; i < COUNT(kinds); i++)
        room += value_find(reader, kinds[i].key) ? value_find(reader, kinds[i].key)->count : 0;
    target->lacks = arena_alloc(reader->arena, room + 1, sizeof(*target->lacks));
    if (target->lacks == NULL)
        return opshift_no_memory(reader->place.error);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct tree *list = value_find(reader, kinds[i].key);
        for (const struct tree *item = list ? list->first : NULL; status == OPSHIFT_OK && item; item = item->next) {
            struct target_lack *lack = &target->lacks[target->lack_count];
            bool applies = true;
            *lack = (struct target_lack){.all_others = kinds[i].all_others};
            status = lack_read(reader, item, kinds[i].operators, lack);
            if (status == OPSHIFT_OK)
                status = since_applies(reader, item, target, &applies);
            target->lack_count += applies;
        }
    }
    return status;
}

/* ---- operators that there are ---- */

static enum opshift_status known_read(struct profile_reader *reader, struct target *target)
{
    static const struct tree_key keys[] = {
        {"operators", TREE_LIST, true}, SINCE_KEYS, {"source", TREE_SCALAR, true}, {"date", TREE_SCALAR, true}};
    const struct tree *list = value_find(reader, "with_operators"), *others = value_find(reader, "others");
    enum opshift_status status = OPSHIFT_OK;
    target->known = arena_alloc(reader->arena, (list ? list->count : 0) + 1, sizeof(*target->known));
    if (target->known == NULL)
        return opshift_no_memory(reader->place.error);
    for (const struct tree *item = list ? list->first : NULL; status == OPSHIFT_OK && item; item = item->next) {
        struct target_known *known = &target->known[target->known_count];
        bool applies = true;
        status = tree_expect_keys(&reader->place, item, keys, COUNT(keys), "an entry");
        if (status)
            return status;
        known->source = read_text(item, "source");
        known->date = read_text(item, "date");
        status = texts_read(reader, tree_find(item, "operators"), "an operator", &known->operators);
        if (status == OPSHIFT_OK)
            status = since_applies(reader, item, target, &applies);
        target->known_count += applies;
    }
    target->others_taken = others != NULL && strcmp(others->text, "taken") == 0;
    if (status == OPSHIFT_OK && others && !target->others_taken)
        return FAIL(reader, others, "expected 'taken' for 'others', found '%.64s'", others->text);
    return status;
}

/* Of these nearly all runtimes take any, or only standards speak; a profile that says nothing of them is not in doubt.
 */
static bool is_of_names(int feature)
{
    return feature == FEATURE_UNNAMED_NODE || feature == FEATURE_REPEATED_NAME || feature == FEATURE_UNNAMED_OUTPUT ||
           feature == FEATURE_OUTER_OUTPUT || (feature >= FEATURE_DEFAULTS && feature <= FEATURE_AUTO_PAD);
}

/* A constraint for each feature of which the profile says nothing, to note where a model has it. */
static enum opshift_status unknown_features(struct profile_reader *reader, struct target *target)
{
    struct target_constraint *all =
        arena_alloc(reader->arena, target->constraint_count + TARGET_FEATURES, sizeof(*all));
    enum opshift_status status = OPSHIFT_OK;
    if (all == NULL)
        return opshift_no_memory(reader->place.error);
    if (target->constraint_count)
        memcpy(all, target->constraints, target->constraint_count * sizeof(*all));
    target->constraints = all;
    for (int i = 0; status == OPSHIFT_OK && !target->others_taken && i < TARGET_FEATURES; i++) {
        const struct target_feature_row *row = &target_features[i];
        if (target->answers[i] != TARGET_UNKNOWN || is_of_names(i) || (row->when[0] == NULL && row->require[0] == NULL))
            continue;
        struct target_constraint *constraint = &all[target->constraint_count++];
        *constraint = (struct target_constraint){.least = 1,
                                                 .most = INT64_MAX,
                                                 .feature = i,
                                                 .unknown = true,
                                                 .key = row->name,
                                                 .operator_type = row->operator_type,
                                                 .domain = ""};
        if (row->opset)
            range_parse(row->opset, strlen(row->opset), &constraint->least, &constraint->most);
        status = conditions_of_feature(reader, reader->map, row->when, &constraint->when, &constraint->when_count);
        if (status == OPSHIFT_OK)
            status = conditions_of_feature(reader, reader->map, row->require, &constraint->require,
                                           &constraint->require_count);
    }
    return status;
}

/* ---- versions ---- */

/* Keys that a version may give otherwise than the profile. */
#define KEYS_OF_VERSIONS                                                                                               \
    {"opset", TREE_SCALAR, false}, {"oldest_opset", TREE_SCALAR, false}, {"ir_version", TREE_SCALAR, false},           \
        {"split_form", TREE_SCALAR, false}, {"takes", TREE_LIST, false}, {"without_kernel", TREE_LIST, false},         \
        {"without_operators", TREE_LIST, false}, {"only_operators", TREE_LIST, false},                                 \
        {"with_operators", TREE_LIST, false}, {"others", TREE_SCALAR, false}, {"without_types", TREE_LIST, false},     \
    {                                                                                                                  \
        "only_types", TREE_LIST, false                                                                                 \
    }

static enum opshift_status version_unknown(struct profile_reader *reader, const struct target *target,
                                           const char *wanted)
{
    struct buffer list = {0};
    for (int i = 0; target->versions[i]; i++)
        buffer_print(&list, "%s%s", i ? ", " : "", target->versions[i]);
    buffer_add_text(&list, "");
    char *all = buffer_take(&list);
    if (all == NULL)
        return opshift_no_memory(reader->place.error);
    enum opshift_status status =
        *all == '\0'
            ? opshift_fail(reader->place.error, OPSHIFT_USAGE,
                           "the target profile '%s' has no versions; write it without '@%.64s'", target->name, wanted)
            : opshift_fail(reader->place.error, OPSHIFT_USAGE,
                           "the target profile '%s' has no version '%.64s'; it has %s", target->name, wanted, all);
    free(all);
    return status;
}

static bool is_version(const char *text)
{
    return *text >= '0' && *text <= '9' && text[strspn(text, "0123456789.")] == '\0';
}

/* Compares versions number by number: 4.10 is newer than 4.8, and as new as 4.10.0 and 4.10.1. */
static int version_compare(const char *one, const char *other)
{
    while (*one && *other) {
        long first = strtol(one, (char **)&one, 10), second = strtol(other, (char **)&other, 10);
        if (first != second)
            return first < second ? -1 : 1;
        one += strcspn(one, "0123456789");
        other += strcspn(other, "0123456789");
    }
    return 0;
}

/* The row of a version: its own, else that of the nearest older version, else of the oldest. -1: it is no version. */
static int version_covering(const char *const *versions, const char *wanted)
{
    int number = version_number(versions, wanted, strlen(wanted));
    if (number >= 0 || !is_version(wanted))
        return number;
    for (number = 0; versions[number + 1] && version_compare(versions[number], wanted) > 0;)
        number++;
    return number;
}

static enum opshift_status versions_read(struct profile_reader *reader, const char *wanted, struct target *target)
{
    static const struct tree_key keys[] = {
        {"version", TREE_SCALAR, true}, {"date", TREE_SCALAR, false}, {"source", TREE_SCALAR, false}, KEYS_OF_VERSIONS};
    const struct tree *list = tree_find(reader->map, "versions");
    size_t count = 0;
    const char **names = arena_alloc(reader->arena, (list ? list->count : 0) + 1, sizeof(*names));
    if (names == NULL)
        return opshift_no_memory(reader->place.error);
    for (const struct tree *row = list ? list->first : NULL; row; row = row->next) {
        enum opshift_status status = tree_expect_keys(&reader->place, row, keys, COUNT(keys), "a version");
        if (status)
            return status;
        const char *name = read_text(row, "version");
        if (version_number(names, name, strlen(name)) >= 0)
            return FAIL(reader, row, "the version '%.64s' is there twice", name);
        names[count++] = name;
    }
    target->versions = names;
    if (count == 0) {
        reader->other = wanted;
        return wanted && !is_version(wanted) ? version_unknown(reader, target, wanted) : OPSHIFT_OK;
    }
    reader->version = wanted ? version_covering(names, wanted) : 0;
    if (reader->version < 0)
        return version_unknown(reader, target, wanted);
    reader->other = wanted && version_compare(names[reader->version], wanted) != 0 ? wanted : NULL;
    target->version = names[reader->version];
    reader->row = list->first;
    for (int i = 0; i < reader->version; i++)
        reader->row = reader->row->next;
    return OPSHIFT_OK;
}

/* ---- a profile ---- */

static enum opshift_status figures_read(struct profile_reader *reader, struct target *target)
{
    enum opshift_status status = read_number(reader, "opset", &target->opset);
    if (status == OPSHIFT_OK)
        status = read_number(reader, "oldest_opset", &target->oldest_opset);
    if (status == OPSHIFT_OK)
        status = read_number(reader, "ir_version", &target->ir_version);
    target->source = value_find(reader, "source")->text;
    target->date = value_find(reader, "date")->text;
    target->label = target->version ? arena_print(reader->arena, "%s %s", target->name, target->version) : target->name;
    if (target->label && reader->other)
        target->label = arena_print(reader->arena, "%s (nearest to %.64s)", target->label, reader->other);
    return status || target->label ? status : opshift_no_memory(reader->place.error);
}

enum opshift_status target_read(const char *text, size_t size, const char *name, const char *version,
                                struct arena *arena, struct target **result, struct opshift_error *error)
{
    static const struct tree_key keys[] = {{"target", TREE_SCALAR, true},     {"description", TREE_SCALAR, true},
                                           {"aliases", TREE_LIST, false},     {"source", TREE_SCALAR, true},
                                           {"date", TREE_SCALAR, true},       {"versions", TREE_LIST, false},
                                           {"constraints", TREE_LIST, false}, KEYS_OF_VERSIONS};
    struct profile_reader reader = {.place = {name, error}, .arena = arena};
    struct target *target = arena_alloc(arena, 1, sizeof(*target));
    if (target == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = tree_parse(text, size, name, arena, &reader.map, error);
    if (status == OPSHIFT_OK)
        status = tree_expect_keys(&reader.place, reader.map, keys, COUNT(keys), "a profile");
    if (status)
        return status;
    target->name = read_text(reader.map, "target");
    target->description = read_text(reader.map, "description");
    status = texts_read(&reader, tree_find(reader.map, "aliases"), "an alias", &target->aliases);
    if (status == OPSHIFT_OK)
        status = versions_read(&reader, version, target);
    if (status == OPSHIFT_OK)
        status = figures_read(&reader, target);
    if (status == OPSHIFT_OK)
        status = split_form_read(&reader, target);
    if (status == OPSHIFT_OK)
        status = takes_read(&reader, target);
    if (status == OPSHIFT_OK)
        status = constraints_read(&reader, target);
    if (status == OPSHIFT_OK)
        status = gaps_read(&reader, target);
    if (status == OPSHIFT_OK)
        status = lacks_read(&reader, target);
    if (status == OPSHIFT_OK)
        status = known_read(&reader, target);
    if (status == OPSHIFT_OK)
        status = unknown_features(&reader, target);
    *result = target;
    return status;
}
