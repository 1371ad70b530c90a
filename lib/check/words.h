/* Shapes in words, for messages. */
#ifndef CHECK_WORDS_H
#define CHECK_WORDS_H

#include "infer/infer.h"

#define SHAPE_TEXT_SIZE 160

/* "[2,?,3]"; long ones are cut. Returns buffer. */
const char *shape_text(const struct value_type *type, char buffer[SHAPE_TEXT_SIZE]);

#endif
