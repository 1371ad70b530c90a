/* What a Split does, by what is known of it: dim, lengths, the first fault. */
#include "schema/split_cut.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap/tap.h"

static void test_dims(void)
{
    static const struct {
        int64_t axis, front, dim;
    } cases[] = {{0, 0, 4}, {2, 2, 6}, {3, -1, -1}, {-1, 2, 6}, {-3, 0, 4}, {-4, -1, -1}};
    int64_t dims[3] = {4, 5, 6};
    struct value_type type = {.rank = 3, .dims = dims};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct split_cut cut = split_cut_start(11, 2);
        cut.axis = cases[i].axis;
        split_cut_data(&cut, &type);
        is_int(cases[i].front, cut.front, "axis %d from the front", (int)cases[i].axis);
        is_int(cases[i].dim, cut.dim, "the dim of axis %d", (int)cases[i].axis);
    }
}

static void test_sums(void)
{
    const int64_t good[] = {2, 0, 4}, below[] = {2, -1, 4}, most[] = {INT64_MAX, 0}, over[] = {INT64_MAX, 1};
    is_int(6, split_sum(good, 3), "a sum");
    is_int(-1, split_sum(below, 3), "a length below 0");
    is_int(INT64_MAX, split_sum(most, 2), "the greatest sum");
    is_int(-1, split_sum(over, 2), "a sum beyond it");
}

static void test_chunks(void)
{
    static const struct {
        const char *what;
        int64_t lengths[4];
        int64_t count;
        bool equal, chunks;
    } cases[] = {
        {"equal parts", {3, 3}, 2, true, true},
        {"a short last part", {3, 2}, 2, false, true},
        {"an empty last part", {2, 2, 0}, 3, false, true},
        {"a long last part", {1, 3}, 2, false, false},
        {"balanced parts", {3, 3, 2, 2}, 4, false, false},
        {"a negative last part", {2, 2, 2, -1}, 4, false, false},
        {"no part", {0}, 0, false, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ok(split_are_chunks(cases[i].lengths, cases[i].count, true) == cases[i].equal, "%s: equal", cases[i].what);
        ok(split_are_chunks(cases[i].lengths, cases[i].count, false) == cases[i].chunks, "%s: chunks", cases[i].what);
    }
}

/* Lengths as "2,2,1,"; "?": unknown. */
static void test_lengths(void)
{
    static const struct {
        uint32_t since, outputs;
        int64_t parts, dim; /* parts 0: no num_outputs */
        const char *lengths;
    } cases[] = {{13, 3, 0, 6, "2,2,2,"}, {13, 3, 0, 7, "?"},      {13, 3, 0, -1, "?"},       {13, 2, 3, 6, "3,3,"},
                 {18, 3, 0, 6, "?"},      {18, 3, 3, 7, "3,3,1,"}, {18, 3, 3, 4, "2,2,0,"},   {18, 4, 4, 5, "?"},
                 {18, 2, 3, 7, "3,3,1,"}, {18, 3, 2, 6, "?"},      {18, 2, 2, 0, "0,0,"},     {18, 1, 1, 5, "5,"},
                 {18, 1, -1, 5, "?"},     {11, 0, 0, 5, "?"},      {18, 1, INT64_MAX, 5, "?"}};
    struct arena *arena = arena_new(0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct split_cut cut = split_cut_start(cases[i].since, cases[i].outputs);
        const int64_t *lengths = NULL;
        char text[64] = "";
        if (cases[i].parts)
            split_cut_count(&cut, true, cases[i].parts);
        split_cut_data(&cut, &(struct value_type){.rank = 1, .dims = (int64_t[]){cases[i].dim}});
        ok(split_lengths(&cut, arena, &lengths, NULL) == OPSHIFT_OK, "Split-%u of %d", cases[i].since,
           (int)cases[i].dim);
        for (int64_t part = 0; lengths && part < split_part_count(&cut); part++)
            snprintf(text + strlen(text), 8, "%d,", (int)lengths[part]);
        is_string(cases[i].lengths, lengths ? text : "?", "its lengths");
    }
    arena_free(arena);
}

static void test_versions(void)
{
    const int64_t lengths[] = {2, 4};
    static const struct {
        uint32_t since;
        bool attribute, input;
    } cases[] = {{1, true, true}, {2, true, false}, {11, true, false}, {13, false, true}, {18, false, true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct split_cut attribute = split_cut_start(cases[i].since, 2), input = attribute;
        split_cut_list(&attribute, SPLIT_ATTRIBUTE, lengths, 2);
        split_cut_list(&input, SPLIT_INPUT, lengths, 2);
        ok(attribute.listed == cases[i].attribute, "Split-%u and the attribute `split`", cases[i].since);
        ok(input.listed == cases[i].input, "Split-%u and the second input", cases[i].since);
    }
}

int main(void)
{
    test_dims();
    test_sums();
    test_chunks();
    test_lengths();
    test_versions();
    return done();
}
