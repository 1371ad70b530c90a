/* Copies between files with splice: pages go into a pipe by reference and are copied from there into the other file. */
#include "config.h"

#include "base/pump.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/descriptor.h"

#if defined(HAVE_SPLICE) && defined(F_SETPIPE_SZ)
/* Sets the pipe to its maximum unprivileged size; with a smaller pipe it gains nothing. */
static bool pump_open(struct pump *pump)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pump->out = ends[0];
    pump->in = ends[1];
    return fcntl(pump->in, F_SETPIPE_SZ, 2 * PUMP_PIECE) >= (int)(2 * PUMP_PIECE);
}

static size_t piece_move(struct pump *pump, int source, uint64_t from, int target, uint64_t to, size_t size)
{
    loff_t read_at = (loff_t)from, write_at = (loff_t)to;
    while (read_at - (loff_t)from < (loff_t)size) {
        ssize_t held = splice(source, &read_at, pump->in, NULL, size - (size_t)(read_at - (loff_t)from), 0);
        if (held <= 0)
            break;
        for (ssize_t moved; held > 0; held -= moved) {
            moved = splice(pump->out, NULL, target, &write_at, (size_t)held, 0);
            if (moved <= 0)
                return (size_t)write_at - (size_t)to;
        }
    }
    return (size_t)write_at - (size_t)to;
}
#endif

size_t pump_move(struct pump *pump, int source, uint64_t from, int target, uint64_t to, size_t size)
{
    size_t moved = 0;
#if defined(HAVE_SPLICE) && defined(F_SETPIPE_SZ)
    if (pump->refused)
        return 0;
    if (pump->in >= 0 || pump_open(pump))
        moved = piece_move(pump, source, from, target, to, size);
#endif
    if (moved == size)
        return moved;
    pump_close(pump); /* it may hold leftover bytes */
    pump->refused = true;
    return moved;
}

void pump_close(struct pump *pump)
{
    descriptor_close(pump->in);
    descriptor_close(pump->out);
    pump->in = pump->out = -1;
}
