/* Finds helper programs that are installed with this library. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include "base/error.h"

/* Finds a program: the path in an environment variable; else in the directory of the running program or of this shared
 * library, or in libexec next to that directory; else in the libexec directory given to configure. *path is freed with
 * free. USAGE: not found. */
enum opshift_status program_find(const char *name, const char *variable, char **path, struct opshift_error *error);

#endif
