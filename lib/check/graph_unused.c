/* GRF: parts of a model that nothing uses. */
#include <stdlib.h>

#include "check/family.h"
#include "check/fix.h"
#include "check/tables.h"
#include "wire/wire.h"

static enum opshift_status initializers_used(struct checking *checking, const struct subject *subject,
                                             struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++)
        if (!initializer_is_used(checking->tables, graph, i) && graph_root(graph)->kind == GRAPH_MAIN &&
            !scope_is_outside(checking->scopes, graph->initializers[i].name))
            status = finding_add(checking, subject, &graph->initializers[i].range, error,
                                 "initializer '%s' is not used; remove it",
                                 checking_text(checking, graph->initializers[i].name));
    return status;
}

static int initializer_order(const void *a, const void *b)
{
    const uint64_t *record = a;
    const struct initializer *initializer = b;
    return *record < range_record(initializer->range) ? -1 : *record > range_record(initializer->range);
}

/* Keeps initializers that are also inputs, as a caller may set them. */
static enum opshift_status initializer_remove(struct checking *checking, const struct finding *finding,
                                              struct opshift_error *error)
{
    const struct graph *graph = finding->graph;
    uint64_t record = range_record(finding->range);
    const struct initializer *found = bsearch(&record, graph->initializers, graph->initializer_count,
                                              sizeof(*graph->initializers), initializer_order);
    if (found == NULL || scope_is_input(checking->scopes, graph, found->name))
        return OPSHIFT_OK;
    return fix_remove(checking, finding, finding->range, error);
}

static enum opshift_status value_info_remove(struct checking *checking, const struct finding *finding,
                                             struct opshift_error *error)
{
    return fix_remove(checking, finding, finding->range, error);
}

static enum opshift_status nodes_used(struct checking *checking, const struct subject *subject,
                                      struct opshift_error *error)
{
    struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        struct subject node = {.graph = graph, .node = &graph->nodes[i]};
        if (!node_is_used(checking->tables, graph, i) && graph_root(graph)->kind != GRAPH_TRAINING)
            status = finding_add(checking, &node, NULL, error,
                                 "no output of the node is used; remove the node, or make an output a graph output");
    }
    return status;
}

/* Nodes of other domains are kept, since they may do more than compute outputs. */
static enum opshift_status node_remove(struct checking *checking, const struct finding *finding,
                                       struct opshift_error *error)
{
    const struct names *names = checking->model->names;
    const struct node *node = finding->node;
    if (schema_find(names_text(names, node_domain(node)), names_text(names, node->op_type), INT64_MAX) == NULL)
        return OPSHIFT_OK;
    return fix_remove(checking, finding, node->range, error);
}

static enum opshift_status value_infos_used(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->value_count; i++) {
        name_id name = graph->values[i].name;
        if (scope_find(checking->scopes, graph, name).kind == DEFINED_NOWHERE && graph_root(graph)->kind == GRAPH_MAIN)
            status = finding_add(checking, subject, &graph->values[i].range, error,
                                 "a type is declared for '%s', which is defined nowhere; remove the value info",
                                 checking_text(checking, name));
    }
    return status;
}

static enum opshift_status annotation_used(struct checking *checking, const struct subject *subject,
                                           const struct wire_field *field, struct opshift_error *error)
{
    Onnx__TensorAnnotation *message;
    struct range range = range_make(field->record, field->offset, field->size);
    enum opshift_status status = range_try_decode(checking->model, range, &onnx__tensor_annotation__descriptor,
                                                  checking->scratch, &message, error);
    if (status || message == NULL)
        return status;
    name_id name;
    if (names_find(checking->model->names, message->tensor_name.data, message->tensor_name.len, &name) &&
        scope_find(checking->scopes, subject->graph, name).kind != DEFINED_NOWHERE)
        return OPSHIFT_OK;
    return finding_add(
        checking, subject, &range, error,
        "a quantization annotation is for '%.*s', which is defined nowhere; correct the name or remove it",
        (int)message->tensor_name.len, (const char *)message->tensor_name.data);
}

/* GraphProto.quantization_annotation is not in the index. */
static enum opshift_status annotations_used(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    const struct message *message = subject->graph->message;
    struct wire_cursor cursor = {checking->model->source, message->offset, message->offset + message->size};
    if (subject->graph->kind == GRAPH_FUNCTION || !checking->model->names_outside)
        return OPSHIFT_OK;
    for (;;) {
        struct wire_field field;
        bool found;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found && field.number == 14 && field.type == WIRE_BYTES)
            status = annotation_used(checking, subject, &field, error);
        if (status || !found)
            return status;
    }
}

static enum opshift_status function_used(struct checking *checking, const struct subject *subject,
                                         struct opshift_error *error)
{
    const struct function *function = subject->graph->kind == GRAPH_FUNCTION ? subject->graph->function : NULL;
    if (function == NULL || scope_is_reached(checking->scopes, function))
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error, "no graph calls the function; remove it");
}

static enum opshift_status function_remove(struct checking *checking, const struct finding *finding,
                                           struct opshift_error *error)
{
    const struct message *message = finding->graph->message;
    struct finding of_model = *finding;
    of_model.graph = NULL;
    return fix_remove(checking, &of_model, range_make(message_record(message), message->offset, message->size), error);
}

const struct check checks_graph_unused[] = {
    {CHECK(GRF013), .scope = CHECK_LAST, .relies_on = FAULTS_OF_READING, FIXED_BY(initializer_remove),
     .find = initializers_used},
    {CHECK(GRF014), .scope = CHECK_LAST, .relies_on = FAULTS_OF_READING, FIXED_BY(node_remove), .find = nodes_used},
    {CHECK(GRF015), .scope = CHECK_LAST, .relies_on = FAULTS_OF_READING, FIXED_BY(value_info_remove),
     .find = value_infos_used},
    {CHECK(GRF016), .scope = CHECK_LAST, .relies_on = FAULTS_OF_READING, .find = annotations_used},
    {CHECK(GRF044), .scope = CHECK_LAST, .relies_on = FAULTS_OF_READING, FIXED_BY(function_remove),
     .find = function_used},
    {0},
};
