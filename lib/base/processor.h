/* What an x86 processor can do beyond what all of them can. Under a hypervisor it takes microseconds to answer each
 * question, and where the compiler's own builtin is used all of them are asked when the program starts; so the C
 * library is asked, which knows, where it can be: 2 ns. */
#ifndef BASE_PROCESSOR_H
#define BASE_PROCESSOR_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)

#if __has_include(<sys/platform/x86.h>)

#include <sys/platform/x86.h>

static inline bool processor_has_avx2(void)
{
    return CPU_FEATURE_ACTIVE(AVX2);
}

#else

#include <cpuid.h>

static inline bool processor_has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

#endif

#endif

#endif
