/* Exports a model to another dialect: opens its files, reports what became of each node, commits. */
#include "dialect/export.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option_struct.h"
#include "convert/convert.h"
#include "model/limits.h"
#include "model/preview.h"

#define FILES_MAX 2

static const struct {
    const char *name;
    enum opshift_status (*export)(struct exporting *exporting, struct opshift_error *error);
} dialects[] = {
    {"openvino", export_openvino},
    {"directml", export_directml},
};

const char *opshift_dialect_at(size_t index)
{
    return index < COUNT(dialects) ? dialects[index].name : NULL;
}

/* ---- files ---- */

/* One file of an export. */
struct exported_file {
    struct destination *destination;
    char *path;
    char *kept; /* another name of the file that is replaced, until all are committed; NULL: there was none */
    bool moved; /* the old file has no other name than that */
};

struct opshift_exported {
    struct exported_file files[FILES_MAX]; /* in the order of the commit */
    size_t count;
    bool committed;
};

enum opshift_status exported_open(struct exporting *exporting, const char *path, struct destination **destination,
                                  struct opshift_error *error)
{
    struct opshift_exported *files = exporting->files;
    const struct opshift_export_options *options = exporting->options;
    struct exported_file *file = &files->files[files->count];
    assert(files->count < FILES_MAX);
    file->path = strdup(path);
    if (file->path == NULL)
        return opshift_no_memory(error);
    files->count++;
    enum opshift_status status = destination_open(path, 0, &file->destination, error);
    if (status)
        return status;
    if (options->sync)
        destination_sync(file->destination);
    destination_watch(file->destination, options->progress, options->progress_data);
    *destination = file->destination;
    return OPSHIFT_OK;
}

const char *opshift_exported_temporary(const struct opshift_exported *exported, size_t index)
{
    return index < exported->count ? destination_temporary(exported->files[index].destination) : NULL;
}

/* Whether the new file is in its place. A stream has no place; call this for files only. */
static bool file_is_placed(const struct exported_file *file)
{
    return destination_temporary(file->destination) == NULL;
}

static enum opshift_status old_failed(const char *path, const char *what, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_IO, "%s: %s: %s; check the directory and its permissions, or write elsewhere",
                        path, what, strerror(errno));
}

/* Keeps what the commit of a file will replace: by a link, so that the old file stays until the new one replaces it, or
 * on a file system without links by renaming it. */
static enum opshift_status file_keep(struct exported_file *file, struct opshift_error *error)
{
    char *real = realpath(file->path, NULL);
    if (real == NULL && errno == ENOENT)
        return OPSHIFT_OK;
    if (real == NULL)
        return old_failed(file->path, "cannot be followed to its file", error);
    free(file->path);
    file->path = real;
    char *kept = temporary_name(real);
    if (kept == NULL)
        return opshift_no_memory(error);
    bool linked = link(real, kept) == 0;
    if (!linked && (errno == EEXIST || rename(real, kept) != 0)) {
        enum opshift_status status = old_failed(real, "cannot be kept while it is replaced", error);
        free(kept);
        return status;
    }
    file->kept = kept;
    file->moved = !linked;
    return OPSHIFT_OK;
}

/* Puts back what was replaced or moved; where that fails, the old file stays under the name that the error gives. */
static void file_undo(struct exported_file *file, struct opshift_error *error)
{
    if (!file->moved && !file_is_placed(file))
        return;
    if (file->kept == NULL) {
        unlink(file->path);
        return;
    }
    if (rename(file->kept, file->path) != 0)
        opshift_within(error, error->status, "the old file cannot be put back and is now '%s'", file->kept);
    free(file->kept);
    file->kept = NULL;
}

/* What was replaced is not needed any more. */
static void kept_drop(struct exported_file *file)
{
    if (file->kept)
        unlink(file->kept);
    free(file->kept);
    file->kept = NULL;
}

/* Puts all files into their places, or none. When the last one is in its place, nothing is undone. */
static enum opshift_status files_commit(struct opshift_exported *exported, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    struct exported_file *files = exported->files, *last = &files[exported->count - 1];
    bool replaces[FILES_MAX] = {false}; /* not a stream */
    for (size_t i = 0; i < exported->count; i++)
        replaces[i] = !file_is_placed(&files[i]);
    for (size_t i = 0; status == OPSHIFT_OK && i < exported->count; i++)
        status = destination_flush(files[i].destination, error);
    for (size_t i = 0; status == OPSHIFT_OK && &files[i] < last; i++)
        status = replaces[i] ? file_keep(&files[i], error) : OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < exported->count; i++)
        status = destination_commit(files[i].destination, error);
    bool complete = replaces[exported->count - 1] && file_is_placed(last);
    for (size_t i = 0; status && !complete && &files[i] < last; i++)
        if (replaces[i])
            file_undo(&files[i], error);
    for (size_t i = 0; i < exported->count; i++)
        kept_drop(&files[i]);
    return status;
}

enum opshift_status opshift_exported_commit(struct opshift_exported *exported, struct opshift_error *error)
{
    if (exported->committed)
        return opshift_fail(error, OPSHIFT_USAGE, "the export was committed already; commit it once");
    exported->committed = true;
    return files_commit(exported, error);
}

void opshift_exported_free(struct opshift_exported *exported)
{
    for (size_t i = 0; exported && i < exported->count; i++) {
        struct exported_file *file = &exported->files[i];
        destination_free(file->destination);
        free(file->path);
    }
    free(exported);
}

/* ---- the report ---- */

void exporting_node(struct exporting *exporting, const char *place, const char *became, const char *note)
{
    json_t *row = json_pack("{s:o, s:o}", "where", report_string(place, strlen(place)), "became",
                            report_string(became, strlen(became)));
    if (note)
        report_set(&row, "note", report_string(note, strlen(note)));
    report_append(&exporting->nodes, row);
}

void exporting_refuse(struct exporting *exporting, const char *why)
{
    report_append(&exporting->refused, report_string(why, strlen(why)));
}

static void add_text(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"where", "became", "note"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    json_t *row;
    size_t at;
    json_array_foreach(json_object_get(root, "nodes"), at, row)
    {
        const char *cells[COUNT(heads)];
        for (size_t i = 0; i < COUNT(heads); i++)
            cells[i] = report_text_of(row, heads[i]);
        report_table_row(table, cells);
    }
    if (json_array_size(json_object_get(root, "nodes")) > 0)
        report_table_print(table, out);
    else
        report_table_free(table);
    json_array_foreach(json_object_get(root, "refused"), at, row)
    {
        buffer_print(out, "%s%s\n", at == 0 ? "not exported:\n  " : "  ", json_string_value(row));
    }
}

static enum opshift_status report_make(struct exporting *exporting, struct opshift_report **report,
                                       struct opshift_error *error)
{
    const struct opshift_model *model = exporting->model;
    json_t *root =
        json_pack("{s:s, s:s, s:o, s:s, s:b, s:O, s:O}", "kind", "export", "version", opshift_version(), "model",
                  report_string(model->name, strlen(model->name)), "to", exporting->options->to, "whole",
                  json_array_size(exporting->refused) == 0, "nodes", exporting->nodes, "refused", exporting->refused);
    *report = root ? report_new(root, add_text) : NULL;
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}

/* The answer when something is in the way: the first reason. */
static enum opshift_status whole_refused(const struct exporting *exporting, struct opshift_error *error)
{
    size_t count = json_array_size(exporting->refused);
    const char *first = json_string_value(json_array_get(exporting->refused, 0));
    if (count == 1)
        return opshift_fail(error, OPSHIFT_NO, "not all of the model can be exported: %s", first);
    return opshift_fail(error, OPSHIFT_NO, "not all of the model can be exported: %.600s (and %zu more)", first,
                        count - 1);
}

/* ---- Splits ---- */

/* A refusal of one node is no failure. */
static enum opshift_status node_refused(struct exporting *exporting, struct opshift_error *error)
{
    if (error->status != OPSHIFT_NO && error->status != OPSHIFT_UNSUPPORTED)
        return error->status;
    exporting_refuse(exporting, error->text);
    return error_forget(error);
}

static enum opshift_status split_export(struct exporting *exporting, struct graph *graph, struct node *node,
                                        struct arena *arena, export_split *what, void *data,
                                        struct opshift_error *error)
{
    struct node_cut cut;
    enum opshift_status status = node_cut_read(&exporting->around, graph, node, arena, &cut, error);
    if (status == OPSHIFT_OK)
        status = what(exporting, graph, &cut, arena, data, error);
    return status ? node_refused(exporting, error) : OPSHIFT_OK;
}

enum opshift_status exporting_each_split(struct exporting *exporting, export_split *what, void *data,
                                         struct opshift_error *error)
{
    struct opshift_model *model = exporting->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t g = 0; g < model->graph_count; g++)
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graphs[g]->node_count; i++) {
            if (!node_is(model, &model->graphs[g]->nodes[i], "Split"))
                continue;
            struct arena *arena = arena_new(model->limits.memory);
            status =
                arena ? split_export(exporting, model->graphs[g], &model->graphs[g]->nodes[i], arena, what, data, error)
                      : opshift_no_memory(error);
            status = limit_judge_memory(&model->limits, arena, status, "the values of one node", error);
            arena_free(arena);
        }
    return status;
}

/* ---- the export ---- */

/* SplitToSequence and its readers become Split where they can; else the model stays as it is. */
static enum opshift_status sequences_split(struct opshift_model *model, const struct opshift_export_options *options,
                                           struct arena *arena, struct opshift_model **preview,
                                           struct opshift_error *error)
{
    name_id op_type;
    struct opshift_goal goal = {.sequences = OPSHIFT_SEQUENCES_TO_SPLIT,
                                .freeze_initializers = options->freeze_initializers,
                                .given = options->given};
    *preview = NULL;
    if (!names_find(model->names, "SplitToSequence", strlen("SplitToSequence"), &op_type))
        return OPSHIFT_OK;
    enum opshift_status status = model_convert(model, &goal, NULL, error);
    if (status == OPSHIFT_OK)
        return model_preview(model, arena, preview, error);
    return status == OPSHIFT_NO ? error_forget(error) : status;
}

static enum opshift_status dialect_export(struct exporting *exporting, size_t dialect, struct opshift_error *error)
{
    exporting->nodes = json_array();
    exporting->refused = json_array();
    exporting->files = calloc(1, sizeof(*exporting->files));
    if (exporting->files == NULL)
        return opshift_no_memory(error);
    const struct opshift_export_options *options = exporting->options;
    enum opshift_status status =
        surroundings_open(&exporting->around, exporting->model, options->freeze_initializers, error);
    if (status == OPSHIFT_OK)
        status = types_give(exporting->around.types, options->given, error);
    if (status == OPSHIFT_OK)
        status = dialects[dialect].export(exporting, error);
    surroundings_close(&exporting->around);
    return status;
}

static enum opshift_status dialect_find(const char *name, size_t *dialect, struct opshift_error *error)
{
    for (*dialect = 0; *dialect < COUNT(dialects); ++*dialect)
        if (name && strcmp(dialects[*dialect].name, name) == 0)
            return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE, "there is no dialect '%s'; take openvino or directml", name ? name : "");
}

static enum opshift_status export(struct exporting *exporting, size_t dialect, struct opshift_report **report,
                                  struct opshift_error *error) {
    struct opshift_model *preview = NULL, *model = exporting->model; exporting->arena = arena_new(model->limits.memory);
    enum opshift_status status = exporting->arena
                                     ? sequences_split(model, exporting->options, exporting->arena, &preview, error)
                                     : opshift_no_memory(error);
    if (preview) exporting->model = preview;
    if (status == OPSHIFT_OK) status = dialect_export(exporting, dialect, error);
    if (status == OPSHIFT_OK && (exporting->nodes == NULL || exporting->refused == NULL))
        status = opshift_no_memory(error);
    exporting->model = model;
    if ((status == OPSHIFT_OK || status == OPSHIFT_NO) && report && report_make(exporting, report, error))
        status = error->status;
    if (status == OPSHIFT_OK && json_array_size(exporting->refused) > 0) status = whole_refused(exporting, error);
    opshift_model_free(preview);
    model_edits_clear(model);
    json_decref(exporting->nodes);
    json_decref(exporting->refused);
    status = limit_judge_memory(&model->limits, exporting->arena, status, "the exported nodes", error);
    arena_free(exporting->arena);
    return status;
}

enum opshift_status opshift_export(struct opshift_model *model, const char *path,
                                   const struct opshift_export_options *options, struct opshift_exported **exported,
                                   struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_error local = {0};
    struct opshift_export_options full;
    size_t dialect;
    error = error ? error : &local;
    *exported = NULL;
    if (report)
        *report = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status == OPSHIFT_OK)
        status = dialect_find(full.to, &dialect, error);
    if (status)
        return status;
    struct exporting exporting = {.model = model, .options = &full, .path = path};
    status = export(&exporting, dialect, report, error);
    if ((status == OPSHIFT_OK || status == OPSHIFT_NO) && exporting.files && exporting.files->count > 0)
        *exported = exporting.files;
    else
        opshift_exported_free(exporting.files);
    return status ? opshift_within(error, status, "%.256s", model->name) : OPSHIFT_OK;
}
