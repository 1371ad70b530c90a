/* Compares two models by walking both files in parallel. */
#include "diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"

static enum opshift_status diff_start(struct diff *diff, struct opshift_error *error)
{
    const char *directories[2] = {diff->models[0]->directory, diff->models[1]->directory};
    diff->one_directory =
        directories[0] != NULL && directories[1] != NULL && strcmp(directories[0], directories[1]) == 0;
    diff->one_directory = diff->one_directory || (!opshift_model_has_external_data(diff->models[0]) &&
                                                  !opshift_model_has_external_data(diff->models[1]));
    diff->keys = names_new();
    diff->differences = json_array();
    diff->notes = json_array();
    return diff->keys == NULL || diff->differences == NULL || diff->notes == NULL ? opshift_no_memory(error)
                                                                                  : OPSHIFT_OK;
}

static void diff_end(struct diff *diff)
{
    names_free(diff->keys);
    free(diff->marks.stamp);
    free(diff->marks.value);
    free(diff->marks.count);
    json_decref(diff->differences);
    json_decref(diff->notes);
}

static struct record record_of(const struct opshift_model *model)
{
    return (struct record){.type = WIRE_BYTES, .offset = model->message->offset, .size = model->message->size};
}

static enum opshift_status conclude(struct diff *diff, struct opshift_report **report, struct opshift_error *error)
{
    if (diff->out_of_memory)
        return opshift_no_memory(error);
    if (report != NULL && (*report = diff_report(diff)) == NULL)
        return opshift_no_memory(error);
    return diff->count == 0 ? OPSHIFT_OK : OPSHIFT_NO;
}

enum opshift_status opshift_diff(struct opshift_model *before, struct opshift_model *after,
                                 const struct opshift_diff_options *options, struct opshift_report **report,
                                 struct opshift_error *error)
{
    struct opshift_diff_options full;
    struct diff diff = {.models = {before, after}, .options = &full};
    struct record records[2] = {record_of(before), record_of(after)};
    struct diff_place root = {.index = -1};
    struct opshift_error own = {0};
    /* The first failure determines the status, so its text is kept even if the caller passes no error. */
    struct opshift_error *words = error == NULL ? &own : error;
    if (report != NULL)
        *report = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, words);
    if (status == OPSHIFT_OK)
        status = diff_start(&diff, words);
    if (status == OPSHIFT_OK)
        status = message_compare(&diff, &root, &onnx__model_proto__descriptor, &records[0], &records[1], words);
    if (status == OPSHIFT_OK)
        status = conclude(&diff, report, words);
    diff_end(&diff);
    return status;
}
