/* The work on one model, in a worker process or in the caller's. */
#ifndef MANY_WORKER_H
#define MANY_WORKER_H

#include "many/packet.h"

/* Removes the temporary files that a process left that was killed while it wrote this file. */
void leftovers_remove(const char *output);
/* Does the task, or finds that it is done already, and makes the packet of the result. */
void task_do(const struct opshift_worker *worker, const struct packet_task *task, struct buffer *packet);

#endif
