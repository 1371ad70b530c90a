/* Runs another program, for work that may crash, hang or exhaust memory, with a time limit. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct child_options {
    const char *who;           /* the name of the child in messages */
    unsigned seconds;          /* time limit; 0: none */
    opshift_progress progress; /* called several times a second while the child works; false cancels it. May be NULL. */
    void *progress_data;
};

struct child;

/* Starts a program whose standard input is one end of a socket, on which it also answers. Its standard output and
 * standard error are /dev/null, its signal handlers are the default ones, and it inherits no other descriptor. options
 * must live until child_end. IO: it cannot be started; errno is set. */
enum opshift_status child_start(const char *path, char *const *arguments, const struct child_options *options,
                                struct child **child, struct opshift_error *error);
/* Sends all bytes. False: the child stopped reading, or its time is up; child_end gives the reason. */
bool child_send(struct child *child, const void *data, size_t size);
/* Receives exactly size bytes. False as for child_send. The bytes are untrusted input: the process may have misbehaved.
 */
bool child_receive(struct child *child, void *into, size_t size);
/* The host's end of the socket, for poll. */
int child_socket(const struct child *child);
/* Asks the child to end, by SIGTERM. */
void child_stop(const struct child *child);
/* Kills the child if it still runs, reaps it and frees child (which may be NULL). answered: the whole answer was
 * received, and the exit status does not matter; OK. Else fails with how it ended: MALFORMED: it crashed or ended
 * early; UNSUPPORTED: it took too long; CANCELLED. */
enum opshift_status child_end(struct child *child, bool answered, struct opshift_error *error);

#endif
