/* What the tables of checks are written with. */
#ifndef CHECK_FAMILY_H
#define CHECK_FAMILY_H

#include "check/check.h"

/* How a row begins: ERROR(SPL001, "split-scalar", "a scalar is split"). lib/check/Makefile.inc collects the ids. */
#define CHECK_HEAD(letters, id_, slug_, summary_)                                                                      \
    .id = id_, .about.id = #id_, .about.slug = slug_, .about.severity = OPSHIFT_SEVERITY_##letters,                    \
    .about.summary = summary_
#define ERROR(...)   CHECK_HEAD(ERROR, __VA_ARGS__)
#define WARNING(...) CHECK_HEAD(WARNING, __VA_ARGS__)
#define NOTE(...)    CHECK_HEAD(NOTE, __VA_ARGS__)

/* The first lines of the models before and after. */
#define HEAD_IR(ir, opset) "<ir_version: " #ir ", opset_import: [\"\" : " #opset "]>\n"
#define HEAD(opset)        HEAD_IR(8, opset)
#define HEAD13             HEAD(13)
#define MODEL(opset, rest) HEAD(opset) rest

extern const struct check checks_sequence[];
extern const struct check checks_split[];      /* the errors; `judge` is set */
extern const struct check checks_conversion[]; /* by enum conversion_word */

/* Faults that leave something unread or undefined. */
#define FAULTS_OF_READING                                                                                              \
    IDS(GRF001, GRF002, GRF003, GRF005, GRF006, GRF008, GRF009, GRF010, GRF011, GRF017, GRF019, GRF024, GRF025,        \
        GRF028, GRF036, GRF037, OPS008, OPS012, OPS013, OPS014)

#endif
