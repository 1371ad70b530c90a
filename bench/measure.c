/* Runs a shell command and prints its cost: wall-clock seconds, processor seconds (user and system, with child
 * processes), maximum resident KiB. Its output is discarded. The clock of time(1) has a resolution of 10 ms only. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fputs("usage: measure TEXT\n", stderr);
        return 2;
    }
    char *command[] = {"sh", "-c", arguments[1], NULL};
    posix_spawn_file_actions_t actions;
    struct timespec start, end;
    struct rusage used;
    pid_t child;
    int status;
    if (posix_spawn_file_actions_init(&actions) != 0 ||
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) != 0)
        return 4;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (posix_spawn(&child, "/bin/sh", &actions, NULL, command, environ) != 0 ||
        wait4(child, &status, 0, &used) != child)
        return 4;
    clock_gettime(CLOCK_MONOTONIC, &end);
    posix_spawn_file_actions_destroy(&actions);
    printf("%.6f %.6f %ld\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9,
           seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}
