/* Opens an If: its branch is decoded, renamed and encoded again as records of the graph around it. */
#include "model/branch.h"

#include "model/fields.h"
#include "wire/wire.h"

struct branch_copy {
    struct opshift_model *model;
    struct scopes *scopes;
    struct arena *arena;
    name_id *renamed; /* by name_id below `count`: what it becomes; NAME_NONE: stays */
    bool *elsewhere;  /* the same: it is that of a value of another graph */
    uint32_t count;
};

const struct graph *node_branch(const struct opshift_model *model, const struct node *node, bool condition)
{
    const char *wanted = condition ? "then_branch" : "else_branch";
    for (uint32_t i = 0; i < node_subgraph_count(node); i++)
        if (bytes_are(names_bytes(model->names, node_subgraphs(node)[i]->owner_attribute), wanted))
            return node_subgraphs(node)[i];
    return NULL;
}

/* ---- names ---- */

/* Marks the names of the values of all graphs but the branch. */
static void names_mark(const struct branch_copy *work, const struct graph *branch)
{
    for (uint32_t g = 0; g < work->model->graph_count; g++) {
        const struct graph *graph = work->model->graphs[g];
        if (graph == branch)
            continue;
        for (uint32_t i = 0; i < graph->input_count; i++)
            work->elsewhere[graph->inputs[i].name] = true;
        for (uint32_t i = 0; i < graph->initializer_count; i++)
            work->elsewhere[graph->initializers[i].name] = true;
        for (uint32_t i = 0; i < graph->node_count; i++)
            for (uint32_t k = 0; k < graph->nodes[i].output_count; k++)
                work->elsewhere[node_outputs(&graph->nodes[i])[k]] = true;
    }
}

/* Gives a value of the branch a name that is free around it. */
static enum opshift_status name_free(struct branch_copy *work, name_id name, struct opshift_error *error)
{
    if (name == NAME_NONE || name >= work->count || work->renamed[name] != NAME_NONE || !work->elsewhere[name])
        return OPSHIFT_OK;
    struct bytes text = names_bytes(work->model->names, name);
    name_id fresh = scope_fresh(work->scopes, (const char *)text.data, text.size);
    if (fresh == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    work->renamed[name] = fresh;
    return OPSHIFT_OK;
}

static void text_rename(const struct branch_copy *work, ProtobufCBinaryData *text)
{
    name_id name;
    if (!names_find(work->model->names, text->data, text->len, &name) || name >= work->count ||
        work->renamed[name] == NAME_NONE)
        return;
    struct bytes other = names_bytes(work->model->names, work->renamed[name]);
    *text = (ProtobufCBinaryData){other.size, (uint8_t *)(uintptr_t)other.data};
}

/* Names that the node reads or gives, and those that its bodies read: what these define is no name of the branch. */
static void node_rename(const struct branch_copy *work, Onnx__NodeProto *node)
{
    for (size_t i = 0; i < node->n_input; i++)
        text_rename(work, &node->input[i]);
    for (size_t i = 0; i < node->n_output; i++)
        text_rename(work, &node->output[i]);
    for (size_t i = 0; i < node->n_attribute; i++) {
        Onnx__AttributeProto *attribute = node->attribute[i];
        for (size_t k = 0; k < attribute->n_graphs + (attribute->g != NULL); k++) {
            Onnx__GraphProto *body = k < attribute->n_graphs ? attribute->graphs[k] : attribute->g;
            for (size_t n = 0; n < body->n_node; n++)
                node_rename(work, body->node[n]);
            for (size_t n = 0; n < body->n_output; n++)
                text_rename(work, &body->output[n]->name);
        }
    }
}

/* ---- outputs ---- */

static bool gives(const struct graph *branch, name_id name)
{
    for (uint32_t i = 0; i < branch->node_count; i++)
        for (uint32_t k = 0; k < branch->nodes[i].output_count; k++)
            if (node_outputs(&branch->nodes[i])[k] == name)
                return true;
    return false;
}

/* The If's names for what the branch's nodes compute; others need an Identity. */
static enum opshift_status outputs_name(struct branch_copy *work, const struct node *node, const struct graph *branch,
                                        struct opshift_error *error)
{
    for (uint32_t i = 0; i < node->output_count; i++) {
        name_id inner = branch->outputs[i].name, outer = node_outputs(node)[i];
        if (outer != NAME_NONE && inner < work->count && work->renamed[inner] == NAME_NONE && gives(branch, inner))
            work->renamed[inner] = outer;
    }
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < branch->node_count; i++)
        for (uint32_t k = 0; status == OPSHIFT_OK && k < branch->nodes[i].output_count; k++)
            status = name_free(work, node_outputs(&branch->nodes[i])[k], error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < branch->initializer_count; i++)
        status = name_free(work, branch->initializers[i].name, error);
    return status;
}

static void outputs_add(const struct branch_copy *work, const struct graph *graph, const struct node *node,
                        const struct graph *branch, struct buffer *nodes)
{
    const struct names *names = work->model->names;
    for (uint32_t i = 0; i < node->output_count; i++) {
        name_id inner = branch->outputs[i].name, outer = node_outputs(node)[i];
        name_id now = inner < work->count && work->renamed[inner] != NAME_NONE ? work->renamed[inner] : inner;
        if (outer != NAME_NONE && now != outer)
            node_record_add(nodes, graph, "Identity", names_bytes(names, now), names_bytes(names, outer), NULL);
    }
}

static bool can_open(const struct opshift_model *model, const struct graph *graph, const struct node *node,
                     const struct graph *branch)
{
    bool early = model->ir_version > 0 && model->ir_version < 4;
    if (branch->output_count != node->output_count || branch->input_count > 0 ||
        (branch->initializer_count > 0 && (early || graph->function)))
        return false;
    for (uint32_t i = 0; i < branch->initializer_count; i++)
        if (branch->initializers[i].sparse)
            return false;
    return true;
}

enum opshift_status branch_open(struct opshift_model *model, struct scopes *scopes, const struct graph *graph,
                                const struct node *node, const struct graph *branch, struct arena *arena,
                                struct branch_records *records, bool *made, struct opshift_error *error)
{
    struct branch_copy work = {model, scopes, arena, NULL, NULL, names_count(model->names)};
    const struct message *message = branch->message;
    Onnx__GraphProto *body;
    *made = can_open(model, graph, node, branch);
    if (!*made)
        return OPSHIFT_OK;
    work.renamed = arena_alloc(arena, work.count, sizeof(*work.renamed));
    work.elsewhere = arena_alloc(arena, work.count, sizeof(*work.elsewhere));
    if (work.renamed == NULL || work.elsewhere == NULL)
        return opshift_no_memory(error);
    names_mark(&work, branch);
    enum opshift_status status =
        range_decode(model, range_make(message_record(message), message->offset, message->size),
                     &onnx__graph_proto__descriptor, arena, &body, error);
    if (status == OPSHIFT_OK)
        status = outputs_name(&work, node, branch, error);
    if (status)
        return status;
    for (size_t i = 0; i < body->n_node; i++) {
        node_rename(&work, body->node[i]);
        wire_add_message(&records->nodes, graph_node_field(graph), &body->node[i]->base);
    }
    outputs_add(&work, graph, node, branch, &records->nodes);
    for (size_t i = 0; i < body->n_initializer; i++) {
        text_rename(&work, &body->initializer[i]->name);
        wire_add_message(&records->initializers, GRAPH_INITIALIZER, &body->initializer[i]->base);
    }
    for (size_t i = 0; graph->kind != GRAPH_FUNCTION && i < body->n_value_info; i++) {
        text_rename(&work, &body->value_info[i]->name);
        wire_add_message(&records->values, GRAPH_VALUE_INFO, &body->value_info[i]->base);
    }
    bool failed = records->nodes.failed || records->initializers.failed || records->values.failed;
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}
