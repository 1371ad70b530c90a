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
    const char *glob; /* of names relative to the configuration's folder */
    struct selectors ids;
};

struct lint_config {
    const char *current; /* the working directory when the lint was made */
    const char *root;    /* the folder that names of files are relative to: the configuration's, or the current one */
    struct selectors select, ignore;
    struct severity_change *severities;
    size_t severity_count;
    struct file_ignores *files;
    size_t file_count;
};

struct opshift_lint;

/* Makes lint->config of lint->options and of the file that they name; what the options leave open is set in them.
 * USAGE: "file:line:column: ...", or an unknown id in the options. IO, MEMORY. */
enum opshift_status config_read(struct opshift_lint *lint, struct opshift_error *error);

/* Does the selector (an id, a slug, or a prefix of ids) stand for any check? As ids begin, in the arena; NULL: no.
 * SELECTOR_NO_MEMORY. */
#define SELECTOR_NO_MEMORY selector_no_memory
extern const char selector_no_memory[];
const char *selector_find(struct arena *arena, const char *word);
/* The id, slug or family that was meant by a word; NULL: none is near. */
const char *selector_nearest(const char *word);
bool selectors_have(const struct selectors *selectors, const char *id);

/* A path relative to the root; a path that is not below it, or is no path, is only made simpler. NULL: no memory. */
const char *config_relative(const struct opshift_lint *lint, struct arena *arena, const char *path);
/* Is a check asked for in this file (relative)? */
bool config_wants(const struct opshift_lint *lint, const char *relative, const struct opshift_check *check);
enum opshift_severity config_severity(const struct opshift_lint *lint, const struct opshift_check *check);

#endif
