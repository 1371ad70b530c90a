/* Says what a file is that is no model: people hand in pages, archives and pointers by mistake. */
#ifndef MODEL_SNIFF_H
#define MODEL_SNIFF_H

#include "base/file.h"

/* Replaces the error by a better one (MALFORMED) where the bytes are of a well-known kind; else gives back status. */
enum opshift_status sniff_explain(struct source *source, enum opshift_status status, struct opshift_error *error);

#endif
