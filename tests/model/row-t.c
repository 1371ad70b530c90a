/* Nodes, value infos and initializers in long rows, as most models have them: read in one go, and the same as one by
 * one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "model/model.h"
#include "model/text.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

enum { NODES = 4000, WIDE = 200, WIDE_INPUTS = 300 };

/* What each node reads: its line without what it gives. A kind for each index: most are plain, some have a
 * domain, a node with very many inputs ends a row, and some read a name twice, or none. */
static void reads_print(struct buffer *line, int index)
{
    if (index == WIDE) {
        for (int i = 0; i < WIDE_INPUTS; i++)
            buffer_print(line, "%sv%d", i ? ", " : "", i % WIDE);
        return;
    }
    static const char *const kinds[] = {"v%d", "v%d", "v%d, w%d", "v%d, v%d", "v%d, \"\", x"};
    buffer_print(line, kinds[index % 5], index - 1, index - 1);
}

static const char *const op_types[] = {"Relu", "Split", "Concat", "Mul", "my.F"};

static void node_print(struct buffer *text, int index)
{
    buffer_print(text, "v%d", index);
    if (index % 5 == 1)
        buffer_print(text, ", w%d", index);
    buffer_print(text, " = %s(", index == WIDE ? "Max" : op_types[index % 5]);
    reads_print(text, index);
    buffer_add_text(text, ")\n");
}

static char *model_make(size_t *size)
{
    struct opshift_error error = {0};
    struct buffer text = {0};
    char *bytes = NULL;
    buffer_add_text(
        &text, "<ir_version: 8, opset_import: [\"\": 17, \"my\": 1]>\ng (float[2] v0, float x) => (float[2] v3999)\n<");
    for (int i = 1; i < NODES - 1; i++)
        buffer_print(&text, "%s%s v%d", i > 1 ? ", " : "", i % 7 ? "float[2]" : "int64[N, 3]", i);
    buffer_add_text(&text, ">\n{\n");
    for (int i = 1; i < NODES; i++)
        node_print(&text, i);
    buffer_add_text(&text, "}\n");
    char *source = buffer_take(&text);
    if (opshift_text_to_model(source, strlen(source), "rows", &bytes, size, &error))
        diag("%s", error.text);
    free(source);
    return bytes;
}

/* "name, name" as the index has a node's inputs. */
static char *reads_text(const struct opshift_model *model, const struct node *node)
{
    struct buffer text = {0};
    for (uint32_t i = 0; i < node->input_count; i++) {
        name_id name = node_inputs(node)[i];
        buffer_print(&text, "%s%s", i ? ", " : "", name == NAME_NONE ? "\"\"" : names_text(model->names, name));
    }
    return buffer_take(&text);
}

static bool node_is_right(const struct opshift_model *model, int index)
{
    const struct node *node = &model->main->nodes[index - 1];
    struct buffer wanted = {0};
    char gives[16];
    reads_print(&wanted, index);
    snprintf(gives, sizeof gives, "v%d", index);
    char *right = buffer_take(&wanted), *read = reads_text(model, node);
    const char *op_type = index == WIDE ? "Max" : index % 5 == 4 ? "F" : op_types[index % 5];
    bool same = strcmp(right, read) == 0 && strcmp(names_text(model->names, node->op_type), op_type) == 0 &&
                node->output_count == (index % 5 == 1 ? 2 : 1) &&
                strcmp(names_text(model->names, node_outputs(node)[0]), gives) == 0 &&
                (node_domain(node) != NAME_NONE) == (index % 5 == 4) &&
                (index == 1 || range_record(node->range) == range_end(node[-1].range));
    if (!same)
        diag("node %d: '%s' instead of '%s'", index, read, right);
    free(right);
    free(read);
    return same;
}

static bool value_is_right(struct opshift_model *model, int index)
{
    const struct value_info *value = &model->main->values[index - 1];
    struct opshift_error error = {0};
    struct value_type type;
    char name[16];
    snprintf(name, sizeof name, "v%d", index);
    return value_info_type(model, value, model->arena, &type, &error) == OPSHIFT_OK &&
           strcmp(names_text(model->names, value->name), name) == 0 &&
           type.type == (index % 7 ? OPSHIFT_TYPE_FLOAT : OPSHIFT_TYPE_INT64) && type.rank == (index % 7 ? 1 : 2);
}

static void check_index(struct opshift_model *model, const char *where)
{
    int nodes = 0, values = 0;
    is_int(NODES - 1, model->main->node_count, "%s: all nodes", where);
    is_int(NODES - 2, model->main->value_count, "%s: all value infos", where);
    for (int i = 1; i < NODES; i++)
        nodes += node_is_right(model, i);
    for (int i = 1; i < NODES - 1; i++)
        values += value_is_right(model, i);
    is_int(NODES - 1, nodes, "%s: each node reads and gives what it should, behind the one before", where);
    is_int(NODES - 2, values, "%s: each value info is of its value", where);
}

static void test_memory(const char *bytes, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    if (ok(opshift_model_open_memory(bytes, size, NULL, &model, &error) == OPSHIFT_OK, "rows in memory"))
        check_index(model, "in memory");
    opshift_model_free(model);
}

/* A row ends where the window does. */
static void test_file(const char *bytes, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    FILE *file = fopen("rows.onnx", "wb");
    if (ok(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0 &&
               opshift_model_open("rows.onnx", NULL, &model, &error) == OPSHIFT_OK,
           "rows in a file"))
        check_index(model, "in a file");
    opshift_model_free(model);
    remove("rows.onnx");
}

/* A limit that is reached in a row counts as if there were none. */
static void test_limit(const char *bytes, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_limits limits = {.nodes = NODES - 1};
    struct opshift_open_options options = {.limits = &limits};
    struct opshift_model *model;
    is_int(OPSHIFT_OK, opshift_model_open_memory(bytes, size, &options, &model, &error), "as many nodes as allowed");
    opshift_model_free(model);
    for (uint64_t most = NODES - 40; most < NODES - 1; most++) {
        limits.nodes = most;
        error = (struct opshift_error){0};
        is_int(OPSHIFT_UNSUPPORTED, opshift_model_open_memory(bytes, size, &options, &model, &error), "more");
        char wanted[160];
        snprintf(wanted, sizeof wanted, "more than %d nodes", (int)most);
        ok(strstr(error.text, wanted) != NULL, "in these words: %s", wanted);
    }
}

/* ---- initializers ---- */

enum { TENSORS = 500, RANK_LARGE = 9 };

/* What stands in a TensorProto behind its dims: fields as exporters write them, and as few do. */
static const struct tensor_kind {
    const char *what;
    int type;
    uint32_t rank;
    uint32_t field; /* of the elements */
    const char *data;
    size_t size;
    bool packed_dims, second_name, nameless, external;
    unsigned more; /* fields like that one */
} kinds[] = {
#define BYTES(text) .data = text, .size = sizeof(text) - 1
    {"raw_data", OPSHIFT_TYPE_INT64, 1, 9, BYTES("\2\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0")},
    {"int64_data", OPSHIFT_TYPE_INT64, 1, 7, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\4")},
    {"int64_data, and no elements", OPSHIFT_TYPE_INT64, 1, 7, BYTES("")},
    {"int32_data", OPSHIFT_TYPE_INT32, 2, 5, BYTES("\2\xac\2")},
    {"uint64_data", OPSHIFT_TYPE_UINT64, 2, 11, BYTES("\2\4")},
    {"float_data", OPSHIFT_TYPE_FLOAT, 1, 4, BYTES("\0\0\0\0\0\0\0\0")},
    {"double_data", OPSHIFT_TYPE_DOUBLE, 0, 10, BYTES("\0\0\0\0\0\0\0\0")},
    {"string_data", OPSHIFT_TYPE_STRING, 0, 6, BYTES("text")},
    {"many elements of string_data", OPSHIFT_TYPE_STRING, 1, 6, BYTES("text"), .more = 30},
    {"a large rank", OPSHIFT_TYPE_INT64, RANK_LARGE, 7, BYTES("\1")},
    {"packed dims", OPSHIFT_TYPE_INT64, 2, 7, BYTES("\2\4"), .packed_dims = true},
    {"two names", OPSHIFT_TYPE_INT64, 1, 7, BYTES("\2\4"), .second_name = true},
    {"no name", OPSHIFT_TYPE_INT64, 1, 7, BYTES("\2\4"), .nameless = true},
    {"external data", OPSHIFT_TYPE_INT64, 1, 13, BYTES("\n\1k\x12\1v"), .external = true},
};

/* Three in a row have the same dims. */
static uint64_t dim_of(int index, uint32_t axis)
{
    return axis == 0 ? (uint64_t)(index / 3 * 40) : 1;
}

static void tensor_put(struct buffer *graph, const struct tensor_kind *kind, int index)
{
    struct buffer tensor = {0}, dims = {0};
    char name[32];
    snprintf(name, sizeof name, "t%d", index);
    for (uint32_t i = 0; i < kind->rank; i++)
        if (kind->packed_dims)
            wire_add_varint(&dims, dim_of(index, i));
        else
            wire_add_int(&tensor, 1, dim_of(index, i));
    if (kind->packed_dims)
        wire_add_bytes(&tensor, 1, dims.data, dims.size);
    wire_add_int(&tensor, 2, (uint64_t)kind->type);
    for (unsigned i = 0; i <= kind->more; i++)
        wire_add_bytes(&tensor, kind->field, kind->data, kind->size);
    if (kind->second_name)
        wire_add_bytes(&tensor, 8, "first", 5);
    if (!kind->nameless)
        wire_add_bytes(&tensor, 8, name, strlen(name));
    if (kind->external)
        wire_add_int(&tensor, 14, 1);
    wire_add_bytes(graph, 5, tensor.data, tensor.size);
    buffer_free(&tensor);
    buffer_free(&dims);
}

static enum opshift_status tensors_open(struct buffer *graph, struct opshift_model **model, struct opshift_error *error)
{
    static struct buffer file; /* outlives the model */
    buffer_free(&file);
    file = (struct buffer){0};
    wire_add_bytes(&file, 7, graph->data, graph->size);
    buffer_free(graph);
    return opshift_model_open_memory(file.data, file.size, NULL, model, error);
}

static bool tensor_is_right(const struct opshift_model *model, const struct tensor_kind *kind, int index)
{
    const struct initializer *initializer = &model->main->initializers[index];
    char name[32] = "";
    bool same = initializer->type == (enum opshift_type)kind->type && initializer->rank == kind->rank &&
                !initializer->sparse && initializer->external == kind->external;
    if (!kind->nameless)
        snprintf(name, sizeof name, "t%d", index);
    for (uint32_t i = 0; same && i < kind->rank; i++)
        same = initializer->dims[i] == (int64_t)dim_of(index, i);
    return same && strcmp(names_text(model->names, initializer->name), name) == 0 &&
           (index == 0 || range_record(initializer->range) == range_end(initializer[-1].range));
}

/* Each kind for itself, and all of them mixed. */
static void test_tensors(void)
{
    for (size_t first = 0; first <= COUNT(kinds); first++) {
        struct opshift_error error = {0};
        struct opshift_model *model;
        struct buffer graph = {0};
        bool mixed = first == COUNT(kinds), external = mixed || kinds[first].external;
        const char *what = mixed ? "all of them" : kinds[first].what;
        int right = 0;
        for (int i = 0; i < TENSORS; i++)
            tensor_put(&graph, &kinds[mixed ? (size_t)(i / 2) % COUNT(kinds) : first], i);
        if (!is_int(OPSHIFT_OK, tensors_open(&graph, &model, &error), "initializers: %s", what))
            continue;
        is_int(TENSORS, model->main->initializer_count, "%s: how many", what);
        for (int i = 0; i < TENSORS && model->main->initializer_count == TENSORS; i++)
            right += tensor_is_right(model, &kinds[mixed ? (size_t)(i / 2) % COUNT(kinds) : first], i);
        is_int(TENSORS, right, "%s: each is what it should be", what);
        ok(model->has_external == external && model->broken == NULL, "%s: external or not, and whole", what);
        opshift_model_free(model);
    }
}

static struct buffer sparse_values(const char *name, int type, uint64_t place)
{
    struct buffer values = {0};
    wire_add_int(&values, 1, 2);
    if (name)
        wire_add_bytes(&values, 8, name, strlen(name));
    if (type)
        wire_add_int(&values, 2, (uint64_t)type);
    wire_add_int(&values, 14, place);
    return values;
}

/* Readers merge the values of a sparse initializer that are given twice: what the first ones say counts too. */
static void test_values_twice(void)
{
    static const struct {
        const char *what, *names[2];
        int types[2];
        uint64_t places[2];
        enum opshift_type type;
    } cases[] = {
        {"the first say all", {"s", NULL}, {1, 0}, {1, 1}, OPSHIFT_TYPE_FLOAT},
        {"the second say all", {NULL, "s"}, {0, 1}, {0, 1}, OPSHIFT_TYPE_FLOAT},
        {"each says a part", {"s", NULL}, {0, 7}, {1, 0}, OPSHIFT_TYPE_INT64},
        {"both say it, and the second counts", {"r", "s"}, {7, 1}, {1, 1}, OPSHIFT_TYPE_FLOAT},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opshift_error error = {0};
        struct opshift_model *model;
        struct buffer graph = {0}, sparse = {0};
        for (size_t k = 0; k < 2; k++) {
            struct buffer values = sparse_values(cases[i].names[k], cases[i].types[k], cases[i].places[k]);
            wire_add_bytes(&sparse, 1, values.data, values.size);
            wire_add_int(&sparse, 3, 6 + k);
            buffer_free(&values);
        }
        wire_add_bytes(&graph, 15, sparse.data, sparse.size);
        buffer_free(&sparse);
        if (!is_int(OPSHIFT_OK, tensors_open(&graph, &model, &error), "values given twice: %s", cases[i].what))
            continue;
        const struct initializer *initializer = &model->main->initializers[0];
        is_string("s", names_text(model->names, initializer->name), "its name");
        is_int(cases[i].type, initializer->type, "its type");
        is_int(cases[i].places[1], initializer->external, "external or not");
        ok(initializer->rank == 2 && initializer->dims[0] == 6 && initializer->dims[1] == 7, "its own dims");
        ok(model->has_external, "the model has external data that is to be searched for");
        opshift_model_free(model);
    }
}

/* Two numbers, or where `elements` differs from that, what is no value. The name stands in front of them, or behind. */
static void pair_put(struct buffer *graph, int index, int value, uint64_t elements, bool name_first)
{
    struct buffer tensor = {0};
    const char data[] = {(char)value, 4};
    char name[32];
    snprintf(name, sizeof name, "t%d", index);
    wire_add_int(&tensor, 1, elements);
    wire_add_int(&tensor, 2, OPSHIFT_TYPE_INT64);
    if (name_first)
        wire_add_bytes(&tensor, 8, name, strlen(name));
    wire_add_bytes(&tensor, 7, data, sizeof data);
    if (!name_first)
        wire_add_bytes(&tensor, 8, name, strlen(name));
    wire_add_bytes(graph, 5, tensor.data, tensor.size);
    buffer_free(&tensor);
}

/* Those that say the same have one value, whatever stood between them; of very many values not all are kept. */
static void test_shared_values(void)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    struct buffer graph = {0};
    int right = 0, shared = 0;
    for (int i = 0; i < TENSORS; i++)
        pair_put(&graph, i, i / 2 % 100, i % 10 == 9 ? 3 : 2, i % 4 == 0);
    if (!is_int(OPSHIFT_OK, tensors_open(&graph, &model, &error), "values that some share"))
        return;
    const struct tensor *first = initializer_shared(model, &model->main->initializers[0]);
    ok(first == initializer_shared(model, &model->main->initializers[1]), "wherever the name stands");
    ok(first == initializer_shared(model, &model->main->initializers[200]), "the same value");
    for (int i = 0; i < TENSORS; i++) {
        const struct tensor *tensor = initializer_shared(model, &model->main->initializers[i]);
        const int64_t *values = tensor ? tensor->data : NULL;
        shared += tensor != NULL;
        right += i % 10 == 9 ? tensor == NULL : values == NULL || (values[0] == i / 2 % 100 && values[1] == 4);
    }
    is_int(TENSORS, right, "each its own value; what is none has none");
    ok(shared > TENSORS / 5, "many have one: %d", shared);
    opshift_model_free(model);
}

/* One among others is not whole: that is noted, and all are in the index. */
static void test_broken_tensors(void)
{
    static const struct tensor_kind broken[] = {
        {"TensorProto.int64_data has a value that does not end", OPSHIFT_TYPE_INT64, 1, 7, BYTES("\2\x84")},
        {"TensorProto.int32_data has a value that does not end", OPSHIFT_TYPE_INT32, 1, 5,
         BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1")},
        {"TensorProto.uint64_data has a value that does not end", OPSHIFT_TYPE_UINT64, 1, 11, BYTES("\x80")},
        {"TensorProto.float_data ends in the middle of a value", OPSHIFT_TYPE_FLOAT, 1, 4, BYTES("\0\0\0\0\0")},
        {"TensorProto.double_data ends in the middle of a value", OPSHIFT_TYPE_DOUBLE, 1, 10, BYTES("\0\0\0\0")},
    };
    for (size_t i = 0; i < COUNT(broken); i++) {
        struct opshift_error error = {0};
        struct opshift_model *model;
        struct buffer graph = {0};
        for (int k = 0; k < TENSORS; k++)
            tensor_put(&graph, k == 100 ? &broken[i] : &kinds[1], k);
        if (!is_int(OPSHIFT_OK, tensors_open(&graph, &model, &error), "opened all the same"))
            continue;
        ok(model->broken && strstr(model->broken->text, broken[i].what), "%s", broken[i].what);
        is_int(TENSORS, model->main->initializer_count, "all are there");
        ok(tensor_is_right(model, &broken[i], 100), "and this one too");
        opshift_model_free(model);
    }
}

/* ---- attributes with numbers in a row --------------------------------------------------------------------------- */

enum { CONSTANTS = 40, ODD = 22, DOC_SIZE = 4000 /* more than is read in one go */ };

/* What a Constant holds, as few write it; `broken` says what is noted of it, or why it is refused; NULL: it
 * is whole. */
static const struct packed_kind {
    const char *what, *broken;
    bool tensor;    /* a field of the tensor in the attribute, or of the attribute */
    uint32_t field; /* which */
    const char *data;
    size_t size;
    bool external;
} packed_kinds[] = {
    {"dims", NULL, true, 1, BYTES("\2\xac\2")},
    {"int64_data", NULL, true, 7, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\4")},
    {"int32_data", NULL, true, 5, BYTES("\2\4")},
    {"uint64_data", NULL, true, 11, BYTES("\xac\2")},
    {"float_data", NULL, true, 4, BYTES("\0\0\0\0\0\0\0\0")},
    {"double_data", NULL, true, 10, BYTES("\0\0\0\0\0\0\0\0")},
    {"ints", NULL, false, 8, BYTES("\2\xac\2")},
    {"floats", NULL, false, 7, BYTES("\0\0\0\0")},
    {"no int64_data", NULL, true, 7, BYTES("")},
    {"no floats", NULL, false, 7, BYTES("")},
    {"int64_data beside external data", NULL, true, 7, BYTES("\2"), .external = true},
    {"dims, cut", "TensorProto.dims has a value that does not end", true, 1, BYTES("\2\xac")},
    {"int64_data, cut", "TensorProto.int64_data has a value that does not end", true, 7, BYTES("\x80")},
    {"int32_data, too long", "TensorProto.int32_data has a value that does not end", true, 5,
     BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1")},
    {"uint64_data, cut", "TensorProto.uint64_data has a value that does not end", true, 11, BYTES("\1\x80")},
    {"float_data, cut", "TensorProto.float_data ends in the middle of a value", true, 4, BYTES("\0\0\0\0\0")},
    {"double_data, cut", "TensorProto.double_data ends in the middle of a value", true, 10, BYTES("\0\0\0\0")},
    {"ints, cut", "AttributeProto.ints has a value that does not end", false, 8, BYTES("\2\xff")},
    {"floats, cut", "AttributeProto.floats ends in the middle of a value", false, 7, BYTES("\0\0\0")},
    {"one number, which is no list", "AttributeProto.i (field 3) is written as a length and bytes instead of a varint",
     false, 3, BYTES("\2")},
    {"a type, which is no list", "TensorProto.data_type (field 2) is written as a length and bytes instead of a varint",
     true, 2, BYTES("\2")},
};

/* A Constant; index: which one. slow: it is too long for a row. */
static void constant_put(struct buffer *graph, const struct packed_kind *kind, int index, bool slow)
{
    static const char doc[DOC_SIZE];
    struct buffer node = {0}, attribute = {0}, tensor = {0};
    char name[16];
    snprintf(name, sizeof name, "c%d", index);
    wire_add_bytes(kind->tensor ? &tensor : &attribute, kind->field, kind->data, kind->size);
    if (kind->external)
        wire_add_int(&tensor, 14, 1);
    wire_add_bytes(&attribute, 1, "value", 5);
    if (kind->tensor)
        wire_add_bytes(&attribute, 5, tensor.data, tensor.size);
    wire_add_bytes(&node, 2, name, strlen(name));
    wire_add_bytes(&node, 4, "Constant", 8);
    wire_add_bytes(&node, 5, attribute.data, attribute.size);
    if (slow)
        wire_add_bytes(&node, 6, doc, sizeof doc);
    wire_add_bytes(graph, 1, node.data, node.size);
    buffer_free(&node);
    buffer_free(&attribute);
    buffer_free(&tensor);
}

static void check_constants(const struct packed_kind *kind, bool slow)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    struct buffer graph = {0};
    const char *how = slow ? "field by field" : "in rows";
    int right = 0, same = 0;
    for (int i = 0; i < CONSTANTS; i++)
        constant_put(&graph, i == ODD ? kind : &packed_kinds[0], i, slow);
    if (tensors_open(&graph, &model, &error)) {
        ok(kind->broken && strstr(error.text, kind->broken), "%s %s: refused: %s", kind->what, how, error.text);
        return;
    }
    const struct node *nodes = model->main->nodes;
    is_int(CONSTANTS, model->main->node_count, "%s %s: all are there", kind->what, how);
    for (int i = 0; i < CONSTANTS && model->main->node_count == CONSTANTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        right += nodes[i].output_count == 1 &&
                 strcmp(names_text(model->names, node_outputs(&nodes[i])[0]), name) == 0 &&
                 (i == 0 || range_record(nodes[i].range) == range_end(nodes[i - 1].range));
        same +=
            i == ODD || (range_type(nodes[i].range) != 0 && range_type(nodes[i].range) == range_type(nodes[0].range));
    }
    is_int(CONSTANTS, right, "%s %s: each is what it should be", kind->what, how);
    if (kind->broken)
        ok(model->broken && strstr(model->broken->text, kind->broken), "%s %s: %s", kind->what, how,
           model->broken ? model->broken->text : "whole");
    else
        ok(model->broken == NULL, "%s %s: whole", kind->what, how);
    ok(model->has_external == kind->external, "%s %s: external or not", kind->what, how);
    if (!slow && !kind->broken && !kind->external)
        is_int(CONSTANTS, same, "%s %s: the others have a number, which is the same", kind->what, how);
    if (!slow && !kind->broken && !kind->external)
        ok(range_type(nodes[ODD].range) != 0, "%s %s: and so has this one", kind->what, how);
    opshift_model_free(model);
}

/* One among others: the same in a row and field by field. */
static void test_packed_attributes(void)
{
    for (size_t i = 0; i < COUNT(packed_kinds); i++) {
        check_constants(&packed_kinds[i], false);
        check_constants(&packed_kinds[i], true);
    }
}

/* The names of dims are known when the types were read: nobody looks for them any more. */
static void test_types_at_rest(const char *bytes, size_t size)
{
    struct opshift_model *model = NULL;
    struct opshift_error error = {0};
    if (!is_int(OPSHIFT_OK, opshift_model_open_memory(bytes, size, NULL, &model, &error), "opened"))
        return;
    const struct graph *graph = model->main;
    uint64_t full = names_memory(model->names), shared = 0, named = 0;
    model_types_read(model);
    names_rest(model->names);
    uint64_t rested = names_memory(model->names);
    ok(rested < full, "the table of names rests");
    for (uint32_t i = 0; i < graph->value_count; i++) {
        const struct value_type *type = value_info_shared(model, &graph->values[i]);
        shared += type != NULL;
        named += type && type->rank == 2 && strcmp(names_text(model->names, type->params[0]), "N") == 0;
    }
    is_int(graph->value_count, (int64_t)shared, "all types are shared");
    is_int(NODES / 7, (int64_t)named, "the dims that have a name say it");
    is_int((int64_t)rested, (int64_t)names_memory(model->names), "and the table rests still");
    opshift_model_free(model);
}

/* So are the names of attributes that many nodes have, however long these are. */
static void test_attributes_at_rest(void)
{
    static const struct packed_kind kind = {.tensor = true, .field = 9, .data = "0123456789abcdef01234567", .size = 24};
    struct opshift_model *model = NULL;
    struct opshift_error error = {0};
    struct buffer graph = {0};
    struct attribute_range *attribute = NULL;
    size_t count = 0;
    for (int i = 0; i < NODES; i++)
        constant_put(&graph, &kind, i, false);
    if (!is_int(OPSHIFT_OK, tensors_open(&graph, &model, &error), "opened"))
        return;
    uint64_t full = names_memory(model->names);
    names_rest(model->names);
    uint64_t rested = names_memory(model->names);
    ok(rested < full, "the table of names rests");
    is_int(OPSHIFT_OK, node_attributes(model, &model->main->nodes[0], model->arena, &attribute, &count, &error),
           "attributes are read");
    ok(count == 1 && range_size(attribute->range) > 30, "there is one, and it is long");
    is_string("value", names_text(model->names, attribute->name), "its name");
    is_int((int64_t)rested, (int64_t)names_memory(model->names), "the table rests still");
    opshift_model_free(model);
}

int main(void)
{
    size_t size = 0;
    char *bytes = model_make(&size);
    if (!ok(bytes != NULL, "a model with rows"))
        return done();
    test_memory(bytes, size);
    test_file(bytes, size);
    test_limit(bytes, size);
    test_types_at_rest(bytes, size);
    opshift_text_free(bytes);
    test_tensors();
    test_values_twice();
    test_shared_values();
    test_broken_tensors();
    test_packed_attributes();
    test_attributes_at_rest();
    return done();
}
