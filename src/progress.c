/* One progress line on the terminal, updated at most ten times a second; of many models once a second, or elsewhere a
 * line a minute. */
#include "progress.h"
#include "interrupt.h"
#include "many.h"
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "print.h"

static double started, shown;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Is standard error a terminal? Checked once, before the clock, which would slow down tiny models. */
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
    if (!is_watched() || many_is_working())
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

/* ---- of many models ---- */

#define BAR 10 /* characters */

/* "1.5 GB" */
static void bytes_print(char text[16], double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < COUNT(units); unit++)
        bytes /= 1000;
    snprintf(text, 16, unit > 0 && bytes < 100 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

/* Characters in a line of the terminal. */
static int width_find(void)
{
    struct winsize size = {0};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void many_progress_start(struct many_progress *all, const char *what, size_t count)
{
    *all = (struct many_progress){.what = what, .count = count, .start = seconds_now()};
    all->shown = all->start;
    is_watched(); /* before what models print is collected */
}

static void many_progress_print(const struct many_progress *all, double progress, double passed)
{
    char line[512], bytes[16], bar[BAR + 8] = ": ", when[40] = "";
    long left = progress > 0 ? lround(passed * (1 - progress) / progress) : 0;
    int filled = (int)(progress * BAR);
    bytes_print(bytes, all->bytes);
    if (is_watched())
        snprintf(bar, sizeof(bar), " [%.*s%*s] ", filled, "==========", BAR - filled, "");
    if (progress > 0)
        snprintf(when, sizeof(when), ", %ld:%02ld:%02ld left", left / 3600, left / 60 % 60, left % 60);
    int size = snprintf(line, sizeof(line), "%s%s%.0f of %zu models, %s, %.1f/s%s", all->what, bar,
                        progress * (double)all->count, all->count, bytes, progress * (double)all->count / passed, when);
    if (all->failed > 0 && size > 0 && size < (int)sizeof(line))
        snprintf(line + size, sizeof(line) - (size_t)size, ", %zu not done, last %s", all->failed, all->last);
    if (is_watched())
        fprintf(stderr, "\r\033[K%.*s", width_find() - 1, line);
    else
        fprintf(stderr, "opshift: %s\n", line);
    fflush(stderr);
}

bool many_progress_show(void *data, double progress)
{
    struct many_progress *all = data;
    double now = seconds_now();
    if (interrupt_asked())
        return false;
    if (option_quiet || now - all->shown < (is_watched() ? 1 : 60))
        return true;
    all->shown = now;
    all->is_shown = is_watched();
    many_progress_print(all, progress, now - all->start);
    return true;
}

void many_progress_clear(struct many_progress *all)
{
    if (all->is_shown)
        fputs("\r\033[K", stderr);
    all->is_shown = false;
}

void many_progress_add(struct many_progress *all, const char *path, bool failed, bool printed)
{
    struct stat found;
    if (stat(path, &found) == 0 && S_ISREG(found.st_mode))
        all->bytes += (double)found.st_size;
    if (failed) {
        const char *slash = strrchr(path, '/');
        char *name = text_shown(slash ? slash + 1 : path);
        snprintf(all->last, sizeof(all->last), "%s", name ? name : "");
        free(name);
        all->failed++;
    }
    if (printed)
        many_progress_clear(all);
}
