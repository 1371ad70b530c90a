/* What Constants give whose attributes many may have. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "model/model.h"
#include "model/text.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

#define HEAD "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"

/* What a node gives, and since which opset: "12: 7[2] 1 2" are two elements of element type 7. In the buffer. */
static const char *given(struct opshift_model *model, const struct node *node, struct buffer *text)
{
    int64_t since = -1;
    const struct tensor *tensor = constant_shared(model, node, &since);
    text->size = 0;
    if (tensor == NULL)
        return "nothing";
    buffer_print(text, "%" PRId64 ": %d[", since, (int)tensor->type);
    for (uint32_t i = 0; i < tensor->rank; i++)
        buffer_print(text, "%s%" PRId64, i ? "," : "", tensor->dims[i]);
    buffer_add_text(text, "]");
    for (uint64_t i = 0; i < tensor->count; i++)
        if (tensor->type == OPSHIFT_TYPE_INT64)
            buffer_print(text, " %" PRId64, ((const int64_t *)tensor->data)[i]);
        else
            buffer_print(text, " %" PRId32, ((const int32_t *)tensor->data)[i]);
    buffer_add_byte(text, '\0');
    return (const char *)text->data;
}

/* ---- as text ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *what, *node, *wanted;
} cases[] = {
    {"a tensor", "Constant<value = int64[2] {1, -2}>()", "1: 7[2] 1 -2"},
    {"a scalar", "Constant<value = int64 {3}>()", "1: 7[] 3"},
    {"a tensor of a narrow type", "Constant<value = int32[1, 2] {1, 2}>()", "1: 6[1,2] 1 2"},
    {"a tensor without elements", "Constant<value = int64[0] {}>()", "1: 7[0]"},
    {"a number", "Constant<value_int = 5>()", "12: 7[] 5"},
    {"a list of numbers", "Constant<value_ints = [4, 5]>()", "12: 7[2] 4 5"},
    {"a list of none", "Constant<value_ints: ints = []>()", "nothing"},
    {"a tensor of texts", "Constant<value = string[1] {\"t\"}>()", "nothing"},
    {"a text", "Constant<value_string = \"t\">()", "nothing"},
    {"a fraction", "Constant<value_float = 1.5>()", "nothing"},
    {"fractions", "Constant<value_floats = [1.5, 2.5]>()", "nothing"},
    {"a number that is named as a tensor", "Constant<value = 5>()", "nothing"},
    {"a list that is named as a number", "Constant<value_int = [4, 5]>()", "nothing"},
    {"a number that is named as a list", "Constant<value_ints = 4>()", "nothing"},
    {"a tensor that is named as a list", "Constant<value_ints = int64[2] {1, 2}>()", "nothing"},
    {"an attribute that Constant has not", "Constant<values = [4, 5]>()", "nothing"},
    {"two attributes", "Constant<value_int = 5, value = int64[2] {1, 2}>()", "nothing"},
    {"no attribute", "Constant()", "nothing"},
    {"more than is kept", "Constant<value_ints = [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]>()", "nothing"},
};

static struct opshift_model *text_open(const char *text, char **bytes)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    size_t size = 0;
    if (opshift_text_to_model(text, strlen(text), "text", bytes, &size, &error) ||
        opshift_model_open_memory(*bytes, size, NULL, &model, &error))
        diag("%s", error.text);
    return model;
}

static void test_texts(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct buffer text = {0};
        char *bytes = NULL;
        buffer_print(&text, HEAD "g () => (int64[N] c) { c = %s }", cases[i].node);
        char *source = buffer_take(&text);
        struct opshift_model *model = text_open(source, &bytes);
        for (int again = 0; model && again < 2; again++)
            is_string(cases[i].wanted, given(model, &model->main->nodes[0], &text), "%s%s", cases[i].what,
                      again ? ", asked again" : "");
        ok(model != NULL, "%s: opened", cases[i].what);
        opshift_model_free(model);
        opshift_text_free(bytes);
        buffer_free(&text);
        free(source);
    }
}

static void test_sharing(void)
{
    char *bytes = NULL;
    int64_t since;
    struct buffer text = {0};
    struct opshift_model *model = text_open(HEAD "g () => (int64[2] d)\n"
                                                 "{\n"
                                                 "  a = Constant<value_ints = [1, 2]>()\n"
                                                 "  b = Constant<value_ints = [1, 3]>()\n"
                                                 "  c = Constant<value_ints = [1, 2]>()\n"
                                                 "  d = my.F<n = 2>()\n"
                                                 "}\n"
                                                 "<domain: \"my\", opset_import: [\"\" : 13]>\n"
                                                 "F <n> () => (q) { q = Constant<value_int: int = @n>() }\n",
                                            &bytes);
    if (!ok(model != NULL, "several"))
        return;
    struct node *nodes = model->main->nodes;
    const struct tensor *first = constant_shared(model, &nodes[0], &since);
    is_string("12: 7[2] 1 3", given(model, &nodes[1], &text), "each gives what it says");
    ok(first && constant_shared(model, &nodes[2], &since) == first, "those that say the same give the same");
    is_string("12: 7[2] 1 2", given(model, &nodes[2], &text), "which stays as it was");
    is_string("nothing", given(model, &model->functions[0].body->nodes[0], &text), "a parameter of a function");
    opshift_model_free(model);
    opshift_text_free(bytes);
    buffer_free(&text);
}

/* ---- as few write them ------------------------------------------------------------------------------------------ */

enum { TENSOR = 4, INT = 2 };

static const struct {
    const char *what, *wanted;
    const char *name;
    size_t name_size;
    int type; /* 0: it says none */
    bool external, number_behind;
} odd[] = {
    {"as all write it", "1: 7[2] 1 2", "value", 5, TENSOR, false, false},
    {"without its type", "1: 7[2] 1 2", "value", 5, 0, false, false},
    {"of another type", "nothing", "value", 5, INT, false, false},
    {"with a number behind it", "nothing", "value", 5, TENSOR, false, true},
    {"with a number behind it, and without its type", "nothing", "value", 5, 0, false, true},
    {"in another file", "nothing", "value", 5, TENSOR, true, false},
    {"with a NUL in its name", "nothing", "value\0", 6, TENSOR, false, false},
    {"without a name", "nothing", "", 0, TENSOR, false, false},
};

/* Twice the same node; dims and elements are packed. */
static void odd_put(struct buffer *file, size_t index)
{
    struct buffer tensor = {0}, attribute = {0}, node = {0}, graph = {0};
    wire_add_bytes(&tensor, 1, "\2", 1);
    wire_add_int(&tensor, 2, OPSHIFT_TYPE_INT64);
    wire_add_bytes(&tensor, 7, "\1\2", 2);
    if (odd[index].external)
        wire_add_int(&tensor, 14, 1);
    wire_add_bytes(&attribute, 1, odd[index].name, odd[index].name_size);
    wire_add_bytes(&attribute, 5, tensor.data, tensor.size);
    if (odd[index].number_behind)
        wire_add_int(&attribute, 3, 4);
    if (odd[index].type)
        wire_add_int(&attribute, 20, (uint64_t)odd[index].type);
    wire_add_bytes(&node, 2, "c", 1);
    wire_add_bytes(&node, 4, "Constant", 8);
    wire_add_bytes(&node, 5, attribute.data, attribute.size);
    for (int i = 0; i < 2; i++)
        wire_add_bytes(&graph, 1, node.data, node.size);
    wire_add_bytes(file, 7, graph.data, graph.size);
    buffer_free(&tensor);
    buffer_free(&attribute);
    buffer_free(&node);
    buffer_free(&graph);
}

static void test_odd(void)
{
    for (size_t i = 0; i < COUNT(odd); i++) {
        struct buffer file = {0}, text = {0};
        struct opshift_model *model;
        struct opshift_error error = {0};
        odd_put(&file, i);
        if (is_int(OPSHIFT_OK, opshift_model_open_memory(file.data, file.size, NULL, &model, &error), "a tensor %s: %s",
                   odd[i].what, error.text)) {
            is_string(odd[i].wanted, given(model, &model->main->nodes[1], &text), "a tensor %s", odd[i].what);
            opshift_model_free(model);
        }
        buffer_free(&file);
        buffer_free(&text);
    }
}

int main(void)
{
    test_texts();
    test_sharing();
    test_odd();
    return done();
}
