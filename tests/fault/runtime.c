/* Not ONNX Runtime, but a library that is loaded in its place and does what OPSHIFT_RUNTIME says: crash, hang, end, or
 * stay silent. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const void *OrtGetApiBase(void);

const void *OrtGetApiBase(void)
{
    const char *deed = getenv("OPSHIFT_RUNTIME");
    if (deed && strcmp(deed, "crash") == 0)
        raise(SIGSEGV);
    if (deed && strcmp(deed, "abort") == 0)
        abort();
    while (deed && strcmp(deed, "hang") == 0)
        pause();
    if (deed && strcmp(deed, "end") == 0)
        _exit(0);
    return NULL;
}
