//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Crypto
import Foundation
import Gateway
import Synchronization

/// HTTP clients, one for every merchant identity and authority: a connection that was opened with one merchant's
/// certificate never carries another merchant's request.
///
/// Bounded: the client that has not been used for the longest time is closed when there are too many.
final class AppleSessionConnections: Sendable {
    /// What a client is made for: a digest, so that no key is held as text.
    struct Key: Hashable, Sendable {
        private let digest: [UInt8]

        init(certificatePEM: String, privateKeyPEM: String, authoritiesPEM: String?) {
            var hash = SHA256()
            for text in [certificatePEM, privateKeyPEM, authoritiesPEM ?? ""] {
                hash.update(data: Data("\(text.utf8.count):".utf8))
                hash.update(data: Data(text.utf8))
            }
            self.digest = Array(hash.finalize())
        }
    }

    private struct Entry {
        let client: HTTPClient
        var usersCount: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var usesCount: UInt64 = 0
        var isClosed = false

        mutating func use(_ key: Key) -> HTTPClient? {
            guard var entry = self.entries[key] else { return nil }
            self.usesCount += 1
            entry.lastUse = self.usesCount
            entry.usersCount += 1
            self.entries[key] = entry
            return entry.client
        }

        /// Takes out what is too much. Clients that are being used stay.
        mutating func trim(to count: Int) -> [HTTPClient] {
            let excess = self.entries.count - count
            guard excess > 0 else { return [] }
            let idle = self.entries.filter { $0.value.usersCount == 0 }.sorted { $0.value.lastUse < $1.value.lastUse }
            return idle.prefix(excess).compactMap { self.entries.removeValue(forKey: $0.key)?.client }
        }
    }

    private let clientsMax: Int
    private let state = Mutex(State())

    init(clientsMax: Int) {
        self.clientsMax = clientsMax
    }

    /// How many clients are open.
    var count: Int { self.state.withLock { $0.entries.count } }

    /// Runs a body with the key's client, which is made if there is none yet.
    ///
    /// - Throws: what `make` throws; ``MerchantSessionFailure/notConnected`` after ``shutdown()``.
    func with<Value: Sendable>(
        _ key: Key, make: () throws(MerchantSessionFailure) -> HTTPClient, _ body: (HTTPClient) async -> Value
    ) async throws(MerchantSessionFailure) -> Value {
        let client: HTTPClient
        if let existing = self.state.withLock({ $0.use(key) }) {
            client = existing
        } else {
            client = try await self.insert(try make(), for: key)
        }
        let value = await body(client)
        let closing = self.state.withLock { state in
            state.entries[key]?.usersCount -= 1
            return state.trim(to: self.clientsMax)
        }
        await Self.shutdown(closing)
        return value
    }

    private func insert(_ made: HTTPClient, for key: Key) async throws(MerchantSessionFailure) -> HTTPClient {
        let (client, closing): (HTTPClient?, [HTTPClient]) = self.state.withLock { state in
            guard !state.isClosed else { return (nil, [made]) }
            // Somebody may have been faster.
            if let existing = state.use(key) { return (existing, [made]) }
            state.entries[key] = Entry(client: made, usersCount: 0, lastUse: 0)
            let client = state.use(key)
            return (client, state.trim(to: self.clientsMax))
        }
        await Self.shutdown(closing)
        guard let client else { throw MerchantSessionFailure.notConnected }
        return client
    }

    /// Closes all. Requests that are still under way fail.
    func shutdown() async {
        let clients = self.state.withLock { state in
            state.isClosed = true
            let clients = state.entries.values.map(\.client)
            state.entries = [:]
            return clients
        }
        await Self.shutdown(clients)
    }

    private static func shutdown(_ clients: [HTTPClient]) async {
        // What it throws is that it has been done already.
        for client in clients { try? await client.shutdown() }
    }
}
