/* Structs of the public header that a caller fills: read at the size that the caller was built with. */
#ifndef BASE_OPTION_STRUCT_H
#define BASE_OPTION_STRUCT_H

#include <stddef.h>

#include "opshift.h"

/* Copies the caller's struct to *full, a struct of full_size bytes whose first member is its size; members that the
 * caller does not have become 0. given_size: the size that the caller set; 0: first_size, that of the struct in version
 * 0.1. USAGE: a member is set that this library does not have. given NULL: *full is zeroed. */
enum opshift_status options_copy(const void *given, size_t given_size, size_t first_size, void *full, size_t full_size,
                                 struct opshift_error *error);
/* The same for two pointers to one struct type that has only the members of version 0.1. */
#define OPTIONS_COPY(given, full, error)                                                                               \
    options_copy((given), (given) ? (given)->size : 0, sizeof(*(full)), (full), sizeof(*(full)), (error))

#endif
