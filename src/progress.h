/* Progress of long work, for somebody who watches. */
#ifndef SRC_PROGRESS_H
#define SRC_PROGRESS_H

#include "command.h"

/* A callback for the library; data is what is being done, as text ("converting"). Silent where standard error is no
 * terminal, and for work that is done within the first second.
 * It cancels where a signal was noted. */
bool progress_show(void *data, double progress);
/* Takes the line away again. */
void progress_clear(void);

#endif
