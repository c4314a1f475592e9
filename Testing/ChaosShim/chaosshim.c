//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Stands between a program and its C library (ld.so(8), LD_PRELOAD): sets its clock, and fills its disk. Nothing of the
// program under test knows of it. What is to happen stands in a file that script/chaos writes and every process maps:
// its path is the environment variable CHAOS_CONTROL.
//
// - offset: added to the time of day (clock_gettime(2) of CLOCK_REALTIME, gettimeofday(2), time(2)). Clocks that
//   nobody sets stay as they are, and so do waits that end at a time of day: they are turned back into true time.
// - budget: how many bytes may still be written to regular files; the write that goes beyond is cut short, and those
//   after it fail with ENOSPC, as on a file system that writes each block anew. Below zero: any number.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control {
    _Atomic int64_t offset_nanoseconds;
    _Atomic int64_t budget_bytes;
    _Atomic int64_t refusals_count;
};

static struct control *control;

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_sem_timedwait)(sem_t *, const struct timespec *);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off64_t);
static int (*real_posix_fallocate)(int, off64_t, off64_t);
static int (*real_fallocate)(int, int, off64_t, off64_t);

static void find_real(void) {
    real_sem_timedwait = dlsym(RTLD_NEXT, "sem_timedwait");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_writev = dlsym(RTLD_NEXT, "writev");
    real_pwritev = dlsym(RTLD_NEXT, "pwritev64");
    real_posix_fallocate = dlsym(RTLD_NEXT, "posix_fallocate64");
    real_fallocate = dlsym(RTLD_NEXT, "fallocate64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

__attribute__((constructor)) static void prepare(void) {
    find_real();
    const char *path = getenv("CHAOS_CONTROL");
    if (path == NULL) return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *place = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (place != MAP_FAILED) control = place;
    close(file);
}

// The time

static int64_t offset(void) { return control == NULL ? 0 : control->offset_nanoseconds; }

static void shift(struct timespec *time, int64_t nanoseconds) {
    int64_t sum = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec + nanoseconds;
    time->tv_sec = sum / 1000000000;
    time->tv_nsec = sum % 1000000000;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (real_clock_gettime == NULL) find_real();
    int result = real_clock_gettime(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) shift(time, offset());
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return (time_t)-1;
    if (place != NULL) *place = now.tv_sec;
    return now.tv_sec;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
    if (real_sem_timedwait == NULL) find_real();
    struct timespec true_end = *end;
    shift(&true_end, -offset());
    return real_sem_timedwait(semaphore, &true_end);
}

// The disk

// How many of the bytes may be written; -1 for none of them.
static ssize_t allowed(int file, size_t count) {
    if (control == NULL || control->budget_bytes < 0 || count == 0) return (ssize_t)count;
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return (ssize_t)count;
    while (1) {
        int64_t left = control->budget_bytes;
        if (left < 0) return (ssize_t)count;
        int64_t part = left < (int64_t)count ? left : (int64_t)count;
        if (part == 0) {
            control->refusals_count += 1;
            errno = ENOSPC;
            return -1;
        }
        if (__atomic_compare_exchange_n(
                (int64_t *)&control->budget_bytes, &left, left - part, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            return (ssize_t)part;
        }
    }
}

static size_t sum(const struct iovec *parts, int count) {
    size_t bytes = 0;
    for (int index = 0; index < count; index++) bytes += parts[index].iov_len;
    return bytes;
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (real_write == NULL) find_real();
    ssize_t part = allowed(file, count);
    return part < 0 ? -1 : real_write(file, bytes, (size_t)part);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t position) {
    ssize_t part = allowed(file, count);
    return part < 0 ? -1 : real_pwrite(file, bytes, (size_t)part, position);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t position) {
    return pwrite64(file, bytes, count, position);
}

// Of a cut list of parts nothing is written: a caller who gets that count tries again, and then gets the error.
ssize_t writev(int file, const struct iovec *parts, int count) {
    size_t bytes = sum(parts, count);
    ssize_t part = allowed(file, bytes);
    if (part >= 0 && (size_t)part < bytes) {
        errno = ENOSPC;
        return -1;
    }
    return part < 0 ? -1 : real_writev(file, parts, count);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t position) {
    size_t bytes = sum(parts, count);
    ssize_t part = allowed(file, bytes);
    if (part >= 0 && (size_t)part < bytes) {
        errno = ENOSPC;
        return -1;
    }
    return part < 0 ? -1 : real_pwritev(file, parts, count, position);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t position) {
    return pwritev64(file, parts, count, position);
}

int posix_fallocate64(int file, off64_t position, off64_t length) {
    if (length > 0 && allowed(file, (size_t)length) != (ssize_t)length) return ENOSPC;
    return real_posix_fallocate(file, position, length);
}

int posix_fallocate(int file, off_t position, off_t length) { return posix_fallocate64(file, position, length); }

int fallocate64(int file, int mode, off64_t position, off64_t length) {
    if (mode == 0 && length > 0 && allowed(file, (size_t)length) != (ssize_t)length) {
        errno = ENOSPC;
        return -1;
    }
    return real_fallocate(file, mode, position, length);
}

int fallocate(int file, int mode, off_t position, off_t length) { return fallocate64(file, mode, position, length); }
