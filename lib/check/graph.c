/* GRF: names and their definitions, and how graphs and functions hang together. */
#include "check/family.h"

/* ONNX IR.md, "Graphs": node outputs, graph inputs and initializers share one namespace in a graph. */
static enum opshift_status outputs_unique(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    struct names *names = checking->model->names;
    uint32_t index = (uint32_t)(subject->node - subject->graph->nodes);
    for (uint32_t i = 0; i < subject->node->output_count; i++) {
        name_id name = node_outputs(subject->node)[i];
        struct definition found = scope_find(checking->scopes, subject->graph, name);
        if (name == NAME_NONE || found.graph != subject->graph ||
            (found.kind == DEFINED_NODE && found.index == index && found.output == i))
            continue;
        enum opshift_status status = finding_add(
            checking, subject, NULL, error, "output '%s' is defined already %s; give one of them another name",
            names_text(names, name), found.kind == DEFINED_NODE ? "by another output" : "in this graph");
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

const struct check graph_checks[] = {
    {.about = {.id = "GRF001",
               .slug = "duplicate-output",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "a name is defined twice in one graph",
               .why = "Who reads the name gets one of the two values, and which one depends on the runtime.",
               .mend = "Rename one of the outputs and whoever is meant to read it.",
               .before = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                         "g (float[2] x) => (float[2] y) { y = Neg (x) y = Abs (x) }",
               .after = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                        "g (float[2] x) => (float[2] y) { t = Neg (x) y = Abs (x) }"},
     .scope = CHECK_NODE,
     .find = outputs_unique},
};
const size_t graph_check_count = COUNT(graph_checks);
