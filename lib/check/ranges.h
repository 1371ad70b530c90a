/* Ranges of bytes in files, and whether a new one lies across those that are known. */
#ifndef CHECK_RANGES_H
#define CHECK_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct file_range {
    uint64_t file; /* which one */
    uint64_t offset, end;
    uint64_t reach; /* the greatest end of this file from the start of the run up to here */
};

/* Start with {0}. Runs, each sorted, the longest first: as many as the count has bits, of the length of its bit. */
struct ranges {
    struct file_range *items, *spare; /* spare: where two runs are merged */
    uint32_t count, room;
};

void ranges_free(struct ranges *ranges);
/* Adds size bytes at an offset of a file; offset + size is at most UINT64_MAX. *across: some of the bytes, but not just
 * the same ones as another range has, are known. n ranges take n log n steps to hold and log n squared to ask. False:
 * no memory. */
bool ranges_add(struct ranges *ranges, uint64_t file, uint64_t offset, uint64_t size, bool *across);

#endif
