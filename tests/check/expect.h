/* Lints a model written as text, and compares what is found. */
#ifndef CHECK_EXPECT_H
#define CHECK_EXPECT_H

#include "opshift.h"

struct lint_case {
    const char *what;
    const char *model; /* in ONNX's textual syntax */
    const char *found; /* a line each: "ID location: message"; "" is nothing */
};

/* Only findings whose id starts with prefix count. options may be NULL. */
void lint_finds(const struct lint_case *row, const char *prefix, const struct opshift_lint_options *options);
/* The same for bytes of a model, which text cannot say. */
void lint_bytes_finds(const char *what, const void *bytes, size_t size, const char *found, const char *prefix,
                      const struct opshift_lint_options *options);
/* Exactly these lines are found in the example of a check, among ids that start with prefix. */
void lint_example_finds(const char *id, const char *found, const char *prefix);
/* Each check's example: the fault is found before, and not after; nothing else is an error. */
void lint_examples(const char *prefix);

#define MODEL(opset, ir, rest) "<ir_version: " #ir ", opset_import: [\"\" : " #opset "]>\n" rest

#endif
