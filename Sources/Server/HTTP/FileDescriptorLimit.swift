//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// How many files, and so connections, the process may have open.
public enum FileDescriptorLimit {
    /// As many as any program should be given: some walk through all numbers that there may be.
    private static let most: UInt64 = 1 << 20
    /// For the store, the acquirers, webhooks, logs, and the other server of the process: the administration has its own.
    private static let reserve = 512

    /// Raises the limit to the highest that the process may have without privileges.
    ///
    /// - Returns: what it is then; `nil` where nobody knows.
    @discardableResult
    public static func raise() -> Int? {
        guard var limit = self.current() else { return nil }
        let wanted = rlim_t(min(UInt64(limit.rlim_max), self.most))
        if limit.rlim_cur < wanted {
            limit.rlim_cur = wanted
            _ = setrlimit(self.resource, &limit)
        }
        return self.current().map { Int(clamping: $0.rlim_cur) }
    }

    /// As many connections of a server as are wanted, or as there are files for.
    static func connections(_ wanted: Int) -> Int {
        guard let limit = self.current() else { return wanted }
        return self.connections(wanted, of: Int(clamping: limit.rlim_cur))
    }

    /// The last file must never be taken: libdispatch, on whose threads tasks run, looks at its threads in /proc, and ends
    /// the process when it can't. So of few files two servers take no more than half together.
    static func connections(_ wanted: Int, of limit: Int) -> Int {
        min(wanted, max(limit - self.reserve, limit / 4))
    }

    private static func current() -> rlimit? {
        var limit = rlimit()
        return getrlimit(self.resource, &limit) == 0 ? limit : nil
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
    private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
