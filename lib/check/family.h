/* What the tables of checks are written with. */
#ifndef CHECK_FAMILY_H
#define CHECK_FAMILY_H

#include "check/check.h"
#include "check/check_text.h"

/* How a row begins: CHECK(SPL001), with its texts in checks.yaml. */
#define CHECK(id) TEXT_##id

extern const struct check checks_sequence[];
extern const struct check checks_split[];      /* the errors; `judge` is set */
extern const struct check checks_conversion[]; /* by enum conversion_word */

/* Faults that leave something unread or undefined. */
#define FAULTS_OF_READING                                                                                              \
    IDS(GRF001, GRF002, GRF003, GRF005, GRF006, GRF008, GRF009, GRF010, GRF011, GRF017, GRF019, GRF024, GRF025,        \
        GRF028, GRF036, GRF037, OPS008, OPS012, OPS013, OPS014)

#endif
