/* Finds the programs that are installed with this library. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include "base/error.h"

/* The path of a program: what an environment variable names; else in the directory of the running program or of this
 * shared library, or in libexec next to that directory; else in the directory that configure was told. *path is freed
 * with free. USAGE: it is in none of them. */
enum opshift_status program_find(const char *name, const char *variable, char **path, struct opshift_error *error);

#endif
