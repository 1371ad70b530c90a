/* The values of --opset and --to. */
#ifndef SRC_OPSET_VALUES_H
#define SRC_OPSET_VALUES_H

#include "command.h"

/* Moves the opset of ai.onnx out of the list, which keeps those of other domains ("ai.onnx.ml=3"); *opset 0: not given.
 * USAGE: not a known opset, or given twice. */
enum opshift_status opset_values_read(const char *command, const char *option, struct option_values *values,
                                      int64_t *opset, struct opshift_error *error);

#endif
