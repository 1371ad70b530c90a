/* Finding an operator's schema: binary search in the generated table. */
#include "schema/schema.h"

#include <string.h>

#include "schema/table.h"

#define ML_OPSET_NEWEST 5

static const char *domain_text(const char *domain)
{
    return strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

/* Negative: the schema stands before (domain, op_type, since). */
static int schema_compare(const struct schema *schema, const char *domain, const char *op_type, int64_t since)
{
    int order = strcmp(schema->domain, domain);
    if (order == 0)
        order = strcmp(schema->op_type, op_type);
    if (order == 0)
        order = schema->since < since ? -1 : schema->since > since;
    return order;
}

/* The number of schemas that stand before (domain, op_type, since). */
static uint32_t schemas_before(const char *domain, const char *op_type, int64_t since)
{
    uint32_t low = 0, high = schema_table_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (schema_compare(&schema_table[middle], domain, op_type, since) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool schema_is(const struct schema *schema, const char *domain, const char *op_type)
{
    return strcmp(schema->domain, domain) == 0 && strcmp(schema->op_type, op_type) == 0;
}

const struct schema *schema_find(const char *domain, const char *op_type, int64_t opset)
{
    domain = domain_text(domain);
    if (opset < 1)
        return NULL;
    uint32_t after = schemas_before(domain, op_type, opset < INT64_MAX ? opset + 1 : opset);
    if (after == 0 || !schema_is(&schema_table[after - 1], domain, op_type))
        return NULL;
    return &schema_table[after - 1];
}

const struct schema *schema_versions(const char *domain, const char *op_type, uint32_t *count)
{
    domain = domain_text(domain);
    uint32_t first = schemas_before(domain, op_type, 0);
    *count = schemas_before(domain, op_type, INT64_MAX) - first;
    return *count > 0 ? &schema_table[first] : NULL;
}

const struct schema_attribute *schema_attribute_find(const struct schema *schema, const char *name)
{
    for (uint16_t i = 0; i < schema->attribute_count; i++)
        if (strcmp(schema->attributes[i].name, name) == 0)
            return &schema->attributes[i];
    return NULL;
}

static const struct schema_parameter *parameter_at(const struct schema_parameter *parameters, uint16_t count,
                                                   uint32_t position)
{
    if (position < count)
        return &parameters[position];
    if (count > 0 && parameters[count - 1].option == PARAMETER_VARIADIC)
        return &parameters[count - 1];
    return NULL;
}

const struct schema_parameter *schema_input(const struct schema *schema, uint32_t position)
{
    return parameter_at(schema->inputs, schema->input_count, position);
}

const struct schema_parameter *schema_output(const struct schema *schema, uint32_t position)
{
    return parameter_at(schema->outputs, schema->output_count, position);
}

int64_t schema_newest(const char *domain)
{
    if (*domain_text(domain) == '\0')
        return OPSHIFT_OPSET_NEWEST;
    return strcmp(domain, "ai.onnx.ml") == 0 ? ML_OPSET_NEWEST : INT64_MAX;
}

const char *schema_other_type(uint16_t number)
{
    return number < schema_other_type_count ? schema_other_types[number] : NULL;
}

bool type_set_begins(const struct type_set *types, const char *beginning)
{
    for (const uint16_t *other = types->others; other != NULL && *other != UINT16_MAX; other++)
        if (strncmp(schema_other_type(*other), beginning, strlen(beginning)) == 0)
            return true;
    return false;
}

const struct schema *schema_all(uint32_t *count)
{
    *count = schema_table_count;
    return schema_table;
}
