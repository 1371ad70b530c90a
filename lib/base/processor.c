/* What the processor can do. Under a hypervisor it takes microseconds to answer each question, and where the compiler's
 * own builtin is used all of them are asked when the program starts; so the C library is asked, which knows. */
#include "base/processor.h"

#if defined(__x86_64__) && defined(__GNUC__)

#if __has_include(<sys/platform/x86.h>)

#include <sys/platform/x86.h>

bool processor_has_avx2(void)
{
    return CPU_FEATURE_ACTIVE(AVX2);
}

bool processor_has_sha(void)
{
    return CPU_FEATURE_ACTIVE(SHA) && CPU_FEATURE_ACTIVE(SSE4_1);
}

#else

#include <cpuid.h>

bool processor_has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

bool processor_has_sha(void)
{
    unsigned a, b, c, d;
    return __builtin_cpu_supports("sse4.1") && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}

#endif

#endif
