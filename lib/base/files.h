/* The output files of a program, registered before the first is written: no two may be the same file, and none may be a
 * file that is read. Files are compared by device and inode, or, if they do not exist yet, by their place. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <sys/stat.h>

#include "base/error.h"

/* The identity of a file. Start with {0}. */
struct file_identity {
    bool is_stdout, exists, has_place;
    dev_t device; /* of the file, where it exists */
    ino_t inode;
    mode_t mode;
    dev_t directory_device; /* of the innermost directory on its path that exists */
    ino_t directory_inode;
    char *directory; /* that directory, links resolved */
    char *rest;      /* the path below it, without empty parts and "." */
};

/* Identifies a path; "-" is standard output. IO, MEMORY. */
enum opshift_status file_identify(const char *path, struct file_identity *identity, struct opshift_error *error);
/* Identifies directory/path without a stat below the directory. */
enum opshift_status file_identify_below(const char *directory, const char *path, struct file_identity *identity,
                                        struct opshift_error *error);
/* Identifies an open file. */
void file_identify_open(const struct stat *file, struct file_identity *identity);
void file_identity_free(struct file_identity *identity);

/* True: no file is registered. */
bool files_are_none(const struct opshift_files *files);
/* USAGE: the file is one of the registered ones, except the one called `but` (NULL: no exception). */
enum opshift_status files_check(const struct opshift_files *files, const char *what,
                                const struct file_identity *identity, const char *but, struct opshift_error *error);

#endif
