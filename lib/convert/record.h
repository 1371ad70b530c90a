/* A draft's node as a record. */
#ifndef CONVERT_RECORD_H
#define CONVERT_RECORD_H

#include "base/buffer.h"
#include "model/draft.h"

/* Appends tag, length and the node as the draft has it. All inputs and outputs have names. A subgraph's attribute is
 * written with its name and type alone. IO, MEMORY. */
enum opshift_status record_write(const struct draft *draft, struct buffer *out, struct opshift_error *error);

#endif
