/* The parts of a certificate besides the verdicts: rules, options, external files. */
#ifndef VERIFY_CERTIFICATE_H
#define VERIFY_CERTIFICATE_H

#include "base/buffer.h"
#include "verify/piece.h"

/* ---- certificate.c ---- */

/* Sets "rules_sha256", "options" and each model's "external". */
enum opshift_status certificate_fill(struct comparison *comparison, json_t *root, struct opshift_error *error);
/* Sets "rules", and "nodes": those of the piece, before and after. *entry NULL: no memory. */
void certificate_piece(struct piece *piece, json_t **entry);

/* A node. NULL: no memory. */
json_t *certificate_node(struct opshift_model *model, const struct node *node);

/* ---- page_graph.c ---- */

/* Draws a small graph as SVG, in layers from top to bottom. title: the accessible name. */
void page_graph(struct buffer *out, const json_t *nodes, const char *title);
/* Text between tags or in an attribute. */
void page_text(struct buffer *out, const char *text);

#endif
