/* What an x86 processor can do beyond what all of them can. */
#ifndef BASE_PROCESSOR_H
#define BASE_PROCESSOR_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
bool processor_has_avx2(void);
bool processor_has_sha(void); /* and SSE4.1 */
#endif

#endif
