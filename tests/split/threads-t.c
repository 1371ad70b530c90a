/* Thread teams: each piece of work is done once, by the caller and at most the requested number of threads, and all
 * are done when the call returns. */
#include "split/split_copy.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "tests/tap/tap.h"

enum { PIECES = 1000, CALLS = 2000 };

struct work {
    atomic_uint next, workers, at_once, most;
    unsigned done[PIECES];
    struct opshift_team *team;
    bool inner; /* the team accepted work from within its work */
};

static void do_pieces(void *data)
{
    struct work *work = data;
    unsigned now = atomic_fetch_add(&work->at_once, 1) + 1, most = atomic_load(&work->most), at;
    atomic_fetch_add(&work->workers, 1);
    while (now > most && !atomic_compare_exchange_weak(&work->most, &most, now))
        ;
    while ((at = atomic_fetch_add(&work->next, 1)) < PIECES)
        work->done[at]++;
    atomic_fetch_sub(&work->at_once, 1);
}

/* All pieces are done once, by at most this many threads. */
static bool does_all(struct opshift_team *team, unsigned threads)
{
    struct work work = {.team = team};
    bool good = team_work(team, threads, do_pieces, &work) && atomic_load(&work.at_once) == 0 &&
                atomic_load(&work.workers) >= 1 && atomic_load(&work.workers) <= threads;
    for (unsigned i = 0; i < PIECES; i++)
        good = good && work.done[i] == 1;
    return good;
}

static void work_is_done_once(void)
{
    static const unsigned sizes[] = {0, 1, 2, 3, 9};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct opshift_team *team;
        bool good = opshift_team_new(sizes[i], &team, NULL) == OPSHIFT_OK;
        for (unsigned call = 0; good && call < CALLS; call++)
            good = does_all(team, 1 + call % team_threads(team));
        ok(good, "a team of %u does each piece once", sizes[i]);
        ok(team_threads(team) >= 1 && team_threads(team) <= (sizes[i] < 1 ? 1 : sizes[i]),
           "it is no larger than asked");
        opshift_team_free(team);
    }
}

/* Ends only if two threads run it. */
static void wait_for_two(void *data)
{
    struct work *work = data;
    atomic_fetch_add(&work->workers, 1);
    while (atomic_load(&work->workers) < 2)
        ;
}

static void sleepers_are_woken(void)
{
    static const struct timespec longer_than_their_patience = {.tv_nsec = 20000000};
    struct opshift_team *team;
    is_int(OPSHIFT_OK, opshift_team_new(2, &team, NULL), "a team of two");
    for (unsigned i = 0; i < 3 && team_threads(team) == 2; i++) {
        struct work work = {.team = team};
        nanosleep(&longer_than_their_patience, NULL);
        team_work(team, 2, wait_for_two, &work);
        is_int(2, atomic_load(&work.workers), "one that slept comes, turn %u", i);
    }
    nanosleep(&longer_than_their_patience, NULL);
    opshift_team_free(team);
}

static void ask_from_within(void *data)
{
    struct work *work = data;
    if (atomic_fetch_add(&work->workers, 1) == 0)
        work->inner = team_work(work->team, 2, do_pieces, work);
}

static void a_team_at_work_takes_no_more(void)
{
    struct work work = {0};
    is_int(OPSHIFT_OK, opshift_team_new(2, &work.team, NULL), "a team");
    ok(team_work(work.team, 2, ask_from_within, &work), "it works");
    ok(!work.inner && atomic_load(&work.next) == 0, "and takes no more meanwhile");
    ok(does_all(work.team, 2), "but after it");
    opshift_team_free(work.team);
}

/* Calls a team that may be busy: then the caller does the work. NULL: some piece was not done once. */
static void *ask_often(void *team)
{
    bool good = true;
    for (unsigned call = 0; call < CALLS; call++) {
        struct work work = {.team = team};
        if (!team_work(team, 3, do_pieces, &work))
            do_pieces(&work);
        for (unsigned i = 0; i < PIECES; i++)
            good = good && work.done[i] == 1;
    }
    return good ? team : NULL;
}

static void two_callers_share_it(void)
{
    struct opshift_team *team;
    pthread_t other;
    void *good = NULL;
    is_int(OPSHIFT_OK, opshift_team_new(3, &team, NULL), "a team");
    bool started = pthread_create(&other, NULL, ask_often, team) == 0;
    ok(ask_often(team) != NULL, "one caller's work is done");
    ok(started && pthread_join(other, &good) == 0 && good != NULL, "and another's");
    opshift_team_free(team);
}

/* Forks at any moment, also while a thread of the team wakes too late for the last work. */
static void a_child_has_no_team(void)
{
    struct opshift_team *team;
    bool good = opshift_team_new(3, &team, NULL) == OPSHIFT_OK;
    for (unsigned turn = 0; good && turn < 100; turn++) {
        int status;
        good = does_all(team, 3);
        pid_t child = fork();
        if (child == 0) {
            struct work work = {0};
            alarm(60);
            bool taken = team_work(team, 3, do_pieces, &work);
            opshift_team_free(team);
            _exit(taken || atomic_load(&work.workers) > 0);
        }
        good = good && child > 0 && waitpid(child, &status, 0) == child && status == 0;
    }
    ok(good, "a child's team takes no work, and is freed");
    ok(does_all(team, 3), "the parent's goes on");
    opshift_team_free(team);
}

int main(void)
{
    work_is_done_once();
    sleepers_are_woken();
    a_team_at_work_takes_no_more();
    two_callers_share_it();
    a_child_has_no_team();
    return done();
}
