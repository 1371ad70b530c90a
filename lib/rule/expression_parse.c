/* Parses an expression into a tree: a function for each level of precedence. */
#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "base/strings.h"
#include "rule/expression_tree.h"

enum sign_kind { SIGN_END, SIGN_NAME, SIGN_NUMBER, SIGN_STRING, SIGN_MARK };

/* A token. */
struct sign {
    enum sign_kind kind;
    struct bytes text;
    unsigned line, column;
};

struct expression_reader {
    const struct expression_place *place;
    const char *text;
    size_t size, at;
    unsigned line, column; /* of the character at `at` */
    unsigned depth;
    struct arena *arena;
    struct sign sign;
    enum opshift_status status; /* after the first failure only the end is read */
    struct opshift_error *error;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static void stop(struct expression_reader *reader, enum opshift_status status)
{
    reader->status = status;
    reader->sign.kind = SIGN_END;
    reader->sign.text = (struct bytes){0};
    reader->at = reader->size;
}

static void refuse_at(struct expression_reader *reader, const struct sign *sign, const char *words)
{
    if (reader->status == OPSHIFT_OK)
        stop(reader, opshift_fail(reader->error, OPSHIFT_USAGE, "%s:%u:%u: %s", reader->place->file, sign->line,
                                  sign->column, words));
}

static void expected(struct expression_reader *reader, const char *what)
{
    char words[160];
    int size = reader->sign.text.size < 40 ? (int)reader->sign.text.size : 40;
    if (reader->sign.kind == SIGN_END)
        snprintf(words, sizeof(words), "expected %s, found the end of the expression", what);
    else
        snprintf(words, sizeof(words), "expected %s, found '%.*s'", what, size, (const char *)reader->sign.text.data);
    refuse_at(reader, &reader->sign, words);
}

static void step_over(struct expression_reader *reader, size_t size)
{
    for (; size > 0; size--, reader->at++) {
        bool ends = reader->text[reader->at] == '\n';
        reader->line += ends;
        reader->column = ends ? 1 : reader->column + 1;
    }
}

static size_t number_size(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size && (is_digit(text[at]) || text[at] == '.'))
        at++;
    if (at < size && (text[at] == 'e' || text[at] == 'E')) {
        size_t exponent = at + 1;
        exponent += exponent < size && (text[exponent] == '+' || text[exponent] == '-');
        if (exponent < size && is_digit(text[exponent]))
            for (at = exponent; at < size && is_digit(text[at]);)
                at++;
    }
    return at;
}

static size_t name_size(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size && (is_letter(text[at]) || is_digit(text[at])))
        at++;
    return at;
}

/* The size of a string with its quotes; 0: not terminated. */
static size_t string_size(const char *text, size_t size)
{
    for (size_t at = 1; at < size && text[at] != '\n'; at++)
        if (text[at] == text[0])
            return at + 1;
    return 0;
}

static void next(struct expression_reader *reader)
{
    static const char *const pairs[] = {"==", "!=", "<=", ">=", "//"};
    while (reader->at < reader->size && is_blank(reader->text[reader->at]))
        step_over(reader, 1);
    const char *text = reader->text + reader->at;
    size_t left = reader->size - reader->at, size = 1;
    reader->sign = (struct sign){.line = reader->line, .column = reader->column};
    if (left == 0)
        return;
    reader->sign.kind = SIGN_MARK;
    if (is_letter(*text)) {
        reader->sign.kind = SIGN_NAME;
        size = name_size(text, left);
    } else if (is_digit(*text) || (*text == '.' && left > 1 && is_digit(text[1]))) {
        reader->sign.kind = SIGN_NUMBER;
        size = number_size(text, left);
    } else if (*text == '\'' || *text == '"') {
        reader->sign.kind = SIGN_STRING;
        size = string_size(text, left);
        if (size == 0) {
            refuse_at(reader, &reader->sign, "a string has no closing quote");
            return;
        }
    }
    for (size_t i = 0; reader->sign.kind == SIGN_MARK && left > 1 && i < COUNT(pairs); i++)
        if (memcmp(text, pairs[i], 2) == 0)
            size = 2;
    reader->sign.text = (struct bytes){(const uint8_t *)text, size};
    step_over(reader, size);
}

static bool is(const struct expression_reader *reader, const char *text)
{
    return (reader->sign.kind == SIGN_MARK || reader->sign.kind == SIGN_NAME) &&
           reader->sign.text.data[0] == (uint8_t)text[0] && bytes_are(reader->sign.text, text);
}

static bool accept(struct expression_reader *reader, const char *text)
{
    bool found = is(reader, text);
    if (found)
        next(reader);
    return found;
}

static void expect(struct expression_reader *reader, const char *text)
{
    char words[16];
    snprintf(words, sizeof(words), "'%s'", text);
    if (!accept(reader, text))
        expected(reader, words);
}

/* ---- the tree --------------------------------------------------------------------------------------------------- */

/* NULL: no memory, or too deep. */
static struct expression *make(struct expression_reader *reader, enum expression_op op, const struct sign *sign)
{
    struct expression *made = arena_alloc(reader->arena, 1, sizeof(*made));
    if (made == NULL) {
        if (reader->status == OPSHIFT_OK)
            stop(reader, opshift_no_memory(reader->error));
        return NULL;
    }
    made->op = op;
    made->line = sign->line;
    made->column = sign->column;
    return made;
}

static struct expression *read_any(struct expression_reader *reader);
static struct expression *read_or(struct expression_reader *reader);

static bool is_keyword(struct bytes name)
{
    static const char *const words[] = {"and", "or", "not", "in", "if", "else", "for"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (bytes_are(name, words[i]))
            return true;
    return false;
}

static void read_name(struct expression_reader *reader, struct bytes *name)
{
    if (reader->sign.kind != SIGN_NAME || is_keyword(reader->sign.text)) {
        expected(reader, "a name");
        return;
    }
    *name = reader->sign.text;
    next(reader);
}

/* Reads up to the closing token, and consumes it. */
static void read_items(struct expression_reader *reader, struct expression *list, const char *close)
{
    struct expression **end = &list->items;
    if (accept(reader, close))
        return;
    do {
        *end = read_any(reader);
        if (*end == NULL)
            return;
        end = &(*end)->next;
        list->item_count++;
    } while (accept(reader, ","));
    expect(reader, close);
}

/* The token [ is consumed. */
static struct expression *read_list(struct expression_reader *reader, const struct sign *start)
{
    struct expression *list = make(reader, EXPRESSION_LIST, start);
    if (list == NULL || accept(reader, "]"))
        return list;
    struct expression *first = read_any(reader);
    if (first == NULL)
        return NULL;
    if (accept(reader, "for")) {
        list->op = EXPRESSION_EACH;
        list->parts[0] = first;
        read_name(reader, &list->name);
        expect(reader, "in");
        list->parts[1] = read_or(reader);
        if (accept(reader, "if"))
            list->parts[2] = read_or(reader);
        expect(reader, "]");
        return list;
    }
    list->items = first;
    list->item_count = 1;
    if (accept(reader, "]"))
        return list;
    struct expression rest = {0};
    expect(reader, ",");
    read_items(reader, &rest, "]");
    first->next = rest.items;
    list->item_count += rest.item_count;
    return list;
}

/* The name and the ( are consumed. */
static struct expression *read_question(struct expression_reader *reader, const struct sign *name,
                                        const struct question_row *row)
{
    char words[96];
    struct expression *made = make(reader, EXPRESSION_ASK, name);
    if (made == NULL)
        return NULL;
    made->question = row;
    read_name(reader, &made->name);
    if (!row->whole && accept(reader, "[")) {
        made->parts[0] = read_any(reader);
        expect(reader, "]");
    }
    if (row->indexed) {
        expect(reader, ",");
        made->items = read_any(reader);
        made->item_count = 1;
    }
    snprintf(words, sizeof(words), "')' after the %s of %s()", row->indexed ? "arguments" : "name", row->name);
    if (!accept(reader, ")"))
        expected(reader, words);
    return made;
}

static struct expression *read_call(struct expression_reader *reader, const struct sign *name)
{
    const struct question_row *question = question_find(name->text);
    const struct expression_function *function = function_find(name->text);
    char words[128];
    if (question != NULL)
        return read_question(reader, name, question);
    if (function == NULL) {
        snprintf(words, sizeof(words), "there is no function '%.*s'", name->text.size < 40 ? (int)name->text.size : 40,
                 (const char *)name->text.data);
        refuse_at(reader, name, words);
        return NULL;
    }
    struct expression *made = make(reader, EXPRESSION_CALL, name);
    if (made == NULL)
        return NULL;
    made->function = function;
    read_items(reader, made, ")");
    if (made->item_count < function->least || made->item_count > function->most) {
        char range[32];
        snprintf(range, sizeof(range), function->most > function->least ? "%u to %u" : "%u", function->least,
                 function->most);
        snprintf(words, sizeof(words), "%s() takes %s argument%s, found %u", function->name, range,
                 function->most > 1 ? "s" : "", made->item_count);
        refuse_at(reader, name, words);
    }
    return made;
}

static struct expression *read_number(struct expression_reader *reader)
{
    struct expression *made = make(reader, EXPRESSION_CONSTANT, &reader->sign);
    const char *text = (const char *)reader->sign.text.data;
    size_t size = reader->sign.text.size;
    char copy[64], *end = copy;
    if (made == NULL)
        return NULL;
    made->constant.kind = RESULT_INT;
    if (!text_to_int64(text, size, &made->constant.i)) {
        snprintf(copy, sizeof(copy), "%.*s", (int)(size < 63 ? size : 63), text);
        made->constant.kind = RESULT_FLOAT;
        made->constant.f = strpbrk(copy, ".eE") != NULL ? real_parse(copy, &end) : 0;
        if (size > 63 || *end != '\0' || end == copy)
            expected(reader, "a number that 64 bits hold");
    }
    next(reader);
    return made;
}

static struct expression *read_string(struct expression_reader *reader)
{
    struct expression *made = make(reader, EXPRESSION_CONSTANT, &reader->sign);
    if (made == NULL)
        return NULL;
    made->constant.kind = RESULT_STRING;
    made->constant.s = (struct bytes){reader->sign.text.data + 1, reader->sign.text.size - 2};
    next(reader);
    return made;
}

static struct expression *read_word(struct expression_reader *reader)
{
    struct sign sign = reader->sign;
    struct bytes name = {0};
    read_name(reader, &name);
    if (accept(reader, "("))
        return read_call(reader, &sign);
    bool yes = bytes_are(name, "true"), constant = yes || bytes_are(name, "false");
    struct expression *made = make(reader, constant ? EXPRESSION_CONSTANT : EXPRESSION_NAME, &sign);
    if (made == NULL)
        return NULL;
    made->name = name;
    if (constant)
        made->constant = (struct result){.kind = RESULT_BOOL, .i = yes};
    return made;
}

static struct expression *read_atom(struct expression_reader *reader)
{
    struct sign sign = reader->sign;
    if (sign.kind == SIGN_NUMBER)
        return read_number(reader);
    if (sign.kind == SIGN_STRING)
        return read_string(reader);
    if (sign.kind == SIGN_NAME && !is_keyword(sign.text))
        return read_word(reader);
    if (accept(reader, "["))
        return read_list(reader, &sign);
    if (accept(reader, "(")) {
        struct expression *inner = read_any(reader);
        expect(reader, ")");
        return inner;
    }
    expected(reader, "a value");
    return NULL;
}

/* l[i], l[a:b] */
static struct expression *read_indexed(struct expression_reader *reader)
{
    struct expression *value = read_atom(reader);
    unsigned depth = 0;
    for (struct sign sign = reader->sign; value != NULL && accept(reader, "["); sign = reader->sign) {
        struct expression *made = make(reader, EXPRESSION_INDEX, &sign);
        if (made == NULL)
            return NULL;
        made->parts[0] = value;
        if (!is(reader, ":"))
            made->parts[1] = read_any(reader);
        if (accept(reader, ":")) {
            made->op = EXPRESSION_SLICE;
            if (!is(reader, "]"))
                made->parts[2] = read_any(reader);
        }
        expect(reader, "]");
        value = made;
        if (++depth > EXPRESSION_DEPTH_MAX)
            refuse_at(reader, &sign, "nested too deep");
    }
    return value;
}

/* Reads the operand of a prefix operator; it may begin with the same operator. */
static struct expression *read_prefixed(struct expression_reader *reader, enum expression_op op,
                                        const struct sign *sign,
                                        struct expression *(*read)(struct expression_reader *reader))
{
    if (++reader->depth > EXPRESSION_DEPTH_MAX)
        refuse_at(reader, sign, "nested too deep");
    struct expression *made = make(reader, op, sign);
    if (made != NULL)
        made->parts[0] = read(reader);
    reader->depth--;
    return made;
}

static struct expression *read_unary(struct expression_reader *reader)
{
    struct sign sign = reader->sign;
    return accept(reader, "-") ? read_prefixed(reader, EXPRESSION_NEGATE, &sign, read_unary) : read_indexed(reader);
}

/* The left-associative operators of one level of precedence. */
struct level {
    const char *const *signs;
    const enum expression_op *ops;
    size_t count;
    struct expression *(*part)(struct expression_reader *reader);
};

static struct expression *read_level(struct expression_reader *reader, const struct level *level)
{
    struct expression *left = level->part(reader);
    unsigned depth = 0;
    for (size_t i = 0; left != NULL && reader->status == OPSHIFT_OK && i < level->count; i++) {
        struct sign sign = reader->sign;
        if (!accept(reader, level->signs[i]))
            continue;
        struct expression *made = make(reader, level->ops[i], &sign);
        if (made == NULL)
            return NULL;
        made->parts[0] = left;
        made->parts[1] = level->part(reader);
        left = made;
        i = (size_t)-1;
        if (++depth > EXPRESSION_DEPTH_MAX)
            refuse_at(reader, &sign, "too many operators in one expression");
    }
    return left;
}

#define LEVEL(part, signs, ops)                                                                                        \
    static const char *const sign_list[] = signs;                                                                      \
    static const enum expression_op op_list[] = ops;                                                                   \
    static const struct level level = {sign_list, op_list, COUNT(sign_list), part}
#define SIGNS(...)                                                                                                     \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static struct expression *read_product(struct expression_reader *reader)
{
    LEVEL(read_unary, SIGNS("*", "/", "//", "%"),
          SIGNS(EXPRESSION_MULTIPLY, EXPRESSION_DIVIDE, EXPRESSION_DIVIDE, EXPRESSION_REMAINDER));
    return read_level(reader, &level);
}

static struct expression *read_sum(struct expression_reader *reader)
{
    LEVEL(read_product, SIGNS("+", "-"), SIGNS(EXPRESSION_ADD, EXPRESSION_SUBTRACT));
    return read_level(reader, &level);
}

static bool accept_comparison(struct expression_reader *reader, enum expression_op *op)
{
    static const struct {
        const char *sign;
        enum expression_op op;
    } rows[] = {{"==", EXPRESSION_EQUAL}, {"!=", EXPRESSION_UNEQUAL},       {"<=", EXPRESSION_LESS_EQUAL},
                {"<", EXPRESSION_LESS},   {">=", EXPRESSION_GREATER_EQUAL}, {">", EXPRESSION_GREATER},
                {"in", EXPRESSION_IN}};
    for (size_t i = 0; i < COUNT(rows); i++)
        if (accept(reader, rows[i].sign)) {
            *op = rows[i].op;
            return true;
        }
    *op = EXPRESSION_NOT_IN;
    if (!accept(reader, "not"))
        return false;
    expect(reader, "in");
    return true;
}

static struct expression *read_comparison(struct expression_reader *reader)
{
    struct expression *left = read_sum(reader);
    struct sign sign = reader->sign;
    enum expression_op op;
    if (left == NULL || !accept_comparison(reader, &op))
        return left;
    struct expression *made = make(reader, op, &sign);
    if (made == NULL)
        return NULL;
    made->parts[0] = left;
    made->parts[1] = read_sum(reader);
    sign = reader->sign;
    if (accept_comparison(reader, &op))
        refuse_at(reader, &sign, "comparisons do not chain; write a < b and b < c");
    return made;
}

static struct expression *read_not(struct expression_reader *reader)
{
    struct sign sign = reader->sign;
    return accept(reader, "not") ? read_prefixed(reader, EXPRESSION_NOT, &sign, read_not) : read_comparison(reader);
}

static struct expression *read_and(struct expression_reader *reader)
{
    LEVEL(read_not, SIGNS("and"), SIGNS(EXPRESSION_AND));
    return read_level(reader, &level);
}

static struct expression *read_or(struct expression_reader *reader)
{
    LEVEL(read_and, SIGNS("or"), SIGNS(EXPRESSION_OR));
    return read_level(reader, &level);
}

/* A whole expression: a if c else b. */
static struct expression *read_any(struct expression_reader *reader)
{
    if (++reader->depth > EXPRESSION_DEPTH_MAX)
        refuse_at(reader, &reader->sign, "nested too deep");
    struct expression *value = reader->status == OPSHIFT_OK ? read_or(reader) : NULL;
    struct sign sign = reader->sign;
    if (value != NULL && accept(reader, "if")) {
        struct expression *made = make(reader, EXPRESSION_CHOOSE, &sign);
        if (made != NULL) {
            made->parts[0] = value;
            made->parts[1] = read_or(reader);
            expect(reader, "else");
            made->parts[2] = read_any(reader);
        }
        value = made;
    }
    reader->depth--;
    return value;
}

enum opshift_status expression_parse(const char *text, size_t size, const struct expression_place *place,
                                     struct arena *arena, const struct expression **expression,
                                     struct opshift_error *error)
{
    struct expression_reader reader = {.place = place,
                                       .text = arena_copy(arena, text, size),
                                       .size = size,
                                       .line = place->line,
                                       .column = place->column,
                                       .arena = arena,
                                       .error = error};
    *expression = NULL;
    if (reader.text == NULL)
        return opshift_no_memory(error);
    if (size > EXPRESSION_SIZE_MAX)
        return opshift_fail(error, OPSHIFT_USAGE, "%s:%u:%u: an expression of more than %d characters", place->file,
                            place->line, place->column, EXPRESSION_SIZE_MAX);
    next(&reader);
    *expression = read_any(&reader);
    if (reader.sign.kind != SIGN_END)
        expected(&reader, "an operator or the end of the expression");
    return reader.status;
}
