//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Payments
import Redaction
import Synchronization

/// How the gateway knows the merchant: by one of two passwords, so that one can follow the other, or by a client
/// certificate alone.
final class MPGSCredentials: Sendable {
    /// One of them.
    struct Entry: Sendable {
        /// The name of the secret.
        let name: String
        /// What makes requests with it.
        let client: CommWebClient
    }

    let entries: [Entry]
    /// The passwords, as they are and as they are sent.
    let secrets: [Redacted<String>]
    /// Which was taken last: the other one is not tried at every call.
    private let latest = Mutex(0)

    init(
        _ account: OpenedAcquirerAccount, _ merchantID: String, version: Int, hasCertificate: Bool
    ) throws(ConnectorError) {
        typealias Secret = MPGSAccount.Secret
        let entry = { (name: String, password: Redacted<String>?) in
            Entry(
                name: name,
                client: CommWebClient(
                    CommWebClient.Credentials(merchantID: merchantID, password: password, version: version)))
        }
        var entries = [
            hasCertificate
                ? entry(Secret.clientCertificate, nil) : entry(Secret.password, try account.secret(Secret.password))
        ]
        if !hasCertificate, let second = account.secrets[Secret.secondPassword] {
            entries.append(entry(Secret.secondPassword, second))
        }
        self.entries = entries
        self.secrets = entries.flatMap(\.client.secrets)
    }

    /// All, the one that was taken last before the others.
    var inOrder: [(index: Int, entry: Entry)] {
        let first = self.latest.withLock { $0 }
        let indices = [first] + self.entries.indices.filter { $0 != first }
        return indices.map { ($0, self.entries[$0]) }
    }

    func noteTaken(_ index: Int) { self.latest.withLock { $0 = index } }
}
