/* Compares forms of splitting without a model. */
#include "verify/cut.h"

#include "tests/tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
    const char *what;
    int64_t before, after;
    int32_t rank;
    bool same;
} axes[] = {
    {"the same number, of an unknown rank", 1, 1, -1, true},
    {"the same number below 0, of an unknown rank", -1, -1, -1, true},
    {"other numbers, of an unknown rank", -1, 1, -1, false},
    {"the last axis, counted from the end", 2, -1, 3, true},
    {"the last axis, counted from the front", -1, 2, 3, true},
    {"the first axis", 0, -3, 3, true},
    {"the first axis, the other way round", -3, 0, 3, true},
    {"other axes", 1, -1, 3, false},
    {"an axis beyond the last", 3, 0, 3, false},
    {"an axis beyond the last, the other way round", 0, 3, 3, false},
    {"an axis before the first", -4, 2, 3, false},
    {"an axis before the first, twice the rank away", -4, -1, 3, false},
    {"a scalar has none", 0, -1, 0, false},
};

static void test_axes(void)
{
    int64_t dims[3] = {4, 5, 6};
    for (size_t i = 0; i < COUNT(axes); i++) {
        struct cut before = {.axis = axes[i].before}, after = {.axis = axes[i].after};
        struct value_type type = {.rank = axes[i].rank, .dims = dims};
        ok(cut_same_axis(&before, &after, &type) == axes[i].same, "%s", axes[i].what);
    }
}

static void test_axis_parameters(void)
{
    struct cut number = {.axis = 1}, named = {.axis_parameter = {(const uint8_t *)"axis", 4}},
               other = {.axis_parameter = {(const uint8_t *)"pole", 4}},
               longer = {.axis_parameter = {(const uint8_t *)"axis2", 5}};
    struct value_type type = {.rank = -1};
    ok(cut_same_axis(&named, &named, &type), "the same parameter");
    ok(!cut_same_axis(&named, &other, &type), "another parameter");
    ok(!cut_same_axis(&named, &longer, &type), "a parameter that begins alike");
    ok(!cut_same_axis(&named, &number, &type) && !cut_same_axis(&number, &named, &type), "a parameter and a number");
}

static void test_dims(void)
{
    static const struct {
        int64_t axis, wanted;
    } cases[] = {{0, 4}, {2, 6}, {3, -1}, {-1, 6}, {-3, 4}, {-4, -1}};
    int64_t dims[3] = {4, 5, 6};
    struct value_type type = {.rank = 3, .dims = dims};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cut cut = {.axis = cases[i].axis};
        is_int(cases[i].wanted, cut_dim(&cut, &type), "the dim of axis %d", (int)cases[i].axis);
    }
}

static void test_sums(void)
{
    const int64_t good[] = {2, 0, 4}, below[] = {2, -1, 4}, most[] = {INT64_MAX, 0}, over[] = {INT64_MAX, 1};
    is_int(6, cut_sum(&(struct cut){.lengths = good, .length_count = 3}), "a sum");
    is_int(-1, cut_sum(&(struct cut){.lengths = below, .length_count = 3}), "a length below 0");
    is_int(INT64_MAX, cut_sum(&(struct cut){.lengths = most, .length_count = 2}), "the greatest sum");
    is_int(-1, cut_sum(&(struct cut){.lengths = over, .length_count = 2}), "a sum beyond it");
}

int main(void)
{
    test_axes();
    test_axis_parameters();
    test_dims();
    test_sums();
    return done();
}
