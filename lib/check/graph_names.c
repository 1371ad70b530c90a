/* GRF: names: each defined once, and each one used is defined (ONNX IR.md, "Names Within a Graph"). */
#include "check/family.h"

#include "check/fix.h"
#include "check/part.h"
#include "check/tables.h"
#include "model/fields.h"
#include "wire/wire.h"

#define RENAMED_MAX 1024u /* bytes of a name that a fix changes */

/* ---- duplicates ---- */

/* A duplicated node duplicates all its outputs: reports only one of them. */
static enum opshift_status outputs_unique(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    uint32_t index = (uint32_t)(subject->node - subject->graph->nodes);
    for (uint32_t i = 0; tables_have_repeated(checking->tables) && i < subject->node->output_count; i++) {
        name_id name = node_outputs(subject->node)[i];
        struct definition found = scope_find(checking->scopes, subject->graph, name);
        if (name == NAME_NONE || found.graph != subject->graph ||
            (found.kind == DEFINED_NODE && found.index == index && found.output == i))
            continue;
        const char *by = found.kind != DEFINED_NODE ? "as an input or initializer of this graph"
                         : found.index == index
                             ? "by another output of this node"
                             : node_place_find(checking->model, subject->graph, &subject->graph->nodes[found.index]);
        if (by == NULL)
            return opshift_no_memory(error);
        return finding_add(
            checking, subject, NULL, error, "output '%s' is defined already%s %s; give one of them another name",
            checking_text(checking, name), found.kind == DEFINED_NODE && found.index != index ? " by" : "", by);
    }
    return OPSHIFT_OK;
}

static enum opshift_status inputs_unique(struct checking *checking, const struct subject *subject,
                                         struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    tables_list_begin(checking->tables);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->input_count; i++) {
        if (tables_list_add(checking->tables, graph->inputs[i].name))
            continue;
        tables_name_lost(checking->tables, graph);
        status = finding_add(checking, subject, range_size(graph->inputs[i].range) ? &graph->inputs[i].range : NULL,
                             error, "input '%s' is listed twice; remove one of them or rename it",
                             checking_text(checking, graph->inputs[i].name));
    }
    return status;
}

static enum opshift_status initializers_unique(struct checking *checking, const struct subject *subject,
                                               struct opshift_error *error)
{
    struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        const struct initializer *initializer = &graph->initializers[i];
        struct definition found = scope_find(checking->scopes, graph, initializer->name);
        if (found.graph != graph || (found.kind == DEFINED_INITIALIZER && found.index == i))
            continue;
        tables_name_lost(checking->tables, graph);
        status = finding_add(checking, subject, &initializer->range, error,
                             found.kind == DEFINED_INITIALIZER
                                 ? "there are two initializers '%s'; remove one of them or rename it"
                                 : "initializer '%s' is also the output of a node; give one of them another name",
                             checking_text(checking, initializer->name));
    }
    return status;
}

static enum opshift_status node_name_unique(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    bool first;
    const struct wire_field *name = parts_field(checking->context, NODE_NAME);
    if (name == NULL || name->size == 0)
        return OPSHIFT_OK;
    enum opshift_status status = tables_node_add(checking, subject->graph, subject->node, name, &first, error);
    if (status || first)
        return status;
    return finding_add(checking, subject, NULL, error,
                       "another node of this graph is called '%s' too; give each a unique name",
                       checking_text(checking, node_name(checking->model, subject->node)));
}

static enum opshift_status node_rename(struct checking *checking, const struct finding *finding,
                                       struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    struct bytes old = names_bytes(model->names, node_name(model, finding->node));
    if (old.size > RENAMED_MAX)
        return OPSHIFT_OK;
    name_id fresh =
        node_names_read(model) ? scope_fresh(checking->scopes, (const char *)old.data, old.size) : NAME_NO_MEMORY;
    if (fresh == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    struct buffer records = {0};
    struct bytes name = names_bytes(model->names, fresh);
    wire_add_bytes(&records, NODE_NAME, name.data, name.size);
    return fix_node_field(checking, finding, NODE_NAME, 0, &records, error);
}

/* ---- undefined names ---- */

static enum opshift_status undefined(struct checking *checking, const struct subject *subject, const char *what,
                                     name_id name, struct opshift_error *error)
{
    bool first;
    /* A training graph may use names of the main graph. */
    const struct graph *root = graph_root(subject->graph);
    if (name == NAME_NONE || root->kind == GRAPH_TRAINING ||
        scope_find(checking->scopes, subject->graph, name).kind != DEFINED_NOWHERE)
        return OPSHIFT_OK;
    enum opshift_status status = tables_once(checking, ONCE_UNDEFINED, root->number, name, &first, error);
    if (status || !first || tables_name_find_lost(checking->tables, root))
        return status;
    const char *meant = tables_nearest(checking, subject->graph, name);
    return finding_add(checking, subject, NULL, error, "%s '%s' is defined nowhere%s%s%s", what,
                       checking_text(checking, name),
                       meant ? "; did you mean '" : "; define it by a node, an input or an initializer",
                       meant ? meant : "", meant ? "'?" : "");
}

static enum opshift_status inputs_defined(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    bool some = tables_have_undefined(checking->tables);
    for (uint32_t i = 0; status == OPSHIFT_OK && some && i < subject->node->input_count; i++)
        status = undefined(checking, subject, "input", node_inputs(subject->node)[i], error);
    return status;
}

static enum opshift_status outputs_defined(struct checking *checking, const struct subject *subject,
                                           struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->graph->output_count; i++)
        status = undefined(checking, subject, "graph output", subject->graph->outputs[i].name, error);
    return status;
}

static enum opshift_status outputs_own(struct checking *checking, const struct subject *subject,
                                       struct opshift_error *error)
{
    struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && graph->kind == GRAPH_SUB && i < graph->output_count; i++) {
        if (scope_is_outer(checking->scopes, graph, graph->outputs[i].name))
            status = finding_add(checking, subject, &graph->outputs[i].range, error,
                                 "output '%s' is a value of an outer graph; put an Identity node in between",
                                 checking_text(checking, graph->outputs[i].name));
    }
    return status;
}

/* The output's record with another name. */
static enum opshift_status output_renamed(struct checking *checking, const struct value_info *output, struct bytes name,
                                          struct buffer *records, struct opshift_error *error)
{
    Onnx__ValueInfoProto *message;
    enum opshift_status status = range_decode(checking->model, output->range, &onnx__value_info_proto__descriptor,
                                              checking->scratch, (ProtobufCMessage **)&message, error);
    if (status)
        return status;
    message->has_name = 1;
    message->name = (ProtobufCBinaryData){name.size, (uint8_t *)(uintptr_t)name.data};
    wire_add_message(records, GRAPH_OUTPUT, &message->base);
    return OPSHIFT_OK;
}

/* An Identity behind the graph's last node. */
static enum opshift_status identity_add(struct checking *checking, struct graph *graph, struct bytes from,
                                        struct bytes to, struct opshift_error *error)
{
    struct buffer records = {0};
    uint64_t place = graph->node_count ? range_end(graph->nodes[graph->node_count - 1].range) : graph->message->offset;
    node_record_add(&records, graph, "Identity", from, to, NULL);
    return fix_insert(checking, graph, place, &records, error);
}

static enum opshift_status output_own(struct checking *checking, const struct finding *finding,
                                      struct opshift_error *error)
{
    struct graph *graph = finding->graph;
    const struct names *names = checking->model->names;
    uint32_t at = 0;
    while (at < graph->output_count && range_record(graph->outputs[at].range) != range_record(finding->range))
        at++;
    if (at == graph->output_count)
        return OPSHIFT_OK;
    struct value_type type;
    struct bytes outer = names_bytes(names, graph->outputs[at].name);
    enum opshift_status status = types_find(checking->types, graph, graph->outputs[at].name, &type, error);
    if (status || type.other || outer.size > RENAMED_MAX) /* older opsets have no Identity of sequences */
        return status;
    name_id fresh = scope_fresh(checking->scopes, (const char *)outer.data, outer.size);
    if (fresh == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    struct buffer output = {0};
    struct bytes own = names_bytes(names, fresh);
    outer = names_bytes(names, graph->outputs[at].name);
    status = output_renamed(checking, &graph->outputs[at], own, &output, error);
    if (status == OPSHIFT_OK)
        status = fix_node(checking, finding, finding->range, &output, error);
    else
        buffer_free(&output);
    return status ? status : identity_add(checking, graph, outer, own, error);
}

/* ---- shadowed names ---- */

/* where: of the name; NULL: the node. */
static enum opshift_status name_not_outside(struct checking *checking, const struct subject *subject, const char *what,
                                            name_id name, const struct range *where, struct opshift_error *error)
{
    struct graph *parent = subject->graph->parent;
    if (parent == NULL || scope_find(checking->scopes, parent, name).kind == DEFINED_NOWHERE)
        return OPSHIFT_OK;
    return finding_add(checking, subject, where, error,
                       "%s '%s' has the name of a value of an outer graph; give it another name", what,
                       checking_text(checking, name));
}

static enum opshift_status outputs_not_outside(struct checking *checking, const struct subject *subject,
                                               struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->node->output_count; i++)
        status = name_not_outside(checking, subject, "output", node_outputs(subject->node)[i], NULL, error);
    return status;
}

static enum opshift_status inputs_not_outside(struct checking *checking, const struct subject *subject,
                                              struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->input_count; i++)
        status = name_not_outside(checking, subject, "input", graph->inputs[i].name, &graph->inputs[i].range, error);
    return status;
}

static enum opshift_status initializers_not_outside(struct checking *checking, const struct subject *subject,
                                                    struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++)
        status = name_not_outside(checking, subject, "initializer", graph->initializers[i].name,
                                  &graph->initializers[i].range, error);
    return status;
}

const struct check checks_graph_names[] = {
    {CHECK(GRF001), .scope = CHECK_NODE, .find = outputs_unique},
    {CHECK(GRF002), .scope = CHECK_GRAPH, .find = inputs_unique},
    {CHECK(GRF003), .scope = CHECK_GRAPH, .find = initializers_unique},
    {CHECK(GRF004), .scope = CHECK_NODE, FIXED_BY(node_rename), .find = node_name_unique},
    {CHECK(GRF005), .scope = CHECK_NODE, .find = inputs_defined},
    {CHECK(GRF006), .scope = CHECK_GRAPH, .find = outputs_defined},
    {CHECK(GRF007), .scope = CHECK_GRAPH, FIXED_BY(output_own), .find = outputs_own},
    {CHECK(GRF008), .scope = CHECK_NODE, .find = outputs_not_outside},
    {CHECK(GRF009), .scope = CHECK_GRAPH, .find = inputs_not_outside},
    {CHECK(GRF010), .scope = CHECK_GRAPH, .find = initializers_not_outside},
    {0},
};
