/* Files that programs write beside models: the same target as a model's. */
#include <stdlib.h>

#include "base/file.h"

#define DOCUMENT_SIZE ((uint64_t)1 << 20) /* nobody knows how long it gets */

struct opshift_file {
    struct target *target;
};

enum opshift_status opshift_file_open(const char *path, struct opshift_file **file, struct opshift_error *error)
{
    struct opshift_file *made = calloc(1, sizeof(*made));
    *file = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = target_open(path, 0, &made->target, error);
    if (status == OPSHIFT_OK)
        status = target_reserve(made->target, DOCUMENT_SIZE, false, error);
    if (status)
        opshift_file_free(made);
    else
        *file = made;
    return status;
}

enum opshift_status opshift_file_add(struct opshift_file *file, const void *data, size_t size,
                                     struct opshift_error *error)
{
    return target_add(file->target, data, size, error);
}

enum opshift_status opshift_file_flush(struct opshift_file *file, struct opshift_error *error)
{
    return target_flush(file->target, error);
}

const char *opshift_file_temporary(const struct opshift_file *file)
{
    return target_temporary(file->target);
}

enum opshift_status opshift_file_commit(struct opshift_file *file, struct opshift_error *error)
{
    return target_commit(file->target, error);
}

void opshift_file_free(struct opshift_file *file)
{
    if (file == NULL)
        return;
    target_free(file->target);
    free(file);
}
