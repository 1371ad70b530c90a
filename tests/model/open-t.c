/* Opening models: the index, and the messages for files that are no models. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/text.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

static const char sample[] = "<ir_version: 8, opset_import: [\"\": 17, \"my\": 2], producer_name: \"p\">\n"
                             "agraph (float[N, 4] x, bool c) => (float[N, 2] y)\n"
                             "<float[2] w = {1, 2}, int64[2] sz = {2, 2}, float[N] mid>\n"
                             "{\n"
                             "  [first] a, b = Split<axis = 1>(x, sz)\n"
                             "  y = If(c) <then_branch = inner () => (float[N, 2] t) { t = my.F(a) },\n"
                             "             else_branch = other () => (float[N, 2] e) { e = Identity(b) }>\n"
                             "}\n"
                             "<domain: \"my\", opset_import: [\"\": 16]>\n"
                             "F <k> (p) => (q) { q = Add(p, p) }\n";

static enum opshift_status open_text(const char *text, char **bytes, struct opshift_model **model,
                                     struct opshift_error *error)
{
    size_t size;
    *bytes = NULL;
    *model = NULL;
    enum opshift_status status = opshift_text_to_model(text, strlen(text), "sample", bytes, &size, error);
    return status ? status : opshift_model_open_memory(*bytes, size, NULL, model, error);
}

static void test_index(void)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    char *bytes;
    if (!ok(open_text(sample, &bytes, &model, &error) == OPSHIFT_OK, "a sample opens")) {
        diag("%s", error.text);
        return;
    }
    is_int(8, opshift_model_ir_version(model), "its IR version");
    is_int(17, opshift_model_opset(model), "its opset");
    is_int(4, model->graph_count, "main, two branches, a function's body");
    is_int(2, model->main->node_count, "two nodes");
    is_int(2, model->main->initializer_count, "two initializers");
    is_string("node 'first' (Split)", node_place(model, model->main, &model->main->nodes[0]), "a named node's place");
    is_string("node 1 (If): then_branch: node 0 (F)", node_place(model, model->graphs[1], model->graphs[1]->nodes),
              "a node in a branch");
    is_int(16, graph_opset(model, model->functions[0].body, NAME_NONE), "a function has its own imports");
    opshift_model_free(model);
    opshift_text_free(bytes);
}

/* The arrays of a small graph share one allocation; an odd number of nodes must not move the others. */
static void test_alignment(void)
{
    static const char text[] = "<ir_version: 8, opset_import: [\"\": 17]>\n"
                               "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] z> { y = Add (x, w) }";
    struct opshift_error error = {0};
    struct opshift_model *model;
    char *bytes;
    if (!ok(open_text(text, &bytes, &model, &error) == OPSHIFT_OK, "a graph of one node opens")) {
        diag("%s", error.text);
        return;
    }
    const struct graph *graph = model->main;
    ok(graph->is_small && graph->node_count == 1 && graph->initializer_count == 1, "it is small");
    is_int(0, (uintptr_t)graph->initializers % _Alignof(struct initializer), "its initializers are aligned");
    is_int(0, (uintptr_t)graph->inputs % _Alignof(struct value_info), "its inputs are aligned");
    is_int(0, (uintptr_t)graph->outputs % _Alignof(struct value_info), "its outputs are aligned");
    is_int(0, (uintptr_t)graph->values % _Alignof(struct value_info), "its value infos are aligned");
    is_int(0, (uintptr_t)graph->nodes % _Alignof(struct node), "its nodes are aligned");
    opshift_model_free(model);
    opshift_text_free(bytes);
}

/* A node with unordered fields, a duplicate name and many outputs. */
static void test_node_names(void)
{
    static const char nodes[] = "\x3a\x24"
                                "\x0a\x0c\x1a\x01"
                                "a\x22\x03Neg\x1a\x02"
                                "bc"
                                "\x0a\x07\x22\x03Neg\x1a\x00"
                                "\x0a\x0b\x3a\x02my\x22\x01M\x1a\x02no";
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    is_int(OPSHIFT_OK, opshift_model_open_memory(nodes, sizeof(nodes) - 1, NULL, &model, &error), "nodes with names");
    if (model == NULL)
        return;
    const struct node *all = model->main->nodes;
    uint32_t before = names_count(model->names);
    name_id name;
    is_string("node 'bc' (Neg)", node_place(model, model->main, &all[0]), "the last one says where something is");
    is_string("node 1 (Neg)", node_place(model, model->main, &all[1]), "or its number, where that is empty");
    is_string("node 'no' (M)", node_place(model, model->main, &all[2]), "in whatever domain");
    ok(!names_find(model->names, "bc", 2, &name), "they are not read with the model");
    is_string("bc", names_text(model->names, node_name(model, &all[0])), "the last one counts");
    is_string("bc", names_text(model->names, node_name(model, &all[0])), "also when it is asked for again");
    is_int(NAME_NONE, node_name(model, &all[1]), "an empty one is none");
    is_string("no", names_text(model->names, node_name(model, &all[2])), "a node of another domain has one too");
    is_string("my", names_text(model->names, node_domain(&all[2])), "beside its domain");
    is_int(NAME_NONE, node_domain(&all[0]), "which the others have not");
    is_int(before + 2, names_count(model->names), "only what was asked for was kept");
    opshift_model_free(model);
}

/* In a file that is read through windows smaller than the name. */
static void test_long_node_name(void)
{
    enum { LENGTH = 70000 };
    static char text[LENGTH + 200], name[LENGTH + 1];
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    char *bytes = NULL;
    size_t size = 0;
    memset(name, 'n', LENGTH);
    snprintf(text, sizeof(text),
             "<ir_version: 8, opset_import: [\"\": 17]>\n"
             "g (float[2] x) => (float[2] z) { [%s] y = Abs(x) [short] z = Neg(y) }\n",
             name);
    is_int(OPSHIFT_OK, opshift_text_to_model(text, strlen(text), "long", &bytes, &size, &error), "a long name in text");
    FILE *file = fopen("long-name.onnx", "wb");
    ok(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "and in a file");
    if (is_int(OPSHIFT_OK, opshift_model_open("long-name.onnx", NULL, &model, &error), "which opens")) {
        struct node *nodes = model->main->nodes;
        char place[100];
        snprintf(place, sizeof(place), "node '%.80s' (Abs)", name);
        is_string(place, node_place(model, model->main, &nodes[0]), "of whose place a part is said");
        is_string(name, names_text(model->names, node_name(model, &nodes[0])), "the name that no window holds");
        is_string("short", names_text(model->names, node_name(model, &nodes[1])), "and the next one");
    }
    opshift_model_free(model);
    opshift_text_free(bytes);
    remove("long-name.onnx");
}

static void test_values(void)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    struct value_type type;
    struct tensor *tensor;
    char *bytes;
    if (open_text(sample, &bytes, &model, &error))
        return;
    struct graph *main_graph = model->main;
    is_int(OPSHIFT_OK, value_info_type(model, &main_graph->inputs[0], model->arena, &type, &error), "an input's type");
    is_int(OPSHIFT_TYPE_FLOAT, type.type, "is float");
    is_int(2, type.rank, "of two dims");
    ok(type.dims[0] == -1 && !strcmp(names_text(model->names, type.params[0]), "N"), "the first has a name");
    is_int(4, type.dims[1], "the second is 4");
    value_info_type(model, &model->functions[0].body->inputs[0], model->arena, &type, &error);
    ok(!type.is_tensor && type.rank == -1, "a function's input has no type");
    is_int(OPSHIFT_OK, initializer_tensor(model, &main_graph->initializers[1], 16, model->arena, &tensor, &error),
           "an initializer's value");
    is_int(2, ((int64_t *)tensor->data)[1], "is what the text says");
    is_int(OPSHIFT_UNSUPPORTED,
           initializer_tensor(model, &main_graph->initializers[1], 15, model->arena, &tensor, &error), "too large");
    is_string("initializer 'sz': has 16 bytes; at most 15 are read here", error.text, "in these words");
    opshift_model_free(model);
    opshift_text_free(bytes);
}

/* Two integers in all encodings; others are refused. */
static void test_small_values(void)
{
#define NEGATIVE "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
#define CASE(record, first, second, what)                                                                              \
    {                                                                                                                  \
        record, sizeof(record) - 1, first, second, what                                                                \
    }
    static const struct {
        const char *record;
        size_t size;
        int64_t first, second; /* both 0: refused */
        const char *what;
    } cases[] = {
        CASE("\x08\x02\x10\x07\x42\x01w\x3a\x02\x03\x04", 3, 4, "packed integers"),
        CASE("\x0a\x01\x02\x3a\x0b" NEGATIVE "\x05\x10\x07", -1, 5, "a negative one, before the type"),
        CASE("\x08\x02\x10\x07\x38\x03\x38\x04", 3, 4, "one by one"),
        CASE("\x08\x02\x10\x07\x3a\x01\x03\x3a\x01\x04", 3, 4, "in two lists"),
        CASE("\x08\x02\x10\x07\x62\x01 \x3a\x02\x03\x04", 3, 4, "beside a text"),
        CASE("\x08\x02\x10\x07\x4a\x10\x03\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 3, -1, "raw bytes"),
        CASE("\x08\x02\x10\x07\x3a\x01\x03", 0, 0, "too few"),
        CASE("\x08\x02\x10\x07\x3a\x03\x03\x04\x05", 0, 0, "too many"),
        CASE("\x08\x02\x10\x07\x3a\x02\x03\x84", 0, 0, "one that has no end"),
        CASE("\x08\x02\x10\x01\x3a\x02\x03\x04", 0, 0, "integers where there are floats"),
        CASE("\x08\x02\x10\x07\x4a\x01\x03", 0, 0, "too few raw bytes"),
        CASE("\x08\x02\x10\x07\x3a\x02\x03\x04\x4a\x01\x03", 0, 0, "integers and raw bytes"),
    };
#undef CASE
#undef NEGATIVE
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct opshift_error error = {0};
        struct opshift_model *model = NULL;
        struct tensor *tensor = NULL;
        uint8_t bytes[80] = {0x3a, (uint8_t)(cases[i].size + 2), 0x2a, (uint8_t)cases[i].size};
        memcpy(bytes + 4, cases[i].record, cases[i].size);
        enum opshift_status status = opshift_model_open_memory(bytes, cases[i].size + 4, NULL, &model, &error);
        if (status == OPSHIFT_OK)
            status = initializer_tensor(model, &model->main->initializers[0], 0, model->arena, &tensor, &error);
        if (cases[i].first == 0)
            ok(status != OPSHIFT_OK && error.text[0] != '\0', "%s", cases[i].what);
        else
            ok(status == OPSHIFT_OK && tensor->count == 2 && ((int64_t *)tensor->data)[0] == cases[i].first &&
                   ((int64_t *)tensor->data)[1] == cases[i].second,
               "%s", cases[i].what);
        opshift_model_free(model);
    }
}

static void test_attributes(void)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    struct attribute_range *attributes;
    Onnx__AttributeProto *message;
    size_t count;
    char *bytes;
    if (open_text(sample, &bytes, &model, &error))
        return;
    struct node *nodes = model->main->nodes;
    node_attributes(model, &nodes[0], model->arena, &attributes, &count, &error);
    is_int(1, (int64_t)count, "Split has one attribute");
    is_string("axis", names_text(model->names, attributes[0].name), "its name");
    is_int(ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT, attributes[0].type, "its type");
    is_int(OPSHIFT_OK, attribute_decode(model, &attributes[0], model->arena, &message, &error), "it is decoded");
    is_int(1, message->i, "its value");
    node_attributes(model, &nodes[1], model->arena, &attributes, &count, &error);
    is_int(2, (int64_t)count, "If has two");
    is_int(2, node_subgraph_count(&nodes[1]), "both are graphs");
    ok(node_inside(&nodes[1])->message != NULL &&
           node_subgraphs(&nodes[1])[0]->message->parent->parent == node_inside(&nodes[1])->message,
       "the messages around a graph are known");
    opshift_model_free(model);
    opshift_text_free(bytes);
}

/* Attributes that are read without protobuf-c are the same messages. */
static void test_plain_attributes(void)
{
#define NAMED    "\x0a\x01\x61"
#define IS(type) "\xa0\x01" type
    static const struct {
        const char *what, *bytes;
    } cases[] = {
        {"a number", NAMED "\x18\x05" IS("\x02")},
        {"a number twice", NAMED "\x18\x05\x18\x06" IS("\x02")},
        {"a list", NAMED "\x40\x02\x40\x83\x01" IS("\x07")},
        {"a list of a negative number", NAMED "\x40\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01" IS("\x07")},
        {"a list between other fields", "\x40\x02" NAMED "\x40\x03" IS("\x07") "\x40\x04"},
        {"a packed list", NAMED "\x42\x02\x02\x03" IS("\x07")},
        {"a list in part packed", NAMED "\x40\x01\x42\x02\x02\x03\x40\x04" IS("\x07")},
        {"an empty list", NAMED IS("\x07")},
        {"a list and a number", NAMED "\x18\x05\x40\x02" IS("\x07")},
        {"a list that is called a number", NAMED "\x40\x02" IS("\x02")},
        {"a number that is called a list", NAMED "\x18\x05" IS("\x07")},
        {"a list without a type", NAMED "\x40\x02"},
        {"a list with a doc_string", NAMED "\x40\x02" IS("\x07") "\x6a\x01\x64"},
        {"a list with a reference", NAMED "\x40\x02" IS("\x07") "\xaa\x01\x01\x72"},
    };
#undef NAMED
#undef IS
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opshift_error error = {0};
        struct opshift_model *model;
        struct attribute_range *attributes;
        Onnx__AttributeProto *read = NULL, *wanted = NULL;
        size_t count, size = strlen(cases[i].bytes);
        uint8_t bytes[64] = {0x3a, (uint8_t)(size + 7), 0x0a, (uint8_t)(size + 5), 0x22, 0x01, 'A', /* graph, node */
                             0x2a, (uint8_t)size},
                packed[2][64] = {{0}};
        memcpy(bytes + 9, cases[i].bytes, size);
        if (!ok(opshift_model_open_memory(bytes, size + 9, NULL, &model, &error) == OPSHIFT_OK, "%s", cases[i].what))
            continue;
        node_attributes(model, model->main->nodes, model->arena, &attributes, &count, &error);
        attribute_decode(model, attributes, model->arena, &read, &error);
        range_decode(model, attributes->range, &onnx__attribute_proto__descriptor, model->arena, &wanted, &error);
        if (ok(count == 1 && read != NULL && wanted != NULL, "both are read")) {
            wanted->type = attributes->type;
            onnx__attribute_proto__pack(read, packed[0]);
            onnx__attribute_proto__pack(wanted, packed[1]);
            ok(memcmp(packed[0], packed[1], sizeof(packed[0])) == 0, "both are the same");
        }
        opshift_model_free(model);
    }
}

/* IR version 1 had neither opset imports nor attribute types; functions may precede the graph. */
static void test_old_and_odd(void)
{
    static const uint8_t bytes[] = {0xca, 0x01, 0x03, 0x0a, 0x01, 'F', /* functions: name F */
                                    0x3a, 0x10, 0x0a, 0x0e, 0x22, 0x05, 'S',  'p', 'l', 'i', 't', /* graph, node */
                                    0x2a, 0x05, 0x0a, 0x01, 'a',  0x18, 0x02,                     /* attribute a = 2 */
                                    0xa2, 0x01, 0x02, 0x0a, 0x00};                                /* training_info */
    struct opshift_error error = {0};
    struct opshift_model *model;
    struct attribute_range *attributes;
    size_t count;
    if (!ok(opshift_model_open_memory(bytes, sizeof bytes, NULL, &model, &error) == OPSHIFT_OK, "an odd model opens")) {
        diag("%s", error.text);
        return;
    }
    is_int(1, opshift_model_opset(model), "without imports and before IR 3, the opset is 1");
    is_int(3, model->graph_count, "three graphs");
    is_int(GRAPH_MAIN, model->graphs[0]->kind, "the main one is first");
    is_int(GRAPH_TRAINING, model->graphs[1]->kind, "then the training graph");
    ok(model->graphs[1]->parent == model->main, "which sees the main one's names");
    is_int(GRAPH_FUNCTION, model->graphs[2]->kind, "then the function's body");
    node_attributes(model, &model->main->nodes[0], model->arena, &attributes, &count, &error);
    is_int(ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT, attributes[0].type, "an attribute's type is that of its value");
    opshift_model_free(model);
}

#define FLOATS 0x12, 0x0a, 0x0a, 0x08, 0x08, 0x01, 0x12, 0x04, 0x0a, 0x02, 0x08, 0x06 /* type: float[6] */

/* A type in two parts with an unknown field between them: it belongs to this value only. */
static void test_type_in_parts(void)
{
    static const uint8_t bytes[] = {0x3a, 0x32,                                       /* graph */
                                    0x5a, 0x0f, 0x0a, 0x01, 'y',  FLOATS,             /* input y */
                                    0x5a, 0x1f, 0x0a, 0x01, 'x',  FLOATS,             /* input x, */
                                    0x91, 0x03, 0,    0,    0,    0,      0, 0, 0, 0, /* field 50, */
                                    0x12, 0x04, 0x0a, 0x02, 0x08, 0x0b};              /* type: double */
    struct opshift_error error = {0};
    struct opshift_model *model;
    struct value_type type;
    if (!is_int(OPSHIFT_OK, opshift_model_open_memory(bytes, sizeof bytes, NULL, &model, &error), "a type in parts")) {
        diag("%s", error.text);
        return;
    }
    for (int turn = 0; turn < 2; turn++) {
        value_info_type(model, &model->main->inputs[0], model->arena, &type, &error);
        is_int(OPSHIFT_TYPE_FLOAT, type.type, "one is whole");
        value_info_type(model, &model->main->inputs[1], model->arena, &type, &error);
        is_int(OPSHIFT_TYPE_DOUBLE, type.type, "of the other the last part counts");
    }
    opshift_model_free(model);
}

static void test_missing_file(void)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    is_int(OPSHIFT_IO, opshift_model_open("none.onnx", NULL, &model, &error), "a file that is not there");
    ok(strncmp(error.text, "none.onnx: ", 11) == 0, "is named: %s", error.text);
    ok(model == NULL, "and there is no model");
    error = (struct opshift_error){0};
    is_int(OPSHIFT_MALFORMED, opshift_model_open_memory("", 0, NULL, &model, &error), "no bytes");
    is_string("<memory>: is empty; fetch or write it again", error.text, "in these words");
}

int main(void)
{
    test_index();
    test_alignment();
    test_node_names();
    test_long_node_name();
    test_type_in_parts();
    test_values();
    test_small_values();
    test_attributes();
    test_plain_attributes();
    test_old_and_odd();
    test_missing_file();
    return done();
}
