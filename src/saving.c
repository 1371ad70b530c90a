/* Saves a model to a file. */
#include "saving.h"

#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "output.h"
#include "print.h"
#include "progress.h"

struct saving_settings saving_settings;
const char *const saving_external[] = {"copy", "link", "keep", NULL};

static enum opshift_external_data external_how(void)
{
    const char *how = saving_settings.external;
    if (how && strcmp(how, "keep") == 0)
        return OPSHIFT_EXTERNAL_DATA_KEEP;
    return how && strcmp(how, "link") == 0 ? OPSHIFT_EXTERNAL_DATA_LINK : OPSHIFT_EXTERNAL_DATA_COPY;
}

enum opshift_status saving_check(const struct opshift_files *files, const char *what, struct opshift_model *model,
                                 const char *path, bool written, struct opshift_error *error)
{
    enum opshift_status status = opshift_files_check_model(files, model, what, error);
    if (status == OPSHIFT_OK && written && external_how() != OPSHIFT_EXTERNAL_DATA_KEEP)
        status = opshift_files_check_copies(files, model, path, error);
    return status;
}

/* Called while the library may have temporary files. A pipe has none, and writing to it can block for any time. */
static void saving_hold(const struct saving *saving)
{
    if (saving->watched)
        interrupt_hold();
}

static void saving_release(const struct saving *saving)
{
    if (saving->watched)
        interrupt_release();
}

enum opshift_status saving_write(struct saving *saving, struct opshift_model *model, const char *path,
                                 struct opshift_error *error)
{
    struct opshift_write_options how = {.sync = saving_settings.sync,
                                        .progress = progress_show,
                                        .progress_data = (void *)"writing",
                                        .external_data = external_how()};
    saving->watched = !output_is_stream(path);
    if (saving->watched)
        interrupt_watch();
    saving_hold(saving);
    enum opshift_status status = opshift_model_write(model, path, &how, &saving->output, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(saving->temporary); i++) {
        const char *temporary =
            i == 0 ? opshift_output_temporary(saving->output) : opshift_output_temporary_weights(saving->output);
        saving->temporary[i] = temporary ? strdup(temporary) : NULL;
        interrupt_file_add(saving->temporary[i]);
    }
    saving_release(saving);
    return status;
}

enum opshift_status saving_commit(struct saving *saving, struct opshift_model *model, const char *path,
                                  const char *output, struct opshift_error *error)
{
    saving_hold(saving);
    enum opshift_status status = opshift_output_commit(saving->output, error);
    saving_release(saving);
    const char *missing = opshift_output_missing(saving->output);
    saving->missing = status == OPSHIFT_OK && missing ? strdup(missing) : NULL;
    if (external_how() == OPSHIFT_EXTERNAL_DATA_KEEP && strcmp(output, "-") != 0 && !output_is_beside(path, output) &&
        opshift_model_has_external_data(model))
        saving->left = strdup(opshift_model_name(model));
    return status;
}

void saving_tell(const struct saving *saving, const char *path)
{
    if (external_how() != OPSHIFT_EXTERNAL_DATA_KEEP && saving->missing)
        tell("%s: external data '%s' is missing and was not copied; put it beside the new model", path,
             saving->missing);
    else if (saving->left)
        tell("%s: external data is not copied; put the files that lie beside %s beside it too", path, saving->left);
}

enum opshift_status saving_finish(struct saving *saving, struct opshift_model *model, const char *path,
                                  const char *output, const struct opshift_report *report, const char *report_path,
                                  const char *format, struct opshift_error *error)
{
    bool to_stderr = (output && output_is_stream(output)) || (report_path && strcmp(report_path, "-") == 0);
    struct pending file = {0};
    char *text = NULL;
    enum opshift_status status = OPSHIFT_OK;
    if (report_path)
        status = opshift_report_json(report, &text, error);
    if (status == OPSHIFT_OK && report_path)
        status = pending_write(&file, report_path, text, strlen(text), error);
    opshift_text_free(text);
    if (status == OPSHIFT_OK && output)
        status = saving_commit(saving, model, path, output, error);
    if (status == OPSHIFT_OK)
        status = pending_commit(&file, error);
    if (status == OPSHIFT_OK)
        status = report_print(to_stderr ? stderr : stdout, report, format, error);
    if (status == OPSHIFT_OK && output)
        saving_tell(saving, output);
    pending_free(&file);
    return status;
}

void saving_end(struct saving *saving)
{
    opshift_output_free(saving->output);
    saving->output = NULL;
    for (size_t i = 0; i < COUNT(saving->temporary); i++) {
        interrupt_file_drop(saving->temporary[i]);
        free(saving->temporary[i]);
        saving->temporary[i] = NULL;
    }
    if (saving->watched)
        interrupt_end();
    saving->watched = false;
}

void saving_free(struct saving *saving)
{
    saving_end(saving);
    free(saving->missing);
    free(saving->left);
}
