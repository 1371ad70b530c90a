/* Compares external data of both models by content, not by file name. */
#include "verify/external_compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/descriptor.h"
#include "base/list.h"
#include "model/external.h"
#include "model/fields.h"
#include "model/external_set.h"

#define COMPARE_PIECE 32768u
/* A range of a file that tensors of a model use. */
struct file_stretch {
    const char *location;
    uint64_t start, end;
};

struct file_stretches {
    struct arena *arena; /* owns the locations */
    struct file_stretch *items;
    uint32_t count, room;
};

/* An open file of one model; descriptor -1: not open. */
struct opened_file {
    int descriptor;
    uint64_t size;
    dev_t device;
    ino_t number;
};

/* ---- where tensors lie ---- */

static enum opshift_status stretch_add(void *data, const Onnx__TensorProto *message, struct opshift_error *error)
{
    struct file_stretches *list = data;
    char location[EXTERNAL_LOCATION_SIZE];
    uint64_t offset = 0, size = 0;
    enum opshift_status status = external_place(message, location, &offset, &size, error);
    if (status)
        return status;
    if (!list_grow(&list->items, list->count, &list->room, sizeof(*list->items)))
        return opshift_no_memory(error);
    const char *last = list->count > 0 ? list->items[list->count - 1].location : NULL;
    const char *own =
        last != NULL && strcmp(last, location) == 0 ? last : arena_copy(list->arena, location, strlen(location));
    if (own == NULL)
        return opshift_no_memory(error);
    list->items[list->count++] =
        (struct file_stretch){own, offset, offset < UINT64_MAX - size ? offset + size : UINT64_MAX};
    return OPSHIFT_OK;
}

static int by_place(const void *left, const void *right)
{
    const struct file_stretch *a = left, *b = right;
    int order = strcmp(a->location, b->location);
    return order != 0 ? order : (a->start > b->start) - (a->start < b->start);
}

/* Sorts the ranges and merges overlapping ones, so that each byte is read once. Tensors with an unreadable location
 * are reported by the checks of a valid model. */
static enum opshift_status stretches_find(struct opshift_model *model, struct file_stretches *list,
                                          struct opshift_error *error)
{
    list->arena = arena_new(0);
    if (list->arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = external_each(model, true, stretch_add, list, error);
    if (status || list->count == 0)
        return status;
    qsort(list->items, list->count, sizeof(*list->items), by_place);
    size_t last = 0;
    for (size_t i = 1; i < list->count; i++) {
        struct file_stretch *kept = &list->items[last], *next = &list->items[i];
        if (strcmp(kept->location, next->location) != 0 || next->start > kept->end)
            list->items[++last] = *next;
        else if (next->end > kept->end)
            kept->end = next->end;
    }
    list->count = last + 1;
    return OPSHIFT_OK;
}

static void stretches_free(struct file_stretches *list)
{
    free(list->items);
    arena_free(list->arena);
}

/* ---- files ---- */

/* *why: reason why the file may not be read; "": none. A missing file stays closed. */
static enum opshift_status file_open(const struct opshift_model *model, const char *location, struct opened_file *file,
                                     struct opshift_error *why, struct opshift_error *error)
{
    struct stat about;
    why->text[0] = '\0';
    file->descriptor = -1;
    if (model->directory == NULL) {
        opshift_fail(why, OPSHIFT_UNSUPPORTED,
                     "external data, but no directory to look in; open the model by its path or give one");
        return OPSHIFT_OK;
    }
    enum opshift_status status =
        external_open_location(model->directory, model->external, location, &file->descriptor, why);
    if (status == OPSHIFT_OK && file->descriptor >= 0 && fstat(file->descriptor, &about) != 0)
        status = opshift_fail(why, OPSHIFT_IO, "external data '%.200s': %s", location, strerror(errno));
    if (status == OPSHIFT_OK && file->descriptor >= 0) {
        file->size = (uint64_t)about.st_size;
        file->device = about.st_dev;
        file->number = about.st_ino;
    }
    if (status == OPSHIFT_OK) /* a missing file has an error text, too */
        why->text[0] = '\0';
    if (status != OPSHIFT_IO && status != OPSHIFT_MEMORY)
        return OPSHIFT_OK;
    error_give(error, status, why);
    return opshift_within(error, status, "%.256s", model->name);
}

static bool is_one_file(const struct opened_file *a, const struct opened_file *b)
{
    return a->device == b->device && a->number == b->number;
}

/* *at: offset of the first different byte; size: none. */
static enum opshift_status bytes_compare(const struct comparison *comparison, const struct opened_file files[2],
                                         const uint64_t starts[2], uint64_t size, uint64_t *at,
                                         struct opshift_error *error)
{
    static const uint64_t progress_bytes = UINT64_C(1) << 26; /* bytes between two calls of the progress callback */
    uint8_t pieces[2][COMPARE_PIECE];
    if (is_one_file(&files[0], &files[1]) && starts[0] == starts[1]) {
        *at = size;
        return OPSHIFT_OK;
    }
    for (*at = 0; *at < size;) {
        size_t part = size - *at < COMPARE_PIECE ? (size_t)(size - *at) : COMPARE_PIECE;
        for (int i = 0; i < 2; i++) {
            ssize_t got = descriptor_read(files[i].descriptor, pieces[i], part, (off_t)(starts[i] + *at));
            if (got < 0)
                return opshift_fail(error, OPSHIFT_IO, "external data cannot be read: %s", strerror(errno));
            if ((size_t)got < part)
                return opshift_fail(error, OPSHIFT_IO, "external data: the file became shorter while it was read");
        }
        if (memcmp(pieces[0], pieces[1], part) != 0) {
            while (pieces[0][*at % COMPARE_PIECE] == pieces[1][*at % COMPARE_PIECE])
                ++*at;
            return OPSHIFT_OK;
        }
        *at += part;
        const struct opshift_verify_options *options = comparison->options;
        if (options->progress != NULL && *at % progress_bytes == 0 &&
            !options->progress(options->progress_data, (double)*at / (double)size))
            return opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
    }
    return OPSHIFT_OK;
}

/* ---- one file on both sides ---- */

static const char *place_text(struct comparison *comparison, const char *location)
{
    return arena_print(comparison->arena, "external data '%.200s'", location);
}

/* Both files are open. Compares the bytes from start to end. */
static enum opshift_status stretch_compare(struct comparison *comparison, const struct opened_file files[2],
                                           const struct file_stretch *stretch, bool *differs,
                                           struct opshift_error *error)
{
    const char *place = place_text(comparison, stretch->location);
    const uint64_t starts[2] = {stretch->start, stretch->start};
    uint64_t at = 0;
    for (int i = 0; i < 2; i++)
        if (files[i].size < stretch->end) {
            rest_difference(comparison, place,
                            "has %" PRIu64 " bytes beside the %s model, whose tensors lie in %" PRIu64, files[i].size,
                            i == 0 ? "first" : "second", stretch->end);
            *differs = true;
            return OPSHIFT_OK;
        }
    enum opshift_status status = bytes_compare(comparison, files, starts, stretch->end - stretch->start, &at, error);
    *differs = status == OPSHIFT_OK && at < stretch->end - stretch->start;
    if (*differs)
        rest_difference(comparison, place, "differs first at byte %" PRIu64, stretch->start + at);
    return status;
}

/* Returns false with the reason if the files cannot be compared. */
static bool files_differ(struct comparison *comparison, const char *location, const struct opened_file files[2],
                         const struct opshift_error why[2])
{
    const char *place = place_text(comparison, location);
    bool there[2] = {files[0].descriptor >= 0, files[1].descriptor >= 0};
    for (int i = 0; i < 2; i++)
        if (why[i].text[0] != '\0') {
            rest_unknown(comparison, place, "is not compared: %s model: %s", i == 0 ? "first" : "second", why[i].text);
            return true;
        }
    if (!there[0] && !there[1])
        rest_unknown(comparison, place, "is not compared: it is beside neither model; put it there");
    else if (!there[0] || !there[1])
        rest_difference(comparison, place, "is not beside the %s model", there[0] ? "second" : "first");
    return !there[0] || !there[1];
}

/* Compares the ranges of one location, and moves *first and *second behind them. */
static enum opshift_status location_compare(struct comparison *comparison, const struct file_stretches lists[2],
                                            size_t *first, size_t *second, struct opshift_error *error)
{
    const struct opshift_model *models[2] = {comparison->before.model, comparison->after.model};
    const char *location = lists[0].items[*first].location;
    struct opened_file files[2] = {{.descriptor = -1}, {.descriptor = -1}};
    struct opshift_error why[2] = {{0}, {0}};
    enum opshift_status status = OPSHIFT_OK;
    for (int i = 0; i < 2 && status == OPSHIFT_OK; i++)
        status = file_open(models[i], location, &files[i], &why[i], error);
    bool done = status || files_differ(comparison, location, files, why);
    while (*first < lists[0].count && *second < lists[1].count) {
        const struct file_stretch *a = &lists[0].items[*first], *b = &lists[1].items[*second];
        if (strcmp(a->location, location) != 0 || strcmp(b->location, location) != 0)
            break;
        struct file_stretch both = {location, a->start > b->start ? a->start : b->start,
                                    a->end < b->end ? a->end : b->end};
        if (!done && both.start < both.end)
            status = stretch_compare(comparison, files, &both, &done, error);
        done = done || status;
        *first += a->end <= b->end;
        *second += a->end > b->end;
    }
    descriptor_close(files[0].descriptor);
    descriptor_close(files[1].descriptor);
    return status;
}

/* ---- both models ---- */

static bool is_one_directory(const char *a, const char *b)
{
    struct stat first, second;
    return a != NULL && b != NULL &&
           (strcmp(a, b) == 0 || (stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
                                  first.st_ino == second.st_ino));
}

bool external_is_compared(const struct comparison *comparison)
{
    const struct opshift_model *before = comparison->before.model, *after = comparison->after.model;
    return !is_one_directory(before->directory, after->directory) &&
           (external_is_possible(before) || external_is_possible(after));
}

enum opshift_status external_compare(struct comparison *comparison, struct opshift_error *error)
{
    struct opshift_model *models[2] = {comparison->before.model, comparison->after.model};
    struct file_stretches lists[2] = {{0}, {0}};
    enum opshift_status status = OPSHIFT_OK;
    if (!external_is_compared(comparison))
        return OPSHIFT_OK;
    for (int i = 0; i < 2 && status == OPSHIFT_OK; i++)
        status = stretches_find(models[i], &lists[i], error);
    for (size_t i = 0, k = 0; status == OPSHIFT_OK && i < lists[0].count && k < lists[1].count;) {
        int order = strcmp(lists[0].items[i].location, lists[1].items[k].location);
        if (order == 0) {
            const char *location = lists[0].items[i].location;
            status = location_compare(comparison, lists, &i, &k, error);
            while (i < lists[0].count && strcmp(lists[0].items[i].location, location) == 0)
                i++;
        } else {
            i += order < 0;
            k += order > 0;
        }
    }
    for (int i = 0; i < 2; i++)
        stretches_free(&lists[i]);
    return status;
}

/* ---- one tensor, at two locations ---- */

/* Opens the file of a tensor's data and finds its range; *why: reason of a failure. */
static enum opshift_status tensor_open(struct opshift_model *model, struct range range, struct arena *arena,
                                       struct opened_file *file, uint64_t *offset, uint64_t *size,
                                       struct opshift_error *error)
{
    char location[EXTERNAL_LOCATION_SIZE];
    struct opshift_error why = {0};
    Onnx__TensorProto *message = NULL;
    enum opshift_status status = range_decode(model, range, &onnx__tensor_proto__descriptor, arena, &message, error);
    if (status || external_place(message, location, offset, size, &why) != OPSHIFT_OK)
        return status;
    status = file_open(model, location, file, &why, error);
    if (file->descriptor >= 0 && (*offset > file->size || *size > file->size - *offset)) {
        descriptor_close(file->descriptor);
        file->descriptor = -1;
    }
    return status;
}

enum opshift_status external_same(struct comparison *comparison, struct range before, struct range after, bool *same,
                                  struct opshift_error *error)
{
    struct opshift_model *models[2] = {comparison->before.model, comparison->after.model};
    const struct range ranges[2] = {before, after};
    struct opened_file files[2] = {{.descriptor = -1}, {.descriptor = -1}};
    uint64_t offsets[2] = {0, 0}, sizes[2] = {0, 0}, at = 0;
    struct arena *arena = arena_new(0);
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = rest_same_fields(comparison, before, after, REST_SKIP(TENSOR_EXTERNAL),
                                                  &onnx__tensor_proto__descriptor, same, error);
    for (int i = 0; i < 2 && status == OPSHIFT_OK && *same; i++) {
        status = tensor_open(models[i], ranges[i], arena, &files[i], &offsets[i], &sizes[i], error);
        *same = files[i].descriptor >= 0;
    }
    if (status == OPSHIFT_OK && *same && sizes[0] == sizes[1])
        status = bytes_compare(comparison, files, offsets, sizes[0], &at, error);
    *same = status == OPSHIFT_OK && *same && sizes[0] == sizes[1] && at == sizes[0];
    descriptor_close(files[0].descriptor);
    descriptor_close(files[1].descriptor);
    arena_free(arena);
    return status;
}
