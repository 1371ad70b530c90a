/* Maps the pages of large tables at once. */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE ((size_t)1 << 17) /* smaller tables are often in memory that is mapped already */

void *pages_calloc(size_t count, size_t size)
{
    uint8_t *made = calloc(count, size);
#ifdef MADV_POPULATE_WRITE
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = made ? count * size : 0;
    size_t head = (page - (uintptr_t)made % page) % page;
    /* Where this fails, the pages are mapped by faults. */
    if (whole >= LARGE && head + page <= whole)
        madvise(made + head, (whole - head) / page * page, MADV_POPULATE_WRITE);
#endif
    return made;
}
