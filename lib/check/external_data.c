/* EXT: tensors with external data: checks names, sizes and offsets; reads the data only for a checksum. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/descriptor.h"
#include "base/list.h"
#include "base/sha1.h"
#include "base/table.h"
#include "check/family.h"
#include "check/protobuf.h"
#include "model/external.h"

#define TEXT_MAX    4096u
#define ALIGNMENT   4096 /* ONNX, ExternalData.md: makes memory mapping possible */
#define NUMBER_TEXT 40

/* The tensor's external_data entries, and the state of the file. */
struct external {
    char location[TEXT_MAX];
    uint64_t location_size;
    uint64_t offset, length;
    bool has_offset, has_length, has_checksum;
    char checksum[SHA1_TEXT_SIZE + 1];         /* one byte more than valid, to detect values that are too long */
    char bad_key[16], bad_number[NUMBER_TEXT]; /* a number that does not parse */
    char unknown[NUMBER_TEXT];                 /* a key that ONNX does not define */
    struct tensor_facts facts;
    bool is_sought;            /* the location is valid and the policy allows to stat the file */
    enum external_state state; /* of the file; also of a refused link's target */
    bool is_linked, is_refused;
    enum opshift_external_policy needs; /* for a link: that follows it */
    int why;                            /* 0, or the errno of the lookup */
    struct stat about;                  /* stat of the file */
};

static bool is_external(const struct part *part)
{
    return part_last(part, TENSOR_LOCATION)->value == 1;
}

/* ---- external_data entries ---- */

static enum opshift_status text_read(struct source *source, const struct wire_field *field, char *text, size_t room,
                                     struct opshift_error *error)
{
    size_t size = field->size < room ? (size_t)field->size : room - 1;
    text[size] = '\0';
    return size ? source_read(source, field->offset, text, size, error) : OPSHIFT_OK;
}

static bool number_parse(const char *text, uint64_t *number)
{
    *number = 0;
    for (const char *at = text; *at; at++) {
        if (*at < '0' || *at > '9' || *number > ((uint64_t)INT64_MAX - (uint64_t)(*at - '0')) / 10)
            return false;
        *number = *number * 10 + (uint64_t)(*at - '0');
    }
    return *text != '\0';
}

static void number_take(struct external *external, const char *key, const char *value, uint64_t *number, bool *has)
{
    *has = number_parse(value, number);
    if (*has || external->bad_key[0])
        return;
    snprintf(external->bad_key, sizeof(external->bad_key), "%s", key);
    snprintf(external->bad_number, sizeof(external->bad_number), "%.39s", value);
}

static void entry_take(struct external *external, const char *key, const char *value, uint64_t size)
{
    if (strcmp(key, "location") == 0) {
        snprintf(external->location, sizeof(external->location), "%s", value);
        external->location_size = size;
    } else if (strcmp(key, "offset") == 0) {
        number_take(external, key, value, &external->offset, &external->has_offset);
    } else if (strcmp(key, "length") == 0) {
        number_take(external, key, value, &external->length, &external->has_length);
    } else if (strcmp(key, "checksum") == 0) {
        external->has_checksum = true;
        snprintf(external->checksum, sizeof(external->checksum), "%.41s", value);
    } else if (strcmp(key, "basepath") != 0 && external->unknown[0] == '\0') {
        snprintf(external->unknown, sizeof(external->unknown), "%.39s", key);
    }
}

static enum opshift_status entry_read(struct source *source, const struct wire_field *entry, struct external *external,
                                      struct opshift_error *error)
{
    char key[NUMBER_TEXT] = "", value[TEXT_MAX] = "";
    uint64_t size = 0;
    struct wire_cursor cursor = {source, entry->offset, entry->offset + entry->size};
    enum opshift_status status = OPSHIFT_OK;
    for (bool found = true; status == OPSHIFT_OK && found;) {
        struct wire_field field;
        status = wire_next(&cursor, &field, &found, error);
        if (status || !found || field.type != WIRE_BYTES)
            continue;
        if (field.number == 1)
            status = text_read(source, &field, key, sizeof(key), error);
        else if (field.number == 2) {
            size = field.size;
            status = text_read(source, &field, value, sizeof(value), error);
        }
    }
    if (status == OPSHIFT_OK)
        entry_take(external, key, value, size);
    return status;
}

static enum opshift_status entries_read(struct part_context *context, const struct part *part,
                                        struct external *external, struct opshift_error *error)
{
    struct source *source = context->checking->model->source;
    struct wire_cursor cursor = {source, range_offset(part->range), range_end(part->range)};
    enum opshift_status status = tensor_read_facts(context, part, &external->facts, error);
    for (bool found = true; status == OPSHIFT_OK && found;) {
        struct wire_field field;
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found && field.number == TENSOR_EXTERNAL)
            status = entry_read(source, &field, external, error);
    }
    return status;
}

/* ---- location ---- */

/* Has the path a component ".."? */
static bool steps_up(const char *location)
{
    for (const char *part = location; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return true;
    }
    return false;
}

/* Windows paths included. */
static bool is_absolute(const char *location)
{
    return location[0] == '/' || location[0] == '\\' || (location[0] && location[1] == ':');
}

/* Is it too long, or does it contain a NUL? */
static bool is_unreadable(const struct external *external)
{
    return external->location_size != strlen(external->location);
}

/* Is the location valid, so that there is a file to look up? */
static bool is_to_be_sought(const struct part_context *context, const struct external *external)
{
    return context->checking->directory && context->checking->model->external != OPSHIFT_EXTERNAL_NONE &&
           external->location[0] && !is_unreadable(external) && !is_absolute(external->location) &&
           !steps_up(external->location);
}

/* Opened as for reading the tensor. The target of a refused link is looked up too, for the message. */
static enum opshift_status file_stat(const struct part_context *context, struct external *external,
                                     struct opshift_error *error)
{
    struct external_file file;
    enum opshift_external_policy policy = context->checking->model->external;
    external_look(context->checking->directory, policy, external->location, &file);
    external->is_refused = file.state == EXTERNAL_LINK;
    if (external->is_refused)
        external_look(context->checking->directory, file.needs, external->location, &file);
    external->state = file.state;
    external->is_linked = file.linked;
    external->needs = file.needs;
    external->why = file.why;
    external->about = file.about;
    descriptor_close(file.descriptor);
    return file.state == EXTERNAL_FAILED ? external_refuse(&file, policy, external->location, error) : OPSHIFT_OK;
}

static bool is_regular(const struct external *external)
{
    return external->is_sought && external->state == EXTERNAL_THERE;
}

/* Reads the entries and looks up the file, once per tensor, as several checks use it. *result is NULL if the tensor
 * has no external data; valid until the next tensor. */
static enum opshift_status external_of(struct part_context *context, const struct part *part,
                                       const struct external **result, struct opshift_error *error)
{
    *result = NULL;
    if (!is_external(part))
        return OPSHIFT_OK;
    if (context->external == NULL)
        context->external = calloc(1, sizeof(*context->external));
    struct external *external = context->external;
    if (external == NULL)
        return opshift_no_memory(error);
    *result = external;
    if (context->external_at == range_offset(part->range))
        return OPSHIFT_OK;
    context->external_at = 0;
    *external = (struct external){0};
    enum opshift_status status = entries_read(context, part, external, error);
    if (status)
        return status;
    external->is_sought = is_to_be_sought(context, external);
    if (external->is_sought)
        status = file_stat(context, external, error);
    if (status)
        return status;
    context->external_at = range_offset(part->range);
    return OPSHIFT_OK;
}

/* ---- the checks ---- */

enum opshift_status part_location(struct part_context *context, const struct part *part, const char **location,
                                  struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    *location = status || external == NULL ? NULL : external->location;
    return status;
}

static enum opshift_status location_missing(struct part_context *context, const struct part *part,
                                            struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || external->location_size > 0)
        return status;
    return context_add(context, part, NULL, error, "external data without a location; add it");
}

static enum opshift_status location_absolute(struct part_context *context, const struct part *part,
                                             struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !is_absolute(external->location))
        return status;
    return context_add(context, part, NULL, error,
                       "external data '%.200s' is an absolute path; put the file beside the model and give its name",
                       external->location);
}

static enum opshift_status location_outside(struct part_context *context, const struct part *part,
                                            struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || is_absolute(external->location) || !steps_up(external->location))
        return status;
    return context_add(context, part, NULL, error,
                       "external data '%.200s' is outside the model's directory; put the file into it",
                       external->location);
}

static enum opshift_status location_unreadable(struct part_context *context, const struct part *part,
                                               struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !is_unreadable(external))
        return status;
    if (external->location_size >= TEXT_MAX)
        return context_add(context, part, NULL, error,
                           "external data: its location has %" PRIu64
                           " bytes, and at most %u are read; give the file a "
                           "shorter name",
                           external->location_size, TEXT_MAX - 1);
    return context_add(context, part, NULL, error,
                       "external data: its location contains a NUL character; write a valid file name");
}

static enum opshift_status file_missing(struct part_context *context, const struct part *part,
                                        struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !external->is_sought)
        return status;
    if (external->state != EXTERNAL_MISSING)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error, "external data '%.200s': %s; put the file beside the model",
                       external->location, strerror(external->why));
}

static enum opshift_status link_outside(struct part_context *context, const struct part *part,
                                        struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !external->is_sought)
        return status;
    if (external->state != EXTERNAL_OUTSIDE)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error,
                       "external data '%.200s': a link leads out of the model's directory; put the file itself there",
                       external->location);
}

static enum opshift_status link_inside(struct part_context *context, const struct part *part,
                                       struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || external->is_refused || !external->is_linked || !is_regular(external) ||
        external->needs == OPSHIFT_EXTERNAL_HF_CACHE) /* a cache has links */
        return status;
    return context_add(context, part, NULL, error,
                       "external data '%.200s' is behind a symbolic link; put the file itself there",
                       external->location);
}

static enum opshift_status link_refused(struct part_context *context, const struct part *part,
                                        struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !external->is_refused || !is_regular(external))
        return status;
    return context_add(context, part, NULL, error,
                       "external data '%.200s': the path contains a link, which is not followed; put the file itself "
                       "there, or choose --external-policy %s",
                       external->location, external_policy_word(external->needs));
}

static enum opshift_status not_regular(struct part_context *context, const struct part *part,
                                       struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !external->is_sought || external->state != EXTERNAL_NO_FILE)
        return status;
    return context_add(context, part, NULL, error, "external data '%.200s' is %s, no regular file; name a file",
                       external->location, S_ISDIR(external->about.st_mode) ? "a directory" : "a device or a pipe");
}

static enum opshift_status number_bad(struct part_context *context, const struct part *part,
                                      struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || external->bad_key[0] == '\0')
        return status;
    return context_add(context, part, NULL, error, "external data: %s is '%s'; write a whole number, at least 0",
                       external->bad_key, external->bad_number);
}

/* Is the size of the data known from type and dims? */
static bool size_is_known(const struct external *external)
{
    const struct tensor_facts *facts = &external->facts;
    return facts->type_name && facts->type != OPSHIFT_TYPE_STRING && !facts->negative && !facts->overflow &&
           external->bad_key[0] == '\0';
}

static enum opshift_status length_wrong(struct part_context *context, const struct part *part,
                                        struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !size_is_known(external) || !external->has_length ||
        external->length == external->facts.size)
        return status;
    return context_add(context, part, NULL, error,
                       "external data: length is %" PRIu64 ", but %" PRIu64 " %s elements need %" PRIu64
                       " bytes; correct the dims or the length",
                       external->length, external->facts.count, external->facts.type_name, external->facts.size);
}

static enum opshift_status beyond_end(struct part_context *context, const struct part *part,
                                      struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !size_is_known(external) ||
        (external->has_length && external->length != external->facts.size) || !is_regular(external))
        return status;
    uint64_t size = (uint64_t)external->about.st_size, wanted = external->facts.size;
    if (external->offset <= size && wanted <= size - external->offset)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error,
                       "external data '%.200s' has %" PRIu64 " bytes, but the tensor lies at %" PRIu64
                       " and takes %" PRIu64 "; the file is truncated or not the model's",
                       external->location, size, external->offset, wanted);
}

static enum opshift_status strings_outside(struct part_context *context, const struct part *part,
                                           struct opshift_error *error)
{
    if (!is_external(part) || part_last(part, 2)->value != OPSHIFT_TYPE_STRING)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error,
                       "its elements are strings, which cannot be external data; put them into string_data");
}

static enum opshift_status key_twice(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    struct wire_field second;
    char key[NUMBER_TEXT];
    enum opshift_status status = entry_key_twice(context, part, TENSOR_EXTERNAL, &second, error);
    if (status == OPSHIFT_OK && second.number)
        status = text_read(context->checking->model->source, &second, key, sizeof(key), error);
    if (status || second.number == 0)
        return status;
    return context_add_field(
        context, part, &second, error,
        "external data: the key '%s' is given twice, and readers differ in which one counts; write it once", key);
}

static enum opshift_status key_unknown(struct part_context *context, const struct part *part,
                                       struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || external->unknown[0] == '\0')
        return status;
    return context_add(
        context, part, NULL, error,
        "external data: the key '%s' is none of location, offset, length and checksum; readers ignore it",
        external->unknown);
}

static enum opshift_status not_aligned(struct part_context *context, const struct part *part,
                                       struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    /* Data smaller than a page need not be aligned. */
    if (status || external == NULL || external->offset % ALIGNMENT == 0 || external->facts.size < ALIGNMENT)
        return status;
    return context_add(context, part, NULL, error,
                       "external data: offset %" PRIu64
                       " is not a multiple of %d, so that the file cannot be mapped there",
                       external->offset, ALIGNMENT);
}

/* ---- files ---- */

/* A file that tensors refer to. */
struct data_file {
    dev_t device;
    ino_t inode;
    const char *location;        /* NULL: the file exists and is identified by device and inode */
    char digest[SHA1_TEXT_SIZE]; /* "": not yet computed */
};

static uint64_t data_file_hash(const struct table *table, const struct data_file *file)
{
    const uint64_t identity[] = {file->device, file->inode};
    return file->location ? table_hash(table, file->location, strlen(file->location))
                          : table_hash(table, identity, sizeof(identity));
}

static bool data_file_same(const struct data_file *one, const struct data_file *other)
{
    if (one->location == NULL || other->location == NULL)
        return one->location == other->location && one->device == other->device && one->inode == other->inode;
    return strcmp(one->location, other->location) == 0;
}

/* The file's index in look->files. */
static enum opshift_status data_file_number(struct part_context *context, const struct external *external,
                                            uint32_t *number, struct opshift_error *error)
{
    struct table *table = &context->file_table;
    struct data_file file = {.location = external->location};
    if (is_regular(external))
        file = (struct data_file){.device = external->about.st_dev, .inode = external->about.st_ino};
    if (!table_reserve(table, 1) ||
        !list_grow(&context->files, table->count, &context->file_room, sizeof(*context->files)))
        return opshift_no_memory(error);
    uint64_t hash = data_file_hash(table, &file);
    for (uint32_t at = 0; (*number = table_next(table, hash, &at)) != TABLE_NONE;)
        if (data_file_same(&context->files[*number], &file))
            return OPSHIFT_OK;
    if (file.location)
        file.location = arena_copy(context->checking->arena, file.location, strlen(file.location));
    if (file.location == NULL && !is_regular(external))
        return opshift_no_memory(error);
    *number = table->count;
    context->files[*number] = file;
    table_put(table, hash, *number);
    return OPSHIFT_OK;
}

/* Several tensors may be in one file, which is read once. *digest: "" if it must not be read. */
static enum opshift_status digest_find(struct part_context *context, const struct external *external,
                                       const char **digest, struct opshift_error *error)
{
    struct checking *checking = context->checking;
    struct external_file file = {.descriptor = -1};
    uint32_t number;
    enum opshift_status status = data_file_number(context, external, &number, error);
    if (status)
        return status;
    char *known = context->files[number].digest;
    *digest = known;
    if (known[0] != '\0')
        return OPSHIFT_OK;
    external_look(checking->directory, checking->model->external, external->location, &file);
    if (file.descriptor >= 0) /* -1: refused by the policy, or missing; other checks report it */
        status = sha1_descriptor(file.descriptor, known, error);
    descriptor_close(file.descriptor);
    return status ? opshift_within(error, status, "external data '%.200s'", external->location) : OPSHIFT_OK;
}

static enum opshift_status checksum_wrong(struct part_context *context, const struct part *part,
                                          struct opshift_error *error)
{
    const struct external *external;
    const char *digest;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !external->has_checksum)
        return status;
    if (!sha1_is_text(external->checksum))
        return context_add(
            context, part, NULL, error,
            "external data: checksum is '%.41s', but a SHA-1 is 40 hexadecimal digits; write the file's, or remove it",
            external->checksum);
    if (!is_regular(external) || context->checking->model->external == OPSHIFT_EXTERNAL_NONE)
        return OPSHIFT_OK;
    if (file_is_hollow(&external->about))
        return context_add(context, part, NULL, error,
                           "external data '%.200s': its checksum is not compared, for of its %" PRIu64
                           " bytes hardly any are on the disk; fetch the file again",
                           external->location, (uint64_t)external->about.st_size);
    status = digest_find(context, external, &digest, error);
    if (status || digest[0] == '\0' || ascii_same(digest, external->checksum))
        return status;
    return context_add(context, part, NULL, error,
                       "external data '%.200s': its SHA-1 is %s, but the checksum is %s; fetch the file again",
                       external->location, digest, external->checksum);
}

static enum opshift_status location_not_said(struct part_context *context, const struct part *part,
                                             struct opshift_error *error)
{
    if (is_external(part) || part->fields[TENSOR_EXTERNAL].count == 0)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error,
                       "external_data is given, but data_location is not EXTERNAL; set it, or remove external_data");
}

static enum opshift_status data_inside_too(struct part_context *context, const struct part *part,
                                           struct opshift_error *error)
{
    static const uint32_t fields[] = {4, 5, 6, 7, 9, 10, 11};
    if (!is_external(part))
        return OPSHIFT_OK;
    for (size_t i = 0; i < COUNT(fields); i++)
        if (part->fields[fields[i]].size)
            return context_add_field(context, part, part_last(part, fields[i]), error,
                                     "it has external data, but also data in %s too; keep one of the two",
                                     part_known(part, fields[i])->name);
    return OPSHIFT_OK;
}

/* ---- overlaps ---- */

static enum opshift_status ranges_overlap(struct part_context *context, const struct part *part,
                                          struct opshift_error *error)
{
    const struct external *external;
    enum opshift_status status = external_of(context, part, &external, error);
    if (status || external == NULL || !size_is_known(external) || external->location[0] == '\0' ||
        external->facts.size > INT64_MAX || external->offset > INT64_MAX)
        return status;
    uint64_t offset = external->offset, size = external->facts.size;
    uint32_t file;
    bool across;
    status = data_file_number(context, external, &file, error);
    if (status)
        return status;
    if (!ranges_add(&context->stored, file, offset, size, &across))
        return opshift_no_memory(error);
    if (!across)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error,
                       "external data '%.200s': its bytes %" PRIu64 " to %" PRIu64
                       " overlap those of another tensor; correct the offsets",
                       external->location, offset, offset + size - 1);
}

/* ---- the table ---- */

#define EXTERNAL(name, function)                                                                                       \
    {                                                                                                                  \
        CHECK(name), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor,                                     \
                     .has = UINT64_C(1) << TENSOR_EXTERNAL | UINT64_C(1) << TENSOR_LOCATION, .find_part = function     \
    }

const struct check checks_external_data[] = {
    EXTERNAL(EXT001, location_missing), EXTERNAL(EXT002, location_absolute),   EXTERNAL(EXT003, location_outside),
    EXTERNAL(EXT004, file_missing),     EXTERNAL(EXT005, link_outside),        EXTERNAL(EXT006, link_inside),
    EXTERNAL(EXT007, not_regular),      EXTERNAL(EXT008, beyond_end),          EXTERNAL(EXT009, length_wrong),
    EXTERNAL(EXT010, number_bad),       EXTERNAL(EXT011, key_twice),           EXTERNAL(EXT012, key_unknown),
    EXTERNAL(EXT013, ranges_overlap),   EXTERNAL(EXT014, not_aligned),         EXTERNAL(EXT015, checksum_wrong),
    EXTERNAL(EXT016, strings_outside),  EXTERNAL(EXT017, location_not_said),   EXTERNAL(EXT018, data_inside_too),
    EXTERNAL(EXT019, link_refused),     EXTERNAL(EXT020, location_unreadable), {0},
};
