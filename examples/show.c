/* Prints what a model holds, as JSON: show MODEL.onnx */
#include <opshift.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    struct opshift_report *report = NULL;
    char *json = NULL;
    if (argc != 2) {
        fputs("usage: show MODEL.onnx\n", stderr);
        return 2;
    }
    enum opshift_status status = opshift_model_open(argv[1], NULL, &model, &error);
    if (status == OPSHIFT_OK)
        status = opshift_show(model, &report, &error);
    if (status == OPSHIFT_OK)
        status = opshift_report_json(report, &json, &error);
    if (status == OPSHIFT_OK)
        puts(json);
    else
        fprintf(stderr, "%s\n", error.text);
    opshift_text_free(json);
    opshift_report_free(report);
    opshift_model_free(model);
    return status == OPSHIFT_OK ? 0 : 1;
}
