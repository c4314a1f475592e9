//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction

/// How the service knows the store: by one of two keys, so that one can follow the other. The vendor has them changed
/// every six months.
typealias RadialKeys = RotatingCredentials<RadialClient>

extension RadialKeys {
    convenience init(_ account: OpenedAcquirerAccount, storeID: String, version: String) throws(ConnectorError) {
        let client = { (key: Redacted<String>) in
            var credentials = RadialClient.Credentials(storeID: storeID, apiKey: key)
            credentials.version = version
            return RadialClient(credentials)
        }
        let first = try account.secret(RadialAccount.Secret.apiKey)
        var entries = [Entry(name: RadialAccount.Secret.apiKey, client: client(first))]
        if let second = account.secrets[RadialAccount.Secret.secondAPIKey] {
            entries.append(Entry(name: RadialAccount.Secret.secondAPIKey, client: client(second)))
        }
        self.init(entries)
    }
}
