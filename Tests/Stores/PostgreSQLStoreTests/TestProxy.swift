//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Stands between a store and its server on 127.0.0.1, and holds up or cuts off what passes, so that a commit or its
/// answer is lost at a chosen moment.
final class TestProxy: Sendable {
    private struct State {
        var isRefusing = false
        var connections: [ProxiedConnection] = []
    }

    let port: UInt16
    private let listener: CInt
    private let serverPort: UInt16
    private let state = Mutex(State())

    init(serverPort: UInt16) throws {
        self.serverPort = serverPort
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = loopback(port: 0)
        guard withSocketAddress(&address, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw POSIXError(.EADDRINUSE)
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withSocketAddress(&address) { start, _ in getsockname(listener, start, &length) }
        self.port = UInt16(bigEndian: address.sin_port)
        Thread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let self else {
                    close(client)
                    continue
                }
                self.connect(client)
            }
        }.start()
    }

    deinit {
        shutdown(self.listener, CInt(SHUT_RDWR))
        close(self.listener)
    }

    private func connect(_ client: CInt) {
        let server = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: self.serverPort)
        let isRefusing = self.state.withLock { $0.isRefusing }
        guard !isRefusing, withSocketAddress(&address, { Glibc.connect(server, $0, $1) }) == 0 else {
            close(client)
            close(server)
            return
        }
        let connection = ProxiedConnection(client: client, server: server)
        self.state.withLock { $0.connections.append(connection) }
        connection.start()
    }

    /// Lets nothing more through from the connections that there are to the server.
    func holdRequests() {
        for connection in self.connections { connection.hold { $0.holdsRequests = true } }
    }

    /// Lets nothing more through to the connections that there are.
    func holdAnswers() {
        for connection in self.connections { connection.hold { $0.holdsAnswers = true } }
    }

    /// Whether requests were held up.
    var hasHeldRequests: Bool { self.connections.contains { $0.hasHeldRequests } }

    /// Cuts the store off; what was held up may still reach the server.
    func cutClients() {
        for connection in self.connections { connection.cutClient() }
    }

    /// Gives the server what was held up for it.
    func releaseRequests() {
        for connection in self.connections where connection.hasHeldRequests { connection.releaseRequests() }
    }

    func cut() {
        for connection in self.connections { connection.cut() }
    }

    func refuseConnections(_ isRefusing: Bool) { self.state.withLock { $0.isRefusing = isRefusing } }

    private var connections: [ProxiedConnection] { self.state.withLock { $0.connections } }
}

private final class ProxiedConnection: Sendable {
    struct State {
        var holdsRequests = false
        var holdsAnswers = false
        var held: [UInt8] = []
    }

    private let client: CInt
    private let server: CInt
    private let state = Mutex(State())

    init(client: CInt, server: CInt) {
        self.client = client
        self.server = server
    }

    deinit {
        close(self.client)
        close(self.server)
    }

    func start() {
        Thread { self.pump(from: self.client, isRequest: true) }.start()
        Thread { self.pump(from: self.server, isRequest: false) }.start()
    }

    func hold(_ change: (inout State) -> Void) { self.state.withLock { change(&$0) } }

    var hasHeldRequests: Bool { self.state.withLock { !$0.held.isEmpty } }

    func cutClient() { shutdown(self.client, CInt(SHUT_RDWR)) }

    func cut() {
        shutdown(self.client, CInt(SHUT_RDWR))
        shutdown(self.server, CInt(SHUT_RDWR))
    }

    func releaseRequests() {
        self.state.withLock { state in
            sendAll(state.held, to: self.server)
            state.held = []
        }
        shutdown(self.server, CInt(SHUT_WR))
    }

    private func pump(from source: CInt, isRequest: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
            let bytes = Array(buffer[..<count])
            self.state.withLock { state in
                switch (isRequest, state.holdsRequests, state.holdsAnswers) {
                case (true, true, _): state.held += bytes
                case (true, false, _): sendAll(bytes, to: self.server)
                case (false, _, true): break
                case (false, _, false): sendAll(bytes, to: self.client)
                }
            }
        }
        // The other end learns of it, unless something is still to be given to the server.
        let isHeld = self.state.withLock { $0.holdsRequests || $0.holdsAnswers }
        if !isHeld { self.cut() }
    }
}

private func sendAll(_ bytes: [UInt8], to descriptor: CInt) {
    var position = 0
    while position < bytes.count {
        let count = bytes[position...].withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        position += count
    }
}

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}

private func withSocketAddress(
    _ address: inout sockaddr_in, _ work: (UnsafeMutablePointer<sockaddr>, socklen_t) -> CInt
) -> CInt {
    withUnsafeMutablePointer(to: &address) { start in
        start.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            work($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
