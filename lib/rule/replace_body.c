/* Expands a body. A `for` or `if` covers the rest of its line, and the lines below with a larger indent. Repeated
 * text is written in one line, so that line numbers stay. */
#include "rule/replace_body.h"

#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "base/tree.h"
#include "rule/expression_tree.h"

#define BODY_DEPTH_MAX 16

#define READ_BUCKETS 64

/* An expression of the body, which loops come to again. */
struct read_again {
    size_t at; /* in the text */
    const struct expression *expression;
    struct read_again *next;
};

/* State of expanding a body. */
struct body_writer {
    const struct body *body;
    struct buffer *out;
    const char *text;
    size_t size;
    size_t *lines; /* start of each line */
    size_t line_count;
    struct read_again *read[READ_BUCKETS]; /* by position */
    unsigned depth;
    bool flat; /* inside a repeated line: line ends are left out */
    struct opshift_error *error;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

/* ---- places ----------------------------------------------------------------------------------------------------- */

static enum opshift_status find_lines(struct body_writer *writer)
{
    size_t count = 1;
    for (size_t i = 0; i < writer->size; i++)
        count += writer->text[i] == '\n';
    writer->lines = arena_alloc(writer->body->arena, count, sizeof(*writer->lines));
    if (writer->lines == NULL)
        return opshift_no_memory(writer->error);
    writer->line_count = 1;
    for (size_t i = 0; i < writer->size; i++)
        if (writer->text[i] == '\n')
            writer->lines[writer->line_count++] = i + 1;
    return OPSHIFT_OK;
}

/* The number of a character's line, from 0. */
static size_t line_of(const struct body_writer *writer, size_t at)
{
    size_t first = 0, end = writer->line_count;
    while (end - first > 1) {
        size_t middle = first + (end - first) / 2;
        if (writer->lines[middle] <= at)
            first = middle;
        else
            end = middle;
    }
    return first;
}

static struct expression_place place_of(const struct body_writer *writer, size_t at)
{
    const struct expression_place *place = &writer->body->place;
    size_t line = line_of(writer, at);
    return (struct expression_place){place->file, place->line + (unsigned)line,
                                     place->column + (unsigned)(at - writer->lines[line])};
}

static enum opshift_status fail(const struct body_writer *writer, size_t at, const char *words)
{
    struct expression_place place = place_of(writer, at);
    return tree_fail(writer->error, place.file, place.line, place.column, "%s", words);
}

/* The value of an expression does not fit its place. */
static enum opshift_status misfit(const struct body_writer *writer, size_t at, const char *words)
{
    enum opshift_status status = fail(writer, at, words);
    if (writer->body->world == NULL)
        return status;
    if (writer->error != NULL)
        writer->error->status = OPSHIFT_UNSUPPORTED;
    return OPSHIFT_UNSUPPORTED;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static void add_real(struct buffer *out, double value)
{
    struct real_text text;
    const char *shown = real_print(&text, 9, value);
    if (real_parse(shown, NULL) != value)
        shown = real_print(&text, 17, value);
    buffer_add_text(out, shown);
    if (strpbrk(shown, ".en") == NULL)
        buffer_add_text(out, ".0");
}

static void add_escaped(struct buffer *out, struct bytes text)
{
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = text.data[i];
        if (byte == '"' || byte == '\\')
            buffer_print(out, "\\%c", byte);
        else if (byte >= ' ' && byte <= '~')
            buffer_add_byte(out, byte);
        else
            buffer_print(out, "\\x%02x", byte);
    }
}

static void add_single(struct buffer *out, const struct result *value)
{
    if (value->kind == RESULT_FLOAT) {
        add_real(out, value->f);
    } else if (value->kind == RESULT_STRING) {
        buffer_add_text(out, "\"");
        add_escaped(out, value->s);
        buffer_add_text(out, "\"");
    } else {
        buffer_add_decimal(out, value->i);
    }
}

/* False: a list of lists or of unknown dims, or one that is too long. */
static bool add_items(struct buffer *out, const struct result *list)
{
    for (size_t i = 0; i < list->list.count; i++) {
        enum result_kind kind = list->list.items[i].kind;
        if (kind == RESULT_LIST || kind == RESULT_OPEN || out->size > BODY_RESULT_MAX)
            return false;
        buffer_add_text(out, i == 0 ? "" : ", ");
        add_single(out, &list->list.items[i]);
    }
    return true;
}

/* The place of a $: an attribute's value; a list without brackets, { $elements }, ($names) or $names = ; the type of
 * a tensor, $type { ; within a name, or within a string. */
enum dollar_place { DOLLAR_VALUE, DOLLAR_ITEMS, DOLLAR_TYPE, DOLLAR_NAME, DOLLAR_STRING };

static enum opshift_status add_word(struct body_writer *writer, size_t at, struct bytes word)
{
    for (size_t i = 0; i < word.size; i++)
        if (!is_name_char((char)word.data[i]))
            return misfit(writer, at, "within a name, or for a type, $ takes letters, digits and _");
    buffer_add(writer->out, word.data, word.size);
    return OPSHIFT_OK;
}

static enum opshift_status add_list(struct body_writer *writer, size_t at, const struct result *list,
                                    enum dollar_place place)
{
    if (place != DOLLAR_VALUE && place != DOLLAR_ITEMS)
        return misfit(writer, at, "no list can stand here");
    buffer_add_text(writer->out, place == DOLLAR_ITEMS ? "" : "[");
    if (!add_items(writer->out, list))
        return misfit(writer, at, "a list of lists, or a list that is too long, cannot stand in a node");
    buffer_add_text(writer->out, place == DOLLAR_ITEMS ? "" : "]");
    return OPSHIFT_OK;
}

static enum opshift_status add_result(struct body_writer *writer, size_t at, const struct result *value,
                                      enum dollar_place place)
{
    bool word = place == DOLLAR_NAME || place == DOLLAR_TYPE;
    if (value->kind == RESULT_LIST)
        return add_list(writer, at, value, place);
    if (value->kind == RESULT_OPEN)
        return misfit(writer, at, "a dim that is not known cannot stand here");
    if (value->kind == RESULT_STRING && word)
        return add_word(writer, at, value->s);
    if (word && (value->kind == RESULT_FLOAT || value->i < 0))
        return misfit(writer, at, "within a name $ takes an integer that is not negative, or a string");
    if (value->kind == RESULT_STRING && place == DOLLAR_STRING)
        add_escaped(writer->out, value->s);
    else
        add_single(writer->out, value);
    return OPSHIFT_OK;
}

/* An example value of a type. */
static const char *example_of(enum result_kind kind)
{
    return kind == RESULT_FLOAT ? "1.0" : kind == RESULT_STRING ? "\"" BODY_ANY "\"" : "1";
}

/* When checking: an example of that type, with the length of the replaced text if possible. */
static void add_placeholder(struct body_writer *writer, size_t size, struct result_type type, enum dollar_place place)
{
    size_t start = writer->out->size;
    if (place == DOLLAR_NAME || place == DOLLAR_STRING || place == DOLLAR_TYPE)
        buffer_add_text(writer->out, place == DOLLAR_NAME ? BODY_ANY : place == DOLLAR_TYPE ? "float" : "a");
    else if (type.kind == RESULT_LIST && place == DOLLAR_VALUE)
        buffer_print(writer->out, "[%s]", example_of(type.item));
    else
        buffer_add_text(writer->out, example_of(type.kind == RESULT_LIST ? type.item : type.kind));
    while (place == DOLLAR_VALUE && writer->out->size - start < size && !writer->out->failed)
        buffer_add_byte(writer->out, ' ');
}

/* ---- expressions ------------------------------------------------------------------------------------------------ */

/* Parses an expression once, however often a loop comes to it. */
static enum opshift_status read_expression(struct body_writer *writer, size_t at, size_t size,
                                           const struct expression **expression)
{
    struct read_again **bucket = &writer->read[at % READ_BUCKETS];
    for (const struct read_again *known = *bucket; known != NULL; known = known->next)
        if (known->at == at) {
            *expression = known->expression;
            return OPSHIFT_OK;
        }
    struct expression_place place = place_of(writer, at);
    enum opshift_status status =
        expression_parse(writer->text + at, size, &place, writer->body->arena, expression, writer->error);
    struct read_again *known = status ? NULL : arena_alloc(writer->body->arena, 1, sizeof(*known));
    if (known == NULL)
        return status ? status : opshift_no_memory(writer->error);
    *known = (struct read_again){at, *expression, *bucket};
    *bucket = known;
    return OPSHIFT_OK;
}

/* The text from `start`, of `size` bytes, is a $ with its expression. */
static enum opshift_status add_dollar(struct body_writer *writer, size_t start, size_t size, size_t inner,
                                      size_t inner_size, enum dollar_place place)
{
    const struct body *body = writer->body;
    const struct expression *expression;
    struct result_type type;
    struct result value;
    enum opshift_status status = read_expression(writer, inner, inner_size, &expression);
    if (status)
        return status;
    if (body->world == NULL) {
        status = expression_check(expression, body->check, &type, writer->error);
        if (status == OPSHIFT_OK)
            add_placeholder(writer, size, type, place);
        return status;
    }
    status = expression_evaluate(expression, body->world, &value, writer->error);
    return status ? status : add_result(writer, start, &value, place);
}

/* ---- text without control lines ---------------------------------------------------------------------------------- */

static void end_line(struct body_writer *writer)
{
    buffer_add_byte(writer->out, writer->flat ? ' ' : '\n');
    for (unsigned i = 1; !writer->flat && i < writer->body->place.column; i++)
        buffer_add_byte(writer->out, ' ');
}

/* The position of the closing bracket; end: none. Brackets in quotes are ignored, as in expressions. */
static size_t close_of(const struct body_writer *writer, size_t at, size_t end)
{
    unsigned depth = 0;
    char quote = '\0';
    for (; at < end; at++) {
        char c = writer->text[at];
        if (quote) {
            quote = c == quote ? '\0' : quote;
            continue;
        }
        if (c == '"' || c == '\'')
            quote = c;
        depth += c == '{' || c == '[' || c == '(';
        if ((c == '}' || c == ']' || c == ')') && --depth == 0)
            return at;
    }
    return end;
}

static char next_char(const struct body_writer *writer, size_t at, size_t end)
{
    while (at < end && writer->text[at] == ' ')
        at++;
    return at < end ? writer->text[at] : '\0';
}

static char char_before(const struct body_writer *writer, size_t at)
{
    while (at > 0 && writer->text[at - 1] == ' ')
        at--;
    return at > 0 ? writer->text[at - 1] : '\0';
}

/* The place of the $ from `start` to `after`. */
static enum dollar_place place_of_dollar(const struct body_writer *writer, size_t start, size_t after, size_t end)
{
    char left = start > 0 ? writer->text[start - 1] : '\0', right = after < end ? writer->text[after] : '\0';
    if (is_name_char(left) || left == '}' || is_name_char(right) || right == '$')
        return DOLLAR_NAME;
    left = char_before(writer, start);
    right = next_char(writer, after, end);
    bool first = left == '\n' || left == '\0' || left == ':';
    if (left == '{' || left == '(' || right == ')' || right == '=' || (first && right == ','))
        return DOLLAR_ITEMS;
    return right == '{' || right == '[' ? DOLLAR_TYPE : DOLLAR_VALUE;
}

static enum opshift_status write_dollar(struct body_writer *writer, size_t *at, size_t end, bool string)
{
    size_t start = *at, inner = start + 1, after = inner;
    bool braces = inner < end && writer->text[inner] == '{';
    if (braces) {
        after = close_of(writer, inner, end);
        if (after == end)
            return fail(writer, start, "${ has no closing }");
        inner++;
    } else {
        while (after < end && is_name_char(writer->text[after]))
            after++;
    }
    size_t size = after - inner;
    if (size == 0)
        return fail(writer, start, "$ needs a name or {expression} behind it");
    *at = after + braces;
    return add_dollar(writer, start, *at - start, inner, size,
                      string ? DOLLAR_STRING : place_of_dollar(writer, start, *at, end));
}

static enum opshift_status write_text(struct body_writer *writer, size_t at, size_t end)
{
    enum opshift_status status = OPSHIFT_OK;
    bool string = false;
    while (status == OPSHIFT_OK && at < end) {
        char c = writer->text[at];
        if (writer->out->size > BODY_RESULT_MAX)
            return misfit(writer, at, "the body becomes longer than 1 MiB");
        if (c == '$') {
            status = write_dollar(writer, &at, end, string);
            continue;
        }
        if (!string && c == '#') {
            while (at < end && writer->text[at] != '\n')
                at++;
            continue;
        }
        if (string && c == '\\' && at + 1 < end)
            buffer_add_byte(writer->out, (uint8_t)writer->text[at++]);
        else if (c == '"')
            string = !string;
        if (writer->text[at] == '\n')
            end_line(writer);
        else
            buffer_add_byte(writer->out, (uint8_t)writer->text[at]);
        at++;
    }
    return status;
}

/* ---- control lines ---------------------------------------------------------------------------------------------- */

static enum opshift_status write_block(struct body_writer *writer, size_t at, size_t end);

static size_t skip_spaces(const struct body_writer *writer, size_t at, size_t end)
{
    while (at < end && (writer->text[at] == ' ' || writer->text[at] == '\t'))
        at++;
    return at;
}

static bool starts_with(const struct body_writer *writer, size_t at, size_t end, const char *word)
{
    size_t size = strlen(word);
    return end - at > size && memcmp(writer->text + at, word, size) == 0 &&
           (writer->text[at + size] == ' ' || writer->text[at + size] == '(');
}

static size_t line_end(const struct body_writer *writer, size_t at, size_t end)
{
    while (at < end && writer->text[at] != '\n')
        at++;
    return at;
}

/* The indent of a character's line. */
static size_t indent_of(const struct body_writer *writer, size_t at)
{
    size_t start = writer->lines[line_of(writer, at)];
    return skip_spaces(writer, start, writer->size) - start;
}

/* The end of the block of the control line at `at`: the following lines that have a larger indent, or are empty. */
static size_t block_end(const struct body_writer *writer, size_t at, size_t end)
{
    size_t indent = indent_of(writer, at), last = line_end(writer, at, end);
    for (size_t next = last; next < end;) {
        size_t start = next + 1, first = skip_spaces(writer, start, end);
        next = line_end(writer, first, end);
        if (first == next)
            continue; /* an empty line belongs to the line below */
        if (first - start <= indent)
            break;
        last = next;
    }
    return last;
}

/* The colon after the expression that begins at `at`; end: none in its line. */
static size_t colon_of(const struct body_writer *writer, size_t at, size_t end)
{
    size_t stop = line_end(writer, at, end);
    char quote = '\0';
    for (; at < stop; at++) {
        char c = writer->text[at];
        if (quote)
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '[' || c == '(')
            at = close_of(writer, at, stop);
        else if (c == ':')
            return at;
    }
    return end;
}

/* Keeps the line ends of omitted lines. */
static void end_lines(struct body_writer *writer, size_t at, size_t end)
{
    for (; !writer->flat && at < end; at++)
        if (writer->text[at] == '\n')
            end_line(writer);
}

static enum opshift_status write_if(struct body_writer *writer, size_t at, size_t colon, size_t end)
{
    const struct body *body = writer->body;
    const struct expression *expression;
    struct result_type type;
    bool holds = true;
    enum opshift_status status = read_expression(writer, at, colon - at, &expression);
    if (status == OPSHIFT_OK && body->world == NULL)
        status = expression_check(expression, body->check, &type, writer->error);
    else if (status == OPSHIFT_OK)
        status = expression_holds(expression, body->world, &holds, writer->error);
    if (status)
        return status;
    if (!holds)
        end_lines(writer, colon, end);
    return holds ? write_block(writer, colon + 1, end) : OPSHIFT_OK;
}

/* Expands the block for each item of a list. */
static enum opshift_status write_each(struct body_writer *writer, const struct expression *expression,
                                      struct expression_name *name, size_t at, size_t end)
{
    struct expression_world *world = writer->body->world;
    struct result list;
    const struct result *items;
    size_t count;
    bool flat = writer->flat;
    enum opshift_status status = expression_evaluate(expression, world, &list, writer->error);
    if (status == OPSHIFT_OK)
        status = result_items(expression, world, &list, &items, &count, writer->error);
    if (status)
        return status;
    if (count == 0)
        end_lines(writer, at, end);
    name->outer = world->names;
    world->names = name;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        name->value = items[i];
        status = expression_charge(expression, world, 1 + (end - at) / 16, writer->error);
        if (status == OPSHIFT_OK)
            status = write_block(writer, at, end);
        buffer_add_byte(writer->out, ' ');
        writer->flat = true;
    }
    writer->flat = flat;
    world->names = name->outer;
    return status;
}

/* When checking: expands the block once, for an item of the list's type. */
static enum opshift_status write_once(struct body_writer *writer, const struct expression *expression,
                                      struct expression_name *name, size_t at, size_t end)
{
    struct expression_check *check = writer->body->check;
    struct result_type type;
    enum opshift_status status = expression_check(expression, check, &type, writer->error);
    if (status)
        return status;
    if (type.kind != RESULT_LIST && type.kind != RESULT_STRING && type.kind != RESULT_ANY) {
        char words[96];
        snprintf(words, sizeof(words), "for: expected a list or a string, found %s", result_kind_name(type.kind));
        return fail(writer, at, words);
    }
    name->type.kind = type.kind == RESULT_LIST ? type.item : type.kind;
    name->outer = check->names;
    check->names = name;
    status = write_block(writer, at, end);
    check->names = name->outer;
    return status;
}

static enum opshift_status write_for(struct body_writer *writer, size_t at, size_t colon, size_t end)
{
    const struct expression *expression;
    size_t first = skip_spaces(writer, at, colon), last = first;
    while (last < colon && is_name_char(writer->text[last]))
        last++;
    size_t in = skip_spaces(writer, last, colon);
    if (last == first || is_digit(writer->text[first]) || !starts_with(writer, in, colon, "in"))
        return fail(writer, first, "expected a name and `in`, as in `for i in range(3): ...`");
    struct expression_name name = {.name = {(const uint8_t *)writer->text + first, last - first}};
    enum opshift_status status = read_expression(writer, in + 2, colon - in - 2, &expression);
    if (status)
        return status;
    return writer->body->world ? write_each(writer, expression, &name, colon + 1, end)
                               : write_once(writer, expression, &name, colon + 1, end);
}

static enum opshift_status write_control(struct body_writer *writer, size_t at, size_t end)
{
    bool loop = starts_with(writer, at, end, "for");
    size_t inner = at + (loop ? strlen("for") : strlen("if")), colon = colon_of(writer, inner, end);
    if (colon == end)
        return fail(writer, at, loop ? "`for` has no : in its line" : "`if` has no : in its line");
    if (++writer->depth > BODY_DEPTH_MAX)
        return fail(writer, at, "more than 16 lines `for` and `if` inside each other");
    enum opshift_status status = (loop ? write_for : write_if)(writer, inner, colon, end);
    writer->depth--;
    return status;
}

/* Line by line. */
static enum opshift_status write_block(struct body_writer *writer, size_t at, size_t end)
{
    enum opshift_status status = OPSHIFT_OK;
    while (status == OPSHIFT_OK && at < end) {
        size_t first = skip_spaces(writer, at, end), last;
        if (starts_with(writer, first, end, "for") || starts_with(writer, first, end, "if")) {
            last = block_end(writer, first, end);
            status = write_control(writer, first, last);
        } else {
            last = line_end(writer, first, end);
            status = write_text(writer, at, last);
        }
        if (status == OPSHIFT_OK && last < end)
            end_line(writer);
        at = last + 1;
    }
    return status;
}

enum opshift_status body_expand(const struct body *body, struct buffer *out, struct opshift_error *error)
{
    struct body_writer writer = {
        .body = body, .out = out, .text = body->text, .size = strlen(body->text), .error = error};
    enum opshift_status status = find_lines(&writer);
    if (status == OPSHIFT_OK && writer.size > BODY_SIZE_MAX)
        status = fail(&writer, 0, "a body of more than 32 KiB");
    if (status)
        return status;
    for (unsigned i = 1; i < body->place.column; i++)
        buffer_add_byte(out, ' ');
    status = write_block(&writer, 0, writer.size);
    return status == OPSHIFT_OK && out->failed ? opshift_no_memory(error) : status;
}
