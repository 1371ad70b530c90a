/* What is wrong with a Split node, in words: lint's findings SPL001 to SPL015, and why convert and run refuse it. */
#include <inttypes.h>
#include <stdarg.h>

#include "base/real.h"
#include "base/shown.h"
#include "schema/split_cut.h"

/* True. attribute: at fault; NULL: the node. */
static bool found(struct split_fault *fault, const char *attribute, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool found(struct split_fault *fault, const char *attribute, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    shown_print(fault->words, sizeof(fault->words), format, arguments);
    va_end(arguments);
    fault->attribute = attribute;
    return true;
}

/* ---- the axis ---- */

bool split_fault_scalar(const struct split_cut *cut, struct split_fault *fault)
{
    return cut->rank == 0 &&
           found(fault, NULL,
                 "the input '%s' is a scalar, which has no axis to split; add a dim before, or remove "
                 "the Split",
                 cut->data_name);
}

/* Axes must fit into 32 bits: some parsers would truncate larger ones. */
bool split_fault_axis(const struct split_cut *cut, struct split_fault *fault)
{
    if (!cut->axis_known)
        return false;
    if (cut->rank < 0 && (cut->axis < INT32_MIN || cut->axis > INT32_MAX))
        return found(fault, "axis", "axis %" PRId64 " is beyond the axes of any tensor; use the intended one",
                     cut->axis);
    return cut->rank > 0 && cut->front < 0 &&
           found(fault, "axis",
                 "axis %" PRId64 " is outside [-%d, %d], the axes of a tensor of rank %d; use the intended one",
                 cut->axis, cut->rank, cut->rank - 1, cut->rank);
}

/* ---- a list of lengths ---- */

static const char *list_attribute(const struct split_cut *cut)
{
    return cut->form == SPLIT_ATTRIBUTE ? "split" : NULL;
}

bool split_fault_rank(const struct split_cut *cut, struct split_fault *fault)
{
    return cut->form == SPLIT_INPUT && cut->input_rank >= 0 && cut->input_rank != 1 &&
           found(fault, NULL, "the lengths '%s' have rank %d and must be a list (rank 1); give them one dim, of %u",
                 cut->lengths_name, cut->input_rank, cut->output_count);
}

bool split_fault_fraction(const struct split_cut *cut, struct split_fault *fault)
{
    return cut->form == SPLIT_INPUT && cut->fraction >= 0 &&
           found(fault, NULL, "length %" PRId64 " is %s; lengths are whole numbers", cut->fraction,
                 REAL_SHOWN(tensor_number(cut->constant, (uint64_t)cut->fraction)));
}

bool split_fault_empty(const struct split_cut *cut, struct split_fault *fault)
{
    return split_is_listed(cut) && cut->length_count == 0 &&
           found(fault, list_attribute(cut),
                 "the list of lengths is empty, and there are %u outputs; write a length for each, or leave the list "
                 "away for equal parts",
                 cut->output_count);
}

bool split_fault_count(const struct split_cut *cut, struct split_fault *fault)
{
    return split_is_listed(cut) && cut->length_count > 0 && cut->length_count != cut->output_count &&
           found(fault, list_attribute(cut),
                 "there are %" PRId64 " lengths and %u outputs; there must be a length for each output",
                 cut->length_count, cut->output_count);
}

bool split_fault_negative(const struct split_cut *cut, struct split_fault *fault)
{
    for (int64_t i = 0; split_is_listed(cut) && cut->lengths && i < cut->length_count; i++)
        if (cut->lengths[i] < 0)
            return found(fault, list_attribute(cut),
                         "length %" PRId64 " is %" PRId64 "; lengths are 0 or more, and none means \"the rest\"", i,
                         cut->lengths[i]);
    return false;
}

/* Of lengths that are not negative. */
bool split_fault_overflow(const struct split_cut *cut, struct split_fault *fault)
{
    return split_is_listed(cut) && cut->lengths && split_sum(cut->lengths, cut->length_count) < 0 &&
           found(fault, list_attribute(cut), "the lengths sum to more than 2^63 - 1; no dim is that long");
}

bool split_fault_sum(const struct split_cut *cut, struct split_fault *fault)
{
    int64_t sum = split_is_listed(cut) && cut->lengths ? split_sum(cut->lengths, cut->length_count) : -1;
    return sum >= 0 && cut->dim >= 0 && sum != cut->dim &&
           found(fault, list_attribute(cut),
                 "the lengths sum to %" PRId64 ", and the dim is %" PRId64 "; make the lengths cover axis %" PRId64
                 " of '%s'",
                 sum, cut->dim, cut->axis, cut->data_name);
}

/* ---- equal parts, and num_outputs ---- */

bool split_fault_uneven(const struct split_cut *cut, struct split_fault *fault)
{
    return cut->form == SPLIT_EQUAL && cut->since < 18 && cut->dim >= 0 && cut->output_count > 0 &&
           cut->dim % cut->output_count != 0 &&
           found(fault, NULL, "the dim %" PRId64 " cannot be divided into %u equal parts; write explicit lengths",
                 cut->dim, cut->output_count);
}

bool split_fault_both(const struct split_cut *cut, struct split_fault *fault)
{
    if (cut->counted && cut->listed)
        return found(fault, NULL, "both num_outputs and lengths are given; remove one of them");
    return cut->listed_twice &&
           found(fault, NULL, "lengths are given as attribute 'split' and as input '%s'; remove one of them",
                 cut->lengths_name);
}

bool split_fault_neither(const struct split_cut *cut, struct split_fault *fault)
{
    if (cut->since < 18 || cut->listed)
        return false;
    if (cut->uncounted)
        return found(fault, NULL,
                     "%s: both num_outputs and the lengths are missing in this call; set num_outputs there",
                     cut->uncounted);
    return !cut->counted && found(fault, NULL,
                                  "neither num_outputs nor lengths are given, but Split-%u requires one of them; set "
                                  "num_outputs = %u",
                                  cut->since, cut->output_count);
}

bool split_fault_num_outputs(const struct split_cut *cut, struct split_fault *fault)
{
    if (!cut->counted || !cut->parts_known)
        return false;
    if (cut->parts < 1)
        return found(fault, "num_outputs",
                     "num_outputs is %" PRId64 " and must be at least 1; set it to %u, the number of outputs",
                     cut->parts, cut->output_count);
    return cut->parts > INT32_MAX &&
           found(fault, "num_outputs",
                 "num_outputs is %" PRId64 ", more than the 2147483647 outputs that a node may have; set it to "
                 "%u, the number of outputs",
                 cut->parts, cut->output_count);
}

bool split_fault_few(const struct split_cut *cut, struct split_fault *fault)
{
    return cut->counted && cut->parts_known && cut->parts >= 1 && cut->parts < cut->output_count &&
           found(fault, "num_outputs",
                 "num_outputs is %" PRId64 ", and there are %u outputs; set it to %u, or remove outputs", cut->parts,
                 cut->output_count, cut->output_count);
}

bool split_fault_last(const struct split_cut *cut, struct split_fault *fault)
{
    int64_t dim = cut->dim, parts = cut->parts;
    return cut->counted && cut->parts_known && parts >= 1 && parts <= INT32_MAX && dim >= 0 &&
           split_last(dim, parts) < 0 &&
           found(fault, "num_outputs",
                 "%" PRId64 " chunks of ceil(%" PRId64 " / %" PRId64 ") = %" PRId64 " leave %" PRId64
                 " for the last one; write explicit lengths",
                 parts, dim, parts, split_chunk(dim, parts), split_last(dim, parts));
}

bool split_fault_first(const struct split_cut *cut, struct split_fault *fault)
{
    static split_fault_find *const faults[] = {
        split_fault_scalar, split_fault_axis,  split_fault_both,     split_fault_neither,  split_fault_num_outputs,
        split_fault_few,    split_fault_last,  split_fault_uneven,   split_fault_rank,     split_fault_fraction,
        split_fault_empty,  split_fault_count, split_fault_negative, split_fault_overflow, split_fault_sum};
    for (size_t i = 0; i < COUNT(faults); i++)
        if (faults[i](cut, fault))
            return true;
    return false;
}
