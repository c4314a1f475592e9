//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Payments
import Redaction
import Synchronization

/// A key and the one that follows it or went before it.
final class TapPayKeys: Sendable {
    struct Entry: Sendable {
        /// The name of the secret.
        let name: String
        /// Speaks with it.
        let client: TapPayClient
    }

    let entries: [Entry]
    /// Which was taken last: the other one is not tried at every call.
    private let latest = Mutex(0)

    /// - Throws: ``ConnectorError`` where the first is not there.
    init(
        _ names: [String], of account: OpenedAcquirerAccount,
        _ client: (Redacted<String>) -> TapPayClient
    ) throws(ConnectorError) {
        var entries: [Entry] = []
        for name in names {
            guard let key = account.secrets[name] else {
                guard entries.isEmpty else { continue }
                throw .secretMissing(name)
            }
            entries.append(Entry(name: name, client: client(key)))
        }
        self.entries = entries
    }

    /// All, the one that was taken last before the others.
    var inOrder: [(index: Int, entry: Entry)] {
        let first = self.latest.withLock { $0 }
        let indices = [first] + self.entries.indices.filter { $0 != first }
        return indices.map { ($0, self.entries[$0]) }
    }

    func noteTaken(_ index: Int) { self.latest.withLock { $0 = index } }
}
