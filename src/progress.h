/* Progress of long work, on a terminal. */
#ifndef SRC_PROGRESS_H
#define SRC_PROGRESS_H

#include "command.h"

/* A progress callback for the library; data is the name of the work ("converting"). Prints nothing if standard error
 * is no terminal, and during the first second. Cancels after a signal. */
bool progress_show(void *data, double progress);
/* Removes the line. */
void progress_clear(void);

/* State of many models. */
struct many_progress {
    const char *what;
    size_t count, failed; /* failed: not done, for whatever reason */
    double bytes, start, shown;
    bool is_shown;
    char last[256]; /* the last of those that failed */
};
void many_progress_start(struct many_progress *all, const char *what, size_t count);
/* A progress callback; data is a struct many_progress. On a terminal a bar, anew each second; elsewhere a line a
 * minute. Cancels after a signal. */
bool many_progress_show(void *data, double progress);
/* Counts a model. printed: something is printed for it, so the bar goes. */
void many_progress_add(struct many_progress *all, const char *path, bool failed, bool printed);
void many_progress_clear(struct many_progress *all);

#endif
