/* Reads external data without ever leaving the model's folder. */
#include "model/external.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCATION_MAX 4096

struct place {
    char location[LOCATION_MAX];
    bool has_location, has_offset, has_length;
    uint64_t offset, length;
};

static bool read_number(const ProtobufCBinaryData *text, uint64_t *number)
{
    *number = 0;
    if (text->len == 0 || text->len > 19)
        return false;
    for (size_t i = 0; i < text->len; i++) {
        if (text->data[i] < '0' || text->data[i] > '9')
            return false;
        *number = *number * 10 + (text->data[i] - '0');
    }
    return *number <= INT64_MAX;
}

static bool key_is(const Onnx__StringStringEntryProto *entry, const char *key)
{
    return entry->key.len == strlen(key) && memcmp(entry->key.data, key, entry->key.len) == 0;
}

static enum opshift_status read_location(struct place *place, const ProtobufCBinaryData *text,
                                         struct opshift_error *error)
{
    if (place->has_location)
        return opshift_fail(error, OPSHIFT_MALFORMED, "external data: key 'location' is given twice");
    if (text->len == 0 || text->len >= LOCATION_MAX || memchr(text->data, '\0', text->len))
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "external data: the location is empty, too long, or holds a NUL byte");
    memcpy(place->location, text->data, text->len);
    place->location[text->len] = '\0';
    place->has_location = true;
    return OPSHIFT_OK;
}

static enum opshift_status read_place(const Onnx__TensorProto *message, struct place *place,
                                      struct opshift_error *error)
{
    *place = (struct place){0};
    for (size_t i = 0; i < message->n_external_data; i++) {
        const Onnx__StringStringEntryProto *entry = message->external_data[i];
        bool offset = key_is(entry, "offset");
        if (key_is(entry, "location")) {
            enum opshift_status status = read_location(place, &entry->value, error);
            if (status)
                return status;
        } else if (offset || key_is(entry, "length")) {
            bool *seen = offset ? &place->has_offset : &place->has_length;
            if (*seen || !read_number(&entry->value, offset ? &place->offset : &place->length))
                return opshift_fail(error, OPSHIFT_MALFORMED,
                                    "external data: key '%s' is given twice or is no number of bytes",
                                    offset ? "offset" : "length");
            *seen = true;
        }
    }
    if (!place->has_location)
        return opshift_fail(error, OPSHIFT_MALFORMED, "external data: there is no 'location'");
    return OPSHIFT_OK;
}

/* Opens a relative path one step at a time; a symbolic link, "..", or an absolute path is refused. Returns -1 and sets
 * errno: EXDEV where it would leave the folder. */
static int open_below(int folder, char *path)
{
    int at = dup(folder);
    char *rest = path;
    while (at >= 0) {
        char *slash = strchr(rest, '/');
        if (slash)
            *slash = '\0';
        bool skip = *rest == '\0' || strcmp(rest, ".") == 0;
        if (strcmp(rest, "..") == 0) {
            close(at);
            errno = EXDEV;
            return -1;
        }
        if (!skip || slash == NULL) {
            int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (slash ? O_DIRECTORY | O_RDONLY : O_RDONLY);
            int next = openat(at, rest, flags);
            int saved = errno;
            close(at);
            errno = saved;
            at = next;
        }
        if (slash == NULL)
            break;
        *slash = '/';
        rest = slash + 1;
    }
    return at;
}

static enum opshift_status open_place(const struct opshift_model *model, struct place *place, int *descriptor,
                                      struct opshift_error *error)
{
    const char *location = place->location;
    if (model->folder == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "external data '%s' cannot be read: a model from memory or standard "
                            "input has no folder; name one",
                            location);
    if (location[0] == '/')
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "external data '%s' is an absolute path, and must lie below the "
                            "model's folder",
                            location);
    int folder = open(model->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *descriptor = folder < 0 ? -1 : open_below(folder, place->location);
    int why = errno;
    if (folder >= 0)
        close(folder);
    if (*descriptor >= 0)
        return OPSHIFT_OK;
    if (why == EXDEV || why == ELOOP || why == EMLINK)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "external data '%s' leaves the model's folder or is a symbolic link; "
                            "put a regular file below the folder",
                            location);
    return opshift_fail(error, OPSHIFT_IO, "external data '%s' cannot be opened: %s", location, strerror(why));
}

static enum opshift_status read_all(int descriptor, const struct place *place, void *into, uint64_t size,
                                    struct opshift_error *error)
{
    struct stat facts;
    if (fstat(descriptor, &facts) < 0)
        return opshift_fail(error, OPSHIFT_IO, "external data '%s': %s", place->location, strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "external data '%s' is no regular file", place->location);
    if (place->offset > (uint64_t)facts.st_size || (uint64_t)facts.st_size - place->offset < size)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "external data '%s' ends at byte %lld, and the tensor needs %" PRIu64
                            " bytes from %" PRIu64,
                            place->location, (long long)facts.st_size, size, place->offset);
    uint8_t *at = into;
    uint64_t offset = place->offset;
    while (size) {
        ssize_t got = pread(descriptor, at, size > (1 << 30) ? (size_t)1 << 30 : (size_t)size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return opshift_fail(error, OPSHIFT_IO, "external data '%s' cannot be read: %s", place->location,
                                got < 0 ? strerror(errno) : "it became shorter");
        at += got;
        offset += (uint64_t)got;
        size -= (uint64_t)got;
    }
    return OPSHIFT_OK;
}

enum opshift_status external_read(const struct opshift_model *model, const Onnx__TensorProto *message, void *into,
                                  uint64_t size, struct opshift_error *error)
{
    struct place place;
    enum opshift_status status = read_place(message, &place, error);
    if (status)
        return status;
    if (place.has_length && place.length != size)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "external data '%s': length is %" PRIu64 ", and the tensor needs %" PRIu64 " bytes",
                            place.location, place.length, size);
    int descriptor = -1;
    status = open_place(model, &place, &descriptor, error);
    if (status)
        return status;
    status = read_all(descriptor, &place, into, size, error);
    close(descriptor);
    return status;
}
