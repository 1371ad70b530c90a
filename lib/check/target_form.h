/* What standards demand of every node: facts for target_fact.c, and the fixes of the features that rest on them. */
#ifndef CHECK_TARGET_FORM_H
#define CHECK_TARGET_FORM_H

#include "check/fix.h"

/* Attributes that are left out and have a default: how many, and which, as a list. The subject has a draft. */
enum opshift_status form_defaults(const struct subject *subject, uint32_t *count, const char **names,
                                  struct opshift_error *error);
/* Does an axis of the node, in an attribute or a constant input, count from the end? */
enum opshift_status form_axes(const struct subject *subject, bool *negative, struct opshift_error *error);
/* The first output, or input of its graph, without a whole type that is declared; NAME_NONE: there is none. */
enum opshift_status form_undeclared(struct checking *checking, const struct subject *subject, name_id *first,
                                    struct opshift_error *error);

enum opshift_status form_fix_defaults(struct checking *checking, const struct finding *finding,
                                      struct opshift_error *error);
enum opshift_status form_fix_axes(struct checking *checking, const struct finding *finding,
                                  struct opshift_error *error);
enum opshift_status form_fix_padding(struct checking *checking, const struct finding *finding,
                                     struct opshift_error *error);
enum opshift_status form_fix_declarations(struct checking *checking, const struct finding *finding,
                                          struct opshift_error *error);

#endif
