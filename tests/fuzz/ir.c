/* Reads bytes as the .xml of an IR with a .bin of 4 KiB beside it: lint, import, and a run on random inputs. */
#include "tests/fuzz/fuzz.h"

static void run(struct opshift_imported *imported)
{
    struct opshift_error error = {0};
    struct opshift_values *inputs = NULL, *outputs = NULL;
    const struct opshift_draw_options draw = {.memory = (uint64_t)16 << 20, .attempt = 1};
    const struct opshift_run_options options = {.memory = (uint64_t)16 << 20, .steps = 10000000};
    enum opshift_status status = opshift_values_new(&inputs, &error);
    if (status == OPSHIFT_OK)
        status = opshift_values_draw(inputs, opshift_imported_model(imported), &draw, &error);
    if (status == OPSHIFT_OK)
        status = opshift_imported_run(imported, inputs, &options, &outputs, &error);
    fuzz_answer(status, &error);
    opshift_values_free(outputs);
    opshift_values_free(inputs);
}

/* opset 0: as it is, to be run. */
static void import(const char *path, int64_t opset)
{
    struct opshift_error error = {0};
    struct opshift_open_options open = fuzz_options();
    struct opshift_import_options options = {.opset = opset, .open = &open};
    struct opshift_imported *imported = NULL;
    struct opshift_report *report = NULL;
    fuzz_answer(opshift_import(path, &options, &imported, &report, &error), &error);
    if (imported && opset == 0)
        run(imported);
    opshift_report_free(report);
    opshift_imported_free(imported);
}

static void lint(const char *path)
{
    struct opshift_error error = {0};
    struct opshift_open_options open = fuzz_options();
    struct opshift_lint_options options = {.open = &open};
    struct opshift_lint *made = NULL;
    struct opshift_findings *findings = NULL;
    enum opshift_status status = opshift_lint_new(&options, &made, &error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_file(made, path, &findings, &error);
    fuzz_answer(status, &error);
    opshift_findings_free(findings);
    opshift_lint_free(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t weights[4096];
    static bool written;
    if (!written)
        fuzz_file("ir.bin", weights, sizeof(weights));
    written = true;
    const char *path = fuzz_file("ir.xml", data, size);
    lint(path);
    import(path, 0);
    import(path, 18);
    return 0;
}
