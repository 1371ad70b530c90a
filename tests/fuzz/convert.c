/* Converts a model to the opset in the last byte, saves it, opens the saved one, verifies. */
#include <stdio.h>

#include "tests/fuzz/fuzz.h"

static void verify(struct opshift_model *before, struct opshift_output *output)
{
    struct opshift_error error = {0};
    struct opshift_model *after = NULL;
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_output_open(output, &after, &error);
    fuzz_answer(status, &error);
    if (status == OPSHIFT_OK)
        fuzz_answer(opshift_verify(before, after, NULL, &report, &error), &error);
    opshift_report_free(report);
    opshift_model_free(after);
}

static void convert(struct opshift_model *model, uint8_t choice)
{
    struct opshift_error error = {0};
    struct opshift_report *report = NULL;
    struct opshift_output *output = NULL;
    char path[512], *text = NULL;
    struct opshift_goal goal = {
        .opset = choice % OPSHIFT_OPSET_NEWEST + 1,
        .ir_version = choice & 32 ? OPSHIFT_IR_MATCH : OPSHIFT_IR_KEEP,
        .freeze_initializers = choice & 64,
        .strict = choice & 128,
        .sequences = (enum opshift_sequences)(choice % 3),
    };
    enum opshift_status status = opshift_convert(model, &goal, &report, &error);
    fuzz_answer(status, &error);
    if (report)
        fuzz_answer(opshift_report_json(report, &text, &error), &error);
    snprintf(path, sizeof path, "%s/output", fuzz_directory());
    if (status == OPSHIFT_OK) {
        status = opshift_model_write(model, path, NULL, &output, &error);
        fuzz_answer(status, &error);
        if (status == OPSHIFT_OK)
            verify(model, output);
    }
    opshift_output_free(output);
    opshift_text_free(text);
    opshift_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opshift_model *model = size ? fuzz_model(data, size - 1) : NULL;
    if (model)
        convert(model, data[size - 1]);
    opshift_model_free(model);
    return 0;
}
