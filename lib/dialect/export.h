/* An export: a model written in another dialect. */
#ifndef DIALECT_EXPORT_H
#define DIALECT_EXPORT_H

#include "base/destination.h"
#include "base/report.h"
#include "dialect/cut.h"

/* What an exporter works with. */
struct exporting {
    struct opshift_model *model;
    const struct opshift_export_options *options;
    const char *path; /* of the file to write */
    struct surroundings around;
    struct arena *arena;            /* lives until the export has ended */
    struct opshift_exported *files; /* see exported_open */
    json_t *nodes;                  /* of the report: see exporting_node */
    json_t *refused;                /* the same: see exporting_refuse */
};

/* Opens the next file of the export; all of them appear together at the commit. The destination belongs to the export.
 */
enum opshift_status exported_open(struct exporting *exporting, const char *path, struct destination **destination,
                                  struct opshift_error *error);
/* Adds a node to the report: what became of it. note: a remark; NULL: none. */
void exporting_node(struct exporting *exporting, const char *place, const char *became, const char *note);
/* Adds what is in the way of exporting the whole model: the answer of the export is then NO. why: "node 'c' (Conv):
 * ...". */
void exporting_refuse(struct exporting *exporting, const char *why);
/* Calls `what` for each Split of the model, in the order of the file, with an arena that lives until it returns. A
 * Split that is refused (NO, UNSUPPORTED) goes to exporting_refuse instead. What `what` returns ends the walk, but for
 * NO, which is refused likewise. */
typedef enum opshift_status export_split(struct exporting *exporting, struct graph *graph, const struct node_cut *cut,
                                         struct arena *arena, void *data, struct opshift_error *error);
enum opshift_status exporting_each_split(struct exporting *exporting, export_split *what, void *data,
                                         struct opshift_error *error);

/* The dialects: each writes its files and fills the report. A failure leaves no file. NO: nothing was written. */
enum opshift_status export_openvino(struct exporting *exporting, struct opshift_error *error);
enum opshift_status export_directml(struct exporting *exporting, struct opshift_error *error);

#endif
