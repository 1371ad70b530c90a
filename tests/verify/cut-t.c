/* Compares forms of splitting without a model. */
#include "verify/cut.h"

#include "tests/tap/tap.h"

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

static struct cut cut_of(int64_t axis, const struct value_type *type)
{
    struct cut cut = {.split = split_cut_start(11, 2)};
    cut.split.axis = axis;
    split_cut_data(&cut.split, type);
    return cut;
}

static void test_axes(void)
{
    int64_t dims[3] = {4, 5, 6};
    for (size_t i = 0; i < COUNT(axes); i++) {
        struct value_type type = {.rank = axes[i].rank, .dims = dims};
        struct cut before = cut_of(axes[i].before, &type), after = cut_of(axes[i].after, &type);
        ok(cut_same_axis(&before, &after) == axes[i].same, "%s", axes[i].what);
    }
}

static void test_axis_parameters(void)
{
    struct value_type type = {.rank = -1};
    struct cut number = cut_of(1, &type), named = {.axis_parameter = {(const uint8_t *)"axis", 4}},
               other = {.axis_parameter = {(const uint8_t *)"pole", 4}},
               longer = {.axis_parameter = {(const uint8_t *)"axis2", 5}};
    ok(cut_same_axis(&named, &named), "the same parameter");
    ok(!cut_same_axis(&named, &other), "another parameter");
    ok(!cut_same_axis(&named, &longer), "a parameter that begins alike");
    ok(!cut_same_axis(&named, &number) && !cut_same_axis(&number, &named), "a parameter and a number");
}

int main(void)
{
    test_axes();
    test_axis_parameters();
    return done();
}
