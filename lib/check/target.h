/* Target profiles: what a runtime supports, read from rules/targets/NAME.yaml. */
#ifndef CHECK_TARGET_H
#define CHECK_TARGET_H

#include "base/tree.h"
#include "check/check.h"

/* "fact comparison value": what a node must be, or when a constraint speaks. */
struct condition {
    const struct target_fact *fact;
    const char *argument; /* what the fact is asked about: an attribute's name */
    uint32_t position;    /* or an input's position */
    enum { COMPARE_IS, COMPARE_IS_NOT, COMPARE_LEAST, COMPARE_MOST } comparison;
    const char *text;         /* all of it, as written */
    const char *const *words; /* IS, IS_NOT: one of these; ends with NULL */
    int64_t number;           /* LEAST, MOST */
};

struct constraint {
    const char *key, *operator_type;
    int64_t least, most; /* opsets */
    bool refused;        /* severity: error; else warning */
    struct condition *when, *require;
    uint32_t when_count, require_count;
    const char *why, *mend, *source, *date;
};

/* What there is no kernel for: an operator from one opset to another, or some types of it. */
struct kernel_gap {
    const char *domain, *operator_type;
    int64_t least, most;
    const char *variable; /* NULL: the whole operator */
    uint64_t types;       /* a bit each */
};

struct target {
    const char *name, *description;
    int64_t opset, ir_version; /* the newest; 0: not said */
    const char *source, *date; /* of these and of the gaps */
    struct constraint *constraints;
    uint32_t constraint_count;
    struct kernel_gap *gaps; /* sorted by operator */
    uint32_t gap_count;
    struct target *next;
};

/* A profile's text; name is what messages call it. USAGE: "name:line:column: ...". */
enum opshift_status target_read(const char *text, size_t size, const char *name, struct arena *arena,
                                struct target **target, struct opshift_error *error);
/* The profile of a name: of the folders, last first, else a shipped one. USAGE: there is none. */
enum opshift_status target_load(const char *name, const char *const *folders, size_t folder_count, struct arena *arena,
                                struct target **target, struct opshift_error *error);

/* The shipped profiles' texts; the last row's name is NULL. */
struct target_text {
    const char *name, *text;
};
extern const struct target_text targets_shipped[];

/* What can be asked of a node. */
enum fact_kind { FACT_UNKNOWN, FACT_NUMBER, FACT_WORD };
struct fact {
    enum fact_kind kind;
    int64_t number;
    const char *word;
};
struct target_fact {
    const char *name;
    enum { ASKS_NOTHING, ASKS_NAME, ASKS_POSITION } asks;
    bool of_split;
    enum opshift_status (*find)(struct checking *checking, const struct subject *subject,
                                const struct condition *condition, struct fact *fact, struct opshift_error *error);
};
/* By the first word of a condition, as far as a dot in front of its argument. NULL: there is none. */
const struct target_fact *target_fact_find(const char *name, size_t size);

#endif
