/* Handles signals without leaving temporary files: a signal is recorded, the work ends at the next progress call,
 * temporary files are removed, and the signal is raised again, so that it determines the exit status. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
static struct sigaction before[COUNT(signals)];
static unsigned watching; /* number of interrupt_watch calls not yet settled */
static volatile sig_atomic_t noted;
static volatile sig_atomic_t held;
static volatile sig_atomic_t pressed; /* a second signal came while held */

#define PATIENCE 5                 /* seconds that held work may continue after the time limit */
static volatile sig_atomic_t late; /* seconds after the limit */
static unsigned limit;             /* seconds; 0: none */
static char late_text[128];        /* formatted in advance: a signal handler cannot format */
static size_t late_size;
static const char *volatile files[8];

/* From here on only functions that are safe in signal handlers. */
static void files_remove(void)
{
    for (size_t i = 0; i < COUNT(files); i++)
        if (files[i])
            unlink(files[i]);
}

static void end(int number)
{
    files_remove();
    signal(number, SIG_DFL);
    raise(number);
}

/* The first signal requests the end; a second one ends at once. */
static void note(int number)
{
    if (noted != 0 && !held)
        end(number);
    pressed = noted != 0;
    noted = number;
}

void interrupt_watch(void)
{
    /* Without SA_RESTART, so that a blocked call on a pipe returns. */
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; watching == 0 && i < COUNT(signals); i++)
        if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    watching++;
}

bool interrupt_asked(void)
{
    return noted != 0 || late;
}

/* The first alarm requests the end, the second one ends the process. */
static void alarmed(int number)
{
    if (!late || (held && late < PATIENCE)) {
        late++;
        alarm(1);
        return;
    }
    files_remove();
    if (write(STDERR_FILENO, late_text, late_size) < 0)
        _exit(4);
    _exit(4);
}

void interrupt_after(unsigned seconds)
{
    struct sigaction action = {.sa_handler = alarmed};
    sigemptyset(&action.sa_mask);
    limit = seconds;
    late_size = (size_t)snprintf(late_text, sizeof late_text,
                                 "opshift: not done after %u seconds, the limit of '--timeout'; nothing was written\n",
                                 seconds);
    if (sigaction(SIGALRM, &action, NULL) == 0)
        alarm(seconds);
}

unsigned interrupt_late(void)
{
    return late ? limit : 0;
}

void interrupt_file_add(const char *path)
{
    for (size_t i = 0; i < COUNT(files); i++) {
        if (files[i] == NULL) {
            files[i] = path;
            return;
        }
    }
}

void interrupt_file_drop(const char *path)
{
    for (size_t i = 0; i < COUNT(files); i++)
        if (files[i] == path)
            files[i] = NULL;
}

void interrupt_hold(void)
{
    held++;
}

void interrupt_release(void)
{
    held--;
    if (!held && pressed)
        end(noted);
}

void interrupt_end(void)
{
    if (watching == 0 || --watching > 0)
        return;
    for (size_t i = 0; i < COUNT(signals); i++)
        if (before[i].sa_handler == SIG_DFL)
            sigaction(signals[i], &before[i], NULL);
    if (noted)
        raise(noted);
}
