/* The schema of each operator and version: a table generated at build time from schema/operators.jsonl. */
#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "opshift.h"
#include "onnx.pb-c.h"
#include "schema/hash.h"
#include "schema/identifier.h"

enum parameter_option { PARAMETER_SINGLE, PARAMETER_OPTIONAL, PARAMETER_VARIADIC };

/* A set of types: bit `enum opshift_type` in tensor for plain tensors; others as texts (seq(...), map(...),
 * optional(...), sparse_tensor(...)), terminated by NULL. */
struct type_set {
    uint64_t tensor;
    const char *const *others;
};

struct type_variable {
    const char *name; /* "T"; for a fixed type the type itself ("tensor(int64)") */
    struct type_set types;
};

struct schema_parameter {
    const char *name;
    enum parameter_option option;
    bool homogeneous;
    uint8_t variable; /* index into the schema's variables */
};

/* The value of an attribute that a node does not give: the field of the attribute's type. */
struct schema_default {
    int64_t i;
    float f;
    const char *text;
    const int64_t *ints;
    const char *const *texts;
    size_t count; /* of ints or texts */
};

struct schema_attribute {
    const char *name;
    enum attribute_id id;
    Onnx__AttributeProto__AttributeType type;
    bool required;
    const struct schema_default *fallback; /* NULL: none */
};

struct schema {
    const char *op_type;
    const char *domain; /* "" for ai.onnx; "ai.onnx.ml" */
    enum operator_id id;
    uint16_t since;
    bool deprecated; /* see schema_is_removed */
    /* Not of the standard, but one that this runtime has of its own in the domain; NULL: of the standard. */
    const char *runtime;
    uint16_t early; /* ONNX Runtime has it from this opset on, before the standard; 0: it does not */
    uint32_t input_min, input_max, output_min, output_max;
    uint16_t input_count, output_count, attribute_count, variable_count; /* lengths of the lists below */
    const struct schema_parameter *inputs, *outputs;
    const struct schema_attribute *attributes;
    const struct type_variable *variables;
};

/* The types of a parameter's variable. */
const struct type_set *schema_types(const struct schema *schema, const struct schema_parameter *parameter);
/* The name of a parameter's variable. */
const char *schema_variable_name(const struct schema *schema, const struct schema_parameter *parameter);

/* The schema in force at an opset: the newest with since <= opset. NULL: unknown at this opset. Domains "" and
 * "ai.onnx" are equal. */
const struct schema *schema_find(const char *domain, const char *op_type, int64_t opset);
/* The same; where the operator is newer than the opset, its oldest version. */
const struct schema *schema_find_later(const char *domain, const char *op_type, int64_t opset);
/* The identifier of an operator that some opset has; else NONE. */
enum operator_id schema_operator(const char *domain, const char *op_type);
/* Does it draw random numbers? */
bool operator_is_random(enum operator_id id);
/* Every version of one operator, oldest first. */
const struct schema *schema_versions(const char *domain, const char *op_type, uint32_t *count);
/* Has the operator no definition from this version on? A deprecated one that a newer version follows is defined. */
bool schema_is_removed(const struct schema *schema);
const struct schema_attribute *schema_attribute_find(const struct schema *schema, const char *name);
/* The same for a name from a file, which may contain a NUL; schema may be NULL. */
const struct schema_attribute *schema_attribute_named(const struct schema *schema, struct bytes name);
/* The same by identifier. */
const struct schema_attribute *schema_attribute(const struct schema *schema, enum attribute_id id);
/* The parameter at a position (the variadic one repeats); NULL: beyond the last. */
const struct schema_parameter *schema_input(const struct schema *schema, uint32_t position);
const struct schema_parameter *schema_output(const struct schema *schema, uint32_t position);
/* Sets the missing types of a draft's references to function attributes, as in old files, from the operator's
 * schema. */
struct draft;
void schema_type_references(const struct schema *schema, struct draft *draft);
/* Has the set a non-tensor type whose text has this prefix? */
bool type_set_begins(const struct type_set *types, const char *beginning);
/* The newest known opset of a domain; INT64_MAX: unknown domain. */
int64_t schema_newest(const char *domain);
/* Are the operators of the domain known? */
bool schema_knows(const char *domain);
/* All schemas, sorted by domain, operator, since. */
const struct schema *schema_all(uint32_t *count);

#endif
