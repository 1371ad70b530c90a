/* Saving: the edits become splices of the source's bytes, the lengths around them too, and all of it is streamed. */
#include "model/preview.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sort.h"
#include "model/sidecars.h"
#include "wire/wire.h"

struct plan {
    struct opshift_model *model;
    struct arena *arena;    /* owns what is below */
    struct splice *splices; /* none overlaps the next */
    size_t count;
    int64_t *growth; /* of each of the model's messages */
    uint64_t size;   /* of the new file */
};

static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By place; where one message ends and its parent goes on, what belongs to the inner one first; what is only added goes
 * before what is replaced there; then as they were made. */
static int edit_order(const void *a, const void *b)
{
    const struct edit *left = a, *right = b;
    int answer = order(left->offset, right->offset);
    if (answer == 0)
        answer = order(right->parent->offset, left->parent->offset);
    if (answer == 0)
        answer = order(left->removed > 0, right->removed > 0);
    return answer ? answer : order(left->sequence, right->sequence);
}

/* A message starts behind all that it lies in, so this puts outer ones before inner ones. */
static int message_order(const void *a, const void *b)
{
    const struct message *const *left = a, *const *right = b;
    return order((*left)->offset, (*right)->offset);
}

static int splice_order(const void *a, const void *b)
{
    const struct splice *left = a, *right = b;
    int answer = order(left->offset, right->offset);
    return answer ? answer : order(left->rank, right->rank);
}

static void splice_add(struct plan *plan, uint64_t offset, uint64_t removed, struct bytes added)
{
    plan->splices[plan->count] = (struct splice){offset, removed, added, plan->count};
    plan->count++;
}

static int64_t *growth_find(struct plan *plan, const struct message *message)
{
    struct opshift_model *model = plan->model;
    struct message **found =
        bsearch(&message, model->messages, model->message_count, sizeof(*model->messages), message_order);
    assert(found && *found == message);
    return &plan->growth[found - model->messages];
}

/* Does an edit lie within what an earlier one removed? */
static bool is_gone(const struct edit *edit, uint64_t start, uint64_t end)
{
    const struct message *parent = edit->parent;
    bool parent_gone = parent->offset > start && parent->offset + parent->size <= end;
    return parent_gone || (edit->offset > start && edit->offset < end);
}

static void plan_edits(struct plan *plan)
{
    const struct opshift_model *model = plan->model;
    uint64_t start = 0, end = 0; /* what was removed last */
    for (uint32_t i = 0; i < model->edit_count; i++) {
        const struct edit *edit = &model->edits[i];
        uint64_t edit_end = edit->offset + edit->removed;
        if (is_gone(edit, start, end))
            continue;
        /* Two edits may remove the same bytes; they go once. */
        uint64_t offset = edit->offset < end ? end : edit->offset;
        uint64_t removed = edit_end > offset ? edit_end - offset : 0;
        splice_add(plan, offset, removed, edit->added);
        *growth_find(plan, edit->parent) += (int64_t)edit->added.size - (int64_t)removed;
        if (edit_end > end) {
            start = edit->offset;
            end = edit_end;
        }
    }
}

/* Rewrites the length of a message that grew or shrank, and tells its parent. */
static enum opshift_status plan_length(struct plan *plan, const struct message *message, int64_t growth,
                                       struct opshift_error *error)
{
    size_t header_size = (size_t)(message->offset - message->record), tag_size = 0;
    const uint8_t *header = source_window(plan->model->source, message->record, header_size, error);
    if (header == NULL)
        return error->status;
    while (tag_size < header_size && header[tag_size] >= 0x80)
        tag_size++;
    tag_size++;
    struct buffer length = {0};
    wire_add_varint(&length, (uint64_t)((int64_t)message->size + growth));
    struct bytes added = {arena_copy(plan->arena, length.data, length.size), length.size};
    bool failed = length.failed || added.data == NULL;
    buffer_free(&length);
    if (failed)
        return opshift_no_memory(error);
    uint64_t removed = header_size - tag_size;
    splice_add(plan, message->record + tag_size, removed, added);
    *growth_find(plan, message->parent) += growth + (int64_t)added.size - (int64_t)removed;
    return OPSHIFT_OK;
}

/* Inner to outer: a length that takes more bytes than before makes its parent longer too. */
static enum opshift_status plan_lengths(struct plan *plan, struct opshift_error *error)
{
    struct opshift_model *model = plan->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = model->message_count; status == OPSHIFT_OK && i-- > 0;)
        if (model->messages[i]->parent && plan->growth[i] != 0)
            status = plan_length(plan, model->messages[i], plan->growth[i], error);
    return status;
}

static enum opshift_status plan_make(struct plan *plan, struct opshift_error *error)
{
    struct opshift_model *model = plan->model;
    plan->size = source_size(model->source);
    if (model->edit_count == 0)
        return OPSHIFT_OK;
    plan->arena = arena_new(0);
    if (plan->arena == NULL)
        return opshift_no_memory(error);
    size_t most = (size_t)model->edit_count + model->message_count;
    plan->splices = arena_alloc(plan->arena, most, sizeof(*plan->splices));
    plan->growth = arena_alloc(plan->arena, model->message_count, sizeof(*plan->growth));
    if (plan->splices == NULL || plan->growth == NULL)
        return opshift_no_memory(error);
    sort_items(model->edits, model->edit_count, sizeof(*model->edits), edit_order);
    sort_items(model->messages, model->message_count, sizeof(*model->messages), message_order);
    plan_edits(plan);
    enum opshift_status status = plan_lengths(plan, error);
    if (status)
        return status;
    sort_items(plan->splices, plan->count, sizeof(*plan->splices), splice_order);
    uint64_t old_size = plan->size;
    plan->size = (uint64_t)((int64_t)old_size + *growth_find(plan, model->message));
    if (plan->size > INT32_MAX && old_size <= INT32_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "would grow to %" PRIu64 " bytes, but readers of protobuf take %d at most; move weights to "
                            "external data first",
                            plan->size, INT32_MAX);
    return OPSHIFT_OK;
}

enum opshift_status model_splices(struct opshift_model *model, struct arena *arena, struct splice **splices,
                                  size_t *count, struct opshift_error *error)
{
    struct plan plan = {.model = model};
    enum opshift_status status = plan_make(&plan, error);
    *splices = status ? NULL : arena_alloc(arena, plan.count + 1, sizeof(**splices));
    *count = plan.count;
    if (status == OPSHIFT_OK && *splices == NULL)
        status = opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < plan.count; i++) {
        struct bytes added = plan.splices[i].added;
        (*splices)[i] = plan.splices[i];
        (*splices)[i].added.data = added.size ? arena_copy(arena, added.data, added.size) : NULL;
        if (added.size && (*splices)[i].added.data == NULL)
            status = opshift_no_memory(error);
    }
    arena_free(plan.arena);
    return status;
}

static enum opshift_status plan_write(const struct plan *plan, struct target *target, struct opshift_error *error)
{
    struct source *source = plan->model->source;
    const char *name = plan->model->name;
    uint64_t position = 0;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < plan->count; i++) {
        const struct splice *splice = &plan->splices[i];
        status = target_add_range(target, source, name, position, splice->offset - position, error);
        if (status == OPSHIFT_OK)
            status = target_add(target, splice->added.data, splice->added.size, error);
        position = splice->offset + splice->removed;
    }
    return status ? status : target_add_range(target, source, name, position, source_size(source) - position, error);
}

struct opshift_output {
    struct target *target;
    char *name;   /* how messages call it */
    char *folder; /* where the source's external data lies: the new file names the same */
    struct opshift_limits limits;
    enum opshift_external_policy external;
    bool sync, committed;
    struct sidecars sidecars; /* to be put into sidecar_folder at commit */
    char *sidecar_folder;     /* NULL: they stay where they are */
    bool sidecars_link;
};

static enum opshift_status output_new(const struct opshift_model *model, const char *path,
                                      const struct opshift_write_options *options, struct opshift_output **output,
                                      struct opshift_error *error)
{
    struct opshift_output *made = calloc(1, sizeof(*made));
    *output = made;
    if (made == NULL)
        return opshift_no_memory(error);
    made->limits = model->limits;
    made->external = model->external;
    made->sync = options && options->sync;
    made->name = strdup(strcmp(path, "-") == 0 ? "<stdout>" : path);
    made->folder = model->folder ? strdup(model->folder) : NULL;
    bool failed = made->name == NULL || (model->folder && made->folder == NULL);
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* The folder of a path, as a text of its own. NULL: no memory. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

static bool is_same_folder(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Which files go with the model; a stream has no folder for them. */
static enum opshift_status sidecars_prepare(struct opshift_model *model, const char *path,
                                            enum opshift_external_data how, struct opshift_output *output,
                                            struct opshift_error *error)
{
    if (model->folder == NULL || target_temporary(output->target) == NULL)
        return OPSHIFT_OK;
    char *folder = folder_of(path);
    if (folder == NULL)
        return opshift_no_memory(error);
    if (is_same_folder(folder, model->folder)) {
        free(folder);
        return OPSHIFT_OK;
    }
    output->sidecar_folder = folder;
    output->sidecars_link = how == OPSHIFT_EXTERNAL_DATA_LINK;
    enum opshift_status status = sidecars_find(model, &output->sidecars, error);
    return status ? opshift_within(error, status, "%.256s", model->name) : OPSHIFT_OK;
}

enum opshift_status opshift_model_write(struct opshift_model *model, const char *path,
                                        const struct opshift_write_options *options, struct opshift_output **output,
                                        struct opshift_error *error)
{
    struct opshift_error local = {0};
    struct plan plan = {.model = model};
    struct opshift_output *made = NULL;
    error = error ? error : &local;
    *output = NULL;
    enum opshift_status status = output_new(model, path, options, &made, error);
    if (status)
        goto out;
    status = plan_make(&plan, error);
    if (status) {
        opshift_within(error, status, "%s", model->name);
        goto out;
    }
    status = target_open(path, plan.size, &made->target, error);
    if (status == OPSHIFT_OK && options)
        target_watch(made->target, options->progress, options->progress_data);
    if (status == OPSHIFT_OK)
        status = plan_write(&plan, made->target, error);
    if (status == OPSHIFT_OK && options && options->external_data != OPSHIFT_EXTERNAL_DATA_KEEP)
        status = sidecars_prepare(model, path, options->external_data, made, error);
    if (status)
        goto out;
    *output = made;
    made = NULL;
out:
    opshift_output_free(made);
    arena_free(plan.arena);
    return status;
}

static enum opshift_status committed_refuse(const struct opshift_output *output, const char *what,
                                            struct opshift_error *error)
{
    if (!output->committed)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE, "%s: the output was committed already; %s", output->name, what);
}

enum opshift_status opshift_output_open(struct opshift_output *output, struct opshift_model **model,
                                        struct opshift_error *error)
{
    struct opshift_open_options options = {
        .limits = output->limits, .name = output->name, .folder = output->folder, .external = output->external};
    struct source *source = NULL;
    *model = NULL;
    enum opshift_status status = committed_refuse(output, "open it before, or open the file", error);
    if (status == OPSHIFT_OK)
        status = target_flush(output->target, error);
    if (status)
        return status;
    status = source_open_descriptor(target_descriptor(output->target), &source, error);
    if (status)
        return opshift_within(error, status, "%s", output->name);
    return model_open_source(source, &options, model, error);
}

const char *opshift_output_temporary(const struct opshift_output *output)
{
    return target_temporary(output->target);
}

/* Before the model: whoever sees that finds them too. */
static enum opshift_status sidecars_commit(struct opshift_output *output, struct opshift_error *error)
{
    if (output->sidecar_folder == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = sidecars_put(&output->sidecars, output->folder, output->external,
                                              output->sidecar_folder, output->sidecars_link, error);
    return status ? opshift_within(error, status, "%s", output->name) : OPSHIFT_OK;
}

enum opshift_status opshift_output_commit(struct opshift_output *output, struct opshift_error *error)
{
    enum opshift_status status = committed_refuse(output, "commit it once", error);
    if (status == OPSHIFT_OK)
        status = sidecars_commit(output, error);
    if (status)
        return status;
    status = target_commit(output->target, output->sync, error);
    if (status && output->sidecar_folder)
        sidecars_remove(&output->sidecars, output->sidecar_folder);
    output->committed = status == OPSHIFT_OK;
    return status;
}

const char *opshift_output_missing(const struct opshift_output *output)
{
    return output->sidecars.missing;
}

void opshift_output_free(struct opshift_output *output)
{
    if (output == NULL)
        return;
    target_free(output->target);
    free(output->name);
    free(output->folder);
    free(output->sidecar_folder);
    sidecars_free(&output->sidecars);
    free(output);
}

enum opshift_status opshift_model_save(struct opshift_model *model, const char *path,
                                       const struct opshift_write_options *options, struct opshift_error *error)
{
    struct opshift_output *output = NULL;
    enum opshift_status status = opshift_model_write(model, path, options, &output, error);
    if (status == OPSHIFT_OK)
        status = opshift_output_commit(output, error);
    opshift_output_free(output);
    return status;
}
