/* Optional features of x86 processors. cpuid takes microseconds under a hypervisor, and the compiler's builtin executes
 * it many times at program start; the C library has the answers already (2 ns) and is used where it offers them. */
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
