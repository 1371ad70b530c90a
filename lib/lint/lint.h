/* A lint: its settings, and the findings of a file. */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include "base/buffer.h"
#include "check/check.h"
#include "check/target.h"
#include "lint/baseline.h"
#include "lint/configuration.h"

struct opshift_lint {
    struct opshift_lint_options options;
    struct opshift_open_options open; /* limits and policies of options.open */
    struct opshift_limits limits;     /* with the limits of the configuration */
    struct arena *arena;              /* owns configuration, baseline and profiles */
    struct lint_config config;
    struct baseline baseline;
    struct baseline_place baseline_place;
    struct target *targets;      /* a list, in the order of the options */
    struct opshift_rules *rules; /* for a conversion to options.to without rules in the options: the shipped ones */
    int fail_level;              /* a severity, or OPSHIFT_SEVERITY_NEVER */
};

struct opshift_findings {
    struct arena *arena;
    const char *name;
    const char *relative;      /* the name for patterns and fingerprints */
    const char *shown;         /* the same for baselines, escaped where it is not UTF-8 */
    uint64_t size;             /* of the file; 0: unknown */
    int64_t opset, ir_version; /* 0: unknown */
    enum opshift_status status;
    const char *failure; /* why it could not be read (completely), prefixed by its name; NULL: it was read */
    struct opshift_finding *list;
    size_t count;
    const struct finding **from; /* during the checks: the sources of the last from_count findings of the list */
    size_t from_count;
    uint64_t fixed; /* fixed findings, not in the list */
};

/* Checks that no output file is one that the model reads. USAGE. */
enum opshift_status outputs_check(const struct opshift_lint *lint, struct opshift_model *model,
                                  struct opshift_error *error);
/* New and empty. NULL: no memory. */
struct opshift_findings *findings_new(const struct opshift_lint *lint, const char *name);
/* A callback after the checks, while the model's tables exist. */
typedef enum opshift_status findings_then(void *data, struct checking *checking, struct opshift_findings *findings,
                                          struct opshift_error *error);
/* Checks a model. findings is new and empty; then may be NULL. */
enum opshift_status findings_make(const struct opshift_lint *lint, struct opshift_model *model,
                                  struct opshift_findings *findings, findings_then *then, void *data,
                                  struct opshift_error *error);

/* Checks a model and applies the configuration to the findings. findings is new and empty. */
enum opshift_status findings_collect(const struct opshift_lint *lint, struct checking *checking,
                                     struct opshift_findings *findings, struct opshift_error *error);
/* Adds the only finding of a file that could not be opened. findings is new and empty. */
enum opshift_status findings_add_failure(const struct opshift_lint *lint, struct opshift_findings *findings,
                                         const struct opshift_error *why, struct opshift_error *error);
/* Numbers equal fingerprints, marks what the baseline has, and gives a status where there is none yet. */
enum opshift_status findings_finish(const struct opshift_lint *lint, struct opshift_findings *findings,
                                    struct opshift_error *error);
/* opshift_lint_file for an IR of OpenVINO. */
enum opshift_status lint_openvino(const struct opshift_lint *lint, const char *path, struct opshift_findings **findings,
                                  struct opshift_error *error);
/* The status of the findings: NO if one is at or above the fail level. */
enum opshift_status findings_judge(const struct opshift_lint *lint, const struct opshift_findings *findings);

/* Shared prefixes of places, computed once for each graph. */
struct finding_places;
struct finding_places *places_new(struct opshift_model *model, struct arena *arena); /* NULL: no memory */
void places_free(struct finding_places *places); /* before the arena; accepts NULL */
/* "graph/node[12]:Split_0/then_branch/node[3]"; graph NULL: "model". Long ones are shortened in the middle. NULL: no
 * memory. */
const char *location_print(struct finding_places *places, const struct graph *graph, const struct node *node);
/* "node 'if' (If): then_branch: node 3 (Split)"; "" for the model. NULL: no memory. */
const char *place_print(struct finding_places *places, const struct graph *graph, const struct node *node);
/* Adds the stable part of a place, independent of other nodes, to a hash. False: no memory. */
struct sha256;
bool place_hash(struct finding_places *places, struct sha256 *hash, const struct graph *graph, const struct node *node);

/* The fingerprint of a finding, without its number among equal ones; places NULL: the model could not be opened.
 * NULL: no memory. */
char *fingerprint_make(struct arena *arena, const char *relative, struct finding_places *places,
                       const struct finding *finding);
/* Numbers equal fingerprints. */
enum opshift_status fingerprints_number(struct opshift_findings *findings, struct opshift_error *error);

/* A copy in which control characters and bytes that are not UTF-8 are shown as \xNN. NULL: no memory. */
const char *text_show(struct arena *arena, const char *text);
#endif
