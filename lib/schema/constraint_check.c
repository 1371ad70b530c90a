/* Holds a node's attributes against the table of constraints. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "schema/constraint.h"

/* A constraint, the attribute that it is about, and the words of its fault. */
struct constrained {
    const struct constraint *row;
    const struct operation *operation;
    enum attribute_id id;
    char *words;
};

#define NAMES(at) (at)->row->subject, (at)->operation->schema->op_type, (at)->operation->schema->since

static bool broken(const struct constrained *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool broken(const struct constrained *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(at->words, CONSTRAINT_WORDS_SIZE, format, arguments);
    va_end(arguments);
    return true;
}

const char *constraint_range(const struct constraint *row, char *buffer, size_t size)
{
    if (row->most == INT64_MAX)
        snprintf(buffer, size, "at least %" PRId64, row->least);
    else if (row->most == row->least)
        snprintf(buffer, size, "%" PRId64, row->least);
    else if (row->most == row->least + 1)
        snprintf(buffer, size, "%" PRId64 " or %" PRId64, row->least, row->most);
    else
        snprintf(buffer, size, "from %" PRId64 " to %" PRId64, row->least, row->most);
    return buffer;
}

static bool words_broken(const struct constrained *at)
{
    struct bytes text;
    return operation_text(at->operation, at->id, &text) == SETTING_GIVEN &&
           !constraint_has_word(at->row, text.data, text.size) &&
           broken(at, "attribute '%s' of %s-%u is '%.*s'; it may be one of: %s", NAMES(at),
                  (int)(text.size < 80 ? text.size : 80), text.data ? (const char *)text.data : "", at->row->words);
}

static bool type_broken(const struct constrained *at)
{
    int64_t number;
    return operation_int(at->operation, at->id, &number) == SETTING_GIVEN &&
           (number < at->row->least || number >= OPSHIFT_TYPE_COUNT) &&
           broken(at, "attribute '%s' is %" PRId64 ", which is not an element type; use the number of one (1 is float)",
                  at->row->subject, number);
}

static bool range_broken(const struct constrained *at)
{
    int64_t number;
    struct int_list list;
    char range[64];
    constraint_range(at->row, range, sizeof(range));
    if (operation_int(at->operation, at->id, &number) == SETTING_GIVEN && !constraint_allows(at->row, number))
        return broken(at, "attribute '%s' of %s-%u is %" PRId64 "; it must be %s", NAMES(at), number, range);
    if (operation_ints(at->operation, at->id, &list) != SETTING_GIVEN)
        return false;
    for (size_t i = 0; i < list.count; i++)
        if (!constraint_allows(at->row, list.values[i]))
            return broken(at, "attribute '%s' of %s-%u has %" PRId64 " at position %zu; each number must be %s",
                          NAMES(at), list.values[i], i, range);
    return false;
}

/* Of a list that is given and known. */
static bool items_count(const struct operation *operation, enum attribute_id id, size_t *count)
{
    const Onnx__AttributeProto *message;
    bool known = operation_message(operation, id, &message) == SETTING_GIVEN;
    *count = known ? message->n_ints + message->n_floats + message->n_strings : 0;
    return known;
}

static bool count_broken(const struct constrained *at)
{
    size_t count;
    char range[64];
    return items_count(at->operation, at->id, &count) && !constraint_allows(at->row, (int64_t)count) &&
           broken(at, "attribute '%s' of %s-%u lists %zu; it must list %s", NAMES(at), count,
                  constraint_range(at->row, range, sizeof(range)));
}

static bool as_long_broken(const struct constrained *at)
{
    const struct schema_attribute *known = schema_attribute_find(at->operation->schema, at->row->words);
    size_t count, other;
    return known && items_count(at->operation, at->id, &count) && items_count(at->operation, known->id, &other) &&
           count != other &&
           broken(at, "attribute '%s' of %s-%u lists %zu and '%s' %zu; they must be equally long", NAMES(at), count,
                  at->row->words, other);
}

static bool needs_broken(const struct constrained *at)
{
    const struct schema_attribute *known = schema_attribute_find(at->operation->schema, at->row->words);
    return operation_known(at->operation, at->id) && !(known && operation_gives(at->operation, known->id)) &&
           broken(at, "attribute '%s' of %s-%u needs '%s'; give both", NAMES(at), at->row->words);
}

/* One given attribute counts, also one of another version, which another check reports; a reference to a function's
 * parameter may be absent in some calls. */
static bool one_of_broken(const struct constrained *at)
{
    const struct schema *schema = at->operation->schema;
    size_t given = 0, known = 0, size = 0;
    char list[CONSTRAINT_WORDS_SIZE / 2] = ""; /* the words that are attributes of this version */
    for (size_t i = 0; i < at->operation->attributes.count; i++)
        if (constraint_word(at->row, operation_name(at->operation, i)) != CONSTRAINT_NO_WORD) {
            given++;
            known += !operation_refers(at->operation, i);
        }
    if (given > 0 && known <= 1)
        return false;
    for (const char *word = at->row->words; *word;) {
        size_t length = strcspn(word, " ");
        if (schema_attribute_named(schema, (struct bytes){(const uint8_t *)word, length}) &&
            size + length + 2 < sizeof(list))
            size += (size_t)snprintf(list + size, sizeof(list) - size, "%s%.*s", size ? " " : "", (int)length, word);
        word += length + (word[length] == ' ');
    }
    if (given == 0)
        return broken(at, "%s-%u needs one of the attributes %s; give it", schema->op_type, schema->since, list);
    return broken(at, "%s-%u has %zu of the attributes %s; keep the intended one", schema->op_type, schema->since,
                  known, list);
}

bool constraint_broken(const struct constraint *row, const struct operation *operation,
                       char words[CONSTRAINT_WORDS_SIZE])
{
    static bool (*const checks[])(const struct constrained *) = {
        [CONSTRAINT_WORDS] = words_broken,   [CONSTRAINT_TYPE] = type_broken,       [CONSTRAINT_RANGE] = range_broken,
        [CONSTRAINT_COUNT] = count_broken,   [CONSTRAINT_AS_LONG] = as_long_broken, [CONSTRAINT_NEEDS] = needs_broken,
        [CONSTRAINT_ONE_OF] = one_of_broken,
    };
    const struct schema_attribute *known = row->subject ? schema_attribute_find(operation->schema, row->subject) : NULL;
    if (row->kind >= CONSTRAINT_RANK || checks[row->kind] == NULL || (row->subject && known == NULL))
        return false;
    return checks[row->kind](&(struct constrained){row, operation, known ? known->id : 0, words});
}

unsigned operation_choice(const struct operation *operation, enum attribute_id id)
{
    struct bytes text;
    size_t count;
    const struct constraint *rows = constraints_find(operation->schema->op_type, &count);
    if (operation_text(operation, id, &text) < SETTING_DEFAULT)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind == CONSTRAINT_WORDS && constraint_holds(&rows[i], operation->schema) &&
            schema_attribute(operation->schema, id) == schema_attribute_find(operation->schema, rows[i].subject))
            return constraint_word(&rows[i], text);
    return 0;
}

enum opshift_status operation_check(const struct operation *operation, struct opshift_error *error)
{
    char words[CONSTRAINT_WORDS_SIZE];
    size_t count;
    enum opshift_status status = operation_check_types(operation, error);
    const struct constraint *rows = constraints_find(operation->schema->op_type, &count);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++)
        if (constraint_holds(&rows[i], operation->schema) && constraint_broken(&rows[i], operation, words))
            status = opshift_fail(error, OPSHIFT_MALFORMED, "%s", words);
    return status;
}
