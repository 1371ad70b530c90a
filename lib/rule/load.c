/* Reads rule files: what their keys mean, and what is wrong with them. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "rule/load.h"
#include "rule/tree.h"

/* One file while it is read. */
struct loader {
    struct rule_set *set;
    const char *file;
    int64_t opset;
    struct opshift_error *error;
};

struct key {
    const char *name;
    enum tree_kind kind;
    bool required;
};

#define FAIL(loader, place, ...) tree_fail((loader)->error, (loader)->file, (place)->line, (place)->column, __VA_ARGS__)
#define FAIL_KEY(loader, place, ...)                                                                                   \
    tree_fail((loader)->error, (loader)->file, (place)->key_line, (place)->key_column, __VA_ARGS__)

/* ---- what every map and scalar must be -------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);

    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

static bool names_have(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static enum opshift_status expect_kind(struct loader *loader, const struct tree *value, enum tree_kind kind,
                                       const char *what)
{
    if (value->kind == kind)
        return OPSHIFT_OK;
    return FAIL(loader, value, "%s: expected %s, found %s", what, tree_kind_name(kind), tree_kind_name(value->kind));
}

static enum opshift_status expect_text(struct loader *loader, const struct tree *value, const char *what)
{
    enum opshift_status status = expect_kind(loader, value, TREE_SCALAR, what);

    if (status == OPSHIFT_OK && *value->text == '\0')
        return FAIL(loader, value, "%s: expected text, found nothing", what);
    return status;
}

static const struct key *key_find(const struct key *keys, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static enum opshift_status fail_unknown_key(struct loader *loader, const struct tree *value, const struct key *keys,
                                            size_t count)
{
    struct buffer list = {0};
    enum opshift_status status;
    char *text;

    for (size_t i = 0; i < count; i++)
        buffer_print(&list, "%s%s", i == 0 ? "" : ", ", keys[i].name);
    text = buffer_take(&list);
    status = text == NULL ? opshift_no_memory(loader->error)
                          : FAIL_KEY(loader, value, "unknown key '%s'; the keys here are %s", value->key, text);
    free(text);
    return status;
}

/* what: the words for such a map, "a rule". */
static enum opshift_status expect_keys(struct loader *loader, const struct tree *map, const struct key *keys,
                                       size_t count, const char *what)
{
    if (map->kind != TREE_MAP)
        return FAIL(loader, map, "expected %s (a map), found %s", what, tree_kind_name(map->kind));
    for (const struct tree *value = map->first; value != NULL; value = value->next) {
        const struct key *key = key_find(keys, count, value->key);
        enum opshift_status status;

        if (key == NULL)
            return fail_unknown_key(loader, value, keys, count);
        status = key->kind == TREE_SCALAR ? expect_text(loader, value, key->name)
                                          : expect_kind(loader, value, key->kind, key->name);
        if (status != OPSHIFT_OK)
            return status;
    }
    for (size_t i = 0; i < count; i++)
        if (keys[i].required && tree_find(map, keys[i].name) == NULL)
            return FAIL(loader, map, "%s needs the key '%s'", what, keys[i].name);
    return OPSHIFT_OK;
}

static const char *text_or(const struct tree *map, const char *key, const char *otherwise)
{
    const struct tree *value = tree_find(map, key);

    return value == NULL ? otherwise : value->text;
}

/* Rules for ai.onnx end at the newest opset we know; other domains count for themselves. */
static enum opshift_status read_domain(struct loader *loader, const struct tree *map, const char **domain)
{
    *domain = text_or(map, "domain", "");
    if (strcmp(*domain, "ai.onnx") == 0)
        *domain = "";
    if (**domain == '\0' && loader->opset > OPSHIFT_OPSET_NEWEST)
        return FAIL(loader, map, "ai.onnx has no opset %d; the newest is %d", (int)loader->opset, OPSHIFT_OPSET_NEWEST);
    return OPSHIFT_OK;
}

static void *set_alloc(struct loader *loader, size_t count, size_t size)
{
    void *memory = arena_alloc(loader->set->arena, count, size);

    if (memory == NULL)
        opshift_no_memory(loader->error);
    return memory;
}

/* A NULL-terminated list of scalars. */
static enum opshift_status read_texts(struct loader *loader, const struct tree *list, const char *what,
                                      const char *const **texts)
{
    const char **copy = set_alloc(loader, list->count + 1, sizeof(*copy));
    size_t count = 0;

    if (copy == NULL)
        return OPSHIFT_MEMORY;
    for (const struct tree *item = list->first; item != NULL; item = item->next) {
        enum opshift_status status = expect_kind(loader, item, TREE_SCALAR, what);

        if (status != OPSHIFT_OK)
            return status;
        copy[count++] = item->text;
    }
    *texts = copy;
    return OPSHIFT_OK;
}

/* Doubles what has no room for one more. */
static void *array_grow(struct loader *loader, void *array, uint32_t count, uint32_t *room, size_t size)
{
    uint32_t wanted = *room == 0 ? 16 : *room * 2;
    void *grown;

    if (count < *room)
        return array;
    grown = set_alloc(loader, wanted, size);
    if (grown == NULL)
        return NULL;
    if (count > 0)
        memcpy(grown, array, count * size);
    *room = wanted;
    return grown;
}

/* ---- rules ------------------------------------------------------------------------------------------------------ */

static enum opshift_status fail_unknown_verb(struct loader *loader, const struct tree *value)
{
    struct buffer list = {0};
    enum opshift_status status;
    char *text;

    for (const struct action *action = action_all(); action->verb != NULL; action++)
        buffer_print(&list, "%s%s", action == action_all() ? "" : ", ", action->verb);
    text = buffer_take(&list);
    status = text == NULL ? opshift_no_memory(loader->error)
                          : FAIL_KEY(loader, value, "unknown verb '%s'; the verbs are %s", value->key, text);
    free(text);
    return status;
}

enum parameter_kind {
    PARAMETER_TEXT,
    PARAMETER_SCALAR,   /* text that may be empty */
    PARAMETER_WORD,     /* one of some words */
    PARAMETER_POSITION, /* 0, 1, 2, ... */
    PARAMETER_INTEGER,
    PARAMETER_NUMBER,
    PARAMETER_LIST
};

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* What a parameter may be. The first row that fits counts; a `value` without a row is anything that its `type` allows.
 */
static const struct parameter_row {
    const char *name;
    const char *verb; /* NULL: whatever the verb */
    enum parameter_kind kind;
    const char *const *words;
} parameter_rows[] = {
    {"type", "attribute_to_input", PARAMETER_WORD, WORDS("int64", "float", "double")},
    {"type", "input_to_attribute", PARAMETER_WORD, WORDS("int", "float")},
    {"type", "translate_value", PARAMETER_WORD, WORDS("int", "string")},
    {"type", "require_type", PARAMETER_WORD,
     WORDS("float", "double", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
           "uint64", "bool", "string", "complex64", "complex128")},
    {"type", NULL, PARAMETER_WORD, WORDS("int", "float", "string", "ints", "floats")},
    {"unknown", NULL, PARAMETER_WORD, WORDS("keep", "refuse")},
    {"value", "drop_input", PARAMETER_NUMBER, NULL},
    {"value", "refuse_value", PARAMETER_SCALAR, NULL},
    {"value", "require_default", PARAMETER_SCALAR, NULL},
    {"as", NULL, PARAMETER_POSITION, NULL},
    {"attribute", NULL, PARAMETER_TEXT, NULL},
    {"axis", NULL, PARAMETER_TEXT, NULL},
    {"default", NULL, PARAMETER_INTEGER, NULL},
    {"given", NULL, PARAMETER_POSITION, NULL},
    {"input", NULL, PARAMETER_POSITION, NULL},
    {"new", NULL, PARAMETER_LIST, NULL},
    {"old", NULL, PARAMETER_LIST, NULL},
    {"output", NULL, PARAMETER_POSITION, NULL},
    {"rank", NULL, PARAMETER_POSITION, NULL},
    {"to", NULL, PARAMETER_TEXT, NULL},
    {"words", NULL, PARAMETER_TEXT, NULL},
};

static bool text_fits(const char *text, const char *type)
{
    char *end;

    if (strncmp(type, "string", 6) == 0)
        return true;
    errno = 0;
    if (strncmp(type, "int", 3) == 0)
        (void)strtoll(text, &end, 10);
    else
        (void)strtof(text, &end);
    return errno == 0 && end != text && *end == '\0';
}

static bool text_is_position(const char *text)
{
    size_t size = strlen(text);

    return size > 0 && size <= 4 && strspn(text, "0123456789") == size;
}

static enum opshift_status expect_word(struct loader *loader, const struct tree *value, const char *name,
                                       const char *const *words)
{
    struct buffer list = {0};
    enum opshift_status status;
    char *text;

    if (names_have(words, value->text))
        return OPSHIFT_OK;
    for (size_t i = 0; words[i] != NULL; i++)
        buffer_print(&list, "%s%s", i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ", words[i]);
    text = buffer_take(&list);
    status = text == NULL ? opshift_no_memory(loader->error)
                          : FAIL(loader, value, "%s: expected %s, found '%s'", name, text, value->text);
    free(text);
    return status;
}

static enum opshift_status expect_parameter(struct loader *loader, const struct tree *value,
                                            const struct parameter_row *row)
{
    enum opshift_status status;

    if (row->kind == PARAMETER_LIST || row->kind == PARAMETER_SCALAR)
        return expect_kind(loader, value, row->kind == PARAMETER_LIST ? TREE_LIST : TREE_SCALAR, row->name);
    status = expect_text(loader, value, row->name);
    if (status != OPSHIFT_OK)
        return status;
    if (row->kind == PARAMETER_WORD)
        return expect_word(loader, value, row->name, row->words);
    if (row->kind == PARAMETER_POSITION && !text_is_position(value->text))
        return FAIL(loader, value, "%s: expected 0, 1, 2, ..., found '%s'", row->name, value->text);
    if (row->kind == PARAMETER_INTEGER && !text_fits(value->text, "int"))
        return FAIL(loader, value, "%s: expected an integer, found '%s'", row->name, value->text);
    if (row->kind == PARAMETER_NUMBER && !text_fits(value->text, "float"))
        return FAIL(loader, value, "%s: expected a number, found '%s'", row->name, value->text);
    return OPSHIFT_OK;
}

static enum opshift_status check_parameter(struct loader *loader, const struct tree *value, const char *name,
                                           const char *verb)
{
    for (size_t i = 0; i < COUNT(parameter_rows); i++) {
        const struct parameter_row *row = &parameter_rows[i];

        if (strcmp(row->name, name) == 0 && (row->verb == NULL || strcmp(row->verb, verb) == 0))
            return expect_parameter(loader, value, row);
    }
    return OPSHIFT_OK;
}

static enum opshift_status read_parameter(struct loader *loader, const struct tree *value, const char *name,
                                          const char *verb, struct parameter *parameter)
{
    enum opshift_status status = check_parameter(loader, value, name, verb);

    if (status != OPSHIFT_OK)
        return status;
    parameter->name = name;
    parameter->line = value->line;
    parameter->column = value->column;
    if (value->kind == TREE_LIST)
        return read_texts(loader, value, name, &parameter->items);
    if (value->kind == TREE_MAP)
        return FAIL(loader, value, "%s: expected a scalar or a list, found a map", name);
    parameter->text = value->text;
    return OPSHIFT_OK;
}

static enum opshift_status fail_unknown_parameter(struct loader *loader, const struct tree *value,
                                                  const struct action *action)
{
    struct buffer list = {0};
    enum opshift_status status;
    char *text;

    for (size_t i = 0; action->required[i] != NULL; i++)
        buffer_print(&list, "%s%s", i == 0 ? "" : ", ", action->required[i]);
    for (size_t i = 0; action->optional[i] != NULL; i++)
        buffer_print(&list, "%s%s", list.size == 0 ? "" : ", ", action->optional[i]);
    text = buffer_take(&list);
    status = text == NULL ? opshift_no_memory(loader->error)
                          : FAIL_KEY(loader, value, "%s has no parameter '%s'; its parameters are %s", action->verb,
                                     value->key, *text == '\0' ? "none" : text);
    free(text);
    return status;
}

static enum opshift_status read_parameters(struct loader *loader, const struct tree *map, const struct action *action,
                                           struct parameter *parameters)
{
    for (const struct tree *value = map->first; value != NULL; value = value->next) {
        enum opshift_status status;

        if (!names_have(action->required, value->key) && !names_have(action->optional, value->key))
            return fail_unknown_parameter(loader, value, action);
        status = read_parameter(loader, value, value->key, action->verb, parameters++);
        if (status != OPSHIFT_OK)
            return status;
    }
    return OPSHIFT_OK;
}

/* `verb: scalar` is short for the first required parameter. */
static enum opshift_status read_short(struct loader *loader, const struct tree *value, const struct action *action,
                                      struct parameter *parameter)
{
    if (value->kind == TREE_LIST)
        return FAIL(loader, value, "%s: expected a scalar or a map of its parameters, found a list", action->verb);
    if (action->required[0] == NULL)
        return FAIL(loader, value, "%s: expected a map of its parameters, found a scalar", action->verb);
    return read_parameter(loader, value, action->required[0], action->verb, parameter);
}

static const struct parameter *parameter_find(const struct step *step, const char *name)
{
    for (uint32_t i = 0; i < step->parameter_count; i++)
        if (strcmp(step->parameters[i].name, name) == 0)
            return &step->parameters[i];
    return NULL;
}

static bool items_fit(const struct parameter *list, const char *type)
{
    for (const char *const *item = list->items; *item != NULL; item++)
        if (!text_fits(*item, type))
            return false;
    return true;
}

static uint32_t items_count(const struct parameter *list)
{
    uint32_t count = 0;

    while (list->items[count] != NULL)
        count++;
    return count;
}

/* What must fit a step's `type`: its `value`, a scalar or a list as the type says, or its list `new`. */
static enum opshift_status expect_typed(struct loader *loader, const struct step *step)
{
    const struct parameter *type = parameter_find(step, "type"), *value = parameter_find(step, "value");
    const struct parameter *old = parameter_find(step, "old"), *new = parameter_find(step, "new");
    bool fits = true;

    if (type != NULL && value != NULL)
        fits = ends_with(type->text, "s") == (value->items != NULL) &&
               (value->items != NULL ? items_fit(value, type->text) : text_fits(value->text, type->text));
    if (!fits)
        return FAIL(loader, value, "value: does not fit the type '%s'", type->text);
    if (old == NULL || new == NULL)
        return OPSHIFT_OK;
    if (items_count(old) != items_count(new))
        return FAIL(loader, new, "new: expected as many values as in old (%u), found %u", items_count(old),
                    items_count(new));
    if (type != NULL && !items_fit(new, type->text))
        return FAIL(loader, new, "new: does not fit the type '%s'", type->text);
    return OPSHIFT_OK;
}

static enum opshift_status read_step(struct loader *loader, const struct tree *item, struct step *step)
{
    const struct tree *value = item->first;
    struct parameter *parameters;
    enum opshift_status status;

    if (item->kind != TREE_MAP || item->count != 1)
        return FAIL(loader, item, "expected one step, as in `verb: {parameter: value}`, found %s%s",
                    tree_kind_name(item->kind), item->kind == TREE_MAP ? " that has not one key" : "");
    step->verb = value->key;
    step->line = value->key_line;
    step->column = value->key_column;
    step->action = action_find(step->verb);
    if (step->action == NULL)
        return fail_unknown_verb(loader, value);
    step->parameter_count = value->kind == TREE_MAP ? value->count : 1;
    parameters = set_alloc(loader, step->parameter_count + 1, sizeof(*parameters));
    if (parameters == NULL)
        return OPSHIFT_MEMORY;
    step->parameters = parameters;
    status = value->kind == TREE_MAP ? read_parameters(loader, value, step->action, parameters)
                                     : read_short(loader, value, step->action, parameters);
    for (const char *const *name = step->action->required; status == OPSHIFT_OK && *name != NULL; name++)
        if (parameter_find(step, *name) == NULL)
            return FAIL_KEY(loader, value, "%s needs the parameter '%s'", step->verb, *name);
    return status == OPSHIFT_OK ? expect_typed(loader, step) : status;
}

static enum opshift_status read_steps(struct loader *loader, const struct tree *list, struct rule *rule,
                                      enum direction direction)
{
    struct step *steps;

    if (list == NULL)
        return OPSHIFT_OK;
    rule->has[direction] = true;
    rule->step_count[direction] = list->count;
    steps = set_alloc(loader, list->count + 1, sizeof(*steps));
    if (steps == NULL)
        return OPSHIFT_MEMORY;
    rule->steps[direction] = steps;
    for (const struct tree *item = list->first; item != NULL; item = item->next) {
        enum opshift_status status = read_step(loader, item, steps++);

        if (status != OPSHIFT_OK)
            return status;
    }
    return OPSHIFT_OK;
}

static enum opshift_status read_example(struct loader *loader, const struct tree *map, const struct rule *rule,
                                        struct example *example)
{
    static const struct key keys[] = {
        {"direction", TREE_SCALAR, false},
        {"before", TREE_SCALAR, true},
        {"after", TREE_SCALAR, true},
    };
    enum opshift_status status = expect_keys(loader, map, keys, COUNT(keys), "an example");
    const struct tree *direction, *before, *after;

    if (status != OPSHIFT_OK)
        return status;
    direction = tree_find(map, "direction");
    before = tree_find(map, "before");
    after = tree_find(map, "after");
    example->up = direction == NULL || strcmp(direction->text, "up") == 0;
    if (!example->up && strcmp(direction->text, "down") != 0)
        return FAIL(loader, direction, "direction: expected up or down, found '%s'", direction->text);
    if (!rule->has[example->up ? DIRECTION_UP : DIRECTION_DOWN])
        return FAIL(loader, map, "an example of going %s, and the rule has no '%s'", example->up ? "up" : "down",
                    example->up ? "up" : "down");
    example->before = before->text;
    example->before_line = before->text_line;
    example->after = after->text;
    example->after_line = after->text_line;
    return OPSHIFT_OK;
}

static enum opshift_status read_examples(struct loader *loader, const struct tree *list, struct rule *rule)
{
    struct example *examples;

    if (list == NULL)
        return OPSHIFT_OK;
    examples = set_alloc(loader, list->count + 1, sizeof(*examples));
    if (examples == NULL)
        return OPSHIFT_MEMORY;
    rule->examples = examples;
    rule->example_count = list->count;
    for (const struct tree *item = list->first; item != NULL; item = item->next) {
        enum opshift_status status = read_example(loader, item, rule, examples++);

        if (status != OPSHIFT_OK)
            return status;
    }
    return OPSHIFT_OK;
}

static enum opshift_status read_rule(struct loader *loader, const struct tree *map)
{
    static const struct key keys[] = {
        {"op", TREE_SCALAR, true}, {"domain", TREE_SCALAR, false}, {"why", TREE_SCALAR, true},
        {"up", TREE_LIST, false},  {"down", TREE_LIST, false},     {"examples", TREE_LIST, false},
    };
    struct rule_set *set = loader->set;
    enum opshift_status status = expect_keys(loader, map, keys, COUNT(keys), "a rule");
    struct rule *rule;

    if (status == OPSHIFT_OK && tree_find(map, "up") == NULL && tree_find(map, "down") == NULL)
        return FAIL(loader, map, "a rule needs the key 'up', 'down' or both");
    if (status != OPSHIFT_OK)
        return status;
    set->rules = array_grow(loader, set->rules, set->rule_count, &set->rule_room, sizeof(*set->rules));
    if (set->rules == NULL)
        return OPSHIFT_MEMORY;
    rule = &set->rules[set->rule_count++];
    rule->file = loader->file;
    rule->opset = loader->opset;
    rule->op_type = tree_find(map, "op")->text;
    rule->line = tree_find(map, "op")->line;
    rule->column = tree_find(map, "op")->column;
    rule->why = tree_find(map, "why")->text;
    status = read_domain(loader, map, &rule->domain);
    if (status == OPSHIFT_OK)
        status = read_steps(loader, tree_find(map, "up"), rule, DIRECTION_UP);
    if (status == OPSHIFT_OK)
        status = read_steps(loader, tree_find(map, "down"), rule, DIRECTION_DOWN);
    if (status == OPSHIFT_OK)
        status = read_examples(loader, tree_find(map, "examples"), rule);
    return status;
}

/* ---- compatible.yaml -------------------------------------------------------------------------------------------- */

static enum opshift_status read_direction(struct loader *loader, const struct tree *map, struct compatible *entry)
{
    const struct tree *value = tree_find(map, "direction");
    const char *text = value == NULL ? "both" : value->text;

    if (strcmp(text, "up") != 0 && strcmp(text, "down") != 0 && strcmp(text, "both") != 0)
        return FAIL(loader, value, "direction: expected up, down or both, found '%s'", text);
    entry->has[DIRECTION_UP] = strcmp(text, "down") != 0;
    entry->has[DIRECTION_DOWN] = strcmp(text, "up") != 0;
    return OPSHIFT_OK;
}

static enum opshift_status read_unless(struct loader *loader, const struct tree *map, struct compatible *entry,
                                       enum direction direction)
{
    const char *key = direction == DIRECTION_UP ? "unless_up" : "unless_down";
    const struct tree *list = tree_find(map, key);

    if (list == NULL)
        return OPSHIFT_OK;
    if (!entry->has[direction])
        return FAIL_KEY(loader, list, "'%s' in an entry that does not go %s", key,
                        direction == DIRECTION_UP ? "up" : "down");
    for (const struct tree *item = list->first; item != NULL; item = item->next)
        if (item->kind == TREE_SCALAR && (*item->text == '\0' || *item->text == '='))
            return FAIL(loader, item, "%s: expected an attribute's name or name=default, found '%s'", key, item->text);
    return read_texts(loader, list, key, &entry->unless[direction]);
}

static enum opshift_status add_compatible(struct loader *loader, const struct tree *op, const struct compatible *entry)
{
    struct rule_set *set = loader->set;
    enum opshift_status status = expect_text(loader, op, "ops");
    struct compatible *compatible;

    if (status != OPSHIFT_OK)
        return status;
    set->compatibles =
        array_grow(loader, set->compatibles, set->compatible_count, &set->compatible_room, sizeof(*set->compatibles));
    if (set->compatibles == NULL)
        return OPSHIFT_MEMORY;
    compatible = &set->compatibles[set->compatible_count++];
    *compatible = *entry;
    compatible->op_type = op->text;
    compatible->line = op->line;
    compatible->column = op->column;
    return OPSHIFT_OK;
}

/* One entry is as many compatible operators as it names. */
static enum opshift_status read_entry(struct loader *loader, const struct tree *map)
{
    static const struct key keys[] = {
        {"op", TREE_SCALAR, false},        {"ops", TREE_LIST, false},  {"domain", TREE_SCALAR, false},
        {"direction", TREE_SCALAR, false}, {"why", TREE_SCALAR, true}, {"unless_up", TREE_LIST, false},
        {"unless_down", TREE_LIST, false},
    };
    struct compatible entry = {.file = loader->file, .opset = loader->opset};
    enum opshift_status status = expect_keys(loader, map, keys, COUNT(keys), "an entry");
    const struct tree *op, *ops;

    if (status == OPSHIFT_OK)
        status = read_domain(loader, map, &entry.domain);
    if (status == OPSHIFT_OK)
        status = read_direction(loader, map, &entry);
    if (status == OPSHIFT_OK)
        status = read_unless(loader, map, &entry, DIRECTION_UP);
    if (status == OPSHIFT_OK)
        status = read_unless(loader, map, &entry, DIRECTION_DOWN);
    if (status != OPSHIFT_OK)
        return status;
    op = tree_find(map, "op");
    ops = tree_find(map, "ops");
    if ((op == NULL) == (ops == NULL))
        return FAIL(loader, map, "an entry needs either the key 'op' or the key 'ops'");
    for (int direction = DIRECTION_UP; direction <= DIRECTION_DOWN; direction++)
        if (entry.has[direction])
            entry.why[direction] = tree_find(map, "why")->text;
    if (op != NULL)
        return add_compatible(loader, op, &entry);
    for (op = ops->first; status == OPSHIFT_OK && op != NULL; op = op->next)
        status = add_compatible(loader, op, &entry);
    return status;
}

static enum opshift_status read_entries(struct loader *loader, const struct tree *list)
{
    enum opshift_status status = OPSHIFT_OK;

    if (list->kind != TREE_LIST)
        return FAIL(loader, list, "expected a list of compatible operators, found %s", tree_kind_name(list->kind));
    for (const struct tree *entry = list->first; status == OPSHIFT_OK && entry != NULL; entry = entry->next)
        status = read_entry(loader, entry);
    return status;
}

/* ---- files and folders ------------------------------------------------------------------------------------------ */

static enum opshift_status read_file(struct rule_set *set, const char *path, const char *base, int64_t opset,
                                     struct opshift_error *error)
{
    struct loader loader = {.set = set, .opset = opset, .error = error};
    struct tree *tree = NULL;
    char *data = NULL;
    size_t size = 0;
    enum opshift_status status;

    loader.file = arena_copy(set->arena, path, strlen(path));
    if (loader.file == NULL)
        return opshift_no_memory(error);
    status = file_read(path, TREE_BYTES_MAX, &data, &size, error);
    if (status == OPSHIFT_OK)
        status = tree_parse(data, size, loader.file, set->arena, &tree, error);
    else if (status == OPSHIFT_UNSUPPORTED)
        status =
            opshift_fail(error, OPSHIFT_USAGE, "%s: larger than a rule file may be (%zu bytes)", path, TREE_BYTES_MAX);
    if (status == OPSHIFT_OK)
        status = strcmp(base, "compatible.yaml") == 0 ? read_entries(&loader, tree) : read_rule(&loader, tree);
    free(data);
    return status;
}

/* The number behind "opset-": at least 2, for a rule says what changed since the one before. 0: it is none. */
static int64_t folder_opset(const char *name)
{
    const char *digits = name + strlen("opset-");
    char *end;
    long number;

    if (strncmp(name, "opset-", strlen("opset-")) != 0 || *digits < '1' || *digits > '9')
        return 0;
    number = strtol(digits, &end, 10);
    return *end != '\0' || number < 2 || number > INT32_MAX ? 0 : number;
}

static enum opshift_status fail_folder(const char *path, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_USAGE, "%s: expected a folder named opset-NN, NN from 2, as in opset-13", path);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* scandir with strcmp: the same order on every machine, whatever its locale. */
static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

typedef enum opshift_status (*entry_reader)(struct rule_set *set, const char *path, const char *name, int64_t opset,
                                            struct opshift_error *error);

/* Calls read for each visible entry, in order of names. */
static enum opshift_status each_entry(struct rule_set *set, const char *folder, int64_t opset, entry_reader read,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_visible, by_name);

    if (count < 0 && errno == ENOMEM)
        return opshift_no_memory(error);
    if (count < 0)
        return opshift_fail(error, errno == ENOENT || errno == ENOTDIR ? OPSHIFT_USAGE : OPSHIFT_IO,
                            "%s: cannot be read as a folder of rules: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == OPSHIFT_OK) {
            char *path = arena_print(set->arena, "%s/%s", folder, entries[i]->d_name);

            status = path == NULL ? opshift_no_memory(error) : read(set, path, entries[i]->d_name, opset, error);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

static enum opshift_status read_opset_entry(struct rule_set *set, const char *path, const char *name, int64_t opset,
                                            struct opshift_error *error)
{
    if (ends_with(name, ".yml"))
        return opshift_fail(error, OPSHIFT_USAGE, "%s: expected a name that ends in .yaml", path);
    return ends_with(name, ".yaml") ? read_file(set, path, name, opset, error) : OPSHIFT_OK;
}

/* What is not named opset... is no business of ours: a README, other data. */
static enum opshift_status read_folder_entry(struct rule_set *set, const char *path, const char *name, int64_t opset,
                                             struct opshift_error *error)
{
    if (strncmp(name, "opset", strlen("opset")) != 0)
        return OPSHIFT_OK;
    opset = folder_opset(name);
    return opset == 0 ? fail_folder(path, error) : each_entry(set, path, opset, read_opset_entry, error);
}

enum opshift_status rule_set_read_folder(struct rule_set *set, const char *folder, struct opshift_error *error)
{
    enum opshift_status status = each_entry(set, folder, 0, read_folder_entry, error);

    if (status == OPSHIFT_OK && set->rule_count + set->compatible_count == 0)
        return opshift_fail(error, OPSHIFT_USAGE, "%s: no rules are here; expected opset-NN/<name>.yaml", folder);
    return status == OPSHIFT_OK ? rule_set_settle(set, error) : status;
}

enum opshift_status rule_set_read_file(struct rule_set *set, const char *path, struct opshift_error *error)
{
    char *whole = realpath(path, NULL), *base, *folder;
    enum opshift_status status;
    int64_t opset;

    if (whole == NULL)
        return opshift_fail(error, errno == ENOENT ? OPSHIFT_USAGE : OPSHIFT_IO, "%s: cannot be opened: %s", path,
                            strerror(errno));
    base = strrchr(whole, '/');
    *base++ = '\0';
    folder = strrchr(whole, '/');
    opset = folder == NULL ? 0 : folder_opset(folder + 1);
    status = opset == 0 ? opshift_fail(error, OPSHIFT_USAGE, "%s: expected a file in a folder named opset-NN", path)
                        : read_file(set, path, base, opset, error);
    free(whole);
    return status;
}

/* ---- order, and what is said twice ------------------------------------------------------------------------------ */

static int key_compare(const char *domain, const char *op_type, int64_t opset, const char *other_domain,
                       const char *other_op_type, int64_t other_opset)
{
    int order = strcmp(domain, other_domain);

    if (order == 0)
        order = strcmp(op_type, other_op_type);
    return order != 0 ? order : (opset > other_opset) - (opset < other_opset);
}

int rule_compare(const void *one, const void *other)
{
    const struct rule *a = one, *b = other;

    return key_compare(a->domain, a->op_type, a->opset, b->domain, b->op_type, b->opset);
}

int compatible_compare(const void *one, const void *other)
{
    const struct compatible *a = one, *b = other;

    return key_compare(a->domain, a->op_type, a->opset, b->domain, b->op_type, b->opset);
}

/* Equal ones in the order of their places, so that the later one is the one to blame. */
static int rule_place_compare(const void *one, const void *other)
{
    const struct rule *a = one, *b = other;
    int order = rule_compare(a, b);

    return order != 0 ? order : strcmp(a->file, b->file);
}

static int compatible_place_compare(const void *one, const void *other)
{
    const struct compatible *a = one, *b = other;
    int order = compatible_compare(a, b);

    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order != 0 ? order : (a->column > b->column) - (a->column < b->column);
}

static enum opshift_status settle_rules(struct rule_set *set, struct opshift_error *error)
{
    if (set->rule_count > 0)
        qsort(set->rules, set->rule_count, sizeof(*set->rules), rule_place_compare);
    for (uint32_t i = 1; i < set->rule_count; i++) {
        const struct rule *first = &set->rules[i - 1], *again = &set->rules[i];

        if (rule_compare(first, again) == 0)
            return tree_fail(error, again->file, again->line, again->column, "%s has a rule already: %s:%u:%u",
                             again->op_type, first->file, first->line, first->column);
    }
    return OPSHIFT_OK;
}

/* One entry may say why up, another why down: together they are one compatible operator. */
static enum opshift_status join_compatible(struct compatible *first, const struct compatible *again,
                                           struct opshift_error *error)
{
    for (int direction = DIRECTION_UP; direction <= DIRECTION_DOWN; direction++) {
        if (!again->has[direction])
            continue;
        if (first->has[direction])
            return tree_fail(error, again->file, again->line, again->column, "%s is listed already: %s:%u:%u",
                             again->op_type, first->file, first->line, first->column);
        first->has[direction] = true;
        first->why[direction] = again->why[direction];
        first->unless[direction] = again->unless[direction];
    }
    return OPSHIFT_OK;
}

static enum opshift_status settle_compatibles(struct rule_set *set, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    uint32_t kept = 0;

    if (set->compatible_count > 0)
        qsort(set->compatibles, set->compatible_count, sizeof(*set->compatibles), compatible_place_compare);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < set->compatible_count; i++) {
        struct compatible *entry = &set->compatibles[i];

        if (kept > 0 && compatible_compare(&set->compatibles[kept - 1], entry) == 0)
            status = join_compatible(&set->compatibles[kept - 1], entry, error);
        else
            set->compatibles[kept++] = *entry;
    }
    set->compatible_count = kept;
    return status;
}

/* A rule and a place in compatible.yaml may share an operator, each with its own direction. */
static enum opshift_status expect_apart(const struct rule_set *set, struct opshift_error *error)
{
    for (uint32_t i = 0; i < set->compatible_count; i++) {
        const struct compatible *entry = &set->compatibles[i];
        struct rule key = {.domain = entry->domain, .op_type = entry->op_type, .opset = entry->opset};
        const struct rule *rule = NULL;

        if (set->rule_count > 0)
            rule = bsearch(&key, set->rules, set->rule_count, sizeof(*set->rules), rule_compare);
        for (int direction = DIRECTION_UP; rule != NULL && direction <= DIRECTION_DOWN; direction++)
            if (rule->has[direction] && entry->has[direction])
                return tree_fail(error, entry->file, entry->line, entry->column, "%s has a rule for going %s: %s:%u:%u",
                                 entry->op_type, direction == DIRECTION_UP ? "up" : "down", rule->file, rule->line,
                                 rule->column);
    }
    return OPSHIFT_OK;
}

enum opshift_status rule_set_settle(struct rule_set *set, struct opshift_error *error)
{
    enum opshift_status status = settle_rules(set, error);

    if (status == OPSHIFT_OK)
        status = settle_compatibles(set, error);
    return status == OPSHIFT_OK ? expect_apart(set, error) : status;
}
