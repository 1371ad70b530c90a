/* Pseudo-random numbers, the same in each run of a test. */
#ifndef TESTS_KERNEL_RANDOM_H
#define TESTS_KERNEL_RANDOM_H

#include <stdint.h>

/* A number from 0 to end - 1. */
static inline uint32_t random_below(uint32_t end)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % end;
}

#endif
