/* Builds a tree from libyaml's events; refuses anchors, aliases, tags and deep nesting.
 *
 * yaml_parser_load builds the complete tree first and compares each anchor with all earlier ones, a minute for 1 MiB of
 * anchors. Here the first anchor is an error. */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <yaml.h>

#include "base/tree.h"

struct tree_reader {
    yaml_parser_t parser;
    const char *data;
    size_t size;
    const char *name;
    struct arena *arena;
    unsigned depth;
    size_t mark, mark_byte; /* the last mark looked up, and its byte offset */
};

const char *tree_kind_name(enum tree_kind kind)
{
    static const char *const names[] = {[TREE_SCALAR] = "a scalar", [TREE_LIST] = "a list", [TREE_MAP] = "a map"};

    return names[kind];
}

struct tree *tree_find(const struct tree *map, const char *key)
{
    struct tree *value = map->kind == TREE_MAP ? map->first : NULL;

    while (value != NULL && strcmp(value->key, key) != 0)
        value = value->next;
    return value;
}

enum opshift_status tree_fail(struct opshift_error *error, const char *name, unsigned line, unsigned column,
                              const char *format, ...)
{
    char text[OPSHIFT_ERROR_SIZE];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    return opshift_fail(error, OPSHIFT_USAGE, "%s:%u:%u: %s", name, line, column, text);
}

static enum opshift_status fail_at(struct tree_reader *reader, yaml_mark_t mark, struct opshift_error *error,
                                   const char *words)
{
    return tree_fail(error, reader->name, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "%s", words);
}

/* libyaml gives the offset of invalid bytes instead of a mark. */
static yaml_mark_t mark_of_offset(const struct tree_reader *reader, size_t offset)
{
    yaml_mark_t mark = {.index = offset};

    for (size_t i = 0; i < offset && i < reader->size; i++) {
        mark.column = reader->data[i] == '\n' ? 0 : mark.column + 1;
        mark.line += reader->data[i] == '\n';
    }
    return mark;
}

static enum opshift_status fail_parse(struct tree_reader *reader, struct opshift_error *error)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem != NULL ? parser->problem : "no YAML";
    yaml_mark_t mark = parser->problem_mark;

    if (parser->error == YAML_MEMORY_ERROR)
        return opshift_no_memory(error);
    if (parser->error == YAML_READER_ERROR)
        mark = mark_of_offset(reader, parser->problem_offset);
    return fail_at(reader, mark, error, problem);
}

static enum opshift_status read_value(struct tree_reader *reader, struct tree **value, struct opshift_error *error);

/* The byte of a mark, which counts characters. Marks come in the order of the text. */
static size_t byte_of_mark(struct tree_reader *reader, size_t mark)
{
    for (; reader->mark_byte < reader->size && reader->mark < mark; reader->mark++)
        do
            reader->mark_byte++;
        while (reader->mark_byte < reader->size && ((uint8_t)reader->data[reader->mark_byte] & 0xC0) == 0x80);
    return reader->mark_byte;
}

/* The column of the first non-empty line of a block scalar; the mark is before its | or >. */
static unsigned block_column(struct tree_reader *reader, size_t mark)
{
    size_t at = byte_of_mark(reader, mark);
    unsigned column = 0;

    while (at < reader->size && reader->data[at] != '\n')
        at++;
    for (; at < reader->size && strchr(" \r\n", reader->data[at]) != NULL && reader->data[at] != '\0'; at++)
        column = reader->data[at] == ' ' ? column + 1 : 0;
    return column + 1;
}

static enum opshift_status read_scalar(struct tree_reader *reader, const yaml_event_t *event, struct tree *value,
                                       struct opshift_error *error)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t size = event->data.scalar.length;
    yaml_scalar_style_t style = event->data.scalar.style;

    if (memchr(text, '\0', size) != NULL)
        return fail_at(reader, event->start_mark, error, "expected text without NUL characters");
    bool block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    value->text_line = value->line + block;
    value->text_column =
        block ? block_column(reader, event->start_mark.index)
              : value->column + (style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE);
    value->text = arena_copy(reader->arena, text, size);
    return value->text == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* Reads the value of a key that was read. */
static enum opshift_status read_keyed(struct tree_reader *reader, const struct tree *map, const struct tree *key,
                                      struct tree **value, struct opshift_error *error)
{
    enum opshift_status status;
    const struct tree *earlier;

    if (key->kind != TREE_SCALAR)
        return tree_fail(error, reader->name, key->line, key->column, "expected a key, found %s",
                         tree_kind_name(key->kind));
    earlier = tree_find(map, key->text);
    if (earlier != NULL)
        return tree_fail(error, reader->name, key->line, key->column, "duplicate key '%s'; first on line %u", key->text,
                         earlier->key_line);
    if (map->count == TREE_KEYS_MAX)
        return tree_fail(error, reader->name, key->line, key->column, "more than %d keys in one map", TREE_KEYS_MAX);
    status = read_value(reader, value, error);
    if (status)
        return status;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a read value is there. */
    (*value)->key = key->text;
    (*value)->key_line = key->line;
    (*value)->key_column = key->column;
    return OPSHIFT_OK;
}

static enum opshift_status read_children(struct tree_reader *reader, struct tree *parent, struct opshift_error *error)
{
    struct tree **end = &parent->first;

    for (;;) {
        struct tree *child = NULL;
        enum opshift_status status = read_value(reader, &child, error);

        if (status || child == NULL)
            return status;
        if (parent->kind == TREE_MAP)
            status = read_keyed(reader, parent, child, &child, error);
        if (status)
            return status;
        *end = child;
        end = &child->next;
        parent->count++;
    }
}

static enum opshift_status read_collection(struct tree_reader *reader, const yaml_event_t *event, struct tree *value,
                                           struct opshift_error *error)
{
    enum opshift_status status;

    if (reader->depth == TREE_DEPTH_MAX)
        return tree_fail(error, reader->name, value->line, value->column, "lists and maps more than %d deep",
                         TREE_DEPTH_MAX);
    value->kind = event->type == YAML_SEQUENCE_START_EVENT ? TREE_LIST : TREE_MAP;
    reader->depth++;
    status = read_children(reader, value, error);
    reader->depth--;
    return status;
}

/* Reads one value from its first event on; NULL: the event ended the enclosing list or map. */
static enum opshift_status read_event(struct tree_reader *reader, const yaml_event_t *event, struct tree **value,
                                      struct opshift_error *error)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;

    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return fail_at(reader, event->start_mark, error, "aliases (*) are not allowed; write the value out");
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    default:
        *value = NULL;
        return OPSHIFT_OK;
    }
    if (anchor != NULL)
        return fail_at(reader, event->start_mark, error, "anchors (&) are not allowed; write each value out");
    if (tag != NULL)
        return fail_at(reader, event->start_mark, error, "tags (!) are not allowed; leave it out");
    *value = arena_alloc(reader->arena, 1, sizeof(**value));
    if (*value == NULL)
        return opshift_no_memory(error);
    (*value)->line = (unsigned)event->start_mark.line + 1;
    (*value)->column = (unsigned)event->start_mark.column + 1;
    if (event->type == YAML_SCALAR_EVENT)
        return read_scalar(reader, event, *value, error);
    return read_collection(reader, event, *value, error);
}

static enum opshift_status read_value(struct tree_reader *reader, struct tree **value, struct opshift_error *error)
{
    enum opshift_status status;
    yaml_event_t event;

    if (!yaml_parser_parse(&reader->parser, &event))
        return fail_parse(reader, error);
    status = read_event(reader, &event, value, error);
    yaml_event_delete(&event);
    return status;
}

/* Skips one event outside of the document and returns its type. */
static enum opshift_status skip_event(struct tree_reader *reader, yaml_event_type_t *type, yaml_mark_t *mark,
                                      struct opshift_error *error)
{
    yaml_event_t event;

    if (!yaml_parser_parse(&reader->parser, &event))
        return fail_parse(reader, error);
    *type = event.type;
    *mark = event.start_mark;
    yaml_event_delete(&event);
    return OPSHIFT_OK;
}

static enum opshift_status read_document(struct tree_reader *reader, struct tree **tree, struct opshift_error *error)
{
    struct tree *end = NULL;
    yaml_event_type_t type = YAML_NO_EVENT;
    yaml_mark_t mark = {0};
    enum opshift_status status = skip_event(reader, &type, &mark, error); /* the stream's start */

    if (status == OPSHIFT_OK)
        status = skip_event(reader, &type, &mark, error);
    if (status == OPSHIFT_OK && type != YAML_DOCUMENT_START_EVENT)
        return fail_at(reader, mark, error, "the file is empty; expected a map or a list");
    if (status == OPSHIFT_OK)
        status = read_value(reader, tree, error);
    if (status == OPSHIFT_OK)
        status = read_value(reader, &end, error); /* the document's end */
    if (status == OPSHIFT_OK)
        status = skip_event(reader, &type, &mark, error);
    if (status == OPSHIFT_OK && type != YAML_STREAM_END_EVENT)
        return fail_at(reader, mark, error, "a second document starts here; only one is allowed");
    return status;
}

enum opshift_status tree_parse(const char *data, size_t size, const char *name, struct arena *arena, struct tree **tree,
                               struct opshift_error *error)
{
    struct tree_reader reader = {.data = data, .size = size, .name = name, .arena = arena};
    enum opshift_status status;

    if (!yaml_parser_initialize(&reader.parser))
        return opshift_no_memory(error);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)data, size);
    status = read_document(&reader, tree, error);
    yaml_parser_delete(&reader.parser);
    return status;
}
