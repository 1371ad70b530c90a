/* Progress of long work, on a terminal. */
#ifndef SRC_PROGRESS_H
#define SRC_PROGRESS_H

#include "command.h"

/* A progress callback for the library; data is the name of the work ("converting"). Prints nothing if standard error
 * is no terminal, and during the first second. Cancels after a signal. */
bool progress_show(void *data, double progress);
/* Removes the line. */
void progress_clear(void);

#endif
