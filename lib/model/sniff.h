/* Recognizes files that are given in place of a model by mistake: HTML pages, archives, Git LFS pointers. */
#ifndef MODEL_SNIFF_H
#define MODEL_SNIFF_H

#include "base/file.h"

/* Replaces the error by a better one (MALFORMED) if the bytes are of a known kind; else returns status. */
enum opshift_status sniff_explain(struct source *source, enum opshift_status status, struct opshift_error *error);

#endif
