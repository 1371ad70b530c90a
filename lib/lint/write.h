/* Findings as a document: each format is three functions and a row in write.c. */
#ifndef LINT_WRITE_H
#define LINT_WRITE_H

#include "lint/lint.h"

struct lint_counts {
    uint64_t files, unreadable, findings[3]; /* by severity, those that count */
    uint64_t known, suppressed;
};

struct opshift_lint_writer {
    const struct lint_format *format;
    const struct opshift_lint *lint;
    opshift_write write;
    void *data;
    struct buffer out; /* what is written when a file is done */
    struct lint_counts counts;
    bool begun;
};

struct lint_format {
    const char *name;
    void (*begin)(struct opshift_lint_writer *writer);
    void (*file)(struct opshift_lint_writer *writer, const struct opshift_findings *findings);
    void (*end)(struct opshift_lint_writer *writer);
};

extern const struct lint_format lint_format_text;

#endif
