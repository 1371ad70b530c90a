/* One progress line on the terminal, updated at most ten times a second. */
#include "progress.h"
#include "interrupt.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double started, shown;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Checked once, before the clock, which would slow down tiny models. */
static bool is_watched(void)
{
    static int answer = -1;
    if (answer < 0)
        answer = isatty(STDERR_FILENO);
    return answer > 0;
}

bool progress_show(void *data, double progress)
{
    if (interrupt_asked())
        return false;
    if (!is_watched())
        return true;
    double now = seconds_now();
    if (started == 0)
        started = now;
    if (now - started < 1 || now - shown < 0.1)
        return true;
    shown = now;
    fprintf(stderr, "\r%s %3.0f %%", (const char *)data, progress * 100);
    fflush(stderr);
    return true;
}

void progress_clear(void)
{
    if (shown > 0)
        fputs("\r\033[K", stderr);
    started = shown = 0;
}
