/* What became of many models, as it is printed. */
#ifndef MANY_SUMMARY_H
#define MANY_SUMMARY_H

#include "base/buffer.h"
#include "base/list.h"
#include "many/journal.h"

/* The outcomes, and what has none. */
enum summary_kind {
    SUMMARY_DONE = OPSHIFT_OUTCOME_DONE,
    SUMMARY_REFUSED = OPSHIFT_OUTCOME_REFUSED,
    SUMMARY_MALFORMED = OPSHIFT_OUTCOME_MALFORMED,
    SUMMARY_FAILED = OPSHIFT_OUTCOME_FAILED,
    SUMMARY_KILLED = OPSHIFT_OUTCOME_KILLED,
    SUMMARY_UNFINISHED, /* begun, and not ended */
    SUMMARY_MISSING,    /* expected, and in no journal */
    SUMMARY_KINDS
};

struct summary_model {
    const char *name;
    enum summary_kind kind;
    uint64_t attempts;
    json_t *root; /* the line that result points into; NULL: none */
    struct opshift_result result;
};

struct summary_reason {
    char *text, *first; /* the name of the first model */
    uint64_t count;     /* models */
};

struct opshift_tally {
    struct opshift_summary_options options;
    struct journal_entries entries;
    struct summary_model *models; /* by name */
    uint32_t count;
    struct summary_reason *reasons; /* once sorted: the most frequent first */
    uint32_t reason_count, reason_room;
    struct table reason_table;
    uint64_t counts[SUMMARY_KINDS];
    double seconds;
    uint64_t bytes;
    enum opshift_status gravest;
};

/* In the format of its options. USAGE: there is no such format. */
enum opshift_status summary_write(struct opshift_tally *summary, struct buffer *out, struct opshift_error *error);

#endif
