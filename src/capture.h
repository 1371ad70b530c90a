/* What a command prints for one of many models. */
#ifndef SRC_CAPTURE_H
#define SRC_CAPTURE_H

#include "command.h"

/* From here on standard output and standard error are collected. IO. */
enum opshift_status capture_start(struct opshift_error *error);
/* The texts stay valid until the next call. IO, MEMORY. */
enum opshift_status capture_end(struct opshift_result *result, struct opshift_error *error);

#endif
