/* Opens an IR as an ONNX model: reads, checks, lifts, and converts to the opset that is wished. */
#include "dialect/openvino_import.h"

#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "check/check.h"
#include "convert/convert.h"

/* From this opset on the model's IR version, 8, is too old. */
#define OPSET_OF_NEWER_IR 19

/* An error of lint refuses the import, in lint's words. */
static enum opshift_status refuse_found(void *data, const char *id, const struct ir_layer *layer, const char *words,
                                        struct opshift_error *error)
{
    const struct openvino_net *net = data;
    const struct check *check = check_find(id);
    if (check->about.severity != OPSHIFT_SEVERITY_ERROR)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO, "%s: %s %s: %s", ir_place(&net->net, layer), check->about.id,
                        check->about.slug, words);
}

static enum opshift_status net_lift(struct opshift_imported *imported, struct opshift_error *error)
{
    enum opshift_status status = openvino_check(&imported->net, refuse_found, &imported->net, error);
    if (status == OPSHIFT_OK)
        status = openvino_lift(&imported->net, imported->as_it_is, &imported->lift, &imported->model, error);
    return status ? opshift_within(error, status, "%.256s", imported->net.path) : OPSHIFT_OK;
}

/* What became of the layers that are not plain. */
static void add_text(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"where", "became"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    const json_t *row;
    size_t at, count = json_array_size(json_object_get(root, "splits"));
    json_array_foreach(json_object_get(root, "splits"), at, row)
    {
        const char *cells[] = {report_text_of(row, heads[0]), report_text_of(row, heads[1])};
        report_table_row(table, cells);
    }
    if (count > 0)
        report_table_print(table, out);
    else
        report_table_free(table);
    buffer_print(out, "%s: %" JSON_INTEGER_FORMAT " layers became a model of opset %" JSON_INTEGER_FORMAT "\n",
                 report_text_of(root, "model"), json_integer_value(json_object_get(root, "layers")),
                 json_integer_value(json_object_get(root, "opset")));
}

static enum opshift_status splits_tell(struct opshift_imported *imported, json_t **splits, struct opshift_error *error)
{
    struct openvino_net *net = &imported->net;
    const struct lifted_split *list = (const struct lifted_split *)(const void *)imported->lift.splits.data;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < imported->lift.splits.size / sizeof(*list); i++) {
        const struct ir_layer *layer = &net->net.layers[list[i].layer];
        const char *place = ir_place_new(&net->net, layer);
        struct openvino_cut cut;
        if (place == NULL)
            return opshift_no_memory(error);
        status = openvino_cut_read(net, layer, &cut, error);
        const char *became = !cut.variadic          ? "Split into equal parts"
                             : cut.lengths == NULL  ? "Split by computed lengths, none of which may be -1"
                             : cut.rest != SIZE_MAX ? "Split by lengths, with the rest resolved"
                                                    : "Split by lengths";
        report_append(splits, json_pack("{s:o, s:s}", "where", report_string(place, strlen(place)), "became", became));
    }
    return status;
}

static enum opshift_status report_make(struct opshift_imported *imported, int64_t opset, struct opshift_report **report,
                                       struct opshift_error *error)
{
    json_t *splits = json_array();
    const char *path = imported->net.path;
    enum opshift_status status = splits_tell(imported, &splits, error);
    json_t *root = splits ? json_pack("{s:s, s:s, s:o, s:I, s:I, s:O}", "kind", "import", "version", opshift_version(),
                                      "model", report_string(path, strlen(path)), "opset", (json_int_t)opset, "layers",
                                      (json_int_t)imported->net.net.count, "splits", splits)
                          : NULL;
    json_decref(splits);
    *report = root ? report_new(root, add_text) : NULL;
    return status || *report ? status : opshift_no_memory(error);
}

static enum opshift_status import(struct opshift_imported *imported, const char *path,
                                  const struct opshift_import_options *options, struct opshift_report **report,
                                  struct opshift_error *error)
{
    struct opshift_open_options open;
    struct opshift_goal goal = {.opset = options->opset,
                                .ir_version = options->opset >= OPSET_OF_NEWER_IR ? OPSHIFT_IR_MATCH : OPSHIFT_IR_KEEP,
                                .progress = options->progress,
                                .progress_data = options->progress_data};
    enum opshift_status status = OPTIONS_COPY(options->open, &open, error);
    if (status == OPSHIFT_OK)
        status = openvino_net_open(path, &open, options->given, &imported->net, error);
    if (status == OPSHIFT_OK)
        status = net_lift(imported, error);
    if (status == OPSHIFT_OK && options->opset != 0 && options->opset != LIFT_OPSET)
        status = model_convert(imported->model, &goal, NULL, error);
    if (status == OPSHIFT_OK && report)
        status = report_make(imported, options->opset ? options->opset : LIFT_OPSET, report, error);
    return status;
}

enum opshift_status opshift_import(const char *path, const struct opshift_import_options *options,
                                   struct opshift_imported **result, struct opshift_report **report,
                                   struct opshift_error *error)
{
    struct opshift_error local = {0};
    struct opshift_import_options full;
    error = error ? error : &local;
    *result = NULL;
    if (report)
        *report = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status)
        return status;
    struct opshift_imported *imported = calloc(1, sizeof(*imported));
    if (imported == NULL)
        return opshift_no_memory(error);
    imported->as_it_is = full.opset == 0;
    status = import(imported, path, &full, report, error);
    if (status)
        opshift_imported_free(imported);
    else
        *result = imported;
    return status;
}

struct opshift_model *opshift_imported_model(const struct opshift_imported *imported)
{
    return imported->model;
}

const char *opshift_imported_weights(const struct opshift_imported *imported)
{
    return imported->net.weights_path;
}

void opshift_imported_free(struct opshift_imported *imported)
{
    if (imported == NULL)
        return;
    opshift_model_free(imported->model);
    openvino_lift_free(&imported->lift);
    openvino_net_close(&imported->net);
    free(imported);
}
