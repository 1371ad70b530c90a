/* Walks a model: its inputs with their types, the nodes of each graph with their attributes, the initializers:
 * walk MODEL.onnx */
#include <inttypes.h>
#include <opshift.h>
#include <stdio.h>

static void print_attributes(struct opshift_model *model, const struct opshift_node *node)
{
    struct opshift_attributes *attributes = NULL;
    if (opshift_node_attributes(model, node, &attributes, NULL) != OPSHIFT_OK)
        return;
    for (size_t i = 0; i < opshift_attributes_count(attributes); i++) {
        printf(" %s", opshift_attributes_name(attributes, i));
        if (opshift_attributes_type(attributes, i) == OPSHIFT_ATTRIBUTE_INT)
            printf("=%" PRId64, opshift_attributes_int(attributes, i));
    }
    opshift_attributes_free(attributes);
}

static void print_graph(struct opshift_model *model, const struct opshift_graph *graph, int indent)
{
    for (size_t i = 0; i < opshift_graph_node_count(graph); i++) {
        const struct opshift_node *node = opshift_graph_node(graph, i);
        printf("%*s%s:", indent, "", opshift_node_operator(model, node));
        for (size_t j = 0; j < opshift_node_input_count(node); j++)
            printf(" %s", opshift_node_input(model, node, j));
        printf(" ->");
        for (size_t j = 0; j < opshift_node_output_count(node); j++)
            printf(" %s", opshift_node_output(model, node, j));
        print_attributes(model, node);
        putchar('\n');
        for (size_t j = 0; j < opshift_node_graph_count(node); j++)
            print_graph(model, opshift_node_graph(node, j), indent + 2);
    }
}

static void print_model(struct opshift_model *model)
{
    const struct opshift_graph *graph = opshift_model_graph(model);
    for (size_t i = 0; i < opshift_graph_value_count(graph, OPSHIFT_LIST_INPUTS); i++) {
        char *type = NULL;
        if (opshift_graph_value_type(model, graph, OPSHIFT_LIST_INPUTS, i, &type, NULL) == OPSHIFT_OK)
            printf("input %s: %s\n", opshift_graph_value_name(model, graph, OPSHIFT_LIST_INPUTS, i), type);
        opshift_text_free(type);
    }
    print_graph(model, graph, 0);
    for (size_t i = 0; i < opshift_graph_initializer_count(graph); i++)
        printf("initializer %s: %s, %zu dims\n", opshift_graph_initializer_name(model, graph, i),
               opshift_type_name(opshift_graph_initializer_type(graph, i)), opshift_graph_initializer_rank(graph, i));
}

int main(int argc, char **argv)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    if (argc != 2) {
        fputs("usage: walk MODEL.onnx\n", stderr);
        return 2;
    }
    if (opshift_model_open(argv[1], NULL, &model, &error) != OPSHIFT_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    print_model(model);
    opshift_model_free(model);
    return 0;
}
