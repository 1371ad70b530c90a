/* Finds the version of an operator that a node was made for, where the opset that it is at does not take it. */
#include "infer/clash.h"

#include "infer/result.h"

bool schema_counts_fit(const struct schema *schema, const struct node *node)
{
    return node->input_count >= schema->input_min && node->input_count <= schema->input_max &&
           node->output_count >= schema->output_min && node->output_count <= schema->output_max;
}

enum opshift_status types_fit(struct types *types, struct graph *graph, const struct node *node,
                              const struct schema *schema, uint32_t *misfit, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (*misfit = 0; *misfit < node->input_count; ++*misfit) {
        const struct schema_parameter *parameter = schema_input(schema, *misfit);
        name_id name = node_inputs(node)[*misfit];
        struct value_type type;
        if (parameter == NULL || name == NAME_NONE)
            continue;
        status = types_find(types, graph, name, &type, error);
        if (status ||
            (type.type != OPSHIFT_TYPE_UNDEFINED && (schema_types(schema, parameter)->tensor >> type.type & 1) == 0))
            break;
    }
    return status;
}

/* Has any version of the operator the attribute? */
static bool versions_have(const struct schema *schema, const char *name)
{
    uint32_t count;
    const struct schema *versions = schema_versions(schema->domain, schema->op_type, &count);
    for (uint32_t i = 0; i < count; i++)
        if (schema_attribute_find(&versions[i], name))
            return true;
    return false;
}

bool schema_gains_attributes(const struct schema *schema)
{
    uint32_t count;
    const struct schema *versions = schema_versions(schema->domain, schema->op_type, &count);
    for (const struct schema *later = schema + 1; later < versions + count; later++)
        for (uint16_t i = 0; i < later->attribute_count; i++)
            if (schema_attribute_find(schema, later->attributes[i].name) == NULL)
                return true;
    return false;
}

/* An attribute that the version does not have, but another one; NULL: none. */
static const char *attribute_misfit(struct inference *inference, const struct schema *schema)
{
    size_t count;
    const struct attribute_range *attributes = inference_attributes(inference, &count);
    for (size_t i = 0; i < count; i++) {
        const char *name = names_whole(inference->model->names, attributes[i].name);
        if (name && schema_attribute_find(schema, name) == NULL && versions_have(schema, name))
            return name;
    }
    return NULL;
}

/* Reads the node as one of a version. *misfit: an attribute that the version does not have, but another one; fit (may
 * be NULL): it has them all, and the node does not clash with its inputs. */
static enum opshift_status read_as(struct types *types, struct graph *graph, const struct node *node,
                                   const struct schema *schema, const char **misfit, bool *fit,
                                   struct opshift_error *error)
{
    struct inference inference;
    struct arena *arena = arena_new(0);
    *misfit = NULL;
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = inference_open(&inference, types, graph, node, arena, error);
    if (status == OPSHIFT_OK) {
        inference.operation.schema = schema;
        inference.operation.opset = schema->since;
        *misfit = attribute_misfit(&inference, schema);
        if (fit && *misfit == NULL)
            inference_run(&inference);
        if (fit)
            *fit = *misfit == NULL && inference.clash_count == 0;
        status = inference.status;
    }
    arena_free(arena);
    return status;
}

enum opshift_status attributes_fit(struct types *types, struct graph *graph, const struct node *node,
                                   const struct schema *schema, const char **misfit, struct opshift_error *error)
{
    return read_as(types, graph, node, schema, misfit, NULL, error);
}

static enum opshift_status version_fits(struct types *types, struct graph *graph, const struct node *node,
                                        const struct schema *schema, bool *fit, struct opshift_error *error)
{
    const char *attribute;
    uint32_t misfit;
    *fit = false;
    if (schema_is_removed(schema) || schema->runtime || !schema_counts_fit(schema, node))
        return OPSHIFT_OK;
    enum opshift_status status = types_fit(types, graph, node, schema, &misfit, error);
    return status || misfit < node->input_count ? status : read_as(types, graph, node, schema, &attribute, fit, error);
}

enum opshift_status types_meant(struct types *types, struct graph *graph, const struct node *node, int64_t opset,
                                const struct schema **meant, struct opshift_error *error)
{
    const struct names *names = types->model->names;
    const char *domain = names_whole(names, node_domain(node)), *op_type = names_whole(names, node->op_type);
    enum opshift_status status = OPSHIFT_OK;
    uint32_t count = 0;
    *meant = NULL;
    const struct schema *versions = domain && op_type ? schema_versions(domain, op_type, &count) : NULL;
    /* The forms of Split are too alike: what a Split of a wrong form means is not guessed. */
    if (versions == NULL || versions->id == OPERATOR_SPLIT)
        return OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && *meant == NULL && i < count; i++) {
        bool fit = false;
        if (versions[i].since > opset)
            status = version_fits(types, graph, node, &versions[i], &fit, error);
        *meant = fit ? &versions[i] : NULL;
    }
    return status;
}
