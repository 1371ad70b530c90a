/* Threads for Split: a team that is started once and waits for work, and the distribution of rows over its threads
 * or over threads started for one call. Each thread first takes the chunks of its own share, which its cache may
 * still hold from the previous call, then chunks left of other shares. A started thread may be scheduled late; the
 * others then do its work and do not wait for it. */
#include "split/split_copy.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

#define THREADS_MAX 64

/* ---- a team ---- */

/* How long a thread spins before it sleeps; waking it takes as long as splitting a megabyte. */
#define PATIENCE_NS 2000000
#define LOOKS       64 /* polls between two reads of the clock */

/* Runs one task at a time. A thread that joins first increments `working`, then takes a place from `open`; when the
 * caller ends, it first sets `open` to 0, then waits until `working` is 0. So either the thread finds no place, or
 * the caller sees it working. */
struct opshift_team {
    atomic_flag busy; /* a task is running */
    atomic_bool ends;
    atomic_uint called;  /* number of tasks so far */
    atomic_uint open;    /* threads that may still join the current task */
    atomic_uint working; /* threads at work, without the caller's */
    atomic_uint asleep;
    void (*work)(void *data);
    void *data;
    pthread_mutex_t lock; /* protects sleeping and waking */
    pthread_cond_t wake;
    pid_t process; /* a child process has none of the threads */
    bool patient;  /* each thread has a processor to spin on */
    unsigned count;
    pthread_t threads[];
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static bool is_called(struct opshift_team *team, unsigned seen)
{
    return atomic_load(&team->called) != seen || atomic_load(&team->ends);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Spins; false: no task came within PATIENCE_NS. */
static bool wait_awake(struct opshift_team *team, unsigned seen)
{
    int64_t end = now() + PATIENCE_NS;
    do
        for (int i = 0; i < LOOKS; i++) {
            if (is_called(team, seen))
                return true;
            relax();
        }
    while (now() < end);
    return false;
}

static void wait_asleep(struct opshift_team *team, unsigned seen)
{
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->asleep, 1);
    while (!is_called(team, seen))
        pthread_cond_wait(&team->wake, &team->lock);
    atomic_fetch_sub(&team->asleep, 1);
    pthread_mutex_unlock(&team->lock);
}

static void wake(struct opshift_team *team)
{
    if (atomic_load(&team->asleep) == 0)
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
}

static bool find_room(struct opshift_team *team)
{
    unsigned open = atomic_load(&team->open);
    while (open > 0)
        if (atomic_compare_exchange_weak(&team->open, &open, open - 1))
            return true;
    return false;
}

static void *member_run(void *data)
{
    struct opshift_team *team = data;
    unsigned seen = 0;
    for (;;) {
        if (!team->patient || !wait_awake(team, seen))
            wait_asleep(team, seen);
        if (atomic_load(&team->ends))
            return NULL;
        seen = atomic_load(&team->called);
        atomic_fetch_add(&team->working, 1);
        if (find_room(team))
            team->work(team->data);
        atomic_fetch_sub(&team->working, 1);
    }
}

enum opshift_status opshift_team_new(unsigned threads, struct opshift_team **team, struct opshift_error *error)
{
    *team = NULL;
    threads = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
    struct opshift_team *made = calloc(1, sizeof(*made) + (threads - 1) * sizeof(made->threads[0]));
    if (made == NULL)
        return opshift_no_memory(error);
    atomic_flag_clear(&made->busy);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->wake, NULL);
    made->process = getpid();
    made->patient = sysconf(_SC_NPROCESSORS_ONLN) >= (long)threads;
    /* The system may provide fewer threads than requested. */
    while (made->count + 1 < threads && pthread_create(&made->threads[made->count], NULL, member_run, made) == 0)
        made->count++;
    *team = made;
    return OPSHIFT_OK;
}

void opshift_team_free(struct opshift_team *team)
{
    if (team == NULL)
        return;
    if (team->process != getpid()) { /* a child process: there are no threads to join, and their locks stay locked */
        free(team);
        return;
    }
    atomic_store(&team->ends, true);
    wake(team);
    for (unsigned i = 0; i < team->count; i++)
        pthread_join(team->threads[i], NULL);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

unsigned team_threads(const struct opshift_team *team)
{
    return team->count + 1;
}

/* Yields at times: a working thread may have lost its processor to this one. */
static void wait_for_others(struct opshift_team *team)
{
    for (unsigned looks = 1; atomic_load(&team->working) > 0; looks++)
        if (looks % LOOKS == 0)
            sched_yield();
        else
            relax();
}

bool team_work(struct opshift_team *team, unsigned threads, void (*work)(void *data), void *data)
{
    if (team->process != getpid() || atomic_flag_test_and_set(&team->busy))
        return false;
    team->work = work;
    team->data = data;
    atomic_store(&team->open, threads - 1);
    atomic_fetch_add(&team->called, 1);
    wake(team);
    work(data);
    atomic_store(&team->open, 0);
    wait_for_others(team);
    atomic_flag_clear(&team->busy);
    return true;
}

/* ---- distribution of rows ---- */

#define STARTED_LEAST ((uint64_t)4 << 20)   /* bytes per started thread; smaller copies end before it begins */
#define WAITING_LEAST ((uint64_t)256 << 10) /* bytes per waiting thread of a team */
#define CHUNK         ((uint64_t)256 << 10)

struct split_work {
    const struct split_job *job;
    const struct split_method *path;
    uint64_t rows;   /* rows per chunk; 0: a row is several chunks */
    uint64_t pieces; /* chunks per row, if rows is 0 */
    uint64_t count;  /* number of chunks */
    unsigned threads;
    atomic_uint joined;
    atomic_uint_least64_t next[THREADS_MAX]; /* next chunk of each share, from its start */
};

/* Gives each thread the same number of chunks. */
static struct split_work work_make(const struct split_job *job, const struct split_method *path, unsigned threads)
{
    struct split_work work = {.job = job, .path = path, .threads = threads};
    if (job->row > CHUNK) {
        work.pieces = (job->row - 1) / CHUNK + 1;
        work.count = job->rows * work.pieces;
        return work;
    }
    /* Whole cache lines of each part, so that no line is written by two threads. */
    uint64_t unit = job->row * SPLIT_TILE_ROWS <= CHUNK ? SPLIT_TILE_ROWS : 1;
    uint64_t count = (job->rows * job->row - 1) / (CHUNK * threads) + 1;
    uint64_t rows = (job->rows - 1) / (count * threads) + 1;
    work.rows = (rows + unit - 1) / unit * unit;
    work.count = (job->rows - 1) / work.rows + 1;
    return work;
}

/* The first part that ends after `start`. */
static size_t find_part(const struct split_job *job, size_t start)
{
    size_t low = 0, high = job->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (job->parts[middle].start + job->parts[middle].size > start)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Copies bytes [start, end) of one row. */
static void run_piece(const struct split_job *job, uint64_t row, size_t start, size_t end)
{
    for (size_t i = find_part(job, start); i < job->count && job->parts[i].start < end; i++) {
        const struct split_part *part = &job->parts[i];
        size_t from = part->start > start ? part->start : start;
        size_t size = (part->start + part->size < end ? part->start + part->size : end) - from;
        struct split_job piece = *job;
        piece.from += row * job->row;
        piece.rows = piece.count = 1;
        piece.aligned = false;
        piece.least = piece.most = size;
        piece.parts = &(struct split_part){part->to + row * part->size + (from - part->start), from, size};
        split_method_find(&piece)->run(&piece, 0, 1);
    }
}

static void run_chunk(const struct split_work *work, uint64_t at)
{
    const struct split_job *job = work->job;
    if (work->rows == 0) {
        size_t start = at % work->pieces * CHUNK;
        run_piece(job, at / work->pieces, start, job->row - start < CHUNK ? job->row : start + CHUNK);
    } else {
        uint64_t first = at * work->rows, left = job->rows - first;
        work->path->run(job, first, first + (left < work->rows ? left : work->rows));
    }
}

static void run_chunks(void *data)
{
    struct split_work *work = data;
    unsigned own = atomic_fetch_add(&work->joined, 1);
    uint64_t most = (work->count - 1) / work->threads + 1; /* chunks per share */
    for (unsigned i = 0; i < work->threads; i++) {
        unsigned share = (own + i) % work->threads;
        uint64_t start = share * most, taken;
        while ((taken = atomic_fetch_add(&work->next[share], 1)) < most && start + taken < work->count)
            run_chunk(work, start + taken);
    }
}

enum { WAITING, WORKING, DISMISSED };

/* A started thread. The first to change its state from WAITING, the thread or its starter, decides whether it works. */
struct split_helper {
    atomic_int state;
    struct split_work *work; /* on the starter's stack; valid only while WORKING */
    pthread_t thread;
};

static bool helper_take(struct split_helper *helper, int state)
{
    int waiting = WAITING;
    return atomic_compare_exchange_strong(&helper->state, &waiting, state);
}

/* A helper dismissed before it began frees itself. */
static void *helper_run(void *data)
{
    struct split_helper *helper = data;
    if (helper_take(helper, WORKING))
        run_chunks(helper->work);
    else
        free(helper);
    return NULL;
}

/* NULL: it cannot be started; the other threads do its work. */
static struct split_helper *helper_start(struct split_work *work)
{
    struct split_helper *helper = malloc(sizeof(*helper));
    if (helper == NULL)
        return NULL;
    helper->work = work;
    atomic_init(&helper->state, WAITING);
    if (pthread_create(&helper->thread, NULL, helper_run, helper) == 0)
        return helper;
    free(helper);
    return NULL;
}

static void helper_end(struct split_helper *helper)
{
    if (helper == NULL)
        return;
    pthread_t thread = helper->thread; /* a dismissed helper may already be freed */
    if (helper_take(helper, DISMISSED)) {
        pthread_detach(thread);
        return;
    }
    pthread_join(thread, NULL);
    free(helper);
}

/* Starts threads - 1 helpers. */
static void share_started(struct split_work *work, unsigned threads)
{
    struct split_helper *helpers[THREADS_MAX];
    for (unsigned i = 1; i < threads; i++)
        helpers[i] = helper_start(work);
    run_chunks(work);
    for (unsigned i = 1; i < threads; i++)
        helper_end(helpers[i]);
}

static unsigned smaller(uint64_t a, unsigned b)
{
    return a < b ? (unsigned)a : b;
}

void split_share(const struct split_job *job, const struct split_method *path,
                 const struct opshift_split_options *options)
{
    struct opshift_team *team = options != NULL ? options->team : NULL;
    unsigned threads = options != NULL ? options->threads : 1;
    if (team != NULL && (threads == 0 || threads > team_threads(team)))
        threads = team_threads(team);
    threads = smaller(job->size / (team != NULL ? WAITING_LEAST : STARTED_LEAST), smaller(THREADS_MAX, threads));
    if (threads > 1) {
        struct split_work work = work_make(job, path, threads);
        if (team == NULL)
            share_started(&work, threads);
        else if (!team_work(team, threads, run_chunks, &work))
            run_chunks(&work);
    } else {
        path->run(job, 0, job->rows);
    }
}
