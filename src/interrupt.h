/* Signals that stop the command while temporary files exist. */
#ifndef SRC_INTERRUPT_H
#define SRC_INTERRUPT_H

#include "command.h"

/* From here on SIGHUP, SIGINT and SIGTERM are only recorded; a second signal ends the process at once. */
void interrupt_watch(void);
/* Was a signal received? */
bool interrupt_asked(void);
/* Called once for each interrupt_watch, when its temporary files are gone. The last call raises a recorded signal
 * again, and later signals have their normal effect. */
void interrupt_end(void);
/* Until the release there may be temporary files that were not added: a second signal waits, too, and a time limit
 * waits some seconds. Long work in between must call interrupt_asked itself. */
void interrupt_hold(void);
void interrupt_release(void);

/* Ends the work after this number of seconds, as for a signal; if it does not end within another second, the process
 * ends with a message and exit status 4. */
void interrupt_after(unsigned seconds);
/* The time limit in seconds if it was exceeded; else 0. */
unsigned interrupt_late(void);
/* Registers a temporary file, which is removed when a signal ends the process, until it is dropped. NULL does
 * nothing. */
void interrupt_file_add(const char *path);
void interrupt_file_drop(const char *path);

#endif
