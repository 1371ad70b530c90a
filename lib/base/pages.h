/* Memory of large tables. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/* calloc for a table that will be written all over: its pages are mapped by one system call instead of one fault for
 * each, or two where a slot is read first. NULL: no memory. */
void *pages_calloc(size_t count, size_t size);

#endif
