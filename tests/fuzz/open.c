/* Opens bytes as a model, and prints it as a report and in textual syntax. */
#include "tests/fuzz/fuzz.h"

static void show(struct opshift_model *model)
{
    struct opshift_error error = {0};
    struct opshift_report *report = NULL;
    char *text = NULL;
    size_t size = 0;
    enum opshift_status status = opshift_show(model, &report, &error);
    fuzz_answer(status, &error);
    if (status == OPSHIFT_OK)
        fuzz_answer(opshift_report_text(report, &text, &error), &error);
    opshift_text_free(text);
    opshift_report_free(report);
    text = NULL;
    fuzz_answer(opshift_model_to_text(model, &text, &size, &error), &error);
    opshift_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opshift_model *model = fuzz_model(data, size);
    if (model)
        show(model);
    opshift_model_free(model);
    return 0;
}
