/* A node as the plan wants it: its names, and its attributes as bytes. */
#ifndef VERIFY_EXPECT_RECORD_H
#define VERIFY_EXPECT_RECORD_H

#include "base/file.h"
#include "model/model.h"

struct planned_attribute {
    struct bytes name;
    Onnx__AttributeProto__AttributeType type; /* of a record: as written; of a node: as in struct attribute_range */
    struct range range;                       /* in the source of its record */
    Onnx__AttributeProto *message;            /* NULL: not decoded yet */
};

struct planned_record {
    struct source *source;
    struct source bytes;         /* of a record: the source */
    struct attribute_list *kept; /* of a node: its attributes; NULL: a record */
    struct bytes op_type, domain, overload, name;
    name_id *inputs, *outputs; /* of the first model; NAME_NO_MEMORY: it does not have the name */
    uint32_t input_count, output_count, attribute_count;
    struct planned_attribute *attributes;
};

/* Reads a NodeProto that the plan puts in a node's place; message must outlive the record. of: the node's attributes.
 */
enum opshift_status record_read(struct planned_record *record, struct bytes message, const struct attribute_list *of,
                                struct arena *arena, struct opshift_error *error);
/* The same for a node that stays as it is in its model. */
enum opshift_status record_read_kept(struct planned_record *record, struct attribute_list *node,
                                     struct opshift_error *error);
/* NULL: no such attribute. */
struct planned_attribute *record_attribute(const struct planned_record *record, struct bytes name);
/* Decodes an attribute into the arena. */
enum opshift_status record_decode(const struct planned_record *record, struct planned_attribute *attribute,
                                  struct arena *arena, struct opshift_error *error);

#endif
