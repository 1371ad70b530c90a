/* Reads bytes as lint's configuration (.opshift.yaml), and as a baseline. */
#include "tests/fuzz/fuzz.h"

static void try_options(const struct opshift_lint_options *options)
{
    struct opshift_error error = {0};
    struct opshift_lint *lint = NULL;
    fuzz_answer(opshift_lint_new(options, &lint, &error), &error);
    opshift_lint_free(lint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(".opshift.yaml", data, size);
    try_options(&(struct opshift_lint_options){.config = path});
    try_options(&(struct opshift_lint_options){.baseline = path});
    return 0;
}
