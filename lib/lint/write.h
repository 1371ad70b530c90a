/* Findings as a document: each format is a file with three functions, and a row in write.c. */
#ifndef LINT_WRITE_H
#define LINT_WRITE_H

#include "lint/lint.h"

struct lint_counts {
    uint64_t files, unreadable, findings[3]; /* by severity, without suppressed and known ones */
    uint64_t known, suppressed, fixed;
};

struct opshift_lint_writer {
    const struct lint_format *format;
    const struct opshift_lint *lint;
    struct opshift_lint_writer_options options;
    opshift_write write;
    void *data;
    struct buffer out;   /* output of the current file */
    struct buffer later; /* output that a format writes at the end */
    struct lint_counts counts;
    enum opshift_status gravest;
    const struct opshift_check **rules; /* sarif: in order of first use */
    size_t rule_count;
    uint64_t written, left_out; /* sarif: results */
    char **seen;                /* baseline: files of the run */
    size_t seen_count;
    bool begun, continued; /* continued: the current list has an item already */
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
