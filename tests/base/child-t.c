/* Child processes: results, every way to end, and nothing inherited from the parent. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/tap/tap.h"

#define THREADS 8

static enum opshift_status start(const char *script, const struct child_options *options, struct child **child,
                                 struct opshift_error *error)
{
    char *arguments[] = {(char *)"sh", (char *)"-c", (char *)script, NULL};
    return child_start("/bin/sh", arguments, options, child, error);
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static const struct {
    const char *what, *script;
    unsigned seconds;
    enum opshift_status status;
    const char *text;
} cases[] = {
    {"a crash", "kill -SEGV $$", 60, OPSHIFT_MALFORMED, "the work crashed: signal 11 (Segmentation fault)"},
    {"an abort", "kill -ABRT $$", 60, OPSHIFT_MALFORMED, "the work crashed: signal 6 (Aborted)"},
    {"an exit", "exit 7", 60, OPSHIFT_MALFORMED, "the work crashed: exit status 7"},
    {"an exit that looks well", "exit 0", 60, OPSHIFT_MALFORMED, "the work ended without an answer"},
    {"half an answer", "printf hel >&0", 60, OPSHIFT_MALFORMED, "the work ended without an answer"},
    {"a hang", "exec sleep 60", 1, OPSHIFT_UNSUPPORTED, "the work took longer than 1 seconds and was stopped"},
    {"a hang that closed everything", "exec 0<&-; exec sleep 60", 1, OPSHIFT_UNSUPPORTED,
     "the work took longer than 1 seconds and was stopped"},
    {"a signal that this program ignores", "kill -PIPE $$; sleep 60", 60, OPSHIFT_MALFORMED,
     "the work crashed: signal 13 (Broken pipe)"},
    {"what prints, prints nowhere", "echo not ok - printed; echo not ok - printed >&2", 60, OPSHIFT_MALFORMED,
     "the work ended without an answer"},
};

static void ends(void)
{
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct child_options options = {.who = "the work", .seconds = cases[i].seconds};
        struct opshift_error error = {0};
        struct child *child = NULL;
        char text[5];
        is_int(OPSHIFT_OK, start(cases[i].script, &options, &child, &error), "%s: it starts", cases[i].what);
        ok(!child_receive(child, text, sizeof(text)), "%s: no answer", cases[i].what);
        is_int(cases[i].status, child_end(child, false, &error), "%s: status", cases[i].what);
        is_string(cases[i].text, error.text, "%s: words", cases[i].what);
    }
    signal(SIGPIPE, SIG_DFL);
}

static void answers(void)
{
    const struct child_options options = {.who = "the work", .seconds = 60};
    struct opshift_error error = {0};
    struct child *child = NULL;
    static char much[1 << 20], back[1 << 20];
    memset(much, 'x', sizeof(much));
    start("exec cat >&0", &options, &child, &error);
    ok(child_send(child, "hello", 5) && child_receive(child, back, 5), "an answer");
    is_bytes("hello", 5, back, 5, "is what was sent");
    is_int(OPSHIFT_OK, child_end(child, true, &error), "what goes on after its answer is ended");

    start("exit 0", &options, &child, &error);
    while (child_send(child, much, sizeof(much)))
        ;
    ok(true, "what is sent to nobody gives no SIGPIPE");
    is_int(OPSHIFT_MALFORMED, child_end(child, false, &error), "and the end is told");
    is_int(OPSHIFT_OK, child_end(NULL, false, &error), "nothing to end");
}

static void must_be_there(void)
{
    const struct child_options options = {.who = "the work", .seconds = 60};
    struct opshift_error error = {0};
    struct child *child = NULL;
    char *arguments[] = {(char *)"absent", NULL};
    is_int(OPSHIFT_IO, child_start("/absent", arguments, &options, &child, &error), "a program that is not there");
    is_string("/absent: cannot be started: No such file or directory", error.text, "its message");
    ok(child == NULL, "and no child");
}

/* A running child inherits no end of another child's socket. */
static void others_inherit_nothing(void)
{
    const struct child_options options = {.who = "the work", .seconds = 60};
    struct opshift_error error = {0};
    struct child *one = NULL, *other = NULL;
    struct timespec begin;
    char byte;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    start("exec sleep 0.1", &options, &one, &error);
    start("exec sleep 60", &options, &other, &error);
    ok(!child_receive(one, &byte, 1), "the first of two ends");
    is_int(OPSHIFT_MALFORMED, child_end(one, false, &error), "and is told at once");
    ok(seconds_since(&begin) < 30, "although the second lives on");
    child_end(other, true, &error);
}

static void *ask_often(void *data)
{
    const struct child_options options = {.who = "the work", .seconds = 60};
    long *wrong = data;
    for (int i = 0; i < 10; i++) {
        struct opshift_error error = {0};
        struct child *child = NULL;
        char text[5] = "";
        bool answered = start("exec cat >&0", &options, &child, &error) == OPSHIFT_OK &&
                        child_send(child, "hello", 5) && child_receive(child, text, 5) && memcmp(text, "hello", 5) == 0;
        child_end(child, answered, &error);
        *wrong += !answered;
    }
    return NULL;
}

static void threads_do_not_meet(void)
{
    pthread_t threads[THREADS];
    long wrong[THREADS] = {0}, all = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, ask_often, &wrong[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all += wrong[i];
    }
    is_int(0, all, "many threads, each with children of its own");
    ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "no child is left, dead or alive");
}

static bool ask_twice(void *data, double progress)
{
    int *count = data;
    return ++*count < 3;
}

static void caller_may_cancel(void)
{
    int count = 0;
    const struct child_options options = {
        .who = "the work", .seconds = 60, .progress = ask_twice, .progress_data = &count};
    struct opshift_error error = {0};
    struct child *child = NULL;
    struct timespec begin;
    char byte;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    start("exec sleep 60", &options, &child, &error);
    ok(!child_receive(child, &byte, 1), "a caller who wants no answer any more gets none");
    is_int(OPSHIFT_CANCELLED, child_end(child, false, &error), "and is told so");
    ok(seconds_since(&begin) < 30, "soon");
}

/* Hosts may have closed their standard descriptors, or ignore SIGCHLD. */
static void hosts_differ(void)
{
    const struct child_options options = {.who = "the work", .seconds = 60};
    struct opshift_error error = {0};
    struct child *child = NULL;
    char text[5] = "";
    int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    close(STDIN_FILENO);
    start("exec cat >&0", &options, &child, &error);
    ok(child_send(child, "hello", 5) && child_receive(child, text, 5), "a host without standard input");
    child_end(child, true, &error);
    ok(fcntl(STDIN_FILENO, F_GETFD) < 0, "has none afterwards");
    if (input >= 0)
        dup2(input, STDIN_FILENO);
    signal(SIGCHLD, SIG_IGN);
    start("exit 7", &options, &child, &error);
    ok(!child_receive(child, text, 1), "a host that ignores SIGCHLD");
    is_int(OPSHIFT_MALFORMED, child_end(child, false, &error), "gets an end");
    is_string("the work ended without an answer", error.text, "of which nothing is known");
    signal(SIGCHLD, SIG_DFL);
}

/* Where a host has closed standard descriptors, they stay closed: what it writes there must not reach the child. */
static void closed_stay_closed(void)
{
    const struct child_options options = {.who = "the work", .seconds = 60};
    for (int closed = 1; closed < 8; closed++) {
        struct opshift_error error = {0};
        struct child *child = NULL;
        char text[5] = "";
        int kept[3];
        for (int i = 0; i < 3; i++) {
            kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
            if (closed >> i & 1)
                close(i);
        }
        bool stays = start("exec cat >&0", &options, &child, &error) == OPSHIFT_OK;
        for (int i = 0; i < 3; i++)
            stays = stays && (!(closed >> i & 1) || fcntl(i, F_GETFD) < 0);
        bool answered = child_send(child, "hello", 5) && child_receive(child, text, 5) && memcmp(text, "hello", 5) == 0;
        child_end(child, true, &error);
        for (int i = 0; i < 3; i++)
            if (kept[i] >= 0) {
                dup2(kept[i], i);
                close(kept[i]);
            }
        ok(stays && answered, "a host without%s%s%s has none while a child runs", closed & 1 ? " input" : "",
           closed & 2 ? " output" : "", closed & 4 ? " errors" : "");
    }
}

int main(void)
{
    answers();
    ends();
    /* valgrind's vfork does not report a failed exec. */
    if (getenv("VALGRIND_LOGS") == NULL)
        must_be_there();
    others_inherit_nothing();
    threads_do_not_meet();
    caller_may_cancel();
    hosts_differ();
    closed_stay_closed();
    return done();
}
