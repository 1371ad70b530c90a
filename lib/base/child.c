/* A process for work that cannot be trusted: forked, limited, watched, and its answer read from a file without a name.
 */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"

/* The answer starts with how the work ended. */
struct verdict {
    uint32_t mark; /* written last */
    uint32_t status;
    char text[OPSHIFT_ERROR_SIZE];
};
#define VERDICT_MARK 0x6f707368u

/* Sanitizers map far more than they use. */
#if defined(__SANITIZE_ADDRESS__)
#define CAN_LIMIT_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CAN_LIMIT_MEMORY 0
#endif
#endif
#ifndef CAN_LIMIT_MEMORY
#define CAN_LIMIT_MEMORY 1
#endif

/* ---- the child's side ---- */

static void limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0 || (now.rlim_max != RLIM_INFINITY && most > now.rlim_max))
        return;
    now.rlim_cur = most;
    setrlimit(what, &now);
}

/* Nothing of the caller's must happen here twice: no handlers, no buffered output, nothing printed. */
static void settle(const struct child_limits *limits)
{
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nowhere = open("/dev/null", O_RDWR);
    for (int descriptor = 0; nowhere >= 0 && descriptor <= 2; descriptor++)
        dup2(nowhere, descriptor);
    limit(RLIMIT_CORE, 0);
    if (CAN_LIMIT_MEMORY && limits->memory > 0)
        limit(RLIMIT_DATA, (rlim_t)limits->memory);
    /* Should the caller be killed, it must not go on for ever. */
    if (limits->seconds > 0)
        alarm(limits->seconds + 1);
}

static void be_the_child(child_work work, void *data, const struct child_limits *limits, int answer)
    __attribute__((noreturn));
static void be_the_child(child_work work, void *data, const struct child_limits *limits, int answer)
{
    struct opshift_error error = {0};
    struct verdict verdict = {0};
    settle(limits);
    if (lseek(answer, sizeof(verdict), SEEK_SET) < 0)
        _exit(1);
    verdict.status = (uint32_t)work(data, answer, &error);
    verdict.mark = VERDICT_MARK;
    memcpy(verdict.text, error.text, sizeof(verdict.text));
    _exit(descriptor_write(answer, &verdict, sizeof(verdict), 0) == 0 ? 0 : 1);
}

/* ---- the caller's side ---- */

static long milliseconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

/* Waits until the other end of the pipe is closed, as it is when the child ends however it does. False: time is up. */
static bool wait_end(int life, unsigned seconds)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        long left = seconds == 0 ? -1 : (long)seconds * 1000 - milliseconds_since(&start);
        struct pollfd watched = {.fd = life, .events = POLLIN};
        if (seconds > 0 && left <= 0)
            return false;
        int found = poll(&watched, 1, left > 60000 || seconds == 0 ? 60000 : (int)left);
        if (found > 0)
            return true;
        if (found < 0 && errno != EINTR)
            return true;
    }
}

static int reap(pid_t child)
{
    int how = 0;
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    return how;
}

/* The work's own failure, in its own words. */
static enum opshift_status read_verdict(const char *who, struct source *answer, struct opshift_error *error)
{
    struct verdict verdict;
    if (source_size(answer) < sizeof(verdict) ||
        source_read(answer, 0, &verdict, sizeof(verdict), error) != OPSHIFT_OK || verdict.mark != VERDICT_MARK ||
        verdict.status > OPSHIFT_CANCELLED || memchr(verdict.text, '\0', sizeof(verdict.text)) == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s ended without an answer", who);
    if (verdict.status == OPSHIFT_OK)
        return OPSHIFT_OK;
    return opshift_fail(error, (enum opshift_status)verdict.status, "%s", verdict.text);
}

static enum opshift_status conclude(const char *who, int how, bool in_time, unsigned seconds, int descriptor,
                                    struct source **answer, struct opshift_error *error)
{
    if (!in_time)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "%s took longer than %u seconds and was stopped", who, seconds);
    if (WIFSIGNALED(how))
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s crashed: signal %d (%s)", who, WTERMSIG(how),
                            strsignal(WTERMSIG(how)));
    if (WEXITSTATUS(how) != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s crashed: exit status %d", who, WEXITSTATUS(how));
    if (lseek(descriptor, 0, SEEK_SET) != 0)
        return opshift_fail(error, OPSHIFT_IO, "the answer cannot be read: %s", strerror(errno));
    enum opshift_status status = source_open_descriptor(descriptor, answer, error);
    if (status == OPSHIFT_OK)
        status = read_verdict(who, *answer, error);
    if (status != OPSHIFT_OK) {
        source_free(*answer);
        *answer = NULL;
    }
    return status;
}

enum opshift_status child_run(const char *who, child_work work, void *data, const struct child_limits *limits,
                              struct source **answer, uint64_t *offset, struct opshift_error *error)
{
    int life[2] = {-1, -1}, descriptor = -1;
    *answer = NULL;
    *offset = sizeof(struct verdict);
    enum opshift_status status = descriptor_anonymous(&descriptor, error);
    if (status == OPSHIFT_OK && pipe(life) != 0)
        status = opshift_fail(error, OPSHIFT_IO, "no pipe can be made: %s", strerror(errno));
    pid_t child = status == OPSHIFT_OK ? fork() : -1;
    if (child == 0) {
        close(life[0]);
        be_the_child(work, data, limits, descriptor);
    }
    if (status == OPSHIFT_OK && child < 0)
        status = opshift_fail(error, OPSHIFT_IO, "no process can be made: %s", strerror(errno));
    if (child > 0) {
        close(life[1]);
        life[1] = -1;
        bool in_time = wait_end(life[0], limits->seconds);
        if (!in_time)
            kill(child, SIGKILL);
        status = conclude(who, reap(child), in_time, limits->seconds, descriptor, answer, error);
    }
    descriptor_close(life[0]);
    descriptor_close(life[1]);
    descriptor_close(descriptor);
    return status;
}
