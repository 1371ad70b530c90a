/* Finds external data by a walk over all messages that can contain tensors. */
#include "model/external_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/descriptor.h"
#include "base/files.h"
#include "base/list.h"
#include "base/shown.h"
#include "model/external.h"
#include "wire/wire.h"

struct walk_external {
    struct opshift_model *model;
    bool lenient;
    external_take *take;
    void *data;
    struct opshift_error *error;
};

/* State of the search for external data. */
struct external_item_search {
    struct external_set *set;
    uint32_t room;
};

/* Can the message contain a tensor? Types, for example, cannot. */
static bool holds_tensors(const ProtobufCMessageDescriptor *descriptor)
{
    static const ProtobufCMessageDescriptor *const holders[] = {
        &onnx__model_proto__descriptor,    &onnx__graph_proto__descriptor,
        &onnx__node_proto__descriptor,     &onnx__attribute_proto__descriptor,
        &onnx__function_proto__descriptor, &onnx__training_info_proto__descriptor,
        &onnx__tensor_proto__descriptor,   &onnx__sparse_tensor_proto__descriptor,
    };
    for (size_t i = 0; i < COUNT(holders); i++)
        if (descriptor == holders[i])
            return true;
    return false;
}

static enum opshift_status external_item_keep(struct external_item_search *search, const char *location,
                                              const char *checksum, struct opshift_error *error)
{
    struct external_set *set = search->set;
    const struct external_item *last = set->count ? &set->list[set->count - 1] : NULL;
    if (last && strcmp(last->location, location) == 0 && strcmp(last->checksum, checksum) == 0)
        return OPSHIFT_OK; /* tensors of one file often follow each other */
    if (!list_grow(&set->list, set->count, &search->room, sizeof(*set->list)))
        return opshift_no_memory(error);
    struct external_item added = {.location = arena_copy(set->arena, location, strlen(location)),
                                  .checksum = arena_copy(set->arena, checksum, strlen(checksum))};
    if (added.location == NULL || added.checksum == NULL)
        return opshift_no_memory(error);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is full has grown. */
    set->list[set->count++] = added;
    return OPSHIFT_OK;
}

static enum opshift_status tensor_search(void *data, const Onnx__TensorProto *message, struct opshift_error *error)
{
    struct external_item_search *search = data;
    char location[EXTERNAL_LOCATION_SIZE], checksum[SHA1_TEXT_SIZE];
    enum opshift_status status = external_location(message, location, error);
    if (status == OPSHIFT_OK) {
        external_checksum(message, checksum);
        status = external_item_keep(search, location, checksum, error);
    }
    return status;
}

static enum opshift_status tensor_walk(struct walk_external *walk, struct range range)
{
    Onnx__TensorProto *message = NULL;
    struct arena *arena = arena_new(0);
    if (arena == NULL)
        return opshift_no_memory(walk->error);
    enum opshift_status status =
        range_decode(walk->model, range, &onnx__tensor_proto__descriptor, arena, &message, walk->error);
    if (status == OPSHIFT_OK)
        status = walk->take(walk->data, message, walk->error);
    arena_free(arena);
    bool nothing = status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED;
    return walk->lenient && nothing ? OPSHIFT_OK : status;
}

/* Depth was checked at open. */
static enum opshift_status message_walk(struct walk_external *walk, struct range range,
                                        const ProtobufCMessageDescriptor *descriptor)
{
    struct wire_cursor cursor = {walk->model->source, range_offset(range), range_end(range)};
    bool external = false;
    for (;;) {
        struct wire_field field;
        bool found;
        enum opshift_status status = wire_next(&cursor, &field, &found, walk->error);
        if (status == OPSHIFT_OK && !found && external)
            return tensor_walk(walk, range);
        if (status || !found)
            return status;
        if (descriptor == &onnx__tensor_proto__descriptor) {
            if (field.number == 14 && field.type == WIRE_VARINT)
                external = field.value == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
            continue;
        }
        const ProtobufCFieldDescriptor *known = protobuf_c_message_descriptor_get_field(descriptor, field.number);
        if (known != NULL && known->type == PROTOBUF_C_TYPE_MESSAGE && field.type == WIRE_BYTES &&
            holds_tensors(known->descriptor))
            status = message_walk(walk, range_make(field.record, field.offset, field.size), known->descriptor);
        if (status)
            return status;
    }
}

enum opshift_status external_each(struct opshift_model *model, bool lenient, external_take *take, void *data,
                                  struct opshift_error *error)
{
    struct walk_external walk = {.model = model, .lenient = lenient, .take = take, .data = data, .error = error};
    struct range whole = range_make(0, 0, source_size(model->source));
    return !external_is_possible(model) ? OPSHIFT_OK : message_walk(&walk, whole, &onnx__model_proto__descriptor);
}

static int by_text(const void *a, const void *b)
{
    const struct external_item *left = a, *right = b;
    int order = strcmp(left->location, right->location);
    return order ? order : strcmp(left->checksum, right->checksum);
}

static enum opshift_status model_search(struct opshift_model *model, bool lenient, struct external_set *set,
                                        struct opshift_error *error)
{
    struct external_item_search search = {.set = set};
    if (!external_is_possible(model))
        return OPSHIFT_OK;
    set->arena = arena_new(0);
    set->from = set->arena ? arena_copy(set->arena, model->name, strlen(model->name)) : NULL;
    if (set->from == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = external_each(model, lenient, tensor_search, &search, error);
    if (status || set->count == 0)
        return status;
    qsort(set->list, set->count, sizeof *set->list, by_text);
    size_t kept = 1;
    for (size_t i = 1; i < set->count; i++)
        if (by_text(&set->list[kept - 1], &set->list[i]) != 0)
            set->list[kept++] = set->list[i];
    set->count = kept;
    return OPSHIFT_OK;
}

enum opshift_status external_set_find(struct opshift_model *model, struct external_set *set,
                                      struct opshift_error *error)
{
    return model_search(model, false, set, error);
}

enum opshift_status external_set_check(struct opshift_model *model, struct opshift_error *error)
{
    struct external_set set = {0};
    enum opshift_status status = external_set_find(model, &set, error);
    if (status == OPSHIFT_OK && set.count > 0 && model->directory == NULL)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED,
                              "external data, but no directory to look in; open the model by its path or give one");
    for (size_t i = 0; status == OPSHIFT_OK && i < set.count; i++) {
        int descriptor;
        status = external_open_location(model->directory, model->external, set.list[i].location, &descriptor, error);
        descriptor_close(descriptor);
    }
    external_set_free(&set);
    return status;
}

/* Identifies a file of external data, existing or not. */
static enum opshift_status external_item_identify(const struct opshift_model *model, const char *location,
                                                  struct file_identity *identity, struct opshift_error *error)
{
    struct stat about;
    int descriptor = -1;
    enum opshift_status status = OPSHIFT_OK;
    if (model->external != OPSHIFT_EXTERNAL_NONE) /* this policy allows no access to the file */
        status = external_open_location(model->directory, model->external, location, &descriptor, error);
    if (status == OPSHIFT_OK && descriptor >= 0 && fstat(descriptor, &about) == 0)
        file_identify_open(&about, identity);
    descriptor_close(descriptor);
    /* A refused file is compared by its name. */
    if (status == OPSHIFT_MEMORY || status == OPSHIFT_IO)
        return status;
    error_forget(error);
    return file_identify_below(model->directory, location, identity, error);
}

static enum opshift_status external_item_check(const struct opshift_files *files, const struct opshift_model *model,
                                               const char *location, struct opshift_error *error)
{
    struct file_identity identity = {0};
    char what[300];
    snprintf(what, sizeof(what), "external data '%.100s' of %.90s", location, model->name);
    enum opshift_status status = external_item_identify(model, location, &identity, error);
    if (status == OPSHIFT_OK)
        status = files_check(files, what, &identity, NULL, error);
    file_identity_free(&identity);
    return status;
}

static enum opshift_status own_file_check(const struct opshift_files *files, const struct opshift_model *model,
                                          const char *but, struct opshift_error *error)
{
    struct stat about;
    struct file_identity identity = {0};
    char what[300];
    if (source_descriptor(model->source) < 0 || fstat(source_descriptor(model->source), &about) != 0)
        return OPSHIFT_OK;
    snprintf(what, sizeof(what), "the model %.256s", model->name);
    file_identify_open(&about, &identity);
    return files_check(files, what, &identity, but, error);
}

/* Keeps what was found before the search failed. */
enum opshift_status external_set_look(struct opshift_model *model, struct external_set *set,
                                      struct opshift_error *error)
{
    return model_search(model, true, set, error) == OPSHIFT_MEMORY ? OPSHIFT_MEMORY : error_forget(error);
}

enum opshift_status opshift_files_check_model(const struct opshift_files *files, struct opshift_model *model,
                                              const char *but, struct opshift_error *error)
{
    struct external_set set = {0};
    if (files_are_none(files))
        return OPSHIFT_OK;
    enum opshift_status status = own_file_check(files, model, but, error);
    if (status == OPSHIFT_OK && model->directory)
        status = external_set_look(model, &set, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < set.count; i++)
        status = external_item_check(files, model, set.list[i].location, error);
    external_set_free(&set);
    return status;
}

enum opshift_status external_set_check_places(const struct opshift_files *files, const struct external_set *set,
                                              const char *directory, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < set->count; i++) {
        struct file_identity identity = {0};
        char what[300], *path = NULL;
        snprintf(what, sizeof(what), "the copy of external data '%.200s'", set->list[i].location);
        if (asprintf(&path, "%s/%s", directory, set->list[i].location) < 0)
            return opshift_no_memory(error);
        status = file_identify(path, &identity, error);
        if (status == OPSHIFT_OK)
            status = files_check(files, what, &identity, NULL, error);
        file_identity_free(&identity);
        free(path);
    }
    return status;
}

/* Damaged data is not copied. */
static enum opshift_status checksum_check(const struct external_item *item, int from, struct opshift_error *error)
{
    char found[SHA1_TEXT_SIZE];
    struct stat about;
    if (*item->checksum && fstat(from, &about) == 0 && file_is_hollow(&about))
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "external data '%.200s': its checksum is not compared, for of its %" PRIu64
                            " bytes hardly any are on the disk; fetch the file again, or keep the external data where "
                            "it is",
                            item->location, (uint64_t)about.st_size);
    enum opshift_status status = *item->checksum ? sha1_descriptor(from, found, error) : OPSHIFT_OK;
    if (status)
        return opshift_within(error, status, "external data '%.200s'", item->location);
    if (*item->checksum == '\0' || strcmp(found, item->checksum) == 0)
        return OPSHIFT_OK;
    return opshift_fail(
        error, OPSHIFT_MALFORMED,
        "external data '%.200s': its SHA-1 is %s, but the model's checksum is %s; fetch the file again, "
        "or keep the external data where it is",
        item->location, found, item->checksum);
}

/* Records the first missing file, escaped for printing. */
static enum opshift_status missing_note(struct external_set *set, const char *location, struct opshift_error *error)
{
    struct buffer shown = {0};
    if (set->missing)
        return OPSHIFT_OK;
    shown_add(&shown, location, strlen(location));
    buffer_add_byte(&shown, '\0');
    set->missing = shown.failed ? NULL : arena_copy(set->arena, shown.data, shown.size);
    buffer_free(&shown);
    return set->missing ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status external_item_put(struct external_set *set, struct external_item *item, int from,
                                             const char *into, const char *directory, struct new_file_how how,
                                             struct opshift_error *error)
{
    enum opshift_status status = checksum_check(item, from, error);
    if (status)
        return opshift_within(error, status, "%.256s", set->from);
    status = new_file_put(from, directory, item->location, how, &item->made, error);
    return status ? opshift_within(error, status, "%s", into) : OPSHIFT_OK;
}

enum opshift_status external_set_put(struct external_set *set, const char *from_directory,
                                     enum opshift_external_policy policy, const char *into, const char *directory,
                                     struct new_file_how how, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < set->count; i++) {
        struct external_item *item = &set->list[i];
        int from;
        status = external_open_location(from_directory, policy, item->location, &from, error);
        if (status)
            status = opshift_within(error, status, "%.256s", set->from);
        else if (from < 0)
            status = missing_note(set, item->location, error);
        else
            status = external_item_put(set, item, from, into, directory, how, error);
        descriptor_close(from);
    }
    if (status)
        external_set_remove(set, directory);
    return status;
}

void external_set_remove(struct external_set *set, const char *directory)
{
    /* Backwards, since the first file in a directory created it. */
    for (size_t i = set->count; i-- > 0;)
        new_file_remove(directory, set->list[i].location, &set->list[i].made);
}

void external_set_free(struct external_set *set)
{
    free(set->list);
    arena_free(set->arena);
    *set = (struct external_set){0};
}
