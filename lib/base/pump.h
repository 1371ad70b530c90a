/* Copies between files within the kernel, which copies bytes once; a read and a write copy them twice. */
#ifndef BASE_PUMP_H
#define BASE_PUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PUMP_PIECE (512u << 10) /* maximum bytes per call */

/* A pipe with room for twice PUMP_PIECE, since a piece may start and end within a page. Starts with PUMP_NEW. */
struct pump {
    int in, out;  /* its ends; -1: not opened */
    bool refused; /* the system does not support it */
};
#define PUMP_NEW ((struct pump){.in = -1, .out = -1})

/* Copies up to PUMP_PIECE bytes from offset `from` of one file to `to` of the other. Returns the count; fewer than
 * size: not supported, refused, or end of file. Then the pump is disabled, and the caller's read and write give the
 * error.
 */
size_t pump_move(struct pump *pump, int source, uint64_t from, int target, uint64_t to, size_t size);
void pump_close(struct pump *pump);

#endif
