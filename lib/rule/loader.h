/* State and functions for reading one rule file. */
#ifndef RULE_LOADER_H
#define RULE_LOADER_H

#include "rule/load.h"
#include "base/strings.h"
#include "base/tree.h"

struct loader {
    struct tree_place place;
    struct rule_set *set;
    int64_t opset;
};

/* Reports a mistake at the position of a value, or of its key. */
#define FAIL(loader, value, ...)     TREE_FAIL(&(loader)->place, value, __VA_ARGS__)
#define FAIL_KEY(loader, value, ...) TREE_FAIL_KEY(&(loader)->place, value, __VA_ARGS__)

/* ---- shared by its readers (loader.c) ---- */

/* words: NULL-terminated. */
bool words_have(const char *const *words, const char *word);
/* The value of the key `domain`; "" is ai.onnx. */
enum opshift_status loader_read_domain(struct loader *loader, const struct tree *map, const char **domain);
/* A NULL-terminated list of scalars. */
enum opshift_status loader_read_texts(struct loader *loader, const struct tree *list, const char *what,
                                      const char *const **texts);
/* In the set's arena; NULL: no memory; the error is filled. */
void *loader_alloc(struct loader *loader, size_t count, size_t size);
/* A new rule of the set, for an operator; NULL: no memory. */
struct rule *loader_add(struct loader *loader, const struct tree *op);

/* ---- parts of a file ---- */

/* One item of a list of steps (load_step.c). */
enum opshift_status step_read(struct loader *loader, const struct tree *item, struct step *step);
/* USAGE: the step has a verb of an earlier version; the message has the step that takes its place (load_old.c). */
enum opshift_status verb_refuse_old(struct loader *loader, const struct tree *step);
/* A rule file, added to the set (load_rule.c). */
enum opshift_status rule_read(struct loader *loader, const struct tree *map);
/* A compatible.yaml, added to the set (load_compatible.c). */
enum opshift_status compatibles_read(struct loader *loader, const struct tree *list);

#endif
