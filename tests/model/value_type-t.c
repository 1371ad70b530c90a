/* Declarations of value infos, as written by exporters and in other valid encodings. */
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "model/model.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

enum { GRAPH = 7, GRAPH_INPUT = 11, VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1 };

#define BYTES(text)                                                                                                    \
    {                                                                                                                  \
        (const uint8_t *)(text), sizeof(text) - 1                                                                      \
    }

/* Two consecutive parts: of the value info itself, or of its type if it has one. */
static const struct {
    const char *what, *wanted;
    struct bytes type, more;
} cases[] = {
    /* tensor {elem_type 1, shape {2, 'N'}} */
    {"a tensor", "float[2,N]", BYTES("\x0a\x0f\x08\x01\x12\x0b\x0a\x02\x08\x02\x0a\x05\x12\x03num"), {0}},
    {"a tensor without a shape", "float", BYTES("\x0a\x02\x08\x01"), {0}},
    {"a tensor without dims", "float[]", BYTES("\x0a\x04\x08\x01\x12\x00"), {0}},
    {"a tensor without an element type", "?[2]", BYTES("\x0a\x06\x12\x04\x0a\x02\x08\x02"), {0}},
    {"a tensor of an element type that does not exist", "?[2]", BYTES("\x0a\x08\x08\x63\x12\x04\x0a\x02\x08\x02"), {0}},
    {"of the first that does not", "?[2]", BYTES("\x0a\x08\x08\x1b\x12\x04\x0a\x02\x08\x02"), {0}},
    {"of the last that does", "int2[2]", BYTES("\x0a\x08\x08\x1a\x12\x04\x0a\x02\x08\x02"), {0}},
    {"with a denotation", "float[2]", BYTES("\x0a\x08\x08\x01\x12\x04\x0a\x02\x08\x02\x32\x01t"), {0}},
    {"a dim with a denotation", "float[2]", BYTES("\x0a\x0b\x08\x01\x12\x07\x0a\x05\x08\x02\x1a\x01t"), {0}},
    {"a negative dim",
     "float[?]",
     BYTES("\x0a\x11\x08\x01\x12\x0d\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
     {0}},
    {"a dim without a value", "float[?]", BYTES("\x0a\x06\x08\x01\x12\x02\x0a\x00"), {0}},
    {"a dim with a name, then a value", "float[2]", BYTES("\x0a\x0b\x08\x01\x12\x07\x0a\x05\x12\x01n\x08\x02"), {0}},
    {"a dim with a value, then a name", "float[N]", BYTES("\x0a\x0b\x08\x01\x12\x07\x0a\x05\x08\x02\x12\x01n"), {0}},
    {"a shape given twice",
     "float[2,3]",
     BYTES("\x0a\x0e\x08\x01\x12\x04\x0a\x02\x08\x02\x12\x04\x0a\x02\x08\x03"),
     {0}},
    {"an element type given twice", "double", BYTES("\x0a\x04\x08\x01\x08\x0b"), {0}},
    {"a type given twice", "double", BYTES("\x0a\x08\x08\x01\x12\x04\x0a\x02\x08\x02"), BYTES("\x0a\x02\x08\x0b")},
    {"a sequence", "seq(tensor(float))", BYTES("\x22\x06\x0a\x04\x0a\x02\x08\x01"), {0}},
    {"a tensor, then a sequence", "seq(tensor(float))", BYTES("\x0a\x02\x08\x01\x22\x06\x0a\x04\x0a\x02\x08\x01"), {0}},
    {"a sequence, then a tensor", "float", BYTES("\x22\x06\x0a\x04\x0a\x02\x08\x01\x0a\x02\x08\x01"), {0}},
    {"an optional tensor", "optional(tensor(float))", BYTES("\x4a\x06\x0a\x04\x0a\x02\x08\x01"), {0}},
    {"a field that no type has", "float", BYTES("\x0a\x02\x08\x01\x7a\x01x"), {0}},
    {"an empty type", "?", {0}, {0}},
};

static const char *type_text(const struct value_type *type, struct buffer *text)
{
    text->size = 0;
    if (type->other)
        buffer_add_text(text, type->other);
    else
        buffer_add_text(text, type->type == OPSHIFT_TYPE_UNDEFINED ? "?" : type_name(type->type));
    for (int32_t i = 0; i < type->rank; i++) {
        buffer_add_text(text, i ? "," : "[");
        if (type->dims[i] >= 0)
            buffer_print(text, "%" PRId64, type->dims[i]);
        else
            buffer_add_text(text, type->params[i] ? "N" : "?");
    }
    if (type->rank >= 0)
        buffer_add_text(text, type->rank ? "]" : "[]");
    buffer_add_byte(text, '\0');
    return (const char *)text->data;
}

/* A model with one input of this declaration. */
static struct opshift_model *model_of(struct bytes type, struct bytes more, struct buffer *file)
{
    struct buffer value = {0}, graph = {0};
    struct opshift_model *model = NULL;
    struct opshift_error error = {0};
    wire_add_bytes(&value, VALUE_NAME, "x", 1);
    wire_add_bytes(&value, VALUE_TYPE, type.data, type.size);
    if (more.size)
        wire_add_bytes(&value, VALUE_TYPE, more.data, more.size);
    wire_add_bytes(&graph, GRAPH_INPUT, value.data, value.size);
    wire_add_bytes(file, GRAPH, graph.data, graph.size);
    if (opshift_model_open_memory(file->data, file->size, NULL, &model, &error))
        diag("%s", error.text);
    buffer_free(&value);
    buffer_free(&graph);
    return model;
}

static void test_types(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct buffer file = {0}, text = {0};
        struct arena *arena = arena_new(0);
        struct value_type type;
        struct opshift_error error = {0};
        struct opshift_model *model = model_of(cases[i].type, cases[i].more, &file);
        if (is_int(OPSHIFT_OK, value_info_type(model, &model->main->inputs[0], arena, &type, &error), "%s: read",
                   cases[i].what))
            is_string(cases[i].wanted, type_text(&type, &text), "%s", cases[i].what);
        opshift_model_free(model);
        arena_free(arena);
        buffer_free(&file);
        buffer_free(&text);
    }
}

static void test_damaged(void)
{
    struct buffer file = {0};
    struct arena *arena = arena_new(0);
    struct value_type type;
    struct opshift_error error = {0};
    static const struct bytes cut = BYTES("\x0a\x02\x0a\x01"), none = {0};
    struct opshift_model *model = model_of(cut, none, &file);
    is_int(OPSHIFT_MALFORMED, value_info_type(model, &model->main->inputs[0], arena, &type, &error), "a damaged type");
    is_string("value 'x': byte 11: field 1 is 1 bytes long, but only 0 are left of its message; the file is damaged or "
              "cut short; "
              "fetch it again",
              error.text, "in words");
    opshift_model_free(model);
    arena_free(arena);
    buffer_free(&file);
}

int main(void)
{
    test_types();
    test_damaged();
    return done();
}
