/* Two models side by side, field by field: a walk over both files that says where they part. */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include <jansson.h>

#include "model/model.h"
#include "wire/wire.h"

/* Differences beyond this many are counted, not listed. */
#define DIFF_LISTED_MAX 100000u
/* Bytes that the lists of children which are looked at together may take. */
#define DIFF_MEMORY_MAX (UINT64_C(4) << 30)

/* One record of a message. */
struct record {
    uint32_t number;
    enum wire_type type;
    uint64_t offset, size; /* payload */
    uint64_t value;        /* varint, fixed32, fixed64 */
};

struct records {
    struct record *items; /* by rising number, then as they stand */
    size_t count;
};

/* Where we are, for people: each level adds one word; written out only when something differs. */
struct diff_place {
    const struct diff_place *parent;
    const char *group; /* what the report lists it under; NULL: not settled yet */
    const char *what;  /* "node", "initializer", "type"; NULL: the level has no word */
    name_id key;       /* in diff->keys; NAME_NONE: index tells it apart, where there is one */
    name_id op_type;   /* of a node, else NAME_NONE */
    int64_t index;     /* -1: there is one alone */
};

/* Marks by key, made empty by one more stamp: one pair of arrays serves every list. */
struct marks {
    uint32_t *stamp, *value, *count;
    uint32_t now, room;
};

struct diff {
    struct opshift_model *models[2];
    const struct opshift_diff_options *options;
    struct names *keys; /* names of both sides: the same text, the same id */
    struct marks marks;
    bool one_folder; /* both models' external data lies in the same folder */
    json_t *differences, *notes;
    uint64_t count;
    uint64_t counts[4]; /* by enum change */
    uint32_t ticks;
    bool out_of_memory;
};

enum change { CHANGE_ADDED, CHANGE_REMOVED, CHANGE_CHANGED, CHANGE_MOVED };

/* A text for the report that may not be there; its failure is the report's. */
struct words {
    struct buffer buffer;
    bool given;
};

/* ---- record.c ---- */

/* The children of a message, sorted; skipped: bits of numbers below 32 to leave out. In arena. */
enum opshift_status records_read(struct diff *diff, int side, uint64_t offset, uint64_t size, uint32_t skipped,
                                 struct arena *arena, struct records *records, struct opshift_error *error);
/* The run of records of the number that stands at *at; *at moves behind it. */
struct records records_take(const struct records *records, size_t *at, uint32_t number);
struct record *records_find(const struct records *records, uint32_t number); /* the last one; NULL: none */
/* The bytes of a record as a key. */
enum opshift_status record_key(struct diff *diff, int side, const struct record *record, name_id *key,
                               struct opshift_error *error);
enum opshift_status records_same(struct diff *diff, const struct record *a, const struct record *b, bool *same,
                                 struct opshift_error *error);
/* Room for every key there is. */
enum opshift_status marks_clear(struct diff *diff, struct opshift_error *error);

/* ---- message.c ---- */

/* Compares two messages of one kind, all that is in them. */
enum opshift_status message_compare(struct diff *diff, const struct diff_place *place,
                                    const ProtobufCMessageDescriptor *descriptor, const struct record *a,
                                    const struct record *b, struct opshift_error *error);
/* The same for those fields whose numbers are not in skipped. */
enum opshift_status message_compare_fields(struct diff *diff, const struct diff_place *place,
                                           const ProtobufCMessageDescriptor *descriptor, const struct record *a,
                                           const struct record *b, uint32_t skipped, struct opshift_error *error);
bool diff_ignores(const struct diff *diff, unsigned what);
/* Now and then: CANCELLED when the caller said stop. at: a place in the first file. */
enum opshift_status diff_go_on(struct diff *diff, uint64_t at, struct opshift_error *error);

/* ---- list.c: children that have names ---- */

struct list_rule {
    const ProtobufCMessageDescriptor *message; /* whose */
    uint32_t number;
    const char *what, *group;
    uint32_t keys[3]; /* the fields that name one; first 0: they go by position */
    uint32_t inner;   /* the field of the message that holds them; 0: they are its own */
    bool ordered;     /* another order is a difference */
    unsigned ignored; /* the option that leaves them out */
};

/* NULL: the children go by position. */
const struct list_rule *list_rule_find(const ProtobufCMessageDescriptor *message, uint32_t number);
enum opshift_status list_compare(struct diff *diff, const struct diff_place *place, const struct list_rule *rule,
                                 const ProtobufCMessageDescriptor *descriptor, struct records a, struct records b,
                                 struct opshift_error *error);

/* ---- order.c ---- */

/* mates: for each of the first list its place in the second, or UINT32_MAX. Sets stays[i] for a longest run of them
 * that stand in the same order on both sides. */
bool order_find(const uint32_t *mates, size_t count, bool *stays, struct arena *arena);

/* ---- nodes.c ---- */

enum opshift_status nodes_compare(struct diff *diff, const struct diff_place *place, struct records a, struct records b,
                                  struct opshift_error *error);

/* ---- scalar.c ---- */

/* what: how the report calls it; NULL: the place says enough. */
enum opshift_status scalar_compare(struct diff *diff, const struct diff_place *place,
                                   const ProtobufCFieldDescriptor *field, const char *what, struct records a,
                                   struct records b, struct opshift_error *error);
/* What a message says in short, where it can be said; nothing is added where not. */
enum opshift_status message_show(struct diff *diff, int side, const ProtobufCMessageDescriptor *descriptor,
                                 const struct record *record, struct words *words, struct opshift_error *error);

/* ---- tensor.c, stream.c ---- */

enum opshift_status tensor_compare(struct diff *diff, const struct diff_place *place, const struct record *a,
                                   const struct record *b, struct opshift_error *error);

/* A tensor's elements as raw_data has them, piece by piece, whichever way they are stored. */
struct stream {
    struct source *source;
    struct record raw;         /* RAW */
    struct wire_cursor cursor; /* typed: the records of the tensor */
    uint64_t at, end;          /* in a packed record */
    uint32_t number;           /* the field that is read; 0: the elements lie in another file */
    size_t width;              /* bytes that an element of a typed field gives */
    int descriptor;            /* -1: none */
    uint64_t outside, left;    /* in that file */
};

#define STREAM_PIECE ((size_t)32 << 10)

enum opshift_status stream_open(struct diff *diff, int side, const struct record *tensor, enum opshift_type type,
                                struct stream *stream, struct opshift_error *error);
/* Up to STREAM_PIECE bytes; fewer only at the end. */
enum opshift_status stream_read(struct stream *stream, uint8_t *into, size_t *size, struct opshift_error *error);
void stream_close(struct stream *stream);
/* "raw_data", "float_data", "another file" */
const char *stream_word(const struct stream *stream);

/* ---- report.c ---- */

/* before and after may be NULL; their buffers are freed. */
void diff_add(struct diff *diff, const struct diff_place *place, enum change change, const char *what,
              struct words *before, struct words *after, const char *detail);
void diff_note(struct diff *diff, const struct diff_place *place, const char *words);
struct opshift_report *diff_report(struct diff *diff);

#endif
