/* Signals that stop the command while a temporary file lies beside its place. */
#ifndef SRC_INTERRUPT_H
#define SRC_INTERRUPT_H

#include "command.h"

/* From here on SIGHUP, SIGINT and SIGTERM are only noted, each once: the second one stops at once. */
void interrupt_watch(void);
/* Was there one? */
bool interrupt_asked(void);
/* To be called once for each interrupt_watch, when no temporary file is left that it was called for. The last one lets
 * a signal that was noted have its effect now, and later ones at once. */
void interrupt_settle(void);
/* In between there may be a temporary file that was not added: the second signal waits, too, and a time limit some
 * seconds. What takes long in between must ask for itself whether it was interrupted. */
void interrupt_hold(void);
void interrupt_release(void);

/* After so many seconds the work is to end as for a signal; where it does not within a second more, the process ends,
 * with a word and exit status 4. */
void interrupt_after(unsigned seconds);
/* The seconds, where they were too few; else 0. */
unsigned interrupt_late(void);
/* A temporary file that must not stay when the process ends so; until it is dropped. NULL does nothing. */
void interrupt_file_add(const char *path);
void interrupt_file_drop(const char *path);

#endif
