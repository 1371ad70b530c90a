/* The pieces of a converted model as JSON. */
#ifndef SRC_PIECES_H
#define SRC_PIECES_H

#include "command.h"
#include "output.h"

/* Writes {"size": bytes of the model, "pieces": [{"from": offset, "size": n} or {"bytes": base64}, ...]} completely,
 * without moving the file to its place, path. IO, MEMORY. */
enum opshift_status pieces_write(const struct opshift_pieces *pieces, struct pending *file, const char *path,
                                 struct opshift_error *error);

#endif
