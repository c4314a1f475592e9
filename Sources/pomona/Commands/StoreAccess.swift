//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Logging
import Payments

/// How commands open the store of a data directory.
enum StoreAccess {
    /// For reading, also beside a running server.
    static func readOnly(_ directory: DataDirectory) async throws -> any ClosableStore {
        try directory.requireStore()
        return try await directory.storeLocation().openReadOnly()
    }

    /// The merchant of that name.
    ///
    /// - Throws: ``CommandFailure`` `merchant_unknown`, which names those that there are.
    static func merchant(named name: String, in reader: any StoreReader) throws -> Merchant {
        if let merchant = try reader.merchant(named: name) { return merchant }
        let names = try reader.merchants().map(\.name)
        let known = names.isEmpty ? "it has none yet" : "it has " + names.joined(separator: ", ")
        throw CommandFailure(
            "merchant_unknown", stage: "store", "The store has no merchant named \(name); \(known).")
    }

    /// Runs a body with a gateway on the store, also beside a running server; no server, no workers, no acquirer.
    ///
    /// A server that runs on the directory sees what has changed within seconds, and a new processing key with the
    /// first token for it: so certificates are renewed without a stop.
    static func withGateway<Value>(
        _ directory: DataDirectory, _ body: (Gateway) async throws -> Value
    ) async throws -> Value {
        try directory.requireStore()
        let lock = try Self.lockIfFree(directory)
        defer { withExtendedLifetime(lock) {} }
        let location = try directory.storeLocation()
        let store = lock == nil || location.isShared ? try await location.openBeside() : try await location.open()
        do {
            let surroundings = Surroundings.system
            let gateway = try await Gateway.start(
                GatewayParts(
                    store: store, acquirers: [], masterKey: try directory.loadMasterKey(),
                    settings: GatewaySettings(ownsStore: false), clock: surroundings.clock,
                    random: surroundings.random, sleep: surroundings.sleep,
                    logger: surroundings.logger("pomona", level: .critical)))
            let value = try await body(gateway)
            try await store.close()
            return value
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// `nil` while another process owns the directory.
    private static func lockIfFree(_ directory: DataDirectory) throws(CommandFailure) -> DirectoryLock? {
        do throws(CommandFailure) {
            return try directory.lock()
        } catch {
            guard error.code == "directory_in_use" else { throw error }
            return nil
        }
    }
}
