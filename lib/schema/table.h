/* The generated table: what table.c, made from operators.jsonl, defines. */
#ifndef SCHEMA_TABLE_H
#define SCHEMA_TABLE_H

#include "schema/hash.h"
#include "schema/schema.h"

extern const struct schema schema_table[]; /* by domain, operator, since */
extern const uint32_t schema_table_count;
extern const struct schema_rows schema_slots[];
extern const char *const schema_other_types[];
extern const uint16_t schema_other_type_count;

#endif
