/* Moves a model to another opset, and prints what was done: convert IN.onnx OPSET OUT.onnx */
#include <opshift.h>
#include <stdio.h>
#include <stdlib.h>

static enum opshift_status convert(const char *in, long opset, const char *out, struct opshift_error *error)
{
    struct opshift_goal goal = {.size = sizeof(goal), .opset = opset};
    struct opshift_model *model = NULL;
    struct opshift_report *report = NULL;
    char *text = NULL;
    enum opshift_status status = opshift_model_open(in, NULL, &model, error);
    if (status == OPSHIFT_OK)
        status = opshift_convert(model, &goal, &report, error);
    /* Where the answer is no, the report names every node in the way. */
    if (report && opshift_report_text(report, &text, NULL) == OPSHIFT_OK)
        fputs(text, stdout);
    if (status == OPSHIFT_OK)
        status = opshift_model_save(model, out, NULL, error);
    opshift_text_free(text);
    opshift_report_free(report);
    opshift_model_free(model);
    return status;
}

int main(int argc, char **argv)
{
    struct opshift_error error = {0};
    if (argc != 4) {
        fputs("usage: convert IN.onnx OPSET OUT.onnx\n", stderr);
        return 2;
    }
    if (convert(argv[1], strtol(argv[2], NULL, 10), argv[3], &error) != OPSHIFT_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    return 0;
}
