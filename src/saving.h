/* A model on its way to a file, for commands that write one: its options, and what stays when the command ends early.
 */
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
     .flag = &saving_settings.sync,                                                                                    \
     .help = "flush the file, copied external data and their folders to the disk before success is "                   \
             "reported"},                                                                                              \
    {                                                                                                                  \
        .name = "external-data", .value = "copy|link|keep", .text = &saving_settings.external,                         \
        .choices = saving_external,                                                                                    \
        .help = "for an output in another folder, copy the files of external data (the default), link them, or keep "  \
                "them"                                                                                                 \
    }

/* Start with {0}. */
struct saving {
    struct opshift_output *output; /* written, not yet in its place */
    char *missing;                 /* external data that was not there; NULL: all was */
    char *left;                    /* the model beside which its external data stays; NULL: it has none */
    bool watched;                  /* signals are, for its sake */
    char *temporary;               /* its file, for who must remove it in a hurry; NULL: it has none */
};

/* Is the model, with its external data and the copies of it, none of the files that will be written, but the one that
 * is called so? USAGE. */
enum opshift_status saving_check(const struct opshift_files *files, const char *what, struct opshift_model *model,
                                 const char *path, bool written, struct opshift_error *error);
/* Writes the edited model, not yet to its place. */
enum opshift_status saving_write(struct saving *saving, struct opshift_model *model, const char *path,
                                 struct opshift_error *error);
/* Gives it its place. from: the path of the model as it came. */
enum opshift_status saving_commit(struct saving *saving, struct opshift_model *model, const char *from,
                                  const char *path, struct opshift_error *error);
/* Tells which external data does not lie beside the new model. */
void saving_tell(const struct saving *saving, const char *path);
/* Removes what was not committed. */
void saving_end(struct saving *saving);
void saving_free(struct saving *saving);

#endif
