//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import SQLiteStore
import StrictJSON
import Time

/// A data directory with a merchant, as its operator makes it, and sales in its store.
enum FilledDirectory {
    private static let now = Timestamp(milliseconds: 1_750_000_000_000)

    /// - Parameter directory: where it is made.
    static func make(in directory: URL, _ count: Int, _ executable: URL) async throws -> URL {
        let data = directory.appending(path: "\(count)")
        let file = directory.appending(path: "setup.json")
        let setup: JSON = [
            "merchant": ["name": "bench", "displayName": "Bench", "mode": "sandbox", "countryCode": "CA"],
            "acquirers": [["name": "main", "connector": "simulator"]], "routes": [["acquirer": "main"]],
        ]
        try Data(setup.serialized()).write(to: file)
        let process = Process()
        process.executableURL = executable
        process.arguments = ["setup", "--data", data.path, "--file", file.path, "--json"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("pomona setup failed") }
        let store = try SQLiteStore.open(path: data.appending(path: "pomona.sqlite").path)
        let account = try await store.read { reading -> AcquirerAccount? in
            guard let merchant = try reading.merchant(named: "bench") else { return nil }
            return try reading.acquirerAccounts(of: merchant.id).first
        }
        guard let account else { throw BenchError("pomona setup has made no account") }
        try await StoredSales.fill(store, count, of: account, after: Self.now)
        try await store.close()
        return data
    }
}
