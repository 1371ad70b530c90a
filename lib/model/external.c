/* Reads external data. The location is untrusted: only files below the model's directory are opened. */
#include "model/external.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/beneath.h"
#include "base/descriptor.h"
#include "base/file.h"

#define HOLLOW_READ_MAX ((uint64_t)16 << 20) /* maximum bytes read of a file that is nearly all holes */

/* The content of external_data. */
struct external_place {
    char location[EXTERNAL_LOCATION_SIZE];
    uint64_t offset, length;
    bool has_offset, has_length;
};

static bool key_is(const Onnx__StringStringEntryProto *entry, const char *key)
{
    return bytes_are(bytes_of(entry->key), key);
}

static enum opshift_status parse_number(const Onnx__StringStringEntryProto *entry, uint64_t *number,
                                        struct opshift_error *error)
{
    *number = 0;
    bool good = entry->value.len > 0;
    for (size_t i = 0; i < entry->value.len && good; i++) {
        uint8_t digit = (uint8_t)(entry->value.data[i] - '0');
        good = digit <= 9 && *number <= ((uint64_t)INT64_MAX - digit) / 10;
        *number = good ? *number * 10 + digit : 0;
    }
    if (good)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "external data: %.*s is '%.*s'; a whole number is needed",
                        (int)entry->key.len, (const char *)entry->key.data,
                        entry->value.len < 40 ? (int)entry->value.len : 40, (const char *)entry->value.data);
}

static enum opshift_status parse_location(const Onnx__StringStringEntryProto *entry, struct external_place *place,
                                          struct opshift_error *error)
{
    if (entry->value.len >= sizeof place->location)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "external data: a location of %zu bytes; at most %u are read",
                            entry->value.len, EXTERNAL_LOCATION_SIZE - 1);
    if (memchr(entry->value.data, '\0', entry->value.len) != NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "external data: a location with a NUL byte in it");
    memcpy(place->location, entry->value.data, entry->value.len);
    place->location[entry->value.len] = '\0';
    return OPSHIFT_OK;
}

/* Readers differ in which of two equal keys they use. */
static enum opshift_status entry_once(bool seen, const char *key, struct opshift_error *error)
{
    if (!seen)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED,
                        "external data: %s is given twice; it is not known which one counts; remove one of them", key);
}

static enum opshift_status entry_read(const Onnx__StringStringEntryProto *entry, struct external_place *place,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (key_is(entry, "location") && entry->value.len > 0) {
        status = entry_once(place->location[0] != '\0', "location", error);
        return status ? status : parse_location(entry, place, error);
    }
    if (key_is(entry, "offset")) {
        status = entry_once(place->has_offset, "offset", error);
        place->has_offset = true;
        return status ? status : parse_number(entry, &place->offset, error);
    }
    if (key_is(entry, "length")) {
        status = entry_once(place->has_length, "length", error);
        place->has_length = true;
        return status ? status : parse_number(entry, &place->length, error);
    }
    return status;
}

static enum opshift_status place_read(const Onnx__TensorProto *message, struct external_place *place,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < message->n_external_data && status == OPSHIFT_OK; i++)
        status = entry_read(message->external_data[i], place, error);
    if (status == OPSHIFT_OK && place->location[0] == '\0')
        return opshift_fail(error, OPSHIFT_MALFORMED, "external data without a location");
    return status;
}

/* A relative path without "..". */
static bool location_is_below(const char *location)
{
    if (location[0] == '/')
        return false;
    for (const char *part = location; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
    }
    return true;
}

static enum opshift_status policy_check(enum opshift_external_policy policy, struct opshift_error *error)
{
    if (policy != OPSHIFT_EXTERNAL_NONE)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                        "external data, which the external policy 'none' does not allow to be read");
}

const char *external_policy_word(enum opshift_external_policy policy)
{
    return policy == OPSHIFT_EXTERNAL_HF_CACHE ? "hf-cache" : "inside";
}

static enum external_state state_of(int why)
{
    switch (why) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
        return EXTERNAL_MISSING;
    case ELOOP:
    case EXDEV:
        return EXTERNAL_OUTSIDE;
    case ENXIO: /* a socket, or a missing device */
    case ENODEV:
        return EXTERNAL_NO_FILE;
    default:
        return EXTERNAL_FAILED;
    }
}

/* Opens the file behind a link by the strictest policy that follows it. */
static void link_follow(const char *directory, const char *location, struct external_file *file)
{
    static const enum opshift_external_policy policies[] = {OPSHIFT_EXTERNAL_INSIDE, OPSHIFT_EXTERNAL_HF_CACHE};
    file->linked = true;
    for (size_t i = 0; i < COUNT(policies) && file->descriptor < 0; i++) {
        file->descriptor = open_beneath(directory, location, policies[i]);
        file->needs = file->descriptor >= 0 ? policies[i] : OPSHIFT_EXTERNAL_NONE;
    }
}

void external_look(const char *directory, enum opshift_external_policy policy, const char *location,
                   struct external_file *file)
{
    *file = (struct external_file){.state = EXTERNAL_REFUSED, .descriptor = -1};
    if (policy == OPSHIFT_EXTERNAL_NONE)
        return;
    file->state = EXTERNAL_OUTSIDE;
    if (!location_is_below(location))
        return;
    file->descriptor = open_beneath(directory, location, OPSHIFT_EXTERNAL_STRICT);
    if (file->descriptor < 0 && errno == ELOOP)
        link_follow(directory, location, file);
    bool seen = file->descriptor >= 0 && fstat(file->descriptor, &file->about) == 0;
    file->why = seen ? 0 : errno;
    if (!seen)
        file->state = file->descriptor >= 0 ? EXTERNAL_FAILED : state_of(file->why);
    else if (file->needs > policy)
        file->state = EXTERNAL_LINK;
    else
        file->state = S_ISREG(file->about.st_mode) ? EXTERNAL_THERE : EXTERNAL_NO_FILE;
    if (file->state != EXTERNAL_THERE) {
        descriptor_close(file->descriptor);
        file->descriptor = -1;
    }
}

enum opshift_status external_refuse(const struct external_file *file, enum opshift_external_policy policy,
                                    const char *location, struct opshift_error *error)
{
    switch (file->state) {
    case EXTERNAL_THERE:
        return OPSHIFT_OK;
    case EXTERNAL_REFUSED:
        return policy_check(policy, error);
    case EXTERNAL_MISSING:
        return opshift_fail(error, OPSHIFT_IO, "external data '%.200s': %s; put the file beside the model", location,
                            strerror(file->why));
    case EXTERNAL_LINK:
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "external data '%.200s': the path contains a link, which is not followed; put the file "
                            "itself there, or choose --external-policy %s",
                            location, external_policy_word(file->needs));
    case EXTERNAL_OUTSIDE:
        if (!location_is_below(location))
            return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                                "external data '%.200s' is outside the model's directory; it is not read", location);
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "external data '%.200s': a link leads out of the model's directory; it is not followed",
                            location);
    case EXTERNAL_NO_FILE:
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "external data '%.200s' is no regular file; it is not read",
                            location);
    case EXTERNAL_FAILED:
        break;
    }
    if (file->why == ENOMEM)
        return opshift_no_memory(error);
    if (file->why == EACCES || file->why == EPERM)
        return opshift_fail(error, OPSHIFT_IO, "external data '%.200s': may not be read; check its permissions",
                            location);
    return opshift_fail(error, OPSHIFT_IO, "external data '%.200s': cannot be opened: %s; try again", location,
                        strerror(file->why));
}

/* Checks that the file has all bytes of the tensor and that the length fits the dims. */
static enum opshift_status check_extent(uint64_t size, struct external_place *place, uint64_t wanted,
                                        struct opshift_error *error)
{
    if (!place->has_length)
        place->length = wanted;
    if (place->length != wanted)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "external data '%.200s': length is %" PRIu64 ", but the dims need %" PRIu64 " bytes",
                            place->location, place->length, wanted);
    if (place->offset > size || wanted > size - place->offset)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "external data '%.200s' has %" PRIu64 " bytes, but the tensor lies at %" PRIu64
                            " and takes %" PRIu64 "; the file is truncated or not the model's",
                            place->location, size, place->offset, wanted);
    return OPSHIFT_OK;
}

/* Reads all bytes of a tensor. */
static enum opshift_status read_fully(int descriptor, const struct external_place *place, uint8_t *into,
                                      struct opshift_error *error)
{
    ssize_t got = descriptor_read(descriptor, into, (size_t)place->length, (off_t)place->offset);
    if (got >= 0 && (uint64_t)got == place->length)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_IO, "external data '%.200s': %s", place->location,
                        got < 0 ? strerror(errno) : "the file became shorter while it was read");
}

/* Checks a tensor's type and dims and gives its size. */
static enum opshift_status tensor_size(const Onnx__TensorProto *message, uint64_t *size, struct opshift_error *error)
{
    if (message->data_type == OPSHIFT_TYPE_STRING)
        return opshift_fail(error, OPSHIFT_MALFORMED, "strings as external data; they belong into string_data");
    return tensor_measure(message, size, error);
}

/* Opens the file; the error describes any fault of the place. *descriptor -1: not open. */
static enum opshift_status place_open(const char *directory, enum opshift_external_policy policy,
                                      const Onnx__TensorProto *message, struct external_place *place, int *descriptor,
                                      struct opshift_error *error)
{
    uint64_t wanted = 0;
    struct external_file file = {.descriptor = -1};
    *descriptor = -1;
    if (directory == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "external data, but no directory to look in; open the model by its path or give one");
    enum opshift_status status = policy_check(policy, error);
    if (status == OPSHIFT_OK)
        status = place_read(message, place, error);
    if (status == OPSHIFT_OK)
        status = tensor_size(message, &wanted, error);
    if (status == OPSHIFT_OK) {
        external_look(directory, policy, place->location, &file);
        status = external_refuse(&file, policy, place->location, error);
    }
    *descriptor = file.descriptor;
    return status ? status : check_extent((uint64_t)file.about.st_size, place, wanted, error);
}

enum opshift_status external_open(const char *directory, enum opshift_external_policy policy,
                                  const Onnx__TensorProto *message, int *descriptor, uint64_t *offset, uint64_t *size,
                                  struct opshift_error *error)
{
    struct external_place place = {0};
    enum opshift_status status = place_open(directory, policy, message, &place, descriptor, error);
    *offset = place.offset;
    *size = place.length;
    if (status) {
        descriptor_close(*descriptor);
        *descriptor = -1;
    }
    return status;
}

static enum opshift_status place_below(const Onnx__TensorProto *message, struct external_place *place,
                                       struct opshift_error *error)
{
    enum opshift_status status = place_read(message, place, error);
    if (status == OPSHIFT_OK && !location_is_below(place->location))
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "external data '%.200s' is outside the model's directory; it is not read", place->location);
    return status;
}

enum opshift_status external_location(const Onnx__TensorProto *message, char location[EXTERNAL_LOCATION_SIZE],
                                      struct opshift_error *error)
{
    struct external_place place = {0};
    enum opshift_status status = place_below(message, &place, error);
    if (status == OPSHIFT_OK)
        memcpy(location, place.location, sizeof place.location);
    return status;
}

enum opshift_status external_place(const Onnx__TensorProto *message, char location[EXTERNAL_LOCATION_SIZE],
                                   uint64_t *offset, uint64_t *size, struct opshift_error *error)
{
    struct external_place place = {0};
    enum opshift_status status = place_below(message, &place, error);
    if (status == OPSHIFT_OK)
        status = tensor_size(message, size, error);
    *offset = place.offset;
    if (status == OPSHIFT_OK)
        memcpy(location, place.location, sizeof place.location);
    return status;
}

void external_checksum(const Onnx__TensorProto *message, char checksum[SHA1_TEXT_SIZE])
{
    checksum[0] = '\0';
    for (size_t i = 0; i < message->n_external_data; i++) {
        const Onnx__StringStringEntryProto *entry = message->external_data[i];
        if (!key_is(entry, "checksum") || entry->value.len != SHA1_TEXT_SIZE - 1)
            continue;
        for (size_t k = 0; k < entry->value.len; k++)
            checksum[k] = ascii_lower((char)entry->value.data[k]);
        checksum[SHA1_TEXT_SIZE - 1] = '\0';
        if (!sha1_is_text(checksum))
            checksum[0] = '\0';
    }
}

enum opshift_status external_open_location(const char *directory, enum opshift_external_policy policy,
                                           const char *location, int *descriptor, struct opshift_error *error)
{
    struct external_file file;
    external_look(directory, policy, location, &file);
    *descriptor = file.descriptor;
    return file.state == EXTERNAL_MISSING ? OPSHIFT_OK : external_refuse(&file, policy, location, error);
}

/* Refuses files with hardly any allocated data (incomplete downloads): memory must not depend on the size of holes. */
static enum opshift_status check_solid(int descriptor, const struct external_place *place, struct opshift_error *error)
{
    struct stat about;
    if (place->length < HOLLOW_READ_MAX || fstat(descriptor, &about) != 0 || !file_is_hollow(&about))
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                        "external data '%.200s': of its %" PRIu64
                        " bytes hardly any are on the disk; it is not read; fetch the file again",
                        place->location, (uint64_t)about.st_size);
}

enum opshift_status external_read(const char *directory, enum opshift_external_policy policy,
                                  const Onnx__TensorProto *message, struct arena *arena, struct tensor **tensor,
                                  struct opshift_error *error)
{
    struct external_place place = {0};
    int descriptor;
    enum opshift_status status = place_open(directory, policy, message, &place, &descriptor, error);
    if (status == OPSHIFT_OK)
        status = check_solid(descriptor, &place, error);
    if (status == OPSHIFT_OK)
        status = tensor_new(arena, (enum opshift_type)message->data_type, (uint32_t)message->n_dims, message->dims,
                            tensor, error);
    if (status == OPSHIFT_OK)
        status = read_fully(descriptor, &place, (*tensor)->data, error);
    if (status == OPSHIFT_OK)
        tensor_from_little_endian(*tensor);
    descriptor_close(descriptor);
    return status;
}
