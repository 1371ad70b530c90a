/* Shares the rows of a deal among threads: each takes the chunks of its own share, which its cache may still hold from
 * the call before, and then what is left of the others'. They are those of a team, or are started for it. One that was
 * started may begin much later; then the others have done its work, and nobody waits for it. */
#include "kernel/deal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/team.h"

#define THREADS_MAX   64
#define STARTED_LEAST ((uint64_t)4 << 20)   /* bytes for each thread; fewer are dealt out before another one begins */
#define WAITING_LEAST ((uint64_t)256 << 10) /* for each of a team */
#define CHUNK         ((uint64_t)256 << 10)

struct work {
    const struct deal *deal;
    const struct deal_path *path;
    uint64_t rows;   /* of a chunk; 0: a row is several chunks */
    uint64_t pieces; /* chunks of a row, otherwise */
    uint64_t count;  /* of chunks */
    unsigned threads;
    atomic_uint joined;
    atomic_uint_least64_t next[THREADS_MAX]; /* of each share, from its start */
};

/* As many chunks for each thread. */
static struct work work_make(const struct deal *deal, const struct deal_path *path, unsigned threads)
{
    struct work work = {.deal = deal, .path = path, .threads = threads};
    if (deal->row > CHUNK) {
        work.pieces = (deal->row - 1) / CHUNK + 1;
        work.count = deal->rows * work.pieces;
        return work;
    }
    /* Whole lines of each part, so that no line is written by two threads. */
    uint64_t unit = deal->row * DEAL_TILE_ROWS <= CHUNK ? DEAL_TILE_ROWS : 1;
    uint64_t count = (deal->rows * deal->row - 1) / (CHUNK * threads) + 1;
    uint64_t rows = (deal->rows - 1) / (count * threads) + 1;
    work.rows = (rows + unit - 1) / unit * unit;
    work.count = (deal->rows - 1) / work.rows + 1;
    return work;
}

/* The first part that ends behind `start`. */
static size_t find_part(const struct deal *deal, size_t start)
{
    size_t low = 0, high = deal->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (deal->parts[middle].start + deal->parts[middle].size > start)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Bytes [start, end) of one row. */
static void run_piece(const struct deal *deal, uint64_t row, size_t start, size_t end)
{
    for (size_t i = find_part(deal, start); i < deal->count && deal->parts[i].start < end; i++) {
        const struct deal_part *part = &deal->parts[i];
        size_t from = part->start > start ? part->start : start;
        size_t size = (part->start + part->size < end ? part->start + part->size : end) - from;
        struct deal piece = *deal;
        piece.from += row * deal->row;
        piece.rows = piece.count = 1;
        piece.aligned = false;
        piece.least = piece.most = size;
        piece.parts = &(struct deal_part){part->to + row * part->size + (from - part->start), from, size};
        deal_path_find(&piece)->run(&piece, 0, 1);
    }
}

static void run_chunk(const struct work *work, uint64_t at)
{
    const struct deal *deal = work->deal;
    if (work->rows == 0) {
        size_t start = at % work->pieces * CHUNK;
        run_piece(deal, at / work->pieces, start, deal->row - start < CHUNK ? deal->row : start + CHUNK);
    } else {
        uint64_t first = at * work->rows, left = deal->rows - first;
        work->path->run(deal, first, first + (left < work->rows ? left : work->rows));
    }
}

static void run_chunks(void *data)
{
    struct work *work = data;
    unsigned own = atomic_fetch_add(&work->joined, 1);
    uint64_t most = (work->count - 1) / work->threads + 1; /* of a share */
    for (unsigned i = 0; i < work->threads; i++) {
        unsigned share = (own + i) % work->threads;
        uint64_t start = share * most, taken;
        while ((taken = atomic_fetch_add(&work->next[share], 1)) < most && start + taken < work->count)
            run_chunk(work, start + taken);
    }
}

enum { WAITING, WORKING, DISMISSED };

/* A thread, and who has the say about it: itself or who started it, whoever first takes it from WAITING. */
struct helper {
    atomic_int state;
    struct work *work; /* on the stack of who started it; only while it is WORKING */
    pthread_t thread;
};

static bool helper_take(struct helper *helper, int state)
{
    int waiting = WAITING;
    return atomic_compare_exchange_strong(&helper->state, &waiting, state);
}

/* One that was dismissed before it began has nobody left who would free it. */
static void *helper_run(void *data)
{
    struct helper *helper = data;
    if (helper_take(helper, WORKING))
        run_chunks(helper->work);
    else
        free(helper);
    return NULL;
}

/* NULL: it cannot be started; the others do its work. */
static struct helper *helper_start(struct work *work)
{
    struct helper *helper = malloc(sizeof(*helper));
    if (helper == NULL)
        return NULL;
    helper->work = work;
    atomic_init(&helper->state, WAITING);
    if (pthread_create(&helper->thread, NULL, helper_run, helper) == 0)
        return helper;
    free(helper);
    return NULL;
}

static void helper_end(struct helper *helper)
{
    if (helper == NULL)
        return;
    pthread_t thread = helper->thread; /* after a dismissal the helper may be gone */
    if (helper_take(helper, DISMISSED)) {
        pthread_detach(thread);
        return;
    }
    pthread_join(thread, NULL);
    free(helper);
}

/* Starts so many threads less the caller's. */
static void share_started(struct work *work, unsigned threads)
{
    struct helper *helpers[THREADS_MAX];
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

void deal_share(const struct deal *deal, const struct deal_path *path, const struct opshift_split_options *options)
{
    struct opshift_team *team = options != NULL ? options->team : NULL;
    unsigned threads = options != NULL ? options->threads : 1;
    if (team != NULL && (threads == 0 || threads > team_threads(team)))
        threads = team_threads(team);
    threads = smaller(deal->size / (team != NULL ? WAITING_LEAST : STARTED_LEAST), smaller(THREADS_MAX, threads));
    if (threads > 1) {
        struct work work = work_make(deal, path, threads);
        if (team == NULL)
            share_started(&work, threads);
        else if (!team_work(team, threads, run_chunks, &work))
            run_chunks(&work);
    } else {
        path->run(deal, 0, deal->rows);
    }
}
