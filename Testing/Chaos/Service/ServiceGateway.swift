//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import SQLiteStore
import StrictJSON
import TestProcesses

/// The payment service that the merchants are paid through: another Pomona, which speaks its API and has the simulated
/// acquirer behind it.
///
/// `pomona sandbox --upstream` makes its accounts and those of the gateways; then `pomona serve` takes over on both sides.
struct ServiceGateway: Sendable {
    /// Where both sides find each other, from before anything listens.
    struct Addresses: Sendable {
        /// Of the service.
        let port: Int
        /// Of what leads there.
        let proxy: Proxy
        /// Where the service sends its notices. What listens there leads to any of the gateways.
        let noticesPort: Int

        static func reserve(seed: UInt64) async throws -> Addresses {
            let port = try FreePort.find()
            return Addresses(
                port: port, proxy: try await Proxy(to: port, carrying: .bytes, seed: seed ^ 0x5E4),
                noticesPort: try FreePort.find(except: [port]))
        }

        func options(_ service: String) -> [String] {
            [
                "--upstream", service, "--upstream-port", String(self.port), "--upstream-url",
                "http://127.0.0.1:\(self.proxy.port)",
            ]
        }
    }

    let name: String
    let gateway: Cluster.Gateway
    let proxy: Proxy
    let noticesProxy: Proxy
    let dataPath: String

    static func dataPath(_ service: String, in folder: String) -> String { "\(folder)/node1/upstream-\(service)" }

    /// Reads beside it.
    func openStore() throws -> SQLiteStore { try SQLiteStore.openReadOnly(path: self.dataPath + "/pomona.sqlite") }
}
