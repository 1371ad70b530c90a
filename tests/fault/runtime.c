/* Not ONNX Runtime, but a library that is loaded in its place and does what OPSHIFT_RUNTIME says: crash, hang, end,
 * print, abort where it finds an open file, or stay silent. OPSHIFT_RUNTIME_FILE is a file for the process's number. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const void *OrtGetApiBase(void);

static void note_process(const char *path)
{
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file)
        fprintf(file, "%ld\n", (long)getpid());
    if (file)
        fclose(file);
}

const void *OrtGetApiBase(void)
{
    const char *deed = getenv("OPSHIFT_RUNTIME");
    note_process(getenv("OPSHIFT_RUNTIME_FILE"));
    /* Above the three of every program and the one by which it is spoken to. */
    for (int i = 4; deed && strcmp(deed, "files") == 0 && i < 1024; i++)
        if (fcntl(i, F_GETFD) >= 0)
            abort();
    if (deed && strcmp(deed, "print") == 0 &&
        write(STDOUT_FILENO, "noise\n", 6) + write(STDERR_FILENO, "noise\n", 6) != 12)
        abort();
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
