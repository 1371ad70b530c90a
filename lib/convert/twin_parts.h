/* What twin.c, twin_ask.c and twin_write.c share. */
#ifndef CONVERT_TWIN_PARTS_H
#define CONVERT_TWIN_PARTS_H

#include <string.h>

#include "base/buffer.h"
#include "convert/twin.h"
#include "wire/wire.h"

#define TWIN_RECORD_MAX    1024u /* bytes of a node; most are much smaller */
#define TWIN_FIELDS_MAX    32u
#define TWIN_NAMES_MAX     16u
#define TWIN_QUESTIONS_MAX 32u
#define TWIN_BUCKETS_BITS  10

enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_ATTRIBUTE = 5 };

enum question_kind { ASKED_CONSTANT, ASKED_REFERENCE, ASKED_TYPE, ASKED_DECLARED };

struct question {
    enum question_kind kind;
    uint32_t position; /* of the name that it is about, among the node's inputs and outputs */
    union {
        struct value_type type;
        const struct tensor *constant; /* of ASKED_CONSTANT */
    };
};

/* What becomes of an attribute. */
struct fate {
    bool kept;
    struct bytes record; /* or else what stands there then; size 0: nothing */
};

/* An input that is a value which was none before. */
struct literal {
    const struct tensor *value; /* NULL: it is the input that was there */
    const char *suffix;         /* of its name */
    const struct graph *graph;  /* where it was last asked for */
    uint8_t *record;            /* of the input, with the name that it has there */
    size_t size, room;          /* of the record, and where it stands */
};

struct twin {
    struct twin *next;
    uint64_t hash;
    unsigned attributes_number;
    struct bytes attributes; /* where they have no number, their records, one behind the other */
    struct question *questions;
    uint32_t question_count, input_count, output_count;
    uint32_t misses; /* nodes in a row that said the same and heard something else */
    name_id op_type;
    bool in_function;
    bool changed; /* what follows says how */
    uint32_t inputs_after;
    struct literal *inputs;
    struct fate *fates; /* of the attributes that are there */
    struct bytes added; /* records of more */
    size_t new_size;    /* bytes of all that fates and added hold */
    size_t delta;       /* where the last one is among what edits add */
};

/* A record of the node at hand; where it starts and ends there. */
struct twin_field {
    uint16_t number, start, end;
};

/* The node at hand, as it stands in the file. */
struct subject {
    bool plain; /* else it has no twins */
    bool in_function;
    uint8_t data[TWIN_RECORD_MAX]; /* a copy: what is asked on the way reads elsewhere in the file */
    size_t size;
    uint64_t start; /* where data is in the file */
    struct twin_field fields[TWIN_FIELDS_MAX];
    uint32_t field_count, attribute_count;
    unsigned attributes_number; /* 0: what says them is bytes */
    uint8_t attributes[TWIN_RECORD_MAX];
    size_t attributes_size;
    uint64_t hash;
};

struct twins {
    struct draft_facts facts; /* that answer */
    struct twin *buckets[1u << TWIN_BUCKETS_BITS];
    uint32_t count; /* in all of them */
    struct subject subject;
    struct question heard[TWIN_QUESTIONS_MAX];
    uint32_t heard_count;
    bool lost;       /* something was asked that cannot be compared */
    uint32_t doubts; /* that the conversion had before */
    uint8_t *record; /* room for the node that is written */
    size_t record_room;
};

/* twin_ask.c: asks once more, of another node. */
bool hears_same(const struct twins *twins, const struct question *question, const struct draft *draft);

#endif
