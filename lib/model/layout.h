/* What is spliced into a source's bytes when its model is saved. */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include "model/preview.h"
#include "wire/wire.h"

/* Start with {.model = }. */
struct save_layout {
    struct opshift_model *model;
    uint32_t message_count; /* the model's messages, if any of them grows or shrinks */
    uint32_t length_count;  /* and how many do, whose lengths are written anew */
    uint64_t size;          /* of the new file */
};

/* A walk over what is spliced in: the model's edits, as they are, and the lengths. Starts with {0}. */
struct layout_walk {
    uint32_t edit, message;
    uint64_t start, end;             /* what an edit removed last */
    uint8_t length[WIRE_VARINT_MAX]; /* the one that was given last */
};

/* UNSUPPORTED, IO, MEMORY. */
enum opshift_status layout_make(struct save_layout *layout, struct opshift_error *error);
/* By rising place; none overlaps the next. The splice is there until the next one is asked for. */
bool layout_next(const struct save_layout *layout, struct layout_walk *walk, struct splice *splice);

#endif
