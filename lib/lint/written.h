/* Functions shared by several formats. */
#ifndef LINT_WRITTEN_H
#define LINT_WRITTEN_H

#include <jansson.h>

#include "lint/write.h"

/* "note", "warning", "error". */
const char *severity_name(enum opshift_severity severity);
/* Neither in the baseline nor suppressed by the model. */
bool finding_counts(const struct opshift_finding *finding);

/* Was the file not read (completely), without a finding about it? Then the format reports the failure. */
bool failure_is_untold(const struct opshift_findings *findings);

/* A path without a leading "./". */
const char *written_path(const char *name);
/* A JSON string of any text; NULL stays null. */
json_t *written_text(const char *text);
/* A key with the punctuation around it, and a string or null. */
void written_member(struct buffer *out, const char *key, const char *text);
/* A finding as compact JSON. */
void written_finding_add(struct buffer *out, const struct opshift_finding *finding);
/* A file without its findings. */
json_t *written_file(const struct opshift_findings *findings);
json_t *written_counts(const struct lint_counts *counts);
/* Adds the value as compact JSON and releases it; NULL: out of memory. */
void written_add(struct buffer *out, json_t *value);

/* "3 files checked, 1 of them could not be read: 2 errors, 1 warning, 0 notes", and the number of findings that do
 * not count. */
void written_summary(struct buffer *out, const struct lint_counts *counts);

#endif
