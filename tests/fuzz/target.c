/* Reads bytes as a target profile, and lints a model for it. */
#include <string.h>

#include "tests/fuzz/fuzz.h"

/* Nodes that profiles have constraints and missing kernels for. */
static const char text[] = "<ir_version: 8, opset_import: [\"\" : 18]>\n"
                           "g (float[6, 4] x) => (float[2, 4] a, float[4, 4] b, float[6, 4] y) {\n"
                           "a, b = Split <axis = 0, num_outputs = 2> (x) y = Abs (x) }\n";

static struct opshift_model *model;

static void open_model(void)
{
    static char *bytes; /* the model's, while it is open */
    struct opshift_error error = {0};
    size_t size;
    fuzz_answer(opshift_text_to_model(text, strlen(text), "text", &bytes, &size, &error), &error);
    fuzz_answer(opshift_model_open_memory(bytes, size, NULL, &model, &error), &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_lint *lint = NULL;
    struct opshift_findings *findings = NULL;
    const char *name = "target", *directory = fuzz_directory();
    if (model == NULL)
        open_model();
    fuzz_file("target.yaml", data, size);
    struct opshift_lint_options options = {
        .targets = &name, .target_count = 1, .target_directories = &directory, .target_directory_count = 1};
    enum opshift_status status = opshift_lint_new(&options, &lint, &error);
    fuzz_answer(status, &error);
    if (status == OPSHIFT_OK)
        fuzz_answer(opshift_lint_model(lint, model, &findings, &error), &error);
    opshift_findings_free(findings);
    opshift_lint_free(lint);
    return 0;
}
