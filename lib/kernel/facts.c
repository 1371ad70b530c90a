/* Answers queries of drafts about their surroundings from scopes, inferred types and folding. */
#include "kernel/facts.h"

#include <string.h>

#include "infer/clash.h"

/* Identity nodes between a Constant and its consumer. */
#define CHAIN_MAX 16

static void reliance_add(const struct surroundings *around, struct graph *graph, name_id name, enum draft_reliance on)
{
    struct reliance reliance = {graph, name, on};
    if (around->relied)
        buffer_add(around->relied, &reliance, sizeof(reliance));
}

/* Does a node also produce this name, although an outer graph defines it? */
static bool is_defined_twice(const struct surroundings *around, struct graph *graph, name_id name)
{
    struct definition found = scope_find(around->scopes, graph, name);
    return found.kind == DEFINED_NODE && found.graph->parent &&
           scope_find(around->scopes, found.graph->parent, name).kind != DEFINED_NOWHERE;
}

static enum opshift_status constant_fold(struct surroundings *around, struct graph *graph, name_id name,
                                         const struct tensor **tensor, const char **why, struct opshift_error *error)
{
    struct definition found = scope_find(around->scopes, graph, name);
    enum opshift_status status = fold_constant_briefly(around->fold, graph, name, tensor, why, error);
    if (status == OPSHIFT_OK && *tensor && found.kind == DEFINED_NODE &&
        found.graph->nodes[found.index].input_count > 0)
        reliance_add(around, graph, name, RELIES_ON_CONSTANT);
    return status;
}

static enum opshift_status constant_or_unknown(struct surroundings *around, struct graph *graph, name_id name,
                                               const struct tensor **tensor, const char **why,
                                               struct opshift_error *error)
{
    *tensor = NULL;
    *why = "defined twice";
    if (is_defined_twice(around, graph, name))
        return OPSHIFT_OK;
    enum opshift_status status = constant_fold(around, graph, name, tensor, why, error);
    if (status != OPSHIFT_MALFORMED && status != OPSHIFT_UNSUPPORTED && status != OPSHIFT_IO)
        return status;
    *tensor = NULL;
    *why = "it cannot be read";
    return error_forget(error);
}

enum opshift_status fact_constant(struct surroundings *around, struct graph *graph, name_id name,
                                  const struct tensor **tensor, const char **why, struct opshift_error *error)
{
    if (around->lenient)
        return constant_or_unknown(around, graph, name, tensor, why, error);
    if (is_defined_twice(around, graph, name))
        return opshift_fail_at(
            error, OPSHIFT_NO, FAULT_OF_CHECK, ERROR_WHOLE_FILE,
            "GRF001 duplicate-output: '%s' is computed by a node and is also defined in the enclosing graph",
            names_text(around->model->names, name));
    return constant_fold(around, graph, name, tensor, why, error);
}

/* The node that produces a name in a function's body, skipping Identity nodes; NULL: none. */
static const struct node *maker(const struct surroundings *around, struct graph *graph, name_id name)
{
    for (int i = 0; i < CHAIN_MAX; i++) {
        struct definition found = scope_find(around->scopes, graph, name);
        if (found.kind != DEFINED_NODE)
            return NULL;
        const struct node *node = &found.graph->nodes[found.index];
        if (!node_is(around->model, node, "Identity") || node->input_count != 1)
            return node;
        graph = found.graph;
        name = node_inputs(node)[0];
    }
    return NULL;
}

static enum opshift_status node_attribute_find(struct opshift_model *model, const struct node *node,
                                               struct arena *arena, const char *name, size_t size,
                                               Onnx__AttributeProto **message, struct opshift_error *error)
{
    struct attribute_range *attributes;
    size_t count;
    *message = NULL;
    enum opshift_status status = node_attributes(model, node, arena, &attributes, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        struct bytes bytes = names_bytes(model->names, attributes[i].name);
        if (bytes.size == size && memcmp(bytes.data, name, size) == 0)
            return attribute_decode(model, &attributes[i], arena, message, error);
    }
    return status;
}

enum opshift_status reference_find(const struct surroundings *around, struct graph *graph, name_id name,
                                   struct arena *arena, struct bytes *reference, struct opshift_error *error)
{
    *reference = (struct bytes){0};
    const struct node *node = graph->function ? maker(around, graph, name) : NULL;
    if (node == NULL || !node_is(around->model, node, "Constant"))
        return OPSHIFT_OK;
    Onnx__AttributeProto *message;
    enum opshift_status status =
        node_attribute_find(around->model, node, arena, "value_ints", strlen("value_ints"), &message, error);
    if (status == OPSHIFT_OK && message && message->has_ref_attr_name)
        *reference = (struct bytes){message->ref_attr_name.data, message->ref_attr_name.len};
    return status;
}

enum opshift_status surroundings_open(struct surroundings *around, struct opshift_model *model,
                                      bool freeze_initializers, struct opshift_error *error)
{
    struct fold_options options = {.freeze_initializers = freeze_initializers};
    *around = (struct surroundings){.model = model};
    enum opshift_status status = scopes_new(model, &around->scopes, error);
    if (status == OPSHIFT_OK)
        status = types_new(model, around->scopes, &around->types, error);
    if (status == OPSHIFT_OK && freeze_initializers)
        types_freeze(around->types);
    if (status == OPSHIFT_OK)
        status = fold_new(model, around->scopes, around->types, &options, &around->fold, error);
    return status;
}

void surroundings_close(struct surroundings *around)
{
    parameters_free(around);
    fold_free(around->fold);
    types_free(around->types);
    scopes_free(around->scopes);
}

/* ---- drafts ---- */

enum opshift_status draft_constant(const struct draft *draft, name_id name, const struct tensor **tensor,
                                   const char **why, struct opshift_error *error)
{
    return fact_constant(draft->around, draft->graph, name, tensor, why, error);
}

enum opshift_status draft_reference(const struct draft *draft, name_id name, struct bytes *reference,
                                    struct opshift_error *error)
{
    return reference_find(draft->around, draft->graph, name, draft->arena, reference, error);
}

enum opshift_status draft_type(const struct draft *draft, name_id name, struct value_type *type,
                               struct opshift_error *error)
{
    return types_find(draft->around->types, draft->graph, name, type, error);
}

enum opshift_status draft_declared(const struct draft *draft, name_id name, struct value_type *type,
                                   struct opshift_error *error)
{
    return types_declared(draft->around->types, draft->graph, name, type, error);
}

enum opshift_status draft_parameter(const struct draft *draft, struct bytes name, struct draft_parameter *parameter,
                                    struct opshift_error *error)
{
    *parameter = (struct draft_parameter){0};
    if (draft->graph->function == NULL)
        return OPSHIFT_OK;
    return parameter_find(draft->around, draft->graph->function, name, draft->arena, parameter, error);
}

enum opshift_status draft_int_read(const struct draft *draft, const char *attribute, struct draft_int *number,
                                   struct opshift_error *error)
{
    const struct draft_attribute *found = draft_attribute_find(draft, attribute);
    *number = (struct draft_int){0};
    if (found == NULL || found->message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT)
        return OPSHIFT_OK;
    number->given = true;
    if (!found->message->has_ref_attr_name) {
        number->known = true;
        number->value = found->message->i;
        return OPSHIFT_OK;
    }
    struct bytes reference = {found->message->ref_attr_name.data, found->message->ref_attr_name.len};
    struct draft_parameter parameter;
    enum opshift_status status = draft_parameter(draft, reference, &parameter, error);
    if (status)
        return status;
    number->known = parameter.agreed;
    number->value = parameter.agreed ? parameter.least : 0;
    number->missing = parameter.missing;
    return OPSHIFT_OK;
}

enum opshift_status draft_unread(const struct draft *draft, name_id name, bool *unread, struct opshift_error *error)
{
    enum opshift_status status = scopes_count_uses(draft->around->scopes, error);
    *unread = status == OPSHIFT_OK && scope_uses(draft->around->scopes, name) == 0;
    return status;
}

void draft_relies(const struct draft *draft, name_id name, enum draft_reliance on)
{
    reliance_add(draft->around, draft->graph, name, on);
}
