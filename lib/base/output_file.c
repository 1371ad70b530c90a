/* opshift_file: files other than models, written like a model. */
#include <stdlib.h>

#include "base/destination.h"

#define DOCUMENT_SIZE ((uint64_t)1 << 20) /* the final size is unknown */

struct opshift_file {
    struct destination *destination;
};

enum opshift_status opshift_file_open(const char *path, struct opshift_file **file, struct opshift_error *error)
{
    struct opshift_file *made = calloc(1, sizeof(*made));
    *file = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = destination_open(path, 0, &made->destination, error);
    if (status == OPSHIFT_OK)
        status = destination_reserve(made->destination, DOCUMENT_SIZE, false, error);
    if (status)
        opshift_file_free(made);
    else
        *file = made;
    return status;
}

enum opshift_status opshift_file_add(struct opshift_file *file, const void *data, size_t size,
                                     struct opshift_error *error)
{
    return destination_add(file->destination, data, size, error);
}

enum opshift_status opshift_file_flush(struct opshift_file *file, struct opshift_error *error)
{
    return destination_flush(file->destination, error);
}

const char *opshift_file_temporary(const struct opshift_file *file)
{
    return destination_temporary(file->destination);
}

enum opshift_status opshift_file_commit(struct opshift_file *file, struct opshift_error *error)
{
    return destination_commit(file->destination, error);
}

void opshift_file_free(struct opshift_file *file)
{
    if (file == NULL)
        return;
    destination_free(file->destination);
    free(file);
}
