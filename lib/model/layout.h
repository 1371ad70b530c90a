/* The splices of a source's bytes that make the saved model. */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include "model/preview.h"
#include "wire/wire.h"

/* Start with {.model = }. */
struct save_layout {
    struct opshift_model *model;
    uint32_t message_count; /* number of the model's messages, 0 if none grows or shrinks */
    uint32_t length_count;  /* number of those whose lengths change */
    uint64_t size;          /* of the new file */
};

/* Iterates over the splices: the model's edits and the changed lengths. Starts with {0}. */
struct layout_walk {
    uint32_t edit, message;
    uint64_t start, end;             /* the range that the last edit removed */
    uint8_t length[WIRE_VARINT_MAX]; /* bytes of the last length returned */
};

/* UNSUPPORTED, IO, MEMORY. */
enum opshift_status layout_make(struct save_layout *layout, struct opshift_error *error);
/* Gives the splices sorted by offset, without overlaps; each is valid until the next call. False: the end. */
bool layout_next(const struct save_layout *layout, struct layout_walk *walk, struct splice *splice);

#endif
