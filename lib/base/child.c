/* Starts a program with posix_spawn, talks to it over a socket until a deadline, and reaps it. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"

#define ASK_MS  100   /* interval between calls of progress */
#define WAIT_MS 60000 /* without a callback */

enum child_state { WORKING, SILENT, LATE, CANCELLED };

struct child {
    const struct child_options *options;
    struct timespec start;
    pid_t process;
    int socket;
    enum child_state state;
};

/* NOLINTNEXTLINE(readability-redundant-declaration): glibc declares it, POSIX does not. */
extern char **environ;

/* ---- start ---- */

/* Moves a descriptor above 2: the child's standard descriptors are replaced. */
static int above_standard(int descriptor)
{
    if (descriptor > STDERR_FILENO || descriptor < 0)
        return descriptor;
    int other = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), why = errno;
    close(descriptor);
    errno = why;
    return other;
}

/* errno or 0 */
static int open_sockets(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return errno;
    for (int i = 0; i < 2; i++)
        if ((ends[i] = above_standard(ends[i])) < 0)
            return errno;
    return 0;
}

/* errno or 0 */
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    int why = posix_spawnattr_setsigmask(attributes, &none);
    if (why == 0)
        why = posix_spawnattr_setsigdefault(attributes, &all);
    return why != 0 ? why : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* errno or 0 */
static int set_files(posix_spawn_file_actions_t *files, int socket)
{
    int why = posix_spawn_file_actions_adddup2(files, socket, STDIN_FILENO);
    if (why == 0)
        why = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    return why != 0 ? why : posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, STDERR_FILENO);
}

/* errno or 0 */
static int spawn(const char *path, char *const *arguments, int socket, pid_t *process)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    int why = posix_spawnattr_init(&attributes);
    if (why != 0)
        return why;
    if ((why = posix_spawn_file_actions_init(&files)) == 0) {
        if ((why = set_signals(&attributes)) == 0 && (why = set_files(&files, socket)) == 0)
            why = posix_spawn(process, path, &files, &attributes, arguments, environ);
        posix_spawn_file_actions_destroy(&files);
    }
    posix_spawnattr_destroy(&attributes);
    return why;
}

enum opshift_status child_start(const char *path, char *const *arguments, const struct child_options *options,
                                struct child **child, struct opshift_error *error)
{
    int ends[2] = {-1, -1};
    struct child *made = calloc(1, sizeof(*made));
    *child = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    int why = open_sockets(ends);
    *made = (struct child){.options = options, .socket = ends[0]};
    clock_gettime(CLOCK_MONOTONIC, &made->start);
    if (why == 0)
        why = spawn(path, arguments, ends[1], &made->process);
    descriptor_close(ends[1]);
    if (why == 0) {
        *child = made;
        return OPSHIFT_OK;
    }
    descriptor_close(ends[0]);
    free(made);
    errno = why;
    return opshift_fail(error, OPSHIFT_IO, "%s: cannot be started: %s", path, strerror(why));
}

/* ---- talk ---- */

static long milliseconds_left(const struct child *child)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long passed = (now.tv_sec - child->start.tv_sec) * 1000 + (now.tv_nsec - child->start.tv_nsec) / 1000000;
    return (long)child->options->seconds * 1000 - passed;
}

/* False: the time is up, or the caller cancelled. */
static bool may_go_on(struct child *child)
{
    const struct child_options *options = child->options;
    if (options->progress != NULL && !options->progress(options->progress_data, 0))
        child->state = CANCELLED;
    else if (options->seconds > 0 && milliseconds_left(child) <= 0)
        child->state = LATE;
    return child->state == WORKING;
}

/* Waits until the socket can be read from or written to. False: time up or cancelled. */
static bool await_socket(struct child *child, short event)
{
    struct pollfd watched = {.fd = child->socket, .events = event};
    while (may_go_on(child)) {
        long most = child->options->progress != NULL ? ASK_MS : WAIT_MS;
        long left = child->options->seconds > 0 ? milliseconds_left(child) + 1 : most;
        int found = poll(&watched, 1, (int)(left < most ? left : most));
        if (found > 0)
            return true;
        if (found < 0 && errno != EINTR) {
            child->state = SILENT;
            return false;
        }
    }
    return false;
}

static bool goes_on(ssize_t count)
{
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK));
}

bool child_send(struct child *child, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        if (child->state != WORKING || !await_socket(child, POLLOUT))
            return false;
        /* Where the child has ended, the host must not get SIGPIPE. */
        ssize_t count = send(child->socket, (const char *)data + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (!goes_on(count))
            return false;
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

bool child_receive(struct child *child, void *into, size_t size)
{
    for (size_t done = 0; done < size;) {
        if (child->state != WORKING || !await_socket(child, POLLIN))
            return false;
        ssize_t count = recv(child->socket, (char *)into + done, size - done, MSG_DONTWAIT);
        if (!goes_on(count)) {
            child->state = SILENT;
            return false;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* ---- end ---- */

/* Waits for a child that closed its end of the socket to exit. False: the time is up. */
static bool reap_in_time(struct child *child, int *how)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    child->state = WORKING;
    for (;;) {
        pid_t found = waitpid(child->process, how, WNOHANG);
        bool on = may_go_on(child);
        /* ECHILD: the host ignores SIGCHLD, or waits for any child. */
        if (found == child->process || (found < 0 && errno == ECHILD))
            return true;
        if (!on)
            return false;
        nanosleep(&pause, NULL);
    }
}

static void reap(pid_t process)
{
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        ;
}

static enum opshift_status tell(const struct child *child, int how, struct opshift_error *error)
{
    const char *who = child->options->who;
    if (child->state == CANCELLED)
        return opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
    if (child->state == LATE)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "%s took longer than %u seconds and was stopped", who,
                            child->options->seconds);
    if (WIFSIGNALED(how))
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s crashed: signal %d (%s)", who, WTERMSIG(how),
                            strsignal(WTERMSIG(how)));
    if (WIFEXITED(how) && WEXITSTATUS(how) != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s crashed: exit status %d", who, WEXITSTATUS(how));
    return opshift_fail(error, OPSHIFT_MALFORMED, "%s ended without an answer", who);
}

int child_socket(const struct child *child)
{
    return child->socket;
}

void child_stop(const struct child *child)
{
    kill(child->process, SIGTERM);
}

enum opshift_status child_end(struct child *child, bool answered, struct opshift_error *error)
{
    int how = 0;
    bool ended = false;
    if (child == NULL)
        return OPSHIFT_OK;
    if (!answered && (child->state == WORKING || child->state == SILENT))
        ended = reap_in_time(child, &how);
    if (!ended) {
        kill(child->process, SIGKILL);
        reap(child->process);
    }
    close(child->socket);
    enum opshift_status status = answered ? OPSHIFT_OK : tell(child, how, error);
    free(child);
    return status;
}
