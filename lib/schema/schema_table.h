/* Declares the table generated from operators.jsonl (table.c). */
#ifndef SCHEMA_SCHEMA_TABLE_H
#define SCHEMA_SCHEMA_TABLE_H

#include "schema/schema.h"

extern const struct schema schema_table[]; /* by domain, operator, since */
extern const uint32_t schema_table_count;
extern const struct schema_rows schema_slots[];

#endif
