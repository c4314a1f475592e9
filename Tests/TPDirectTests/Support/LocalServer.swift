//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An HTTP server on this machine of one connection after the other, so that the SDK's real client has somebody to
/// speak to.
///
/// Sendable: the handler is, and what changes lies under the lock.
final class LocalServer: Sendable {
    enum Reaction: Sendable {
        case answer(status: Int, headers: [String], body: String)
        /// Closes the connection without a word.
        case hangUp
    }

    struct Failed: Error {}

    let port: UInt16
    private let descriptor: Int32
    private let seen = Mutex<[String]>([])
    private let handle: @Sendable (String) -> Reaction

    /// What was asked, each with its headers and its body.
    var requests: [String] { self.seen.withLock { $0 } }

    var url: URL? { URL(string: "http://127.0.0.1:\(self.port)") }

    init(_ handle: @escaping @Sendable (String) -> Reaction) throws {
        self.handle = handle
        (self.descriptor, self.port) = try Self.listen()
        let descriptor = self.descriptor
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, let self else { return }
                self.serve(connection)
            }
        }
    }

    deinit {
        // Wakes the thread that accepts; on Linux closing alone does not.
        shutdown(self.descriptor, Int32(SHUT_RDWR))
        close(self.descriptor)
    }

    private static func listen() throws -> (Int32, UInt16) {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Failed() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && hearsFrom(descriptor)
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else { throw Failed() }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = Self.read(connection) else { return }
        self.seen.withLock { $0.append(request) }
        guard case .answer(let status, let headers, let body) = self.handle(request) else { return }
        let head =
            ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers + ["", body]
        let bytes = Array(head.joined(separator: "\r\n").utf8)
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// A whole request: to the blank line, and as many bytes more as it promises.
    private static func read(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let head = text[..<end.lowerBound].lowercased().components(separatedBy: "\r\n")
                let length = head.first { $0.hasPrefix("content-length:") }.flatMap {
                    Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces))
                }
                if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
        }
    }
}

private func hearsFrom(_ descriptor: Int32) -> Bool { listen(descriptor, 8) == 0 }
