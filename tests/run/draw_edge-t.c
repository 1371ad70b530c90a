/* Numbers at the edges of a type: each edge and each constant comes within a few hundred draws. */
#include <math.h>

#include "run/draw.h"
#include "tests/tap/tap.h"

/* As the type stores it. */
static bool edge_comes(const struct number_type *type, const double *constants, size_t count, double wanted)
{
    uint64_t seed = 7, element;
    for (int i = 0; i < 600; i++) {
        type->store(&element, draw_edge(type, constants, count, draw_next(&seed) >> 16));
        union number number = type->load(&element);
        double value = type->kind == NUMBER_SIGNED     ? (double)number.i
                       : type->kind == NUMBER_UNSIGNED ? (double)number.u
                                                       : number.d;
        if (value == wanted || (isnan(value) && isnan(wanted)))
            return true;
    }
    return false;
}

int main(void)
{
    static const struct {
        const char *what;
        enum opshift_type type;
        double wanted;
    } cases[] = {
        {"0", OPSHIFT_TYPE_INT8, 0},
        {"1", OPSHIFT_TYPE_UINT16, 1},
        {"-1", OPSHIFT_TYPE_INT64, -1},
        {"the width of uint8", OPSHIFT_TYPE_UINT8, 8},
        {"the width of uint32", OPSHIFT_TYPE_UINT32, 32},
        {"the last bit of uint32", OPSHIFT_TYPE_UINT32, 31},
        {"beyond the width of int16", OPSHIFT_TYPE_INT16, 17},
        {"the integer above the least int32", OPSHIFT_TYPE_INT32, -0x1p31 + 1},
        {"the integer below the greatest int32", OPSHIFT_TYPE_INT32, 0x1p31 - 2},
        {"the width of uint64", OPSHIFT_TYPE_UINT64, 64},
        {"the least int32", OPSHIFT_TYPE_INT32, -0x1p31},
        {"the least int64", OPSHIFT_TYPE_INT64, -0x1p63},
        {"the greatest uint64", OPSHIFT_TYPE_UINT64, 0x1p64},
        {"the greatest int8", OPSHIFT_TYPE_INT8, 127},
        {"a tie", OPSHIFT_TYPE_FLOAT, 2.5},
        {"the greatest float16", OPSHIFT_TYPE_FLOAT16, 65504},
        {"the least double", OPSHIFT_TYPE_DOUBLE, -0x1.fffffffffffffp1023},
        {"infinity", OPSHIFT_TYPE_BFLOAT16, INFINITY},
        {"NaN", OPSHIFT_TYPE_FLOAT, NAN},
    };
    const double constants[] = {77, -12.25};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct number_type *type = number_type(cases[i].type);
        ok(edge_comes(type, NULL, 0, cases[i].wanted), "%s", cases[i].what);
        ok(edge_comes(type, constants, COUNT(constants), cases[i].wanted), "%s, beside constants", cases[i].what);
    }
    ok(!edge_comes(number_type(OPSHIFT_TYPE_INT32), NULL, 0, 77), "a number that is no edge");
    ok(edge_comes(number_type(OPSHIFT_TYPE_INT32), constants, 2, 77), "a constant");
    ok(edge_comes(number_type(OPSHIFT_TYPE_INT32), constants, 2, 76), "the integer below it");
    ok(edge_comes(number_type(OPSHIFT_TYPE_INT32), constants, 2, 78), "the integer above it");
    ok(edge_comes(number_type(OPSHIFT_TYPE_FLOAT), constants, 2, -12.25), "a fraction");
    ok(edge_comes(number_type(OPSHIFT_TYPE_DOUBLE), constants, 2, nextafter(-12.25, 0)), "the float beside it");
    return done();
}
