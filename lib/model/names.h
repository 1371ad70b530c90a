/* Every name in a model once: an id stands for its bytes, so that two names are equal when their ids are. */
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
/* The same, quicker where the name is the one that is guessed. */
name_id names_add_guessed(struct names *names, name_id guess, const void *data, size_t size);
name_id names_add_either(struct names *names, name_id guess, name_id other, const void *data, size_t size);
/* This name will be asked for soon: its place in the table is fetched meanwhile. */
void names_expect(const struct names *names, const void *data, size_t size);
/* Most names are there now: the table that finds them gives back its memory until it is needed again. */
void names_rest(struct names *names);
bool names_find(struct names *names, const void *data, size_t size, name_id *id);
struct bytes names_bytes(const struct names *names, name_id id); /* NUL-terminated too */
const char *names_text(const struct names *names, name_id id);   /* as C text, for messages */
uint32_t names_count(const struct names *names);                 /* ids are below this */
void names_sort(name_id *ids, size_t count);                     /* by rising id */
uint64_t names_memory(const struct names *names);

#endif
