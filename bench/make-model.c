/* Writes a large model of one shape to standard output: what the measurements of bench/run.sh convert. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

/* Field numbers of onnx.proto. */
enum { MODEL_IR_VERSION = 1, MODEL_GRAPH = 7, MODEL_OPSET_IMPORT = 8, MODEL_FUNCTIONS = 25 };
enum { OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum {
    GRAPH_NODE = 1,
    GRAPH_NAME = 2,
    GRAPH_INITIALIZER = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    GRAPH_VALUE = 13,
    GRAPH_SPARSE_INITIALIZER = 15
};
enum { SPARSE_VALUES = 1, SPARSE_INDICES = 2, SPARSE_DIMS = 3 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OP_TYPE = 4, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7 };
enum {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_I = 3,
    ATTRIBUTE_T = 5,
    ATTRIBUTE_G = 6,
    ATTRIBUTE_INTS = 8,
    ATTRIBUTE_TYPE = 20,
    ATTRIBUTE_REFERENCE = 21
};
enum { TYPE_INT = 2, TYPE_TENSOR = 4, TYPE_GRAPH = 5, TYPE_INTS = 7 };
enum {
    TENSOR_DIMS = 1,
    TENSOR_DATA_TYPE = 2,
    TENSOR_FLOAT_DATA = 4,
    TENSOR_NAME = 8,
    TENSOR_RAW_DATA = 9,
    TENSOR_EXTERNAL_DATA = 13,
    TENSOR_DATA_LOCATION = 14
};
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2, LOCATION_EXTERNAL = 1 };
enum {
    FUNCTION_NAME = 1,
    FUNCTION_INPUT = 4,
    FUNCTION_OUTPUT = 5,
    FUNCTION_ATTRIBUTE = 6,
    FUNCTION_NODE = 7,
    FUNCTION_IMPORT = 9,
    FUNCTION_DOMAIN = 10
};
enum { FLOAT = 1, INT64 = 7, BOOL = 9 };

#define DIM        6 /* of the axis that each Split cuts */
#define FIRST      2 /* of it, what the first output of each Split gets */
#define BLOCK      (1u << 20)
#define EACH_FIFTH 5 /* in a chain, so often stands a Split */

static uint64_t opset;
static bool shared; /* one initializer of lengths for all Splits, from opset 13 on */
static uint64_t lengths_made;

static void add_text(struct buffer *to, uint32_t number, const char *text)
{
    wire_add_bytes(to, number, text, strlen(text));
}

/* A name that ends in a number. */
static void add_name(struct buffer *to, uint32_t number, const char *stem, uint64_t index)
{
    char name[64];
    snprintf(name, sizeof(name), "%s%" PRIu64, stem, index);
    add_text(to, number, name);
}

/* Moves a message into a record of the one around it. */
static void add_message(struct buffer *to, uint32_t number, struct buffer *message)
{
    wire_add_bytes(to, number, message->data, message->size);
    to->failed |= message->failed;
    buffer_free(message);
    *message = (struct buffer){0};
}

static void add_integer(struct buffer *node, const char *name, uint64_t value)
{
    struct buffer attribute = {0};
    add_text(&attribute, ATTRIBUTE_NAME, name);
    wire_add_int(&attribute, ATTRIBUTE_I, value);
    wire_add_int(&attribute, ATTRIBUTE_TYPE, TYPE_INT);
    add_message(node, NODE_ATTRIBUTE, &attribute);
}

/* A value: of one dim, or a scalar for dim 0. */
static void add_value(struct buffer *to, uint32_t number, const char *name, uint64_t type, uint64_t dim_value)
{
    struct buffer value = {0}, wrapped = {0}, tensor = {0}, shape = {0}, dim = {0};
    wire_add_int(&dim, 1, dim_value);
    if (dim_value)
        add_message(&shape, 1, &dim);
    wire_add_int(&tensor, 1, type);
    add_message(&tensor, 2, &shape);
    add_message(&wrapped, 1, &tensor);
    add_text(&value, 1, name);
    add_message(&value, 2, &wrapped);
    buffer_free(&dim);
    add_message(to, number, &value);
}

/* The lengths of a Split as a tensor: the initializer of this name, or with NULL what a Constant holds. */
static void add_tensor(struct buffer *to, uint32_t number, const int64_t lengths[2], const char *name)
{
    struct buffer tensor = {0};
    wire_add_int(&tensor, TENSOR_DIMS, 2);
    wire_add_int(&tensor, TENSOR_DATA_TYPE, INT64);
    if (name)
        add_text(&tensor, TENSOR_NAME, name);
    wire_add_bytes(&tensor, TENSOR_RAW_DATA, lengths, 2 * sizeof(*lengths));
    add_message(to, number, &tensor);
}

static void add_lengths(struct buffer *graph, uint64_t index)
{
    static const int64_t lengths[] = {FIRST, DIM - FIRST};
    char name[32];
    snprintf(name, sizeof(name), "lengths%" PRIu64, index);
    add_tensor(graph, GRAPH_INITIALIZER, lengths, name);
}

/* The lengths of a Split below opset 13. */
static void add_split_attribute(struct buffer *node, uint64_t first, uint64_t second)
{
    struct buffer attribute = {0};
    add_text(&attribute, ATTRIBUTE_NAME, "split");
    wire_add_int(&attribute, ATTRIBUTE_INTS, first);
    wire_add_int(&attribute, ATTRIBUTE_INTS, second);
    wire_add_int(&attribute, ATTRIBUTE_TYPE, TYPE_INTS);
    add_message(node, NODE_ATTRIBUTE, &attribute);
}

/* A Split in two; its lengths are an attribute below opset 13, and initializers of `graph` from there on. */
static void add_split(struct buffer *to, uint32_t number, struct buffer *graph, const char *input, const char *output)
{
    struct buffer node = {0};
    char rest[80];
    snprintf(rest, sizeof(rest), "%s_rest", output);
    add_text(&node, NODE_INPUT, input);
    if (opset >= 13) {
        if (lengths_made == 0 || !shared)
            add_lengths(graph, lengths_made++);
        add_name(&node, NODE_INPUT, "lengths", lengths_made - 1);
    }
    add_text(&node, NODE_OUTPUT, output);
    add_text(&node, NODE_OUTPUT, rest);
    add_text(&node, NODE_OP_TYPE, "Split");
    if (opset < 13)
        add_split_attribute(&node, FIRST, DIM - FIRST);
    add_message(to, number, &node);
}

static void add_relu(struct buffer *to, uint32_t number, const char *input, const char *output)
{
    struct buffer node = {0};
    add_text(&node, NODE_INPUT, input);
    add_text(&node, NODE_OUTPUT, output);
    add_text(&node, NODE_OP_TYPE, "Relu");
    add_message(to, number, &node);
}

/* Relu nodes on x, every fifth one a Split instead; each value has its type, as exporters write it. */
static void make_chain(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    struct buffer nodes = {0};
    for (uint64_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof(name), "value%" PRIu64, i);
        if (i % EACH_FIFTH == 0)
            add_split(&nodes, GRAPH_NODE, graph, "x", name);
        else
            add_relu(&nodes, GRAPH_NODE, "x", name);
        add_value(graph, GRAPH_VALUE, name, FLOAT, i % EACH_FIFTH == 0 ? FIRST : DIM);
    }
    buffer_add(graph, nodes.data, nodes.size);
    graph->failed |= nodes.failed;
    buffer_free(&nodes);
}

static void add_concat(struct buffer *to, uint32_t number, const char *input, const char *rest, const char *output)
{
    struct buffer node = {0};
    add_text(&node, NODE_INPUT, input);
    add_text(&node, NODE_INPUT, rest);
    add_text(&node, NODE_OUTPUT, output);
    add_text(&node, NODE_OP_TYPE, "Concat");
    add_integer(&node, "axis", 0);
    add_message(to, number, &node);
}

/* Nodes that follow from one another, in groups of five: Relus, a Split, and a Concat of its parts. Only the graph's
 * input and output have types. */
static void make_deep(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    char last[64] = "x", next[64], rest[80];
    for (uint64_t i = 0; i < count; i++) {
        snprintf(next, sizeof(next), "layer%" PRIu64 "_output", i);
        snprintf(rest, sizeof(rest), "%s_rest", last);
        if (i % EACH_FIFTH == EACH_FIFTH - 1)
            add_concat(graph, GRAPH_NODE, last, rest, next);
        else if (i % EACH_FIFTH == EACH_FIFTH - 2)
            add_split(graph, GRAPH_NODE, graph, last, next);
        else
            add_relu(graph, GRAPH_NODE, last, next);
        memcpy(last, next, sizeof(last));
    }
    add_value(graph, GRAPH_OUTPUT, last, FLOAT, count % EACH_FIFTH == EACH_FIFTH - 1 ? FIRST : DIM);
}

#define NAME_MAX_SIZE 96

/* A node's name and operator, and what it gives, which is named after both: in *output. */
static void add_named(struct buffer *node, uint64_t layer, const char *op_type, char output[NAME_MAX_SIZE])
{
    char name[NAME_MAX_SIZE - 16];
    snprintf(name, sizeof(name), "/model/layers.%" PRIu64 "/%s", layer, op_type);
    snprintf(output, NAME_MAX_SIZE, "%s_output_0", name);
    add_text(node, NODE_OUTPUT, output);
    add_text(node, NODE_NAME, name);
    add_text(node, NODE_OP_TYPE, op_type);
}

static void add_layer_node(struct buffer *graph, uint64_t layer, const char *op_type, const char *first,
                           const char *second, char output[NAME_MAX_SIZE])
{
    struct buffer node = {0};
    add_text(&node, NODE_INPUT, first);
    if (second)
        add_text(&node, NODE_INPUT, second);
    add_named(&node, layer, op_type, output);
    if (strcmp(op_type, "Concat") == 0)
        add_integer(&node, "axis", 0);
    add_message(graph, GRAPH_NODE, &node);
}

static void add_layer_constant(struct buffer *graph, uint64_t layer, const int64_t lengths[2],
                               char output[NAME_MAX_SIZE])
{
    struct buffer node = {0}, attribute = {0};
    add_named(&node, layer, "Constant", output);
    add_text(&attribute, ATTRIBUTE_NAME, "value");
    add_tensor(&attribute, ATTRIBUTE_T, lengths, NULL);
    wire_add_int(&attribute, ATTRIBUTE_TYPE, TYPE_TENSOR);
    add_message(&node, NODE_ATTRIBUTE, &attribute);
    add_message(graph, GRAPH_NODE, &node);
}

/* The Split of a layer; its lengths are of five kinds in turn. */
static void add_layer_split(struct buffer *graph, uint64_t layer, bool constants, const char *input,
                            char outputs[2][NAME_MAX_SIZE])
{
    struct buffer node = {0};
    const int64_t first = (int64_t)(layer % (DIM - 1)) + 1, lengths[2] = {first, DIM - first};
    char name[NAME_MAX_SIZE];
    snprintf(name, sizeof(name), "/model/layers.%" PRIu64 "/split_lengths", layer);
    if (opset >= 13 && constants)
        add_layer_constant(graph, layer, lengths, name);
    else if (opset >= 13)
        add_tensor(graph, GRAPH_INITIALIZER, lengths, name);
    add_text(&node, NODE_INPUT, input);
    if (opset >= 13)
        add_text(&node, NODE_INPUT, name);
    snprintf(outputs[1], NAME_MAX_SIZE, "/model/layers.%" PRIu64 "/Split_output_1", layer);
    add_named(&node, layer, "Split", outputs[0]);
    add_text(&node, NODE_OUTPUT, outputs[1]);
    add_integer(&node, "axis", 0);
    if (opset < 13)
        add_split_attribute(&node, (uint64_t)lengths[0], (uint64_t)lengths[1]);
    add_message(graph, GRAPH_NODE, &node);
}

/* Layers of a Split and four other nodes, each with a name. Only the graph's input and output have types. */
static void add_layers(struct buffer *graph, uint64_t count, bool constants)
{
    char last[NAME_MAX_SIZE] = "x", parts[2][NAME_MAX_SIZE], first[NAME_MAX_SIZE], second[NAME_MAX_SIZE];
    for (uint64_t layer = 0; layer < count / EACH_FIFTH; layer++) {
        add_layer_split(graph, layer, constants, last, parts);
        add_layer_node(graph, layer, "Relu", parts[0], NULL, first);
        add_layer_node(graph, layer, "Sigmoid", parts[1], NULL, second);
        add_layer_node(graph, layer, "Concat", first, second, parts[0]);
        add_layer_node(graph, layer, "Add", parts[0], last, first);
        memcpy(last, first, sizeof(last));
    }
    add_value(graph, GRAPH_OUTPUT, last, FLOAT, DIM);
}

static void make_layers(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    add_layers(graph, count, false);
}

static void make_constants(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    add_layers(graph, count, true);
}

/* One Split with count outputs of equal length. */
static void make_outputs(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    struct buffer node = {0};
    add_text(&node, NODE_INPUT, "x");
    for (uint64_t i = 0; i < count; i++)
        add_name(&node, NODE_OUTPUT, "part", i);
    add_text(&node, NODE_OP_TYPE, "Split");
    if (opset >= 18)
        add_integer(&node, "num_outputs", count);
    add_message(graph, GRAPH_NODE, &node);
}

/* A graph attribute of node, whose only output is `output`. */
static void add_branch(struct buffer *node, const char *name, struct buffer *branch, const char *output, uint64_t dim)
{
    struct buffer attribute = {0};
    add_text(branch, GRAPH_NAME, name);
    add_value(branch, GRAPH_OUTPUT, output, FLOAT, dim);
    add_text(&attribute, ATTRIBUTE_NAME, name);
    add_message(&attribute, ATTRIBUTE_G, branch);
    wire_add_int(&attribute, ATTRIBUTE_TYPE, TYPE_GRAPH);
    add_message(node, NODE_ATTRIBUTE, &attribute);
}

/* If nodes, each with a Split in its then_branch. */
static void make_branches(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        struct buffer node = {0}, branch = {0};
        char first[32], second[32];
        snprintf(first, sizeof(first), "then%" PRIu64, i);
        snprintf(second, sizeof(second), "else%" PRIu64, i);
        add_text(&node, NODE_INPUT, "condition");
        add_name(&node, NODE_OUTPUT, "chosen", i);
        add_text(&node, NODE_OP_TYPE, "If");
        add_split(&branch, GRAPH_NODE, shared ? graph : &branch, "x", first);
        add_branch(&node, "then_branch", &branch, first, FIRST);
        add_relu(&branch, GRAPH_NODE, "x", second);
        add_branch(&node, "else_branch", &branch, second, DIM);
        add_message(graph, GRAPH_NODE, &node);
    }
}

/* If nodes within If nodes, with a Split at each depth. */
static void make_nest(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    struct buffer inner = {0};
    for (uint64_t i = count; i-- > 0;) {
        struct buffer node = {0}, branch = {0}, level = {0};
        char split[32], chosen[32], other[32], below[32];
        snprintf(split, sizeof(split), "split%" PRIu64, i);
        snprintf(chosen, sizeof(chosen), "chosen%" PRIu64, i);
        snprintf(other, sizeof(other), "else%" PRIu64, i);
        snprintf(below, sizeof(below), "chosen%" PRIu64, i + 1);
        if (inner.size == 0)
            add_relu(&inner, GRAPH_NODE, "x", below);
        add_text(&node, NODE_INPUT, "condition");
        add_text(&node, NODE_OUTPUT, chosen);
        add_text(&node, NODE_OP_TYPE, "If");
        add_branch(&node, "then_branch", &inner, below, DIM);
        add_relu(&branch, GRAPH_NODE, "x", other);
        add_branch(&node, "else_branch", &branch, other, DIM);
        add_split(&level, GRAPH_NODE, shared ? graph : &level, "x", split);
        add_message(&level, GRAPH_NODE, &node);
        inner = level;
    }
    buffer_add(graph, inner.data, inner.size);
    graph->failed |= inner.failed;
    buffer_free(&inner);
}

/* A function of one Split, and count calls of it. */
static void make_calls(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    struct buffer body = {0}, node = {0}, import = {0};
    for (uint64_t i = 0; i < count; i++) {
        add_text(&node, NODE_INPUT, "x");
        add_name(&node, NODE_OUTPUT, "called", i);
        add_text(&node, NODE_OP_TYPE, "Halve");
        add_text(&node, NODE_DOMAIN, "local");
        add_message(graph, GRAPH_NODE, &node);
    }
    add_text(&node, NODE_INPUT, "in");
    add_text(&node, NODE_OUTPUT, "out");
    add_text(&node, NODE_OUTPUT, "out_rest");
    add_text(&node, NODE_OP_TYPE, "Split");
    if (opset >= 18)
        add_integer(&node, "num_outputs", 2);
    add_text(&body, FUNCTION_NAME, "Halve");
    add_text(&body, FUNCTION_INPUT, "in");
    add_text(&body, FUNCTION_OUTPUT, "out");
    add_message(&body, FUNCTION_NODE, &node);
    wire_add_int(&import, OPSET_VERSION, opset);
    add_message(&body, FUNCTION_IMPORT, &import);
    add_text(&body, FUNCTION_DOMAIN, "local");
    add_message(functions, MODEL_FUNCTIONS, &body);
}

/* One Split; the weights follow when the graph is written. */
static void make_weights(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    add_split(graph, GRAPH_NODE, graph, "x", "part");
}

/* The same with its weights in another file, which whoever asks for it makes. */
static void make_external(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    struct buffer tensor = {0}, entry = {0};
    make_weights(graph, functions, count);
    wire_add_int(&tensor, TENSOR_DIMS, count / sizeof(float));
    wire_add_int(&tensor, TENSOR_DATA_TYPE, FLOAT);
    add_text(&tensor, TENSOR_NAME, "weights");
    add_text(&entry, ENTRY_KEY, "location");
    add_text(&entry, ENTRY_VALUE, "weights.bin");
    add_message(&tensor, TENSOR_EXTERNAL_DATA, &entry);
    wire_add_int(&tensor, TENSOR_DATA_LOCATION, LOCATION_EXTERNAL);
    add_message(graph, GRAPH_INITIALIZER, &tensor);
}

static void make_floats(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    make_weights(graph, functions, count);
}

/* A Split at a place of its own, so that no two share their lengths. */
static void add_cut(struct buffer *graph, uint64_t at, uint64_t dim)
{
    struct buffer node = {0};
    add_text(&node, NODE_INPUT, "x");
    add_name(&node, NODE_OUTPUT, "before", at);
    add_name(&node, NODE_OUTPUT, "behind", at);
    add_text(&node, NODE_OP_TYPE, "Split");
    add_split_attribute(&node, at, dim - at);
    add_message(graph, GRAPH_NODE, &node);
}

/* An initializer of one element, at index 0. */
static void add_sparse(struct buffer *graph, uint64_t index)
{
    static const int64_t zero = 0;
    struct buffer sparse = {0}, values = {0}, indices = {0};
    wire_add_int(&values, TENSOR_DIMS, 1);
    wire_add_int(&values, TENSOR_DATA_TYPE, INT64);
    add_name(&values, TENSOR_NAME, "sparse", index);
    wire_add_bytes(&values, TENSOR_RAW_DATA, &zero, sizeof(zero));
    add_message(&sparse, SPARSE_VALUES, &values);
    wire_add_int(&indices, TENSOR_DIMS, 1);
    wire_add_int(&indices, TENSOR_DATA_TYPE, INT64);
    wire_add_bytes(&indices, TENSOR_RAW_DATA, &zero, sizeof(zero));
    add_message(&sparse, SPARSE_INDICES, &indices);
    wire_add_int(&sparse, SPARSE_DIMS, 2);
    add_message(graph, GRAPH_SPARSE_INITIALIZER, &sparse);
}

/* As many lists of lengths as Splits, behind as many sparse initializers. */
static void make_cuts(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        add_cut(graph, i, count);
        add_sparse(graph, i);
    }
}

/* A function of count attributes, one for the axis of each of its Splits, and one call. */
static void make_parameters(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    struct buffer body = {0}, call = {0}, import = {0};
    add_text(&call, NODE_INPUT, "x");
    add_text(&call, NODE_OUTPUT, "called");
    add_text(&call, NODE_OP_TYPE, "Cuts");
    add_text(&call, NODE_DOMAIN, "local");
    add_text(&body, FUNCTION_NAME, "Cuts");
    add_text(&body, FUNCTION_INPUT, "in");
    add_text(&body, FUNCTION_OUTPUT, "out0");
    for (uint64_t i = 0; i < count; i++) {
        struct buffer node = {0}, attribute = {0};
        char name[32];
        snprintf(name, sizeof(name), "axis%" PRIu64, i);
        add_integer(&call, name, (uint64_t)-1);
        add_text(&body, FUNCTION_ATTRIBUTE, name);
        add_text(&node, NODE_INPUT, "in");
        add_name(&node, NODE_OUTPUT, "out", i);
        add_name(&node, NODE_OUTPUT, "rest", i);
        add_text(&node, NODE_OP_TYPE, "Split");
        add_text(&attribute, ATTRIBUTE_NAME, "axis");
        wire_add_int(&attribute, ATTRIBUTE_TYPE, TYPE_INT);
        add_text(&attribute, ATTRIBUTE_REFERENCE, name);
        add_message(&node, NODE_ATTRIBUTE, &attribute);
        add_message(&body, FUNCTION_NODE, &node);
    }
    wire_add_int(&import, OPSET_VERSION, opset);
    add_message(&body, FUNCTION_IMPORT, &import);
    add_text(&body, FUNCTION_DOMAIN, "local");
    add_message(functions, MODEL_FUNCTIONS, &body);
    add_message(graph, GRAPH_NODE, &call);
}

/* A TopK with count attributes that no schema has, which are kept. */
static void make_attributes(struct buffer *graph, struct buffer *functions, uint64_t count)
{
    struct buffer node = {0};
    add_text(&node, NODE_INPUT, "x");
    add_text(&node, NODE_OUTPUT, "values");
    add_text(&node, NODE_OUTPUT, "indices");
    add_text(&node, NODE_OP_TYPE, "TopK");
    for (uint64_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof(name), "setting%" PRIu64, i);
        add_integer(&node, name, i);
    }
    add_integer(&node, "k", 2);
    add_message(graph, GRAPH_NODE, &node);
}

static const struct {
    const char *name, *what;
    void (*make)(struct buffer *graph, struct buffer *functions, uint64_t count);
} shapes[] = {
    {"weights", "one Split beside an initializer of COUNT bytes", make_weights},
    {"floats", "the same bytes as float_data", make_floats},
    {"external", "the same bytes in a file weights.bin, which is to lie beside the model", make_external},
    {"chain", "COUNT nodes, of which each fifth is a Split", make_chain},
    {"deep", "COUNT nodes that follow from one another, each fifth a Split, without types", make_deep},
    {"layers", "COUNT nodes with names as exporters give them, each fifth a Split, lengths of five kinds", make_layers},
    {"constants", "the same with lengths from Constant nodes (from opset 13 on)", make_constants},
    {"outputs", "one Split with COUNT outputs", make_outputs},
    {"branches", "COUNT If nodes with a Split in a branch", make_branches},
    {"nest", "If nodes within If nodes, COUNT deep", make_nest},
    {"calls", "COUNT calls of a function with a Split", make_calls},
    {"cuts", "COUNT Splits of different lengths and COUNT sparse initializers (opset 2 to 12)", make_cuts},
    {"parameters", "a function of COUNT Splits, each with an attribute of the function as its axis", make_parameters},
    {"attributes", "a TopK with COUNT attributes that it does not know (opset 9)", make_attributes},
};

/* The record of the weights but for their bytes, which are never in memory at once. */
static void add_weights_head(struct buffer *graph, uint32_t field, uint64_t count)
{
    struct buffer tensor = {0};
    wire_add_int(&tensor, TENSOR_DIMS, count / sizeof(float));
    wire_add_int(&tensor, TENSOR_DATA_TYPE, FLOAT);
    add_text(&tensor, TENSOR_NAME, "weights");
    wire_add_tag(&tensor, field, WIRE_BYTES);
    wire_add_varint(&tensor, count);
    wire_add_tag(graph, GRAPH_INITIALIZER, WIRE_BYTES);
    wire_add_varint(graph, tensor.size + count);
    buffer_add(graph, tensor.data, tensor.size);
    graph->failed |= tensor.failed;
    buffer_free(&tensor);
}

/* Bytes that no file system can leave out or make smaller (xorshift). */
static void write_weights(uint64_t count)
{
    static uint64_t block[BLOCK / sizeof(uint64_t)];
    uint64_t state = UINT64_C(88172645463325252);
    for (uint64_t done = 0; done < count; done += BLOCK) {
        for (size_t i = 0; i < BLOCK / sizeof(uint64_t); i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            block[i] = state;
        }
        fwrite(block, 1, count - done < BLOCK ? (size_t)(count - done) : BLOCK, stdout);
    }
}

static int write_model(struct buffer *graph, struct buffer *functions, uint64_t weights)
{
    struct buffer head = {0}, import = {0};
    wire_add_int(&head, MODEL_IR_VERSION, functions->size ? 8 : 7);
    wire_add_int(&import, OPSET_VERSION, opset);
    add_message(&head, MODEL_OPSET_IMPORT, &import);
    if (functions->size) {
        add_text(&import, OPSET_DOMAIN, "local");
        wire_add_int(&import, OPSET_VERSION, 1);
        add_message(&head, MODEL_OPSET_IMPORT, &import);
        buffer_add(&head, functions->data, functions->size);
    }
    wire_add_tag(&head, MODEL_GRAPH, WIRE_BYTES);
    wire_add_varint(&head, graph->size + weights);
    bool failed = head.failed || graph->failed || functions->failed;
    if (!failed) {
        fwrite(head.data, 1, head.size, stdout);
        fwrite(graph->data, 1, graph->size, stdout);
        write_weights(weights);
        failed = fflush(stdout) != 0 || ferror(stdout);
    }
    buffer_free(&head);
    return failed;
}

static int usage(void)
{
    fprintf(stderr, "usage: make-model SHAPE COUNT OPSET [shared] > MODEL\n");
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
        fprintf(stderr, "  %-10s %s\n", shapes[i].name, shapes[i].what);
    return 2;
}

int main(int argc, char **argv)
{
    struct buffer graph = {0}, functions = {0};
    size_t shape = 0;
    if (argc < 4 || argc > 5 || (argc == 5 && strcmp(argv[4], "shared") != 0))
        return usage();
    while (shape < sizeof(shapes) / sizeof(*shapes) && strcmp(shapes[shape].name, argv[1]) != 0)
        shape++;
    if (shape == sizeof(shapes) / sizeof(*shapes))
        return usage();
    uint64_t count = strtoull(argv[2], NULL, 10), weights = 0;
    opset = strtoull(argv[3], NULL, 10);
    shared = argc == 5;
    add_text(&graph, GRAPH_NAME, shapes[shape].name);
    bool wide = shapes[shape].make == make_outputs || shapes[shape].make == make_cuts;
    add_value(&graph, GRAPH_INPUT, "x", FLOAT, wide ? count : DIM);
    add_value(&graph, GRAPH_INPUT, "condition", BOOL, 0);
    shapes[shape].make(&graph, &functions, count);
    if (shapes[shape].make == make_weights || shapes[shape].make == make_floats) {
        weights = count;
        add_weights_head(&graph, shapes[shape].make == make_floats ? TENSOR_FLOAT_DATA : TENSOR_RAW_DATA, weights);
    }
    int failed = write_model(&graph, &functions, weights);
    if (failed)
        fprintf(stderr, "make-model: the model cannot be written; is there room for it?\n");
    buffer_free(&graph);
    buffer_free(&functions);
    return failed;
}
