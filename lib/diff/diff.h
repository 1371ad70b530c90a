/* Compares two models field by field, by walking both files in parallel. */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include <jansson.h>

#include "model/model.h"
#include "wire/wire.h"

/* Differences beyond this number are counted, not listed. */
#define DIFF_LISTED_MAX 100000u
/* Limit on the memory for lists of children that are compared at the same time. */
#define DIFF_MEMORY_MAX (UINT64_C(4) << 30)

/* One record of a message. */
struct record {
    uint32_t number;
    enum wire_type type;
    uint64_t offset, size; /* payload */
    uint64_t value;        /* varint, fixed32, fixed64 */
};

struct records {
    struct record *items; /* sorted by field number, then in file order */
    size_t count;
};

/* The current place, for messages: each level adds a component; it is printed only for a difference. */
struct diff_place {
    const struct diff_place *parent;
    const char *group; /* group in the report; NULL: not yet known */
    const char *what;  /* "node", "initializer", "type"; NULL: the level is not printed */
    name_id key;       /* in diff->keys; NAME_NONE: identified by index, if any */
    name_id op_type;   /* of a node, else NAME_NONE */
    int64_t index;     /* -1: not an element of a list */
};

/* Marks by key, cleared by incrementing the stamp; all lists use the same arrays. */
struct marks {
    uint32_t *stamp, *value, *count;
    uint32_t now, room;
};

struct diff {
    struct opshift_model *models[2];
    const struct opshift_diff_options *options;
    struct names *keys; /* names of both models: equal strings have equal ids */
    struct marks marks;
    bool one_directory; /* both models' external data is in the same directory */
    json_t *differences, *notes;
    uint64_t count;
    uint64_t counts[4]; /* by enum change */
    uint32_t ticks;
    bool out_of_memory;
};

enum change { CHANGE_ADDED, CHANGE_REMOVED, CHANGE_CHANGED, CHANGE_MOVED };

/* A text of the report, possibly absent; a failure while it is built fails the report. */
struct words {
    struct buffer buffer;
    bool given;
};

/* ---- record.c ---- */

/* The children of a message, sorted; skipped: bits of field numbers below 32 to omit. In arena. */
enum opshift_status records_read(struct diff *diff, int side, uint64_t offset, uint64_t size, uint32_t skipped,
                                 struct arena *arena, struct records *records, struct opshift_error *error);
/* The run of records with the field number at *at; advances *at past it. */
struct records records_take(const struct records *records, size_t *at, uint32_t number);
struct record *records_find(const struct records *records, uint32_t number); /* the last record; NULL: none */
/* The bytes of a record as a key. */
enum opshift_status record_key(struct diff *diff, int side, const struct record *record, name_id *key,
                               struct opshift_error *error);
enum opshift_status records_same(struct diff *diff, const struct record *a, const struct record *b, bool *same,
                                 struct opshift_error *error);
/* Grows the marks to the number of keys, and clears them. */
enum opshift_status marks_clear(struct diff *diff, struct opshift_error *error);

/* ---- message.c ---- */

/* Compares all fields of two messages of one kind. */
enum opshift_status message_compare(struct diff *diff, const struct diff_place *place,
                                    const ProtobufCMessageDescriptor *descriptor, const struct record *a,
                                    const struct record *b, struct opshift_error *error);
/* The same for fields whose numbers are not in skipped. */
enum opshift_status message_compare_fields(struct diff *diff, const struct diff_place *place,
                                           const ProtobufCMessageDescriptor *descriptor, const struct record *a,
                                           const struct record *b, uint32_t skipped, struct opshift_error *error);
bool diff_ignores(const struct diff *diff, unsigned what);
/* Reports progress from time to time; CANCELLED if the caller stops. at: an offset in the first file. */
enum opshift_status diff_go_on(struct diff *diff, uint64_t at, struct opshift_error *error);

/* ---- named_children.c: children identified by name ---- */

struct list_rule {
    const ProtobufCMessageDescriptor *message; /* message type of the parent */
    uint32_t number;
    const char *what, *group;
    uint32_t keys[3]; /* fields that form the name; first 0: children are compared by position */
    uint32_t inner;   /* field of the child that holds the key fields; 0: the child itself */
    bool ordered;     /* a different order is a difference */
    unsigned ignored; /* the option that ignores this list */
};

/* NULL: the children are compared by position. */
const struct list_rule *list_rule_find(const ProtobufCMessageDescriptor *message, uint32_t number);
enum opshift_status list_compare(struct diff *diff, const struct diff_place *place, const struct list_rule *rule,
                                 const ProtobufCMessageDescriptor *descriptor, struct records a, struct records b,
                                 struct opshift_error *error);

/* ---- subsequence.c ---- */

/* mates: for each member of the first list its index in the second, or UINT32_MAX. Sets stays[i] for a longest
 * subsequence in the same order on both sides. */
bool order_find(const uint32_t *mates, size_t count, bool *stays, struct arena *arena);

/* ---- nodes.c ---- */

enum opshift_status nodes_compare(struct diff *diff, const struct diff_place *place, struct records a, struct records b,
                                  struct opshift_error *error);

/* ---- scalar.c ---- */

/* what: name in the report; NULL: the place is enough. */
enum opshift_status scalar_compare(struct diff *diff, const struct diff_place *place,
                                   const ProtobufCFieldDescriptor *field, const char *what, struct records a,
                                   struct records b, struct opshift_error *error);
/* Appends a short form of a message if there is one. */
enum opshift_status message_show(struct diff *diff, int side, const ProtobufCMessageDescriptor *descriptor,
                                 const struct record *record, struct words *words, struct opshift_error *error);

/* ---- tensor.c, stream.c ---- */

enum opshift_status tensor_compare(struct diff *diff, const struct diff_place *place, const struct record *a,
                                   const struct record *b, struct opshift_error *error);

/* Reads a tensor's elements piecewise, in the format of raw_data, whichever way they are stored. */
struct stream {
    struct source *source;
    struct record raw;         /* RAW */
    struct wire_cursor cursor; /* for typed fields: the records of the tensor */
    uint64_t at, end;          /* range of a packed record */
    uint32_t number;           /* number of the field; 0: external data */
    size_t width;              /* bytes per element of a typed field */
    int descriptor;            /* -1: none */
    uint64_t outside, left;    /* range in the external file */
};

#define STREAM_PIECE ((size_t)32 << 10)

enum opshift_status stream_open(struct diff *diff, int side, const struct record *tensor, enum opshift_type type,
                                struct stream *stream, struct opshift_error *error);
/* Up to STREAM_PIECE bytes; fewer only at the end. */
enum opshift_status stream_read(struct stream *stream, uint8_t *into, size_t *size, struct opshift_error *error);
void stream_close(struct stream *stream);
/* "raw_data", "float_data", "another file" */
const char *stream_word(const struct stream *stream);

/* ---- diff_report.c ---- */

/* before and after may be NULL; their buffers are freed. */
void diff_add(struct diff *diff, const struct diff_place *place, enum change change, const char *what,
              struct words *before, struct words *after, const char *detail);
/* A member of a list that is at another position in the second model. */
void diff_add_moved(struct diff *diff, const struct diff_place *place, size_t from, size_t to);
void diff_note(struct diff *diff, const struct diff_place *place, const char *words);
struct opshift_report *diff_report(struct diff *diff);

#endif
