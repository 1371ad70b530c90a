/* Compares two models written as text by their value graphs. */
#ifndef TESTS_EQUAL_COMPARED_H
#define TESTS_EQUAL_COMPARED_H

#include "equal/equal.h"

struct compared {
    bool opened; /* both texts are models */
    enum equal_verdict verdict;
    char text[1024]; /* the verdict, and each region: "rounding; y 2-1 rounding" */
    char why[512];   /* of the first region, or of the answer */
};

/* options NULL: the defaults, with the shipped rules. */
void compare_texts(const char *before, const char *after, const struct equal_options *options, struct compared *result);

/* Two graphs at opset 13, over the same head, and what is expected of them. */
struct equal_case {
    const char *what;
    const char *before, *after; /* "<initializers> {nodes}" */
    const char *text;           /* as struct compared has it */
    const char *why;            /* what it begins with; NULL: anything */
};

/* head: "g (float[N] x) => (float[N] y)". */
void check_cases(const char *head, const struct equal_case *cases, size_t count);

#endif
