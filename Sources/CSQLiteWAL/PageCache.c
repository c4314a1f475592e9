//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// At the end of each transaction SQLite has its page cache forget the pages behind the file's end. The cache looks for them
// only if it has seen so high a number, and it has after each division of a page: pages that change places go by way of a
// number far behind any file's end (balance_nonroot), and the cache remembers that. So it looks through all of its pages,
// which is as much work as a twentieth of a payment's. Here it is noted which number a page has only on its way, and the
// cache is asked only where it may have something to forget.
//
// All else is done by SQLite's own cache (sqlite.org/c3ref/pcache_methods2.html).

#include "PageCache.h"

#include "CSQLiteWAL.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct {
    sqlite3_pcache *pages;
    // No page of the cache has a higher number, but for the one on its way.
    unsigned highest;
    // The number behind `highest` that a page has on its way; 0 where there is none.
    unsigned passing;
} Cache;

static sqlite3_pcache_methods2 base;

static atomic_ulong asked_count, passed_on_count;

static Cache *cache_of(sqlite3_pcache *cache) { return (Cache *)cache; }

static void note(Cache *cache, unsigned key) {
    if (key > cache->highest) cache->highest = key;
}

static int init(void *argument) {
    (void)argument;
    return base.xInit != NULL ? base.xInit(base.pArg) : SQLITE_OK;
}

static void shut_down(void *argument) {
    (void)argument;
    if (base.xShutdown != NULL) base.xShutdown(base.pArg);
}

static sqlite3_pcache *create(int page_size, int extra_size, int is_purgeable) {
    Cache *cache = sqlite3_malloc((int)sizeof(Cache));
    if (cache == NULL) return NULL;
    *cache = (Cache){.pages = base.xCreate(page_size, extra_size, is_purgeable)};
    if (cache->pages == NULL) {
        sqlite3_free(cache);
        return NULL;
    }
    return (sqlite3_pcache *)cache;
}

static void destroy(sqlite3_pcache *cache) {
    base.xDestroy(cache_of(cache)->pages);
    sqlite3_free(cache);
}

static void set_size(sqlite3_pcache *cache, int pages_max) { base.xCachesize(cache_of(cache)->pages, pages_max); }

static int count(sqlite3_pcache *cache) { return base.xPagecount(cache_of(cache)->pages); }

static sqlite3_pcache_page *fetch(sqlite3_pcache *cache, unsigned key, int creates) {
    if (creates) note(cache_of(cache), key);
    return base.xFetch(cache_of(cache)->pages, key, creates);
}

static void unpin(sqlite3_pcache *cache, sqlite3_pcache_page *page, int is_discarded) {
    base.xUnpin(cache_of(cache)->pages, page, is_discarded);
}

static void rekey(sqlite3_pcache *cache, sqlite3_pcache_page *page, unsigned key, unsigned new_key) {
    Cache *ours = cache_of(cache);
    if (key == ours->passing) ours->passing = 0;
    if (new_key > ours->highest && ours->passing == 0) {
        ours->passing = new_key;
    } else {
        note(ours, new_key);
    }
    base.xRekey(ours->pages, page, key, new_key);
}

// Forgets the pages of this number and above.
static void forget(sqlite3_pcache *cache, unsigned limit) {
    Cache *ours = cache_of(cache);
    atomic_fetch_add_explicit(&asked_count, 1, memory_order_relaxed);
    if (ours->highest < limit && ours->passing < limit) return;
    atomic_fetch_add_explicit(&passed_on_count, 1, memory_order_relaxed);
    base.xTruncate(ours->pages, limit);
    if (ours->highest >= limit) ours->highest = limit > 0 ? limit - 1 : 0;
    if (ours->passing >= limit) ours->passing = 0;
}

static void shrink(sqlite3_pcache *cache) { base.xShrink(cache_of(cache)->pages); }

void pomona_page_cache_set_up(void) {
    static sqlite3_pcache_methods2 methods = {
        .iVersion = 1,
        .xInit = init,
        .xShutdown = shut_down,
        .xCreate = create,
        .xCachesize = set_size,
        .xPagecount = count,
        .xFetch = fetch,
        .xUnpin = unpin,
        .xRekey = rekey,
        .xTruncate = forget,
        .xDestroy = destroy,
        .xShrink = shrink,
    };
    if (sqlite3_config(SQLITE_CONFIG_GETPCACHE2, &base) != SQLITE_OK) return;
    (void)sqlite3_config(SQLITE_CONFIG_PCACHE2, &methods);
}

pomona_sqlite_truncations pomona_sqlite_truncations_count(void) {
    return (pomona_sqlite_truncations){
        .asked = atomic_load_explicit(&asked_count, memory_order_relaxed),
        .passed_on = atomic_load_explicit(&passed_on_count, memory_order_relaxed),
    };
}
