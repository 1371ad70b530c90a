/* Makes broken models: bytes appended to a message inside a model written as text. */
#ifndef CHECK_APPEND_H
#define CHECK_APPEND_H

#include "tests/check/expect.h"

struct appended {
    const char *what;
    const char *model; /* in ONNX's textual syntax */
    const char *path;  /* field numbers, a byte each, from the model to the message */
    const char *bytes; /* appended to it */
    size_t size;
    const char *found; /* as in struct lint_case */
};
#define APPEND(text) text, sizeof(text) - 1

/* Freed by the caller. */
char *model_with(const struct appended *row, size_t *size);
/* Only findings whose id starts with prefix count. */
void lint_appended(const struct appended *row, const char *prefix);

#endif
