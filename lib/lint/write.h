/* Findings as a document: each format is a file with three functions, and a row in write.c. */
#ifndef LINT_WRITE_H
#define LINT_WRITE_H

#include "lint/lint.h"

struct lint_counts {
    uint64_t files, unreadable, findings[3]; /* by severity, those that count */
    uint64_t known, suppressed, mended;
};

struct opshift_lint_writer {
    const struct lint_format *format;
    const struct opshift_lint *lint;
    struct opshift_lint_writer_options options;
    opshift_write write;
    void *data;
    struct buffer out;   /* what is written when a file is done */
    struct buffer later; /* what a format keeps for its end */
    struct lint_counts counts;
    enum opshift_status gravest;
    const struct opshift_check **rules; /* sarif: in the order in which they were needed */
    size_t rule_count;
    uint64_t written, left_out; /* sarif: results */
    char **seen;                /* baseline: the files of the run */
    size_t seen_count;
    bool begun, continued; /* continued: the list that is being written has an item already */
};

struct lint_format {
    const char *name;
    void (*begin)(struct opshift_lint_writer *writer);
    void (*file)(struct opshift_lint_writer *writer, const struct opshift_findings *findings);
    void (*end)(struct opshift_lint_writer *writer);
};

extern const struct lint_format lint_format_text, lint_format_json, lint_format_ndjson, lint_format_sarif,
    lint_format_github, lint_format_junit, lint_format_baseline;

#endif
