/* Work that may crash, hang or eat all memory, done in a process of its own. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/file.h"

struct child_limits {
    unsigned seconds; /* 0: none */
    uint64_t memory;  /* bytes of data beyond what it starts with; 0: none */
};

/* What is done in the child. It sees all that the caller sees, as it is now, and writes its answer to a descriptor. */
typedef enum opshift_status (*child_work)(void *data, int answer, struct opshift_error *error);

/* Runs it and waits. *answer holds what it wrote, from *offset on; it comes from a process that may have gone astray,
 * and is to be believed no more than a file is. A failure of the work is passed on in its own words. MALFORMED: it
 * crashed; UNSUPPORTED: it took too long. who: how messages call it. */
enum opshift_status child_run(const char *who, child_work work, void *data, const struct child_limits *limits,
                              struct source **answer, uint64_t *offset, struct opshift_error *error);

#endif
