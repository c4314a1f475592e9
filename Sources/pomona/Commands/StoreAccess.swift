//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Logging
import Payments
import SQLiteStore

/// How commands open the store of a data directory.
enum StoreAccess {
    /// For reading, also beside a running server.
    static func readOnly(_ directory: DataDirectory) throws -> SQLiteStore {
        try directory.requireStore()
        return try SQLiteStore.openReadOnly(path: directory.storePath)
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

    /// Runs a body with a gateway on the store, which this process owns meanwhile; no server, no workers, no acquirer.
    ///
    /// - Throws: ``CommandFailure`` `directory_in_use` while a server runs on the directory.
    static func withGateway<Value>(
        _ directory: DataDirectory, _ body: (Gateway) async throws -> Value
    ) async throws -> Value {
        try directory.requireStore()
        let lock = try Self.lock(directory)
        defer { withExtendedLifetime(lock) {} }
        let store = try SQLiteStore.open(path: directory.storePath)
        do {
            let surroundings = Surroundings.system
            let gateway = try await Gateway.start(
                GatewayParts(
                    store: store, acquirers: [], masterKey: try directory.loadMasterKey(), clock: surroundings.clock,
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

    private static func lock(_ directory: DataDirectory) throws(CommandFailure) -> DirectoryLock {
        do throws(CommandFailure) {
            return try directory.lock()
        } catch {
            guard error.code == "directory_in_use" else { throw error }
            throw CommandFailure(
                "directory_in_use", stage: "data_directory",
                "A gateway, or another command, is running on \(directory.path), and this command changes its "
                    + "store. Stop the "
                    + "gateway first, or use another directory.")
        }
    }
}
