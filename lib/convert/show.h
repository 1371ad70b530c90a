/* What show describes: parts of its report. */
#ifndef CONVERT_SHOW_H
#define CONVERT_SHOW_H

#include "base/report.h"
#include "model/model.h"

/* A name of the model as a JSON string, escaped. NULL: no memory. */
json_t *show_name(const struct opshift_model *model, name_id name);
/* The type and shape of a value of the report, as in ONNX's textual syntax: "float[N,3]", "float" for a scalar,
 * "float[]" where the rank is unknown. no_type: in place of the type null. */
void show_type_text(const json_t *value, const char *no_type, struct buffer *out);
/* Adds to the report: number and bytes of initializers and tensors of Constant nodes, and the largest. IO, MEMORY. */
enum opshift_status show_weights(struct opshift_model *model, json_t **root, struct opshift_error *error);
/* All of them, the largest first: name, type, shape, bytes, and whether it is sparse or external. *list NULL: no
 * memory. IO, MEMORY. */
enum opshift_status show_weights_all(struct opshift_model *model, json_t **list, struct opshift_error *error);

/* Adds to the report: inputs, outputs, operators, weights, functions, metadata, external. IO, MEMORY, MALFORMED. */
enum opshift_status show_summary(struct opshift_model *model, json_t **root, struct opshift_error *error);
/* "axis = 1"; the value of a large one and of a graph is left out: "value = ...". IO, MEMORY, MALFORMED. */
enum opshift_status show_attribute(struct opshift_model *model, const struct attribute_range *range,
                                   struct arena *arena, struct buffer *out, struct opshift_error *error);
/* A report of kind "graph", whose text is JSON too. IO, MEMORY, MALFORMED. */
enum opshift_status show_picture(struct opshift_model *model, struct opshift_report **report,
                                 struct opshift_error *error);
/* Bytes of the elements; of a sparse one and of strings, bytes of its message. */
uint64_t show_weight_bytes(const struct initializer *initializer);
/* A summary as text. */
void show_summary_text(const json_t *root, struct buffer *out);

#endif
