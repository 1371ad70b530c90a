/* One conversion: a model as text before and after, or the reason of the refusal. */
#ifndef TESTS_CONVERT_CASE_H
#define TESTS_CONVERT_CASE_H

#include "lib/opshift.h"

struct conversion_case {
    const char *what;
    const char *before;
    int64_t opset;
    const char *after; /* the text, ignoring white space; NULL: refused */
    const char *words; /* reason of the refusal */
    struct opshift_goal goal;
};

#define MODEL(opset, ir, rest) "<ir_version: " #ir ", opset_import: [\"\" : " #opset "]>\n" rest

/* From the textual syntax; *bytes is freed after the model. NULL: it does not open, which fails the test. */
struct opshift_model *open_text(const char *text, char **bytes, const char *what);
char *text_of(struct opshift_model *model);
/* The model as saved, in the textual syntax. */
char *saved_text(struct opshift_model *model, const char *what);
void check_case(const struct conversion_case *test);

#endif
