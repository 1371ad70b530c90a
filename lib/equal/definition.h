/* Operators that ONNX does not have, as functions of those that it has. */
#ifndef EQUAL_DEFINITION_H
#define EQUAL_DEFINITION_H

#include "equal/term.h"

/* The model whose one function defines the node. NULL: there is none. */
enum opshift_status definition_find(struct equal_work *work, const struct node_use *use, const struct equal_side **side,
                                    struct opshift_error *error);
void definitions_free(struct equal_definition *list);

#endif
