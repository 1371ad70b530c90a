/* Another program, for work that may crash, hang or use up all memory: started, spoken to, and ended in time. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct child_options {
    const char *who;           /* the name of the child in messages */
    unsigned seconds;          /* how long it may take; 0: no limit */
    opshift_progress progress; /* asked several times a second while the child works; false ends it. May be NULL. */
    void *progress_data;
};

struct child;

/* Starts a program whose standard input is one end of a socket; what it sends there is the answer. Its standard output
 * and standard error are /dev/null, its signals are handled by default, and no descriptor of this library is open in
 * it. options must live until child_end. IO: it cannot be started; errno says why. */
enum opshift_status child_start(const char *path, char *const *arguments, const struct child_options *options,
                                struct child **child, struct opshift_error *error);
/* Sends all of it. False: the child does not read any more, or its time is up; child_end tells why. */
bool child_send(struct child *child, const void *data, size_t size);
/* Receives exactly so many bytes. False as for child_send. The bytes come from a process that may have gone astray:
 * they are as trustworthy as a file. */
bool child_receive(struct child *child, void *into, size_t size);
/* Kills what still runs, waits for its end and frees child (which may be NULL). answered: all that was expected has
 * been received, and how the child ended does not matter. Else the failure says how it ended: MALFORMED: it crashed or
 * ended early; UNSUPPORTED: it took too long; CANCELLED. */
enum opshift_status child_end(struct child *child, bool answered, struct opshift_error *error);

#endif
