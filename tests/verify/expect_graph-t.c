/* Compares graphs of planned nodes whose values have other names. */
#include "verify/expect_graph.h"

#include <stdio.h>

#include "base/bytes.h"
#include "tests/tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct arena *arena;

/* A name of the plan, or of the second model: they have the same number. */
static ProtobufCBinaryData name(char side, size_t number)
{
    return binary_of(arena_print(arena, "%c%zu", side, number));
}

static Onnx__NodeProto *node_new(ProtobufCBinaryData input, ProtobufCBinaryData output)
{
    Onnx__NodeProto *node = arena_alloc(arena, 1, sizeof(*node));
    onnx__node_proto__init(node);
    node->op_type = binary_of("Neg");
    node->n_input = node->n_output = 1;
    node->input = arena_alloc(arena, 1, sizeof(*node->input));
    node->output = arena_alloc(arena, 1, sizeof(*node->output));
    node->input[0] = input;
    node->output[0] = output;
    return node;
}

/* An attribute with a graph of count nodes, whose output is the last one's. */
static Onnx__AttributeProto *graph_new(size_t count)
{
    Onnx__AttributeProto *attribute = arena_alloc(arena, 1, sizeof(*attribute));
    onnx__attribute_proto__init(attribute);
    attribute->g = arena_alloc(arena, 1, sizeof(*attribute->g));
    onnx__graph_proto__init(attribute->g);
    attribute->g->node = arena_alloc(arena, count, sizeof(*attribute->g->node));
    attribute->g->n_node = count;
    attribute->g->output = arena_alloc(arena, 1, sizeof(*attribute->g->output));
    attribute->g->n_output = 1;
    attribute->g->output[0] = arena_alloc(arena, 1, sizeof(**attribute->g->output));
    onnx__value_info_proto__init(attribute->g->output[0]);
    return attribute;
}

/* Values of the node's surroundings have the same name. */
static enum opshift_status match_outer(void *data, const ProtobufCBinaryData *planned, const ProtobufCBinaryData *after,
                                       bool *same, struct opshift_error *error)
{
    (void)data, (void)error;
    *same = bytes_same(bytes_of(*planned), bytes_of(*after));
    return OPSHIFT_OK;
}

static bool compare(const Onnx__AttributeProto *planned, const Onnx__AttributeProto *after)
{
    const struct outer_values outer = {match_outer, NULL};
    bool same = false;
    return expect_same_graphs(planned, after, &outer, arena, &same, NULL) == OPSHIFT_OK && same;
}

/* Each node reads the node in the middle of those before it; the first one reads 'x'. */
static Onnx__AttributeProto *chain_new(char side, size_t count)
{
    Onnx__AttributeProto *attribute = graph_new(count);
    for (size_t i = 0; i < count; i++)
        attribute->g->node[i] = node_new(i ? name(side, i / 2) : binary_of("x"), name(side, i + 1));
    attribute->g->node[1]->input[0] = name(side, 1);
    attribute->g->output[0]->name = name(side, count);
    return attribute;
}

static void test_many(void)
{
    const size_t count = 60000;
    Onnx__AttributeProto *planned = chain_new('p', count), *after = chain_new('a', count);
    ok(compare(planned, after), "60,000 values with other names");
    after->g->node[count - 1]->input[0] = name('a', 2);
    ok(!compare(planned, after), "the last one reads another value");
}

/* A graph of one node "i", inside of a node that gives "o", which reads `input` and gives `output`. */
static Onnx__AttributeProto *nested_new(const char *input, const char *output, const char *last)
{
    Onnx__AttributeProto *attribute = graph_new(2), *inner = graph_new(1);
    inner->g->node[0] = node_new(binary_of(input), binary_of(output));
    inner->g->output[0]->name = binary_of(output);
    attribute->g->node[0] = node_new(binary_of("x"), binary_of("o"));
    attribute->g->node[1] = node_new(binary_of("o"), binary_of("q"));
    attribute->g->node[1]->attribute = arena_alloc(arena, 1, sizeof(inner));
    attribute->g->node[1]->attribute[0] = inner;
    attribute->g->node[1]->n_attribute = 1;
    attribute->g->output[0]->name = binary_of(last);
    return attribute;
}

static const struct {
    const char *what, *planned[3], *after[3];
    bool same;
} nested[] = {
    {"an inner value with another name", {"o", "i", "q"}, {"o", "j", "q"}, true},
    {"an inner value that hides an outer one", {"x", "i", "q"}, {"x", "o", "q"}, true},
    {"what it hid is seen again behind its graph", {"x", "i", "o"}, {"x", "o", "o"}, true},
    {"another value behind the graph", {"x", "i", "o"}, {"x", "i", "q"}, false},
    {"an outer value and one from around the node", {"o", "i", "q"}, {"x", "i", "q"}, false},
    {"an inner value read behind its graph", {"x", "i", "q"}, {"x", "q", "i"}, false},
    {"an absent value", {"", "i", "q"}, {"", "j", "q"}, true},
    {"a value that only one reads", {"", "i", "q"}, {"o", "i", "q"}, false},
};

static void test_nested(void)
{
    for (size_t i = 0; i < COUNT(nested); i++) {
        Onnx__AttributeProto *planned = nested_new(nested[i].planned[0], nested[i].planned[1], nested[i].planned[2]);
        Onnx__AttributeProto *after = nested_new(nested[i].after[0], nested[i].after[1], nested[i].after[2]);
        ok(compare(planned, after) == nested[i].same, "%s", nested[i].what);
    }
}

int main(void)
{
    arena = arena_new(0);
    test_many();
    test_nested();
    arena_free(arena);
    return done();
}
