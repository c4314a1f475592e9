//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// SQLite appends a page to its write-ahead log as a frame: 24 bytes that say which page it is, then the page
// (sqlite.org/fileformat2.html, section 4.1). It writes the two apart, and for the kernel each costs about the same. Here
// the 24 bytes wait for their page, and both are one write.
//
// Nothing else is held back, and these bytes only where a page must come next: what is in the file when SQLite goes on is
// what it has written, so that syncs, readers and the index of the log see no difference.

#include "CSQLiteWAL.h"
#include "PageCache.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

enum { HEADER_SIZE = 24, PAGE_SIZE = 4096 };

// The log as SQLite has opened it. The operating system's file lies behind it in the same memory.
typedef struct {
    sqlite3_file base;
    sqlite3_file *file;
    // Where the last write ended.
    sqlite3_int64 end;
    // Of `frame`, what waits; it belongs at `end - held`.
    int held;
    unsigned char frame[HEADER_SIZE + PAGE_SIZE];
} Log;

// The operating system's.
static sqlite3_vfs *base_vfs;

static Log *log_of(sqlite3_file *file) { return (Log *)file; }

// Writes what waits, where it came without its page after all.
static int release(Log *log) {
    if (log->held == 0) return SQLITE_OK;
    int held = log->held;
    log->held = 0;
    return log->file->pMethods->xWrite(log->file, log->frame, held, log->end - held);
}

static int log_close(sqlite3_file *file) {
    Log *log = log_of(file);
    int released = release(log);
    int closed = log->file->pMethods->xClose(log->file);
    return closed != SQLITE_OK ? closed : released;
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    Log *log = log_of(file);
    int result = release(log);
    return result != SQLITE_OK ? result : log->file->pMethods->xRead(log->file, bytes, count, offset);
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    Log *log = log_of(file);
    int follows = offset == log->end;
    if (log->held > 0 && follows && count <= PAGE_SIZE) {
        memcpy(log->frame + log->held, bytes, (size_t)count);
        int total = log->held + count;
        log->held = 0;
        int result = log->file->pMethods->xWrite(log->file, log->frame, total, offset + count - total);
        log->end = result == SQLITE_OK ? offset + count : -1;
        return result;
    }
    int result = release(log);
    if (result != SQLITE_OK) return result;
    // Headers that are written anew, for their checksums, have no page behind them, and do not follow the write before.
    if (count == HEADER_SIZE && follows) {
        memcpy(log->frame, bytes, HEADER_SIZE);
        log->held = HEADER_SIZE;
        log->end = offset + count;
        return SQLITE_OK;
    }
    result = log->file->pMethods->xWrite(log->file, bytes, count, offset);
    log->end = result == SQLITE_OK ? offset + count : -1;
    return result;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    Log *log = log_of(file);
    int result = release(log);
    log->end = -1;
    return result != SQLITE_OK ? result : log->file->pMethods->xTruncate(log->file, size);
}

static int log_sync(sqlite3_file *file, int flags) {
    Log *log = log_of(file);
    int result = release(log);
    return result != SQLITE_OK ? result : log->file->pMethods->xSync(log->file, flags);
}

static int log_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    Log *log = log_of(file);
    int result = release(log);
    return result != SQLITE_OK ? result : log->file->pMethods->xFileSize(log->file, size);
}

static int log_lock(sqlite3_file *file, int level) {
    return log_of(file)->file->pMethods->xLock(log_of(file)->file, level);
}

static int log_unlock(sqlite3_file *file, int level) {
    return log_of(file)->file->pMethods->xUnlock(log_of(file)->file, level);
}

static int log_check_reserved_lock(sqlite3_file *file, int *result) {
    return log_of(file)->file->pMethods->xCheckReservedLock(log_of(file)->file, result);
}

static int log_file_control(sqlite3_file *file, int operation, void *argument) {
    return log_of(file)->file->pMethods->xFileControl(log_of(file)->file, operation, argument);
}

static int log_sector_size(sqlite3_file *file) {
    return log_of(file)->file->pMethods->xSectorSize(log_of(file)->file);
}

static int log_device_characteristics(sqlite3_file *file) {
    return log_of(file)->file->pMethods->xDeviceCharacteristics(log_of(file)->file);
}

static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_file_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_check_reserved_lock,
    .xFileControl = log_file_control,
    .xSectorSize = log_sector_size,
    .xDeviceCharacteristics = log_device_characteristics,
};

// Every file but a write-ahead log is the operating system's own.
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
    (void)vfs;
    if ((flags & SQLITE_OPEN_WAL) == 0) return base_vfs->xOpen(base_vfs, name, file, flags, flags_out);
    Log *log = log_of(file);
    log->base.pMethods = NULL;
    log->file = (sqlite3_file *)(log + 1);
    log->end = -1;
    log->held = 0;
    int result = base_vfs->xOpen(base_vfs, name, log->file, flags, flags_out);
    // SQLite closes what has methods, even where it could not be opened.
    if (log->file->pMethods != NULL) log->base.pMethods = &log_methods;
    return result;
}

// When the program is loaded: SQLite refuses both once it has been used. Nothing depends on them.
__attribute__((constructor)) static void configure(void) {
    // Counting what is allocated takes a lock for every allocation (sqlite.org/c3ref/c_config_covering_index_scan.html,
    // SQLITE_CONFIG_MEMSTATUS).
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    pomona_page_cache_set_up();
}

static int set_up_result;

static void set_up(void) {
    static sqlite3_vfs vfs;
    base_vfs = sqlite3_vfs_find(NULL);
    if (base_vfs == NULL) {
        set_up_result = SQLITE_ERROR;
        return;
    }
    // All other methods are the operating system's.
    vfs = *base_vfs;
    vfs.zName = "pomona";
    vfs.pNext = NULL;
    vfs.szOsFile = (int)sizeof(Log) + base_vfs->szOsFile;
    vfs.xOpen = open_file;
    set_up_result = sqlite3_vfs_register(&vfs, 1);
}

int pomona_sqlite_set_up(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, set_up);
    return set_up_result;
}
