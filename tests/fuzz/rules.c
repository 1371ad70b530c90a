/* Reads bytes as a rule file, whose examples are run, and as a compatible.yaml. */
#include <stdio.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

static void check(const char *name, const uint8_t *data, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_report *report = NULL;
    char *text = NULL;
    enum opshift_status status = opshift_rules_check(fuzz_file(name, data, size), &report, &error);
    fuzz_answer(status, &error);
    if (report)
        fuzz_answer(opshift_report_json(report, &text, &error), &error);
    opshift_text_free(text);
    opshift_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool made;
    char directory[512];
    snprintf(directory, sizeof directory, "%s/opset-13", fuzz_directory());
    if (!made)
        mkdir(directory, 0700);
    made = true;
    check("opset-13/split.yaml", data, size);
    check("opset-13/compatible.yaml", data, size);
    return 0;
}
