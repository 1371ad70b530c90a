/* Reads the steps of a rule: verbs, parameters, and their allowed values. */
#include <errno.h>
#include <string.h>

#include "rule/loader.h"
#include "base/real.h"

const struct action *action_find(const char *verb)
{
    for (const struct action *action = rule_actions; action->verb; action++)
        if (strcmp(action->verb, verb) == 0)
            return action;
    return NULL;
}

/* "a, b or c"; NULL: no memory. last: the sign before the last word. */
static const char *words_join(struct loader *loader, const char *text, const char *const *words, const char *last)
{
    for (; text && *words != NULL; words++)
        text = arena_print(loader->set->arena, "%s%s%s", text, *text == '\0' ? "" : words[1] ? ", " : last, *words);
    if (text == NULL)
        opshift_no_memory(loader->place.error);
    return text;
}

static enum opshift_status fail_unknown_verb(struct loader *loader, const struct tree *value)
{
    enum opshift_status status = verb_refuse_old(loader, value);
    const char *text = "";
    for (const struct action *action = rule_actions; text && action->verb != NULL; action++)
        text = words_join(loader, text, (const char *const[]){action->verb, NULL}, ", ");
    if (status || text == NULL)
        return status ? status : OPSHIFT_MEMORY;
    return FAIL_KEY(loader, value, "unknown verb '%s'; the verbs are %s", value->key, text);
}

enum parameter_kind {
    PARAMETER_TEXT,
    PARAMETER_WORD,     /* one of a list of words */
    PARAMETER_POSITION, /* 0, 1, 2, ... */
    PARAMETER_LIST
};

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The allowed values of parameters. The first matching row counts; a `value` without a row is anything that its
 * `type` allows. */
static const struct parameter_row {
    const char *name;
    const char *verb; /* NULL: any verb */
    enum parameter_kind kind;
    const char *const *words;
} parameter_rows[] = {
    {"kind", NULL, PARAMETER_WORD, WORDS("definition", "exact", "approximate")},
    {"body", NULL, PARAMETER_TEXT, NULL},
    {"when", NULL, PARAMETER_TEXT, NULL},
    {"that", NULL, PARAMETER_TEXT, NULL},
    {"type", "attribute_to_input", PARAMETER_WORD, WORDS("int64", "float", "double")},
    {"type", "input_to_attribute", PARAMETER_WORD, WORDS("int", "float")},
    {"type", "translate_value", PARAMETER_WORD, WORDS("int", "string")},
    {"type", NULL, PARAMETER_WORD, WORDS("int", "float", "string", "ints", "floats")},
    {"unknown", NULL, PARAMETER_WORD, WORDS("keep", "refuse")},
    {"as", NULL, PARAMETER_POSITION, NULL},
    {"attribute", NULL, PARAMETER_TEXT, NULL},
    {"axis", NULL, PARAMETER_TEXT, NULL},
    {"input", NULL, PARAMETER_POSITION, NULL},
    {"inserted", NULL, PARAMETER_POSITION, NULL},
    {"new", NULL, PARAMETER_LIST, NULL},
    {"old", NULL, PARAMETER_LIST, NULL},
    {"output", NULL, PARAMETER_POSITION, NULL},
    {"opset", NULL, PARAMETER_POSITION, NULL},
    {"rank", NULL, PARAMETER_POSITION, NULL},
    {"to", NULL, PARAMETER_TEXT, NULL},
    {"assume", NULL, PARAMETER_TEXT, NULL},
    {"why", NULL, PARAMETER_TEXT, NULL},
    {"words", NULL, PARAMETER_TEXT, NULL},
};

static bool text_fits(const char *text, const char *type)
{
    char *end;
    int64_t number;

    if (strncmp(type, "string", 6) == 0)
        return true;
    if (strncmp(type, "int", 3) == 0)
        return text_to_int64(text, strlen(text), &number);
    errno = 0;
    (void)real_parse_float(text, &end);
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
    const char *text;

    if (words_have(words, value->text))
        return OPSHIFT_OK;
    text = words_join(loader, "", words, " or ");
    return text == NULL ? OPSHIFT_MEMORY : FAIL(loader, value, "%s: expected %s, found '%s'", name, text, value->text);
}

static enum opshift_status expect_parameter(struct loader *loader, const struct tree *value,
                                            const struct parameter_row *row)
{
    enum opshift_status status;

    if (row->kind == PARAMETER_LIST)
        return tree_expect_kind(&loader->place, value, TREE_LIST, row->name);
    status = tree_expect_text(&loader->place, value, row->name);
    if (status)
        return status;
    if (row->kind == PARAMETER_WORD)
        return expect_word(loader, value, row->name, row->words);
    if (row->kind == PARAMETER_POSITION && !text_is_position(value->text))
        return FAIL(loader, value, "%s: expected 0, 1, 2, ..., found '%s'", row->name, value->text);
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

    if (status)
        return status;
    parameter->name = name;
    parameter->line = value->line;
    parameter->column = value->column;
    parameter->text_line = value->text_line;
    parameter->text_column = value->text_column;
    if (value->kind == TREE_LIST)
        return loader_read_texts(loader, value, name, &parameter->items);
    if (value->kind == TREE_MAP)
        return FAIL(loader, value, "%s: expected a scalar or a list, found a map", name);
    parameter->text = value->text;
    return OPSHIFT_OK;
}

static enum opshift_status fail_unknown_parameter(struct loader *loader, const struct tree *value,
                                                  const struct action *action)
{
    const char *text = words_join(loader, "", action->required, ", ");

    if (text != NULL)
        text = words_join(loader, text, action->optional, ", ");
    return text == NULL ? OPSHIFT_MEMORY
                        : FAIL_KEY(loader, value, "%s has no parameter '%s'; its parameters are %s", action->verb,
                                   value->key, *text == '\0' ? "none" : text);
}

/* A map of names becomes a parameter for each name. */
static bool is_named_map(const struct tree *value)
{
    return strcmp(value->key, "let") == 0;
}

static enum opshift_status read_named_map(struct loader *loader, const struct tree *map, const char *verb,
                                          struct parameter **parameters)
{
    enum opshift_status status = tree_expect_kind(&loader->place, map, TREE_MAP, map->key);

    for (const struct tree *value = map->first; status == OPSHIFT_OK && value != NULL; value = value->next) {
        status = tree_expect_text(&loader->place, value, value->key);
        if (status == OPSHIFT_OK)
            status = read_parameter(loader, value, map->key, verb, *parameters);
        if (status == OPSHIFT_OK)
            (*parameters)++->key = value->key;
    }
    return status;
}

static uint32_t count_parameters(const struct tree *value)
{
    uint32_t count = 0;

    if (value->kind != TREE_MAP)
        return 1;
    for (const struct tree *child = value->first; child != NULL; child = child->next)
        count += is_named_map(child) ? child->count : 1;
    return count;
}

static enum opshift_status read_parameters(struct loader *loader, const struct tree *map, const struct action *action,
                                           struct parameter *parameters)
{
    for (const struct tree *value = map->first; value != NULL; value = value->next) {
        enum opshift_status status;

        if (!words_have(action->required, value->key) && !words_have(action->optional, value->key))
            return fail_unknown_parameter(loader, value, action);
        status = is_named_map(value) ? read_named_map(loader, value, action->verb, &parameters)
                                     : read_parameter(loader, value, value->key, action->verb, parameters++);
        if (status)
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

const struct parameter *step_parameter(const struct step *step, const char *name)
{
    for (uint32_t i = 0; i < step->parameter_count; i++)
        if (strcmp(step->parameters[i].name, name) == 0)
            return &step->parameters[i];
    return NULL;
}

const char *step_text(const struct step *step, const char *name)
{
    const struct parameter *parameter = step_parameter(step, name);
    return parameter == NULL ? NULL : parameter->text;
}

bool rule_replaces(const struct rule *rule, enum direction direction)
{
    for (uint32_t i = 0; i < rule->step_count[direction]; i++)
        if (strcmp(rule->steps[direction][i].verb, "replace") == 0)
            return true;
    return false;
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

    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): only called for lists. */
    while (list->items[count] != NULL)
        count++;
    return count;
}

/* The keys that must fit a step's `type`: `value`, a scalar or a list as the type requires, or the list `new`. */
static enum opshift_status expect_typed(struct loader *loader, const struct step *step)
{
    const struct parameter *type = step_parameter(step, "type"), *value = step_parameter(step, "value");
    const struct parameter *old = step_parameter(step, "old"), *new = step_parameter(step, "new");
    bool fits = true;

    if (type != NULL && value != NULL)
        fits = text_ends_with(type->text, "s") == (value->items != NULL) &&
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

enum opshift_status step_read(struct loader *loader, const struct tree *item, struct step *step)
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
    step->parameter_count = count_parameters(value);
    parameters = loader_alloc(loader, step->parameter_count + 1, sizeof(*parameters));
    if (parameters == NULL)
        return OPSHIFT_MEMORY;
    step->parameters = parameters;
    status = value->kind == TREE_MAP ? read_parameters(loader, value, step->action, parameters)
                                     : read_short(loader, value, step->action, parameters);
    for (const char *const *name = step->action->required; status == OPSHIFT_OK && *name != NULL; name++)
        if (step_parameter(step, *name) == NULL)
            return FAIL_KEY(loader, value, "%s needs the parameter '%s'", step->verb, *name);
    return status == OPSHIFT_OK ? expect_typed(loader, step) : status;
}
