/* The configuration of a lint: its options, and a configuration file for settings that the options do not have. */
#ifndef LINT_CONFIGURATION_H
#define LINT_CONFIGURATION_H

#include "check/check.h"

/* Ids, or prefixes of ids, in capitals. */
struct selectors {
    const char **items;
    size_t count;
};

/* A severity that was changed; the last one that matches counts. */
struct severity_change {
    const char *id;
    enum opshift_severity severity;
};

struct file_ignores {
    const char *glob; /* matches names relative to the configuration's directory */
    struct selectors ids;
};

struct lint_config {
    const char *current; /* the working directory when the lint was made */
    const char *root;    /* file names are relative to it: the configuration's directory, or the current one */
    struct selectors select, ignore;
    struct severity_change *severities;
    size_t severity_count;
    struct file_ignores *files;
    size_t file_count;
};

/* Fills lint->config from lint->options and the configuration file, and sets options that are not given. USAGE:
 * "file:line:column: ...", or an unknown id in the options. IO, MEMORY. */
enum opshift_status config_read(struct opshift_lint *lint, struct opshift_error *error);

/* The prefix of ids that a selector (id, slug or prefix) stands for, in the arena; NULL: it matches no check.
 * SELECTOR_NO_MEMORY. */
#define SELECTOR_NO_MEMORY selector_no_memory
extern const char selector_no_memory[];
const char *selector_find(struct arena *arena, const char *word);
/* The most similar id, slug or family; NULL: none is similar. */
const char *selector_nearest(const char *word);

/* A path relative to the root; other paths are only simplified. NULL: no memory. */
const char *config_relative(const struct opshift_lint *lint, struct arena *arena, const char *path);
/* Is a check selected for this file (relative)? */
bool config_wants(const struct opshift_lint *lint, const char *relative, const struct opshift_check *check);
enum opshift_severity config_severity(const struct opshift_lint *lint, const struct opshift_check *check);

#endif
