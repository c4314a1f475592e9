//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Ports for programs that are known to others before they listen, or that stop and start again at the same one.
public enum FreePort {
    struct NoneLeft: Error, CustomStringConvertible {
        let description = "There is no free port on 127.0.0.1."
    }

    /// A port that nobody listens on now. It lies below those that clients are given (ip_local_port_range(7)): while
    /// nothing listens there, none of the other tests' connections may take it.
    ///
    /// - Parameter taken: what somebody has found already.
    public static func find(except taken: Set<Int> = []) throws -> Int {
        let ports = (0..<100).lazy.map { _ in UInt16.random(in: 15_000..<30_000) }
        guard let port = ports.first(where: { !taken.contains(Int($0)) && self.isFree($0) }) else { throw NoneLeft() }
        return Int(port)
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeBytes(of: &address) { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return bind(descriptor, start, length) == 0
        }
    }
}
