/* Exports a model's Splits to DirectML: lowers each, and writes all as one JSON document or one C source. */
#include "dialect/directml.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "dialect/export.h"

/* What an output takes until it is written, besides its name, and how much all may take: so many times the file, and
 * some more for small files. */
#define OUTPUT_SIZE   UINT64_C(4096)
#define OUTPUTS_LEAST (UINT64_C(24) << 20)
#define FILE_FACTOR   64u

/* An export under way. */
struct directml_export {
    enum directml_level level;  /* COUNT: the lowest of each Split */
    enum directml_level needed; /* the highest that was used */
    size_t count;               /* Splits that were lowered */
    uint64_t size;              /* bytes that they take until they are written */
    bool is_c;
    json_t *splits;
    struct directml_c source;
};

/* ---- names ---- */

/* As reports show it. NULL: no memory. */
static const char *shown_name(struct arena *arena, const char *place, struct bytes name)
{
    struct buffer text = {0};
    shown_add(&text, place, strlen(place));
    shown_add(&text, name.data, name.size);
    const char *shown = text.failed ? NULL : arena_copy(arena, text.size ? (const char *)text.data : "", text.size);
    buffer_free(&text);
    return shown;
}

/* Names of other graphs than the main one have the graph's place in front, so that they are unique. */
static const char *value_name(const struct exporting *exporting, const struct graph *graph, name_id name,
                              struct arena *arena)
{
    const char *place = graph && graph->kind != GRAPH_MAIN && graph->place && name != NAME_NONE ? graph->place : "";
    return shown_name(arena, place, names_bytes(exporting->model->names, name));
}

/* ---- one Split ---- */

static enum opshift_status check_known(const struct exporting *exporting, const struct node_cut *cut,
                                       struct opshift_error *error)
{
    if (cut->kind == NODE_CUT_COMPUTED)
        return opshift_fail(error, OPSHIFT_NO,
                            "its lengths are '%.80s', known only at run time, but DirectML's sizes are fixed when the "
                            "operator is compiled; make the lengths constant",
                            names_text(exporting->model->names, cut->computed));
    if (cut->split.rank < 0)
        return opshift_fail(error, OPSHIFT_NO,
                            "the shape of '%.80s' is unknown, but DirectML's sizes are fixed when the operator is "
                            "compiled; give it with --shape",
                            names_text(exporting->model->names, cut->data));
    if (cut->lengths == NULL)
        return opshift_fail(error, OPSHIFT_NO,
                            "dim %" PRId64 " of '%.80s', which is split, is unknown, and no lengths are given; give "
                            "the shape with --shape",
                            cut->split.front, names_text(exporting->model->names, cut->data));
    return OPSHIFT_OK;
}

/* At the wanted level, or at the lowest one. */
static enum opshift_status lower(const struct directml_export *work, const struct directml_split *split,
                                 struct arena *arena, struct directml_operator *op, struct opshift_error *error)
{
    enum opshift_status status = directml_find_lowest(split, arena, &op->lowest, error);
    enum directml_level level = work->level;
    if (level == DIRECTML_LEVEL_COUNT)
        level = op->lowest.by_view < DIRECTML_LEVEL_COUNT ? op->lowest.by_view : DIRECTML_4_1;
    return status ? status : directml_lower(split, level, arena, &op->desc, error);
}

/* The dims of the tensor, where the axis has the sum of the lengths, and those of an output. */
static const int64_t *dims_with(const struct node_cut *cut, int64_t size, struct arena *arena)
{
    int64_t *dims = arena_copy(arena, cut->dims, (size_t)cut->split.rank * sizeof(*dims));
    if (dims)
        dims[cut->split.front] = size;
    return dims;
}

/* Names of all outputs: those that are bound, and those that are empty. */
static bool add_outputs(const struct exporting *exporting, const struct graph *graph, const struct node_cut *cut,
                        struct arena *arena, struct directml_operator *op)
{
    struct directml_empty *empties = arena_alloc(arena, (size_t)cut->parts, sizeof(*empties));
    const char **names = arena_alloc(arena, (size_t)cut->parts, sizeof(*names));
    uint32_t bound = 0;
    if (empties == NULL || names == NULL)
        return false;
    for (uint32_t slot = 0; slot < cut->parts; slot++) {
        name_id output = slot < cut->split.output_count ? cut->outputs[slot] : NAME_NONE;
        const char *name = value_name(exporting, graph, output, arena);
        bool is_bound = bound < op->desc.count && op->desc.parts[bound].slot == slot;
        if (is_bound)
            names[bound++] = name;
        else
            empties[op->empty_count++] = (struct directml_empty){slot, name, dims_with(cut, cut->lengths[slot], arena)};
        if (name == NULL || (!is_bound && empties[op->empty_count - 1].dims == NULL))
            return false;
    }
    op->outputs = names;
    op->empties = empties;
    return true;
}

static enum opshift_status describe(struct exporting *exporting, struct graph *graph, const struct node_cut *cut,
                                    struct arena *arena, struct directml_operator *op, struct opshift_error *error)
{
    struct opshift_model *model = exporting->model;
    struct definition definition = scope_find(exporting->around.scopes, graph, cut->data);
    name_id name = node_name(model, cut->node);
    op->type = cut->split.type;
    op->rank = (uint32_t)cut->split.rank;
    op->axis = cut->split.axis;
    op->dims = dims_with(cut, cut->split.dim, arena);
    op->node = name == NAME_NO_MEMORY ? NULL : shown_name(arena, "", names_bytes(model->names, name));
    op->place = shown_name(arena, cut->place, (struct bytes){0});
    op->input = value_name(exporting, definition.graph, cut->data, arena);
    bool is_whole = op->dims && op->node && op->place && op->input && add_outputs(exporting, graph, cut, arena, op);
    return is_whole ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- the report ---- */

static const char *level_or_never(enum directml_level level)
{
    return level < DIRECTML_LEVEL_COUNT ? directml_level_name(level) : "never";
}

static enum opshift_status report_operator(struct exporting *exporting, const struct directml_operator *op,
                                           struct opshift_error *error)
{
    const struct directml_desc *desc = &op->desc;
    struct buffer text = {0};
    const char *note = arena_print(exporting->arena, "lowest level: natively %s, by view %s",
                                   level_or_never(op->lowest.natively), level_or_never(op->lowest.by_view));
    if (desc->count)
        buffer_print(&text, "%s [", directml_type_name(desc->type));
    for (uint32_t i = 0; i < desc->rank; i++)
        buffer_print(&text, "%s%" PRIu32, i ? "," : "", desc->sizes[i]);
    if (desc->count)
        buffer_print(&text, "], axis %u, %u output%s", desc->axis, desc->count, desc->count == 1 ? "" : "s");
    else
        buffer_add_text(&text, "no operator: all outputs are empty");
    char *became = buffer_take(&text);
    if (became && note)
        exporting_node(exporting, op->place, became, note);
    bool failed = became == NULL || note == NULL;
    free(became);
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* ---- the export ---- */

static void add_operator(struct directml_export *work, const struct directml_operator *op)
{
    if (op->desc.count) {
        enum directml_level level = directml_level_of(op->desc.type, op->desc.rank);
        work->needed = level > work->needed ? level : work->needed;
    }
    if (work->is_c)
        directml_operator_c(op, work->count, &work->source);
    else
        report_append(&work->splits, directml_operator_json(op));
    work->count++;
}

/* Fails where the descriptions take more than the file's size allows. */
static enum opshift_status operator_charge(const struct exporting *exporting, struct directml_export *work,
                                           const struct directml_operator *op, struct opshift_error *error)
{
    uint64_t most = OUTPUTS_LEAST + FILE_FACTOR * source_size(exporting->model->source);
    work->size += OUTPUT_SIZE + strlen(op->input) + strlen(op->place);
    for (uint32_t i = 0; i < op->desc.count; i++)
        work->size += OUTPUT_SIZE + 2 * strlen(op->outputs[i]);
    for (uint32_t i = 0; i < op->empty_count; i++)
        work->size += OUTPUT_SIZE + 2 * strlen(op->empties[i].name);
    return work->size <= most ? OPSHIFT_OK
                              : opshift_fail(error, OPSHIFT_UNSUPPORTED,
                                             "this and the Splits before it have too many outputs: their descriptions "
                                             "take more than %u times the file; export them in parts",
                                             FILE_FACTOR);
}

static enum opshift_status export_one(struct exporting *exporting, struct graph *graph, const struct node_cut *cut,
                                      struct arena *arena, void *data, struct opshift_error *error)
{
    struct directml_export *work = data;
    struct directml_operator op = {0};
    enum opshift_status status = check_known(exporting, cut, error);
    const struct directml_split split = {cut->split.type, (uint32_t)cut->split.rank, cut->dims, cut->split.axis,
                                         cut->lengths,    (uint32_t)cut->parts};
    if (status == OPSHIFT_OK)
        status = lower(work, &split, arena, &op, error);
    if (status)
        return opshift_within(error, status, "%s", cut->place);
    status = describe(exporting, graph, cut, arena, &op, error);
    if (status == OPSHIFT_OK)
        status = operator_charge(exporting, work, &op, error);
    if (status == OPSHIFT_UNSUPPORTED)
        return opshift_within(error, status, "%s", cut->place);
    if (status == OPSHIFT_OK)
        status = report_operator(exporting, &op, error);
    if (status == OPSHIFT_OK)
        add_operator(work, &op);
    return status;
}

/* Freed by opshift_text_free. */
static enum opshift_status make_text(struct directml_export *work, const char *level, char **text,
                                     struct opshift_error *error)
{
    if (level == NULL)
        level = directml_level_name(work->needed);
    *text = NULL;
    if (work->is_c) {
        *text = directml_c_take(&work->source, level, work->count);
        return *text ? OPSHIFT_OK : opshift_no_memory(error);
    }
    json_t *root = json_pack("{s:s, s:o, s:O}", "schema", "dml-model/1", "feature_level",
                             json_sprintf("DML_FEATURE_LEVEL_%s", level), "splits", work->splits);
    struct opshift_report *report = root ? report_new(root, NULL) : NULL;
    enum opshift_status status = report ? opshift_report_json(report, text, error) : opshift_no_memory(error);
    opshift_report_free(report);
    return status;
}

static enum opshift_status write_text(struct exporting *exporting, const char *text, struct opshift_error *error)
{
    struct destination *destination;
    enum opshift_status status = exported_open(exporting, exporting->path, &destination, error);
    return status ? status : destination_add(destination, text, strlen(text), error);
}

static enum opshift_status read_options(const struct exporting *exporting, struct directml_export *work,
                                        struct opshift_error *error)
{
    const char *level = exporting->options->feature_level, *format = exporting->options->format;
    work->level = level ? directml_level_find(level) : DIRECTML_LEVEL_COUNT;
    work->is_c = format && strcmp(format, "c") == 0;
    if (level && work->level == DIRECTML_LEVEL_COUNT)
        return opshift_fail(error, OPSHIFT_USAGE, "there is no feature level '%s'; they are 1_0 to 6_4", level);
    if (format && !work->is_c && strcmp(format, "json") != 0)
        return opshift_fail(error, OPSHIFT_USAGE, "there is no format '%s'; take json or c", format);
    return OPSHIFT_OK;
}

/* Those that could not become Split. */
static enum opshift_status refuse_sequences(struct exporting *exporting, struct opshift_error *error)
{
    struct opshift_model *model = exporting->model;
    name_id op_type;
    if (!names_find(model->names, "SplitToSequence", strlen("SplitToSequence"), &op_type))
        return OPSHIFT_OK;
    for (uint32_t g = 0; g < model->graph_count; g++)
        for (uint32_t i = 0; i < model->graphs[g]->node_count; i++) {
            const struct node *node = &model->graphs[g]->nodes[i];
            if (node->op_type != op_type || node_domain(node) != NAME_NONE)
                continue;
            const char *place = node_place_find(model, model->graphs[g], node);
            const char *why = place ? arena_print(exporting->arena,
                                                  "%s: it cannot become Split; 'opshift convert --split-sequences "
                                                  "--dry-run' tells why",
                                                  place)
                                    : NULL;
            if (why == NULL)
                return opshift_no_memory(error);
            exporting_refuse(exporting, why);
        }
    return OPSHIFT_OK;
}

enum opshift_status export_directml(struct exporting *exporting, struct opshift_error *error)
{
    struct directml_export work = {.splits = json_array()};
    char *text = NULL;
    enum opshift_status status = read_options(exporting, &work, error);
    if (status == OPSHIFT_OK)
        status = refuse_sequences(exporting, error);
    if (status == OPSHIFT_OK)
        status = exporting_each_split(exporting, export_one, &work, error);
    bool is_whole = json_array_size(exporting->refused) == 0;
    if (status == OPSHIFT_OK && is_whole && work.count == 0)
        status = opshift_fail(error, OPSHIFT_NO, "there is no Split in it");
    if (status == OPSHIFT_OK && is_whole && exporting->path)
        status = make_text(&work, exporting->options->feature_level, &text, error);
    if (text)
        status = write_text(exporting, text, error);
    opshift_text_free(text);
    buffer_free(&work.source.structs);
    buffer_free(&work.source.rows);
    json_decref(work.splits);
    return status;
}
