/* Models of the tests, opened from ONNX's textual syntax. */
#ifndef TAP_OPENED_H
#define TAP_OPENED_H

#include "opshift.h"

struct opened {
    char *bytes;
    size_t size;
    struct opshift_model *model;
};

/* name: in messages; may be NULL. False: it is invalid, which fails the test; *opened is empty then. */
bool text_open(const char *text, const char *name, struct opened *opened);
void text_close(struct opened *opened);

#endif
