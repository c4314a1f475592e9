//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// systemd, or whoever else has started this program and wants to know how it stands (sd_notify(3)): a datagram to the
/// socket that NOTIFY_SOCKET names.
struct ServiceManager: Sendable {
    enum State: String {
        /// Everything listens: what waits for this service may start.
        case ready = "READY=1"
        /// Asked to end: requests that have begun are answered first.
        case stopping = "STOPPING=1"
    }

    private let path: String

    /// - Returns: `nil` where nobody asks.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        self.path = path
    }

    /// Nobody waits for an answer, and a service goes on without its manager.
    func notify(_ state: State) {
        var address = sockaddr_un()
        // A name that begins with "@" is in no file system: its first byte is NUL (unix(7)).
        var name = Array(self.path.utf8)
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        #if canImport(Glibc)
        let kind = Int32(SOCK_DGRAM.rawValue)
        #else
        let kind = SOCK_DGRAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(state.rawValue.utf8)
        let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 0) + socklen_t(name.count)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, message, message.count, 0, address, length)
            }
        }
    }
}
