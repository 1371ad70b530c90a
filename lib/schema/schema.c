/* Finds an operator's schema in the generated table. */
#include "schema/schema.h"

#include <string.h>

#include "schema/schema_table.h"

static const char *domain_text(const char *domain)
{
    return *domain == 'a' && strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

static bool schema_is(const struct schema *schema, const char *domain, const char *op_type)
{
    return *schema->op_type == *op_type && *schema->domain == *domain && strcmp(schema->op_type, op_type) == 0 &&
           strcmp(schema->domain, domain) == 0;
}

const struct schema *schema_versions(const char *domain, const char *op_type, uint32_t *count)
{
    domain = domain_text(domain);
    uint32_t slot = schema_slot(domain, op_type);
    while (schema_slots[slot].count > 0 && !schema_is(&schema_table[schema_slots[slot].first], domain, op_type))
        slot = (slot + 1) & (SCHEMA_SLOTS - 1);
    *count = schema_slots[slot].count;
    return *count > 0 ? &schema_table[schema_slots[slot].first] : NULL;
}

enum operator_id schema_operator(const char *domain, const char *op_type)
{
    uint32_t count;
    const struct schema *first = schema_versions(domain, op_type, &count);
    return first ? first->id : OPERATOR_NONE;
}

bool operator_is_random(enum operator_id id)
{
    return id == OPERATOR_RANDOM_NORMAL || id == OPERATOR_RANDOM_NORMAL_LIKE || id == OPERATOR_RANDOM_UNIFORM ||
           id == OPERATOR_RANDOM_UNIFORM_LIKE || id == OPERATOR_MULTINOMIAL || id == OPERATOR_BERNOULLI;
}

const struct schema *schema_find(const char *domain, const char *op_type, int64_t opset)
{
    uint32_t count;
    const struct schema *first = schema_versions(domain, op_type, &count);
    while (count > 0 && first[count - 1].since > opset)
        count--;
    return count > 0 ? &first[count - 1] : NULL;
}

const struct schema *schema_find_later(const char *domain, const char *op_type, int64_t opset)
{
    uint32_t count;
    const struct schema *found = schema_find(domain, op_type, opset);
    return found ? found : schema_versions(domain, op_type, &count);
}

bool schema_is_removed(const struct schema *schema)
{
    uint32_t count;
    const struct schema *first = schema_versions(schema->domain, schema->op_type, &count);
    return schema->deprecated && schema == first + count - 1;
}

static const struct type_variable *variable_of(const struct schema *schema, const struct schema_parameter *parameter)
{
    return &schema->variables[parameter->variable];
}

const struct type_set *schema_types(const struct schema *schema, const struct schema_parameter *parameter)
{
    return &variable_of(schema, parameter)->types;
}

const char *schema_variable_name(const struct schema *schema, const struct schema_parameter *parameter)
{
    return variable_of(schema, parameter)->name;
}

const struct schema_attribute *schema_attribute_find(const struct schema *schema, const char *name)
{
    return schema_attribute_named(schema, bytes_of(binary_of(name)));
}

const struct schema_attribute *schema_attribute_named(const struct schema *schema, struct bytes name)
{
    for (uint16_t i = 0; schema && i < schema->attribute_count; i++)
        if (bytes_are(name, schema->attributes[i].name))
            return &schema->attributes[i];
    return NULL;
}

const struct schema_attribute *schema_attribute(const struct schema *schema, enum attribute_id id)
{
    for (uint16_t i = 0; i < schema->attribute_count; i++)
        if (schema->attributes[i].id == id)
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
    return strcmp(domain, "ai.onnx.ml") == 0 ? OPSHIFT_ML_OPSET_NEWEST : INT64_MAX;
}

bool schema_knows(const char *domain)
{
    return schema_newest(domain) != INT64_MAX;
}

bool type_set_begins(const struct type_set *types, const char *beginning)
{
    for (const char *const *other = types->others; *other != NULL; other++)
        if (strncmp(*other, beginning, strlen(beginning)) == 0)
            return true;
    return false;
}

const struct schema *schema_all(uint32_t *count)
{
    *count = schema_table_count;
    return schema_table;
}
