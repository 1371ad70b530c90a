/* Starts worker processes, gives them tasks and takes their answers; one that dies is replaced for the next task. */
#include "many/worker_pool.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "base/child.h"
#include "many/packet.h"

#define WAIT_MS 100

struct pool_worker {
    struct child *child; /* NULL: not started */
    bool busy;
    uint32_t tag;
    double start; /* of the task */
};

struct worker_pool {
    const struct pool_options *options;
    struct child_options how;
    struct pollfd *watched;
    unsigned *who; /* the worker of each watched socket */
    unsigned running;
    struct pool_worker workers[];
};

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

enum opshift_status pool_new(const struct pool_options *options, struct worker_pool **pool, struct opshift_error *error)
{
    struct worker_pool *made = *pool = calloc(1, sizeof(*made) + options->count * sizeof(*made->workers));
    if (made == NULL)
        return opshift_no_memory(error);
    made->options = options;
    made->how = (struct child_options){.who = "the worker process"};
    made->watched = calloc(options->count, sizeof(*made->watched));
    made->who = calloc(options->count, sizeof(*made->who));
    return made->watched && made->who ? OPSHIFT_OK : opshift_no_memory(error);
}

bool pool_has_room(const struct worker_pool *pool)
{
    return pool->running < pool->options->count;
}

unsigned pool_running(const struct worker_pool *pool)
{
    return pool->running;
}

enum opshift_status pool_give(struct worker_pool *pool, uint32_t tag, const struct buffer *packet,
                              struct opshift_error *error)
{
    struct pool_worker *worker = pool->workers;
    while (worker->busy)
        worker++;
    enum opshift_status status = OPSHIFT_OK;
    if (worker->child == NULL)
        status = child_start(pool->options->program, pool->options->arguments, &pool->how, &worker->child, error);
    if (status)
        return status;
    worker->busy = true;
    worker->tag = tag;
    worker->start = seconds_now();
    pool->running++;
    /* A worker that does not take it has died, which pool_wait finds. */
    child_send(worker->child, packet->data, packet->size);
    return OPSHIFT_OK;
}

/* The answer's body; NULL: it is none. */
static uint8_t *body_receive(struct child *child, size_t *size)
{
    uint64_t wanted = 0;
    uint8_t *body = NULL;
    if (child_receive(child, &wanted, sizeof(wanted)) && wanted <= PACKET_MOST)
        body = malloc((size_t)wanted + 1);
    if (body && !child_receive(child, body, (size_t)wanted)) {
        free(body);
        body = NULL;
    }
    *size = (size_t)wanted;
    return body;
}

static void answer_take(struct worker_pool *pool, struct pool_worker *worker, struct pool_answer *answer)
{
    answer->tag = worker->tag;
    answer->seconds = seconds_now() - worker->start;
    worker->busy = false;
    pool->running--;
    if (answer->body)
        return;
    if (answer->death.status == OPSHIFT_OK)
        child_end(worker->child, false, &answer->death);
    else
        child_end(worker->child, true, NULL);
    worker->child = NULL;
}

/* Those with a task, and when the first of them is late. */
static unsigned busy_list(const struct worker_pool *pool, double *left)
{
    unsigned count = 0;
    double now = seconds_now();
    *left = WAIT_MS / 1000.0;
    for (unsigned i = 0; i < pool->options->count; i++) {
        const struct pool_worker *worker = &pool->workers[i];
        if (!worker->busy)
            continue;
        pool->watched[count] = (struct pollfd){.fd = child_socket(worker->child), .events = POLLIN};
        pool->who[count++] = i;
        double own = worker->start + pool->options->seconds - now;
        if (pool->options->seconds && own < *left)
            *left = own > 0 ? own : 0;
    }
    return count;
}

bool pool_wait(struct worker_pool *pool, struct pool_answer *answer)
{
    double left;
    unsigned count = busy_list(pool, &left);
    *answer = (struct pool_answer){0};
    int found = poll(pool->watched, count, (int)(left * 1000 + 0.999));
    double now = seconds_now();
    for (unsigned i = 0; i < count; i++) {
        struct pool_worker *worker = &pool->workers[pool->who[i]];
        bool late = pool->options->seconds && now - worker->start >= pool->options->seconds;
        if (found > 0 && pool->watched[i].revents)
            answer->body = body_receive(worker->child, &answer->size);
        else if (late)
            opshift_fail(&answer->death, OPSHIFT_UNSUPPORTED, "took longer than %u seconds and was stopped",
                         pool->options->seconds);
        else
            continue;
        answer_take(pool, worker, answer);
        return true;
    }
    return false;
}

void pool_stop(struct worker_pool *pool)
{
    for (unsigned i = 0; i < pool->options->count; i++)
        if (pool->workers[i].busy)
            child_stop(pool->workers[i].child);
}

void pool_free(struct worker_pool *pool)
{
    for (unsigned i = 0; pool && i < pool->options->count; i++)
        child_end(pool->workers[i].child, true, NULL);
    if (pool) {
        free(pool->watched);
        free(pool->who);
    }
    free(pool);
}
