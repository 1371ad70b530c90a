#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

#define THREADS_MAX 64
/* So long a thread looks out for more work before it sleeps: to wake it takes as long as to split a megabyte. */
#define PATIENCE_NS 2000000
#define LOOKS       64 /* between two looks at the clock */

/* One piece of work at a time. Who comes says so in `working` and looks then whether there is room in `open`; who is
 * done takes the room away and waits then until nobody is working. So one sees that there is no room, or the other
 * that somebody works. */
struct opshift_team {
    atomic_flag busy; /* a piece of work is under way */
    atomic_bool ends;
    atomic_uint called;  /* pieces of work so far */
    atomic_uint open;    /* how many more may join in the last one */
    atomic_uint working; /* without the caller */
    atomic_uint asleep;
    void (*work)(void *data);
    void *data;
    pthread_mutex_t lock; /* of those who fall asleep and are woken */
    pthread_cond_t wake;
    pid_t process; /* a child of it has none of the threads */
    bool patient;  /* each thread has a processor to look out on */
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

/* Busily; false: nobody called. */
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
    /* Where the system gives fewer threads than asked for, those must do. */
    while (made->count + 1 < threads && pthread_create(&made->threads[made->count], NULL, member_run, made) == 0)
        made->count++;
    *team = made;
    return OPSHIFT_OK;
}

void opshift_team_free(struct opshift_team *team)
{
    if (team == NULL)
        return;
    if (team->process != getpid()) { /* there is nobody to be waited for, and what they held is held for ever */
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

/* One that works may have been taken off its processor: it is given the caller's. */
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
