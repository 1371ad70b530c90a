/* A signal must not leave half a file behind: it is noted, work ends at the next progress call, files are removed, and
 * then the signal is raised anew, so that the exit status tells of it. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
static struct sigaction before[COUNT(signals)];
static bool watching;
static volatile sig_atomic_t noted;

static void note(int number)
{
    noted = number;
}

void interrupt_watch(void)
{
    /* Without SA_RESTART: what waits for a pipe is to be woken. */
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; !watching && i < COUNT(signals); i++)
        if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    watching = true;
}

bool interrupt_asked(void)
{
    return noted != 0;
}

void interrupt_settle(void)
{
    if (!watching)
        return;
    watching = false;
    for (size_t i = 0; i < COUNT(signals); i++)
        if (before[i].sa_handler == SIG_DFL)
            sigaction(signals[i], &before[i], NULL);
    if (noted)
        raise(noted);
}
