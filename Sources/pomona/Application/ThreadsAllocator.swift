//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The allocator that the program is linked with on Linux (gperftools' tcmalloc, see Package.swift).
enum ThreadsAllocator {
    /// What all threads may keep of what they have freed. tcmalloc's own bound, 32 MB, is for many more threads than a
    /// gateway has (docs/performance.md).
    static let cachedBytesMax = 4 << 20

    /// By which an operator sets another bound.
    static let variable = "TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES"

    /// Bounds what threads keep, unless an operator has.
    ///
    /// - Returns: the bound that holds now; `nil` where the program runs with another allocator.
    @discardableResult
    static func boundCaches(environment: [String: String] = ProcessInfo.processInfo.environment) -> Int? {
        #if os(Linux)
        // malloc_extension_c.h of gperftools. Found by name: its headers are not needed to build, and it may be another one.
        typealias Get = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int>) -> CInt
        typealias Set = @convention(c) (UnsafePointer<CChar>, Int) -> CInt
        guard let get = dlsym(nil, "MallocExtension_GetNumericProperty"),
            let set = dlsym(nil, "MallocExtension_SetNumericProperty")
        else { return nil }
        let property = "tcmalloc.max_total_thread_cache_bytes"
        if environment[self.variable] == nil {
            _ = unsafeBitCast(set, to: Set.self)(property, self.cachedBytesMax)
        }
        var bound = 0
        return unsafeBitCast(get, to: Get.self)(property, &bound) == 0 ? nil : bound
        #else
        return nil
        #endif
    }
}
