/* A preview reads a source of stretches: ranges of the first model's source and added bytes. A preview of a preview
 * splits that list further, so that it remains one list over one source. */
#include "model/preview.h"

#include "base/buffer.h"

/* A list of stretches while it grows. */
struct stretch_list {
    struct stretch *list;
    size_t count;
    uint64_t size;
};

static void row_add(struct stretch_list *row, const uint8_t *data, uint64_t offset, uint64_t size)
{
    if (size == 0)
        return;
    row->list[row->count++] = (struct stretch){row->size, size, data, offset};
    row->size += size;
}

/* Appends the stretches of a range of the model's source. *next: the first stretch that may lie in the range. */
static void row_add_range(struct stretch_list *row, const struct stretch *made, size_t made_count, size_t *next,
                          uint64_t offset, uint64_t size)
{
    if (made == NULL) {
        row_add(row, NULL, offset, size);
        return;
    }
    for (uint64_t end = offset + size; offset < end;) {
        while (*next + 1 < made_count && made[*next + 1].start <= offset)
            ++*next;
        const struct stretch *from = &made[*next];
        uint64_t inside = offset - from->start, left = from->size - inside;
        uint64_t taken = left < end - offset ? left : end - offset;
        row_add(row, from->data ? from->data + inside : NULL, from->data ? 0 : from->offset + inside, taken);
        offset += taken;
    }
}

/* Gives the model's source with the splices as stretches of *base. */
static enum opshift_status row_make(struct opshift_model *model, const struct splice *splices, size_t count,
                                    struct arena *arena, struct stretch_list *row, struct source **base,
                                    struct opshift_error *error)
{
    size_t made_count, next = 0;
    const struct stretch *made = source_stretches(model->source, &made_count, base);
    if (made == NULL)
        *base = model->source;
    /* A splice adds a stretch and splits another one. */
    *row = (struct stretch_list){.list = arena_alloc(arena, made_count + 2 * count + 1, sizeof(*row->list))};
    if (row->list == NULL)
        return opshift_no_memory(error);
    uint64_t position = 0;
    for (size_t i = 0; i < count; i++) {
        row_add_range(row, made, made_count, &next, position, splices[i].offset - position);
        row_add(row, splices[i].added.data, 0, splices[i].added.size);
        position = splices[i].offset + splices[i].removed;
    }
    row_add_range(row, made, made_count, &next, position, source_size(model->source) - position);
    return OPSHIFT_OK;
}

enum opshift_status model_preview(struct opshift_model *model, struct arena *arena, struct opshift_model **preview,
                                  struct opshift_error *error)
{
    struct opshift_open_options options = {.limits = &model->limits,
                                           .name = model->name,
                                           .directory = model->directory,
                                           .external = model->external,
                                           .progress = model->progress,
                                           .progress_data = model->progress_data,
                                           .opset = model->is_stamped ? 0 : model->read_as};
    struct splice *splices;
    struct stretch_list row;
    struct source *base, *source;
    size_t count;
    *preview = NULL;
    enum opshift_status status = model_splices(model, arena, &splices, &count, error);
    if (status == OPSHIFT_OK)
        status = row_make(model, splices, count, arena, &row, &base, error);
    if (status == OPSHIFT_OK)
        status = source_open_stretches(base, row.list, row.count, &source, error);
    if (status)
        return opshift_within(error, status, "%s", model->name);
    return model_open_source(source, &options, preview, error);
}

/* Makes one edit of everything between two kept ranges. */
static enum opshift_status adopt_edit(struct opshift_model *model, uint64_t offset, uint64_t removed,
                                      struct buffer *added, struct opshift_error *error)
{
    if (added->failed)
        return opshift_no_memory(error);
    if (removed == 0 && added->size == 0)
        return OPSHIFT_OK;
    struct bytes bytes = {added->data, added->size};
    added->size = 0;
    return model_edit(model, model->message, offset, removed, bytes, error);
}

enum opshift_status model_adopt(struct opshift_model *model, const struct opshift_model *preview,
                                struct opshift_error *error)
{
    struct source *base;
    size_t count;
    const struct stretch *stretches = source_stretches(preview->source, &count, &base);
    struct buffer added = {0};
    uint64_t position = 0;
    enum opshift_status status = OPSHIFT_OK;
    model_edits_clear(model);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        if (stretches[i].data) {
            buffer_add(&added, stretches[i].data, (size_t)stretches[i].size);
            continue;
        }
        status = adopt_edit(model, position, stretches[i].offset - position, &added, error);
        position = stretches[i].offset + stretches[i].size;
    }
    if (status == OPSHIFT_OK)
        status = adopt_edit(model, position, source_size(model->source) - position, &added, error);
    buffer_free(&added);
    return status;
}
