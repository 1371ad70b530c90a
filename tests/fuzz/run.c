/* Runs a model with the built-in engine on random inputs, with a small limit. */
#include "tests/fuzz/fuzz.h"

static void run(struct opshift_model *model)
{
    struct opshift_error error = {0};
    struct opshift_values *inputs = NULL, *outputs = NULL;
    struct opshift_run_options options = {.memory = (uint64_t)16 << 20, .steps = 2000};
    enum opshift_status status = opshift_values_new(&inputs, &error);
    if (status == OPSHIFT_OK)
        status = opshift_values_draw(inputs, model, NULL, &error);
    if (status == OPSHIFT_OK)
        status = opshift_run(model, inputs, &options, &outputs, &error);
    fuzz_answer(status, &error);
    opshift_values_free(outputs);
    opshift_values_free(inputs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opshift_model *model = fuzz_model(data, size);
    if (model)
        run(model);
    opshift_model_free(model);
    return 0;
}
