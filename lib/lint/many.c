/* Lints many files with several threads, and delivers the results in the order of the files. The caller's thread
 * delivers what is next, and lints while the next file is not done. For tiny files, waking a thread costs as much as
 * linting one, so few are woken. */
#include <pthread.h>
#include <stdlib.h>

#include "lint/lint.h"

/* Files that may wait for delivery: enough to bridge the time that a thread is not scheduled while others lint tiny
 * files. The number of their findings bounds the memory: above this number, only a few files per thread may wait. */
#define AHEAD          64
#define AHEAD_FEW      4
#define FINDINGS_AHEAD 4096
#define JOBS_MAX       256 /* more would not help, and threads take memory */

/* The state of one file. */
struct slot {
    struct opshift_findings *findings;
    struct opshift_error error;
    enum opshift_status status;
    bool done;
};

/* Files are taken in order; file i uses slot i % slot_count, which is free once file i - slot_count is delivered. */
struct lint_work {
    const struct opshift_lint *lint;
    const char *const *paths;
    size_t count;
    struct slot *slots;
    size_t slot_count, few; /* few: slots used regardless of the number of findings */
    size_t taken, handed;   /* number of files so far */
    size_t findings;        /* in files that wait for delivery */
    bool stopped;
    pthread_mutex_t lock;
    pthread_cond_t room;  /* half of the slots (or of the few) are free */
    pthread_cond_t ready; /* the next file to deliver is done */
};

static bool has_room(const struct lint_work *work)
{
    size_t ahead = work->taken - work->handed;
    return ahead < work->few || (ahead < work->slot_count && work->findings < FINDINGS_AHEAD);
}

static size_t slot_findings(const struct slot *slot)
{
    return slot->findings ? opshift_findings_count(slot->findings) : 0;
}

/* Takes the next file and lints it. The lock is held on entry and exit, and released in between. */
static void lint_next(struct lint_work *work)
{
    size_t index = work->taken++;
    struct slot *slot = &work->slots[index % work->slot_count];
    pthread_mutex_unlock(&work->lock);
    slot->status = opshift_lint_file(work->lint, work->paths[index], &slot->findings, &slot->error);
    pthread_mutex_lock(&work->lock);
    slot->done = true;
    work->findings += slot_findings(slot);
    if (index == work->handed)
        pthread_cond_signal(&work->ready);
}

static void *lint_some(void *data)
{
    struct lint_work *work = data;
    pthread_mutex_lock(&work->lock);
    while (!work->stopped && work->taken < work->count) {
        if (has_room(work))
            lint_next(work);
        else
            pthread_cond_wait(&work->room, &work->lock);
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

/* Delivers one file, and frees its slot. */
static enum opshift_status hand_over(struct slot *slot, opshift_lint_done done, void *data, struct opshift_error *error)
{
    enum opshift_status status = error_give(error, slot->status, &slot->error);
    if (status == OPSHIFT_OK)
        status = done(data, slot->findings, error);
    opshift_findings_free(slot->findings);
    *slot = (struct slot){0};
    return status;
}

static enum opshift_status hand_all_over(struct lint_work *work, opshift_lint_done done, void *data,
                                         struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    pthread_mutex_lock(&work->lock);
    while (status == OPSHIFT_OK && work->handed < work->count) {
        struct slot *slot = &work->slots[work->handed % work->slot_count];
        if (slot->done) {
            work->findings -= slot_findings(slot);
            pthread_mutex_unlock(&work->lock);
            status = hand_over(slot, done, data, error);
            pthread_mutex_lock(&work->lock);
            size_t ahead = work->taken - ++work->handed;
            if (ahead == work->slot_count / 2 || ahead == work->few / 2)
                pthread_cond_broadcast(&work->room);
        } else if (work->taken < work->count && has_room(work)) {
            lint_next(work);
        } else {
            pthread_cond_wait(&work->ready, &work->lock);
        }
    }
    work->stopped = true;
    pthread_cond_broadcast(&work->room);
    pthread_mutex_unlock(&work->lock);
    return status;
}

static enum opshift_status lint_together(struct lint_work *work, unsigned jobs, opshift_lint_done done, void *data,
                                         struct opshift_error *error)
{
    pthread_t threads[JOBS_MAX];
    unsigned started = 0;
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->room, NULL);
    pthread_cond_init(&work->ready, NULL);
    /* If the system gives fewer threads than requested, the lint runs with those. */
    while (started + 1 < jobs && pthread_create(&threads[started], NULL, lint_some, work) == 0)
        started++;
    enum opshift_status status = hand_all_over(work, done, data, error);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&work->ready);
    pthread_cond_destroy(&work->room);
    pthread_mutex_destroy(&work->lock);
    return status;
}

enum opshift_status opshift_lint_files(const struct opshift_lint *lint, const char *const *paths, size_t count,
                                       unsigned jobs, opshift_lint_done done, void *data, struct opshift_error *error)
{
    if (jobs > JOBS_MAX)
        jobs = JOBS_MAX;
    if (jobs > count)
        jobs = (unsigned)count;
    /* A single thread delivers each file before it takes the next. */
    struct lint_work work = {.lint = lint, .paths = paths, .count = count, .slot_count = 1, .few = 1};
    if (jobs > 1) {
        work.few = (size_t)jobs * AHEAD_FEW;
        work.slot_count = work.few > AHEAD ? work.few : AHEAD;
    }
    work.slots = calloc(work.slot_count, sizeof(*work.slots));
    if (work.slots == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = lint_together(&work, jobs, done, data, error);
    for (size_t i = 0; i < work.slot_count; i++)
        opshift_findings_free(work.slots[i].findings);
    free(work.slots);
    return status;
}
