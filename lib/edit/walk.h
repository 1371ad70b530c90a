/* Walks over the names, descriptions and metadata of a model, and edits them in place. */
#ifndef EDIT_WALK_H
#define EDIT_WALK_H

#include "base/table.h"
#include "model/model.h"

/* What a field is; bits. */
enum walk_part {
    WALK_VALUE = 1 << 0, /* the name of a value */
    WALK_DIM = 1 << 1,   /* the name of a dim */
    WALK_NODE = 1 << 2,  /* the name of a node */
    WALK_GRAPH = 1 << 3, /* the name of a graph */
    WALK_DOMAIN = 1 << 4,
    WALK_DOC = 1 << 5,
    WALK_METADATA = 1 << 6,       /* an entry; its key */
    WALK_METADATA_VALUE = 1 << 7, /* its value */
    WALK_INFO = 1 << 8            /* a value info of a graph or function; no text */
};

enum walk_answer { WALK_KEEP, WALK_REPLACE, WALK_REMOVE };

/* A field that the walk has come to. */
struct walk_place {
    enum walk_part part;
    bool in_function; /* its values are those of a function's body */
    struct bytes text;
    uint64_t size; /* bytes of the record */
};

/* text: the new text, if the answer is WALK_REPLACE; it must live until the next call. */
typedef enum walk_answer walk_visit(void *data, const struct walk_place *place, struct bytes *text);

/* Visits each field that is one of the parts (bits), in the order of the file, and makes the edits. No other edits may
 * be made in the same model. IO, MALFORMED, MEMORY. */
enum opshift_status model_walk(struct opshift_model *model, unsigned parts, walk_visit *visit, void *data,
                               struct opshift_error *error);

/* The messages of a model, by place, for edits inside of those that the index does not have. */
struct messages {
    struct opshift_model *model;
    struct table table;
    uint32_t known; /* of the model's messages, how many the table has */
};
/* The message with this payload, which is made if necessary. NULL: no memory. */
struct message *messages_find(struct messages *messages, struct message *parent, uint64_t record, uint64_t offset,
                              uint64_t size);
void messages_free(struct messages *messages);

#endif
