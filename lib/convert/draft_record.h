/* Writes a draft's node as changes of its record, or as a whole record. */
#ifndef CONVERT_DRAFT_RECORD_H
#define CONVERT_DRAFT_RECORD_H

#include "convert/plan_store.h"
#include "model/draft.h"

/* Appends to `changes` one struct plan_change for each field that differs, by rising offset, and to `bytes` what they
 * add. All inputs and outputs have names. IO, MEMORY. */
enum opshift_status record_changes(const struct draft *draft, struct buffer *changes, struct buffer *bytes,
                                   struct opshift_error *error);
/* Appends the node's message with changes made. without_graphs: subgraphs are left out of their attributes. IO, MEMORY.
 */
enum opshift_status record_compose(struct opshift_model *model, struct range range, const struct plan_change *changes,
                                   size_t count, const uint8_t *bytes, bool without_graphs, struct buffer *out,
                                   struct opshift_error *error);

#endif
