/* The table of verdicts: a row for each piece, or one for many that are as they should be for the same reason. */
#ifndef VERIFY_PIECE_ROWS_H
#define VERIFY_PIECE_ROWS_H

#include <stdbool.h>

#include "base/buffer.h"

struct piece_rows;

/* all: pieces are never put together. NULL: no memory. */
struct piece_rows *piece_rows_new(bool all);
/* detail: of the row, with the reason in front; behind its last "; " are the runs. */
void piece_rows_add(struct piece_rows *rows, const char *place, const char *verdict, const char *detail);
/* Prints them below their heads, if there are any. Frees rows, which may be NULL: no memory. */
void piece_rows_print(struct piece_rows *rows, struct buffer *out);
void piece_rows_free(struct piece_rows *rows);

#endif
