/* The files that one piece of work writes, known before the first of them is: none may be another one, nor one that is
 * read and has to stay. Files are the same by what they are (device and inode), or by where they will be. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <sys/stat.h>

#include "base/error.h"

/* What a path names. Start with {0}. */
struct file_identity {
    bool is_stdout, exists, has_place;
    dev_t device; /* of the file, where it exists */
    ino_t inode;
    mode_t mode;
    dev_t folder_device; /* of the innermost folder on its path that exists */
    ino_t folder_inode;
    char *folder; /* that folder, links resolved */
    char *rest;   /* the path below it, without empty parts and "." */
};

/* Of a path; "-" is standard output. IO, MEMORY. */
enum opshift_status file_identify(const char *path, struct file_identity *identity, struct opshift_error *error);
/* Of folder/path, where nothing below the folder is looked at. */
enum opshift_status file_identify_below(const char *folder, const char *path, struct file_identity *identity,
                                        struct opshift_error *error);
/* Of what was opened. */
void file_identify_open(const struct stat *file, struct file_identity *identity);
void file_identity_free(struct file_identity *identity);

struct opshift_files;
/* True: nothing will be written. */
bool files_are_none(const struct opshift_files *files);
/* USAGE: it is one of the files that will be written, but for the one that is called `but` (NULL: none is left out). */
enum opshift_status files_check(const struct opshift_files *files, const char *what,
                                const struct file_identity *identity, const char *but, struct opshift_error *error);

#endif
