/* Signals that stop the command while a temporary file lies beside its place. */
#ifndef SRC_INTERRUPT_H
#define SRC_INTERRUPT_H

#include "command.h"

/* From here on SIGHUP, SIGINT and SIGTERM are only noted, each once: the second one stops at once. */
void interrupt_watch(void);
/* Was there one? */
bool interrupt_asked(void);
/* To be called when no temporary file is left: a signal that was noted has its effect now, and later ones at once. */
void interrupt_settle(void);

#endif
