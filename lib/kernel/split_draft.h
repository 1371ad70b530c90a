/* The Split of a draft, read and written. */
#ifndef KERNEL_SPLIT_DRAFT_H
#define KERNEL_SPLIT_DRAFT_H

#include "kernel/facts.h"
#include "schema/split_cut.h"

/* At the draft's opset; the draft then relies on the dim, if it has no lengths. NO: the lengths' name is defined twice,
 * where the draft's facts refuse that. */
enum opshift_status split_read(const struct draft *draft, struct split_cut *cut, struct opshift_error *error);
/* Its axis and data alone, also of a SplitToSequence. */
enum opshift_status split_read_axis(const struct draft *draft, struct split_cut *cut, struct opshift_error *error);
/* Records that the draft depends on the dim, if that is known. */
void split_relies(const struct draft *draft, const struct split_cut *cut);
/* NO: num_outputs depends on the calls of a function. */
enum opshift_status split_parts_known(const struct split_cut *cut, struct opshift_error *error);
/* NO: num_outputs is above SPLIT_PARTS_MAX. */
enum opshift_status split_parts_refuse(int64_t parts, struct opshift_error *error);

/* Each form takes the place of another. Lengths are the attribute below opset 13, else an input; copied. */
enum opshift_status split_write_lengths(struct draft *draft, const int64_t *lengths, int64_t count,
                                        struct opshift_error *error);
enum opshift_status split_write_count(struct draft *draft, int64_t parts, struct opshift_error *error);
void split_write_equal(struct draft *draft);
/* Writes out the lengths of equal parts or chunks; computed in the graph if the dim is unknown, from opset 13 on. NO:
 * the number of parts is unknown, or too large. */
enum opshift_status split_write_parts(struct draft *draft, const struct split_cut *cut, struct opshift_error *error);
/* Writes the lengths as second input at any opset, as of a SplitToSequence. */
enum opshift_status split_write_input(struct draft *draft, const int64_t *lengths, int64_t count,
                                      struct opshift_error *error);
/* Adds outputs, unused, up to this number. */
enum opshift_status split_outputs_add(struct draft *draft, int64_t count, struct opshift_error *error);

#endif
