/* Walks over the bytes of a subject, message by message, for checks of the protobuf encoding. */
#ifndef CHECK_PART_H
#define CHECK_PART_H

#include "base/table.h"
#include "check/check.h"
#include "check/ranges.h"
#include "wire/wire.h"

#define PART_FIELDS 32 /* every field number of ONNX is below this */

/* What a message has of one field. */
struct part_field {
    uint64_t size;  /* bytes of all payloads */
    uint32_t count; /* records */
    uint32_t last;  /* index of the last record in the part's records; 0: none */
};

/* A check of CHECK_PART that concerns a kind of messages. */
struct part_check {
    const struct check *check;
    uint64_t fields; /* bits by number: asked about messages that have one of these fields; bit 0: about all */
    unsigned notes;  /* and one of these notes; NOTE_NONE: about all */
};

/* Checks in the order of their tables. */
struct part_checks {
    struct part_check *rows;
    size_t count;
    uint64_t fields; /* of all rows */
};

/* A field of one kind of messages. */
struct part_rule {
    const ProtobufCFieldDescriptor *known; /* NULL: ONNX has no such field */
    struct part_kind *inner;               /* of the messages in it; NULL: none was seen yet */
    uint64_t rivals;                       /* bits by number: the other members of its oneof */
    uint8_t wire;                          /* enum wire_type, of a value that is not packed */
    bool may_be_packed;
    bool is_single;  /* may be given once */
    bool is_text;    /* a string in ONNX */
    bool holds_part; /* a message that is no subject of its own */
};

/* What messages of one kind have in common; made for the first of them. */
struct part_kind {
    struct part_kind *next;
    const ProtobufCMessageDescriptor *descriptor;
    struct part_checks plain, noted;     /* for messages without a note: those that need none; for others: all */
    struct part_rule rules[PART_FIELDS]; /* by number */
};

/* Faults that are noted while the fields of a message are read, each with its first record. */
enum part_note {
    NOTE_UNKNOWN,  /* a field that ONNX does not have */
    NOTE_OVERLONG, /* a varint in more bytes than necessary */
    NOTE_NOT_UTF8, /* a text that is not UTF-8 */
    NOTE_NUL,      /* a text with a NUL in it */
    NOTE_ONE_OF,   /* a second member of a group of which one may be set */
    NOTE_TWICE     /* a field given again that is no list */
};
#define NOTES     6
#define NOTE_NONE (1u << NOTES) /* set in every message */

/* A message, when all of it was seen. Graphs, functions and nodes are subjects, not parts of what is around them: of
 * those, only the records are counted. */
struct part {
    const struct part *around; /* NULL: the subject's own message */
    uint32_t number;           /* of the field that holds it in there */
    const ProtobufCMessageDescriptor *kind;
    struct part_kind *table; /* of its kind */
    struct part *inner;      /* for the messages in its fields, one after the other; NULL: there was none yet */
    struct range range;
    uint64_t counted;  /* a bit for each field that is there; bit 0 is set */
    uint64_t repeated; /* a bit for each field that is no list and there more than once */
    unsigned noted;    /* a bit for each note that is there; NOTE_NONE is set */
    struct wire_field notes[NOTES];
    struct part_field fields[PART_FIELDS];
    struct wire_field records[PART_FIELDS + 2]; /* [0]: empty; the last record of each field; the next record */
    uint32_t next, record_count;                /* the slot for the next record; used slots */
};

struct external;
struct data_file;

struct part_context {
    struct checking *checking;
    const struct subject *subject;
    struct part_kind *kinds; /* of the messages so far, a list */
    uint64_t concerned;      /* the fields of the part at hand that the running check is about, as bits by number */
    struct part *part;       /* of the subject at hand; NULL: there was none yet */
    int64_t *dims;           /* of the tensor that was read last */
    uint32_t dim_room;
    struct ranges stored;      /* where the tensors so far lie in files of external data */
    struct external *external; /* external_data.c: the data's place, of the tensor that was read last */
    struct data_file *files;   /* external_data.c: the files that tensors name, with their checksums */
    struct table file_table;   /* of them */
    uint32_t file_room;
    struct table key_table;           /* protobuf_field.c: the keys of the part at hand */
    uint64_t external_at;             /* where that tensor stands; 0: nothing is known */
    uint64_t fields_said, types_said; /* a bit each: what was found once for the whole model */
};

/* What all subjects share; NULL: no memory. */
struct part_context *part_context_new(struct checking *checking);
void part_context_free(struct part_context *context);
/* Asks the checks of CHECK_PART about every message of the subject, and notes suppressions. What does not read is a
 * finding. */
enum opshift_status parts_check(struct part_context *context, const struct subject *subject,
                                struct opshift_error *error);

/* A field below PART_FIELDS of the message of the subject that was looked at last; NULL: it is not there. */
const struct wire_field *parts_field(const struct part_context *context, uint32_t number);

/* A finding, with the names of the messages around the part in front; where: NULL for all of the part. */
enum opshift_status context_add(struct part_context *context, const struct part *part, const struct range *where,
                                struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
enum opshift_status context_add_field(struct part_context *context, const struct part *part,
                                      const struct wire_field *where, struct opshift_error *error, const char *format,
                                      ...) __attribute__((format(printf, 5, 6)));
/* A failure to read becomes a finding of the check that stands for its fault. */
enum opshift_status finding_add_failure(struct checking *checking, const struct subject *subject,
                                        const struct opshift_error *why, struct opshift_error *error);

/* The last record of a field below PART_FIELDS; all zero: there is none. */
static inline const struct wire_field *part_last(const struct part *part, uint32_t number)
{
    return &part->records[part->fields[number].last];
}

/* A field's text, cut for a message, in the scratch arena; "" where there is none. NULL: no memory. */
const char *field_text(const struct part_context *context, const struct wire_field *field);
const char *part_text(const struct part_context *context, const struct part *part, uint32_t number);
/* Whole numbers of a repeated field, packed or not; valid until the next call. At most limit of them, else
 * UNSUPPORTED. */
enum opshift_status part_numbers(struct part_context *context, const struct part *part, uint32_t number, size_t limit,
                                 const int64_t **numbers, size_t *count, struct opshift_error *error);
/* The descriptor of a field below PART_FIELDS; NULL: ONNX has no such field. */
static inline const ProtobufCFieldDescriptor *part_known(const struct part *part, uint32_t number)
{
    return part->table->rules[number].known;
}

#endif
