/* Lints many files with many threads, and hands over what was found in the order in which the files were given. */
#include <pthread.h>
#include <stdlib.h>

#include "lint/lint.h"

#define AHEAD    4   /* files a thread that may wait to be handed over: what bounds the memory */
#define JOBS_MAX 256 /* more would not help, and threads cost memory too */

/* One file on its way. */
struct slot {
    struct opshift_findings *findings;
    struct opshift_error error;
    enum opshift_status status;
    bool done;
};

/* Files are taken in order; file i lives in slot i % slot_count, which is free when file i - slot_count was handed
 * over. */
struct work {
    const struct opshift_lint *lint;
    const char *const *paths;
    size_t count;
    struct slot *slots;
    size_t slot_count;
    size_t taken, handed; /* files so far */
    bool stopped;
    pthread_mutex_t lock;
    pthread_cond_t room, ready; /* a slot became free; a file is done */
};

/* The next file to lint; false: there is none left. The lock is held. */
static bool take(struct work *work, size_t *index)
{
    while (!work->stopped && work->taken < work->count && work->taken - work->handed >= work->slot_count)
        pthread_cond_wait(&work->room, &work->lock);
    if (work->stopped || work->taken == work->count)
        return false;
    *index = work->taken++;
    return true;
}

static void *lint_some(void *data)
{
    struct work *work = data;
    size_t index;
    pthread_mutex_lock(&work->lock);
    while (take(work, &index)) {
        struct slot *slot = &work->slots[index % work->slot_count];
        pthread_mutex_unlock(&work->lock);
        slot->status = opshift_lint_file(work->lint, work->paths[index], &slot->findings, &slot->error);
        pthread_mutex_lock(&work->lock);
        slot->done = true;
        pthread_cond_signal(&work->ready);
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

/* Hands over one file, and frees its slot. */
static enum opshift_status hand_over(struct slot *slot, opshift_lint_done done, void *data, struct opshift_error *error)
{
    enum opshift_status status = slot->status;
    if (status && error)
        *error = slot->error;
    if (status == OPSHIFT_OK)
        status = done(data, slot->findings, error);
    opshift_findings_free(slot->findings);
    *slot = (struct slot){0};
    return status;
}

static enum opshift_status hand_all_over(struct work *work, opshift_lint_done done, void *data,
                                         struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    pthread_mutex_lock(&work->lock);
    while (status == OPSHIFT_OK && work->handed < work->count) {
        struct slot *slot = &work->slots[work->handed % work->slot_count];
        while (!slot->done)
            pthread_cond_wait(&work->ready, &work->lock);
        pthread_mutex_unlock(&work->lock);
        status = hand_over(slot, done, data, error);
        pthread_mutex_lock(&work->lock);
        work->handed++;
        pthread_cond_broadcast(&work->room);
    }
    work->stopped = true;
    pthread_cond_broadcast(&work->room);
    pthread_mutex_unlock(&work->lock);
    return status;
}

static enum opshift_status lint_one_by_one(const struct opshift_lint *lint, const char *const *paths, size_t count,
                                           opshift_lint_done done, void *data, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        struct slot slot = {0};
        slot.status = opshift_lint_file(lint, paths[i], &slot.findings, &slot.error);
        status = hand_over(&slot, done, data, error);
    }
    return status;
}

static enum opshift_status lint_together(struct work *work, unsigned jobs, opshift_lint_done done, void *data,
                                         struct opshift_error *error)
{
    pthread_t threads[JOBS_MAX];
    unsigned started = 0;
    enum opshift_status status = OPSHIFT_OK;
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->room, NULL);
    pthread_cond_init(&work->ready, NULL);
    while (started < jobs && pthread_create(&threads[started], NULL, lint_some, work) == 0)
        started++;
    /* Where the system gives fewer threads than asked for, those must do. */
    if (started > 0)
        status = hand_all_over(work, done, data, error);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&work->ready);
    pthread_cond_destroy(&work->room);
    pthread_mutex_destroy(&work->lock);
    if (started == 0)
        status = lint_one_by_one(work->lint, work->paths, work->count, done, data, error);
    return status;
}

enum opshift_status opshift_lint_files(const struct opshift_lint *lint, const char *const *paths, size_t count,
                                       unsigned jobs, opshift_lint_done done, void *data, struct opshift_error *error)
{
    if (jobs > JOBS_MAX)
        jobs = JOBS_MAX;
    if (jobs > count)
        jobs = (unsigned)count;
    if (jobs <= 1)
        return lint_one_by_one(lint, paths, count, done, data, error);
    struct work work = {.lint = lint, .paths = paths, .count = count, .slot_count = (size_t)jobs * AHEAD};
    work.slots = calloc(work.slot_count, sizeof(*work.slots));
    if (work.slots == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = lint_together(&work, jobs, done, data, error);
    for (size_t i = 0; i < work.slot_count; i++)
        opshift_findings_free(work.slots[i].findings);
    free(work.slots);
    return status;
}
