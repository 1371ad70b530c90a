/* Interned names of a model: two names are equal if their ids are. */
#ifndef MODEL_NAMES_H
#define MODEL_NAMES_H

#include <stdbool.h>

#include "base/arena.h"

typedef uint32_t name_id;
#define NAME_NONE 0u /* the empty name, always there */

struct names;

struct names *names_new(void); /* NULL: no memory */
void names_free(struct names *names);
name_id names_add(struct names *names, const void *data, size_t size); /* UINT32_MAX: no memory */
#define NAME_NO_MEMORY UINT32_MAX
/* Starts to load the memory that names_add will need for a name. */
void names_expect(const struct names *names, const void *data, size_t size);
/* Does the id have this name? */
bool names_is(const struct names *names, name_id id, const void *data, size_t size);
bool names_find(const struct names *names, const void *data, size_t size, name_id *id);
/* The same; compares the text of an id that it probably has first. */
bool names_find_likely(const struct names *names, struct bytes text, name_id likely, name_id *id);
struct bytes names_bytes(const struct names *names, name_id id); /* NUL-terminated too */
const char *names_text(const struct names *names, name_id id);   /* as C text, for messages */
/* The name as C text; NULL: it contains a NUL, so it equals none of our names. */
const char *names_whole(const struct names *names, name_id id);
uint32_t names_count(const struct names *names); /* ids are below this */
void names_sort(name_id *ids, size_t count);     /* by rising id */
uint64_t names_memory(const struct names *names);

#endif
