/* Definitions common to the generator of the operator table and its users. */
#ifndef SCHEMA_HASH_H
#define SCHEMA_HASH_H

#include <stdint.h>

#define SCHEMA_NAME_SIZE 32    /* buffer size for a name, including the NUL */
#define SCHEMA_SLOTS     1024u /* a power of two, a few times the number of operators */

/* The versions of an operator. count 0: an empty slot. */
struct schema_rows {
    uint16_t first, count;
};

/* The first slot to probe; linear probing follows. */
static inline uint32_t schema_slot(const char *domain, const char *op_type)
{
    uint32_t hash = 2166136261u;
    for (; *domain; domain++)
        hash = (hash ^ (uint8_t)*domain) * 16777619u;
    for (; *op_type; op_type++)
        hash = (hash ^ (uint8_t)*op_type) * 16777619u;
    return (hash ^ hash >> 15) & (SCHEMA_SLOTS - 1);
}

#endif
