/* What differs is gathered first, and written at once: the room that the file grows by, then all else. */
#include "model/in_place.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/file.h"

#define MOST ((size_t)16 << 20) /* bytes that are written; who moves more is better off with a new file */

/* Bytes that differ from what the file has there. */
struct patch {
    uint64_t offset;
    size_t start, size; /* within the bytes */
};

struct in_place {
    char *path;
    int descriptor;
    struct stat was;
    uint64_t size; /* of the file, then */
    struct patch *patches;
    size_t count;
    struct buffer bytes;
};

static enum opshift_status failed(const struct in_place *in_place, const char *what, const char *way,
                                  struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_IO, "%s: %s: %s; %s", in_place->path, what, strerror(errno), way);
}

static enum opshift_status file_open(struct in_place *in_place, const struct source *source,
                                     struct opshift_error *error)
{
    struct stat read;
    in_place->descriptor = open(in_place->path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (in_place->descriptor < 0)
        return failed(in_place, "cannot be changed in place", "check its permissions, or write a new file", error);
    if (fstat(in_place->descriptor, &in_place->was) != 0)
        return failed(in_place, "cannot be looked at", "write a new file", error);
    int descriptor = source_descriptor(source);
    if (descriptor >= 0 && fstat(descriptor, &read) != 0)
        return failed(in_place, "cannot be looked at", "write a new file", error);
    if (descriptor < 0 || read.st_dev != in_place->was.st_dev || read.st_ino != in_place->was.st_ino)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "%s: cannot be changed in place: the model was not read from this file; write a new file",
                            in_place->path);
    return OPSHIFT_OK;
}

/* Room in the bytes for what is written at offset: behind the last patch, or a new one. */
static void patch_add(struct in_place *in_place, uint64_t offset, const void *data, size_t size)
{
    struct patch *last = in_place->count ? &in_place->patches[in_place->count - 1] : NULL;
    if (size == 0)
        return;
    if (last == NULL || last->offset + last->size != offset) {
        last = &in_place->patches[in_place->count++];
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is room for every patch. */
        *last = (struct patch){offset, in_place->bytes.size, 0};
    }
    buffer_add(&in_place->bytes, data, size);
    last->size += size;
}

/* What stands in the file at `from` and is to stand at `to`; too many bytes are only counted. */
static enum opshift_status range_move(struct in_place *in_place, struct source *source, uint64_t from, uint64_t to,
                                      uint64_t size, struct opshift_error *error)
{
    uint8_t data[4096];
    enum opshift_status status = OPSHIFT_OK;
    if (from == to)
        return OPSHIFT_OK;
    if (size > MOST || in_place->bytes.size > MOST)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "cannot be changed in place: more than %zu bytes would have to move; write a new file",
                            MOST);
    for (uint64_t done = 0; status == OPSHIFT_OK && done < size; done += sizeof(data)) {
        size_t count = size - done < sizeof(data) ? (size_t)(size - done) : sizeof(data);
        status = source_read(source, from + done, data, count, error);
        if (status == OPSHIFT_OK)
            patch_add(in_place, to + done, data, count);
    }
    return status;
}

static enum opshift_status patches_make(struct in_place *in_place, struct plan *plan, struct opshift_error *error)
{
    struct source *source = plan->model->source;
    uint64_t from = 0, to = 0;
    enum opshift_status status = OPSHIFT_OK;
    in_place->size = plan->size;
    size_t most = (size_t)plan->model->edit_count + plan->length_count;
    in_place->patches = calloc(2 * most + 1, sizeof(*in_place->patches));
    if (in_place->patches == NULL)
        return opshift_no_memory(error);
    struct plan_walk walk = {0};
    struct splice splice = {0};
    for (bool found = true; status == OPSHIFT_OK && found;) {
        found = plan_next(plan, &walk, &splice);
        uint64_t kept = (found ? splice.offset : source_size(source)) - from;
        status = range_move(in_place, source, from, to, kept, error);
        from += kept;
        to += kept;
        if (found) {
            patch_add(in_place, to, splice.added.data, splice.added.size);
            from += splice.removed;
            to += splice.added.size;
        }
    }
    if (status == OPSHIFT_OK && in_place->bytes.failed)
        status = opshift_no_memory(error);
    return status ? opshift_within(error, status, "%s", in_place->path) : OPSHIFT_OK;
}

enum opshift_status in_place_open(struct plan *plan, const char *path, struct in_place **in_place,
                                  struct opshift_error *error)
{
    struct in_place *made = calloc(1, sizeof(*made));
    enum opshift_status status = OPSHIFT_OK;
    *in_place = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    made->descriptor = -1;
    made->path = strdup(path);
    if (made->path == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = file_open(made, plan->model->source, error);
    if (status == OPSHIFT_OK)
        status = patches_make(made, plan, error);
    if (status)
        in_place_free(made);
    else
        *in_place = made;
    return status;
}

/* Whoever wrote to it since would be mixed with what is written now. */
static enum opshift_status unchanged_check(const struct in_place *in_place, struct opshift_error *error)
{
    struct stat now;
    if (fstat(in_place->descriptor, &now) != 0)
        return failed(in_place, "cannot be looked at", "nothing was written", error);
    if (now.st_size == in_place->was.st_size && now.st_mtim.tv_sec == in_place->was.st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == in_place->was.st_mtim.tv_nsec)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_IO,
                        "%s: somebody wrote to it while it was read; nothing was written; try again when nobody does",
                        in_place->path);
}

/* What the file grows by, while it can still be taken back. */
static enum opshift_status room_make(const struct in_place *in_place, struct opshift_error *error)
{
    static const uint8_t zeros[4096] = {0};
    uint64_t old_size = (uint64_t)in_place->was.st_size;
    for (uint64_t at = old_size; at < in_place->size; at += sizeof(zeros)) {
        size_t count = in_place->size - at < sizeof(zeros) ? (size_t)(in_place->size - at) : sizeof(zeros);
        if (descriptor_write(in_place->descriptor, zeros, count, (off_t)at) == 0)
            continue;
        enum opshift_status status = failed(in_place, "cannot be made longer",
                                            "nothing was changed; free some space, or write elsewhere", error);
        return ftruncate(in_place->descriptor, (off_t)old_size) == 0
                   ? status
                   : failed(in_place, "cannot be given its old length again", "restore it from a copy", error);
    }
    return OPSHIFT_OK;
}

enum opshift_status in_place_commit(struct in_place *in_place, bool sync, struct opshift_error *error)
{
    enum opshift_status status = unchanged_check(in_place, error);
    if (status == OPSHIFT_OK)
        status = room_make(in_place, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < in_place->count; i++) {
        const struct patch *patch = &in_place->patches[i];
        if (descriptor_write(in_place->descriptor, in_place->bytes.data + patch->start, patch->size,
                             (off_t)patch->offset) != 0)
            status = failed(in_place, "is written in part and is broken", "restore it from a copy", error);
    }
    if (status == OPSHIFT_OK && in_place->size < (uint64_t)in_place->was.st_size &&
        ftruncate(in_place->descriptor, (off_t)in_place->size) != 0)
        status = failed(in_place, "cannot be given its length and is broken", "restore it from a copy", error);
    if (status == OPSHIFT_OK && sync && fsync(in_place->descriptor) != 0)
        status = failed(in_place, "is written, but cannot be flushed to the disk", "flush it with sync", error);
    int closed = close(in_place->descriptor); /* where a network's file system tells that it failed to write */
    in_place->descriptor = -1;
    if (status == OPSHIFT_OK && closed != 0)
        status = failed(in_place, "may be broken", "verify it, or restore it from a copy", error);
    return status;
}

void in_place_free(struct in_place *in_place)
{
    if (in_place == NULL)
        return;
    descriptor_close(in_place->descriptor);
    buffer_free(&in_place->bytes);
    free(in_place->patches);
    free(in_place->path);
    free(in_place);
}
