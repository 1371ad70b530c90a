/* The generated table: what table.c, made from operators.jsonl, defines. */
#ifndef SCHEMA_TABLE_H
#define SCHEMA_TABLE_H

#include "schema/schema.h"

extern const struct schema schema_table[]; /* by domain, operator, since */
extern const uint32_t schema_table_count;
extern const struct schema_rows schema_slots[];
extern const struct schema_parameter schema_parameters[];
extern const struct schema_attribute schema_attribute_list[];
extern const struct type_variable schema_variables[];
extern const uint16_t schema_others[]; /* lists, each with UINT16_MAX at its end; the first is empty */
extern const char schema_other_types[][2 * SCHEMA_NAME_SIZE];
extern const uint16_t schema_other_type_count;

#endif
