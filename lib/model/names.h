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
/* Is it this one? It needs no table. */
bool names_is(const struct names *names, name_id id, const void *data, size_t size);
/* Of names in a row, for a table of what has several: whoever makes a file cannot choose them so that they meet. */
uint64_t names_hash(const struct names *names, const name_id *ids, size_t count);
/* A name as a file spells it, in a list of such. */
struct name_text {
    const uint8_t *data;
    uint32_t size;
    uint32_t same; /* its own index; or that of one before it of the same bytes; or NAME_KNOWN and the id that it has */
};
#define NAME_KNOWN (UINT32_C(1) << 31)
/* Some more names come, of a file that was read up to `at`, of `end` bytes, with those that are there: where the table
 * has to grow for them, it grows for as many as may come behind them. */
void names_expect(struct names *names, size_t more, uint64_t at, uint64_t end);
/* Adds all of a list, quicker than one by one. False: no memory. */
bool names_add_all(struct names *names, const struct name_text *texts, size_t count, name_id *ids);
/* The same, for a name that is also found while the table rests, as some are, such as those of attributes. */
name_id names_keep(struct names *names, const void *data, size_t size);
/* Most names are there now: the table that finds them gives back its memory until it is needed again. */
void names_rest(struct names *names);
bool names_find(struct names *names, const void *data, size_t size, name_id *id);
struct bytes names_bytes(const struct names *names, name_id id); /* NUL-terminated too */
const char *names_text(const struct names *names, name_id id);   /* as C text, for messages */
/* NULL: it holds a NUL, so that it is no name that we know. */
const char *names_whole(const struct names *names, name_id id);
uint32_t names_count(const struct names *names); /* ids are below this */
void names_sort(name_id *ids, size_t count);     /* by rising id */
uint64_t names_memory(const struct names *names);

#endif
