/* A signal must not leave half a file behind: it is noted, work ends at the next progress call, files are removed, and
 * then the signal is raised anew, so that the exit status tells of it. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
static struct sigaction before[COUNT(signals)];
static unsigned watching; /* by so many */
static volatile sig_atomic_t noted;
static volatile sig_atomic_t held;
static volatile sig_atomic_t pressed; /* a second signal came while held */

#define PATIENCE 5                 /* seconds that what is held may go on after its time */
static volatile sig_atomic_t late; /* seconds since */
static unsigned limit;             /* seconds; 0: none */
static char late_text[128];        /* made before it is needed: a handler cannot format */
static size_t late_size;
static const char *volatile files[8];

/* Only what a signal handler may call, here and below. */
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

/* The first one asks; who sends a second one does not want to wait. */
static void note(int number)
{
    if (noted != 0 && !held)
        end(number);
    pressed = noted != 0;
    noted = number;
}

void interrupt_watch(void)
{
    /* Without SA_RESTART: what waits for a pipe is to be woken. */
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

/* The first alarm asks, the second one ends. */
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

void interrupt_settle(void)
{
    if (watching == 0 || --watching > 0)
        return;
    for (size_t i = 0; i < COUNT(signals); i++)
        if (before[i].sa_handler == SIG_DFL)
            sigaction(signals[i], &before[i], NULL);
    if (noted)
        raise(noted);
}
