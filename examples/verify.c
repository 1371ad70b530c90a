/* Writes the converted model beside its target, verifies it, and gives it its name only if it does the same:
 * verify IN.onnx OPSET OUT.onnx */
#include <opshift.h>
#include <stdio.h>
#include <stdlib.h>

static enum opshift_status convert_verified(const char *in, long opset, const char *out, struct opshift_error *error)
{
    struct opshift_goal goal = {.size = sizeof(goal), .opset = opset};
    struct opshift_verify_options how = {.size = sizeof(how), .seed = 7};
    struct opshift_model *before = NULL, *after = NULL;
    struct opshift_output *output = NULL;
    struct opshift_report *certificate = NULL;
    char *json = NULL;
    enum opshift_status status = opshift_model_open(in, NULL, &before, error);
    if (status == OPSHIFT_OK)
        status = opshift_convert(before, &goal, NULL, error);
    if (status == OPSHIFT_OK)
        status = opshift_model_write(before, out, NULL, &output, error);
    if (status == OPSHIFT_OK)
        status = opshift_output_open(output, &after, error);
    if (status == OPSHIFT_OK)
        status = opshift_verify(before, after, &how, &certificate, error);
    if (status == OPSHIFT_OK)
        status = opshift_output_commit(output, error);
    if (certificate && opshift_report_json(certificate, &json, NULL) == OPSHIFT_OK)
        puts(json);
    opshift_text_free(json);
    opshift_report_free(certificate);
    opshift_model_free(after);
    opshift_output_free(output); /* what was not committed is removed */
    opshift_model_free(before);
    return status;
}

int main(int argc, char **argv)
{
    struct opshift_error error = {0};
    if (argc != 4) {
        fputs("usage: verify IN.onnx OPSET OUT.onnx\n", stderr);
        return 2;
    }
    if (convert_verified(argv[1], strtol(argv[2], NULL, 10), argv[3], &error) != OPSHIFT_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    return 0;
}
