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
    struct opshift_open_options open; /* what options.open points to, with */
    struct opshift_limits limits;     /* the limits of the configuration */
    struct arena *arena;              /* of configuration, baseline and profiles */
    struct lint_config config;
    struct baseline baseline;
    struct baseline_place baseline_place;
    struct target *targets;      /* a list, in the order in which they were named */
    struct opshift_rules *rules; /* of a conversion to options.to, where the options name none: the shipped ones */
    int fail_level;              /* a severity, or OPSHIFT_SEVERITY_NEVER */
};

struct opshift_findings {
    struct arena *arena;
    const char *name;
    const char *relative;      /* the name as patterns and fingerprints know it */
    const char *shown;         /* the same as a baseline has it, where bytes that are no text are \xNN */
    uint64_t size;             /* of the file; 0: not known */
    int64_t opset, ir_version; /* 0: not known */
    enum opshift_status status;
    const char *failure; /* why it could not be read (whole), with its name in front; NULL: it was read */
    struct opshift_finding *list;
    size_t count;
    const struct finding **from; /* while the checks' run lasts: what the last from_count of the list were made from */
    size_t from_count;
    uint64_t mended; /* findings that are not there any more */
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

/* What a model's findings become, with the configuration applied. findings is new and empty. */
enum opshift_status findings_collect(const struct opshift_lint *lint, struct checking *checking,
                                     struct opshift_findings *findings, struct opshift_error *error);
/* The one finding of a file that could not be opened. findings is new and empty. */
enum opshift_status findings_add_failure(const struct opshift_lint *lint, struct opshift_findings *findings,
                                         const struct opshift_error *why, struct opshift_error *error);
/* The status of the findings: NO if one is at or above the fail level. */
enum opshift_status findings_judge(const struct opshift_lint *lint, const struct opshift_findings *findings);

/* Shared prefixes of places, computed once for each graph. */
struct finding_places;
struct finding_places *places_new(struct opshift_model *model, struct arena *arena); /* NULL: no memory */
void places_free(struct finding_places *places); /* before the arena; NULL is fine */
/* "graph/node[12]:Split_0/then_branch/node[3]"; graph NULL: "model". Long ones are cut in their middle. NULL: no
 * memory. */
const char *location_print(struct finding_places *places, const struct graph *graph, const struct node *node);
/* "node 'if' (If): then_branch: node 3 (Split)"; "" for the model. NULL: no memory. */
const char *place_print(struct finding_places *places, const struct graph *graph, const struct node *node);
/* Adds the stable part of a place, independent of other nodes, to a hash. False: no memory. */
struct sha256;
bool place_hash(struct finding_places *places, struct sha256 *hash, const struct graph *graph, const struct node *node);

/* The fingerprint of a finding, not yet numbered among its likes; places NULL: the model could not be opened. NULL: no
 * memory. */
char *fingerprint_make(struct arena *arena, const char *relative, struct finding_places *places,
                       const struct finding *finding);
/* Numbers those that are the same. */
enum opshift_status fingerprints_number(struct opshift_findings *findings, struct opshift_error *error);

/* A copy in which what a terminal or a document must not have (control characters, bytes that are no UTF-8) is shown as
 * \xNN. NULL: no memory. */
const char *text_show(struct arena *arena, const char *text);
#endif
