/* Lints a model written as text, and compares the findings. */
#ifndef CHECK_EXPECT_H
#define CHECK_EXPECT_H

#include "opshift.h"

struct lint_case {
    const char *what;
    const char *model; /* in ONNX's textual syntax */
    const char *found; /* one per line: "ID location: message"; "": none */
};

/* Only findings whose id starts with prefix count. options may be NULL. */
void lint_finds(const struct lint_case *row, const char *prefix, const struct opshift_lint_options *options);
/* The same for the bytes of a model that the text cannot express. */
void lint_bytes_finds(const char *what, const void *bytes, size_t size, const char *found, const char *prefix,
                      const struct opshift_lint_options *options);
/* The example of a check has exactly these findings among ids that start with prefix. */
void lint_example_finds(const char *id, const char *found, const char *prefix);
/* Each check's example: the finding is there before the fix, and not after; there are no other errors. */
void lint_examples(const char *prefix);

#define MODEL(opset, ir, rest) "<ir_version: " #ir ", opset_import: [\"\" : " #opset "]>\n" rest

#endif
