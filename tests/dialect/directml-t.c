/* Lowering of Split to DirectML: rows M330 to M356 of tests/split-matrix.tsv and their neighbours, without a model. */
#include "dialect/directml.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/tap/tap.h"

#define RANK 9
#define NONE DIRECTML_LEVEL_COUNT

/* dims and lengths end with END. */
#define END INT64_MIN

static const struct lowered_case {
    const char *what;
    enum opshift_type type;
    int64_t dims[RANK + 1], axis, lengths[RANK];
    enum directml_level level;
    const char *wanted; /* "TYPE sizes axis: slot=size ...", or the message */
    enum directml_level natively, by_view;
} cases[] = {
    {"M330",
     OPSHIFT_TYPE_FLOAT,
     {1, 1, 6, 2, END},
     2,
     {2, 1, 3, END},
     DIRECTML_1_0,
     "FLOAT32 none 1,1,6,2 axis 2: 0=2 1=1 2=3, 48 16 8 24",
     DIRECTML_1_0,
     DIRECTML_1_0},
    {"M331",
     OPSHIFT_TYPE_FLOAT,
     {6, 2, END},
     -2,
     {2, 4, END},
     DIRECTML_1_0,
     "FLOAT32 pad-left 1,1,6,2 axis 2: 0=2 1=4, 48 16 32",
     DIRECTML_1_0,
     DIRECTML_1_0},
    {"M332",
     OPSHIFT_TYPE_FLOAT,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_2_1,
     "FLOAT32 pad-left 1,1,1,6 axis 3: 0=2 1=4, 24 8 16",
     DIRECTML_1_0,
     DIRECTML_1_0},
    {"M333",
     OPSHIFT_TYPE_FLOAT,
     {2, 3, 4, 5, 6, END},
     4,
     {2, 4, END},
     DIRECTML_2_1,
     "FLOAT32 collapse 1,120,6,1 axis 2: 0=2 1=4, 2880 960 1920",
     DIRECTML_3_0,
     DIRECTML_1_0},
    {"M334",
     OPSHIFT_TYPE_FLOAT,
     {2, 3, 4, 5, 6, END},
     4,
     {2, 4, END},
     DIRECTML_3_0,
     "FLOAT32 none 2,3,4,5,6 axis 4: 0=2 1=4, 2880 960 1920",
     DIRECTML_3_0,
     DIRECTML_1_0},
    {"M335",
     OPSHIFT_TYPE_FLOAT,
     {1, 1, 1, 1, 1, 1, 1, 1, 6, END},
     8,
     {2, 4, END},
     DIRECTML_3_0,
     "FLOAT32 collapse 1,6,1 axis 1: 0=2 1=4, 24 8 16",
     NONE,
     DIRECTML_1_0},
    {"M336",
     OPSHIFT_TYPE_INT64,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_4_1,
     "INT64 none 6 axis 0: 0=2 1=4, 48 16 32",
     DIRECTML_4_1,
     DIRECTML_1_0},
    {"M337",
     OPSHIFT_TYPE_INT64,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_3_0,
     "UINT32 collapse 1,6,2 axis 1: 0=2 1=4, 48 16 32",
     DIRECTML_4_1,
     DIRECTML_1_0},
    {"M338",
     OPSHIFT_TYPE_DOUBLE,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_2_1,
     "UINT32 collapse 1,1,6,2 axis 2: 0=2 1=4, 48 16 32",
     DIRECTML_4_1,
     DIRECTML_1_0},
    {"M339",
     OPSHIFT_TYPE_INT8,
     {4, 6, END},
     0,
     {2, 2, END},
     DIRECTML_1_0,
     "UINT16 collapse 1,1,4,3 axis 2: 0=2 1=2, 24 12 12",
     DIRECTML_2_1,
     DIRECTML_1_0},
    {"four bytes to a word",
     OPSHIFT_TYPE_BOOL,
     {4, 8, END},
     0,
     {1, 3, END},
     DIRECTML_1_0,
     "UINT32 collapse 1,1,4,2 axis 2: 0=1 1=3, 32 8 24",
     NONE,
     DIRECTML_1_0},
    {"M340",
     OPSHIFT_TYPE_INT8,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_1_0,
     "UINT16 collapse 1,1,3,1 axis 2: 0=1 1=2, 8 4 4",
     DIRECTML_2_1,
     DIRECTML_1_0},
    {"M341",
     OPSHIFT_TYPE_INT8,
     {6, END},
     0,
     {1, 5, END},
     DIRECTML_1_0,
     "DirectML has no 8-bit type below feature level 2_1, and the parts of this int8 tensor are no whole 16-bit words; "
     "take --feature-level 2_1",
     DIRECTML_2_1,
     DIRECTML_2_1},
    {"M342",
     OPSHIFT_TYPE_INT8,
     {6, END},
     0,
     {1, 5, END},
     DIRECTML_2_1,
     "INT8 pad-left 1,1,1,6 axis 3: 0=1 1=5, 8 4 8",
     DIRECTML_2_1,
     DIRECTML_2_1},
    {"M343",
     OPSHIFT_TYPE_BOOL,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_2_1,
     "UINT8 pad-left 1,1,1,6 axis 3: 0=2 1=4, 8 4 4",
     NONE,
     DIRECTML_1_0},
    {"M344",
     OPSHIFT_TYPE_FLOAT16,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_1_0,
     "FLOAT16 pad-left 1,1,1,6 axis 3: 0=2 1=4, 12 4 8",
     DIRECTML_1_0,
     DIRECTML_1_0},
    {"M345",
     OPSHIFT_TYPE_BFLOAT16,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_1_0,
     "UINT16 pad-left 1,1,1,6 axis 3: 0=2 1=4, 12 4 8",
     NONE,
     DIRECTML_1_0},
    {"M346",
     OPSHIFT_TYPE_COMPLEX64,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_3_0,
     "UINT32 collapse 1,6,2 axis 1: 0=2 1=4, 48 16 32",
     NONE,
     DIRECTML_1_0},
    {"complex128 is four words",
     OPSHIFT_TYPE_COMPLEX128,
     {3, 6, END},
     1,
     {2, 4, END},
     DIRECTML_4_1,
     "UINT32 collapse 3,6,4 axis 1: 0=2 1=4, 288 96 192",
     NONE,
     DIRECTML_1_0},
    {"M347",
     OPSHIFT_TYPE_STRING,
     {6, END},
     0,
     {2, 4, END},
     DIRECTML_4_1,
     "strings have no fixed size, and DirectML has no such type",
     NONE,
     NONE},
    {"M348",
     OPSHIFT_TYPE_FLOAT,
     {6, END},
     0,
     {0, 6, END},
     DIRECTML_3_0,
     "FLOAT32 none 6 axis 0: 1=6, 24 24",
     DIRECTML_1_0,
     DIRECTML_1_0},
    {"M349", OPSHIFT_TYPE_FLOAT, {0, END}, 0, {0, 0, END}, DIRECTML_3_0, "no operator", DIRECTML_1_0, DIRECTML_1_0},
    {"M350", OPSHIFT_TYPE_FLOAT, {6, 0, END}, 0, {2, 4, END}, DIRECTML_3_0, "no operator", DIRECTML_1_0, DIRECTML_1_0},
    {"M354",
     OPSHIFT_TYPE_FLOAT,
     {-1, END},
     0,
     {2, 4, END},
     DIRECTML_3_0,
     "FLOAT32 none 6 axis 0: 0=2 1=4, 24 8 16",
     DIRECTML_1_0,
     DIRECTML_1_0},
    {"M355",
     OPSHIFT_TYPE_FLOAT,
     {6, -1, END},
     0,
     {2, 4, END},
     DIRECTML_3_0,
     "dim 1 is unknown, and DirectML's sizes are fixed when the operator is compiled; give the shape with --shape",
     NONE,
     NONE},
    {"M356",
     OPSHIFT_TYPE_INT8,
     {4294967296, END},
     0,
     {2147483648, 2147483648, END},
     DIRECTML_4_1,
     "dim 0 is 4294967296, above DirectML's largest size, 2^32-1",
     NONE,
     DIRECTML_1_0},
    {"the largest size",
     OPSHIFT_TYPE_FLOAT16,
     {4294967295, END},
     0,
     {4294967294, 1, END},
     DIRECTML_3_0,
     "FLOAT16 none 4294967295 axis 0: 0=4294967294 1=1, 8589934592 8589934588 4",
     DIRECTML_1_0,
     DIRECTML_1_0},
    {"one output",
     OPSHIFT_TYPE_FLOAT,
     {6, END},
     0,
     {6, END},
     DIRECTML_3_0,
     "FLOAT32 none 6 axis 0: 0=6, 24 24",
     DIRECTML_1_0,
     DIRECTML_1_0},
    {"a collapsed dim too large",
     OPSHIFT_TYPE_FLOAT,
     {65536, 65536, 1, 1, 6, END},
     4,
     {2, 4, END},
     DIRECTML_2_1,
     "the product of the dims before the axis is 4294967296, above DirectML's largest size, 2^32-1",
     DIRECTML_3_0,
     DIRECTML_3_0},
    {"words too many",
     OPSHIFT_TYPE_INT64,
     {6, 2147483648, END},
     0,
     {2, 4, END},
     DIRECTML_3_0,
     "the number of words behind the axis is 4294967296, above DirectML's largest size, 2^32-1",
     DIRECTML_4_1,
     DIRECTML_4_1},
    {"too many bytes",
     OPSHIFT_TYPE_FLOAT,
     {4294967295, 4294967295, END},
     0,
     {4294967295, END},
     DIRECTML_3_0,
     "the tensor has more than 2^63-1 bytes",
     NONE,
     NONE},
    {"too many elements",
     OPSHIFT_TYPE_FLOAT,
     {1, 4294967295, 4294967295, 4294967295, END},
     0,
     {1, END},
     DIRECTML_3_0,
     "the tensor has more than 2^64-1 elements",
     NONE,
     NONE},
    {"a scalar", OPSHIFT_TYPE_FLOAT, {END}, 0, {1, END}, DIRECTML_3_0, "axis 0 is out of range for rank 0", NONE, NONE},
    {"an axis too low",
     OPSHIFT_TYPE_FLOAT,
     {6, END},
     -2,
     {6, END},
     DIRECTML_3_0,
     "axis -2 is out of range for rank 1",
     NONE,
     NONE},
    {"no outputs", OPSHIFT_TYPE_FLOAT, {6, END}, 0, {END}, DIRECTML_3_0, "there are no outputs", NONE, NONE},
    {"a negative length",
     OPSHIFT_TYPE_FLOAT,
     {5, END},
     0,
     {2, 2, 2, -1, END},
     DIRECTML_3_0,
     "length -1 of output 3 is negative",
     NONE,
     NONE},
    {"another sum",
     OPSHIFT_TYPE_FLOAT,
     {6, END},
     0,
     {2, 3, END},
     DIRECTML_3_0,
     "the sum of the lengths is 5, but dim 0 is 6",
     NONE,
     NONE},
    {"a sum too large",
     OPSHIFT_TYPE_FLOAT,
     {-1, END},
     0,
     {INT64_MAX, 1, END},
     DIRECTML_3_0,
     "the sum of the lengths is above 2^63-1",
     NONE,
     NONE},
    {"no type",
     OPSHIFT_TYPE_UNDEFINED,
     {6, END},
     0,
     {6, END},
     DIRECTML_3_0,
     "the element type is unknown; declare the type of the input",
     NONE,
     NONE},
    {"a type that Split lacks",
     OPSHIFT_TYPE_INT4,
     {6, END},
     0,
     {6, END},
     DIRECTML_4_1,
     "type int4 is none of Split's",
     NONE,
     NONE},
};

static uint32_t count_of(const int64_t *list)
{
    uint32_t count = 0;
    while (list[count] != END)
        count++;
    return count;
}

static void print_desc(const struct directml_desc *desc, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "%s %s", directml_type_name(desc->type), directml_view_name(desc->view));
    if (desc->count == 0) {
        snprintf(text, room, "no operator");
        return;
    }
    for (uint32_t i = 0; i < desc->rank; i++)
        used += (size_t)snprintf(text + used, room - used, "%c%" PRIu32, i ? ',' : ' ', desc->sizes[i]);
    used += (size_t)snprintf(text + used, room - used, " axis %u:", desc->axis);
    for (uint32_t i = 0; i < desc->count; i++)
        used += (size_t)snprintf(text + used, room - used, " %u=%" PRIu32, desc->parts[i].slot, desc->parts[i].size);
    used += (size_t)snprintf(text + used, room - used, ", %" PRIu64, desc->total);
    for (uint32_t i = 0; i < desc->count; i++)
        used += (size_t)snprintf(text + used, room - used, " %" PRIu64, desc->parts[i].total);
}

static void test_case(const struct lowered_case *row)
{
    struct arena *arena = arena_new(0);
    struct opshift_error error = {0};
    struct directml_desc desc;
    struct directml_lowest lowest;
    char text[512];
    const struct directml_split split = {row->type, count_of(row->dims), row->dims,
                                         row->axis, row->lengths,        count_of(row->lengths)};
    enum opshift_status status = directml_lower(&split, row->level, arena, &desc, &error);
    if (status == OPSHIFT_OK)
        print_desc(&desc, text, sizeof(text));
    is_string(row->wanted, status ? error.text : text, "%s", row->what);
    ok(status == OPSHIFT_OK || status == OPSHIFT_NO, "%s: a refusal is an answer", row->what);
    error = (struct opshift_error){0};
    status = directml_find_lowest(&split, arena, &lowest, &error);
    is_int(OPSHIFT_OK, status, "%s: its lowest levels are found", row->what);
    is_int(row->natively, lowest.natively, "%s: lowest level natively", row->what);
    is_int(row->by_view, lowest.by_view, "%s: lowest level by view", row->what);
    arena_free(arena);
}

static void test_levels(void)
{
    static const struct {
        const char *name;
        enum directml_level level;
    } rows[] = {{"1_0", DIRECTML_1_0},
                {"2_0", DIRECTML_1_0},
                {"2_1", DIRECTML_2_1},
                {"3_0", DIRECTML_3_0},
                {"3_1", DIRECTML_3_0},
                {"4_0", DIRECTML_3_0},
                {"4_1", DIRECTML_4_1},
                {"5_0", DIRECTML_4_1},
                {"6_4", DIRECTML_4_1},
                {"6_5", NONE},
                {"", NONE}};
    for (size_t i = 0; i < COUNT(rows); i++)
        is_int(rows[i].level, directml_level_find(rows[i].name), "level '%s'", rows[i].name);
}

int main(void)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        test_case(&cases[i]);
    test_levels();
    is_int(0, (int64_t)directml_round(0), "0 bytes stay");
    is_int(4, (int64_t)directml_round(1), "1 byte becomes 4");
    ok(directml_round(UINT64_MAX - 1) == UINT64_MAX, "rounding does not wrap");
    return done();
}
