//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Payments
import Redaction
import Synchronization

/// How the service knows the store: by one of two keys, so that one can follow the other. The vendor has them changed
/// every six months.
final class RadialKeys: Sendable {
    /// One of them.
    struct Entry: Sendable {
        /// The name of the secret.
        let name: String
        let client: RadialClient
    }

    let entries: [Entry]
    let secrets: [Redacted<String>]
    /// Which was taken last: the other one is not tried at every call.
    private let latest = Mutex(0)

    init(_ account: OpenedAcquirerAccount, storeID: String, version: String) throws(ConnectorError) {
        let client = { (key: Redacted<String>) in
            var credentials = RadialClient.Credentials(storeID: storeID, apiKey: key)
            credentials.version = version
            return RadialClient(credentials)
        }
        let first = try account.secret(RadialAccount.Secret.apiKey)
        var entries = [Entry(name: RadialAccount.Secret.apiKey, client: client(first))]
        var secrets = [first]
        if let second = account.secrets[RadialAccount.Secret.secondAPIKey] {
            entries.append(Entry(name: RadialAccount.Secret.secondAPIKey, client: client(second)))
            secrets.append(second)
        }
        self.entries = entries
        self.secrets = secrets
    }

    /// All, the one that was taken last before the other.
    var inOrder: [(index: Int, entry: Entry)] {
        let first = self.latest.withLock { $0 }
        let indices = [first] + self.entries.indices.filter { $0 != first }
        return indices.map { ($0, self.entries[$0]) }
    }

    func noteTaken(_ index: Int) { self.latest.withLock { $0 = index } }
}
