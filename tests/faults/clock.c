/* For a process that is started with LD_PRELOAD: its wall clock jumps every second, a day ahead, a day
   back, to where it should be. The monotonic clock is left alone. Says once that it is there. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long jump(void)
{
    static int told;
    static const char words[] = "the wall clock jumps\n";
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    if (!__sync_lock_test_and_set(&told, 1)) {
        ssize_t unread = write(2, words, sizeof words - 1);
        (void)unread;
    }
    return (now.tv_sec % 3 - 1) * 24 * 60 * 60;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, time);
    if (!failed && clock == CLOCK_REALTIME)
        time->tv_sec += jump();
    return failed;
}

int gettimeofday(struct timeval *time, void *zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
