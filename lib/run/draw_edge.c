/* Numbers at which an operator may change its result: limits of the type, ties, and constants with their neighbours. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "run/draw.h"

/* The limits of any type, and the numbers beside them that do not depend on it. */
#define REALS_ALWAYS  16u
#define REALS_LIMITS  8u
#define WHOLES_ALWAYS 8u
#define WHOLES_LIMITS 7u
/* A constant, and the two beside it. */
#define BESIDE 3u

static double greatest_real(enum opshift_type type)
{
    switch (type) {
    case OPSHIFT_TYPE_FLOAT16:
        return 65504;
    case OPSHIFT_TYPE_BFLOAT16:
        return 0x1.fep127;
    case OPSHIFT_TYPE_FLOAT:
        return (double)FLT_MAX;
    default:
        return DBL_MAX;
    }
}

static union number edge_real(enum opshift_type type, uint64_t random)
{
    static const double always[REALS_ALWAYS] = {0,   -0.0, 1,    -1,        0.5,  -0.5, 1.5,           -1.5,
                                                2.5, -2.5, 1e-6, -INFINITY, 1e-3, NAN,  0x1.fffffep-1, INFINITY};
    const double greatest = greatest_real(type);
    const double limits[REALS_LIMITS] = {
        greatest, -greatest, 127.5, 255.5, 0x1p31, -0x1p31, 0x1p53, type == OPSHIFT_TYPE_FLOAT16 ? 0x1p-14 : 0x1p-126};
    uint64_t at = random % (COUNT(always) + COUNT(limits));
    return (union number){.d = at < COUNT(always) ? always[at] : limits[at - COUNT(always)]};
}

/* Also the first integers that float and double do not hold. */
static union number edge_whole(const struct number_type *type, uint64_t random)
{
    static const int64_t always[WHOLES_ALWAYS] = {0, 1, -1, 2, -2, 3, 0x1000001, 0x20000000000001};
    uint64_t width = type->size * UINT64_C(8), top = UINT64_C(1) << (width - 1);
    bool is_signed = type->kind == NUMBER_SIGNED;
    uint64_t least = is_signed ? ~top + 1 : 0, greatest = is_signed ? top - 1 : top - 1 + top;
    const uint64_t limits[WHOLES_LIMITS] = {width, width - 1, width + 1, least, least + 1, greatest, greatest - 1};
    uint64_t at = random % (COUNT(always) + COUNT(limits));
    return at < COUNT(always) ? (union number){.i = always[at]} : (union number){.u = limits[at - COUNT(always)]};
}

/* A constant, or a number beside it. */
static union number near_constant(const struct number_type *type, double constant, uint64_t random)
{
    bool real = type->kind == NUMBER_REAL;
    double number = constant + (double)(int)(random % 3) - 1;
    double towards = random & 1024 ? INFINITY : -INFINITY;
    if (real && random % 5 == 4 && type->type == OPSHIFT_TYPE_FLOAT)
        return (union number){.d = nextafterf((float)constant, (float)towards)};
    if (real && random % 5 == 4)
        return (union number){.d = nextafter(constant, towards)};
    if (real)
        return (union number){.d = random % 5 < 2 ? constant : number};
    return fabs(number) < 0x1p63 ? (union number){.i = (int64_t)number} : edge_whole(type, random >> 8);
}

union number draw_edge(const struct number_type *type, const double *constants, size_t count, uint64_t random)
{
    if (count > 0 && random % 2 == 0)
        return near_constant(type, constants[(random >> 1) % count], random >> 24);
    return type->kind == NUMBER_REAL ? edge_real(type->type, random >> 1) : edge_whole(type, random >> 1);
}

size_t draw_edge_count(const struct number_type *type, size_t count)
{
    return (type->kind == NUMBER_REAL ? REALS_ALWAYS + REALS_LIMITS : 1 + WHOLES_ALWAYS + WHOLES_LIMITS) +
           BESIDE * count;
}

union number draw_edge_at(const struct number_type *type, const double *constants, size_t count, uint64_t at)
{
    if (at < BESIDE * count)
        return near_constant(type, constants[at / BESIDE], at % BESIDE);
    at -= BESIDE * count;
    if (type->kind != NUMBER_REAL && at == WHOLES_ALWAYS + WHOLES_LIMITS) /* its square is an int64, and no double */
        return (union number){.i = INT32_MAX};
    return type->kind == NUMBER_REAL ? edge_real(type->type, at) : edge_whole(type, at);
}
