/* Worker processes: each has at most one task. */
#ifndef MANY_WORKER_POOL_H
#define MANY_WORKER_POOL_H

#include "base/buffer.h"

struct worker_pool;

/* Of a clock that nobody sets. */
double seconds_now(void);

struct pool_options {
    const char *program;
    char *const *arguments;
    unsigned count;
    unsigned seconds; /* of a task; 0: any time */
};

/* What a worker gave. */
struct pool_answer {
    uint32_t tag;
    uint8_t *body; /* freed by the caller; NULL: it died */
    size_t size;
    struct opshift_error death; /* how it died; its text names the kind */
    double seconds;
};

/* The processes are started when they are needed. options must outlive the pool. */
enum opshift_status pool_new(const struct pool_options *options, struct worker_pool **pool,
                             struct opshift_error *error);
/* Is a worker free? */
bool pool_has_room(const struct worker_pool *pool);
unsigned pool_running(const struct worker_pool *pool);
/* Gives a packet to a free worker. IO: no process can be started. */
enum opshift_status pool_give(struct worker_pool *pool, uint32_t tag, const struct buffer *packet,
                              struct opshift_error *error);
/* Waits for an answer, or a tenth of a second. False: there is none yet. */
bool pool_wait(struct worker_pool *pool, struct pool_answer *answer);
/* Asks all workers that have a task to drop it. */
void pool_stop(struct worker_pool *pool);
void pool_free(struct worker_pool *pool); /* kills what still works */

#endif
