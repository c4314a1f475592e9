//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Who runs this program, for the audit log.
enum Operator {
    /// "alice@db1", or "alice/root@db1" for alice by way of sudo. What the operating system says, which whoever is root
    /// can make it say.
    static var name: String {
        let user = getpwuid(geteuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "\(geteuid())"
        let caller = getenv("SUDO_USER").map { String(cString: $0) }.flatMap { $0.isEmpty || $0 == user ? nil : $0 }
        return [caller, user].compactMap(\.self).joined(separator: "/") + "@" + ProcessInfo.processInfo.hostName
    }

    /// What this machine is called, with and without its domain: "db1.example.com", "db1".
    static var hostNames: [String] {
        let name = ProcessInfo.processInfo.hostName
        return [name, String(name.prefix { $0 != "." })].filter { !$0.isEmpty }
    }
}

/// Keeps a server's memory from other programs and from the disk.
enum ProcessHardening {
    /// No core file, and nobody but root may look into the process: not with a debugger, and not through /proc
    /// (prctl(2), PR_SET_DUMPABLE).
    static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
        _ = setrlimit(RLIMIT_CORE, &none)
        #endif
        #if os(Linux)
        // A function with open arguments, which Swift doesn't import; they are passed like any others.
        typealias Call = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = dlsym(nil, "prctl") else { return }
        _ = unsafeBitCast(symbol, to: Call.self)(4, 0, 0, 0, 0)
        #endif
    }
}
