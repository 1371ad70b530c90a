/* Saves a model to a file: options, and clean-up when the command ends early. */
#ifndef SRC_SAVING_H
#define SRC_SAVING_H

#include "command.h"

struct saving_settings {
    const char *external;
    bool sync;
};

extern struct saving_settings saving_settings;
extern const char *const saving_external[];

/* Rows for a command's table. */
#define SAVING_OPTIONS                                                                                                 \
    {.name = "sync",                                                                                                   \
     .group = "writing the model",                                                                                     \
     .flag = &saving_settings.sync,                                                                                    \
     .help = "flush the file, copied external data and their directories to the disk before success is "               \
             "reported"},                                                                                              \
    {                                                                                                                  \
        .name = "external-data", .value = "copy|link|keep", .text = &saving_settings.external,                         \
        .choices = saving_external,                                                                                    \
        .help =                                                                                                        \
            "for an output in another directory, copy the files of external data (the default), link them, or keep "   \
            "them"                                                                                                     \
    }

/* Start with {0}. */
struct saving {
    struct opshift_output *output; /* written, not yet renamed */
    char *missing;                 /* missing external data; NULL: none */
    char *left;                    /* the model whose directory keeps the external data; NULL: none does */
    bool watched;                  /* signals are watched for it */
    char *temporary[2];            /* temporary files of the model and of weights, for removal by a signal handler */
};

/* Checks that no output file is the model, its external data or the copies of it, except the output for the model.
 * USAGE. */
enum opshift_status saving_check(const struct opshift_files *files, const char *what, struct opshift_model *model,
                                 const char *path, bool written, struct opshift_error *error);
/* Writes the edited model to a temporary file. */
enum opshift_status saving_write(struct saving *saving, struct opshift_model *model, const char *path,
                                 struct opshift_error *error);
/* Renames it to its path, output. path: of the original model. */
enum opshift_status saving_commit(struct saving *saving, struct opshift_model *model, const char *path,
                                  const char *output, struct opshift_error *error);
/* Puts a written model and its report in their places, and prints the report. path: of the original model; output NULL:
 * there is no model to put; report_path NULL: no file for the report. */
enum opshift_status saving_finish(struct saving *saving, struct opshift_model *model, const char *path,
                                  const char *output, const struct opshift_report *report, const char *report_path,
                                  const char *format, struct opshift_error *error);
/* Reports external data that is not beside the new model. */
void saving_tell(const struct saving *saving, const char *path);
/* Removes uncommitted files. */
void saving_end(struct saving *saving);
void saving_free(struct saving *saving);

#endif
