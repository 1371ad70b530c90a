/* The table of attribute types. */
#include "model/text_attribute.h"

#include <string.h>

#define FIELD(name) offsetof(Onnx__AttributeProto, name)

/* Offset and size of a single value in AttributeProto, and offset of the list of such values. */
static const struct attribute_row {
    enum attribute_type single, plural;
    const char *word, *words, *noun;
    size_t value, size, count, list;
} rows[] = {
    {ATTRIBUTE(INT), ATTRIBUTE(INTS), "int", "ints", "an int", FIELD(i), sizeof(int64_t), FIELD(n_ints), FIELD(ints)},
    {ATTRIBUTE(FLOAT), ATTRIBUTE(FLOATS), "float", "floats", "a float", FIELD(f), sizeof(float), FIELD(n_floats),
     FIELD(floats)},
    {ATTRIBUTE(STRING), ATTRIBUTE(STRINGS), "string", "strings", "a string", FIELD(s), sizeof(ProtobufCBinaryData),
     FIELD(n_strings), FIELD(strings)},
    {ATTRIBUTE(TENSOR), ATTRIBUTE(TENSORS), "tensor", "tensors", "a tensor", FIELD(t), sizeof(void *), FIELD(n_tensors),
     FIELD(tensors)},
    {ATTRIBUTE(GRAPH), ATTRIBUTE(GRAPHS), "graph", "graphs", "a graph", FIELD(g), sizeof(void *), FIELD(n_graphs),
     FIELD(graphs)},
    {ATTRIBUTE(SPARSE_TENSOR), ATTRIBUTE(SPARSE_TENSORS), "sparse_tensor", "sparse_tensors", "a sparse tensor",
     FIELD(sparse_tensor), sizeof(void *), FIELD(n_sparse_tensors), FIELD(sparse_tensors)},
    {ATTRIBUTE(TYPE_PROTO), ATTRIBUTE(TYPE_PROTOS), "type_proto", "type_protos", "a type", FIELD(tp), sizeof(void *),
     FIELD(n_type_protos), FIELD(type_protos)},
};

static const struct attribute_row *find(enum attribute_type type)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (type == rows[i].single || type == rows[i].plural)
            return &rows[i];
    return NULL;
}

const char *attribute_word(enum attribute_type type)
{
    const struct attribute_row *row = find(type);
    return !row ? NULL : type == row->single ? row->word : row->words;
}

const char *attribute_noun(enum attribute_type type)
{
    const struct attribute_row *row = find(type);
    return row ? row->noun : "a value";
}

static bool is_word(const char *row_word, const char *word, size_t size)
{
    return strlen(row_word) == size && memcmp(row_word, word, size) == 0;
}

enum attribute_type attribute_find(const char *word, size_t size)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (is_word(rows[i].word, word, size))
            return rows[i].single;
        if (is_word(rows[i].words, word, size))
            return rows[i].plural;
    }
    return ATTRIBUTE(UNDEFINED);
}

bool attribute_is_list(enum attribute_type type)
{
    const struct attribute_row *row = find(type);
    return row && type == row->plural;
}

enum attribute_type attribute_single(enum attribute_type type)
{
    const struct attribute_row *row = find(type);
    return row ? row->single : ATTRIBUTE(UNDEFINED);
}

enum attribute_type attribute_plural(enum attribute_type type)
{
    const struct attribute_row *row = find(type);
    return row ? row->plural : ATTRIBUTE(UNDEFINED);
}

const void *attribute_element(const Onnx__AttributeProto *attribute, size_t *size)
{
    const struct attribute_row *row = find(attribute->type);
    if (!row)
        return NULL;
    *size = row->size;
    return (const uint8_t *)attribute + row->value;
}

void attribute_set_list(Onnx__AttributeProto *attribute, void *items, size_t count)
{
    const struct attribute_row *row = find(attribute->type);
    if (!row)
        return;
    memcpy((uint8_t *)attribute + row->count, &count, sizeof(count));
    memcpy((uint8_t *)attribute + row->list, &items, sizeof(items));
}
