/* Bytes of a file that go to another within the kernel, which copies them once; a read and a write copy them twice. */
#ifndef BASE_PUMP_H
#define BASE_PUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PUMP_PIECE (512u << 10) /* bytes at a time, at most */

/* A pipe with room for twice as many, since a piece may start and end within a page. Starts with PUMP_NEW. */
struct pump {
    int in, out;  /* its ends; -1: none as yet, */
    bool refused; /* or never */
};
#define PUMP_NEW ((struct pump){.in = -1, .out = -1})

/* Moves up to PUMP_PIECE bytes, at `from` of one file and `to` of the other. How many were moved; fewer than size: the
 * system does not do this, or refuses, or the file ends there. It is not asked again then; a read and a write tell why.
 */
size_t pump_move(struct pump *pump, int source, uint64_t from, int target, uint64_t to, size_t size);
void pump_close(struct pump *pump);

#endif
