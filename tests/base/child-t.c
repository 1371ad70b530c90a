/* Work in a process of its own: its answer, its failure, and every way in which it can go wrong. */
#include "base/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "tests/tap/tap.h"

static enum opshift_status answers(void *data, int answer, struct opshift_error *error)
{
    (void)error;
    return descriptor_write(answer, data, strlen(data), -1) == 0 ? OPSHIFT_OK : OPSHIFT_IO;
}

static enum opshift_status fails(void *data, int answer, struct opshift_error *error)
{
    (void)answer;
    return opshift_fail(error, OPSHIFT_UNSUPPORTED, "no %s here", (const char *)data);
}

static enum opshift_status crashes(void *data, int answer, struct opshift_error *error)
{
    (void)data, (void)answer, (void)error;
    raise(SIGSEGV);
    return OPSHIFT_OK;
}

static enum opshift_status aborts(void *data, int answer, struct opshift_error *error)
{
    (void)data, (void)answer, (void)error;
    abort();
}

static enum opshift_status leaves(void *data, int answer, struct opshift_error *error)
{
    (void)data, (void)answer, (void)error;
    _exit(7);
}

static enum opshift_status leaves_quietly(void *data, int answer, struct opshift_error *error)
{
    (void)data, (void)answer, (void)error;
    _exit(0);
}

static enum opshift_status hangs(void *data, int answer, struct opshift_error *error)
{
    (void)data, (void)answer, (void)error;
    pause(); /* no signal is handled here */
    return OPSHIFT_OK;
}

/* What it says before everything must not be said twice. */
static enum opshift_status prints(void *data, int answer, struct opshift_error *error)
{
    (void)data, (void)answer, (void)error;
    static const char words[] = "not ok - printed by the child\n";
    return write(STDOUT_FILENO, words, sizeof(words) - 1) > 0 ? OPSHIFT_OK : OPSHIFT_IO;
}

static const struct {
    const char *what;
    child_work work;
    unsigned seconds;
    enum opshift_status status;
    const char *text;
} cases[] = {
    {"a failure is passed on in its own words", fails, 0, OPSHIFT_UNSUPPORTED, "no thing here"},
    {"a crash", crashes, 0, OPSHIFT_MALFORMED, "the work crashed: signal 11 (Segmentation fault)"},
    {"an abort", aborts, 0, OPSHIFT_MALFORMED, "the work crashed: signal 6 (Aborted)"},
    {"an exit", leaves, 0, OPSHIFT_MALFORMED, "the work crashed: exit status 7"},
    {"an exit that looks well", leaves_quietly, 0, OPSHIFT_MALFORMED, "the work ended without an answer"},
    {"a hang", hangs, 1, OPSHIFT_UNSUPPORTED, "the work took longer than 1 seconds and was stopped"},
};

int main(void)
{
    struct child_limits limits = {.seconds = 60, .memory = UINT64_C(1) << 30};
    struct source *answer = NULL;
    struct opshift_error error = {0};
    uint64_t at = 0;
    char text[16] = "";
    is_int(OPSHIFT_OK, child_run("the work", answers, (char *)"hello", &limits, &answer, &at, &error), "an answer");
    ok(answer != NULL && source_size(answer) - at == 5 && source_read(answer, at, text, 5, NULL) == OPSHIFT_OK &&
           strcmp(text, "hello") == 0,
       "is read back");
    source_free(answer);
    is_int(OPSHIFT_OK, child_run("the work", prints, NULL, &limits, &answer, &at, &error),
           "what prints, prints nowhere");
    source_free(answer);
    for (size_t i = 0; i < COUNT(cases); i++) {
        limits.seconds = cases[i].seconds;
        is_int(cases[i].status, child_run("the work", cases[i].work, (char *)"thing", &limits, &answer, &at, &error),
               "%s: status", cases[i].what);
        is_string(cases[i].text, error.text, "%s: words", cases[i].what);
        ok(answer == NULL, "%s: no answer", cases[i].what);
    }
    return done();
}
