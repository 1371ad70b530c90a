/* Functions of commands that compare two models. */
#include "pair.h"

#include <string.h>

#include "opening.h"
#include "print.h"
#include "progress.h"

enum opshift_status pair_open(const char *command, char **paths, struct pair *pair, struct opshift_error *error)
{
    if (strcmp(paths[0], "-") == 0 && strcmp(paths[1], "-") == 0)
        return fail(error, OPSHIFT_USAGE,
                    "%s: only one of the two models can be standard input; give the other as a file", command);
    enum opshift_status status = opening_open(paths[0], &pair->before, error);
    int64_t read_as = opening_settings.read_as;
    opening_settings.read_as = 0; /* it is for the first model */
    if (status == OPSHIFT_OK)
        status = opening_open(paths[1], &pair->after, error);
    opening_settings.read_as = read_as;
    return status;
}

void pair_close(struct pair *pair)
{
    opshift_model_free(pair->after);
    opshift_model_free(pair->before);
}

enum opshift_status
pair_tell(FILE *out, const struct opshift_report *report, const char *format, enum opshift_status answer,
          enum opshift_status (*write)(const struct opshift_report *report, struct opshift_error *error),
          struct opshift_error *error)
{
    struct opshift_error late = {0};
    progress_clear();
    if (report == NULL || (answer != OPSHIFT_OK && answer != OPSHIFT_NO))
        return answer;
    enum opshift_status told = report_print(out, report, format, &late);
    if (told == OPSHIFT_OK && write != NULL)
        told = write(report, &late);
    if (told == OPSHIFT_OK)
        return answer;
    *error = late;
    return told;
}
