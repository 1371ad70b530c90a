/* Walking a model by the public interface: graphs, nodes, attributes, initializers, values, functions. */
#include "opshift.h"

#include <string.h>

#include "tests/tap/opened.h"
#include "tests/tap/tap.h"

static const char source[] =
    "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 2]>\n"
    "net (float[N,6] x, bool c) => (float[N,2] a, float[] y)\n"
    "<float[2] w = {1.5, -2}, int64[2] l = {2, 4}, float[M] b> {\n"
    "  [cut] a, b = Split <axis = 1> (x, l)\n"
    "  k = Constant <value = float[2] {3, 4}> ()\n"
    "  m = Cast <to = 7> (w)\n"
    "  r = f.Twice <how = \"up\", scale = 0.5, sizes = [1, 2, 3], rates = [0.25], words = [\"one\", \"\"]> (k)\n"
    "  y = If (c) <then_branch = t () => (float[] p) { p = Neg (r) },\n"
    "              else_branch = e () => (float[] q) { q = Clip (r, \"\", k) }>\n"
    "}\n"
    "<domain: \"f\", opset_import: [\"\" : 13]>\n"
    "Twice <how, scale, sizes, rates, words> (v) => (z) { z = Add <axis: int = @how> (v, v) }\n";

static void test_model(const struct opshift_model *model)
{
    is_int(2, (int64_t)opshift_model_import_count(model), "two opset imports");
    is_string("", opshift_model_import_domain(model, 0), "of ai.onnx");
    is_int(13, opshift_model_import_version(model, 0), "at 13");
    is_string("f", opshift_model_import_domain(model, 1), "and of f");
    ok(opshift_model_import_domain(model, 2) == NULL && opshift_model_import_version(model, 2) == 0, "and no more");
    is_int(1, (int64_t)opshift_model_function_count(model), "a function");
    is_string("Twice", opshift_model_function_name(model, 0), "its name");
    is_string("f", opshift_model_function_domain(model, 0), "its domain");
    ok(opshift_model_function_name(model, 1) == NULL && opshift_model_function_domain(model, 1) == NULL &&
           opshift_model_function_body(model, 1) == NULL,
       "and no more");
}

static void is_type(struct opshift_model *model, enum opshift_value_list list, size_t index, const char *wanted)
{
    struct opshift_error error = {0};
    char *text = NULL;
    opshift_graph_value_type(model, opshift_model_graph(model), list, index, &text, &error);
    is_string(wanted, text, "the type of value %zu of list %d %s", index, (int)list, error.text);
    opshift_text_free(text);
}

static void test_values(struct opshift_model *model)
{
    const struct opshift_graph *graph = opshift_model_graph(model);
    struct opshift_error error = {0};
    char *text = NULL;
    is_string("net", opshift_graph_name(model, graph), "the graph's name");
    is_int(2, (int64_t)opshift_graph_value_count(graph, OPSHIFT_LIST_INPUTS), "two inputs");
    is_int(2, (int64_t)opshift_graph_value_count(graph, OPSHIFT_LIST_OUTPUTS), "two outputs");
    is_int(1, (int64_t)opshift_graph_value_count(graph, OPSHIFT_LIST_VALUE_INFOS), "a value info");
    is_string("c", opshift_graph_value_name(model, graph, OPSHIFT_LIST_INPUTS, 1), "an input's name");
    is_string("a", opshift_graph_value_name(model, graph, OPSHIFT_LIST_OUTPUTS, 0), "an output's name");
    is_string("b", opshift_graph_value_name(model, graph, OPSHIFT_LIST_VALUE_INFOS, 0), "a value info's name");
    ok(opshift_graph_value_name(model, graph, OPSHIFT_LIST_INPUTS, 2) == NULL, "no input beyond the last");
    is_type(model, OPSHIFT_LIST_INPUTS, 0, "float[N, 6]");
    is_type(model, OPSHIFT_LIST_INPUTS, 1, "bool");
    is_type(model, OPSHIFT_LIST_OUTPUTS, 1, "float[]");
    is_int(OPSHIFT_USAGE, opshift_graph_value_type(model, graph, OPSHIFT_LIST_INPUTS, 2, &text, &error), "none beyond");
    is_string("there is no value 2 in this list of the graph", error.text, "in words");
}

static void test_initializers(struct opshift_model *model)
{
    const struct opshift_graph *graph = opshift_model_graph(model);
    struct opshift_error error = {0};
    struct opshift_value *value = NULL;
    size_t size = 0;
    is_int(2, (int64_t)opshift_graph_initializer_count(graph), "two initializers");
    is_string("w", opshift_graph_initializer_name(model, graph, 0), "an initializer's name");
    is_int(OPSHIFT_TYPE_FLOAT, opshift_graph_initializer_type(graph, 0), "its type");
    is_int(1, (int64_t)opshift_graph_initializer_rank(graph, 0), "its rank");
    const int64_t *dims = opshift_graph_initializer_dims(graph, 0);
    ok(dims && dims[0] == 2, "its dims");
    ok(!opshift_graph_initializer_is_sparse(graph, 0) && !opshift_graph_initializer_is_external(graph, 0),
       "dense, and in the model");
    is_int(OPSHIFT_OK, opshift_graph_initializer_value(model, graph, 1, &value, &error), "its elements %s", error.text);
    const int64_t *elements = value ? opshift_value_data(value, &size) : NULL;
    ok(elements && size == 16 && elements[0] == 2 && elements[1] == 4, "are those of the file");
    opshift_value_free(value);
    ok(opshift_graph_initializer_name(model, graph, 2) == NULL && opshift_graph_initializer_dims(graph, 2) == NULL,
       "no initializer beyond the last");
    is_int(OPSHIFT_USAGE, opshift_graph_initializer_value(model, graph, 2, &value, &error), "which has no value");
    is_string("there is no initializer 2 in the graph", error.text, "in words");
}

static void test_nodes(struct opshift_model *model)
{
    const struct opshift_graph *graph = opshift_model_graph(model);
    const struct opshift_node *split = opshift_graph_node(graph, 0), *branch = opshift_graph_node(graph, 4);
    is_int(5, (int64_t)opshift_graph_node_count(graph), "five nodes");
    ok(opshift_graph_node(graph, 5) == NULL, "and no more");
    is_string("cut", opshift_node_name(model, split), "a node's name");
    is_string("", opshift_node_name(model, branch), "a node without one");
    is_string("Split", opshift_node_operator(model, split), "its operator");
    is_string("", opshift_node_domain(model, split), "its domain");
    is_string("f", opshift_node_domain(model, opshift_graph_node(graph, 3)), "another domain");
    is_int(2, (int64_t)opshift_node_input_count(split), "inputs");
    is_string("l", opshift_node_input(model, split, 1), "their names");
    is_int(2, (int64_t)opshift_node_output_count(split), "outputs");
    is_string("b", opshift_node_output(model, split, 1), "their names");
    ok(opshift_node_input(model, split, 2) == NULL && opshift_node_output(model, split, 2) == NULL, "none beyond");
    is_int(0, (int64_t)opshift_node_graph_count(split), "no graphs in it");
    is_int(2, (int64_t)opshift_node_graph_count(branch), "two graphs in the If");
    const struct opshift_graph *other = opshift_node_graph(branch, 1);
    is_string("e", opshift_graph_name(model, other), "a branch");
    is_string("", opshift_node_input(model, opshift_graph_node(other, 0), 1), "an input that is absent");
    ok(opshift_node_graph(branch, 2) == NULL, "no graph beyond");
}

static size_t find(const struct opshift_attributes *attributes, const char *name)
{
    size_t index = 0;
    while (index < opshift_attributes_count(attributes) &&
           strcmp(opshift_attributes_name(attributes, index), name) != 0)
        index++;
    return index;
}

static struct opshift_attributes *read_attributes(struct opshift_model *model, const struct opshift_graph *graph,
                                                  size_t index)
{
    struct opshift_error error = {0};
    struct opshift_attributes *attributes = NULL;
    opshift_node_attributes(model, opshift_graph_node(graph, index), &attributes, &error);
    ok(attributes != NULL, "attributes of node %zu %s", index, error.text);
    return attributes;
}

static void test_lists(struct opshift_model *model)
{
    struct opshift_attributes *attributes = read_attributes(model, opshift_model_graph(model), 3);
    size_t count = 0, size = 0;
    is_int(5, (int64_t)opshift_attributes_count(attributes), "five attributes");
    const char *text = opshift_attributes_string(attributes, find(attributes, "how"), 0, &size);
    ok(size == 2 && memcmp(text, "up", 2) == 0, "a string");
    is_double(0.5, opshift_attributes_float(attributes, find(attributes, "scale")), "a float");
    const int64_t *ints = opshift_attributes_ints(attributes, find(attributes, "sizes"), &count);
    ok(count == 3 && ints[2] == 3, "integers");
    const float *floats = opshift_attributes_floats(attributes, find(attributes, "rates"), &count);
    ok(count == 1 && floats[0] == 0.25f, "floats");
    is_int(2, (int64_t)opshift_attributes_string_count(attributes, find(attributes, "words")), "strings");
    opshift_attributes_string(attributes, find(attributes, "words"), 1, &size);
    is_int(0, (int64_t)size, "one of which is empty");
    ok(opshift_attributes_string(attributes, find(attributes, "words"), 2, &size) == NULL, "and no more");
    ok(opshift_attributes_ints(attributes, find(attributes, "how"), &count) == NULL && count == 0, "of another type");
    ok(opshift_attributes_name(attributes, 5) == NULL, "none beyond the last");
    is_int(OPSHIFT_ATTRIBUTE_UNDEFINED, opshift_attributes_type(attributes, 5), "whose type is none");
    opshift_attributes_free(attributes);
}

static void test_attributes(struct opshift_model *model)
{
    const struct opshift_graph *graph = opshift_model_graph(model);
    struct opshift_error error = {0};
    struct opshift_value *value = NULL;
    struct opshift_attributes *attributes = read_attributes(model, graph, 0);
    is_string("axis", opshift_attributes_name(attributes, 0), "an attribute's name");
    is_int(OPSHIFT_ATTRIBUTE_INT, opshift_attributes_type(attributes, 0), "its type");
    is_int(1, opshift_attributes_int(attributes, 0), "its value");
    is_string("", opshift_attributes_reference(attributes, 0), "which is its own");
    is_int(OPSHIFT_USAGE, opshift_attributes_tensor(attributes, 0, &value, &error), "no tensor");
    is_string("attribute 0 is no tensor", error.text, "in words");
    opshift_attributes_free(attributes);
    attributes = read_attributes(model, graph, 1);
    is_int(OPSHIFT_OK, opshift_attributes_tensor(attributes, 0, &value, &error), "a tensor %s", error.text);
    opshift_attributes_free(attributes);
    size_t size = 0;
    const float *elements = value ? opshift_value_data(value, &size) : NULL;
    ok(elements && size == 8 && elements[0] == 3 && elements[1] == 4, "which outlives the attributes");
    opshift_value_free(value);
    attributes = read_attributes(model, opshift_model_function_body(model, 0), 0);
    is_string("how", opshift_attributes_reference(attributes, 0), "a function's attribute gives the value");
    opshift_attributes_free(attributes);
    opshift_attributes_free(NULL);
}

int main(void)
{
    struct opened net;
    if (!text_open(source, NULL, &net))
        return done();
    test_model(net.model);
    test_values(net.model);
    test_initializers(net.model);
    test_nodes(net.model);
    test_lists(net.model);
    test_attributes(net.model);
    text_close(&net);
    return done();
}
