/* Runs one conversion and compares the result. */
#include "tests/convert/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap/tap.h"

struct opshift_model *open_text(const char *text, char **bytes, const char *what)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    size_t size;
    if (opshift_text_to_model(text, strlen(text), "test", bytes, &size, &error) ||
        opshift_model_open_memory(*bytes, size, NULL, &model, &error))
        ok(false, "%s: %s", what, error.text);
    return model;
}

char *text_of(struct opshift_model *model)
{
    struct opshift_error error = {0};
    char *text = NULL;
    size_t size;
    if (opshift_model_to_text(model, &text, &size, &error))
        ok(false, "prints: %s", error.text);
    return text;
}

char *saved_text(struct opshift_model *model, const char *what)
{
    char path[] = "/tmp/opshift-convert-XXXXXX";
    struct opshift_error error = {0};
    struct opshift_model *after = NULL;
    char *text = NULL;
    int descriptor = mkstemp(path);
    if (descriptor < 0 || opshift_model_save(model, path, NULL, &error) ||
        opshift_model_open(path, NULL, &after, &error))
        ok(false, "%s: %s", what, error.text);
    else
        text = text_of(after);
    opshift_model_free(after);
    if (descriptor >= 0) {
        fclose(fdopen(descriptor, "r"));
        remove(path);
    }
    return text;
}

void check_case(const struct conversion_case *test)
{
    char *bytes = NULL, *wanted_bytes = NULL;
    struct opshift_error error = {0};
    struct opshift_goal goal = test->goal;
    goal.opset = test->opset;
    struct opshift_model *model = open_text(test->before, &bytes, test->what);
    if (model) {
        enum opshift_status status = opshift_convert(model, &goal, NULL, &error);
        if (test->after == NULL) {
            is_int(OPSHIFT_NO, status, "%s: refused", test->what);
            if (!ok(strstr(error.text, test->words) != NULL, "%s: says why", test->what))
                diag("wanted: %s\nsaw:    %s", test->words, error.text);
        } else if (is_int(OPSHIFT_OK, status, "%s: converts", test->what)) {
            struct opshift_model *wanted = open_text(test->after, &wanted_bytes, test->what);
            char *seen = saved_text(model, test->what), *text = wanted ? text_of(wanted) : NULL;
            is_string(text, seen, "%s", test->what);
            opshift_text_free(seen);
            opshift_text_free(text);
            opshift_model_free(wanted);
        } else {
            diag("%s", error.text);
        }
    }
    opshift_model_free(model);
    opshift_text_free(bytes);
    opshift_text_free(wanted_bytes);
}
