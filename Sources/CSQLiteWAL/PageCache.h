//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef POMONA_PAGE_CACHE_H
#define POMONA_PAGE_CACHE_H

// Puts itself before SQLite's own page cache, unless SQLite has been used already.
void pomona_page_cache_set_up(void);

#endif
